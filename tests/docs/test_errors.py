"""Test that the index of errors lists existing messages, and all exceptions and messages of the environments."""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import edge_envs
from tests.docs.test_docs import section, tables, text_of
from tests.programs import ROOT

GAP = "…"
"""Stands for a value in a message."""
INTERNAL = {"CancelledError", "CommandError"}
"""Exceptions that no user meets: the first is caught, the others become lines of output."""
COMPLETE = (
    "core/checks/positions.py", "core/checks/seeds.py", "core/game.py", "core/opponent.py", "core/state.py",
    "envs", "games/__init__.py", "players",
)  # fmt: skip
"""Modules of `edge_envs` whose messages are all listed."""
OTHERS = (
    "edge_envs/answers.py", "edge_envs/core/errors.py", "edge_envs/core/game_type.py", "edge_envs/records.py",
    "edge_envs/text.py", "edge_envs/trained", "agents/common", "agents/external", "agents/players",
    "agents/training/memory_estimate.py",
)  # fmt: skip
"""Further modules with listed messages."""


def text_in(node: ast.expr) -> str | None:
    """Return the text of a string in source code, with a gap for each value, or None."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else None
    if isinstance(node, ast.JoinedStr):
        return "".join((text_in(part) or GAP) if isinstance(part, ast.Constant) else GAP for part in node.values)
    return None


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def files(*names: str) -> list[Path]:
    found = [ROOT / name for name in names]
    return [file for path in found for file in (sorted(path.rglob("*.py")) if path.is_dir() else [path])]


def strings() -> Iterator[str]:
    """Yield every string of the source, with gaps."""
    for file in files(*(f"edge_envs/{name}" for name in COMPLETE), *OTHERS):
        for node in ast.walk(tree_of(file)):
            if isinstance(node, ast.expr) and (text := text_in(node)):
                yield text


def raised() -> Iterator[str]:
    """Yield the messages that the listed modules raise."""
    for file in files(*(f"edge_envs/{name}" for name in COMPLETE)):
        for node in ast.walk(tree_of(file)):
            if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) and len(node.exc.args) == 1:
                text = text_in(node.exc.args[0])
                if text and re.search("[a-z]", text):
                    yield text


def pattern(message: str) -> re.Pattern[str]:
    """Return a pattern of a listed message, whose gaps match anything."""
    return re.compile(".*".join(map(re.escape, message.split(GAP))))


def page() -> str:
    return text_of("docs/errors.md")


def listed() -> list[str]:
    """Return the messages of the page."""
    after = page().partition("\n## Games and parameters\n")[2]
    return [row[0] for rows in tables(after) for row in rows]


def test_every_listed_message_is_in_the_source() -> None:
    source = "\n".join(strings())
    assert len(listed()) > 60
    assert [message for message in listed() if not pattern(message).search(source)] == []


def test_all_messages_of_the_environments_are_listed() -> None:
    known = [pattern(message) for message in listed()]
    missing = {text for text in raised() if not any(one.match(text) for one in known)}
    assert missing == set()


def test_all_exceptions_are_listed_with_their_bases() -> None:
    (rows,) = tables(section(page(), "Exceptions"))
    for name, bases, _ in rows:
        module, _, kind = name.rpartition(".")
        made = getattr(importlib.import_module(module), kind)
        assert [base.__name__ for base in made.__bases__] == [
            base.removeprefix("Gymnasium's ") for base in bases.split(", ")
        ], name
    source = "\n".join(file.read_text(encoding="utf-8") for file in files("edge_envs", "agents"))
    defined = set(re.findall(r"^class ([A-Z]\w*Error)\(", source, re.MULTILINE))
    assert defined - INTERNAL == {name.rpartition(".")[2] for name, _, _ in rows}


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (lambda: edge_envs.load_game("go"), "unknown game 'go' (choose from "),
        (lambda: edge_envs.load_game("beyond_maps", size=3), "invalid size=3: expected "),
        (lambda: edge_envs.load_game("beyond_maps").new_initial_state().apply_action(-1), "illegal action"),
    ],
)
def test_messages_look_like_the_listed_ones(call: object, expected: str) -> None:
    assert callable(call)
    with pytest.raises(ValueError, match=re.escape(expected)):
        call()
