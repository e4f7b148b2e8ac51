"""Measure the trained policies of the repository on their boards, and publish their scores in the documentation.

The levels are references of the protocol, so that their games against each other determine their scores already.

<page>                   the tables, between two comments
<page without .md>/scores.json
                         all published scores; boards that were measured at other times keep theirs
<policy>/README.md       the model card gets the policy's scores, if the page is docs/benchmark.md
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import Field

from agents.arena.report import code, table
from agents.benchmarking.protocol import Protocol
from agents.benchmarking.references import level_scores
from agents.benchmarking.report import game_tables, score_cell
from agents.benchmarking.run import folder_for, plan, run_plan
from agents.benchmarking.store import Show
from agents.common.boards import find_boards
from agents.common.configuration import Section, parse
from agents.common.files import read_json, write_whole
from agents.common.pages import has_results, write_results
from agents.players.policy_file import PolicyFile, read_policy_file
from agents.workers.workers import Workers
from edge_envs import Game, load_game

POLICIES, PAGE = Path("policies"), Path("docs/benchmark.md")
SCORES = "scores.json"


class PublishedScore(Section):
    """A normalized score, and the half-width of its 95 % interval."""

    score: float
    half_width: float = Field(ge=0.0)


class PublishedBoard(Section):
    """The scores of all agents on a board, and how they were measured."""

    date: str
    command: str
    agents: dict[str, PublishedScore]


class PublishedScores(Section):
    """The file of published scores."""

    protocol: str
    quick: bool
    boards: dict[str, PublishedBoard]


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


def read_scores(page: Path, protocol: Protocol, quick: bool) -> PublishedScores:
    """Read the published scores of a page; none if it has none yet.

    Raises:
        ValueError: if the page is not Markdown, if the file cannot be read, or if it has scores of another protocol or
            mode.
    """
    if page.suffix != ".md":
        raise ValueError(f"{page}: expected a page whose name ends with .md")
    file = page.with_suffix("") / SCORES
    if not file.exists():
        return PublishedScores(protocol=protocol.title, quick=quick, boards={})
    known = parse(PublishedScores, read_json(file), str(file))
    if (known.protocol, known.quick) != (protocol.title, quick):
        theirs, ours = ("quick" if is_quick else "full" for is_quick in (known.quick, quick))
        what = f"these are scores of the {theirs} mode under {known.protocol}, not of the {ours} mode under"
        raise ValueError(f"{file}: {what} {protocol.title}; choose another page")
    return known


def with_results(known: PublishedScores, documents: Sequence[Mapping[str, Any]], command: str) -> PublishedScores:
    """Return published scores with new results: they replace the scores of their boards."""
    date = max(document["date"] for document in documents)
    boards: dict[str, PublishedBoard] = {}
    for document in documents:
        for board, row in document["boards"].items():
            if row["score"] is not None:
                half = (row["score_high"] - row["score_low"]) / 2
                made = boards.setdefault(board, PublishedBoard(date=date, command=command, agents={}))
                made.agents[document["agent"]] = PublishedScore(score=round(row["score"], 3), half_width=round(half, 3))
    return known.model_copy(update={"boards": {**known.boards, **boards}})


def publish(
    protocol: Protocol, scores: PublishedScores, page: Path, baselines: Sequence[Mapping[str, Any]] = ()
) -> None:
    """Write published scores into their file and the page, and those of docs/benchmark.md into model cards.

    Args:
        protocol: The protocol, whose boards are listed in its order.
        scores: The scores.
        page: The page.
        baselines: Further rows of the tables, as in `game_tables`.

    Raises:
        ValueError: if the page does not have the two comments.
    """
    ordered = {name: scores.boards[name] for name in protocol.boards if name in scores.boards}
    scores = scores.model_copy(update={"boards": ordered})
    write_results(page, page_lines(protocol, scores, baselines))
    folder = page.with_suffix("")
    folder.mkdir(exist_ok=True)
    write_whole(folder / SCORES, scores.model_dump_json(indent=1) + "\n")
    if page.absolute() == PAGE.absolute() and not scores.quick:
        write_cards(scores.protocol, ordered)


def write_cards(protocol: str, boards: Mapping[str, PublishedBoard]) -> None:
    """Write scores into the model cards of the policies, between two comments."""
    for agent, own in _by_agent(boards).items():
        card = Path(agent) / "README.md"
        if card.exists() and has_results(card):
            write_results(card, card_lines(protocol, own))


def page_lines(protocol: Protocol, scores: PublishedScores, baselines: Sequence[Mapping[str, Any]] = ()) -> list[str]:
    """Return the part of the page between the two comments."""
    known = {*scores.boards, *(board for row in baselines for board in row["boards"])}
    scales = {board: level_scores(protocol, board) for board in protocol.boards if board in known}
    documents = [
        {"agent": agent, "boards": {board: _row(own[board]) for board in own}}
        for agent, own in sorted(_by_agent(scores.boards).items())
    ]
    lines = [
        f"Normalized scores under {scores.protocol}{', quick mode' if scores.quick else ''}, with half-widths of 95 % "
        "intervals. The scores of levels and of `perfect` define the scale.",
        "",
        *game_tables(scales, [*documents, *baselines]),
    ]
    runs: dict[tuple[str, str], list[str]] = {}
    for name, board in scores.boards.items():
        runs.setdefault((board.date, board.command), []).append(name)
    for (date, command), names in runs.items():
        lines += [
            "",
            f"{', '.join(map(code, names))}: measured on {date} by this command:",
            "",
            "```sh",
            command,
            "```",
        ]
    return lines


def card_lines(protocol: str, own: Mapping[str, PublishedScore]) -> list[str]:
    """Return the part of a model card between the two comments."""
    rows = [(code(board), score_cell(_row(score))) for board, score in own.items()]
    return [
        f"Normalized score under {protocol}, with the half-width of its 95 % interval:",
        "",
        *table(("board", "score"), rows),
    ]


def _row(one: PublishedScore) -> dict[str, float]:
    return {"score": one.score, "score_low": one.score - one.half_width, "score_high": one.score + one.half_width}


def _by_agent(boards: Mapping[str, PublishedBoard]) -> dict[str, dict[str, PublishedScore]]:
    """Return the scores of each agent by board."""
    agents: dict[str, dict[str, PublishedScore]] = {}
    for name, board in boards.items():
        for agent, score in board.agents.items():
            agents.setdefault(agent, {})[name] = score
    return agents
