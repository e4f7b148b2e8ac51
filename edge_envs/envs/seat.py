"""The Gymnasium APIs: one learning seat, the others played inside; single and vectorised."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from edge_envs.core.checks.integers import integer_of
from edge_envs.core.checks.seeds import check_seed
from edge_envs.core.errors import IllegalActionError, in_short
from edge_envs.core.game import Game
from edge_envs.core.loops.seat_codes import NEXT_STEP, SAME_STEP, STAY
from edge_envs.core.spec import Array
from edge_envs.core.state import State
from edge_envs.envs.frames import RENDER_FPS, Renderer
from edge_envs.envs.game_log import SeatLog
from edge_envs.envs.opponents import Opponents
from edge_envs.envs.options import check_choice, check_count, check_options
from edge_envs.envs.seat_lanes import SeatLanes

RENDER_MODES = ["human", "ansi", "rgb_array"]
VECTOR_RENDER_MODES = ["ansi", "rgb_array"]
_AUTORESET = {AutoresetMode.DISABLED: STAY, AutoresetMode.NEXT_STEP: NEXT_STEP, AutoresetMode.SAME_STEP: SAME_STEP}


def _checked_mode(mode: AutoresetMode | str) -> AutoresetMode:
    """A mode of autoreset by itself or by its name; ParameterError if there is none."""
    if isinstance(mode, AutoresetMode):
        return mode
    return AutoresetMode(check_choice("autoreset_mode", mode, [known.value for known in AutoresetMode]))


def observation_space(game: Game) -> spaces.Box:
    """The box of a game's observations."""
    low, high = game.observation_bounds
    return spaces.Box(low, high, dtype=game.observation_dtype.type)


class SeatEnv(gymnasium.Env[Array, int]):
    """One learning seat of a game.

    `reset` plays on until the learner has a decision; a game that ends before is replaced by the next. `step` returns
    the learner's rewards up to its next decision or the end, and once it is out plays the rest. `truncated` is always
    False. `info["action_mask"]` and `action_masks()`, which sb3-contrib asks for, give the legal actions.
    """

    metadata = {"render_modes": RENDER_MODES, "render_fps": RENDER_FPS}  # noqa: RUF012  gymnasium's own convention

    def __init__(
        self,
        game: Game,
        opponents: Opponents = "random",
        seat: int | str = "random",
        illegal_action: str = "raise",
        render_mode: str | None = None,
        random_opening: int = 0,
    ) -> None:
        self.game = game
        self._renderer = Renderer(game, render_mode, RENDER_MODES)
        self.render_mode = render_mode
        self.observation_space = observation_space(game)
        self.action_space = spaces.Discrete(game.num_distinct_actions)  # type: ignore[assignment]  # int64 is an int
        self.lanes = SeatLanes(game, 1, opponents, seat, illegal_action, STAY, random_opening)
        self.lanes.log = SeatLog(game)

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Array, dict[str, Any]]:
        """Start a game; without a seed the generators go on. `options={"position": d}` starts from a position.

        Returns what the learner sees, (*observation_shape,), and an info with `action_mask`, int8
        (num_distinct_actions,). InvalidPositionError for a position in which nobody could play, ValueError for
        an invalid seed.
        """
        seed = None if seed is None else check_seed(seed)
        super().reset(seed=seed)
        self.lanes.reset(seed, options)
        self._renderer.forget()
        self._renderer.show(self.lanes.records(), self.seat)
        return self.lanes.observation[0].copy(), {"action_mask": self.action_masks()}

    def step(self, action: int) -> tuple[Array, float, bool, bool, dict[str, Any]]:
        """One decision of the learner, and all that follows up to its next; IllegalActionError changes nothing.

        Returns observation, reward, terminated, truncated (always False) and info as `reset`. RuntimeError after the
        end.
        """
        lanes = self.lanes
        if lanes.ended[0]:
            lanes.check()
            raise RuntimeError("the game is over: call reset")
        before = self._renderer.copy_of(lanes.records())
        number = integer_of(action)
        if number is None:
            raise IllegalActionError(f"invalid action={in_short(action)}: expected one integer")
        lanes.step([number])
        self._renderer.remember(before, number)
        self._renderer.show(lanes.records(), self.seat)
        return (
            lanes.observation[0].copy(),
            float(lanes.reward[0]),
            bool(lanes.terminated[0]),
            False,
            {"action_mask": self.action_masks()},
        )

    def action_masks(self) -> Array:
        """A fresh int8 array (num_distinct_actions,): what the learner may do; all zero at the end."""
        return self.lanes.action_masks()[0]

    @property
    def seat(self) -> int:
        """The learner's seat in this game."""
        self.lanes.check_begun()
        return int(self.lanes.learner[0])

    def game_state(self) -> State:
        """The present position as an independent `State` (its history starts here)."""
        return self.lanes.state()

    def record(self) -> dict[str, Any]:
        """Return the record of the game so far, with the opponents' decisions, ready for JSON; `replay` reads it.

        Raises:
            RuntimeError: before the first `reset`, or if the position was changed from outside.
        """
        self.lanes.check()
        assert self.lanes.log is not None
        return self.lanes.log.record(self.lanes.records())

    def render(self) -> str | Array | None:  # type: ignore[override]  # gymnasium types frames only
        """The position: a text with `render_mode="ansi"`; with "rgb_array" pixels (H, W, 3) uint8 of what the learner
        sees, its last move marked.

        None without a mode, and with "human", where `reset` and `step` draw in a window by themselves.
        """
        self.lanes.check_begun()
        return self._renderer.render(self.lanes.records(), self.seat)

    def close(self) -> None:
        """Refuse everything from now on, and close the window."""
        self.lanes.close()
        self._renderer.close()


class SeatVectorEnv(VectorEnv[Array, Array, Array]):
    """N games with one learning seat each, stepped in compiled loops; autoreset in each of Gymnasium's modes.

    `infos["action_mask"]` and `action_masks()` give the legal actions (N, A). With autoreset in the same step infos
    hold `final_obs`, `final_info` and their masks `_final_obs`, `_final_info` too. All arrays are fresh.
    """

    def __init__(
        self,
        game: Game,
        num_envs: int = 1,
        opponents: Opponents = "random",
        seat: int | str = "random",
        illegal_action: str = "raise",
        render_mode: str | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.SAME_STEP,
        random_opening: int = 0,
    ) -> None:
        self.game = game
        self.num_envs = check_count("num_envs", num_envs)
        self._renderer = Renderer(game, render_mode, VECTOR_RENDER_MODES)
        self.render_mode = render_mode
        self.autoreset_mode = _checked_mode(autoreset_mode)
        self.metadata = {
            "render_modes": VECTOR_RENDER_MODES,
            "render_fps": RENDER_FPS,
            "autoreset_mode": self.autoreset_mode,
        }
        self.single_observation_space = observation_space(game)
        self.single_action_space = spaces.Discrete(game.num_distinct_actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        autoreset = _AUTORESET[self.autoreset_mode]
        self.lanes = SeatLanes(game, num_envs, opponents, seat, illegal_action, autoreset, random_opening)

    def reset(
        self, *, seed: int | Sequence[int | None] | Array | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Array, dict[str, Any]]:
        """Start games; lane i is seeded with seed + i. `options` may hold `position`, and `reset_mask` (N,) of bool.

        Returns observations (N, *observation_shape) and infos with `action_mask`, int8 (N, num_distinct_actions).
        """
        check_options(options)
        which = None if options is None else options.get("reset_mask")
        if which is not None:
            which = np.asarray(which)
            if which.shape != (self.num_envs,) or which.dtype != np.bool_ or not which.any():
                raise ValueError(f"reset_mask must be {self.num_envs} bools, some of them True")
        self.lanes.reset(seed, options, which)  # which refuses a None among seeds
        return self.lanes.observation.copy(), self._infos()

    def step(self, actions: Array) -> tuple[Array, Array, Array, Array, dict[str, Any]]:
        """One decision of every learner, integers (N,); IllegalActionError names the lane and changes none.

        Returns observations as `reset`, rewards float64 (N,), terminated and truncated, bool (N,), and infos.
        """
        lanes = self.lanes
        if self.autoreset_mode is AutoresetMode.DISABLED and lanes.ended.any():
            lanes.check()
            raise RuntimeError(
                f"lane {int(lanes.ended.argmax())} has ended: reset it with options={{'reset_mask': ...}}"
            )
        lanes.step(actions)
        terminated, infos = lanes.terminated.copy(), self._infos()
        if self.autoreset_mode is AutoresetMode.SAME_STEP and terminated.any():
            infos |= self._final_infos(terminated)
        return lanes.observation.copy(), lanes.reward.copy(), terminated, np.zeros(self.num_envs, np.bool_), infos

    def _infos(self) -> dict[str, Any]:
        """What every info holds, in the form in which Gymnasium's own vector envs collect them."""
        return {"action_mask": self.action_masks(), "_action_mask": np.ones(self.num_envs, np.bool_)}

    def _final_infos(self, ended: Array) -> dict[str, Any]:
        """The last observation and info of the games that are over; nothing is legal there."""
        final = np.full(self.num_envs, None, object)
        for lane in np.flatnonzero(ended):
            final[lane] = self.lanes.final_observation[lane].copy()
        last = {"action_mask": np.zeros_like(self.lanes.action_mask), "_action_mask": ended.copy()}
        return {"final_obs": final, "_final_obs": ended.copy(), "final_info": last, "_final_info": ended.copy()}

    def action_masks(self) -> Array:
        """A fresh int8 array (N, num_distinct_actions): what the learners may do; all zero where a game has ended."""
        return self.lanes.action_masks()

    def game_state(self, lane: int) -> State:
        """The present position of a lane as an independent `State` (its history starts here)."""
        return self.lanes.state(lane)

    def render(self) -> tuple[Any, ...] | None:
        """For each lane a text with `render_mode="ansi"`, or with "rgb_array" pixels (H, W, 3) uint8 of what its
        learner sees; None without a mode.
        """
        return None if self.render_mode is None else tuple(self.lanes.pictures(self._renderer))

    def close_extras(self, **kwargs: Any) -> None:
        """Refuse everything from now on; `close` calls this."""
        self.lanes.close()
