"""The opponents of a training, earlier versions of the learning policy among them."""

from __future__ import annotations

import copy
import json
from pathlib import Path

from agents.agent import make_agent
from agents.files import read_json
from agents.policy import PolicyAgent
from agents.ppo.config import TrainingConfig
from edge_envs import Game, OpponentMix
from edge_envs.agents import Agent
from edge_envs.core.game import Array, Records
from edge_envs.envs.opponents import Generator


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
        self, observations: Array, action_masks: Array, states: Records | None, players: Array, rng: Generator
    ) -> Array:
        """Legal actions (k,) of the frozen policy."""
        return self.policy.act(observations, action_masks, states, players, rng)


class OpponentPool:
    """The opponents of a configuration. Where snapshots are among them, the learner joins them now and then."""

    def __init__(self, config: TrainingConfig, game: Game) -> None:
        weights = config.opponents
        choices: list[tuple[str | Agent, float]] = [("random", weights.random), ("heuristic", weights.heuristic)]
        if weights.perfect > 0:
            choices.append((make_agent("perfect", game), weights.perfect))
        self.snapshots: list[SnapshotAgent] = []
        if weights.snapshots > 0:
            untrained = PolicyAgent(config.network.make_network(game), game, config.network)
            self.snapshots = [SnapshotAgent(slot, untrained) for slot in range(config.snapshots.keep)]
            choices += [(snapshot, weights.snapshots / len(self.snapshots)) for snapshot in self.snapshots]
        self.mix = OpponentMix([(opponent, weight) for opponent, weight in choices if weight > 0])
        self._every = config.snapshots.every
        self._exchanged_at = 0  # in periods of `every` steps
        self._oldest = 0  # of the slots

    def is_due(self, step: int) -> bool:
        """Whether another `every` steps are complete since a snapshot was exchanged."""
        return bool(self.snapshots) and step // self._every > self._exchanged_at

    def update(self, step: int, learner: PolicyAgent) -> None:
        """Exchange the oldest snapshot for a copy of the learner."""
        self._exchanged_at = step // self._every
        self.snapshots[self._oldest].freeze(learner)
        self._oldest = (self._oldest + 1) % len(self.snapshots)

    def save(self, folder: Path) -> None:
        """Write the snapshots' policies, and which of them is the oldest."""
        for slot, snapshot in enumerate(self.snapshots):
            snapshot.policy.save(folder / f"snapshot-{slot}")
        (folder / "snapshots.json").write_text(json.dumps({"oldest": self._oldest}) + "\n", encoding="utf-8")

    def load(self, folder: Path, step: int) -> None:
        """Read them back, as they were at a step."""
        self._exchanged_at, self._oldest = step // self._every, int(read_json(folder / "snapshots.json")["oldest"])
        for slot, snapshot in enumerate(self.snapshots):
            snapshot.freeze(PolicyAgent.load(folder / f"snapshot-{slot}"))
