"""Play an opponent object inside the compiled loops of the seat environments, without calls from Python."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np

from edge_envs.core.game import Game
from edge_envs.core.loops.seat_codes import FIRST_OBJECT
from edge_envs.core.opponent import Opponent
from edge_envs.core.spec import Array

if TYPE_CHECKING:
    from edge_envs.core.loops.seat_loops import SeatAgent, SeatDecider

LOGGED = 4096
"""The number of decisions that are kept between two calls; further ones are left to Python."""


@runtime_checkable
class CompiledOpponent(Protocol):
    """An opponent whose decisions are also available as a kernel, for example a trained policy.

    `act` and the kernel must choose the same actions. The memory belongs to one environment, and is made anew in copies
    of it, so what it carries from one decision to the next may not change the play.
    """

    def decider(self) -> SeatDecider:
        """Return the kernel; the same object for all opponents of a kind, because each one is compiled."""
        ...

    def new_memory(self, lanes: int) -> Any:
        """Return the last argument of the kernel, a named tuple of arrays, for a number of lanes."""
        ...


class InsideAgent:
    """The opponent object that plays inside the loops of an environment.

    Args:
        opponent: The object.
        code: The code of its seats.
        game: The game.
    """

    def __init__(self, opponent: CompiledOpponent, code: int, game: Game) -> None:
        self._opponent, self._code, self._game = opponent, code, game
        self.decider = opponent.decider()
        self._made: tuple[Any, ...] | None = None
        self._log, self._logged = np.zeros(0, np.int64), np.zeros(1, np.int64)

    @classmethod
    def first_of(cls, objects: Sequence[Opponent], game: Game) -> InsideAgent | None:
        """Return the first object that can play inside the loops, or None. The others are called from Python."""
        for index, one in enumerate(objects):
            if isinstance(one, CompiledOpponent):
                return cls(one, FIRST_OBJECT + index, game)
        return None

    def arrays(self, words: Array, keeps_log: bool) -> SeatAgent:
        """Return the argument of the loops; see `SeatAgent`.

        Args:
            words: The words that seed the generators of the copies, uint64 (N,).
            keeps_log: Whether to keep the decisions for `take_log`.
        """
        from edge_envs.core.loops.seat_loops import SeatAgent

        if self._made is None:
            mask = np.zeros(self._game.num_distinct_actions, np.int8)
            self._made = np.array([self._code]), self._game.new_records(1), mask, self._opponent.new_memory(len(words))
        if keeps_log and not len(self._log):
            self._log = np.zeros(LOGGED, np.int64)
        code, copy, mask, memory = self._made
        return SeatAgent(code, words, copy, mask, self._log, self._logged, memory)

    def take_log(self) -> list[int]:
        """Return the decisions since the last call, and forget them."""
        taken: list[int] = self._log[: self._logged[0]].tolist()
        self._logged[0] = 0
        return taken

    def __getstate__(self) -> dict[str, Any]:
        """Leave out the arrays, some of which share their memory."""
        return {**self.__dict__, "_made": None, "decider": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.decider = self._opponent.decider()
