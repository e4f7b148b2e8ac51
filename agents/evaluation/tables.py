"""Evaluations as a table for the terminal and as one document for machines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich import box
from rich.markup import escape
from rich.table import Table

from agents.evaluation.matches import random_opening
from agents.evaluation.report import Evaluation
from edge_envs import GAMES, Game


def evaluation_document(game: Game, agent: str, seed: int, evaluations: Sequence[Evaluation]) -> dict[str, Any]:
    """An agent's evaluations with what was played, ready for JSON."""
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


def evaluation_table(document: dict[str, Any]) -> Table:
    """A row for each opponent and, below it, for each seat of the agent; narrow enough for 80 columns."""
    params = ", ".join(GAMES[document["game"]].told(document["params"]))
    title = f"{document['agent']} plays {document['game']} ({params})"
    table = Table(title=escape(title), title_justify="left", box=box.SIMPLE_HEAD, padding=0, pad_edge=False)
    table.add_column("against", overflow="fold")
    for name in ("games", "wins", "95 % interval", "draws", "return", "games/s"):
        table.add_column(name, justify="right")
    estimated = any("estimate" in row for row in document["against"])
    if estimated:
        table.add_column("estimate", justify="right")
    for row in document["against"]:
        table.add_section()
        cells = [escape(row["opponent"]), *_rates(row), f"{row['games_per_second']:,.0f}", _estimate(row)]
        table.add_row(*cells[: len(table.columns)])
        for number, seat in enumerate(row["seats"]):
            of_seat = row["estimate_seats"][number] if "estimate" in row else {}
            cells = [f"  player {seat['seat']}", *_rates(seat), "", _estimate(of_seat)]
            table.add_row(*cells[: len(table.columns)])
    return table


def _rates(row: dict[str, Any]) -> list[str]:
    """Games, win rate, interval, draws and mean return in words."""
    interval = f"{row['low']:.4f}-{row['high']:.4f}"
    return [f"{row['games']:,}", f"{row['win_rate']:.4f}", interval, f"{row['draws']:,}", f"{row['mean_return']:+.4f}"]


def _estimate(row: dict[str, Any]) -> str:
    return f"{row['estimate']:.4f}±{row['half_width']:.4f}" if "estimate" in row else ""


def notes(document: dict[str, Any]) -> str:
    """What the table's columns mean, and whether the agent played by the rules."""
    decisions = sum(row["decisions"] for row in document["against"])
    lines = [
        f"Illegal actions: {document['illegal']} in {decisions:,} decisions.",
        "A win is a positive return, a draw a return of zero; intervals are Wilson's. The agent sits in each seat "
        "against the same opponent in all others; game k has the same chance for whoever plays it.",
    ]
    if document["random_opening"]:
        lines.append(
            f"The first {document['random_opening']} decisions of each game are drawn: the game has no chance."
        )
    if any("estimate" in row for row in document["against"]):
        lines.append(
            "The estimate is the probability of winning against the perfect player with the half-width of its 95 % "
            "interval, by what the agent's decisions give away: far sharper than counting wins."
        )
    return "\n".join(lines)
