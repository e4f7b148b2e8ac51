"""Intermediate, final and chance rewards, in Kuhn poker."""

from __future__ import annotations

from typing import Any

import numpy as np

import edge_envs
from edge_envs import SeatEnv
from tests.contract.play import Array

PASS, BET = 0, 1


class Scripted:
    """An opponent that plays a given list of actions."""

    def __init__(self, *words: int) -> None:
        self.words = iter(words)

    def act(
        self, observations: Array, action_masks: Array, states: Array | None, players: Array, rng: np.random.Generator
    ) -> Array:
        """Return the next action."""
        return np.array([next(self.words) for _ in players])


def position(cards: list[int], betting: list[str], **params: Any) -> dict[str, Any]:
    game = edge_envs.load_game("kuhn", **params)
    return {"game": "kuhn", "params": dict(game.params), "cards": cards, "betting": betting}


def started(
    cards: list[int],
    *words: int,
    seat: int = 0,
    betting: tuple[str, ...] = (),
    illegal_action: str = "raise",
    **params: Any,
) -> SeatEnv:
    """Create a seat environment that starts from these cards and this betting; the opponents play `words`."""
    env = edge_envs.seat_env("kuhn", opponents=Scripted(*words), seat=seat, illegal_action=illegal_action, **params)
    env.reset(seed=0, options={"position": position(cards, list(betting), **params)})
    return env


def test_the_opponents_winning_action_gives_the_loss_in_the_same_step() -> None:
    env = started([1, 3], BET)
    assert env.step(BET)[1:3] == (-2.0, True)


def test_rewards_wait_for_the_end_unless_they_are_paid_at_once() -> None:
    env = started([1, 3], BET)
    assert env.step(PASS)[1:3] == (0.0, False)
    assert env.step(PASS)[1:3] == (-1.0, True)


def test_a_step_sums_what_is_paid_until_the_next_decision() -> None:
    env = started([3, 2, 1], BET, PASS, num_players=3, pay_at_once=True)
    assert env.step(PASS)[1:3] == (0.0, False)
    # The call costs a chip, the end returns the pot of 5 less the ante: -1 + 5 - 1.
    assert env.step(BET)[1:3] == (3.0, True)


def test_an_eliminated_learner_reaches_the_end_in_the_same_step() -> None:
    env = started([1, 2, 3], BET, seat=1, num_players=3, betting=("bet",))
    observation, reward, terminated, truncated, _ = env.step(PASS)
    assert (reward, terminated, truncated) == (-1.0, True, False)
    end = env.game_state()
    assert end.is_terminal()
    assert end.rewards() == [-2.0, -1.0, 3.0]
    assert (observation == end.observation_tensor(1)).all()


def test_an_eliminated_player_stays_among_the_agents_without_turns() -> None:
    env = edge_envs.aec_env("kuhn", num_players=3)
    env.reset(seed=0, options={"position": position([1, 2, 3], ["bet"], num_players=3)})
    env.step(PASS)
    assert env.agents == ["player_0", "player_1", "player_2"]
    assert env.agent_selection == "player_2"
    env.step(BET)
    assert env.rewards == {"player_0": -2.0, "player_1": -1.0, "player_2": 3.0}
    assert env.terminations == dict.fromkeys(env.agents, True)


def test_chance_rewards_belong_to_the_decision_before_them() -> None:
    env = edge_envs.aec_env("kuhn", deal="last")
    env.reset(seed=0)
    env.step(BET)
    env.step(BET)
    assert sorted(env.rewards.values()) == [-2.0, 2.0]
    assert all(env.terminations.values())


def test_rewards_between_turns_of_an_agent_are_summed() -> None:
    env = edge_envs.aec_env("kuhn", num_players=3, pay_at_once=True)
    env.reset(seed=0, options={"position": position([3, 2, 1], [], num_players=3, pay_at_once=True)})
    env.step(BET)
    assert env._cumulative_rewards == {"player_0": -1.0, "player_1": 0.0, "player_2": 0.0}
    env.step(BET)
    env.step(BET)
    assert env.rewards == {"player_0": 5.0, "player_1": -1.0, "player_2": -2.0}
    assert env._cumulative_rewards == {"player_0": 4.0, "player_1": -2.0, "player_2": -2.0}


def test_an_agent_that_acts_again_starts_a_new_sum_of_rewards() -> None:
    """Completing a box scores a point and gives another turn: `last` returns only the reward of the new turn."""
    env = edge_envs.aec_env("two_boxes")
    env.reset(seed=0, options={"position": {"game": "two_boxes", "params": {}, "lines": ["a", "c", "d"]}})
    assert env.agent_selection == "player_1"
    env.step("abcdefg".index("f"))
    assert (env.agent_selection, env.last()[1]) == ("player_1", 1.0)
    env.step("abcdefg".index("b"))
    assert env._cumulative_rewards == {"player_0": -1.0, "player_1": 0.0}


def test_a_forfeit_is_shared_equally_by_the_others() -> None:
    env = edge_envs.aec_env("kuhn", num_players=3, illegal_action="forfeit")
    env.reset(seed=0)
    env.step(7)
    assert env.rewards == {"player_0": -2.0, "player_1": 1.0, "player_2": 1.0}


def test_a_forfeit_is_added_to_earlier_rewards() -> None:
    env = started([1, 2, 3], BET, BET, num_players=3, pay_at_once=True, illegal_action="forfeit")
    assert env.step(PASS)[1] == 0.0
    assert env.step(7)[1:3] == (-2.0, True)
