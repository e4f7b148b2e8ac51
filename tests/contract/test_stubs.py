"""Type stubs: the names and parameters of games that type checkers and editors know."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import edge_envs
from scripts.write_stubs import MODULES, STUBS, game_modules, shipped, stubs
from tests.programs import ROOT

CALLS = {
    "load_game": "Game",
    "aec_env": "GameAECEnv",
    "parallel_env": "GameParallelEnv",
    "vector_env": "GameVectorEnv",
    "seat_env": "SeatEnv",
    "seat_vector_env": "SeatVectorEnv",
    "sb3_vec_env": "SeatVecEnv",
}
"""The functions that take the name of a game, and the class that each returns."""


def call(function: str, name: str, arguments: str = "") -> str:
    more = ", num_envs=1" if function == "vector_env" else ""
    return f"edge_envs.{function}({name}{more}{arguments})"


HEAD = """\
# mypy: enable-error-code="deprecated"
import edge_envs
from edge_envs.makers import GameName
def known() -> GameName: return "falling_off"
"""


def mypy_messages(lines: list[str], folder: Path) -> list[list[str]]:
    """Run mypy on a program and return its messages by line."""
    file = folder / "program.py"
    file.write_text(HEAD + "\n".join(lines), encoding="utf-8")
    command = [sys.executable, "-m", "mypy", str(file)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    messages: list[list[str]] = [[] for _ in lines]
    for place, text in re.findall(rf"{file.name}:(\d+): (.*)$", done.stdout, re.MULTILINE):
        messages[int(place) - HEAD.count("\n") - 1].append(text)
    assert any(messages), done.stdout[-1000:] + done.stderr
    return messages


def test_stubs_are_up_to_date() -> None:
    assert STUBS.read_text(encoding="utf-8") == stubs(shipped()), "run python scripts/write_stubs.py"
    assert MODULES.read_text(encoding="utf-8") == game_modules(shipped()), "run python scripts/write_stubs.py"


def test_mypy_accepts_all_names_and_parameters_and_rejects_others(tmp_path: Path) -> None:
    right, wrong = list(valid_calls()), list(invalid_statements())
    classes = [f'Revealed type is "{kind}"' for kind in map(class_returned_by, right)]
    messages = mypy_messages([f"reveal_type({line})" for line in right] + wrong, tmp_path)
    for line, kind, texts in zip(right, classes, messages, strict=False):
        assert [text.removeprefix("note: ") for text in texts] == [kind], line
    for line, texts in zip(wrong, messages[len(right) :], strict=True):
        assert len(texts) == 1, line
        assert re.search(r"\[(deprecated|assignment)\]$", texts[0]), texts


def class_returned_by(line: str) -> str:
    made = getattr(edge_envs, CALLS[line.partition("(")[0].removeprefix("edge_envs.")])
    return f"{made.__module__}.{made.__qualname__}"


def valid_calls() -> Iterator[str]:
    """Yield calls of each function with each name, a computed name, and each parameter of each game."""
    for function in CALLS:
        yield call(function, "str()", ", unheard_of=1")
        yield call(function, "known()")
        yield call(function, repr("edge_envs/falling_off_3p-v0"))
        yield call(function, repr("edge_envs/falling_off-v0"), ", num_players=3")
        for game_type in shipped():
            yield from (call(function, repr(name)) for name in game_type.variants)
            plain = [f", {p.name}={p.default!r}" for p in game_type.parameters.values()]
            yield call(function, repr(game_type.name), "".join(plain))


def invalid_statements() -> Iterator[str]:
    """Yield statements with an unknown name, unknown parameters, values of a wrong type, and contradicting values."""
    yield "name: GameName = 'unheard_of'"
    for function in CALLS:
        for game_type in shipped():
            yield call(function, repr(game_type.name), ", unheard_of=1")
            yield from (call(function, repr(game_type.name), f", {name}=1.5") for name in game_type.parameters)
    for name, key, value in fixed_integers():
        yield call("load_game", repr(name), f", {key}={value + 1}")


def fixed_integers() -> Iterator[tuple[str, str, int]]:
    for game_type in shipped():
        for name, variant in game_type.variants.items():
            yield from ((name, key, value) for key, value in variant.params.items() if isinstance(value, int))
