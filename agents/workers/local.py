"""Workers on this machine."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from queue import SimpleQueue
from typing import Any

from agents.workers.task import Task
from agents.workers.worker import Hand
from agents.workers.workers import POLL, Workers


class LocalWorkers(Workers):
    """So many processes; one alone does what needs no process apart in this one, and so do threads what is compiled."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._hands = [Hand() for _ in range(count)]
        self._idle: SimpleQueue[Hand] = SimpleQueue()
        for hand in self._hands:
            self._idle.put(hand)
        self._threads: ThreadPoolExecutor | None = None

    def _here(self, task: Task) -> bool:
        """Whether this thread does the jobs."""
        return self._count == 1 and not task.apart

    def _room(self, task: Task) -> int:
        return 1 if self._here(task) else 2 * self._count

    def _begin(self, task: Task, job: Any) -> Future[Any]:
        if self._here(task):
            done: Future[Any] = Future()
            done.set_result(self._hands[0].do(task, job, apart=False))
            return done
        if self._threads is None:
            self._threads = ThreadPoolExecutor(self._count)
        return self._threads.submit(self._do, task, job)

    def _do(self, task: Task, job: Any) -> Any:
        hand = self._idle.get()
        try:
            return hand.do(task, job, apart=task.apart or not task.compiled)
        finally:
            self._idle.put(hand)

    def _wait(self, handles: Sequence[Future[Any]]) -> Iterable[Future[Any]]:
        return wait(handles, POLL, FIRST_COMPLETED).done

    def _take(self, handle: Future[Any]) -> Any:
        return handle.result()

    def stop(self) -> None:
        """Break all jobs off."""
        for hand in self._hands:
            hand.stop()

    def close(self) -> None:
        """End the processes."""
        self.stop()
        if self._threads is not None:
            self._threads.shutdown(cancel_futures=True)
        for hand in self._hands:
            hand.close()
