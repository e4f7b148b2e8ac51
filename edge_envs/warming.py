"""Compile a game ahead of its first use by exercising each of its APIs briefly."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from edge_envs import CHANCE, GAMES, Game, OpponentMix, State, aec_env, load_game, seat_env, seat_vector_env, vector_env
from edge_envs.core.spec import Array
from edge_envs.core.trained import trained_policies
from edge_envs.players import built_in_agent, decide

_TRANSITIONS = 20


def use_state(name: str) -> None:
    """Play some transitions with `State`, and call all read methods in each position."""
    generator = np.random.default_rng(0)
    state = load_game(name).new_initial_state(seed=0)
    for _ in range(_TRANSITIONS):
        _read(state, generator)
        if state.is_terminal():
            return
        chance = state.current_player() == CHANCE
        state.apply_action(state.sample_chance() if chance else int(generator.choice(state.legal_actions())))


def _read(state: State, generator: np.random.Generator) -> None:
    str(state), state.clone(), state.history_strings()
    state.game.state_from_dict(state.to_dict())
    for action in state.legal_actions()[:1]:
        state.action_to_string(action)
    if state.current_player() >= 0:
        state.heuristic_action()
    for player in range(state.game.num_players):
        state.observation_tensor(player), state.information_state_string(player), state.resample(player, generator)


def use_aec_env(name: str) -> None:
    """Take a step in the PettingZoo environment."""
    env = aec_env(name)
    env.reset(seed=0)
    env.step(_first(env.observe(env.agent_selection)["action_mask"]))
    env.last()


def use_vector_env(name: str) -> None:
    """Take a step in the vector environment of all seats, on one thread and on two."""
    for threads in (1, 2):
        env = vector_env(name, num_envs=2, num_threads=threads, final_observation=True)
        batch = env.reset(seed=0)
        env.step(batch.action_mask.argmax(axis=1))
        env.heuristic_actions()
        env.close()


def use_seat_envs(name: str) -> None:
    """Take a step in the seat environments, single and vectorized, against each kind of opponent."""
    player = _FirstLegal()
    for opponents in ("random", "heuristic", player, OpponentMix([("random", 1), ("heuristic", 1), (player, 1)])):
        _step_against(opponents, name, {})


def use_agent(name: str, agent: str) -> None:
    """Take a step against an agent, and let it decide by itself; `trained` on the board of each of its policies.

    Raises:
        ValueError: if the agent does not exist, or cannot play the game.
    """
    boards: list[dict[str, Any]] = [{}]
    if agent == "trained":
        boards = [dict(policy.params) for policy in trained_policies(GAMES[name])] or boards  # which is then refused
    for params in boards:
        _step_against(agent, name, params)
        _decide(agent, load_game(name, **params))


def _decide(agent: str, game: Game) -> None:
    """Let an agent decide in the first position with a choice."""
    state = game.new_initial_state(seed=0)
    while len(actions := state.legal_actions()) == 1 or state.current_player() == CHANCE:
        state.apply_action(state.sample_chance() if state.current_player() == CHANCE else actions[0])
    decide(built_in_agent(agent, game), state, np.random.default_rng(0))


def _step_against(opponents: Any, name: str, params: dict[str, Any]) -> None:
    last = load_game(name, **params).num_players - 1  # so that opponents decide before the learner does
    single = seat_env(name, opponents=opponents, seat=last, **params)
    single.reset(seed=0)
    single.step(_first(single.action_masks()))
    several = seat_vector_env(name, num_envs=2, opponents=opponents, seat=last, **params)
    several.reset(seed=0)
    several.step(several.action_masks().argmax(axis=1))


APIS: dict[str, Callable[[str], None]] = {
    "State": use_state,
    "AEC": use_aec_env,
    "vector": use_vector_env,
    "seat": use_seat_envs,
}
"""Functions that use a game, by the name of the API; together they compile all kernels that the APIs need."""


class _FirstLegal:
    """An opponent that requests every input that opponents can receive."""

    needs_states = True

    def act(self, observations: Array, action_masks: Array, *_: Any) -> Array:
        """Return the first legal action of each player to act."""
        return action_masks.argmax(axis=1)


def _first(mask: Array) -> int:
    return int(mask.argmax())
