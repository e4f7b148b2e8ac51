"""Test that every program shows its help and rejects unknown options, without changing files."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.programs import ROOT

GENERATED = {"__pycache__", "_build", "_made"}
SOURCES = ("agents", "configs", "docs", "edge_envs", "examples", "policies", "scripts")


def programs() -> list[str]:
    """Return all programs of `scripts/` and `agents/` as arguments for Python."""
    scripts = [str(path) for path in sorted((ROOT / "scripts").glob("*.py"))]
    found = [*(ROOT / "agents").glob("*.py"), *(ROOT / "agents").glob("*/__main__.py")]
    runnable = [path for path in sorted(found) if 'if __name__ == "__main__":' in path.read_text(encoding="utf-8")]
    names = [".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__main__") for path in runnable]
    return [*scripts, *(f"-m {name}" for name in names), "-m edge_envs games"]


PROGRAMS = programs()


def files() -> dict[Path, tuple[int, int]]:
    """Return the modification time and size of each file in the checkout."""
    paths = [path for folder in SOURCES for path in (ROOT / folder).rglob("*") if not GENERATED & {*path.parts}]
    return {path: (path.stat().st_mtime_ns, path.stat().st_size) for path in paths if path.is_file()}


def test_all_programs_are_found() -> None:
    assert {"-m agents.train", "-m agents.selfplay"} <= set(PROGRAMS)
    assert str(ROOT / "scripts" / "write_stubs.py") in PROGRAMS


@pytest.mark.parametrize("program", PROGRAMS, ids=[Path(name.split()[-1]).name for name in PROGRAMS])
def test_a_program_shows_help_and_rejects_unknown_options(program: str, tmp_path: Path) -> None:
    before = files()
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "120"}
    runs = [
        subprocess.Popen(
            [sys.executable, *program.split(), option],
            cwd=tmp_path, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True,
        )
        for option in ("--help", "--no-such-option")
    ]  # fmt: skip
    (shown, no_errors), (nothing, refused) = (run.communicate() for run in runs)
    assert [run.returncode for run in runs] == [0, 2]
    assert shown.lower().startswith(("usage:", "\n usage:"))
    assert (no_errors, nothing) == ("", "")
    assert "--no-such-option" in refused
    assert "Traceback" not in refused
    assert files() == before
    assert list(tmp_path.iterdir()) == []
