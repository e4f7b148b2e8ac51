"""Test in a real browser that the events of each game are seen and heard, and what the page says about positions."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from PIL import Image

import edge_envs
from edge_envs import record_of
from edge_envs.replays import scenes
from edge_envs.web.guard import Limits
from edge_envs.web.server import Web
from tests.contract.play import playthrough
from tests.web.browser import REQUIRES_BROWSER, Visitor, visiting
from tests.web.client import Client, create_match, serving

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = REQUIRES_BROWSER

KINDS: dict[str, tuple[dict[str, Any], int, set[str]]] = {
    "falling_off": ({}, 2, {"slide", "tumble", "fall", "storm"}),
    "beyond_maps": ({"size": 6}, 1, {"slide", "rise"}),
    "over_the_edge": ({"max_turns": 200}, 1, {"slide", "fly", "fall"}),
    "ghost_ship": ({"creation": "random", "max_turns": 30}, 1, {"slide", "drift"}),
}
"""For each game: parameters, the seed of a random game, and the kinds of changes in it."""

MOVE = """
async (pictures) => {
  const { drawing, move } = await import("/static/viewer.js");
  const board = document.createElement("figure"), kinds = new Set();
  document.body.append(board);
  let animations = 0;
  for (const picture of pictures) {
    const before = board.firstElementChild, after = drawing(picture);
    board.replaceChildren(after);
    if (before) for (const kind of move(before, after)) kinds.add(kind);
    animations += document.getAnimations().length;
  }
  if (animations) await new Promise((done) => setTimeout(done, 1500));
  const restored = board.innerHTML === drawing(pictures.at(-1)).outerHTML;
  return { kinds: [...kinds], animations, left: document.getAnimations().length, restored };
}
"""
"""Show pictures one after another. Report the changes, the animations, and whether the last picture is restored."""

COUNT_SOUNDS = """
globalThis.sounds = 0;
for (const { prototype } of [AudioScheduledSourceNode, AudioBufferSourceNode]) {
  const { start } = prototype;
  prototype.start = function (...when) { document.body.dataset.sounds = ++sounds; return start.apply(this, when); };
}
"""

OVERLAPS = """
() => {
  const box = (one) => one.getBoundingClientRect(), labels = [...document.querySelectorAll(".values text")];
  const others = [...document.querySelectorAll(".board [data-piece], .board text:not(.values text)")].map(box);
  const overlap = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 4;
  return labels.slice(1).map(box).filter((label, at, all) =>
    [...others, ...all.slice(0, at)].some((other) => overlap(label, other))).length;
}
"""
"""Count the values, except the best one, that cover a piece, a text or another value."""


@pytest.fixture(scope="module")
def web() -> Iterator[Web]:
    with serving(Limits(idle=0.0)) as web:
        yield web


@pytest.fixture
def visitor(browser: Browser, web: Web) -> Iterator[Visitor]:
    with visiting(browser, web, reduced_motion="no-preference") as visitor:
        yield visitor


# Motion


@pytest.mark.parametrize("game", KINDS)
def test_the_events_of_a_game_are_animated_unless_motion_is_off(browser: Browser, web: Web, game: str) -> None:
    params, seed, kinds = KINDS[game]
    *_, end = playthrough(edge_envs.load_game(game, **params), seed)
    pictures = [scene.svg for scene in scenes(record_of(end))]
    with visiting(browser, web, reduced_motion="no-preference") as visitor, visiting(browser, web) as reduced:
        for one in (visitor, reduced):
            one.go()
        found = visitor.page.evaluate(MOVE, pictures)
        assert kinds <= set(found["kinds"])
        assert found["animations"] > 0
        assert found["left"] == 0
        assert found["restored"]
        visitor.find("#motion").click()
        for still in (visitor.page.evaluate(MOVE, pictures), reduced.page.evaluate(MOVE, pictures)):
            assert set(still["kinds"]) == set(found["kinds"])  # they still sound
            assert still["animations"] == 0


def test_nothing_moves_if_the_system_asks_for_it(browser: Browser, web: Web) -> None:
    with visiting(browser, web, reduced_motion="reduce") as visitor:
        visitor.begin("falling_off", "human", "human")
        visitor.page.keyboard.press("h")
        visitor.page.wait_for_selector(".advice .ring", state="attached")
        visitor.find("summary:has-text('Save and settings')").click()
        visitor.find("#evaluates").check()
        visitor.page.wait_for_selector("#evaluation small:has-text('%')")
        for _ in range(3):
            visitor.decide()
            assert visitor.page.evaluate("document.getAnimations().length") == 0


def test_a_storm_is_seen_in_the_picture_the_news_and_the_log(visitor: Visitor, web: Web) -> None:
    game = edge_envs.load_game("falling_off")
    state = game.state_from_dict(
        {**game.new_initial_state(0).to_dict(), "phase": "reroll", "dice": [1, 1, 1], "pawns": [[4, 8, 8, 8], [0] * 4]}
    )
    client = Client(web)
    made, _ = create_match(client, position=state.to_dict(), seats=["linked", "heuristic"])
    client.close()
    visitor.page.goto(f"{visitor.home}#play/{made['id']}/{made['links']['0']}")
    visitor.ready()
    visitor.click("keep")
    visitor.page.wait_for_selector("[data-storm='2']")
    assert "a storm!" in visitor.find("#news .event").first.inner_text()
    assert "a storm!" in visitor.find(".happened .eventful em").first.inner_text()
    assert visitor.find(".board text").evaluate_all("all => all.some((one) => one.textContent.includes('a storm!'))")


# Sounds


def test_sounds_have_one_switch(visitor: Visitor) -> None:
    visitor.page.add_init_script(COUNT_SOUNDS)
    visitor.go("falling_off")
    assert visitor.find("#sound").get_attribute("aria-pressed") == "true"
    visitor.begin("falling_off", "human", "human")
    for _ in range(6):  # not every decision has a sound, and sounds start after the picture has arrived
        visitor.decide()
        visitor.ready()
        if visitor.page.evaluate("sounds"):
            break
    visitor.page.wait_for_selector("body[data-sounds]")  # the page's security policy forbids wait_for_function
    visitor.find("#sound").click()
    before = visitor.page.evaluate("sounds")
    visitor.decide()
    visitor.page.reload()
    visitor.ready()
    assert visitor.find("#sound").get_attribute("aria-pressed") == "false"
    assert visitor.page.evaluate("sounds") <= before


def test_sounds_are_off_if_the_system_asks_for_less_motion(browser: Browser, web: Web) -> None:
    with visiting(browser, web) as visitor:
        visitor.page.add_init_script(COUNT_SOUNDS)
        visitor.begin("falling_off", "human", "human")
        visitor.decide()
        assert visitor.find("#sound").get_attribute("aria-pressed") == "false"
        assert visitor.page.evaluate("sounds") == 0


def test_nothing_sounds_before_the_user_has_done_something(visitor: Visitor) -> None:
    visitor.page.add_init_script(
        COUNT_SOUNDS
        + "addEventListener('load', async () => {"
        + " (await import('/static/sound.js')).play(['storm', 'fall', 'tumble', 'fly', 'slide']);"
        + " document.body.dataset.heard = sounds; });"
    )
    visitor.page.goto(visitor.home)
    visitor.page.wait_for_selector("body[data-heard]")
    assert visitor.find("body").get_attribute("data-heard") == "0"


# Hints, values, the evaluation bar


def test_a_hint_rings_the_best_choice_on_the_board(visitor: Visitor) -> None:
    visitor.begin("falling_off", "human", "human")
    visitor.decide()  # the dice to keep
    visitor.page.keyboard.press("h")
    visitor.page.wait_for_selector(".advice .ring", state="attached")
    keys = visitor.find(".board .advised").evaluate_all("all => all.map((one) => one.dataset.key)")
    assert [key.split("-")[0] for key in sorted(keys)] == ["pawn", "space"]
    visitor.click(next(key for key in keys if key.startswith("pawn")))
    assert visitor.find(".advice .ring").count() in (0, 2)  # none if the pawn left only one space
    if visitor.find(".so-far").inner_text():
        visitor.decide()
    assert visitor.find(".advice").count() == 0


@pytest.mark.parametrize("game", ["falling_off", "beyond_maps", "over_the_edge"])
def test_values_do_not_cover_pieces_or_each_other(visitor: Visitor, game: str) -> None:
    visitor.begin(game)
    for _ in range(3):
        visitor.decide()
        if not visitor.ready():
            break
        visitor.find("[aria-label='judge of the values']").select_option("playouts")
        visitor.find("[data-do=worth]").click()
        visitor.page.wait_for_selector("#message:has-text('rates each choice')")
        assert visitor.page.evaluate(OVERLAPS) == 0


def test_the_evaluation_bar_has_a_switch_that_the_browser_remembers(visitor: Visitor) -> None:
    visitor.begin("falling_off", "human", "random")
    assert not visitor.find("#evaluation").is_visible()
    visitor.find("summary:has-text('Save and settings')").click()
    visitor.find("#evaluates").check()
    visitor.page.wait_for_selector("#evaluation small:has-text('Your win probability: ')")
    text = visitor.find("#evaluation small").inner_text()
    assert text.endswith("Judge: Perfect play.")
    assert int(text.split(": ")[1].split(" %")[0]) in range(101)
    visitor.page.reload()
    visitor.ready()
    visitor.page.wait_for_selector("#evaluation small:has-text('Your win probability: ')")
    visitor.find("#motion").click()
    while visitor.ready():
        visitor.play_middle()
    assert not visitor.find("#evaluation").is_visible()


# Animations to save


def test_a_finished_game_is_saved_as_a_gif(visitor: Visitor) -> None:
    visitor.begin("tic_tac_toe", "human", "human")
    while visitor.ready():
        visitor.decide()
    with visitor.page.expect_download() as download:
        visitor.find("[data-do=film]").click()
    assert download.value.suggested_filename == "tic_tac_toe.gif"
    with Image.open(io.BytesIO(Path(download.value.path()).read_bytes())) as film:
        assert film.format == "GIF"
        assert film.n_frames == visitor.find(".happened li").count() + 1  # type: ignore[attr-defined]  # a GIF has frames
    assert visitor.find("#saving").inner_text() == ""
    assert visitor.find("[data-do=film]").is_enabled()
