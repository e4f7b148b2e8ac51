"""Groups of processes that end together, at the latest when the process that started them ends."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from collections.abc import Sequence

GUARD = ("/bin/sh", "-c", "read -r line; kill -KILL 0")  # no line is ever written
PATIENCE = 5.0  # seconds until a killed process is gone


class Group:
    """A process group: processes and their children, unless they leave the group.

    A shell leads the group and waits for the end of its stdin, when this process ends; then it kills the group.
    """

    def __init__(self) -> None:
        quiet = subprocess.DEVNULL
        self._guard = subprocess.Popen(GUARD, stdin=subprocess.PIPE, stdout=quiet, stderr=quiet, process_group=0)
        self._processes = [self._guard]

    def start(self, command: Sequence[str]) -> subprocess.Popen[bytes]:
        """Start a program in the group, with pipes; if that fails, end the group and raise OSError."""
        pipe = subprocess.PIPE
        try:
            process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, process_group=self._guard.pid)
        except BaseException:
            self.end()
            raise
        self._processes.insert(0, process)
        return process

    def end(self) -> None:
        """Kill all processes."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._guard.pid, signal.SIGKILL)  # the number stays ours until the guard was waited for
        for process in self._processes:
            for pipe in (process.stdin, process.stdout):
                with contextlib.suppress(AttributeError, OSError):
                    pipe.close()  # type: ignore[union-attr]
            with contextlib.suppress(PermissionError, subprocess.TimeoutExpired):  # the number may be reused
                process.kill()  # if it has left the group
                process.wait(PATIENCE)
