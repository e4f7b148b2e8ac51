"""The examples: short, with a page that shows their code, and all of them beat random."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from scripts.recipes.pages import with_rows
from scripts.recipes.recipe import Outcome, Recipe, recipes
from tests.docs.test_docs import only_table, text_of
from tests.programs import ROOT

each_recipe = pytest.mark.parametrize("recipe", recipes(), ids=lambda recipe: recipe.name)
APART = {"agilerl_ppo", "rllib_ppo"}
"""Those that need environments of their own: `make test-all` runs them besides."""
REPEATED = ["evaluate_with_intervals", "llm_player", "openspiel_mcts"]
"""Those without learning, that print the same on each machine."""


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


@pytest.mark.parametrize("recipe", [recipe for recipe in recipes() if recipe.name not in APART], ids=lambda r: r.name)
def test_an_example_beats_random(recipe: Recipe, tmp_path: Path) -> None:
    assert recipe.is_satisfied()
    outcome = recipe.run(tmp_path)
    assert outcome.verdict().startswith("won"), outcome.errors
    if recipe.name in REPEATED:
        assert outcome.output in text_of(f"docs/examples/{recipe.name}.md")


def test_those_that_need_environments_of_their_own_are_run_besides() -> None:
    makefile = text_of("Makefile")
    assert set(re.findall(r"scripts/examples\.py (\w+)", makefile)) == APART


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
