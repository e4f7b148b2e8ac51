"""Evaluations as a table for the terminal and as one document for machines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.table import Table

from agents.evaluation.report import Evaluation
from edge_envs import Game


def evaluation_document(game: Game, agent: str, seed: int, evaluations: Sequence[Evaluation]) -> dict[str, Any]:
    """An agent's evaluations with what was played, ready for JSON."""
    return {
        "game": game.name,
        "version": game.type.version,
        "params": game.params_dict(),
        "agent": agent,
        "seed": seed,
        "illegal": sum(evaluation.match.illegal for evaluation in evaluations),
        "against": [evaluation.to_dict() for evaluation in evaluations],
    }


def evaluation_table(document: dict[str, Any]) -> Table:
    """A row for each opponent and, below it, for each seat of the agent."""
    params = ", ".join(f"{name}={value}" for name, value in document["params"].items())
    table = Table(title=f"{document['agent']} plays {document['game']} ({params})", title_justify="left")
    table.add_column("against", overflow="fold")
    for name in ("games", "win rate", "95 % interval", "draws", "mean return", "illegal", "games/s"):
        table.add_column(name, justify="right")
    estimated = any("estimate" in row for row in document["against"])
    if estimated:
        table.add_column("estimate", justify="right")
    for row in document["against"]:
        table.add_section()
        table.add_row(
            *(row["opponent"], *_rates(row), str(row["illegal"]), f"{row['games_per_second']:,.0f}"),
            *([_estimate(row)] if estimated else []),
        )
        for number, seat in enumerate(row["seats"]):
            of_seat = row["estimate_seats"][number] if "estimate" in row else {}
            table.add_row(
                *(f"  as player {seat['seat']}", *_rates(seat), "", ""), *([_estimate(of_seat)] if estimated else [])
            )
    return table


def _rates(row: dict[str, Any]) -> tuple[str, ...]:
    """Games, win rate, interval, draws and mean return in words."""
    interval = f"{row['low']:.4f} to {row['high']:.4f}"
    return f"{row['games']:,}", f"{row['win_rate']:.4f}", interval, f"{row['draws']:,}", f"{row['mean_return']:+.4f}"


def _estimate(row: dict[str, Any]) -> str:
    return f"{row['estimate']:.4f} ± {row['half_width']:.4f}" if "estimate" in row else ""


NOTES = """\
A win is a positive return, a draw a return of zero; the intervals are Wilson's. With more than two players the agent
sits in each seat against the same opponent in all others. Game k has the same dice whoever plays it."""

ESTIMATE_NOTE = """\
The estimate is the probability of winning against the perfect player, from what the agent's decisions give away, with
the half-width of its 95 % interval: far sharper than counting wins."""
