"""Lessons: what a search says of decisions, and what became of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import torch
from torch.nn import functional

from agents.networks.features import rows_of, together


class Lessons(NamedTuple):
    """B decisions with several legal actions, K of them at most."""

    view: Any  # what the network is shown, with lists of the legal actions (B, K)
    policy: torch.Tensor  # (B, K) how likely each of the listed is by the search, 0 where a list is over
    returns: torch.Tensor  # (B, outputs) what the players got from there on, in turn order from who decided

    @property
    def size(self) -> int:
        """B."""
        return len(self.returns)

    def rows(self, rows: torch.Tensor) -> Lessons:
        """Some of them."""
        return Lessons(rows_of(self.view, rows), self.policy[rows], self.returns[rows])


def all_of(rounds: Sequence[Lessons]) -> Lessons:
    """The lessons of several rounds."""
    view: Any = together([lessons.view for lessons in rounds])
    longest = view.legal.shape[1]
    policies = [functional.pad(lessons.policy, (0, longest - lessons.policy.shape[1])) for lessons in rounds]
    return Lessons(view, torch.cat(policies), torch.cat([lessons.returns for lessons in rounds]))
