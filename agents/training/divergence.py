"""A training that has diverged: it ends before weights that are no numbers are kept, exported or played."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import torch

MOST_WEIGHT = 1e6
"""No network that plays has a greater one; what is computed with them soon overflows."""


class DivergedError(ValueError):
    """What networks compute while they learn is no number, or beyond bounds; the run's monitor says at which step."""

    step: int | None = None

    def __str__(self) -> str:
        at = "" if self.step is None else f" at step {self.step:,}"
        return (
            f"the training has diverged{at}: start another run with a lower learning rate; "
            "what this one has saved is from before"
        )


def check_finite(tensors: Iterable[torch.Tensor]) -> None:
    """DivergedError if not all numbers of some tensors are finite: then their sum is not, which takes least time."""
    if not all(math.isfinite(tensor.sum().item()) for tensor in tensors):
        raise DivergedError


def check_weights(tensors: Iterable[torch.Tensor]) -> None:
    """DivergedError for weights that are beyond all bounds, or no numbers: to be called when a rollout is learned."""
    if not all(bool(tensor.abs().max() <= MOST_WEIGHT) for tensor in tensors):
        raise DivergedError


def guard(optimizer: torch.optim.Optimizer) -> None:
    """Have every step of an optimiser end in a DivergedError, before it moves a weight, if a gradient is not finite."""
    optimizer.register_step_pre_hook(_check_gradients)


def _check_gradients(optimizer: torch.optim.Optimizer, *_: Any) -> None:
    weights = (weight for group in optimizer.param_groups for weight in group["params"])
    check_finite(weight.grad for weight in weights if weight.grad is not None)
