"""`scripts/play.py --web` as a user runs it."""

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

from scripts.play import main
from tests.programs import ROOT, Here, program
from tests.web.client import SOON

AT_ONCE = 5.0  # seconds, on a machine with other work


SCRIPT = ("scripts/play.py", "falling_off", "--web", "--no-browser")
COMMAND = ("-m", "edge_envs", "play", "falling_off", "--no-browser")


def open_stream(port: int) -> http.client.HTTPConnection:
    """The connection of a page that waits for news of a game."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=SOON)
    while True:
        connection.request("POST", "/api/sittings", '{"game": "falling_off"}', {"content-type": "application/json"})
        reply = connection.getresponse()
        made = json.loads(reply.read())
        if reply.status == 200:
            break
        assert reply.status == 202  # the game is being compiled
        time.sleep(0.2)
    connection.request("GET", f"/api/sittings/{made['id']}/events?token={made['tokens']['0']}")
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
def test_one_line_prints_the_address_and_a_signal_stops_the_server_at_once(
    arguments: Sequence[str], number: signal.Signals, code: int, last: str
) -> None:
    command = [sys.executable, *arguments]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        try:
            assert running.stdout is not None
            line = running.stdout.readline()
            found = re.fullmatch(r"play at http://127\.0\.0\.1:(\d+)/#falling_off \(Ctrl-C ends it\)\n", line)
            assert found is not None
            connection = http.client.HTTPConnection("127.0.0.1", int(found[1]), timeout=AT_ONCE)
            connection.request("GET", "/")
            reply = connection.getresponse()
            assert reply.status == 200
            reply.read()
            stream = open_stream(int(found[1]))
            connection.request("POST", "/api/games/ghost_ship", "{}", {"content-type": "application/json"})
            connection.getresponse().read()  # a game may be compiled now, and is not waited for
            connection.close()
            begun = time.monotonic()
            running.send_signal(number)
            rest, said = running.communicate(timeout=AT_ONCE)
            assert time.monotonic() - begun < AT_ONCE
        finally:
            running.kill()
    stream.close()
    assert (running.returncode, rest) == (code, "")
    assert said.splitlines()[-1] == last
    assert "Traceback" not in said


@pytest.mark.parametrize("made_by", ["edge_envs", "script"])
def test_a_variant_begins_with_its_parameters(made_by: str) -> None:
    arguments = COMMAND if made_by == "edge_envs" else SCRIPT
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
def test_a_missing_extra_is_one_line(module: str) -> None:
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
        (["falling_off", "--web", "--against", "./nowhere"], "there is no such folder"),
        (["falling_off", "--web", "--against", "godlike"], "unknown agent 'godlike'"),
        (["falling_off", "--port", "80"], "--port requires --web"),
    ],
)
def test_a_mistake_is_one_line(here: Here, arguments: list[str], message: str) -> None:
    assert message in here.fails(main, *arguments)


def test_a_port_that_is_taken_is_one_line(here: Here) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert f"port {port}: Address already in use" in here.fails(main, "falling_off", "--web", "--port", port)
