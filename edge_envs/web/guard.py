"""Check requests: only small, well-formed requests from pages of this server pass; others get a 4xx response."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass
from typing import Any, NoReturn

from edge_envs.web.lan import NOT_FOR_GUESTS, Visits, is_local, may_guest

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}
"""The headers of every response."""
SECURE_ONLY = frozenset({"cross-origin-opener-policy"})
"""Headers that browsers ignore, with a warning, on addresses that are neither loopback nor encrypted."""

LONGEST_ADDRESS = 2048
DEEPEST = 32
"""The largest nesting depth of JSON bodies."""


@dataclass(frozen=True)
class Limits:
    """Limits on requests. Times are in seconds, sizes in bytes."""

    body: int = 256 * 1024
    body_time: float = 10.0
    header_time: float = 10.0
    """How long a connection may take to send the header of a request."""
    sittings: int = 64
    idle: float = 60.0
    """If there are too many matches, the least recently used one is closed if it has been idle for this long."""
    streams: int = 256
    transitions: int = 20_000
    replay_time: float = 20.0
    wait: float = 20.0
    """How long a request waits for a judge's answer before the page has to ask again."""


class Refusal(Exception):  # noqa: N818  a response, not an error
    """A rejected request: the status of the response, and the reason."""

    def __init__(self, status: int, why: str) -> None:
        super().__init__(why)
        self.status = status


class Guard:
    """ASGI middleware that checks headers, reads bodies within limits, and adds headers to all responses.

    With `lan`, the address of this machine on the local network, requests that arrive there are those of guests; see
    `edge_envs.web.lan`. The entries `guest` and `lan` of the scope tell routes about them.
    """

    def __init__(
        self, app: App, port: int, limits: Limits, lan: str | None = None, visits: Visits | None = None
    ) -> None:
        self._app = app
        self._limits = limits
        self._lan, self._visits = lan, visits or Visits()
        self._lan_host = f"{lan}:{port}"
        self._address = f"http://127.0.0.1:{port}/"
        self._forward = f"ssh -L {port}:127.0.0.1:{port} HOST"
        names = ("127.0.0.1", "localhost", "[::1]")
        self._hosts = {f"{name}:{port}" for name in names} | ({*names} if port == 80 else set())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or reject it."""
        if scope["type"] != "http":
            raise RuntimeError(f"{scope['type']} is not supported")

        guest = scope["guest"] = self._lan is not None and (scope.get("server") or ("", 0))[0] == self._lan
        scope["lan"] = None if self._lan is None else f"http://{self._lan_host}/"

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                given = {name for name, _ in message["headers"]}
                added = HEADERS if not guest else {n: v for n, v in HEADERS.items() if n not in SECURE_ONLY}
                more = [(n.encode(), v.encode()) for n, v in added.items() if n.encode() not in given]
                message["headers"] = [*message["headers"], *more]
            await send(message)

        async def handle() -> None:
            try:
                self._check(scope)
                body = await self._body(receive) if scope["method"] == "POST" else b""
            except Refusal as refusal:
                await answer(send_guarded, refusal)
                return
            await self._app(scope, _after(body, receive), send_guarded)

        if not guest:
            await handle()
            return
        address = (scope.get("client") or ("", 0))[0]
        if not self._visits.begin(address, scope["path"].endswith("/join")):
            await answer(send_guarded, Refusal(429, "too many requests; wait a minute"))
            return
        try:
            await handle()
        finally:
            self._visits.end(address)

    def _check(self, scope: Scope) -> None:
        """Reject a request by its address and headers."""
        headers: dict[bytes, list[str]] = {}
        for name, value in scope["headers"]:
            headers.setdefault(name.lower(), []).append(value.decode("latin-1").lower())
        if scope["guest"]:
            self._check_guest(scope, headers)
        else:
            self._check_host(scope, headers)
        if scope["method"] not in ("GET", "HEAD", "POST"):
            raise Refusal(405, "expected GET, HEAD or POST")
        if len(scope["raw_path"]) + len(scope["query_string"]) > LONGEST_ADDRESS:
            raise Refusal(414, f"the address is longer than {LONGEST_ADDRESS} bytes")
        if scope["method"] == "POST":
            self._check_body(headers)

    def _check_guest(self, scope: Scope, headers: dict[bytes, list[str]]) -> None:
        """Reject a request of a guest that does not come from a page of this server, or that guests may not send."""
        if not is_local((scope.get("client") or ("", 0))[0]):
            raise Refusal(403, "only machines on the local network may use this page")
        if headers.get(b"host", []) != [self._lan_host]:
            raise Refusal(403, f"the host of the request is not this server: open http://{self._lan_host}/")
        origins = headers.get(b"origin", [])
        wanted = [f"http://{self._lan_host}"]
        if (origins or scope["method"] == "POST") and origins != wanted:
            raise Refusal(403, "only pages of this server may send this request")
        sites = headers.get(b"sec-fetch-site", [])
        if scope["path"].startswith("/api") and any(site not in ("same-origin", "none") for site in sites):
            raise Refusal(403, "only pages of this server may send this request")
        if not may_guest(scope["method"], scope["path"]):
            raise Refusal(403, NOT_FOR_GUESTS)

    def _check_host(self, scope: Scope, headers: dict[bytes, list[str]]) -> None:
        """Reject a request that does not come from a page of this server on this machine."""
        hosts, origins = headers.get(b"host", []), headers.get(b"origin", [])
        if len(hosts) != 1 or hosts[0] not in self._hosts:
            raise Refusal(
                403,
                f"the host of the request is not this server: open {self._address}; to forward its port, use the same "
                f"number on both machines, as in {self._forward}",
            )
        if any(origin not in {f"http://{host}" for host in self._hosts} for origin in origins):
            raise Refusal(403, "only pages of this server may send this request")
        sites = headers.get(b"sec-fetch-site", [])
        if scope["path"].startswith("/api") and any(site not in ("same-origin", "none") for site in sites):
            raise Refusal(403, "only pages of this server may send this request")

    def _check_body(self, headers: dict[bytes, list[str]]) -> None:
        kinds = [kind.partition(";")[0].strip() for kind in headers.get(b"content-type", [])]
        if kinds != ["application/json"]:
            raise Refusal(415, "the body must be application/json")
        for length in headers.get(b"content-length", []):
            if not length.isdecimal() or len(length) > 12 or int(length) > self._limits.body:
                raise Refusal(413, f"the body is larger than {self._limits.body} bytes")

    async def _body(self, receive: Receive) -> bytes:
        """Read the body within the limits."""
        parts, size = [], 0
        try:
            async with asyncio.timeout(self._limits.body_time):
                while True:
                    message = await receive()
                    if message["type"] != "http.request":
                        raise Refusal(400, "the body is incomplete")
                    parts.append(message.get("body", b""))
                    size += len(parts[-1])
                    if size > self._limits.body:
                        raise Refusal(413, f"the body is larger than {self._limits.body} bytes")
                    if not message.get("more_body", False):
                        return b"".join(parts)
        except TimeoutError:
            raise Refusal(408, "the body took too long") from None


def _after(body: bytes, receive: Receive) -> Receive:
    """Return a channel that first yields the body that has been read."""
    waiting = [body]

    async def receive_again() -> Message:
        return {"type": "http.request", "body": waiting.pop(), "more_body": False} if waiting else await receive()

    return receive_again


async def answer(send: Send, refusal: Refusal) -> None:
    """Send a refusal as a response."""
    body = json.dumps({"error": str(refusal)}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    if refusal.status in (408, 413, 415):
        headers.append((b"connection", b"close"))  # the rest of the body is not read
    await send({"type": "http.response.start", "status": refusal.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def read_object(body: bytes) -> dict[str, Any]:
    """Read the JSON object of a body.

    Raises:
        Refusal: if the body is not a JSON object, or is nested too deeply.
    """
    try:
        found = json.loads(body.decode("utf-8"), parse_constant=_no_number)
    except RecursionError:
        raise Refusal(400, "the body is nested too deeply") from None
    except ValueError as error:
        raise Refusal(400, f"the body is not JSON: {error}") from None
    if not isinstance(found, dict):
        raise Refusal(400, "the body must be a JSON object")
    level: list[Any] = [found]
    for _ in range(DEEPEST):
        level = [inner for one in level for inner in (one.values() if isinstance(one, dict) else one) if _holds(inner)]
        if not level:
            return found
    raise Refusal(400, "the body is nested too deeply")


def _holds(value: Any) -> bool:
    return isinstance(value, dict | list)


def _no_number(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not a number")
