"""The references of a protocol: their games against each other, and the scale of normalized scores that they determine.

The file of references has, for each board, the distinct outcomes of these games with their numbers. An agent is scored
on this scale (`agents.arena.anchored`), so the references need not play again.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from pydantic import Field

from agents.arena.anchored import AnchoredScale, Tally, outcomes_of
from agents.arena.likelihood import Outcomes
from agents.arena.ratings import rate
from agents.benchmarking.play import open_files, play_cells
from agents.benchmarking.protocol import CELL_SEEDS, Cell, Protocol
from agents.benchmarking.store import BenchmarkFolder, BenchmarkGame, GameFile, Show
from agents.common.configuration import Section, parse
from agents.common.files import read_json, write_whole
from agents.common.locks import locked
from agents.workers.workers import Workers
from edge_envs import Game, load_game
from edge_envs.games import plain_name

NEAR = 2  # a reference plays the references up to this many places below it; other results say little

Row = tuple[list[Annotated[int, Field(ge=0)]], list[Annotated[int, Field(ge=0)]], Annotated[int, Field(gt=0)]]


class ReferenceBoard(Section):
    """The references of a board: names, ratings with 95 % intervals, and outcomes (agents by seat, ranks, number)."""

    version: int
    games_per_pair: int = Field(gt=0)
    agents: list[str] = Field(min_length=2)
    ratings: list[tuple[float, float, float]]
    outcomes: list[Row] = Field(min_length=1)


class ReferenceFile(Section):
    """The file of references of a protocol."""

    protocol: str
    command: str
    date: str
    versions: dict[str, str]
    boards: dict[str, ReferenceBoard]


@dataclass(frozen=True)
class References:
    """The references of one board, ready for use."""

    agents: Sequence[str]
    anchor: int
    tally: Tally


def read_references(protocol: Protocol, path: Path | None = None) -> dict[str, ReferenceBoard]:
    """Read the references of all boards; empty if the file does not exist.

    Raises:
        ValueError: if the file is invalid, or belongs to another protocol.
    """
    path = path or protocol.references.file
    if not path.exists():
        return {}
    file = parse(ReferenceFile, read_json(path), str(path))
    if file.protocol != protocol.title:
        raise ValueError(f"{path}: these are the references of {file.protocol}, not of {protocol.title}")
    for name, board in file.boards.items():
        counts = (len(board.agents), load_game(name).num_players)
        if len(board.ratings) != counts[0] or not all(_is_valid(row, *counts) for row in board.outcomes):
            raise ValueError(f"{path}: boards.{name}: invalid ratings or outcomes")
    return file.boards


def _is_valid(row: Row, agents: int, players: int) -> bool:
    seats, ranks, _ = row
    return len(seats) == len(ranks) == players and max(seats) < agents and max(ranks) < players


def references_of(protocol: Protocol, boards: Mapping[str, ReferenceBoard], name: str, game: Game) -> References | None:
    """Return the references of a board; None if there are none for this version of the game and the protocol."""
    board = boards.get(name)
    if board is None or board.version != game.type.version or board.agents != protocol.opponents(name):
        return None
    rows = board.outcomes
    outcomes = Outcomes(np.array([row[0] for row in rows]), np.array([row[1] for row in rows]))
    tally = Tally(outcomes, np.array([row[2] for row in rows], float))
    return References(board.agents, board.agents.index(protocol.anchor), tally)


def level_scores(protocol: Protocol, board: str) -> dict[str, float]:
    """Return the normalized scores of the opponents on a board, which are its references; empty without references."""
    board = plain_name(board)
    game = load_game(board)
    known = references_of(protocol, read_references(protocol), board, game)
    if known is None:
        return {}
    scale = AnchoredScale(known.tally, len(known.agents), known.anchor, outcomes_of([], [], game.num_players))
    strengths = scale.strengths
    scores = 100.0 * (strengths - strengths[0]) / (strengths[-1] - strengths[0])
    return dict(zip(known.agents, scores.tolist(), strict=True))


def reference_cells(protocol: Protocol, board: str, games: int) -> list[Cell]:
    """Return the cells of the references against each other.

    With two players, one cell per pair has both seat orders. With more players, each of a pair also plays alone against
    copies of the other.
    """
    names, game = protocol.opponents(board), load_game(board)
    pairs = [(b, a) for b in range(len(names)) for a in range(max(0, b - NEAR), b)]
    if game.num_players > 2:
        pairs = [pair for one in pairs for pair in (one, one[::-1])]
    parts = 1 if game.num_players == 2 else 2  # the cells of a pair
    return [
        Cell(
            board,
            game,
            agent,
            opponent,
            number * CELL_SEEDS,
            -(-protocol.at_most(board, games, agent, opponent) // parts),
        )
        for number, (agent, opponent) in enumerate((names[a], names[b]) for a, b in pairs)
    ]


def make_references(
    protocol: Protocol, boards: Sequence[str], games: int, folder: Path, workers: Workers, show: Show
) -> dict[str, ReferenceBoard]:
    """Play the games of the references on some boards, without those in the folder, and rate the references."""
    cells = {board: reference_cells(protocol, board, games) for board in boards}
    seed = protocol.references.seed
    store = BenchmarkFolder(folder)
    with locked(folder, "benchmark"):
        store.open({"protocol": protocol.title, "kind": "references", "seed": seed, "games": games}, cells)
        files = open_files(store, cells, seed)
        stopped = play_cells(cells, files, seed, "", workers, show)
        if stopped is not None:
            raise stopped
    return {board: _rated(protocol, board, some, files[board], games) for board, some in cells.items()}


def _rated(protocol: Protocol, board: str, cells: Sequence[Cell], file: GameFile, games: int) -> ReferenceBoard:
    names, game = protocol.opponents(board), cells[0].game
    played = [one for cell in cells for one in file.games_of(cell)]
    outcomes = outcomes_of(
        [seat_numbers(one, names) for one in played], [g.line.returns for g in played], game.num_players
    )
    keys = [(one.agent, one.opponent, one.line.deal) for one in played]
    numbers = {key: number for number, key in enumerate(dict.fromkeys(keys))}
    clusters = np.array([numbers[key] for key in keys])
    ratings = rate(outcomes, len(names), names.index(protocol.anchor), clusters)
    tally = Tally.of(outcomes)
    rows = zip(tally.outcomes.seats.tolist(), tally.outcomes.ranks.tolist(), tally.counts.tolist(), strict=True)
    return ReferenceBoard(
        version=game.type.version,
        games_per_pair=games,
        agents=names,
        ratings=[
            (round(float(points), 1), round(float(low), 1), round(float(high), 1))
            for points, (low, high) in zip(ratings.points, ratings.by_likelihood, strict=True)
        ],
        outcomes=[(seats, ranks, int(count)) for seats, ranks, count in rows],
    )


def seat_numbers(game: BenchmarkGame, names: Sequence[str]) -> list[int]:
    """Return the numbers of the agents by seat, where the measured agent may be one of the references."""
    own, other = names.index(game.agent), names.index(game.opponent)
    return [own if seat == game.seat else other for seat in range(len(game.line.seats))]


def write_references(protocol: Protocol, boards: Mapping[str, ReferenceBoard], about: Mapping[str, Any]) -> Path:
    """Write the references of some boards; those of other boards in the file stay."""
    path = protocol.references.file
    every = {**read_references(protocol), **boards}
    ordered = {name: every[name].model_dump(mode="json") for name in protocol.boards if name in every}
    lines = [f"{json.dumps(name)}: {_board_text(board)}" for name, board in ordered.items()]
    head = json.dumps({"protocol": protocol.title, **about}, indent=1, ensure_ascii=False)
    write_whole(path, head.removesuffix("\n}") + ',\n "boards": {\n' + ",\n".join(lines) + "\n }\n}\n")
    return path


def _board_text(board: Mapping[str, Any]) -> str:
    """Format a board, with ten outcomes per line."""
    rows = [json.dumps(row, separators=(",", ":")) for row in board["outcomes"]]
    lines = [",".join(rows[at : at + 10]) for at in range(0, len(rows), 10)]
    head = json.dumps({key: value for key, value in board.items() if key != "outcomes"})
    return head[:-1] + ', "outcomes": [\n' + ",\n".join(lines) + "]}"
