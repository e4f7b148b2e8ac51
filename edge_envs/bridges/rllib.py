"""Bridge to RLlib: all games as multi-agent environments whose agents act in turn.

    from ray.rllib.algorithms.ppo import PPOConfig

    from edge_envs.bridges import rllib  # registers all games

    config = PPOConfig().environment("edge_envs/falling_off-v0", env_config={"num_players": 3})

Importing this module registers every game and its variants with RLlib under the same ids as with Gymnasium.
`env_config` accepts the arguments of `edge_envs.aec_env`: the game's parameters, `illegal_action` and `render_mode`.

This is the only module of the package that requires RLlib.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces

import edge_envs
from edge_envs.core.errors import MissingExtraError, in_short
from edge_envs.core.game_type import GameType
from edge_envs.core.spec import Array
from edge_envs.core.state import State
from edge_envs.envs.aec import GameAECEnv
from edge_envs.envs.registration import ids_of

try:
    from ray.rllib.env.multi_agent_env import MultiAgentEnv
    from ray.tune.registry import register_env
except ImportError as error:  # RLlib raises its own ImportErrors, which have no name
    causes = (error, error.__cause__, error.__context__)
    missing = next((one.name for one in causes if isinstance(one, ImportError) and one.name), "ray")
    raise MissingExtraError("the bridge to RLlib", missing, "rllib") from error


Views = dict[str, dict[str, Array]]


class GameMultiAgentEnv(MultiAgentEnv):  # type: ignore[misc]  # RLlib's types are not read
    """All seats of one game, in turn. Agents are `player_0`, `player_1`, …; `aec` is the underlying environment.

    Only the agent to act receives an observation, and the reward since its last decision; at the end all agents do.
    Observations are `{"observations": float32, "action_mask": int8}`, fresh on each call, with planes along the last
    axis, as RLlib's convolutional networks expect. At the end the masks are all zero.
    """

    def __init__(self, aec: GameAECEnv) -> None:
        super().__init__()
        self.aec, self.game, self.render_mode = aec, aec.game, aec.render_mode
        self.metadata = {name: value for name, value in aec.metadata.items() if name != "is_parallelizable"}
        self.possible_agents = aec.possible_agents
        self.agents: list[str] = []
        low, high = (_shown(bound) for bound in self.game.observation_bounds)
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observations": spaces.Box(low, high, dtype=np.float32),
                    "action_mask": spaces.Box(0, 1, (self.game.num_distinct_actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces = aec.action_spaces

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Views, dict[str, dict[str, Any]]]:
        """Start a game like `aec_env`, and return the observation of the agent to act."""
        self.aec.reset(seed, options)
        self.agents = self.possible_agents[:]
        return self._views([self.aec.agent_selection]), {}

    def step(
        self, action_dict: Mapping[str, int]
    ) -> tuple[Views, dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Apply the action of the agent to act.

        Raises:
            ValueError: if `action_dict` is not exactly an action of this agent; nothing is changed.
        """
        if not self.agents:
            raise ValueError("no game has started: call reset first")
        mover = self.aec.agent_selection
        if list(action_dict) != [mover]:
            raise ValueError(f"expected an action of {mover} only, got {in_short(dict(action_dict))}")
        self.aec.step(action_dict[mover])
        over = self.aec.terminations[mover]
        shown = self.agents if over else [self.aec.agent_selection]
        rewards = {agent: self.aec._cumulative_rewards[agent] for agent in shown}
        ended, truncated = ({**dict.fromkeys(shown, end), "__all__": end} for end in (over, False))
        if over:
            self.agents = []
        return self._views(shown), rewards, ended, truncated, {}

    def _views(self, agents: list[str]) -> Views:
        seen = {agent: self.aec._observe_with_mask(agent) for agent in agents}
        return {
            agent: {"observations": _shown(observation), "action_mask": mask}
            for agent, (observation, mask) in seen.items()
        }

    def game_state(self) -> State:
        """Return the current position as an independent `State`, whose history starts here."""
        return self.aec.game_state()

    def render(self) -> str | Array | None:
        """Render the public part of the position, as `aec_env` does."""
        return self.aec.render()

    def close(self) -> None:
        """Close the environment and its window."""
        self.aec.close()


def _shown(observation: Array) -> Array:
    """Convert an observation to the format of RLlib's networks."""
    numbers = observation.astype(np.float32)
    return np.moveaxis(numbers, 0, -1) if numbers.ndim == 3 else numbers


def _made(name: str, config: Mapping[str, Any]) -> GameMultiAgentEnv:
    """Create the environment. RLlib's workers unpickle this function by name and so import this module."""
    return GameMultiAgentEnv(edge_envs.aec_env(name, **config))


def register_games(games: Mapping[str, GameType]) -> None:
    """Register each game and its variants with RLlib."""
    for game_id, name in ids_of(games).items():
        register_env(game_id, functools.partial(_made, name))


register_games(edge_envs.GAMES)
