"""The best response to an agent of two-player `falling_off`.

Against the built-in players it is exact. Any other agent is asked what it does: a dynamic programme takes what it has
answered, and that it plays on perfectly where it was not asked, so the response wins at least what is computed. Asked
are the positions that games of the response so far against the agent come to.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from edge_envs.core.compiler.jit import kernel
from edge_envs.core.game import Game
from edge_envs.core.kernels.rng import chance_words
from edge_envs.core.nodes import CHANCE
from edge_envs.core.solver import Decide
from edge_envs.core.spec import Array, Records
from edge_envs.games.falling_off import GAME
from edge_envs.games.falling_off.actions import FIRST_MOVE
from edge_envs.games.falling_off.pieces.sets import FIRST_ROLL, HIGHEST_NAMED, LOWEST, NUM_PAWNS, PAWN_SETS
from edge_envs.games.falling_off.rules import apply, current_player, sample_chance
from edge_envs.games.falling_off.solver.contests import heuristic_tables
from edge_envs.games.falling_off.solver.policies import Policy, guide_of, side_of, start_value, uniform_tables
from edge_envs.games.falling_off.solver.solution import decision_values_of, unpack
from edge_envs.games.falling_off.solver.sweep import ASKED, BEST, Side, Table, blank, sweep
from edge_envs.games.falling_off.solver.tables import (
    DICE_MORE,
    NUM_DICE_SETS,
    NUM_FULL,
    ROLL_KEPT,
    ROLL_PROBABILITY,
    Floats,
    Ints,
    PawnSets,
    pawn_sets,
)
from edge_envs.games.falling_off.state import MOVE, REROLL, ROLL

FIRST_GAMES: Final = 1024
NUM_PAWN_SETS: Final = len(PAWN_SETS)
MOST_GAMES: Final = 1 << 15
CHUNK: Final = 256  # positions, each with 56 rolls, that are asked about at once

_POLICIES: Final[dict[str, Callable[[], Policy]]] = {
    "random": uniform_tables,
    "heuristic": heuristic_tables,
    "perfect": lambda: "perfect",
}


@dataclass(frozen=True, eq=False)
class Response:
    """A response to an agent, and what it wins; as `edge_envs.core.solver.Response` says."""

    win_probabilities: tuple[float, float]
    exact: bool
    positions: int
    own: Floats
    """Its values where it is to roll, as those of a `Solution`."""
    other: Floats
    """The agent's values where that is to roll."""

    def decision_values(self, states: Records, out: Floats) -> None:
        """Fill `out` (k, 74) with the probability that the response wins after each of its actions, NaN: not legal."""
        decision_values_of(self.own, self.other, states, out)


def respond(agent: str | Decide, seconds: float, progress: Callable[[int], None]) -> Response:
    """The best response to a built-in player by its name, or one to another agent that is asked for so many seconds.

    `progress` is called with the number of positions that were asked about.
    """
    if isinstance(agent, str):
        return respond_to(side_of(_POLICIES[agent]()))
    return Questions(agent).respond(seconds, progress)


def respond_to(side: Side, pawns: int = NUM_PAWNS, cut: int | None = None) -> Response:
    """The best response to a side, if it is ASKED to what it has answered; `cut` as in `solve`."""
    sets, exact = pawn_sets(pawns), side.mode != ASKED
    sides, positions = [Side(BEST), side], 0 if exact else len(side.shares)
    own, other = sweep(sets, sides, guide_of(sides, sets, pawns), cut)
    wins = start_value(own, sets), 1.0 - start_value(other, sets)
    return Response(wins, exact, positions, unpack(own, sets), unpack(other, sets))


class Questions:
    """What an agent has been asked so far, by position in which it is about to roll.

    Positions are rows of the number of its pawn set, that of the other side, and the turns that it owes. `cut` is as
    in `solve`.
    """

    def __init__(self, decide: Decide, cut: int | None = None) -> None:
        self.decide, self.cut = decide, cut
        self.game = Game(GAME, {})
        self.sets: PawnSets = pawn_sets()
        self._rank = np.argsort(self.sets.number)
        most = int(self.sets.remaining[-1]) - 1
        self._table: Table = blank(self.sets, most if cut is None else cut, columns=0)
        self._places = np.full(self._table.rows * self.sets.remaining.size, -1, np.int32)
        self._shares = np.zeros((0, self.sets.after.shape[1] + 1))
        self._waiting: list[Floats] = []

    def respond(self, seconds: float, progress: Callable[[int], None]) -> Response:
        """The response to what is known after so many seconds of questions."""
        ends, games, seed = time.perf_counter() + seconds, FIRST_GAMES, 0
        while True:
            response = self.response()
            if time.perf_counter() >= ends:
                return response
            self.ask(self.met(response, games, seed), ends, progress)
            seed, games = seed + games, min(4 * games, MOST_GAMES)

    def response(self) -> Response:
        """The response to what is known."""
        self._shares = np.concatenate([self._shares, *self._waiting])
        self._waiting.clear()
        return respond_to(Side(ASKED, self._shares, self._places), cut=self.cut)

    def met(self, response: Response, games: int, seed: int) -> Ints:
        """The positions in which the agent is about to roll in games with a response, from both seats."""
        states, words = self.game.new_records(games), np.empty(games, np.uint64)
        chance_words(np.arange(seed, seed + games, dtype=np.uint64), words)
        self.game.compiled.loops.new_games(states)
        states["rng"] = words
        agents, actions = np.arange(games) % 2, np.full(games, -1)
        codes, found = np.empty(games, np.int64), []
        n = NUM_PAWN_SETS
        while True:
            _advance(states, actions, agents, codes)
            found.append(np.unique(codes[codes >= 0]))
            playing = states["phase"] <= MOVE
            states, agents, codes = states[playing], agents[playing], codes[playing]
            if not states.size:
                break
            asked = states["turn_player"] == agents
            actions = np.empty(states.size, np.int64)
            if asked.any():
                actions[asked] = self.decide(states[asked])
            if not asked.all():
                values = np.empty((int((~asked).sum()), self.game.num_distinct_actions))
                response.decision_values(states[~asked], values)
                actions[~asked] = np.nanargmax(values, axis=1)
        codes = np.unique(np.concatenate(found))
        return np.stack([codes % n, codes // n % n, codes // (n * n)], axis=1)

    def ask(self, positions: Ints, ends: float, progress: Callable[[int], None]) -> None:
        """Ask about positions (k, 3) that are not known, until a time comes."""
        ranks = self._rank[positions[:, 0]]
        most = np.minimum(self.sets.remaining[ranks] - 1, self._table.cut)  # with more turns owed all is lost
        positions = positions[positions[:, 2] <= most]
        positions = positions[self._places[self._where(positions)] < 0]
        for first in range(0, len(positions), CHUNK):
            if time.perf_counter() >= ends:
                return
            some = positions[first : first + CHUNK]
            shares, known = self._shares_of(some), len(self._shares) + sum(map(len, self._waiting))
            self._places[self._where(some)] = known + np.arange(len(some))
            self._waiting.append(shares)
            progress(known + len(some))

    def _where(self, positions: Ints) -> Ints:
        """The places of positions in a table's values."""
        mine, theirs = self._rank[positions[:, 0]], self._rank[positions[:, 1]]
        group = self.sets.group[self.sets.remaining[theirs]]
        width = self.sets.group[self.sets.remaining[theirs] + 1] - group
        row = self._table.first[positions[:, 2]] + mine
        where: Ints = self._table.rows * group + row * width + theirs - group
        return where

    def _shares_of(self, positions: Ints) -> Floats:
        """The probabilities with which the agent's turn ends in each of the moves, and last in a storm."""
        states = self.game.new_records(len(positions) * NUM_FULL)
        self.game.compiled.loops.new_games(states)
        states["pawns"][:, 0], states["pawns"][:, 1] = np.repeat(positions[:, :2], NUM_FULL, axis=0).T
        states["turns_owed"] = np.repeat(positions[:, 2], NUM_FULL)
        states["dice"] = np.tile(np.arange(FIRST_ROLL, NUM_DICE_SETS), len(positions))
        states["phase"] = REROLL
        rerolls, moves = self.decide(states), np.full(len(states), -1)
        states["phase"] = MOVE
        movable = HIGHEST_NAMED[states["dice"]] > LOWEST[states["pawns"][:, 0]]
        moves[movable] = self.decide(states[movable]) - FIRST_MOVE
        shares = np.zeros((len(positions), self._shares.shape[1]))
        shape = len(positions), NUM_FULL
        _add_shares(rerolls.reshape(shape), moves.reshape(shape), self._rank[positions[:, 0]], self.sets, shares)
        return shares


@kernel
def _add_shares(rerolls: Ints, moves: Ints, ranks: Ints, sets: PawnSets, out: Floats) -> None:
    """The shares of turns by what is thrown again of each roll, and by the number of the move with each; -1: none."""
    reached = np.empty(NUM_DICE_SETS)
    for i in range(ranks.size):
        rank = ranks[i]
        reached[:] = 0.0
        for roll in range(NUM_FULL):
            reached[ROLL_KEPT[roll, rerolls[i, roll]]] += ROLL_PROBABILITY[roll]
        for dice in range(FIRST_ROLL):
            for die in range(6):
                reached[DICE_MORE[dice, die]] += reached[dice] / 6.0
        for roll in range(NUM_FULL):
            end = out.shape[1] - 1
            if moves[i, roll] >= 0:
                for k in range(sets.num_moves[rank]):
                    if sets.move[rank, k] == moves[i, roll]:
                        end = k
            out[i, end] += reached[FIRST_ROLL + roll]


@kernel
def _advance(states: Records, actions: Array, agents: Array, codes: Ints) -> None:
    """Play an action in each game, -1 none, and the dice up to the next decision.

    `codes` (N,) get the position in which the agent, that has seat `agents[i]`, was about to roll, or -1.
    """
    n = NUM_PAWN_SETS
    for i in range(states.size):
        state = states[i]
        codes[i] = -1
        if actions[i] >= 0:
            apply(state, actions[i])
        while current_player(state) == CHANCE:
            player = np.int64(state.turn_player)
            if state.phase == ROLL and player == agents[i]:
                mine, theirs = np.int64(state.pawns[player]), np.int64(state.pawns[1 - player])
                codes[i] = (np.int64(state.turns_owed) * n + theirs) * n + mine
            apply(state, sample_chance(state))
