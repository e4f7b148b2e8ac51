"""The routes of games: descriptions, rules, tutorials, positions and records."""

from __future__ import annotations

from importlib import import_module

from markdown_it import MarkdownIt
from starlette.requests import Request
from starlette.routing import Route

from edge_envs import GAMES
from edge_envs.core.game_type import GameType
from edge_envs.docstrings import docstring
from edge_envs.pictures.colours import THEMES
from edge_envs.play.appraisal import MOST_PLAYOUTS, values_actions
from edge_envs.web import tutorials
from edge_envs.web.catalog import HUMAN, Catalog, check_names_no_file, describe_game, game_type, prepare
from edge_envs.web.guard import Limits, Refusal
from edge_envs.web.lan import qr_code
from edge_envs.web.models import (
    AnalysisRequest,
    EditorStep,
    FilmRequest,
    PictureRequest,
    QrRequest,
    ReplayRequest,
    read_body,
)
from edge_envs.web.ratings import levels_of, ratings_of
from edge_envs.web.responses import Answer, json_route
from edge_envs.web.reviews import Reviews
from edge_envs.web.sessions import LONGEST_PAUSE
from edge_envs.web.threads import Threads
from edge_envs.web.titles import described
from edge_envs.web.validation import edit, editable, position_of, theme_of


class GameRoutes:
    """The routes that need no match."""

    def __init__(self, catalog: Catalog, threads: Threads, limits: Limits, reviews: Reviews) -> None:
        self._catalog, self._threads, self._limits, self._reviews = catalog, threads, limits, reviews

    def routes(self) -> list[Route]:
        """Return the routes."""
        return [
            Route("/api/games", json_route(self.games), methods=["GET"]),
            Route("/api/games/{name}", json_route(self.game), methods=["GET", "POST"]),
            Route("/api/games/{name}/rules", json_route(self.rules), methods=["GET"]),
            Route("/api/games/{name}/tutorial", json_route(self.tutorial), methods=["GET"]),
            Route("/api/editor", json_route(self.editor), methods=["POST"]),
            Route("/api/pictures", json_route(self.pictures), methods=["POST"]),
            Route("/api/replays", json_route(self.replays), methods=["POST"]),
            Route("/api/replays/page", json_route(self.replay_page), methods=["POST"]),
            Route("/api/analyses", json_route(self.analyses), methods=["POST"]),
            Route("/api/films", json_route(self.films), methods=["POST"]),
            Route("/api/qr", json_route(self.qr), methods=["POST"]),
        ]

    # Games

    async def games(self, request: Request) -> Answer:
        """Return all games, with the agents that can play them."""
        return {
            "games": [self._game(kind) for kind in GAMES.values()],
            "human": HUMAN,
            "themes": list(THEMES),
            "guest": request.scope["guest"],
            "lan": request.scope["lan"],
            "limits": {
                "playouts": MOST_PLAYOUTS,
                "body": self._limits.body,
                "sittings": self._limits.sittings,
                "pause": LONGEST_PAUSE,
            },
        }

    async def qr(self, request: Request) -> Answer:
        """Return the QR code of a link to a seat, for a guest on the local network."""
        link = read_body(QrRequest, await request.body()).link
        address = request.scope["lan"]
        if address is None:
            raise Refusal(403, "the server does not listen on the local network: start it with --lan")
        return await self._threads.run("quick", lambda: {"address": address, "svg": qr_code(address, link)})

    async def game(self, request: Request) -> Answer:
        """Return one game. POST also starts to compile it."""
        kind = _named(request)
        if request.method == "POST":
            await self._catalog.prepare(kind.name, patience=0.0)
        return {**self._game(kind), "edits": await self._threads.run("quick", lambda: editable(kind))}

    async def rules(self, request: Request) -> Answer:
        """Return the page of a game as HTML."""
        page = docstring(import_module(_named(request).package))
        return {"html": MarkdownIt("commonmark").enable("table").render(page)}

    async def tutorial(self, request: Request) -> Answer:
        """Return the scenes of a game's tutorial."""
        kind = _named(request)
        if not kind.has_module("tutorial"):
            raise Refusal(404, f"{kind.name} has no tutorial")
        scenes = await self._threads.run("quick", lambda: tutorials.drawn_in_advance(kind))
        if scenes is None:
            await prepare(self._catalog, kind)
            scenes = await self._threads.run("judges", lambda: tutorials.draw(kind))
        return {"scenes": scenes}

    def _game(self, kind: GameType) -> Answer:
        agents = [
            {
                "name": name,
                "params": params,
                "judges": values_actions(name),
                **dict(zip(("title", "about"), described(name), strict=True)),
            }
            for name, params in self._catalog.agents_of(kind.name).items()
        ]
        rest = {"levels": levels_of(kind), "ratings": ratings_of(kind)}
        return {**describe_game(kind), **rest, "agents": agents, "readiness": self._catalog.readiness(kind.name)}

    # Positions and records

    async def pictures(self, request: Request) -> Answer:
        """Draw a position, or say what is wrong with it."""
        wanted = read_body(PictureRequest, await request.body())
        kind = game_type(wanted.position.get("game"))
        theme = theme_of(wanted.theme)
        check_names_no_file(kind, wanted.position.get("params"))
        await prepare(self._catalog, kind)

        def draw() -> Answer:
            state = position_of(kind, wanted.position)
            return {
                "svg": state.svg(wanted.player, theme=theme),
                "text": str(state),
                "player": state.current_player(),
                "players": state.game.num_players,
            }

        return await self._threads.run("quick", draw)

    async def editor(self, request: Request) -> Answer:
        """Apply a step of an editor of positions or of a parameter's values, or say what is wrong with it."""
        step = read_body(EditorStep, await request.body())
        kind = game_type(step.game)
        for params in (step.params, (step.document or {}).get("params")):
            check_names_no_file(kind, {} if params is None else params)
        await prepare(self._catalog, kind)
        return await self._threads.run("judges", lambda: edit(kind, step))

    async def replays(self, request: Request) -> Answer:
        """Return the scenes of a record, or say what is wrong with it."""
        wanted = read_body(ReplayRequest, await request.body())
        return await self._reviews.scenes(wanted.record, wanted.player)

    async def replay_page(self, request: Request) -> Answer:
        """Return a page that shows a record without a server, with the analysis if it is complete."""
        wanted = read_body(ReplayRequest, await request.body())
        return await self._reviews.page(wanted.record, wanted.player)

    async def analyses(self, request: Request) -> Answer:
        """Return the analysis of a record as far as it is known, and start it if it is new."""
        wanted = read_body(AnalysisRequest, await request.body())
        return await self._reviews.analysis(wanted.record, wanted.by)

    async def films(self, request: Request) -> Answer:
        """Return how much of the GIF of a record is made, and start it if it is new; at the end also the GIF."""
        return await self._reviews.film(read_body(FilmRequest, await request.body()).record)


def _named(request: Request) -> GameType:
    """Return the game named in the address."""
    if request.path_params["name"] not in GAMES:
        raise Refusal(404, "unknown game")
    return GAMES[request.path_params["name"]]
