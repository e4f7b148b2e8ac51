"""Tournaments on many boards by one protocol, and the leaderboard page."""

from __future__ import annotations

import importlib.metadata
import json
import platform
import shutil
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self

from pydantic import Field, field_validator

from agents.arena.plots import draw_ratings
from agents.arena.report import code, fenced, table
from agents.arena.tournament import Rounds, TournamentConfig, play_tournament
from agents.common.boards import find_board, find_boards
from agents.common.configuration import Section, parse
from agents.common.files import write_whole
from agents.workers.workers import Workers
from edge_envs import load_game
from edge_envs.games import plain_name
from edge_envs.intervals import format_interval

PACKAGES = ("edge-envs", "numpy", "numba", "torch")
COLUMNS = {
    "rating, interval": "points with a 95 % interval; 400 points correspond to odds of ten to one, and the heuristic "
    "has 1,000, see [Ratings](tournaments.md#ratings)",
    "games": "number of games of the agent",
    "score against the heuristic": "share of the games in which the agent did better than the heuristic, where a draw "
    "counts half, and the number of these games",
    "mean return": "mean over all games of the agent",
    "forfeits": "games that the agent lost by an error or an illegal action",
    "ms/decision": "median time per decision, in milliseconds",
}
"""Explanations of the columns of the page."""

Show = Callable[[str, int, int], None]


class Board(Section):
    """A board: a game or a variant, with the agents that play there in addition to those of `everywhere`."""

    agents: list[str] = Field(default_factory=list)
    games: int | None = Field(default=None, gt=0)


class LeaderboardConfig(Section):
    """The protocol of a leaderboard."""

    machine: str
    seed: int = Field(default=0, ge=0, lt=2**31)
    precision: float = Field(default=15.0, gt=0)
    games: int = Field(default=1500, gt=0)
    time_limit: float | None = Field(default=None, gt=0, le=3600)
    everywhere: list[str] = Field(default_factory=list)
    boards: dict[str, Board] = Field(min_length=1)

    @field_validator("boards", mode="after")
    @classmethod
    def _by_plain_names(cls, boards: dict[str, Board]) -> dict[str, Board]:
        return {plain_name(name): board for name, board in boards.items()}

    def checked(self) -> Self:
        """Check that every board is a valid tournament."""
        for name in self.boards:
            self.tournament(name)
        return self

    def tournament(self, name: str, entered: Sequence[str] = ()) -> TournamentConfig:
        """Return the tournament of a board; ValueError if the board, game or agent does not exist.

        With agents that enter, the limit on games is raised to those of one round if it is below.
        """
        name = find_board(name, self.boards)
        board = self.boards[name]
        data = {
            "game": name,
            "seed": self.seed,
            "agents": list(dict.fromkeys([*self.everywhere, *board.agents, *entered])),
            "games": board.games or self.games,
            "precision": self.precision,
            "time_limit": self.time_limit,
        }
        made = parse(TournamentConfig, data, f"board {name}")
        game = made.load_game()
        if entered:
            made = made.model_copy(update={"games": max(made.games, Rounds(made, game.num_players).first_round())})
        return made


def check_round(name: str, tournament: TournamentConfig) -> None:
    """Raise ValueError if the games of a board are too few for one round of its agents."""
    try:
        Rounds(tournament, tournament.load_game().num_players).check()
    except ValueError as error:
        raise ValueError(f"board {name}: {error}") from None


def play_boards(
    config: LeaderboardConfig, names: Sequence[str], entered: Sequence[str], folder: Path, workers: Workers, show: Show
) -> dict[str, Any]:
    """Play the tournaments of some boards, without games that are already in the folder, and return their standings."""
    tournaments = {name: config.tournament(name, entered) for name in find_boards(names, config.boards)}
    for name, tournament in tournaments.items():
        check_round(name, tournament)
    documents = {}
    for name, tournament in tournaments.items():

        def show_board(what: str, done: int, total: int, name: str = name) -> None:
            show(f"{name}: {what}", done, total)

        documents[name] = play_tournament(tournament, folder / name, workers, show_board)
    return documents


def write_page(config: LeaderboardConfig, documents: Mapping[str, Any], command: str, folder: Path, docs: Path) -> Path:
    """Write the page `leaderboard.md`, and next to it a folder with the pictures and `results.json`."""
    beside = docs / "leaderboard"
    beside.mkdir(parents=True, exist_ok=True)
    for name, document in documents.items():
        draw_ratings(document, f"{name}: {document['games']:,} games", folder / name)
        shutil.copy(folder / name / "ratings.svg", beside / f"{name}.svg")
    when = datetime.fromtimestamp(max((folder / name / "games.jsonl").stat().st_mtime for name in documents), UTC)
    about = {"command": command, "date": f"{when:%Y-%m-%d}", "machine": config.machine, "versions": _versions()}
    results = {"about": about, "protocol": config.model_dump(), "boards": documents}
    write_whole(beside / "results.json", json.dumps(results, ensure_ascii=False) + "\n")
    write_whole(docs / "leaderboard.md", page(about, documents))
    return docs / "leaderboard.md"


def page(about: Mapping[str, Any], documents: Mapping[str, Any]) -> str:
    """Return the page as Markdown."""
    versions = ", ".join(f"{name} {version}" for name, version in about["versions"].items())
    lines = [
        "# Leaderboard",
        "",
        "Agents play a tournament on each board of the [Benchmark](benchmark.md) and are rated by its games.",
        "A *deal* is the seeded start of a game; all play the same deals, see [Schedule](tournaments.md#schedule).",
        "[Names of agents](evaluation.md#names-of-agents) lists built-in ones, [Results](results.md) the policies.",
        "",
        "| column | meaning |",
        "|---|---|",
        *(f"| {column} | {meaning} |" for column, meaning in COLUMNS.items()),
        "",
        "To add an agent, see [Enter the leaderboard](benchmark.md#enter-the-leaderboard). The complete",
        "standings, the results of all pairs and the protocol are in [results.json](leaderboard/results.json).",
        "",
        f"The last games were played on {about['date']} on {about['machine']}, with {versions}.",
        "This command wrote the page:",
        "",
        *fenced(about["command"]),
    ]
    for name, document in documents.items():
        lines += ["", *_board(name, document)]
    lines += [
        "",
        "## Next step",
        "",
        "[Enter the leaderboard](benchmark.md#enter-the-leaderboard) with an agent of your own, or read how",
        "[ratings](tournaments.md#ratings) are computed.",
    ]
    return "\n".join(lines) + "\n"


def _board(name: str, document: Mapping[str, Any]) -> list[str]:
    game = load_game(name)
    settled = ", ".join(game.type.format_params(game.type.variants[name].params)) or "default parameters"
    players = f"{game.num_players} players"
    rows = [_row(row, document) for row in document["agents"]]
    heads = (
        "agent", "rating", "interval", "games", "score against the heuristic", "mean return", "forfeits", "ms/decision",
    )  # fmt: skip
    return [
        f"## {name}",
        "",
        f"{game.type.title}, version {document['version']}, {players}, {settled}: {document['games']:,} games of "
        f"{document['deals']:,} deals.",
        "",
        *table(heads, rows),
        "",
        f"![ratings on {name}](leaderboard/{name}.svg)",
    ]


def _row(row: Mapping[str, Any], document: Mapping[str, Any]) -> Sequence[str]:
    return (
        code(row["agent"]), f"{row['rating']:.0f}", format_interval(row["low"], row["high"], 0), f"{row['games']:,}",
        _against_anchor(row["agent"], document), f"{row['mean_return']:+z.3f}", str(row["forfeits"]),
        f"{row['ms_per_decision']:.3g}",
    )  # fmt: skip


def _against_anchor(agent: str, document: Mapping[str, Any]) -> str:
    """Return the score of an agent against the anchor, with the number of their games; "" if they did not meet."""
    for pair in document["pairs"]:
        if {pair["agent"], pair["other"]} == {agent, document["anchor"]}:
            score = pair["score"] if pair["agent"] == agent else 1.0 - pair["score"]
            return f"{score:.3f} of {pair['games']:,}"
    return ""


def _versions() -> dict[str, str]:
    versions = {name: importlib.metadata.version(name) for name in PACKAGES}
    return {"Python": platform.python_version(), **versions}
