"""Compare the results of two agents, or of several runs of two algorithms; aggregate those of one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from agents.benchmarking.scores import BoardGames, Interval, Side, aggregate, difference, improvement
from agents.common.configuration import parse
from agents.common.files import read_json


class _Part(BaseModel):
    """A part of a results file that is checked; other keys are ignored."""

    model_config = ConfigDict(extra="ignore", allow_inf_nan=False)


class _Outcome(_Part):
    seat: int = Field(ge=0)
    returns: list[float] = Field(min_length=2)
    games: int = Field(gt=0, le=10**7)
    slope: float
    bend: float


class _Opponent(_Part):
    opponent: str
    outcomes: list[_Outcome]


class _Scale(_Part):
    strength: float
    prior: float = Field(gt=0)
    zero: float
    unit: float


class _Scored(_Part):
    score: float
    scale: _Scale
    opponents: list[_Opponent] = Field(min_length=1)


class _Head(_Part):
    protocol: str
    agent: str
    mode: str = ""
    boards: dict[str, Any]


def read_runs(path: Path) -> list[dict[str, Any]]:
    """Read a results file, or the results of a folder: its own, or otherwise those of the folders in it, one per run.

    Raises:
        ValueError: if there are none, or if a file is not a results file with scores.
    """
    files = [path]
    if path.is_dir():
        own = path / "results.json"
        files = [own] if own.exists() else sorted(path.glob("*/results.json"))
        if not files:
            raise ValueError(f"{path}: no results.json in this folder or in those below it")
    return [_read(file) for file in files]


def _read(path: Path) -> dict[str, Any]:
    data = read_json(path)
    head = parse(_Head, data, str(path))
    boards = {}
    for name, board in head.boards.items():
        if isinstance(board, dict) and board.get("score") is not None:
            boards[name] = parse(_Scored, board, f"{path}: boards.{name}").model_dump()
    for name, board in boards.items():
        for outcome in (outcome for row in board["opponents"] for outcome in row["outcomes"]):
            if outcome["seat"] >= len(outcome["returns"]):
                raise ValueError(f"{path}: boards.{name}: invalid seat {outcome['seat']}")
    if not boards:
        raise ValueError(f"{path}: no board has a normalized score")
    return {"protocol": head.protocol, "agent": head.agent, "quick": head.mode == "quick", "boards": boards}


def compare(one: Sequence[dict[str, Any]], other: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Compare two agents on the boards that all their results have, and return a JSON object.

    Raises:
        ValueError: if the results belong to different protocols, or have no board in common.
    """
    every = [*one, *other]
    boards = _boards_in_common(every)
    by_runs = len(one) > 1 or len(other) > 1
    for name in boards:
        opponents = {tuple(row["opponent"] for row in document["boards"][name]["opponents"]) for document in every}
        if len(opponents) > 1 and not by_runs:
            raise ValueError(f"{name}: these results have different opponents")
    left, right = (_side(runs, boards, by_runs) for runs in (one, other))
    return {
        "protocol": every[0]["protocol"],
        "samples": "runs" if by_runs else "games",
        "quick": any(document["quick"] for document in every),
        "a": {"agent": one[0]["agent"], "runs": len(one), **_named(aggregate(left))},
        "b": {"agent": other[0]["agent"], "runs": len(other), **_named(aggregate(right))},
        "difference": _named(difference(left, right)),
        "improvement": _named(improvement(left, right)),
        "boards": [
            {
                "board": name,
                "a": _mean_score(left, at),
                "b": _mean_score(right, at),
                "improvement": _named(improvement(left, right, [at])),
            }
            for at, name in enumerate(boards)
        ],
    }


def summarize(runs: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Aggregate the results of the runs of one agent on the boards that all of them have, and return a JSON object.

    Raises:
        ValueError: if the results belong to different protocols, or have no board in common.
    """
    boards, by_runs = _boards_in_common(runs), len(runs) > 1
    return {
        "protocol": runs[0]["protocol"],
        "samples": "runs" if by_runs else "games",
        "quick": any(document["quick"] for document in runs),
        "agent": runs[0]["agent"],
        "runs": len(runs),
        **_named(aggregate(_side(runs, boards, by_runs))),
        "boards": [{"board": name, **_named(aggregate(_side(runs, [name], by_runs)))} for name in boards],
    }


def _boards_in_common(documents: Sequence[dict[str, Any]]) -> list[str]:
    protocols = sorted({document["protocol"] for document in documents})
    if len(protocols) > 1:
        raise ValueError(f"results of different protocols cannot be compared: {', '.join(protocols)}")
    boards = [name for name in documents[0]["boards"] if all(name in document["boards"] for document in documents)]
    if not boards:
        raise ValueError("these results have no board with scores in common")
    return boards


def _side(runs: Sequence[dict[str, Any]], boards: Sequence[str], by_runs: bool) -> Side:
    return Side([[BoardGames.of(name, run["boards"][name]) for run in runs] for name in boards], by_runs)


def _mean_score(side: Side, board: int) -> float:
    runs = side.boards[board]
    return sum(run.score for run in runs) / len(runs)


def _named(found: Interval) -> dict[str, float]:
    return dict(zip(("estimate", "low", "high"), found, strict=True))
