"""The number of processor cores that this process may use."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from pathlib import Path


def usable_cores(root: Path = Path("/")) -> int:
    """Count the cores that CPU affinity and the CPU quotas of control groups (v1 and v2) leave to this process.

    A quota of one and a half cores counts as two. `root` is the root of the file system.
    """
    return max(1, min([_cores_by_affinity(), *map(math.ceil, _quotas(root))]))


def _cores_by_affinity() -> int:
    if hasattr(os, "process_cpu_count"):  # since Python 3.13; it also respects PYTHON_CPU_COUNT
        return os.process_cpu_count() or 1
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _quotas(root: Path) -> Iterator[float]:
    """Yield the quotas, in cores, of the control groups of this process and of all groups above them."""
    for line in _read(root / "proc/self/cgroup").splitlines():
        _, controllers, group = line.split(":", 2)
        if controllers and "cpu" not in controllers.split(","):
            continue
        tree = root / "sys/fs/cgroup" / ("cpu" if controllers else "")
        parts = [part for part in group.split("/") if part not in ("", "..")]
        for depth in range(len(parts) + 1):
            folder = tree.joinpath(*parts[:depth])
            if controllers:
                limits = [_read(folder / "cpu.cfs_quota_us"), _read(folder / "cpu.cfs_period_us")]
            else:
                limits = _read(folder / "cpu.max").split()
            if len(limits) == 2 and all(limit.strip().isdecimal() for limit in limits):  # not "max", not "-1"
                quota, period = map(int, limits)
                yield quota / max(period, 1)


def _read(path: Path) -> str:
    """Read a text file; "" if there is none."""
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
