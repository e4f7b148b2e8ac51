"""Run a server in a thread, and send requests to it."""

from __future__ import annotations

import contextlib
import datetime
import http.client
import json
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from agents.players.roster import PolicyRoster
from edge_envs.play.puzzles import source_of
from edge_envs.web.guard import Limits
from edge_envs.web.puzzle_routes import EARLIER
from edge_envs.web.server import Web

SOON = 60.0  # seconds; longer waits mean a failure

Json = Mapping[str, Any]

_DAYS = (datetime.date.today() - datetime.timedelta(count) for count in range(1, EARLIER))
EXACT_PUZZLE = next(day for day in _DAYS if source_of(day).game == "falling_off")
"""A day whose puzzle needs no search, which would be compiled first."""


@dataclass
class Reply:
    """A response, byte by byte."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    def ok(self) -> Any:
        """Return the JSON of a response that is not an error."""
        assert self.status == 200, self
        return self.json


class Client:
    """A client of one server, with a persistent connection."""

    def __init__(self, web: Web) -> None:
        self.web = web
        self.responses: list[bytes] = []
        self._connection = http.client.HTTPConnection("127.0.0.1", web.port, timeout=SOON)

    def send(
        self, method: str, path: str, body: bytes | None = None, headers: Mapping[str, str] | None = None
    ) -> Reply:
        """Send one request, on a new connection if the server has closed the idle one."""
        try:
            try:
                self._connection.request(method, path, body, dict(headers or {}))
            except (BrokenPipeError, ConnectionResetError):
                self._connection.close()
                self._connection.request(method, path, body, dict(headers or {}))
            response = self._connection.getresponse()
            content = response.read()
        except (http.client.HTTPException, OSError):
            self._connection.close()
            raise
        received = {name.lower(): value for name, value in response.getheaders()}
        self.responses.append(repr((response.status, sorted(received.items()))).encode() + content)
        return Reply(response.status, received, content)

    def get(self, path: str, **query: Any) -> Reply:
        """Send a request repeatedly until the result is ready."""
        address = f"{path}?{urlencode(query)}" if query else path
        return self._until_ready(lambda: self.send("GET", address))

    def post(self, path: str, body: Any = None, **query: Any) -> Reply:
        """Send a request repeatedly until the result is ready."""
        address = f"{path}?{urlencode(query)}" if query else path
        content, headers = json.dumps({} if body is None else body).encode(), {"content-type": "application/json"}
        return self._until_ready(lambda: self.send("POST", address, content, headers))

    def _until_ready(self, ask: Any) -> Reply:
        until = time.monotonic() + SOON
        while (reply := ask()).status == 202:
            assert time.monotonic() < until
        return reply  # type: ignore[no-any-return]

    def close(self) -> None:
        self._connection.close()


class Player:
    """A human player in one seat of a match."""

    def __init__(self, client: Client, number: str, token: str) -> None:
        self.client, self.path, self.token = client, f"/api/sittings/{number}", token

    def get(self, endpoint: str = "", **query: Any) -> Reply:
        return self.client.get(self.path + endpoint, token=self.token, **query)

    def post(self, endpoint: str, body: Any = None) -> Reply:
        return self.client.post(self.path + endpoint, body, token=self.token)

    def view(self, **query: Any) -> Any:
        return self.get(**query).ok()

    def waited(self) -> Any:
        """Wait until a human player is to act or the match stops, and return the view."""
        until = time.monotonic() + SOON
        while (seen := self.view())["turn"] in ("chance", "agent"):
            assert time.monotonic() < until, seen
            time.sleep(0.002)
        return seen

    def play(self, seen: Any, choice: int = 0) -> Any:
        """Choose an action of a view."""
        return self.post("/actions", {"action": seen["ways"][choice][0], "revision": seen["revision"]}).ok()


def create_match(client: Client, **options: Any) -> tuple[Any, list[Player]]:
    """Create a match, and return the response and its human players."""
    created = client.post("/api/sittings", options).ok()
    return created, [Player(client, created["id"], token) for token in created["tokens"].values()]


class Stream:
    """The events of a stream, one after another; those of closed matches have no version."""

    def __init__(self, web: Web, *matches: str) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", web.port, timeout=SOON)
        self._connection.request("GET", f"/api/events?{urlencode([('match', match) for match in matches])}")
        self._response = self._connection.getresponse()
        assert (self._response.getheader("content-type") or "").startswith("text/event-stream"), self._response.status

    def __iter__(self) -> Iterator[Any]:
        try:
            for line in self._response:
                if line.startswith(b"data: "):
                    yield json.loads(line.removeprefix(b"data: "))
        finally:
            self._response.close()
            self._connection.close()


@contextlib.contextmanager
def serving(
    limits: Limits | None = None,
    policies: Path = Path("policies"),
    folder: Path | None = None,
    port: int = 0,
    **options: Any,
) -> Iterator[Web]:
    """Run a server as long as the context lasts."""
    started = threading.Event()
    web = Web(port, PolicyRoster(policies), limits, started.set, folder, **options)
    thread = threading.Thread(target=web.serve_until_stopped)
    thread.start()
    try:
        assert started.wait(SOON)
        yield web
    finally:
        web.should_exit = web.force_exit = True
        thread.join(SOON)
        assert not thread.is_alive()
        web.routes.close()  # compiling in a thread would change the warning filters of later tests
