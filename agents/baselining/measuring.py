"""Measure the policies of a run under the benchmark protocol: its learning curve, and its final score."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from agents.baselining.plan import BaselinePlan, Run
from agents.baselining.training import TRAINING
from agents.benchmarking.play import open_files, play_cells
from agents.benchmarking.protocol import Cell, Protocol
from agents.benchmarking.references import read_references, references_of
from agents.benchmarking.results import board_results
from agents.benchmarking.store import BenchmarkFolder
from agents.common.locks import locked
from agents.training.upkeep import KEPT, KeptPolicy
from agents.workers.workers import Workers
from edge_envs.games import plain_name


@dataclass(frozen=True)
class Point:
    """A policy of a run: when it was kept, its mean return against the levels, and its normalized score if known.

    `seconds` is the processor time, on the reference machine if the plan knows its speed.
    """

    step: int
    seconds: float
    mean_return: float
    score: float | None


@dataclass(frozen=True)
class Measured:
    """A run: its configuration, its learning curve, and the results of its last policy against each opponent."""

    run: Run
    config: dict[str, Any]
    curve: tuple[Point, ...]
    opponents: list[dict[str, Any]]


def kept_policies(folder: Path, run: Run) -> list[Path]:
    """Return the folders of the policies that a run kept, in order."""
    return sorted(file.parent for file in (folder / run.name / TRAINING / "policies").glob(f"*/{KEPT}"))


def measure_run(plan: BaselinePlan, run: Run, folder: Path, workers: Workers) -> Measured:
    """Play the games of all kept policies of a run that are not in the folder, and return the results."""
    protocol, policies, curve = plan.read_protocol(), kept_policies(folder, run), []
    speed, final = plan.algorithms[run.algorithm].speeds.get(run.board), dict[str, Any]()
    for policy in policies:
        is_last = policy == policies[-1]
        games = plan.final_games if is_last else plan.curve_games
        final = _play(protocol, run.board, policy, games, is_last, folder / run.name / "games" / policy.name, workers)
        about = KeptPolicy.read(policy)
        returns = [row["mean_return"] for row in final["opponents"] if row["opponent"] in protocol.everywhere]
        seconds = about.step / speed if speed else about.cpu_seconds
        curve.append(Point(about.step, seconds, float(np.mean(returns)), final["score"]))
    opponents = [{key: value for key, value in row.items() if key != "outcomes"} for row in final["opponents"]]
    return Measured(run, plan.config_of(run), tuple(curve), opponents)


def _play(
    protocol: Protocol, board: str, policy: Path, games: int, every: bool, folder: Path, workers: Workers
) -> dict[str, Any]:
    """Play against the levels, or with `every` against all opponents of the protocol; return the results."""
    board = plain_name(board)
    cells = [_limited(cell, games) for cell in protocol.cells(board, policy.as_posix(), quick=False)]
    chosen = {board: [cell for cell in cells if every or cell.opponent in protocol.everywhere]}
    known = references_of(protocol, read_references(protocol), board, cells[0].game)
    store = BenchmarkFolder(folder)
    with locked(folder, "benchmark"):
        rules = {
            "protocol": protocol.title,
            "agent": policy.as_posix(),
            "mode": f"{games} games",
            "seed": protocol.seed,
        }
        store.open(rules, chosen)
        files = open_files(store, chosen, protocol.seed)
        play_cells(chosen, files, protocol.seed, store.begun, workers, lambda what, done, total: None)
        found = board_results(chosen[board], files[board], known)
    assert found is not None
    return found


def _limited(cell: Cell, games: int) -> Cell:
    return dataclasses.replace(cell, games=min(cell.games, games))
