"""Matches played by several workers, with agents that may fail in any way."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from agents.arena.match import LONGEST_WARM_UP, Played
from agents.arena.pairings import SEEDS_PER_MATCH, MatchSpec
from agents.workers.task import DiedError, Heartbeat, Submit, Task
from agents.workers.workers import Workers

MOST_ENDS = 3  # games in a row in which an agent may kill its process before it forfeits the rest of the match
GRACE = 10.0  # seconds beyond the time limit of a decision after which a process is killed

MatchJob = tuple[Sequence[str], Sequence[int]]  # the agents by seat, and the seed numbers of the games


@dataclass(frozen=True)
class MatchTask(Task):
    """The rules that all games of a tournament share. Its jobs are matches."""

    isolated: ClassVar[bool] = True

    game: str
    params: Mapping[str, Any]
    least: float  # the lowest possible return
    first_seed: int
    limit: float | None = None  # seconds per decision
    agents: Sequence[str] = ()
    begun: str = ""  # identifies this tournament, so that paid answers of its interrupted matches can be reused
    block: int = SEEDS_PER_MATCH  # seed numbers of a match, which share an id

    @property
    def timeout(self) -> float:
        """With a time limit, an agent that does not respond is killed some seconds after it."""
        return math.inf if self.limit is None else max(self.limit, LONGEST_WARM_UP) + GRACE

    def prepare(self, heartbeat: Heartbeat) -> Callable[[MatchJob], list[Played]]:
        """Return a function that plays matches and reports which seat decides."""
        player = MatchPlayer(self)
        return lambda job: player.play(*job, heartbeat)

    def run(self, submit: Submit, job: MatchSpec) -> list[Played]:
        """Play the games of a match, all at once, or one at a time if that kills the process.

        A process that dies once may have been killed from outside, so all games are first played again.
        """
        for _ in range(2):
            try:
                played: list[Played] = submit((job.seats, job.numbers))
                return played
            except DiedError as died:
                if died.hung:
                    break
        return self._one_by_one(submit, job.seats, job.numbers)

    def _one_by_one(self, submit: Submit, seats: Sequence[str], numbers: Sequence[int]) -> list[Played]:
        """Play games one at a time. If the process dies, the agent that was deciding forfeits.

        An agent that hung also forfeits the rest of the match. So does an agent that killed the process in `MOST_ENDS`
        games in a row, because every such game costs a new process.
        """
        games: list[Played] = []
        loser, before, ends = -1, "", [0] * len(seats)
        for number in numbers:
            forfeited = Played.begun(self.first_seed + number, len(seats))
            if loser >= 0:
                forfeited.lose(loser, before, self.least)
                games.append(forfeited)
                continue
            try:
                games += submit((seats, [number]))
                ends = [0] * len(seats)
            except DiedError as died:
                seat = died.last_beat
                if seat < 0:
                    raise
                why = "never came back" if died.hung else "ended the process that asked it"
                forfeited.lose(seat, why, self.least)
                games.append(forfeited)
                ends = [count + 1 if other == seat else 0 for other, count in enumerate(ends)]
                if died.hung:
                    loser, before = seat, "never came back in a game before"
                elif ends[seat] == MOST_ENDS:
                    loser, before = seat, f"ended the process in {MOST_ENDS} games before"
        return games


class MatchPlayer:
    """Plays matches and keeps the agents that it has made."""

    def __init__(self, rules: MatchTask) -> None:
        from agents.common.parameters import make_game

        self.rules, self.game = rules, make_game(rules.game, rules.params)
        self._agents: dict[str, Any] = {}
        self._warm: set[tuple[str, ...]] = set()

    def play(
        self, seats: Sequence[str], numbers: Sequence[int], deciding: Heartbeat = lambda seat: None
    ) -> list[Played]:
        """Play one game for each seed number.

        Args:
            seats: the names of the agents by seat.
            numbers: the seed numbers of the games, counted from `first_seed`.
            deciding: called with the seat that is about to decide, and with -1 afterwards.
        """
        from agents.arena.match import play_games, warm_up

        for seat, name in enumerate(seats):
            if name not in self._agents:
                self._agents[name] = self._made(name, seat, deciding)
        agents = [self._agents[name] for name in seats]
        for agent in agents:
            if hasattr(agent, "begin_match"):
                agent.begin_match()
            if self.rules.begun and hasattr(agent, "join_match"):
                agent.join_match(self.rules.begun, " ".join([*seats, str(numbers[0] // self.rules.block)]))
        seeds = [self.rules.first_seed + number for number in numbers]
        if self.rules.limit is not None and tuple(seats) not in self._warm:
            warm_up(self.game, agents, seeds[0], deciding)
            self._warm.add(tuple(seats))
        return play_games(self.game, agents, seeds, self.rules.limit, deciding)

    def _made(self, name: str, seat: int, deciding: Heartbeat) -> Any:
        """Make an agent; the constructor of an external agent may kill the process or hang."""
        from agents.players.agent import is_external, make_agent

        if is_external(name):
            deciding(seat)
        try:
            return make_agent(name, self.game)
        finally:
            deciding(-1)


def play_matches(
    rules: MatchTask, matches: Sequence[MatchSpec], workers: Workers
) -> Iterator[tuple[MatchSpec, list[Played]]]:
    """Yield each match with its games, in order of completion.

    If a process dies, or an agent does not respond long after its time limit, the agent that was deciding forfeits the
    game. DiedError if a process dies while no agent is deciding.
    """
    for number, played in workers.results(rules, matches):
        yield matches[number], played
