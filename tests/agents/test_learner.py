"""Test the policy of the learner: its Stable-Baselines3 interface, schedules, snapshots and resuming."""

from __future__ import annotations

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO

from agents.networks import PolicyNetwork
from agents.players.policy import PolicyAgent
from agents.ppo.config import TrainingConfig, parse_config
from agents.ppo.model import GamePolicy, make_model, policy_of, set_schedules
from agents.ppo.training import TrainingRun, train
from agents.training.monitor import Monitor
from agents.training.opponents import OpponentPool
from agents.training.schedule import LinearSchedule
from edge_envs import sb3_vec_env
from edge_envs.envs.sb3 import SeatVecEnv

pytestmark = pytest.mark.usefixtures("torch_threads")

NETWORKS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "perceptron": ({"game": "falling_off"}, {"features": "own", "hidden": [8]}),
    "convolutional": (
        {"game": "tic_tac_toe"},
        {"kind": "convolutional", "channels": 4, "blocks": 1, "hint_weight": 1.0},
    ),
    "convolutional on beyond_maps": (
        {"game": "beyond_maps", "params": {"size": 5, "max_turns": 20}},
        {"kind": "convolutional", "features": "own", "channels": 4, "blocks": 1, "hint_weight": 1.0},
    ),
}
each_network = pytest.mark.parametrize("kind", NETWORKS)
ROLLOUT = 16 * 8


def config_of(kind: str, **changes: Any) -> TrainingConfig:
    """Configure a run of three short rollouts, with a checkpoint and an evaluation after each."""
    game, network = NETWORKS[kind]
    return parse_config(
        {
            **game,
            "total_steps": 3 * ROLLOUT,
            "num_envs": 16,
            "opponents": {"random": 0.5, "snapshots": 0.5},
            "snapshots": {"every": ROLLOUT, "keep": 2},
            "network": network,
            "ppo": {"steps_per_rollout": 8, "batch_size": 64, "epochs": 1, "learning_rate": 0.001},
            "evaluation": {"every": ROLLOUT, "games": 4, "against": ["random"]},
            "checkpoint_every": ROLLOUT,
            **changes,
        },
        kind,
    )


def fresh(kind: str) -> tuple[MaskablePPO, Any, TrainingConfig]:
    config = config_of(kind)
    env = sb3_vec_env(config.game, num_envs=16, **config.params)
    return make_model(config, env), env, config


def policy(model: MaskablePPO) -> GamePolicy:
    assert isinstance(model.policy, GamePolicy)
    return model.policy


@each_network
def test_acting_and_learning_use_the_same_policy(kind: str) -> None:
    model, env, _ = fresh(kind)
    observations, masks = torch.from_numpy(env.reset()), env.action_masks()
    with torch.no_grad():
        actions, values, log_probs = policy(model)(observations, action_masks=masks)
        learned = policy(model).evaluate_actions(observations, actions, torch.from_numpy(masks))
    assert actions.shape == values.shape == log_probs.shape == learned[2].shape == (16,)
    assert masks[np.arange(16), actions.numpy()].all()
    torch.testing.assert_close(learned[0], values)
    torch.testing.assert_close(learned[1], log_probs)
    torch.testing.assert_close(policy(model).predict_values(observations), values)
    best, _ = model.predict(observations.numpy(), action_masks=masks, deterministic=True)
    assert masks[np.arange(16), best].all()


@each_network
def test_extracted_policy_shares_weights_with_the_learner(kind: str) -> None:
    model, env, config = fresh(kind)
    observations, masks = env.reset(), env.action_masks()
    agent = policy_of(model, config, env.game)
    arguments = (observations, masks, None, np.zeros(16, np.int64), np.random.default_rng(0))
    for _ in range(3):
        expected, _ = model.predict(observations, action_masks=masks, deterministic=True)
        assert np.array_equal(agent.act(*arguments), expected)
        with torch.no_grad():
            for weights in policy(model).parameters():
                weights.copy_(torch.randn_like(weights))


@each_network
def test_network_receives_raw_observations(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    model, env, _ = fresh(kind)
    seen: list[torch.Tensor] = []
    layer: Any = policy(model).actor.layer
    pack = layer.pack

    def recorded(observations: torch.Tensor, masks: Any = None) -> Any:
        seen.append(observations)
        return pack(observations, masks)

    monkeypatch.setattr(layer, "pack", recorded)
    policy(model)(torch.from_numpy(env.reset()), action_masks=env.action_masks())
    raw = torch.float32 if kind == "convolutional" else torch.int8  # tic_tac_toe observes floats
    assert [observations.dtype for observations in seen] == [raw]


@each_network
def test_all_parameters_belong_to_actor_or_critic(kind: str) -> None:
    model, _, _ = fresh(kind)
    names = {name.split(".")[0] for name, _ in policy(model).named_parameters()}
    assert names == {"actor", "critic"}
    learned = sum(len(group["params"]) for group in policy(model).optimizer.param_groups)
    assert learned == len(list(policy(model).parameters()))


@each_network
def test_resumed_run_restores_weights_and_optimizer_state(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run, config = TrainingRun(tmp_path / "run"), config_of(kind)
    run.start(config)
    with monkeypatch.context() as patch:
        patch.setattr(Monitor, "advance", stop_at(2 * ROLLOUT + 1))
        with pytest.raises(KeyboardInterrupt):
            train(config, run)
    game = config.load_game()
    opponents = OpponentPool(config, game)
    env = SeatVecEnv(game, config.num_envs, opponents.mix)
    model = run.load_checkpoint(config, env, opponents)
    assert model is not None
    assert model.num_timesteps == 2 * ROLLOUT
    exported = PolicyAgent.load(run.policy).network.state_dict()
    for name, weights in policy(model).actor.state_dict().items():
        assert torch.equal(weights, exported[name]), name
    state = policy(model).optimizer.state_dict()["state"]
    assert len(state) == len(list(policy(model).parameters()))
    assert {int(entry["step"]) for entry in state.values()} == {2 * ROLLOUT // 64}

    train(config, run, resume=True)
    again = run.load_checkpoint(config, env, opponents)
    assert again is not None
    assert again.num_timesteps == 3 * ROLLOUT
    assert not torch.equal(*(next(policy(one).critic.parameters()) for one in (model, again)))


def stop_at(limit: int) -> Callable[[Monitor, int], None]:
    """Return a method that interrupts a training at a step."""

    def advance(_: Monitor, step: int) -> None:
        if step >= limit:
            raise KeyboardInterrupt

    return advance


@pytest.mark.parametrize(("remaining", "value"), [(1.0, 0.5), (0.75, 0.4), (0.5, 0.3), (0.0, 0.1), (-0.1, 0.1)])
def test_schedule_is_linear_and_clamped_at_its_end(remaining: float, value: float) -> None:
    assert LinearSchedule(0.5, 0.1)(remaining) == pytest.approx(value)


def test_schedules_follow_the_steps() -> None:
    ppo = {"steps_per_rollout": 8, "batch_size": 64, "gae_lambda": [0.9, 0.5], "entropy": [0.04, 0.0],
           "learning_rate": [0.002, 0.001]}  # fmt: skip
    config = config_of("perceptron", ppo=ppo, total_steps=1000)
    model = make_model(config, sb3_vec_env(config.game, num_envs=16))
    for step, gae_lambda, entropy in [(0, 0.9, 0.04), (250, 0.8, 0.03), (1000, 0.5, 0.0), (1024, 0.5, 0.0)]:
        model.num_timesteps = step
        set_schedules(model, config)
        assert model.gae_lambda == model.rollout_buffer.gae_lambda == pytest.approx(gae_lambda)
        assert model.ent_coef == pytest.approx(entropy)
    assert [model.lr_schedule(remaining) for remaining in (1.0, 0.0)] == pytest.approx([0.002, 0.001])


def test_rollout_uses_the_schedule_values_of_its_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[float, float, float]] = []
    learn = MaskablePPO.train

    def watched(model: MaskablePPO) -> None:
        learn(model)
        rate = model.policy.optimizer.param_groups[0]["lr"]
        seen.append((model.rollout_buffer.gae_lambda, model.ent_coef, rate))

    monkeypatch.setattr(MaskablePPO, "train", watched)
    ppo = {"steps_per_rollout": 8, "batch_size": 64, "epochs": 1, "gae_lambda": [0.9, 0.6], "entropy": [0.03, 0.0],
           "learning_rate": [0.003, 0.0]}  # fmt: skip
    run, config = TrainingRun(tmp_path / "run"), config_of("perceptron", ppo=ppo)
    run.start(config)
    train(config, run)
    assert seen == [pytest.approx(row) for row in [(0.9, 0.03, 0.002), (0.8, 0.02, 0.001), (0.7, 0.01, 0.0)]]


def test_oldest_snapshot_is_replaced_by_a_copy_of_the_learner(tmp_path: Path) -> None:
    model, env, config = fresh("perceptron")
    learner = policy_of(model, config, env.game)
    pool = OpponentPool(config, env.game)
    assert [opponent for opponent, _ in pool.mix.choices] == ["random", *pool.snapshots]

    def fill(value: float) -> None:
        with torch.no_grad():
            for weights in learner.network.parameters():
                weights.fill_(value)

    def first_weights(pool: OpponentPool) -> list[float]:
        return [next(snapshot.policy.network.parameters()).mean().item() for snapshot in pool.snapshots]

    def exchange(pool: OpponentPool, step: int, value: float) -> None:
        fill(value)
        assert pool.is_due(step)
        pool.update(step, learner)
        assert not pool.is_due(step)
        fill(100.0)  # does not change any snapshot

    first = first_weights(pool)
    assert not pool.is_due(0)
    assert not pool.is_due(ROLLOUT - 1)
    exchange(pool, ROLLOUT, 1.0)
    assert first_weights(pool) == [1.0, first[1]]
    assert not pool.is_due(2 * ROLLOUT - 1)
    exchange(pool, 3 * ROLLOUT, 3.0)  # a long rollout skips an exchange
    assert first_weights(pool) == [1.0, 3.0]
    pool.copy()(tmp_path)
    again = OpponentPool(config, env.game)
    again.load(tmp_path, 4 * ROLLOUT - 1)
    for one in (pool, again):
        assert first_weights(one) == [1.0, 3.0]
        exchange(one, 5 * ROLLOUT, 5.0)
        assert first_weights(one) == [5.0, 3.0]
        assert not any(snapshot.policy.greedy for snapshot in one.snapshots)


def test_pool_without_snapshots_is_never_updated() -> None:
    config = config_of("perceptron", opponents={"heuristic": 1})
    pool = OpponentPool(config, config.load_game())
    assert list(pool.mix.choices) == [("heuristic", 1.0)]
    assert not pool.is_due(10 * ROLLOUT)


def test_network_is_copied_only_when_a_snapshot_is_due(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copies: list[Any] = []
    copy_whole = copy.deepcopy

    def recorded(value: Any, *others: Any) -> Any:
        copies.append(value)
        return copy_whole(value, *others)

    monkeypatch.setattr(copy, "deepcopy", recorded)
    run, config = TrainingRun(tmp_path / "run"), config_of("perceptron", snapshots={"every": 2 * ROLLOUT, "keep": 1})
    run.start(config)
    train(config, run)
    assert sum(isinstance(value, PolicyNetwork) for value in copies) == 1 + 1  # at the start, and after two rollouts
