"""Training frames per second, including learning: the learner of `agents.train` and MaskablePPO with the same network.

Both train the two perceptrons of Stable-Baselines3's "MlpPolicy", for policy and value, on the plain observation. The
rows of self-play count the turns of `agents.tuples`, including the search of each turn and learning.

With `--device cuda`, further rows train networks of `agents.networks` on the CPU and on the GPU in turn. Each device
has as many games as suit it, and all cores.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import edge_envs
from agents.common.devices import missing_gpu
from agents.workers.cores import usable_cores
from scripts.benchmarks.apis import Setting, named
from scripts.benchmarks.measure import Budget, Run, Side, Work

LANES = 256
MINIBATCHES, EPOCHS = 4, 4
HIDDEN = [64, 64]
CONFIGS = Path(__file__).resolve().parents[2] / "configs"
GAMES_BEFORE = 200
"""Games of self-play before the measurement: turns of an untrained network differ."""


@dataclass(frozen=True)
class Load:
    """Parallel games, and the largest minibatch."""

    lanes: int
    batch: int


NETWORKS: dict[str, dict[str, Any]] = {
    "perceptron": {"kind": "perceptron", "hidden": [256, 256], "activation": "relu"},
    "convolutions": {"kind": "convolutional", "channels": 32, "blocks": 4},
}
LOADS = {
    ("perceptron", "cpu"): Load(256, 4096),
    ("perceptron", "cuda"): Load(8192, 65_536),
    ("convolutions", "cpu"): Load(256, 1024),  # larger arrays are slower, see docs/explanation/features_and_hints.md
    ("convolutions", "cuda"): Load(4096, 16_384),
}
"""Settings for each network and device, which fit into the memory of a desktop GPU."""
IN_WORDS = {"cpu": "CPU", "cuda": "GPU"}


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


def device_name(label: str, network: str, device: str) -> str:
    """Return the name of the row of a network on a device."""
    return named("training frames", label, network, IN_WORDS[device])


def networks_for(setting: Setting) -> list[str]:
    """Return the names of the networks that fit a game."""
    return [name for name in NETWORKS if name != "convolutions" or len(setting.game.observation_shape) == 3]


def missing_device(device: str) -> str | None:
    """Return the reason why training on a device cannot be timed here, or None."""
    return missing() or (missing_gpu() if device == "cuda" else None)


def on_device(setting: Setting, budget: Budget, network: str, device: str) -> Side:
    """Return the side of training a network on a device."""

    def make(env: Any, settings: dict[str, Any]) -> Any:
        return make_learner(env, network, settings)

    name, load = device_name(setting.label, network, device), LOADS[network, device]
    return _side(name, setting, budget, make, load, device, usable_cores())


def make_learner(env: Any, network: str, settings: dict[str, Any]) -> Any:
    """Make the learner of `agents.train` for an environment, with a network from `NETWORKS`."""
    from pydantic import TypeAdapter

    from agents.networks import Architecture
    from agents.ppo.model import GamePolicy, Learner

    architecture: Any = TypeAdapter(Architecture).validate_python(NETWORKS[network])
    learner = Learner(GamePolicy, env, policy_kwargs={"game": env.game, "architecture": architecture}, **settings)
    learner.policy.actor.layer.threads = usable_cores() if settings["device"] == "cuda" else 1
    return learner


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


def _side(
    name: str,
    setting: Setting,
    budget: Budget,
    make: Callable[[Any, dict[str, Any]], Any],
    load: Load | None = None,
    device: str = "cpu",
    threads: int = 1,
) -> Side:
    """Return the side of a learner. Without a load there are 256 games, and a rollout has four minibatches."""
    lanes = load.lanes if load else LANES
    game, frames = setting.game, lanes * budget.training_steps
    batch = min(frames // MINIBATCHES, load.batch if load else frames)
    settings = {"n_steps": budget.training_steps, "batch_size": batch, "n_epochs": EPOCHS}

    def prepare() -> Run:
        import torch
        from stable_baselines3.common.logger import Logger

        torch.set_num_threads(threads)
        env = edge_envs.sb3_vec_env(game.name, num_envs=lanes, opponents="random", **game.params)
        model = make(env, {"seed": 0, "device": device, **settings})
        model.set_logger(Logger(folder=None, output_formats=[]))  # the default logger would create a folder

        def run(rollouts: int) -> Work:
            before = model.num_timesteps
            model.learn(rollouts * frames, reset_num_timesteps=False)
            return Work(int(model.num_timesteps - before))

        return run

    own: dict[str, Any] = {"device": device} if load else {"hidden": HIDDEN}
    details = {"lanes": lanes, "torch_threads": threads, **own, **settings, **setting.details}
    return Side(name, "frames/s", prepare, "wall" if load else "cpu", details)


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
