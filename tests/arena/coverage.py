"""Tournaments of made-up players: how often intervals hold the truth, where what is played depends on what was.

python -m tests.arena.coverage --agents 5 --apart 40 --games 3000 --tournaments 200
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from agents.arena.lines import GameLine
from agents.arena.pairings import SEEDS_PER_MATCH, MatchSpec
from agents.arena.ratings import POINTS
from agents.arena.standings import ANCHOR_AGENT, Results
from agents.arena.tournament import Rounds, TournamentConfig
from edge_envs.core.spec import Array

FIRST_SEAT = 50.0  # points that it is worth more than the mean of all


class MadeUp:
    """A store whose games are played when they are asked for, by players of known points. One wins alone."""

    def __init__(self, points: Mapping[str, float], rng: np.random.Generator) -> None:
        self._points, self._rng = points, rng
        self._known: dict[MatchSpec, list[GameLine]] = {}

    def lines_of(self, matches: Sequence[MatchSpec]) -> list[GameLine]:
        """The games of some matches."""
        for match in matches:
            if match not in self._known:
                self._known[match] = self._play(match)
        return [line for match in matches for line in self._known[match]]

    def _play(self, match: MatchSpec) -> list[GameLine]:
        players = len(match.seats)
        points = np.array([self._points[agent] for agent in match.seats])
        points += np.linspace(FIRST_SEAT, -FIRST_SEAT, players)
        luck = self._rng.gumbel(
            size=(SEEDS_PER_MATCH, players)
        )  # the greatest sum is as likely as Plackett and Luce say
        won = (points / POINTS + luck).argmax(axis=1)[:, None] == np.arange(players)
        returns = np.where(won, 1.0, -1.0 / (players - 1)).tolist()
        nothing = (1,) * players, None, "", (0.0,) * players
        rows = zip(match.numbers, returns, strict=True)
        return [GameLine(match.seats, deal, 0, tuple(row), *nothing) for deal, row in rows]


@dataclass(frozen=True)
class Found:
    """What a tournament has found out about all pairs."""

    errors: Array  # points, of the difference between the better by rating and the worse
    halves: Array  # of their intervals
    games: int


def play(players: int, points: Sequence[float], games: int, precision: float, seed: int) -> Found:
    """A tournament of agents with so many points."""
    agents = [ANCHOR_AGENT, *(f"noisy:0.{number:03}" for number in range(1, len(points)))]
    config = TournamentConfig(game="falling_off", agents=agents, games=games, precision=precision, seed=seed)
    rng = np.random.default_rng(seed)
    truth = rng.permutation(points)
    store, rounds = MadeUp(dict(zip(agents, truth.tolist(), strict=True)), rng), Rounds(config, players)
    while rounds.next(store):
        pass
    lines = store.lines_of(rounds.planned)
    gaps = Results.of(lines, agents).gaps()
    errors = [gap.points - (truth[gap.better] - truth[gap.worse]) for gap in gaps]
    return Found(np.array(errors), np.array([gap.half for gap in gaps]), len(lines))


def main() -> None:
    """Tell how often intervals of differences hold the truth, and by how much these are too large."""
    parser = argparse.ArgumentParser(prog="python -m tests.arena.coverage", description=main.__doc__)
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--agents", type=int, default=5)
    parser.add_argument("--apart", type=float, default=0.0, help="points from each agent to the next")
    parser.add_argument("--games", type=int, default=3000)
    parser.add_argument("--precision", type=float, default=15.0)
    parser.add_argument("--tournaments", type=int, default=200)
    asked = parser.parse_args()
    points = [asked.apart * number for number in range(asked.agents)]
    found = [play(asked.players, points, asked.games, asked.precision, seed) for seed in range(asked.tournaments)]
    shares = np.array([np.mean(abs(one.errors) <= one.halves) for one in found])
    bias = np.mean([one.errors.mean() for one in found])
    print(
        f"{shares.mean():.3f} ± {1.96 * shares.std() / len(found) ** 0.5:.3f} of intervals hold the truth; "
        f"differences are {bias:+.1f} points too large; {np.mean([one.games for one in found]):,.0f} games"
    )


if __name__ == "__main__":
    main()
