"""Play a tournament: rounds of games, planned from the results so far, until the ratings are precise enough."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol, Self

from pydantic import Field

from agents.arena.lines import GameLine, Reader
from agents.arena.match import Played
from agents.arena.match_task import MatchTask, play_matches
from agents.arena.pairings import SEEDS_PER_MATCH, Group, MatchSpec, groups_of_round, seat_orders
from agents.arena.standings import Results, standings
from agents.arena.store import Store
from agents.common.configuration import GameConfig, Section
from agents.common.locks import locked
from agents.common.replaying import play_again
from agents.common.seeds import evaluation_seed
from agents.players.agent import check_agent
from agents.players.digests import made_of
from agents.players.games import check_folder
from agents.workers.workers import Workers
from edge_envs import Game, record_of

FIRST = 4  # passes of the first round, if that is at most half of all games
GROWTH = 3  # a group that continues plays a third of its previous matches again
APART = 0.999  # the level at which a pair counts as different; tests after each round need a strict one
MOST_SEEDS = 2**40

Show = Callable[[str, int, int], None]


class Players(Section):
    """The agents and the game, which may be that of a policy."""

    agents: list[str]
    game: str | None = None
    params: dict[str, Any] = Field(default_factory=dict)


class TournamentConfig(GameConfig):
    """The configuration of a tournament."""

    agents: list[str] = Field(min_length=2)
    games: int = Field(default=2000, gt=0)
    precision: float = Field(default=15.0, gt=0)
    time_limit: float | None = Field(default=None, gt=0, le=3600)
    record: bool = False

    def checked(self) -> Self:
        """Check that each agent exists and is named once."""
        if len(set(self.agents)) < len(self.agents):
            raise ValueError("agents: each is named once")
        for agent in self.agents:
            check_folder(agent)
            check_agent(agent)
        return self


def play_tournament(config: TournamentConfig, folder: Path, workers: Workers, show: Show) -> dict[str, Any]:
    """Play until each pair is different or its difference is precise, or no games are left; return the standings.

    Games in the folder are not played again, and games that this tournament would not have played do not count.

    Raises:
        ValueError: if the folder belongs to another tournament, or if there are too few games for one round.
    """
    game, first_seed = config.load_game(), evaluation_seed(config.seed, MOST_SEEDS)
    store = Store(folder, Reader(game, first_seed))
    with locked(folder, "tournament"):
        common = {
            "game": game.name,
            "version": game.type.version,
            "params": game.params_dict(),
            "seed": config.seed,
            "time_limit": config.time_limit,
            "record": config.record,
        }
        store.open(common, {agent: made_of(agent, game) for agent in config.agents})
        rules = MatchTask(
            game.name,
            game.params_dict(),
            game.min_utility,
            first_seed,
            config.time_limit,
            tuple(config.agents),
            store.begun,
        )
        rounds = Rounds(config, game.num_players)
        while matches := rounds.next(store):
            _play(game, rules, store, matches, workers, config, show)
        return standings(game, Results.of(store.lines_of(rounds.planned), config.agents))


def _play(
    game: Game,
    rules: MatchTask,
    store: Store,
    matches: Sequence[MatchSpec],
    workers: Workers,
    config: TournamentConfig,
    show: Show,
) -> None:
    """Play the missing matches. They are written in order, whichever finishes first."""
    to_come = deque(match for match in matches if not store.knows(match))
    new = [match for match in to_come if not store.holds(match)]
    before = len(matches) - len(new)
    means = _Means(config.agents)
    for number, (match, played) in enumerate(play_matches(rules, new, workers), start=1):
        _release(store, to_come)
        records = [_record(game, one) for one in played] if config.record else []
        if match == to_come[0]:
            store.add(to_come.popleft(), played, records)
        else:
            store.hold(match, played, records)
        means.add(store.lines)
        show(means.best(), (before + number) * SEEDS_PER_MATCH, len(matches) * SEEDS_PER_MATCH)
    _release(store, to_come)


def _release(store: Store, to_come: deque[MatchSpec]) -> None:
    """Write the waiting matches whose turn has come."""
    while to_come and store.holds(to_come[0]):
        store.release(to_come.popleft())


class _Means:
    """The mean return of each agent so far, for the progress bar."""

    def __init__(self, agents: Sequence[str]) -> None:
        self._sums = {agent: [0.0, 0] for agent in agents}
        self._counted = 0

    def add(self, lines: Sequence[GameLine]) -> None:
        """Add the games that are new in `lines`."""
        for line in lines[self._counted :]:
            for agent, value in zip(line.seats, line.returns, strict=True):
                if agent in self._sums:
                    self._sums[agent][0] += value
                    self._sums[agent][1] += 1
        self._counted = len(lines)

    def best(self) -> str:
        """Return the means of the best three."""
        means = sorted(((total / count, agent) for agent, (total, count) in self._sums.items() if count), reverse=True)
        return ", ".join(f"{agent} {mean:+z.2f}" for mean, agent in means[:3])


def _record(game: Game, played: Played) -> str:
    """Make a record of a game; a forfeited game ends where it was forfeited."""
    end = play_again(game, played.seed, iter(played.actions))
    return json.dumps(record_of(end, forfeit=played.forfeit, why=played.why), ensure_ascii=False)


class Known(Protocol):
    """Gives the games of finished matches: a `Store`."""

    def lines_of(self, matches: Sequence[MatchSpec]) -> list[GameLine]:
        """In order."""


class Rounds:
    """Plans the next matches from the games of the rounds so far, whatever else the folder has."""

    def __init__(self, config: TournamentConfig, players: int) -> None:
        self._config, self._players = config, players
        self._played: dict[Group, int] = {}  # the number of passes that each group has played
        self.planned: list[MatchSpec] = []  # of all rounds so far
        self._round = 0

    def next(self, store: Known) -> list[MatchSpec]:
        """Return the matches of the next round; none if the ratings are precise enough, or if no games are left."""
        agents, first_round = self._config.agents, self._round == 0
        pairs = None if first_round else self._open_pairs(Results.of(store.lines_of(self.planned), agents))
        if pairs == []:
            return []
        groups = groups_of_round(len(agents), self._players, self._round, self._config.seed, pairs)
        self._round += 1
        before = len(self.planned)
        for group in groups * (self._first_passes(groups) if first_round else 1):
            for _ in range(1 if first_round else max(1, self._played.get(group, 0) // GROWTH)):
                some = self._matches(group)
                if (len(self.planned) + len(some)) * SEEDS_PER_MATCH > self._config.games:
                    return self.planned[before:]
                self.planned += some
                self._played[group] = self._played.get(group, 0) + 1
        return self.planned[before:]

    def check(self) -> None:
        """Raise ValueError if there are too few games for one round."""
        self._first_passes(self._first_groups())

    def first_round(self) -> int:
        """Return the number of games of the first round, if every group plays once."""
        return self._games_of(self._first_groups())

    def _first_groups(self) -> list[Group]:
        return groups_of_round(len(self._config.agents), self._players, 0, self._config.seed, None)

    def _games_of(self, groups: Sequence[Group]) -> int:
        return sum(len(self._matches(group)) for group in groups) * SEEDS_PER_MATCH

    def _first_passes(self, groups: Sequence[Group]) -> int:
        """Return the number of passes of the first round; ValueError if there are too few games for one."""
        needed = self._games_of(groups)
        if needed > self._config.games:
            raise ValueError(f"{self._config.games:,} games are too few: one round of these agents has {needed:,}")
        return max(1, min(FIRST, self._config.games // 2 // needed))

    def _matches(self, group: Group) -> list[MatchSpec]:
        number = self._played.get(group, 0)
        names = [self._config.agents[agent] for agent in group]
        return [MatchSpec(seats, number * SEEDS_PER_MATCH) for seats in seat_orders(names, number, self._config.seed)]

    def _open_pairs(self, results: Results) -> list[tuple[int, int]]:
        """Return pairs that may be equal and whose difference is not precise enough.

        These are not only neighbours in the rating: if many agents are equal, the order is luck, and playing only
        neighbours would push ratings further apart than their intervals show.
        """
        return [
            (gap.better, gap.worse) for gap in results.gaps() if gap.level < APART and gap.half > self._config.precision
        ]
