"""The routes of the web page.

Every response of `/api` is JSON, and an error is `{"error": "..."}` with a 4xx status. While a game is being compiled
or a judge is thinking, the response is 202 with `{"wait": "..."}`; the page then repeats the request.
"""

from __future__ import annotations

import functools
import json
import time
from collections.abc import Awaitable, Callable
from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, Response, StreamingResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

import edge_envs.replays
from edge_envs import GAMES, State
from edge_envs.core.errors import in_short
from edge_envs.core.game_type import GameType
from edge_envs.core.interactive import tutorials
from edge_envs.docstrings import docstring
from edge_envs.pictures.colours import THEMES, dark_style
from edge_envs.play.appraisal import MOST_PLAYOUTS, PLAYOUTS, Adviser, Judge
from edge_envs.play.match import Match, RefusedError, StaleError, Turn
from edge_envs.records import replay
from edge_envs.replays import packed_scenes, scenes
from edge_envs.web import views
from edge_envs.web.catalog import HUMAN, Catalog, check_names_no_file, cover_of, describe_game, game_type
from edge_envs.web.guard import Limits, Refusal
from edge_envs.web.sessions import LONGEST_PAUSE, Session, Sessions, Threads
from edge_envs.web.validation import (
    Answer,
    check_record,
    edit,
    editable,
    kind_of,
    number_of,
    position_of,
    read_body,
    state_of,
    theme_of,
)

STATIC = Path(__file__).parent / "static"
VIEWER = [Path(edge_envs.replays.__file__).parent / name for name in ("viewer.js", "viewer.css")]
"""Static files that this page shares with replay pages."""

Handler = Callable[[Request], Awaitable[Response]]


class Wait(Exception):  # noqa: N818  an answer
    """The result is not ready yet. The message says why."""


def as_json(content: Any, status: int = 200) -> Response:
    """Return a JSON response in ASCII, because strings may contain lone surrogates."""
    return Response(json.dumps(content, allow_nan=False), status, media_type="application/json")


def json_route(handler: Callable[[Request], Awaitable[Answer]]) -> Handler:
    """Wrap a handler as a route that responds in JSON, including errors."""

    @functools.wraps(handler)
    async def route(request: Request) -> Response:
        try:
            return as_json(await handler(request))
        except Refusal as refusal:
            return as_json({"error": str(refusal)}, refusal.status)
        except Wait as wait:
            return as_json({"wait": str(wait)}, 202)
        except StaleError as error:
            return as_json({"error": str(error)}, 409)
        except RefusedError as error:
            return as_json({"error": str(error)}, 403)
        except ValueError as error:
            return as_json({"error": str(error)}, 422)

    return route


class Routes:
    """The routes."""

    def __init__(self, catalog: Catalog, limits: Limits) -> None:
        self.catalog, self.limits = catalog, limits
        self.sessions = Sessions(limits)
        self._threads = Threads()

    def routes(self) -> list[Route | Mount]:
        """Return all routes."""
        one = "/api/sittings/{id}"
        get, post = ["GET"], ["POST"]
        return [
            Route("/", _index, methods=get),
            Route("/favicon.ico", _nothing, methods=get),
            Route("/colours.css", _colours, methods=get),
            Route("/covers/{name}.svg", _cover, methods=get),
            *(Route(f"/static/{file.name}", _file(file), methods=get) for file in VIEWER),
            Mount("/static", StaticFiles(directory=STATIC)),
            Route("/api/games", json_route(self.games), methods=get),
            Route("/api/games/{name}", json_route(self.game), methods=[*get, *post]),
            Route("/api/games/{name}/rules", json_route(self.rules), methods=get),
            Route("/api/games/{name}/tutorial", json_route(self.tutorial), methods=get),
            Route("/api/editor", json_route(self.editor), methods=post),
            Route("/api/pictures", json_route(self.pictures), methods=post),
            Route("/api/replays", json_route(self.replays), methods=post),
            Route("/api/sittings", json_route(self.create_session), methods=post),
            Route(one, json_route(self.view), methods=get),
            Route(f"{one}/events", self.events, methods=get),
            Route(f"{one}/log", json_route(self.log), methods=get),
            Route(f"{one}/hint", json_route(self.hint), methods=get),
            Route(f"{one}/worth", json_route(self.action_values), methods=get),
            Route(f"{one}/position", json_route(self.download), methods=get),
            Route(f"{one}/record", json_route(self.download), methods=get),
            Route(f"{one}/actions", json_route(self.play), methods=post),
            Route(f"{one}/takeback", json_route(self.take_back), methods=post),
            Route(f"{one}/seats", json_route(self.seats), methods=post),
            Route(f"{one}/settings", json_route(self.settings), methods=post),
            Route(f"{one}/close", json_route(self.close), methods=post),
        ]

    # Games

    async def games(self, request: Request) -> Answer:
        """Return all games, with the agents that can play them."""
        return {
            "games": [self._game(kind) for kind in GAMES.values()],
            "human": HUMAN,
            "themes": list(THEMES),
            "limits": {
                "playouts": MOST_PLAYOUTS,
                "body": self.limits.body,
                "sittings": self.limits.sittings,
                "pause": LONGEST_PAUSE,
            },
        }

    async def game(self, request: Request) -> Answer:
        """Return one game. POST also starts to compile it."""
        kind = _named(request)
        if request.method == "POST":
            await self.catalog.prepare(kind.name, patience=0.0)
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
        await self._prepare(kind)
        return {
            "scenes": [asdict(scene) for scene in await self._threads.run("judges", lambda: tutorials.scenes(kind))]
        }

    def _game(self, kind: GameType) -> Answer:
        agents = [{"name": n, "params": p} for n, p in self.catalog.agents_of(kind.name).items()]
        return {**describe_game(kind), "agents": agents, "readiness": self.catalog.readiness(kind.name)}

    async def _prepare(self, kind: GameType) -> None:
        """Wait a short time until a game is compiled.

        Raises:
            Wait: if it takes longer.
            Refusal: if the game cannot be compiled.
        """
        if await self.catalog.prepare(kind.name):
            return
        readiness = self.catalog.readiness(kind.name)
        if readiness["state"] == "failed":
            raise Refusal(422, f"{kind.name} cannot be compiled: {readiness['error']}")
        raise Wait(f"{kind.name} is being compiled, which takes up to a minute the first time")

    # Positions and records

    async def pictures(self, request: Request) -> Answer:
        """Draw a position, or say what is wrong with it."""
        body = read_body(await request.body(), {"position": dict}, {"player": int, "theme": str})
        position = body["position"]
        kind = game_type(position.get("game"))
        theme = theme_of(body.get("theme"))
        check_names_no_file(kind, position.get("params"))
        await self._prepare(kind)

        def draw() -> Answer:
            state = position_of(kind, position)
            return {
                "svg": state.svg(body.get("player"), theme=theme),
                "text": str(state),
                "player": state.current_player(),
                "players": state.game.num_players,
            }

        return await self._threads.run("quick", draw)

    async def editor(self, request: Request) -> Answer:
        """Apply a step of an editor of positions or of a parameter's values, or say what is wrong with it."""
        optional = {"document": dict, "params": dict, "tool": str, "key": str, "text": str}
        body = read_body(await request.body(), {"game": str, "edits": str}, optional)
        kind, edits = game_type(body.pop("game")), body.pop("edits")
        for given in (body, body.get("document", {})):
            check_names_no_file(kind, given.get("params", {}))
        await self._prepare(kind)
        return await self._threads.run("judges", lambda: edit(kind, edits, body))

    async def replays(self, request: Request) -> Answer:
        """Return the scenes of a record, or say what is wrong with it."""
        body = read_body(await request.body(), {"record": dict}, {"player": int})
        record = body["record"]
        kind = check_record(record, self.limits)
        await self._prepare(kind)

        def show() -> Answer:
            replay(record)
            until = time.monotonic() + self.limits.replay_time
            shown = []
            for scene in scenes(record, body.get("player")):
                shown.append(scene)
                if time.monotonic() > until:
                    raise Refusal(422, "this game takes too long to show")
            ends = [number for number, (player, _) in enumerate(record["history"]) if player >= 0]
            return {
                **packed_scenes(shown),
                "title": kind.title,
                "players": [scene.player for scene in shown],
                "at": [*ends, len(record["history"])],
                "returns": record["returns"],
            }

        return await self._threads.run("judges", show)

    # Creating matches

    async def create_session(self, request: Request) -> Answer:
        """Create a match: a new game, from a position, or from a transition of a record."""
        optional = {
            "game": str,
            "params": dict,
            "seats": list,
            "seed": int,
            "position": dict,
            "record": dict,
            "at": int,
        }
        more = {"together": bool, "advice": bool, "pause": float}
        body = read_body(await request.body(), {}, {**optional, **more})
        kind = kind_of(body, self.limits)
        await self._prepare(kind)

        def prepare() -> tuple[Match, list[str]]:
            state = state_of(kind, body)
            names = body.get("seats", [HUMAN] + ["heuristic"] * (state.game.num_players - 1))
            if len(names) != state.game.num_players:
                raise Refusal(422, f"seats: {len(names)} were given, but the game has {state.game.num_players}")
            agents = [self.catalog.agent(name, state.game) for name in names]
            return Match(state, agents, body.get("seed"), body.get("together", False)), names

        match, names = await self._threads.run("agents", prepare)
        session = Session(match, names, self._threads, self.limits)
        self._apply_settings(session, body)
        self.sessions.add(session)
        session.resume()
        return {
            "id": session.id,
            "key": session.key,
            "tokens": {str(seat): token for seat, token in session.tokens.items()},
        }

    def _apply_settings(self, session: Session, body: Answer) -> None:
        """Apply the settings that may be changed at any time."""
        pause = body.get("pause", session.pause)
        if not 0 <= pause <= LONGEST_PAUSE:
            raise Refusal(422, f"invalid pause={in_short(pause)}: expected 0 to {LONGEST_PAUSE:g} seconds")
        session.pause = float(pause)
        session.gives_advice = body.get("advice", session.gives_advice) and session.has_best_judge

    def _session(self, request: Request) -> tuple[Session, int | None]:
        """Return the session of a request and the seat of its token; None for the key."""
        session = self.sessions.find(request.path_params["id"])
        return session, session.seat_of(request.query_params.get("token", ""))

    def _human_seat(self, request: Request) -> tuple[Session, int]:
        """Return the session of a request and the seat of the human player who sent it.

        Raises:
            Refusal: if the token is the key.
        """
        session, seat = self._session(request)
        if seat is None:
            raise Refusal(403, "the key is not the token of a seat")
        return session, seat

    # Views

    async def view(self, request: Request) -> Answer:
        """Return what a seat, or the public, sees."""
        session, seat = self._session(request)
        return await self._view(session, None if "public" in request.query_params else seat, request)

    async def _view(self, session: Session, seat: int | None, request: Request) -> Answer:
        theme = theme_of(request.query_params.get("theme"))
        return await self._threads.run("quick", lambda: views.view(session, seat, theme))

    async def log(self, request: Request) -> Answer:
        """Return the log from a transition on."""
        session, seat = self._session(request)
        seat = None if "public" in request.query_params else seat
        start = number_of(request, "since", 0, 0, 10**9)
        return await self._threads.run(
            "quick", lambda: {"log": session.match.look(lambda state: views.log(state, seat, start))}
        )

    async def download(self, request: Request) -> Answer:
        """Return the position or the record."""
        session, _ = self._session(request)
        what = request.url.path.rpartition("/")[2]
        return await self._threads.run("quick", lambda: views.saved_document(session, what))

    async def events(self, request: Request) -> Response:
        """Open a stream of versions. A new version means that the view has changed."""
        try:
            session, _ = self._session(request)
            if self.sessions.streams >= self.limits.streams:
                raise Refusal(429, "too many streams are open")
        except Refusal as refusal:
            return as_json({"error": str(refusal)}, refusal.status)
        return StreamingResponse(session.stream(), media_type="text/event-stream")

    async def hint(self, request: Request) -> Answer:
        """Return the hint of the best judge."""
        session, seat = self._human_seat(request)
        if not session.has_best_judge:
            raise Refusal(403, "this game has no advice")
        return await self._judged(session, seat, "best", 0, lambda judge, state: {"text": Adviser(judge).hint(state)})

    async def action_values(self, request: Request) -> Answer:
        """Return the value of each action by the `best` judge, `playouts`, or an agent such as `perfect`."""
        session, seat = self._human_seat(request)
        by = request.query_params.get("by", "best" if session.has_best_judge else "playouts")
        playouts = number_of(request, "playouts", PLAYOUTS, 1, MOST_PLAYOUTS)
        return await self._judged(
            session, seat, by, playouts, lambda judge, state: views.values_of_actions(state, judge)
        )

    async def _judged(
        self, session: Session, seat: int, by: str, playouts: int, ask: Callable[[Judge, State], Answer]
    ) -> Answer:
        state, revision = session.match.copy()
        if session.match.turn is not Turn.HUMAN or state.current_player() != seat:
            raise Refusal(403, "it is not your turn")

        def judge() -> Answer:
            agent = None if by in ("best", "playouts") else self.catalog.agent(by, state.game)
            return {**session.consult(by, playouts, agent, lambda one: ask(one, state)), "revision": revision}

        question = f"{ask.__qualname__} {by} {playouts} {revision}"
        found = await session.answer(question, judge)
        if found is None:
            raise Wait("the judge is thinking")
        return found

    # Playing

    async def play(self, request: Request) -> Answer:
        """Apply a human player's decision, and return that player's new view."""
        session, seat = self._human_seat(request)
        body = read_body(await request.body(), {"action": int, "revision": int}, {})

        def decide() -> State:
            before, _ = session.match.copy()
            session.match.play(seat, body["action"], body["revision"])
            return before

        before = await self._threads.run("quick", decide)
        session.resume()
        if session.gives_advice:
            session.advise(seat, before, body["action"])
        return await self._view(session, seat, request)

    async def take_back(self, request: Request) -> Answer:
        """Take back the human player's last decision."""
        session, seat = self._human_seat(request)
        read_body(await request.body(), {}, {})
        session.forget(await self._threads.run("quick", lambda: session.match.take_back(seat)))
        session.resume()
        return await self._view(session, seat, request)

    async def seats(self, request: Request) -> Answer:
        """Change the player of a seat: a token allows its own seat, the key any seat."""
        session, own = self._session(request)
        body = read_body(await request.body(), {"seat": int, "player": str}, {})
        seat, name = body["seat"], body["player"]
        if own not in (None, seat):
            raise Refusal(403, "this is the seat of another player")
        agent = await self._threads.run("agents", lambda: self.catalog.agent(name, session.match.game))
        return {"token": session.change(seat, name, agent), "seats": list(session.names)}

    async def settings(self, request: Request) -> Answer:
        """Change the settings, and let an agent that has failed try again."""
        session, _ = self._session(request)
        self._apply_settings(session, read_body(await request.body(), {}, {"advice": bool, "pause": float}))
        session.match.retry()
        session.resume()
        return {"advice": session.gives_advice, "pause": session.pause}

    async def close(self, request: Request) -> Answer:
        """Close a match."""
        session, seat = self._session(request)
        if seat is not None:
            raise Refusal(403, "only the key can close a match")
        self.sessions.remove(session)
        return {}


# Responses other than JSON


async def _index(request: Request) -> Response:
    return FileResponse(STATIC / "index.html")


def _file(path: Path) -> Handler:
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


def _named(request: Request) -> GameType:
    """Return the game named in the address."""
    if request.path_params["name"] not in GAMES:
        raise Refusal(404, "unknown game")
    return GAMES[request.path_params["name"]]


async def _nothing(request: Request) -> Response:
    return Response(status_code=204)


async def _colours(request: Request) -> Response:
    """Send the CSS that turns pictures of the light theme dark."""
    return Response(dark_style('[data-theme="dark"] svg'), media_type="text/css")


async def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return as_json({"error": error.detail}, error.status_code)


async def _failure(request: Request, error: Exception) -> Response:
    return as_json({"error": "the request failed because of an error in the program"}, 500)


HANDLERS: dict[Any, Any] = {HTTPException: _http_error, Exception: _failure}
"""The responses to errors outside the routes."""
