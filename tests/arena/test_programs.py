"""Programs that play by lines of JSON, polite ones and hostile ones."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import pytest

from agents.agent import make_agent
from agents.arena.table import play_games
from agents.guests import programs
from edge_envs import Game, load_game
from tests.programs import ROOT

PAGE = (ROOT / "docs" / "tournaments.md").read_text(encoding="utf-8")
POLITE = re.findall(r"^```python no-run\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)[0]
CHOICE = 'message["legal_actions"][0]["action"]'

HOSTILE = {
    "silent": ("import sys\nfor line in sys.stdin: pass", "did not answer within"),
    "deaf": ("import time\ntime.sleep(600)", "did not answer within"),
    "dead": ("import sys\nprint('no game today', file=sys.stderr)\nsys.exit(3)", "exit code 3: no game today"),
    "closed": ("import os, time\nos.close(1)\ntime.sleep(600)", "closed its stdout"),
    "garbage": ("print('hello', flush=True)\nimport time\ntime.sleep(600)", "which is not JSON"),
    "binary": ("import os, time\nos.write(1, bytes(range(128, 256)) + b'\\n')\ntime.sleep(600)", "which is not JSON"),
    "deep": ("print('[' * 60000, flush=True)\nimport time\ntime.sleep(600)", "not JSON"),
    "list": ("print('[]', flush=True)\nimport time\ntime.sleep(600)", "no JSON object"),
    "flood": ("while True: print('x' * 1000, end='')", "more than 65536 bytes"),
    "chatter": ("print('{}\\n' * 3, end='', flush=True)\nimport time\ntime.sleep(600)", "more than one line"),
    "unready": ("print('{}', flush=True)\nimport time\ntime.sleep(600)", "did not answer"),
    "no action": (POLITE.replace('"action": message', '"deed": message'), "which has no action"),
    "true": (POLITE.replace(CHOICE, "True"), "which has no action"),
    "illegal": (POLITE.replace(CHOICE, "10**6"), "illegal action 1000000"),
    "huge": (POLITE.replace(CHOICE, "10**40"), "IllegalActionError"),
}


@pytest.fixture(scope="module")
def game() -> Game:
    return load_game("over_the_edge", map="pond")


def program(folder: Path, text: str) -> str:
    """The name of the agent that is a Python program."""
    path = folder / "bot of mine.py"
    path.write_text(text, encoding="utf-8")
    return f"program:{sys.executable} '{path}'"


def test_a_program_plays_whole_games(game: Game, tmp_path: Path) -> None:
    agent = make_agent(program(tmp_path, POLITE), game)
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
    text, said = HOSTILE[kind]
    agent = make_agent(program(tmp_path, text), game)
    (played,) = play_games(game, [agent, make_agent("random", game)], [0])
    assert played.forfeit == 0
    assert said in played.why


def test_a_program_that_is_late_is_started_anew(game: Game, tmp_path: Path) -> None:
    late = POLITE.replace(
        "    print(", "    import time; time.sleep(0 if message['type'] == 'game' else 30)\n    print("
    )
    agent = make_agent(program(tmp_path, late), game)
    for played in play_games(game, [agent, make_agent("random", game)], [0, 1], limit=0.5):
        assert (played.forfeit, played.why) == (0, "more than 0.5 s for a decision")
