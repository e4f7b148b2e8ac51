"""PettingZoo AEC environment: one game, agents act in turn."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from edge_envs.core.checks.integers import action_of
from edge_envs.core.checks.seeds import check_seed, fresh_seed
from edge_envs.core.errors import IllegalActionError, in_short
from edge_envs.core.game import Game
from edge_envs.core.kernels.rng import chance_word
from edge_envs.core.loops.views import ILLEGAL
from edge_envs.core.nodes import TERMINAL
from edge_envs.core.spec import Array
from edge_envs.core.state import State
from edge_envs.envs.entropy import wrappers_generator
from edge_envs.envs.frames import RENDER_FPS, Renderer
from edge_envs.envs.game_log import GameLog
from edge_envs.envs.lifecycle import Lifecycle
from edge_envs.envs.observations import Observation, ObservationForm, observation_box
from edge_envs.envs.options import FORFEITS, check_illegal_action, forfeit_rewards, is_set_up, start_records

RENDER_MODES = ("human", "ansi", "rgb_array")
_OVER = "the game is over: call reset"


class GameAECEnv(AECEnv[str, Observation, int | None]):  # type: ignore[misc]  # pettingzoo is untyped
    """Run one game as an AEC environment with the agents `player_0`, `player_1`, ….

    The environment resolves chance events itself. Observations are dictionaries with two entries: `observation`, an
    array of shape `game.observation_shape`, and `action_mask`, int8 of shape (num_distinct_actions,). Both arrays are
    new on each call. The mask is all zero for every agent except the one to act. With `mask_in_observation=False`
    observations are arrays, and the masks are in `infos[agent]["action_mask"]` instead. An eliminated agent stays in
    `agents` without getting turns, and all agents terminate together. `truncations` are always False, because limits
    are rules of the game.

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
        mask_in_observation: bool = True,
    ) -> None:
        self.game = game
        self._renderer = Renderer(game, render_mode, RENDER_MODES)
        self.render_mode = render_mode
        self.illegal_action = check_illegal_action(illegal_action)
        self.metadata = {
            "name": f"{game.name}_v{game.type.version}",
            "render_modes": list(RENDER_MODES),
            "render_fps": RENDER_FPS,
            "is_parallelizable": False,
        }
        self.possible_agents = [f"player_{seat}" for seat in range(game.num_players)]
        self.agents: list[str] = []
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        forms = [ObservationForm(game, observation_dtype, mask_in_observation) for _ in self.possible_agents]
        self._form = forms[0]
        self.observation_spaces = {agent: form.space for agent, form in zip(self.possible_agents, forms, strict=True)}
        actions = game.num_distinct_actions
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in self.possible_agents}
        self.state_space = observation_box(game, self._form.dtype, copies=game.num_players)
        self._loops = game.compiled.loops
        self._records = game.new_records(1)
        self._seeded = False
        self._np_random: np.random.Generator | None = None
        self._lifecycle = Lifecycle()
        self._log = GameLog(game)
        self._mask = np.zeros(actions, np.int8)
        self._rewards = np.zeros((2, game.num_players), np.float64)  # the rewards of a step, and scratch

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the observation space of an agent, the same object on every call."""
        self._seat_of(agent)  # raises ValueError if it is unknown
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return the action space of an agent, the same object on every call."""
        self._seat_of(agent)  # raises ValueError if it is unknown
        return self.action_spaces[agent]

    def _seat_of(self, agent: Any) -> int:
        """Return the seat of an agent. Raises ValueError if it is unknown."""
        seat = self._seats.get(agent) if isinstance(agent, str) else None
        if seat is None:
            raise ValueError(f"unknown agent {in_short(agent)} (choose from {', '.join(self.possible_agents)})")
        return seat

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Start a new game.

        Args:
            seed: An integer from 0 to 2**64 - 1. None continues the random stream of the last game, or draws a fresh
                seed at the first reset.
            options: `{"position": d}` starts from the position `d`, a dictionary as returned by `State.to_dict`.
                `over_the_edge` on a set of maps knows `{"map": seed}`. Other keys are ignored.

        Raises:
            ValueError: if `seed` is not a valid seed.
            ParameterError: if `options` is not a dictionary or None.
            InvalidPositionError: if the position is invalid or terminal.
            RuntimeError: if the environment is closed.
        """
        self._lifecycle.check_reset()
        records = start_records(self.game, options, 1)
        if seed is not None or not self._seeded:
            seed = fresh_seed() if seed is None else check_seed(seed)
            records["rng"] = chance_word(np.uint64(seed))
            generator = wrappers_generator(seed)
        else:
            records["rng"] = self._records["rng"]
            generator = self.np_random
        with self._lifecycle:
            self._np_random = generator
            self._records = records
            self._seeded = True
            self._log.begin(records, seed, is_set_up(self.game, options))
            player = int(self._loops.begin(self._records))
            self.agents = self.possible_agents[:]
            self.agent_selection = self.agents[player]
            self.rewards = dict.fromkeys(self.agents, 0.0)
            self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
            self.terminations = dict.fromkeys(self.agents, False)
            self.truncations = dict.fromkeys(self.agents, False)
            self._write_infos()
            self._skip_agent_selection = None
            self._renderer.forget()
        self._renderer.show(self._records, None)

    def observe(self, agent: str) -> Observation:
        """Return the observation and the action mask of an agent.

        The mask is all zero for an agent that has terminated or is not to act. With `mask_in_observation=False` the
        mask is left out.
        """
        self._lifecycle.check()
        return self._form.of(*self._observe_with_mask(agent), copy=False)

    def _observe_with_mask(self, agent: str) -> tuple[Array, Array]:
        """Return the observation of an agent in the dtype of the game, and its action mask."""
        observation = np.empty(self.game.observation_shape, self.game.observation_dtype)
        mask = np.empty(self.game.num_distinct_actions, np.int8)
        self._loops.observe_with_mask(self._records, self._seat_of(agent), observation, mask)
        if self.terminations.get(agent, True):
            mask[:] = 0  # after a forfeit the position itself is not terminal
        return observation, mask

    def _write_infos(self) -> None:
        """Write the infos: the action masks, if observations do not contain them."""
        self.infos: dict[str, dict[str, Any]] = {
            agent: {} if self._form.has_mask else {"action_mask": self._observe_with_mask(agent)[1]}
            for agent in self.agents
        }

    def agent_iter(self, max_iter: int = 2**63) -> Iterator[str]:
        """Iterate over the agents as they have to `step`, until all are done or for `max_iter` steps.

        Raises:
            RuntimeError: if the environment needs a reset or is closed.
        """
        self._lifecycle.check()
        agents: Iterator[str] = super().agent_iter(max_iter)
        return agents

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Return (observation, reward, terminated, truncated, info) of the agent to act.

        The reward is the sum since the agent's last decision. With `observe=False` the observation is None.

        Raises:
            RuntimeError: if all agents are done, or if the environment needs a reset or is closed.
        """
        self._lifecycle.check()
        if not self.agents:
            raise RuntimeError(_OVER)
        last: tuple[Any, float, bool, bool, dict[str, Any]] = super().last(observe)
        return last

    @property
    def np_random(self) -> np.random.Generator:
        """Random generator for wrappers. `reset` with a seed seeds it; the game does not draw from it."""
        if self._np_random is None:
            self._np_random = wrappers_generator(fresh_seed())
        return self._np_random

    @np_random.setter
    def np_random(self, generator: np.random.Generator) -> None:
        self._np_random = generator

    def state(self) -> Array:
        """Return the observations of all seats, concatenated along the first axis, for a centralised critic.

        In a game with hidden information this array reveals more than any single agent may know.
        """
        self._lifecycle.check()
        views = np.empty((self.game.num_players, *self.game.observation_shape), self.game.observation_dtype)
        for seat, view in enumerate(views):
            self._loops.observe(self._records, seat, view)
        return views.astype(self._form.dtype, copy=False).reshape(self.state_space.shape)

    def step(self, action: int | None) -> None:
        """Play an action of `agent_selection`, then resolve the chance events that follow.

        Args:
            action: A legal action, or None for an agent that has terminated.

        Raises:
            IllegalActionError: if the action is not legal and `illegal_action` is "raise". The game is unchanged.
            RuntimeError: if all agents are done, or if the environment needs a reset or is closed.
        """
        self._lifecycle.check()
        if not self.agents:
            raise RuntimeError(_OVER)
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        number = action_of(action)
        before = self._renderer.copy_of(self._records) if self.render_mode else None
        try:
            rewards, scratch = self._rewards
            player = self._loops.decide(self._records, number, self._mask, rewards, scratch)
            if player != ILLEGAL:
                self._log.actions.append(number)
                self._finish_step(agent, rewards.tolist(), player)
            elif self.illegal_action == "forfeit":
                self._log.forfeit(self._seats[agent], f"illegal action {in_short(action)}")
                self._finish_step(agent, forfeit_rewards(self.game, self._seats[agent]), TERMINAL)
        except BaseException as error:
            self._lifecycle.break_off(error)
            raise
        if player == ILLEGAL and self.illegal_action == "raise":
            legal = np.nonzero(self._observe_with_mask(agent)[1])[0].tolist()
            given = f"{agent}: action {in_short(action)}"
            raise IllegalActionError(f"{given} is not legal (choose from {legal}); {FORFEITS}")
        if player == ILLEGAL:
            self._renderer.remember_forfeit(self._seats[agent])
        elif self.render_mode:
            self._renderer.remember(before, number)
        if self.render_mode:
            self._renderer.show(self._records, None)

    def forfeit(self, agent: str, why: str = "forfeited") -> None:
        """End the game: the agent gets `game.min_utility`, and the others share the opposite amount equally.

        Args:
            agent: The agent that forfeits.
            why: The reason, for `record`.

        Raises:
            ValueError: if the agent is unknown.
            RuntimeError: if the game is over, or if the environment needs a reset or is closed.
        """
        self._lifecycle.check()
        seat = self._seat_of(agent)
        if not self.agents or any(self.terminations.values()):
            raise RuntimeError(_OVER)
        self._log.forfeit(seat, why)
        self._assign_rewards(forfeit_rewards(self.game, seat), TERMINAL)
        self._renderer.remember_forfeit(seat)
        self._renderer.show(self._records, None)

    def _finish_step(self, agent: str, rewards: list[float], player: int) -> None:
        """Assign the rewards of a decision; the agent that made it starts a new sum."""
        self._cumulative_rewards[agent] = 0.0
        self._assign_rewards(rewards, player)

    def _assign_rewards(self, rewards: list[float], player: int) -> None:
        """Set the rewards of all agents, then select seat `player` or, for TERMINAL, terminate all agents."""
        self.rewards = dict(zip(self.agents, rewards, strict=True))
        if any(rewards):
            self._accumulate_rewards()
        if player == TERMINAL:
            self.terminations = dict.fromkeys(self.agents, True)
        else:
            self.agent_selection = self.possible_agents[player]
        if not self._form.has_mask:
            self._write_infos()

    def game_state(self) -> State:
        """Return the current position as an independent `State`. Its history starts at this position."""
        self._lifecycle.check()
        return State.of_records(self.game, self._records)

    def record(self) -> dict[str, Any]:
        """Return the record of the game so far, ready for JSON, as `edge_envs.record_of` does; `replay` reads it.

        Raises:
            RuntimeError: before the first `reset`, or if the position was changed from outside.
        """
        self._lifecycle.check()
        return self._log.record(self._records)

    def render(self) -> str | Array | None:
        """Return the public part of the position.

        Returns:
            A string with `render_mode="ansi"`, or pixels, uint8 (height, width, 3), with "rgb_array". None without a
            render mode, and with "human", where `reset` and `step` draw in a window.
        """
        self._lifecycle.check()
        return self._renderer.render(self._records, None)

    def _repr_svg_(self) -> str | None:
        """Draw the public position for a notebook; return None, so that it shows text, if no game is running."""
        with contextlib.suppress(RuntimeError):
            self._lifecycle.check()
            return self._renderer.svg(self._records, None, outlines=False)
        return None

    def close(self) -> None:
        """Close the environment and its window. Later calls raise RuntimeError."""
        self._lifecycle.close()
        self._renderer.close()

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_loops"}

    def __setstate__(self, fields: dict[str, Any]) -> None:
        self.__dict__.update(fields)
        self._loops = self.game.compiled.loops

    def __str__(self) -> str:
        return str(self.metadata["name"])
