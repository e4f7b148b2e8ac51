"""PettingZoo's parallel API: one game in which all seats act at once, and those whose turn it is not wait."""

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
from edge_envs.envs.options import FORFEITS

Views = dict[str, Array]
Infos = dict[str, dict[str, Any]]


class GameParallelEnv(ParallelEnv[str, Array, int]):  # type: ignore[misc]  # pettingzoo is untyped
    """All seats of one game at once: one of them decides, the others wait. Agents are `player_0`, `player_1`, ….

    An action is one of the game's or, behind them, `num_distinct_actions`, which waits. What is legal stands in
    `infos[agent]["action_mask"]`, int8 (num_distinct_actions + 1,): the game's actions for the agent to act, waiting
    for the others, and nothing at the end. Observations are arrays, fresh on each call. `aec` is what plays behind it.
    """

    def __init__(self, game: Game, render_mode: str | None = None, illegal_action: str = "raise") -> None:
        self.aec = GameAECEnv(game, render_mode, illegal_action)
        self.game, self.render_mode, self.illegal_action = game, render_mode, self.aec.illegal_action
        self.metadata = {name: value for name, value in self.aec.metadata.items() if name != "is_parallelizable"}
        self.possible_agents = self.aec.possible_agents
        self.agents: list[str] = []
        self.wait = game.num_distinct_actions
        self.observation_spaces = {
            agent: self.aec.observation_space(agent)["observation"] for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(self.wait + 1) for agent in self.possible_agents}
        self.state_space = self.aec.state_space

    def observation_space(self, agent: str) -> spaces.Space[Array]:
        """The observation space of an agent: the same object on every call."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """The action space of an agent: the same object on every call."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> tuple[Views, Infos]:
        """Start a game, as `aec_env` does; observations and infos of all agents."""
        self.aec.reset(seed, options)
        self.agents = self.possible_agents[:]
        return self._look()

    def step(
        self, actions: Mapping[str, int]
    ) -> tuple[Views, dict[str, float], dict[str, bool], dict[str, bool], Infos]:
        """Play the decision of the agent to act; the others wait, and may be left out.

        IllegalActionError for an action that its mask does not have: nothing has changed then. With
        `illegal_action="forfeit"` the game is over and lost for that agent; who ought to wait and does not loses before
        the decision is played. ValueError for agents that are not in the game, or where there is no dict.
        """
        self.aec._lifecycle.check()
        if not self.agents:
            raise ValueError("the game is over: call reset")
        if not isinstance(actions, Mapping):
            raise ValueError(f"actions are a dict from agents to actions, not {type(actions).__name__}")
        for agent in actions:
            if agent not in self.agents:
                raise ValueError(f"{in_short(agent)} is not in the game; agents are {', '.join(self.agents)}")
        mover = self.aec.agent_selection
        restless = [agent for agent in actions if agent != mover and action_of(actions[agent]) != self.wait]
        if not restless:
            self.aec.step(actions.get(mover))
        elif self.illegal_action == "forfeit":
            self.aec.forfeit(restless[0])
        else:
            given = in_short(actions[restless[0]])
            raise IllegalActionError(
                f"{restless[0]}: {given} is not legal; possible is {self.wait}, to wait; {FORFEITS}"
            )
        rewards, ended, truncated = dict(self.aec.rewards), dict(self.aec.terminations), dict(self.aec.truncations)
        views, infos = self._look()
        if any(ended.values()):
            self.agents = []
        return views, rewards, ended, truncated, infos

    def _look(self) -> tuple[Views, Infos]:
        """What all agents see, and what they may do."""
        views, infos = {}, {}
        for agent in self.agents:
            seen = self.aec.observe(agent)
            waits = agent != self.aec.agent_selection and not self.aec.terminations[agent]
            views[agent] = seen["observation"]
            infos[agent] = {"action_mask": np.append(seen["action_mask"], np.int8(waits))}
        return views, infos

    @property
    def np_random(self) -> np.random.Generator:
        """A generator for wrappers, seeded by `reset` with a seed; the game draws nothing from it."""
        return self.aec.np_random

    @np_random.setter
    def np_random(self, generator: np.random.Generator) -> None:
        self.aec.np_random = generator

    def state(self) -> Array:
        """The views of all players in one array, for a centralised critic, as that of `aec_env`."""
        return self.aec.state()

    def game_state(self) -> State:
        """The present position as an independent `State` (its history starts here)."""
        return self.aec.game_state()

    def record(self) -> dict[str, Any]:
        """Return the record of the game so far, ready for JSON, as `edge_envs.record_of` does; `replay` reads it."""
        return self.aec.record()

    def render(self) -> str | Array | None:
        """What is public of the position, as `aec_env` renders it."""
        return self.aec.render()

    def close(self) -> None:
        """Refuse everything from now on, and close the window."""
        self.aec.close()

    def __str__(self) -> str:
        return str(self.metadata["name"])
