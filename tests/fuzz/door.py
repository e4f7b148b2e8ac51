"""What a door is, and how its examples are tried: each made again from its seed and number, and none without end."""

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
"""What an example may take at most."""

TAKEN, REFUSED = "taken", "refused"
"""How most examples end."""


@dataclass
class Story:
    """An example by its number, and what it has done, told when it fails."""

    number: int = 0
    lines: list[str] = field(default_factory=list)

    def tell(self, what: str, value: Any = None) -> None:
        """Add a line."""
        self.lines.append(what if value is None else f"{what}: {_shown(value)}")


def _shown(value: Any) -> str:
    with contextlib.suppress(ValueError, RecursionError):  # an integer of too many digits, too deep
        return repr(value)
    return f"<{type(value).__name__} that cannot be written down>"


class Door:
    """A place where input comes in. One instance tries many examples."""

    apis: tuple[str, ...] = ()
    """The APIs, of `edge_envs.warming.APIS`, whose kernels its examples need."""
    ends: tuple[str, ...] = (TAKEN, REFUSED)
    """How examples end that are no faults; in a good many of them each way turns up."""

    def __init__(self, games: Sequence[str], folder: Path) -> None:
        """A door that tries these games by name, and may write into an empty folder."""
        self.names = list(games)
        self.folder = folder

    def prepare(self) -> None:
        """Compile what the examples need, which takes its time."""
        from edge_envs.warming import APIS

        for game in self.names:
            for api in self.apis:
                APIS[api](game)

    def attempt(self, rng: Random, story: Story) -> str:
        """Try an example. Returns how it ended; a fault is an exception."""
        raise NotImplementedError

    def finish(self) -> None:
        """Look back at all examples; a fault is an AssertionError."""

    def some_game(self, rng: Random) -> Game:
        """A game with one of its sets of parameters; half of the time the plain ones."""
        sets = games_of(rng.choice(self.names))
        return sets[0] if rng.random() < 0.5 else rng.choice(sets)


@functools.cache
def games_of(name: str) -> tuple[Game, ...]:
    """A game with every set of parameters of the contract tests, the plain one first."""
    import edge_envs

    return tuple(edge_envs.load_game(name, **params) for params in parameter_sets(edge_envs.GAMES[name]))


class FaultError(AssertionError):
    """An example that showed a fault of the package; the message tells how to see it again."""


class _EndlessError(BaseException):
    """An example took too long. No `except Exception` catches it."""


def try_example(door: Door, name: str, seed: int, number: int) -> str:
    """Try one example of a door. Returns how it ended; FaultError tells what it did and what went wrong."""
    story = Story(number)
    try:
        with _limited(PROCESSOR_SECONDS):
            end = door.attempt(Random(f"{seed} {name} {number}"), story)
        assert end in door.ends, f"ended as {end!r}"
        return end
    except (Exception, _EndlessError, SystemExit):
        told = "\n".join(line if len(line) < 4000 else f"{line[:4000]}…" for line in story.lines)
        raise FaultError(f"{told}\n{traceback.format_exc()}\nagain: {again(door, name, seed, number)}") from None


def again(door: Door, name: str, seed: int, number: int) -> str:
    """The command that tries an example again."""
    return f"python -m tests.fuzz {name} --seed {seed} --example {number} --games {' '.join(door.names)}"


def try_examples(door: Door, name: str, seed: int, numbers: Iterable[int]) -> Counter[str]:
    """Try examples one after the other. Returns how many ended in which way; FaultError at the first fault."""
    ends = Counter(try_example(door, name, seed, number) for number in numbers)
    door.finish()
    return ends


@contextlib.contextmanager
def _limited(seconds: float) -> Iterator[None]:
    """Break off what takes more processor time; compiled code is broken off when it returns."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise _EndlessError(f"this goes on for more than {seconds:g} s")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        signal.signal(signal.SIGPROF, before)
