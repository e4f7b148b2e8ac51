"""Record the actions of the shipped policies, to check that later changes do not affect them.

For each policy, `tests/golden/policies.json` contains some games, as lists of actions and chance outcomes, and the
action of the policy at each decision. The policy makes half of the decisions, the others are random. After training a
policy again, write its entry with `python -m tests.agents.choices --write policies/GAME/NAME`; without a name, the
program writes all entries.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from agents.players.agent import make_agent
from agents.players.games import game_for
from edge_envs import State
from edge_envs.players import decide

ROOT = Path(__file__).resolve().parents[2]
FILE = ROOT / "tests" / "golden" / "policies.json"
FOLDERS = sorted(path.parent for path in (ROOT / "policies").rglob("policy.json"))
DECISIONS = 300  # per policy


def name_of(folder: Path) -> str:
    """Return the key of a policy in the file."""
    return folder.relative_to(ROOT).as_posix()


def recorded(folder: Path) -> list[dict[str, list[int]]]:
    """Read the recorded games of a policy: `history` and `choices`."""
    games: list[dict[str, list[int]]] = json.loads(FILE.read_text(encoding="utf-8"))[name_of(folder)]
    return games


def choices(folder: Path, positions: Iterable[State]) -> list[int]:
    """Return the actions of a policy in these positions."""
    agent, rng = make_agent(str(folder), game_for([str(folder)])), np.random.default_rng(0)
    return [decide(agent, state, rng) for state in positions]


def positions(folder: Path, history: Sequence[int]) -> Iterable[State]:
    """Yield the positions of a game at which a player decides."""
    state = game_for([str(folder)]).new_initial_state(seed=0)
    for action in history:
        if not state.is_chance_node():
            yield state
        state.apply_action(action)


def play(folder: Path) -> list[dict[str, list[int]]]:
    """Play games for the file until they have `DECISIONS` decisions."""
    game, rng, left = game_for([str(folder)]), np.random.default_rng(0), DECISIONS
    games: list[dict[str, list[int]]] = []
    agent = make_agent(str(folder), game)
    while left:
        state, chosen = game.new_initial_state(seed=len(games)), []
        own = np.random.default_rng(0)  # as in `choices`: it decides which of several equal turns an agent takes
        while left and not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(state.sample_chance())
                continue
            chosen.append(decide(agent, state, own))
            state.apply_action(chosen[-1] if rng.random() < 0.5 else int(rng.choice(state.legal_actions())))
            left -= 1
        games.append({"history": [action for _, action in state.history()], "choices": chosen})
    return games


def write(names: Sequence[str]) -> None:
    """Write the games of these policies, or of all policies without names."""
    known: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
    known |= {name_of(folder): play(folder) for folder in FOLDERS if not names or name_of(folder) in names}
    lines = [f"{json.dumps(name)}: {json.dumps(known[name], separators=(',', ':'))}" for name in sorted(known)]
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:2] != ["--write"] or set(sys.argv[2:]) - {name_of(folder) for folder in FOLDERS}:
        sys.exit("usage: python -m tests.agents.choices --write [policies/GAME/NAME]")
    write(sys.argv[2:])
