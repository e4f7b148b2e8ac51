"""Tells a person what a decision gives away, wherever there is somebody to judge it."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Protocol

import numpy as np

from agents.agent import records_shown
from agents.perfect import is_solved, load_solution
from edge_envs import Game, State
from edge_envs.core.game import Array

MOST_HINTS = 5


class Judge(Protocol):
    """Somebody who values the legal actions of a position.

    `name` is who it is, in words that can begin a sentence. A value is told with `digits` after the point, and a
    difference of values also with `unit`, such as `turns`.
    """

    @property
    def name(self) -> str:
        """Who it is."""

    @property
    def unit(self) -> str:
        """What a difference of two values is counted in."""

    @property
    def digits(self) -> int:
        """How many digits after the point matter."""

    @property
    def decided(self) -> float:
        """A greater value is a won game, one below minus that a lost game; infinite if values tell no such thing."""

    def values(self, state: State) -> Array:
        """The values of all actions (num_distinct_actions,), NaN where one is not legal or not considered."""


class ExactJudge:
    """Perfect play of a solved game; ValueError if there is no exact solution of the game."""

    name = "Perfect play"
    unit = "of winning probability"
    digits = 3
    decided = math.inf

    def __init__(self, game: Game) -> None:
        self._solution = load_solution(game)
        self._rng = np.random.default_rng(0)  # for hidden parts, if there are any

    def values(self, state: State) -> Array:
        """The winning probability after each action, NaN where it is not legal."""
        values = np.empty((1, state.game.num_distinct_actions))
        self._solution.decision_values(records_shown(state, self._rng), values)
        return values[0]


class BuiltInJudge:
    """The built-in player of a game that tells what it thinks of each action, in a unit of its own."""

    name = "The built-in player"
    digits = 2

    def __init__(self, game: Game) -> None:
        values = game.type.values
        if values is None:
            raise ValueError(f"{game.name} does not tell what actions are worth")
        self.unit, self.decided = values.unit, values.decided

    def values(self, state: State) -> Array:
        """What the built-in player thinks of each action, NaN where it is not legal or not considered."""
        values = state.action_values()
        values[~np.isfinite(values)] = np.nan
        return values


def judge_for(game: Game) -> Callable[[Game], Judge] | None:
    """How to make the best judge that there is of a game, or None if there is none."""
    if is_solved(game):
        return ExactJudge
    if game.type.values is not None:
        return BuiltInJudge
    return None


class Adviser:
    """Says what decisions give away, and remembers it, decision by decision."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self._smallest = 0.5 * 10.0**-judge.digits  # of a difference that can be told
        self._losses: list[float] = []

    @property
    def decisions(self) -> int:
        """How many decisions it has judged."""
        return len(self._losses)

    @property
    def given_away(self) -> float:
        """What they gave away together, apart from those that gave away the game."""
        return sum(loss for loss in self._losses if loss <= self._judge.decided)

    @property
    def games_given_away(self) -> int:
        """How many of them gave away a won game, or one that was not lost."""
        return sum(loss > self._judge.decided for loss in self._losses)

    def judge(self, state: State, action: int) -> str:
        """What a legal action gives away, before it is applied; an action that is not considered counts as nothing."""
        values = self._judge.values(state)
        known = bool(np.isfinite(values[action]))
        loss = float(np.nanmax(values) - values[action]) if known else 0.0
        self._losses.append(loss)
        if loss >= self._smallest:
            best = state.action_to_string(int(np.nanargmax(values)))
            return f"{self._judge.name} would choose {best}. You give away {self._in_words(loss)}."
        if np.isfinite(values).any() and not known:
            return f"{self._judge.name} would choose {state.action_to_string(int(np.nanargmax(values)))}."
        return f"{self._judge.name} finds nothing better."

    def forget_last(self) -> None:
        """Forget the last decision, which was taken back."""
        self._losses.pop()

    def hint(self, state: State) -> str:
        """The best actions of a position, and what the others give away."""
        values = self._judge.values(state)
        ranked = sorted(np.flatnonzero(np.isfinite(values)).tolist(), key=lambda action: -values[action])
        if not ranked:
            return f"{self._judge.name} has no opinion here."
        texts = [state.action_to_string(action) for action in ranked[:MOST_HINTS]]
        width, best = max(map(len, texts)), values[ranked[0]]
        lines = [f"{self._judge.name} would choose {texts[0]}."]
        for text, action in zip(texts[1:], ranked[1:], strict=False):
            loss = float(best - values[action])
            told = f"gives away {self._in_words(loss)}" if loss >= self._smallest else "is as good"
            lines.append(f"  {text:<{width}}  {told}")
        more = len(ranked) - len(texts)
        return "\n".join([*lines, *([f"  {more} more are no better than these."] if more else [])])

    def sum_up(self) -> str:
        """What all decisions gave away together."""
        decisions = f"{self.decisions} decisions" if self.decisions != 1 else "one decision"
        games = self.games_given_away
        times = "" if games == 0 else ", and the game once" if games == 1 else f", and the game {games} times"
        return f"Your {decisions} gave away {self._in_words(self.given_away)} in all{times}."

    def _in_words(self, amount: float) -> str:
        if amount > self._judge.decided:
            return "the game"
        return f"{amount:.{self._judge.digits}f} {self._judge.unit}"
