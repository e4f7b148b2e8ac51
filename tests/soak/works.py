"""Work that goes on after a kill: the programs that are broken off, and what is the same at their end."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.agents import test_selfplay, test_teaching, test_tuning, test_values
from tests.arena.test_leaderboard import PROTOCOL
from tests.arena.test_programs import POLITE
from tests.programs import TINY

INPUTS = "{inputs}"
"""In a command: the folder of the files that it reads."""

Reader = Callable[[bytes], Any]


@dataclass(frozen=True)
class Work:
    """A program that goes on with what it finds in its folder, which is named behind the command."""

    begin: tuple[str, ...]
    same: Mapping[str, Reader]
    """By patterns of files, what in them is the same, however often the program was broken off."""
    files: Mapping[str, str] = field(default_factory=dict)
    go_on: tuple[str, ...] = ()
    """The command for a folder that has a `config.json`, where it is another."""


def whole(content: bytes) -> bytes:
    """Every byte."""
    return content


def is_there(content: bytes) -> bool:
    """That something is in it."""
    return bool(content)


def lines(content: bytes) -> list[bytes]:
    """The lines, which come in any order."""
    return sorted(content.splitlines())


def headings(content: bytes) -> list[bytes]:
    """Those of a page whose tables tell times, too."""
    return [line for line in content.splitlines() if line.startswith(b"#")]


def evaluations(content: bytes) -> list[tuple[int, str]]:
    """Step and opponent of each: PPO goes on with other games than it would have played."""
    return [(row["step"], row["opponent"]) for row in map(json.loads, content.splitlines())]


def answers(content: bytes) -> dict[str, Any]:
    """What each answer wins; of the one that is trained, by PPO, only that it was tried."""
    return {name: "tried" if name.startswith("training") else won for name, won in json.loads(content).items()}


def _trained(program: str, config: str, same: Mapping[str, Reader]) -> Work:
    """A program that begins with a configuration and goes on with `--resume`."""
    command = ("-m", program)
    return Work((*command, "--config", f"{INPUTS}/config.yaml"), same, {"config.yaml": config}, (*command, "--resume"))


PLAYED = ("--game", "falling_off", "--agents", "heuristic", "search:5")
GUESTS = ("policies/falling_off/ppo", f"program:{sys.executable} {INPUTS}/bot.py")

WORKS = {
    "collect": Work(("-m", "agents.collect", *PLAYED, "--games", "600", "--shard", "30"), {"*.safetensors": whole}),
    "tournament": Work(("-m", "agents.tournament", *PLAYED, "random", "--games", "1200"), {"games.jsonl": whole}),
    "guests": Work(
        ("-m", "agents.tournament", "--game", "falling_off", "--agents", "random", *GUESTS, "--games", "600"),
        {"games.jsonl": whole},
        {"bot.py": POLITE},
    ),
    "leaderboard": Work(
        ("-m", "agents.leaderboard", "--config", f"{INPUTS}/protocol.yaml"),
        {"*/games.jsonl": whole, "leaderboard.md": headings},
        {"protocol.yaml": PROTOCOL},
    ),
    "train": _trained("agents.train", TINY, {"evaluations.jsonl": evaluations, "policy/*": is_there}),
    "selfplay": _trained("agents.selfplay", test_selfplay.TINY, {"policy/*": whole, "opponents.jsonl": whole}),
    "teach": _trained("agents.teach", test_teaching.TINY, {"policy/*": whole}),
    "values": _trained("agents.values", test_values.TINY, {"policy/*": whole}),
    "tune": _trained(
        "agents.tune", test_tuning.TINY, {"weights.yaml": whole, "check.json": whole, "games.jsonl": lines}
    ),
    "exploit": Work(
        ("-m", "agents.exploit", "--game", "falling_off", "--param", "num_players=3", "--agent", "heuristic",
         "--minutes", "1e-9", "--games", "2"),
        {"validation.json": answers, "exploit.json": is_there},
    ),
}  # fmt: skip
