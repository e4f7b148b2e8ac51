"""Report benchmark results: Markdown tables, and a plot of the normalized scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from agents.arena.plots import COLOUR, short_label, stable_figure, write_figure
from agents.arena.report import code, literal, table
from edge_envs import load_game
from edge_envs.core.errors import printable
from edge_envs.intervals import format_interval, format_rate

NOTES = {
    "score": "normalized score: 0 is random play; 100 is the strongest reference of the board, which is exact play "
    "where the game is solved and otherwise the highest level of the protocol. It is linear in the rating",
    "rating": "points of the agent on the fixed scale of the references; 400 points are odds of ten to one, and "
    "`level:5`, the heuristic, has 1,000",
    "return": "mean return over all opponents of the board; 0 is even for any number of players",
    "regret": "winning probability that the agent gives away per game against perfect play",
}
"""Explanations of the columns."""


def markdown(document: Mapping[str, Any]) -> str:
    """Return the results of an agent: a table of boards, the interquartile mean, and a table of all opponents."""
    lines = [
        f"# {code(document['agent'])} under {document['protocol']}",
        "",
        *_warnings(document),
        *_summary(document),
        "",
        *_boards(document["boards"]),
        "",
        *(f"- {column}: {meaning}." for column, meaning in NOTES.items()),
        "- Intervals are 95 % intervals; for scores and ratings, the references count as exact.",
        "",
        "## Opponents",
        "",
        "A win is a positive return, a draw a return of zero. The opponent plays all other seats.",
        "",
        *_opponents(document["boards"]),
        "",
        *_language_model(document.get("language_model")),
        f"{_origin(document)}:",
        "",
        "```sh",
        printable(document["command"]),
        "```",
    ]
    return "\n".join(lines) + "\n"


def _origin(document: Mapping[str, Any]) -> str:
    """Return the date, the versions of packages, and the commit if the program ran from the repository."""
    parts = [document["date"], *(f"{name} {version}" for name, version in document["versions"].items())]
    return ", ".join([*parts, f"commit {document['commit']}"] if document.get("commit") else parts)


def _warnings(document: Mapping[str, Any]) -> list[str]:
    """Return what a reader must know before the numbers."""
    notes = []
    if document["mode"] == "quick":
        notes.append("Quick mode: the intervals are wide. Report results of the full mode.")
    if document["stopped"]:
        notes.append(f"Stopped before the end: {literal(document['stopped'])}.")
    if document["left_out"]:
        names = ", ".join(document["left_out"])
        notes.append(f"{len(document['left_out'])} boards of the protocol are not included: {names}.")
    bare = [name for name, board in document["boards"].items() if board["score"] is None]
    if bare:
        notes.append(f"Without references, and therefore without scores: {', '.join(bare)}.")
    forfeits = sum(board["forfeits"] for board in document["boards"].values())
    if forfeits:
        why = next((board["why"] for board in document["boards"].values() if board.get("why")), "")
        notes.append(f"The agent forfeited {forfeits:,} games{f'; the first: {literal(why)}' if why else ''}.")
    return [line for note in notes for line in (f"**{note}**", "")]


def _summary(document: Mapping[str, Any]) -> list[str]:
    found = document["summary"]
    if found is None:
        return ["No board has a normalized score."]
    if found["boards"] == 1:
        return ["There is one board: report its normalized score and interval in the table."]
    return [
        f"Interquartile mean of the normalized scores on {found['boards']} boards: "
        f"**{found['interquartile_mean']:.1f}** (95 % interval {_bounds(found, 1)})."
    ]


def _boards(boards: Mapping[str, Any]) -> list[str]:
    with_regret = any("regret" in board for board in boards.values())
    heads = ["board", "score", "interval", "rating", "return", "games", "forfeits", "ms/decision"]
    heads += ["regret"] if with_regret else []
    return table(heads, [_board(name, board, with_regret) for name, board in boards.items()])


def _board(name: str, board: Mapping[str, Any], with_regret: bool) -> Sequence[str]:
    scored = board["score"] is not None
    returns = [row["mean_return"] for row in board["opponents"] if row["games"]]
    cells = [
        name,
        f"{board['score']:.1f}" if scored else "",
        format_interval(board["score_low"], board["score_high"], 1) if scored else "",
        f"{board['rating']['points']:.0f}" if scored else "",
        f"{np.mean(returns):+z.3f}",
        f"{board['games']:,}",
        str(board["forfeits"]),
        f"{board['ms_per_decision']:.3g}",
    ]
    regret = board.get("regret")
    cells += [f"{regret['per_game']:.4f} ± {regret['half_width']:.4f}" if regret else ""] if with_regret else []
    return cells


def _opponents(boards: Mapping[str, Any]) -> list[str]:
    rows = [
        (
            name, code(row["opponent"]) + (f" ({code(row['agent'])})" if "agent" in row else ""), f"{row['games']:,}",
            f"{row['win_rate']:.3f}", format_interval(row["low"], row["high"]), f"{row['draws']:,}",
            f"{row['mean_return']:+z.3f} ± {row['return_half_width']:.3f}",
        )
        for name, board in boards.items()
        for row in board["opponents"]
        if row["games"]
    ]  # fmt: skip
    return table(("board", "against", "games", "win rate", "interval", "draws", "mean return"), rows)


def _language_model(model: Mapping[str, Any] | None) -> list[str]:
    """Return how a language model was asked, and the sums of its transcripts."""
    if model is None:
        return []
    told = {"given_up": "forfeited decisions", "broken_off": "interrupted decisions"}
    rows = [
        (told.get(name, name.replace("_", " ")), code(f"{value:,}" if type(value) is int else str(value)))
        for name, value in model.items()
    ]
    return [
        "## Language model",
        "",
        "Sums are those of all transcripts.",
        "",
        *table(("setting or sum", "value"), rows),
        "",
    ]


def draw_scores(document: Mapping[str, Any], folder: Path) -> None:
    """Write scores.svg and scores.png: a dot and an interval for each board, and the interquartile mean."""
    rows = [(name, board) for name, board in document["boards"].items() if board["score"] is not None][::-1]
    found = document["summary"]
    height = 1.7 + 0.34 * max(1, len(rows))
    with stable_figure("scores", (8, height)) as (figure, axes):
        for at, (_, board) in enumerate(rows):
            score = board["score"]
            width = [[score - board["score_low"]], [board["score_high"] - score]]
            axes.errorbar([score], [at], xerr=width, fmt="o", color=COLOUR, capsize=3, markersize=5)
        for mark in (0.0, 100.0):
            axes.axvline(mark, color="0.35", linestyle=":", linewidth=1.2)
        if found is not None:
            axes.axvspan(found["low"], found["high"], color=COLOUR, alpha=0.15, linewidth=0)
            label = f"interquartile mean {found['interquartile_mean']:.1f}"
            axes.axvline(found["interquartile_mean"], color=COLOUR, linewidth=1.5, label=label)
            axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), frameon=False, fontsize=9)
        axes.set_yticks(range(len(rows)), [name for name, _ in rows])
        quick = ", quick mode" if document["mode"] == "quick" else ""
        figure.suptitle(f"{short_label(document['agent'])} under {document['protocol']}{quick}", fontsize=12)
        axes.set(xlabel="normalized score: 0 = random, 100 = strongest reference of the board; 95 % intervals")
        axes.set_ylim(-0.6, max(1, len(rows)) - 0.4)
        axes.grid(axis="x", alpha=0.25)
        axes.spines[["top", "right", "left"]].set_visible(False)
        write_figure(figure, folder / "scores")


def game_tables(scales: Mapping[str, Mapping[str, float]], documents: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return a table per game, with the scores of the references and then those of the agents on each board.

    Args:
        scales: the boards, each with the scores of its references.
        documents: the results of the agents. A row begins with the `title`, or else with the name of the agent.
    """
    games: dict[str, list[str]] = {}
    for board in scales:
        games.setdefault(load_game(board).name, []).append(board)
    lines: list[str] = []
    for own in games.values():
        names = sorted({name for board in own for name in scales[board]}, key=lambda name: (":" not in name, name))
        rows = [[code(name), *(_level_cell(scales[board].get(name)) for board in own)] for name in names]
        for document in documents:
            cells = [score_cell(document["boards"].get(board)) for board in own]
            rows += [[document.get("title") or code(document["agent"]), *cells]] if any(cells) else []
        lines += [*([""] if lines else []), *table(("agent", *own), rows)]
    return lines


def _level_cell(score: float | None) -> str:
    return "" if score is None else f"{score:.1f}"


def score_cell(board: Mapping[str, Any] | None) -> str:
    """Return a score with the half-width of its interval, if it has one; "" without a score."""
    if board is None or board["score"] is None:
        return ""
    if "score_low" not in board:
        return f"{board['score']:.1f}"
    return f"{board['score']:.1f} ± {(board['score_high'] - board['score_low']) / 2:.1f}"


def summary_markdown(document: Mapping[str, Any]) -> str:
    """Return the aggregated results of the runs of one agent."""
    rows = [(row["board"], f"{row['estimate']:.1f}", _bounds(row, 1)) for row in document["boards"]]
    runs = "1 run" if document["runs"] == 1 else f"{document['runs']} runs"
    lines = [
        f"## {code(document['agent'])} under {document['protocol']}",
        "",
        f"Interquartile mean of the normalized scores over all boards and {runs}: **{document['estimate']:.1f}** (95 % "
        f"interval {_bounds(document, 1)}). Samples are {document['samples']}.",
        "",
        *table(("board", "interquartile mean", "interval"), rows),
    ]
    return "\n".join(lines) + "\n"


def comparison_markdown(document: Mapping[str, Any]) -> str:
    """Return the comparison of two agents."""
    a, b = (code(side["agent"]) for side in (document["a"], document["b"]))
    better = document["improvement"]
    rows = [
        (
            row["board"],
            f"{row['a']:.1f}",
            f"{row['b']:.1f}",
            f"{row['a'] - row['b']:+z.1f}",
            _probability(row["improvement"]),
        )
        for row in document["boards"]
    ]
    lines = [
        f"## {a} against {b} under {document['protocol']}",
        "",
        *table(
            ("", "runs", "interquartile mean", "interval"),
            [
                (code(side["agent"]), str(side["runs"]), f"{side['estimate']:.1f}", _bounds(side, 1))
                for side in (document["a"], document["b"])
            ]
            + [("difference", "", f"{document['difference']['estimate']:+z.1f}", _bounds(document["difference"], 1))],
        ),
        "",
        f"Probability of improvement, that {a} does better than {b}: **{better['estimate']:.3f}** (95 % interval "
        f"{_bounds(better, 3)}). Samples are {document['samples']}; equal samples count half.",
        "",
        *table(("board", f"score of {a}", f"score of {b}", "difference", "probability of improvement"), rows),
    ]
    return "\n".join(lines) + "\n"


def _bounds(found: Mapping[str, float], digits: int) -> str:
    return format_interval(found["low"], found["high"], digits)


def _probability(found: Mapping[str, float]) -> str:
    return format_rate(found["estimate"], found["low"], found["high"])
