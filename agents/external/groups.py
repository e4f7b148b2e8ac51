"""Processes that end together, and at the latest with the process that has started them, however that ends."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from collections.abc import Sequence

GUARD = ("/bin/sh", "-c", "read -r line; kill -KILL 0")  # nobody writes the line
PATIENCE = 5.0  # seconds until a killed process is gone


class Group:
    """A group of processes, and what they start, unless that takes itself out of the group.

    A shell leads it and waits for the end of its stdin, which comes with the end of this process; then it kills all.
    """

    def __init__(self) -> None:
        quiet = subprocess.DEVNULL
        self._guard = subprocess.Popen(GUARD, stdin=subprocess.PIPE, stdout=quiet, stderr=quiet, process_group=0)
        self._processes = [self._guard]

    def start(self, command: Sequence[str]) -> subprocess.Popen[bytes]:
        """Start a program in the group, with pipes; where that is not possible the group ends, with OSError."""
        pipe = subprocess.PIPE
        try:
            process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, process_group=self._guard.pid)
        except BaseException:
            self.end()
            raise
        self._processes.insert(0, process)
        return process

    def end(self) -> None:
        """Kill all."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._guard.pid, signal.SIGKILL)  # nobody else has this number until the guard was waited for
        for process in self._processes:
            for pipe in (process.stdin, process.stdout):
                with contextlib.suppress(AttributeError, OSError):
                    pipe.close()  # type: ignore[union-attr]
            with contextlib.suppress(PermissionError, subprocess.TimeoutExpired):  # it may belong to somebody else now
                process.kill()  # if it has left the group
                process.wait(PATIENCE)
