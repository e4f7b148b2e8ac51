"""The distribution from which a learner draws among its legal actions."""

from __future__ import annotations

import torch

from agents.training.divergence import DivergedError, check_finite

LEAST = -60.0
"""Of logarithms of probabilities: numbers that are too small for a float take long."""


class Choices:
    """Of logits (B, K) and the actions (B, K) that they belong to; -1 where a row has fewer actions.

    Its methods are those that Stable-Baselines3 calls.
    """

    def __init__(self, logits: torch.Tensor, legal: torch.Tensor) -> None:
        self.legal = legal
        self.log_probs = logits.masked_fill(legal < 0, -1e8).log_softmax(1)
        self.probs = self.log_probs.clamp(min=LEAST).exp()

    def get_actions(self, deterministic: bool = False) -> torch.Tensor:
        """Actions (B,): drawn, or the likeliest. DivergedError if logits are beyond all bounds."""
        try:
            columns = self.probs.argmax(1, keepdim=True) if deterministic else torch.multinomial(self.probs, 1)
        except RuntimeError:
            check_finite([self.probs])
            raise
        actions = self.legal.gather(1, columns).squeeze(1)
        if bool((actions < 0).any()):
            raise DivergedError
        return actions

    def log_prob(self, actions: torch.Tensor) -> torch.Tensor:
        """The logarithms (B,) of the probabilities of legal actions (B,)."""
        columns = (self.legal == actions[:, None]).byte().argmax(1, keepdim=True)
        return self.log_probs.gather(1, columns).squeeze(1)

    def entropy(self) -> torch.Tensor:
        """The entropies (B,)."""
        return -(self.probs * self.log_probs).sum(1)
