"""Agents as environments call them: the `Opponent` protocol, calls, and checks of the returned actions."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

import numpy as np

from edge_envs.core.checks.integers import integer_of
from edge_envs.core.errors import IllegalActionError, in_short
from edge_envs.core.game import Game
from edge_envs.core.kernels.masks import first_illegal
from edge_envs.core.spec import Array, Records
from edge_envs.moved import moved_names

Generator = np.random.Generator

_GREATEST = 2**63 - 1


@runtime_checkable
class Opponent(Protocol):
    """An agent that plays seats. One call decides for k lanes at once.

    An agent with a true attribute `needs_states` also gets state records. Their generators and hidden parts are drawn
    anew, so they reveal nothing that the player to act does not know. An agent with an attribute `game` plays only
    games of the same layout; environments of others refuse it. An agent that plays fewer games has a method
    `check_plays(game)`, which raises ValueError for all others.
    """

    def act(
        self, observations: Array, action_masks: Array, states: Records | None, players: Array, rng: Generator
    ) -> Array:
        """Return the actions (k,) of the players to act.

        Args:
            observations: Their observations, (k, *observation_shape).
            action_masks: Their legal actions, (k, A) int8.
            states: A record array (k,) if the agent has a true attribute `needs_states`, else None.
            players: The seats to act, (k,).
            rng: The environment's generator for its agents.
        """
        ...


def action_numbers(given: Any, count: int, whose: str = "actions", beyond: int | None = None) -> Array:
    """Convert actions to an int64 array.

    Args:
        given: The actions, of any type.
        count: The number of lanes.
        whose: How the message calls the actions.
        beyond: Replacement for integers of more than 64 bits; None rejects them.

    Raises:
        IllegalActionError: if they are not one 64-bit integer per lane.
    """
    if type(given) is np.ndarray and given.dtype == np.int64 and given.shape == (count,):
        return np.ascontiguousarray(given)  # the usual case, checked first because it is fast
    try:
        array = np.asarray(given)
        if beyond is not None and array.dtype.kind == "f" and isinstance(given, list | tuple):
            array = np.asarray(given, object)  # NumPy converts some integers of more than 64 bits
        if array.dtype.kind == "O" or (beyond is not None and array.dtype.kind == "u"):
            # integers of more than 64 bits, or objects with `__index__`
            numbers = [integer_of(one) for one in array.ravel()]
            if beyond is not None:
                numbers = [beyond if one is not None and abs(one) > _GREATEST else one for one in numbers]
            array = np.asarray(numbers).reshape(array.shape)
    except (TypeError, ValueError) as error:  # rows of different lengths, or a tensor on another device
        raise IllegalActionError(f"{whose} must be one integer per lane: {error}") from None
    integers = "1 integer" if count == 1 else f"{count} integers"
    whole = array.dtype.kind in "iu"
    if array.shape != (count,) or not (whole or array.dtype.kind == "O"):
        raise IllegalActionError(f"{whose} must be {integers}, one per lane, not {array.dtype} of shape {array.shape}")
    mixed = isinstance(given, list | tuple) and any(isinstance(one, bool | np.bool_) for one in given)
    if not whole or mixed or (array.dtype.kind == "u" and array.size and array.max() > _GREATEST):
        raise IllegalActionError(f"{whose} must be {integers} of 64 bits, one per lane, not {in_short(given)}")
    return np.ascontiguousarray(array, np.int64)


def refuse_illegal(
    masks: Array, numbers: Array, lanes: Array | None = None, whose: str = "action", advice: str = ""
) -> None:
    """Check actions against their masks.

    Args:
        masks: The legal actions of each lane, (N, A).
        numbers: The actions, (N,).
        lanes: The numbers of the lanes; None for 0 to N - 1, if these are all lanes.
        whose: How the message calls an action.
        advice: Added to the message.

    Raises:
        IllegalActionError: if an action is illegal; the message names the first such lane, unless there is only one.
    """
    bad = first_illegal(masks, numbers)
    if bad >= 0:
        place = "" if lanes is None and len(masks) == 1 else f"lane {bad if lanes is None else lanes[bad]}: "
        legal = masks[bad].nonzero()[0].tolist()
        raise IllegalActionError(f"{place}{whose} {numbers[bad]} is illegal (choose from {legal}){advice}")


def check_made_for(agent: object, game: Game) -> None:
    """Check that an agent can play a game, as far as its attribute `game` and its method `check_plays` tell.

    Raises:
        ValueError: if the agent was made for a game with another layout, or says that it does not play the game.
    """
    own = getattr(agent, "game", None)
    if own is not game and isinstance(own, Game) and (difference := own.layout_difference(game)):
        raise ValueError(f"{_named(agent)} was made for {own!r} and cannot play {game!r}: {difference}")
    check_plays = getattr(agent, "check_plays", None)
    if callable(check_plays):
        check_plays(game)


def check_views(game: Game, action_masks: Array, observations: Array | None = None) -> None:
    """Check the shapes of masks, and of observations if they are used, before compiled code reads them.

    Raises:
        ValueError: if they are not of this game, or their numbers differ.
    """
    width = game.num_distinct_actions
    if np.shape(action_masks)[1:] != (width,):
        raise ValueError(f"action_masks: shape {np.shape(action_masks)} is not (k, {width}) as in {game!r}")
    if observations is not None:
        game.check_observations(observations)
        if len(observations) != len(action_masks):
            raise ValueError(f"observations: {len(observations)} observations for {len(action_masks)} lanes")


def check_shown(game: Game, action_masks: Array, states: Records | None) -> Records:
    """Check masks and state records, and return the records, before compiled code reads them.

    Raises:
        ValueError: if they are not of this game, or their numbers differ.
    """
    check_views(game, action_masks)
    if states is None:
        raise ValueError(f"states: None, but this agent needs the state records of {game!r}")
    game.check_decisions(states)
    if len(states) != len(action_masks):
        raise ValueError(f"states: {len(states)} records for {len(action_masks)} lanes")
    return states


def _named(agent: object) -> str:
    return str(getattr(agent, "name", type(agent).__name__))


class OpponentCalls:
    """Call an agent in positions, with what the player to act may know.

    If the agent needs states, it gets copies in which hidden parts are drawn anew.
    """

    def __init__(self, game: Game, agent: Opponent) -> None:
        check_made_for(agent, game)
        self.game, self.agent = game, agent
        self._ask = game.compiled.seat_loops(heuristic=False).ask

    def __call__(self, states: Records, rng: Generator) -> Array:
        """Return the agent's actions (k,) in states (k,) at decisions; forced actions are played without a call.

        Raises:
            IllegalActionError: if the agent returns anything except legal actions.
            ValueError: if the states are not at decisions of the game.
        """
        self.game.check_decisions(states)
        game, count, needs_states = self.game, len(states), bool(getattr(self.agent, "needs_states", False))
        observations = np.empty((count, *game.observation_shape), game.observation_dtype)
        masks, players = np.empty((count, game.num_distinct_actions), np.int8), np.empty(count, np.int64)
        copies = game.new_records(count if needs_states else 0)
        words = rng.integers(2**64, size=count, dtype=np.uint64)
        self._ask(states, words, np.arange(count), players, observations, masks, copies)
        actions: Array = masks.argmax(axis=1)
        asked = np.flatnonzero(masks.sum(axis=1, dtype=np.int64) > 1)
        if asked.size:
            shown: Any = copies[asked] if needs_states else None
            answer = self.agent.act(observations[asked], masks[asked], shown, players[asked], rng)
            chosen, whose = action_numbers(answer, asked.size, "actions of an agent"), "an agent's action"
            refuse_illegal(masks[asked], chosen, asked, whose)
            actions[asked] = chosen
        return actions


__getattr__ = moved_names(__name__, {"Asking": "edge_envs.core.opponent.OpponentCalls"})
