"""Test that a diverging training ends with a one-line error and saves no diverged weights."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.numpy import load_file

import agents.selfplay.__main__
import agents.teach
import agents.train
import agents.values
from agents.players.agent import load_policy
from agents.training.divergence import DivergedError, guard
from agents.training.masked_categorical import MaskedCategorical
from tests.programs import Here

pytestmark = pytest.mark.usefixtures("torch_threads")

SHARED = {
    "game": "falling_off",
    "checkpoint_every": 1,
    "evaluation": {"every": 1, "games": 4, "against": ["random"]},
}
PPO = {"num_envs": 16, "network": {"hidden": [8]}, "opponents": {"random": 1}}
PROGRAMS: dict[str, tuple[Callable[..., Any], dict[str, Any], str]] = {
    "train": (agents.train.main, {**PPO, "total_steps": 512}, "ppo"),
    "selfplay": (agents.selfplay.__main__.main, {**PPO, "total_steps": 512}, "ppo"),
    "teach": (agents.teach.main, {"total_steps": 200, "games": 2, "search": 4, "network": {"hidden": [8]}}, "fit"),
    "values": (agents.values.main, {"total_steps": 512, "games": 4, "turns": 32, "hidden": [8]}, ""),
}
ONE_STEP = {"batch_size": 128, "epochs": 1}
"""One optimizer step per rollout: weights change before any gradient is known to be non-finite."""
STEPS: dict[str, dict[str, int]] = {"several steps": {"batch_size": 32, "epochs": 2}, "one step": ONE_STEP}


def write_config(path: Path, name: str, steps: dict[str, int], rate: float) -> Path:
    """Write the configuration of a short run with this learning rate."""
    _, config, section = PROGRAMS[name]
    if name in ("train", "selfplay"):
        steps = {**steps, "steps_per_rollout": 8}
    learning = {**steps, "learning_rate": [rate, rate]}
    path.write_text(json.dumps({**SHARED, **config, **({section: learning} if section else learning)}), "utf-8")
    return path


@pytest.mark.parametrize("steps", STEPS)
@pytest.mark.parametrize("name", PROGRAMS)
def test_diverging_training_is_a_one_line_error(here: Here, tmp_path: Path, name: str, steps: str) -> None:
    run, config = tmp_path / "run", write_config(tmp_path / "run.json", name, STEPS[steps], 1e30)
    done = here(PROGRAMS[name][0], "--config", config, "--out", run)
    line = done.err.splitlines()[-1]
    assert done.code == 2, done
    assert line.startswith("error: the training has diverged at step "), done.err
    assert "start another run with a lower learning rate" in line
    assert "Traceback" not in done.err
    load_policy(run / "policy")  # which fails if weights are not finite
    kept = load_file(run / "policy" / "policy.safetensors")
    assert all(abs(weights).max() < 100.0 for weights in kept.values())
    step = int(line.removeprefix("error: the training has diverged at step ").split(":")[0])
    assert all(int(path.name.removeprefix("step-")) <= step for path in run.glob("checkpoints/*"))


@pytest.mark.parametrize("name", PROGRAMS)
def test_too_large_learning_rate_is_rejected(here: Here, tmp_path: Path, name: str) -> None:
    config = write_config(tmp_path / "run.json", name, ONE_STEP, 1e300)
    line = here.fails(PROGRAMS[name][0], "--config", config, "--out", tmp_path / "run")
    assert "learning_rate" in line
    assert line.endswith("must be at most 1e+30")


def test_non_finite_gradient_leaves_weights_unchanged() -> None:
    for wrong in (float("nan"), float("inf")):
        weights = torch.nn.Parameter(torch.zeros(3))
        optimizer = torch.optim.Adam([weights])
        guard(optimizer)
        weights.grad = torch.tensor([0.0, wrong, 0.0])
        with pytest.raises(DivergedError, match=r"^the training has diverged: start another run"):
            optimizer.step()
        assert weights.tolist() == [0.0, 0.0, 0.0]
        weights.grad = torch.ones(3)
        optimizer.step()
        assert (weights != 0.0).all()


def test_non_finite_or_extreme_logits_raise() -> None:
    legal = torch.tensor([[0, 1, 2], [3, 4, -1]])
    with pytest.raises(DivergedError):
        MaskedCategorical(torch.full((2, 3), float("nan")), legal).get_actions()
    with pytest.raises(DivergedError):  # the padding would have the greatest probability
        MaskedCategorical(torch.full((2, 3), -1e30), legal).get_actions()
