"""The part `apis`: all games in every API and bridge with fuzzed input, and all built-in agents."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random

import numpy as np

from edge_envs import Game
from edge_envs.players import built_in_agent, decide, offered
from tests.fuzz.playing import decision_of, positions_of
from tests.fuzz.target import Target, Trace, games_of
from tests.fuzz.targets import TARGETS, target_class
from tests.soak.bridges import BRIDGES, installed

AGENTS = "agents"


class Apis(Target):
    """Each round runs an example of a fuzz target, plays a game in a bridge, or asks an agent for a decision."""

    outcomes = (*TARGETS, *BRIDGES, AGENTS)

    def __init__(self, games: Sequence[str], folder: Path) -> None:
        super().__init__(games, folder)
        self._targets: dict[str, Target] = {}
        for name in TARGETS:
            (folder / name).mkdir()
            self._targets[name] = target_class(name)(games, folder / name)
        self._kinds = [*TARGETS, *installed(), AGENTS]

    def prepare(self) -> None:
        """Compile the kernels of the targets, and cache their initial positions."""
        for target in self._targets.values():
            target.prepare()
        for name in self.names:
            for game in games_of(name):
                positions_of(game)
            for agent in offered(games_of(name)[0].type):
                _decide(agent, games_of(name)[0], Random(0), Trace())

    def attempt(self, rng: Random, trace: Trace) -> str:
        """Run a round and return its kind."""
        kind = rng.choice(self._kinds)
        if kind == AGENTS:
            game = games_of(rng.choice(self.names))[0]
            _decide(rng.choice(offered(game.type)), game, rng, trace)
        elif kind in BRIDGES:
            play, _ = BRIDGES[kind]
            play(self.some_game(rng), rng, trace, self.folder)
        else:
            outcome = self._targets[kind].attempt(rng, trace)
            assert outcome in self._targets[kind].outcomes, f"unexpected outcome {outcome!r} of {kind}"
        return kind

    def finish(self) -> None:
        """Finish all targets."""
        for target in self._targets.values():
            target.finish()


def _decide(name: str, game: Game, rng: Random, trace: Trace) -> None:
    """Check that an agent chooses a legal action in a random position."""
    state = decision_of(game, rng)
    trace.add(f"{name} in {game!r}", state.to_dict())
    try:
        agent = built_in_agent(name, game)
    except ValueError:  # this agent does not support these parameters
        return
    assert decide(agent, state, np.random.default_rng(rng.getrandbits(32))) in state.legal_actions()
