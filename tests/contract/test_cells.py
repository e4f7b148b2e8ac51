"""The contract of cells: small integers that describe a position to one viewer; see `edge_envs.core.cells`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from edge_envs import Game, State
from edge_envs.core.cells import CellLayout
from edge_envs.core.spec import Array
from tests.contract.cases import plain_games
from tests.contract.play import walk

NEEDS = "cells"


def layout_of(game: Game) -> CellLayout:
    """Return the layout of a game that has cells."""
    layout = game.type.cell_layout(game.params)
    assert layout is not None
    return layout


def cells_of(state: State, viewer: int, blank: int = 0) -> Array:
    """Return the cells of a position."""
    out = np.full(layout_of(state.game).size, blank, np.int16)
    kernel = state.game.compiled.kernels.cells
    assert kernel is not None
    kernel(state._record, viewer, out)
    return out


def test_every_cell_is_written_within_its_field(game: Game) -> None:
    values = layout_of(game).values
    for state in walk(game):
        for viewer in range(game.num_players):
            first, second = (cells_of(state, viewer, blank) for blank in (9999, -77))
            assert (first == second).all()
            assert (first >= 0).all()
            assert (first < values).all()


def test_longer_arrays_are_written_only_up_to_the_last_cell(plain_game: Game) -> None:
    size, kernel = layout_of(plain_game).size, plain_game.compiled.kernels.cells
    assert kernel is not None
    for state in walk(plain_game, 20):
        out = np.full(size + 3, -5, np.int16)
        kernel(state._record, 0, out)
        assert (out[:size] == cells_of(state, 0)).all()
        assert (out[size:] == -5).all()


def test_reading_cells_does_not_modify_the_record(game: Game) -> None:
    for state in walk(game, 60):
        before = state._records.tobytes()
        for viewer in range(game.num_players):
            cells_of(state, viewer)
        assert state._records.tobytes() == before


def test_cells_depend_only_on_what_the_viewer_can_know(game: Game) -> None:
    rng = np.random.default_rng(0)
    for state in walk(game, 60):
        for viewer in range(game.num_players):
            other = state.resample(viewer, rng)
            assert (cells_of(other, viewer) == cells_of(state, viewer)).all()


def test_cells_depend_on_the_position_and_not_on_its_history(game: Game) -> None:
    for state in walk(game, 60):
        other = game.state_from_dict(state.to_dict())
        for viewer in range(game.num_players):
            assert (cells_of(other, viewer) == cells_of(state, viewer)).all()


def test_fields_have_unique_names_descriptions_and_several_values(game: Game) -> None:
    layout = layout_of(game)
    names = [field.name for field in layout.fields]
    assert len(set(names)) == len(names)
    at = 0
    for field in layout.fields:
        assert field.description
        assert 2 <= field.values <= np.iinfo(np.int16).max
        assert field.count > 0
        assert layout.start(field.name) == at
        assert layout.field(field.name) == field
        at += field.count
    assert at == layout.size == len(layout.values) == len(layout.ordered)
    assert sum(field.grid is not None for field in layout.fields) <= 1
    for field in layout.fields:
        if field.place:
            assert layout.grid is not None
            assert field.values == layout.grid.count + 1


def test_cells_change_during_a_game(game: Game) -> None:
    assert len({cells_of(state, 0).tobytes() for state in walk(game)}) > 2


def test_symmetries_are_different_permutations_with_their_inverses(game: Game) -> None:
    layout = layout_of(game)
    cells, places = layout.symmetries()
    own = np.arange(layout.size)
    assert (cells[0] == own).all()
    assert len(cells) == len(places) == len(np.unique(cells, axis=0))
    listed = {row.tobytes() for row in cells}
    for row, moved in zip(cells, places, strict=True):
        assert sorted(row) == own.tolist()
        assert sorted(moved) == list(range(places.shape[1]))
        assert np.argsort(row).tobytes() in listed
        assert (layout.values[row] == layout.values).all()
        if layout.grid is not None:
            # a square of the grid moves to where the value of a place says
            first, count = layout.start(layout.grid.name), layout.grid.count
            assert moved[count] == count
            assert (row[first + moved[:count]] == first + np.arange(count)).all()


def turned(position: dict[str, Any]) -> dict[str, Any]:
    """Return a position after a quarter turn of its board, and of the squares that it names, such as a1."""
    size = len(position["board"])

    def turned_value(value: Any) -> Any:
        if isinstance(value, str) and value[1:].isdecimal():
            return f"{chr(ord('a') + size - int(value[1:]))}{ord(value[0]) - ord('a') + 1}"
        return [turned_value(one) for one in value] if isinstance(value, list) else value

    moved = {key: turned_value(value) for key, value in position.items() if key not in ("board", "params")}
    return {**position, **moved, "board": ["".join(row) for row in zip(*position["board"][::-1], strict=True)]}


@pytest.mark.parametrize("name", ["tic_tac_toe", "beyond_maps"])
def test_a_turned_position_has_turned_cells(name: str) -> None:
    game = next(game for game in plain_games() if game.name == name)
    layout = layout_of(game)
    cells, places = layout.symmetries()
    is_place = np.repeat([field.place for field in layout.fields], [field.count for field in layout.fields])
    found = np.ones(len(cells), np.bool_)
    for state in walk(game):
        other = game.state_from_dict(turned(state.to_dict()))
        for viewer in range(game.num_players):
            before, after = cells_of(state, viewer), cells_of(other, viewer)
            for s, (row, moved) in enumerate(zip(cells, places, strict=True)):
                values = before[row]
                values[is_place] = moved[values[is_place]]
                found[s] &= bool((values == after).all())
    assert np.flatnonzero(found).size == 1
    assert not found[0]
