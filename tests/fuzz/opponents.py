"""Fuzz opponents: wrong types and shapes, illegal actions, exceptions."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np

import edge_envs
from edge_envs import Game
from edge_envs.core.spec import Array
from tests.fuzz.actions import some_actions
from tests.fuzz.playing import check_round_trip
from tests.fuzz.target import ACCEPTED, REJECTED, Target, Trace

LANES = 3
STEPS = 6


class OpponentError(Exception):
    """An error of an opponent."""


class FaultyOpponent:
    """An opponent that sometimes fails or returns invalid actions, and overwrites its inputs."""

    def __init__(self, rng: Random, trace: Trace) -> None:
        self._rng, self._trace = rng, trace
        self.needs_states = rng.random() < 0.5
        self.valid = False

    def act(self, observations: Array, action_masks: Array, states: Any, players: Array, rng: Any) -> Any:
        """Return legal or invalid actions, or raise an exception."""
        masks = action_masks.copy()
        if self._rng.random() < 0.3:
            for array in (observations, action_masks, players, *([] if states is None else [states.view(np.uint8)])):
                array[...] = self._rng.choice((0, 1, 127))
        if self.valid or self._rng.random() < 0.5:
            return masks.argmax(axis=1)
        if self._rng.random() < 0.2:
            raise self._rng.choice((OpponentError(), KeyboardInterrupt(), StopIteration(), MemoryError("none left")))
        answer = some_actions(self._rng, masks)
        self._trace.add(f"the opponent answers {type(answer).__name__}", answer)
        return answer


class Opponents(Target):
    """Opponent objects."""

    apis = ("State", "AEC", "vector", "seat")

    def prepare(self) -> None:
        """Import Stable-Baselines3, which is slow."""
        super().prepare()
        edge_envs.sb3_vec_env(self.names[0])

    def attempt(self, rng: Random, trace: Trace) -> str:
        """Play against a faulty opponent; after an error only a reset is allowed, which restores the environment."""
        game = self.some_game(rng)
        opponent = FaultyOpponent(rng, trace)
        api = Api(game, opponent, rng)
        trace.add(f"{game!r}, {api.name}")
        outcome = ACCEPTED
        for _ in range(STEPS):
            try:
                api.advance()
                api.check()
            except (ValueError, RuntimeError, OpponentError, KeyboardInterrupt, StopIteration, MemoryError) as error:
                if "had no decision" in str(error):
                    return REJECTED  # depends on the parameters
                trace.add(f"interrupted by {type(error).__name__}: {error}")
                outcome = REJECTED
                api.check_requires_reset(error)
                opponent.valid = True
                api.reset()
                api.check()
                opponent.valid = False
        return outcome


class Api:
    """A seat environment that is stepped with the first legal actions."""

    def __init__(self, game: Game, opponent: Any, rng: Random) -> None:
        self._rng, self._begun = rng, False
        self.name = rng.choice(("seat_env", "seat_vector_env", "sb3_vec_env"))
        self._single = self.name == "seat_env"
        opponents: Any = rng.choice((opponent, edge_envs.OpponentMix([(opponent, 0.7), ("random", 0.3)])))
        options: dict[str, Any] = {} if self._single else {"num_envs": LANES}
        if self.name == "seat_vector_env":
            options["autoreset_mode"] = rng.choice(("SameStep", "NextStep"))
        options["random_opening"] = rng.choice((0, 0, 3))
        self.env: Any = getattr(edge_envs, self.name)(game.name, opponents=opponents, **options, **game.params_dict())

    def advance(self) -> None:
        """Reset if necessary, else step."""
        if not self._begun:
            self.reset()
            self._begun = True
        elif self._single and self.env.lanes.ended[0]:
            self.env.reset()
        else:
            self.step()

    def reset(self) -> None:
        """Reset, with or without a seed."""
        if self._rng.random() < 0.5 and self.name != "sb3_vec_env":
            self.env.reset(seed=self._rng.getrandbits(20))
        else:
            self.env.reset()

    def step(self) -> None:
        """Step with the first legal actions."""
        self.env.step(self.env.action_masks().argmax(axis=-1))

    def check(self) -> None:
        """Check that every position survives JSON, and that the learner is to act or the game is over."""
        lanes = self.env.lanes
        for lane in range(1 if self._single else LANES):
            state = lanes.state(lane)
            check_round_trip(state)
            over = bool(lanes.ended[lane])
            assert state.is_terminal() == over
            assert over or state.current_player() == lanes.learner[lane], "another player is to act"
            assert lanes.action_mask[lane].tolist() == state.legal_action_mask().tolist()

    def check_requires_reset(self, error: BaseException) -> None:
        """Check that stepping requires a reset, with an error that names the cause."""
        try:
            self.step()
        except RuntimeError as rejection:
            assert "reset" in str(rejection)
            assert type(error).__name__ in str(rejection) or isinstance(error, RuntimeError)
        else:
            raise AssertionError("stepping was possible after an error")
