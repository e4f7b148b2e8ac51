"""Test deep Q-learning: targets and masks against a slow reference, the replay buffer, learning, and the time limit."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import edge_envs
from agents.common.configuration import parse
from agents.deep_q.buffer import Minibatch, ReplayBuffer
from agents.deep_q.config import DeepQConfig
from agents.deep_q.training import DeepQRun, Learner, train
from agents.evaluation.matches import play_match
from agents.players.policy import PolicyAgent
from agents.programs.training import run_training
from agents.training.checkpoint import load_tensors
from agents.training.divergence import DivergedError
from agents.training.monitor import TIME
from edge_envs.core.spec import Array
from edge_envs.players import built_in_agent

pytestmark = pytest.mark.usefixtures("torch_threads")


def config_of(**changes: Any) -> DeepQConfig:
    tiny = {
        "game": "tic_tac_toe", "total_steps": 2_000, "num_envs": 8, "opponents": {"random": 1},
        "network": {"hidden": [32], "activation": "relu"},
        "dqn": {"buffer": 2_000, "batch_size": 64, "learn_from": 200, "target_every": 20, "learning_rate": 1e-3},
        "evaluation": {"every": 10_000, "games": 4, "against": ["random"]}, "checkpoint_every": 1_000,
    }  # fmt: skip
    return parse(DeepQConfig, {**tiny, **changes}, "dqn")


def reference_targets(learner: Learner, batch: Minibatch) -> Array:
    """Compute the targets of double Q-learning one decision at a time."""
    targets = []
    for k in range(len(batch.action)):
        target = float(batch.reward[k])
        if not batch.terminated[k]:
            seen = torch.from_numpy(batch.next_observation[k : k + 1])
            values = learner.network(seen)[0].tolist()
            legal = [action for action in range(len(values)) if batch.next_mask[k, action]]
            best = max(legal, key=lambda action: values[action])
            target += float(batch.discount[k]) * learner.target(seen)[0, best].item()
        targets.append(target)
    return np.array(targets, np.float32)


def played(learner: Learner, rows: int) -> list[tuple[Array, ...]]:
    """Fill the buffer of a learner with games of random play; return the rows."""
    game = edge_envs.load_game("tic_tac_toe")
    env = edge_envs.seat_vector_env("tic_tac_toe", num_envs=8, opponents="random", autoreset_mode="SameStep")
    assert env.lanes.game.params == game.params
    env.reset(seed=0)
    kept: list[tuple[Array, ...]] = []
    for _ in range(rows):
        observation, mask = env.lanes.observation.copy(), env.lanes.action_masks()
        actions = learner.decide(observation, mask, exploration=1.0)
        env.lanes.step(actions)
        row = (observation, mask, actions, env.lanes.reward.copy(), env.lanes.terminated.copy())
        learner.buffer.add(*row)
        kept.append(row)
    return kept


@pytest.fixture(scope="module")
def learner() -> Learner:
    learner = Learner(config_of(dqn={"buffer": 160, "batch_size": 64, "learn_from": 10, "gamma": 0.9}), game())
    with torch.no_grad():
        for weight in learner.target.parameters():
            weight.add_(0.1 * torch.randn(weight.shape, generator=torch.Generator().manual_seed(1)))
    learner.rows = played(learner, 30)  # type: ignore[attr-defined]  # for the tests
    return learner


def game() -> edge_envs.Game:
    return edge_envs.load_game("tic_tac_toe")


def test_targets_match_the_reference(learner: Learner) -> None:
    batch = learner.buffer.draw(64, np.random.default_rng(0), steps=3, gamma=learner.dqn.gamma)
    assert batch.terminated.any()
    assert not batch.terminated.all()
    np.testing.assert_allclose(learner.targets(batch).numpy(), reference_targets(learner, batch), rtol=1e-5, atol=1e-6)


def test_an_update_moves_the_values_to_the_targets(learner: Learner) -> None:
    rng = learner.rng
    learner.rng = np.random.default_rng(5)
    batch = learner.buffer.draw(64, np.random.default_rng(5), learner.dqn.n_steps, learner.dqn.gamma)
    before = {name: tensor.clone() for name, tensor in learner.network.state_dict().items()}
    rate = learner.optimizer.param_groups[0]["lr"]
    values = learner.network(torch.from_numpy(batch.observation))[np.arange(64), batch.action]
    errors = values.detach().numpy() - learner.targets(batch).numpy()
    expected = np.where(np.abs(errors) < 1, 0.5 * errors**2, np.abs(errors) - 0.5).mean()  # the Huber loss
    assert learner.learn()["loss"] == pytest.approx(expected, rel=1e-4)
    moved = [(tensor - before[name]).abs().max().item() for name, tensor in learner.network.state_dict().items()]
    assert 0.0 < max(moved) <= 1.01 * rate  # the first step of Adam
    learner.rng = rng


def test_only_legal_actions_are_chosen(learner: Learner) -> None:
    masks = np.zeros((200, 9), np.int8)
    masks[np.arange(200), np.arange(200) % 9] = 1
    masks[:, 4] = 1
    observations = np.zeros((200, *game().observation_shape), game().observation_dtype)
    for exploration in (0.0, 0.5, 1.0):
        actions = learner.decide(observations, masks, exploration)
        assert masks[np.arange(200), actions].all()
    values = learner.network(torch.from_numpy(observations)).detach().numpy()
    greedy = learner.decide(observations, masks, 0.0)
    assert np.array_equal(greedy, np.where(masks, values, -np.inf).argmax(axis=1))


def test_the_buffer_keeps_the_last_rows_and_what_followed(learner: Learner) -> None:
    rows = learner.rows  # type: ignore[attr-defined]  # set by the fixture
    buffer = learner.buffer
    assert (buffer.rows, len(buffer)) == (20, 19 * 8)
    known: dict[Any, set[bytes]] = {}
    for row, following in zip(rows[-20:], rows[-19:], strict=False):
        for lane in range(8):
            observation, mask, action, reward, over = (part[lane] for part in row)
            next_mask = np.zeros_like(mask) if over else following[1][lane]
            key = (observation.tobytes(), int(action), float(reward), bool(over), next_mask.tobytes())
            known.setdefault(key, set()).add(following[0][lane].tobytes())
    batch = buffer.draw(2_000, np.random.default_rng(0))
    for observation, action, reward, _, over, following, mask in zip(*batch, strict=True):
        key = (observation.tobytes(), int(action), float(reward), bool(over), mask.tobytes())
        assert key in known
        assert following.tobytes() in known[key]
    restored = ReplayBuffer(game(), 20, 8)
    restored.restore(buffer.state())
    for one, other in zip(
        restored.draw(50, np.random.default_rng(2)), buffer.draw(50, np.random.default_rng(2)), strict=True
    ):
        assert np.array_equal(one, other)


@pytest.mark.parametrize("steps", [1, 2, 5])
def test_n_step_returns_end_with_the_game_or_the_newest_row(learner: Learner, steps: int) -> None:
    rows, buffer = learner.rows[-20:], learner.buffer  # type: ignore[attr-defined]  # set by the fixture
    where = np.random.default_rng(3)
    batch = buffer.draw(2_000, np.random.default_rng(3), steps, gamma=0.9)
    known = buffer._known()
    row, lane = where.choice(np.flatnonzero(known), 2_000), where.integers(8, size=2_000)
    oldest = buffer.added % buffer.rows
    seen = set()
    for k in range(2_000):
        at = (row[k] - oldest) % 20
        total, discount, taken = 0.0, 1.0, 0
        while taken < steps and at + taken < 19:
            _, _, _, reward, over = (part[lane[k]] for part in rows[at + taken])
            total, discount, taken = total + discount * float(reward), discount * 0.9, taken + 1
            if over:
                break
        assert batch.reward[k] == pytest.approx(total)
        assert batch.terminated[k] == over
        assert np.array_equal(batch.observation[k], rows[at][0][lane[k]])
        seen.add((bool(over), taken))
        if not over:
            assert batch.discount[k] == pytest.approx(discount)
            assert np.array_equal(batch.next_observation[k], rows[at + taken][0][lane[k]])
            assert np.array_equal(batch.next_mask[k], rows[at + taken][1][lane[k]])
    assert {over for over, _ in seen} == {True, False}
    assert {taken for _, taken in seen} == set(range(1, steps + 1))


def test_the_last_decisions_before_new_games_are_not_drawn() -> None:
    buffer, shape = ReplayBuffer(game(), 6, 2), game().observation_shape
    ones, rng = np.ones((2, 9), np.int8), np.random.default_rng(0)
    for number in range(5):
        if number == 3:  # a resumed training begins new games
            kept, buffer = buffer.state(), ReplayBuffer(game(), 6, 2)
            buffer.restore(kept)
            buffer.begin()
        observation = np.full((2, *shape), number, game().observation_dtype)
        buffer.add(observation, ones, np.full(2, number), np.zeros(2, np.float32), np.zeros(2, np.bool_))
    assert set(buffer.draw(200, rng).action.tolist()) == {0, 1, 3}
    assert len(buffer) == 3 * 2
    batch = buffer.draw(200, rng, steps=3)
    ends = {(int(a), int(seen.flat[0])) for a, seen in zip(batch.action, batch.next_observation, strict=True)}
    assert ends == {(0, 2), (1, 2), (3, 4)}
    for number in range(5, 9):  # the full buffer forgets that row
        buffer.add(
            np.full_like(observation, number), ones, np.full(2, number), np.zeros(2, np.float32), np.zeros(2, np.bool_)
        )
    assert set(buffer.draw(200, rng).action.tolist()) == {3, 4, 5, 6, 7}


def test_it_learns_tic_tac_toe_and_resumes(tmp_path: Path) -> None:
    dqn = {"buffer": 5_000, "batch_size": 128, "learn_from": 500, "steps_per_update": 1, "learning_rate": 2e-3}
    config, run = config_of(total_steps=12_000, checkpoint_every=12_000, dqn=dqn), DeepQRun(tmp_path)
    run.start(config)
    train(config, run)
    policy = PolicyAgent.load(run.policy)
    result = play_match(game(), policy, built_in_agent("random", game()), 200, seed=0)
    assert np.mean(result.returns) > 0.4
    before = (run.policy / "policy.safetensors").read_bytes()
    train(config, run, resume=True)  # nothing is left to do
    assert (run.policy / "policy.safetensors").read_bytes() == before


def test_it_learns_from_the_greatest_number_of_decisions(tmp_path: Path) -> None:
    dqn = {"buffer": 103, "batch_size": 16, "learn_from": 80}  # 12 rows of 8
    config, run = config_of(total_steps=400, checkpoint_every=400, dqn=dqn), DeepQRun(tmp_path)
    run.start(config)
    train(config, run)
    learner = Learner(config, game())
    run.read_checkpoint(config, lambda folder: learner.restore(load_tensors(folder / "learner.pt")["learner"]))
    assert learner.updates > 0
    for _ in range(3):  # after a resumption a further row is missing until it is replaced
        lanes, shape = config.num_envs, learner.buffer.observation.shape[2:]
        learner.buffer.add(
            np.zeros((lanes, *shape), np.int8), np.ones((lanes, 9), np.int8), np.zeros(lanes, np.int64),
            np.zeros(lanes, np.float32), np.zeros(lanes, np.bool_),
        )  # fmt: skip
        assert len(learner.buffer) >= 80


@pytest.mark.parametrize("rate", [1e6, 1e30])
def test_divergence_is_reported(rate: float, tmp_path: Path) -> None:
    dqn = {"buffer": 2_000, "batch_size": 64, "learn_from": 200, "target_every": 10_000, "learning_rate": rate}
    config, run = config_of(dqn=dqn), DeepQRun(tmp_path)
    run.start(config)
    with pytest.raises(DivergedError):
        train(config, run)


LIMITED: dict[str, dict[str, Any]] = {
    "dqn": {"num_envs": 8, "opponents": {"random": 1}, "network": {"hidden": [8]}},
    "train": {
        "num_envs": 8, "opponents": {"random": 1}, "network": {"hidden": [8]},
        "ppo": {"steps_per_rollout": 4, "batch_size": 16, "epochs": 1},
    },
    "selfplay": {
        "num_envs": 8, "network": {"hidden": [8]}, "ppo": {"steps_per_rollout": 4, "batch_size": 16, "epochs": 1},
    },
    "values": {"games": 4, "turns": 4, "inputs": "cells", "hidden": [8]},
}  # fmt: skip


@pytest.mark.parametrize("program", LIMITED)
def test_trainers_stop_after_their_processor_time(program: str, tmp_path: Path) -> None:
    config = {
        "game": "tic_tac_toe", "total_steps": 10**9, "max_seconds": 0.4, "keep_policies": 2, "checkpoint_every": 10**9,
        "evaluation": {"every": 10**9, "games": 2, "against": ["random"]}, **LIMITED[program],
    }  # fmt: skip
    run_training(program, config, tmp_path / "run", None, resume=False)
    policies = sorted((tmp_path / "run/policies").iterdir())
    kept = [json.loads((policy / "kept.json").read_text()) for policy in policies]
    assert kept[0]["step"] == 0
    assert kept[-1]["cpu_seconds"] >= 0.4
    assert kept[-1]["step"] > 0
    late = tmp_path / "run/policies/step-999999999999"  # kept after the last checkpoint, by a run that was killed
    late.mkdir()
    (late / "kept.json").write_text('{"step": 999999999999, "cpu_seconds": 99.0}')
    run_training(program, None, tmp_path / "run", None, resume=True)
    assert sorted((tmp_path / "run/policies").iterdir()) == policies
    last = sorted((tmp_path / "run/checkpoints").iterdir())[-1]
    assert json.loads((last / TIME).read_text())["cpu_seconds"] >= 0.4
    run_training(program, None, tmp_path / "run", None, resume=True)  # the time of the first process counts
    assert sorted((tmp_path / "run/policies").iterdir()) == policies


def test_invalid_settings_are_refused() -> None:
    cases: list[tuple[Callable[[], DeepQConfig], str]] = [
        (lambda: config_of(dqn={"exploration": [2.0, 0.0]}), "expected numbers from 0 to 1"),
        (
            lambda: config_of(dqn={"buffer": 100, "learn_from": 81}),
            r"learn_from: must be at most 80, \(dqn.buffer // num_envs - 2\)",
        ),
        (lambda: config_of(dqn={"buffer": 23, "learn_from": 5}), "must be at least 3 × num_envs"),
        (lambda: config_of(max_seconds=0), "max_seconds"),
    ]
    for make, message in cases:
        with pytest.raises(ValueError, match=message):
            make()
