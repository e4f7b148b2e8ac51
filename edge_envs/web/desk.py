"""The routes of the page to play in.

Every answer of `/api` is JSON, and an error is `{"error": "..."}` with a 4xx status. Where a game is still being
compiled, or a judge still thinks, the answer is 202 with `{"wait": "..."}`: ask again.
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
from edge_envs.play.sitting import RefusedError, Sitting, StaleError, Turn
from edge_envs.records import replay
from edge_envs.replays import packed_scenes, scenes
from edge_envs.web import views
from edge_envs.web.guard import Limits, Refusal
from edge_envs.web.shelf import HUMAN, Shelf, check_names_no_file, cover_of, game_type, told
from edge_envs.web.tables import LONGEST_PAUSE, Crew, Table, Tables
from edge_envs.web.wishes import (
    Answer,
    check_record,
    edit,
    edited,
    kind_of,
    number_of,
    position_of,
    read_body,
    state_of,
    theme_of,
)

STATIC = Path(__file__).parent / "static"
VIEWER = [Path(edge_envs.replays.__file__).parent / name for name in ("viewer.js", "viewer.css")]
"""What pages with replays consist of, too."""

Handler = Callable[[Request], Awaitable[Response]]


class Wait(Exception):  # noqa: N818  an answer
    """What was asked for is not ready; the message says what is done meanwhile."""


def as_json(content: Any, status: int = 200) -> Response:
    """An answer in JSON, in ASCII: texts may hold what cannot be encoded otherwise."""
    return Response(json.dumps(content, allow_nan=False), status, media_type="application/json")


def asked(handler: Callable[[Request], Awaitable[Answer]]) -> Handler:
    """A route that answers in JSON, also where it refuses."""

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


class Desk:
    """The routes."""

    def __init__(self, shelf: Shelf, limits: Limits) -> None:
        self.shelf, self.limits = shelf, limits
        self.tables = Tables(limits)
        self._crew = Crew()

    def routes(self) -> list[Route | Mount]:
        """All routes."""
        one = "/api/sittings/{id}"
        get, post = ["GET"], ["POST"]
        return [
            Route("/", _index, methods=get),
            Route("/favicon.ico", _nothing, methods=get),
            Route("/colours.css", _colours, methods=get),
            Route("/covers/{name}.svg", _cover, methods=get),
            *(Route(f"/static/{file.name}", _file(file), methods=get) for file in VIEWER),
            Mount("/static", StaticFiles(directory=STATIC)),
            Route("/api/games", asked(self.games), methods=get),
            Route("/api/games/{name}", asked(self.game), methods=[*get, *post]),
            Route("/api/games/{name}/rules", asked(self.rules), methods=get),
            Route("/api/games/{name}/tutorial", asked(self.tutorial), methods=get),
            Route("/api/editor", asked(self.editor), methods=post),
            Route("/api/pictures", asked(self.pictures), methods=post),
            Route("/api/replays", asked(self.replays), methods=post),
            Route("/api/sittings", asked(self.sit_down), methods=post),
            Route(one, asked(self.view), methods=get),
            Route(f"{one}/events", self.events, methods=get),
            Route(f"{one}/log", asked(self.log), methods=get),
            Route(f"{one}/hint", asked(self.hint), methods=get),
            Route(f"{one}/worth", asked(self.worth), methods=get),
            Route(f"{one}/position", asked(self.keep), methods=get),
            Route(f"{one}/record", asked(self.keep), methods=get),
            Route(f"{one}/actions", asked(self.play), methods=post),
            Route(f"{one}/takeback", asked(self.take_back), methods=post),
            Route(f"{one}/seats", asked(self.seats), methods=post),
            Route(f"{one}/settings", asked(self.settings), methods=post),
            Route(f"{one}/close", asked(self.close), methods=post),
        ]

    # Games

    async def games(self, request: Request) -> Answer:
        """All games, with agents that can play them."""
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
        """One game; by POST it is compiled, if it has not been."""
        kind = _named(request)
        if request.method == "POST":
            await self.shelf.prepare(kind.name, patience=0.0)
        return {**self._game(kind), "edits": await self._crew.run("quick", lambda: edited(kind))}

    async def rules(self, request: Request) -> Answer:
        """The page of a game, as HTML."""
        page = docstring(import_module(_named(request).package))
        return {"html": MarkdownIt("commonmark").enable("table").render(page)}

    async def tutorial(self, request: Request) -> Answer:
        """The scenes of a game's tutorial."""
        kind = _named(request)
        if not kind.has_module("tutorial"):
            raise Refusal(404, f"{kind.name} has no tutorial")
        await self._prepare(kind)
        return {"scenes": [asdict(scene) for scene in await self._crew.run("judges", lambda: tutorials.scenes(kind))]}

    def _game(self, kind: GameType) -> Answer:
        agents = [{"name": n, "params": p} for n, p in self.shelf.agents_of(kind.name).items()]
        return {**told(kind), "agents": agents, "readiness": self.shelf.readiness(kind.name)}

    async def _prepare(self, kind: GameType) -> None:
        """See to it that a game is compiled; Wait if that takes long."""
        if await self.shelf.prepare(kind.name):
            return
        readiness = self.shelf.readiness(kind.name)
        if readiness["state"] == "failed":
            raise Refusal(422, f"{kind.name} cannot be compiled: {readiness['error']}")
        raise Wait(f"{kind.name} is being compiled, which the first time takes up to a minute")

    # Positions and records

    async def pictures(self, request: Request) -> Answer:
        """A position as a picture, or what is wrong with it."""
        asked_for = read_body(await request.body(), {"position": dict}, {"player": int, "theme": str})
        position = asked_for["position"]
        kind = game_type(position.get("game"))
        theme = theme_of(asked_for.get("theme"))
        check_names_no_file(kind, position.get("params"))
        await self._prepare(kind)

        def draw() -> Answer:
            state = position_of(kind, position)
            return {
                "svg": state.svg(asked_for.get("player"), theme=theme),
                "text": str(state),
                "player": state.current_player(),
                "players": state.game.num_players,
            }

        return await self._crew.run("quick", draw)

    async def editor(self, request: Request) -> Answer:
        """A step of an editor, or what is wrong with it: of a position, or of the value of a parameter."""
        optional = {"document": dict, "params": dict, "tool": str, "key": str, "text": str}
        wanted = read_body(await request.body(), {"game": str, "edits": str}, optional)
        kind, edits = game_type(wanted.pop("game")), wanted.pop("edits")
        for given in (wanted, wanted.get("document", {})):
            check_names_no_file(kind, given.get("params", {}))
        await self._prepare(kind)
        return await self._crew.run("judges", lambda: edit(kind, edits, wanted))

    async def replays(self, request: Request) -> Answer:
        """The scenes of a record, or what is wrong with it."""
        asked_for = read_body(await request.body(), {"record": dict}, {"player": int})
        record = asked_for["record"]
        kind = check_record(record, self.limits)
        await self._prepare(kind)

        def show() -> Answer:
            replay(record)
            until = time.monotonic() + self.limits.replay_time
            shown = []
            for scene in scenes(record, asked_for.get("player")):
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

        return await self._crew.run("judges", show)

    # Sitting down

    async def sit_down(self, request: Request) -> Answer:
        """Begin a sitting: of a new game, from a position, or from some transition of a record on."""
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
        wanted = read_body(await request.body(), {}, {**optional, **more})
        kind = kind_of(wanted, self.limits)
        await self._prepare(kind)

        def prepare() -> tuple[Sitting, list[str]]:
            state = state_of(kind, wanted)
            names = wanted.get("seats", [HUMAN] + ["heuristic"] * (state.game.num_players - 1))
            if len(names) != state.game.num_players:
                raise Refusal(422, f"seats: {len(names)} were given; the game has {state.game.num_players}")
            agents = [self.shelf.agent(name, state.game) for name in names]
            return Sitting(state, agents, wanted.get("seed"), wanted.get("together", False)), names

        sitting, names = await self._crew.run("agents", prepare)
        table = Table(sitting, names, self._crew, self.limits)
        self._set(table, wanted)
        self.tables.add(table)
        table.go_on()
        return {"id": table.id, "key": table.key, "tokens": {str(seat): token for seat, token in table.tokens.items()}}

    def _set(self, table: Table, wanted: Answer) -> None:
        """Take over what may be changed at any time."""
        pause = wanted.get("pause", table.pause)
        if not 0 <= pause <= LONGEST_PAUSE:
            raise Refusal(422, f"pause: {in_short(pause)} is not possible; possible are 0 to {LONGEST_PAUSE:g} seconds")
        table.pause = float(pause)
        table.gives_advice = wanted.get("advice", table.gives_advice) and table.has_best_judge

    def _table(self, request: Request) -> tuple[Table, int | None]:
        """The sitting of a request, and whose seat it is; None for the key."""
        table = self.tables.find(request.path_params["id"])
        return table, table.seat_of(request.query_params.get("token", ""))

    def _person(self, request: Request) -> tuple[Table, int]:
        """The same, of a person alone."""
        table, seat = self._table(request)
        if seat is None:
            raise Refusal(403, "the key is for no seat; a seat has its own token")
        return table, seat

    # Looking

    async def view(self, request: Request) -> Answer:
        """What a seat sees, or the public."""
        table, seat = self._table(request)
        return await self._view(table, None if "public" in request.query_params else seat, request)

    async def _view(self, table: Table, seat: int | None, request: Request) -> Answer:
        theme = theme_of(request.query_params.get("theme"))
        return await self._crew.run("quick", lambda: views.view(table, seat, theme))

    async def log(self, request: Request) -> Answer:
        """What has happened from some transition on."""
        table, seat = self._table(request)
        seat = None if "public" in request.query_params else seat
        start = number_of(request, "since", 0, 0, 10**9)
        return await self._crew.run(
            "quick", lambda: {"log": table.sitting.look(lambda state: views.log(state, seat, start))}
        )

    async def keep(self, request: Request) -> Answer:
        """The position or the record."""
        table, _ = self._table(request)
        what = request.url.path.rpartition("/")[2]
        return await self._crew.run("quick", lambda: views.kept(table, what))

    async def events(self, request: Request) -> Response:
        """A stream of versions: whenever it tells of another one there is something new to see."""
        try:
            table, _ = self._table(request)
            if self.tables.streams >= self.limits.streams:
                raise Refusal(429, "too many streams are open")
        except Refusal as refusal:
            return as_json({"error": str(refusal)}, refusal.status)
        return StreamingResponse(table.stream(), media_type="text/event-stream")

    async def hint(self, request: Request) -> Answer:
        """What the best judge would do."""
        table, seat = self._person(request)
        if not table.has_best_judge:
            raise Refusal(403, "there is no advice in this game")
        return await self._judged(table, seat, "best", 0, lambda judge, state: {"text": Adviser(judge).hint(state)})

    async def worth(self, request: Request) -> Answer:
        """What each action is worth: by the `best` judge, `playouts`, or an agent that tells, such as `perfect`."""
        table, seat = self._person(request)
        by = request.query_params.get("by", "best" if table.has_best_judge else "playouts")
        playouts = number_of(request, "playouts", PLAYOUTS, 1, MOST_PLAYOUTS)
        return await self._judged(table, seat, by, playouts, lambda judge, state: views.worth(state, judge))

    async def _judged(
        self, table: Table, seat: int, by: str, playouts: int, ask: Callable[[Judge, State], Answer]
    ) -> Answer:
        state, revision = table.sitting.copy()
        if table.sitting.turn is not Turn.PERSON or state.current_player() != seat:
            raise Refusal(403, "it is not your turn to decide")

        def judge() -> Answer:
            agent = None if by in ("best", "playouts") else self.shelf.agent(by, state.game)
            return {**table.consult(by, playouts, agent, lambda one: ask(one, state)), "revision": revision}

        question = f"{ask.__qualname__} {by} {playouts} {revision}"
        found = await table.answer(question, judge)
        if found is None:
            raise Wait("this takes some thought")
        return found

    # Playing

    async def play(self, request: Request) -> Answer:
        """Decide for a person; what that person sees then."""
        table, seat = self._person(request)
        wanted = read_body(await request.body(), {"action": int, "revision": int}, {})

        def decide() -> State:
            before, _ = table.sitting.copy()
            table.sitting.play(seat, wanted["action"], wanted["revision"])
            return before

        before = await self._crew.run("quick", decide)
        table.go_on()
        if table.gives_advice:
            table.advise(seat, before, wanted["action"])
        return await self._view(table, seat, request)

    async def take_back(self, request: Request) -> Answer:
        """Back to the person's last decision."""
        table, seat = self._person(request)
        read_body(await request.body(), {}, {})
        table.forget(await self._crew.run("quick", lambda: table.sitting.take_back(seat)))
        table.go_on()
        return await self._view(table, seat, request)

    async def seats(self, request: Request) -> Answer:
        """Let somebody else sit in a seat: in one's own, or with the key in any."""
        table, own = self._table(request)
        wanted = read_body(await request.body(), {"seat": int, "player": str}, {})
        seat, name = wanted["seat"], wanted["player"]
        if own not in (None, seat):
            raise Refusal(403, "this is another one's seat")
        agent = await self._crew.run("agents", lambda: self.shelf.agent(name, table.sitting.game))
        return {"token": table.change(seat, name, agent), "seats": list(table.names)}

    async def settings(self, request: Request) -> Answer:
        """Advice, pauses; and an agent that has failed tries again."""
        table, _ = self._table(request)
        self._set(table, read_body(await request.body(), {}, {"advice": bool, "pause": float}))
        table.sitting.go_on()
        table.go_on()
        return {"advice": table.gives_advice, "pause": table.pause}

    async def close(self, request: Request) -> Answer:
        """End a sitting."""
        table, seat = self._table(request)
        if seat is not None:
            raise Refusal(403, "the key ends a sitting")
        self.tables.remove(table)
        return {}


# What is no JSON


async def _index(request: Request) -> Response:
    return FileResponse(STATIC / "index.html")


def _file(path: Path) -> Handler:
    """A route that sends one file."""

    async def send(request: Request) -> Response:
        return FileResponse(path)

    return send


async def _cover(request: Request) -> Response:
    """The picture of a game."""
    kind = GAMES.get(request.path_params["name"])
    if kind is None or not cover_of(kind).is_file():
        return as_json({"error": "there is no such picture"}, 404)
    return Response(cover_of(kind).read_bytes(), media_type="image/svg+xml")


def _named(request: Request) -> GameType:
    """The game in the address."""
    if request.path_params["name"] not in GAMES:
        raise Refusal(404, "there is no such game")
    return GAMES[request.path_params["name"]]


async def _nothing(request: Request) -> Response:
    return Response(status_code=204)


async def _colours(request: Request) -> Response:
    """What makes pictures of the light theme dark."""
    return Response(dark_style('[data-theme="dark"] svg'), media_type="text/css")


async def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return as_json({"error": error.detail}, error.status_code)


async def _failure(request: Request, error: Exception) -> Response:
    return as_json({"error": "this has failed, and it is a mistake of the program"}, 500)


HANDLERS: dict[Any, Any] = {HTTPException: _http_error, Exception: _failure}
"""What is answered to an error that no route has answered."""
