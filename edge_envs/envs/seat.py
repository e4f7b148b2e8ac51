"""The Gymnasium faces: one learning seat, the others played inside; single and vectorised."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from edge_envs.core.game import Array, Game
from edge_envs.core.seats import NEXT_STEP, SAME_STEP, STAY
from edge_envs.core.state import State
from edge_envs.envs.opponents import Opponents
from edge_envs.envs.options import check_count, check_render_mode
from edge_envs.envs.table import Table

RENDER_MODES = ["ansi"]
_AUTORESET = {AutoresetMode.DISABLED: STAY, AutoresetMode.NEXT_STEP: NEXT_STEP, AutoresetMode.SAME_STEP: SAME_STEP}


def observation_space(game: Game) -> spaces.Box:
    """The box of a game's observations."""
    low, high = game.observation_bounds
    return spaces.Box(low, high, dtype=game.observation_dtype.type)


class SeatEnv(gymnasium.Env[Array, int]):
    """One learning seat of a game.

    `reset` plays on until the learner has a decision; a game that ends before is replaced by the next. `step` returns
    the learner's rewards up to its next decision or the end, and once it is out plays the rest. `truncated` is always
    False. `action_masks()` gives the legal actions, as sb3-contrib asks for them.
    """

    metadata = {"render_modes": RENDER_MODES}  # noqa: RUF012  gymnasium's own convention

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
        self.render_mode = check_render_mode(render_mode, RENDER_MODES)
        self.observation_space = observation_space(game)
        self.action_space = spaces.Discrete(game.num_distinct_actions)  # type: ignore[assignment]  # int64 is an int
        self._table = Table(game, 1, opponents, seat, illegal_action, STAY, random_opening)

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Array, dict[str, Any]]:
        """Start a game; without a seed the generators go on. `options={"position": d}` starts from a position."""
        super().reset(seed=seed)
        self._table.reset(seed, options)
        return self._table.observation[0].copy(), {}

    def step(self, action: int) -> tuple[Array, float, bool, bool, dict[str, Any]]:
        """One decision of the learner, and all that follows up to its next; IllegalActionError changes nothing."""
        if self._table.ended[0]:
            raise RuntimeError("the game is over: call reset")
        table = self._table
        table.step(np.asarray([action]))
        return (
            self._table.observation[0].copy(),
            float(self._table.reward[0]),
            bool(self._table.terminated[0]),
            False,
            {},
        )

    def action_masks(self) -> Array:
        """A fresh int8 array (num_distinct_actions,): what the learner may do; all zero at the end."""
        return np.array(self._table.action_mask[0])

    @property
    def seat(self) -> int:
        """The learner's seat in this game."""
        return int(self._table.learner[0])

    def game_state(self) -> State:
        """The present position as an independent `State` (its history starts here)."""
        return self._table.state()

    def render(self) -> str | None:  # type: ignore[override]  # gymnasium types frames only
        """With `render_mode="ansi"` the position as text; without a render mode None."""
        return str(self.game_state()) if self.render_mode == "ansi" else None


class SeatVectorEnv(VectorEnv[Array, Array, Array]):
    """N games with one learning seat each, stepped in compiled loops; autoreset in each of Gymnasium's modes.

    `action_masks()` gives the legal actions (N, A). Infos hold `final_obs` and `_final_obs` with autoreset in the
    same step. Observations are fresh arrays.
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
        self.render_mode = check_render_mode(render_mode, RENDER_MODES)
        self._mode = AutoresetMode(autoreset_mode)
        self.metadata = {"render_modes": RENDER_MODES, "autoreset_mode": self._mode}
        self.single_observation_space = observation_space(game)
        self.single_action_space = spaces.Discrete(game.num_distinct_actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        autoreset = _AUTORESET[self._mode]
        self._table = Table(game, num_envs, opponents, seat, illegal_action, autoreset, random_opening)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Array, dict[str, Any]]:
        """Start games; lane i is seeded with seed + i. `options` may hold `position`, and `reset_mask` (N,) of bool."""
        which = None if options is None else options.get("reset_mask")
        if which is not None:
            which = np.asarray(which)
            if which.shape != (self.num_envs,) or which.dtype != np.bool_ or not which.any():
                raise ValueError(f"reset_mask must be {self.num_envs} bools, some of them True")
        self._table.reset(seed, options, which)  # type: ignore[arg-type]  # a None among seeds is refused there
        return self._table.observation.copy(), {}

    def step(self, actions: Array) -> tuple[Array, Array, Array, Array, dict[str, Any]]:
        """One decision of every learner; IllegalActionError names the lane and changes none."""
        table = self._table
        if self._mode is AutoresetMode.DISABLED and table.ended.any():
            raise RuntimeError(
                f"lane {int(table.ended.argmax())} has ended: reset it with options={{'reset_mask': ...}}"
            )
        table.step(actions)
        terminated = table.terminated.copy()
        infos: dict[str, Any] = {}
        if self._mode is AutoresetMode.SAME_STEP and terminated.any():
            final = np.full(self.num_envs, None, object)
            for lane in np.flatnonzero(terminated):
                final[lane] = table.final_observation[lane].copy()
            infos = {
                "final_obs": final,
                "_final_obs": terminated.copy(),
            }
        return table.observation.copy(), table.reward.copy(), terminated, np.zeros(self.num_envs, np.bool_), infos

    def action_masks(self) -> Array:
        """A fresh int8 array (N, num_distinct_actions): what the learners may do; all zero where a game has ended."""
        return self._table.action_mask.copy()

    def game_state(self, lane: int) -> State:
        """The present position of a lane as an independent `State` (its history starts here)."""
        return self._table.state(lane)

    def render(self) -> tuple[str, ...] | None:  # type: ignore[override]  # gymnasium types frames only
        """With `render_mode="ansi"` the positions as texts; without a render mode None."""
        if self.render_mode != "ansi":
            return None
        return tuple(str(self.game_state(lane)) for lane in range(self.num_envs))
