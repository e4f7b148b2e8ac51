"""Test external programs that play by JSON lines, including hostile ones."""

from __future__ import annotations

import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from agents.arena.match import play_games
from agents.collect import main as collect
from agents.common.running_time import running_time
from agents.evaluation.matches import play_match
from agents.external import programs
from agents.players.agent import make_agent
from edge_envs import Game, load_game
from edge_envs.players import Agent, decide
from tests.programs import ROOT, Here

PAGE = (ROOT / "docs" / "tournaments.md").read_text(encoding="utf-8")
POLITE = re.findall(r"^```python no-run\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)[0]
CHOICE = 'message["legal_actions"][0]["action"]'
NUMBER = '"id": message["id"], '

HOSTILE = {
    "silent": ("import sys\nfor line in sys.stdin: pass", "did not answer within"),
    "deaf": ("import time\ntime.sleep(600)", "did not answer within"),
    "dead": ("import sys\nprint('no game today', file=sys.stderr)\nsys.exit(3)", "exit code 3: no game today"),
    "closed stdin": (
        'import os, time\nos.close(0)\nprint(\'{"type": "ready"}\', flush=True)\ntime.sleep(600)',
        "its stdin",
    ),
    "closed": ("import os, time\nos.close(1)\ntime.sleep(600)", "closed its stdout"),
    "garbage": ("print('hello', flush=True)\nimport time\ntime.sleep(600)", "which is not JSON"),
    "binary": ("import os, time\nos.write(1, bytes(range(128, 256)) + b'\\n')\ntime.sleep(600)", "which is not JSON"),
    "deep": ("print('[' * 60000, flush=True)\nimport time\ntime.sleep(600)", "not JSON"),
    "list": ("print('[]', flush=True)\nimport time\ntime.sleep(600)", "not a JSON object"),
    "flood": ("while True: print('x' * 1000, end='')", "more than 65536 bytes"),
    "chatter": ("print('{}\\n' * 3, end='', flush=True)\nimport time\ntime.sleep(600)", "more than one line"),
    "unready": ("print('{}', flush=True)\nimport time\ntime.sleep(600)", "did not answer"),
    "no action": (POLITE.replace('"action": message', '"deed": message'), "which has no action"),
    "true": (POLITE.replace(CHOICE, "True"), "which has no action"),
    "other id": (POLITE.replace('message["id"]', "7"), "answered the question 7 when it was asked 0"),
    "strange id": (POLITE.replace('message["id"]', "[]"), "answered the question [] when"),
    "orders": ("import sys\nsys.exit('\\x1b[2J\\u2028no')", "exit code 1: [2Jno"),
    "loud": (f"import sys\nsys.stderr.write('x' * 10**7)\n{POLITE.replace(CHOICE, '-1')}", "illegal action -1"),
    "illegal": (POLITE.replace(CHOICE, "10**6"), "illegal action 1000000"),
    "huge": (POLITE.replace(CHOICE, "10**40"), "IllegalActionError"),
}


@pytest.fixture(scope="module")
def game() -> Game:
    return load_game("over_the_edge", map="pond")


def program(folder: Path, text: str) -> str:
    """Write a Python program and return its agent name."""
    path = folder / "bot of mine.py"
    path.write_text(text, encoding="utf-8")
    return f"program:{sys.executable} '{path}'"


@pytest.mark.parametrize("text", [POLITE, POLITE.replace(NUMBER, "")], ids=["with ids", "without"])
def test_program_plays_complete_games(game: Game, tmp_path: Path, text: str) -> None:
    agent = make_agent(program(tmp_path, text), game)
    for played in play_games(game, [agent, make_agent("heuristic", game)], range(3)):
        assert played.forfeit is None
        state, actions = game.new_initial_state(played.seed), iter(played.actions)
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(state.sample_chance())
                continue
            action = next(actions)
            assert state.current_player() == 1 or action == state.legal_actions()[0]
            state.apply_action(action)


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_programs_forfeit(game: Game, tmp_path: Path, monkeypatch: Any, kind: str) -> None:
    monkeypatch.setattr(programs, "PATIENCE", 1.0 if kind in ("silent", "deaf") else 30.0)
    text, message = HOSTILE[kind]
    agent = make_agent(program(tmp_path, text), game)
    (played,) = play_games(game, [agent, make_agent("random", game)], [0])
    assert played.forfeit == 0
    assert message in played.why


def test_late_program_is_restarted(game: Game, tmp_path: Path) -> None:
    late = POLITE.replace(
        "    print(", "    import time; time.sleep(0 if message['type'] == 'game' else 30)\n    print("
    )
    agent = make_agent(program(tmp_path, late), game)
    for played in play_games(game, [agent, make_agent("random", game)], [0, 1], limit=0.5):
        assert (played.forfeit, played.why) == (0, "more than 0.5 s for a decision")


def test_time_limit_overrides_the_default_timeout(game: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    slow = POLITE.replace("    print(", "    import time; time.sleep(5 * (message['id'] == 1))\n    print(")
    monkeypatch.setattr(programs, "PATIENCE", 4.0)
    agents = [make_agent(program(tmp_path, slow), game), make_agent("random", game)]
    (played,) = play_games(game, agents, [0])
    assert played.why.endswith("did not answer within 4 s")
    assert [played.forfeit for played in play_games(game, agents, [0], limit=60.0)] == [None]


def test_failing_program_is_a_one_line_error_without_forfeits(here: Here, tmp_path: Path) -> None:
    arguments = ("--game", "falling_off", "--agents", "program:false", "random", "--games", 2, "--out", tmp_path)
    line = here.fails(collect, *arguments)
    assert line == "error: false ended with exit code 1"


@pytest.fixture
def listening() -> Iterator[socket.socket]:
    """Listen for a connection of a program, which closes when the program ends."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(60.0)
        yield server


def is_gone(connection: socket.socket) -> bool:
    """Return whether the program at the other end closes the connection within 10 seconds."""
    with connection:
        connection.settimeout(10.0)
        return connection.recv(1) == b""


def deaf(folder: Path, listening: socket.socket) -> str:
    """Write a program, started by a shell script, that connects, reports that it is ready and ignores its input."""
    path = folder / "deaf.py"
    path.write_text(
        f"import socket, time\nconnection = socket.create_connection({listening.getsockname()!r})\n"
        'print(\'{"type": "ready"}\', flush=True)\ntime.sleep(600)\n',
        encoding="utf-8",
    )
    shell = folder / "deaf.sh"
    shell.write_text(f"#!/bin/sh\n{sys.executable} '{path}'\ntrue\n", encoding="utf-8")
    shell.chmod(0o755)
    return f"program:{shell}"


def test_program_started_by_a_shell_is_killed_after_a_forfeit(
    game: Game, tmp_path: Path, listening: socket.socket
) -> None:
    agent = make_agent(deaf(tmp_path, listening), game)
    for played in play_games(game, [agent, make_agent("random", game)], [0, 1], limit=1.0):
        assert (played.forfeit, played.why) == (0, "more than 1 s for a decision")
        assert is_gone(listening.accept()[0])


def test_program_ends_with_its_parent_process(game: Game, tmp_path: Path, listening: socket.socket) -> None:
    script = (
        "from agents.players.agent import make_agent\nfrom agents.arena.match import play_games\n"
        "from edge_envs import load_game\ngame = load_game('over_the_edge', map='pond')\n"
        f"play_games(game, [make_agent({deaf(tmp_path, listening)!r}, game), make_agent('random', game)], [0])\n"
    )
    with subprocess.Popen([sys.executable, "-c", script], cwd=ROOT) as process:
        connection = listening.accept()[0]
        process.kill()
    assert is_gone(connection)


def test_extra_line_is_not_taken_for_the_next_answer(game: Game, tmp_path: Path) -> None:
    more = "    time.sleep(0.05)\n    if message['id']: print(json.dumps(answer), flush=True)\n"
    agent = make_agent(program(tmp_path, f"import time\n{POLITE}{more}"), game)
    with pytest.raises(programs.ProgramError, match="answered more than one line"):
        decide_twice(agent, game)


def test_late_answer_is_recognized_by_its_id(game: Game, tmp_path: Path) -> None:
    before = (
        "    if message['id'] > 1: print(json.dumps({'id': 1, 'action': 0}), flush=True); time.sleep(600)\n    print("
    )
    agent = make_agent(program(tmp_path, f"import time\n{POLITE.replace('    print(', before)}"), game)
    with pytest.raises(programs.ProgramError, match="answered the question 1 when it was asked 2"):
        decide_twice(agent, game)


def decide_twice(agent: Agent, game: Game) -> None:
    """Make two decisions in the initial position with a pause between them."""
    state = game.new_initial_state(seed=0)
    while state.is_chance_node():
        state.apply_action(state.sample_chance())
    for _ in range(2):
        decide(agent, state, np.random.default_rng(0))
        time.sleep(0.3)


def test_restart_does_not_count_as_decision_time(game: Game, tmp_path: Path) -> None:
    """Starting takes longer than a decision may take; only one answer is late."""
    flag = tmp_path / "late"
    slow = f"import os, time; time.sleep(0.8)\n{POLITE}".replace(
        "    print(",
        f"    if message['type'] != 'game' and not os.path.exists({str(flag)!r}):\n"
        f"        open({str(flag)!r}, 'w').close(); time.sleep(30)\n    print(",
    )
    agent = make_agent(program(tmp_path, slow), game)
    played = play_games(game, [agent, make_agent("random", game)], range(3), limit=0.5)
    assert [one.forfeit for one in played] == [0, None, None]


def test_repeatedly_failing_program_is_not_restarted_in_its_match(game: Game, tmp_path: Path) -> None:
    started = tmp_path / "started"
    dying = f"open({str(started)!r}, 'a').write('x')\n{POLITE.replace('    else:', '    else: 1 / 0')}"
    dying = dying.replace("1 / 0", "raise SystemExit('no more')\n    if message['type'] != 'game':")
    agent = make_agent(program(tmp_path, dying), game)
    played = play_games(game, [agent, make_agent("random", game)], range(8))
    assert [one.forfeit for one in played] == [0] * 8
    assert len(started.read_text(encoding="utf-8")) == programs.MOST_FAILURES
    assert played[0].why.endswith("ended with exit code 1: no more")
    assert "failed 3 times in this match, so it is not started again; it ended with exit code 1" in played[-1].why
    agent.begin_match()  # type: ignore[attr-defined]  # only program agents have it
    play_games(game, [agent, make_agent("random", game)], range(8))
    assert len(started.read_text(encoding="utf-8")) == 2 * programs.MOST_FAILURES


def test_evaluation_limits_restarts_of_a_failing_program(game: Game, tmp_path: Path) -> None:
    started = tmp_path / "started"
    agent = make_agent(program(tmp_path, f"open({str(started)!r}, 'a').write('x')"), game)
    for opponent in ("random", "heuristic"):
        result = play_match(game, agent, make_agent(opponent, game), games=20)
        assert result.illegal == 20
    assert len(started.read_text(encoding="utf-8")) == 2 * programs.MOST_FAILURES


def test_occasionally_failing_program_plays_all_other_games(game: Game, tmp_path: Path) -> None:
    path = tmp_path / "decisions"
    path.touch()
    rare = POLITE.replace(
        "    else:",
        f"    else:\n        open({str(path)!r}, 'a').write('x')\n"
        f"        if len(open({str(path)!r}).read()) % 60 == 0: raise SystemExit(1)",
    )
    agent = make_agent(program(tmp_path, rare), game)
    played = [play_games(game, [agent, make_agent("random", game)], [seed])[0] for seed in range(30)]
    forfeits = [one.why for one in played if one.forfeit == 0]
    assert len(forfeits) == len(path.read_text(encoding="utf-8")) // 60 > programs.MOST_FAILURES
    assert not any("not started again" in why for why in forfeits)


def test_decision_clock_pauses_while_the_process_is_suspended(tmp_path: Path) -> None:
    script = (
        "import time; from agents.common.running_time import running_time\n"
        "start, wall = running_time(), time.monotonic()\nprint('go', flush=True)\n"
        "while time.monotonic() - wall < 4.0: time.sleep(0.01)\n"
        "print(running_time() - start)\n"
    )
    with subprocess.Popen([sys.executable, "-c", script], cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.send_signal(signal.SIGSTOP)
        time.sleep(3.0)
        process.send_signal(signal.SIGCONT)
        assert float(process.stdout.readline()) < 2.0


def test_decision_clock_counts_code_that_holds_the_gil() -> None:
    start, wall = running_time(), time.monotonic()
    exponent = 1 << 19
    while time.monotonic() - wall < 1.6:  # each power takes longer and holds the GIL
        pow(3, exponent)
        exponent *= 2
    assert running_time() - start > 0.5 * (time.monotonic() - wall)
