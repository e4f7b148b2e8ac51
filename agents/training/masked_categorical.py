"""The categorical distribution over legal actions, from which a learner draws its actions."""

from __future__ import annotations

import torch

from agents.common.old_names import renamed
from agents.training.divergence import DivergedError, check_finite

MIN_LOG_PROB = -60.0
"""A lower bound of log-probabilities: arithmetic on denormal floats is slow."""


class MaskedCategorical:
    """A categorical distribution over the legal actions of each row.

    It has the methods that Stable-Baselines3 calls on a distribution.

    Args:
        logits: (B, K), of the listed actions.
        legal: (B, K) action ids, -1 where a row has fewer actions.
    """

    def __init__(self, logits: torch.Tensor, legal: torch.Tensor) -> None:
        self.legal = legal
        self.log_probs = logits.masked_fill(legal < 0, -1e8).log_softmax(1)
        self.probs = self.log_probs.clamp(min=MIN_LOG_PROB).exp()

    def get_actions(self, deterministic: bool = False) -> torch.Tensor:
        """Return actions (B,): sampled, or the most likely ones. DivergedError if the logits are not usable."""
        if self.probs.is_cuda:  # there a sample from unusable probabilities ends the process
            check_finite([self.probs])
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
        """Return the log-probabilities (B,) of legal actions (B,)."""
        columns = (self.legal == actions[:, None]).byte().argmax(1, keepdim=True)
        return self.log_probs.gather(1, columns).squeeze(1)

    def entropy(self) -> torch.Tensor:
        """Return the entropies (B,)."""
        return -(self.probs * self.log_probs).sum(1)


__getattr__ = renamed(__name__, {"Choices": "MaskedCategorical"})
