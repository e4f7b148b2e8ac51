"""The server of the web page."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import NoReturn
from urllib.parse import quote

import uvicorn
from starlette.applications import Starlette
from starlette.middleware.gzip import GZipMiddleware

from edge_envs.games import named_game
from edge_envs.web.catalog import Catalog, Roster
from edge_envs.web.connections import Connection
from edge_envs.web.guard import Guard, Limits
from edge_envs.web.lan import GuestLimits, Visits, check_qr_codes, local_address
from edge_envs.web.responses import HANDLERS
from edge_envs.web.routes import Routes
from edge_envs.web.saves import data_folder, keep_port, last_port

HOST = "127.0.0.1"


class Web(uvicorn.Server):
    """The server, on a loopback port. `address` is the address of the page.

    With `lan`, it also listens at an address of this machine on the local network; `lan_address` is that of the page.
    """

    def __init__(
        self,
        port: int = 0,
        roster: Roster | None = None,
        limits: Limits | None = None,
        begin: Callable[[], object] | None = None,
        folder: Path | None = None,
        lan: str | None = None,
        guests: GuestLimits | None = None,
    ) -> None:
        """Bind a port.

        Args:
            port: The port; 0 for a free one.
            roster: Agents in addition to the built-in ones.
            limits: Limits on requests; None for the defaults.
            begin: Called as soon as pages are served.
            folder: The folder where matches are saved; None saves none.
            lan: The address of this machine on the local network, to listen there for guests; None listens only on the
                loopback address.
            guests: Limits for guests; None for the defaults.

        Raises:
            ValueError: if the port is taken.
        """
        limits = limits or Limits()
        self._sockets = [_bound(HOST, port)]
        self._begin = begin
        self.port: int = self._sockets[0].getsockname()[1]
        self.address = f"http://{HOST}:{self.port}/"
        self.lan_address = None if lan is None else f"http://{lan}:{self.port}/"
        if lan is not None:
            try:
                self._sockets.append(_bound(lan, self.port))
            except ValueError:
                self._sockets[0].close()
                raise
        visits = Visits(guests)
        self.routes = Routes(Catalog(roster), limits, folder)
        inner = Starlette(routes=self.routes.routes(), exception_handlers=HANDLERS)
        app = Guard(GZipMiddleware(inner, minimum_size=1024, compresslevel=4), self.port, limits, lan, visits)
        connection = {"header_time": limits.header_time, "lan": lan, "visits": visits}
        super().__init__(
            uvicorn.Config(
                app,
                http=type("LimitedConnection", (Connection,), connection),
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
        """Serve until a signal, or until `should_exit` is set."""
        self.run(sockets=self._sockets)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start to listen."""
        await super().startup(sockets)
        if self._begin is not None:
            self._begin()

    def prepare(self, game: str) -> None:
        """Start to compile a game. Call this only after pages are served."""
        asyncio.get_running_loop().create_task(self.routes.catalog.prepare(game, patience=0.0))

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop at once, without waiting for open streams."""
        logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)  # no log lines about broken streams
        super().handle_exit(sig, frame)
        self.force_exit = True


def _bound(address: str, port: int) -> socket.socket:
    """Return a socket that is bound to a port.

    Raises:
        ValueError: if the port is taken.
    """
    # asyncio disables Nagle's algorithm only for sockets with this protocol number
    made = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    if hasattr(socket, "SO_EXCLUSIVEADDRUSE"):  # Windows, where SO_REUSEADDR would share a port that is taken
        made.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
    else:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((address, port))
    except OSError as error:
        made.close()
        raise ValueError(f"port {port}: {error.strerror}") from None
    return made


def server_for(
    game: str, roster: Roster | None = None, port: int | None = None, browser: bool = True, lan: bool = False
) -> Web:
    """Create the server of a page that opens with a game, and saves matches in the user's data folder.

    When it starts to serve, it prints one line with its address on stdout. Threads may still compile or think after it
    stops, so end the process with `leave_at_once`.

    Args:
        game: The name of a game or of a variant.
        roster: Agents in addition to the built-in ones.
        port: The port; 0 for a free one; None for that of the last time, with which browsers find their matches again,
            if it is free.
        browser: Whether to open the page in a browser.
        lan: Whether to listen for guests on the local network as well. A second line then has their address.

    Raises:
        ValueError: if the port is taken, or this machine is not on a local network.
        MissingExtraError: if QR codes for guests cannot be drawn.
    """

    def begin() -> None:
        print(f"play at {address} (Ctrl-C ends it)", flush=True)
        if web.lan_address is not None:
            print(
                f"guests on this network: {web.lan_address} (they need a link or a QR code from your page)", flush=True
            )
        web.prepare(game)
        keep_port(folder, web.port)
        if browser and has_display():
            threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()

    game_type, params = named_game(game)
    game = game_type.name
    folder = data_folder()
    if lan:
        check_qr_codes()
    guest_address = local_address() if lan else None
    web = _at_port(port, lambda number: Web(number, roster, None, begin, folder, guest_address), last_port(folder))
    address = f"{web.address}#{game}" + (f"/with/{quote(json.dumps(dict(params)))}" if params else "")
    return web


def _at_port(port: int | None, make: Callable[[int], Web], preferred: int) -> Web:
    """Make a server at a port; with None at the preferred one, or at a free one if that is taken."""
    if port is None:
        with contextlib.suppress(ValueError):
            return make(preferred)
    return make(port or 0)


def has_display() -> bool:
    """Return whether this machine can open a window, so that a browser does not start in the terminal."""
    if sys.platform in ("win32", "darwin", "cygwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def leave_at_once(code: int) -> NoReturn:
    """End the process without waiting for its threads."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)
