"""Measure the trained policies of the repository on their boards, and write the table of the documentation.

The levels are references of the protocol, so that their games against each other determine their scores already.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from agents.benchmarking.protocol import Protocol
from agents.benchmarking.references import level_scores
from agents.benchmarking.report import game_tables
from agents.benchmarking.run import folder_for, plan, run_plan
from agents.benchmarking.store import Show
from agents.common.boards import find_boards
from agents.common.pages import write_results
from agents.players.policy_file import PolicyFile, read_policy_file
from agents.workers.workers import Workers
from edge_envs import Game, load_game

POLICIES = Path("policies")


def published_agents(boards: Sequence[str], policies: Path = POLICIES) -> dict[str, list[str]]:
    """Return the policy folders of the table, each with its boards: those with the parameters that it was made for."""
    agents: dict[str, list[str]] = {}
    for folder in sorted(file.parent for file in policies.glob("*/*/policy.json")):
        own = read_policy_file(folder, PolicyFile).load_game()
        fitting = [board for board in boards if _is_same(load_game(board), own)]
        if fitting:
            agents[folder.as_posix()] = fitting
    return agents


def _is_same(game: Game, other: Game) -> bool:
    return game.name == other.name and game.params_dict() == other.params_dict()


def measure_all(
    protocol: Protocol,
    boards: Sequence[str] | None,
    quick: bool,
    folder: Path | None,
    workers: Workers,
    show: Show,
    command: str,
) -> list[dict[str, Any]]:
    """Measure all policies, without games that are in their folders, and return their results."""
    agents = published_agents(find_boards(boards, protocol.boards))
    if not agents:
        raise ValueError(f"--publish: no policy in {POLICIES} plays {', '.join(find_boards(boards, protocol.boards))}")
    documents = []
    for number, (agent, own) in enumerate(agents.items(), start=1):

        def show_agent(what: str, done: int, total: int, name: str = f"{number} of {len(agents)}, {agent}") -> None:
            show(f"{name}: {what}", done, total)

        place = folder_for(agent, protocol, quick)
        documents.append(
            run_plan(
                plan(protocol, agent, own, quick),
                folder / place.name if folder else place,
                workers,
                show_agent,
                command,
            )
        )
    return documents


def write_table(
    protocol: Protocol,
    documents: Sequence[Mapping[str, Any]],
    boards: Sequence[str],
    quick: bool,
    command: str,
    page: Path,
) -> None:
    """Write the tables of all games into a page, between two comments.

    Raises:
        ValueError: if the page does not have these comments.
    """
    scales = {board: level_scores(protocol, board) for board in boards}
    lines = [
        f"Normalized scores under {protocol.title}{', quick mode' if quick else ''}, with half-widths of 95 % "
        "intervals. The scores of levels and of `perfect` define the scale.",
        "",
        *game_tables(scales, documents),
        "",
        f"Measured on {max(document['date'] for document in documents)} by this command:",
        "",
        "```sh",
        command,
        "```",
    ]
    write_results(page, lines)
