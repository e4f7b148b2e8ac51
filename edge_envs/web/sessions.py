"""Sessions: matches with tokens, the loop that advances them, streams of updates, and advice."""

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
from edge_envs.play.match import Match, Turn
from edge_envs.players import Agent
from edge_envs.web.catalog import HUMAN
from edge_envs.web.guard import Limits, Refusal

Made = TypeVar("Made")

SLICE = 0.05  # seconds that a thread advances a match before others have their turn
TOKEN_BYTES = 18
LONGEST_PAUSE = 10.0
MOST_QUESTIONS = 4
HEARTBEAT = 15.0  # seconds


class Threads:
    """Thread pools: for `quick` work that a page waits for, for agents, and for judges."""

    def __init__(self) -> None:
        self._threads = {name: ThreadPoolExecutor(4, name) for name in ("quick", "agents", "judges")}

    def run(self, name: str, work: Callable[[], Made]) -> Awaitable[Made]:
        """Run a function in the thread pool of this name."""
        return asyncio.get_running_loop().run_in_executor(self._threads[name], work)


@dataclass(frozen=True)
class Verdict:
    """Advice after a decision: the transitions before it, the text, its loss, and the summary of all decisions."""

    at: int
    text: str
    loss: float
    summed: str


class Session:
    """One match, with a token for each human player's seat and a key for its creator.

    `version` increases with every change of the page, such as advice; `Match.revision` only with the position.
    """

    def __init__(self, match: Match, names: Sequence[str], threads: Threads, limits: Limits) -> None:
        self.id = secrets.token_urlsafe(TOKEN_BYTES)
        self.key = secrets.token_urlsafe(TOKEN_BYTES)
        self.match = match
        self.names = list(names)
        self.tokens = {seat: secrets.token_urlsafe(TOKEN_BYTES) for seat in match.human_seats()}
        self.notes: dict[int, list[Verdict]] = {}
        self.gives_advice = False
        self.pause = 0.0
        self.version = 0
        self.is_closed = False
        self.streams = 0
        self.used = time.monotonic()
        self._threads, self._limits = threads, limits
        self._news = asyncio.Event()
        self._driver: asyncio.Task[None] | None = None
        self._resumed = False
        self._judges: dict[str, Judge] = {}
        self._questions: dict[str, asyncio.Future[Any]] = {}
        self._advising: set[asyncio.Task[None]] = set()
        self._judging = threading.Lock()

    # Access

    def seat_of(self, token: str) -> int | None:
        """Return the seat of a token; None for the key.

        Raises:
            Refusal: if the token is neither.
        """
        self.used = time.monotonic()
        for seat, own in self.tokens.items():
            if hmac.compare_digest(own.encode(), token.encode("utf-8", "replace")):
                return seat
        self.check_key(token)
        return None

    def check_key(self, token: str) -> None:
        """Reject any token but the key."""
        if not hmac.compare_digest(self.key.encode(), token.encode("utf-8", "replace")):
            raise Refusal(404, "this match does not exist, or you have no access to it")

    @property
    def is_open(self) -> bool:
        """Whether everybody may see everything: nothing is hidden, the game is over, or one human has all seats."""
        match = self.match
        return match.game.perfect_information or match.turn is Turn.OVER or match.one_human_plays_all

    def change(self, seat: int, name: str, agent: Agent | None) -> str | None:
        """Change the player of a seat, which invalidates its token. Return the new token of a human player, or None."""
        if name != HUMAN or seat not in self.tokens:
            self.match.change(seat, agent)
            self.names[seat] = name
            self.tokens.pop(seat, None)
            if name == HUMAN:
                self.tokens[seat] = secrets.token_urlsafe(TOKEN_BYTES)
        self.resume()
        return self.tokens.get(seat)

    # Advancing

    def resume(self) -> None:
        """Notify the streams, and advance the match while chance or agents are to move."""
        self.notify()
        self._resumed = True
        if self._driver is None or self._driver.done():
            self._driver = asyncio.create_task(self._drive())

    async def _drive(self) -> None:
        while self._resumed and not self.is_closed:
            self._resumed = False
            turn = self.match.turn
            while turn.is_automatic and not self.is_closed:
                if self.match.revision > self._limits.transitions:
                    self.match.error = f"the game is longer than {self._limits.transitions} transitions"
                    break
                turn, by_agent = await self._threads.run("agents", self._move)
                self.notify()
                if by_agent and self.pause:
                    await asyncio.sleep(self.pause)

    def _move(self) -> tuple[Turn, bool]:
        """Make some transitions; with a pause, only one by an agent. Return the turn, and whether an agent moved."""
        until = time.monotonic() + SLICE
        turn, by_agent = self.match.turn, False
        while turn.is_automatic and time.monotonic() < until and not (by_agent and self.pause):
            before, by_agent = turn, turn is Turn.AGENT
            turn = self.match.advance()
            if turn is Turn.AGENT and before is Turn.CHANCE:
                break  # show the chance outcome while the agent thinks
        return turn, by_agent

    # Updates

    def notify(self) -> None:
        """Notify all streams of a new version."""
        self.version += 1
        news, self._news = self._news, asyncio.Event()
        news.set()

    def close(self) -> None:
        """Close the match."""
        self.is_closed = True
        self.notify()

    async def stream(self) -> AsyncIterator[bytes]:
        """Yield server-sent events: each new version, and a comment as a heartbeat."""
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
        """Whether the game has a judge that can give advice."""
        return judge_for(self.match.game) is not None

    def consult(self, by: str, playouts: int, agent: Agent | None, ask: Callable[[Judge], Made]) -> Made:
        """Call a function with a judge: the `best` one, `playouts`, or an agent.

        Raises:
            ValueError: if the judge cannot judge this game.
        """
        with self._judging:
            if by == "playouts":
                return ask(PlayoutJudge(self.match.game, playouts, seed=self.match.revision))
            if by not in self._judges:
                self._judges[by] = self._new_judge(by, agent)
            return ask(self._judges[by])

    def _new_judge(self, by: str, agent: Agent | None) -> Judge:
        if by == "best":
            make = judge_for(self.match.game)
            if make is None:
                raise ValueError("this game has no judge: use playouts or an agent")
            return make(self.match.game)
        if agent is None:
            raise ValueError(f"{by} does not value actions")
        return judge_by(agent)

    async def answer(self, question: str, find: Callable[[], Made]) -> Made | None:
        """Return a judge's answer, or None if it is not ready in time. Repeated questions share one answer."""
        if question not in self._questions:
            if len(self._questions) >= MOST_QUESTIONS:
                raise Refusal(429, "too many questions at once")
            asked = asyncio.ensure_future(self._threads.run("judges", find))
            self._questions[question] = asked
            asked.add_done_callback(lambda done: self._answered(question, done))
        future = self._questions[question]
        await asyncio.wait([future], timeout=self._limits.wait)
        return future.result() if future.done() else None

    def _answered(self, question: str, done: asyncio.Future[Any]) -> None:
        self._questions.pop(question, None)
        if not done.cancelled():
            done.exception()  # waiters get the exception; there may be none any more

    def advise(self, seat: int, before: State, action: int) -> None:
        """Start to compute what a decision gives away."""
        task = asyncio.create_task(self._advise(seat, before, action))
        self._advising.add(task)
        task.add_done_callback(self._advising.discard)

    async def _advise(self, seat: int, before: State, action: int) -> None:
        def verdict(judge: Judge) -> Verdict:
            losses = [note.loss for note in self.notes.get(seat, []) if note.at < at]
            text, loss = Adviser(judge).verdict(before, action)
            return Verdict(at, text, loss, Adviser(judge, [*losses, loss]).sum_up())

        at = len(before.history())
        note = await self._threads.run("judges", lambda: self.consult("best", 0, None, verdict))
        if self.match.look(lambda state: state.history()[at : at + 1]) == [(seat, action)]:
            self.notes[seat] = [*(one for one in self.notes.get(seat, []) if one.at < at), note]
            self.notify()

    def forget(self, at: int) -> None:
        """Drop the advice about decisions that were taken back."""
        for seat, notes in self.notes.items():
            self.notes[seat] = [note for note in notes if note.at < at]


class Sessions:
    """All sessions. If there are too many, the one that has been idle for longest is closed."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._sessions: dict[str, Session] = {}

    def __len__(self) -> int:
        return len(self._sessions)

    def __iter__(self) -> Any:
        return iter(list(self._sessions.values()))

    def find(self, number: str) -> Session:
        """Return a session by its id.

        Raises:
            Refusal: if the session does not exist.
        """
        if number not in self._sessions:
            raise Refusal(404, "this match does not exist, or you have no access to it")
        return self._sessions[number]

    def add(self, session: Session) -> None:
        """Add a session.

        Raises:
            Refusal: if there are too many, and all are in use.
        """
        if len(self._sessions) >= self._limits.sittings:
            oldest = min(self._sessions.values(), key=lambda one: (one.streams > 0, one.used))
            if oldest.streams or time.monotonic() - oldest.used < self._limits.idle:
                raise Refusal(429, f"too many matches: all {len(self._sessions)} are in use")
            self.remove(oldest)
        self._sessions[session.id] = session

    def remove(self, session: Session) -> None:
        """Close a session."""
        self._sessions.pop(session.id, None)
        session.close()

    @property
    def streams(self) -> int:
        """The number of open streams."""
        return sum(session.streams for session in self._sessions.values())
