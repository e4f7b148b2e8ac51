"""Messages on stderr about the compilation of kernels."""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from edge_envs.core.compiler import messages
from tests.systems import needs_linux, needs_posix

ROOT = Path(__file__).resolve().parents[2]

USE = """
import sys
from tests.toy import enrol; enrol()
import edge_envs
for API in sys.argv[1:]:
    if API == "search":
        edge_envs.seat_env("tic_tac_toe", opponents="search:2", seat=1).reset(seed=3)
    elif API == "State":
        edge_envs.load_game("tic_tac_toe").new_initial_state(seed=0)
    elif API == "AEC":
        edge_envs.aec_env("tic_tac_toe").reset(seed=0)
    else:
        edge_envs.load_game("kuhn").new_initial_state(seed=0)
"""


def stderr_lines(folder: Path, *apis: str, program: str = USE, **environment: str) -> list[str]:
    """Return the lines on stderr of a process that uses some APIs of the toys, with no cache but `folder`."""
    alone = {"EDGE_ENVS_QUIET": "", "EDGE_ENVS_CACHE_DIR": str(folder), "XDG_CACHE_HOME": str(folder / "user")}
    environment = {**alone, **environment}
    done = subprocess.run(
        [sys.executable, "-c", program, *apis],
        cwd=ROOT, env={**os.environ, **environment}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    return done.stderr.splitlines()


def test_first_compilation_of_each_game_prints_one_line(tmp_path: Path) -> None:
    line, other = stderr_lines(tmp_path, "State", "kuhn")
    assert other.startswith("edge_envs: compiling kuhn for the first time, up to about ")
    found = re.fullmatch(
        rf"edge_envs: compiling tic_tac_toe for the first time, up to about (\d+) s; kept in {tmp_path}", line
    )
    assert found is not None, line
    assert 1 <= int(found[1]) < 60
    assert stderr_lines(tmp_path, "State", "kuhn") == []
    (line,) = stderr_lines(tmp_path, "AEC")
    assert line == f"edge_envs: compiling more of tic_tac_toe; kept in {tmp_path}"


def test_first_compilation_of_an_agent_prints_one_line(tmp_path: Path) -> None:
    line = f"edge_envs: compiling an agent for tic_tac_toe, up to about a minute; kept in {tmp_path}"
    assert stderr_lines(tmp_path, "State", "search").count(line) == 1


def test_quiet_mode_prints_nothing(tmp_path: Path) -> None:
    assert stderr_lines(tmp_path, "State", EDGE_ENVS_QUIET="1") == []


def test_nothing_is_printed_without_the_compiler(tmp_path: Path) -> None:
    assert stderr_lines(tmp_path, "State", NUMBA_DISABLE_JIT="1", PYTHONWARNINGS="ignore") == []


@needs_posix
def test_unwritable_cache_is_reported(tmp_path: Path) -> None:
    nobody = "import os; os.getuid = lambda: 12345\n"
    (line,) = stderr_lines(tmp_path, "State", program=nobody + USE, TMPDIR=str(tmp_path))
    assert line.endswith("; not kept: no cache folder of your own can be written")


@needs_linux
@pytest.mark.parametrize("broken", ["None", "open('/dev/full', 'w')", "closed"])
def test_broken_stderr_is_not_an_error(tmp_path: Path, broken: str) -> None:
    program = "import io, sys\nclosed = io.StringIO(); closed.close()\n"
    program += f"before, sys.stderr = sys.stderr, {broken}\n{USE}\nsys.stderr = before\n"
    assert stderr_lines(tmp_path, "State", program=program) == []


def test_programs_can_display_compilations_themselves(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("EDGE_ENVS_QUIET", "0")
    monkeypatch.setattr(messages, "_said", set())
    shown: list[str] = []

    @contextlib.contextmanager
    def show(text: str) -> Iterator[None]:
        shown.append(f"{text} begins")
        yield
        shown.append(f"{text} ends")

    with messages.compilations_shown_by(show):
        for text in ("one", "two"):
            with messages.compilation(text, text):
                shown.append("meanwhile")
    for text, topic in (("three", "a game"), ("four", "a game"), ("five", "another game")):
        with messages.compilation(text, topic):
            pass
    assert shown == ["one begins", "meanwhile", "one ends", "two begins", "meanwhile", "two ends"]
    assert capsys.readouterr().err == "edge_envs: three\nedge_envs: five\n"
