"""Test the pages that need no server: in a browser from `file://`, and their rules and values against the kernels."""

from __future__ import annotations

import base64
import html
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import edge_envs
from edge_envs import CHANCE, GAMES, replay
from edge_envs.games.falling_off.actions import FIRST_MOVE
from edge_envs.games.falling_off.pieces.sets import (
    ALL_OFF,
    FIRST_ROLL,
    MOVED,
    MOVES_FROM,
    MOVES_TO,
    PAWN_SETS,
    REROLLS,
)
from edge_envs.games.falling_off.solver.solution import Solution, load_solution
from edge_envs.games.falling_off.state import MOVE, REROLL
from scripts.static_pages import build, famous, race
from scripts.static_pages.build import famous_page, story_of
from scripts.static_pages.bundle import bundle
from tests.programs import ROOT, program
from tests.web.browser import REQUIRES_BROWSER, Visitor

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

STEP = 5_000  # milliseconds of the page's clock between two decisions
ACCURACY = 1e-5
NUM_ACTIONS, NUM_ROLLS = 74, 56
CHECKS = ROOT / "tests" / "web" / "race_checks.js"


DRAWN = ("falling_off", "beyond_maps")
"""The games whose famous games are drawn for the tests in a browser; others take longer."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the pages."""
    folder = tmp_path_factory.mktemp("static") / "page"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            build, "famous_page", lambda one: famous_page(one) if one.game in DRAWN else "<main><svg/></main>"
        )
        build.build(folder)
    return folder


@pytest.fixture(scope="module")
def solution() -> Solution:
    return load_solution()


@pytest.fixture(scope="module")
def runner(browser: Browser) -> Iterator[Page]:
    """Open an empty page with the rules, the values and `race_checks.js`."""
    page = browser.new_page()
    page.add_script_tag(content=bundle(CHECKS.name, {CHECKS.name: CHECKS.read_text(encoding="utf-8")}))
    page.evaluate("(table) => checks.read(table)", base64.b64encode(race.table()).decode())
    yield page
    page.close()


def run(page: Page, check: str, argument: Any, dtype: type = np.float64) -> np.ndarray[Any, Any]:
    """Run a check that returns an array."""
    return np.frombuffer(base64.b64decode(page.evaluate(f"(argument) => checks.{check}(argument)", argument)), dtype)


# The folder


def test_every_game_has_a_lesson_and_a_famous_game(folder: Path) -> None:
    for name, kind in GAMES.items():
        if kind.package.startswith("edge_envs."):
            assert (folder / f"learn-{name}.html").is_file()
            assert (folder / f"game-{name}.html").is_file()


def test_pages_refer_only_to_files_of_the_folder(folder: Path) -> None:
    for page in folder.glob("*.html"):
        for target in re.findall(r'(?:href|src)="([^"#]+)"', page.read_text(encoding="utf-8")):
            assert (folder / target).is_file(), (page.name, target)


def test_famous_games_are_finished_and_analysed_completely() -> None:
    assert {one.game for one in famous.GAMES} == {n for n, k in GAMES.items() if k.package.startswith("edge_envs.")}
    for one in famous.GAMES:
        document = famous.load(one)
        record = document["record"]
        assert replay(record).is_terminal()
        assert (record["game"], record["seed"]) == (one.game, one.seed)
        assert record["params"].items() >= one.params.items()
        assert document["agents"] == list(one.agents)
        assert len(document["analysis"]["points"]) == sum(player >= 0 for player, _ in record["history"])
        assert document["analysis"]["costly"]


def test_famous_game_of_the_solved_game_is_judged_exactly() -> None:
    one = famous.GAMES[0]
    document = famous.load(one)
    fresh = famous.analysis_of(one, document["record"])
    assert fresh["by"] == document["analysis"]["by"] == "Perfect play"
    assert np.allclose(fresh["points"], document["analysis"]["points"])


@pytest.mark.parametrize("one", famous.GAMES, ids=lambda one: one.game)
def test_famous_game_is_a_small_page_with_its_story(one: famous.Famous) -> None:
    document = famous.load(one)
    story = story_of(one, document)
    assert document["analysis"]["costly"][0]["best"] in story[-1]
    assert f"seed {one.seed}" in story[0]
    page = famous_page(one)
    assert all(html.escape(paragraph) in page for paragraph in story)
    assert len(page.encode()) <= 120_000


def test_other_folders_are_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine", encoding="utf-8")
    for _ in range(2):
        done = program("scripts/static_page.py", "--out", str(tmp_path))
        assert done.returncode == 2
        assert "is not a folder of these pages" in done.stderr
        assert (tmp_path / "mine.txt").exists()
        (tmp_path / "index.html").write_text("<title>My thesis</title>", encoding="utf-8")


def test_modules_that_cannot_be_joined_are_rejected() -> None:
    with pytest.raises(ValueError, match="cannot join 'export default 1;'"):
        bundle("entry.js", {"entry.js": "export default 1;\n"})
    with pytest.raises(ValueError, match=r"no module missing\.js"):
        bundle("entry.js", {"entry.js": 'import { one } from "./missing.js";\n'})


# In a browser


@REQUIRES_BROWSER
@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_every_page_opens_from_a_file_without_errors(browser: Browser, folder: Path, size: str) -> None:
    visitor = Visitor.open(browser, folder.as_uri(), size)
    for page in sorted(folder.glob("*.html")):
        visitor.page.goto(page.as_uri())
        visitor.page.wait_for_selector("main svg, main img")
        assert visitor.fits(), page.name
    visitor.close()


@REQUIRES_BROWSER
def test_lesson_is_played_to_its_end(browser: Browser, folder: Path) -> None:
    visitor = Visitor.open(browser, folder.as_uri())
    visitor.page.goto((folder / "learn-falling_off.html").as_uri())
    while visitor.find("section button.main").is_enabled():
        visitor.find("section button.main").click()
    assert visitor.find("section a").all_inner_texts() == ["Watch a famous game", "All games"]
    visitor.find("section a").first.click()
    visitor.page.wait_for_selector("#analysis .graph")
    visitor.find(".costly-list button").first.click()
    assert not visitor.find(".now").first.inner_text().startswith("scene 0 ")
    visitor.close()


@REQUIRES_BROWSER
def test_a_game_is_played_by_keyboard_to_its_end(browser: Browser, folder: Path) -> None:
    visitor = Visitor.open(browser, folder.as_uri())
    page = visitor.page
    page.clock.install()
    page.goto((folder / "play.html").as_uri())
    page.wait_for_selector("#headline:not(:empty)")
    decisions = 0
    while not visitor.find("#headline.over").count():
        page.clock.run_for(STEP)
        if (place := visitor.find(".board .open").first).count():
            place.focus()
            page.keyboard.press("Enter")
            decisions += 1
        assert decisions < 2_000
    assert "gave away" in visitor.find("#message").inner_text()
    visitor.close()


# The rules and values, against the kernels


@REQUIRES_BROWSER
@pytest.mark.parametrize("phase", [REROLL, MOVE], ids=["reroll", "move"])
def test_legal_actions_equal_those_of_the_kernels_for_all_pawns_and_dice(runner: Page, phase: int) -> None:
    """The kernel looks them up in these tables."""
    found = run(runner, "legal", phase, np.uint8).reshape(len(PAWN_SETS), NUM_ROLLS, NUM_ACTIONS)
    expected = np.zeros_like(found)
    if phase == REROLL:
        expected[:, :, :FIRST_MOVE] = REROLLS[FIRST_ROLL:]
    else:
        expected[:, :, FIRST_MOVE:] = MOVES_FROM[:, None] & MOVES_TO[FIRST_ROLL:]
    assert np.array_equal(found, expected)


@REQUIRES_BROWSER
def test_pawns_move_as_in_the_kernels(runner: Page) -> None:
    found = run(runner, "movedSets", None, np.uint16)
    assert np.array_equal(found.reshape(MOVED.shape), MOVED)
    assert runner.evaluate("() => checks.constants()") == [ALL_OFF, FIRST_MOVE]


@REQUIRES_BROWSER
def test_games_equal_those_of_the_kernels_move_by_move(runner: Page) -> None:
    rng = np.random.default_rng(5)
    names = ("roll", "reroll", "rerolled", "move", "over")
    for seed in range(5):
        state = edge_envs.load_game("falling_off").new_initial_state(seed)
        actions, expected = [], []
        while not state.is_terminal():
            chosen = state.sample_chance() if state.is_chance_node() else int(rng.choice(state.legal_actions()))
            state.apply_action(chosen)
            actions.append(chosen)
            record = state._record
            phase = names.index(state.to_dict()["phase"])
            legal = [] if state.is_terminal() or state.is_chance_node() else state.legal_actions()
            chances = [p for _, p in state.chance_outcomes()] if state.current_player() == CHANCE else []
            expected.append([*record.pawns[:2].tolist(), int(record.turn_player), int(record.turns_owed), phase,
                             int(record.dice), legal, pytest.approx(chances)])  # fmt: skip
        assert runner.evaluate("(actions) => checks.game(actions)", actions) == expected


def check_values(runner: Page, solution: Solution, theirs: int) -> None:
    found = run(runner, "values", theirs).reshape(8, len(PAWN_SETS))
    assert np.abs(found - solution.values[:, :, theirs].T)[:, :ALL_OFF].max() < ACCURACY


@REQUIRES_BROWSER
@pytest.mark.parametrize("theirs", [0, 341, 682, 1023, 1363])
def test_values_equal_the_solution(runner: Page, solution: Solution, theirs: int) -> None:
    check_values(runner, solution, theirs)


@REQUIRES_BROWSER
def test_values_equal_the_solution_in_every_position(runner: Page, solution: Solution) -> None:
    """All decisions follow from these values."""
    for theirs in range(ALL_OFF):
        check_values(runner, solution, theirs)


@REQUIRES_BROWSER
@pytest.mark.parametrize("phase", [REROLL, MOVE], ids=["reroll", "move"])
@pytest.mark.parametrize(("mine", "theirs", "owed"), [(0, 0, 1), (700, 300, 1), (900, 1200, 2), (1200, 5, 4)])
def test_values_of_actions_equal_the_solution(
    runner: Page, solution: Solution, mine: int, theirs: int, owed: int, phase: int
) -> None:
    found = run(runner, "decisions", [mine, theirs, owed, phase]).reshape(NUM_ROLLS, NUM_ACTIONS)
    records = edge_envs.load_game("falling_off").new_records(NUM_ROLLS)
    for roll, record in enumerate(records):
        record.turn_player, record.turns_owed, record.phase = 0, owed, phase
        record.pawns[0], record.pawns[1], record.dice = mine, theirs, FIRST_ROLL + roll
    expected = np.empty((NUM_ROLLS, NUM_ACTIONS))
    solution.decision_values(records, expected)
    assert np.array_equal(np.isnan(found), np.isnan(expected))
    assert np.nanmax(np.abs(found - expected)) < ACCURACY
