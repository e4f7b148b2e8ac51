"""Sittings played by several workers, in which agents may fail as they like."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from agents.arena.match import LONGEST_WARM_UP, Played
from agents.arena.pairings import DEALS, Sitting
from agents.workers.task import Ask, DiedError, Note, Task
from agents.workers.workers import Workers

MOST_ENDS = 3  # games in a row in which an agent may end the process, before it forfeits the rest of the sitting
GRACE = 10.0  # seconds beyond the time for a decision after which a process is killed

Deals = tuple[Sequence[str], Sequence[int]]  # who has which seat, and the numbers of the deals


@dataclass(frozen=True)
class Rules(Task):
    """What all games of a tournament have in common. Its jobs are sittings."""

    apart: ClassVar[bool] = True

    game: str
    params: Mapping[str, Any]
    least: float  # that a player can get
    first_seed: int
    limit: float | None = None
    agents: Sequence[str] = ()
    begun: str = ""  # what sets this tournament apart from others, so that it can go on with answers of its own

    @property
    def patience(self) -> float:
        """Agents that are timed are killed some seconds after their time."""
        return math.inf if self.limit is None else max(self.limit, LONGEST_WARM_UP) + GRACE

    def get_ready(self, note: Note) -> Callable[[Deals], list[Played]]:
        """A player that notes which seat is asked."""
        player = Player(self)
        return lambda deals: player.play(*deals, note)

    def do(self, ask: Ask, job: Sitting) -> list[Played]:
        """The games of a sitting: all at once, but if that ends the process one at a time.

        A process that ends once may have been killed from outside, so all are played anew first.
        """
        for _ in range(2):
            try:
                played: list[Played] = ask((job.seats, job.deals))
                return played
            except DiedError as died:
                if died.hung:
                    break
        return self._one_by_one(ask, job.seats, job.deals)

    def _one_by_one(self, ask: Ask, seats: Sequence[str], deals: Sequence[int]) -> list[Played]:
        """Games; if the process dies the agent that was asked has forfeited.

        One that never came back is not waited for again: it has forfeited what is left of the sitting, too. So has one
        that ended the process in `MOST_ENDS` games in a row, as each of them costs a new process.
        """
        games: list[Played] = []
        loser, before, ends = -1, "", [0] * len(seats)
        for deal in deals:
            forfeited = Played.begun(self.first_seed + deal, len(seats))
            if loser >= 0:
                forfeited.lose(loser, before, self.least)
                games.append(forfeited)
                continue
            try:
                games += ask((seats, [deal]))
                ends = [0] * len(seats)
            except DiedError as died:
                if died.note < 0:
                    raise
                why = "never came back" if died.hung else "ended the process that asked it"
                forfeited.lose(died.note, why, self.least)
                games.append(forfeited)
                ends = [count + 1 if seat == died.note else 0 for seat, count in enumerate(ends)]
                if died.hung:
                    loser, before = died.note, "never came back in a game before"
                elif ends[died.note] == MOST_ENDS:
                    loser, before = died.note, f"ended the process in {MOST_ENDS} games before"
        return games


class Player:
    """Plays sittings, and keeps the agents that it has made."""

    def __init__(self, rules: Rules) -> None:
        from agents.common.parameters import make_game

        self.rules, self.game = rules, make_game(rules.game, rules.params)
        self._agents: dict[str, Any] = {}
        self._warm: set[tuple[str, ...]] = set()

    def play(self, seats: Sequence[str], deals: Sequence[int], deciding: Any = lambda seat: None) -> list[Played]:
        """The games of some deals."""
        from agents.arena.match import play_games, warm_up

        for seat, name in enumerate(seats):
            if name not in self._agents:
                self._agents[name] = self._made(name, seat, deciding)
        agents = [self._agents[name] for name in seats]
        for agent in agents:
            if hasattr(agent, "begin_match"):
                agent.begin_match()
            if self.rules.begun and hasattr(agent, "sit_down"):
                agent.sit_down(self.rules.begun, " ".join([*seats, str(deals[0] // DEALS)]))
        seeds = [self.rules.first_seed + deal for deal in deals]
        if self.rules.limit is not None and tuple(seats) not in self._warm:
            warm_up(self.game, agents, seeds[0], deciding)
            self._warm.add(tuple(seats))
        return play_games(self.game, agents, seeds, self.rules.limit, deciding)

    def _made(self, name: str, seat: int, deciding: Any) -> Any:
        """An agent; one of somebody else's may end the process, or never come back, as it is made."""
        from agents.players.agent import is_guest, make_agent

        if is_guest(name):
            deciding(seat)
        try:
            return make_agent(name, self.game)
        finally:
            deciding(-1)


def play_sittings(
    rules: Rules, sittings: Sequence[Sitting], workers: Workers
) -> Iterator[tuple[Sitting, list[Played]]]:
    """All sittings with their games, as they come.

    Where a process dies, or an agent does not come back from a decision long after its time, that game is forfeited by
    the agent that was asked. DiedError if a process dies while no agent is asked.
    """
    for number, played in workers.results(rules, sittings):
        yield sittings[number], played
