"""HTTP connections that close when a request does not arrive, so that idle clients cannot occupy them all."""

from __future__ import annotations

import asyncio

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

HEADER_TIME = 10.0  # seconds


class Connection(H11Protocol):
    """A connection that closes unless the header of a request is complete `HEADER_TIME` after its beginning.

    The server limits the time for bodies itself, and closes connections between two requests.
    """

    header_time = HEADER_TIME
    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as in H11Protocol
        """Start to wait for the first header."""
        super().connection_made(transport)
        self._start_waiting()

    def data_received(self, data: bytes) -> None:
        """Wait for the rest of a header, or stop waiting if it is complete."""
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE:
            self._stop_waiting()
        elif self._timer is None:
            self._start_waiting()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting."""
        self._stop_waiting()
        super().connection_lost(exc)

    def _start_waiting(self) -> None:
        self._timer = self.loop.call_later(self.header_time, self.transport.close)

    def _stop_waiting(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
