"""Take the screenshots of docs/web.md with Chromium: each game on the web page, and the other pages.

    python scripts/shoot_docs.py

docs/pictures/scenes.json describes the scenes. Requires the extras `web` and `browser`.
"""

from __future__ import annotations

import json
import shutil
import threading
import time
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from agents.common.console import fail_politely, run

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from edge_envs import State
    from edge_envs.web.server import Web

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "pictures" / "web"
DESKTOP, PHONE = (1200, 850), (360, 740)
FEWEST_CHOICES = 4
"""The least number of legal actions in a screenshot."""


def main() -> None:
    """Take the screenshots of the documentation.

    Example: python scripts/shoot_docs.py
    """
    with fail_politely("web"):
        from playwright.sync_api import sync_playwright

        from edge_envs.web.server import Web
        from scripts.draw_docs import SCENES

        chromium = shutil.which("chromium")
        if chromium is None:
            raise ValueError("chromium is not installed: install it, for example with apt-get install chromium")
        FOLDER.mkdir(exist_ok=True)
        begun = threading.Event()
        web = Web(begin=begun.set)
        server = threading.Thread(target=web.serve_until_stopped)
        server.start()
        try:
            begun.wait()
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
                scenes = json.loads(SCENES.read_text(encoding="utf-8"))
                phone = {game: scenes["games"][game] for game in scenes["phone"]}
                _shoot_games(_window(browser, DESKTOP, "light"), web, scenes["games"], "")
                _shoot_games(_window(browser, PHONE, "dark"), web, phone, "-phone")
                _shoot_end(_window(browser, DESKTOP, "light"), web, scenes["end"])
                _shoot_pages(_window(browser, DESKTOP, "light"), web, scenes["pages"])
                browser.close()
        finally:
            web.should_exit = web.force_exit = True
            server.join()


def _window(browser: Browser, size: tuple[int, int], theme: Literal["light", "dark"]) -> Page:
    """Open an empty window."""
    width, height = size
    return browser.new_page(viewport={"width": width, "height": height}, color_scheme=theme, reduced_motion="reduce")


def _shoot_games(page: Page, web: Web, games: Mapping[str, Any], suffix: str) -> None:
    """Take a screenshot of each game, with the values of its actions."""
    from scripts.draw_docs import position_of

    for game, scene in games.items():
        position = _with_choices(position_of(game, scene))
        seats = ["heuristic"] * position.game.num_players
        seats[position.current_player()] = "linked"
        made = _post(web, "/api/sittings", {"position": position.to_dict(), "seats": seats, "seed": 1})
        code = made["links"][str(position.current_player())]
        page.goto(f"{web.address}#play/{made['id']}/{code}")
        page.wait_for_selector(".place .open")
        page.click("[data-do=worth]")
        page.wait_for_selector("#actions[open]")
        page.evaluate("scrollTo(0, 0)")
        page.screenshot(path=FOLDER / f"{game}{suffix}.png")


def _with_choices(state: State) -> State:
    """Continue with the heuristic until a player has several choices."""
    while state.is_chance_node() or len(state.legal_actions()) < FEWEST_CHOICES:
        state.apply_action(state.sample_chance() if state.is_chance_node() else state.heuristic_action())
    return state


def _shoot_pages(page: Page, web: Web, pages: Mapping[str, str]) -> None:
    """Take screenshots of other pages, given by their URL fragments; a tutorial is advanced some steps."""
    for name, where in pages.items():
        page.goto(f"{web.address}#{where}")
        page.wait_for_selector(".board svg")
        for _ in range(5 if where.endswith("/learn") else 0):
            page.click("section button.main")
        page.screenshot(path=FOLDER / f"{name}.png")


def _shoot_end(page: Page, web: Web, scene: Mapping[str, Any]) -> None:
    """Take screenshots of the end of a match between agents, and of its analysis."""
    made = _post(web, "/api/sittings", {**scene, "seats": ["heuristic", "random"]})
    while _get(web, f"/api/sittings/{made['id']}/about?token={made['key']}")["turn"] != "over":
        time.sleep(0.1)
    path = f"/api/sittings/{made['id']}/seats?token={made['key']}"
    page.goto(f"{web.address}#play/{made['id']}/{_post(web, path, {'seat': 0, 'player': 'linked'})['link']}")
    page.wait_for_selector("#end:not([hidden])")
    page.screenshot(path=FOLDER / "end.png")
    page.click("[data-do=review]")
    page.wait_for_selector("#analysis [role=status]:has-text('Judged by')", timeout=120_000)
    page.click(".costly-list button")
    page.screenshot(path=FOLDER / "analysis.png", full_page=True)


def _get(web: Web, path: str) -> Any:
    with urllib.request.urlopen(web.address.rstrip("/") + path) as reply:
        return json.load(reply)


def _post(web: Web, path: str, body: Mapping[str, Any]) -> Any:
    """Send a request and repeat it until the server is ready."""
    while True:
        content = {"content-type": "application/json"}
        request = urllib.request.Request(web.address.rstrip("/") + path, json.dumps(body).encode(), content)
        with urllib.request.urlopen(request) as reply:
            if reply.status != 202:
                return json.load(reply)


if __name__ == "__main__":
    run(main)
