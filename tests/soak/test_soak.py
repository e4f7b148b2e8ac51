"""A few rounds of each part, that faults and growth are told, and that the page is of this soak."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.fuzz.door import TAKEN, Door, FaultError, Story, try_examples
from tests.fuzz.test_fuzz import smallest_games
from tests.programs import ROOT
from tests.soak import programs
from tests.soak.__main__ import main
from tests.soak.gauge import MEGABYTE, Gauge, growth, hoards
from tests.soak.report import HEAD, summary, write_report
from tests.soak.running import PARTS, Stint, part_of
from tests.soak.works import Work, answers, whole

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
"""A program that goes on with what it finds. It ends with 1 where it ought to end with 2."""
HONEST = COUNTING.replace('sys.exit(f"error: {error}")', 'print(f"error: {error}", file=sys.stderr)\n    sys.exit(2)')


def samples(memory: list[int], descriptors: list[int] | None = None) -> dict[str, Any]:
    """Of a process that was looked at every ten seconds; memory in megabytes."""
    return {
        "seconds": [10.0 * k for k in range(len(memory))],
        "memory": [value * MEGABYTE for value in memory],
        "descriptors": descriptors or [9] * len(memory),
    }


def test_a_short_soak_of_games_and_page_is_sound(tmp_path: Path) -> None:
    report = tmp_path / "soak.md"
    command = [sys.executable, "-m", "tests.soak", "faces", "page", "--seed", "1", "--minutes", "0.02"]
    done = subprocess.run(
        [*command, "--games", *smallest_games()[:2], "--report", str(report)],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"^faces +sound\npage +sound$", done.stdout, re.MULTILINE), done.stdout
    assert report.read_text(encoding="utf-8").startswith(HEAD)
    assert "</svg>" in (tmp_path / "plots" / "soak.svg").read_text(encoding="utf-8")


def counting(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    """The only work is a program that counts."""
    work = Work(("{inputs}/count.py",), {"*.txt": whole}, {"count.py": text})
    monkeypatch.setattr(programs, "WORKS", {"count": work})
    monkeypatch.setattr(programs.Programs, "ends", ("count",))


def test_what_is_broken_off_ends_like_an_unbroken_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    counting(monkeypatch, HONEST)
    met: list[str] = []
    monkeypatch.setattr(Story, "tell", lambda self, what, value=None: met.append(what.split()[0]))
    assert try_examples(programs.Programs([], tmp_path), "programs", 4, range(5)) == {"count": 5}
    assert set(met) == {"count", "killed", "terminated", "no", "garbage"}
    assert [path.name for path in tmp_path.iterdir()] == ["count_inputs"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (COUNTING, "error: "),
        (HONEST.replace("except (OSError, ValueError)", "except ZeroDivisionError"), "Traceback"),
        (HONEST.replace("write_text(str(number))", "write_text(str(time.time()))"), "damaged"),
        (HONEST.replace("range(5)", "range(5 + any(out.iterdir()))"), "found.keys"),
    ],
)
def test_what_is_lost_or_not_told_is_a_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, told: str
) -> None:
    counting(monkeypatch, text)
    with pytest.raises(FaultError, match=rf"{told}(?s:.*)again: python -m tests.fuzz programs --seed 1"):
        try_examples(programs.Programs([], tmp_path), "programs", 1, range(8))


def test_of_what_ppo_answers_only_the_name_is_compared() -> None:
    assert answers(b'{"perfect": {"mean": 1}, "training/policy": {"mean": 0.3}}') == {
        "perfect": {"mean": 1}, "training/policy": "tried",
    }  # fmt: skip


class Idle(Door):
    """A part that does nothing well."""

    ends = (TAKEN,)

    def attempt(self, rng: Any, story: Story) -> str:
        return TAKEN


@pytest.mark.parametrize("step", ["prepare", "attempt", "finish"])
@pytest.mark.parametrize("error", [ZeroDivisionError("broke"), SystemExit("broke"), AssertionError("broke")])
def test_a_part_that_crashes_is_a_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, error: BaseException
) -> None:
    def crash(self: Door, *_: Any) -> None:
        raise error

    file = tmp_path / "idle.json"
    assert Stint("idle", Idle, [], 1, file).run(0.0) == 0
    assert summary({"idle": {**json.loads(file.read_text(encoding="utf-8")), "code": 0}})[1]
    monkeypatch.setattr(Idle, step, crash)
    code = Stint("idle", Idle, [], 1, file).run(0.0)
    text, sound = summary({"idle": {**json.loads(file.read_text(encoding="utf-8")), "code": code}})
    assert (code, sound) == (1, False)
    assert "FAULT" in text
    assert "broke" in text


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("pages",), "there is no part 'pages'; possible are faces, page, programs"),
        (("faces", "--games", "kuhn", "chess"), "there is no game 'chess'; possible are "),
        (("--minutes", "0"), "--minutes must be more than 0, not 0"),
        (("--minutes", "nan"), "--minutes must be more than 0, not nan"),
    ],
)
def test_wrong_input_is_one_line(capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], said: str) -> None:
    assert main(arguments) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"error: {said}")


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
    sound = {"ends": {"a": 3}, "samples": samples([100] * 60), "fault": "", "code": 0, "ended": True}
    assert summary({"page": sound}) == ("page      sound", True)
    for changed, told in (
        ({"fault": "what it did\nand why", "code": 1}, "FAULT\nwhat it did\nand why"),
        ({"code": -9}, "FAULT: the process ended with -9"),
        ({"code": 1}, "FAULT: the process ended with 1"),
        ({"ended": False}, "FAULT: the process ended with 0"),
        ({"ends": {"a": 0}}, "FAULT: not one round was done"),
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
    kinds = {part: re.findall(r"(\w[\w ]*?) [\d,]+(?:, |$)", told) for part, told in _table_of_kinds(page)}
    assert kinds == {part: sorted(part_of(part).ends) for part in PARTS}


def _table_of_kinds(page: str) -> list[tuple[str, str]]:
    _, _, table = page.partition("| part | rounds of each kind |\n")
    return re.findall(r"^\| (\w+) \| (.*) \|$", table, re.MULTILINE)
