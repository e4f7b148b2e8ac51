"""The workloads of the part `programs`: programs that can be resumed after a kill, and the outputs to compare."""

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
"""Placeholder in a command for the folder of its input files."""

Reader = Callable[[bytes], Any]


@dataclass(frozen=True)
class Workload:
    """A program that resumes in its output folder, which is passed with `--out`."""

    start: tuple[str, ...]
    outputs: Mapping[str, Reader]
    """By file pattern: reads the part of a file that must not depend on interruptions."""
    files: Mapping[str, str] = field(default_factory=dict)
    resume: tuple[str, ...] = ()
    """The command that resumes in a folder with a `config.json`, if it differs from `start`."""


def whole(content: bytes) -> bytes:
    """Compare every byte."""
    return content


def is_not_empty(content: bytes) -> bool:
    """Compare only whether the file is empty."""
    return bool(content)


def lines(content: bytes) -> list[bytes]:
    """Compare the lines in any order."""
    return sorted(content.splitlines())


def headings(content: bytes) -> list[bytes]:
    """Compare the headings of a page, because its tables contain times."""
    return [line for line in content.splitlines() if line.startswith(b"#")]


def evaluations(content: bytes) -> list[tuple[int, str]]:
    """Compare step and opponent of each evaluation, because a resumed PPO run plays other games."""
    return [(row["step"], row["opponent"]) for row in map(json.loads, content.splitlines())]


def response_values(content: bytes) -> dict[str, Any]:
    """Compare the value of each response; of the response trained with PPO, only its name."""
    return {name: "tried" if name.startswith("training") else value for name, value in json.loads(content).items()}


def _training(program: str, config: str, outputs: Mapping[str, Reader]) -> Workload:
    """Create a workload that starts with a configuration and resumes with `--resume`."""
    command = ("-m", program)
    return Workload(
        (*command, "--config", f"{INPUTS}/config.yaml"), outputs, {"config.yaml": config}, (*command, "--resume")
    )


BUILT_IN = ("--game", "falling_off", "--agents", "heuristic", "search:5")
EXTERNAL_AGENTS = ("policies/falling_off/ppo", f"program:{sys.executable} {INPUTS}/bot.py")

WORKLOADS = {
    "collect": Workload(
        ("-m", "agents.collect", *BUILT_IN, "--games", "600", "--shard", "30"), {"*.safetensors": whole}
    ),
    "tournament": Workload(("-m", "agents.tournament", *BUILT_IN, "random", "--games", "1200"), {"games.jsonl": whole}),
    "external_agents": Workload(
        ("-m", "agents.tournament", "--game", "falling_off", "--agents", "random", *EXTERNAL_AGENTS, "--games", "600"),
        {"games.jsonl": whole},
        {"bot.py": POLITE},
    ),
    "leaderboard": Workload(
        ("-m", "agents.leaderboard", "--config", f"{INPUTS}/protocol.yaml"),
        {"*/games.jsonl": whole, "leaderboard.md": headings},
        {"protocol.yaml": PROTOCOL},
    ),
    "train": _training("agents.train", TINY, {"evaluations.jsonl": evaluations, "policy/*": is_not_empty}),
    "selfplay": _training("agents.selfplay", test_selfplay.TINY, {"policy/*": whole, "opponents.jsonl": whole}),
    "teach": _training("agents.teach", test_teaching.TINY, {"policy/*": whole}),
    "values": _training("agents.values", test_values.TINY, {"policy/*": whole}),
    "tune": _training(
        "agents.tune", test_tuning.TINY, {"weights.yaml": whole, "check.json": whole, "games.jsonl": lines}
    ),
    "exploit": Workload(
        ("-m", "agents.exploit", "--game", "falling_off", "--param", "num_players=3", "--agent", "heuristic",
         "--minutes", "1e-9", "--games", "2"),
        {"validation.json": response_values, "exploit.json": is_not_empty},
    ),
}  # fmt: skip
