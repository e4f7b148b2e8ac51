"""Fuzz targets and their examples, which are reproducible from seed and number and have a time limit."""

from __future__ import annotations

import contextlib
import functools
import signal
import traceback
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any

from edge_envs import Game
from tests.contract.cases import parameter_sets

PROCESSOR_SECONDS = 30.0
"""Limit on the processor time of an example."""

ACCEPTED, REJECTED = "accepted", "rejected"
"""The usual outcomes of an example."""


@dataclass
class Trace:
    """The number of an example and a log of its steps, which is printed if it fails."""

    number: int = 0
    lines: list[str] = field(default_factory=list)

    def add(self, what: str, value: Any = None) -> None:
        """Add a line."""
        self.lines.append(what if value is None else f"{what}: {_shown(value)}")


def _shown(value: Any) -> str:
    with contextlib.suppress(ValueError, RecursionError):  # an integer with too many digits, or too deep
        return repr(value)
    return f"<{type(value).__name__} that cannot be printed>"


class Target:
    """An entry point of input. One instance runs many examples."""

    apis: tuple[str, ...] = ()
    """The APIs (keys of `edge_envs.warming.APIS`) whose kernels the examples need."""
    outcomes: tuple[str, ...] = (ACCEPTED, REJECTED)
    """The outcomes of examples without a fault; each occurs if there are enough examples."""

    def __init__(self, games: Sequence[str], folder: Path) -> None:
        """Create a target for games by name, with an empty folder for its files."""
        self.names = list(games)
        self.folder = folder

    def prepare(self) -> None:
        """Compile the kernels that the examples need."""
        from edge_envs.warming import APIS

        for game in self.names:
            for api in self.apis:
                APIS[api](game)

    def attempt(self, rng: Random, trace: Trace) -> str:
        """Run an example and return its outcome; a fault raises an exception."""
        raise NotImplementedError

    def finish(self) -> None:
        """Check all examples together; a fault raises AssertionError."""

    def some_game(self, rng: Random) -> Game:
        """Return a random game with a random set of parameters; half of the time the plain set."""
        sets = games_of(rng.choice(self.names))
        return sets[0] if rng.random() < 0.5 else rng.choice(sets)


@functools.cache
def games_of(name: str) -> tuple[Game, ...]:
    """Return a game with each set of parameters of the contract tests, the plain one first."""
    import edge_envs

    return tuple(edge_envs.load_game(name, **params) for params in parameter_sets(edge_envs.GAMES[name]))


class FaultError(AssertionError):
    """An example showed a fault of the package; the message contains the command that repeats it."""


class _TimeLimitError(BaseException):
    """An example took too long. `except Exception` does not catch it."""


def try_example(target: Target, name: str, seed: int, number: int) -> str:
    """Run one example of a target and return its outcome; FaultError contains its log and the error."""
    trace = Trace(number)
    try:
        with _time_limit(PROCESSOR_SECONDS):
            outcome = target.attempt(Random(f"{seed} {name} {number}"), trace)
        assert outcome in target.outcomes, f"unexpected outcome {outcome!r}"
        return outcome
    except (Exception, _TimeLimitError, SystemExit):
        steps = "\n".join(line if len(line) < 4000 else f"{line[:4000]}…" for line in trace.lines)
        raise FaultError(
            f"{steps}\n{traceback.format_exc()}\nrepeat: {repeat_command(target, name, seed, number)}"
        ) from None


def repeat_command(target: Target, name: str, seed: int, number: int) -> str:
    """Return the command that repeats an example."""
    return f"python -m tests.fuzz {name} --seed {seed} --example {number} --games {' '.join(target.names)}"


def try_examples(target: Target, name: str, seed: int, numbers: Iterable[int]) -> Counter[str]:
    """Run examples and count their outcomes; FaultError at the first fault."""
    outcomes = Counter(try_example(target, name, seed, number) for number in numbers)
    target.finish()
    return outcomes


@contextlib.contextmanager
def _time_limit(seconds: float) -> Iterator[None]:
    """Limit the processor time of a block; compiled code is interrupted when it returns."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise _TimeLimitError(f"took more than {seconds:g} s")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        signal.signal(signal.SIGPROF, before)
