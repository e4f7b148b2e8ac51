"""Self-play that learns, against a slow reference."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from edge_envs import Game
from edge_envs.ntuple import self_play
from edge_envs.ntuple.agent import SCORE_WEIGHT, TurnsAgent
from edge_envs.ntuple.network import TupleSpec, network_of
from edge_envs.ntuple.self_play import SelfPlay
from tests.ntuple.reference import Cells, SlowNetwork, SlowSelfPlay, SlowValues
from tests.ntuple.test_turn_search import NOUGHTS, SPECS, acting
from tests.toy import kuhn

PLAIN: dict[str, Any] = {"random_moves": 0.0, "random_turns": 0, "beam": 100, "depth": 9}


@pytest.mark.parametrize("trace", [0.0, 0.7, 1.0])
def test_a_game_changes_weights_by_td_lambda(trace: float) -> None:
    network, layout = network_of(NOUGHTS, SPECS), NOUGHTS.type.cell_layout(NOUGHTS.params)
    assert layout is not None
    fast = np.random.default_rng(4).normal(size=int(network.size[0])).astype(np.float32)
    slow = SlowValues(NOUGHTS, SlowNetwork(layout, SPECS), fast.copy())
    play = SelfPlay(NOUGHTS, network, np.zeros(1, np.uint64), 20)
    turns, _, error = play.learn(fast, 1, step_size=0.8, trace=trace, **PLAIN)
    before = slow.weights.copy()
    game = SlowSelfPlay(slow, 0.8, trace)
    game.play(NOUGHTS.new_initial_state())
    assert turns in (len(game.steps), len(game.steps) + 1)
    assert error > 0
    assert np.abs(before - fast).max() > 0.01
    np.testing.assert_allclose(fast, slow.weights, atol=1e-5)


@pytest.mark.parametrize("recompute", [False, True])
def test_discounted_values_move_towards_those_of_the_lead(monkeypatch: pytest.MonkeyPatch, recompute: bool) -> None:
    monkeypatch.setattr(self_play, "LEAD", "turns_left")
    network, layout = network_of(NOUGHTS, SPECS), NOUGHTS.type.cell_layout(NOUGHTS.params)
    assert layout is not None
    cell, middle = layout.start("turns_left"), layout.field("turns_left").values // 2
    fast = np.random.default_rng(4).normal(size=int(network.size[0])).astype(np.float32)
    slow = SlowValues(NOUGHTS, SlowNetwork(layout, SPECS), fast.copy())
    SelfPlay(NOUGHTS, network, np.zeros(1, np.uint64), 20).learn(
        fast, 1, step_size=0.8, trace=0.7, discount=0.9, recompute=recompute, **PLAIN
    )

    def lead_score(cells: Cells) -> float:
        return SCORE_WEIGHT * (cells[cell] - middle)

    game = SlowSelfPlay(slow, 0.8, 0.7, discount=0.9, lead_score=lead_score, recompute=recompute)
    game.play(NOUGHTS.new_initial_state())
    np.testing.assert_allclose(fast, slow.weights, atol=1e-5)


def test_a_discount_needs_the_lead() -> None:
    play = SelfPlay(NOUGHTS, network_of(NOUGHTS, SPECS), np.zeros(1, np.uint64), 20)
    with pytest.raises(ValueError, match="no cell 'lead', which a discount needs"):
        play.learn(np.zeros(0, np.float32), 1, step_size=0.1, trace=0.7, discount=0.9, **PLAIN)


def test_one_seat_learns_in_games_against_earlier_weights() -> None:
    network, layout = network_of(NOUGHTS, SPECS), NOUGHTS.type.cell_layout(NOUGHTS.params)
    assert layout is not None
    rng = np.random.default_rng(4)
    start, earlier = (rng.normal(size=int(network.size[0])).astype(np.float32) for _ in range(2))
    seats: set[int] = set()
    for word in range(8):
        fast = start.copy()
        SelfPlay(NOUGHTS, network, np.array([word], np.uint64), 20).learn(
            fast, 1, step_size=0.8, trace=0.7, earlier=earlier, **PLAIN
        )
        for learner in range(2):
            slow, other = (SlowValues(NOUGHTS, SlowNetwork(layout, SPECS), w) for w in (start.copy(), earlier))
            game = SlowSelfPlay(slow, 0.8, 0.7, learner, other)
            game.play(NOUGHTS.new_initial_state())
            if np.allclose(fast, slow.weights, atol=1e-5):
                seats.add(learner)
                break
        else:
            pytest.fail("neither seat learns like the reference")
    assert seats == {0, 1}


def test_the_last_step_of_a_truncated_game_teaches_nothing() -> None:
    network = network_of(NOUGHTS, SPECS)
    start = np.random.default_rng(4).normal(size=int(network.size[0])).astype(np.float32)
    weights = start.copy()
    play = SelfPlay(NOUGHTS, network, np.zeros(1, np.uint64), 1)
    turns, _, error = play.learn(weights, 3, step_size=0.8, trace=0.7, **PLAIN)
    assert (turns, error) == (3, 0.0)
    np.testing.assert_array_equal(weights, start)


def test_results_depend_only_on_weights_and_word() -> None:
    found: list[tuple[bytes, int]] = []
    for _ in range(2):
        network = network_of(NOUGHTS, SPECS)
        weights, word = np.zeros(int(network.size[0]), np.float32), np.array([5], np.uint64)
        play = SelfPlay(NOUGHTS, network, word, 20)
        for games in (3, 4) if not found else (7,):
            play.learn(weights, games, step_size=0.5, trace=0.5, random_moves=0.3, random_turns=2, beam=9, depth=9)
        found.append((weights.tobytes(), int(word[0])))
    assert found[0] == found[1]


def test_self_play_learns_not_to_lose() -> None:
    network = network_of(NOUGHTS, [TupleSpec(window=(3, 3))])
    weights, word = np.zeros(int(network.size[0]), np.float32), np.array([1], np.uint64)
    play = SelfPlay(NOUGHTS, network, word, 20)
    for step_size in np.linspace(1.0, 0.1, 20):
        play.learn(
            weights, 200, step_size=float(step_size), trace=0.7, random_moves=0.1, random_turns=4, beam=9, depth=9
        )
    agent = TurnsAgent(NOUGHTS, network, weights, beam=9, depth=9, replies=9)
    rng, lost = np.random.default_rng(0), 0
    for number in range(100):
        state = NOUGHTS.new_initial_state()
        while not state.is_terminal():
            legal = state.legal_actions()
            own = state.current_player() == number % 2
            state.apply_action(int(agent.act(*acting(state))[0]) if own else legal[int(rng.integers(len(legal)))])
        lost += state.returns()[number % 2] < 0
    assert lost == 0


def test_games_are_truncated_and_games_with_chance_and_hidden_cards_are_played() -> None:
    game = Game(kuhn.GAME, {})
    layout = game.type.cell_layout(game.params)
    assert layout is not None
    network = network_of(game, [TupleSpec(cells=tuple(field.name for field in layout.fields))])
    weights = np.zeros(int(network.size[0]), np.float32)
    play = SelfPlay(game, network, np.array([3], np.uint64), 1)  # truncated after one step
    turns, positions, _ = play.learn(
        weights, 50, step_size=0.5, trace=0.7, random_moves=0.1, random_turns=0, beam=9, depth=9
    )
    assert turns == 50
    assert positions >= 100
