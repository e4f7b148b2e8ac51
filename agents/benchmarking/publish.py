"""Measure all levels, and all agents of the leaderboard on their boards, and write the table of the documentation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from agents.arena.leaderboard import LeaderboardConfig
from agents.benchmarking.protocol import Protocol
from agents.benchmarking.report import agents_tables
from agents.benchmarking.run import folder_for, plan, run_plan
from agents.benchmarking.store import Show
from agents.common.boards import find_boards
from agents.common.files import write_whole
from agents.workers.workers import Workers
from edge_envs import load_game
from edge_envs.players import plain_name

BEGIN, END = "<!-- results: begin -->", "<!-- results: end -->"


def published_agents(protocol: Protocol, leaderboard: LeaderboardConfig, boards: Sequence[str]) -> dict[str, list[str]]:
    """Return the agents of the table, each with its boards.

    These are the opponents of the protocol and the agents of the leaderboard, without those that are another name of a
    level on that board, as `heuristic` is of `level:5`.
    """
    agents: dict[str, list[str]] = {}
    for board in boards:
        levels, game = protocol.opponents(board), load_game(board)
        same = {plain_name(level, game) for level in levels}
        further = leaderboard.tournament(board).agents if board in leaderboard.boards else []
        for agent in [*levels, *(name for name in further if name not in same)]:
            agents.setdefault(agent, []).append(board)
    return agents


def measure_all(
    protocol: Protocol,
    leaderboard: LeaderboardConfig,
    boards: Sequence[str] | None,
    quick: bool,
    folder: Path | None,
    workers: Workers,
    show: Show,
    command: str,
) -> list[dict[str, Any]]:
    """Measure all agents, without games that are in their folders, and return their results."""
    agents = published_agents(protocol, leaderboard, find_boards(boards, protocol.boards))
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
    """Write the table into a page, between two comments.

    Raises:
        ValueError: if the page does not have these comments.
    """
    text = page.read_text(encoding="utf-8")
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise ValueError(f"{page}: no lines {BEGIN} and {END}, between which the table is written")
    lines = [
        BEGIN,
        f"Normalized scores under {protocol.title}{', quick mode' if quick else ''}, with half-widths of 95 % "
        "intervals. The first table has the interquartile means of agents that play all boards.",
        "",
        *agents_tables(documents, boards),
        "",
        f"Measured on {max(document['date'] for document in documents)} by this command:",
        "",
        "```sh",
        command,
        "```",
        END,
    ]
    write_whole(page, before + "\n".join(lines) + after)
