"""Gymnasium environments with one learning seat: opponents play the other seats. Single and vectorized."""

from __future__ import annotations

import contextlib
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
from edge_envs.envs.lane_games import ParamsPerEnv
from edge_envs.envs.observations import Observation, ObservationForm
from edge_envs.envs.opponents import Opponents
from edge_envs.envs.options import check_choice, check_count, check_options
from edge_envs.envs.seat_lanes import SeatLanes

RENDER_MODES = ["human", "ansi", "rgb_array"]
VECTOR_RENDER_MODES = ["ansi", "rgb_array"]
_AUTORESET = {AutoresetMode.DISABLED: STAY, AutoresetMode.NEXT_STEP: NEXT_STEP, AutoresetMode.SAME_STEP: SAME_STEP}


def _checked_mode(mode: AutoresetMode | str) -> AutoresetMode:
    """Return an autoreset mode given as such or by name. Raises ParameterError if the name is unknown."""
    if isinstance(mode, AutoresetMode):
        return mode
    return AutoresetMode(check_choice("autoreset_mode", mode, [known.value for known in AutoresetMode]))


class SeatEnv(gymnasium.Env[Observation, int]):
    """Run one game with one learning seat as a Gymnasium environment.

    `reset` plays until the learner has to decide. A game that ends earlier is replaced by a new one. `step` plays
    until the learner's next decision or the end of the game, and returns the sum of its rewards. Once the learner is
    eliminated, `step` plays the rest of the game. `truncated` is always False, because limits are rules of the game.
    `info["action_mask"]` and `action_masks()`, which sb3-contrib calls, give the legal actions. Observations are
    arrays, or, with `mask_in_observation=True`, dictionaries with `observation` and `action_mask`.

    Args:
        game: The game, from `load_game`.
        opponents: Players of the other seats: a name, an `Opponent`, an `OpponentMix`, or a list with one of these per
            other seat.
        seat: The learner's seat, 0 to P - 1, or "random" to draw it for each game.
        illegal_action: "raise" to reject an illegal action, or "forfeit" to end the game with a loss for the learner.
        render_mode: None, "human", "ansi" or "rgb_array".
        random_opening: Number of decisions at the start of each game that are drawn uniformly from the legal actions.
        observation_dtype: "float32" to convert observations; None keeps the dtype of the game.
        mask_in_observation: Whether observations are dictionaries with `observation` and `action_mask`.

    Raises:
        ParameterError: if `illegal_action`, `render_mode`, `random_opening`, `observation_dtype` or
            `mask_in_observation` is invalid.
        ValueError: if `opponents` or `seat` is invalid.
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
        observation_dtype: str | None = None,
        mask_in_observation: bool = False,
    ) -> None:
        self.game = game
        self._renderer = Renderer(game, render_mode, RENDER_MODES)
        self.render_mode = render_mode
        self._form = ObservationForm(game, observation_dtype, mask_in_observation)
        self.observation_space = self._form.space
        self.action_space = spaces.Discrete(game.num_distinct_actions)  # type: ignore[assignment]  # int64 is an int
        self.lanes = SeatLanes(game, 1, opponents, seat, illegal_action, STAY, random_opening)
        self.lanes.log = SeatLog(game)

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Start a new game and play until the learner has to decide.

        Args:
            seed: An integer from 0 to 2**64 - 1. None continues the random streams of the last game, or draws a fresh
                seed at the first reset.
            options: `{"position": d}` starts from the position `d`, a dictionary as returned by `State.to_dict`.
                `over_the_edge` on a set of maps knows `{"map": seed}`. Other keys are ignored.

        Returns:
            The learner's observation, (*observation_shape,), and an info with `action_mask`, int8
            (num_distinct_actions,).

        Raises:
            ValueError: if `seed` is not a valid seed, or if the learner has no decision in 10,000 games in a row.
            InvalidPositionError: if the position is invalid or terminal.
            RuntimeError: if the environment is closed.
        """
        seed = None if seed is None else check_seed(seed)
        self.lanes.reset(seed, options)
        super().reset(seed=seed)
        self._renderer.forget()
        self._renderer.show(self.lanes.records(), self.seat)
        return self._form.of(self.lanes.observation[0], self.lanes.action_mask[0]), {"action_mask": self.action_masks()}

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Play the learner's action, then everything until its next decision or the end of the game.

        Args:
            action: A legal action.

        Returns:
            The observation and info as in `reset`, with the reward (sum since the last decision), terminated and
            truncated (always False) between them.

        Raises:
            IllegalActionError: if the action is not legal and `illegal_action` is "raise". The game is unchanged.
            RuntimeError: if the game is over, or if the environment needs a reset or is closed.
        """
        lanes = self.lanes
        if lanes.has_ended(0):
            lanes.check()
            raise RuntimeError("the game is over: call reset")
        number = integer_of(action)
        if number is None:
            raise IllegalActionError(f"invalid action={in_short(action)}: expected one integer")
        actions = np.array([number], np.int64) if abs(number) < 2**63 else [number]
        if self.render_mode is None:
            lanes.step(actions)
        else:
            before = self._renderer.copy_of(lanes.records())
            mask = lanes.action_mask[0]
            is_legal = 0 <= number < len(mask) and mask[number]
            lanes.step(actions)
            if is_legal:
                self._renderer.remember(before, number)
            else:
                self._renderer.remember_forfeit(self.seat)
            self._renderer.show(lanes.records(), self.seat)
        mask = lanes.action_mask[0]
        return (
            self._form.of(lanes.observation[0], mask),
            float(lanes.reward[0]),
            bool(lanes.terminated[0]),
            False,
            {"action_mask": mask.copy()},
        )

    def action_masks(self) -> Array:
        """Return the learner's action mask, a new int8 array (num_distinct_actions,); all zero at the end."""
        return self.lanes.action_masks()[0]

    @property
    def seat(self) -> int:
        """Seat of the learner in this game."""
        self.lanes.check_begun()
        return int(self.lanes.learner[0])

    def game_state(self) -> State:
        """Return the current position as an independent `State`. Its history starts at this position."""
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
        """Return the position in the render mode.

        Returns:
            With `render_mode="ansi"`, the public part of the position as a string. With "rgb_array", what the learner
            sees as pixels, uint8 (height, width, 3), with its last move marked. None without a render mode, and with
            "human", where `reset` and `step` draw in a window.
        """
        self.lanes.check_begun()
        return self._renderer.render(self.lanes.records(), self.seat)

    def _repr_svg_(self) -> str | None:
        """Draw what the learner sees for a notebook; return None, so that it shows text, if no game is running."""
        with contextlib.suppress(RuntimeError):
            self.lanes.check_begun()
            return self._renderer.svg(self.lanes.records(), self.seat, outlines=False)
        return None

    def close(self) -> None:
        """Close the environment and its window. Later calls raise RuntimeError."""
        self.lanes.close()
        self._renderer.close()


class SeatVectorEnv(VectorEnv[Observation, Array, Array]):
    """Run N games with one learning seat each in compiled loops, as a Gymnasium vector environment.

    `infos["action_mask"]` and `action_masks()` give the legal actions, int8 (N, num_distinct_actions). In the autoreset
    mode `SameStep`, infos also hold `final_obs` and `final_info`, with their masks `_final_obs` and `_final_info`.
    Observations are arrays, or, with `mask_in_observation=True`, dictionaries with `observation` and `action_mask`. All
    returned arrays are new.

    Args:
        game: The game, from `load_game`.
        num_envs: Number of games, N.
        opponents: Players of the other seats: a name, an `Opponent`, an `OpponentMix`, or a list with one of these per
            other seat.
        seat: The learner's seat, 0 to P - 1, or "random" to draw it for each game.
        illegal_action: "raise" to reject an illegal action, or "forfeit" to end the game with a loss for the learner.
        render_mode: None, "ansi" or "rgb_array".
        autoreset_mode: One of Gymnasium's autoreset modes, or its name: "NextStep", "SameStep" or "Disabled".
        random_opening: Number of decisions at the start of each game that are drawn uniformly from the legal actions.
        observation_dtype: "float32" to convert observations; None keeps the dtype of the game.
        mask_in_observation: Whether observations are dictionaries with `observation` and `action_mask`.
        params_per_env: Parameters of each game, see `edge_envs.vector_env`.

    Raises:
        ParameterError: if `num_envs`, `illegal_action`, `render_mode`, `autoreset_mode`, `random_opening`,
            `observation_dtype`, `mask_in_observation` or `params_per_env` is invalid.
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
        autoreset_mode: AutoresetMode | str = AutoresetMode.SAME_STEP,
        random_opening: int = 0,
        observation_dtype: str | None = None,
        mask_in_observation: bool = False,
        params_per_env: ParamsPerEnv | None = None,
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
        self._form = ObservationForm(game, observation_dtype, mask_in_observation)
        self.single_observation_space = self._form.space
        self.single_action_space = spaces.Discrete(game.num_distinct_actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        autoreset = _AUTORESET[self.autoreset_mode]
        self.lanes = SeatLanes(
            game, num_envs, opponents, seat, illegal_action, autoreset, random_opening, params_per_env
        )

    def reset(
        self, *, seed: int | Sequence[int | None] | Array | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Start new games and play until each learner has to decide.

        Args:
            seed: An integer s seeds lane i with s + i; a sequence or array gives one seed per lane. None continues the
                random streams of the last games, or draws a fresh seed at the first reset.
            options: `position` starts all games from a position, a dictionary as returned by `State.to_dict`;
                `reset_mask`, bool (N,), selects the lanes to reset; `over_the_edge` on a set of maps knows `map`, the
                seed of a map. Other keys are ignored.

        Returns:
            Observations (N, *observation_shape) and infos with `action_mask`, int8 (N, num_distinct_actions).

        Raises:
            ValueError: if `seed` or `reset_mask` is invalid.
            InvalidPositionError: if the position is invalid or terminal.
            RuntimeError: if the environment is closed.
        """
        check_options(options)
        which = None if options is None else options.get("reset_mask")
        if which is not None:
            which = np.asarray(which)
            if which.shape != (self.num_envs,) or which.dtype != np.bool_ or not which.any():
                raise ValueError(f"invalid reset_mask: expected {self.num_envs} bools, at least one of them True")
        self.lanes.reset(seed, options, which)
        first = integer_of(seed)
        if first is not None:
            super().reset(seed=first)
        return self._form.of(self.lanes.observation, self.lanes.action_mask), self._infos()

    def step(self, actions: Array) -> tuple[Observation, Array, Array, Array, dict[str, Any]]:
        """Play one action of every learner, then everything until their next decisions.

        Args:
            actions: Legal actions, integers (N,).

        Returns:
            Observations (N, *observation_shape), rewards float64 (N,), terminated bool (N,), truncated bool (N,)
            (always False) and infos.

        Raises:
            IllegalActionError: if an action is not legal and `illegal_action` is "raise". The message names the lane;
                no lane is changed.
            RuntimeError: if a game is over in the autoreset mode `Disabled`, or if the environment needs a reset or is
                closed.
        """
        lanes = self.lanes
        if self.autoreset_mode is AutoresetMode.DISABLED and lanes.ended.any():
            lanes.check()
            raise RuntimeError(
                f"the game in lane {int(lanes.ended.argmax())} is over: reset it with options={{'reset_mask': ...}}"
            )
        lanes.step(actions)
        terminated, infos = lanes.terminated.copy(), self._infos()
        if self.autoreset_mode is AutoresetMode.SAME_STEP and terminated.any():
            infos |= self._final_infos(terminated)
        observations = self._form.of(lanes.observation, lanes.action_mask)
        return observations, lanes.reward.copy(), terminated, np.zeros(self.num_envs, np.bool_), infos

    def _infos(self) -> dict[str, Any]:
        """Return the infos in the format of Gymnasium's own vector environments."""
        return {"action_mask": self.action_masks(), "_action_mask": np.ones(self.num_envs, np.bool_)}

    def _final_infos(self, ended: Array) -> dict[str, Any]:
        """Return the final observations and infos of the finished games, with action masks of zeros."""
        final, no_actions = np.full(self.num_envs, None, object), np.zeros_like(self.lanes.action_mask)
        for lane in np.flatnonzero(ended):
            final[lane] = self._form.of(self.lanes.final_observation[lane], no_actions[lane])
        last = {"action_mask": no_actions, "_action_mask": ended.copy()}
        return {"final_obs": final, "_final_obs": ended.copy(), "final_info": last, "_final_info": ended.copy()}

    def action_masks(self) -> Array:
        """Return the learners' action masks, a new int8 array (N, num_distinct_actions).

        The mask of a lane whose game has ended is all zero.
        """
        return self.lanes.action_masks()

    def game_state(self, lane: int) -> State:
        """Return the current position of a lane as an independent `State`. Its history starts at this position.

        Raises:
            IndexError: if `lane` is out of range.
        """
        return self.lanes.state(lane)

    def render(self) -> tuple[Any, ...] | None:
        """Return the positions of all lanes in the render mode, or None without one.

        Returns:
            One item per lane. With `render_mode="ansi"`, the public part of the position as a string. With "rgb_array",
            what the lane's learner sees as pixels, uint8 (height, width, 3).
        """
        return None if self.render_mode is None else tuple(self.lanes.pictures(self._renderer))

    def _repr_html_(self) -> str | None:
        """Draw the first lanes for a notebook; return None, so that it shows text, if no games are running."""
        return self.lanes.notebook_view(self._renderer)

    def close_extras(self, **kwargs: Any) -> None:
        """Release the games; `close` calls this. Later calls raise RuntimeError."""
        self.lanes.close()
