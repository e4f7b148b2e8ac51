"""Create the skeleton of a new game: a small complete game whose rules are to be replaced.

    python scripts/new_game.py pig --chance --players 4
    python scripts/new_game.py spies --hidden --values

The skeleton is a race to a total. It passes the contract tests, so that each change of it can be tested.
"""

from __future__ import annotations

import keyword
import re
import subprocess
import sys
import textwrap
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from agents.common.console import run

if TYPE_CHECKING:
    import typer

    from scripts.skeleton.sizes import Options

HEADINGS = (
    "Usage", "Description", "Parameters", "Spec", "Observation", "Actions and chance outcomes", "Rewards", "End",
    "Events", "Position", "Heuristic", "Values", "Exact solution", "Version history", "References",
)  # fmt: skip
"""The headings of the page of a game, in their order."""
OPTIONAL_HEADINGS = ("Events", "Values", "Exact solution")

ROOT = Path(__file__).resolve().parents[1]
GAMES = ROOT / "edge_envs" / "games"
STEPS = """\
Next steps:

 1. Run the contract tests of the skeleton:
      python -m tests.contract.golden --write {name}
      python -m tests.contract.perft --write {name}
      python -m pytest tests/contract tests/games/{name} -k {name}
 2. Replace the rules in {game}: each file says what to replace.
      grep -rn TODO {game} {twin} {tests}
 3. Write the reference implementation in {twin}, from the rules and not from the kernels.
 4. Write one test for each rule in {tests}.
 5. Write the page of the game, the docstring of __init__.py, with these headings in this order:
      {headings}
    {optional} are optional.
 6. Repeat step 1. Review the playthrough in tests/golden before you commit it.
 7. After a change of the parameters, run python scripts/write_stubs.py, which lists them for type checkers and editors.
    make check runs mypy, which finds missing functions (tests/game_modules.py).
 8. Add a line to CHANGELOG.md.

Optional, now or later (the documents: at the latest when the page no longer contains TODO):

  - picture.py: draw the board, with places to click
  - heuristic.py: a stronger agent; values: docs/values.md
  - cells.py: the position as small integers, to learn values from the rules alone: docs/values.md
  - modules: narration, features, short_rules, tutorial, editor, solver, and cover.svg (see CONTRIBUTING.md)
  - tests/games/{name}/cases.json: parameters of the contract tests
  - rows in the tables of README.md, docs/README.md and docs/index.md, a card in docs/games.md, a scene of the
    strip in docs/pictures/scenes.json
  - a scene in docs/pictures/scenes.json, drawn by python scripts/draw_docs.py, and levels in docs/benchmark.md
  - targets in scripts/benchmarks/goals.py, and then measurements in docs/performance.md
  - configurations in configs/{name}, and policies"""
UNREGISTERED = """\
The game is not registered. Call edge_envs.register_games({{"{name}": {package}.GAME}}) before you use it."""


def main(
    name: Annotated[str, typer.Argument(metavar="NAME", help="name of the game, such as pig")],
    chance: Annotated[bool, typer.Option("--chance", help="with chance: a die is rolled in each turn")] = False,
    hidden: Annotated[
        bool, typer.Option("--hidden", help="with hidden information: each player is dealt a secret stake")
    ] = False,
    values: Annotated[bool, typer.Option("--values", help="with values of actions and positions")] = False,
    players: Annotated[int, typer.Option(min=2, max=8, metavar="N", help="most players")] = 2,
    to: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="package for the game, in place of edge_envs/games; the game is not registered, and its reference "
            "implementation and tests are also written there",
        ),
    ] = None,
) -> None:
    """Create the skeleton of a new game, register it and print the next steps.

    The skeleton is a small complete game, a race to a total. Replace its rules step by step.

    Example: python scripts/new_game.py pig --chance --players 4
    """
    from scripts.skeleton.sizes import Options

    check_name(name)
    package = "edge_envs.games" if to is None else to.resolve().name
    options = Options(name, f"{package}.{name}", chance, hidden, values, players)
    places = Places.of(name, to)
    write_files(options, places)
    if to is None:
        register(name, GAMES / "__init__.py")
    print(next_steps(options, places, is_registered=to is None))


@dataclass(frozen=True)
class Places:
    """The places of a new game's files."""

    game: Path
    """The folder of the game."""
    twin: Path
    """The file of its reference implementation."""
    tests: Path
    """The folder of its tests."""

    @classmethod
    def of(cls, name: str, to: Path | None) -> Places:
        """Return the places in this checkout, or in the folder `to`."""
        if to is not None:
            return cls(to / name, to / "reference" / f"{name}.py", to / "tests" / name)
        return cls(GAMES / name, ROOT / "tests" / "reference" / f"{name}.py", ROOT / "tests" / "games" / name)


def check_name(name: str) -> None:
    """Check that a game can have this name.

    Raises:
        ValueError: if the name is not a lower-case identifier, or is taken.
    """
    from edge_envs.games import GAMES as KNOWN

    if not re.fullmatch("[a-z][a-z0-9_]*", name) or keyword.iskeyword(name):
        raise ValueError(f"invalid name {name!r}: expected lower-case letters, digits and _, such as word_race")
    if name in KNOWN:
        raise ValueError(f"there is already a game {name} (the games: {', '.join(KNOWN)})")


def write_files(options: Options, places: Places) -> None:
    """Write the files of a new game.

    Raises:
        ValueError: if one of the places exists; then nothing is written.
    """
    from agents.common.files import write_whole
    from scripts.skeleton.sizes import template_values
    from scripts.skeleton.templates import render, templates

    for place in (places.game, places.twin, places.tests):
        if place.exists():
            raise ValueError(f"{place} exists: choose another name, or remove it")
    values, tests = template_values(options), templates("tests")
    files = {places.game / name: text for name, text in templates("game").items()}
    files |= {places.twin: tests["twin.py"], places.tests / "test_rules.py": tests["test_rules.py"]}
    sources = {file: render(text, values) for file, text in files.items()}
    for file, source in sources.items():
        file.parent.mkdir(parents=True, exist_ok=True)
        write_whole(file, source)
    tidy(sources)


def tidy(files: Iterable[Path]) -> None:
    """Sort the imports of Python files and format them, with the settings of this checkout."""
    ruff = [sys.executable, "-m", "ruff"]
    settings = ["--quiet", "--config", str(ROOT / "pyproject.toml"), *map(str, files)]
    for command in (["check", "--select", "I", "--fix"], ["format"]):
        subprocess.run([*ruff, *command, *settings], cwd=ROOT, check=True)


def register(name: str, registry: Path) -> None:
    """Add a game to the registry, the module `edge_envs.games`, and to the stubs for type checkers."""
    from agents.common.files import write_whole

    text = registry.read_text(encoding="utf-8")
    imports = re.compile(r"^from edge_envs\.games import (.*)$", re.MULTILINE)
    text = imports.sub(lambda found: f"from edge_envs.games import {found[1]}, {name}", text, count=1)
    head, end, rest = text.partition("\n}\n")
    write_whole(registry, f"{head}\n    {name}.GAME.name: {name}.GAME,{end}{rest}")
    tidy([registry])
    subprocess.run([sys.executable, str(ROOT / "scripts" / "write_stubs.py")], cwd=ROOT, check=True)


def next_steps(options: Options, places: Places, is_registered: bool) -> str:
    """Return the list of the steps that remain."""
    shown = {
        key: str(place.relative_to(ROOT) if place.is_relative_to(ROOT) else place)
        for key, place in vars(places).items()
    }
    headings = textwrap.fill(", ".join(HEADINGS), 110, subsequent_indent=" " * 6)
    optional = f"{', '.join(OPTIONAL_HEADINGS[:-1])} and {OPTIONAL_HEADINGS[-1]}"
    steps = STEPS.format(name=options.name, headings=headings, optional=optional, **shown)
    note = "" if is_registered else UNREGISTERED.format(name=options.name, package=options.package) + "\n\n"
    return f"Created the game {options.name} in {shown['game']}.\n{note}\n{steps}"


if __name__ == "__main__":
    run(main, extra="dev")
