"""Apply PyTorch's settings for a training, which are global, and restore them afterwards."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Concatenate, ParamSpec, Protocol, TypeVar

import torch

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

    A program that trains as a library keeps its own number of threads and the state of its generators (PyTorch, NumPy
    and Python, which Stable-Baselines3 seeds). Trainings in several threads of one process share these settings.
    """

    @functools.wraps(train)
    def run(config: Config, /, *args: P.args, **kwargs: P.kwargs) -> Result:
        threads = torch.get_num_threads()
        with unchanged_generators():
            torch.set_num_threads(config.torch_threads)
            torch.default_generator.manual_seed(config.seed)
            try:
                return train(config, *args, **kwargs)
            finally:
                torch.set_num_threads(threads)

    return run
