"""What all workers have in common: jobs go out, results come back in any order."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from agents.common.console import stop_if_asked
from agents.workers.task import Task

POLL = 0.5  # seconds
WATCHED = 1000  # of the jobs that are out, the oldest; to look at all takes long where there are many


class Workers(ABC):
    """Those who do jobs, until they are closed."""

    def results(self, task: Task, jobs: Iterable[Any]) -> Iterator[tuple[int, Any]]:
        """What comes of each job, with its number from 0 on, as they come. `jobs` are taken as there is room for them.

        An error in a job is raised here, and nothing can be done by these workers after it.
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
        """What comes of each job, in order."""
        early: dict[int, Any] = {}
        wanted = 0
        for number, result in self.results(task, jobs):
            early[number] = result
            while wanted in early:
                yield early.pop(wanted)
                wanted += 1

    @abstractmethod
    def _room(self, task: Task) -> int:
        """How many jobs can be out."""

    @abstractmethod
    def _begin(self, task: Task, job: Any) -> Any:
        """Send a job out; a handle."""

    @abstractmethod
    def _wait(self, handles: Sequence[Any]) -> Iterable[Any]:
        """Those of the handles whose jobs are done; perhaps none, after a while."""

    @abstractmethod
    def _take(self, handle: Any) -> Any:
        """What came of a job that is done, or the error that it has raised."""

    @abstractmethod
    def stop(self) -> None:
        """Break all jobs off."""

    @abstractmethod
    def close(self) -> None:
        """End what there is of processes."""
