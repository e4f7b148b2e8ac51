"""Best responses to agents of two-player `falling_off`.

Best responses to built-in agents are exact. Any other agent is queried for its decisions. A dynamic program uses the
known decisions and assumes perfect play wherever the agent has not been queried, so the computed winning probability is
a lower bound. The queried positions are those reached in games between the current response and the agent.
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
from edge_envs.core.solver import Decide, check_output
from edge_envs.core.spec import Array, Records
from edge_envs.games.falling_off import GAME
from edge_envs.games.falling_off.actions import FIRST_MOVE, NUM_ACTIONS
from edge_envs.games.falling_off.pieces.sets import FIRST_ROLL, HIGHEST_NAMED, LOWEST, NUM_PAWNS, PAWN_SETS
from edge_envs.games.falling_off.rules import apply, current_player, sample_chance
from edge_envs.games.falling_off.solver.contests import heuristic_tables
from edge_envs.games.falling_off.solver.policies import Policy, guide_of, side_of, start_value, uniform_tables
from edge_envs.games.falling_off.solver.solution import decision_values_of, unpack
from edge_envs.games.falling_off.solver.sweep import BEST, QUERIED, Side, Table, blank, sweep
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
CHUNK: Final = 256  # positions, each with 56 rolls, per batch of queries

_POLICIES: Final[dict[str, Callable[[], Policy]]] = {
    "random": uniform_tables,
    "heuristic": heuristic_tables,
    "perfect": lambda: "perfect",
}


@dataclass(frozen=True, eq=False)
class Response:
    """A response to an agent and its winning probabilities; implements `edge_envs.core.solver.Response`."""

    win_probabilities: tuple[float, float]
    exact: bool
    positions: int
    own: Floats
    """Values of positions in which the response is about to roll, in the form of `Solution.values`."""
    other: Floats
    """Values for the agent of positions in which the agent is about to roll."""

    def decision_values(self, states: Records, out: Floats) -> None:
        """Fill `out` (k, 74) with the probability that the response wins after each action; NaN if not legal."""
        check_output(states, out, NUM_ACTIONS)
        decision_values_of(self.own, self.other, states, out)


def respond(agent: str | Decide, seconds: float, progress: Callable[[int], None]) -> Response:
    """Compute a best response to a built-in agent, or a response to another agent.

    Args:
        agent: the name of a built-in agent (`random`, `heuristic`, `perfect`), or a function that returns decisions.
        seconds: time for queries; ignored for built-in agents.
        progress: called with the number of positions queried.
    """
    if isinstance(agent, str):
        return respond_to(side_of(_POLICIES[agent]()))
    return AgentQueries(agent).respond(seconds, progress)


def respond_to(side: Side, pawns: int = NUM_PAWNS, cut: int | None = None) -> Response:
    """Compute the best response to a side, or to the known decisions of a QUERIED side; `cut` as in `solve`."""
    sets, exact = pawn_sets(pawns), side.mode != QUERIED
    sides, positions = [Side(BEST), side], 0 if exact else len(side.shares)
    own, other = sweep(sets, sides, guide_of(sides, sets, pawns), cut)
    wins = start_value(own, sets), 1.0 - start_value(other, sets)
    return Response(wins, exact, positions, unpack(own, sets), unpack(other, sets))


class AgentQueries:
    """The known decisions of an agent, by position in which it is about to roll.

    Positions are rows (number of the agent's pawn set, number of the other side's pawn set, turns owed by the agent).
    `cut` is as in `solve`.
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
        self._pending: list[Floats] = []

    def respond(self, seconds: float, progress: Callable[[int], None]) -> Response:
        """Alternate between responses and queries for some seconds, and return the last response."""
        ends, games, seed = time.perf_counter() + seconds, FIRST_GAMES, 0
        while True:
            response = self.response()
            if time.perf_counter() >= ends:
                return response
            self.query(self.positions_met(response, games, seed), ends, progress)
            seed, games = seed + games, min(4 * games, MOST_GAMES)

    def response(self) -> Response:
        """Compute the response to the known decisions."""
        self._shares = np.concatenate([self._shares, *self._pending])
        self._pending.clear()
        return respond_to(Side(QUERIED, self._shares, self._places), cut=self.cut)

    def positions_met(self, response: Response, games: int, seed: int) -> Ints:
        """Return the positions in which the agent is about to roll in games against a response, from both seats."""
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
            queried = states["turn_player"] == agents
            actions = np.empty(states.size, np.int64)
            if queried.any():
                actions[queried] = self.decide(states[queried])
            if not queried.all():
                values = np.empty((int((~queried).sum()), self.game.num_distinct_actions))
                response.decision_values(states[~queried], values)
                actions[~queried] = np.nanargmax(values, axis=1)
        codes = np.unique(np.concatenate(found))
        return np.stack([codes % n, codes // n % n, codes // (n * n)], axis=1)

    def query(self, positions: Ints, ends: float, progress: Callable[[int], None]) -> None:
        """Query the agent in the unknown ones among positions (k, 3), until the time `ends`."""
        ranks = self._rank[positions[:, 0]]
        most = np.minimum(self.sets.remaining[ranks] - 1, self._table.cut)  # more turns owed lose in any case
        positions = positions[positions[:, 2] <= most]
        positions = positions[self._places[self._where(positions)] < 0]
        for first in range(0, len(positions), CHUNK):
            if time.perf_counter() >= ends:
                return
            some = positions[first : first + CHUNK]
            shares, known = self._shares_of(some), len(self._shares) + sum(map(len, self._pending))
            self._places[self._where(some)] = known + np.arange(len(some))
            self._pending.append(shares)
            progress(known + len(some))

    def _where(self, positions: Ints) -> Ints:
        """Return the indices of positions in a table's values."""
        mine, theirs = self._rank[positions[:, 0]], self._rank[positions[:, 1]]
        group = self.sets.group[self.sets.remaining[theirs]]
        width = self.sets.group[self.sets.remaining[theirs] + 1] - group
        row = self._table.first[positions[:, 2]] + mine
        where: Ints = self._table.rows * group + row * width + theirs - group
        return where

    def _shares_of(self, positions: Ints) -> Floats:
        """Query the agent; return the probabilities that its turn ends in each of the moves and, last, in a storm."""
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
    """Add up the shares of turns from the reroll subset and the move number of each roll; -1 means no move."""
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
    """Apply an action in each game (-1 for none), then roll the dice up to the next decision.

    `codes` (N,) receives the position in which the agent, in seat `agents[i]`, was about to roll, or -1.
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
