"""The same seed gives the same games with any number of threads and in another process."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import numpy as np

import edge_envs
from edge_envs import Game
from tests.contract.play import chosen

ROOT = Path(__file__).resolve().parents[2]
LANES = 7


def digest(game: Game, num_threads: int) -> str:
    """Return a digest of all arrays that a vector environment returns in a hundred steps, some of them random."""
    env = edge_envs.vector_env(
        game.name, num_envs=LANES, num_threads=num_threads, final_observation=True, **game.params
    )
    batch = env.reset(seed=1)
    words = np.arange(LANES, dtype=np.uint64)
    shown = hashlib.sha256()
    for step in range(100):
        if step % 5:
            batch = env.step([chosen(*view) for view in zip(batch.observation, batch.action_mask, strict=True)])
        else:
            env.random_steps(words, 8)
        final = batch.final_observation
        assert final is not None
        arrays = (batch.current_player, batch.observation, batch.action_mask, batch.rewards, batch.terminated, final)
        for array in arrays:
            shown.update(array.tobytes())
    env.close()
    return shown.hexdigest()


def test_results_do_not_depend_on_the_number_of_threads(game: Game) -> None:
    assert digest(game, num_threads=1) == digest(game, num_threads=2) == digest(game, num_threads=5)


def test_more_threads_than_lanes_are_allowed(plain_game: Game) -> None:
    assert digest(plain_game, num_threads=LANES + 3) == digest(plain_game, num_threads=1)


def test_results_are_the_same_in_another_process(plain_game: Game) -> None:
    program = (
        "from tests.toy import enrol; enrol()\n"
        "import edge_envs\n"
        "from tests.contract.test_threads import digest\n"
        f"print(digest(edge_envs.load_game({plain_game.name!r}, **{dict(plain_game.params)!r}), 1))\n"
    )
    environment = {**os.environ, "PYTHONHASHSEED": "123", "NUMBA_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == digest(plain_game, num_threads=1)
