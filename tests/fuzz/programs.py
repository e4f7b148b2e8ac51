"""Fuzz command lines of all programs: the exit code is 0 or 2, without a traceback."""

from __future__ import annotations

import contextlib
import importlib
import io
import json
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any
from unittest import mock

from agents.common.console import run
from tests.fuzz.documents import config_seeds, config_text, policy_folders
from tests.fuzz.mutation import ODD_LITERALS, ODD_TEXTS, damaged_text
from tests.fuzz.playing import positions_of
from tests.fuzz.target import ACCEPTED, REJECTED, Target, Trace
from tests.programs import Outcome

MOST_LINES = 12  # of standard input
LAST = {"agents.evaluate": ("--games", "2"), "scripts.map_report": ("--games", "1"), "scripts.benchmark": ("--quick",)}
"""Options at the end of each command line, so that no example plays thousands of games."""


@dataclass(frozen=True)
class Program:
    """A program to run within this process, with its options and the slow functions to skip."""

    module: str
    options: tuple[str, ...]
    slow: tuple[str, ...] = ()

    def main(self, arguments: Sequence[str]) -> None:
        """Run the program, which raises SystemExit at its end."""
        module = importlib.import_module(self.module)
        with contextlib.ExitStack() as stack:
            for name in self.slow:
                where, _, function = name.partition(":")
                stack.enter_context(mock.patch.object(importlib.import_module(where), function, _skipped))
            if self.module == "edge_envs.__main__":
                sys.exit(module.main(list(arguments)))
            run(module.main, arguments=arguments)


def _skipped(*_: Any, **__: Any) -> Any:
    raise OSError("skipped")


PROGRAMS = (
    Program("agents.train", ("--config", "--out", "--set", "--resume"), ("agents.ppo.training:train",)),
    Program("agents.values", ("--config", "--out", "--set", "--resume"), ("agents.value_learning.training:train",)),
    Program("agents.tuples", ("--config", "--out", "--set", "--resume"), ("agents.tuple_learning.training:train",)),
    Program(
        "agents.selfplay.__main__", ("--config", "--out", "--set", "--resume"), ("agents.selfplay.training:train",)
    ),
    Program("agents.teach", ("--config", "--out", "--set", "--resume"), ("agents.teaching.training:train",)),
    Program(
        "agents.tune",
        ("--config", "--out", "--set", "--resume"),
        ("agents.fitting.heuristic_weights:tune",),
    ),
    Program(
        "agents.tournament",
        ("--config", "--game", "--param", "--agents", "--games", "--precision", "--time-limit", "--seed", "--out"),
        ("agents.arena.tournament:play_tournament",),
    ),
    Program(
        "agents.collect",
        ("--game", "--param", "--agents", "--games", "--format", "--seed", "--noise", "--shard", "--out"),
        ("agents.collection.run:collect",),
    ),
    Program("agents.chat", ("configs/chat/local.yaml", "--json")),
    Program("agents.evaluate", ("--agent", "--against", "--game", "--games", "--param", "--seed", "--json")),
    Program(
        "scripts.play",
        ("--seat", "--against", "--param", "--seed", "--position", "--record", "--no-advice", "--advice"),
        ("scripts.play:_adviser",),
    ),
    Program("scripts.solve", ("--cached", "--policies", "--json"), ("scripts.solve:_solve",)),
    Program("scripts.map_report", ("--games", "--seed", "--json", "--map-file"), ("scripts.map_report:_play",)),
    Program(
        "scripts.benchmark",
        ("--game", "--repeats", "--seconds", "--quick", "--json", "--markdown"),
        ("scripts.benchmark:_measure",),
    ),
    Program("edge_envs.__main__", ("games", "rules", "warm", "--json", "--help"), ("edge_envs.__main__:_warm",)),
)


class Programs(Target):
    """Lists of arguments and lines of input."""

    apis = ("State", "vector")

    def attempt(self, rng: Random, trace: Trace) -> str:
        """Run a program: it succeeds, or fails with one line or its usage."""
        program = rng.choice(PROGRAMS)
        arguments = self._arguments(rng, program)
        lines = [rng.choice(TYPED) for _ in range(rng.randrange(MOST_LINES))]
        trace.add(f"{program.module} with", arguments)
        trace.add("with input", lines)
        outcome = self._outcome(program, arguments, "\n".join([*lines, ":quit"]))
        trace.add("ended with", outcome)
        assert outcome.code in (0, 2, None), f"exit code {outcome.code}"
        assert "Traceback" not in outcome.err
        assert outcome.code in (0, None) or outcome.err, "it fails without a message"
        return REJECTED if outcome.code else ACCEPTED

    def _arguments(self, rng: Random, program: Program) -> list[str]:
        words = self._words(rng)
        arguments: list[str] = []
        if rng.random() < 0.8:  # start with valid arguments
            arguments += self._valid_arguments(rng, program)
        for _ in range(rng.choice((0, 0, 0, 1, 1, 2, 3))):
            arguments += [rng.choice(program.options)] if rng.random() < 0.7 else []
            arguments += [rng.choice(words)] if rng.random() < 0.8 else []
        if rng.random() < 0.1:
            rng.shuffle(arguments)
        if arguments and rng.random() < 0.1:
            number = rng.randrange(len(arguments))
            arguments[number] = damaged_text(rng, arguments[number])
        return [*arguments, *LAST.get(program.module, ())]

    def _valid_arguments(self, rng: Random, program: Program) -> list[str]:
        game = rng.choice(self.names)
        if "--config" in program.options:
            return ["--config", str(rng.choice(config_seeds())[0]), "--out", str(self.folder / str(rng.random()))]
        if program.module == "agents.evaluate":
            return ["--game", game, "--agent", "random", "--against", "random"]
        if program.module == "scripts.benchmark":
            return ["--game", game]
        if program.module == "edge_envs.__main__":
            return ["rules", game]
        return [game]

    def _words(self, rng: Random) -> list[str]:
        """Return values for options: games, valid and invalid files, numbers, odd strings."""
        position = self.folder / "position.json"
        position.write_text(json.dumps(rng.choice(positions_of(self.some_game(rng)))), encoding="utf-8")
        damaged = self.folder / "damaged.yaml"
        damaged.write_bytes(config_text(rng, rng.choice(config_seeds())[0]))
        return [
            *self.names, "random", "heuristic", "chess", str(rng.choice(policy_folders())), str(position), str(damaged),
            str(self.folder), str(self.folder / "new"), "/dev/null", "/", "num_players=3", "num_players=x", "a=[", "=",
            "seed=1", "ppo.epochs=0", "--", "-x", "--help", *ODD_LITERALS,
            *(text for text in ODD_TEXTS if text != "\ud800"),
        ]  # fmt: skip

    def _outcome(self, program: Program, arguments: Sequence[str], typed: str) -> Outcome:
        """Run the program in its own folder, with streams that behave like pipes."""
        out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", errors="backslashreplace") for _ in range(2))
        stdin = io.TextIOWrapper(io.BytesIO(typed.encode("utf-8", "surrogatepass")), encoding="utf-8")
        code: Any = "no exit"
        streams = contextlib.redirect_stdout(out), contextlib.redirect_stderr(err)
        with _in_folder(self.folder), mock.patch.object(sys, "stdin", stdin), streams[0], streams[1]:
            try:
                program.main(arguments)
            except SystemExit as stopped:
                code = stopped.code
        texts = [stream.buffer.getvalue().decode() for stream in (_flushed(out), _flushed(err))]  # type: ignore[attr-defined]
        return Outcome(code, *texts)


def _flushed(stream: io.TextIOWrapper) -> io.TextIOWrapper:
    stream.flush()
    return stream


@contextlib.contextmanager
def _in_folder(folder: Path) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


TYPED = (
    "1", "1", "1", "2", "3", "", "99", "-1", "a", "?", ":", ":help", ":hint", ":undo", ":rules", ":rules nothing",
    ":legend", ":log", ":look", ":actions", ":save", ":save p.json", ":save a\0b", ":save /nowhere/p.json", ":save .",
    ":h", ":zzz", ":quit", "\x1b[A", "é", "\u202e", "9" * 5000,
)  # fmt: skip
"""Lines that a human player may type."""
