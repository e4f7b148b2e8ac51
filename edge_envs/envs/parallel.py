"""PettingZoo parallel environment: all agents act at once, and those not to move choose a waiting action."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import ParallelEnv

from edge_envs.core.checks.integers import action_of
from edge_envs.core.errors import IllegalActionError, in_short
from edge_envs.core.game import Game
from edge_envs.core.spec import Array
from edge_envs.core.state import State
from edge_envs.envs.aec import GameAECEnv
from edge_envs.envs.observations import Observation, ObservationForm
from edge_envs.envs.options import FORFEITS

Views = dict[str, Observation]
Infos = dict[str, dict[str, Any]]


class GameParallelEnv(ParallelEnv[str, Observation, int]):  # type: ignore[misc]  # pettingzoo is untyped
    """Run one game as a parallel environment with the agents `player_0`, `player_1`, ….

    In each step one agent decides and the others wait. Action `num_distinct_actions` (the attribute `wait`) means
    waiting. `infos[agent]["action_mask"]`, int8 of shape (num_distinct_actions + 1,), gives the legal actions: the
    game's actions for the agent to act, waiting for the others, and none at the end. Observations are arrays of shape
    `game.observation_shape`, new on each call. With `mask_in_observation=True` they are dictionaries with `observation`
    and `action_mask` instead, and infos are empty. The attribute `aec` is the underlying AEC environment.

    Args:
        game: The game, from `load_game`.
        render_mode: None, "human", "ansi" or "rgb_array".
        illegal_action: "raise" to reject an illegal action, or "forfeit" to end the game with a loss for the agent.
        observation_dtype: "float32" to convert observations; None keeps the dtype of the game.
        mask_in_observation: Whether observations are dictionaries with `observation` and `action_mask`.

    Raises:
        ParameterError: if `render_mode`, `illegal_action`, `observation_dtype` or `mask_in_observation` is invalid.
        MissingExtraError: if the render mode needs the extra `render`, which is not installed.
    """

    def __init__(
        self,
        game: Game,
        render_mode: str | None = None,
        illegal_action: str = "raise",
        observation_dtype: str | None = None,
        mask_in_observation: bool = False,
    ) -> None:
        self.aec = GameAECEnv(game, render_mode, illegal_action, observation_dtype)
        self.game, self.render_mode, self.illegal_action = game, render_mode, self.aec.illegal_action
        self.metadata = {name: value for name, value in self.aec.metadata.items() if name != "is_parallelizable"}
        self.possible_agents = self.aec.possible_agents
        self.agents: list[str] = []
        self.wait = game.num_distinct_actions
        forms = [
            ObservationForm(game, observation_dtype, mask_in_observation, self.wait + 1) for _ in self.possible_agents
        ]
        self._form = forms[0]
        self.observation_spaces = {agent: form.space for agent, form in zip(self.possible_agents, forms, strict=True)}
        self.action_spaces = {agent: spaces.Discrete(self.wait + 1) for agent in self.possible_agents}
        self.state_space = self.aec.state_space

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the observation space of an agent, the same object on every call."""
        self.aec._seat_of(agent)  # raises ValueError if it is unknown
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return the action space of an agent, the same object on every call."""
        self.aec._seat_of(agent)  # raises ValueError if it is unknown
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> tuple[Views, Infos]:
        """Start a new game. `seed`, `options` and errors are those of `GameAECEnv.reset`.

        Returns:
            Observations and infos of all agents.
        """
        self.aec.reset(seed, options)
        self.agents = self.possible_agents[:]
        return self._observe_all()

    def step(
        self, actions: Mapping[str, int]
    ) -> tuple[Views, dict[str, float], dict[str, bool], dict[str, bool], Infos]:
        """Play the action of the agent to act; the other agents wait.

        With `illegal_action="forfeit"` an agent that chooses an illegal action loses and the game ends. An agent that
        fails to wait loses before the decision is played.

        Args:
            actions: Actions by agent. Waiting agents may be omitted.

        Returns:
            Observations, rewards, terminations, truncations (always False) and infos, by agent.

        Raises:
            IllegalActionError: if an action is not in the mask of its agent and `illegal_action` is "raise". The game
                is unchanged.
            ValueError: if `actions` is not a dict or names an unknown agent, or if the game is over.
            RuntimeError: if the environment needs a reset or is closed.
        """
        self.aec._lifecycle.check()
        if not self.agents:
            raise ValueError("the game is over: call reset")
        if not isinstance(actions, Mapping):
            raise ValueError(f"invalid actions: expected a dict from agents to actions, not {type(actions).__name__}")
        for agent in actions:
            if agent not in self.agents:
                raise ValueError(f"unknown agent {in_short(agent)} (choose from {', '.join(self.agents)})")
        mover = self.aec.agent_selection
        not_waiting = [agent for agent in actions if agent != mover and action_of(actions[agent]) != self.wait]
        if not not_waiting:
            self.aec.step(actions.get(mover))
        elif self.illegal_action == "forfeit":
            self.aec.forfeit(not_waiting[0], f"illegal action {in_short(actions[not_waiting[0]])}")
        else:
            given = in_short(actions[not_waiting[0]])
            raise IllegalActionError(
                f"{not_waiting[0]}: action {given} is not legal (choose from [{self.wait}], to wait); {FORFEITS}"
            )
        rewards, ended, truncated = dict(self.aec.rewards), dict(self.aec.terminations), dict(self.aec.truncations)
        views, infos = self._observe_all()
        if any(ended.values()):
            self.agents = []
        return views, rewards, ended, truncated, infos

    def _observe_all(self) -> tuple[Views, Infos]:
        """Return the observations and infos of all agents."""
        views, infos = {}, {}
        for agent in self.agents:
            observation, actions = self.aec._observe_with_mask(agent)
            waits = agent != self.aec.agent_selection and not self.aec.terminations[agent]
            mask = np.append(actions, np.int8(waits))
            views[agent] = self._form.of(observation, mask, copy=False)
            infos[agent] = {} if self._form.has_mask else {"action_mask": mask}
        return views, infos

    @property
    def np_random(self) -> np.random.Generator:
        """Random generator for wrappers. `reset` with a seed seeds it; the game does not draw from it."""
        return self.aec.np_random

    @np_random.setter
    def np_random(self, generator: np.random.Generator) -> None:
        self.aec.np_random = generator

    def state(self) -> Array:
        """Return the observations of all seats in one array, for a centralised critic, as `GameAECEnv.state` does."""
        return self.aec.state()

    def game_state(self) -> State:
        """Return the current position as an independent `State`. Its history starts at this position."""
        return self.aec.game_state()

    def record(self) -> dict[str, Any]:
        """Return the record of the game so far, ready for JSON, as `edge_envs.record_of` does; `replay` reads it."""
        return self.aec.record()

    def render(self) -> str | Array | None:
        """Return the public part of the position, as `GameAECEnv.render` does."""
        return self.aec.render()

    def _repr_svg_(self) -> str | None:
        """Draw the public position for a notebook, as `GameAECEnv` does."""
        return self.aec._repr_svg_()

    def close(self) -> None:
        """Close the environment and its window. Later calls raise RuntimeError."""
        self.aec.close()

    def __str__(self) -> str:
        return str(self.metadata["name"])
