"""Values of actions: judges, which value the actions of a position, and an adviser, which says what a decision loses.

| judge | values |
|---|---|
| `ExactJudge` | winning probabilities of a solved game |
| `BuiltInJudge` | the values of the game's heuristic, from its `VALUES` |
| `PlayoutJudge` | mean returns of random playouts |
| `SearchJudge` | mean returns of the iterations of a search |
| `PreferenceJudge` | action probabilities of an agent such as a policy: preferences, not values |

All judges receive only what the player to act may know, with resampled hidden information.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Protocol, runtime_checkable

import numpy as np

from edge_envs import Game, State
from edge_envs.core.checks.files import read_object
from edge_envs.core.spec import Array, Records
from edge_envs.ntuple.policy import KIND as TUPLES
from edge_envs.players import Agent, records_shown
from edge_envs.players.perfect import PerfectAgent, is_instant, load_solution
from edge_envs.trained.values import KIND as LEARNED_VALUES

MOST_HINTS = 5
WINNING = "of winning probability"
"""The unit of values that are probabilities, which are shown in percent."""
PLAYOUTS = 1000
"""The default number of playouts for one position."""
MOST_PLAYOUTS = 20_000


class Judge(Protocol):
    """Values the legal actions of a position."""

    @property
    def name(self) -> str:
        """The name of the judge, in words that can begin a sentence."""

    @property
    def unit(self) -> str:
        """The unit of a difference of two values, such as `turns`."""

    @property
    def digits(self) -> int:
        """The number of significant digits after the decimal point."""

    @property
    def decided(self) -> float:
        """Values above this mean a won game, values below its negative a lost one; infinite if unbounded."""

    def values(self, state: State) -> Array:
        """Return the values of all actions (num_distinct_actions,); NaN for illegal and unconsidered actions."""


class ExactJudge:
    """Perfect play of a solved game.

    Raises:
        ValueError: if the game is not solved.
    """

    name = "Perfect play"
    unit = WINNING
    digits = 3
    decided = math.inf

    def __init__(self, game: Game) -> None:
        self._game, self._solution = game, load_solution(game)
        self._rng = np.random.default_rng(0)  # for hidden parts, if there are any

    def values(self, state: State) -> Array:
        """Return the winning probability after each action; NaN for illegal actions.

        Raises:
            ValueError: if the position belongs to another game.
        """
        shown = records_shown(state, self._rng)
        self._game.check_records(shown)
        if difference := self._game.params_difference(state.game.params):
            raise ValueError(f"this solution is that of {self._game!r}, not of {state.game!r}: {difference}")
        values = np.empty((1, state.game.num_distinct_actions))
        self._solution.decision_values(shown, values)
        return values[0]


class BuiltInJudge:
    """The heuristic of a game that declares `VALUES`, with values in the game's own unit.

    Raises:
        ValueError: if the game declares no `VALUES`.
    """

    name = "The built-in player"
    digits = 2

    def __init__(self, game: Game) -> None:
        self._rng = np.random.default_rng(0)
        values = game.type.values
        if values is None:
            raise ValueError(f"{game.name} declares no VALUES, so its heuristic cannot value actions")
        self.unit, self.decided = values.unit, values.decided

    def values(self, state: State) -> Array:
        """Return the heuristic's value of each action; NaN for illegal and unconsidered actions."""
        values = State.of_records(state.game, records_shown(state, self._rng)).action_values()
        values[~np.isfinite(values)] = np.nan
        return values


class PlayoutJudge:
    """The mean return of random playouts after each action, spread evenly over the legal actions.

    Raises:
        ValueError: unless 1 <= `playouts` <= `MOST_PLAYOUTS`.
    """

    unit = "of return"
    digits = 2
    decided = math.inf

    def __init__(self, game: Game, playouts: int = PLAYOUTS, seed: int = 0) -> None:
        if not 1 <= playouts <= MOST_PLAYOUTS:
            raise ValueError(f"invalid playouts={playouts}: expected 1 to {MOST_PLAYOUTS}")
        self.name = f"The mean of {playouts} random games" if playouts > 1 else "One random game"
        self._playouts = playouts
        self._rng = np.random.default_rng(seed)
        self._loop = game.compiled.loops.mean_returns

    def values(self, state: State) -> Array:
        """Return the mean return of the player to act after each action; NaN for actions without playouts."""
        game = state.game
        values = np.empty((1, game.num_distinct_actions))
        copies, mask = game.new_records(1), np.zeros(game.num_distinct_actions, np.int8)
        generators = self._rng.integers(2**64, size=1, dtype=np.uint64)
        rewards = np.zeros((2, game.num_players))
        self._loop(records_shown(state, self._rng), generators, self._playouts, values, copies, mask, rewards)
        return values[0]


@runtime_checkable
class Valuing(Protocol):
    """An agent that estimates the return of the player to act after each action; NaN for unvisited actions."""

    name: str

    def action_values(self, states: Records) -> Array:
        """Return the values (k, num_distinct_actions) of positions, given as the players to act may see them."""


@runtime_checkable
class Counting(Valuing, Protocol):
    """An agent that also counts the iterations behind each value."""

    def values_and_visits(self, states: Records) -> tuple[Array, Array]:
        """Return the result of `action_values`, and the iterations that began with each action, of the same shape."""


class SearchJudge:
    """The mean return of the iterations of a search after each action. Few iterations mean high variance."""

    unit = "of return"
    digits = 2
    decided = math.inf

    def __init__(self, agent: Valuing) -> None:
        self.name = f"The search {agent.name}"
        self._agent = agent

    def values(self, state: State) -> Array:
        """Return the mean return after each action; NaN for unvisited actions. The result is deterministic."""
        return self.values_and_visits(state)[0]

    def values_and_visits(self, state: State) -> tuple[Array, Array | None]:
        """Return the values, and the iterations that began with each action; None if the agent does not count them."""
        shown = records_shown(state, np.random.default_rng(0))
        if not isinstance(self._agent, Counting):
            return self._agent.action_values(shown)[0], None
        values, visits = self._agent.values_and_visits(shown)
        return values[0], visits[0]


@runtime_checkable
class Preferring(Protocol):
    """An agent that has a probability distribution over actions."""

    name: str

    def probabilities(self, observations: Array, action_masks: Array) -> Array:
        """Return the probability of each action for each observation; 0 where the mask is 0."""


class PreferenceJudge:
    """The action probabilities of an agent."""

    unit = "of preference"
    digits = 3
    decided = math.inf

    def __init__(self, agent: Preferring) -> None:
        self.name = f"The policy {agent.name}"
        self._agent = agent
        self._rng = np.random.default_rng(0)

    def values(self, state: State) -> Array:
        """Return the probability of each action; NaN for illegal actions."""
        shown = State.of_records(state.game, records_shown(state, self._rng))
        masks = shown.legal_action_mask()[None]
        observation = shown.observation_tensor(shown.current_player())
        values = np.asarray(self._agent.probabilities(observation[None], masks)[0], np.float64)
        values[masks[0] == 0] = np.nan
        return values


def values_and_visits(judge: Judge, state: State) -> tuple[Array, Array | None]:
    """Return a judge's values, and the number of iterations behind each; None if the judge does not count them."""
    return judge.values_and_visits(state) if isinstance(judge, SearchJudge) else (judge.values(state), None)


def judge_by(agent: Agent) -> Judge:
    """Return an agent as a judge.

    Raises:
        ValueError: if the agent does not value actions.
    """
    if isinstance(agent, PerfectAgent):
        return ExactJudge(agent.game)
    if isinstance(agent, Valuing):
        return SearchJudge(agent)
    if isinstance(agent, Preferring):
        return PreferenceJudge(agent)
    raise ValueError(f"{agent.name} does not value actions")


def values_actions(name: str) -> bool:
    """Return whether a search or policy is `Valuing`, from its name and the description in its folder.

    Policy networks only have preferences. Built-in agents other than searches and `trained` return False.
    """
    if name.partition(":")[0] in ("search", "turns", "trained"):
        return True
    try:
        architecture = read_object(Path(name) / "policy.json").get("architecture")
    except ValueError:
        return False
    return isinstance(architecture, dict) and architecture.get("kind") in (TUPLES, LEARNED_VALUES)


def judge_for(game: Game) -> Callable[[Game], Judge] | None:
    """Return a factory of the best judge of a game that answers instantly, or None if there is none.

    If perfect play takes long to compute, use `judge_by` with the agent `perfect` instead.
    """
    if is_instant(game):
        return ExactJudge
    if game.type.values is not None:
        return BuiltInJudge
    return None


class Adviser:
    """Says what decisions give away, and keeps the loss of each decision."""

    def __init__(self, judge: Judge, losses: Iterable[float] = ()) -> None:
        """Start with the losses of earlier decisions."""
        self._judge = judge
        self._smallest = 0.5 * 10.0**-judge.digits  # smaller differences are not reported
        self._losses = list(losses)

    @property
    def decisions(self) -> int:
        """The number of decisions judged."""
        return len(self._losses)

    @property
    def given_away(self) -> float:
        """The total loss of all decisions except those that gave away the game."""
        return sum(loss for loss in self._losses if loss <= self._judge.decided)

    @property
    def games_given_away(self) -> int:
        """The number of decisions that gave away a won game, or one that was not lost."""
        return sum(loss > self._judge.decided for loss in self._losses)

    def judge(self, state: State, action: int) -> str:
        """Say what a legal action gives away, and keep its loss. The loss of an unconsidered action counts as 0.

        Args:
            state: The position before the action.
            action: The action.
        """
        text, loss = self.verdict(state, action)
        self._losses.append(loss)
        return text

    def verdict(self, state: State, action: int) -> tuple[str, float]:
        """Return the text of `judge` and the loss, without keeping it."""
        values, visits = values_and_visits(self._judge, state)
        known = bool(np.isfinite(values[action]))
        loss = float(np.nanmax(values) - values[action]) if known else 0.0
        if not np.isfinite(values).any():
            return f"{self._judge.name} finds nothing better.", loss
        choice = int(np.nanargmax(values))
        best = state.action_to_string(choice) + _counted(visits, choice)
        if loss >= self._smallest:
            amount = self._in_words(loss) + _counted(visits, action)
            return f"{self._judge.name} would choose {best}. You give away {amount}.", loss
        if not known:
            return f"{self._judge.name} would choose {best}.", loss
        return f"{self._judge.name} finds nothing better.", loss

    def forget_last(self) -> None:
        """Drop the last decision after it was taken back."""
        self._losses.pop()

    def hint(self, state: State) -> str:
        """Return the best actions of a position, and what the others give away."""
        return self.hint_and_choice(state)[0]

    def hint_and_choice(self, state: State) -> tuple[str, int | None]:
        """Return the hint, and the best action; None without an opinion."""
        values, visits = values_and_visits(self._judge, state)
        ranked = sorted(np.flatnonzero(np.isfinite(values)).tolist(), key=lambda action: -values[action])
        if not ranked:
            return f"{self._judge.name} has no opinion here.", None
        texts = [state.action_to_string(action) for action in ranked[:MOST_HINTS]]
        width, best = max(map(len, texts)), values[ranked[0]]
        lines = [f"{self._judge.name} would choose {texts[0]}{_counted(visits, ranked[0])}."]
        for text, action in zip(texts[1:], ranked[1:], strict=False):
            loss = float(best - values[action])
            effect = f"gives away {self._in_words(loss)}" if loss >= self._smallest else "is as good"
            lines.append(f"  {text:<{width}}  {effect}{_counted(visits, action)}")
        more = len(ranked) - len(texts)
        text = "\n".join([*lines, *([f"  {more} more are not better than these."] if more else [])])
        return text, ranked[0]

    def sum_up(self) -> str:
        """Return a sentence about the total loss of all decisions."""
        decisions = f"{self.decisions} decisions" if self.decisions != 1 else "one decision"
        games = self.games_given_away
        times = "" if games == 0 else ", and the game once" if games == 1 else f", and the game {games} times"
        return f"Your {decisions} gave away {self._in_words(self.given_away)} in all{times}."

    def _in_words(self, amount: float) -> str:
        if amount > self._judge.decided:
            return "the game"
        if self._judge.unit == WINNING:
            return f"{100 * amount:.{max(0, self._judge.digits - 2)}f} % {WINNING}"
        return f"{amount:.{self._judge.digits}f} {self._judge.unit}"


def _counted(visits: Array | None, action: int) -> str:
    """Return the number of iterations behind the value of an action, in words; empty if it is unknown."""
    if visits is None:
        return ""
    return f" ({visits[action]:,} iterations)" if visits[action] != 1 else " (1 iteration)"
