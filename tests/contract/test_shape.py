"""The folders of all games have one shape: the files that every game has, and rooms with known names for the rest."""

from __future__ import annotations

import ast
import importlib
from pathlib import Path

import pytest

import edge_envs
from tests.toy import TOYS

ROOT = Path(__file__).resolve().parents[2]
FILES = ("__init__", "state", "position", "actions", "rules", "observation", "heuristic", "draw", "picture")
"""The modules that every game has."""
OPTIONAL = ("narration", "features", "solver", "tutorial", "short_rules", "editor", "search.json", "cover.svg")
"""Modules, folders of them, and files that `edge_envs` and `agents` look for in a game."""
ROOMS = ("pieces", "map", "knowledge", "phases", "checks", "views", "player", "heuristics", "reports")
"""Folders for what else a game needs. Not every game has them. Each imports only those before it."""

GAMES = {**edge_envs.GAMES, **TOYS}


def folder_of(game: str) -> Path:
    return Path(str(importlib.import_module(GAMES[game].package).__file__)).parent


def contents(game: str) -> set[str]:
    """What lies at the top of a game's folder: modules by name, folders, and other files with their endings."""
    folder = folder_of(game)
    files = (file.relative_to(folder) for file in folder.rglob("*") if file.is_file())
    tops = {Path(file.parts[0]) for file in files if "__pycache__" not in file.parts}
    return {top.stem if top.suffix == ".py" else top.name for top in tops}


def arrows(game: str) -> dict[str, set[str]]:
    """For each module and room at the top of a game's folder, those others that it imports."""
    folder, package = folder_of(game), GAMES[game].package
    found: dict[str, set[str]] = {name: set() for name in contents(game)}
    for file in folder.rglob("*.py"):
        own = file.relative_to(folder).with_suffix("").parts[0]
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module == package:
                found[own] |= {alias.name for alias in node.names if alias.name in found}
            elif isinstance(node, ast.ImportFrom) and str(node.module).startswith(f"{package}."):
                found[own].add(str(node.module).removeprefix(f"{package}.").split(".")[0])
    return {name: uses - {name} for name, uses in found.items()}


@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_the_files_that_all_games_have(name: str) -> None:
    assert set(FILES) <= contents(name)


@pytest.mark.parametrize("name", GAMES)
def test_everything_else_is_a_known_module_or_in_a_known_room(name: str) -> None:
    others = contents(name) - set(FILES) - set(OPTIONAL)
    assert others <= set(ROOMS)
    assert all((folder_of(name) / room / "__init__.py").is_file() for room in others)


@pytest.mark.parametrize("name", GAMES)
def test_the_rooms_and_files_of_a_game_stand_on_floors(name: str) -> None:
    """No circles: what is left when all that needs nothing of the rest is taken away, again and again, is nothing."""
    left = arrows(name)
    while ground := {part for part, uses in left.items() if not uses & left.keys()}:
        left = {part: uses for part, uses in left.items() if part not in ground}
    assert not left


@pytest.mark.parametrize("name", GAMES)
def test_rooms_import_those_before_them(name: str) -> None:
    uses = arrows(name)
    for i, room in enumerate(ROOMS):
        assert uses.get(room, set()) & set(ROOMS) <= set(ROOMS[:i]), room
    assert uses["state"] <= {"pieces", "map"}


def test_contributors_are_told_of_every_file_and_room() -> None:
    told = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    for module in (*FILES, *OPTIONAL):
        assert f"| `{module}` |" in told, module
    for room in ROOMS:
        assert f"| `{room}/` |" in told, room
