"""Analyses of finished games. One thread computes them, so they never delay matches."""

from __future__ import annotations

import hashlib
import json
import threading
from collections import OrderedDict
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from edge_envs.play.analysis import JudgedDecision, judged_decisions, number_of_decisions, summary
from edge_envs.web.guard import Refusal

MOST_KEPT = 32
MOST_WAITING = 8


class Analysis:
    """One analysis: its progress and its result."""

    def __init__(self, record: Mapping[str, Any]) -> None:
        self.record = record
        self.total = number_of_decisions(record)
        self.by = ""
        self.is_done = self.is_cancelled = False
        self.error = ""
        self._decisions: list[JudgedDecision] = []
        self._lock = threading.Lock()

    def compute(self) -> None:
        """Judge all decisions."""
        try:
            for judge, decision in judged_decisions(self.record):
                with self._lock:
                    self.by = judge.name
                    self._decisions.append(decision)
                if self.is_cancelled:
                    return
        except Exception as error:  # judges are arbitrary code
            self.error = f"this game cannot be analysed: {error}"
        self.is_done = True

    def to_dict(self) -> dict[str, Any]:
        """Return what is known so far, for JSON."""
        is_done = self.is_done
        with self._lock:
            decisions = list(self._decisions)
        points = [[one.at, one.player, round(one.probability, 4), round(one.loss, 4)] for one in decisions]
        found = summary(decisions, len(self.record["returns"])) if is_done else {"costly": [], "accuracy": []}
        return {"done": len(decisions), "of": self.total, "ready": is_done, "by": self.by, "points": points, **found}


class Analyses:
    """The newest analyses, by the digest of their record. They are computed one after another."""

    def __init__(self) -> None:
        self._analyses: OrderedDict[str, Analysis] = OrderedDict()
        self._thread = ThreadPoolExecutor(1, "analysis")

    def of(self, record: Mapping[str, Any]) -> Analysis:
        """Return the analysis of a valid record of a finished game, and start it if it is new.

        Raises:
            Refusal: if too many analyses are waiting.
        """
        digest = _digest(record)
        if digest not in self._analyses:
            if sum(not one.is_done for one in self._analyses.values()) >= MOST_WAITING:
                raise Refusal(429, "too many analyses are waiting; try again later")
            analysis = self._analyses[digest] = Analysis(record)
            self._thread.submit(analysis.compute)
            if len(self._analyses) > MOST_KEPT:
                self._analyses.popitem(last=False)
        self._analyses.move_to_end(digest)
        return self._analyses[digest]

    def close(self) -> None:
        """Cancel all analyses, and wait until the thread has ended."""
        for analysis in self._analyses.values():
            analysis.is_cancelled = True
        self._thread.shutdown(cancel_futures=True)

    def ready(self, record: Mapping[str, Any]) -> dict[str, Any] | None:
        """Return the complete analysis of a record, or None if there is none yet."""
        analysis = self._analyses.get(_digest(record))
        return analysis.to_dict() if analysis is not None and analysis.is_done and not analysis.error else None


def _digest(record: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(record, sort_keys=True).encode()).hexdigest()
