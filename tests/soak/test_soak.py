"""A few rounds of each part, that faults and growth are told, and that the page is of this soak."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.fuzz.test_fuzz import smallest_games
from tests.programs import ROOT
from tests.soak import programs
from tests.soak.gauge import MEGABYTE, Gauge, growth, hoards
from tests.soak.report import HEAD, summary, write_report

QUICK = "collect"
"""The program that ends soonest."""


def samples(memory: list[int], descriptors: list[int] | None = None) -> dict[str, Any]:
    """Of a process that was looked at every ten seconds; memory in megabytes."""
    return {
        "seconds": [10.0 * k for k in range(len(memory))],
        "memory": [value * MEGABYTE for value in memory],
        "descriptors": descriptors or [9] * len(memory),
    }


def test_a_short_soak_of_games_and_page_is_sound(tmp_path: Path) -> None:
    report = tmp_path / "soak.md"
    command = [sys.executable, "-m", "tests.soak", "faces", "page", "--seed", "1", "--minutes", "0.05"]
    done = subprocess.run(
        [*command, "--games", *smallest_games()[:2], "--report", str(report)],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"^faces +sound\npage +sound$", done.stdout, re.MULTILINE), done.stdout
    assert report.read_text(encoding="utf-8").startswith(HEAD)
    assert "</svg>" in (tmp_path / "plots" / "soak.svg").read_text(encoding="utf-8")


def test_a_program_that_is_broken_off_ends_like_an_unbroken_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tests.fuzz.door import try_examples

    monkeypatch.setattr(programs, "WORKS", {QUICK: programs.WORKS[QUICK]})
    monkeypatch.setattr(programs.Programs, "ends", (QUICK,))
    part = programs.Programs(["falling_off"], tmp_path)
    assert try_examples(part, "programs", 1, range(1)) == {QUICK: 1}


def test_what_is_lost_is_a_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.fuzz.door import FaultError, try_example

    monkeypatch.setattr(programs.Programs, "ends", (QUICK,))
    monkeypatch.setattr(programs.Programs, "_unbroken", lambda self, name: ({"00000.safetensors": b"other"}, 0.1))
    monkeypatch.setattr(programs.Programs, "_run", lambda self, name, folder: folder.mkdir(exist_ok=True))
    with pytest.raises(FaultError, match=r"AssertionError[^$]*again: python -m tests.fuzz programs --seed 3"):
        try_example(programs.Programs(["falling_off"], tmp_path), "programs", 3, 0)


def test_growth_after_everything_was_used_is_told() -> None:
    steady = samples([*range(0, 400, 20), *[400] * 40])
    assert hoards(steady) == []
    assert growth(steady["seconds"], steady["memory"]) == (400 * MEGABYTE, 400 * MEGABYTE)
    assert hoards(samples([100 + 3 * k for k in range(60)])) == ["memory grew from 184 to 265"]
    assert hoards(samples([100] * 60, list(range(60)))) == ["descriptors grew from 28 to 55"]
    assert growth([0.0, 100.0], [1, 2]) is None


def test_a_gauge_looks_at_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.soak.gauge.INTERVAL", 1000.0)
    gauge = Gauge()
    assert gauge.sample()
    assert not gauge.sample()
    assert gauge.memory[0] > 10 * MEGABYTE
    assert gauge.descriptors[0] >= 3


def test_faults_dead_processes_and_growth_are_not_sound(tmp_path: Path) -> None:
    sound = {"ends": {"a": 3}, "samples": samples([100] * 60), "fault": "", "code": 0}
    assert summary({"page": sound}) == ("page      sound", True)
    for changed, told in (
        ({"fault": "what it did\nand why", "code": 1}, "FAULT\nwhat it did\nand why"),
        ({"code": -9}, "FAULT: the process ended with -9"),
        ({"samples": samples([100 + 3 * k for k in range(60)])}, "memory grew from 184 to 265"),
    ):
        found = json.loads(json.dumps({"page": {**sound, **changed}}))
        assert summary(found) == (f"page      {told}", False)
        write_report(tmp_path / "soak.md", found, 10, 1)
        assert told.splitlines()[0] in (tmp_path / "soak.md").read_text(encoding="utf-8")


def test_the_page_is_of_this_soak_and_sound() -> None:
    page = (ROOT / "docs" / "soak.md").read_text(encoding="utf-8")
    assert page.startswith(HEAD)
    rows = re.findall(r"^\| (\w+) \| [\d,]+ \| .* \| (.*) \|$", page, re.MULTILINE)
    assert rows == [("faces", "sound"), ("page", "sound"), ("programs", "sound")]
