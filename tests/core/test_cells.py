"""Layouts of cells: sizes, names and symmetries."""

from __future__ import annotations

import numpy as np
import pytest

from edge_envs.core.cells import CellField, CellLayout

WIDE = CellLayout(
    (
        CellField("turns", 7, "turns"),
        CellField("board", 3, "stones", grid=(2, 3)),
        CellField("pawns", 5, "pawns", cells=4, ordered=False),
        CellField("ship", 7, "a square or none", place=True),
    ),
    square=True,
)


def test_sizes_and_starts_follow_from_the_fields() -> None:
    assert WIDE.size == 1 + 6 + 4 + 1
    assert [WIDE.start(field.name) for field in WIDE.fields] == [0, 1, 7, 11]
    assert WIDE.values.tolist() == [7] + 6 * [3] + 4 * [5] + [7]
    assert WIDE.ordered.tolist() == 7 * [True] + 4 * [False] + [True]
    assert WIDE.field("board") == WIDE.grid


def test_unknown_field_is_a_value_error_with_the_names() -> None:
    for find in (WIDE.start, WIDE.field):
        with pytest.raises(ValueError, match="unknown cell 'sea' \\(choose from turns, board, pawns, ship\\)"):
            find("sea")


@pytest.mark.parametrize(("grid", "square", "count"), [((3, 3), True, 8), ((2, 3), True, 4), ((3, 3), False, 1)])
def test_number_of_symmetries(grid: tuple[int, int], square: bool, count: int) -> None:
    layout = CellLayout((CellField("board", 2, "stones", grid=grid),), square)
    cells, places = layout.symmetries()
    assert len(cells) == len(places) == count
    for one in cells:  # they form a group
        for other in cells:
            assert (cells == one[other]).all(axis=1).any()


def test_symmetry_moves_stones_and_places_together() -> None:
    board, ship = np.array([[0, 1, 2], [0, 0, 1]]), 2
    values = np.array([5, *board.reshape(-1), 4, 3, 2, 1, ship])
    for cells, places in zip(*WIDE.symmetries(), strict=True):
        moved = values[cells]
        assert moved[0] == 5
        assert moved[7:11].tolist() == [4, 3, 2, 1]
        assert moved[1 + places[ship]] == board.reshape(-1)[ship]
        assert places[6] == 6


def test_layout_without_a_grid_has_only_the_identity() -> None:
    cells, _ = CellLayout((CellField("dice", 7, "dice", cells=3),)).symmetries()
    assert cells.tolist() == [[0, 1, 2]]
