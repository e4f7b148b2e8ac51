"""Test that games created by `scripts/new_game.py` pass the contract tests, with all kinds of options."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

from scripts.new_game import HEADINGS, main, register
from scripts.skeleton.templates import render
from tests.programs import ROOT, Here

SKETCHES = {
    "bare": [],
    "dicey": ["--chance", "--values"],
    "secret": ["--hidden", "--players", "4"],
    "full": ["--chance", "--hidden", "--values", "--players", "3"],
}
"""Names and options of created games: each option occurs alone or with one other, and all occur together."""

CONTRACT = (
    "test_chance.py", "test_conformance.py::test_pettingzoo_api_test", "test_hidden.py", "test_observation.py",
    "test_pictures.py", "test_twin.py", "test_values.py",
)  # fmt: skip
"""Selected contract tests. Tests of all APIs would need minutes to compile."""

PLUGIN = """
import importlib
import sys

import tests.reference
from tests.toy import TOYS

for name in {names!r}:
    TOYS[name] = importlib.import_module(f"sketches.{{name}}").GAME
    twin = importlib.import_module(f"sketches.reference.{{name}}")
    sys.modules[f"tests.reference.{{name}}"] = twin
"""

PAGES = """
import pytest

import edge_envs
from tests.docs import test_docs

TESTS = [test for name, test in vars(test_docs).items() if name.startswith(("test_a_page_", "test_the_positions_of_"))]


@pytest.mark.parametrize("test", TESTS, ids=lambda test: test.__name__)
@pytest.mark.parametrize("name", {names!r})
def test_the_page_of_a_sketch(name, test):
    test(edge_envs.GAMES[name])
"""


@pytest.fixture
def sketches(here: Here, tmp_path: Path) -> Path:
    """Create a package with a new game for each set of options."""
    folder = tmp_path / "sketches"
    for name, options in SKETCHES.items():
        assert here(main, name, *options, "--to", folder).code == 0
    return folder


def test_created_files_pass_the_linter(sketches: Path) -> None:
    options = ["--config", str(ROOT / "pyproject.toml"), "--ignore", "D103"]  # tests need no docstrings
    for command in (["check", *options], ["format", "--check"]):
        line = [sys.executable, "-m", "ruff", *command, str(sketches)]
        done = subprocess.run(line, check=False, capture_output=True, text=True, cwd=ROOT)
        assert done.returncode == 0, done.stdout
    for file in sketches.rglob("*.py"):
        text = file.read_text(encoding="utf-8")
        assert "<<" not in text
        assert "%%" not in text
        assert "TODO" in text, f"{file.name} does not say what to replace"


def test_created_games_pass_the_contract_tests(sketches: Path) -> None:
    names = list(SKETCHES)
    (sketches.parent / "enrolled_sketches.py").write_text(PLUGIN.format(names=names), encoding="utf-8")
    pages = sketches.parent / "test_pages.py"
    pages.write_text(PAGES.format(names=names), encoding="utf-8")
    tests = [str(ROOT / "tests" / "contract" / name) for name in CONTRACT]
    tests += [str(pages), *(str(sketches / "tests" / name) for name in names)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(sketches.parent)])}
    options = ["-q", "-p", "enrolled_sketches", "-p", "no:cacheprovider", "--rootdir", str(ROOT), "-c",
               str(ROOT / "pyproject.toml"), "-k", " or ".join([*names, "test_pages"])]  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options, *tests],
        check=False, capture_output=True, text=True, env=environment, cwd=ROOT,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-2000:]
    assert " passed" in done.stdout


def test_the_next_steps_are_printed(here: Here, tmp_path: Path) -> None:
    shown = here(main, "pig", "--to", tmp_path / "sketches").out
    assert f"Created the game pig in {tmp_path / 'sketches' / 'pig'}." in shown
    assert all(heading in shown for heading in HEADINGS)
    assert "Optional, now or later" in shown
    assert "The game is not registered." in shown


@pytest.mark.parametrize("name", ["Pig", "2048", "a b", "../pig", "class", ""])
def test_invalid_module_name_is_rejected(here: Here, tmp_path: Path, name: str) -> None:
    assert "invalid name" in here.fails(main, name, "--to", tmp_path / "sketches")
    assert not list(tmp_path.iterdir())


def test_existing_game_is_not_overwritten(here: Here, tmp_path: Path) -> None:
    assert "there is already a game falling_off" in here.fails(main, "falling_off")
    assert here(main, "pig", "--to", tmp_path / "sketches").code == 0
    assert "exists: choose another name" in here.fails(main, "pig", "--to", tmp_path / "sketches")


def test_a_game_is_registered_by_one_entry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subprocess, "run", lambda *arguments, **options: None)
    registry = tmp_path / "__init__.py"
    before = Path(str(importlib.import_module("edge_envs.games").__file__)).read_text(encoding="utf-8")
    registry.write_text(before, encoding="utf-8")
    register("pig", registry)
    lines = registry.read_text(encoding="utf-8").splitlines()
    added = [line for line in lines if line not in before.splitlines()]
    assert added[1:] == ["    pig.GAME.name: pig.GAME,"]
    assert added[0].startswith("from edge_envs.games import ")
    assert added[0].endswith(", pig")


def test_template_conditions() -> None:
    text = "%% if a and b\nboth\n%% elif a\n<<name>>\n%% if b or c\ninner\n%% end\n%% else\nneither\n%% end\nend\n"
    assert render(text, {"a": True, "b": True, "c": False}) == "both\nend\n"
    assert render(text, {"a": True, "b": False, "c": True, "name": "one"}) == "one\ninner\nend\n"
    assert render(text, {"a": False, "b": True, "c": True}) == "neither\nend\n"
    with pytest.raises(ValueError, match="unknown directive '%% maybe'"):
        render("%% maybe\n", {})
