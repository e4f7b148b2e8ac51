"""Helpers for tests of `python -m agents.tournament`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from agents.arena.match_task import MatchTask
from edge_envs import load_game

EXTERNAL = "tests.arena.external_agents"

GAME = ("--game", "falling_off", "--workers", "1")


def lines(folder: Path, name: str = "games") -> list[Any]:
    return [json.loads(line) for line in (folder / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]


def rules(limit: float | None = None) -> MatchTask:
    game = load_game("falling_off")
    return MatchTask(game.name, game.params_dict(), game.min_utility, 0, limit)
