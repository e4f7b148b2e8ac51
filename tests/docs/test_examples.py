"""The examples: short, with a page that shows their code, and the short ones run."""

from __future__ import annotations

import contextlib
import re
import runpy
import sys
from pathlib import Path

import pytest

from scripts.recipes.pages import with_rows
from scripts.recipes.recipe import Outcome, Recipe, recipes
from tests.docs.test_docs import only_table, text_of
from tests.programs import ROOT

each_recipe = pytest.mark.parametrize("recipe", recipes(), ids=lambda recipe: recipe.name)
installed = [recipe for recipe in recipes() if recipe.is_satisfied()]
WHOLE = ["evaluate_with_intervals", "llm_player", "minari_cloning", "openspiel_mcts", "sb3_maskable_ppo"]
"""Those that are run whole here, since they take a few seconds, and so have to beat random."""


@each_recipe
def test_an_example_is_short_and_tells_what_it_needs(recipe: Recipe) -> None:
    assert len(recipe.text.splitlines()) <= 80
    title, rest = recipe.doc
    assert 10 < len(title) < 60
    assert rest
    assert recipe.requirements


@each_recipe
def test_the_page_shows_the_code_and_what_it_printed(recipe: Recipe) -> None:
    page = text_of(f"docs/examples/{recipe.name}.md")
    assert f"```python\n{recipe.text}```\n" in page
    assert re.search(r"^\w+: won .* games against random, 95 % interval .*$", page, re.MULTILINE)


@each_recipe
def test_the_table_has_a_row_with_versions_that_the_example_takes(recipe: Recipe) -> None:
    (row,) = [
        row for row in only_table(text_of("docs/examples.md")) if f"({Path('examples', recipe.name)}.md)" in row[0]
    ]
    versions = dict(told.rsplit(" ", 1) for told in row[1].split(", "))
    assert versions.keys() == {requirement.name for requirement in recipe.requirements}
    assert all(versions[requirement.name] in requirement.specifier for requirement in recipe.requirements)
    assert row[2].startswith("won ")


def test_there_is_no_page_without_its_example() -> None:
    pages = {page.stem for page in (ROOT / "docs/examples").glob("*.md")}
    assert pages == {recipe.name for recipe in recipes()}


@pytest.mark.parametrize("recipe", installed, ids=lambda recipe: recipe.name)
def test_an_example_runs(
    recipe: Recipe, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """All of it, which ends with an error unless it beats random; or a fiftieth, which need not play well."""
    whole = recipe.name in WHOLE
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", [recipe.name] if whole else [recipe.name, "0.02"])
    with contextlib.nullcontext() if whole else contextlib.suppress(SystemExit):
        runpy.run_path(str(recipe.path), run_name="__main__")
    assert re.search(r"^\w+: won .* games against random", capsys.readouterr().out, re.MULTILINE)


def test_the_page_names_those_that_the_tests_run_whole() -> None:
    page = text_of("docs/examples.md")
    (whole, parts) = re.findall(r"`make test` runs (.*?) whole,.* and a fiftieth of (.*?)\.", page, re.DOTALL)[0]
    assert re.findall(r"`(\w+)`", whole) == [*WHOLE, "rllib_ppo"]
    assert {*WHOLE, *re.findall(r"`(\w+)`", parts)} == {recipe.name for recipe in installed}


def test_the_table_says_why_an_example_failed_and_keeps_other_rows() -> None:
    one, other, *_ = known = recipes()
    fine = Outcome(0, "x: won 0.9 of 20 games against random, 95 % interval 0.8 to 1.0\n", "", 2.4, {"lib": "1.2"})
    weak = Outcome(1, "x: won 0.5 of 20 games against random, 95 % interval 0.3 to 0.7\n", "", 2.4, {"lib": "1.2"})
    broken = Outcome(1, "", "Traceback:\n  somewhere\nTypeError: no masks\n", 1.0, {"lib": "1.3"})
    text = "<!-- made by scripts/examples.py -->\n<!-- end -->\n"
    text = with_rows(text, {one: fine}, known)
    text = with_rows(text, {other: broken}, known)
    first, second = only_table(text)
    assert first[1:] == ["lib 1.2", "won 0.9 (0.8 to 1.0)", "2"]
    assert second[1:] == ["lib 1.3", "fails: TypeError: no masks", "1"]
    ((_, _, verdict, _), _) = only_table(with_rows(text, {one: weak}, known))
    assert verdict == "does not beat random: won 0.5"
