"""Programs whose standard output has another encoding, is closed or full, or has no reader."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.programs import ROOT

RULES = "-m edge_envs rules ghost_ship"
EVALUATE = "-m agents.evaluate --game falling_off --agent heuristic --against random --games 8"
HELP = "-m agents.evaluate --help"
PROGRAMS = {"rules": RULES, "evaluation": EVALUATE, "document": f"{EVALUATE} --json", "help": HELP}


def shell(line: str, **more: Any) -> subprocess.CompletedProcess[str]:
    """Run a shell command, in which $PYTHON is the Python interpreter."""
    environment = {**os.environ, "PYTHON": sys.executable, "EDGE_ENVS_QUIET": "1", **more}
    return subprocess.run(
        ["bash", "-c", line], cwd=ROOT, env=environment, capture_output=True, text=True, encoding="latin-1", check=False
    )


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-16"])
def test_unencodable_characters_are_replaced(program: str, encoding: str) -> None:
    done = shell(f"$PYTHON {PROGRAMS[program]}", PYTHONIOENCODING=encoding)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout
    if program == "document" and encoding != "utf-16":
        assert json.loads(done.stdout)["game"] == "falling_off"


def test_locale_without_utf_8_is_supported() -> None:
    done = shell(f"$PYTHON {RULES}", LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0")
    assert (done.returncode, done.stderr) == (0, "")
    assert "?" in done.stdout


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_full_standard_output_prints_one_line(program: str, unbuffered: str) -> None:
    done = shell(f"$PYTHON {PROGRAMS[program]} > /dev/full", PYTHONUNBUFFERED=unbuffered)
    assert (done.returncode, done.stderr) == (2, "error: standard output: No space left on device\n")


@pytest.mark.parametrize("program", PROGRAMS)
def test_closed_standard_output_is_supported(program: str) -> None:
    done = shell(f"$PYTHON {PROGRAMS[program]} >&-")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_output_for_closed_stdout_does_not_reach_other_files(tmp_path: Path) -> None:
    picture = tmp_path / "a.svg"
    done = shell(f"$PYTHON scripts/picture.py falling_off --out {picture} >&- 2>&-")
    assert done.returncode == 0
    assert picture.read_text(encoding="utf-8").startswith("<svg")
    assert picture.read_text(encoding="utf-8").endswith("</svg>")


@pytest.mark.parametrize("program", PROGRAMS)
def test_broken_pipe_exits_quietly(program: str) -> None:
    done = shell(f"$PYTHON {PROGRAMS[program]} | true; echo ${{PIPESTATUS[0]}}", PYTHONUNBUFFERED="")
    assert (done.stdout, done.stderr) == ("1\n", "")
