"""Keep the decisions of a running game, so that an environment can write it as a record.

Chance, and the decisions of opponents in compiled loops, are not kept: they follow from the generators' words at the
start, and are drawn again when a record is made.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from edge_envs.core.errors import in_short
from edge_envs.core.game import Game
from edge_envs.core.kernels.rng import below, draw_at, unit
from edge_envs.core.loops.seat_codes import HEURISTIC, LEARNER, RANDOM
from edge_envs.core.nodes import CHANCE, TERMINAL
from edge_envs.core.spec import Array, Records
from edge_envs.core.state import State


class GameLog:
    """The start of a game with its decisions. In `actions`, append each decision that was played."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self.actions: list[int] = []
        self._forfeit: tuple[int, str] | None = None

    def begin(self, records: Records, seed: int | None, set_up: bool) -> None:
        """Start a new log.

        Args:
            records: the state record (1,) before its first chance outcome; it is copied.
            seed: the seed of the game, None if it continues with an earlier generator.
            set_up: whether the game begins from a position.
        """
        self._start, self._seed, self._set_up = records.copy(), seed, set_up
        self.actions, self._forfeit = [], None

    def forfeit(self, seat: int, why: str) -> None:
        """Note that a seat has forfeited the game here."""
        self._forfeit = seat, why

    def record(self, present: Records) -> dict[str, Any]:
        """Return the record of the game so far, as `edge_envs.record_of` does.

        Args:
            present: the present state record (1,) of the environment.

        Raises:
            RuntimeError: if playing the game again does not lead to the present position, as when an environment was
                changed from outside.
        """
        from edge_envs.records import record_of, replay

        state = self._played_again()
        if state.to_dict() != self._game.position(present[0]):
            raise RuntimeError("the game cannot be recorded: its decisions do not lead to the present position")
        seat, why = self._forfeit or (None, "")
        record = record_of(state, forfeit=seat, why=why)
        replay(record)
        return record

    def _played_again(self) -> State:
        state = State(self._game, self._start.copy(), self._seed, self._set_up)
        decisions = iter(self.actions)
        while not state.is_terminal():
            action = state.sample_chance() if state.is_chance_node() else next(decisions, None)
            if action is None:
                break
            state.apply_action(action)
        return state


class SeatLog(GameLog):
    """The same for one lane with a learning seat; `actions` are those of the learner and of opponent objects."""

    def begin_lane(self, words: Array, opening: int, seat: int, mixes: Array) -> None:
        """Keep what the decisions of compiled opponents follow from; to be called before the lane starts.

        Args:
            words: the word (1,) of the lane's second generator; it is copied.
            opening: the number of random decisions at the start of each game.
            seat: the learner's seat, -1 to draw it.
            mixes: the opponents' cumulated weights, see `edge_envs.core.loops.seat_loops`.
        """
        self._words, self._opening, self._seat, self._mixes = words.copy(), opening, seat, mixes

    def add(self, action: int, mask: Array, seat: int, given: int) -> None:
        """Note a decision of the learner, which forfeits the game if its mask (A,) does not allow it.

        Args:
            action: the action as a 64-bit integer.
            mask: the legal actions.
            seat: the learner's seat.
            given: the same integer as the environment received it, of any size.
        """
        if 0 <= action < len(mask) and mask[action]:
            self.actions.append(action)
        else:
            self.forfeit(seat, f"illegal action {in_short(given)}")

    def _played_again(self) -> State:
        """Play as the compiled loops do; games that ended before the learner's first decision were replaced."""
        words, decisions = self._words.copy(), iter(self.actions)
        records, seed, set_up = self._start.copy(), self._seed, self._set_up
        while True:
            state = State(self._game, records, seed, set_up)
            if self._play(state, records, self._drawn_codes(words), words, decisions):
                return state
            following = self._game.new_records(1)
            self._game.compiled.loops.new_games(following)
            following["rng"] = records["rng"]
            records, seed, set_up = following, None, False

    def _drawn_codes(self, words: Array) -> list[int]:
        """Draw the learner's seat and the opponents, and return the code of each seat."""
        players = self._game.num_players
        learner = self._seat if self._seat >= 0 else int(below(_bits(words), players))
        codes = [LEARNER] * players
        for left, mix in enumerate(self._mixes):
            codes[(learner + 1 + left) % players] = RANDOM + int((unit(_bits(words)) >= mix).sum())
        return codes

    def _play(self, state: State, records: Records, codes: list[int], words: Array, decisions: Iterator[int]) -> bool:
        """Play a game as far as it is known; False if it ended before the learner's first decision."""
        random_action = self._game.compiled.loops.random_action
        mask = np.zeros(self._game.num_distinct_actions, np.int8)
        to_draw, begun = self._opening, False
        while (player := state.current_player()) != TERMINAL:
            if player == CHANCE:
                state.apply_action(state.sample_chance())
                continue
            code = RANDOM if to_draw > 0 else codes[player]
            to_draw -= 1
            if code == RANDOM:
                action = int(random_action(records[0], _bits(words), mask))
            elif code == HEURISTIC:
                action = state.heuristic_action()
            else:
                decision = next(decisions, None)
                if decision is None:
                    return True
                action, begun = decision, begun or code == LEARNER
            state.apply_action(action)
        return begun


def _bits(words: Array) -> np.uint64:
    """Draw 64 random bits from a word (1,), which moves on; compiled code returns them as a Python integer."""
    return np.uint64(draw_at(words, 0))
