"""Measure an agent under a protocol: choose its boards, play, and write the results."""

from __future__ import annotations

import importlib.metadata
import json
import platform
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from agents.benchmarking.play import open_files, play_cells
from agents.benchmarking.protocol import Cell, Protocol, blocks_of
from agents.benchmarking.references import ReferenceBoard, read_references, references_of
from agents.benchmarking.report import draw_scores, markdown
from agents.benchmarking.results import board_results, summary
from agents.benchmarking.store import BenchmarkFolder, Show
from agents.common.boards import find_boards
from agents.common.checkout import commit
from agents.common.files import write_whole
from agents.common.locks import locked
from agents.external.unavailable import UnavailableError
from agents.players.agent import check_agent, is_chat, make_agent, parse_agent
from agents.players.games import check_folder
from agents.workers.workers import Workers
from edge_envs import load_game

PACKAGES = ("edge-envs", "numpy", "numba")


@dataclass(frozen=True)
class Plan:
    """The games to play: the cells of each board, and the boards that the agent cannot play, with the reasons."""

    protocol: Protocol
    agent: str
    quick: bool
    cells: Mapping[str, Sequence[Cell]]
    unplayable: Mapping[str, str]
    references: Mapping[str, ReferenceBoard]

    @property
    def games(self) -> int:
        """The number of games."""
        return sum(cell.total for some in self.cells.values() for cell in some)

    @property
    def mode(self) -> str:
        """The name of the mode."""
        return "quick" if self.quick else "full"

    def describe(self) -> str:
        """Describe the plan in one line."""
        count = sum(map(len, self.cells.values()))
        names = f"{len(self.cells)} board{'s' if len(self.cells) > 1 else ''}"
        return f"{self.protocol.title}, {self.mode} mode: {self.games:,} games in {count} cells on {names}"

    def to_dict(self) -> dict[str, Any]:
        """Return the plan as a JSON object: for each board the games against each opponent."""
        boards = {board: {cell.opponent: cell.total for cell in some} for board, some in self.cells.items()}
        return {
            "protocol": self.protocol.title,
            "mode": self.mode,
            "agent": self.agent,
            "games": self.games,
            "boards": boards,
            "left_out": dict(self.unplayable),
            "unscored": self.unscored(),
        }

    def unscored(self) -> list[str]:
        """Return the boards that have no references, and therefore no scores."""
        return [
            board
            for board, some in self.cells.items()
            if references_of(self.protocol, self.references, board, some[0].game) is None
        ]


def plan(protocol: Protocol, agent: str, boards: Sequence[str] | None, quick: bool) -> Plan:
    """Plan the games of an agent.

    Args:
        protocol: the protocol.
        agent: the name of the agent.
        boards: names or ids of boards; None, nothing or `all` for all boards that the agent can play.
        quick: whether to play few games per cell.

    Raises:
        ValueError: if the agent or a board does not exist, or if the agent can play none of the boards, or not one
            that was named.
    """
    check_folder(agent)
    check_agent(agent)
    every = not boards or "all" in boards
    faults: dict[str, str] = {}
    for board in (names := find_boards(boards, protocol.boards)):
        fault = _fault(agent, board)
        if fault and not every:
            raise ValueError(f"{board}: {fault}")
        faults |= {board: fault} if fault else {}
    if len(faults) == len(names):
        raise ValueError(f"{agent} can play none of the boards; {names[0]}: {faults[names[0]]}")
    cells = {board: protocol.cells(board, agent, quick) for board in names if board not in faults}
    return Plan(protocol, agent, quick, cells, faults, read_references(protocol))


def _fault(agent: str, board: str) -> str:
    """Return why an agent cannot play a board; "" if it can, or if this is only known when it plays."""
    kind = parse_agent(agent).kind
    if kind.slow or kind.name == "object":
        return ""
    try:
        make_agent(agent, load_game(board))
    except ValueError as error:
        return str(error)
    return ""


def folder_for(agent: str, protocol: Protocol, quick: bool) -> Path:
    """Return the default folder of an agent's results."""
    name = re.sub(r"[^\w.]+", "-", agent).strip("-")[-80:] or "agent"
    return Path("runs") / f"{protocol.name}-v{protocol.version}" / (f"{name}-quick" if quick else name)


def run_plan(planned: Plan, folder: Path, workers: Workers, show: Show, command: str) -> dict[str, Any]:
    """Play the games of a plan that are not in the folder, write all results there, and return them.

    The returned key `kept_games` is the number of games that were in the folder before. If a language model cannot be
    called any more, as at a limit of its costs, the results of the games so far are written, and the key `stopped` has
    the reason.

    Raises:
        ValueError: if the folder belongs to another benchmark, or if the agent has changed since its games.
        UnavailableError: if the agent could not be called and no game was finished.
    """
    protocol, store = planned.protocol, BenchmarkFolder(folder)
    with locked(folder, "benchmark"):
        rules = {"protocol": protocol.title, "agent": planned.agent, "mode": planned.mode, "seed": protocol.seed}
        store.open(rules, planned.cells)
        files = open_files(store, planned.cells, protocol.seed)
        kept = sum(files[board].count(blocks_of(some)) for board, some in planned.cells.items())
        stopped = play_cells(planned.cells, files, protocol.seed, store.begun, workers, show)
        boards: dict[str, Any] = {}
        for board, some in planned.cells.items():
            known = references_of(protocol, planned.references, board, some[0].game)
            found = board_results(some, files[board], known)
            boards |= {board: found} if found else {}
        if not boards:
            raise stopped or UnavailableError("no game was finished")
        document = {
            "protocol": protocol.title,
            "mode": planned.mode,
            "agent": planned.agent,
            **about(command),
            "commit": commit(),  # None if the package is installed
            "stopped": str(stopped) if stopped else "",
            "left_out": [board for board in protocol.boards if board not in boards],
            "summary": summary(boards),
            "boards": boards,
        }
        if is_chat(planned.agent):
            document["language_model"] = _model(planned.agent)
        write_results(document, folder)
    return {**document, "kept_games": kept}


def _model(agent: str) -> dict[str, Any]:
    """Return how a language model is asked, and what its transcripts contain."""
    from agents.external.chat import file_of, read_chat, usage

    config = read_chat(file_of(agent))
    asked = config.model_dump(include={"model", "request", "listed", "retries", "disguise"})
    return {**asked, **({} if config.transcripts is None else usage(config))}


def about(command: str) -> dict[str, Any]:
    """Return the command, the date and the versions of packages."""
    versions = {"Python": platform.python_version()}
    versions |= {name: importlib.metadata.version(name) for name in PACKAGES}
    return {"command": command, "date": f"{datetime.now(UTC):%Y-%m-%d}", "versions": versions}


def write_results(document: Mapping[str, Any], folder: Path) -> None:
    """Write results.json, results.md, and the plot of the scores."""
    write_whole(folder / "results.json", json.dumps(document, indent=1, ensure_ascii=False) + "\n")
    write_whole(folder / "results.md", markdown(document))
    draw_scores(document, folder)
