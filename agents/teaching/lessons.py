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


def all_of(rounds: Sequence[Lessons]) -> Lessons:
    """Concatenate the lessons of several rounds."""
    view: Any = together([lessons.view for lessons in rounds])
    longest = view.legal.shape[1]
    policies = [functional.pad(lessons.policy, (0, longest - lessons.policy.shape[1])) for lessons in rounds]
    return Lessons(view, torch.cat(policies), torch.cat([lessons.returns for lessons in rounds]))
