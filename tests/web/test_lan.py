"""Test guests on the local network. Another loopback address stands for the address of the machine on that network."""

from __future__ import annotations

import http.client
import itertools
import json
import socket
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest
import segno

import edge_envs.web.lan
from edge_envs.web.guard import Limits
from edge_envs.web.lan import NOT_FOR_GUESTS, GuestLimits, Visits, is_local, local_address, may_guest, qr_code
from edge_envs.web.server import Web, server_for
from tests.web.browser import OVER, REQUIRES_BROWSER, Visitor, visiting
from tests.web.client import SOON, Client, serving

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="127.0.0.2 needs Linux")

LAN = "127.0.0.2"
JSON = {"content-type": "application/json"}
SEATS = ["human", "linked"]
FREE = GuestLimits(rate=1e6, burst=1e6, joins=10**6, simultaneous=100, connections=100)  # all tests have one address


@pytest.fixture(scope="module")
def web() -> Iterator[Web]:
    with serving(Limits(idle=0.0), lan=LAN, guests=FREE) as web:
        yield web


@pytest.fixture
def host(web: Web) -> Iterator[Client]:
    client = Client(web)
    yield client
    client.close()


class Guest:
    """A client on the local network."""

    def __init__(self, web: Web) -> None:
        self._web = web
        self.name = f"{LAN}:{web.port}"
        self._connection = http.client.HTTPConnection(LAN, web.port, timeout=SOON)

    def send(
        self, method: str, path: str, body: Any = None, headers: Mapping[str, str] | None = None
    ) -> tuple[int, dict[str, str], Any]:
        """Send a request as a page of this server would; return the status, the headers and the JSON."""
        sent = {"Origin": f"http://{self.name}", **JSON} if method == "POST" else {}
        content = json.dumps({} if body is None else body).encode() if method == "POST" else None
        try:
            self._connection.request(method, path, content, {**sent, **(headers or {})})
            reply = self._connection.getresponse()
            text = reply.read()
        except (http.client.HTTPException, OSError):
            self._connection.close()
            raise
        is_json = (reply.getheader("content-type") or "").startswith("application/json")
        received = {name.lower(): value for name, value in reply.getheaders()}
        return reply.status, received, json.loads(text) if is_json else text

    def close(self) -> None:
        self._connection.close()


@pytest.fixture
def guest(web: Web) -> Iterator[Guest]:
    with closing(Guest(web)) as guest:
        yield guest


def invited(host: Client) -> tuple[Any, str]:
    """Create a match with a seat for a guest; return the response and the code of the seat."""
    made = host.post("/api/sittings", {"game": "tic_tac_toe", "seats": SEATS}).ok()
    return made, made["links"]["1"]


# Opting in


def test_the_default_listens_only_on_the_loopback_address() -> None:
    with serving() as web:
        assert web.lan_address is None
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection((LAN, web.port), timeout=SOON)
        client = Client(web)
        catalog = client.get("/api/games").ok()
        assert (catalog["guest"], catalog["lan"]) == (False, None)
        assert client.post("/api/qr", {"link": f"{'m' * 24}/{'c' * 24}"}).status == 403
        client.close()


def test_with_lan_the_program_prints_both_addresses(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("edge_envs.web.server.local_address", lambda: LAN)
    web = server_for("tic_tac_toe", port=0, browser=False, lan=True)
    monkeypatch.setattr(web, "prepare", lambda game: None)
    assert web._begin is not None
    web._begin()
    first, second = capsys.readouterr().out.splitlines()
    assert first == f"play at {web.address}#tic_tac_toe (Ctrl-C ends it)"
    assert second.startswith(f"guests on this network: http://{LAN}:{web.port}/ ")
    for made in web._sockets:
        made.close()
    web.routes.close()


def test_the_address_must_belong_to_a_local_network(monkeypatch: pytest.MonkeyPatch) -> None:
    class Probe:
        def __init__(self, *_: object) -> None: ...
        def __enter__(self) -> Probe:
            return self

        def __exit__(self, *_: object) -> None: ...
        def connect(self, address: tuple[str, int]) -> None:
            if self.address == "":
                raise OSError(101, "Network is unreachable")

        def getsockname(self) -> tuple[str, int]:
            return self.address, 1

        address = ""

    monkeypatch.setattr("edge_envs.web.lan.socket.socket", Probe)
    for address in ("192.168.1.5", "10.0.0.7", "172.16.3.4", "169.254.1.1"):
        Probe.address = address
        assert local_address() == address
    for address in ("8.8.8.8", "127.0.0.1", "0.0.0.0"):
        Probe.address = address
        with pytest.raises(ValueError, match="not that of a local network"):
            local_address()
    Probe.address = ""
    with pytest.raises(ValueError, match="not connected to a local network"):
        local_address()


def test_without_the_library_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "segno", None)
    with pytest.raises(edge_envs.MissingExtraError, match=r"--lan needs .*segno|web"):
        edge_envs.web.lan.check_qr_codes()


def test_local_addresses() -> None:
    assert all(map(is_local, ("192.168.0.1", "10.1.2.3", "172.31.0.1", "169.254.0.1", "127.0.0.1", "fe80::1")))
    assert not any(map(is_local, ("8.8.8.8", "1.1.1.1", "", "0.0.0.0", "224.0.0.1", "evil.example", "2001:4860::8888")))


# A match with a guest


def test_a_link_gives_one_token_once(host: Client, guest: Guest) -> None:
    made, code = invited(host)
    path = f"/api/sittings/{made['id']}"
    status, _, access = guest.send("POST", f"{path}/join", {"code": code})
    assert (status, access["seat"]) == (200, 1)
    assert guest.send("POST", f"{path}/join", {"code": code})[0] == 404
    status, _, view = guest.send("GET", f"{path}?token={access['token']}")
    assert (status, view["seat"], view["turn"]) == (200, 1, "human")
    decided = host.post(f"{path}/actions", {"action": 4, "revision": view["revision"]}, token=made["tokens"]["0"]).ok()
    answer = {"action": 0, "revision": decided["revision"]}
    assert guest.send("POST", f"{path}/actions?token={access['token']}", answer)[0] == 200
    assert guest.send("POST", f"{path}/takeback?token={access['token']}")[0] == 200
    assert guest.send("GET", f"{path}?token={made['id']}")[0] == 404


def test_a_guest_gets_no_access_without_a_token(host: Client, guest: Guest) -> None:
    made, _ = invited(host)
    path = f"/api/sittings/{made['id']}"
    for suffix in ("", "/about", "/log", "/hint", "/worth", "/record", "/position"):
        for token in ("", "x", "\udcff".encode("utf-8", "replace").decode(), made["id"], "a" * 300):
            assert guest.send("GET", f"{path}{suffix}?token={token}")[0] == 404
    for suffix in ("/actions", "/takeback", "/stop", "/settings", "/rematch"):
        assert guest.send("POST", f"{path}{suffix}?token=x")[0] == 404
    for code in ("", "x", made["id"]):
        assert guest.send("POST", f"{path}/join", {"code": code})[0] == 404


def test_a_guest_reviews_the_own_match_when_it_is_over(host: Client, guest: Guest) -> None:
    made, code = invited(host)
    path = f"/api/sittings/{made['id']}"
    token = guest.send("POST", f"{path}/join", {"code": code})[2]["token"]
    for what in ("scenes", "page", "analysis", "film"):
        assert guest.send("POST", f"{path}/{what}?token={token}")[2] == {"error": "the game is not over"}
    for turn, field in enumerate((0, 3, 1, 4, 2)):
        seat = token if turn % 2 else made["tokens"]["0"]
        until = time.monotonic() + SOON
        while (seen := host.get(path, token=seat).ok())["turn"] != "human" or seen["player"] != turn % 2:
            assert time.monotonic() < until
        host.post(f"{path}/actions", {"action": field, "revision": seen["revision"]}, token=seat).ok()
    assert len(guest.send("POST", f"{path}/scenes?token={token}")[2]["at"]) == 6
    assert guest.send("POST", f"{path}/page?token={token}")[2]["html"].startswith("<!doctype html>")
    assert guest.send("POST", f"{path}/analysis?token={token}")[2]["of"] == 5
    assert guest.send("POST", f"{path}/film?token={token}")[2]["of"] > 0
    for what in ("scenes", "analysis"):
        assert guest.send("POST", f"{path}/{what}?token={code}")[0] == 404
        assert guest.send("POST", f"{path}/{what}?token={token}", {"record": {}})[0] == 422


REFUSED = [
    ("POST", "/api/sittings"), ("POST", "/api/sittings/x/seats"), ("POST", "/api/sittings/x/close"),
    ("POST", "/api/analyses"), ("POST", "/api/editor"), ("POST", "/api/pictures"), ("POST", "/api/replays"),
    ("POST", "/api/replays/page"), ("POST", "/api/qr"), ("GET", "/api/puzzles"), ("GET", "/api/puzzles/2026-11-26"),
    ("POST", "/api/puzzles/2026-11-26/answer"), ("GET", "/api/unknown"), ("GET", "/api/sittings"),
    ("GET", "/api/sittings/x/seats"), ("POST", "/"), ("POST", "/api/sittings/x/join/"), ("GET", "/static/../x"),
    ("POST", "/api/sittings/%2e%2e/close"), ("GET", "/api//sittings/x"),
]  # fmt: skip


@pytest.mark.parametrize(("method", "path"), REFUSED, ids=" ".join)
def test_guests_can_only_play(guest: Guest, method: str, path: str) -> None:
    status, _, reply = guest.send(method, path)
    assert (status, reply) == (403, {"error": NOT_FOR_GUESTS})


def test_every_route_is_for_guests_or_not(web: Web) -> None:
    """A new route must be decided on: it is refused unless it is in one of the patterns."""
    allowed = {
        (method, route.path)
        for route in web.routes.routes()
        for method in getattr(route, "methods", None) or ()
        if may_guest(method, route.path.format(id="x" * 24, name="tic_tac_toe", day="2026-11-26"))
    }
    posts = {path for method, path in allowed if method == "POST"}
    assert posts == {
        "/api/games/{name}",
        *(f"/api/sittings/{{id}}/{what}" for what in ("join", "actions", "takeback", "stop", "settings", "rematch")),
        *(f"/api/sittings/{{id}}/{what}" for what in ("scenes", "page", "analysis", "film")),
    }
    gets = {path for method, path in allowed if method == "GET" and path.startswith("/api/")}
    assert gets == {
        "/api/games", "/api/games/{name}", "/api/games/{name}/rules", "/api/games/{name}/tutorial", "/api/events",
        "/api/sittings/{id}",
        *(f"/api/sittings/{{id}}/{what}" for what in ("about", "log", "hint", "worth", "evaluation")),
        *(f"/api/sittings/{{id}}/{what}" for what in ("position", "record")),
    }  # fmt: skip


# Hostile requests


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.example"},
        {"Host": "evil.example:{port}"},
        {"Host": "127.0.0.1:{port}"},
        {"Host": "localhost:{port}"},
        {"Host": LAN},
        {"Host": LAN + ":1"},
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:{port}"},
        {"Origin": "https://" + LAN + ":{port}"},
        {"Origin": "http://" + LAN},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_foreign_hosts_and_origins_are_rejected(guest: Guest, web: Web, headers: dict[str, str]) -> None:
    given = {name: value.format(port=web.port) for name, value in headers.items()}
    for method, path in (("GET", "/api/games"), ("POST", "/api/sittings/x/join")):
        status, received, reply = guest.send(method, path, {"code": "x"}, given)
        assert status == 403
        assert reply["error"] != NOT_FOR_GUESTS
        assert "content-security-policy" in received


def test_a_post_without_an_origin_is_rejected(web: Web) -> None:
    with closing(http.client.HTTPConnection(LAN, web.port, timeout=SOON)) as connection:
        connection.request("POST", "/api/sittings/x/join", b'{"code": "x"}', JSON)
        assert connection.getresponse().status == 403


def test_the_address_for_guests_does_not_open_the_page_of_the_host(host: Client, web: Web) -> None:
    name = f"{LAN}:{web.port}"
    assert host.send("GET", "/api/games", None, {"Host": name}).status == 403
    assert host.send("GET", "/api/games", None, {"Origin": f"http://{name}"}).status == 403


@pytest.mark.parametrize("address", ["8.8.8.8", "", "evil"])
def test_machines_outside_the_local_network_are_rejected(
    guest: Guest, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    monkeypatch.setattr("edge_envs.web.guard.is_local", lambda one: is_local(address))
    status, _, reply = guest.send("GET", "/")
    assert (status, reply) == (403, {"error": "only machines on the local network may use this page"})


def test_guests_get_the_headers_that_their_browser_accepts(guest: Guest) -> None:
    status, headers, _ = guest.send("GET", "/")
    assert status == 200
    assert headers["referrer-policy"] == "no-referrer"  # the address of the page contains the code of a link
    assert headers["x-content-type-options"] == "nosniff"
    assert "cross-origin-opener-policy" not in headers
    assert "access-control-allow-origin" not in headers


# Limits


def test_too_many_requests_are_refused_until_time_has_passed() -> None:
    now = 0.0
    visits = Visits(GuestLimits(rate=2.0, burst=3.0, joins=2, simultaneous=2), lambda: now)

    def ask(address: str = "10.0.0.1", is_join: bool = False) -> bool:
        allowed = visits.begin(address, is_join)
        if allowed:
            visits.end(address)
        return allowed

    assert [ask() for _ in range(5)] == [True, True, True, False, False]
    assert ask("10.0.0.2")  # another guest
    now = 1.0
    assert [ask() for _ in range(3)] == [True, True, False]
    now = 100.0
    assert [ask(is_join=True) for _ in range(3)] == [True, True, False]
    now = 150.0
    assert not ask(is_join=True)
    now = 161.0
    assert ask(is_join=True)


def test_simultaneous_requests_are_limited() -> None:
    visits = Visits(GuestLimits(simultaneous=2))
    assert [visits.begin("10.0.0.1", False) for _ in range(3)] == [True, True, False]
    visits.end("10.0.0.1")
    assert visits.begin("10.0.0.1", False)


def test_accounts_do_not_grow_without_end() -> None:
    visits = Visits()
    for number in range(2_000):
        address = f"10.0.{number // 250}.{number % 250}"
        assert visits.begin(address, False)
        visits.end(address)
    assert len(visits._accounts) <= 256


def test_guessing_codes_is_slowed_down() -> None:
    with serving(lan=LAN, guests=GuestLimits(joins=3)) as web, closing(Guest(web)) as guest:
        found = [guest.send("POST", "/api/sittings/x/join", {"code": "x"})[0] for _ in range(5)]
        assert found == [404, 404, 404, 429, 429]
        assert guest.send("GET", "/api/games")[0] == 200


def test_a_guest_cannot_occupy_the_server() -> None:
    with serving(lan=LAN, guests=GuestLimits(connections=4, burst=30.0, rate=0.0)) as web:
        opened = [socket.create_connection((LAN, web.port), timeout=SOON) for _ in range(12)]
        closed = 0
        for one in opened:
            one.settimeout(0.5)
            try:
                closed += one.recv(1) == b""
            except ConnectionResetError:
                closed += 1
            except TimeoutError:
                pass
        assert closed == 8
        host = Client(web)
        assert host.get("/api/games").status == 200
        for one in opened:
            one.close()
        host.close()


# Links and QR codes


def test_qr_codes_are_for_links_to_seats_only(host: Client) -> None:
    made, code = invited(host)
    found = host.post("/api/qr", {"link": f"{made['id']}/{code}"}).ok()
    assert found["address"].startswith(f"http://{LAN}:")
    assert found["svg"].startswith("<svg ")
    for link in ("", "x", f"{made['id']}", f"{made['id']}/{code}/x", "https://evil.example", f"../{code}", 3, None):
        assert host.post("/api/qr", {"link": link}).status == 422


def test_qr_code_contains_the_link() -> None:
    link = f"{'m' * 24}/{'c' * 24}"
    expected = segno.make(f"http://10.0.0.1:8000/#play/{link}", micro=False, error="m")
    svg = qr_code("http://10.0.0.1:8000/", link)
    side = expected.symbol_size(border=2)[0]
    assert f'width="{4 * side}"' in svg
    assert "<script" not in svg
    with pytest.raises(ValueError, match="expected the id"):
        qr_code("http://10.0.0.1:8000/", "javascript:alert(1)")


@REQUIRES_BROWSER
def test_a_guest_scans_the_code_of_a_seat_and_plays(browser: Browser, web: Web) -> None:
    with visiting(browser, web) as host:
        host.begin("tic_tac_toe", "human", "linked")
        link = host.find(".seats input[readonly]").input_value()
        assert link.startswith(f"http://{LAN}:{web.port}/#play/")
        host.page.wait_for_selector(".qr svg")
        guest = Visitor.open(browser, f"http://{LAN}:{web.port}/", "phone")
        guest.page.goto(link)
        guest.page.wait_for_selector(".match")
        assert "Waiting for player 0" in guest.headline
        host.click(host.open_keys()[4])
        guest.page.wait_for_selector("#headline.yours")
        guest.click(guest.open_keys()[0])
        for playing in itertools.cycle((host, guest)):
            playing.page.wait_for_selector(f"#headline.yours, {OVER}")
            if playing.find(OVER).count():
                break
            playing.click(playing.open_keys()[0])
        guest.page.wait_for_selector(OVER)
        guest.find("[data-do=review]").click()
        guest.page.wait_for_selector("#analysis [role=status]:has-text('Judged by')")
        assert guest.find("[data-do=try]").count() == 0
        guest.page.goto(f"http://{LAN}:{web.port}/")
        assert guest.page.wait_for_selector("main h2:has-text('Welcome')")
        assert guest.fits()
        guest.page.wait_for_selector("#matches li")
        guest.close()
