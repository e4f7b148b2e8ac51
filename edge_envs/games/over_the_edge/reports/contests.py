"""Play games among sensible pilots and count the results."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from edge_envs import Game, load_game
from edge_envs.games.over_the_edge.map.charts import load_map
from edge_envs.games.over_the_edge.reports.pilots import Pilot


@dataclass(frozen=True)
class Contest:
    """The number of seats and the kind of pilot in all of them."""

    players: int
    kind: str

    def __str__(self) -> str:
        return f"{self.players} {self.kind} pilots"


CONTESTS = (Contest(4, "careful"), Contest(4, "plain"), Contest(2, "careful"))


@dataclass
class Tally:
    """Count the results of the games of a contest."""

    contest: Contest
    won: int = 0
    fallen: int = 0
    turns: list[float] = field(default_factory=list)
    """For each game, the finished turns divided by the number of players."""

    @property
    def games(self) -> int:
        """The number of games counted so far."""
        return len(self.turns)

    def add(self, position: dict[str, Any]) -> None:
        """Count a game by its final position."""
        self.won += position["winner"] is not None
        self.fallen += sum(ship["space"] is None for ship in position["ships"])
        self.turns.append(position["turn"] / self.contest.players)


def play_contest(
    source: str | dict[str, Any],
    contest: Contest,
    games: int,
    seed: int = 0,
    on_game: Callable[[], None] = lambda: None,
) -> Tally:
    """Play the games of a contest on one map.

    Args:
        source: The map, as the game's parameter `map` takes it.
        contest: The pilots.
        games: The number of games.
        seed: Game k has seed `seed` + k.
        on_game: Called after each game.
    """
    game = load_game("over_the_edge", num_players=contest.players, map=source)
    pilot, tally = Pilot(load_map(source), contest.kind), Tally(contest)
    for number in range(games):
        tally.add(play_game(game, pilot, seed + number))
        on_game()
    return tally


def play_game(game: Game, pilot: Pilot, seed: int) -> dict[str, Any]:
    """Play one game with the same pilot in all seats and return its final position."""
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
