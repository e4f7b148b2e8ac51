"""A few rounds of each part, reports of faults and growth, and the published page."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.fuzz.target import ACCEPTED, FaultError, Target, Trace, try_examples
from tests.fuzz.test_fuzz import smallest_games
from tests.programs import ROOT
from tests.soak import programs
from tests.soak.__main__ import main
from tests.soak.gauge import MEGABYTE, Gauge, growth, resource_leaks
from tests.soak.report import HEAD, summary, write_report
from tests.soak.running import PARTS, PartRunner, part_of
from tests.soak.workloads import Workload, response_values, whole

COUNTING = """
import pathlib, sys, time
out = pathlib.Path(sys.argv[sys.argv.index("--out") + 1])
out.mkdir(exist_ok=True)
try:
    for number in range(5):
        file = out / f"{number}.txt"
        if file.exists() and file.read_text() not in ("", str(number)):
            raise OSError(f"{file} is damaged")
        time.sleep(0.02)
        file.write_text(str(number))
except (OSError, ValueError) as error:
    sys.exit(f"error: {error}")
"""
"""A program that resumes from its files. On errors it exits with 1 instead of 2."""
HONEST = COUNTING.replace('sys.exit(f"error: {error}")', 'print(f"error: {error}", file=sys.stderr)\n    sys.exit(2)')


def samples(memory: list[int], descriptors: list[int] | None = None) -> dict[str, Any]:
    """Return samples at intervals of ten seconds, with memory in megabytes."""
    return {
        "seconds": [10.0 * k for k in range(len(memory))],
        "memory": [value * MEGABYTE for value in memory],
        "descriptors": descriptors or [9] * len(memory),
    }


def test_short_soak_of_apis_and_page_is_sound(tmp_path: Path) -> None:
    report = tmp_path / "soak.md"
    command = [sys.executable, "-m", "tests.soak", "apis", "page", "--seed", "1", "--minutes", "0.02"]
    done = subprocess.run(
        [*command, "--games", *smallest_games()[:2], "--report", str(report)],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"^apis +sound\npage +sound$", done.stdout, re.MULTILINE), done.stdout
    assert report.read_text(encoding="utf-8").startswith(HEAD)
    assert "</svg>" in (tmp_path / "plots" / "soak.svg").read_text(encoding="utf-8")


def counting(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    """Replace the workloads by a single program that counts."""
    workload = Workload(("{inputs}/count.py",), {"*.txt": whole}, {"count.py": text})
    monkeypatch.setattr(programs, "WORKLOADS", {"count": workload})
    monkeypatch.setattr(programs.Programs, "outcomes", ("count",))


def test_interrupted_workload_ends_like_an_uninterrupted_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    counting(monkeypatch, HONEST)
    met: list[str] = []
    monkeypatch.setattr(Trace, "add", lambda self, what, value=None: met.append(what.split()[0]))
    assert try_examples(programs.Programs([], tmp_path), "programs", 4, range(5)) == {"count": 5}
    assert set(met) == {"count", "killed", "terminated", "no", "garbage"}
    assert [path.name for path in tmp_path.iterdir()] == ["count_inputs"]


@pytest.mark.parametrize(
    ("text", "error"),
    [
        (COUNTING, "error: "),
        (HONEST.replace("except (OSError, ValueError)", "except ZeroDivisionError"), "Traceback"),
        (HONEST.replace("write_text(str(number))", "write_text(str(time.time()))"), "damaged"),
        (HONEST.replace("range(5)", "range(5 + any(out.iterdir()))"), "found.keys"),
    ],
)
def test_lost_output_or_a_missing_error_is_a_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, error: str
) -> None:
    counting(monkeypatch, text)
    with pytest.raises(FaultError, match=rf"{error}(?s:.*)repeat: python -m tests.fuzz programs --seed 1"):
        try_examples(programs.Programs([], tmp_path), "programs", 1, range(8))


def test_only_the_name_of_a_ppo_response_is_compared() -> None:
    assert response_values(b'{"perfect": {"mean": 1}, "training/policy": {"mean": 0.3}}') == {
        "perfect": {"mean": 1}, "training/policy": "tried",
    }  # fmt: skip


class Idle(Target):
    """A part that does nothing."""

    outcomes = (ACCEPTED,)

    def attempt(self, rng: Any, trace: Trace) -> str:
        return ACCEPTED


@pytest.mark.parametrize("step", ["prepare", "attempt", "finish"])
@pytest.mark.parametrize("error", [ZeroDivisionError("broke"), SystemExit("broke"), AssertionError("broke")])
def test_crashing_part_is_a_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, error: BaseException
) -> None:
    def crash(self: Target, *_: Any) -> None:
        raise error

    file = tmp_path / "idle.json"
    assert PartRunner("idle", Idle, [], 1, file).run(0.0) == 0
    assert summary({"idle": {**json.loads(file.read_text(encoding="utf-8")), "code": 0}})[1]
    monkeypatch.setattr(Idle, step, crash)
    code = PartRunner("idle", Idle, [], 1, file).run(0.0)
    text, sound = summary({"idle": {**json.loads(file.read_text(encoding="utf-8")), "code": code}})
    assert (code, sound) == (1, False)
    assert "FAULT" in text
    assert "broke" in text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("pages",), "unknown part 'pages' (choose from apis, page, programs)"),
        (("apis", "--games", "kuhn", "chess"), "unknown game 'chess' (choose from "),
        (("--minutes", "0"), "--minutes must be more than 0, not 0"),
        (("--minutes", "nan"), "--minutes must be more than 0, not nan"),
    ],
)
def test_invalid_options_print_one_line(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], message: str
) -> None:
    assert main(arguments) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"error: {message}")


def test_growth_after_settling_is_reported() -> None:
    steady = samples([*range(0, 400, 20), *[400] * 40])
    assert resource_leaks(steady) == []
    assert growth(steady["seconds"], steady["memory"]) == (400 * MEGABYTE, 400 * MEGABYTE)
    assert resource_leaks(samples([100 + 3 * k for k in range(60)])) == ["memory grew from 184 to 265"]
    assert resource_leaks(samples([100] * 60, list(range(60)))) == ["descriptors grew from 28 to 55"]
    assert growth([0.0, 100.0], [1, 2]) is None


def test_gauge_samples_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.soak.gauge.INTERVAL", 1000.0)
    gauge = Gauge()
    assert gauge.sample()
    assert not gauge.sample()
    assert gauge.memory[0] > 10 * MEGABYTE
    assert gauge.descriptors[0] >= 3


def test_faults_dead_processes_and_growth_are_not_sound(tmp_path: Path) -> None:
    sound = {"outcomes": {"a": 3}, "samples": samples([100] * 60), "fault": "", "code": 0, "ended": True}
    assert summary({"page": sound}) == ("page      sound", True)
    for changed, error in (
        ({"fault": "what it did\nand why", "code": 1}, "FAULT\nwhat it did\nand why"),
        ({"code": -9}, "FAULT: the process ended with -9"),
        ({"code": 1}, "FAULT: the process ended with 1"),
        ({"ended": False}, "FAULT: the process ended with 0"),
        ({"outcomes": {"a": 0}}, "FAULT: no round was completed"),
        ({"samples": samples([100 + 3 * k for k in range(60)])}, "memory grew from 184 to 265"),
    ):
        found = json.loads(json.dumps({"page": {**sound, **changed}}))
        assert summary(found) == (f"page      {error}", False)
        write_report(tmp_path / "soak.md", found, 10, 1)
        assert error.splitlines()[0] in (tmp_path / "soak.md").read_text(encoding="utf-8")


def test_page_matches_this_soak_and_is_sound() -> None:
    page = (ROOT / "docs" / "lab_notebook" / "soak.md").read_text(encoding="utf-8")
    assert page.startswith(HEAD)
    rows = re.findall(r"^\| (\w+) \| [\d,]+ \| .* \| (.*) \|$", page, re.MULTILINE)
    assert rows == [("apis", "sound"), ("page", "sound"), ("programs", "sound")]
    kinds = {part: re.findall(r"(\w[\w ]*?) [\d,]+(?:, |$)", error) for part, error in _table_of_kinds(page)}
    assert kinds == {part: sorted(part_of(part).outcomes) for part in PARTS}


def _table_of_kinds(page: str) -> list[tuple[str, str]]:
    _, _, table = page.partition("| part | rounds of each kind |\n")
    return re.findall(r"^\| (\w+) \| (.*) \|$", table, re.MULTILINE)
