"""The page to play in: sittings that go on among senseless requests, and are kept whole to their end."""

from __future__ import annotations

import contextlib
import json
import logging
import socket
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

from edge_envs import GAMES, replay
from edge_envs.warming import APIS
from edge_envs.web.guard import Limits
from tests.fuzz.door import Door, Story
from tests.fuzz.mutation import damaged_bytes
from tests.web.client import SOON, Client, Player, create_match, serving
from tests.web.test_hostile import Attacker

REQUESTS = 40
ATTACKED, CUT_OFF, PLAYED = "attacked", "cut off", "played"


class Page(Door):
    """A server for as long as the process lives, with one sitting that all the requests must leave alone."""

    ends = (ATTACKED, CUT_OFF, PLAYED)

    def __init__(self, games: Sequence[str], folder: Path) -> None:
        super().__init__(games, folder)
        self._open = contextlib.ExitStack()
        self._seen: Any = None

    def prepare(self) -> None:
        """Start the server, and a sitting to watch."""
        logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)  # which told of each request that is none
        for name in self.names:
            APIS["State"](name)
        self._web = self._open.enter_context(serving(Limits(idle=0.0)))  # the next sitting may take the place of one
        with contextlib.closing(Client(self._web)) as client:
            made, (player,) = create_match(client, game=self.names[0], seed=1)
            self._watched = made["id"], player.token
            player.play(player.waited())  # so that the numbers which are made up for a decision are of the past
            self._seen = player.waited()

    def attempt(self, rng: Random, story: Story) -> str:
        """Send nonsense, or play a game; the watched sitting is as it was before."""
        end = rng.choices(self.ends, (4, 2, 1))[0]
        with contextlib.closing(Client(self._web)) as client:
            watcher = Player(client, *self._watched)
            if end == ATTACKED:
                self._attack(watcher, rng, story)
            elif end == CUT_OFF:
                self._cut_off(rng, story)
            else:
                self._play(client, rng, story)
            self._look_at(watcher)
        return end

    def finish(self) -> None:
        """The watched sitting is as it was; end the server."""
        with self._open:
            if self._seen is not None:
                with contextlib.closing(Client(self._web)) as client:
                    self._look_at(Player(client, *self._watched))

    def _look_at(self, watcher: Player) -> None:
        assert watcher.view() == self._seen, "the watched sitting has changed"

    def _attack(self, watcher: Player, rng: Random, story: Story) -> None:
        """Requests that are never right get an answer that says so."""
        attacker = Attacker(rng.getrandbits(32), watcher)
        for _ in range(REQUESTS):
            reply = attacker.attack(watcher.client)
            story.tell(f"answer {reply.status}", reply.body[:200])
            assert 400 <= reply.status < 500
            assert reply.json["error"]

    def _cut_off(self, rng: Random, story: Story) -> None:
        """Bytes that need not be a request, on connections that end anywhere."""
        body = json.dumps({"game": rng.choice(self.names)}).encode()
        head = f"POST /api/sittings HTTP/1.1\r\nHost: 127.0.0.1:{self._web.port}\r\nContent-Length: {len(body)}\r\n\r\n"
        text = damaged_bytes(rng, head.encode() + body)
        story.tell("bytes", text)
        with socket.create_connection(("127.0.0.1", self._web.port), timeout=SOON) as connection:
            connection.sendall(text[: rng.randrange(len(text) + 1)])

    def _play(self, client: Client, rng: Random, story: Story) -> None:
        """A person plays to the end, or leaves; all decisions are kept, and the record leads to the same position."""
        game, seed = rng.choice(self.names), rng.getrandbits(31)
        story.tell(f"{game} with seed {seed}")
        _, (player,) = create_match(client, game=game, seed=seed)
        decisions = self._decide(player, rng, most=rng.choice((5, 40)))
        assert sum(who == 0 for who, _ in player.get("/log").ok()["log"]) == decisions
        if GAMES[game].perfect_information or player.view()["turn"] == "over":  # else it would tell what is hidden
            assert replay(player.get("/record").ok()).to_dict() == player.get("/position").ok()

    def _decide(self, player: Player, rng: Random, most: int) -> int:
        """How many decisions were made."""
        for decisions in range(most):
            seen = player.waited()
            if seen["turn"] != "person":
                return decisions
            player.play(seen, rng.randrange(len(seen["ways"])))
        player.waited()
        return most
