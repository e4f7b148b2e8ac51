"""Test the rollout buffer of the learner, and that learning matches MaskablePPO."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.distributions import MaskableCategoricalDistribution
from stable_baselines3.common.logger import Logger

import agents.ppo.model
from agents.ppo.config import TrainingConfig, parse_config
from agents.ppo.model import GamePolicy, Learner, make_model
from agents.training.masked_categorical import MaskedCategorical
from edge_envs import sb3_vec_env
from tests.agents.test_networks import hint_batch_sizes

LANES, STEPS, EPOCHS, ROLLOUTS = 16, 8, 2, 3
CASES: dict[str, dict[str, Any]] = {
    "perceptron": {"game": "falling_off", "network": {"features": "own", "hidden": [8]}},
    "perceptron with hints": {"game": "tic_tac_toe", "network": {"hidden": [8], "hint_weight": 2.0}},
    "convolutional": {
        "game": "tic_tac_toe",
        "network": {"kind": "convolutional", "channels": 4, "blocks": 1, "hint_weight": 1.0},
    },
    "convolutional on beyond_maps": {
        "game": "beyond_maps",
        "params": {"size": 5, "max_turns": 20},
        "network": {"kind": "convolutional", "features": "own", "channels": 4, "blocks": 1, "hint_weight": 1.0},
    },
}
each_case = pytest.mark.parametrize("case", CASES)


class PlainPolicy(GamePolicy):
    """The policy as written for MaskablePPO: it computes all logits from the observations and masks them."""

    def forward(
        self, obs: Any, deterministic: bool = False, action_masks: Any = None
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        actions = super().forward(obs, deterministic, action_masks)[0]
        values, log_probs, _ = self.evaluate_actions(obs, actions, action_masks)
        return actions, values, log_probs

    def evaluate_actions(
        self, obs: Any, actions: torch.Tensor, action_masks: Any = None
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        encoding = self.actor.encode(obs)
        distribution = MaskableCategoricalDistribution(self.game.num_distinct_actions)
        distribution.proba_distribution(self.actor.logits(encoding)).apply_masking(action_masks)
        return self.critic(encoding), distribution.log_prob(actions), distribution.entropy()


def config_of(case: str) -> TrainingConfig:
    ppo = {"steps_per_rollout": STEPS, "batch_size": 32, "epochs": EPOCHS, "learning_rate": 0.01, "entropy": 0.01}
    return parse_config(
        {**CASES[case], "total_steps": 1000, "num_envs": LANES, "opponents": {"random": 1.0}, "ppo": ppo}, case
    )


def trained(config: TrainingConfig) -> Any:
    env = sb3_vec_env(config.game, num_envs=LANES, **config.params)
    env.seed(0)
    model = make_model(config, env)
    model.set_logger(Logger(folder=None, output_formats=[]))  # the default logger creates a folder
    return model.learn(ROLLOUTS * LANES * STEPS)


@each_case
def test_learner_matches_maskable_ppo(case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    config = config_of(case)
    learner = trained(config)
    draw = np.random.permutation

    def by_lanes(count: int) -> Any:
        """Return the same permutation for a rollout that is stored game by game."""
        step, lane = np.divmod(draw(count), LANES)
        return lane * STEPS + step

    monkeypatch.setattr(np.random, "permutation", by_lanes)
    monkeypatch.setattr(agents.ppo.model, "Learner", MaskablePPO)
    monkeypatch.setattr(agents.ppo.model, "GamePolicy", PlainPolicy)
    plain = trained(config)
    assert type(plain) is MaskablePPO
    assert np.array_equal(by_time(plain, "actions"), by_time(learner, "actions"))
    assert by_time(plain, "advantages") == pytest.approx(by_time(learner, "advantages"), abs=1e-4)
    expected = plain.policy.state_dict()
    for name, weights in learner.policy.state_dict().items():
        torch.testing.assert_close(weights, expected[name], rtol=1e-3, atol=1e-4)


def by_time(model: Any, name: str) -> Any:
    """Return an array of the last rollout (steps, games)."""
    numbers = getattr(model.rollout_buffer, name)
    if isinstance(model, Learner):
        return numbers.reshape(STEPS, LANES)
    return numbers.reshape(LANES, STEPS).T


def test_features_are_computed_once_per_observation(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = hint_batch_sizes(monkeypatch)
    trained(config_of("perceptron with hints"))
    assert sizes == [LANES] * (STEPS + 1) * ROLLOUTS  # including the observations after each rollout


@each_case
def test_epoch_covers_each_decision_once(case: str) -> None:
    config = config_of(case)
    model = trained(config)
    rollout, seen, shown = model.rollout_buffer, [], []
    for batch in rollout.get(40):  # the last batch is smaller
        with torch.no_grad():
            _, log_probs, entropies = model.policy.evaluate_actions(batch.observations, batch.actions)
        assert len(batch.actions) == len(batch.observations[0]) == len(log_probs) == len(entropies) <= 40
        legal = batch.observations.legal
        assert (legal == batch.actions[:, None]).any(1).all()
        seen += batch.old_log_prob.tolist()
        shown.append(batch.observations[0])
    assert sorted(seen) == sorted(rollout.log_probs.ravel().tolist())
    stored = torch.cat(shown).flatten(1).sum(1)
    (view,) = rollout._views
    assert torch.equal(stored.sort().values, view[0].flatten(1).sum(1).sort().values)


@each_case
def test_no_minibatch_has_a_single_decision(case: str) -> None:
    rollout = trained(config_of(case)).rollout_buffer
    count = LANES * STEPS
    assert [len(batch.actions) for batch in rollout.get(count - 1)] == [count]
    assert [len(batch.actions) for batch in rollout.get(count)] == [count]
    assert [len(batch.actions) for batch in rollout.get(count - 2)] == [count - 2, 2]


def test_masked_categorical_matches_masked_logits() -> None:
    torch.manual_seed(0)
    logits = torch.randn(3, 6)
    masks = torch.tensor([[1, 0, 0, 1, 1, 0], [0, 1, 0, 0, 0, 0], [1, 1, 0, 1, 1, 1]]).bool()
    legal = torch.tensor([[0, 3, 4, -1, -1], [1, -1, -1, -1, -1], [0, 1, 3, 4, 5]])
    choices = MaskedCategorical(logits.gather(1, legal.clamp(min=0)), legal)
    expected = MaskableCategoricalDistribution(6).proba_distribution(logits)
    expected.apply_masking(masks)
    torch.testing.assert_close(choices.entropy(), expected.entropy())
    assert torch.equal(choices.get_actions(deterministic=True), expected.get_actions(deterministic=True))
    drawn = torch.stack([choices.get_actions() for _ in range(2000)])
    for row, actions in enumerate(drawn.T):
        assert set(actions.tolist()) == set(legal[row][legal[row] >= 0].tolist())
        for action in set(actions.tolist()):
            log_prob = expected.log_prob(torch.full((3,), action))[row]
            assert (actions == action).float().mean().item() == pytest.approx(log_prob.exp().item(), abs=0.05)
            torch.testing.assert_close(choices.log_prob(torch.full((3,), action))[row], log_prob)
