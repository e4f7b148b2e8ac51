"""Run pages in Chromium by Playwright; errors on a page and requests to other hosts fail the test."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest

from edge_envs.web.server import Web
from tests.play.test_match import WaitingAgent

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
REQUIRES_BROWSER = pytest.mark.skipif(
    CHROMIUM is None and os.environ.get("REQUIRE_BROWSER") != "1",
    reason="Chromium is not installed; run `apt-get install chromium`",
)
"""Mark of tests with a browser: without one they are skipped, or fail if REQUIRE_BROWSER=1."""

SIZES = {"desktop": (1200, 850), "phone": (360, 740)}
SCREENS = {"laptop": (1280, 800), "monitor": (1920, 1080)}
SOON = 60_000  # milliseconds; longer waits mean a failure
SEED = 4  # of a short game of `falling_off`
OVER = "#headline.over"
CLICKABLE_POINT = """
(place) => {
  const box = place.getBoundingClientRect();
  for (const y of [5, 3, 7, 4, 6, 2, 8, 1, 9])
    for (const x of [5, 3, 7, 4, 6, 2, 8, 1, 9]) {
      const point = [box.x + box.width * x / 10, box.y + box.height * y / 10];
      if (document.elementFromPoint(...point) === place) return point;
    }
  return null;
}
"""
"""Find a point of the window where an element is on top of all others."""


@contextlib.contextmanager
def chromium() -> Iterator[Browser]:
    """Run a headless browser."""
    from playwright.sync_api import sync_playwright

    assert CHROMIUM is not None, REQUIRES_BROWSER.kwargs["reason"]
    with sync_playwright() as playwright:
        arguments = ["--no-sandbox"] if os.getuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=arguments)
        try:
            yield browser
        finally:
            browser.close()


@dataclass
class Visitor:
    """A user with a browser window. `errors` collects the errors on its page."""

    page: Page
    home: str
    errors: list[str] = field(default_factory=list)

    @classmethod
    def open(cls, browser: Browser, home: str, size: str = "desktop", **options: Any) -> Visitor:
        """Open a new window without data of earlier visits, by default of a user who asks for less motion."""
        width, height = {**SIZES, **SCREENS}[size]
        options = {"reduced_motion": "reduce", "viewport": {"width": width, "height": height}, **options}
        page = browser.new_context(**options).new_page()
        page.set_default_timeout(SOON)
        visitor = cls(page, home)
        page.on("console", lambda m: visitor.errors.append(m.text) if m.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: visitor.errors.append(str(error)))
        page.on("request", lambda request: visitor.check_address(request.url))
        return visitor

    def check_address(self, address: str) -> None:
        """Record a request to another host as an error."""
        if not address.startswith((self.home, "file://", "data:", "blob:")):
            self.errors.append(f"a request to {address}")

    def close(self) -> None:
        """Close the window. Raises AssertionError after any error on its page."""
        self.page.context.close()
        assert self.errors == []

    def go(self, where: str = "") -> None:
        """Open a page by the fragment of its URL."""
        self.page.goto(f"{self.home}#{where}")
        self.page.wait_for_selector("main > div > *", state="attached")

    def find(self, selector: str) -> Locator:
        """Return elements of the page."""
        return self.page.locator(selector)

    def fits(self) -> bool:
        """Return whether nothing is wider than the window."""
        width: int = self.page.evaluate("document.documentElement.scrollWidth")
        return width <= (self.page.viewport_size or {"width": 0})["width"]

    # A match

    def begin(self, game: str, *seats: str, seed: int = SEED, **params: Any) -> None:
        """Start a match by the form, with agents that move immediately."""
        self.go(game)
        for name, value in params.items():
            control = self.find(f"[name={name}]")
            if isinstance(value, bool):
                control.set_checked(value)
            elif control.evaluate("control => control.tagName") == "SELECT":
                control.select_option(str(value))
            else:
                control.fill(str(value))
                control.dispatch_event("change")
        for seat, name in enumerate(seats):
            self.find(f"select[data-seat='{seat}']").select_option(name)
        self.find("summary:has-text('More')").click()
        self.find("label:has-text('agents move') select").select_option("0")
        self.find("label:has-text('seed') input").fill(str(seed))
        self.find("form button.main").click()
        self.ready()

    def ready(self) -> bool:
        """Wait until something can be clicked or the game is over; return whether it is not over."""
        self.page.wait_for_selector(f".place .open, .curtain:not([hidden]), {OVER}", state="attached")
        return self.find(OVER).count() == 0

    def open_keys(self) -> list[str]:
        """Return the keys that can be clicked now."""
        keys: list[str] = self.find(".place .open").evaluate_all("all => all.map((one) => one.dataset.key)")
        return keys

    def click(self, key: str) -> None:
        """Click a place or a button at a point where it is on top, as a user would."""
        place = self.find(f'.place .open[data-key="{key}"]').first
        place.scroll_into_view_if_needed()
        point = place.evaluate(CLICKABLE_POINT)
        assert point is not None, f"{key} cannot be clicked: other elements cover it completely"
        self.page.mouse.click(*point)

    def play_middle(self) -> None:
        """Click the middle one of the clickable keys."""
        keys = self.open_keys()
        self.click(keys[len(keys) // 2])
        self.settle()

    def decide(self) -> None:
        """Click middle keys until a decision has been made."""
        self.play_middle()
        while self.find(".so-far").inner_text():
            self.play_middle()

    def settle(self) -> None:
        """Wait for the response to a click; until then, nothing is clickable."""
        self.ready()

    @property
    def headline(self) -> str:
        return self.find("#headline").inner_text()


@contextlib.contextmanager
def visiting(browser: Browser, web: Web, size: str = "desktop", **options: Any) -> Iterator[Visitor]:
    """Open a window on a server; close it at the end."""
    visitor = Visitor.open(browser, web.address, size, **options)
    yield visitor
    visitor.close()


def against_a_waiting_agent(visitor: Visitor, web: Web) -> WaitingAgent:
    """Begin a match, decide, and return the opponent, which thinks until it is released."""
    visitor.begin("tic_tac_toe", "human", "random")
    session = web.routes.sessions.get(visitor.page.url.rpartition("/")[2])
    assert session is not None
    agent = WaitingAgent()
    session.match.change(1, agent)
    visitor.page.reload()
    visitor.ready()
    visitor.click(visitor.open_keys()[0])
    return agent
