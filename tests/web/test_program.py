"""Test `scripts/play.py --web` as a user runs it."""

from __future__ import annotations

import http.client
import json
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from urllib.parse import unquote

import pytest

from edge_envs.web.server import has_display
from scripts.play import main
from tests.programs import ROOT, Here, program
from tests.web.client import SOON

STOP_TIMEOUT = 5.0  # seconds, on a loaded machine


SCRIPT = ("scripts/play.py", "falling_off", "--web", "--no-browser")
COMMAND = ("-m", "edge_envs", "play", "falling_off", "--no-browser")


def open_stream(port: int) -> http.client.HTTPConnection:
    """Return the connection of a page that waits for updates of a match."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=SOON)
    while True:
        connection.request("POST", "/api/sittings", '{"game": "falling_off"}', {"content-type": "application/json"})
        reply = connection.getresponse()
        made = json.loads(reply.read())
        if reply.status == 200:
            break
        assert reply.status == 202  # the game is being compiled
        time.sleep(0.2)
    connection.request("GET", f"/api/events?match={made['id']}:{made['tokens']['0']}")
    assert connection.getresponse().readline().startswith(b"data: ")
    return connection


@pytest.mark.parametrize(
    ("arguments", "number", "code", "last"),
    [
        (SCRIPT, signal.SIGINT, 130, "interrupted"),
        (SCRIPT, signal.SIGTERM, 143, "terminated"),
        (COMMAND, signal.SIGINT, 130, "interrupted"),
    ],
)
def test_server_prints_its_address_and_stops_on_a_signal(
    arguments: Sequence[str], number: signal.Signals, code: int, last: str
) -> None:
    command = [sys.executable, *arguments]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        try:
            assert running.stdout is not None
            line = running.stdout.readline()
            found = re.fullmatch(r"play at http://127\.0\.0\.1:(\d+)/#falling_off \(Ctrl-C ends it\)\n", line)
            assert found is not None
            connection = http.client.HTTPConnection("127.0.0.1", int(found[1]), timeout=STOP_TIMEOUT)
            connection.request("GET", "/")
            reply = connection.getresponse()
            assert reply.status == 200
            reply.read()
            stream = open_stream(int(found[1]))
            connection.request("POST", "/api/games/ghost_ship", "{}", {"content-type": "application/json"})
            connection.getresponse().read()  # the server may be compiling a game, which does not delay the stop
            connection.close()
            started = time.monotonic()
            running.send_signal(number)
            rest, errors = running.communicate(timeout=STOP_TIMEOUT)
            assert time.monotonic() - started < STOP_TIMEOUT
        finally:
            running.kill()
    stream.close()
    assert (running.returncode, rest) == (code, "")
    assert errors.splitlines()[-1] == last
    assert "Traceback" not in errors


@pytest.mark.parametrize("program_kind", ["edge_envs", "script"])
def test_variant_opens_with_its_parameters(program_kind: str) -> None:
    arguments = COMMAND if program_kind == "edge_envs" else SCRIPT
    command = [word.replace("falling_off", "edge_envs/falling_off_3p-v0") for word in (sys.executable, *arguments)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as running:
        try:
            assert running.stdout is not None
            line = running.stdout.readline()
        finally:
            running.kill()
    where, _, params = line.partition(" (")[0].partition("#")[2].partition("/with/")
    assert (where, json.loads(unquote(params))) == ("falling_off", {"num_players": 3})


@pytest.mark.parametrize("module", ["starlette", "uvicorn"])
def test_missing_extra_is_a_one_line_error(module: str) -> None:
    source = f"""
import sys
sys.modules[{module!r}] = None  # importing it is an ImportError
sys.argv = ["play.py", "falling_off", "--web", "--no-browser"]
from agents.common.console import run
from scripts.play import main
run(main)
"""
    done = program("-c", source)
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert line == f'error: the web page needs {module}, which is not installed: pip install "edge-envs[web]"'


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["chess", "--web"], "unknown game 'chess'"),
        (["falling_off", "--web", "--seat", "1"], "--seat applies only to the terminal"),
        (["falling_off", "--web", "--no-advice"], "--no-advice applies only to the terminal"),
        (["falling_off", "--web", "--seed", "0"], "--seed applies only to the terminal"),
        (["falling_off", "--web", "--record", "games.jsonl"], "--record applies only to the terminal"),
        (["falling_off", "--web", "--against", "./nowhere"], "no such folder"),
        (["falling_off", "--web", "--against", "godlike"], "unknown agent 'godlike'"),
        (["falling_off", "--port", "80"], "--port requires --web"),
    ],
)
def test_invalid_arguments_are_one_line_errors(here: Here, arguments: list[str], message: str) -> None:
    assert message in here.fails(main, *arguments)


@pytest.mark.parametrize(
    ("platform", "variables", "expected"),
    [
        ("linux", {}, False),
        ("linux", {"DISPLAY": ":0"}, True),
        ("linux", {"WAYLAND_DISPLAY": "wayland-0"}, True),
        ("darwin", {}, True),
        ("win32", {}, True),
    ],
)
def test_a_browser_opens_only_with_a_display(
    monkeypatch: pytest.MonkeyPatch, platform: str, variables: dict[str, str], expected: bool
) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "platform", platform)
    assert has_display() == expected


def test_port_in_use_is_a_one_line_error(here: Here) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert f"port {port}: Address already in use" in here.fails(main, "falling_off", "--web", "--port", port)
