"""Earlier versions of the learning policy as opponents."""

from __future__ import annotations

import copy

import numpy as np

from agents.policy import PolicyAgent
from edge_envs.core.game import Array, Records


class SnapshotAgent:
    """One slot of the pool: plays a frozen policy, drawing from its distribution; the policy may be exchanged."""

    needs_states = False

    def __init__(self, slot: int, policy: PolicyAgent) -> None:
        self.name = f"snapshot {slot}"
        self.freeze(policy)

    def freeze(self, policy: PolicyAgent) -> None:
        """Play a copy of this policy from now on."""
        self.policy = copy.copy(policy)
        self.policy.network = copy.deepcopy(policy.network)
        self.policy.greedy = False

    def act(
        self,
        observations: Array,
        action_masks: Array,
        states: Records | None,
        players: Array,
        rng: np.random.Generator,
    ) -> Array:
        """Legal actions (k,); see `agents.agent.Agent`."""
        return self.policy.act(observations, action_masks, states, players, rng)
