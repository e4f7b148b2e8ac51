"""The board of `beyond_maps` as the learner would lay it: one network for both seats and both sides of the diagonal.

The game looks the same after a half turn that exchanges the players, and after a transposition. So player 1's boards
are turned by 180°, and then those are transposed on which the own ship lies below the diagonal. There are four
orientations, 2 * turned + transposed; each is its own way back. Markers' directions turn with the board.
"""

from __future__ import annotations

import numpy as np
import torch

from agents.features.appraisals import Appraisals
from agents.features.hints import hints_from
from agents.features.planes import BoardFeatures, BoardView
from edge_envs import Game
from edge_envs.core.game import Array
from edge_envs.games.beyond_maps.heuristic import appraise_observations
from edge_envs.games.beyond_maps.map.bitboard import EAST, NORTH, SOUTH, WEST
from edge_envs.games.beyond_maps.state import LAND, NO_MARKER, NUM_PLANES

HINT_BREADTH = 8  # actions that are looked into
WORST = 4.0  # squares of land; hints tell no greater losses apart
GREAT = 8.0  # a lead in squares of land that is most of what the promise can tell

# What the view's action planes are on the board, by orientation.
_PLANES = (
    (NORTH, EAST, SOUTH, WEST, NO_MARKER, LAND),
    (WEST, SOUTH, EAST, NORTH, NO_MARKER, LAND),
    (SOUTH, WEST, NORTH, EAST, NO_MARKER, LAND),
    (EAST, NORTH, WEST, SOUTH, NO_MARKER, LAND),
)


class BeyondMapsFeatures(BoardFeatures):
    """The planes of the observation, each divided by its greatest value, as the learner would lay the board."""

    name = "beyond_maps"
    can_hint = True

    def __init__(self, game: Game, hints: bool) -> None:
        if game.name != "beyond_maps":
            raise ValueError(f"the features beyond_maps do not fit the game {game.name}")
        super().__init__(game, hints)
        self._appraise = Appraisals(game, appraise) if hints else None
        self._observed = self.planes
        self.planes += hints  # what the best action promises
        layout = game.observation_slices()
        self._seat, self._own_ship = layout["seat"].start, layout["own_ship"].start
        size = self.board_shape[0]
        squares = square_tables(size)
        self.register_buffer("orientations", torch.from_numpy(orientation_table(size)), persistent=False)
        self.register_buffer("squares", torch.from_numpy(squares), persistent=False)
        self.register_buffer("actions", torch.from_numpy(action_tables(squares)), persistent=False)

    def forward(self, observations: torch.Tensor) -> BoardView:
        """Turn and transpose observations (B, *observation_shape) int8; the heuristic looks at them so laid, too."""
        orientation = self.orientation(observations)
        squares, actions = self.get_buffer("squares")[orientation], self.get_buffer("actions")[orientation]
        boards = observations.flatten(2).gather(2, squares[:, None].expand(-1, self._observed, -1))
        boards = boards.view_as(observations)
        planes = self.scaled(boards)
        if self._appraise is None:
            return BoardView(planes, None, actions)
        promises = torch.from_numpy(self._appraise(boards.numpy()))
        hints, best = hints_from(promises, WORST)
        promise = torch.tanh(best / GREAT)[:, :, None, None].expand(-1, -1, *self.board_shape)
        return BoardView(torch.cat([planes, promise], dim=1), hints, actions)

    def orientation(self, observations: torch.Tensor) -> torch.Tensor:
        """The number (B,) of each board's orientation; a captured ship counts as one on the diagonal."""
        seat = observations[:, self._seat, 0, 0].long()
        ship = observations[:, self._own_ship].flatten(1).argmax(1)  # 0 if it is nowhere
        return self.get_buffer("orientations")[seat, ship]


def orientation_table(size: int) -> Array:
    """The orientation (2, size²) for each seat and square of the own ship."""
    row, column = np.divmod(np.arange(size * size), size)
    return np.stack([0 + (row > column), 2 + (row < column)]).astype(np.int64)


def square_tables(size: int) -> Array:
    """Which square of the board each square of the view is, and the other way round (4, size²)."""
    board = np.arange(size * size).reshape(size, size)
    turned = board[::-1, ::-1]
    return np.stack([board.ravel(), board.T.ravel(), turned.ravel(), turned.T.ravel()])


def action_tables(squares: Array) -> Array:
    """Which action of the game each action of the view is, and the other way round (4, 6 * size² + 1)."""
    cells = squares.shape[1]
    stop = np.full((4, 1), NUM_PLANES * cells)
    planes = (np.array(_PLANES)[:, :, None] * cells + squares[:, None, :]).reshape(4, -1)
    return np.concatenate([planes, stop], axis=1)


def appraise(game: Game, observations: Array, promises: Array) -> None:
    """As the heuristic does, but looking further than when it plays; in squares of land, -inf where left out."""
    appraise_observations(observations, game.new_records(1), HINT_BREADTH, promises)
