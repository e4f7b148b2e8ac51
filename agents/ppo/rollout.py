"""The rollout buffer of MaskablePPO, with preprocessed observations."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import torch
from stable_baselines3.common.buffers import RolloutBuffer

from agents.networks.features import rows_of, together


class Minibatch(NamedTuple):
    """Decisions for a gradient step, with the field names of MaskablePPO."""

    observations: Any  # a view
    actions: torch.Tensor
    old_values: torch.Tensor
    old_log_prob: torch.Tensor
    advantages: torch.Tensor
    returns: torch.Tensor
    action_masks: None = None  # the view lists the legal actions


class Rollout(RolloutBuffer):
    """Stable-Baselines3's rollout buffer with preprocessed views in place of observations and masks.

    Features, hints and lists of legal actions are computed once for all epochs. Minibatches are on the device of the
    learner.
    """

    def reset(self) -> None:
        """Clear the buffer."""
        super().reset()
        self._views: list[Any] = []
        self._numbers: list[torch.Tensor] = []

    def add(  # type: ignore[override]  # a view in place of the observation
        self, view: Any, actions: torch.Tensor, rewards: Any, starts: Any, values: torch.Tensor, log_probs: torch.Tensor
    ) -> None:
        """Add one decision of each game."""
        self._views.append(view)
        self.actions[self.pos, :, 0] = actions.cpu().numpy()
        self.rewards[self.pos], self.episode_starts[self.pos] = rewards, starts
        self.values[self.pos], self.log_probs[self.pos] = values.cpu().numpy(), log_probs.cpu().numpy()
        self.pos += 1
        self.full = self.pos == self.buffer_size

    def get(self, batch_size: int | None = None) -> Iterator[Any]:  # type: ignore[override]
        """Yield all decisions once, in random order and in minibatches."""
        if not self.generator_ready:
            self._views = [together(self._views)]
            numbers = (self.actions, self.values, self.log_probs, self.advantages, self.returns)
            self._numbers = [torch.from_numpy(n.reshape(-1)).to(self.device) for n in numbers]
            self.generator_ready = True
        count = self.buffer_size * self.n_envs
        order = np.random.permutation(count)  # by the generator that Stable-Baselines3 seeds
        parts = list(torch.split(torch.from_numpy(order).to(self.device), batch_size or count))
        if len(parts) > 1 and len(parts[-1]) == 1:  # the advantage of a single decision cannot be normalised
            parts[-2:] = [torch.cat(parts[-2:])]
        yield from map(self._batch, parts)

    def _batch(self, rows: torch.Tensor) -> Minibatch:
        (view,) = self._views
        actions, values, log_probs, advantages, returns = (numbers[rows] for numbers in self._numbers)
        return Minibatch(rows_of(view, rows), actions, values, log_probs, advantages, returns)
