"""`record()` of the AEC, parallel and seat environments returns a replayable record of the game so far."""

from __future__ import annotations

import copy
import json
from typing import Any

import numpy as np
import pytest

import edge_envs
from edge_envs import Game, GameAECEnv, OpponentMix, SeatEnv, replay
from edge_envs.envs.parallel import GameParallelEnv
from tests.contract.cases import plain_games
from tests.contract.play import Array

STEPS = 300


class Last:
    """An opponent object that plays the last legal action."""

    def act(
        self, observations: Array, action_masks: Array, states: Array | None, players: Array, rng: np.random.Generator
    ) -> Array:
        """Return the legal actions with the largest ids."""
        return action_masks.shape[1] - 1 - action_masks[:, ::-1].argmax(axis=1)


def legal(mask: Array, rng: np.random.Generator) -> int:
    return int(rng.choice(np.flatnonzero(mask)))


def check_record(record: dict[str, Any], env: Any, returns: list[float] | None = None) -> None:
    """Assert that the record survives JSON and replays to the position of the environment."""
    state = replay(json.loads(json.dumps(record)))
    assert state.to_dict() == env.game_state().to_dict()
    if returns is not None:
        assert record["returns"] == pytest.approx(returns)


@pytest.mark.parametrize("plain", plain_games(), ids=str)
def test_aec_game_can_be_recorded_at_any_time(plain: Game) -> None:
    env, rng = GameAECEnv(plain), np.random.default_rng(0)
    env.reset(seed=5)
    returns = np.zeros(plain.num_players)
    check_record(env.record(), env)
    for step in range(STEPS):
        observation, _, terminated, *_ = env.last()
        if terminated:
            break
        env.step(legal(observation["action_mask"], rng))
        returns += list(env.rewards.values())
        if step == 3:
            check_record(env.record(), env)
    record = env.record()
    check_record(record, env, returns.tolist())
    assert (record["seed"], record["position"]) == (5, None)


@pytest.mark.parametrize(
    "opponents", ["random", "heuristic", Last(), OpponentMix([("random", 1.0), ("heuristic", 1.0), (Last(), 1.0)])],
    ids=["random", "heuristic", "object", "mix"],
)  # fmt: skip
@pytest.mark.parametrize("plain", plain_games(), ids=str)
def test_seat_env_record_contains_decisions_of_opponents(plain: Game, opponents: Any) -> None:
    env, rng = SeatEnv(plain, opponents, random_opening=1), np.random.default_rng(1)
    for number in range(3):
        env.reset(seed=11 if number == 0 else None)
        received = 0.0
        for _ in range(STEPS):
            *_, reward, terminated, _, _ = env.step(legal(env.action_masks(), rng))
            received += reward
            if terminated:
                break
        record = env.record()
        check_record(record, env)
        if env.lanes.ended[0]:
            assert record["returns"][env.seat] == pytest.approx(received)


def test_replacement_game_can_be_recorded() -> None:
    """With a random opening, a game of Kuhn poker can end before the learner's first decision."""
    env = SeatEnv(edge_envs.load_game("kuhn"), "random", random_opening=2)
    rng = np.random.default_rng(0)
    seeds = set()
    for seed in range(40):
        env.reset(seed=seed)
        record = env.record()
        check_record(record, env)
        seeds.add(record["seed"] == seed)
        env.step(legal(env.action_masks(), rng))
        check_record(env.record(), env)
    assert seeds == {True, False}  # a replacement game does not start from the seed


def test_parallel_game_can_be_recorded() -> None:
    env = GameParallelEnv(edge_envs.load_game("kuhn"))
    _, infos = env.reset(seed=3)
    while env.agents:
        actions = {agent: int(infos[agent]["action_mask"].argmax()) for agent in env.agents}
        _, _, _, _, infos = env.step(actions)
    check_record(env.record(), env)


def test_record_contains_the_initial_position() -> None:
    game = edge_envs.load_game("falling_off")
    state = game.new_initial_state(seed=1)
    while state.is_chance_node():
        state.apply_action(state.sample_chance())
    state.apply_action(state.legal_actions()[0])
    env = GameAECEnv(game)
    env.reset(seed=2, options={"position": state.to_dict()})
    seat_env = SeatEnv(game, "random")
    seat_env.reset(seed=2, options={"position": state.to_dict()})
    for one in (env, seat_env):
        record = one.record()
        assert (record["position"], record["seed"]) == (state.to_dict(), 2)
        check_record(record, one)


@pytest.mark.parametrize("action", [10**6, -1, 10**30])
def test_forfeit_is_recorded(action: int) -> None:
    game = edge_envs.load_game("falling_off")
    env = GameAECEnv(game, illegal_action="forfeit")
    env.reset(seed=4)
    seat = env.possible_agents.index(env.agent_selection)
    env.step(action)
    record = env.record()
    assert record["forfeit"] == {"seat": seat, "why": f"illegal action {action}"}
    check_record(record, env, list(env.rewards.values()))
    seat_env = SeatEnv(game, "random", seat=1, illegal_action="forfeit")
    seat_env.reset(seed=4)
    *_, reward, terminated, _, _ = seat_env.step(action)
    record = seat_env.record()
    assert terminated
    assert record["forfeit"] == {"seat": 1, "why": f"illegal action {action}"}
    assert record["returns"][1] == reward
    check_record(record, seat_env)


def test_agent_that_does_not_wait_is_recorded_with_its_action() -> None:
    env = GameParallelEnv(edge_envs.load_game("falling_off"), illegal_action="forfeit")
    env.reset(seed=1)
    waiting = next(agent for agent in env.agents if agent != env.aec.agent_selection)
    env.step({waiting: 3})
    assert env.record()["forfeit"] == {"seat": env.possible_agents.index(waiting), "why": "illegal action 3"}


def test_copies_record_independently() -> None:
    env = GameAECEnv(edge_envs.load_game("falling_off"))
    env.reset(seed=6)
    env.step(int(env.last()[0]["action_mask"].argmax()))
    other = copy.deepcopy(env)
    other.step(int(other.last()[0]["action_mask"].argmax()))
    check_record(env.record(), env)
    check_record(other.record(), other)


def test_record_before_reset_raises() -> None:
    game = edge_envs.load_game("kuhn")
    for env in (GameAECEnv(game), SeatEnv(game)):
        with pytest.raises(RuntimeError, match="call reset"):
            env.record()  # type: ignore[attr-defined]  # both have this method
