"""Test with axe-core (https://github.com/dequelabs/axe-core) that every view is accessible, in both themes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import edge_envs
from edge_envs import Game
from edge_envs.play.analysis import best_judge
from edge_envs.play.appraisal import judge_for
from edge_envs.replays import replay_page
from edge_envs.web.guard import Limits
from edge_envs.web.server import Web
from scripts.static_pages import build
from tests.web.browser import REQUIRES_BROWSER, Visitor, against_a_waiting_agent, visiting
from tests.web.client import EXACT_PUZZLE, serving
from tests.web.test_browser import record as played

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = REQUIRES_BROWSER

SHORT: dict[str, dict[str, Any]] = {
    "beyond_maps": {"size": 6},
    "over_the_edge": {"max_turns": 12},
    "ghost_ship": {"creation": "random", "max_turns": 6},
}
"""Parameters that shorten long games."""
THEMES = ("light", "dark")
OWN = [name for name, kind in edge_envs.GAMES.items() if kind.package.startswith("edge_envs.")]
PAGES = [
    "", "replays", "puzzle", "over_the_edge/edit/map",
    *(f"{game}{part}" for game in OWN for part in ("", "/learn", "/rules", "/edit")),
]  # fmt: skip


@pytest.fixture(scope="module")
def web() -> Iterator[Web]:
    with serving(Limits(idle=0.0)) as web:
        yield web


@pytest.fixture
def visitor(browser: Browser, web: Web, theme: str) -> Iterator[Visitor]:
    with visiting(browser, web, color_scheme=theme) as visitor:
        yield visitor


def check(page: Page, view: str) -> None:
    """Fail with the rules that a page violates and the elements that violate them."""
    from axe_playwright_python.sync_playwright import Axe

    found = Axe().run(page, options={"preload": False}).response["violations"]  # `file://` blocks preloading
    broken = {rule["id"]: [(node["html"][:200], node["failureSummary"]) for node in rule["nodes"]] for rule in found}
    assert not broken, f"{view}: {json.dumps(broken, indent=1)}"


def finish_and_review(visitor: Visitor) -> None:
    """Play to the end of the game, check the end card, and open the analysis."""
    while visitor.ready():
        visitor.play_middle()
    check(visitor.page, "end card")
    visitor.find("[data-do=review]").click()
    visitor.page.wait_for_selector("#analysis [role=status]:has-text('Judged by')")


# The tier `test`: two views of each kind


@pytest.mark.parametrize("theme", THEMES)
def test_pages_are_accessible(visitor: Visitor, theme: str) -> None:
    for where in ("", "falling_off"):
        visitor.go(where)
        visitor.page.wait_for_load_state("networkidle")
        check(visitor.page, where or "home")


@pytest.mark.parametrize("theme", THEMES)
def test_a_match_is_accessible_from_the_first_decision_to_the_analysis(visitor: Visitor, theme: str) -> None:
    visitor.begin("tic_tac_toe", "human", "random")
    visitor.play_middle()
    check(visitor.page, "own turn")
    finish_and_review(visitor)
    check(visitor.page, "analysis")


# The tier `all`: everything


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("where", PAGES)
def test_every_page_is_accessible(visitor: Visitor, theme: str, where: str) -> None:
    visitor.go(where)
    visitor.page.wait_for_load_state("networkidle")
    check(visitor.page, where)


def compile_judges(game: Game) -> None:
    """Compile the judges of a game, so that its page does not wait for the compiler."""
    state = game.new_initial_state(seed=0)
    while state.is_chance_node():
        state.apply_action(state.sample_chance())
    best_judge(game, state).values(state)
    make = judge_for(game)
    if make is not None:
        make(game).values(state)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("game", OWN)
def test_every_match_is_accessible(visitor: Visitor, theme: str, game: str) -> None:
    compile_judges(edge_envs.load_game(game, **SHORT.get(game, {})))
    visitor.begin(game, **SHORT.get(game, {}))
    visitor.find("details").evaluate_all("all => all.forEach((one) => { one.open = true; })")
    visitor.find("#evaluates").check()
    visitor.find("[data-do=worth]").click()
    visitor.page.wait_for_selector("#actions[open]")
    visitor.page.wait_for_selector("#message:not(:has-text('Thinking'))")
    check(visitor.page, "values")
    visitor.play_middle()
    check(visitor.page, "an incomplete choice, or the next decision")
    finish_and_review(visitor)
    if visitor.find(".costly-list button").count():
        visitor.find(".costly-list button").first.click()
    check(visitor.page, "analysis")
    visitor.go(game)
    visitor.page.wait_for_selector(".ladder")
    check(visitor.page, "results on the ladder")


@pytest.mark.parametrize("theme", THEMES)
def test_waiting_is_accessible(visitor: Visitor, web: Web, theme: str) -> None:
    slow = against_a_waiting_agent(visitor, web)
    visitor.page.wait_for_selector("#clock:not(:empty)")
    check(visitor.page, "a thinking agent")
    visitor.find("[data-do=stop]").click()
    visitor.page.wait_for_selector("[data-do=retry]:visible")
    check(visitor.page, "a stopped agent")
    slow.released.set()
    visitor.begin("kuhn", "human", "human")
    visitor.page.wait_for_selector(".curtain:not([hidden])")
    check(visitor.page, "the curtain")
    visitor.begin("tic_tac_toe", "human", "linked")
    check(visitor.page, "a link")
    visitor.page.goto(f"{visitor.home}#unknown")
    visitor.page.wait_for_selector("#alert:visible")
    check(visitor.page, "an error")


@pytest.mark.parametrize("theme", THEMES)
def test_an_answered_puzzle_is_accessible(visitor: Visitor, theme: str) -> None:
    visitor.go(f"puzzle/{EXACT_PUZZLE}")
    visitor.page.wait_for_selector(".board .open")
    visitor.find("#choices summary").click()
    visitor.find("#choices li:last-child button").click()
    visitor.page.wait_for_selector("#verdict:not(:empty)")
    check(visitor.page, "verdict")


@pytest.mark.parametrize("theme", THEMES)
def test_a_replay_file_is_accessible(visitor: Visitor, theme: str, tmp_path: Path) -> None:
    file = tmp_path / "replay.html"
    file.write_text(replay_page(played(edge_envs.load_game("beyond_maps", size=6), 0)), encoding="utf-8")
    visitor.page.goto(file.as_uri())
    visitor.page.wait_for_selector(".board svg")
    check(visitor.page, "replay file")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the pages that need no server."""
    folder = tmp_path_factory.mktemp("static") / "page"
    build.build(folder)
    return folder


@pytest.mark.parametrize("theme", THEMES)
def test_static_pages_are_accessible(visitor: Visitor, folder: Path, theme: str) -> None:
    for file in sorted(folder.glob("*.html")):
        visitor.page.goto(file.as_uri())
        visitor.page.wait_for_selector("h1")
        check(visitor.page, file.name)


@pytest.mark.parametrize("theme", THEMES)
def test_a_static_game_is_accessible(visitor: Visitor, folder: Path, theme: str) -> None:
    visitor.page.goto((folder / "play.html").as_uri())
    visitor.page.wait_for_selector(".board .open")
    visitor.find("#values").check()
    check(visitor.page, "values")
