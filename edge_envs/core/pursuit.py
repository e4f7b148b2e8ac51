"""The value of the start of a game that is too large to be solved at once: bounds that close in, step by step.

Claims about the start are tried with rising effort, narrow and near ones first, until the value is known or the time is
up. What is known is kept in a file now and then, all at once, so that a run that is cut short loses minutes.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from edge_envs.core.folders import cache_folder
from edge_envs.core.jit import source_hash
from edge_envs.core.proofs import MOST_TURNS, OPEN, PROVEN, Table
from edge_envs.core.prover import Claim, Prover, claims_of, start_of

if TYPE_CHECKING:
    from edge_envs.core.game import Game
    from edge_envs.core.proofs import Hints

WIDTHS = (2, 4, 8, 16, 0)
HORIZONS = range(1, 17)
_FIRST_EFFORT, _GROWTH = 100_000, 4
_MOST_AT_ONCE = 10_000_000  # positions between two looks at the clock
_SAVE_EVERY = 60.0  # seconds


class Pursuit:
    """What is known of the return of player 0 from the start, with best play on both sides: it lies in [low, high]."""

    def __init__(self, game: Game, hints: Hints, slots: int = 1 << 22) -> None:
        self.game = game
        self.prover = Prover(game, hints, slots)
        self.start = start_of(game)
        self.low, self.high = -1.0, 1.0
        self.seconds = 0.0
        """How long it has searched, in all runs."""
        self.proven: list[Claim] = []
        self.refuted: list[Claim] = []
        """Claims that do not hold, with all actions considered: the greatest horizon of each kind."""
        self._answered: set[Claim] = set()
        self._effort = _FIRST_EFFORT

    @property
    def path(self) -> Path | None:
        """Where what is known is kept, by the game's sources and parameters; None if there is no place for it."""
        folder = cache_folder("proofs")
        params = hashlib.sha256(json.dumps(self.game.params_dict(), sort_keys=True).encode()).hexdigest()[:12]
        return folder and folder / f"{self.game.name}-{params}-{source_hash(self.game.type.folder)}.npz"

    @property
    def start_value(self) -> float:
        """The return of player 0 with best play on both sides; ValueError if it is not known yet."""
        if self.low < self.high:
            raise ValueError("the value of the start is not known yet")
        return self.low

    @property
    def claims(self) -> list[Claim]:
        """The claims that prove the value of the start; ValueError if it is not known yet."""
        turns = min(MOST_TURNS, self.prover.turns_left(self.start[0]))
        return [
            next((claim for claim in self.proven if claim[:2] == (player, least)), Claim(player, least, turns))
            for player, least in claims_of(self.start_value)
        ]

    def go_on(self, seconds: float, progress: Callable[[str], None] = lambda text: None) -> None:
        """Search until the value is known, or for so many seconds at least; `progress` is told what is tried."""
        began = saved = time.perf_counter()
        before = self.seconds
        while self.low < self.high and time.perf_counter() - began < seconds:
            for claim in self._open_claims():
                progress(self.in_words(claim))
                self._try(claim)
                self.seconds = before + time.perf_counter() - began
                if time.perf_counter() - saved > _SAVE_EVERY:
                    self.save()
                    saved = time.perf_counter()
                if self.low == self.high or self.seconds - before > seconds:
                    break
            else:
                self._effort *= _GROWTH
        self.save()

    def in_words(self, claim: Claim) -> str:
        """A claim as a sentence."""
        what = "wins" if claim.least > 0 else "does not lose"
        narrow = f", choosing among {claim.width} actions" if claim.width else ""
        return f"player {claim.player} {what} within {claim.horizon} turns{narrow}"

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "low": self.low,
            "high": self.high,
            "positions": self.prover.positions,
            "seconds": self.seconds,
            "proven": [claim._asdict() for claim in self.proven],
            "refuted": [claim._asdict() for claim in self.refuted],
        }

    def _open_claims(self) -> Iterator[Claim]:
        """Claims that would tell something new, in the order in which they are tried."""
        most = self.prover.turns_left(self.start[0])
        for width, horizon, least, player in itertools.product(WIDTHS, HORIZONS, (1.0, 0.0), (0, 1)):
            claim = Claim(player, least, min(horizon, most), width)
            new = least > self.low if player == 0 else -least < self.high
            if new and horizon <= most and claim not in self._answered:
                yield claim

    def _try(self, claim: Claim) -> None:
        answer = self.prover.settle(self.start[0], claim, min(self._effort, _MOST_AT_ONCE))
        player, least, horizon, width = claim
        if answer.status == OPEN:
            return
        self._answered.add(claim)
        if answer.status == PROVEN:
            self.proven.append(claim)
            self._at_least(player, least)
        elif width == 0:
            kind = [other for other in self.refuted if other[:2] == claim[:2]]
            if all(other.horizon < horizon for other in kind):
                self.refuted = [other for other in self.refuted if other not in kind] + [claim]
            if horizon == self.prover.turns_left(self.start[0]):  # no turn is left after it, so it does not hold at all
                self._at_least(1 - player, 1.0 - least)

    def _at_least(self, player: int, least: float) -> None:
        """Note what a player gets: returns are whole numbers, and the other gets as much less."""
        if player == 0:
            self.low = max(self.low, least)
        else:
            self.high = min(self.high, -least)

    def save(self) -> None:
        """Keep what is known; nothing happens if there is no place for it."""
        if self.path is None:
            return
        story = {**self.to_dict(), "effort": self._effort, "answered": list(self._answered)}
        temporary = self.path.with_suffix(".tmp")
        with temporary.open("wb") as file:
            np.savez(
                file, allow_pickle=False, keys=self.prover.table.keys, notes=self.prover.table.notes,
                story=np.frombuffer(json.dumps(story).encode(), np.uint8),
            )  # fmt: skip
        temporary.replace(self.path)

    def resume(self) -> bool:
        """Take up what an earlier run of the same sources has kept; False if there is nothing, or it is damaged."""
        try:
            assert self.path is not None
            with self.path.open("rb") as file, np.load(file, allow_pickle=False) as saved:
                table = Table(saved["keys"], saved["notes"])
                story = json.loads(saved["story"].tobytes())
        except Exception:  # the readers of zip, npy and JSON raise half a dozen types for a damaged file
            return False
        self.prover.table, self.prover.positions = table, story["positions"]
        self.low, self.high, self.seconds, self._effort = (story[k] for k in ("low", "high", "seconds", "effort"))
        self.proven, self.refuted = ([Claim(**claim) for claim in story[k]] for k in ("proven", "refuted"))
        self._answered = {Claim(*claim) for claim in story["answered"]}
        return True
