"""Observations: every cell is written, within the declared bounds, for any seat at any node."""

from __future__ import annotations

import numpy as np
import pytest

import edge_envs
from edge_envs import Game
from tests.contract.play import walk


def test_every_cell_is_written(game: Game) -> None:
    observe = game.compiled.kernels.observe
    for state in walk(game):
        for player in range(game.num_players):
            first, second = (np.full(game.observation_shape, x, game.observation_dtype) for x in (99, -77))
            observe(state._record, player, first)
            observe(state._record, player, second)
            assert (first == second).all()


def test_observing_does_not_modify_the_record(game: Game) -> None:
    for state in walk(game, 100):
        before = state._records.tobytes()
        for player in range(game.num_players):
            state.observation_tensor(player)
        state.legal_action_mask()
        assert state._records.tobytes() == before


def test_observations_are_within_their_space(game: Game) -> None:
    spaces = edge_envs.aec_env(game.name, **game.params).observation_spaces
    for state in walk(game):
        for player, space in enumerate(spaces.values()):
            view = {"observation": state.observation_tensor(player), "action_mask": state.legal_action_mask()}
            assert space.contains(view)


def test_bounds_are_finite_and_not_degenerate(game: Game) -> None:
    low, high = game.observation_bounds
    assert low.shape == high.shape == game.observation_shape
    assert np.isfinite(low).all()
    assert np.isfinite(high).all()
    assert (low < high).all()


def test_bounds_are_new_arrays(plain_game: Game) -> None:
    before = [bound.copy() for bound in plain_game.observation_bounds]
    for bound in plain_game.observation_bounds:
        bound[:] = 0
    assert all((now == then).all() for now, then in zip(plain_game.observation_bounds, before, strict=True))


def test_layout_size_equals_observation_shape(game: Game) -> None:
    assert sum(field.size for field in game.observation_layout) == game.observation_shape[0]
    assert all(field.size > 0 and field.description for field in game.observation_layout)


def test_slices_name_every_field_in_order(game: Game) -> None:
    slices = game.observation_slices()
    assert list(slices) == [field.name for field in game.observation_layout]
    cells = [cell for named in slices.values() for cell in range(named.start, named.stop)]
    assert cells == list(range(game.observation_shape[0]))


def test_observation_dtype_is_int8_or_float32(game: Game) -> None:
    assert game.observation_dtype in (np.dtype(np.int8), np.dtype(np.float32))


def test_observation_is_a_new_array(plain_game: Game) -> None:
    for state in walk(plain_game, 20):
        before = state.observation_tensor(0)
        state.observation_tensor(0)[:] = 7
        after = state.observation_tensor(0)
        assert after.dtype == plain_game.observation_dtype
        assert after.shape == plain_game.observation_shape
        assert (after == before).all()


def test_equal_observation_strings_imply_equal_tensors(game: Game) -> None:
    seen: dict[tuple[int, str], bytes] = {}
    for state in walk(game):
        for player in range(game.num_players):
            tensor = state.observation_tensor(player).tobytes()
            assert seen.setdefault((player, state.observation_string(player)), tensor) == tensor


def test_observations_change_during_a_game(game: Game) -> None:
    nodes = [state.observation_tensor(0).tobytes() for state in walk(game)]
    assert len(set(nodes)) > 2


def test_invalid_player_raises(plain_game: Game) -> None:
    state = plain_game.new_initial_state(seed=0)
    for player in (-1, plain_game.num_players):
        for look in (state.observation_tensor, state.observation_string, state.information_state_string):
            with pytest.raises(ValueError, match=f"{player}"):
                look(player)


def test_information_state_equals_observation_with_perfect_information(open_game: Game) -> None:
    for state in walk(open_game, 100):
        for player in range(open_game.num_players):
            assert state.information_state_string(player) == state.observation_string(player)


@pytest.mark.parametrize("terminal", [False, True])
def test_text_pictures_are_not_empty(game: Game, terminal: bool) -> None:
    pictures = [str(state) for state in walk(game) if state.is_terminal() == terminal]
    assert all(picture.strip() for picture in pictures)
    assert pictures
