"""Stable-Baselines3 environment: a native `VecEnv` with action masks for MaskablePPO.

This is the only module of the package that requires stable-baselines3. `edge_envs.sb3_vec_env` imports it on first use.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from gymnasium import spaces

from edge_envs.core.checks.integers import integer_of
from edge_envs.core.errors import MissingExtraError, ParameterError, in_short
from edge_envs.core.game import Game
from edge_envs.core.loops.seat_codes import SAME_STEP
from edge_envs.core.spec import Array
from edge_envs.core.state import State
from edge_envs.envs.frames import RENDER_FPS, Renderer
from edge_envs.envs.lane_games import ParamsPerEnv
from edge_envs.envs.observations import Observation, ObservationForm
from edge_envs.envs.opponents import Opponents
from edge_envs.envs.options import lane_seeds
from edge_envs.envs.seat import VECTOR_RENDER_MODES
from edge_envs.envs.seat_lanes import SeatLanes

try:
    from stable_baselines3.common.vec_env import VecEnv
except ImportError as error:
    raise MissingExtraError("the Stable-Baselines3 API", error.name or "stable_baselines3", "train") from error

_OF_ALL_LANES = ("reset", "step", "step_async", "step_wait", "close", "seed", "set_options")


class SeatVecEnv(VecEnv):  # type: ignore[misc]  # stable-baselines3 may be absent where types are checked
    """Run N games with one learning seat each, for `MaskablePPO("MlpPolicy", env)`.

    With `mask_in_observation=True` observations are dictionaries, which need SB3's `MultiInputPolicy`.

    Args:
        game: The game, from `load_game`.
        num_envs: Number of games, N.
        opponents: Players of the other seats: a name, an `Opponent`, an `OpponentMix`, or a list with one of these per
            other seat.
        seat: The learner's seat, 0 to P - 1, or "random" to draw it for each game.
        illegal_action: "raise" to reject an illegal action, or "forfeit" to end the game with a loss for the learner.
        render_mode: None, "ansi" or "rgb_array".
        random_opening: Number of decisions at the start of each game that are drawn uniformly from the legal actions.
        observation_dtype: "float32" to convert observations; None keeps the dtype of the game.
        mask_in_observation: Whether observations are dictionaries with `observation` and `action_mask`.
        params_per_env: Parameters of each game, see `edge_envs.vector_env`.

    Raises:
        ParameterError: if `num_envs`, `illegal_action`, `render_mode`, `random_opening`, `observation_dtype`,
            `mask_in_observation` or `params_per_env` is invalid.
        ValueError: if `opponents` or `seat` is invalid.
    """

    def __init__(
        self,
        game: Game,
        num_envs: int = 1,
        opponents: Opponents = "random",
        seat: int | str = "random",
        illegal_action: str = "raise",
        render_mode: str | None = None,
        random_opening: int = 0,
        observation_dtype: str | None = None,
        mask_in_observation: bool = False,
        params_per_env: ParamsPerEnv | None = None,
    ) -> None:
        self.game = game
        self.lanes = SeatLanes(
            game, num_envs, opponents, seat, illegal_action, SAME_STEP, random_opening, params_per_env
        )
        num_envs = self.lanes.num_envs
        self._renderer = Renderer(game, render_mode, VECTOR_RENDER_MODES)
        self.render_mode = render_mode
        self._actions = np.zeros(num_envs, np.int64)
        self._form = ObservationForm(game, observation_dtype, mask_in_observation)
        self._no_actions = np.zeros(game.num_distinct_actions, np.int8)
        super().__init__(num_envs, self._form.space, spaces.Discrete(game.num_distinct_actions))
        self.metadata: dict[str, Any] = {"render_modes": VECTOR_RENDER_MODES, "render_fps": RENDER_FPS}

    def reset(self) -> Observation:
        """Start a game in every lane, with the seeds and options set by `seed` and `set_options`, if any.

        Returns:
            The learners' observations, (N, *observation_shape).
        """
        seeds = [seed for seed in self._seeds if seed is not None]
        options = self._options
        is_shared = all(one is options[0] for one in options)
        own = None if is_shared or not any(options) else [one or None for one in options]
        self.lanes.reset(seeds or None, options[0] if is_shared else None, own=own)
        self._reset_seeds()
        self._reset_options()
        return self._form.of(self.lanes.observation, self.lanes.action_mask)

    def step_async(self, actions: Array) -> None:
        """Store the learners' actions, integers (N,), for `step_wait`."""
        self._actions = actions

    def step_wait(self) -> tuple[Observation, Array, Array, list[dict[str, Any]]]:
        """Play the stored actions; a lane whose game ended starts a new game in the same step.

        Returns:
            Observations (N, *observation_shape), rewards float32 (N,), dones bool (N,) and one info per lane. The info
            of a finished game has `terminal_observation` and `TimeLimit.truncated` (always False).

        Raises:
            IllegalActionError: if an action is not legal and `illegal_action` is "raise". No lane is changed.
            RuntimeError: if the environment needs a reset or is closed.
        """
        lanes = self.lanes
        lanes.step(self._actions)
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for lane in np.flatnonzero(lanes.terminated):
            infos[lane] = {
                "terminal_observation": self._form.of(lanes.final_observation[lane], self._no_actions),
                "TimeLimit.truncated": False,
            }
        observations = self._form.of(lanes.observation, lanes.action_mask)
        return observations, lanes.reward.astype(np.float32), lanes.terminated.copy(), infos

    def action_masks(self) -> Array:
        """Return the learners' action masks, a new int8 array (N, num_distinct_actions)."""
        return self.lanes.action_masks()

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Set the seeds for the next reset: lane i gets seed + i. None draws a seed.

        Raises:
            ValueError: if `seed` is not a valid seed.
        """
        if seed is not None:
            self._seeds = list(lane_seeds(seed, self.num_envs))
            return self._seeds
        seeds: Sequence[int | None] = super().seed()
        return seeds

    def set_options(self, options: list[dict[str, Any]] | dict[str, Any] | None = None) -> None:
        """Set the options for the next reset: a dict for all lanes, or a list with one per lane.

        Raises:
            ParameterError: if `options` is neither.
        """
        lanes = options if isinstance(options, list | tuple) else ()
        if not (options is None or isinstance(options, dict) or len(lanes) == self.num_envs):
            given = f"{len(lanes)} options" if isinstance(options, list | tuple) else in_short(options)
            raise ParameterError(f"invalid options: expected a dict or a list of {self.num_envs}, not {given}")
        super().set_options(options)

    def game_state(self, lane: int) -> State:
        """Return the current position of a lane as an independent `State`. Its history starts at this position.

        Raises:
            IndexError: if `lane` is out of range.
        """
        return self.lanes.state(lane)

    def close(self) -> None:
        """Close the environment. Later calls raise RuntimeError."""
        self.lanes.close()

    def has_attr(self, attr_name: str) -> bool:
        """Return whether the lanes have an attribute. sb3-contrib checks for `action_masks`."""
        return hasattr(self, attr_name)

    def get_attr(self, attr_name: str, indices: int | Iterable[int] | None = None) -> list[Any]:
        """Return the attribute once per requested lane."""
        return [getattr(self, attr_name)] * len(self._lane_numbers(indices))

    def set_attr(self, attr_name: str, value: Any, indices: int | Iterable[int] | None = None) -> None:
        """Set an attribute of all lanes. Lanes are not separate objects, so they share their attributes.

        Raises:
            ValueError: if `indices` does not cover all lanes.
        """
        if len(set(self._lane_numbers(indices))) != self.num_envs:
            raise ValueError("the lanes of a native VecEnv share their attributes: set them for all lanes")
        setattr(self, attr_name, value)

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> list[Any]:
        """Call a method for each requested lane and return one result per lane.

        `action_masks` returns rows (num_distinct_actions,), `game_state` positions, and `render` what `render_mode`
        specifies. Any other method is called once, and its result is repeated.

        Raises:
            ValueError: for a method that changes all lanes at once, such as `reset`.
        """
        lanes = self._lane_numbers(indices)
        if method_name in _OF_ALL_LANES:
            raise ValueError(f"{method_name} acts on all lanes at once: call it on the VecEnv itself")
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
        """Return False for each requested lane. Lanes are not separate environments, so wrappers cannot wrap them.

        To log episode statistics such as `ep_rew_mean`, wrap this VecEnv in SB3's `VecMonitor`.
        """
        return [False] * len(self._lane_numbers(indices))

    def get_images(self) -> Sequence[Array | None]:
        """Return what each learner sees as pixels, uint8 (height, width, 3), with `render_mode="rgb_array"`.

        In other render modes, return None for each lane.
        """
        if self.render_mode != "rgb_array":
            return [None] * self.num_envs
        return list(self.lanes.pictures(self._renderer))

    def render(self, mode: str | None = None) -> Any:
        """Return the first lane's position as a string with `render_mode="ansi"`.

        With "rgb_array", return SB3's tiled image of all lanes; without a render mode, None.
        """
        if (mode or self.render_mode) == "ansi":
            return self._renderer.render(self.lanes.records(), None)
        return None if mode is None and self.render_mode is None else super().render(mode)

    def _repr_html_(self) -> str | None:
        """Draw the first lanes for a notebook; return None, so that it shows text, if no games are running."""
        return self.lanes.notebook_view(self._renderer)

    def _lane_numbers(self, indices: int | Iterable[int] | None) -> list[int]:
        """Return the requested lanes; negative indices count from the end. Raises IndexError if out of range."""
        one = integer_of(indices)
        asked = self._get_indices(indices if one is None else one)
        lanes = range(self.num_envs)
        try:
            return [lanes[lane] for lane in asked]
        except IndexError:
            expected = f"expected integers from 0 to {self.num_envs - 1}"
            raise IndexError(f"invalid indices={in_short(indices)}: {expected}") from None
