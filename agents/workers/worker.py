"""A worker does jobs one after another, in this process or in a child process."""

from __future__ import annotations

import contextlib
import ctypes
import functools
import multiprocessing
import os
import pickle
import signal
import threading
import time
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any

from agents.common.running_time import is_stopped
from agents.workers.task import DiedError, Task

_POLL = 0.5  # seconds


class Worker:
    """Runs the jobs of one task after another; what it prepared for the last task is kept for the next job."""

    def __init__(self) -> None:
        self._process: _Process | None = None
        self._stopped = False
        self._here: tuple[Task, Any] | None = None

    def run(self, task: Task, job: Any, isolated: bool) -> Any:
        """Return the result of a job; if `isolated`, run it in the child process."""
        if isolated:
            return task.run(functools.partial(self._submit, task), job)
        if self._here is None or self._here[0] is not task:
            self._here = task, task.prepare(_ignore_heartbeat)
        return task.run(self._here[1], job)

    def _submit(self, task: Task, job: Any) -> Any:
        if self._process is None and not self._stopped:
            self._process = _Process()
        if self._stopped:  # by another thread
            raise RuntimeError("this worker was stopped")
        assert self._process is not None
        try:
            return self._process.submit(task, job)
        except DiedError:
            self._process.reap()
            self._process = None
            raise

    def stop(self) -> None:
        """Kill the child process, even during a job; the worker does not start another one."""
        self._stopped = True
        process = self._process  # another thread may set it to None
        if process is not None:
            process.kill()

    def close(self) -> None:
        """End the child process and wait for it. No job may be running."""
        self.stop()
        if self._process is not None:
            self._process.reap()


def _ignore_heartbeat(number: int) -> None:
    pass


class _Process:
    """A child process that runs jobs."""

    def __init__(self) -> None:
        context = multiprocessing.get_context("spawn")
        self._beat = context.RawValue(ctypes.c_int, -1)
        self._since = context.RawValue(ctypes.c_double, 0.0)
        self._connection, theirs = context.Pipe()
        self._process: BaseProcess = context.Process(target=_serve, args=(theirs, self._beat, self._since), daemon=True)
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # only the parent handles Ctrl-C
        try:
            self._process.start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        theirs.close()
        self._task: Task | None = None

    def submit(self, task: Task, job: Any) -> Any:
        """Return the result of a job; DiedError if the process died, or hung and was killed."""
        answer, hung, timer = None, False, _Timer(task.timeout)
        with contextlib.suppress(EOFError, OSError):
            self._connection.send((None if self._task is task else task, job))
            while not self._connection.poll(_POLL):
                beat = self._beat.value, self._since.value
                if beat[0] >= 0 and timer.is_over(beat, is_stopped(self._process.pid or 0)):
                    hung = True
                    break
                if not self._process.is_alive() and not self._connection.poll():
                    raise EOFError  # a program that the dead process started keeps the connection open
            else:
                answer = self._connection.recv()
        if answer is None:
            self.kill()
            raise DiedError(self._beat.value, hung)
        done, result = answer
        self._task = task if done else None
        if not done:
            raise result
        return result

    def kill(self) -> None:
        """Kill the process and the programs that it started."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid or 0, signal.SIGKILL)
        self._process.kill()  # it may not have its own process group yet

    def reap(self) -> None:
        """Wait for the killed process and close the connection."""
        self._process.join()
        self._connection.close()


class _Timer:
    """Counts the seconds since a heartbeat, without those in which either process was suspended."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._beat: tuple[int, float] | None = None
        self._waited, self._last = 0.0, time.monotonic()

    def is_over(self, beat: tuple[int, float], suspended: bool) -> bool:
        """Return whether the last heartbeat is too old. Call this at every poll."""
        now = time.monotonic()
        since, self._last = self._last, now
        if beat != self._beat:
            self._beat, self._waited, since = beat, 0.0, max(since, beat[1])
        if not suspended:
            self._waited += min(now - since, 2 * _POLL)  # a longer gap between polls: this process was suspended
        return self._waited > self._seconds


def _serve(connection: Connection, last: Any, since: Any) -> None:
    """Run jobs from the connection until the other end closes. This is the main function of the child process."""
    os.setpgid(0, 0)  # so that programs started by agents are killed with this process
    os.dup2(2, 1)  # stdout belongs to the main program, whatever jobs print
    os.environ |= {"EDGE_ENVS_QUIET": "1", "OMP_NUM_THREADS": "1"}
    threading.Thread(target=_end_with_parent, daemon=True).start()

    def heartbeat(number: int) -> None:
        since.value = time.monotonic()
        last.value = number

    ready: Any = None
    with contextlib.suppress(EOFError, OSError):
        while True:
            task, job = connection.recv()
            try:
                if task is not None:
                    ready = task.prepare(heartbeat)
                answer = True, ready(job)
            except Exception as error:
                answer = False, portable(error)
            except BaseException:  # an agent tried to end the process
                os._exit(1)
            connection.send(answer)


def _end_with_parent() -> None:
    """Kill this process group, with all programs of agents, when the parent process ends."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os.killpg(0, signal.SIGKILL)


def portable(error: Exception) -> Exception:
    """Return the error, or a RuntimeError with its text if it cannot be pickled."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error
