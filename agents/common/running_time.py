"""A clock that stops while this process is suspended: after SIGSTOP or Ctrl-Z, or in a paused container.

A thread ticks four times a second. A gap of more than a second between two ticks counts as a suspension, less the
processor time that this process used in it: compiled code that holds the interpreter's lock also delays ticks. While
the machine itself sleeps, Linux stops `time.monotonic`, on which this clock is based.
"""

from __future__ import annotations

import os
import threading
import time
from dataclasses import dataclass

BEAT = 0.25  # seconds
LATE = 1.0  # seconds between two beats after which the process was suspended


@dataclass(frozen=True)
class _Beat:
    """Readings of the clocks, and the seconds for which the process was suspended until then."""

    time: float
    used: float
    suspended: float = 0.0

    def next(self) -> _Beat:
        now, used = time.monotonic(), time.process_time()
        gap = now - self.time
        lost = max(0.0, gap - max(BEAT, used - self.used)) if gap > LATE else 0.0
        return _Beat(now, used, self.suspended + lost)


class _Heart:
    """A thread that reads the clocks until the process ends."""

    def __init__(self) -> None:
        self.process = os.getpid()
        self.last = _Beat(time.monotonic(), time.process_time())
        threading.Thread(target=self._beat, name="running time", daemon=True).start()

    def _beat(self) -> None:
        while True:
            time.sleep(BEAT)
            self.last = self.last.next()


_heart: _Heart | None = None


def running_time() -> float:
    """Seconds on a monotonic clock, without those in which this process was suspended since the first call."""
    global _heart  # noqa: PLW0603  # one per process; a fork has none
    if _heart is None or _heart.process != os.getpid():
        _heart = _Heart()
    beat = _heart.last.next()
    return beat.time - beat.suspended


def is_stopped(process: int) -> bool:
    """Return whether a signal has suspended a process; False if the system does not report this."""
    try:
        with open(f"/proc/{process}/stat", "rb") as file:
            state = file.read().rpartition(b")")[2].split()[0]
    except (OSError, IndexError):
        return False
    return state in (b"T", b"t")
