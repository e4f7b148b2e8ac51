"""The server of the page to play in."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable
from types import FrameType
from typing import NoReturn
from urllib.parse import quote

import uvicorn
from starlette.applications import Starlette

from edge_envs.games import named_game
from edge_envs.web.desk import HANDLERS, Desk
from edge_envs.web.guard import Guard, Limits
from edge_envs.web.shelf import Roster, Shelf

HOST = "127.0.0.1"


class Web(uvicorn.Server):
    """The server, on a port of this machine that nobody else reaches; `address` is where the page is."""

    def __init__(
        self,
        port: int = 0,
        roster: Roster | None = None,
        limits: Limits | None = None,
        begin: Callable[[], object] | None = None,
    ) -> None:
        """Take a port, 0 for a free one; ValueError if it is taken. `begin` is called as soon as pages are served."""
        limits = limits or Limits()
        # asyncio sends at once what is written to a connection only if it is told that this is TCP
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            self._socket.bind((HOST, port))
        except OSError as error:
            self._socket.close()
            raise ValueError(f"port {port}: {error.strerror}") from None
        self._begin = begin
        self.port: int = self._socket.getsockname()[1]
        self.address = f"http://{HOST}:{self.port}/"
        self.desk = Desk(Shelf(roster), limits)
        app = Guard(Starlette(routes=self.desk.routes(), exception_handlers=HANDLERS), self.port, limits)
        super().__init__(
            uvicorn.Config(
                app,
                http="h11",
                ws="none",
                lifespan="off",
                loop="asyncio",
                log_config=None,
                access_log=False,
                proxy_headers=False,
                server_header=False,
                date_header=False,
                limit_concurrency=600,
                h11_max_incomplete_event_size=16 * 1024,
                timeout_graceful_shutdown=1,
            )
        )

    def serve_until_stopped(self) -> None:
        """Serve until a signal, or `should_exit`."""
        self.run(sockets=[self._socket])

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to listen."""
        await super().startup(sockets)
        if self._begin is not None:
            self._begin()

    def prepare(self, game: str) -> None:
        """Have a game compiled, from when pages are served on."""
        asyncio.get_running_loop().create_task(self.desk.shelf.prepare(game, patience=0.0))

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """End at once: open streams are not waited for."""
        logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)  # that they break off need not be told
        super().handle_exit(sig, frame)
        self.force_exit = True


def server_for(game: str, roster: Roster | None = None, port: int = 0, browser: bool = True) -> Web:
    """The server of a page that begins with a game, or a variant of one; ValueError if the port is taken.

    When it begins to serve, one line on stdout tells where it is, and the page is opened in the `browser`. Afterwards
    threads may still compile or think: end with `leave_at_once`.
    """

    def begin() -> None:
        print(f"play at {address} (Ctrl-C ends it)", flush=True)
        web.prepare(game)
        if browser:
            threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()

    game_type, params = named_game(game)
    game = game_type.name
    web = Web(port, roster, begin=begin)
    address = f"{web.address}#{game}" + (f"/with/{quote(json.dumps(dict(params)))}" if params else "")
    return web


def leave_at_once(code: int) -> NoReturn:
    """End the process without waiting for its threads."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)
