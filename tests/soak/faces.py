"""All games at every API and bridge, with input of all kinds, and all agents that need no training."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random

import numpy as np

from edge_envs import Game
from edge_envs.players import built_in_agent, decide, offered
from tests.fuzz.door import Door, Story, games_of
from tests.fuzz.doors import DOORS, door_of
from tests.fuzz.playing import decision_of, positions_of
from tests.soak.bridges import BRIDGES, installed

AGENTS = "agents"


class Faces(Door):
    """In each round one of the doors of the fuzzing is tried, a game is played at a bridge, or an agent decides."""

    ends = (*DOORS, *BRIDGES, AGENTS)

    def __init__(self, games: Sequence[str], folder: Path) -> None:
        super().__init__(games, folder)
        self._doors: dict[str, Door] = {}
        for name in DOORS:
            (folder / name).mkdir()
            self._doors[name] = door_of(name)(games, folder / name)
        self._kinds = [*DOORS, *installed(), AGENTS]

    def prepare(self) -> None:
        """Compile what the doors need, and have the positions that they begin from."""
        for door in self._doors.values():
            door.prepare()
        for name in self.names:
            for game in games_of(name):
                positions_of(game)
            for agent in offered(games_of(name)[0].type):
                _ask(agent, games_of(name)[0], Random(0), Story())

    def attempt(self, rng: Random, story: Story) -> str:
        """A round; returns what it was about."""
        kind = rng.choice(self._kinds)
        if kind == AGENTS:
            game = games_of(rng.choice(self.names))[0]
            _ask(rng.choice(offered(game.type)), game, rng, story)
        elif kind in BRIDGES:
            play, _ = BRIDGES[kind]
            play(self.some_game(rng), rng, story, self.folder)
        else:
            end = self._doors[kind].attempt(rng, story)
            assert end in self._doors[kind].ends, f"{kind} ended as {end!r}"
        return kind

    def finish(self) -> None:
        """All doors look back."""
        for door in self._doors.values():
            door.finish()


def _ask(name: str, game: Game, rng: Random, story: Story) -> None:
    """An agent decides legally in any position."""
    state = decision_of(game, rng)
    story.tell(f"{name} in {game!r}", state.to_dict())
    try:
        agent = built_in_agent(name, game)
    except ValueError:  # only some parameters have an exact solution, or so many levels
        return
    assert decide(agent, state, np.random.default_rng(rng.getrandbits(32))) in state.legal_actions()
