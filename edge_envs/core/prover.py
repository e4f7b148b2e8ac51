"""A `Prover` of one game: claims about its positions, their exact values, and the table that both come from."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from edge_envs.core.nodes import TERMINAL
from edge_envs.core.proofs import LEFT, MOST_TURNS, OPEN, PROVEN, Desk, Hints, blank_table

if TYPE_CHECKING:
    from edge_envs.core.game import Array, Game, Record, Records

NO_LIMIT = 1 << 62


class Claim(NamedTuple):
    """That a player gets at least so much within so many turns; `width`: among how many actions it chooses, 0: all."""

    player: int
    least: float
    horizon: int
    width: int = 0


class Answer(NamedTuple):
    """What a search found: PROVEN, REFUTED or OPEN, the action that settled it or -1, and the positions looked at."""

    status: int
    action: int
    positions: int


class Prover:
    """Proves claims about a game, and remembers in `table` what it finds on the way."""

    def __init__(self, game: Game, hints: Hints, slots: int = 1 << 22) -> None:
        """For a game of two players without chance whose returns are -1, 0 and 1, all paid at the end."""
        self.game = game
        self.table = blank_table(slots)
        self.positions = 0
        """How many positions all searches have looked at."""
        self._kernels, self._hints = game.type.kernels, hints
        self._search = game.type.prover_search(hints)
        self._weights = game.type.values.weights_with() if game.type.values else np.zeros(1)
        turns = min(MOST_TURNS, game.params.get("max_turns", MOST_TURNS))
        depth, actions = hints.decisions(game.params) * turns + 2, game.num_distinct_actions
        self._desk = Desk(
            game.new_records(depth),
            np.zeros((depth, 2), np.uint64),
            np.zeros((depth, actions), np.int16),
            np.zeros((depth, actions)),
            np.zeros((depth, 5), np.int64),
            np.zeros((MOST_TURNS + 1, 2, actions), np.int64),
            np.zeros(actions, np.int8),
            np.zeros(game.num_players),
            np.zeros(actions),
            np.zeros(1, np.int64),
        )

    def settle(self, record: Record, claim: Claim, nodes: int = NO_LIMIT) -> Answer:
        """Whether a claim about a decision holds, looking at no more than so many positions."""
        desk = self._desk
        desk.states[0] = record
        player, least, horizon, width = claim
        status = self._search(desk, self.table, self._weights, player, float(least), horizon, width, nodes)
        self.positions += int(desk.tally[0])
        acting, settled = self._kernels.current_player(record), status != OPEN
        chosen = settled and desk.tally[0] > 0 and (status == PROVEN) == (acting == player)
        return Answer(status, int(desk.moves[0, desk.levels[0, LEFT]]) if chosen else -1, int(desk.tally[0]))

    def value(self, record: Record, progress: Callable[[float], None] | None = None) -> float:
        """The exact return of player 0 with best play on both sides, from any position; it takes what it takes.

        ValueError if more turns may follow than a claim can have.
        """
        acting = self._kernels.current_player(record)
        if acting == TERMINAL:
            rewards = np.empty(self.game.num_players)
            self._kernels.rewards(record, rewards)
            return float(rewards[0])
        turns = self.turns_left(record)
        if turns > MOST_TURNS:
            raise ValueError(f"{turns} turns may follow, and values are proven for {MOST_TURNS} at most")
        for horizon in range(1, turns + 1):
            for player in (acting, 1 - acting):
                if self.settle(record, Claim(player, 1.0, horizon)).status == PROVEN:
                    if progress:
                        progress(1.0)
                    return 1.0 if player == 0 else -1.0
            if progress:
                progress(horizon / turns)
        return 0.0

    def turns_left(self, record: Record) -> int:
        """The turns that may still end, the one of the position included."""
        return int(self._hints.turns_left(record))

    def action_values(self, record: Record, out: Array) -> None:
        """Fill `out` with the exact return of the player to act after each action; NaN where one is not legal."""
        kernels, acting = self._kernels, self._kernels.current_player(record)
        mask = np.empty(self.game.num_distinct_actions, np.int8)
        kernels.legal_action_mask(record, mask)
        out[:] = np.nan
        following: Records = self.game.new_records(1)
        for action in np.flatnonzero(mask):
            following[0] = record
            kernels.apply(following[0], action)
            value = self.value(following[0])
            out[action] = value if acting == 0 else -value


class ProvenSolution:
    """The exact solution of a game, proven on demand: the start at once, other positions when they are asked for.

    It is what `edge_envs.core.solve.Solution` asks for.
    """

    error_bound = 0.0

    def __init__(self, game: Game, hints: Hints, progress: Callable[[float], None] | None = None) -> None:
        """Solve the start; `progress` is called with the fraction that is done, which is a guess."""
        self.game = game
        self.prover = Prover(game, hints)
        (start,) = start_of(game)
        self.start_value = self.prover.value(start, progress)
        """The return of player 0 with best play on both sides."""
        self.positions = self.prover.positions
        """How many positions were looked at to solve the start."""

    @property
    def claims(self) -> list[Claim]:
        """The claims that prove the value of the start: one of the winner, or one of each player."""
        (start,) = start_of(self.game)
        return [
            next(
                claim
                for horizon in range(1, self.prover.turns_left(start) + 1)
                if self.prover.settle(start, claim := Claim(player, least, horizon)).status == PROVEN
            )
            for player, least in claims_of(self.start_value)
        ]

    @property
    def first_player_win_probability(self) -> float:
        """The value of the start to player 0, a draw counting half."""
        return (1.0 + self.start_value) / 2

    def decision_values(self, states: Records, out: Array) -> None:
        """Fill `out` (k, num_distinct_actions) as `Solution` says, a draw counting half."""
        for state, row in zip(states, out, strict=True):
            self.prover.action_values(state, row)
        out += 1.0
        out /= 2.0


def claims_of(value: float) -> list[tuple[int, float]]:
    """Who gets at least how much, if the start has a value: the winner, or in a draw both."""
    return [(player, least) for player, least in ((0, value), (1, -value)) if least >= 0.0]


def start_of(game: Game) -> Records:
    """An array of one record, the start of a game without chance."""
    records = game.new_records(1)
    game.type.kernels.new_game(records[0])
    return records
