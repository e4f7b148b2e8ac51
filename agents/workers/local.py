"""Workers on this machine."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from queue import SimpleQueue
from typing import Any

from agents.workers.task import Task
from agents.workers.worker import Worker
from agents.workers.workers import POLL, Workers


class LocalWorkers(Workers):
    """Up to `count` worker processes.

    With one worker, jobs run in this process unless they must be isolated. Compiled jobs run in threads.
    """

    def __init__(self, count: int) -> None:
        self._count = count
        self._workers = [Worker() for _ in range(count)]
        self._idle: SimpleQueue[Worker] = SimpleQueue()
        for worker in self._workers:
            self._idle.put(worker)
        self._threads: ThreadPoolExecutor | None = None

    def _here(self, task: Task) -> bool:
        """Return whether this thread runs the jobs itself."""
        return self._count == 1 and not task.isolated

    def _room(self, task: Task) -> int:
        return 1 if self._here(task) else 2 * self._count

    def _begin(self, task: Task, job: Any) -> Future[Any]:
        if self._here(task):
            done: Future[Any] = Future()
            done.set_result(self._workers[0].run(task, job, isolated=False))
            return done
        if self._threads is None:
            self._threads = ThreadPoolExecutor(self._count)
        return self._threads.submit(self._do, task, job)

    def _do(self, task: Task, job: Any) -> Any:
        worker = self._idle.get()
        try:
            return worker.run(task, job, isolated=task.isolated or not task.compiled)
        finally:
            self._idle.put(worker)

    def _wait(self, handles: Sequence[Future[Any]]) -> Iterable[Future[Any]]:
        return wait(handles, POLL, FIRST_COMPLETED).done

    def _take(self, handle: Future[Any]) -> Any:
        return handle.result()

    def stop(self) -> None:
        """Cancel all jobs."""
        for worker in self._workers:
            worker.stop()

    def close(self) -> None:
        """End the worker processes."""
        self.stop()
        if self._threads is not None:
            self._threads.shutdown(cancel_futures=True)
        for worker in self._workers:
            worker.close()
