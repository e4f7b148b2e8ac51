"""The files of the page: HTML, scripts, styles and pictures."""

from __future__ import annotations

import functools
from pathlib import Path

from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

import edge_envs.replays
from edge_envs import GAMES
from edge_envs.pictures.colours import dark_style
from edge_envs.web.catalog import cover_of
from edge_envs.web.responses import Handler, as_json
from edge_envs.web.threads import Threads

STATIC = Path(__file__).parent / "static"
VIEWER = [
    Path(edge_envs.replays.__file__).parent / name for name in ("viewer.js", "graph.js", "viewer.css", "graph.css")
]
"""Static files that this page shares with replay pages."""


class Pages:
    """The routes of files."""

    def __init__(self, threads: Threads) -> None:
        self._threads = threads

    def routes(self) -> list[Route | Mount]:
        """Return the routes."""
        return [
            Route("/", file_route(STATIC / "index.html"), methods=["GET"]),
            Route("/favicon.ico", file_route(STATIC / "icon.svg"), methods=["GET"]),
            Route("/colours.css", self._colours, methods=["GET"]),
            Route("/covers/{name}.svg", _cover, methods=["GET"]),
            *(Route(f"/static/{file.name}", file_route(file), methods=["GET"]) for file in VIEWER),
            Mount("/static", StaticFiles(directory=STATIC)),
        ]

    async def _colours(self, request: Request) -> Response:
        """Send the CSS that turns pictures of the light theme dark."""
        return Response(await self._threads.run("quick", dark_colours), media_type="text/css")


@functools.cache
def dark_colours() -> str:
    """Return the CSS that turns pictures of the light theme dark, with the colours of all games."""
    for kind in GAMES.values():
        kind.module("picture")
    return dark_style('[data-theme="dark"] svg')


def file_route(path: Path) -> Handler:
    """Return a route that sends one file."""

    async def send(request: Request) -> Response:
        return FileResponse(path)

    return send


async def _cover(request: Request) -> Response:
    """Send the cover picture of a game."""
    kind = GAMES.get(request.path_params["name"])
    if kind is None or not cover_of(kind).is_file():
        return as_json({"error": "this game has no picture"}, 404)
    return Response(cover_of(kind).read_bytes(), media_type="image/svg+xml")
