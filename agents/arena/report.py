"""Report a tournament in Markdown."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from edge_envs import GAMES
from edge_envs.core.errors import printable
from edge_envs.intervals import format_interval


def markdown(document: Mapping[str, Any]) -> str:
    """Return the standings, the results of pairs, the seats, and how well ratings describe the results."""
    params = literal(", ".join(GAMES[document["game"]].format_params(document["params"]))) or "default parameters"
    lines = [
        f"## {document['game']} ({params})",
        "",
        f"{document['games']:,} games of {document['deals']:,} deals. {_anchor(document)} "
        "400 points correspond to odds of ten to one. Intervals are 95 % intervals.",
        "",
        *table(
            (
                "agent",
                "rating",
                "interval",
                "by bootstrap",
                "games",
                "wins",
                "draws",
                "mean return",
                "forfeits",
                "ms/decision",
            ),
            [_agent(row) for row in document["agents"]],
        ),
        "",
        *_forfeits(document),
        "Share of games in which the agent did better than the other, and the same by ratings (a draw counts half):",
        "",
        *table(
            ("agent", "other", "games", "score", "interval", "by ratings", "surprise"),
            [_pair(row) for row in document["pairs"]],
        ),
        "",
        *table(
            ("seat", "points", "mean return"),
            [(str(row["seat"]), f"{row['points']:+z.0f}", f"{row['mean_return']:+z.4f}") for row in document["seats"]],
        ),
        "",
        *_one_number(document),
    ]
    return "\n".join(lines) + "\n"


def _anchor(document: Mapping[str, Any]) -> str:
    return (
        f"{literal(document['anchor'])} has 1,000 points."
        if document["anchor"] != "mean"
        else "The mean is 1,000 points."
    )


def _agent(row: Mapping[str, Any]) -> Sequence[str]:
    return (
        code(row["agent"]), f"{row['rating']:.0f}", format_interval(row["low"], row["high"], 0),
        format_interval(row["bootstrap_low"], row["bootstrap_high"], 0), f"{row['games']:,}", f"{row['wins']:,}",
        f"{row['draws']:,}", f"{row['mean_return']:+z.4f}", str(row["forfeits"]), f"{row['ms_per_decision']:.3g}",
    )  # fmt: skip


def _forfeits(document: Mapping[str, Any]) -> list[str]:
    """Return the reasons of forfeits, the most frequent ones of each agent; nothing without forfeits."""
    rows = [
        (code(row["agent"]), f"{games:,}", code(why))
        for row in document["agents"]
        for why, games in row["forfeit_reasons"].items()
    ]
    return ["Most frequent reasons of forfeits:", "", *table(("agent", "games", "reason"), rows), ""] if rows else []


def _pair(row: Mapping[str, Any]) -> Sequence[str]:
    interval = format_interval(row["low"], row["high"])
    return (
        code(row["agent"]), code(row["other"]), f"{row['games']:,}", f"{row['score']:.3f}", interval,
        f"{row['by_ratings']:.3f}", f"{row['surprise']:+z.1f}",
    )  # fmt: skip


def _one_number(document: Mapping[str, Any]) -> list[str]:
    """Describe where ratings fail."""
    worst = document["least_as_rated"]
    said = [
        f"The pair that differs most from its ratings is {code(worst['agent'])} and {code(worst['other'])}: by "
        f"{abs(worst['surprise']):.1f} standard deviations. By chance, some pair differs as much in {worst['p']:.0%} "
        "of tournaments."
    ]
    said += [
        f"{a} beats {b}, {b} beats {c}, and {c} beats {a}: one rating per agent is not enough."
        for a, b, c in (map(code, cycle) for cycle in document["cycles"])
    ]
    return said


def code(text: str) -> str:
    """Format a string as inline code in Markdown, on one line and without markup."""
    text = printable(text)
    longest = max(map(len, re.findall("`+", text)), default=0)
    ticks = "`" * (longest + 1)
    blank = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{ticks}{blank}{text}{blank}{ticks}" if text else ""


def literal(text: str) -> str:
    """Format a string in Markdown: as code if anything in it could be markup."""
    return code(text) if not text.isprintable() or re.search(r"[]`*<>&\\|[~#!$]|\b_|_\b|://", text) else text


def fenced(command: str) -> list[str]:
    """Return the lines of a code block with a command."""
    longest = max(map(len, re.findall("`{3,}", command)), default=2)
    fence = "`" * (longest + 1)
    return [f"{fence}sh", *printable(command, lines=True).split("\n"), fence]


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Format a Markdown table, with numbers aligned to the right. A `|` in a cell is escaped."""
    rows = [[cell.replace("|", "\\|") for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
    left = [not any(cell[:1].isdigit() or cell[:1] in "+-" for cell in column) for column in zip(*rows, strict=True)]

    def line(cells: Sequence[str]) -> str:
        padded = (
            cell.ljust(width) if at else cell.rjust(width) for cell, width, at in zip(cells, widths, left, strict=True)
        )
        return f"| {' | '.join(padded)} |"

    rule = "|".join("-" * (width + 1) + ("-" if at else ":") for width, at in zip(widths, left, strict=True))
    return [line(heads), f"|{rule}|", *map(line, rows)]
