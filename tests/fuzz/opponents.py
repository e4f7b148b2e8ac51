"""Opponents that answer at random: wrong types and shapes, illegal actions, exceptions."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np

import edge_envs
from edge_envs import Game
from edge_envs.core.spec import Array
from tests.fuzz.actions import some_actions
from tests.fuzz.door import REFUSED, TAKEN, Door, Story
from tests.fuzz.playing import check_kept

LANES = 3
STEPS = 6


class MoodyError(Exception):
    """What an opponent raises."""


class Moody:
    """An opponent that now and then does anything but answer; it also scribbles over what it is handed."""

    def __init__(self, rng: Random, story: Story) -> None:
        self._rng, self._story = rng, story
        self.needs_states = rng.random() < 0.5
        self.sane = False

    def act(self, observations: Array, action_masks: Array, states: Any, players: Array, rng: Any) -> Any:
        """Legal actions, nonsense, or an exception."""
        masks = action_masks.copy()
        if self._rng.random() < 0.3:
            for array in (observations, action_masks, players, *([] if states is None else [states.view(np.uint8)])):
                array[...] = self._rng.choice((0, 1, 127))
        if self.sane or self._rng.random() < 0.5:
            return masks.argmax(axis=1)
        if self._rng.random() < 0.2:
            raise self._rng.choice((MoodyError(), KeyboardInterrupt(), StopIteration(), MemoryError("none left")))
        answer = some_actions(self._rng, masks)
        self._story.tell(f"the opponent answers {type(answer).__name__}", answer)
        return answer


class Opponents(Door):
    """Objects that play the other seats."""

    apis = ("State", "AEC", "vector", "seat")

    def prepare(self) -> None:
        """Import what one of the faces needs, which takes its time."""
        super().prepare()
        edge_envs.sb3_vec_env(self.names[0])

    def attempt(self, rng: Random, story: Story) -> str:
        """Play against a moody opponent; after a fault nothing but a reset goes on, and then all is sound."""
        game = self.some_game(rng)
        opponent = Moody(rng, story)
        api = Api(game, opponent, rng)
        story.tell(f"{game!r}, {api.name}")
        end = TAKEN
        for _ in range(STEPS):
            try:
                api.go_on()
                api.check()
            except (ValueError, RuntimeError, MoodyError, KeyboardInterrupt, StopIteration, MemoryError) as error:
                if "had no decision" in str(error):
                    return REFUSED  # so it is with these parameters
                story.tell(f"broken off by {type(error).__name__}: {error}")
                end = REFUSED
                api.check_broken(error)
                opponent.sane = True
                api.reset()
                api.check()
                opponent.sane = False
        return end


class Api:
    """A seat env of some kind, driven by its first legal actions."""

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

    def go_on(self) -> None:
        """The first reset, then steps."""
        if not self._begun:
            self.reset()
            self._begun = True
        elif self._single and self.env.lanes.ended[0]:
            self.env.reset()
        else:
            self.step()

    def reset(self) -> None:
        """Begin again."""
        if self._rng.random() < 0.5 and self.name != "sb3_vec_env":
            self.env.reset(seed=self._rng.getrandbits(20))
        else:
            self.env.reset()

    def step(self) -> None:
        """Play the first legal actions."""
        self.env.step(self.env.action_masks().argmax(axis=-1))

    def check(self) -> None:
        """Every game is at a position that can be read and played on, with the learner to act or at its end."""
        lanes = self.env.lanes
        for lane in range(1 if self._single else LANES):
            state = lanes.state(lane)
            check_kept(state)
            over = bool(lanes.ended[lane])
            assert state.is_terminal() == over
            assert over or state.current_player() == lanes.learner[lane], "somebody else is to act"
            assert lanes.action_mask[lane].tolist() == state.legal_action_mask().tolist()

    def check_broken(self, error: BaseException) -> None:
        """Until a reset everything is refused, and the refusal names the cause."""
        try:
            self.step()
        except RuntimeError as refusal:
            assert "reset" in str(refusal)
            assert type(error).__name__ in str(refusal) or isinstance(error, RuntimeError)
        else:
            raise AssertionError("the environment went on after a fault")
