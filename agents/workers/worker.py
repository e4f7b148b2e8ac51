"""A hand does one job after another, here or in a process of its own."""

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


class Hand:
    """Does jobs of one task after another, and keeps what has been made ready for the last one."""

    def __init__(self) -> None:
        self._process: _Process | None = None
        self._stopped = False
        self._here: tuple[Task, Any] | None = None

    def do(self, task: Task, job: Any, apart: bool) -> Any:
        """What comes of a job, done in a process of its own or here."""
        if apart:
            return task.do(functools.partial(self._ask, task), job)
        if self._here is None or self._here[0] is not task:
            self._here = task, task.get_ready(_note_nothing)
        return task.do(self._here[1], job)

    def _ask(self, task: Task, job: Any) -> Any:
        if self._process is None and not self._stopped:
            self._process = _Process()
        if self._stopped:  # by another thread
            raise RuntimeError("this hand was stopped")
        assert self._process is not None
        try:
            return self._process.ask(task, job)
        except DiedError:
            self._process.reap()
            self._process = None
            raise

    def stop(self) -> None:
        """End the process in the midst of a job; from now on there is none."""
        self._stopped = True
        process = self._process  # which another thread may let go of
        if process is not None:
            process.kill()

    def close(self) -> None:
        """End the process when no job is done."""
        self.stop()
        if self._process is not None:
            self._process.reap()


def _note_nothing(number: int) -> None:
    pass


class _Process:
    """A process that does jobs."""

    def __init__(self) -> None:
        context = multiprocessing.get_context("spawn")
        self._note = context.RawValue(ctypes.c_int, -1)
        self._since = context.RawValue(ctypes.c_double, 0.0)
        self._connection, theirs = context.Pipe()
        self._process: BaseProcess = context.Process(target=_serve, args=(theirs, self._note, self._since), daemon=True)
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # Ctrl-C is for who started it
        try:
            self._process.start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        theirs.close()
        self._task: Task | None = None

    def ask(self, task: Task, job: Any) -> Any:
        """What comes of a job; DiedError if the process died over it, or was killed as it hung."""
        answer, hung, patience = None, False, _Patience(task.patience)
        with contextlib.suppress(EOFError, OSError):
            self._connection.send((None if self._task is task else task, job))
            while not self._connection.poll(_POLL):
                noted = self._note.value, self._since.value
                if noted[0] >= 0 and patience.is_over(noted, is_stopped(self._process.pid or 0)):
                    hung = True
                    break
                if not self._process.is_alive() and not self._connection.poll():
                    raise EOFError  # a process that it has left behind holds the connection open
            else:
                answer = self._connection.recv()
        if answer is None:
            self.kill()
            raise DiedError(self._note.value, hung)
        done, result = answer
        self._task = task if done else None
        if not done:
            raise result
        return result

    def kill(self) -> None:
        """End the process at once, and the programs that it has started."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid or 0, signal.SIGKILL)
        self._process.kill()  # if it has no group of its own yet

    def reap(self) -> None:
        """Let go of a process that was killed."""
        self._process.join()
        self._connection.close()


class _Patience:
    """Counts the seconds for which something was noted, without those in which either process was suspended."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._noted: tuple[int, float] | None = None
        self._waited, self._last = 0.0, time.monotonic()

    def is_over(self, noted: tuple[int, float], suspended: bool) -> bool:
        """Whether this has been noted for too long; to be asked in each poll."""
        now = time.monotonic()
        since, self._last = self._last, now
        if noted != self._noted:
            self._noted, self._waited, since = noted, 0.0, max(since, noted[1])
        if not suspended:
            self._waited += min(now - since, 2 * _POLL)  # a longer time between two polls: this process was suspended
        return self._waited > self._seconds


def _serve(connection: Connection, last: Any, since: Any) -> None:
    """What a process does: jobs that it is sent, until nobody is left to send some."""
    os.setpgid(0, 0)  # to be killed together with the programs that it starts
    os.dup2(2, 1)  # stdout is for what the program tells, whatever jobs write
    os.environ |= {"EDGE_ENVS_QUIET": "1", "OMP_NUM_THREADS": "1"}
    threading.Thread(target=_end_with_parent, daemon=True).start()

    def note(number: int) -> None:
        since.value = time.monotonic()
        last.value = number

    ready: Any = None
    with contextlib.suppress(EOFError, OSError):
        while True:
            task, job = connection.recv()
            try:
                if task is not None:
                    ready = task.get_ready(note)
                answer = True, ready(job)
            except Exception as error:
                answer = False, portable(error)
            except BaseException:  # an agent's own way to end a process, which counts as any other
                os._exit(1)
            connection.send(answer)


def _end_with_parent() -> None:
    """End with the process that started this one, and so do the programs that agents have started."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os.killpg(0, signal.SIGKILL)


def portable(error: Exception) -> Exception:
    """The error, or one that tells of it if it cannot be sent."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error
