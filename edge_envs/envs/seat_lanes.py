"""Run lanes with one learning seat each; the Gymnasium and Stable-Baselines3 environments are adapters over this."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from edge_envs.core.checks.integers import integer_of
from edge_envs.core.errors import in_short
from edge_envs.core.game import Game
from edge_envs.core.kernels.masks import first_illegal
from edge_envs.core.kernels.rng import agents_words, chance_words
from edge_envs.core.loops.seat_codes import (
    ENDED,
    FIRST_OBJECT,
    HEURISTIC,
    LANE,
    MOST_REPLACED,
    NEVER,
    RANDOM,
)
from edge_envs.core.loops.seat_loops import SeatLoops
from edge_envs.core.opponent import Opponent, action_numbers, refuse_illegal
from edge_envs.core.spec import Array, Records
from edge_envs.core.state import State
from edge_envs.envs.entropy import agents_generator, shown_words
from edge_envs.envs.frames import NOTEBOOK_LANES, Renderer, pictures_in_notebook
from edge_envs.envs.game_log import SeatLog
from edge_envs.envs.inside import InsideAgent
from edge_envs.envs.lane_games import LaneGames, Options, ParamsPerEnv
from edge_envs.envs.lifecycle import Lifecycle
from edge_envs.envs.opponents import BUILT_IN, Opponents, seat_opponents
from edge_envs.envs.options import (
    FORFEITS,
    check_count,
    check_illegal_action,
    check_lane,
    check_lanes,
    is_set_up,
    lane_seeds,
)

MOST_DRAWN = 2**31 - 1
_ADVICE = (
    "; action_masks() has the legal ones, with MaskablePPO: "
    f"model.predict(observation, action_masks=env.action_masks()); or {FORFEITS}"
)


class SeatLanes:
    """Run N games with one learning seat each.

    Lane i holds one game at a time. `reset` and `step` overwrite the following arrays in place:

    | array | shape | content |
    |---|---|---|
    | `observation` | (N, *observation_shape) | the learner's observation |
    | `action_mask` | (N, A) int8 | the learner's action mask |
    | `reward` | (N,) float64 | the learner's rewards since its last decision |
    | `terminated` | (N,) bool | whether the game ended in this step |
    | `final_observation` | (N, *observation_shape) | the learner's observation of that end |
    | `learner` | (N,) | the learner's seat |

    If a call is interrupted, or an opponent raises, the games are in an undefined state. Every later call except a
    reset of all lanes then raises RuntimeError and names the cause.

    Args:
        game: The game.
        num_envs: Number of lanes, N.
        opponents: Players of the other seats; see `seat_opponents`.
        seat: The learner's seat, 0 to P - 1, or "random".
        illegal_action: "raise" or "forfeit".
        autoreset: `STAY`, `NEXT_STEP` or `SAME_STEP` from `edge_envs.core.loops.seat_codes`.
        random_opening: Number of decisions at the start of each game that are drawn uniformly.
        params_per_env: Parameters of each lane, see `LaneGames`.
    """

    def __init__(
        self,
        game: Game,
        num_envs: int,
        opponents: Opponents,
        seat: int | str,
        illegal_action: str,
        autoreset: int,
        random_opening: int = 0,
        params_per_env: ParamsPerEnv | None = None,
    ) -> None:
        self.game = game
        self.num_envs = num_envs = check_count("num_envs", num_envs)
        self.illegal_action = check_illegal_action(illegal_action)
        self.autoreset = autoreset
        self._seat = check_seat(seat, game.num_players)
        self._objects, self._mixes = self._drawn_from(opponents)
        self.games = LaneGames(game, self.num_envs, params_per_env, self._objects)
        self._inside = InsideAgent.first_of(self._objects, game)
        self._uses_heuristic = _uses_heuristic(self._mixes)
        self._states: Records = None  # until the first reset
        self._lanes: Records = np.zeros(num_envs, LANE)
        self._lanes["opening"] = check_count("random_opening", random_opening, MOST_DRAWN, low=0)
        self._lifecycle = Lifecycle()
        self.log: SeatLog | None = None
        """Keeps the decisions of a single lane, for records; None keeps nothing."""
        self._rng = np.random.default_rng()
        self._shown_words: Array = np.zeros(num_envs, np.uint64)
        shape, dtype = game.observation_shape, game.observation_dtype
        self.observation = np.zeros((num_envs, *shape), dtype)
        self.final_observation = np.zeros((num_envs, *shape), dtype)
        self.action_mask = np.zeros((num_envs, game.num_distinct_actions), np.int8)
        self._scratch = np.zeros(game.num_distinct_actions, np.int8)

    @property
    def _loops(self) -> SeatLoops:
        if self._inside is None:
            return self.game.compiled.seat_loops(heuristic=self._uses_heuristic)
        return self.game.compiled.seat_loops(heuristic=self._uses_heuristic, decider=self._inside.decider)

    @property
    def reward(self) -> Array:
        """Rewards of the learners since their last decisions, float64 (N,)."""
        return self._lanes["reward"]

    @property
    def terminated(self) -> Array:
        """Whether each lane's game ended in this step, bool (N,)."""
        return self._lanes["terminated"]

    @property
    def learner(self) -> Array:
        """Seats of the learners, (N,)."""
        return self._lanes["learner"]

    @property
    def ended(self) -> Array:
        """Whether each lane waits for a reset, bool (N,); always False with autoreset."""
        return self._lanes["waiting"] == ENDED

    def has_ended(self, lane: int) -> bool:
        """Return whether a lane waits for a reset, as `ended` does for all."""
        return bool(self._lanes["waiting"][lane] == ENDED)

    def reset(
        self,
        seed: int | Sequence[int | None] | Array | None = None,
        options: Options = None,
        which: Array | None = None,
        own: Sequence[Options] | None = None,
    ) -> None:
        """Start new games.

        Args:
            seed: An integer s seeds lane i with s + i; a sequence or array gives one seed per lane. None continues the
                random streams.
            options: Options of a reset, see `start_records`.
            which: bool (N,), the lanes to reset; None for all.
            own: The options of each lane, in place of `options`.
        """
        self._lifecycle.check_reset()
        if which is not None and self._states is not None and not which.all():
            self._lifecycle.check()  # the other lanes continue their games
        seeds = lane_seeds(seed, self.num_envs) if seed is not None or self._states is None else None
        which = None if self._states is None else which
        states = self.games.start(options, seeds, which, own)
        words = np.empty((3, self.num_envs), np.uint64)
        if seeds is None:
            words[:] = self._states["rng"], self._lanes["rng"], self._shown_words
        else:
            chance_words(np.array(seeds, np.uint64), words[0])
            agents_words(np.array(seeds, np.uint64), words[1])
            words[2] = shown_words(seeds)
        with self._lifecycle:
            if seeds is not None and (which is None or which.all()):
                self._rng = agents_generator(seeds)  # which all lanes share
            if which is None:
                which = np.ones(self.num_envs, np.bool_)
                self._states = states
            else:
                self._states[which] = states[which]
            self._states["rng"][which] = words[0][which]
            self._lanes["rng"][which] = words[1][which]
            self._shown_words[which] = words[2][which]
            if self.log is not None:
                self.log.begin(self._states, seeds[0] if seeds else None, is_set_up(self.game, options))
                self.log.begin_lane(self._lanes["rng"], int(self._lanes["opening"][0]), self._seat, self._mixes)
            if self._loops.start(self._states, self._lanes, which, *self._run_arguments()[1:]):
                self._query_opponents()
            self._log_inside()
            self._write_observations()

    def step(self, actions: Array | Sequence[Any]) -> None:
        """Play the learners' actions, integers (N,).

        The action of a lane whose game has ended is ignored: the lane stays ended or, with `NEXT_STEP`, starts a new
        game.

        Raises:
            IllegalActionError: if an action is not legal and `illegal_action` is "raise". The message names the lane;
                no lane is changed.
        """
        self.check()
        numbers = self._check_actions(actions)
        with self._lifecycle:
            if self.log is not None:
                self.log.add(int(numbers[0]), self.action_mask[0], int(self.learner[0]), int(actions[0]))
            if self._loops.step(
                self._states, self._lanes, numbers, self.action_mask, self.game.min_utility, *self._run_arguments()
            ):
                self._query_opponents()
            self._log_inside()
            self._write_observations()

    @property
    def opponents(self) -> list[str | Opponent]:
        """Possible opponents: the one with code k in `seats` has index k - 1."""
        return [*BUILT_IN, *self._objects]

    @property
    def seats(self) -> Array:
        """Code of the player of each seat, (N, P), 0 for the learner. A view that `reset` and `step` overwrite."""
        return self._lanes["codes"][:, : self.game.num_players]

    def set_opponent_weights(self, opponents: Opponents) -> None:
        """Change the weights with which the opponents of new games are drawn.

        Raises:
            ValueError: if the opponent objects or their order differ from before.
        """
        objects, mixes = self._drawn_from(opponents)
        if [id(one) for one in objects] != [id(one) for one in self._objects]:
            raise ValueError("invalid opponents: only the weights may change while games run, not the opponent objects")
        self._mixes = mixes
        self._uses_heuristic |= _uses_heuristic(mixes)  # running games keep their opponents

    def _drawn_from(self, opponents: Opponents) -> tuple[list[Opponent], Array]:
        return seat_opponents(opponents, self.game.num_players, self.game)

    def check(self) -> None:
        """Raise RuntimeError, with the reason, if the lanes need a reset or are closed."""
        self._lifecycle.check()

    def close(self) -> None:
        """Reject all later calls."""
        self._lifecycle.close()

    def shown_states(self, lanes: Array | Sequence[int]) -> Records:
        """Return copies of the states of some lanes, for their learners.

        Each copy has a fresh random word and hidden parts resampled from what the learner may know.

        Args:
            lanes: Indices (k,) of lanes where the learner is to act.

        Returns:
            State records (k,).

        Raises:
            IndexError: if a lane is out of range.
        """
        self.check()
        return self._opponent_inputs(check_lanes(lanes, self.num_envs), with_states=True)[3]

    def state(self, lane: int = 0) -> State:
        """Return the current position of a lane as an independent `State`. Its history starts at this position."""
        self._lifecycle.check_begun()
        lane = check_lane(lane, self.num_envs)
        return State.of_records(self.games.of(lane), self._states[lane : lane + 1])

    def records(self, lane: int = 0) -> Records:
        """Return the state record of a lane, as an array of shape (1,). Do not write to it."""
        self._lifecycle.check_begun()
        return self._states[lane : lane + 1]

    def pictures(self, renderer: Renderer) -> Iterator[Any]:
        """Render the position of each lane for its learner."""
        self._lifecycle.check_begun()
        for lane, learner in enumerate(self.learner.tolist()):
            yield renderer.render(self._states[lane : lane + 1], learner)

    def notebook_view(self, renderer: Renderer) -> str | None:
        """Return HTML that shows the first lanes to their learners; None if no games are running."""
        with contextlib.suppress(RuntimeError):
            self._lifecycle.check_begun()
            shown = enumerate(self.learner[:NOTEBOOK_LANES].tolist())
            pictures = [renderer.svg(self.records(lane), learner, outlines=False) for lane, learner in shown]
            return pictures_in_notebook(pictures, self.num_envs)
        return None

    def action_masks(self) -> Array:
        """Return the learners' action masks, a new int8 array (N, A).

        Raises:
            RuntimeError: if the lanes need a reset or are closed.
        """
        self._lifecycle.check_begun()
        return self.action_mask.copy()

    def check_begun(self) -> None:
        """Raise RuntimeError if no position may be read."""
        self._lifecycle.check_begun()

    def _run_arguments(self) -> tuple[Any, ...]:
        agent = self._inside.arrays(self._shown_words, self.log is not None) if self._inside else None
        return self.autoreset, self._seat, self._mixes, self.final_observation, self._scratch, agent

    def _log_inside(self) -> None:
        """Move the decisions that were made inside the loops to the log."""
        if self._inside is not None and self.log is not None:
            self.log.actions += self._inside.take_log()

    def _check_actions(self, actions: Array | Sequence[Any]) -> Array:
        numbers = action_numbers(actions, self.num_envs, beyond=None if self.illegal_action == "raise" else -1)
        if self.illegal_action == "raise" and first_illegal(self.action_mask, numbers) >= 0:
            lanes = np.flatnonzero(~self.ended)  # an ended game, whose mask is zero, ignores its action
            named = lanes if self.num_envs > 1 else None
            refuse_illegal(self.action_mask[lanes], numbers[lanes], named, advice=_ADVICE)
        return numbers

    def _query_opponents(self) -> None:
        """Query the opponent objects until every lane waits for its learner or has ended.

        Raises:
            ValueError: if a learner has no decision in `MOST_REPLACED` games in a row.
        """
        waiting = self._lanes["waiting"]
        self._log_inside()
        while (waiting >= FIRST_OBJECT).any():
            for index, opponent in enumerate(self._objects):
                lanes = np.flatnonzero(waiting == FIRST_OBJECT + index)
                if lanes.size:
                    actions = self._decide(opponent, lanes)
                    if self.log is not None:
                        self.log.actions += actions.tolist()
                    self._loops.resume(self._states, self._lanes, lanes, actions, *self._run_arguments())
                    self._log_inside()
        if (waiting == NEVER).any():
            seat = self._lanes["learner"][(waiting == NEVER).argmax()]
            raise ValueError(f"seat {seat} had no decision in {MOST_REPLACED:,} games of {self.game!r} in a row")

    def _decide(self, opponent: Opponent, lanes: Array) -> Array:
        needs_states = bool(getattr(opponent, "needs_states", False))
        observations, masks, players, states = self._opponent_inputs(lanes, needs_states)
        shown = states if needs_states else None
        answer = opponent.act(observations, masks.copy(), shown, players, self._rng)
        actions = action_numbers(answer, lanes.size, f"actions of opponent {opponent!r}")
        refuse_illegal(masks, actions, lanes if self.num_envs > 1 else None, f"opponent {opponent!r}'s action")
        return actions

    def _opponent_inputs(self, lanes: Array, with_states: bool) -> tuple[Array, Array, Array, Records]:
        """Return the arguments of `Opponent.act` for some lanes: observations, masks, seats and states."""
        count = lanes.size
        observations = np.empty((count, *self.game.observation_shape), self.game.observation_dtype)
        masks = np.empty((count, self.game.num_distinct_actions), np.int8)
        players = np.empty(count, np.int64)
        states = self.game.new_records(count if with_states else 0)
        self._loops.ask(self._states, self._shown_words, lanes, players, observations, masks, states)
        return observations, masks, players, states.view(np.recarray)

    def _write_observations(self) -> None:
        self._loops.observe(self._states, self._lanes, self.observation, self.action_mask)


def _uses_heuristic(mixes: Array) -> bool:
    """Return whether the heuristic has positive weight in any row of cumulative weights."""
    return bool((mixes[:, HEURISTIC - 1] > mixes[:, RANDOM - 1]).any())


def check_seat(seat: int | str, num_players: int) -> int:
    """Return the argument `seat` of an environment, -1 for "random". Raises ValueError if it is invalid."""
    if isinstance(seat, str) and seat == "random":
        return -1
    number = integer_of(seat)
    if number is None or not 0 <= number < num_players:
        raise ValueError(f"invalid seat={in_short(seat)}: expected an integer from 0 to {num_players - 1}, or 'random'")
    return number
