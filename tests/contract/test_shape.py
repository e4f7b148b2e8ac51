"""All game folders have the same layout: required modules, optional modules, and folders with known names."""

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
OPTIONAL = (
    "narration",
    "features",
    "solver",
    "tutorial",
    "short_rules",
    "editor",
    "cells",
    "turns",
    "vectors",
    "trained",
    "search.json",
    "cover.svg",
)
"""Optional modules, packages and files of a game that `edge_envs` and `agents` use."""
ROOMS = ("pieces", "map", "knowledge", "phases", "planning", "checks", "views", "player", "heuristics", "reports")
"""Optional folders of a game. Each imports only earlier ones."""

GAMES = {**edge_envs.GAMES, **TOYS}


def folder_of(game: str) -> Path:
    return Path(str(importlib.import_module(GAMES[game].package).__file__)).parent


def contents(game: str) -> set[str]:
    """Return the top level of a game's folder: modules by name, folders, and other files with their suffix."""
    folder = folder_of(game)
    files = (file.relative_to(folder) for file in folder.rglob("*") if file.is_file())
    tops = {Path(file.parts[0]) for file in files if "__pycache__" not in file.parts}
    return {top.stem if top.suffix == ".py" else top.name for top in tops}


def internal_imports(game: str) -> dict[str, set[str]]:
    """Return the imports between the modules and folders at the top level of a game's folder."""
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
def test_every_game_has_the_required_modules(name: str) -> None:
    assert set(FILES) <= contents(name)


@pytest.mark.parametrize("name", GAMES)
def test_other_files_are_known_modules_or_in_known_folders(name: str) -> None:
    others = contents(name) - set(FILES) - set(OPTIONAL)
    assert others <= set(ROOMS)
    assert all((folder_of(name) / room / "__init__.py").is_file() for room in others)


@pytest.mark.parametrize("name", GAMES)
def test_modules_and_folders_of_a_game_have_no_import_cycles(name: str) -> None:
    """Repeatedly removing entries that import none of the others must leave nothing."""
    left = internal_imports(name)
    while ground := {part for part, uses in left.items() if not uses & left.keys()}:
        left = {part: uses for part, uses in left.items() if part not in ground}
    assert not left


@pytest.mark.parametrize("name", GAMES)
def test_folders_import_only_earlier_folders(name: str) -> None:
    uses = internal_imports(name)
    for i, room in enumerate(ROOMS):
        assert uses.get(room, set()) & set(ROOMS) <= set(ROOMS[:i]), room
    assert uses["state"] <= {"pieces", "map"}


def test_contributing_lists_every_module_and_folder() -> None:
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    for module in (*FILES, *OPTIONAL):
        assert f"| `{module}` |" in page, module
    for room in ROOMS:
        assert f"| `{room}/` |" in page, room
