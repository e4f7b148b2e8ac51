"""Ratings of agents from the leaderboard, for the setup form. The anchor is the heuristic with 1000.

`ratings.json` is an extract of docs/leaderboard/results.json, which is not part of the package:

    python -m edge_envs.web.ratings docs/leaderboard/results.json
"""

from __future__ import annotations

import functools
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from edge_envs import Game
from edge_envs.core.game_type import GameType

FILE = Path(__file__).parent / "ratings.json"


@functools.cache
def _boards() -> list[dict[str, Any]]:
    boards: list[dict[str, Any]] = json.loads(FILE.read_text(encoding="ascii"))
    return boards


def ratings_of(kind: GameType) -> list[dict[str, Any]]:
    """Return the rated boards of a game: their `params`, and the `ratings` by the names of agents."""
    boards = [board for board in _boards() if board["game"] == kind.name and board["version"] == kind.version]
    return [{"params": board["params"], "ratings": board["ratings"]} for board in boards]


@functools.cache
def levels_of(kind: GameType) -> list[str]:
    """Return the agents of the levels of a game with its default parameters, `level:1` first."""
    return list(Game(kind, {}).levels)


def extract(results: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the content of `ratings.json` for the results of a leaderboard."""
    return [
        {
            **{key: board[key] for key in ("game", "version", "params")},
            "ratings": {row["agent"]: round(row["rating"]) for row in board["agents"]},
        }
        for board in results["boards"].values()
    ]


if __name__ == "__main__":
    rated = extract(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")))
    FILE.write_text(json.dumps(rated, indent=1) + "\n", encoding="ascii")
