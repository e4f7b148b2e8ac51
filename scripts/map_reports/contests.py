"""Games of sensible pilots among themselves, and what came of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from edge_envs import Game, load_game
from edge_envs.games.over_the_edge.map.charts import load_map
from scripts.map_reports.pilots import Pilot


@dataclass(frozen=True)
class Contest:
    """How many pilots of one kind play."""

    players: int
    kind: str

    def __str__(self) -> str:
        return f"{self.players} {self.kind} pilots"


CONTESTS = (Contest(4, "careful"), Contest(4, "plain"), Contest(2, "careful"))


@dataclass
class Tally:
    """What came of the games of a contest."""

    contest: Contest
    won: int = 0
    fallen: int = 0
    turns: list[float] = field(default_factory=list)
    """Of each game, the finished turns over the players."""

    @property
    def games(self) -> int:
        """The games so far."""
        return len(self.turns)

    def add(self, position: dict[str, Any]) -> None:
        """Count the position at the end of a game."""
        self.won += position["winner"] is not None
        self.fallen += sum(ship["space"] is None for ship in position["ships"])
        self.turns.append(position["turn"] / self.contest.players)


def play_contest(
    source: str | dict[str, Any],
    contest: Contest,
    games: int,
    seed: int = 0,
    tick: Callable[[], None] = lambda: None,
) -> Tally:
    """Play on a map, given as for the game; game k has `seed` + k. `tick` is called after each."""
    game = load_game("over_the_edge", num_players=contest.players, map=source)
    pilot, tally = Pilot(load_map(source), contest.kind), Tally(contest)
    for number in range(games):
        tally.add(play_game(game, pilot, seed + number))
        tick()
    return tally


def play_game(game: Game, pilot: Pilot, seed: int) -> dict[str, Any]:
    """The position at the end of a game with the same pilot in all seats."""
    state, rng = game.new_initial_state(seed), np.random.default_rng(seed)
    while not state.is_terminal():
        if state.is_chance_node():
            action = state.sample_chance()
        elif len(legal := state.legal_actions()) == 1:
            action = legal[0]
        else:
            action = state.string_to_action(pilot.choose(state, rng))
        state.apply_action(action)
    return state.to_dict()
