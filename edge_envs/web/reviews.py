"""Reviews of records: their scenes, a page without a server, an analysis and a GIF."""

from __future__ import annotations

import time

from edge_envs import Game
from edge_envs.core.errors import in_short
from edge_envs.core.game_type import GameType
from edge_envs.play.appraisal import Judge, Valuing, judge_by
from edge_envs.records import replay, start_of
from edge_envs.replays import ends_of_scenes, packed_scenes, replay_page, scenes
from edge_envs.web.analyses import Analyses
from edge_envs.web.catalog import Catalog, prepare
from edge_envs.web.films import Films
from edge_envs.web.guard import Limits, Refusal
from edge_envs.web.responses import Answer
from edge_envs.web.threads import Threads
from edge_envs.web.validation import check_record


class Reviews:
    """Reviews of records, which may come from a request or from a finished match.

    Each method raises a Refusal if the record is not valid, and Wait until its game is compiled.
    """

    def __init__(self, catalog: Catalog, threads: Threads, limits: Limits) -> None:
        self._catalog, self._threads, self._limits = catalog, threads, limits
        self._analyses, self._films = Analyses(), Films()

    def close(self) -> None:
        """Wait for the threads that analyse and draw."""
        self._analyses.close()
        self._films.close()

    async def scenes(self, record: Answer, player: int | None = None) -> Answer:
        """Return the scenes of a record, as one player or everyone sees them."""
        kind = await self._checked(record)

        def show() -> Answer:
            replay(record)
            until = time.monotonic() + self._limits.replay_time
            shown = []
            for scene in scenes(record, player):
                shown.append(scene)
                if time.monotonic() > until:
                    raise Refusal(422, "this game takes too long to show")
            return {
                **packed_scenes(shown),
                "title": kind.title,
                "players": [scene.player for scene in shown],
                "at": ends_of_scenes(record),
                "returns": record["returns"],
            }

        return await self._threads.run("judges", show)

    async def page(self, record: Answer, player: int | None = None) -> Answer:
        """Return a page that shows a record without a server, with the analysis if it is complete."""
        await self._checked(record)

        def make() -> Answer:
            replay(record)
            return {"html": replay_page(record, player, analysis=self._analyses.ready(record))}

        return await self._threads.run("judges", make)

    async def analysis(self, record: Answer, by: str | None = None) -> Answer:
        """Return the analysis of a record as far as it is known, and start it if it is new.

        It is made by the best judge, or by the agent `by`.
        """
        await self._check_finished(record, "only finished games can be analysed")
        if by is None:
            analysis = self._analyses.of(record)
        else:
            judge = await self._threads.run("judges", lambda: self._judge_by(by, start_of(record).game))
            analysis = self._analyses.of(record, by, lambda game, state: judge)
        if analysis.error:
            raise Refusal(422, analysis.error)
        return await self._threads.run("quick", analysis.to_dict)

    async def film(self, record: Answer) -> Answer:
        """Return how much of the GIF of a record is made, and start it if it is new; at the end also the GIF."""
        await self._check_finished(record, "only finished games have a GIF")
        film = self._films.of(record)
        if film.error:
            raise Refusal(422, film.error)
        return await self._threads.run("quick", film.to_dict)

    def _judge_by(self, name: str, game: Game) -> Judge:
        """Return an agent as a judge of win probabilities.

        Raises:
            Refusal: if the agent is not listed, or does not value actions.
        """
        agent = self._catalog.agent(name, game)
        if not isinstance(agent, Valuing):
            raise Refusal(422, f"{in_short(name)} does not value actions, so it cannot judge a game")
        return judge_by(agent)

    async def _checked(self, record: Answer) -> GameType:
        """Return the game of a record once it is compiled."""
        kind = check_record(record, self._limits)
        await prepare(self._catalog, kind)
        return kind

    async def _check_finished(self, record: Answer, otherwise: str) -> None:
        """Check a record.

        Raises:
            Refusal: if it is not valid, or the game is not over.
        """
        await self._checked(record)
        if not await self._threads.run("quick", lambda: replay(record).is_terminal()):
            raise Refusal(422, otherwise)
