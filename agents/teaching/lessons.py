"""Training data: decisions with the policy of the search and the returns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import torch
from torch.nn import functional

from agents.networks.features import rows_of, together


class Lessons(NamedTuple):
    """B decisions with several legal actions, K of them at most."""

    view: Any  # the preprocessed observations, with lists of the legal actions (B, K)
    policy: torch.Tensor  # (B, K) the search policy over the listed actions, padded with 0
    returns: torch.Tensor  # (B, outputs) the returns from there on, in turn order from the player who decided

    @property
    def size(self) -> int:
        """B."""
        return len(self.returns)

    def rows(self, rows: torch.Tensor) -> Lessons:
        """Select rows."""
        return Lessons(rows_of(self.view, rows), self.policy[rows], self.returns[rows])

    def on(self, device: torch.device) -> Lessons:
        """Return the lessons on a device; lessons that are there are not copied."""
        view = type(self.view)(*(None if part is None else part.to(device) for part in self.view))
        return Lessons(view, self.policy.to(device), self.returns.to(device))


def all_of(rounds: Sequence[Lessons]) -> Lessons:
    """Concatenate the lessons of several rounds."""
    view: Any = together([lessons.view for lessons in rounds])
    longest = view.legal.shape[1]
    policies = [functional.pad(lessons.policy, (0, longest - lessons.policy.shape[1])) for lessons in rounds]
    return Lessons(view, torch.cat(policies), torch.cat([lessons.returns for lessons in rounds]))
