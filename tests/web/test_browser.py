"""Test the web page in a real browser: mouse and keyboard, desktop and phone sizes."""

from __future__ import annotations

import itertools
import json
import re
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest

import edge_envs
from edge_envs import Game
from edge_envs.replays import replay_page
from edge_envs.web import catalog
from edge_envs.web.guard import Limits
from edge_envs.web.server import Web
from tests.contract.play import playthrough
from tests.web.browser import REQUIRES_BROWSER, SIZES, Visitor, visiting
from tests.web.client import serving

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = REQUIRES_BROWSER

SHORT: dict[str, dict[str, Any]] = {
    "beyond_maps": {"size": 6},
    "over_the_edge": {"max_turns": 40},
    "ghost_ship": {"creation": "random", "max_turns": 30},
}
"""Parameters that shorten long games."""
MOST_CLICKS = 600


@pytest.fixture(scope="module")
def web() -> Iterator[Web]:
    with serving(Limits(idle=0.0)) as web:
        yield web


@pytest.fixture
def visitor(browser: Browser, web: Web) -> Iterator[Visitor]:
    with visiting(browser, web) as visitor:
        yield visitor


# Complete games


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("game", edge_envs.GAMES)
def test_every_game_is_played_by_clicks_to_its_end(browser: Browser, web: Web, game: str, size: str) -> None:
    with visiting(browser, web, size) as visitor:
        visitor.begin(game, **SHORT.get(game, {}))
        assert visitor.fits()
        clicks = 0
        while visitor.ready():
            assert visitor.headline.startswith("Your turn. ")
            visitor.play_middle()
            clicks += 1
            assert clicks < MOST_CLICKS
        assert clicks > 0
        assert re.match("You win|You lose|It is a draw|The game is over", visitor.headline)
        assert visitor.fits()


def test_a_variant_opens_its_game_with_its_parameters(visitor: Visitor) -> None:
    """`server_for` creates such URLs."""
    visitor.go(f"beyond_maps/with/{quote(json.dumps({'size': 8}))}")
    assert visitor.find("[name=size]").input_value() == "8"
    assert visitor.find("[name=sea_range]").input_value() == "6"
    visitor.go("beyond_maps")
    assert visitor.find("[name=size]").input_value() == "18"


def test_play_again_keeps_the_seats(visitor: Visitor) -> None:
    visitor.begin("tic_tac_toe", "human", "random")
    while visitor.ready():
        visitor.play_middle()
    first = visitor.page.url
    visitor.find("[data-do=again]").click()
    visitor.page.wait_for_url(lambda url: url != first)
    assert visitor.ready()
    assert visitor.find("select[data-seat='1']").input_value() == "random"


# Choosing


def test_partial_choice_can_be_cancelled(visitor: Visitor) -> None:
    visitor.begin("beyond_maps", size=6)
    keys = visitor.open_keys()
    ways: list[Callable[[], object]] = [
        lambda: visitor.page.keyboard.press("Escape"),
        lambda: visitor.find("[data-do=back]").click(),
        lambda: visitor.find(".board").click(position={"x": 3, "y": 3}),
    ]
    for back in ways:
        visitor.click(keys[0])
        assert visitor.find(".so-far").inner_text().startswith("Chosen: ")
        assert visitor.open_keys() != keys
        back()
        assert visitor.open_keys() == keys
        assert visitor.find(".so-far").inner_text() == ""
    assert visitor.find("[data-do=takeback]").is_disabled()  # no decision was made


def test_a_decision_is_taken_back(visitor: Visitor) -> None:
    visitor.begin("beyond_maps", size=6)
    keys = visitor.open_keys()
    while visitor.open_keys() == keys or visitor.find(".so-far").inner_text():
        visitor.play_middle()
    visitor.page.keyboard.press("u")
    visitor.page.wait_for_selector("[data-do=takeback][disabled]")
    assert visitor.open_keys() == keys
    assert visitor.find(".happened li").count() == 0


def test_game_can_be_played_with_the_keyboard(visitor: Visitor) -> None:
    visitor.begin("tic_tac_toe", "human", "random")
    visitor.find(".board").focus()
    while visitor.ready():
        visitor.page.keyboard.press("Tab")
        name = visitor.page.evaluate("document.activeElement.getAttribute('aria-label')")
        assert visitor.page.evaluate("document.activeElement.getAttribute('role')") == "button"
        assert name in visitor.find("#actions .actions").inner_text() or not visitor.find("#actions[open]").count()
        visitor.page.keyboard.press("Enter")
        visitor.settle()
    assert "over" in visitor.find("#headline").get_attribute("class")  # type: ignore[operator]  # it has some


def test_a_whole_match_is_played_with_the_keyboard(visitor: Visitor) -> None:
    """From the start page to the rematch, without the mouse and without moving the focus otherwise."""
    page, press = visitor.page, visitor.page.keyboard.press

    def tab_to(selector: str) -> None:
        for _ in range(60):
            if page.evaluate("(selector) => document.activeElement.matches(selector)", selector):
                return
            press("Tab")
        raise AssertionError(f"Tab does not reach {selector}")

    visitor.go()
    tab_to("a[href='#tic_tac_toe']")
    press("Enter")
    page.wait_for_selector("form button.main")
    tab_to("form button.main")
    press("Enter")
    while visitor.ready():
        tab_to(".place .open")
        press("Enter")
        page.wait_for_selector(".match:not(.pending)")
    tab_to("[data-do=again]")
    before = page.url
    press("Enter")
    page.wait_for_url(lambda url: url != before)
    assert visitor.ready()


def test_action_can_be_chosen_from_the_list(visitor: Visitor) -> None:
    visitor.begin("over_the_edge", max_turns=40)
    visitor.find("#actions summary").click()
    text = visitor.find("#actions .actions button").last.inner_text()
    visitor.find("#actions .actions button").last.click()
    visitor.page.wait_for_selector(f".happened li:has-text('player 0: {text}')")


# Advice


@pytest.mark.parametrize(("by", "expected"), [("best", "Perfect play"), ("playouts", "random games")])
def test_action_values_are_shown_on_the_board_and_in_the_list(visitor: Visitor, by: str, expected: str) -> None:
    visitor.begin("falling_off")
    visitor.find("[aria-label='judge of the values']").select_option(by)
    visitor.find("[data-do=worth]").click()
    visitor.page.wait_for_selector(".values text")
    assert expected in visitor.find("#message").inner_text()
    worths = [
        float(text.removesuffix(" %")) for text in visitor.find(".actions button span:last-child").all_inner_texts()
    ]
    assert worths == sorted(worths, reverse=True)
    assert visitor.find(".values text").count() == len(worths)
    visitor.play_middle()
    assert visitor.find(".values text").count() == 0


def test_the_values_of_a_search_are_shown_with_its_iterations(visitor: Visitor) -> None:
    visitor.begin("falling_off")
    visitor.find("[aria-label='judge of the values']").select_option("search:200")
    visitor.find("[data-do=worth]").click()
    visitor.page.wait_for_selector(".values text")
    texts = visitor.find(".actions button span:last-child").all_inner_texts()
    found = [re.fullmatch(r"-?\d\.\d\d \((\d+) iterations?\)", text) for text in texts if text]
    assert 180 < sum(int(one[1]) for one in found if one) <= 200


def test_a_hint_and_advice_name_the_judge(visitor: Visitor) -> None:
    visitor.begin("falling_off")
    visitor.page.keyboard.press("h")
    visitor.page.wait_for_selector("#message:has-text('Perfect play would choose')")
    visitor.find("summary:has-text('Save and settings')").click()
    with visitor.page.expect_response(lambda response: "/settings" in response.url):
        visitor.find("#advice").check()
    visitor.play_middle()
    visitor.page.wait_for_selector("#message:has-text('gave away')")


def test_advice_stays_while_others_decide(visitor: Visitor) -> None:
    visitor.begin("falling_off")
    visitor.page.keyboard.press("h")
    visitor.page.wait_for_selector("#message:has-text('Perfect play would choose')")  # the judge is ready
    visitor.find("summary:has-text('Save and settings')").click()
    pause = visitor.find(".table label:has-text('agents move') select")
    pause.evaluate("select => select.add(new Option('after a long time', '5'))")  # also on a busy machine
    for change in (visitor.find("#advice").check, lambda: pause.select_option("5")):
        with visitor.page.expect_response(lambda response: "/settings" in response.url):
            change()
    visitor.decide()  # the dice to keep
    visitor.play_middle()  # the pawn, then its target
    visitor.click(visitor.open_keys()[-1])
    visitor.page.wait_for_selector("#message:has-text('Your 2 decisions gave away')")
    advice = visitor.find("#message").inner_text()
    assert visitor.open_keys() == []  # the opponent has not acted yet
    visitor.settle()
    assert visitor.find("#message").inner_text() == advice


# Several users


def lift_curtain(visitor: Visitor, seat: int) -> str:
    """Lift the curtain for a seat; return the public view that was shown before."""
    visitor.page.wait_for_selector(f".curtain:visible:has-text('Pass the screen to player {seat}')")
    assert visitor.open_keys() == []
    assert visitor.find("[data-do=hint]").is_disabled()
    shown = visitor.find(".board").inner_html()
    visitor.find("[data-do=lift]").click()
    visitor.page.wait_for_selector(".place .open", state="attached")
    return shown


def test_two_humans_at_one_screen_are_separated_by_a_curtain(browser: Browser, web: Web) -> None:
    with visiting(browser, web) as visitor:
        visitor.begin("kuhn", "human", "human")
        publics = []
        for seat in itertools.cycle((0, 1)):
            publics.append(lift_curtain(visitor, seat))
            own = visitor.find(".board").inner_html()
            assert own != publics[-1]
            visitor.play_middle()
            if visitor.find("#headline.over").count():
                break
        assert len(publics) >= 2


def test_without_hidden_information_the_screen_turns_to_the_player_to_act(visitor: Visitor) -> None:
    visitor.begin("tic_tac_toe", "human", "human")
    for seat in (0, 1, 0):
        visitor.page.wait_for_selector(f"#headline:has-text('Player {seat}: Your turn')")
        assert visitor.find(".curtain:visible").count() == 0
        visitor.play_middle()


def test_two_humans_play_in_two_browsers_by_a_link(browser: Browser, web: Web) -> None:
    with visiting(browser, web) as host, visiting(browser, web) as guest:
        host.begin("tic_tac_toe", "human", "linked")
        link = host.find(".seats input").input_value()
        guest.page.goto(link)
        guest.page.wait_for_selector("#headline")
        assert link.split("/")[-1] not in guest.page.url  # the address does not reveal the token
        one, other = host, guest
        while True:
            one.page.wait_for_selector(f"#headline.yours, {'#headline.over'}")
            if one.find("#headline.over").count():
                break
            one.click(one.open_keys()[0])
            one, other = other, one
        other.page.wait_for_selector("#headline.over")


def test_match_of_another_browser_shows_an_error(browser: Browser, web: Web) -> None:
    with visiting(browser, web) as host:
        host.begin("tic_tac_toe")
        address = host.page.url
        with visiting(browser, web) as other:
            other.page.goto(address)
            other.page.wait_for_selector("#alert:has-text('another browser')")


def test_a_reload_keeps_the_seat(visitor: Visitor) -> None:
    visitor.begin("tic_tac_toe")
    visitor.play_middle()
    visitor.page.reload()
    assert visitor.ready()
    assert visitor.headline.startswith("Your turn")


def test_the_player_of_a_seat_can_change(visitor: Visitor) -> None:
    visitor.begin("tic_tac_toe", "human", "random")
    visitor.find("select[data-seat='0']").select_option("random")
    visitor.page.wait_for_selector("#headline.over")
    assert "The game is over" in visitor.headline


# Positions, replays


def test_position_can_be_edited_and_errors_are_shown(visitor: Visitor) -> None:
    visitor.go("tic_tac_toe/edit")
    visitor.page.wait_for_selector(".board svg")
    text = visitor.find("#document").input_value()
    visitor.find("#document").fill("{")
    visitor.page.wait_for_selector(".wrong li:has-text('This is not JSON')")
    assert visitor.find("[data-do=begin]").is_disabled()
    visitor.find("#document").fill(text.replace('"tic_tac_toe"', '"chess"'))
    visitor.page.wait_for_selector(".wrong li:has-text('chess')")
    visitor.find("#document").fill(text)
    visitor.page.wait_for_selector("[data-do=begin]:enabled")
    visitor.find("[data-do=begin]").click()
    visitor.find("form button.main").click()
    assert visitor.ready()
    visitor.errors = [
        error for error in visitor.errors if "422" not in error
    ]  # the browser reports rejected requests as errors


@pytest.mark.parametrize("game", [name for name in edge_envs.GAMES if edge_envs.GAMES[name].editor is not None])
def test_an_edited_position_can_be_played(visitor: Visitor, game: str) -> None:
    edits = edge_envs.GAMES[game].editor.edits  # type: ignore[union-attr]  # not None
    visitor.go(f"{game}/edit/{edits}")
    visitor.page.wait_for_selector(".board .open")
    first = visitor.find("#document").input_value()
    visitor.click(visitor.open_keys()[3])
    visitor.page.wait_for_selector("[data-do=undo]:enabled")
    assert visitor.find("#document").input_value() != first
    for tool in visitor.find("[data-tool][aria-pressed]").all():
        tool.click()
        assert tool.get_attribute("aria-pressed") == "true"
    visitor.find("[data-do=undo]").click()
    visitor.page.wait_for_selector("[data-do=undo][disabled]")
    assert visitor.find("#document").input_value() == first
    visitor.find("[data-do=begin]").click()
    visitor.find("form button.main").click()
    assert visitor.ready()


def test_position_problem_is_shown_and_marked_on_the_board(visitor: Visitor) -> None:
    visitor.go("beyond_maps/edit")
    visitor.page.wait_for_selector(".board .open")
    rings = visitor.find(".board rect[fill=none]").count()
    visitor.find("[data-tool=ship-1]").click()
    visitor.click("sq-a1")  # occupied by the other ship
    visitor.page.wait_for_selector(".problems li")
    assert visitor.find(".board rect[fill=none]").count() != rings or visitor.find(".problems li").count() == 1
    assert visitor.errors == [] or all("422" in error for error in visitor.errors)
    visitor.errors.clear()


def test_map_can_be_edited_with_a_report_and_saved(visitor: Visitor) -> None:
    visitor.go("over_the_edge/edit/map")
    visitor.page.wait_for_selector(".board .open")
    assert "shortest voyage" in visitor.find("pre.report").inner_text()
    visitor.click("cell-1-1")
    visitor.page.wait_for_selector("pre.report:has-text('land cells 1')")
    with visitor.page.expect_download() as download:
        visitor.find("[data-do=keep]").click()
    kept = json.loads(Path(download.value.path()).read_text(encoding="utf-8"))
    assert edge_envs.load_game("over_the_edge", map=kept).num_players == 2


@pytest.mark.parametrize("game", edge_envs.GAMES)
def test_a_tutorial_is_completed_by_following_it(visitor: Visitor, game: str) -> None:
    visitor.go(f"{game}/learn")
    visitor.page.wait_for_selector(".board svg")
    done = 0
    while not visitor.find("section button.main").is_disabled() or visitor.open_keys():
        heading = visitor.find("h3").inner_text()
        if not visitor.open_keys():
            visitor.find("section button.main").click()
        while visitor.find("h3").inner_text() == heading:
            visitor.click(visitor.open_keys()[0])
            done += 1
    assert done > 0
    visitor.find("section a:has-text('Play a game now')").click()
    visitor.page.wait_for_selector("form")


def test_wrong_click_in_a_tutorial_is_reported(visitor: Visitor) -> None:
    visitor.go("beyond_maps/learn")
    visitor.page.wait_for_selector(".board svg")
    while not visitor.open_keys():
        visitor.find("section button.main").click()
    heading = visitor.find("h3").inner_text()
    visitor.page.wait_for_selector("text=It is your turn")
    visitor.find(".board").click(position={"x": 2, "y": 2})
    visitor.page.wait_for_selector("text=That is not the right choice")
    assert visitor.find("h3").inner_text() == heading


def test_replay_can_be_viewed_and_continued(visitor: Visitor, tmp_path: Path) -> None:
    game = edge_envs.load_game("tic_tac_toe")  # its analysis, which starts at once, compiles little
    edge_envs.write_records(tmp_path / "games.jsonl", [record(game, seed) for seed in (0, 1)])
    visitor.go("replays")
    visitor.find("input[type=file]").set_input_files(tmp_path / "games.jsonl")
    visitor.page.wait_for_selector(".viewer svg")
    first = visitor.find(".board").inner_html()
    visitor.find("[aria-label='games in the file']").select_option("1")
    visitor.page.wait_for_selector(".viewer svg")
    look_through(visitor)
    visitor.page.keyboard.press("Home")
    assert visitor.find(".board").inner_html() == first
    for _ in range(4):
        visitor.page.keyboard.press("ArrowRight")
    text = visitor.find(".now:visible >> nth=0").inner_text()
    assert text.startswith("scene 4 of ")
    visitor.find("button:has-text('Continue from here')").click()
    visitor.find("select[data-seat='0']").select_option("human")
    visitor.find("select[data-seat='1']").select_option("human")
    visitor.find("form button.main").click()
    assert visitor.ready()
    assert "Your turn" in visitor.headline


def record(game: Game, seed: int) -> dict[str, Any]:
    """Record a random game."""
    return edge_envs.record_of(list(playthrough(game, seed))[-1])


def look_through(visitor: Visitor) -> None:
    """Use every control of the viewer."""
    number = int(visitor.find("input[type=range]").get_attribute("max") or 0)
    assert number > 3
    visitor.find("[data-do=next]").click()
    assert visitor.find(".now >> nth=0").inner_text().startswith(f"scene 1 of {number}")
    visitor.page.keyboard.press("End")
    assert visitor.find("input[type=range]").input_value() == str(number)
    last = visitor.find(".board").inner_html()
    visitor.page.keyboard.press("ArrowLeft")
    assert visitor.find(".board").inner_html() != last
    visitor.find("input[type=range]").fill("2")
    assert visitor.find(".log li.now").get_attribute("value") == "2"
    visitor.find("[data-do=speed]").select_option("2")
    visitor.find("[data-do=play]").click()
    visitor.page.wait_for_selector(".log li.now:nth-child(n + 5)")  # scene 4 or later: a slow browser may miss one
    visitor.page.keyboard.press(" ")
    visitor.find(".log li >> nth=3").locator("button").click()
    assert visitor.find("input[type=range]").input_value() == "3"


@pytest.mark.parametrize("scripts", [True, False])
def test_a_replay_file_works_without_a_server(browser: Browser, web: Web, tmp_path: Path, scripts: bool) -> None:
    file = tmp_path / "replay.html"
    game = edge_envs.load_game("beyond_maps", size=6)
    file.write_text(replay_page(record(game, 0)), encoding="utf-8")
    with visiting(browser, web, java_script_enabled=scripts) as visitor:
        visitor.page.goto(file.as_uri())
        if scripts:
            visitor.page.wait_for_selector(".board svg")
            look_through(visitor)
        else:
            assert visitor.page.locator("noscript svg").count() == 2


# The page


@pytest.mark.parametrize("size", SIZES)
def test_every_page_fits_into_the_window_in_both_themes(browser: Browser, web: Web, size: str) -> None:
    with visiting(browser, web, size, color_scheme="dark") as visitor:
        visitor.go()
        assert visitor.find("html").get_attribute("data-theme") == "dark"
        dark = visitor.page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
        for game in ("", "replays", *(f"{name}{part}" for name in edge_envs.GAMES for part in ("", "/rules", "/edit"))):
            visitor.go(game)
            assert visitor.fits(), game
        visitor.find("#theme").click()
        assert visitor.page.evaluate("getComputedStyle(document.documentElement).backgroundColor") != dark
        visitor.page.reload()
        assert visitor.find("html").get_attribute("data-theme") == "light"


COUNT_MOVES = """
globalThis.moves = 0;
const animate = Element.prototype.animate;
Element.prototype.animate = function (...how) {
    moves += "piece" in this.dataset;
    return animate.apply(this, how);
};
null;  // a function would be called
"""
"""Count animated pieces, even if the animation is already over."""


def test_pieces_are_animated_unless_switched_off(browser: Browser, web: Web) -> None:
    with visiting(browser, web, reduced_motion="no-preference") as visitor:
        visitor.begin("beyond_maps", "human", "human", size=6)
        visitor.page.evaluate(COUNT_MOVES)
        visitor.decide()
        assert visitor.page.evaluate("moves") > 0
        visitor.find("#motion").click()
        visitor.page.evaluate("moves = 0")
        visitor.decide()
        assert visitor.page.evaluate("moves") == 0


def test_the_page_can_be_used_while_a_game_is_compiled(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = threading.Event()
    monkeypatch.setattr(catalog, "_use", lambda name: compiled.wait(60))
    with serving() as web, visiting(browser, web) as visitor:
        try:
            visitor.go("tic_tac_toe")
            visitor.page.wait_for_selector("[role=status]:has-text('being compiled')")
            visitor.find("form button.main").click()
            visitor.page.wait_for_selector("[role=status]:has-text('being compiled')")
            visitor.go("kuhn/rules")
            visitor.page.wait_for_selector("article")
            visitor.go("tic_tac_toe")
        finally:
            compiled.set()
        visitor.page.wait_for_selector("[role=status]:not(:has-text('compiled'))", state="attached")
        visitor.find("form button.main").click()
        assert visitor.ready()


def test_the_page_shows_that_the_server_has_ended(browser: Browser) -> None:
    with serving() as web:
        visitor = Visitor.open(browser, web.address)
        visitor.begin("tic_tac_toe")
    visitor.click(visitor.open_keys()[0])
    visitor.page.wait_for_selector("#alert:has-text('The server does not answer')")
    visitor.page.context.close()
