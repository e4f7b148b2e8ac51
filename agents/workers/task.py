"""The jobs that workers do: plain data that can be sent to another process or machine."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

TRIES = 3  # of a job whose process dies

Heartbeat = Callable[[int], None]
"""Reports a number while a job runs, such as the seat that is about to decide; -1 means nothing is pending."""
Submit = Callable[[Any], Any]
"""Sends a job to a process and returns its result; raises DiedError if the process dies."""


class DiedError(ChildProcessError):
    """A process died during a job, or hung and was killed.

    `last_beat` is the last number that the process reported, -1 for none.
    """

    def __init__(self, last_beat: int, hung: bool) -> None:
        super().__init__(f"a worker process {'stopped responding' if hung else 'died for no known reason'}")
        self.last_beat, self.hung = last_beat, hung

    def __reduce__(self) -> tuple[type[DiedError], tuple[int, bool]]:
        return type(self), (self.last_beat, self.hung)


class Task(ABC):
    """Jobs of one kind.

    Jobs are deterministic: the result depends only on the task and the job, not on the worker.
    """

    isolated: ClassVar[bool] = False
    """Whether a job may kill its process or hang, so that it needs a separate process."""

    compiled: ClassVar[bool] = False
    """Whether jobs run in compiled code that releases the GIL, so that threads of one process can do them."""

    agents: Sequence[str] = ()
    """The names of the agents that jobs need."""

    @property
    def timeout(self) -> float:
        """Seconds without a new heartbeat after which a process is killed, if its last beat was not -1."""
        return math.inf

    @abstractmethod
    def prepare(self, heartbeat: Heartbeat) -> Callable[[Any], Any]:
        """Return the function that does the jobs. Called once per process."""

    def run(self, submit: Submit, job: Any) -> Any:
        """Run a job in a process through `submit`, and try again if the process dies."""
        for _ in range(TRIES - 1):
            try:
                return submit(job)
            except DiedError:
                pass
        return submit(job)
