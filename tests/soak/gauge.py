"""Memory and descriptors of a process over time, and whether they stand still. It reads Linux's /proc."""

from __future__ import annotations

import gc
import os
import statistics
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

MEGABYTE = 2**20
MOST_GROWTH = 48 * MEGABYTE
MOST_DESCRIPTORS = 8
"""What may be added between the time when all has been used and the end."""
SETTLED, WINDOW = 0.4, 0.15
"""The share of the time after which all has been used, and of what is looked at then and at the end."""
SHORTEST = 240.0
"""In less time nothing settles, and nothing is said of growth."""
INTERVAL = 1.0
_PAGE = os.sysconf("SC_PAGE_SIZE")


@dataclass
class Gauge:
    """Samples of this process, a second or more apart."""

    seconds: list[float] = field(default_factory=list)
    memory: list[int] = field(default_factory=list)
    descriptors: list[int] = field(default_factory=list)
    _start: float = field(default_factory=time.monotonic)

    def passed(self) -> float:
        """Seconds since it was made."""
        return time.monotonic() - self._start

    def sample(self) -> bool:
        """Look, unless that was done a moment ago; whether it looked."""
        now = self.passed()
        if self.seconds and now - self.seconds[-1] < INTERVAL:
            return False
        gc.collect()
        self.seconds.append(round(now, 1))
        self.memory.append(int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * _PAGE)
        self.descriptors.append(len(os.listdir("/proc/self/fd")))
        return True

    def as_dict(self) -> dict[str, Any]:
        """All samples, ready for JSON."""
        return {"seconds": self.seconds, "memory": self.memory, "descriptors": self.descriptors}


def growth(seconds: list[float], values: list[int]) -> tuple[float, float] | None:
    """What was usual when all had been used, and at the end; None if that cannot be told in so short a time."""
    whole = seconds[-1] if seconds else 0.0
    if whole < SHORTEST:
        return None
    windows = ((SETTLED, SETTLED + WINDOW), (1.0 - WINDOW, 1.0))
    within = [[v for s, v in zip(seconds, values, strict=True) if a * whole <= s <= b * whole] for a, b in windows]
    return (statistics.median(within[0]), statistics.median(within[1])) if all(within) else None


def hoards(samples: dict[str, Any]) -> list[str]:
    """In a line each, what was not given back."""
    found = []
    for name, most, unit in (("memory", MOST_GROWTH, MEGABYTE), ("descriptors", MOST_DESCRIPTORS, 1)):
        told = growth(samples["seconds"], samples[name])
        if told is not None and told[1] - told[0] > most:
            found.append(f"{name} grew from {told[0] / unit:,.0f} to {told[1] / unit:,.0f}")
    return found
