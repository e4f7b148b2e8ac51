"""Hints: what a heuristic thinks of each action, which features may give beside the rest.

They are finite numbers (B, A) float32, made from the observations alone: 0 for the best action, less for others, least
for illegal ones.
"""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import nn

from edge_envs import Game


class HintingFeatures(nn.Module):
    """What a network begins with; gives hints if it is told to and can.

    Features that `can_weigh` take weights by name for the heuristic behind their hints, in place of its own.
    `action_groups` (A,) int64 says which group each action belongs to, counted from 0 without gaps. A network learns
    one weight for the hints of each group. Here all actions are one group.
    """

    name: str
    can_hint = False
    can_weigh = False
    action_groups: torch.Tensor

    def __init__(self, game: Game, hints: bool, weights: Mapping[str, float] | None = None) -> None:
        super().__init__()
        if hints and not self.can_hint:
            raise ValueError(f"the features {self.name} have no hints: hint_weight must be 0")
        if weights and not self.can_weigh:
            raise ValueError(f"the features {self.name} take no heuristic_weights")
        if weights and not hints:
            raise ValueError("heuristic_weights are for hints: hint_weight must be more than 0")
        self.hints = hints
        groups = torch.zeros(game.num_distinct_actions, dtype=torch.int64)
        self.register_buffer("action_groups", groups, persistent=False)


def hints_from(promises: torch.Tensor, worst: float) -> tuple[torch.Tensor, torch.Tensor]:
    """What each action loses against the best, (B, A) from -1 for `worst` and more to 0; and the best promise (B, 1).

    Promises (B, A) are -inf where an action is illegal or left out. Where all are, all hints are -1.
    """
    best = promises.max(dim=1, keepdim=True).values.clamp(min=-1e4)
    return (promises - best).clamp(min=-worst) / worst, best
