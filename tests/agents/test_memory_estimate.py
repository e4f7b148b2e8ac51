"""Test the estimate of the memory of a training before anything is allocated."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from agents.common.configuration import parse, read_mapping
from agents.ppo.config import TrainingConfig
from agents.training.memory_estimate import rollout_bytes
from tests.programs import ROOT


@pytest.mark.parametrize("file", ["falling_off/ppo.yaml", "ghost_ship/tour.yaml"])
def test_memory_estimate_uses_a_valid_observation(file: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hints decode the position from the observation; an all-zero observation made them read outside of arrays."""
    config = parse(TrainingConfig, read_mapping(ROOT / "configs" / file, []), file)
    seen: list[Any] = []

    def make_features(network: Any, game: Any) -> Any:
        def show(observations: Any) -> Any:
            seen.append(observations)
            return observations, None

        return show

    monkeypatch.setattr(type(config.network), "make_features", make_features)
    size = rollout_bytes(config.load_game(), config.network, config.rollout_size)
    assert size == seen[0].nbytes * config.num_envs * config.ppo.steps_per_rollout
    assert seen[0].shape == (1, *config.load_game().observation_shape)
    assert np.any(seen[0] != 0)
