"""What actions are worth, and by whom: judges of positions, and an adviser who says what a decision gives away.

| judge | tells |
|---|---|
| `ExactJudge` | winning probabilities of a solved game |
| `BuiltInJudge` | what the game's own player thinks, by the value contract |
| `PlayoutJudge` | mean returns of games played out at random |
| `SearchJudge` | mean returns of the iterations of a search |
| `PreferenceJudge` | how often an agent, such as a policy, would choose an action: a preference, not a value |

All of them are shown what the player to act may know, with hidden parts drawn anew, and nothing else.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Protocol, runtime_checkable

import numpy as np

from edge_envs import Game, State
from edge_envs.core.spec import Array, Records
from edge_envs.players import Agent, records_shown
from edge_envs.players.perfect import PerfectAgent, is_instant, load_solution

MOST_HINTS = 5
PLAYOUTS = 1000
"""Games played out for one position, unless it is told otherwise."""
MOST_PLAYOUTS = 20_000


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
        self._rng = np.random.default_rng(0)
        values = game.type.values
        if values is None:
            raise ValueError(f"{game.name} does not tell what actions are worth")
        self.unit, self.decided = values.unit, values.decided

    def values(self, state: State) -> Array:
        """What the built-in player thinks of each action, NaN where it is not legal or not considered."""
        values = State.of_records(state.game, records_shown(state, self._rng)).action_values()
        values[~np.isfinite(values)] = np.nan
        return values


class PlayoutJudge:
    """The mean return of games that begin with an action and go on at random, spread evenly over the legal ones."""

    unit = "of return"
    digits = 2
    decided = math.inf

    def __init__(self, game: Game, playouts: int = PLAYOUTS, seed: int = 0) -> None:
        """ValueError unless 1 to `MOST_PLAYOUTS` games are asked for."""
        if not 1 <= playouts <= MOST_PLAYOUTS:
            raise ValueError(f"{playouts} playouts are not possible; possible are 1 to {MOST_PLAYOUTS}")
        self.name = f"The mean of {playouts} random games" if playouts > 1 else "One random game"
        self._playouts = playouts
        self._rng = np.random.default_rng(seed)
        self._loop = game.compiled.loops.mean_returns

    def values(self, state: State) -> Array:
        """The mean return of the player to act after each action, NaN where no game began so."""
        game = state.game
        values = np.empty((1, game.num_distinct_actions))
        copies, mask = game.new_records(1), np.zeros(game.num_distinct_actions, np.int8)
        generators = self._rng.integers(2**64, size=1, dtype=np.uint64)
        rewards = np.zeros((2, game.num_players))
        self._loop(records_shown(state, self._rng), generators, self._playouts, values, copies, mask, rewards)
        return values[0]


@runtime_checkable
class Valuing(Protocol):
    """An agent that tells what the players to act get after each action, NaN where it has not looked."""

    name: str

    def action_values(self, states: Records) -> Array:
        """The values (k, num_distinct_actions) of positions, given as these players may see them."""


@runtime_checkable
class Counting(Valuing, Protocol):
    """An agent that also tells how many iterations each value rests on."""

    def values_and_visits(self, states: Records) -> tuple[Array, Array]:
        """As `action_values`, and how many iterations began with each action, of the same shape."""


class SearchJudge:
    """What a search finds: the mean return of its iterations after an action. Few of them tell little."""

    unit = "of return"
    digits = 2
    decided = math.inf

    def __init__(self, agent: Valuing) -> None:
        self.name = f"The search {agent.name}"
        self._agent = agent

    def values(self, state: State) -> Array:
        """The mean return after each action, NaN where there is none; the same when asked again."""
        return self.values_and_visits(state)[0]

    def values_and_visits(self, state: State) -> tuple[Array, Array | None]:
        """As `values`, and how many iterations began with each action; None if the agent does not count them."""
        shown = records_shown(state, np.random.default_rng(0))
        if not isinstance(self._agent, Counting):
            return self._agent.action_values(shown)[0], None
        values, visits = self._agent.values_and_visits(shown)
        return values[0], visits[0]


@runtime_checkable
class Preferring(Protocol):
    """An agent that tells how often it would choose each action if it drew one."""

    name: str

    def probabilities(self, observations: Array, action_masks: Array) -> Array:
        """For each row of observations the probability of each action, 0 where the mask is."""


class PreferenceJudge:
    """The preference of an agent: how often it would choose an action if it drew one."""

    unit = "of preference"
    digits = 3
    decided = math.inf

    def __init__(self, agent: Preferring) -> None:
        self.name = f"The policy {agent.name}"
        self._agent = agent
        self._rng = np.random.default_rng(0)

    def values(self, state: State) -> Array:
        """The probability of each action, NaN where it is not legal."""
        shown = State.of_records(state.game, records_shown(state, self._rng))
        masks = shown.legal_action_mask()[None]
        observation = shown.observation_tensor(shown.current_player())
        values = np.asarray(self._agent.probabilities(observation[None], masks)[0], np.float64)
        values[masks[0] == 0] = np.nan
        return values


def values_and_visits(judge: Judge, state: State) -> tuple[Array, Array | None]:
    """What a judge values actions at, and how many iterations each value rests on; None if it is no such search."""
    return judge.values_and_visits(state) if isinstance(judge, SearchJudge) else (judge.values(state), None)


def judge_by(agent: Agent) -> Judge:
    """An agent as a judge; ValueError if it does not tell what actions are worth."""
    if isinstance(agent, PerfectAgent):
        return ExactJudge(agent.game)
    if isinstance(agent, Valuing):
        return SearchJudge(agent)
    if isinstance(agent, Preferring):
        return PreferenceJudge(agent)
    raise ValueError(f"{agent.name} does not tell what actions are worth")


def judge_for(game: Game) -> Callable[[Game], Judge] | None:
    """How to make the best judge of a game that answers at once, or None if there is none.

    Where perfect play takes long to find it judges only if it is asked for: `judge_by` with the agent `perfect`.
    """
    if is_instant(game):
        return ExactJudge
    if game.type.values is not None:
        return BuiltInJudge
    return None


class Adviser:
    """Says what decisions give away, and remembers it, decision by decision."""

    def __init__(self, judge: Judge, losses: Iterable[float] = ()) -> None:
        """Begin with what decisions have given away before."""
        self._judge = judge
        self._smallest = 0.5 * 10.0**-judge.digits  # of a difference that can be told
        self._losses = list(losses)

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
        text, loss = self.verdict(state, action)
        self._losses.append(loss)
        return text

    def verdict(self, state: State, action: int) -> tuple[str, float]:
        """As `judge`, with the loss as a number, and nothing is remembered."""
        values, visits = values_and_visits(self._judge, state)
        known = bool(np.isfinite(values[action]))
        loss = float(np.nanmax(values) - values[action]) if known else 0.0
        if not np.isfinite(values).any():
            return f"{self._judge.name} finds nothing better.", loss
        choice = int(np.nanargmax(values))
        best = state.action_to_string(choice) + _counted(visits, choice)
        if loss >= self._smallest:
            told = self._in_words(loss) + _counted(visits, action)
            return f"{self._judge.name} would choose {best}. You give away {told}.", loss
        if not known:
            return f"{self._judge.name} would choose {best}.", loss
        return f"{self._judge.name} finds nothing better.", loss

    def forget_last(self) -> None:
        """Forget the last decision, which was taken back."""
        self._losses.pop()

    def hint(self, state: State) -> str:
        """The best actions of a position, and what the others give away."""
        values, visits = values_and_visits(self._judge, state)
        ranked = sorted(np.flatnonzero(np.isfinite(values)).tolist(), key=lambda action: -values[action])
        if not ranked:
            return f"{self._judge.name} has no opinion here."
        texts = [state.action_to_string(action) for action in ranked[:MOST_HINTS]]
        width, best = max(map(len, texts)), values[ranked[0]]
        lines = [f"{self._judge.name} would choose {texts[0]}{_counted(visits, ranked[0])}."]
        for text, action in zip(texts[1:], ranked[1:], strict=False):
            loss = float(best - values[action])
            told = f"gives away {self._in_words(loss)}" if loss >= self._smallest else "is as good"
            lines.append(f"  {text:<{width}}  {told}{_counted(visits, action)}")
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


def _counted(visits: Array | None, action: int) -> str:
    """How many iterations the value of an action rests on, in words; empty if that is not known."""
    if visits is None:
        return ""
    return f" ({visits[action]:,} iterations)" if visits[action] != 1 else " (1 iteration)"
