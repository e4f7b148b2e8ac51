"""Memory: after many resets and steps a process holds no more than after a few."""

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
from tests.fuzz.door import TAKEN, Door, Story, games_of
from tests.fuzz.playing import play_on

LANES = 16
STEPS = 200
MEGABYTE = 2**20
MOST_GROWTH = 24 * MEGABYTE


class Leaks(Door):
    """Each API is made anew, reset and stepped, again and again."""

    apis = ("State", "AEC", "vector", "seat")
    ends = (TAKEN,)

    def __init__(self, games: Sequence[str], folder: Path) -> None:
        super().__init__(games, folder)
        self._held: list[int] = []

    def prepare(self) -> None:
        """Compile what the faces need, and playouts."""
        super().prepare()
        for name in self.names:
            _step_vector_env(games_of(name)[0], Random(0))

    def attempt(self, rng: Random, story: Story) -> str:
        """Some hundred steps at every API of a game."""
        game = self.some_game(rng)
        story.tell(f"{game!r}")
        play_on(game.new_initial_state(rng.getrandbits(40)), rng, STEPS)
        _step_vector_env(game, rng)
        _step_seat_envs(game, rng)
        self._held.append(held_bytes())
        return TAKEN

    def finish(self) -> None:
        """Memory stands still after the first third of the examples."""
        if len(self._held) >= 30:
            third = len(self._held) // 3
            settled, last = (statistics.median(held) for held in (self._held[third - 5 : third + 5], self._held[-10:]))
            grown = (last - settled) / MEGABYTE
            assert last - settled <= MOST_GROWTH, f"{grown:.0f} MB more after {len(self._held)} rounds"


def held_bytes() -> int:
    """Return the memory that this process holds now; elsewhere than on Linux, the most it has ever held.

    In a soak other doors run in this process, and a large file that they read for a moment is not a leak.
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
