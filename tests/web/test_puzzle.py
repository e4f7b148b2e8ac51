"""Test the daily puzzle on the web page: its routes, and a browser."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from edge_envs.play.puzzles import puzzle_of, source_of
from edge_envs.web.puzzle_routes import EARLIER
from edge_envs.web.server import Web
from tests.web.browser import REQUIRES_BROWSER, visiting
from tests.web.client import EXACT_PUZZLE, Client, serving

if TYPE_CHECKING:
    from playwright.sync_api import Browser

TODAY = datetime.date.today()


@pytest.fixture(scope="module")
def web() -> Iterator[Web]:
    with serving() as web:
        yield web


@pytest.fixture
def client(web: Web) -> Iterator[Client]:
    client = Client(web)
    yield client
    client.close()


def test_todays_puzzle_is_named_without_being_created(client: Client) -> None:
    about = client.get("/api/puzzles").ok()
    day = datetime.date.fromisoformat(about["day"])
    assert abs((day - TODAY).days) <= 1
    assert about["game"] == source_of(day).game


def test_the_question_does_not_contain_the_answer(client: Client) -> None:
    reply = client.get(f"/api/puzzles/{EXACT_PUZZLE}")
    puzzle = puzzle_of(EXACT_PUZZLE)
    shown = reply.ok()
    assert shown["question"] == puzzle.task
    assert shown["exact"] is True
    assert [action for action, _, _ in shown["ways"]] == puzzle.state.legal_actions()
    assert "values" not in shown
    for value in puzzle.values[puzzle.values > 0]:
        assert f"{value:.4f}"[1:].encode() not in reply.body


def test_an_answer_shows_the_exact_values(client: Client) -> None:
    puzzle = puzzle_of(EXACT_PUZZLE)
    for action in puzzle.state.legal_actions():
        found = client.post(f"/api/puzzles/{EXACT_PUZZLE}/answer", {"action": action}).ok()
        assert found["right"] == puzzle.is_right(action)
        assert found["chosen"] == puzzle.state.action_to_string(action)
        assert found["values"][0] == [int(found["values"][0][0]), found["best"], pytest.approx(puzzle.best, abs=1e-4)]
        assert {one for one, _, _ in found["values"]} == set(puzzle.state.legal_actions())


@pytest.mark.parametrize(
    "day",
    ["yesterday", "2026-13-01", "0001-01-01", "9999-12-31", "20261126x", "..", "%00",
     str(TODAY + datetime.timedelta(3)), str(TODAY - datetime.timedelta(EARLIER + 3))],
)  # fmt: skip
def test_other_days_have_no_puzzle(client: Client, day: str) -> None:
    assert client.get(f"/api/puzzles/{day}").status in (404, 400)


@pytest.mark.parametrize(
    "body", [{}, {"action": 10**6}, {"action": -1}, {"action": "keep"}, {"action": True}, {"a": 1}]
)
def test_invalid_answers_are_rejected(client: Client, body: dict[str, object]) -> None:
    reply = client.post(f"/api/puzzles/{EXACT_PUZZLE}/answer", body)
    assert reply.status == 422
    assert "error" in reply.json


@REQUIRES_BROWSER
@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_a_puzzle_is_solved_by_keyboard(browser: Browser, web: Web, size: str) -> None:
    puzzle = puzzle_of(EXACT_PUZZLE)
    best = max(puzzle.state.legal_actions(), key=lambda action: puzzle.values[action])
    wrong = next(action for action in puzzle.state.legal_actions() if not puzzle.is_right(action))
    with visiting(browser, web, size) as visitor:
        visitor.go(f"puzzle/{EXACT_PUZZLE}")
        visitor.page.wait_for_selector(".board .open")
        assert visitor.find(".question").inner_text() == puzzle.task
        assert visitor.fits()
        for action, verdict in ((wrong, "The best choice is"), (best, "Right:")):
            for key in puzzle.state.ways()[action]:
                place = visitor.find(f".board .open[data-key='{key}']")
                if place.count():  # else it was the only one
                    place.focus()
                    visitor.page.keyboard.press("Enter")
            visitor.page.wait_for_selector(f"#verdict:has-text('{verdict}')")
            if action == wrong:
                visitor.find("[data-do=again]").focus()
                visitor.page.keyboard.press("Enter")
        assert f"{100 * puzzle.best:.1f} %" in visitor.find("#verdict").inner_text()
        visitor.go("")
        visitor.page.wait_for_selector(".puzzle-card a")
        assert visitor.find(".puzzle-card a").inner_text() == "Solve it"  # today's


@REQUIRES_BROWSER
def test_a_game_continues_from_a_puzzle(browser: Browser, web: Web) -> None:
    with visiting(browser, web) as visitor:
        visitor.go(f"puzzle/{EXACT_PUZZLE}")
        visitor.find("section [data-do=begin]").click()
        visitor.find("form button.main").click()
        visitor.page.wait_for_selector(".match")
        assert visitor.ready()
