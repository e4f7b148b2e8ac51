"""Agents that are programs in any language: `program:COMMAND`, with one JSON object per line on stdin and stdout.

First the program receives the game, and answers that it is ready:

    {"id": 0, "type": "game", "protocol": 1, "game": "falling_off", "params": {...}, "num_players": 2,
     "observation_shape": [52]}
    {"id": 0, "type": "ready"}

For each decision it receives what the seat may observe, and answers with one of the legal actions:

    {"id": 1, "type": "decide", "player": 0, "observation": [...], "text": "...",
     "legal_actions": [{"action": 3, "text": "d"}]}
    {"id": 1, "action": 3}

An answer may omit its "id". The program should end when stdin ends. It is killed when it fails, and when the main
process ends. If it fails, the last line of its stderr is shown.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import selectors
import shlex
import shutil
import subprocess
import threading
import weakref
from collections import deque
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from agents.common.running_time import running_time
from agents.external.groups import Group
from edge_envs import Game, State
from edge_envs.core.spec import Array, Records

PREFIX = "program:"
PROTOCOL = 1
LONGEST_LINE = 65536  # bytes
SHOWN = 40  # characters of an answer in a message
PATIENCE = 60.0  # seconds for an answer without another limit; then the program is killed
MOST_FAILURES = 3  # of a program in a match, unless it made ANSWERED decisions for each
ANSWERED = 20


class ProgramError(ChildProcessError):
    """A program did not answer correctly. It was killed, and is started again for the next decision."""


class ProgramAgent:
    """An agent that runs a program."""

    needs_states = True
    external = True

    def __init__(self, name: str, game: Game) -> None:
        self.name, self.game = name, game
        self._command = _command(name)
        self._line: _Line | None = None
        self._patience = PATIENCE
        self.begin_match()

    def begin_match(self) -> None:
        """Forget earlier failures. A match is one of a tournament, or an evaluation against one opponent."""
        self._failures = self._answered = 0
        self._last_failure = ""

    def act(
        self, observations: Array, action_masks: Array, states: Records | None, players: Array, rng: np.random.Generator
    ) -> Array:
        """Return the program's actions (k,), which it chooses one after another. ProgramError if it fails."""
        assert states is not None
        return np.array([self._decide(states[k : k + 1], int(player)) for k, player in enumerate(players)])

    def _decide(self, record: Records, player: int) -> int:
        state = State.of_records(self.game, record)
        answer = self._ask(
            {
                "type": "decide",
                "player": player,
                "observation": state.observation_tensor(player).tolist(),
                "text": state.observation_string(player),
                "legal_actions": [
                    {"action": action, "text": state.action_to_string(action)} for action in state.legal_actions()
                ],
            }
        )
        action = answer.get("action")
        if not isinstance(action, int) or isinstance(action, bool):
            self._fail(f"answered {json.dumps(answer)[:SHOWN]}, which has no action")
        self._answered += 1
        return action

    def get_ready(self, patience: float) -> None:
        """Start the program unless it runs, and send it the game. ProgramError if it fails.

        `patience` is the time limit per decision from now on, in seconds.
        """
        self._patience = patience
        if self._line is None:
            self._ask(None)

    def _ask(self, message: dict[str, Any] | None) -> dict[str, Any]:
        """Send a message and return the answer; for None, return the answer that the program is ready."""
        if self._failures >= max(MOST_FAILURES, self._answered / ANSWERED):
            failed = f"failed {self._failures} times in this match, so it is not started again"
            raise ProgramError(f"{self._command[0]} {failed}; it {self._last_failure}")
        try:
            if self._line is None:
                self._line = _Line(self._command)
                ready = self._line.ask(self._game_told(), PATIENCE)
                if ready.get("type") != "ready":
                    raise ProgramError('did not answer {"type": "ready"}')
            return ready if message is None else self._line.ask(message, self._patience)
        except ProgramError as error:
            self._fail(str(error))
        except BaseException:  # a time limit: an answer that comes now would belong to this message
            self.close()
            raise

    def _game_told(self) -> dict[str, Any]:
        game = self.game
        return {
            "type": "game",
            "protocol": PROTOCOL,
            "game": game.name,
            "params": game.params_dict(),
            "num_players": game.num_players,
            "observation_shape": list(game.observation_shape),
        }

    def _fail(self, why: str) -> NoReturn:
        said = self._line.last_words() if self._line else ""
        self.close()
        self._failures += 1
        self._last_failure = f"{why}{': ' + said if said else ''}"
        raise ProgramError(f"{self._command[0]} {self._last_failure}")

    def close(self) -> None:
        """End the program; it is started again for the next decision."""
        if self._line is not None:
            self._line.close()
            self._line = None


class _Line:
    """A running program with its pipes."""

    def __init__(self, command: list[str]) -> None:
        try:
            group = Group()
            self._process = group.start(command)
        except OSError as error:
            raise ProgramError(f"cannot be started: {error.strerror}") from None
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        os.set_blocking(self._process.stdin.fileno(), False)
        os.set_blocking(self._process.stdout.fileno(), False)
        self._said: deque[bytes] = deque(maxlen=1)
        self._listener = threading.Thread(target=_listen, args=(self._process.stderr, self._said), daemon=True)
        self._listener.start()
        self._numbers = itertools.count()
        self.close = weakref.finalize(self, _end, group, self._listener)  # at the latest when Python ends

    def last_words(self) -> str:
        """Return the last line that the program wrote to stderr."""
        self._listener.join(timeout=0.2)
        said = self._said[-1].decode(errors="replace") if self._said else ""
        return "".join(letter for letter in said if letter.isprintable())[:300].strip()

    def ask(self, message: dict[str, Any], patience: float) -> dict[str, Any]:
        """Send a message with an id, and wait for one line with an object that has the same id or none."""
        self._patience, number, end = patience, next(self._numbers), running_time() + patience
        if number:
            self._check_quiet()
        self._send(json.dumps({"id": number, **message}, separators=(",", ":")).encode() + b"\n", end)
        line = self._receive(end)
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError):
            raise ProgramError(f"answered {line[:SHOWN]!r}, which is not JSON") from None
        if not isinstance(answer, dict):
            raise ProgramError(f"answered {line[:SHOWN]!r}, which is not a JSON object")
        if answer.get("id", number) != number:
            raise ProgramError(f"answered the question {json.dumps(answer['id'])[:SHOWN]} when it was asked {number}")
        return answer

    def _check_quiet(self) -> None:
        """Raise ProgramError if the program wrote something after its last answer."""
        assert self._process.stdout is not None
        with contextlib.suppress(BlockingIOError):
            more = os.read(self._process.stdout.fileno(), 1)
            raise ProgramError("answered more than one line" if more else self._ended("stdout"))

    def _send(self, data: bytes, end: float) -> None:
        stdin = self._process.stdin
        assert stdin is not None
        try:
            while data:
                self._wait(stdin, selectors.EVENT_WRITE, end)
                data = data[os.write(stdin.fileno(), data) :]
        except BrokenPipeError:
            raise ProgramError(self._ended("stdin")) from None

    def _receive(self, end: float) -> bytes:
        """Read one line; ProgramError if there is more than one, or none."""
        stdout, line = self._process.stdout, b""
        assert stdout is not None
        while not line.endswith(b"\n"):
            self._wait(stdout, selectors.EVENT_READ, end)
            part = os.read(stdout.fileno(), LONGEST_LINE)
            if not part:
                raise ProgramError(self._ended("stdout"))
            line += part
            if len(line) > LONGEST_LINE:
                raise ProgramError(f"answered more than {LONGEST_LINE} bytes")
        if line.count(b"\n") > 1:
            raise ProgramError("answered more than one line")
        return line

    def _wait(self, file: Any, event: int, end: float) -> None:
        with selectors.DefaultSelector() as selector:
            selector.register(file, event)
            while not selector.select(max(0.0, end - running_time())):
                if running_time() >= end:  # otherwise this process was suspended
                    raise ProgramError(f"did not answer within {self._patience:g} s")

    def _ended(self, pipe: str) -> str:
        try:
            return f"ended with exit code {self._process.wait(timeout=1.0)}"
        except subprocess.TimeoutExpired:
            return f"closed its {pipe}"


def _listen(stderr: Any, said: deque[bytes]) -> None:
    """Keep the last line of stderr."""
    with stderr:
        while line := stderr.readline(LONGEST_LINE):
            if line.strip():
                said.append(line)


def _end(group: Group, listener: threading.Thread) -> None:
    """Kill a program and its children."""
    group.end()
    listener.join(timeout=1.0)  # longer only if a child of the program still holds the pipe


def is_program(name: str) -> bool:
    """Return whether a name is that of a program."""
    return name.startswith(PREFIX)


def check_program(name: str) -> None:
    """Raise ValueError if the program does not exist."""
    _command(name)


def named_files(name: str) -> list[Path]:
    """Return the files that the words of a command name, also after `=`, but not programs found through PATH."""
    words = _command(name)
    paths = [Path(part) for word in words for part in (word, word.partition("=")[2]) if part]
    return [path for path in paths if path.is_file()]


def _command(name: str) -> list[str]:
    try:
        command = shlex.split(name.removeprefix(PREFIX))
    except ValueError as error:
        raise ValueError(f"unknown agent {name!r}: {error}") from None
    if not command:
        raise ValueError(f"unknown agent {name!r}: expected {PREFIX}COMMAND, for example {PREFIX}./bot")
    if shutil.which(command[0]) is None:
        raise ValueError(f"unknown agent {name!r}: program {command[0]} not found")
    return command
