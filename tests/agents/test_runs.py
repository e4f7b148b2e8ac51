"""Test run folders: only one process at a time uses a folder, and a dead process does not block it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from agents.common.configuration import GameConfig, differences
from agents.common.runs import RunFolder
from tests.programs import ROOT


class Work(RunFolder[GameConfig]):
    """A run without any work."""

    kind = GameConfig


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / "work.yaml"
    path.write_text("game: falling_off\nparams: {num_players: 3}\n", encoding="utf-8")
    return path


HOLD = """
import sys
from pathlib import Path
from agents.common.configuration import GameConfig
from agents.common.runs import RunFolder

class Work(RunFolder):
    kind = GameConfig

with Work.open(None, Path(sys.argv[1]), None, resume=True):
    print("at work", flush=True)
    sys.stdin.read()
"""


def test_run_folder_is_locked_by_one_process(config: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    with Work.open(config, out, None, resume=False):
        pass
    command = [sys.executable, "-c", HOLD, str(out)]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        try:
            assert other.stdout is not None
            assert other.stdout.readline() == "at work\n"
            with (
                pytest.raises(ValueError, match=r"run: another process is at work in this run$"),
                Work.open(None, out, None, resume=True),
            ):
                pass
        finally:
            other.kill()
    with Work.open(None, out, None, resume=True) as (run, checked):
        assert (run.folder, checked.params) == (out, {"num_players": 3})


def test_rejected_run_leaves_no_folder(config: Path, tmp_path: Path) -> None:
    for resume, message in [(True, "no run to resume"), (False, "no weight")]:
        broken = Work if resume else ImpossibleRun
        with pytest.raises(ValueError, match=message), broken.open(config, tmp_path / "run", None, resume=resume):
            pass
        assert not (tmp_path / "run").exists()


class Impossible(GameConfig):
    """A configuration that no machine can run."""

    def check_machine(self) -> None:
        raise ValueError("no weight can be lifted here")


class ImpossibleRun(RunFolder[Impossible]):
    """A run that no machine can execute."""

    kind = Impossible


def test_existing_run_is_not_overwritten(config: Path, tmp_path: Path) -> None:
    with Work.open(config, tmp_path / "run", None, resume=False):
        pass
    before = (tmp_path / "run" / "config.json").read_bytes()
    with (
        pytest.raises(ValueError, match="this folder already has a run"),
        Work.open(config, tmp_path / "run", ["seed=3"], resume=False),
    ):
        pass
    assert (tmp_path / "run" / "config.json").read_bytes() == before


def test_differences_are_named_with_both_values() -> None:
    one = GameConfig(game="falling_off", params={"num_players": 3, "map": {"a": [1]}})
    assert differences(one, one) == ""
    other = GameConfig(game="falling_off", params={"num_players": 2, "map": {"a": [1]}}, seed=4)
    assert differences(other, one) == "params.num_players is 2 instead of 3, seed is 4 instead of 0"
    without = GameConfig(game="falling_off")
    assert differences(without, one).endswith("params.map.a is null instead of [1]")
