"""Analyses of finished games. One thread computes them, so they never delay matches."""

from __future__ import annotations

import hashlib
import json
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from edge_envs import Game, State
from edge_envs.play.analysis import JudgedDecision, best_judge, judged_decisions, number_of_decisions, summary
from edge_envs.play.appraisal import Judge
from edge_envs.web.guard import Refusal

JudgeOf = Callable[[Game, State], Judge]
MOST_KEPT = 32
MOST_WAITING = 8


class Analysis:
    """One analysis: its progress and its result."""

    def __init__(self, record: Mapping[str, Any], judge_of: JudgeOf = best_judge) -> None:
        self.record = record
        self._judge_of = judge_of
        self.total = number_of_decisions(record)
        self.by = ""
        self.is_done = self.is_cancelled = False
        self.error = ""
        self._decisions: list[JudgedDecision] = []
        self._lock = threading.Lock()

    def compute(self) -> None:
        """Judge all decisions."""
        try:
            for judge, decision in judged_decisions(self.record, self._judge_of):
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
    """The newest analyses, by the digest of their record and their judge. They are computed one after another."""

    def __init__(self) -> None:
        self._analyses: OrderedDict[tuple[str, str], Analysis] = OrderedDict()
        self._thread = ThreadPoolExecutor(1, "analysis")

    def of(self, record: Mapping[str, Any], by: str = "", judge_of: JudgeOf = best_judge) -> Analysis:
        """Return the analysis of a valid record of a finished game, and start it if it is new.

        Args:
            record: the record.
            by: the name of the judge; empty for the best one.
            judge_of: makes this judge.

        Raises:
            Refusal: if too many analyses are waiting.
        """
        key = digest_of(record), by
        if key not in self._analyses:
            if sum(not one.is_done for one in self._analyses.values()) >= MOST_WAITING:
                raise Refusal(429, "too many analyses are waiting; try again later")
            analysis = self._analyses[key] = Analysis(record, judge_of)
            self._thread.submit(analysis.compute)
            if len(self._analyses) > MOST_KEPT:
                self._analyses.popitem(last=False)
        self._analyses.move_to_end(key)
        return self._analyses[key]

    def close(self) -> None:
        """Cancel all analyses, and wait until the thread has ended."""
        for analysis in self._analyses.values():
            analysis.is_cancelled = True
        self._thread.shutdown(cancel_futures=True)

    def ready(self, record: Mapping[str, Any]) -> dict[str, Any] | None:
        """Return the complete analysis of a record that was requested last, or None if there is none yet."""
        digest = digest_of(record)
        for (known, _), analysis in reversed(self._analyses.items()):
            if known == digest and analysis.is_done and not analysis.error:
                return analysis.to_dict()
        return None


def digest_of(record: Mapping[str, Any]) -> str:
    """Return the digest of a record."""
    return hashlib.sha256(json.dumps(record, sort_keys=True).encode()).hexdigest()
