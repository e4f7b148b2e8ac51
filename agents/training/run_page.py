"""The page of a run: learning curves, evaluation results, and replays of some games."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agents.common.files import write_whole
from agents.evaluation.single import play_game
from edge_envs import Game, record_of
from edge_envs.core.errors import printable
from edge_envs.intervals import format_interval
from edge_envs.players import Agent
from edge_envs.replays import replay_page

PAGE, REPLAYS = "index.html", "replays"
LONGEST_NAME = 100  # characters of an opponent's in the name of a file
_NAME = re.compile(r"step-(\d+)-seat-(\d+)-(.+)-(\d+)\.html")

_STYLE = """
html { background: #fbf8f1; color: #2b2b2b; font: 15px/1.5 "DejaVu Sans", Verdana, sans-serif; }
body { margin: 0 auto; max-width: 960px; padding: 16px; }
h1 { font-size: 22px; } h2 { font-size: 17px; margin-top: 28px; }
img { max-width: 100%; background: #fff; border-radius: 6px; }
table { border-collapse: collapse; } td, th { padding: 3px 12px 3px 0; text-align: right; }
td:nth-child(2), th:nth-child(2) { text-align: left; overflow-wrap: anywhere; }
tr { border-bottom: 1px solid #d8d2c4; } a { color: #c2185b; } li { margin: 2px 0; }
@media (prefers-color-scheme: dark) {
  html { background: #1d2023; color: #e8e6e0; } tr { border-color: #44484d; } a { color: #ff5c9a; }
}
"""


@dataclass(frozen=True)
class Replay:
    """A recorded game of an evaluation, identified by its file in the folder `replays` of the run."""

    step: int
    seat: int
    opponent: str
    number: int

    @property
    def file(self) -> str:
        """The file name of the replay."""
        opponent = re.sub(r"[^A-Za-z0-9_.]+", "_", self.opponent).strip("_.")[-LONGEST_NAME:] or "opponent"
        return f"step-{self.step:012}-seat-{self.seat}-{opponent}-{self.number}.html"


def record_games(
    folder: Path, game: Game, policy: Agent, opponent: Agent, step: int, games: int, seed: int
) -> list[Replay]:
    """Play some games of the evaluation at a step, the policy in each seat in turn, and write their replays."""
    (folder / REPLAYS).mkdir(exist_ok=True)
    made = []
    for number in range(games):
        seat = number % game.num_players
        agents = {other: policy if other == seat else opponent for other in range(game.num_players)}
        state = play_game(game, agents, seed + number // game.num_players)
        replay = Replay(step, seat, opponent.name, number)
        title = f"{game.type.title}: player {seat} after {step:,} steps, against {opponent.name}"
        write_whole(folder / REPLAYS / replay.file, replay_page(record_of(state), None, title))
        made.append(replay)
    return made


def written_replays(folder: Path, step: int) -> list[Replay]:
    """Return the replays in a run folder up to a step."""
    found = (_NAME.fullmatch(file.name) for file in sorted((folder / REPLAYS).glob("step-*.html")))
    replays = [Replay(int(m[1]), int(m[2]), m[3], int(m[4])) for m in found if m]
    return [replay for replay in replays if replay.step <= step]


def write_run_page(
    folder: Path,
    title: str,
    rows: Sequence[dict[str, Any]],
    replays: Sequence[Replay],
    met: Sequence[dict[str, Any]] = (),
) -> None:
    """Write `index.html`: learning curves, replays, a table of all evaluations with the newest first, and the opponents
    of the training from the rows `met`.
    """
    table = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in _cells(row))}</tr>" for row in reversed(rows))
    head = "".join(f"<th>{name}</th>" for name in ("steps", "opponent", "games won", "95 % interval", "mean return"))
    links = "".join(
        f'<li><a href="{REPLAYS}/{_escape(replay.file)}">{replay.step:,} steps, player {replay.seat} against '
        f"{_escape(replay.opponent)}, game {replay.number + 1}</a></li>"
        for replay in reversed(replays)
    )
    shown = f"<h2>Replays</h2><ul>{links}</ul>" if links else ""
    name = _escape(title)
    write_whole(
        folder / PAGE,
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{name}</title>'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><style>{_STYLE}</style></head>\n'
        f'<body><h1>{name}</h1><img src="curves.png" alt="learning curves: games won by steps">{shown}\n'
        f"<h2>Evaluations</h2><table><tr>{head}</tr>{table}</table>{_opponents(met)}</body></html>\n",
    )


def _escape(text: str) -> str:
    return html.escape(printable(text))


def _opponents(met: Sequence[dict[str, Any]]) -> str:
    """Return the plot of all opponents of the training, and a table of the latest ones."""
    last = [row for row in met if row["step"] == met[-1]["step"]]
    if not last:
        return ""
    lines = "".join(
        f"<tr><td>{row['games']:,}</td><td>{_escape(row['opponent'])}</td><td>{_share(row)}</td>"
        f"<td>{row['chance']:.3f}</td></tr>"
        for row in last
    )
    head = "".join(f"<th>{name}</th>" for name in ("games", "opponent", "games won", "how often drawn next"))
    return (
        '\n<h2>Opponents of the training</h2><img src="opponents.png" alt="games won by opponents and steps">'
        f"<table><tr>{head}</tr>{lines}</table>"
    )


def _share(row: dict[str, Any]) -> str:
    return f"{row['score'] / row['games']:.3f}" if row["games"] else ""


def _cells(row: dict[str, Any]) -> list[str]:
    mean = f"{row['mean_return']:+z.4f}" if "mean_return" in row else ""
    return [
        f"{row['step']:,}",
        _escape(row["opponent"]),
        f"{row['win_rate']:.3f}",
        format_interval(row["low"], row["high"]),
        mean,
    ]
