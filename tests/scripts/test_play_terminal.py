"""Test `scripts/play.py` in a pseudo-terminal: editing, completion, paging, signals."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from edge_envs import read_records
from tests.programs import ROOT

PLAIN = {"NO_COLOR": "1"}
PATIENCE = 60.0  # seconds, including compilation


class Window:
    """A program in a terminal of some size."""

    def __init__(
        self, *arguments: str, columns: int = 80, lines: int = 24, variables: Mapping[str, str] = PLAIN
    ) -> None:
        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        environment = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
        environment |= {"TERM": "xterm", "PYTHONPATH": str(ROOT), "PAGER": "cat", "INPUTRC": "/dev/null", **variables}
        self.process = subprocess.Popen(
            [sys.executable, "scripts/play.py", *arguments],
            cwd=ROOT, env=environment, stdin=slave, stdout=slave, stderr=slave, start_new_session=True,
        )  # fmt: skip
        os.close(slave)
        self.seen = ""

    def type(self, keys: str) -> None:
        os.write(self._master, keys.encode())

    def wait_for(self, text: str) -> str:
        """Return all output up to a string, and mark it as read."""
        assert self._shows(text, PATIENCE), self.seen
        shown, _, self.seen = self.seen.partition(text)
        return shown + text

    def interrupt(self, text: str) -> str:
        """Press Ctrl-C and return all output up to a string.

        The terminal notices an early press only with the next key, so the press is repeated if nothing happens.
        """
        for _ in range(12):
            self.process.send_signal(signal.SIGINT)
            if self._shows(text, PATIENCE / 12):
                break
        return self.wait_for(text)

    def _shows(self, text: str, seconds: float) -> bool:
        end = time.monotonic() + seconds
        while text not in self.seen and time.monotonic() < end:
            self._read()
        return text in self.seen

    def _read(self) -> None:
        if select.select([self._master], [], [], 0.5)[0]:
            try:
                self.seen += os.read(self._master, 65536).decode(errors="replace").replace("\r", "")
            except OSError:  # the program has ended
                assert self.process.wait(10) is not None
                raise AssertionError(self.seen) from None

    def end(self) -> int:
        """Wait for the program to end and return its exit code."""
        return self.process.wait(PATIENCE)

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self._master)


@pytest.fixture
def window(tmp_path: Path) -> Iterator[Window]:
    record = str(tmp_path / "games.jsonl")
    opened = Window("falling_off", "--no-advice", "--seed", "1", "--record", record)
    opened.wait_for("Your choice: ")
    yield opened
    opened.close()


def decisions(folder: Path) -> int:
    (game,) = read_records(folder / "games.jsonl")
    return sum(player == 0 for player, _ in game["history"])


def test_tab_completes_and_arrows_recall_lines(window: Window, tmp_path: Path) -> None:
    window.type("KE\t")
    window.wait_for("KE\x08")  # completion rewrites it in the case of the name
    window.type("\n")
    window.wait_for("Your choice: ")
    window.type(":u\t\n")
    window.wait_for("Taken back: keep.")
    window.wait_for("Your choice: ")
    window.type("\x1b[A\x1b[A\n")
    window.wait_for("Your choice: ")
    window.type(":quit\n")
    assert window.end() == 0
    assert decisions(tmp_path) == 1


def test_one_interruption_warns_and_the_next_leaves(window: Window, tmp_path: Path) -> None:
    window.type("1\n")
    window.wait_for("Your choice: ")
    window.interrupt("Press Ctrl-C again to leave")
    window.wait_for("Your choice: ")
    assert "Traceback" not in window.interrupt("You left the game before its end.")
    assert window.end() == 0
    assert decisions(tmp_path) == 1


def test_the_end_of_input_leaves(window: Window, tmp_path: Path) -> None:
    window.type("\x04")
    window.wait_for("You left the game before its end.")
    assert window.end() == 0
    assert decisions(tmp_path) == 0


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGTERM])
def test_a_closed_window_loses_no_record(window: Window, tmp_path: Path, number: signal.Signals) -> None:
    window.type("1\n")
    window.wait_for("Your choice: ")
    for _ in range(12):  # as with Ctrl-C
        window.process.send_signal(number)
        with contextlib.suppress(subprocess.TimeoutExpired):
            window.process.wait(PATIENCE / 12)
            break
    assert window.end() == 128 + number
    assert decisions(tmp_path) == 1


def test_no_line_is_wider_than_the_window() -> None:
    window = Window("falling_off", "--no-advice", columns=44)
    try:
        shown = window.wait_for("Your choice: ")
        assert "(Shown in parts: the picture is " in shown
        assert "your window" in shown
        assert max(map(len, shown.splitlines())) <= 44
    finally:
        window.close()
