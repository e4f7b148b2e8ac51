"""The part `page`: the web app, whose sessions must survive invalid requests."""

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
from tests.fuzz.mutation import damaged_bytes
from tests.fuzz.target import Target, Trace
from tests.web.client import SOON, Client, Player, create_match, serving
from tests.web.test_hostile import Attacker

REQUESTS = 40
ATTACKED, CUT_OFF, PLAYED = "attacked", "cut off", "played"


class Page(Target):
    """A server with one watched session that no request may change."""

    outcomes = (ATTACKED, CUT_OFF, PLAYED)

    def __init__(self, games: Sequence[str], folder: Path) -> None:
        super().__init__(games, folder)
        self._open = contextlib.ExitStack()
        self._seen: Any = None

    def prepare(self) -> None:
        """Start the server and the watched session."""
        logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)  # it logs each invalid request
        for name in self.names:
            APIS["State"](name)
        self._web = self._open.enter_context(serving(Limits(idle=0.0)))  # new sessions may replace idle ones
        with contextlib.closing(Client(self._web)) as client:
            made, (player,) = create_match(client, game=self.names[0], seed=1)
            self._watched = made["id"], player.token
            player.play(player.waited())  # an attack may guess the first decision number
            self._seen = player.waited()

    def attempt(self, rng: Random, trace: Trace) -> str:
        """Send invalid requests or play a game, and check that the watched session has not changed."""
        end = rng.choices(self.outcomes, (4, 2, 1))[0]
        with contextlib.closing(Client(self._web)) as client:
            watcher = Player(client, *self._watched)
            if end == ATTACKED:
                self._attack(watcher, rng, trace)
            elif end == CUT_OFF:
                self._cut_off(rng, trace)
            else:
                self._play(client, rng, trace)
            self._look_at(watcher)
        return end

    def finish(self) -> None:
        """Check that the watched session has not changed, and stop the server."""
        with self._open:
            if self._seen is not None:
                with contextlib.closing(Client(self._web)) as client:
                    self._look_at(Player(client, *self._watched))

    def _look_at(self, watcher: Player) -> None:
        view = watcher.view()
        assert view == {**self._seen, "waiting": view["waiting"]}, "the watched session has changed"

    def _attack(self, watcher: Player, rng: Random, trace: Trace) -> None:
        """Send invalid requests; each gets an error response."""
        attacker = Attacker(rng.getrandbits(32), watcher)
        for _ in range(REQUESTS):
            reply = attacker.attack(watcher.client)
            trace.add(f"response {reply.status}", reply.body[:200])
            assert 400 <= reply.status < 500
            assert reply.json["error"]

    def _cut_off(self, rng: Random, trace: Trace) -> None:
        """Send damaged requests and close the connection at a random byte."""
        body = json.dumps({"game": rng.choice(self.names)}).encode()
        head = f"POST /api/sittings HTTP/1.1\r\nHost: 127.0.0.1:{self._web.port}\r\nContent-Length: {len(body)}\r\n\r\n"
        text = damaged_bytes(rng, head.encode() + body)
        trace.add("bytes", text)
        with socket.create_connection(("127.0.0.1", self._web.port), timeout=SOON) as connection:
            connection.sendall(text[: rng.randrange(len(text) + 1)])

    def _play(self, client: Client, rng: Random, trace: Trace) -> None:
        """Play a human player's game to its end or leave it; log and record must contain all decisions."""
        game, seed = rng.choice(self.names), rng.getrandbits(31)
        trace.add(f"{game} with seed {seed}")
        _, (player,) = create_match(client, game=game, seed=seed)
        decisions = self._decide(player, rng, most=rng.choice((5, 40)))
        assert sum(who == 0 for who, _ in player.get("/log").ok()["log"]) == decisions
        if GAMES[game].perfect_information or player.view()["turn"] == "over":  # otherwise it is not available
            assert replay(player.get("/record").ok()).to_dict() == player.get("/position").ok()

    def _decide(self, player: Player, rng: Random, most: int) -> int:
        """Play up to `most` decisions and return their number."""
        for decisions in range(most):
            seen = player.waited()
            if seen["turn"] != "human":
                return decisions
            player.play(seen, rng.randrange(len(seen["ways"])))
        player.waited()
        return most
