"""Memory leaks: many resets and steps must not use more memory than a few."""

from __future__ import annotations

import resource
import statistics
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random

import numpy as np

import edge_envs
from edge_envs import Game
from tests.fuzz.playing import play_on
from tests.fuzz.target import ACCEPTED, Target, Trace, games_of

LANES = 16
STEPS = 200
MEGABYTE = 2**20
MOST_GROWTH = 24 * MEGABYTE


class Leaks(Target):
    """Create, reset and step each API repeatedly."""

    apis = ("State", "AEC", "vector", "seat")
    outcomes = (ACCEPTED,)

    def __init__(self, games: Sequence[str], folder: Path) -> None:
        super().__init__(games, folder)
        self._memory: list[int] = []

    def prepare(self) -> None:
        """Compile the APIs and the playouts."""
        super().prepare()
        for name in self.names:
            _step_vector_env(games_of(name)[0], Random(0))

    def attempt(self, rng: Random, trace: Trace) -> str:
        """Play a few hundred steps in every API of a game."""
        game = self.some_game(rng)
        trace.add(f"{game!r}")
        play_on(game.new_initial_state(rng.getrandbits(40)), rng, STEPS)
        _step_vector_env(game, rng)
        _step_seat_envs(game, rng)
        self._memory.append(resident_bytes())
        return ACCEPTED

    def finish(self) -> None:
        """Check that memory does not grow after the first third of the examples."""
        if len(self._memory) >= 30:
            third = len(self._memory) // 3
            settled, last = (
                statistics.median(values) for values in (self._memory[third - 5 : third + 5], self._memory[-10:])
            )
            grown = (last - settled) / MEGABYTE
            assert last - settled <= MOST_GROWTH, f"{grown:.0f} MB of growth in {len(self._memory)} rounds"


def resident_bytes() -> int:
    """Return the resident memory of this process; on other systems than Linux, its peak.

    In a soak test, other targets run in the same process. A large file that they read briefly is not a leak.
    """
    statm = Path("/proc/self/statm")
    if statm.exists():
        return int(statm.read_text(encoding="ascii").split()[1]) * resource.getpagesize()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def _step_vector_env(game: Game, rng: Random) -> None:
    env = edge_envs.vector_env(game.name, num_envs=LANES, num_threads=rng.choice((1, 2)), **game.params_dict())
    for _ in range(3):
        env.reset(seed=rng.getrandbits(20))
        env.random_steps(np.arange(LANES, dtype=np.uint64), STEPS)
    env.close()


def _step_seat_envs(game: Game, rng: Random) -> None:
    env = edge_envs.seat_vector_env(
        game.name, num_envs=LANES, opponents=rng.choice(("random", "heuristic")), seat=0, **game.params_dict()
    )
    env.reset(seed=rng.getrandbits(20))
    for _ in range(STEPS // 4):
        env.step(env.action_masks().argmax(axis=1))
    env.close()
