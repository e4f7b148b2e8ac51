"""Deep Q-learning with action masks: double Q-learning (van Hasselt et al., 2016) from a replay buffer.

The network's outputs are the values of the actions. Illegal actions are left out of the greedy choice, of exploration
and of the greatest next value. One seat of each game learns, and opponents play the others.
"""

from __future__ import annotations

import copy as copies
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn

from agents.common.devices import resolve
from agents.deep_q.buffer import Minibatch, ReplayBuffer
from agents.deep_q.config import DeepQConfig
from agents.players.policy import PolicyAgent
from agents.training.checkpoint import Write, load_tensors, tensors
from agents.training.divergence import DivergedError, check_weights, guard
from agents.training.folder import TrainingFolder
from agents.training.monitor import Monitor
from agents.training.opponents import GameScores, OpponentPool
from agents.training.schedule import LinearSchedule
from agents.training.torch_state import generator_states, restore_generators, with_torch_settings
from agents.training.upkeep import Upkeep
from edge_envs import Game
from edge_envs.core.loops.seat_codes import SAME_STEP
from edge_envs.core.spec import Array
from edge_envs.envs.seat_lanes import SeatLanes


class DeepQRun(TrainingFolder[DeepQConfig]):
    """The run folder."""

    kind = DeepQConfig


class Learner:
    """The network that learns, the target network, the optimiser and the replay buffer."""

    def __init__(self, config: DeepQConfig, game: Game) -> None:
        self.dqn, self.device = config.dqn, torch.device(resolve(config.device))
        self.network = config.network.make_network(game).to(self.device)
        self.network.layer.threads = config.feature_threads
        self.target = copies.deepcopy(self.network)
        self.optimizer = torch.optim.Adam(self.network.parameters(), lr=config.dqn.learning_rate)
        guard(self.optimizer)
        self.policy = PolicyAgent(self.network, game, config.network)
        self.buffer = ReplayBuffer(game, config.dqn.buffer // config.num_envs, config.num_envs)
        self.rng, self.updates = np.random.default_rng(config.seed), 0

    def decide(self, observations: Array, masks: Array, exploration: float) -> Array:
        """Return an action (N,) for each lane: a uniformly random legal one with probability `exploration`."""
        with torch.inference_mode():
            values = self.network(torch.from_numpy(observations)).cpu().numpy()
        if not np.isfinite(values).all():
            raise DivergedError
        greedy = np.where(masks != 0, values, -np.inf).argmax(axis=1)
        drawn = (self.rng.random(masks.shape) * (masks != 0)).argmax(axis=1)
        actions: Array = np.where(self.rng.random(len(masks)) < exploration, drawn, greedy)
        return actions

    def learn(self) -> dict[str, float]:
        """Take one optimiser step on a minibatch; DivergedError if gradients or weights are not finite."""
        batch = self.buffer.draw(self.dqn.batch_size, self.rng, self.dqn.n_steps, self.dqn.gamma)
        targets = self.targets(batch)
        chosen = self._tensor(batch.action)[:, None]
        values = self.network(torch.from_numpy(batch.observation)).gather(1, chosen)[:, 0]
        loss = nn.functional.smooth_l1_loss(values, targets)
        self.optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]  # in torch
        nn.utils.clip_grad_norm_(self.network.parameters(), self.dqn.max_grad_norm)
        self.optimizer.step()
        self.updates += 1
        check_weights(self.network.parameters())
        if self.updates % self.dqn.target_every == 0:
            self.target.load_state_dict(self.network.state_dict())
        return {"loss": float(loss.detach()), "value": float(values.detach().mean())}

    def targets(self, batch: Minibatch) -> torch.Tensor:
        """Return the targets (B,): rewards, and the target network's values of the best next actions by the network.

        The targets are n-step returns (Sutton, 1988), as in Rainbow (Hessel et al., 2018).
        """
        with torch.no_grad():
            following, legal = torch.from_numpy(batch.next_observation), self._tensor(batch.next_mask) != 0
            best = self.network(following).masked_fill(~legal, -torch.inf).argmax(dim=1, keepdim=True)
            values = self.target(following).gather(1, best)[:, 0]
            open_ = (~self._tensor(batch.terminated)).float()
            return self._tensor(batch.reward) + self._tensor(batch.discount) * open_ * values

    def _tensor(self, array: Array) -> torch.Tensor:
        return torch.from_numpy(np.ascontiguousarray(array)).to(self.device)

    def state(self) -> dict[str, Any]:
        """Return the state for a checkpoint."""
        parts = {"network": self.network, "target": self.target, "optimizer": self.optimizer}
        own = {name: part.state_dict() for name, part in parts.items()}
        return {**own, "buffer": self.buffer.state(), "rng": self.rng, "updates": self.updates}

    def restore(self, state: dict[str, Any]) -> None:
        """Restore a state from a checkpoint."""
        for name in ("network", "target", "optimizer"):
            getattr(self, name).load_state_dict(state[name])
        self.buffer.restore(state["buffer"])
        self.buffer.begin()
        self.rng, self.updates = state["rng"], state["updates"]


@with_torch_settings
def train(config: DeepQConfig, run: DeepQRun, resume: bool = False) -> None:
    """Train to `total_steps` or `max_seconds`, from the start, or with `resume` from the last checkpoint.

    A resumed run continues with the same networks and replay buffer, but starts new games.
    """
    game = config.load_game()
    opponents, learner = OpponentPool(config, game), Learner(config, game)

    def copy() -> Write:
        return tensors({"step": step, "learner": learner.state()} | generator_states(learner.device), "learner.pt")

    def load(folder: Path) -> int:
        kept = load_tensors(folder / "learner.pt")
        opponents.load(folder, kept["step"])
        learner.restore(kept["learner"])
        restore_generators(kept, learner.device)
        return int(kept["step"])

    step = (run.read_checkpoint(config, load) if resume else None) or 0
    lanes = SeatLanes(game, config.num_envs, opponents.mix, "random", "raise", SAME_STEP, config.random_opening)
    lanes.reset(config.seed + step)
    scores = GameScores(lanes, opponents)
    scores.begin()
    with (
        Monitor(run.folder, config, game, step) as monitor,
        Upkeep(config, run, opponents, monitor, step, resume) as upkeep,
    ):
        while (done := monitor.done(step)) < 1.0:
            upkeep(step, learner.policy, copy)
            lanes.set_opponent_weights(opponents.mix)
            exploration = LinearSchedule(*config.dqn.exploration)(1.0 - done / config.dqn.explore_for)
            for _ in range(config.dqn.steps_per_update):
                observation, mask = lanes.observation.copy(), lanes.action_masks()
                actions = learner.decide(observation, mask, exploration)
                lanes.step(actions)
                learner.buffer.add(observation, mask, actions, lanes.reward, lanes.terminated)
                scores.count()
            step += config.num_envs * config.dqn.steps_per_update
            if len(learner.buffer) >= config.dqn.learn_from:
                numbers = [learner.learn() for _ in range(config.dqn.updates)]
                for name in numbers[0]:
                    monitor.writer.add_scalar(f"train/{name}", np.mean([one[name] for one in numbers]), step)
            monitor.advance(step)
        upkeep(step, learner.policy, copy, last=True)
