"""Test that the examples are short, have a page with their code, and beat random play."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from scripts.recipes.pages import with_rows
from scripts.recipes.recipe import Outcome, Recipe, recipes
from tests.docs.test_docs import only_table, text_of
from tests.programs import ROOT

each_recipe = pytest.mark.parametrize("recipe", recipes(), ids=lambda recipe: recipe.name)
SEPARATE = {"agilerl_ppo", "benchmarl_ippo", "d3rlpy_cql", "rllib_ppo", "skrl_ppo", "verifiers_rollouts"}
"""Examples that need separate environments; `make test-all` also runs them."""
DETERMINISTIC = ["evaluate_with_intervals", "llm_player", "openspiel_mcts"]
"""Examples without learning, whose output is the same on every machine."""


@each_recipe
def test_example_is_short_and_lists_its_requirements(recipe: Recipe) -> None:
    assert len(recipe.text.splitlines()) <= 80
    title, rest = recipe.doc
    assert 10 < len(title) < 60
    assert rest
    assert recipe.requirements


@each_recipe
def test_the_page_shows_the_code_and_its_output(recipe: Recipe) -> None:
    page = text_of(f"docs/examples/{recipe.name}.md")
    assert f"```python\n{recipe.text}```\n" in page
    assert re.search(r"^\w+: won \S+ \(\S+ to \S+\) of \S+ games against random$", page, re.MULTILINE)


@each_recipe
def test_the_table_lists_supported_versions_for_each_example(recipe: Recipe) -> None:
    (row,) = [
        row for row in only_table(text_of("docs/examples.md")) if f"({Path('examples', recipe.name)}.md)" in row[0]
    ]
    versions = dict(version.rsplit(" ", 1) for version in row[1].split(", "))
    assert versions.keys() == {requirement.name for requirement in recipe.requirements}
    assert all(versions[requirement.name] in requirement.specifier for requirement in recipe.requirements)
    assert row[2].startswith("won ")


def test_every_page_has_an_example() -> None:
    pages = {page.stem for page in (ROOT / "docs/examples").glob("*.md")}
    assert pages == {recipe.name for recipe in recipes()}


@pytest.mark.parametrize(
    "recipe", [recipe for recipe in recipes() if recipe.name not in SEPARATE], ids=lambda r: r.name
)
def test_an_example_beats_random(recipe: Recipe, tmp_path: Path) -> None:
    assert recipe.is_satisfied()
    outcome = recipe.run(tmp_path)
    assert outcome.verdict().startswith("won"), outcome.errors
    if recipe.name in DETERMINISTIC:
        assert outcome.output in text_of(f"docs/examples/{recipe.name}.md")


def test_examples_with_separate_environments_are_in_the_makefile() -> None:
    makefile = text_of("Makefile")
    assert set(re.findall(r"scripts/examples\.py (\w+)", makefile)) == SEPARATE


def test_the_table_shows_failures_and_keeps_other_rows() -> None:
    one, other, *_ = known = recipes()
    fine = Outcome(0, "x: won 0.9 (0.8 to 1.0) of 20 games against random\n", "", 2.4, {"lib": "1.2"})
    weak = Outcome(1, "x: won 0.5 (0.3 to 0.7) of 20 games against random\n", "", 2.4, {"lib": "1.2"})
    broken = Outcome(1, "", "Traceback:\n  somewhere\nTypeError: no masks\n", 1.0, {"lib": "1.3"})
    text = "<!-- made by scripts/examples.py -->\n<!-- end -->\n"
    text = with_rows(text, {one: fine}, known)
    text = with_rows(text, {other: broken}, known)
    first, second = only_table(text)
    assert first[1:] == ["lib 1.2", "won 0.9 (0.8 to 1.0)", "2"]
    assert second[1:] == ["lib 1.3", "fails: TypeError: no masks", "1"]
    ((_, _, verdict, _), _) = only_table(with_rows(text, {one: weak}, known))
    assert verdict == "does not beat random: won 0.5"
