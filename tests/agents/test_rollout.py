"""Test advantages in self-play: each decision is bootstrapped from the next one of the same player, across rollouts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import edge_envs
from agents.selfplay.rollout import Rollout

STEPS, LANES = 12, 5
GAMMA, GAE_LAMBDA = 0.9, 0.7


def fill(rollout: Rollout, rng: np.random.Generator) -> None:
    """Fill the rollout with random data; in lane 0 player 0 does not learn."""
    first, players = rollout.players, rollout.players
    shape = (STEPS, LANES)
    rollout.player[first:] = rng.integers(players, size=shape)
    rollout.value[first:] = rng.normal(size=shape)
    rollout.action[first:] = rng.integers(1000, size=shape)
    rollout.learns[first:] = (rollout.player[first:] > 0) | (np.arange(LANES) > 0)
    rollout.rewards[:] = rng.normal(size=(*shape, players))
    rollout.terminated[:] = rng.random(shape) < 0.15


def expected_advantages(rows: list[dict[str, Any]], lane: int, players: int) -> dict[int, float]:
    """Compute the known advantages of a lane by their definition; return them by step."""
    advantages: dict[int, float] = {}
    for player in range(players):
        game: list[int] = []  # the steps of the player's decisions in one game
        for step, row in enumerate(rows):
            if row["player"][lane] == player and row["learns"][lane]:
                game.append(step)
            if row["terminated"][lane]:
                advantages |= game_advantages(rows, lane, player, game, step + 1, over=True)
                game = []
        advantages |= game_advantages(rows, lane, player, game, len(rows), over=False)
    return advantages


def game_advantages(
    rows: list[dict[str, Any]], lane: int, player: int, steps: list[int], end: int, over: bool
) -> dict[int, float]:
    found: dict[int, float] = {}
    following = 0.0
    for number in reversed(range(len(steps))):
        step, last = steps[number], number == len(steps) - 1
        if last and not over:
            continue
        until = end if last else steps[number + 1]
        reward = sum(float(row["rewards"][lane, player]) for row in rows[step:until])
        next_value = 0.0 if last else float(rows[steps[number + 1]]["value"][lane])
        gain = reward + GAMMA * next_value - float(rows[step]["value"][lane])
        following = found[step] = gain + GAMMA * GAE_LAMBDA * following
    return found


def rows_of(rollout: Rollout) -> list[dict[str, Any]]:
    kept = []
    for step in range(STEPS):
        row = rollout.players + step
        names = ("player", "value", "learns", "action")
        kept.append({name: getattr(rollout, name)[row].copy() for name in names})
        kept[-1] |= {"rewards": rollout.rewards[step].copy(), "terminated": rollout.terminated[step].copy()}
    return kept


@pytest.mark.parametrize("players", [2, 3])
def test_advantages_match_their_definition_for_each_player(players: int) -> None:
    game = edge_envs.load_game("kuhn", num_players=players)
    rng = np.random.default_rng(players)
    rollout = Rollout(game, STEPS, LANES)
    fill(rollout, rng)
    first = rows_of(rollout)
    advantage, is_learnable = rollout.compute_gae(GAMMA, GAE_LAMBDA)
    for lane in range(LANES):
        expected = expected_advantages(first, lane, players)
        assert set(np.flatnonzero(is_learnable[players:, lane])) == set(expected)
        for step, value in expected.items():
            assert advantage[players + step, lane] == pytest.approx(value, abs=1e-5)
    rollout.carry_over()
    waiting = rollout.learns[:players].copy()
    assert waiting.any()

    fill(rollout, rng)
    both = first + rows_of(rollout)
    advantage, is_learnable = rollout.compute_gae(GAMMA, GAE_LAMBDA)
    for lane in range(LANES):
        expected = expected_advantages(both, lane, players)
        before = expected_advantages(first, lane, players)
        assert int(is_learnable[:, lane].sum()) == len(expected) - len(before)
        for step in range(STEPS):
            row = players + step
            assert is_learnable[row, lane] == (STEPS + step in expected)
            if is_learnable[row, lane]:
                assert advantage[row, lane] == pytest.approx(expected[STEPS + step], abs=1e-5)
        late = {step: value for step, value in expected.items() if step < STEPS and step not in before}
        for player in np.flatnonzero(is_learnable[:players, lane]):
            step = next(step for step in late if both[step]["player"][lane] == player)
            assert rollout.action[player, lane] == both[step]["action"][lane]
            assert advantage[player, lane] == pytest.approx(late[step], abs=1e-5)
