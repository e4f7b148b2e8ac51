"""Take the screenshots of docs/web.md anew, with Chromium: each game on the page to play in, and its other pages.

    python scripts/shoot_docs.py

The positions are those of docs/pictures/scenes.json. It needs the extras `web` and `browser`.
"""

from __future__ import annotations

import json
import shutil
import threading
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agents.console import fail_politely, run

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from edge_envs.web.server import Web

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "pictures" / "web"
DESK, PHONE = (1200, 850), (360, 740)
OTHERS = {
    "tutorial": "ghost_ship/learn",
    "map": "over_the_edge/edit/map",
    "position": "beyond_maps/edit/position",
}
"""Pages besides tables: a name, and what stands behind `#`."""


def main() -> None:
    """Take the screenshots of the documents anew."""
    with fail_politely("web"):
        from playwright.sync_api import sync_playwright

        from edge_envs.web.server import Web

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
                for size, theme, names in ((DESK, "light", None), (PHONE, "dark", ("falling_off", "over_the_edge"))):
                    context = browser.new_context(
                        viewport={"width": size[0], "height": size[1]}, color_scheme=theme, reduced_motion="reduce"
                    )
                    _shoot(context.new_page(), web, "-phone" if size == PHONE else "", names)
                browser.close()
        finally:
            web.should_exit = web.force_exit = True
            server.join()


def _shoot(page: Page, web: Web, suffix: str, names: tuple[str, ...] | None) -> None:
    """Take all screenshots, or those of some games, in one window."""
    from scripts.draw_docs import SCENES, position_of

    for game, scene in json.loads(SCENES.read_text(encoding="utf-8"))["games"].items():
        if names is not None and game not in names:
            continue
        position = position_of(game, scene)
        seats = [
            "human" if seat == position.current_player() else "heuristic" for seat in range(len(position.returns()))
        ]
        made = _post(web, "/api/sittings", {"position": position.to_dict(), "seats": seats, "seed": 1})
        token = made["tokens"][str(position.current_player())]
        page.goto(f"{web.address}#play/{made['id']}/{token}")
        page.wait_for_selector(".place .open")
        page.click("[data-do=worth]")
        page.wait_for_selector("#actions[open]")
        page.evaluate("scrollTo(0, 0)")
        page.screenshot(path=FOLDER / f"{game}{suffix}.png")
    for name, where in OTHERS.items() if names is None else ():
        page.goto(f"{web.address}#{where}")
        page.wait_for_selector(".board svg")
        for _ in range(5 if name == "tutorial" else 0):
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
