"""Famous games: one recorded game between good agents for each game of the package, with its analysis.

`docs/famous` holds them, because agents and judges take minutes. A game follows from its agents and its seed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "famous"


@dataclass(frozen=True)
class Famous:
    """A game to play: its parameters, the agents of its seats, its seed, and the agent that judges the decisions."""

    game: str
    agents: tuple[str, ...]
    judge: str
    seed: int
    params: dict[str, Any] = field(default_factory=dict)

    @property
    def file(self) -> Path:
        """The file with the record and the analysis."""
        return FOLDER / f"{self.game}.json"


GAMES = (
    Famous("falling_off", ("policies/falling_off/selfplay", "search:800"), "perfect", 6),
    Famous("beyond_maps", ("policies/beyond_maps/8x8_long", "search:34"), "search:100", 3, {"size": 8}),
    Famous("over_the_edge", ("policies/over_the_edge/flat_earth", "search:200"), "search:100", 6),
    Famous("ghost_ship", ("policies/ghost_ship/tour", "heuristic"), "search:20", 4, {"creation": "random"}),
)
"""The seeds are those of games in which the lead changes."""


def record_of_game(one: Famous) -> dict[str, Any]:
    """Play a game and return its record."""
    from agents.evaluation.single import play_game
    from agents.players.agent import make_agent
    from edge_envs import load_game, record_of

    game = load_game(one.game, **one.params)
    agents = {seat: make_agent(name, game) for seat, name in enumerate(one.agents)}
    return record_of(play_game(game, agents, one.seed))


def analysis_of(one: Famous, record: dict[str, Any]) -> dict[str, Any]:
    """Judge all decisions of a record, as the analysis of the web page does, by the judge of this game."""
    from agents.players.agent import make_agent
    from edge_envs.play.analysis import judged_decisions, summary
    from edge_envs.play.appraisal import judge_by

    decisions, name = [], ""
    for judge, decision in judged_decisions(record, lambda game, state: judge_by(make_agent(one.judge, game))):
        decisions.append(decision)
        name = judge.name
    points = [[each.at, each.player, round(each.probability, 4), round(each.loss, 4)] for each in decisions]
    return {"by": name, "points": points, **summary(decisions, len(record["returns"]))}


def play_all(names: tuple[str, ...] = ()) -> Iterator[Path]:
    """Play and analyse the games, or those named, write their files, and yield each file."""
    from agents.common.files import write_whole

    FOLDER.mkdir(exist_ok=True)
    for one in GAMES:
        if names and one.game not in names:
            continue
        record = record_of_game(one)
        document = {"agents": list(one.agents), "record": record, "analysis": analysis_of(one, record)}
        write_whole(one.file, json.dumps(document, separators=(",", ":")) + "\n")
        yield one.file


def load(one: Famous) -> dict[str, Any]:
    """Return the agents, the record and the analysis of a game from its file."""
    document: dict[str, Any] = json.loads(one.file.read_text(encoding="ascii"))
    return document
