"""The routes of matches."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from starlette.requests import Request
from starlette.routing import Route

from edge_envs import GAMES, State
from edge_envs.core.checks.seeds import check_seed, fresh_seed
from edge_envs.core.errors import in_short
from edge_envs.play.appraisal import MOST_PLAYOUTS, PLAYOUTS, Judge
from edge_envs.play.match import Match, Turn
from edge_envs.web import views
from edge_envs.web.catalog import HUMAN, Catalog, prepare
from edge_envs.web.guard import Limits, Refusal
from edge_envs.web.judging import WINS
from edge_envs.web.models import Decision, Invitation, NewMatch, Nothing, SeatChange, Settings, read_body
from edge_envs.web.responses import Answer, Wait, json_route
from edge_envs.web.reviews import Reviews
from edge_envs.web.saves import Saves
from edge_envs.web.sessions import LONGEST_PAUSE, UNKNOWN, Session, Sessions, seat_in
from edge_envs.web.threads import Threads
from edge_envs.web.validation import kind_of, number_of, state_of, theme_of

DAMAGED = "this match was saved by another version, or its file is damaged"
DAMAGES = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError)
"""Errors that a damaged file of a match leads to."""


class MatchRoutes:
    """The routes of matches. A token identifies each seat, and the key the creator of a match."""

    def __init__(
        self, catalog: Catalog, sessions: Sessions, threads: Threads, limits: Limits, saves: Saves, reviews: Reviews
    ) -> None:
        self._catalog, self._sessions, self._threads = catalog, sessions, threads
        self._limits, self._saves, self._reviews = limits, saves, reviews

    def routes(self) -> list[Route]:
        """Return the routes."""
        one = "/api/sittings/{id}"
        get, post = ["GET"], ["POST"]
        return [
            Route("/api/sittings", json_route(self.create), methods=post),
            Route(one, json_route(self.view), methods=get),
            Route(f"{one}/about", json_route(self.about), methods=get),
            Route(f"{one}/log", json_route(self.log), methods=get),
            Route(f"{one}/hint", json_route(self.hint), methods=get),
            Route(f"{one}/worth", json_route(self.action_values), methods=get),
            Route(f"{one}/evaluation", json_route(self.evaluation), methods=get),
            Route(f"{one}/position", json_route(self.download), methods=get),
            Route(f"{one}/record", json_route(self.download), methods=get),
            *(
                Route(f"{one}/{what}", json_route(self.review), methods=post)
                for what in ("scenes", "page", "analysis", "film")
            ),
            Route(f"{one}/join", json_route(self.join), methods=post),
            Route(f"{one}/actions", json_route(self.play), methods=post),
            Route(f"{one}/takeback", json_route(self.take_back), methods=post),
            Route(f"{one}/stop", json_route(self.stop), methods=post),
            Route(f"{one}/seats", json_route(self.seats), methods=post),
            Route(f"{one}/settings", json_route(self.settings), methods=post),
            Route(f"{one}/rematch", json_route(self.rematch), methods=post),
            Route(f"{one}/close", json_route(self.close), methods=post),
        ]

    # Creating matches

    async def create(self, request: Request) -> Answer:
        """Create a match: a new game, from a position, or from a transition of a record."""
        wanted = read_body(NewMatch, await request.body())
        kind = kind_of(wanted, self._limits)
        seed = fresh_seed() if wanted.seed is None else check_seed(wanted.seed)
        await prepare(self._catalog, kind)

        def make() -> tuple[Match, list[Any]]:
            state = state_of(kind, wanted, seed)
            players = state.game.num_players
            names = [HUMAN] + ["heuristic"] * (players - 1) if wanted.seats is None else wanted.seats
            if len(names) != players:
                raise Refusal(422, f"seats: {len(names)} were given, but the game has {players}")
            agents = [self._catalog.agent(name, state.game) for name in names]
            return Match(state, agents, wanted.seed, wanted.together), names

        match, names = await self._threads.run("agents", make)
        session = Session(match, names, self._threads, self._limits, self._saves)
        self._apply(Settings(wanted.advice, wanted.pause), session)
        access = session.open_seats()
        self._sessions.add(session)
        session.resume()
        return access

    async def rematch(self, request: Request) -> Answer:
        """Create another match with the same seats, parameters, tokens and links, or return the one that exists."""
        before, _ = await self._session(request)
        read_body(Nothing, await request.body())
        if before.match.turn is not Turn.OVER:
            raise Refusal(403, "the game is not over")
        if before.rematch is None:

            def make() -> Match:
                match = before.match
                return Match(match.again(), match.agents, together=match.together)

            match = await self._threads.run("quick", make)
            if before.rematch is None:  # else another player was faster
                session = Session(match, before.names, self._threads, self._limits, self._saves)
                self._sessions.add(session)
                session.succeed(before)
                session.resume()
                before.notify()
        return {"id": before.rematch}

    def _apply(self, settings: Settings, session: Session) -> None:
        """Apply the settings that may be changed at any time."""
        pause = session.pause if settings.pause is None else settings.pause
        if not 0 <= pause <= LONGEST_PAUSE:
            raise Refusal(422, f"invalid pause={in_short(pause)}: expected 0 to {LONGEST_PAUSE:g} seconds")
        session.pause = float(pause)
        wants_advice = session.gives_advice if settings.advice is None else settings.advice
        session.gives_advice = wants_advice and session.judging.has_best_judge

    # Access

    async def _find(self, number: str, may_enter: Callable[[Session | dict[str, Any]], Any]) -> Session:
        """Return a session, from memory or its file. `may_enter` raises a Refusal if the request has no access.

        Raises:
            Refusal: if the session does not exist, or the request has no access to it.
            Wait: if its game is not compiled yet.
        """
        session = self._sessions.get(number)
        if session is None:
            saved = await self._threads.run("files", lambda: self._saves.read(number))
            if saved is None:
                raise Refusal(404, UNKNOWN)
            session = await self._restored(number, saved, may_enter)
        may_enter(session)
        return session

    async def _restored(
        self, number: str, saved: dict[str, Any], may_enter: Callable[[Session | dict[str, Any]], Any]
    ) -> Session:
        """Return a session from its file. Only a request with access to it makes the server compile the game."""
        try:
            may_enter(saved)
            name = saved["match"]["record"]["game"]
            if name not in GAMES:
                raise Refusal(404, UNKNOWN)
            await prepare(self._catalog, GAMES[name])
            make = self._catalog.agent
            session = await self._threads.run(
                "agents", lambda: Session.from_dict(number, saved, make, self._threads, self._limits, self._saves)
            )
        except DAMAGES:
            raise Refusal(404, DAMAGED) from None
        if (known := self._sessions.add(session)) is session:
            session.resume()
        return known

    async def _session(self, request: Request) -> tuple[Session, int | None]:
        """Return the session of a request and the seat of its token; None for the key."""
        token = request.query_params.get("token", "")
        session = await self._find(request.path_params["id"], lambda one: _seat_of(one, token))
        return session, session.seat_of(token)

    async def _human_seat(self, request: Request) -> tuple[Session, int]:
        """Return the session of a request and the seat of the human player who sent it.

        Raises:
            Refusal: if the token is the key.
        """
        session, seat = await self._session(request)
        if seat is None:
            raise Refusal(403, "the key is not the token of a seat")
        return session, seat

    async def join(self, request: Request) -> Answer:
        """Accept an invitation: return the seat and its new token."""
        code = read_body(Invitation, await request.body()).code
        session = await self._find(request.path_params["id"], lambda one: None)
        seat, token = session.join(code)
        return {"seat": seat, "token": token}

    async def about(self, request: Request) -> Answer:
        """Describe a match for a list, without loading its file into a session."""
        number, token = request.path_params["id"], request.query_params.get("token", "")
        session = self._sessions.get(number)
        if session is not None:
            seat = session.seat_of(token)
            return {**await self._threads.run("quick", session.about), "seat": seat}
        saved = await self._threads.run("files", lambda: self._saves.read(number))
        if saved is None or not isinstance(saved.get("about"), dict):
            raise Refusal(404, UNKNOWN)
        return {**saved["about"], "seat": _seat_of(saved, token)}

    # Views

    async def view(self, request: Request) -> Answer:
        """Return what a seat, or the public, sees."""
        session, seat = await self._session(request)
        return await self._view(session, None if "public" in request.query_params else seat, request)

    async def _view(self, session: Session, seat: int | None, request: Request) -> Answer:
        theme = theme_of(request.query_params.get("theme"))
        return await self._threads.run("quick", lambda: views.view(session, seat, theme))

    async def log(self, request: Request) -> Answer:
        """Return the log from a transition on."""
        session, seat = await self._session(request)
        seat = None if "public" in request.query_params else seat
        start = number_of(request, "since", 0, 0, 10**9)
        return await self._threads.run(
            "quick", lambda: {"log": session.match.look(lambda state: views.log(state, seat, start))}
        )

    async def download(self, request: Request) -> Answer:
        """Return the position or the record."""
        session, _ = await self._session(request)
        what = request.url.path.rpartition("/")[2]
        return await self._threads.run("quick", lambda: views.saved_document(session, what))

    async def review(self, request: Request) -> Answer:
        """Return the scenes, the page, the analysis or the GIF of a finished match.

        Guests can review only matches in which they have a seat, so they send no record.
        """
        session, _ = await self._session(request)
        read_body(Nothing, await request.body())
        if session.match.turn is not Turn.OVER:
            raise Refusal(403, "the game is not over")
        record = await self._threads.run("quick", lambda: views.saved_document(session, "record"))
        reviews = self._reviews
        review: dict[str, Callable[[Answer], Awaitable[Answer]]] = {
            "scenes": reviews.scenes,
            "page": reviews.page,
            "analysis": reviews.analysis,
            "film": reviews.film,
        }
        return await review[request.url.path.rpartition("/")[2]](record)

    async def hint(self, request: Request) -> Answer:
        """Return the hint of the best judge."""
        session, seat = await self._human_seat(request)
        if not session.judging.has_best_judge:
            raise Refusal(403, "this game has no advice")
        return await self._judged(session, seat, "best", 0, views.hint)

    async def action_values(self, request: Request) -> Answer:
        """Return the value of each action by the `best` judge, `playouts`, or an agent such as `perfect`."""
        session, seat = await self._human_seat(request)
        by = request.query_params.get("by", "best" if session.judging.has_best_judge else "playouts")
        playouts = number_of(request, "playouts", PLAYOUTS, 1, MOST_PLAYOUTS)
        return await self._judged(session, seat, by, playouts, views.values_of_actions)

    async def evaluation(self, request: Request) -> Answer:
        """Return the player's own win probability at the player's own decision, by the judge of analyses.

        At other times it could reveal what other players know. The page repeats its question while the judge thinks;
        if the match has gone on since `revision`, the probability is null.
        """
        session, seat = await self._human_seat(request)
        revision = session.match.revision
        if number_of(request, "revision", revision, 0, 10**9) != revision:
            return {"probability": None, "by": "", "revision": revision}
        return await self._judged(session, seat, WINS, 0, views.evaluation)

    async def _judged(
        self, session: Session, seat: int, by: str, playouts: int, ask: Callable[[State, Judge], Answer]
    ) -> Answer:
        state, revision = session.match.copy()
        if session.match.turn is not Turn.HUMAN or state.current_player() != seat:
            raise Refusal(403, "it is not your turn")

        def judge() -> Answer:
            agent = None if by in ("best", "playouts", WINS) else self._catalog.agent(by, state.game)
            found = session.judging.consult(by, playouts, agent, lambda one: ask(state, one))
            return {**found, "revision": revision}

        kind = f"{ask.__qualname__} {by} {playouts}"
        found = await session.judging.answer(kind, revision, judge, alone=by == WINS)
        if found is None:
            raise Wait("the judge is thinking")
        return found

    # Playing

    async def play(self, request: Request) -> Answer:
        """Apply a human player's decision, and return that player's new view."""
        session, seat = await self._human_seat(request)
        decision = read_body(Decision, await request.body())

        def decide() -> State:
            before, _ = session.match.copy()
            session.match.play(seat, decision.action, decision.revision)
            return before

        before = await self._threads.run("quick", decide)
        session.resume()
        if session.gives_advice:
            session.judging.advise(seat, before, decision.action)
        return await self._view(session, seat, request)

    async def take_back(self, request: Request) -> Answer:
        """Take back the human player's last decision."""
        session, seat = await self._human_seat(request)
        read_body(Nothing, await request.body())
        session.judging.forget(await self._threads.run("quick", lambda: session.match.take_back(seat)))
        session.restart()
        return await self._view(session, seat, request)

    async def stop(self, request: Request) -> Answer:
        """Stop an agent that is thinking."""
        session, _ = await self._session(request)
        read_body(Nothing, await request.body())
        session.stop()
        return {}

    async def seats(self, request: Request) -> Answer:
        """Change the player of a seat: a token allows its own seat, the key any seat."""
        session, own = await self._session(request)
        change = read_body(SeatChange, await request.body())
        if own not in (None, change.seat):
            raise Refusal(403, "this is the seat of another player")
        agent = await self._threads.run("agents", lambda: self._catalog.agent(change.player, session.match.game))
        made = session.change(change.seat, change.player, agent, own)
        return {"token": None, "link": None, **made, "seats": list(session.names)}

    async def settings(self, request: Request) -> Answer:
        """Change the settings, and let an agent that has failed or was stopped try again."""
        session, _ = await self._session(request)
        self._apply(read_body(Settings, await request.body()), session)
        session.match.retry()
        session.resume()
        return {"advice": session.gives_advice, "pause": session.pause}

    async def close(self, request: Request) -> Answer:
        """Close a match, and remove its file once all changes before are written."""
        session, seat = await self._session(request)
        if seat is not None:
            raise Refusal(403, "only the key can close a match")
        self._sessions.remove(session)
        await self._threads.run("files", lambda: self._saves.remove(session.id))
        return {}


def _seat_of(one: Session | dict[str, Any], token: str) -> int | None:
    """Return the seat of a token in a session or in its file; None for the key.

    Raises:
        Refusal: if the token is neither.
    """
    if isinstance(one, Session):
        return one.seat_of(token)
    try:
        return seat_in({int(seat): digest for seat, digest in one["tokens"].items()}, one["key"], token)
    except DAMAGES:
        raise Refusal(404, DAMAGED) from None
