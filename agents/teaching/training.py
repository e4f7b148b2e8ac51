"""Expert iteration (Anthony, Tian and Barber, 2017): the pupil, and the loop of rounds of games and fits.

A round depends only on the number of earlier games and on the weights, so a resumed run gives the same result as an
uninterrupted one.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch

from agents.common.devices import resolve
from agents.teaching.config import TeachingConfig
from agents.teaching.lessons import Lessons, all_of
from agents.teaching.teacher import teach
from agents.training.actor_critic import ActorCritic
from agents.training.checkpoint import Write, load_tensors, tensors
from agents.training.divergence import check_weights
from agents.training.folder import TrainingFolder
from agents.training.masked_categorical import MIN_LOG_PROB
from agents.training.monitor import Monitor
from agents.training.schedule import LinearSchedule
from agents.training.torch_state import generator_states, restore_generators, with_torch_settings
from agents.training.upkeep import Upkeep
from agents.workers.local import LocalWorkers
from agents.workers.workers import Workers
from edge_envs import Game


class TeachingRun(TrainingFolder[TeachingConfig]):
    """The run folder."""

    kind = TeachingConfig


class Pupil(ActorCritic):
    """Networks that learn from lessons."""

    def __init__(self, config: TeachingConfig, game: Game) -> None:
        super().__init__(
            config.network,
            game,
            config.fit.learning_rate[0],
            all_players=True,
            device=resolve(config.device),
            bf16=config.bf16,
        )
        self.actor.layer.threads = config.feature_threads
        self.fit = config.fit

    def learn(self, rounds: Sequence[Lessons], remaining: float) -> dict[str, float]:
        """Learn from the lessons of some rounds for some epochs, and return statistics for TensorBoard.

        `remaining` is the fraction of the training that is left, for the schedule. DivergedError if gradients are not
        finite, or weights exceed their bound.
        """
        fit, lessons = self.fit, all_of(rounds)
        rate = LinearSchedule(*fit.learning_rate)(remaining)
        self.set_learning_rate(rate)
        numbers: list[list[float]] = []
        for _ in range(fit.epochs):
            order = torch.randperm(lessons.size).to(self.device)
            for rows in order.tensor_split(max(1, lessons.size // fit.batch_size)):
                policy_loss, value_loss = self._losses(lessons.rows(rows))
                self.optimizer_step(policy_loss + fit.value_weight * value_loss, fit.max_grad_norm)
                numbers.append([policy_loss.item(), value_loss.item()])
        check_weights(self.parameters)
        policy_loss, value_loss = np.mean(numbers, axis=0).tolist()
        variance = float(lessons.returns.var(dim=0).mean())
        explained = 1 - value_loss / variance if variance > 0 else 0.0
        return {"divergence": policy_loss, "value_loss": value_loss, "explained_variance": explained, "rate": rate}

    def _losses(self, lessons: Lessons) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the Kullback-Leibler divergence from the search policy, and the squared error of the values."""
        distribution, values = self.evaluate(lessons.view)
        divergence = (
            (lessons.policy * (lessons.policy.log().clamp(min=MIN_LOG_PROB) - distribution.log_probs)).sum(1).mean()
        )
        return divergence, (values.view(lessons.returns.shape) - lessons.returns).square().mean()


@with_torch_settings
def train(config: TeachingConfig, run: TeachingRun, resume: bool = False, workers: Workers | None = None) -> None:
    """Train to `total_steps` or `max_seconds`, from the start, or with `resume` from the last checkpoint.

    `workers` play the parts of a round; without them, this process does.
    """
    game = config.load_game()
    pupil = Pupil(config, game)
    step, games, rounds = 0, 0, list[Lessons]()

    def copy() -> Write:
        kept = {"step": step, "games": games, "rounds": rounds, "pupil": pupil.state()}
        return tensors(kept | generator_states(pupil.device), "learner.pt")

    def load(folder: Path) -> tuple[int, int, list[Lessons]]:
        kept = load_tensors(folder / "learner.pt")
        pupil.restore(kept["pupil"])
        restore_generators(kept, pupil.device)
        return kept["step"], kept["games"], [lessons.on(pupil.device) for lessons in kept["rounds"]]

    if resume:
        step, games, rounds = run.read_checkpoint(config, load) or (step, games, rounds)
    with (
        Monitor(run.folder, config, game, step) as monitor,
        Upkeep(config, run, None, monitor, step, resume) as upkeep,
    ):
        while (done := monitor.done(step)) < 1.0:
            upkeep(step, pupil.policy, copy)
            rounds = [*rounds, teach(config, pupil, games, workers or LocalWorkers(1))][-config.fit.rounds :]
            games += config.games
            numbers = pupil.learn(rounds, 1 - (done if config.max_seconds else step / config.total_steps))
            step += rounds[-1].size
            monitor.advance(step)
            for name, number in numbers.items():
                monitor.writer.add_scalar(f"train/{name}", number, step)
        upkeep(step, pupil.policy, copy, last=True)
