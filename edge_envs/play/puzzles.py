"""Puzzles: one position for each day, in which one choice is clearly the best.

The date alone determines the puzzle. Its values come from the exact solution of the game, or from a tree search.
"""

from __future__ import annotations

import datetime
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib import resources
from typing import Any

import numpy as np

from edge_envs import Game, State, load_game
from edge_envs.core.spec import Array
from edge_envs.play.analysis import win_probability
from edge_envs.play.appraisal import ExactJudge, Judge, judge_by
from edge_envs.players import built_in_agent

FEWEST_CHOICES = 4
CLEAR = 0.05
"""A position is a puzzle if the best choice wins with a probability that is at least this much larger than the next."""
_CLOSE = (0.2, 0.95)  # the win probability of the best choice, unless it wins for sure
SAME = 5e-4
"""Choices whose win probabilities differ by less are equally good."""
_SEED = 2026
_NOISE = 0.15  # the share of random decisions in the games from which positions are taken


@dataclass(frozen=True)
class Source:
    """Where puzzles come from.

    | field | meaning |
    |---|---|
    | `game`, `params` | the game |
    | `judge` | the agent whose values are used; `perfect` is exact |
    | `positions` | the largest number of positions that are judged; if none is a puzzle, the clearest is taken |
    | `first` | the number of decisions before the first of them |
    """

    game: str
    judge: str
    positions: int
    first: int
    params: Mapping[str, Any] = field(default_factory=dict)


def _sources() -> tuple[Source, ...]:
    text = resources.files(__package__).joinpath("puzzles.json").read_text(encoding="ascii")
    return tuple(Source(**one) for one in json.loads(text))


SOURCES = _sources()
"""The sources, from `puzzles.json`, take turns, one each day. A change of the file changes the puzzles of all days."""


@dataclass(frozen=True, eq=False)
class Puzzle:
    """A position and the win probability after each action, for the player to act; NaN for actions without a value."""

    day: datetime.date
    source: Source
    state: State
    values: Array
    judge: str

    @property
    def is_exact(self) -> bool:
        """Whether the values are exact."""
        return self.source.judge == "perfect"

    @property
    def best(self) -> float:
        """The win probability after the best choice."""
        return float(np.nanmax(self.values))

    def is_right(self, action: int) -> bool:
        """Return whether no choice is better than this one."""
        return bool(self.values[action] >= self.best - SAME)

    @property
    def task(self) -> str:
        """The question."""
        if self.best > 1.0 - SAME:
            return "Find the move that wins."
        return f"Find the move that keeps {'' if self.is_exact else 'about '}{100 * self.best:.0f}\u00a0%."


def source_of(day: datetime.date) -> Source:
    """Return the source of a day's puzzle."""
    return SOURCES[day.toordinal() % len(SOURCES)]


def puzzle_of(day: datetime.date) -> Puzzle:
    """Create the puzzle of a day. It takes less than a second, or some seconds if its values come from a search."""
    source = source_of(day)
    game = load_game(source.game, **source.params)
    judge = ExactJudge(game) if source.judge == "perfect" else judge_by(built_in_agent(source.judge, game))
    rng = np.random.default_rng([_SEED, day.toordinal()])
    best: tuple[float, State, Array] | None = None
    for state, _ in zip(_positions(game, source, rng), range(source.positions), strict=False):
        values = _values(judge, state)
        clearness = _clearness(values)
        if best is None or clearness > best[0]:
            best = clearness, state, values
        if clearness >= CLEAR:
            break
    assert best is not None  # games have positions with several choices
    return Puzzle(day, source, best[1], best[2], judge.name)


def _positions(game: Game, source: Source, rng: np.random.Generator) -> Iterator[State]:
    """Yield positions with several choices from games of the heuristic with some random decisions, endlessly."""
    while True:
        state = game.new_initial_state(int(rng.integers(2**32)))
        decisions = 0
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(state.sample_chance())
                continue
            legal = state.legal_actions()
            if decisions >= source.first and len(legal) >= FEWEST_CHOICES:
                yield game.state_from_dict(state.to_dict(), seed=0)  # without a history, which costs time
            is_random = rng.random() < _NOISE
            state.apply_action(int(rng.choice(legal)) if is_random else state.heuristic_action())
            decisions += 1


def _values(judge: Judge, state: State) -> Array:
    """Return the win probability after each action."""
    values = judge.values(state)
    known = np.flatnonzero(np.isfinite(values))
    probabilities = np.full(values.shape, np.nan)
    probabilities[known] = [win_probability(judge, state.game, values[action]) for action in known]
    return probabilities


def _clearness(values: Array) -> float:
    """Return how much better the best choice is than the next one; negative for unsuitable positions."""
    ranked = np.sort(values[np.isfinite(values)])[::-1]
    if len(ranked) < FEWEST_CHOICES:
        return -1.0
    gap, (low, high) = float(ranked[0] - ranked[1]), _CLOSE
    return gap if low <= ranked[0] <= high or ranked[0] > 1.0 - SAME else gap - 1.0
