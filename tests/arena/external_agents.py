"""Agents for tests of `module:function`: a valid one, and many that fail."""

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


class CallbackAgent:
    """An agent that calls a function and plays its result, or the first legal action if the result is None."""

    name = "callback"
    needs_states = False

    def __init__(self, callback: Callable[[Array], Any]) -> None:
        self._callback = callback

    def act(
        self, observations: Array, action_masks: Array, states: Any, players: Array, rng: np.random.Generator
    ) -> Any:
        actions = self._callback(action_masks)
        return action_masks.argmax(axis=1) if actions is None else actions


def first(game: Game) -> CallbackAgent:
    """Play the first legal action."""
    return CallbackAgent(lambda masks: None)


def dies(game: Game) -> CallbackAgent:
    """End the process."""
    return CallbackAgent(lambda masks: os._exit(7))


def sleeps(game: Game) -> CallbackAgent:
    """Sleep for two seconds per decision."""
    return CallbackAgent(lambda masks: time.sleep(2.0))


def reports_pid(game: Game) -> CallbackAgent:
    """Write the process id to the file $PID_FILE before the sixth decision, which takes half a second."""
    calls = itertools.count()

    def report(masks: Array) -> None:
        if next(calls) == 5:  # after the warm-up
            Path(os.environ["PID_FILE"]).write_text(str(os.getpid()), encoding="utf-8")
            time.sleep(0.5)

    return CallbackAgent(report)


def raises_base(game: Game) -> CallbackAgent:
    """Raise an error that is not an `Exception`."""
    return _raising(asyncio.CancelledError("cancelled"))


def interrupts(game: Game) -> CallbackAgent:
    """Raise KeyboardInterrupt."""
    return _raising(KeyboardInterrupt())


def is_slow(game: Game) -> CallbackAgent:
    """Sleep for 5 ms per decision."""
    return CallbackAgent(lambda masks: time.sleep(0.005))


def breaks_rules(game: Game) -> CallbackAgent:
    """Play the first illegal action."""
    return CallbackAgent(lambda masks: masks.argmin(axis=1))


class UnprintableError(Exception):
    """An error whose message cannot be formatted."""

    def __str__(self) -> str:
        raise RuntimeError("no words")


def _raising(error: BaseException) -> CallbackAgent:
    def fail(masks: Array) -> None:
        raise error

    return CallbackAgent(fail)


def surrogate_error(game: Game) -> CallbackAgent:
    """Raise an error whose message contains a lone surrogate."""
    return _raising(ValueError("half \ud800"))


def unprintable_error(game: Game) -> CallbackAgent:
    """Raise an error whose message cannot be formatted."""
    return _raising(UnprintableError())


class ExitingError(Exception):
    """An error whose message exits the program."""

    def __str__(self) -> str:
        raise SystemExit("no words")


class ExitingAnswer:
    """An answer whose conversion to an array exits the program."""

    def __array__(self, *arguments: Any, **options: Any) -> Array:
        sys.exit("no numbers")


def exits_in_message(game: Game) -> CallbackAgent:
    """Raise an error whose message exits the program."""
    return _raising(ExitingError())


def exits_in_answer(game: Game) -> CallbackAgent:
    """Return an answer whose conversion to an array exits the program."""
    return CallbackAgent(lambda masks: ExitingAnswer())


def exits_in_list(game: Game) -> CallbackAgent:
    """Return a list of such answers."""
    return CallbackAgent(lambda masks: [ExitingAnswer()] * len(masks))


class UndecidedAgent(CallbackAgent):
    """An agent that cannot say whether it needs state records."""

    @property
    def needs_states(self) -> bool:  # type: ignore[override]
        """Raise an error."""
        raise KeyError("needs_states")


def fails_at_needs_states(game: Game) -> CallbackAgent:
    """Return an agent that cannot say whether it needs state records."""
    return UndecidedAgent(lambda masks: None)


def long_error(game: Game) -> CallbackAgent:
    """Raise an error with a million characters."""
    return _raising(ValueError("x" * 10**6))


def fails_late(game: Game) -> CallbackAgent:
    """Raise KeyError from the fourth decision on."""
    calls = itertools.count()

    def fail(masks: Array) -> None:
        if next(calls) > 2:
            raise KeyError("too long a game")

    return CallbackAgent(fail)


def prints(game: Game) -> CallbackAgent:
    """Print to stdout when created and at each decision."""
    print("I am here")
    return CallbackAgent(lambda masks: print("I think"))


def writes_to_stdout(game: Game) -> CallbackAgent:
    """Write to the file descriptor of stdout."""

    def write(masks: Array) -> None:
        os.write(1, b"I scribble\n")

    return CallbackAgent(write)


def dies_in_factory(game: Game) -> CallbackAgent:
    """End the process in the factory."""
    os._exit(7)


def hangs(game: Game) -> CallbackAgent:
    """Hang at the first decision."""
    return CallbackAgent(lambda masks: time.sleep(1000))


def hangs_in_factory(game: Game) -> CallbackAgent:
    """Hang in the factory."""
    time.sleep(1000)
    raise AssertionError


def returns_no_agent(game: Game) -> int:
    """Return an object that is not an agent."""
    return 7


def raises_in_factory(game: Game) -> CallbackAgent:
    """Raise KeyError in the factory."""
    raise KeyError("nothing")


def answers_nothing(game: Game) -> CallbackAgent:
    """Return an object that is not an array."""
    return CallbackAgent(lambda masks: {})


def answers_floats(game: Game) -> CallbackAgent:
    """Return actions that are not integers."""
    return CallbackAgent(lambda masks: masks.argmax(axis=1) + 0.5)


def answers_columns(game: Game) -> CallbackAgent:
    """Return legal actions in an array of the wrong shape."""
    return CallbackAgent(lambda masks: masks.argmax(axis=1)[:, None])


def answers_huge(game: Game) -> CallbackAgent:
    """Return integers that overflow an array."""
    return CallbackAgent(lambda masks: [10**30] * len(masks))


def exits(game: Game) -> CallbackAgent:
    """Call sys.exit at the first decision."""
    return CallbackAgent(lambda masks: sys.exit("bye"))


def exits_in_factory(game: Game) -> CallbackAgent:
    """Call sys.exit in the factory."""
    sys.exit("bye")
