"""The Stable-Baselines3 API: a native `VecEnv` with the masks where MaskablePPO looks for them.

The only module of the package that needs stable-baselines3; `edge_envs.sb3_vec_env` imports it on first use.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from gymnasium import spaces

from edge_envs.core.checks.integers import integer_of
from edge_envs.core.errors import MissingExtraError, in_short
from edge_envs.core.game import Game
from edge_envs.core.loops.seat_codes import SAME_STEP
from edge_envs.core.spec import Array
from edge_envs.core.state import State
from edge_envs.envs.frames import RENDER_FPS, Renderer
from edge_envs.envs.opponents import Opponents
from edge_envs.envs.options import lane_seeds
from edge_envs.envs.seat import VECTOR_RENDER_MODES, observation_space
from edge_envs.envs.seat_lanes import SeatLanes

try:
    from stable_baselines3.common.vec_env import VecEnv
except ImportError as error:
    raise MissingExtraError("the Stable-Baselines3 API", error.name or "stable_baselines3", "train") from error

_OF_ALL_LANES = ("reset", "step", "step_async", "step_wait", "close", "seed", "set_options")


class SeatVecEnv(VecEnv):  # type: ignore[misc]  # stable-baselines3 may be absent where types are checked
    """N games with one learning seat each, for `MaskablePPO("MlpPolicy", env)`."""

    def __init__(
        self,
        game: Game,
        num_envs: int = 1,
        opponents: Opponents = "random",
        seat: int | str = "random",
        illegal_action: str = "raise",
        render_mode: str | None = None,
        random_opening: int = 0,
    ) -> None:
        self.game = game
        self.lanes = SeatLanes(game, num_envs, opponents, seat, illegal_action, SAME_STEP, random_opening)
        self._renderer = Renderer(game, render_mode, VECTOR_RENDER_MODES)
        self.render_mode = render_mode
        self._actions = np.zeros(num_envs, np.int64)
        super().__init__(num_envs, observation_space(game), spaces.Discrete(game.num_distinct_actions))
        self.metadata: dict[str, Any] = {"render_modes": VECTOR_RENDER_MODES, "render_fps": RENDER_FPS}

    def reset(self) -> Array:
        """Start a game in every lane, with the seeds set by `seed` if there are any."""
        seeds = [seed for seed in self._seeds if seed is not None]
        options = next((options for options in self._options if options), None)
        self.lanes.reset(seeds or None, options)
        self._reset_seeds()
        self._reset_options()
        return self.lanes.observation.copy()

    def step_async(self, actions: Array) -> None:
        """Take the learners' actions (N,)."""
        self._actions = actions

    def step_wait(self) -> tuple[Array, Array, Array, list[dict[str, Any]]]:
        """Play them: observations, rewards float32, dones and infos, with autoreset in the same step."""
        lanes = self.lanes
        lanes.step(self._actions)
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for lane in np.flatnonzero(lanes.terminated):
            infos[lane] = {
                "terminal_observation": lanes.final_observation[lane].copy(),
                "TimeLimit.truncated": False,
            }
        return lanes.observation.copy(), lanes.reward.astype(np.float32), lanes.terminated.copy(), infos

    def action_masks(self) -> Array:
        """A fresh int8 array (N, num_distinct_actions): what the learners may do."""
        return self.lanes.action_masks()

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Give lane i the seed s + i at the next reset; None draws s. ValueError for an invalid seed."""
        if seed is not None:
            self._seeds = list(lane_seeds(seed, self.num_envs))
            return self._seeds
        seeds: Sequence[int | None] = super().seed()
        return seeds

    def game_state(self, lane: int) -> State:
        """The present position of a lane as an independent `State` (its history starts here)."""
        return self.lanes.state(lane)

    def close(self) -> None:
        """Refuse everything from now on."""
        self.lanes.close()

    def has_attr(self, attr_name: str) -> bool:
        """Whether the lanes have an attribute; sb3-contrib asks for `action_masks`."""
        return hasattr(self, attr_name)

    def get_attr(self, attr_name: str, indices: int | Iterable[int] | None = None) -> list[Any]:
        """An attribute, once per lane asked for."""
        return [getattr(self, attr_name)] * len(self._numbers(indices))

    def set_attr(self, attr_name: str, value: Any, indices: int | Iterable[int] | None = None) -> None:
        """Set an attribute of all lanes at once; lanes are no objects of their own."""
        if len(self._numbers(indices)) != self.num_envs:
            raise ValueError("the lanes of a native VecEnv share their attributes: set them for all")
        setattr(self, attr_name, value)

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> list[Any]:
        """Call a method for each lane asked for, and return one answer per lane.

        `action_masks` gives rows (A,), `game_state` positions and `render` what `render_mode` asks for. Any other
        method is called once, and its answer repeated.

        Raises:
            ValueError: for a method that changes all lanes at once, such as `reset`.
        """
        lanes = self._numbers(indices)
        if method_name in _OF_ALL_LANES:
            raise ValueError(f"{method_name} is for all lanes of a native VecEnv at once: call it on the VecEnv itself")
        method = getattr(self, method_name)
        if method_name == "action_masks":
            masks = method(*args, **kwargs)
            return list(masks) if indices is None else [masks[lane] for lane in lanes]
        if method_name == "game_state":
            return [method(lane, *args, **kwargs) for lane in lanes]
        if method_name == "render":
            return [self._renderer.render(self.lanes.records(lane), int(self.lanes.learner[lane])) for lane in lanes]
        return [method(*args, **kwargs)] * len(lanes)

    def env_is_wrapped(self, wrapper_class: type, indices: int | Iterable[int] | None = None) -> list[bool]:
        """False for each lane asked for: lanes are no environments of their own, and nothing wraps them.

        To count episodes, for `ep_rew_mean` in the log, put this VecEnv into SB3's `VecMonitor`.
        """
        return [False] * len(self._numbers(indices))

    def get_images(self) -> Sequence[Array | None]:
        """With `render_mode="rgb_array"` pixels (H, W, 3) uint8 of what each learner sees, else None for each lane."""
        if self.render_mode != "rgb_array":
            return [None] * self.num_envs
        return list(self.lanes.pictures(self._renderer))

    def render(self, mode: str | None = None) -> Any:
        """With `render_mode="ansi"` the first lane's position as text; else SB3's own: all lanes' frames as one."""
        if (mode or self.render_mode) == "ansi":
            return self._renderer.render(self.lanes.records(), None)
        return None if mode is None and self.render_mode is None else super().render(mode)

    def _numbers(self, indices: int | Iterable[int] | None) -> list[int]:
        """The lanes asked for; IndexError if there is no such lane. Negative ones count from the end."""
        one = integer_of(indices)
        asked = self._get_indices(indices if one is None else one)
        lanes = range(self.num_envs)
        try:
            return [lanes[lane] for lane in asked]
        except IndexError:
            raise IndexError(f"lanes {in_short(indices)} do not all exist; lanes are 0..{self.num_envs - 1}") from None
