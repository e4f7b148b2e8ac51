"""Simulate tournaments of agents of known strength to measure the coverage of intervals with adaptive pairings.

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

FIRST_SEAT = 50.0  # advantage of the first seat over the mean, in points


class SimulatedStore:
    """A store that simulates games on request, between agents of known strength. Each game has a single winner."""

    def __init__(self, points: Mapping[str, float], rng: np.random.Generator) -> None:
        self._points, self._rng = points, rng
        self._known: dict[MatchSpec, list[GameLine]] = {}

    def lines_of(self, matches: Sequence[MatchSpec]) -> list[GameLine]:
        """Return the games of some matches."""
        for match in matches:
            if match not in self._known:
                self._known[match] = self._play(match)
        return [line for match in matches for line in self._known[match]]

    def _play(self, match: MatchSpec) -> list[GameLine]:
        players = len(match.seats)
        points = np.array([self._points[agent] for agent in match.seats])
        points += np.linspace(FIRST_SEAT, -FIRST_SEAT, players)
        luck = self._rng.gumbel(size=(SEEDS_PER_MATCH, players))  # Gumbel-max trick (Plackett-Luce)
        won = (points / POINTS + luck).argmax(axis=1)[:, None] == np.arange(players)
        returns = np.where(won, 1.0, -1.0 / (players - 1)).tolist()
        nothing = (1,) * players, None, "", (0.0,) * players
        rows = zip(match.numbers, returns, strict=True)
        return [GameLine(match.seats, deal, 0, tuple(row), *nothing) for deal, row in rows]


@dataclass(frozen=True)
class Result:
    """Errors and intervals of all pairs in a tournament."""

    errors: Array  # of the rating difference, in points
    halves: Array  # half-widths of the intervals
    games: int


def play(players: int, points: Sequence[float], games: int, precision: float, seed: int) -> Result:
    """Simulate a tournament of agents of these strengths."""
    agents = [ANCHOR_AGENT, *(f"noisy:0.{number:03}" for number in range(1, len(points)))]
    config = TournamentConfig(game="falling_off", agents=agents, games=games, precision=precision, seed=seed)
    rng = np.random.default_rng(seed)
    truth = rng.permutation(points)
    store, rounds = SimulatedStore(dict(zip(agents, truth.tolist(), strict=True)), rng), Rounds(config, players)
    while rounds.next(store):
        pass
    lines = store.lines_of(rounds.planned)
    gaps = Results.of(lines, agents).gaps()
    errors = [gap.points - (truth[gap.better] - truth[gap.worse]) for gap in gaps]
    return Result(np.array(errors), np.array([gap.half for gap in gaps]), len(lines))


def main() -> None:
    """Print the coverage of the intervals of rating differences, and by how much differences are overestimated."""
    parser = argparse.ArgumentParser(prog="python -m tests.arena.coverage", description=main.__doc__)
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--agents", type=int, default=5)
    parser.add_argument("--apart", type=float, default=0.0, help="rating points between neighbouring agents")
    parser.add_argument("--games", type=int, default=3000)
    parser.add_argument("--precision", type=float, default=15.0)
    parser.add_argument("--tournaments", type=int, default=200)
    options = parser.parse_args()
    points = [options.apart * number for number in range(options.agents)]
    results = [
        play(options.players, points, options.games, options.precision, seed) for seed in range(options.tournaments)
    ]
    shares = np.array([np.mean(abs(one.errors) <= one.halves) for one in results])
    bias = np.mean([one.errors.mean() for one in results])
    print(
        f"{shares.mean():.3f} ± {1.96 * shares.std() / len(results) ** 0.5:.3f} of intervals cover the truth; "
        f"differences are overestimated by {bias:+.1f} points; {np.mean([one.games for one in results]):,.0f} games"
    )


if __name__ == "__main__":
    main()
