"""The interface of a group of workers: jobs go out, results come back in any order."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from agents.common.console import stop_if_asked
from agents.workers.task import Task

POLL = 0.5  # seconds
WATCHED = 1000  # of the running jobs, the oldest; watching thousands would be slow


class Workers(ABC):
    """Workers that run jobs until they are closed."""

    def results(self, task: Task, jobs: Iterable[Any]) -> Iterator[tuple[int, Any]]:
        """Yield the number of each job, from 0, and its result, in order of completion.

        Jobs are taken from the iterable only when a worker has room. If a job raises an error, it is raised here, and
        these workers cannot be used again.
        """
        waiting, running = enumerate(jobs), dict[Any, int]()
        try:
            while True:
                stop_if_asked()
                while len(running) < self._room(task) and (next_one := next(waiting, None)) is not None:
                    running[self._begin(task, next_one[1])] = next_one[0]
                if not running:
                    return
                for handle in self._wait(list(islice(running, WATCHED))):
                    yield running.pop(handle), self._take(handle)
        except BaseException:
            self.stop()
            raise

    def in_order(self, task: Task, jobs: Iterable[Any]) -> Iterator[Any]:
        """Yield the result of each job, in the order of the jobs."""
        early: dict[int, Any] = {}
        wanted = 0
        for number, result in self.results(task, jobs):
            early[number] = result
            while wanted in early:
                yield early.pop(wanted)
                wanted += 1

    @abstractmethod
    def _room(self, task: Task) -> int:
        """Return how many jobs can run or wait at the same time."""

    @abstractmethod
    def _begin(self, task: Task, job: Any) -> Any:
        """Send a job to a worker and return a handle."""

    @abstractmethod
    def _wait(self, handles: Sequence[Any]) -> Iterable[Any]:
        """Wait for a short time and return the handles of finished jobs, perhaps none."""

    @abstractmethod
    def _take(self, handle: Any) -> Any:
        """Return the result of a finished job, or raise its error."""

    @abstractmethod
    def stop(self) -> None:
        """Cancel all jobs."""

    @abstractmethod
    def close(self) -> None:
        """End all worker processes."""
