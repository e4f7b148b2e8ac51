"""Test the output while kernels compile."""

from __future__ import annotations

import threading
import time

import pytest

from agents.common import progress_lines
from agents.common.console import progress_bar
from agents.common.waiting import spinner_while_compiling
from edge_envs.core.compiler import messages
from tests.programs import Here


@pytest.fixture(autouse=True)
def compiler_messages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EDGE_ENVS_QUIET", "0")
    monkeypatch.setattr(messages, "_said", set())


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make rich treat stderr as a terminal."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "100")


def compile_something() -> None:
    with messages.compilation("compiling [some] game", "a game"):
        pass


@pytest.mark.usefixtures("terminal")
def test_spinner_is_shown_and_erased_on_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with spinner_while_compiling():
        for _ in range(2):
            compile_something()
            shown = capsys.readouterr().err
            assert "compiling [some] game" in shown
            assert shown.endswith("\x1b[1A\x1b[2K")  # the line is erased
            assert "edge_envs: " not in shown


@pytest.mark.usefixtures("terminal")
def test_compilation_is_a_line_next_to_a_progress_bar(capsys: pytest.CaptureFixture[str]) -> None:
    with spinner_while_compiling(), progress_bar() as progress:
        progress.add_task("games", total=2)
        compile_something()
    assert capsys.readouterr().err.count("edge_envs: compiling [some] game\n") == 1


def test_progress_is_printed_periodically_without_a_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(progress_lines, "EVERY", 0.02)

    def next_line() -> str:
        output = ""
        while not output:
            output = capsys.readouterr().err
            time.sleep(0.01)
        return output.splitlines()[-1]

    with progress_bar() as progress:
        later = progress.add_task("waiting", start=False, total=None)
        assert next_line() == "waiting: 0:00"
        progress.remove_task(later)
        task = progress.add_task("getting [ready]", total=None)
        next_line()  # may have been printed before the removal
        assert next_line() == "getting [ready]: 0:00"
        progress.update(task, description="games", total=4, completed=1)
        next_line()  # may have been printed before the update
        assert next_line() == "games: 25 %, 0:00"
        assert next_line() == "games: 25 %, 0:00"  # repeated while nothing changes
        progress.update(task, completed=4)
        time.sleep(0.1)
        assert "100 %" not in capsys.readouterr().err  # finished tasks are not reported
    assert not [thread for thread in threading.enumerate() if "_write_at_times" in thread.name]


def test_compilation_is_a_line_without_a_terminal(here: Here) -> None:
    outcome = here(compile_something)
    assert (outcome.code, outcome.err) == (0, "edge_envs: compiling [some] game\n")


@pytest.mark.usefixtures("terminal")
def test_every_program_shows_the_spinner(here: Here) -> None:
    outcome = here(compile_something)
    assert "compiling [some] game" in outcome.err
    assert "edge_envs: " not in outcome.err
