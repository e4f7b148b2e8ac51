"""Evaluations as a table for the terminal and as a JSON document."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agents.evaluation.openings import random_opening
from agents.evaluation.report import Evaluation
from edge_envs import GAMES, Game
from edge_envs.core.errors import printable
from edge_envs.intervals import format_interval

COLUMNS = ("games", "wins", "95 % interval", "draws", "return", "games/s", "estimate")


def evaluation_document(game: Game, agent: str, seed: int, evaluations: Sequence[Evaluation]) -> dict[str, Any]:
    """Return the evaluations of an agent as a JSON object."""
    return {
        "game": game.name,
        "version": game.type.version,
        "params": game.params_dict(),
        "agent": agent,
        "seed": seed,
        "random_opening": random_opening(game),
        "illegal": sum(evaluation.match.illegal for evaluation in evaluations),
        "against": [evaluation.to_dict() for evaluation in evaluations],
    }


def evaluation_table(document: dict[str, Any]) -> str:
    """Return a table: for each opponent a line with its full name, a row for all seats, and a row for each seat."""
    estimated = any("estimate" in row for row in document["against"])
    columns = COLUMNS if estimated else COLUMNS[:-1]
    blocks = [(f"against {printable(row['opponent'])}", _rows(row, len(columns))) for row in document["against"]]
    table = [("", *columns), *(cells for _, rows in blocks for cells in rows)]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    params = ", ".join(GAMES[document["game"]].format_params(document["params"]))
    lines = [f"{printable(document['agent'])} plays {document['game']} ({params})", "", _line(("", *columns), widths)]
    for name, rows in blocks:
        lines += [name, *(_line(cells, widths) for cells in rows)]
    return "\n".join(lines)


def _rows(row: dict[str, Any], columns: int) -> list[list[str]]:
    """Return the cells of an evaluation: for all games, and for each seat."""
    estimates = row.get("estimate_seats", [{}] * len(row["seats"]))
    rows = [["  all seats", *_rates(row), f"{row['games_per_second']:,.0f}", _estimate(row)]]
    for seat, estimate in zip(row["seats"], estimates, strict=True):
        rows.append([f"  player {seat['seat']}", *_rates(seat), "", _estimate(estimate)])
    return [cells[: columns + 1] for cells in rows]


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    """Format a row: the first cell is aligned left, the others right."""
    first, *others = (
        cell.rjust(width) if column else cell.ljust(width)
        for column, (cell, width) in enumerate(zip(cells, widths, strict=True))
    )
    return " ".join([first, *others]).rstrip()


def _rates(row: dict[str, Any]) -> list[str]:
    """Format games, win rate, interval, draws and mean return."""
    interval = format_interval(row["low"], row["high"])
    return [f"{row['games']:,}", f"{row['win_rate']:.3f}", interval, f"{row['draws']:,}", f"{row['mean_return']:+z.4f}"]


def _estimate(row: dict[str, Any]) -> str:
    return f"{row['estimate']:.4f}±{row['half_width']:.4f}" if "estimate" in row else ""


def notes(document: dict[str, Any]) -> str:
    """Explain the columns of the table, and report forfeits, by illegal actions or errors."""
    decisions = sum(row["decisions"] for row in document["against"])
    lines = [
        f"Forfeits: {document['illegal']} in {decisions:,} decisions.",
        "A win is a positive return, a draw a return of zero; intervals are Wilson intervals. The agent plays every "
        "seat, against the same opponent in all others. Game k has the same chance outcomes for every agent.",
    ]
    lines += [
        f"{printable(row['opponent'])} forfeited {row['opponent_forfeits']} games; the first: {row['opponent_why']}."
        for row in document["against"]
        if row["opponent_forfeits"]
    ]
    if document["random_opening"]:
        lines.append(
            f"The first {document['random_opening']} decisions of each game are random, because the game has no chance."
        )
    if any("estimate" in row for row in document["against"]):
        lines.append(
            "The estimate is the probability of winning against the perfect player with the half-width of its 95 % "
            "interval, computed from the exact loss of each decision: far more precise than counting wins. It can be "
            "slightly below 0 for weak agents."
        )
    return "\n".join(lines)
