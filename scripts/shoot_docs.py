"""Take the screenshots of docs/web.md anew, with Chromium: each game on the page to play in, and its other pages.

    python scripts/shoot_docs.py

What they show is told by docs/pictures/scenes.json. It needs the extras `web` and `browser`.
"""

from __future__ import annotations

import json
import shutil
import threading
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from agents.common.console import fail_politely, run

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from edge_envs.web.server import Web

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "pictures" / "web"
DESK, PHONE = (1200, 850), (360, 740)


def main() -> None:
    """Take the screenshots of the documents anew."""
    with fail_politely("web"):
        from playwright.sync_api import sync_playwright

        from edge_envs.web.server import Web
        from scripts.draw_docs import SCENES

        chromium = shutil.which("chromium")
        if chromium is None:
            raise ValueError("there is no chromium; apt-get install chromium")
        FOLDER.mkdir(exist_ok=True)
        begun = threading.Event()
        web = Web(begin=begun.set)
        server = threading.Thread(target=web.serve_until_stopped)
        server.start()
        try:
            begun.wait()
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
                told = json.loads(SCENES.read_text(encoding="utf-8"))
                phone = {game: told["games"][game] for game in told["phone"]}
                _shoot_tables(_window(browser, DESK, "light"), web, told["games"], "")
                _shoot_tables(_window(browser, PHONE, "dark"), web, phone, "-phone")
                _shoot_pages(_window(browser, DESK, "light"), web, told["pages"])
                browser.close()
        finally:
            web.should_exit = web.force_exit = True
            server.join()


def _window(browser: Browser, size: tuple[int, int], theme: Literal["light", "dark"]) -> Page:
    """An empty window."""
    width, height = size
    return browser.new_page(viewport={"width": width, "height": height}, color_scheme=theme, reduced_motion="reduce")


def _shoot_tables(page: Page, web: Web, games: Mapping[str, Any], suffix: str) -> None:
    """A table of each game, with what each choice is worth."""
    from scripts.draw_docs import position_of

    for game, scene in games.items():
        position = position_of(game, scene)
        seats = ["heuristic"] * position.game.num_players
        seats[position.current_player()] = "human"
        made = _post(web, "/api/sittings", {"position": position.to_dict(), "seats": seats, "seed": 1})
        token = made["tokens"][str(position.current_player())]
        page.goto(f"{web.address}#play/{made['id']}/{token}")
        page.wait_for_selector(".place .open")
        page.click("[data-do=worth]")
        page.wait_for_selector("#actions[open]")
        page.evaluate("scrollTo(0, 0)")
        page.screenshot(path=FOLDER / f"{game}{suffix}.png")


def _shoot_pages(page: Page, web: Web, pages: Mapping[str, str]) -> None:
    """Other pages, by what stands behind `#`; a tutorial some steps on."""
    for name, where in pages.items():
        page.goto(f"{web.address}#{where}")
        page.wait_for_selector(".board svg")
        for _ in range(5 if where.endswith("/learn") else 0):
            page.click("section button.main")
        page.screenshot(path=FOLDER / f"{name}.png")


def _post(web: Web, path: str, body: Mapping[str, Any]) -> Any:
    """Ask the server until it is ready."""
    while True:
        content = {"content-type": "application/json"}
        request = urllib.request.Request(web.address.rstrip("/") + path, json.dumps(body).encode(), content)
        with urllib.request.urlopen(request) as reply:
            if reply.status != 202:
                return json.load(reply)


if __name__ == "__main__":
    run(main)
