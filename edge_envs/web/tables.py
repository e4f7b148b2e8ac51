"""Sittings with what a server adds to them: tokens, who makes them go on, who is told of news, advice."""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import secrets
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar

from edge_envs import State
from edge_envs.play.appraisal import Adviser, Judge, PlayoutJudge, judge_by, judge_for
from edge_envs.play.sitting import Sitting, Turn
from edge_envs.players import Agent
from edge_envs.web.guard import Limits, Refusal
from edge_envs.web.shelf import HUMAN

Made = TypeVar("Made")

SLICE = 0.05  # seconds that a thread makes a sitting go on before others have their turn
TOKEN_BYTES = 18
LONGEST_PAUSE = 10.0
MOST_QUESTIONS = 4
HEARTBEAT = 15.0  # seconds


class Crew:
    """Threads for what takes time: `quick` work that a page waits for, agents that think, and judges."""

    def __init__(self) -> None:
        self._threads = {name: ThreadPoolExecutor(4, name) for name in ("quick", "agents", "judges")}

    def run(self, name: str, work: Callable[[], Made]) -> Awaitable[Made]:
        """Do some work in a thread of a kind."""
        return asyncio.get_running_loop().run_in_executor(self._threads[name], work)


@dataclass(frozen=True)
class Note:
    """Advice after a decision: how many transitions were before it, what is said, its loss, and of all what is said."""

    at: int
    text: str
    loss: float
    summed: str


class Table:
    """One sitting, with a token for each person's seat and a key for who has set it up.

    `version` grows with all that a page may show, such as advice; `Sitting.revision` with the position alone.
    """

    def __init__(self, sitting: Sitting, names: Sequence[str], crew: Crew, limits: Limits) -> None:
        self.id = secrets.token_urlsafe(TOKEN_BYTES)
        self.key = secrets.token_urlsafe(TOKEN_BYTES)
        self.sitting = sitting
        self.names = list(names)
        self.tokens = {seat: secrets.token_urlsafe(TOKEN_BYTES) for seat in sitting.persons()}
        self.notes: dict[int, list[Note]] = {}
        self.gives_advice = False
        self.pause = 0.0
        self.version = 0
        self.is_closed = False
        self.streams = 0
        self.used = time.monotonic()
        self._crew, self._limits = crew, limits
        self._news = asyncio.Event()
        self._driver: asyncio.Task[None] | None = None
        self._wanted = False
        self._judges: dict[str, Judge] = {}
        self._questions: dict[str, asyncio.Future[Any]] = {}
        self._advising: set[asyncio.Task[None]] = set()
        self._judging = threading.Lock()

    # Who asks

    def seat_of(self, token: str) -> int | None:
        """The seat that a token is for; None for the key. Refusal if it is neither."""
        self.used = time.monotonic()
        for seat, own in self.tokens.items():
            if hmac.compare_digest(own.encode(), token.encode("utf-8", "replace")):
                return seat
        self.check_key(token)
        return None

    def check_key(self, token: str) -> None:
        """Refuse what is not the key."""
        if not hmac.compare_digest(self.key.encode(), token.encode("utf-8", "replace")):
            raise Refusal(404, "there is no such sitting, or it is not yours")

    @property
    def is_open(self) -> bool:
        """Whether all may be told everything: nothing is hidden, it is over, or one person plays all seats."""
        sitting = self.sitting
        return sitting.game.perfect_information or sitting.turn is Turn.OVER or sitting.one_plays_all

    def change(self, seat: int, name: str, agent: Agent | None) -> str | None:
        """Let somebody else sit in a seat; the token if it is a person. The old token is worth nothing then."""
        if name != HUMAN or seat not in self.tokens:
            self.sitting.change(seat, agent)
            self.names[seat] = name
            self.tokens.pop(seat, None)
            if name == HUMAN:
                self.tokens[seat] = secrets.token_urlsafe(TOKEN_BYTES)
        self.go_on()
        return self.tokens.get(seat)

    # Going on

    def go_on(self) -> None:
        """Tell the news, and let chance and agents make their moves."""
        self.tell()
        self._wanted = True
        if self._driver is None or self._driver.done():
            self._driver = asyncio.create_task(self._drive())

    async def _drive(self) -> None:
        while self._wanted and not self.is_closed:
            self._wanted = False
            turn = self.sitting.turn
            while turn.goes_on and not self.is_closed:
                if self.sitting.revision > self._limits.transitions:
                    self.sitting.error = f"this game goes on for more than {self._limits.transitions} transitions"
                    break
                turn, by_agent = await self._crew.run("agents", self._move)
                self.tell()
                if by_agent and self.pause:
                    await asyncio.sleep(self.pause)

    def _move(self) -> tuple[Turn, bool]:
        """Some transitions, one of an agent at most where there are pauses; what is waited for, and if one moved."""
        until = time.monotonic() + SLICE
        turn, by_agent = self.sitting.turn, False
        while turn.goes_on and time.monotonic() < until and not (by_agent and self.pause):
            before, by_agent = turn, turn is Turn.AGENT
            turn = self.sitting.advance()
            if turn is Turn.AGENT and before is Turn.CHANCE:
                break  # it may think for long, and what chance did can be seen meanwhile
        return turn, by_agent

    # News

    def tell(self) -> None:
        """Tell all streams that there is something new."""
        self.version += 1
        news, self._news = self._news, asyncio.Event()
        news.set()

    def close(self) -> None:
        """End the sitting."""
        self.is_closed = True
        self.tell()

    async def stream(self) -> AsyncIterator[bytes]:
        """Server-sent events: the version whenever it has grown, and a comment now and then."""
        self.streams += 1
        try:
            while not self.is_closed:
                news = self._news
                yield f"data: {self.version}\n\n".encode()
                while not news.is_set():
                    with contextlib.suppress(TimeoutError):
                        await asyncio.wait_for(news.wait(), HEARTBEAT)
                    if not news.is_set():
                        yield b":\n\n"
                self.used = time.monotonic()
            yield b"event: closed\ndata: 0\n\n"
        finally:
            self.streams -= 1

    # Judging

    @property
    def has_best_judge(self) -> bool:
        """Whether there is a judge whose word is advice."""
        return judge_for(self.sitting.game) is not None

    def consult(self, by: str, playouts: int, agent: Agent | None, ask: Callable[[Judge], Made]) -> Made:
        """Ask a judge: the `best` there is, `playouts`, or an agent; ValueError if it cannot judge this game."""
        with self._judging:
            if by == "playouts":
                return ask(PlayoutJudge(self.sitting.game, playouts, seed=self.sitting.revision))
            if by not in self._judges:
                self._judges[by] = self._new_judge(by, agent)
            return ask(self._judges[by])

    def _new_judge(self, by: str, agent: Agent | None) -> Judge:
        if by == "best":
            make = judge_for(self.sitting.game)
            if make is None:
                raise ValueError("nobody can judge this game but playouts and agents")
            return make(self.sitting.game)
        if agent is None:
            raise ValueError(f"{by} does not tell what actions are worth")
        return judge_by(agent)

    async def answer(self, question: str, find: Callable[[], Made]) -> Made | None:
        """What a judge finds; None if it has found nothing yet after some time. Who asks again waits for the same."""
        if question not in self._questions:
            if len(self._questions) >= MOST_QUESTIONS:
                raise Refusal(429, "too many questions at once")
            asked = asyncio.ensure_future(self._crew.run("judges", find))
            self._questions[question] = asked
            asked.add_done_callback(lambda done: self._answered(question, done))
        future = self._questions[question]
        await asyncio.wait([future], timeout=self._limits.wait)
        return future.result() if future.done() else None

    def _answered(self, question: str, done: asyncio.Future[Any]) -> None:
        self._questions.pop(question, None)
        if not done.cancelled():
            done.exception()  # whoever waits gets it; nobody may wait any more

    def advise(self, seat: int, before: State, action: int) -> None:
        """Say what a decision gives away, once that is known."""
        task = asyncio.create_task(self._advise(seat, before, action))
        self._advising.add(task)
        task.add_done_callback(self._advising.discard)

    async def _advise(self, seat: int, before: State, action: int) -> None:
        def verdict(judge: Judge) -> Note:
            losses = [note.loss for note in self.notes.get(seat, []) if note.at < at]
            text, loss = Adviser(judge).verdict(before, action)
            return Note(at, text, loss, Adviser(judge, [*losses, loss]).sum_up())

        at = len(before.history())
        note = await self._crew.run("judges", lambda: self.consult("best", 0, None, verdict))
        if self.sitting.look(lambda state: state.history()[at : at + 1]) == [(seat, action)]:
            self.notes[seat] = [*(one for one in self.notes.get(seat, []) if one.at < at), note]
            self.tell()

    def forget(self, at: int) -> None:
        """Forget the advice for decisions that were taken back."""
        for seat, notes in self.notes.items():
            self.notes[seat] = [note for note in notes if note.at < at]


class Tables:
    """All sittings; of too many the one goes that has been idle for longest."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._tables: dict[str, Table] = {}

    def __len__(self) -> int:
        return len(self._tables)

    def __iter__(self) -> Any:
        return iter(list(self._tables.values()))

    def find(self, number: str) -> Table:
        """A sitting by its id; Refusal if there is none."""
        if number not in self._tables:
            raise Refusal(404, "there is no such sitting, or it is not yours")
        return self._tables[number]

    def add(self, table: Table) -> None:
        """Add a sitting; Refusal if there are too many, and all are in use."""
        if len(self._tables) >= self._limits.sittings:
            oldest = min(self._tables.values(), key=lambda one: (one.streams > 0, one.used))
            if oldest.streams or time.monotonic() - oldest.used < self._limits.idle:
                raise Refusal(429, f"there are {len(self._tables)} sittings, and all are in use")
            self.remove(oldest)
        self._tables[table.id] = table

    def remove(self, table: Table) -> None:
        """End a sitting."""
        self._tables.pop(table.id, None)
        table.close()

    @property
    def streams(self) -> int:
        """How many streams of events are open."""
        return sum(table.streams for table in self._tables.values())
