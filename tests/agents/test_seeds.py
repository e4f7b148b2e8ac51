"""Test that games of training, of its learning curve and of evaluations have different seeds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from agents.common.configuration import GameConfig
from agents.common.seeds import CURVES, EVALUATION, evaluation_seed
from agents.ppo.config import TrainingConfig
from agents.ppo.training import TrainingRun, train
from edge_envs.core.kernels.rng import chance_words
from edge_envs.envs.seat_lanes import SeatLanes

MOST_STEPS = 10**12
MOST_GAMES = 10**12
"""More than any machine can play."""


def bound(model: Any, key: str) -> int:
    """Return the maximum of a key of a configuration."""
    schema = model.model_json_schema()["properties"][key]
    return int(schema["maximum"] if "maximum" in schema else schema["exclusiveMaximum"] - 1)


def test_seed_ranges_do_not_overlap() -> None:
    seed, steps, lanes = (bound(TrainingConfig, key) for key in ("seed", "total_steps", "num_envs"))
    assert steps == MOST_STEPS
    assert seed + 2 * steps + lanes < CURVES
    assert CURVES + 2 * steps + MOST_GAMES < EVALUATION
    assert (bound(GameConfig, "seed") << 32) + 2**32 <= EVALUATION
    assert evaluation_seed(0, 1) == EVALUATION
    assert evaluation_seed(2**63 - 5, 5) + 4 == 2**64 - 1


@pytest.mark.parametrize("number", [-1, 2**63 - 4, 2**63])
def test_evaluation_seed_out_of_range_is_rejected(number: int) -> None:
    with pytest.raises(ValueError, match=f"--seed {number}: there are"):
        evaluation_seed(number, 5)


def test_different_seeds_give_different_first_words() -> None:
    seeds = np.array([*range(1000), *range(CURVES, CURVES + 1000), *range(EVALUATION, EVALUATION + 1000)], np.uint64)
    words = np.empty(len(seeds), np.uint64)
    chance_words(seeds, words)
    assert len(set(words.tolist())) == len(seeds)


def test_training_uses_seeds_of_its_own_ranges(
    tiny_training: TrainingConfig, match_seeds: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trained: list[int] = []
    reset = SeatLanes.reset

    def recorded(table: SeatLanes, seed: Any = None, *others: Any) -> None:
        trained.extend(seed if isinstance(seed, list) else [])
        reset(table, seed, *others)

    monkeypatch.setattr(SeatLanes, "reset", recorded)
    run = TrainingRun(tmp_path / "run")
    run.start(tiny_training)
    train(tiny_training, run)
    assert trained == list(range(5, 5 + tiny_training.num_envs))
    assert match_seeds == [CURVES, CURVES + tiny_training.total_steps]
