"""Test in a real browser that the page fits the screen, survives what browsers do, and ends a match properly."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import edge_envs
from edge_envs import CHANCE
from edge_envs.web import catalog
from edge_envs.web.guard import Limits
from edge_envs.web.server import Web
from tests.web.browser import OVER, REQUIRES_BROWSER, SCREENS, Visitor, against_a_waiting_agent, visiting
from tests.web.client import EXACT_PUZZLE, serving

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = REQUIRES_BROWSER

MEASURE = """
() => {
  const svg = document.querySelector(".board svg");
  const scale = svg.getBoundingClientRect().width / svg.getAttribute("width");
  const shown = (what) => [...document.querySelectorAll(what)].filter((one) => one.checkVisibility());
  const box = (one) => one.getBoundingClientRect();
  const board = box(document.querySelector(".board"));
  return {
    height: document.documentElement.clientHeight,
    scrolled: document.documentElement.scrollHeight,
    board: [board.x, board.y, board.width, board.height],
    texts: [...svg.querySelectorAll("text")].map((text) => text.getAttribute("font-size") * scale),
    boxes: shown(".headline, .place.above, .buttons, #actions > summary").map((one) => [box(one).top, box(one).bottom]),
    targets: shown("button, select, summary, input:not([type=checkbox]), nav a, .row a")
      .map((one) => [one.textContent, box(one).height]),
  };
}
"""


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    with serving(Limits(idle=0.0), folder=tmp_path_factory.mktemp("saves")) as web:
        yield web


@pytest.fixture
def visitor(browser: Browser, web: Web) -> Iterator[Visitor]:
    with visiting(browser, web) as visitor:
        yield visitor


# The layout


@pytest.mark.parametrize("size", SCREENS)
@pytest.mark.parametrize("game", edge_envs.GAMES)
def test_board_task_and_choices_fit_one_screen_and_nothing_jumps(
    browser: Browser, web: Web, game: str, size: str
) -> None:
    with visiting(browser, web, size) as visitor:
        visitor.begin(game)
        first = None
        for _ in range(4):
            if not visitor.ready():
                break
            found = visitor.page.evaluate(MEASURE)
            assert found["scrolled"] <= found["height"]
            assert all(0 <= top <= bottom <= found["height"] for top, bottom in found["boxes"])
            first = first or found["board"]
            assert found["board"] == first
            visitor.decide()


@pytest.mark.parametrize("game", ["over_the_edge", "beyond_maps"])
def test_a_tutorial_fills_the_board_on_a_phone(browser: Browser, web: Web, game: str) -> None:
    """Without a click to make, the whole board is shown; otherwise a part of readable size, without margins."""
    ratio = "svg => svg.clientWidth / svg.clientHeight / (svg.viewBox.baseVal.width / svg.viewBox.baseVal.height)"
    with visiting(browser, web, "phone", has_touch=True) as visitor:
        visitor.go(f"{game}/learn")
        visitor.page.wait_for_selector(".board:not(.large) svg")
        assert visitor.page.eval_on_selector(".board svg", ratio) == pytest.approx(1.0, abs=0.02)
        while not visitor.open_keys():
            visitor.find("section button.main").click()
        visitor.page.wait_for_selector(".board.large svg")
        assert visitor.page.eval_on_selector(".board svg", ratio) == pytest.approx(1.0, abs=0.02)


@pytest.mark.parametrize("game", edge_envs.GAMES)
def test_text_and_targets_are_large_enough_on_a_phone(browser: Browser, web: Web, game: str) -> None:
    with visiting(browser, web, "phone", has_touch=True) as visitor:
        visitor.begin(game)
        found = visitor.page.evaluate(MEASURE)
        assert min(found["texts"], default=11.0) >= 11.0
        assert [(text, height) for text, height in found["targets"] if height < 36.0] == []
        visitor.find("[data-do=zoom]").click()  # the whole board
        assert visitor.fits()
        assert visitor.page.evaluate("document.querySelector('.board svg').clientWidth") <= 360


def test_a_tap_next_to_a_small_place_chooses_it(browser: Browser, web: Web) -> None:
    with visiting(browser, web, "phone", has_touch=True) as visitor:
        visitor.begin("beyond_maps")
        visitor.find("[data-do=zoom]").click()  # the whole board: places are 16 px wide
        boxes = [place.bounding_box() for place in visitor.find(".board .open").all()]
        left = min((box for box in boxes if box is not None), key=lambda box: (box["x"], box["y"]))
        assert left["width"] < 36
        visitor.page.mouse.click(left["x"] - 17 + left["width"] / 2, left["y"] + left["height"] / 2)
        assert visitor.find(".so-far").inner_text().startswith("Chosen: ")


# While others decide


def test_a_click_shows_at_once_that_the_decision_is_sent(visitor: Visitor) -> None:
    visitor.begin("tic_tac_toe", "human", "random")
    visitor.page.route("**/actions?*", lambda route: None)  # the answer never comes
    visitor.click(visitor.open_keys()[0])
    assert visitor.headline.startswith("You chose: ")
    assert visitor.find(".match.pending").count() == 1
    assert visitor.open_keys() == []


def test_the_next_player_here_can_decide_before_the_answer_to_the_last_decision_arrives(visitor: Visitor) -> None:
    held = []
    visitor.begin("tic_tac_toe", "human", "human")
    visitor.page.route("**/actions?*", lambda route: held.append((route, route.fetch())))
    for seat in (1, 0, 1):
        visitor.click(visitor.open_keys()[0])
        visitor.page.wait_for_selector(f"#headline:has-text('Player {seat}: Your turn')")
    assert len(held) == 3
    for route, response in held:
        route.fulfill(response=response)
    visitor.page.wait_for_timeout(300)
    assert visitor.headline.startswith("Player 1: Your turn")
    assert visitor.open_keys()


def test_a_thinking_agent_shows_a_clock_and_can_be_stopped(visitor: Visitor, web: Web) -> None:
    slow = against_a_waiting_agent(visitor, web)
    visitor.page.wait_for_selector("#clock:has-text('2 s')")
    visitor.page.wait_for_selector("#clock:has-text('3 s')")
    visitor.find("[data-do=stop]").click()
    visitor.page.wait_for_selector("#headline:has-text('was stopped after')")
    assert visitor.find("[data-do=retry]").is_visible()
    visitor.find("select[data-seat='1']").select_option("heuristic")
    visitor.page.wait_for_selector("#headline.yours")
    slow.released.set()


def test_seven_windows_of_one_browser_work(browser: Browser, web: Web) -> None:
    with visiting(browser, web) as first:
        first.begin("tic_tac_toe", "human", "human")
        windows = [first]
        for _ in range(7):
            page = first.page.context.new_page()
            page.goto(first.page.url)
            page.wait_for_selector(".place .open", timeout=10_000)
            windows.append(Visitor(page, first.home))
        first.decide()
        for window in windows[1:]:
            window.page.wait_for_selector("#headline:has-text('Player 1')", timeout=10_000)
        windows[-1].decide()
        first.page.wait_for_selector("#headline:has-text('Player 0')", timeout=10_000)


BLOCK = """
for (const name of ["localStorage", "sessionStorage"])
  Object.defineProperty(globalThis, name, { get() { throw new DOMException("blocked", "SecurityError"); } });
globalThis.SharedWorker = class { constructor() { throw new DOMException("blocked", "SecurityError"); } };
"""


def test_a_browser_that_blocks_site_data_can_play(visitor: Visitor) -> None:
    visitor.page.add_init_script(BLOCK)
    visitor.begin("tic_tac_toe", "human", "human")
    visitor.decide()
    visitor.page.wait_for_selector("#headline:has-text('Player 1')")
    visitor.find("#theme").click()
    visitor.go()
    visitor.page.wait_for_selector("#matches:has-text('Continue')")


def test_a_page_that_is_left_while_it_loads_stays_away(visitor: Visitor) -> None:
    visitor.page.route(
        "**/api/games", lambda route: (visitor.page.evaluate("location.hash = '#replays'"), route.continue_())
    )
    visitor.page.goto(visitor.home)
    visitor.page.wait_for_selector("h2:has-text('Replays')")
    visitor.page.wait_for_timeout(300)
    assert visitor.find("main h2").count() == 1


# Continued matches


def test_a_closed_match_is_continued_from_the_home_page(browser: Browser, web: Web) -> None:
    with visiting(browser, web) as visitor:
        visitor.begin("tic_tac_toe", "human", "random")
        visitor.decide()
        visitor.ready()
        text = visitor.find(".happened").inner_text()
        context = visitor.page.context
        visitor.page.close()
        visitor.page = context.new_page()
        visitor.go()
        visitor.page.wait_for_selector("#matches li:has-text('It is your turn.')")
        visitor.find("#matches a").click()
        assert visitor.ready()
        assert visitor.find(".happened").inner_text() == text
        visitor.go()
        visitor.find("#matches button").click()
        visitor.page.wait_for_selector("#matches[hidden]", state="attached")


def test_a_match_continues_after_a_restart_of_the_server(browser: Browser, tmp_path: Path) -> None:
    with serving(folder=tmp_path) as first:
        visitor = Visitor.open(browser, first.address)
        visitor.begin("tic_tac_toe", "human", "random")
        visitor.decide()
        visitor.ready()
        text = visitor.find(".happened").inner_text()
        visitor.page.wait_for_timeout(500)  # the file is written
    visitor.page.wait_for_selector("#alert:has-text('The server does not answer')")
    with serving(folder=tmp_path, port=first.port):
        visitor.page.wait_for_selector("#alert[hidden]", state="attached")
        assert visitor.find(".happened").inner_text() == text
        visitor.decide()
        visitor.page.wait_for_selector(f"#headline.yours, {OVER}")
        visitor.page.context.close()


# The end


def test_the_end_card_says_who_won_and_why_and_offers_more(visitor: Visitor) -> None:
    visitor.begin("falling_off", "human", "random")
    while visitor.ready():
        visitor.play_middle()
    card = visitor.find("#end")
    assert "has lost all pawns" in card.inner_text()
    assert visitor.headline in ("You win.", "You lose.")
    assert card.locator("th", has_text="pawns left").count() == 1
    assert card.locator("tr.winner").count() == 1
    box = card.bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= 850
    for button, ending, start in (("picture", ".png", b"\x89PNG"), ("replay", ".html", b"<!doctype html>")):
        with visitor.page.expect_download() as download:
            visitor.find(f"[data-do={button}]").click()
        assert download.value.suggested_filename == f"falling_off{ending}"
        assert Path(download.value.path()).read_bytes().startswith(start)


def test_a_finished_game_is_analysed_and_can_be_tried_again(visitor: Visitor, tmp_path: Path) -> None:
    visitor.begin("falling_off", "human", "random")
    while visitor.ready():
        visitor.play_middle()
    visitor.find("[data-do=review]").click()
    visitor.page.wait_for_selector("#analysis [role=status]:has-text('Judged by: Perfect play.')")
    analysis = visitor.find("#analysis")
    judges = analysis.locator("select option").evaluate_all("all => all.map((one) => one.value)")
    assert {"", "policies/falling_off/values", "search:200:policies/falling_off/ppo"} <= set(judges)
    assert "policies/falling_off/ppo" not in judges  # it only has preferences, so the server would refuse it
    assert analysis.locator("svg.graph polyline").count() == 1
    assert "player 0: " in analysis.inner_text()
    costly = analysis.locator(".costly-list button")
    assert costly.count() == analysis.locator("svg.graph circle").count() > 0
    costly.first.click()
    assert "Better: " in analysis.inner_text()
    with visitor.page.expect_download() as download:
        visitor.find("[data-do=page]").click()
    download.value.save_as(tmp_path / "replay.html")
    page = visitor.page.context.new_page()
    page.goto((tmp_path / "replay.html").as_uri())
    page.locator(".costly-list button").first.click()
    assert page.locator("svg.graph circle").count() == costly.count()
    assert not page.locator(".now").first.inner_text().startswith("scene 0 ")
    page.close()
    analysis.locator("[data-do=try]").click()
    visitor.find("form button.main").click()
    visitor.page.wait_for_selector("#headline")
    assert visitor.ready()


def test_seeds_of_64_bits_are_exact(visitor: Visitor) -> None:
    seed = 2**64 - 3  # as a number of JavaScript it would be 2**64
    visitor.begin("falling_off", "human", "random", seed=seed)
    while visitor.ready():
        visitor.play_middle()

    def saved() -> dict[str, Any]:
        with visitor.page.expect_download() as download:
            visitor.find("button:has-text('Save the record')").click()
        record: dict[str, Any] = json.loads(Path(download.value.path()).read_text(encoding="utf-8"))
        return record

    visitor.find("summary:has-text('Save and settings')").click()
    record = saved()
    assert record["seed"] == seed
    first = edge_envs.load_game("falling_off").new_initial_state(seed)
    assert record["history"][0] == [CHANCE, first.sample_chance()]
    visitor.find("[data-do=look]").click()
    visitor.page.wait_for_selector(".viewer svg")
    assert saved() == record


def test_hidden_cards_are_revealed_at_the_end(visitor: Visitor) -> None:
    visitor.begin("kuhn", "human", "heuristic")
    while visitor.ready():
        visitor.play_middle()
    text = visitor.page.evaluate("document.querySelector('.board').textContent")
    assert "?" not in text


def test_a_rematch_takes_the_guest_along(browser: Browser, web: Web) -> None:
    with visiting(browser, web) as host, visiting(browser, web) as guest:
        host.begin("tic_tac_toe", "human", "linked")
        guest.page.goto(host.find(".seats input").input_value())
        one, other = host, guest
        while True:
            one.page.wait_for_selector(f"#headline.yours, {OVER}")
            if one.find(OVER).count():
                break
            one.click(one.open_keys()[0])
            one, other = other, one
        guest.page.wait_for_selector(OVER)
        host.find("[data-do=again]").click()
        host.page.wait_for_selector("#headline:has-text('Your turn')")
        guest.page.wait_for_selector("#end:has-text('A rematch has begun')")
        guest.find("[data-do=again]").click()
        guest.page.wait_for_selector("#headline:has-text('Waiting for player 0')")
        assert host.page.url == guest.page.url


# Words


def test_headings_and_links_of_setup_are_in_plain_words(visitor: Visitor) -> None:
    visitor.go("falling_off")
    names = visitor.find(".field .name").all_inner_texts()
    assert "number of players" in names
    assert not any("_" in name for name in names)
    options = visitor.find("select[data-seat='1'] option").all_inner_texts()
    assert any("Built-in player" in option for option in options)
    assert not any("/" in option for option in options), options


def test_wide_parts_of_the_rules_can_be_reached_by_the_keyboard(visitor: Visitor) -> None:
    visitor.go("falling_off/rules")
    visitor.page.wait_for_selector("article pre")
    assert visitor.find("article pre:not([tabindex='0']), article table:not([tabindex='0'])").count() == 0


# Levels and results


def test_opponents_have_ranks_stars_and_ratings_and_results_are_kept(visitor: Visitor) -> None:
    visitor.go("falling_off")
    visitor.page.wait_for_selector(".ladder")
    options = visitor.find("select[data-seat='1'] option").all_inner_texts()
    assert "Cabin boy: Random moves ★☆☆☆☆ -1017" in options
    assert "Deckhand: Level 2" in options  # without a rating
    assert "Navigator: Built-in player ★★★★☆ 1000" in options
    assert visitor.find(".ladder li").first.inner_text().endswith("play this next")
    visitor.find("[data-level='random']").click()
    assert visitor.find("select[data-seat='1']").input_value() == "random"
    visitor.find("summary:has-text('More')").click()
    visitor.find("label:has-text('agents move') select").select_option("0")
    visitor.find("form button.main").click()
    while visitor.ready():
        visitor.play_middle()
    has_won = visitor.headline == "You win."
    visitor.page.reload()
    visitor.page.wait_for_selector(OVER)  # the result counts only once
    visitor.go("falling_off")
    visitor.page.wait_for_selector(f".ladder li:has-text('{'1 won, 0 lost' if has_won else '0 won, 1 lost'}')")


# Loading

SHIFTS = """
globalThis.shift = 0;
const observer = new PerformanceObserver((list) => { for (const one of list.getEntries()) shift += one.value; });
observer.observe({ type: "layout-shift", buffered: true });
"""
PAINT = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime"
SENT = "performance.getEntries().reduce((sum, one) => sum + (one.transferSize ?? 0), 0)"
MOST_BYTES = 160_000
"""Bytes of a view in a browser that has nothing cached, compressed: its budget."""


@pytest.mark.parametrize(
    "where",
    ["", "falling_off", "falling_off/learn", "falling_off/rules", "beyond_maps/edit", "puzzle", "replays"],
)
def test_pages_stay_within_their_budgets_of_bytes_and_shifts_while_they_load(
    visitor: Visitor, where: str, record_property: Callable[[str, object], None]
) -> None:
    visitor.page.add_init_script(SHIFTS)
    visitor.go(f"puzzle/{EXACT_PUZZLE}" if where == "puzzle" else where)
    visitor.page.wait_for_load_state("networkidle")
    visitor.page.wait_for_timeout(500)
    shift, painted = visitor.page.evaluate("shift"), visitor.page.evaluate(PAINT)
    assert painted is not None
    record_property("first contentful paint in ms", round(painted))  # a time: it depends on the machine
    record_property("layout shift", round(shift, 3))
    sent = visitor.page.evaluate(SENT)
    record_property("bytes", sent)
    assert shift <= 0.05
    assert 0 < sent <= MOST_BYTES


def test_a_match_does_not_shift_while_it_is_played(browser: Browser, web: Web) -> None:
    with visiting(browser, web, reduced_motion="no-preference") as visitor:
        visitor.page.add_init_script(SHIFTS)
        visitor.begin("over_the_edge", max_turns=40)
        visitor.page.evaluate("shift = 0")
        for _ in range(4):
            visitor.decide()
        visitor.page.wait_for_timeout(600)  # shifts within 500 ms of a click do not count
        assert visitor.page.evaluate("shift") <= 0.05


def test_a_tutorial_is_shown_while_its_game_is_compiled(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = threading.Event()
    monkeypatch.setattr(catalog, "_use", lambda name: compiled.wait(60))
    with serving() as web, visiting(browser, web) as visitor:
        visitor.go("over_the_edge/learn")
        visitor.page.wait_for_selector(".board svg")
        visitor.page.wait_for_selector("[role=status]:has-text('being compiled')")
        compiled.set()
