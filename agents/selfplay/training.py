"""PPO (Schulman et al., 2017) by self-play: the games, the learner, and the training loop.

The same network plays every seat, from the seat's view and for its reward, and learns from the decisions of all seats.
A checkpoint includes the running games, so a resumed run gives the same result as an uninterrupted one.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn

from agents.common.devices import resolve
from agents.networks.features import rows_of
from agents.ppo.config import PPO
from agents.selfplay.config import SelfPlayConfig
from agents.selfplay.rollout import Rollout
from agents.training.actor_critic import ActorCritic
from agents.training.checkpoint import Write, load_tensors, tensors
from agents.training.divergence import check_weights
from agents.training.folder import TrainingFolder
from agents.training.monitor import Monitor
from agents.training.opponents import OpponentPool
from agents.training.schedule import LinearSchedule
from agents.training.torch_state import generator_states, restore_generators, with_torch_settings
from agents.training.upkeep import Upkeep
from edge_envs import Game, GameVectorEnv
from edge_envs.core.spec import Array

LEARNS = -1
"""In place of the number of an opponent: the learner plays this seat."""


class SelfPlayRun(TrainingFolder[SelfPlayConfig]):
    """The run folder."""

    kind = SelfPlayConfig


class Learner(ActorCritic):
    """Networks that decide and learn by PPO."""

    def __init__(self, config: SelfPlayConfig, game: Game) -> None:
        device = resolve(config.device)
        super().__init__(config.network, game, config.ppo.learning_rate[0], device=device, bf16=config.bf16)
        self.actor.layer.threads = config.feature_threads
        self.ppo = config.ppo

    def decide(self, observations: Array, action_masks: Array) -> tuple[Array, Array, Array]:
        """Sample actions; return them, their log-probabilities and the values, each (B,)."""
        with torch.no_grad():
            distribution, values = self.evaluate(self.preprocess(observations, action_masks))
            actions = distribution.get_actions()
            log_probs = distribution.log_prob(actions)
            return actions.cpu().numpy(), log_probs.cpu().numpy(), values.cpu().numpy()

    def learn(self, rollout: Rollout, remaining: float) -> dict[str, float]:
        """Learn from a rollout for some epochs.

        Args:
            rollout: the decisions.
            remaining: the fraction of the training that is left, for the schedules.

        Returns:
            Statistics for TensorBoard.

        Raises:
            DivergedError: if gradients are not finite, or weights exceed their bound.
        """
        ppo = self.ppo
        advantage, is_learnable = rollout.compute_gae(ppo.gamma, LinearSchedule(*ppo.gae_lambda)(remaining))
        returns = advantage + rollout.value
        entropy_weight, rate = LinearSchedule(*ppo.entropy)(remaining), LinearSchedule(*ppo.learning_rate)(remaining)
        self.set_learning_rate(rate)
        size = int(is_learnable.sum())
        shown = rollout.observation[is_learnable], rollout.action_mask[is_learnable]
        view: Any = self.preprocess_in_chunks(*shown, ppo.batch_size) if size > 1 else None
        chosen, old, gains, targets = (
            torch.from_numpy(array[is_learnable]).to(self.device)
            for array in (rollout.action, rollout.log_prob, advantage, returns)
        )
        numbers: list[list[float]] = []
        for _ in range(ppo.epochs if size > 1 else 0):
            order = torch.randperm(size).to(self.device)
            for batch in order.tensor_split(max(1, size // ppo.batch_size)):
                distribution, values = self.evaluate(rows_of(view, batch))
                ratio = (distribution.log_prob(chosen[batch]) - old[batch]).exp()
                policy_loss = _clipped_loss(ratio, _normalised(gains[batch]), ppo)
                value_loss = nn.functional.mse_loss(values, targets[batch])
                entropy = distribution.entropy().mean()
                loss = policy_loss + ppo.value_weight * value_loss - entropy_weight * entropy
                self.optimizer_step(loss, ppo.max_grad_norm)
                clipped = ((ratio - 1).abs() > ppo.clip_range).float().mean()
                numbers.append(torch.stack([loss, policy_loss, value_loss, entropy, clipped]).tolist())
        check_weights(self.parameters)
        names = ("loss", "policy_loss", "value_loss", "entropy", "clip_fraction")
        means = np.mean(numbers, axis=0) if numbers else np.zeros(len(names))
        variance = returns[is_learnable].var() if size else 0.0
        explained = 1 - advantage[is_learnable].var() / variance if variance > 0 else 0.0
        return {**dict(zip(names, means.tolist(), strict=True)), "learning_rate": rate, "explained_variance": explained}


def _clipped_loss(ratio: torch.Tensor, advantage: torch.Tensor, ppo: PPO) -> torch.Tensor:
    clipped = ratio.clamp(1 - ppo.clip_range, 1 + ppo.clip_range)
    return -torch.min(ratio * advantage, clipped * advantage).mean()


def _normalised(advantage: torch.Tensor) -> torch.Tensor:
    return (advantage - advantage.mean()) / (advantage.std(correction=0) + 1e-8)


class Games:
    """The running games: the learner plays all seats, or one seat against opponents of the pool."""

    def __init__(self, config: SelfPlayConfig, game: Game, opponents: OpponentPool) -> None:
        self._share, self._opponents = config.pool, opponents
        self._agents = opponents.agents()
        self._rng = np.random.default_rng(config.seed)
        self._words = self._rng.integers(2**64, size=config.num_envs, dtype=np.uint64)
        self._env = GameVectorEnv(game, config.num_envs, config.feature_threads)
        self._batch = self._env.reset(config.seed)
        self._seats = np.full((config.num_envs, game.num_players), LEARNS)
        self._returns = np.zeros((config.num_envs, game.num_players))
        self._seat(np.arange(config.num_envs))
        self.rollout = Rollout(game, config.ppo.steps_per_rollout, config.num_envs)

    def play(self, learner: Learner) -> None:
        """Fill the rollout."""
        rollout, batch = self.rollout, self._batch
        lanes = np.arange(rollout.lanes)
        for step in range(rollout.steps):
            row = rollout.players + step
            rollout.observation[row], rollout.action_mask[row] = batch.observation, batch.action_mask
            rollout.player[row] = batch.current_player
            actions, rollout.log_prob[row], rollout.value[row] = learner.decide(batch.observation, batch.action_mask)
            who = self._seats[lanes, batch.current_player]
            rollout.learns[row] = who == LEARNS
            for number, agent in enumerate(self._agents):
                self._ask(agent, np.flatnonzero(who == number), actions)
            rollout.action[row] = actions
            batch = self._batch = self._env.step(actions)
            rollout.rewards[step], rollout.terminated[step] = batch.rewards, batch.terminated
            self._returns += batch.rewards
            self._end(np.flatnonzero(batch.terminated))

    def _ask(self, agent: Any, lanes: Array, actions: Array) -> None:
        """Let an opponent decide in some lanes."""
        if lanes.size:
            batch = self._batch
            states = self._env.shown_states(lanes, self._words) if agent.needs_states else None
            masks, players = batch.action_mask[lanes], batch.current_player[lanes]
            actions[lanes] = agent.act(batch.observation[lanes], masks, states, players, self._rng)

    def _end(self, lanes: Array) -> None:
        """Report finished games to the pool, and draw the players of the next ones."""
        seats = self._seats[lanes]
        met = (seats != LEARNS).any(axis=1)
        own = (seats == LEARNS).argmax(axis=1)
        self._opponents.note(seats[met], self._returns[lanes[met], own[met]])
        self._returns[lanes] = 0.0
        self._seat(lanes)

    def _seat(self, lanes: Array) -> None:
        """Draw the players of new games in some lanes."""
        self._seats[lanes] = LEARNS
        if not self._agents:
            return
        lanes = lanes[self._rng.random(lanes.size) < self._share]
        weights = self._opponents.weights
        players = self._seats.shape[1]
        self._seats[lanes] = self._rng.choice(weights.size, (lanes.size, players), p=weights / weights.sum())
        self._seats[lanes, self._rng.integers(players, size=lanes.size)] = LEARNS

    def state(self) -> dict[str, Any]:
        """Return the state for a checkpoint: games with their generators, players, and open decisions."""
        kept = {name: self.__dict__[name] for name in ("_env", "_batch", "_rng", "_words", "_seats", "_returns")}
        return {**kept, "open": self.rollout.open_decisions()}

    def restore(self, state: dict[str, Any]) -> None:
        """Restore a state from a checkpoint."""
        self.rollout.restore(state.pop("open"))
        self.__dict__.update(state)


@with_torch_settings
def train(config: SelfPlayConfig, run: SelfPlayRun, resume: bool = False) -> None:
    """Train to `total_steps` or `max_seconds`, from the start, or with `resume` from the last checkpoint."""
    game = config.load_game()
    opponents = OpponentPool(config, game)
    learner, games = Learner(config, game), Games(config, game, opponents)
    rollout = config.num_envs * config.ppo.steps_per_rollout

    def copy() -> Write:
        kept = {"step": step, "learner": learner.state(), "games": games.state()}
        return tensors(kept | generator_states(learner.device), "learner.pt")

    def load(folder: Path) -> int:
        kept = load_tensors(folder / "learner.pt")
        opponents.load(folder, kept["step"])
        learner.restore(kept["learner"])
        games.restore(kept["games"])
        restore_generators(kept, learner.device)
        return int(kept["step"])

    step = (run.read_checkpoint(config, load) if resume else None) or 0
    with (
        Monitor(run.folder, config, game, step) as monitor,
        Upkeep(config, run, opponents, monitor, step, resume) as upkeep,
    ):
        while (done := monitor.done(step)) < 1.0:
            upkeep(step, learner.policy, copy)
            games.play(learner)
            numbers = learner.learn(games.rollout, 1 - (done if config.max_seconds else step / config.total_steps))
            games.rollout.carry_over()
            step += rollout
            monitor.advance(step)
            for name, number in numbers.items():
                monitor.writer.add_scalar(f"train/{name}", number, step)
        upkeep(step, learner.policy, copy, last=True)
