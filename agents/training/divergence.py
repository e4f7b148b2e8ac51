"""Stop a training that has diverged, before weights that are not finite are saved, exported or played."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import torch

MOST_WEIGHT = 1e6
"""The largest weight; networks with larger ones soon overflow."""


class DivergedError(ValueError):
    """Gradients or weights are not finite or exceed their bound; the run's monitor adds the step."""

    step: int | None = None

    def __str__(self) -> str:
        at = "" if self.step is None else f" at step {self.step:,}"
        return (
            f"the training has diverged{at}: start another run with a lower learning rate; "
            "what this one has saved is from before"
        )


def check_finite(tensors: Iterable[torch.Tensor]) -> None:
    """Raise DivergedError unless all tensors are finite; their sums are tested, which is fastest."""
    sums = [tensor.sum() for tensor in tensors]
    if sums and not bool(torch.stack(sums).isfinite().all()):  # one answer, since a GPU makes the CPU wait for each
        raise DivergedError


def check_weights(tensors: Iterable[torch.Tensor]) -> None:
    """Raise DivergedError for weights that exceed the bound or are not finite. Call this after each rollout."""
    if not all(bool(tensor.abs().max() <= MOST_WEIGHT) for tensor in tensors):
        raise DivergedError


def guard(optimizer: torch.optim.Optimizer) -> None:
    """Make every step of an optimiser raise DivergedError before it changes weights, if a gradient is not finite."""
    optimizer.register_step_pre_hook(_check_gradients)


def _check_gradients(optimizer: torch.optim.Optimizer, *_: Any) -> None:
    weights = (weight for group in optimizer.param_groups for weight in group["params"])
    check_finite(weight.grad for weight in weights if weight.grad is not None)
