"""All routes of the web page, and what they share."""

from __future__ import annotations

from pathlib import Path

from starlette.routing import Mount, Route

from edge_envs.web.catalog import Catalog
from edge_envs.web.game_routes import GameRoutes
from edge_envs.web.guard import Limits
from edge_envs.web.match_routes import MatchRoutes
from edge_envs.web.pages import Pages
from edge_envs.web.puzzle_routes import PuzzleRoutes
from edge_envs.web.reviews import Reviews
from edge_envs.web.saves import Saves
from edge_envs.web.sessions import Sessions
from edge_envs.web.streams import Streams
from edge_envs.web.threads import Threads


class Routes:
    """The routes."""

    def __init__(self, catalog: Catalog, limits: Limits, folder: Path | None = None) -> None:
        """Keep matches in the files of a folder; None keeps them only in memory."""
        self.catalog = catalog
        saves = Saves(folder)
        self.sessions = Sessions(limits)
        self._threads = Threads()
        self._reviews = Reviews(catalog, self._threads, limits)
        self._pages = Pages(self._threads)
        self._games = GameRoutes(catalog, self._threads, limits, self._reviews)
        self._puzzles = PuzzleRoutes(catalog, self._threads, limits)
        self._matches = MatchRoutes(catalog, self.sessions, self._threads, limits, saves, self._reviews)
        self._streams = Streams(self.sessions, limits)

    def close(self) -> None:
        """Wait for threads that compile, think or analyse. Call this after the server has stopped."""
        self.catalog.close()
        self._reviews.close()
        self._threads.close()

    def routes(self) -> list[Route | Mount]:
        """Return all routes."""
        return [
            *self._pages.routes(),
            *self._games.routes(),
            *self._puzzles.routes(),
            *self._matches.routes(),
            Route("/api/events", self._streams.events, methods=["GET"]),
        ]
