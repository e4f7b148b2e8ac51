"""The judges of one match: values, hints and advice."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from edge_envs import State
from edge_envs.play.analysis import best_judge
from edge_envs.play.appraisal import Adviser, Judge, PlayoutJudge, judge_by, judge_for
from edge_envs.play.match import Match
from edge_envs.players import Agent
from edge_envs.web.guard import Limits, Refusal
from edge_envs.web.threads import Threads

Made = TypeVar("Made")

MOST_QUESTIONS = 4
WINS = "wins"
"""The name of the judge of win probabilities."""


@dataclass(frozen=True)
class Verdict:
    """Advice after a decision: the transitions before it, the text, its loss, and the summary of all decisions."""

    at: int
    text: str
    loss: float
    summed: str


class Judging:
    """Answers questions about the positions of a match in threads, and keeps the advice given in it."""

    def __init__(self, match: Match, threads: Threads, limits: Limits, notify: Callable[[], None]) -> None:
        """Call `notify` after each new advice."""
        self.notes: dict[int, list[Verdict]] = {}
        self._match, self._threads, self._limits, self._notify = match, threads, limits, notify
        self._judges: dict[str, Judge] = {}
        self._questions: dict[tuple[str, int], asyncio.Future[Any]] = {}
        self._advising: set[asyncio.Task[None]] = set()
        self._locks: dict[str, threading.Lock] = {}

    @property
    def has_best_judge(self) -> bool:
        """Whether the game has a judge that can give advice."""
        return judge_for(self._match.game) is not None

    def consult(self, by: str, playouts: int, agent: Agent | None, ask: Callable[[Judge], Made]) -> Made:
        """Call a function with a judge: the `best` one, `wins`, `playouts`, or an agent.

        Raises:
            ValueError: if the judge cannot judge this game.
        """
        with self._locks.setdefault(by, threading.Lock()):  # a judge that is compiled does not delay the others
            if by == "playouts":
                return ask(PlayoutJudge(self._match.game, playouts, seed=self._match.revision))
            if by not in self._judges:
                self._judges[by] = self._new_judge(by, agent)
            return ask(self._judges[by])

    def _new_judge(self, by: str, agent: Agent | None) -> Judge:
        if by == WINS:
            return best_judge(self._match.game, self._match.copy()[0])
        if by == "best":
            make = judge_for(self._match.game)
            if make is None:
                raise ValueError("this game has no judge: use playouts or an agent")
            return make(self._match.game)
        if agent is None:
            raise ValueError(f"{by} does not value actions")
        return judge_by(agent)

    async def answer(self, kind: str, revision: int, find: Callable[[], Made], *, alone: bool = False) -> Made | None:
        """Return a judge's answer about a revision of the match, or None if it is not ready in time.

        Repeated questions share one answer. If `alone`, a question waits until those of its kind about other revisions
        are answered, so that quick decisions do not start many searches.
        """
        question = kind, revision
        if question not in self._questions:
            earlier = [asked for (other, _), asked in self._questions.items() if alone and other == kind]
            if earlier:
                await asyncio.wait(earlier, timeout=self._limits.wait)
                return None
            if len(self._questions) >= MOST_QUESTIONS:
                raise Refusal(429, "too many questions at once")
            asked = asyncio.ensure_future(self._threads.run("judges", find))
            self._questions[question] = asked
            asked.add_done_callback(lambda done: self._answered(question, done))
        future = self._questions[question]
        await asyncio.wait([future], timeout=self._limits.wait)
        return future.result() if future.done() else None

    def _answered(self, question: tuple[str, int], done: asyncio.Future[Any]) -> None:
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
        if self._match.look(lambda state: state.history()[at : at + 1]) == [(seat, action)]:
            self.notes[seat] = [*(one for one in self.notes.get(seat, []) if one.at < at), note]
            self._notify()

    def forget(self, at: int) -> None:
        """Drop the advice about decisions that were taken back."""
        for seat, notes in self.notes.items():
            self.notes[seat] = [note for note in notes if note.at < at]
