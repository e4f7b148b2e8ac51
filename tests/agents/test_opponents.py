"""Test the opponent pool: sampling weights, replacement of snapshots, results of finished games."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import edge_envs
from agents.networks import Perceptron
from agents.ppo.config import parse_config
from agents.ppo.training import TrainingRun, train
from agents.training.opponents import LEAST, GameScores, OpponentPool
from edge_envs import OpponentMix
from edge_envs.envs.sb3 import SeatVecEnv
from edge_envs.envs.seat_lanes import SeatLanes
from tests.agents.players import untrained

GAME = edge_envs.load_game("kuhn")
WON, DRAWN, LOST = 1.0, 0.0, -0.5


def pool_of(game: str = "kuhn", **opponents: Any) -> OpponentPool:
    data = {
        "game": game, "total_steps": 512, "num_envs": 16, "opponents": opponents, "network": {"hidden": [4]},
        "snapshots": {"every": 100, "keep": 3}, "ppo": {"batch_size": 64},
    }  # fmt: skip
    config = parse_config(data, game)
    return OpponentPool(config, config.load_game())


def add_results(pool: OpponentPool, member: int, *returns: float) -> None:
    pool.note(np.full((len(returns), 1), member), np.array(returns))


def test_opponents_are_sampled_by_weight_without_hardness() -> None:
    pool = pool_of(random=3, heuristic=1, agents={"flat_monte_carlo": 2}, snapshots=6)
    add_results(pool, 0, WON, WON, WON)
    assert pool.weights.tolist() == [3, 1, 2, 2, 2, 2]
    assert [member.name for member in pool.members] == ["random", "heuristic", "flat_monte_carlo", *["step 0"] * 3]
    assert [agent.name for agent in pool.agents()][:3] == ["random", "heuristic", "flat_monte_carlo"]


def test_hard_opponents_are_sampled_more_often() -> None:
    pool = pool_of(random=1, heuristic=1, hardness=2)
    add_results(pool, 0, *[WON] * 8)
    add_results(pool, 1, WON, DRAWN, *[LOST] * 6)
    assert [member.win_rate for member in pool.members] == [9 / 10, 2.5 / 10]
    assert pool.weights == pytest.approx([0.1**2, 0.75**2])
    add_results(pool, 0, *[WON] * 1000)
    assert pool.weights[0] == pytest.approx(LEAST**2)


def test_report_counts_games_since_the_last_report() -> None:
    pool = pool_of(random=1, snapshots=1)
    add_results(pool, 0, WON, DRAWN)
    add_results(pool, 1, LOST)
    add_results(pool, 3, WON)
    random, snapshots = pool.report(500)
    assert random == {"step": 500, "opponent": "random", "games": 2, "score": 1.5, "chance": pytest.approx(0.5)}
    assert snapshots == {"step": 500, "opponent": "step 0", "games": 2, "score": 1.0, "chance": pytest.approx(0.5)}
    add_results(pool, 0, LOST)
    assert pool.report(600)[0]["games"] == 1
    assert pool.members[0].win_rate == (0.75 / 2 + 1) / ((1 + 1) / 2 + 2)  # each report halves older games


def test_counts_of_games_are_saved_between_reports(tmp_path: Path) -> None:
    pool, again = (pool_of(random=1) for _ in range(2))
    add_results(pool, 0, WON, DRAWN)
    pool.copy()(tmp_path)
    again.load(tmp_path, 50)
    add_results(again, 0, LOST)
    add_results(pool, 0, LOST)
    assert json.dumps(again.report(100)) == json.dumps(pool.report(100))


def test_report_includes_replaced_snapshots() -> None:
    pool = pool_of(snapshots=1, hardness=1)
    add_results(pool, 0, WON, WON, WON)
    pool.update(100, untrained(GAME, Perceptron(hidden=[4])))
    add_results(pool, 0, LOST)
    first, now = pool.report(500)
    assert (first["opponent"], first["games"], first["score"]) == ("step 0", 3, 3.0)
    assert (now["opponent"], now["games"], now["score"]) == ("step 100", 1, 0.0)
    assert first["chance"] + now["chance"] == pytest.approx(1)


def test_opponent_without_a_seat_has_no_games() -> None:
    pool = pool_of(random=1, heuristic=1)
    pool.note(np.array([[-1, 1], [1, 1], [-1, -1]]), np.array([WON, WON, WON]))
    assert [member.games for member in pool.members] == [0, 2]


def test_least_sampled_snapshot_is_replaced(tmp_path: Path) -> None:
    pool = pool_of(snapshots=1, hardness=1)
    learner = untrained(GAME, Perceptron(hidden=[4]))
    for member, result in enumerate((LOST, WON, LOST)):
        add_results(pool, member, *[result] * 20)
    pool.update(100, learner)
    assert [member.made for member in pool.members] == [0, 100, 0]
    assert pool.members[1].win_rate == 0.5
    add_results(pool, 1, *[LOST] * 50)
    add_results(pool, 0, LOST)
    pool.copy()(tmp_path)
    again = pool_of(snapshots=1, hardness=1)
    again.load(tmp_path, 150)
    for one in (pool, again):
        one.update(200, learner)
        assert [member.made for member in one.members] == [0, 100, 200]
        assert not one.is_due(299)


def test_games_are_counted_for_seated_opponents() -> None:
    pool = pool_of("kuhn", random=1, heuristic=1)
    env = SeatVecEnv(GAME, 8, pool.mix)
    env.seed(0)
    env.reset()
    scores = GameScores(env.lanes, pool)
    scores.begin()
    expected = np.zeros((2, 2))
    for _ in range(60):
        seated = env.lanes.seats.max(axis=1) - 1
        actions = env.action_masks().argmax(axis=1)
        _, rewards, dones, _ = env.step(actions)
        scores.count()
        for lane in np.flatnonzero(dones):
            expected[seated[lane]] += 1, rewards[lane] > 0
    counted = [[member.games, member.score] for member in pool.members]
    assert counted == expected.tolist()
    assert expected[:, 0].min() > 20


def test_new_weights_apply_to_later_games() -> None:
    pool = pool_of("kuhn", random=1, heuristic=1)
    lanes = SeatLanes(GAME, 64, OpponentMix([("random", 1), ("heuristic", 0)]), "random", "raise", 2)
    lanes.reset(0)
    assert set(lanes.seats.max(axis=1)) == {1}
    lanes.set_opponent_weights(OpponentMix([("random", 0), ("heuristic", 1)]))
    assert set(lanes.seats.max(axis=1)) == {1}
    for _ in range(4):
        running = lanes.seats.max(axis=1)
        lanes.step(lanes.action_mask.argmax(axis=1))
        now = lanes.seats.max(axis=1)
        assert (now[lanes.terminated] == 2).all()
        assert (now[~lanes.terminated] == running[~lanes.terminated]).all()
    with pytest.raises(ValueError, match="only the weights may change while games run"):
        lanes.set_opponent_weights(pool.agents()[0])


def test_training_saves_results_against_its_opponents(tmp_path: Path) -> None:
    data = {
        "game": "kuhn", "total_steps": 512, "num_envs": 16, "network": {"hidden": [4]},
        "opponents": {"random": 1, "snapshots": 1, "hardness": 1}, "snapshots": {"every": 128, "keep": 1},
        "ppo": {"steps_per_rollout": 8, "batch_size": 64, "epochs": 1}, "checkpoint_every": 256,
        "evaluation": {"every": 256, "games": 4, "against": ["random"]},
    }  # fmt: skip
    config = parse_config(data, "kuhn")
    run = TrainingRun(tmp_path / "run")
    run.start(config)
    train(config, run)
    rows = [json.loads(line) for line in (run.folder / "opponents.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [(row["step"], row["opponent"]) for row in rows] == [
        (0, "random"), (0, "step 0"),
        *[(256, name) for name in ("random", "step 0", "step 128", "step 256")],
        *[(512, name) for name in ("random", "step 256", "step 384", "step 512")],
    ]  # fmt: skip
    assert rows[0]["games"] == 0 < rows[2]["games"]
    assert all(0 <= row["score"] <= row["games"] for row in rows)
    assert sum(row["chance"] for row in rows) == pytest.approx(3)
    assert (run.folder / "opponents.png").read_bytes().startswith(b"\x89PNG")
