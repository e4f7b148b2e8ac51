"""Sittings played by several processes, in which agents may fail as they like."""

from __future__ import annotations

import contextlib
import ctypes
import multiprocessing
import os
import signal
import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any

from agents.arena.seating import Sitting
from agents.arena.table import LONGEST_WARM_UP, Played

GRACE = 10.0  # seconds beyond the time for a decision after which a process is killed
_POLL = 0.5  # seconds


@dataclass(frozen=True)
class Rules:
    """What all games of a tournament have in common, in plain data that a process or a machine can be sent."""

    game: str
    params: Mapping[str, Any]
    least: float  # that a player can get
    first_seed: int
    limit: float | None = None


class Player:
    """Plays sittings, and keeps the agents that it has made."""

    def __init__(self, rules: Rules) -> None:
        from agents.parameters import make_game

        self.rules, self.game = rules, make_game(rules.game, rules.params)
        self._agents: dict[str, Any] = {}
        self._warm: set[tuple[str, ...]] = set()

    def play(self, seats: Sequence[str], deals: Sequence[int], deciding: Any = lambda seat: None) -> list[Played]:
        """The games of some deals."""
        from agents.agent import make_agent
        from agents.arena.table import play_games, warm_up

        for name in seats:
            if name not in self._agents:
                self._agents[name] = make_agent(name, self.game)
        agents = [self._agents[name] for name in seats]
        seeds = [self.rules.first_seed + deal for deal in deals]
        if self.rules.limit is not None and tuple(seats) not in self._warm:
            warm_up(self.game, agents, seeds[0], deciding)
            self._warm.add(tuple(seats))
        return play_games(self.game, agents, seeds, self.rules.limit, deciding)


@dataclass
class _Work:
    """A sitting, the games of it that are over, and how often a process died over it."""

    number: int
    sitting: Sitting
    played: list[Played] = field(default_factory=list)
    deaths: int = 0

    def next_deals(self) -> list[int]:
        """What to play next: all deals at once, after a death one at a time."""
        left = list(self.sitting.deals)[len(self.played) :]
        return left[:1] if self.deaths else left

    def bury(self, seat: int, why: str, rules: Rules) -> None:
        """A process died while an agent was asked. If it played one game alone, the agent has forfeited that."""
        if seat < 0:
            raise RuntimeError(f"a process that played {', '.join(self.sitting.seats)} ended without a reason")
        self.deaths += 1
        if self.deaths > 1:
            lost = Played.begun(rules.first_seed + self.next_deals()[0], len(self.sitting.seats))
            lost.lose(seat, why, rules.least)
            self.played.append(lost)


class _Worker:
    """A process that plays."""

    def __init__(self, rules: Rules) -> None:
        context = multiprocessing.get_context("spawn")
        self.seat = context.RawValue(ctypes.c_int, -1)
        self.since = context.RawValue(ctypes.c_double, 0.0)
        self.connection, theirs = context.Pipe()
        self.process: BaseProcess = context.Process(
            target=_serve, args=(rules, theirs, self.seat, self.since), daemon=True
        )
        self.process.start()
        theirs.close()
        self.work: _Work | None = None

    def begin(self, work: _Work) -> None:
        """Send the next deals of a sitting."""
        self.work = work
        with contextlib.suppress(BrokenPipeError):  # the death is seen where the answer is awaited
            self.connection.send((work.sitting.seats, work.next_deals()))

    def hangs(self, longest: float) -> bool:
        """Whether an agent has not come back from a decision for too long."""
        return self.seat.value >= 0 and time.monotonic() - self.since.value > longest

    def kill(self) -> None:
        """End the process at once, and the programs that it has started."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid or 0, signal.SIGKILL)
        self.process.kill()  # if it has no group of its own yet
        self.process.join()
        self.connection.close()


def play_sittings(rules: Rules, sittings: Iterable[Sitting], workers: int) -> Iterator[tuple[Sitting, list[Played]]]:
    """All sittings with their games, in order, played by so many processes.

    Where a process dies, or an agent does not come back from a decision long after its time, that game is forfeited by
    the agent that was asked. RuntimeError if a process dies while no agent is asked.
    """
    waiting = deque(_Work(number, sitting) for number, sitting in enumerate(sittings))
    count = len(waiting)
    done: dict[int, _Work] = {}
    crew = [_Worker(rules) for _ in range(min(workers, count))]
    try:
        for number in range(count):
            while number not in done:
                _go_on(rules, crew, waiting, done)
            work = done.pop(number)
            yield work.sitting, work.played
    finally:
        for worker in crew:
            worker.kill()


def _go_on(rules: Rules, crew: list[_Worker], waiting: deque[_Work], done: dict[int, _Work]) -> None:
    """Hand out what is to be played, and wait for some answer."""
    for worker in crew:
        if worker.work is None and waiting:
            worker.begin(waiting.popleft())
    busy = [worker for worker in crew if worker.work is not None]
    ready = wait([worker.connection for worker in busy], _POLL)
    longest = max(rules.limit or 0.0, LONGEST_WARM_UP) + GRACE if rules.limit is not None else float("inf")
    for worker in busy:
        if worker.connection in ready or worker.hangs(longest):
            _take(rules, crew, worker, done, worker.connection in ready)


def _take(rules: Rules, crew: list[_Worker], worker: _Worker, done: dict[int, _Work], answers: bool) -> None:
    """Take an answer, or what is left by a process that died or hangs."""
    work, worker.work = worker.work, None
    assert work is not None
    answer: Any = None
    if answers:
        with contextlib.suppress(EOFError, OSError):
            answer = worker.connection.recv()
    if isinstance(answer, BaseException):
        raise answer
    if answer is not None:
        work.played += answer
    else:
        worker.kill()
        crew[crew.index(worker)] = fresh = _Worker(rules)
        work.bury(worker.seat.value, "ended the process that asked it" if answers else "never came back", rules)
        worker = fresh
    if len(work.played) == len(work.sitting.deals):
        done[work.number] = work
    else:
        worker.begin(work)


def _serve(rules: Rules, connection: Connection, seat: Any, since: Any) -> None:
    """What a process does: play what it is sent until nobody is left to send something."""
    os.setpgid(0, 0)  # who started it ends it, not Ctrl-C
    os.environ |= {"EDGE_ENVS_QUIET": "1", "OMP_NUM_THREADS": "1"}

    def deciding(number: int) -> None:
        since.value = time.monotonic()
        seat.value = number

    with contextlib.suppress(EOFError, OSError):
        try:
            player = Player(rules)
            while True:
                seats, deals = connection.recv()
                connection.send(player.play(seats, deals, deciding))
        except (ValueError, ImportError) as error:  # such as a policy that is gone
            connection.send(error)
