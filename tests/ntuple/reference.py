"""Slow references in plain Python: n-tuple networks, whole turns, replies, and TD(λ) in self-play."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from edge_envs import CHANCE, Game, State
from edge_envs.core.cells import CellLayout
from edge_envs.core.kernels.rng import draw_at, unit
from edge_envs.core.spec import Array
from edge_envs.ntuple.network import HASHED_BITS, MAX_ENTRIES, TupleSpec

Cells = tuple[int, ...]


def cells_of(state: State, viewer: int) -> Cells:
    """Return the cells of a position."""
    layout, kernel = state.game.type.cell_layout(state.game.params), state.game.compiled.kernels.cells
    assert layout is not None
    assert kernel is not None
    out = np.zeros(layout.size, np.int16)
    kernel(state._record, viewer, out)
    return tuple(out.tolist())


class SlowNetwork:
    """An n-tuple network whose entries are looked up one by one.

    Args:
        layout: The cells.
        specs: The tuples.
    """

    def __init__(self, layout: CellLayout, specs: Sequence[TupleSpec]) -> None:
        self.layout, self.specs = layout, specs

    def numbers(self, cells: Cells) -> list[int]:
        """Return the numbers of the weights of a position, one for each tuple."""
        found, first = [], 0
        for spec in self.specs:
            digits, radices = self._digits(spec, cells)
            entries = math.prod(radices)
            hashed = entries > MAX_ENTRIES
            for values in digits:
                number = 0
                for value, radix in zip(values, radices, strict=True):
                    number = number * radix + value
                found.append(first + (_hash(number) if hashed else number))
            first += 1 << HASHED_BITS if hashed else entries
        return found

    def _digits(self, spec: TupleSpec, cells: Cells) -> tuple[list[list[int]], list[int]]:
        """Return the values of the cells of each tuple of a group, and the numbers of values."""
        named = [self.layout.field(name) for name in spec.cells]
        rest = [cells[self.layout.start(f.name) + k] for f in named for k in range(f.count)]
        radices = [f.values for f in named for _ in range(f.count)]
        grid = self.layout.grid
        if spec.window is None and spec.around is None:
            return [rest], radices
        assert grid is not None
        assert grid.grid is not None
        (rows, columns), start = grid.grid, self.layout.start(grid.name)

        def at(row: int, column: int) -> int:
            inside = 0 <= row < rows and 0 <= column < columns
            return cells[start + row * columns + column] if inside else grid.values

        if spec.window is not None:
            height, width = spec.window
            corners = itertools.product(range(rows - height + 1), range(columns - width + 1))
            windows = [[at(r + i, c + j) for i in range(height) for j in range(width)] for r, c in corners]
            return [[*window, *rest] for window in windows], [grid.values] * (height * width) + radices
        assert spec.around is not None
        place, radius = cells[self.layout.start(spec.around[0])], spec.around[1]
        steps = [(r, c) for r in range(-radius, radius + 1) for c in range(-radius, radius + 1)]
        near = [(r, c) for r, c in steps if 0 < abs(r) + abs(c) <= radius]
        row, column = divmod(place, columns) if place < rows * columns else (-99, -99)
        return [[*(at(row + r, column + c) for r, c in near), *rest]], [grid.values + 1] * len(near) + radices

    def score(self, weights: Array, cells: Cells) -> float:
        """Return the sum of the weights of a position."""
        return float(sum(float(weights[number]) for number in self.numbers(cells)))

    def images(self, cells: Cells) -> list[Cells]:
        """Return the cells of all positions that are equal up to symmetry, the position itself first."""
        sources, places = self.layout.symmetries()
        is_place = [f.place for f in self.layout.fields for _ in range(f.count)]
        return [
            tuple(
                int(moved[cells[source]]) if is_place[cell] else cells[source]
                for cell, source in enumerate(one.tolist())
            )
            for one, moved in zip(sources, places, strict=True)
        ]


def _hash(number: int) -> int:
    word = number % 2**64
    return (word ^ word >> 29) * 0x9E3779B97F4A7C15 % 2**64 >> 64 - HASHED_BITS


def shares_of(scores: Sequence[float], owner: int) -> list[float]:
    """Return the shares of the win: the logistic function of the owner's score, or the softmax of the scores of all."""
    if len(scores) == 1:
        own = 1.0 / (1.0 + math.exp(-scores[0]))
        return [own if player == owner else 1.0 - own for player in range(2)]
    powers = [math.exp(score - max(scores)) for score in scores]
    return [power / sum(powers) for power in powers]


@dataclass
class SlowValues:
    """The values of an n-tuple network: shares of the win.

    Args:
        game: The game.
        network: The network.
        weights: The weights.
    """

    game: Game
    network: SlowNetwork
    weights: Array

    def shares(self, state: State, owner: int) -> list[float]:
        """Return the shares of the win of all players after decisions of `owner`."""
        game = self.game
        if state.is_terminal():
            assert game.utility_sum is not None
            shared = game.utility_sum - game.num_players * game.min_utility
            return [(value - game.min_utility) / shared for value in state.returns()]
        views = [owner] if game.num_players == 2 else range(game.num_players)
        return shares_of([self.network.score(self.weights, cells_of(state, view)) for view in views], owner)

    def turns(self, state: State) -> list[tuple[list[int], State]]:
        """Return all ways to continue the turn: the decisions, and the position after them."""
        player, turn = state.current_player(), turn_of(state)
        found: list[tuple[list[int], State]] = []
        seen: set[str] = set()

        def walk(here: State, path: list[int]) -> None:
            if path and (here.current_player() != player or turn_of(here) != turn):
                found.append((path, here))
                return
            key = str(here.to_dict())
            if key in seen:
                return
            seen.add(key)
            for action in here.legal_actions():
                following = here.clone()
                following.apply_action(action)
                walk(following, [*path, action])

        walk(state, [])
        return found

    def best(self, state: State, replies: int = 0) -> tuple[list[int], list[float]]:
        """Return the best continuation of the turn, and the shares of the win after it.

        With `replies`, this number of the best continuations are compared by the shares after the best reply.
        """
        player = state.current_player()
        ends = [(path, self.shares(end, player), end) for path, end in self.turns(state)]
        if replies:
            unique = {str(end.to_dict()): (path, shares, end) for path, shares, end in ends}.values()
            first = sorted(unique, key=lambda one: -one[1][player])[:replies]
            ends = [(path, self.after_reply(end, player), end) for path, _, end in first]
        path, shares, _ = max(ends, key=lambda end: end[1][player])
        return path, shares

    def after_reply(self, state: State, owner: int, answers: int = 0) -> list[float]:
        """Return the shares of the win after the best reply to a position, over all outcomes of chance.

        If one chance event follows another, these are the shares before both.

        Args:
            state: A position after decisions of `owner`.
            owner: The player who decided.
            answers: The number of the best replies that are compared by the shares after the best turn that follows;
                0 for none.
        """
        if state.is_terminal():
            return self.shares(state, owner)
        if state.current_player() != CHANCE:
            player = state.current_player()
            ends = {str(end.to_dict()): end for _, end in self.turns(state)}.values()
            best = sorted(ends, key=lambda end: -self.shares(end, player)[player])
            return max(
                (
                    self.after_reply(end, player) if answers else self.shares(end, player)
                    for end in best[: answers or 1]
                ),
                key=lambda shares: shares[player],
            )
        total = np.zeros(self.game.num_players)
        for outcome, probability in state.chance_outcomes():
            following = state.clone()
            following.apply_action(outcome)
            if following.is_chance_node():
                return self.shares(state, owner)
            total += probability * np.array(self.after_reply(following, owner, answers))
        return total.tolist()

    def three_turns(self, state: State, answers: int, killers: int) -> int:
        """Return the first action of the best of all turns of a game without chance.

        Each turn is compared by its best reply: the best of `answers` replies and, if a turn before it is better
        after one of them, of the replies that were last the best reply to a turn.

        Args:
            state: A position of a game for two players.
            answers: The number of replies that are compared by the best turn after them.
            killers: The largest number of earlier replies.
        """
        owner = state.current_player()
        known: list[list[int]] = []
        best, most = -1, -1.0
        ends = {str(end.to_dict()): (path, end) for path, end in self.turns(state)}.values()
        for path, end in sorted(ends, key=lambda turn: -self.shares(turn[1], owner)[owner]):
            if end.is_terminal():
                value = self.shares(end, owner)[owner]
            else:
                reply, worst = self._reply(end, answers, known, most)
                known = [reply, *(other for other in known if other != reply)][:killers]
                value = 1.0 - worst
            if value > most:
                best, most = path[0], value
        return best

    def _reply(self, state: State, answers: int, known: list[list[int]], least: float) -> tuple[list[int], float]:
        """Return the first reply that is known to refute a turn worth `least`, or else the best one, with its value."""
        player = state.current_player()
        turns = self.turns(state)

        def value(end: State) -> float:
            return self.after_reply(end, player)[player]

        for reply in known:
            for path, end in turns:
                if path == reply and value(end) > 1.0 - least:
                    return path, value(end)
        unique = {str(end.to_dict()): (path, end) for path, end in turns}.values()
        chosen: tuple[list[int], float] = ([], -1.0)
        for path, end in sorted(unique, key=lambda turn: -self.shares(turn[1], player)[player])[:answers]:
            if value(end) > chosen[1]:
                chosen = path, value(end)
            if chosen[1] >= 1.0 - least:
                break
        return chosen


def turn_of(state: State) -> int:
    """Return the number of the turn, or 0 if the game does not number turns."""
    kernel = state.game.compiled.kernels.turn_of
    return int(kernel(state._record)) if kernel else 0


@dataclass
class Step:
    """A position after the decisions of a player: the cells that each viewer sees, and the shares of the win."""

    player: int
    views: list[Cells]
    shares: list[float]
    is_linked: bool = False
    """Whether the next decision is the best one, so that the trace continues."""


@dataclass
class SlowSelfPlay:
    """A game of self-play, and the weights after learning from it.

    Args:
        values: The values, whose weights change.
        step_size: The change of a score for an error of 1.
        trace: λ.
        learner: The only seat that learns, or None if all seats learn.
        earlier: The values by which the other seats play.
        heuristic: Whether the heuristic plays the other seats.
        discount: The probability that a game continues after a step.
        lead_score: Returns the score of a lead from the cells of a view.
        recompute: Whether values are computed again before weights change.
        replies: The number of turns that are compared by the best replies to them.
        random_moves: The fraction of decisions drawn uniformly.
        word: uint64 (1,), the random generator of these decisions.
    """

    values: SlowValues
    step_size: float
    trace: float
    learner: int | None = None
    earlier: SlowValues | None = None
    heuristic: bool = False
    discount: float = 1.0
    lead_score: Callable[[Cells], float] | None = None
    recompute: bool = False
    replies: int = 0
    random_moves: float = 0.0
    word: Array = field(default_factory=lambda: np.zeros(1, np.uint64))
    steps: list[Step] = field(default_factory=list)
    expected: list[list[float]] = field(default_factory=list)

    def play(self, state: State) -> None:
        """Play a game from a position, with the random numbers of the state, and learn from it."""
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(state.sample_chance())
            elif self.heuristic and state.current_player() != self.learner:
                state.apply_action(state.heuristic_action())
            else:
                self._turn(state)
                continue
            if state.is_terminal() and self.steps:
                self.expected.append(self.values.shares(state, 0))
        self._learn(np.array(self.expected))

    def _turn(self, state: State) -> None:
        """Play the best decisions, perhaps after a random one, and add the step."""
        player, turn, players = state.current_player(), turn_of(state), state.game.num_players
        is_learner = self.learner in (None, player)
        acting = self.values if is_learner or self.earlier is None else self.earlier
        path, shares = acting.best(state, self.replies)
        if self.random_moves > 0.0 and unit(np.uint64(draw_at(self.word, 0))) < self.random_moves:
            random_action, mask = state.game.compiled.kernels.random_action, state.legal_action_mask()
            state.apply_action(int(random_action(state._record, np.uint64(draw_at(self.word, 0)), mask)))
            follows = state.current_player() == player and turn_of(state) == turn
            path = acting.best(state, self.replies)[0] if follows else []
        elif self.steps:
            self.steps[-1].is_linked = True
        for action in path:
            state.apply_action(action)
        if self.steps:
            self.expected.append(shares if is_learner else self.values.shares(state, player))
        if not state.is_terminal():
            seen = [cells_of(state, view) for view in ([player] if players == 2 else range(players))]
            self.steps.append(Step(player, seen, self.values.shares(state, player)))

    def _learn(self, targets: Any) -> None:
        network, weights = self.values.network, self.values.weights
        for n, step in reversed(list(enumerate(self.steps))):
            if step.is_linked and n + 1 < len(self.steps):
                targets[n] = (1 - self.trace) * targets[n] + self.trace * targets[n + 1]
            if self.lead_score is not None:
                leads = np.array(shares_of([self.lead_score(cells) for cells in step.views], step.player))
                targets[n] = self.discount * targets[n] + (1 - self.discount) * leads
            shares = step.shares
            if self.recompute:
                shares = shares_of([network.score(weights, cells) for cells in step.views], step.player)
            if self.learner not in (None, step.player):
                continue
            for view, cells in enumerate(step.views):
                p = step.player if len(step.views) == 1 else view
                amount = np.float32(self.step_size * (targets[n][p] - shares[p]) / len(network.numbers(cells)))
                for number in {entry for image in network.images(cells) for entry in network.numbers(image)}:
                    weights[number] += amount
