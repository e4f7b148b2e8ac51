"""Training frames per second, learning included: MaskablePPO on the native Stable-Baselines3 API."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

import edge_envs
from scripts.benchmarks.apis import Setting, named
from scripts.benchmarks.measure import Budget, Run, Side, Work

LANES = 256
MINIBATCHES, EPOCHS = 4, 4
HIDDEN = [64, 64]


def missing() -> str | None:
    """Why training cannot be timed here, or None."""
    absent = [name for name in ("torch", "stable_baselines3", "sb3_contrib") if find_spec(name) is None]
    return f"{', '.join(absent)} not installed: extra `train`" if absent else None


def training_name(label: str) -> str:
    """The name of the row."""
    return named("training frames", label)


def training(setting: Setting, budget: Budget) -> Side:
    """Rollouts of `budget.training_steps` steps in 256 games against random opponents, and the learning from them."""
    game, frames = setting.game, LANES * budget.training_steps
    settings: dict[str, Any] = {
        "n_steps": budget.training_steps,
        "batch_size": frames // MINIBATCHES,
        "n_epochs": EPOCHS,
        "policy_kwargs": {"net_arch": HIDDEN},
    }

    def prepare() -> Run:
        import torch
        from sb3_contrib import MaskablePPO

        torch.set_num_threads(1)
        env = edge_envs.sb3_vec_env(game.name, num_envs=LANES, opponents="random", **game.params)
        model = MaskablePPO("MlpPolicy", env, seed=0, device="cpu", **settings)

        def run(rollouts: int) -> Work:
            before = model.num_timesteps
            model.learn(rollouts * frames, reset_num_timesteps=False)
            return Work(int(model.num_timesteps - before))

        return run

    details = {"lanes": LANES, "torch_threads": 1, **settings, **setting.details}
    return Side(training_name(setting.label), "frames/s", prepare, details=details)
