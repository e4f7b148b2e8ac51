"""Hostile and heavy use: every bad request gets a 4xx response, games continue, and memory does not grow."""

from __future__ import annotations

import gc
import json
import random
import socket
import statistics
import string
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from edge_envs.web.guard import DEEPEST, Limits
from edge_envs.web.server import Web
from tests.web.client import SOON, Client, Player, Reply, create_match, serving
from tests.web.load import clicks_for

JSON = {"content-type": "application/json"}
REQUESTS = 10_000
ENOUGH = 300  # requests before memory is measured
MOST_GROWTH = 24 * 2**20


@pytest.fixture(scope="module")
def web() -> Iterator[Web]:
    with serving(Limits(body_time=0.5)) as web:
        yield web


@pytest.fixture
def client(web: Web) -> Iterator[Client]:
    client = Client(web)
    yield client
    client.close()


@pytest.mark.parametrize("path", ["/", "/api/games", "/static/page.js", "/nothing"])
@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.example"},
        {"Host": "evil.example:{port}"},
        {"Host": "127.0.0.1"},
        {"Host": "127.0.0.1:1"},
        {"Host": "localhost.evil.example:{port}"},
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "https://127.0.0.1:{port}"},
        {"Origin": "http://127.0.0.1:1"},
    ],
)
def test_other_hosts_and_origins_are_rejected(client: Client, web: Web, path: str, headers: dict[str, str]) -> None:
    given = {name: value.format(port=web.port) for name, value in headers.items()}
    for method, body in (("GET", None), ("POST", b"{}")):
        reply = client.send(method, path, body, {**given, **JSON})
        assert reply.status == 403
        assert "content-security-policy" in reply.headers


def test_own_hosts_and_origins_are_accepted(client: Client, web: Web) -> None:
    for host in ("127.0.0.1", "localhost", "[::1]", "LOCALHOST"):
        name = f"{host}:{web.port}"
        assert client.send("GET", "/api/games", None, {"Host": name, "Origin": f"http://{name}"}).status == 200


@pytest.mark.parametrize(
    ("site", "status"), [("cross-site", 403), ("same-site", 403), ("same-origin", 200), ("none", 200)]
)
def test_cross_site_requests_are_rejected(client: Client, site: str, status: int) -> None:
    assert client.send("GET", "/api/games", None, {"Sec-Fetch-Site": site}).status == status
    assert client.send("GET", "/", None, {"Sec-Fetch-Site": site}).status == 200  # links to the page work


@pytest.mark.parametrize(
    ("body", "headers", "status"),
    [
        (b"{}", {}, 415),
        (b"{}", {"content-type": "text/plain"}, 415),
        (b"a=b", {"content-type": "application/x-www-form-urlencoded"}, 415),
        (b"{}", {"content-type": "application/json-but-not-quite"}, 415),
        (b"", JSON, 400),
        (b"{", JSON, 400),
        (b"[]", JSON, 400),
        (b"null", JSON, 400),
        (b'{"game": NaN}', JSON, 400),
        (b'{"game": "\xff"}', JSON, 400),
        (b'{"seed": ' + b"9" * 5000 + b"}", JSON, 400),
        (b'{"position": ' + b"[" * 100_000, JSON, 400),
        (b'{"params":' * (DEEPEST + 1) + b"1" + b"}" * (DEEPEST + 1), JSON, 400),
        (b'{"params":' * 900 + b"1" + b"}" * 900, JSON, 400),
        (b'{"game": "' + b"x" * 300_000 + b'"}', JSON, 413),
        (b'{"game": "\\ud800"}', JSON, 422),
        (b'{"game": "kuhn", "game": 3}', JSON, 422),
    ],
)
def test_invalid_bodies_are_rejected(client: Client, body: bytes, headers: dict[str, str], status: int) -> None:
    reply = client.send("POST", "/api/sittings", body, headers)
    assert reply.status == status
    assert reply.json["error"]


def raw(web: Web, text: bytes) -> bytes:
    """Return the response to arbitrary bytes."""
    with socket.create_connection(("127.0.0.1", web.port), timeout=SOON) as connection:
        connection.sendall(text)
        return connection.recv(65536)


def head(web: Web, *more: str) -> bytes:
    lines = ["POST /api/sittings HTTP/1.1", f"Host: 127.0.0.1:{web.port}", "Content-Type: application/json", *more]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def test_body_size_is_limited_regardless_of_content_length(web: Web) -> None:
    chunk = b"10000\r\n" + b" " * 0x10000 + b"\r\n"
    assert b" 413 " in raw(web, head(web, "Content-Length: 999999999999"))
    assert b" 413 " in raw(web, head(web, "Transfer-Encoding: chunked") + chunk * 5)
    assert b" 408 " in raw(web, head(web, "Content-Length: 20") + b"{")


@pytest.mark.parametrize(
    "text",
    [b"\0\0\0\0\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"GET /\r\n\r\n", b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"],
)
def test_malformed_requests_get_an_answer(web: Web, text: bytes) -> None:
    assert raw(web, text).split(b" ")[1][:1] == b"4"


@pytest.mark.parametrize("text", [b"", b"GET / HTTP/1.1\r\n", b"GET / HTTP/1.1\r\nHost: a"])
def test_a_connection_without_a_complete_header_is_closed(text: bytes) -> None:
    with serving(Limits(header_time=0.3)) as web:
        started = time.monotonic()
        assert raw(web, text) == b""
        assert time.monotonic() - started < SOON
        client = Client(web)
        for _ in range(3):  # a connection that is in use stays open
            assert client.send("GET", "/api/games").status == 200
            time.sleep(0.2)
        connection = socket.create_connection(("127.0.0.1", web.port), timeout=SOON)
        connection.sendall(f"GET /favicon.ico HTTP/1.1\r\nHost: 127.0.0.1:{web.port}\r\n\r\n".encode())
        assert b" 200 " in connection.recv(65536)
        connection.sendall(b"GET")  # the next request of the same connection
        while connection.recv(65536):
            pass
        connection.close()
        client.close()


def test_a_request_through_a_forwarded_port_names_the_address_to_use(client: Client, web: Web) -> None:
    error = client.send("GET", "/", None, {"Host": "localhost:1"}).json["error"]
    assert f"open {web.address}" in error
    assert f"ssh -L {web.port}:127.0.0.1:{web.port}" in error


def test_paths_and_methods_are_restricted(client: Client) -> None:
    assert client.send("GET", "/api/games?" + "x" * 3000).status == 414
    for method in ("PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"):
        assert client.send(method, "/api/games").status == 405
    assert client.send("POST", "/api/games", b"{}", JSON).status == 405
    for path in (
        "/static/../server.py",
        "/static/%2e%2e/server.py",
        "/static//etc/passwd",
        "/../x",
        "/static/",
        "/api",
    ):
        assert client.send("GET", path).status in (404, 405), path


# Random requests


def memory() -> int:
    """Return the resident memory of this process, including the server, in bytes."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * 4096


class Attacker:
    """Generates invalid requests from a seed."""

    def __init__(self, seed: int, player: Player) -> None:
        self._random = random.Random(seed)
        self._player = player

    def attack(self, client: Client) -> Reply:
        kind = self._random.choice([self._nonsense, self._unknown, self._stale, self._wrong, self._headers])
        return kind(client)

    def _text(self) -> str:
        return "".join(self._random.choices(string.ascii_letters + string.digits + "_-", k=self._random.randint(1, 30)))

    def _value(self, depth: int = 0) -> Any:
        kinds: list[Any] = [None, True, -1, 0, 1e300, 10**30, "", "kuhn", "\ud800", self._text(), [], {}]
        if depth < 3 and self._random.random() < 0.4:
            return {self._text(): self._value(depth + 1) for _ in range(3)}
        return [self._value(depth + 1)] if depth < 3 and self._random.random() < 0.2 else self._random.choice(kinds)

    def _nonsense(self, client: Client) -> Reply:
        body = self._random.randbytes(self._random.randint(0, 200))
        names = ["sittings", "pictures", "replays", "editor"]
        path = self._random.choice([*(f"/api/{name}" for name in names), f"{self._player.path}/actions"])
        return client.send("POST", path, body, JSON)

    def _unknown(self, client: Client) -> Reply:
        suffix = self._random.choice(
            ["", "/log", "/join", "/actions", "/takeback", "/seats", "/worth", f"/{self._text()}"]
        )
        number = self._random.choice([self._text(), self._player.path.rpartition("/")[2]])
        method, body = self._random.choice([("GET", None), ("POST", b"{}")])
        return client.send(method, f"/api/sittings/{number}{suffix}?token={self._text()}", body, JSON)

    def _stale(self, client: Client) -> Reply:
        body = {"action": self._random.choice([0, 1, 10**12, -3]), "revision": self._random.choice([-1, 0, 10**40])}
        path = f"{self._player.path}/actions?token={self._player.token}"
        return client.send("POST", path, json.dumps(body).encode(), JSON)

    def _wrong(self, client: Client) -> Reply:
        path = self._random.choice(["sittings", "pictures", "replays", "editor"])
        names = ["game", "params", "seats", "seed", "position", "record", "at", "document", "tool", self._text()]
        body = {name: self._value() for name in self._random.sample(names, self._random.randint(1, 4))}
        body["unknown"] = 1
        return client.send("POST", f"/api/{path}", json.dumps(body).encode(), JSON)

    def _headers(self, client: Client) -> Reply:
        name = self._random.choice(["Host", "Origin", "Sec-Fetch-Site"])
        return client.send("GET", "/api/games", None, {name: self._text()})


def test_random_requests_get_4xx_responses_and_change_nothing(client: Client) -> None:
    _, (player,) = create_match(client, game="falling_off", seed=4)
    player.play(player.waited())
    seen = player.waited()
    attacker, before = Attacker(20, player), 0
    for number in range(REQUESTS):
        if number == ENOUGH:
            before = memory()
        reply = attacker.attack(client)
        client.responses.clear()
        assert 400 <= reply.status < 500, reply
        assert reply.json["error"]
    assert memory() - before < MOST_GROWTH
    assert player.view() == seen
    player.play(seen)


def test_abandoned_matches_do_not_leak_memory() -> None:
    with serving(Limits(sittings=8, idle=0.0)) as small:
        client, before = Client(small), 0
        for number in range(240):
            if number == 60:
                before = memory()
            _, (player,) = create_match(client, game="tic_tac_toe")
            player.play(player.waited())
            client.responses.clear()
        assert len(small.routes.sessions) == 8
        assert memory() - before < MOST_GROWTH
        client.close()


# Load


def test_fifty_matches_at_once_are_served_without_an_error(client: Client, web: Web) -> None:
    """`python -m tests.web.load` does the same for a minute."""
    times = clicks_for(web, seconds=4.0)
    assert len(times) > 20
    assert statistics.median(times) < 0.1
