"""Test the number of usable cores: affinity and control groups, v1 and v2."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from agents.workers import cores
from agents.workers.cores import usable_cores
from agents.workers.opening import open_workers
from tests.programs import ROOT


@pytest.fixture(autouse=True)
def many_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    """Set the affinity to 16 cores."""
    monkeypatch.setattr(cores, "_cores_by_affinity", lambda: 16)


def machine(root: Path, group: str, files: dict[str, str]) -> Path:
    """Create a root file system with the control groups of a process."""
    for name, text in {"proc/self/cgroup": group, **files}.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    return root


V1 = "5:cpu,cpuacct:/docker/abc\n4:memory:/other\n"


@pytest.mark.parametrize(
    ("group", "files", "expected"),
    [
        ("0::/\n", {}, 16),
        ("0::/\n", {"cpu.max": "max 100000\n"}, 16),
        ("0::/\n", {"cpu.max": "200000 100000\n"}, 2),
        ("0::/\n", {"cpu.max": "150000 100000\n"}, 2),
        ("0::/\n", {"cpu.max": "10000 100000\n"}, 1),
        ("0::/\n", {"cpu.max": "9900000 100000\n"}, 16),
        ("0::/\n", {"cpu.max": "nonsense\n"}, 16),
        ("0::/\n", {"cpu.max": "100000 0\n"}, 16),
        ("0::/pod/job\n", {"cpu.max": "max 100000\n", "pod/cpu.max": "300000 100000\n", "pod/job/cpu.max": "max"}, 3),
        ("0::/../..\n", {"cpu.max": "400000 100000\n"}, 4),
        (V1, {"cpu/docker/abc/cpu.cfs_quota_us": "250000\n", "cpu/docker/abc/cpu.cfs_period_us": "100000\n"}, 3),
        (V1, {"cpu/cpu.cfs_quota_us": "50000\n", "cpu/cpu.cfs_period_us": "50000\n"}, 1),
        (V1, {"cpu/docker/abc/cpu.cfs_quota_us": "-1\n", "cpu/docker/abc/cpu.cfs_period_us": "100000\n"}, 16),
        (V1, {"cpu/docker/abc/cpu.cfs_quota_us": "100000\n"}, 16),
    ],
)  # fmt: skip
def test_cgroup_quota_limits_the_cores(tmp_path: Path, group: str, files: dict[str, str], expected: int) -> None:
    root = machine(tmp_path, group, {f"sys/fs/cgroup/{name}": text for name, text in files.items()})
    assert usable_cores(root) == expected


def test_affinity_applies_without_control_groups(tmp_path: Path) -> None:
    assert usable_cores(tmp_path) == 16


COUNT = """
import os
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
from agents.workers.cores import usable_cores
print(usable_cores())
"""


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="this system has no CPU affinity")
def test_affinity_limits_the_cores() -> None:
    done = subprocess.run([sys.executable, "-c", COUNT], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "1\n"


def test_programs_start_a_worker_for_each_usable_core(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("agents.workers.opening.usable_cores", lambda: 3)
    started: list[int] = []
    monkeypatch.setattr("agents.workers.opening.LocalWorkers.__init__", lambda self, count: started.append(count))
    monkeypatch.setattr("agents.workers.opening.LocalWorkers.close", lambda self: None)
    for count, default in ((None, None), (2, None), (None, 1)):
        with open_workers(count, None, default):
            pass
    assert started == [3, 2, 1]
