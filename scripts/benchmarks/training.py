"""Training frames per second, including learning: the learner of `agents.train` and MaskablePPO with the same network.

Both train the two perceptrons of Stable-Baselines3's "MlpPolicy", for policy and value, on the plain observation. The
rows of self-play count the turns of `agents.tuples`, including the search of each turn and learning.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import edge_envs
from scripts.benchmarks.apis import Setting, named
from scripts.benchmarks.measure import Budget, Run, Side, Work

LANES = 256
MINIBATCHES, EPOCHS = 4, 4
HIDDEN = [64, 64]
CONFIGS = Path(__file__).resolve().parents[2] / "configs"
GAMES_BEFORE = 200
"""Games of self-play before the measurement: turns of an untrained network differ."""


def missing() -> str | None:
    """Return the reason why training cannot be timed here, or None."""
    absent = [name for name in ("torch", "stable_baselines3", "sb3_contrib") if find_spec(name) is None]
    return f"{', '.join(absent)} not installed: extra `train`" if absent else None


def training_name(label: str) -> str:
    """Return the name of the row."""
    return named("training frames", label)


def maskable_ppo_name(label: str) -> str:
    """Return the name of the row of MaskablePPO."""
    return named("training frames, MaskablePPO alone", label)


def training(setting: Setting, budget: Budget) -> Side:
    """Return the side of training on `budget.training_steps` steps in 256 games against random agents."""

    def make(env: Any, settings: dict[str, Any]) -> Any:
        from agents.ppo.model import GamePolicy, Learner
        from scripts.benchmarks.network import TwoPerceptrons

        own = {"game": env.game, "architecture": TwoPerceptrons(hidden=HIDDEN)}
        return Learner(GamePolicy, env, policy_kwargs=own, **settings)

    return _side(training_name(setting.label), setting, budget, make)


def maskable_ppo(setting: Setting, budget: Budget) -> Side:
    """Return the side of unmodified MaskablePPO with the same settings."""

    def make(env: Any, settings: dict[str, Any]) -> Any:
        from sb3_contrib import MaskablePPO

        return MaskablePPO("MlpPolicy", env, policy_kwargs={"net_arch": HIDDEN}, **settings)

    return _side(maskable_ppo_name(setting.label), setting, budget, make)


def _side(name: str, setting: Setting, budget: Budget, make: Callable[[Any, dict[str, Any]], Any]) -> Side:
    game, frames = setting.game, LANES * budget.training_steps
    settings = {"n_steps": budget.training_steps, "batch_size": frames // MINIBATCHES, "n_epochs": EPOCHS}

    def prepare() -> Run:
        import torch
        from stable_baselines3.common.logger import Logger

        torch.set_num_threads(1)
        env = edge_envs.sb3_vec_env(game.name, num_envs=LANES, opponents="random", **game.params)
        model = make(env, {"seed": 0, "device": "cpu", **settings})
        model.set_logger(Logger(folder=None, output_formats=[]))  # the default logger would create a folder

        def run(rollouts: int) -> Work:
            before = model.num_timesteps
            model.learn(rollouts * frames, reset_num_timesteps=False)
            return Work(int(model.num_timesteps - before))

        return run

    details = {"lanes": LANES, "torch_threads": 1, "hidden": HIDDEN, **settings, **setting.details}
    return Side(name, "frames/s", prepare, details=details)


def self_play_name(config: str) -> str:
    """Return the name of the row of self-play."""
    return named("self-play of n-tuple networks", config)


def self_play(config: str) -> Side:
    """Return the side of self-play that learns, with the tuples and the search of a configuration."""

    def prepare() -> Run:
        from agents.common.configuration import parse, read_mapping
        from agents.tuple_learning.config import TuplesConfig
        from agents.tuple_learning.learner import TupleLearner

        (path,) = CONFIGS.glob(f"*/{config}.yaml")
        plan = parse(TuplesConfig, {**read_mapping(path), "games": GAMES_BEFORE}, path.name)
        learner = TupleLearner(plan, plan.load_game())
        learner.learn()

        def run(games: int) -> Work:
            learner.config = plan.model_copy(update={"games": games})
            before = learner.step
            learner.learn()
            return Work(learner.step - before, games)

        return run

    return Side(self_play_name(config), "turns/s", prepare)
