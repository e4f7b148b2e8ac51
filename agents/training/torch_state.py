"""Apply PyTorch's settings for a training, which are global, and restore them afterwards."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

import torch

from agents.common.devices import play_on, resolve, same_device_afterwards
from agents.common.generators import unchanged_generators

P = ParamSpec("P")
Result = TypeVar("Result")


class Settings(Protocol):
    """The part of a configuration with the settings."""

    @property
    def torch_threads(self) -> int:
        """The number of threads for networks."""

    @property
    def seed(self) -> int:
        """The seed of the generator."""


Config = TypeVar("Config", bound=Settings)


def with_torch_settings(
    train: Callable[Concatenate[Config, P], Result],
) -> Callable[Concatenate[Config, P], Result]:
    """Make a training function use the threads and the seed of its configuration, which is its first argument.

    If the configuration has a device, agents play policy networks there during the training.

    A program that trains as a library keeps its own number of threads and the state of its generators (PyTorch, NumPy
    and Python, which Stable-Baselines3 seeds). Trainings in several threads of one process share these settings.
    """

    @functools.wraps(train)
    def run(config: Config, /, *args: P.args, **kwargs: P.kwargs) -> Result:
        threads, cudnn = torch.get_num_threads(), torch.backends.cudnn
        convolutions = cudnn.deterministic, cudnn.benchmark
        with unchanged_generators(), same_device_afterwards():
            torch.set_num_threads(config.torch_threads)
            torch.default_generator.manual_seed(config.seed)
            if hasattr(config, "device"):
                device = resolve(config.device)
                play_on(device)
                if device == "cuda":
                    torch.cuda.manual_seed(config.seed)
            try:
                return train(config, *args, **kwargs)
            finally:
                torch.set_num_threads(threads)
                cudnn.deterministic, cudnn.benchmark = convolutions  # Stable-Baselines3 sets them for a GPU

    return run


def mixed_precision(device: torch.device, bf16: bool) -> contextlib.AbstractContextManager[Any]:
    """Return a context in which layers compute with bfloat16 if `bf16` is set; weights stay float32."""
    return torch.autocast(device.type, torch.bfloat16) if bf16 else contextlib.nullcontext()


def generator_states(device: torch.device) -> dict[str, torch.Tensor]:
    """Return the states of the generators that a training on a device uses, as entries of its checkpoint."""
    states = {"torch": torch.get_rng_state()}
    return states | ({"cuda": torch.cuda.get_rng_state()} if device.type == "cuda" else {})


def restore_generators(states: dict[str, Any], device: torch.device) -> None:
    """Restore the states in a checkpoint. On another device than before, that of a new generator is kept."""
    torch.set_rng_state(states["torch"])
    if device.type == "cuda" and "cuda" in states:
        torch.cuda.set_rng_state(states["cuda"])
