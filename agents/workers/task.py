"""What workers do: jobs of one kind, in plain data that a process or a machine can be sent."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

TRIES = 3  # of a job whose process dies

Note = Callable[[int], None]
Ask = Callable[[Any], Any]


class DiedError(ChildProcessError):
    """A process died over a job, or hung and was killed; `note` is what it had noted last, -1 for nothing."""

    def __init__(self, note: int, hung: bool) -> None:
        super().__init__(f"a process that was at work {'never came back' if hung else 'ended without a reason'}")
        self.note, self.hung = note, hung

    def __reduce__(self) -> tuple[type[DiedError], tuple[int, bool]]:
        return type(self), (self.note, self.hung)


class Task(ABC):
    """Jobs of one kind. What comes of a job follows from the task and the job alone, whoever does it."""

    apart: ClassVar[bool] = False
    """Whether a job may end its process or never come back, so that a process of its own has to do it."""

    compiled: ClassVar[bool] = False
    """Whether jobs are compiled code beside which other threads can run, so that one process does."""

    agents: Sequence[str] = ()
    """The agents that jobs need, by name."""

    @property
    def patience(self) -> float:
        """Seconds after which a process that has noted something is killed if it has noted nothing new."""
        return math.inf

    @abstractmethod
    def get_ready(self, note: Note) -> Callable[[Any], Any]:
        """Make, once in a process, what does its jobs. It may note numbers, and -1 for nothing."""

    def do(self, ask: Ask, job: Any) -> Any:
        """Have a job done by a process, which `ask` does; it raises DiedError if the process died over it."""
        for _ in range(TRIES - 1):
            try:
                return ask(job)
            except DiedError:
                pass
        return ask(job)
