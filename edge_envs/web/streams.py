"""Streams of updates. One stream serves all pages of a browser, which may open only six connections to a server."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Sequence

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from edge_envs.web.guard import Limits, Refusal
from edge_envs.web.responses import as_json
from edge_envs.web.sessions import Sessions

HEARTBEAT = 15.0  # seconds
MOST_WATCHED = 64


class Streams:
    """Server-sent events: the version of each match that a browser watches, whenever it changes."""

    def __init__(self, sessions: Sessions, limits: Limits) -> None:
        self._sessions, self._limits = sessions, limits
        self._open = 0

    async def events(self, request: Request) -> Response:
        """Open a stream. Each `match` of the query is an id and a token with a colon between them.

        A new version means that the view has changed. The event `closed` means that the match is not in memory, or that
        the token does not fit.
        """
        try:
            watched = request.query_params.getlist("match")
            if not 0 < len(watched) <= MOST_WATCHED:
                raise Refusal(422, f"match: expected 1 to {MOST_WATCHED} of them")
            if self._open >= self._limits.streams:
                raise Refusal(429, "too many streams are open")
        except Refusal as refusal:
            return as_json({"error": str(refusal)}, refusal.status)
        return StreamingResponse(self._stream(watched), media_type="text/event-stream")

    def _is_allowed(self, number: str, token: str) -> bool:
        session = self._sessions.get(number)
        if session is None:
            return False
        try:
            session.seat_of(token)
        except Refusal:
            return False
        return True

    async def _stream(self, watched: Sequence[str]) -> AsyncIterator[bytes]:
        """Yield each new version, and a comment as a heartbeat."""
        pairs = [(number, token) for number, _, token in (one.partition(":") for one in watched)]
        allowed = {number: self._is_allowed(number, token) for number, token in pairs}
        news = asyncio.Event()
        self._open += 1
        try:
            with self._sessions.watched([number for number, may in allowed.items() if may], news) as sessions:
                for number in allowed.keys() - {session.id for session in sessions}:
                    yield _event(number, None)
                sent: dict[str, int] = {}
                while sessions:
                    news.clear()
                    for session in list(sessions):
                        if session.is_closed:
                            sessions.remove(session)
                            yield _event(session.id, None)
                        elif sent.get(session.id) != session.version:
                            sent[session.id] = session.version
                            yield _event(session.id, session.version)
                    if sessions and not news.is_set():
                        with contextlib.suppress(TimeoutError):
                            await asyncio.wait_for(news.wait(), HEARTBEAT)
                        if not news.is_set():
                            yield b":\n\n"
        finally:
            self._open -= 1


def _event(number: str, version: int | None) -> bytes:
    """Return an event: a new version of a match, or that it is closed."""
    if version is None:
        return f"event: closed\ndata: {json.dumps({'id': number})}\n\n".encode()
    return f"data: {json.dumps({'id': number, 'version': version})}\n\n".encode()
