"""The State API: current player, legal actions, rewards and history."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from edge_envs import CHANCE, TERMINAL, Game
from tests.contract.play import facts, future, playthrough, walk


def test_chance_and_terminal_match_openspiel() -> None:
    assert (CHANCE, TERMINAL) == (-1, -4)


def test_current_player_is_a_seat_chance_or_terminal(game: Game) -> None:
    for state in walk(game):
        player = state.current_player()
        assert player in (CHANCE, TERMINAL, *range(game.num_players))
        assert type(player) is int
        assert state.is_chance_node() == (player == CHANCE)
        assert state.is_terminal() == (player == TERMINAL)


def test_mask_is_all_zero_iff_no_player_is_to_act(game: Game) -> None:
    for state in walk(game):
        mask = state.legal_action_mask()
        assert mask.dtype == np.int8
        assert mask.shape == (game.num_distinct_actions,)
        assert set(mask.tolist()) <= {0, 1}
        assert mask.any() == (state.current_player() >= 0)


def test_legal_actions_match_the_mask_or_the_chance_outcomes(game: Game) -> None:
    for state in walk(game):
        if state.is_chance_node():
            assert state.legal_actions() == [outcome for outcome, _ in state.chance_outcomes()]
        else:
            assert state.legal_actions() == state.legal_action_mask().nonzero()[0].tolist()
        assert all(type(action) is int for action in state.legal_actions())


def test_mask_is_a_new_array(plain_game: Game) -> None:
    for state in walk(plain_game, 20):
        before = state.legal_action_mask()
        state.legal_action_mask()[:] = 7
        assert (state.legal_action_mask() == before).all()


def test_games_end_within_their_declared_length(game: Game) -> None:
    for heuristic in (False, True):
        *_, end = playthrough(game, seed=5, heuristic=heuristic)
        made = sum(player >= 0 for player, _ in end.history())
        assert game.max_game_length is None or made <= game.max_game_length


def test_returns_are_the_sum_of_the_rewards(game: Game) -> None:
    total = np.zeros(game.num_players)
    for state in playthrough(game, seed=5):
        total += state.rewards()
        assert state.returns() == pytest.approx(total.tolist())


def test_rewards_are_one_python_float_per_player(plain_game: Game) -> None:
    for state in walk(plain_game, 20):
        for values in (state.rewards(), state.returns()):
            assert [type(value) for value in values] == [float] * plain_game.num_players


def test_returns_are_within_the_declared_utilities(game: Game) -> None:
    for state in walk(game):
        if state.is_terminal():
            assert min(state.returns()) >= game.min_utility - 1e-9
            assert max(state.returns()) <= game.max_utility + 1e-9


def test_returns_sum_to_zero(game: Game) -> None:
    for state in walk(game):
        if state.is_terminal():
            assert sum(state.returns()) == pytest.approx(0, abs=1e-9)


def test_no_action_is_legal_after_the_end(plain_game: Game) -> None:
    end = next(state for state in walk(plain_game) if state.is_terminal())
    assert end.legal_actions() == []
    with pytest.raises(ValueError, match="over"):
        end.apply_action(0)


def test_same_seed_gives_the_same_chance_outcomes(plain_game: Game) -> None:
    assert future(plain_game.new_initial_state(seed=11)) == future(plain_game.new_initial_state(seed=11))


def test_different_seeds_give_different_chance_outcomes(chance_game: Game) -> None:
    # Two games may agree by chance, but not twenty.
    futures = (future(chance_game.new_initial_state(seed=seed)) for seed in range(20))
    assert any(one != other for one, other in pairwise(futures))


def test_without_a_seed_games_differ(chance_game: Game) -> None:
    futures = (future(chance_game.new_initial_state()) for _ in range(40))
    assert any(one != other for one, other in pairwise(futures))


@pytest.mark.parametrize("seed", [-1, 1.5, "seed"])
def test_invalid_seed_is_rejected(plain_game: Game, seed: object) -> None:
    with pytest.raises(ValueError, match="seed"):
        plain_game.new_initial_state(seed=seed)  # type: ignore[arg-type]


def test_history_replays_to_the_position(game: Game) -> None:
    *_, state = playthrough(game, seed=2)
    again = game.new_initial_state(seed=9)
    for player, action in state.history():
        assert again.current_player() == player
        again.apply_action(action)
    assert facts(again) == facts(state)


def test_history_is_a_new_list(plain_game: Game) -> None:
    state = plain_game.new_initial_state(seed=0)
    state.apply_action(state.legal_actions()[0])
    state.history().clear()
    assert len(state.history()) == 1


def test_repr_is_short_and_names_the_game(game: Game) -> None:
    text = repr(game.new_initial_state(seed=0))
    assert game.name in text
    assert "\n" not in text
