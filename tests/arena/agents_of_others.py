"""Agents by `module:function` that tests need: good ones, and those that fail in every way."""

from __future__ import annotations

import asyncio
import itertools
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from edge_envs import Game
from edge_envs.core.spec import Array


class Doing:
    """An agent that does something before it takes the first legal action."""

    name = "doing"
    needs_states = False

    def __init__(self, something: Callable[[Array], Any]) -> None:
        self._something = something

    def act(
        self, observations: Array, action_masks: Array, states: Any, players: Array, rng: np.random.Generator
    ) -> Any:
        done = self._something(action_masks)
        return action_masks.argmax(axis=1) if done is None else done


def first(game: Game) -> Doing:
    """The first legal action."""
    return Doing(lambda masks: None)


def dies(game: Game) -> Doing:
    """Ends its process."""
    return Doing(lambda masks: os._exit(7))


def sleeps(game: Game) -> Doing:
    """Thinks for two seconds."""
    return Doing(lambda masks: time.sleep(2.0))


def tells(game: Game) -> Doing:
    """Writes the number of its process into the file $TOLD before its sixth decision, which takes half a second."""
    asked = itertools.count()

    def tell(masks: Array) -> None:
        if next(asked) == 5:  # after those that get agents ready
            Path(os.environ["TOLD"]).write_text(str(os.getpid()), encoding="utf-8")
            time.sleep(0.5)

    return Doing(tell)


def raises_base(game: Game) -> Doing:
    """Fails with what is no `Exception`."""
    return _raising(asyncio.CancelledError("cancelled"))


def interrupts(game: Game) -> Doing:
    """Fails as if somebody had interrupted it."""
    return _raising(KeyboardInterrupt())


def dawdles(game: Game) -> Doing:
    """Thinks for so long that a match takes a while."""
    return Doing(lambda masks: time.sleep(0.005))


def breaks_rules(game: Game) -> Doing:
    """Always the first illegal action."""
    return Doing(lambda masks: masks.argmin(axis=1))


class MuteError(Exception):
    """An error that fails to say what it is."""

    def __str__(self) -> str:
        raise RuntimeError("no words")


def _raising(error: BaseException) -> Doing:
    def fail(masks: Array) -> None:
        raise error

    return Doing(fail)


def surrogate(game: Game) -> Doing:
    """Fails with half a character."""
    return _raising(ValueError("half \ud800"))


def mute(game: Game) -> Doing:
    """Fails with an error that fails."""
    return _raising(MuteError())


def talkative(game: Game) -> Doing:
    """Fails with a million letters."""
    return _raising(ValueError("x" * 10**6))


def fails_late(game: Game) -> Doing:
    """Fails in the third decision."""
    asked = itertools.count()

    def fail(masks: Array) -> None:
        if next(asked) > 2:
            raise KeyError("too long a game")

    return Doing(fail)


def talks(game: Game) -> Doing:
    """Prints whatever it does."""
    print("I am here")
    return Doing(lambda masks: print("I think"))


def scribbles(game: Game) -> Doing:
    """Writes to the file of stdout, past Python."""

    def write(masks: Array) -> None:
        os.write(1, b"I scribble\n")

    return Doing(write)


def dies_early(game: Game) -> Doing:
    """Ends its process when it is made."""
    os._exit(7)


def hangs(game: Game) -> Doing:
    """Never decides."""
    return Doing(lambda masks: time.sleep(1000))


def hangs_early(game: Game) -> Doing:
    """Is never made."""
    time.sleep(1000)
    raise AssertionError


def no_agent(game: Game) -> int:
    """Makes no agent."""
    return 7


def cannot(game: Game) -> Doing:
    """Makes nothing."""
    raise KeyError("nothing")


def answers_nothing(game: Game) -> Doing:
    """Answers with something that is no array."""
    return Doing(lambda masks: {})


def answers_floats(game: Game) -> Doing:
    """The first legal action and a half."""
    return Doing(lambda masks: masks.argmax(axis=1) + 0.5)


def answers_columns(game: Game) -> Doing:
    """Legal actions in an array of another shape."""
    return Doing(lambda masks: masks.argmax(axis=1)[:, None])


def answers_huge(game: Game) -> Doing:
    """Numbers that no array of integers holds."""
    return Doing(lambda masks: [10**30] * len(masks))


def quits(game: Game) -> Doing:
    """Ends the program when it is asked."""
    return Doing(lambda masks: sys.exit("bye"))


def never_made(game: Game) -> Doing:
    """Ends the program when it is made."""
    sys.exit("bye")
