"""The routes of the daily puzzle. Its values are sent only after an answer."""

from __future__ import annotations

import asyncio
import datetime
from collections import OrderedDict
from typing import Any

import numpy as np
from starlette.requests import Request
from starlette.routing import Route

from edge_envs import GAMES
from edge_envs.core.errors import in_short
from edge_envs.play.puzzles import Puzzle, puzzle_of, source_of
from edge_envs.web.catalog import Catalog, prepare
from edge_envs.web.guard import Limits, Refusal
from edge_envs.web.models import PuzzleAnswer, read_body
from edge_envs.web.responses import Answer, Wait, json_route
from edge_envs.web.threads import Threads
from edge_envs.web.validation import theme_of
from edge_envs.web.views import choices

EARLIER = 30
"""How many earlier puzzles a page may request, in days. Tomorrow's is there because of time zones."""


class PuzzleRoutes:
    """The puzzles of today and of the days before."""

    def __init__(self, catalog: Catalog, threads: Threads, limits: Limits) -> None:
        self._catalog, self._threads, self._limits = catalog, threads, limits
        self._puzzles: OrderedDict[datetime.date, asyncio.Future[Puzzle]] = OrderedDict()

    def routes(self) -> list[Route]:
        """Return the routes."""
        return [
            Route("/api/puzzles", json_route(self.about), methods=["GET"]),
            Route("/api/puzzles/{day}", json_route(self.puzzle), methods=["GET"]),
            Route("/api/puzzles/{day}/answer", json_route(self.answer), methods=["POST"]),
        ]

    async def about(self, request: Request) -> Answer:
        """Return today's date on this machine and the game of its puzzle, without creating the puzzle."""
        today = datetime.date.today()
        return {"day": today.isoformat(), **_game_of(today), "earlier": EARLIER}

    async def puzzle(self, request: Request) -> Answer:
        """Return the position and the question of a day."""
        day, theme = _day(request), theme_of(request.query_params.get("theme"))
        puzzle = await self._puzzle(day)

        def show() -> Answer:
            state = puzzle.state
            seat = state.current_player()
            return {
                "day": day.isoformat(),
                **_game_of(day),
                "params": state.game.params_dict(),
                "question": puzzle.task,
                "player": seat,
                "task": state.task(),
                "exact": puzzle.is_exact,
                "judge": puzzle.judge,
                "svg": state.svg(seat, theme=theme, clicks=True, turn=True),
                "text": state.observation_string(seat),
                **choices(state),
                "position": state.to_dict(),
            }

        return await self._threads.run("quick", show)

    async def answer(self, request: Request) -> Answer:
        """Say whether an action is the best one, and return the win probability after each action."""
        action = read_body(PuzzleAnswer, await request.body()).action
        puzzle = await self._puzzle(_day(request))
        state, values = puzzle.state, puzzle.values
        if action not in state.legal_actions():
            raise Refusal(422, f"invalid action={in_short(action)}: not legal in this position")
        known = sorted(np.flatnonzero(np.isfinite(values)).tolist(), key=lambda one: (-values[one], one))
        return {
            "right": puzzle.is_right(action),
            "chosen": state.action_to_string(action),
            "best": state.action_to_string(known[0]),
            "values": [[one, state.action_to_string(one), round(float(values[one]), 4)] for one in known],
        }

    async def _puzzle(self, day: datetime.date) -> Puzzle:
        """Return the puzzle of a day, which is created once.

        Raises:
            Wait: while it is being created, or its game compiled.
        """
        kind = GAMES[source_of(day).game]
        await prepare(self._catalog, kind)
        known = self._puzzles.get(day)
        if known is None or (known.done() and (known.cancelled() or known.exception())):
            known = asyncio.ensure_future(self._threads.run("judges", lambda: puzzle_of(day)))
            self._puzzles[day] = known
            while len(self._puzzles) > EARLIER + 2:
                self._puzzles.popitem(last=False)
        await asyncio.wait([known], timeout=self._limits.wait)
        if not known.done():
            raise Wait("the puzzle is being created")
        return known.result()


def _day(request: Request) -> datetime.date:
    """Return the day named in the address."""
    text = request.path_params["day"]
    today = datetime.date.today()
    try:
        day = datetime.date.fromisoformat(text)
    except ValueError:
        raise Refusal(404, f"invalid day {in_short(text)}: expected a date such as {today}") from None
    if not -EARLIER <= (day - today).days <= 1:
        raise Refusal(404, f"no puzzle for {day}: expected {today - datetime.timedelta(EARLIER)} to {today}")
    return day


def _game_of(day: datetime.date) -> dict[str, Any]:
    kind = GAMES[source_of(day).game]
    return {"game": kind.name, "title": kind.title}
