"""What players see: every cell is written, within the declared bounds, for any seat at any node."""

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


def test_observing_leaves_every_byte_of_the_record(game: Game) -> None:
    for state in walk(game, 100):
        before = state._records.tobytes()
        for player in range(game.num_players):
            state.observation_tensor(player)
        state.legal_action_mask()
        assert state._records.tobytes() == before


def test_every_observation_lies_within_its_space(game: Game) -> None:
    spaces = edge_envs.aec_env(game.name, **game.params).observation_spaces
    for state in walk(game):
        for player, space in enumerate(spaces.values()):
            view = {"observation": state.observation_tensor(player), "action_mask": state.legal_action_mask()}
            assert space.contains(view)


def test_the_bounds_are_finite_and_every_cell_can_vary(game: Game) -> None:
    low, high = game.observation_bounds
    assert low.shape == high.shape == game.observation_shape
    assert np.isfinite(low).all()
    assert np.isfinite(high).all()
    assert (low < high).all()


def test_the_layout_adds_up_to_the_shape(game: Game) -> None:
    assert sum(field.size for field in game.observation_layout) == game.observation_shape[0]
    assert all(field.size > 0 and field.description for field in game.observation_layout)


def test_the_slices_name_every_field_in_order(game: Game) -> None:
    slices = game.observation_slices()
    assert list(slices) == [field.name for field in game.observation_layout]
    cells = [cell for named in slices.values() for cell in range(named.start, named.stop)]
    assert cells == list(range(game.observation_shape[0]))


def test_counts_and_planes_are_int8_and_all_else_is_float32(game: Game) -> None:
    assert game.observation_dtype in (np.dtype(np.int8), np.dtype(np.float32))


def test_an_observation_is_a_fresh_array(plain_game: Game) -> None:
    for state in walk(plain_game, 20):
        before = state.observation_tensor(0)
        state.observation_tensor(0)[:] = 7
        after = state.observation_tensor(0)
        assert after.dtype == plain_game.observation_dtype
        assert after.shape == plain_game.observation_shape
        assert (after == before).all()


def test_what_reads_the_same_looks_the_same(game: Game) -> None:
    seen: dict[tuple[int, str], bytes] = {}
    for state in walk(game):
        for player in range(game.num_players):
            tensor = state.observation_tensor(player).tobytes()
            assert seen.setdefault((player, state.observation_string(player)), tensor) == tensor


def test_games_move_through_different_observations(game: Game) -> None:
    nodes = [state.observation_tensor(0).tobytes() for state in walk(game)]
    assert len(set(nodes)) > 2


def test_a_player_that_does_not_exist_sees_nothing(plain_game: Game) -> None:
    state = plain_game.new_initial_state(seed=0)
    for player in (-1, plain_game.num_players):
        for look in (state.observation_tensor, state.observation_string, state.information_state_string):
            with pytest.raises(ValueError, match=f"{player}"):
                look(player)


def test_in_open_games_to_see_is_to_know(open_game: Game) -> None:
    for state in walk(open_game, 100):
        for player in range(open_game.num_players):
            assert state.information_state_string(player) == state.observation_string(player)


@pytest.mark.parametrize("terminal", [False, True])
def test_the_picture_is_text(game: Game, terminal: bool) -> None:
    pictures = [str(state) for state in walk(game) if state.is_terminal() == terminal]
    assert all(picture.strip() for picture in pictures)
    assert pictures
