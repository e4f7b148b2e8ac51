"""Memory and file descriptors of a process over time, read from /proc on Linux."""

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
"""Allowed growth from the settled state to the end."""
SETTLED, WINDOW = 0.4, 0.15
"""When the process counts as settled, and the length of both windows, as fractions of the duration."""
SHORTEST = 240.0
"""Growth is not measured in shorter runs."""
INTERVAL = 1.0
_PAGE = os.sysconf("SC_PAGE_SIZE")


@dataclass
class Gauge:
    """Samples of this process, at least a second apart."""

    seconds: list[float] = field(default_factory=list)
    memory: list[int] = field(default_factory=list)
    descriptors: list[int] = field(default_factory=list)
    _start: float = field(default_factory=time.monotonic)

    def passed(self) -> float:
        """Return the seconds since its creation."""
        return time.monotonic() - self._start

    def sample(self) -> bool:
        """Take a sample unless the last one is too recent; return whether it was taken."""
        now = self.passed()
        if self.seconds and now - self.seconds[-1] < INTERVAL:
            return False
        gc.collect()
        self.seconds.append(round(now, 1))
        self.memory.append(int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * _PAGE)
        self.descriptors.append(len(os.listdir("/proc/self/fd")))
        return True

    def as_dict(self) -> dict[str, Any]:
        """Return all samples as JSON values."""
        return {"seconds": self.seconds, "memory": self.memory, "descriptors": self.descriptors}


def growth(seconds: list[float], values: list[int]) -> tuple[float, float] | None:
    """Return the medians of the settled state and of the end, or None if the run was too short."""
    whole = seconds[-1] if seconds else 0.0
    if whole < SHORTEST:
        return None
    windows = ((SETTLED, SETTLED + WINDOW), (1.0 - WINDOW, 1.0))
    within = [[v for s, v in zip(seconds, values, strict=True) if a * whole <= s <= b * whole] for a, b in windows]
    return (statistics.median(within[0]), statistics.median(within[1])) if all(within) else None


def resource_leaks(samples: dict[str, Any]) -> list[str]:
    """Return a line for each resource that grew too much."""
    found = []
    for name, most, unit in (("memory", MOST_GROWTH, MEGABYTE), ("descriptors", MOST_DESCRIPTORS, 1)):
        medians = growth(samples["seconds"], samples[name])
        if medians is not None and medians[1] - medians[0] > most:
            found.append(f"{name} grew from {medians[0] / unit:,.0f} to {medians[1] / unit:,.0f}")
    return found
