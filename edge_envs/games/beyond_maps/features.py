"""Canonical board orientation of `beyond_maps`: one network for both seats and both sides of the diagonal.

The game is symmetric under a half turn that exchanges the players, and under transposition. So player 1's boards are
rotated by 180°, and then every square board is transposed on which the viewer's ship is below the diagonal. There are
four orientations, 2 * rotated + transposed, and each is its own inverse. Other rectangles are never transposed.
Directions of markers change with the board.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from edge_envs.core.features import Array, BoardView, PlaneFeatures
from edge_envs.games.beyond_maps.map.bitboard import EAST, NORTH, SOUTH, WEST
from edge_envs.games.beyond_maps.state import LAND, NO_MARKER, NUM_PLANES

if TYPE_CHECKING:
    from edge_envs.core.game import Game

GREAT = np.float32(8.0)  # squares of land; tanh compresses the best action's value beyond this scale

# The board's action plane for each action plane of the view, by orientation.
_PLANES = (
    (NORTH, EAST, SOUTH, WEST, NO_MARKER, LAND),
    (WEST, SOUTH, EAST, NORTH, NO_MARKER, LAND),
    (SOUTH, WEST, NORTH, EAST, NO_MARKER, LAND),
    (EAST, NORTH, WEST, SOUTH, NO_MARKER, LAND),
)


class BeyondMapsFeatures(PlaneFeatures):
    """The planes of the observation in canonical orientation, each divided by its maximum.

    With hints, an additional plane holds the value of the best action.
    """

    def __init__(self, game: Game, hints: bool = False, weights: Mapping[str, float] | None = None) -> None:
        super().__init__(game, hints, weights)
        self.planes += hints
        layout = game.observation_slices()
        self._seat, self._own_ship = layout["seat"].start, layout["own_ship"].start
        rows, columns = self.board_shape
        self.orientations = orientation_table(columns, rows)
        self.squares = square_tables(columns, rows)
        self.actions = action_tables(self.squares)

    def __call__(self, observations: Array) -> BoardView:
        """Rotate and transpose observations (B, C, height, width); hints are computed on the result."""
        orientation = self.orientation(observations)
        flat = observations.reshape(*observations.shape[:2], -1)
        boards = np.take_along_axis(flat, self.squares[orientation][:, None], axis=2).reshape(observations.shape)
        planes, actions = self.scaled(boards), self.actions[orientation]
        if self.observed is None:
            return BoardView(planes, None, actions)
        seen = self.observed(boards)
        best = np.tanh(seen.best / GREAT)[:, :, None, None]
        planes = np.concatenate([planes, np.broadcast_to(best, (len(planes), 1, *self.board_shape))], axis=1)
        return BoardView(planes, seen.hints, actions)

    def orientation(self, observations: Array) -> Array:
        """Return the orientation number (B,) of each board; a captured ship counts as one on the diagonal."""
        seat = observations[:, self._seat, 0, 0].astype(np.int64)
        ship = observations[:, self._own_ship].reshape(len(observations), -1).argmax(axis=1)  # 0 if captured
        return self.orientations[seat, ship]


BOARD = BeyondMapsFeatures


def orientation_table(width: int, height: int) -> Array:
    """Return the orientation (2, squares) for each seat and square of the viewer's ship."""
    row, column = np.divmod(np.arange(width * height), width)
    is_square = width == height
    return np.stack([0 + (is_square & (row > column)), 2 + (is_square & (row < column))]).astype(np.int64)


def square_tables(width: int, height: int) -> Array:
    """Return the board square of each view square (4, squares); each row is its own inverse.

    If the board is not a square, the rows for transposed boards have no meaning.
    """
    board = np.arange(width * height).reshape(height, width)
    turned = board[::-1, ::-1]
    if width != height:
        return np.stack([board.ravel(), board.ravel(), turned.ravel(), turned.ravel()])
    return np.stack([board.ravel(), board.T.ravel(), turned.ravel(), turned.T.ravel()])


def action_tables(squares: Array) -> Array:
    """Return the game action of each view action (4, 6 * squares + 1); each row is its own inverse."""
    cells = squares.shape[1]
    stop = np.full((4, 1), NUM_PLANES * cells)
    planes = (np.array(_PLANES)[:, :, None] * cells + squares[:, None, :]).reshape(4, -1)
    return np.concatenate([planes, stop], axis=1)
