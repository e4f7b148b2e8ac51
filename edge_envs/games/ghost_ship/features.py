"""Network features of `ghost_ship`: numbers of the observation, planes in short form, and with hints heuristic values.

Distances on the map are hard to learn. Hints give the heuristic's view of them to a network, which learns when to trust
it. Without hints the network sees the board in a short form, because whole planes would be five times as many numbers:
the rows and columns of treasure, ghost, pawns and boats, the tiles with pawns, and those around the pawn to move.

Steps are distinguished relative to that pawn: by direction, and by the spot on the target tile. Ways to lay a tile, and
chits to move over an edge, are distinguished only by hints.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from edge_envs.core.features import Array, CompiledVectors, VectorFeatures, VectorView
from edge_envs.games.ghost_ship.actions import (
    DECLARE,
    END,
    FIRST_CENTRE,
    FIRST_CHIT,
    FIRST_GHOST_WAY,
    FIRST_NUMBER,
    FIRST_STACK,
    GO,
    NUM_ACTIONS,
    SAVE_PLUS,
    TAKE_CHIT,
    TAKE_GOLD,
)
from edge_envs.games.ghost_ship.map.geometry import NUM_PLACES, NUM_SPOTS, NUM_SQUARES, RIM, RIM_COLUMN, RIM_ROW
from edge_envs.games.ghost_ship.map.seas import FULL_SEA, SEAS
from edge_envs.games.ghost_ship.player.weights import VALUES
from edge_envs.games.ghost_ship.state import (
    ACT_DRIFT,
    ACT_SALVAGE,
    ACT_SEARCH,
    ACT_STEAL,
    ACT_SWIM,
    CELL,
    CHITS_PLANE,
    GOLD_PLANE,
    NUM_BOARD_PLANES,
    NUM_VALUES,
    PLANE,
    PLANE_COLUMNS,
    PLANE_ROWS,
)

if TYPE_CHECKING:
    from edge_envs.core.game import Game

FAR = np.float32(10.0)  # turns
MOST = np.float32(3.0)  # the limit of scaled numbers
USUAL_SCORE, USUALLY_LEFT = np.float32(10.0), np.float32(10.0)

# Scales of fields whose largest possible value is far above usual values.
USUAL = {
    "hand": 4, "discards": 8, "own_chits": 4, "own_lost": 4, "num_chits": 4, "num_lost": 4, "gold_held": 4, "shown": 4,
    "skip": 2,
}  # fmt: skip

# First ids of the groups of actions that share a weight of their hints.
GROUPS = (
    0, FIRST_STACK, FIRST_CENTRE,
    DECLARE, *(DECLARE + act for act in (ACT_SWIM, ACT_SEARCH, ACT_STEAL, ACT_SALVAGE, ACT_DRIFT)), SAVE_PLUS,
    GO, TAKE_CHIT, TAKE_GOLD, END, FIRST_NUMBER, FIRST_GHOST_WAY, FIRST_CHIT,
)  # fmt: skip

# The view's actions: those that the network cannot distinguish share a number. From `DECLARE` to `GO`, and from
# `TAKE_CHIT` to `FIRST_CHIT`, they are those of the game.
TILE_VIEW, STACK_VIEW, CENTRE_VIEW, DECLARE_VIEW = range(4)
STEP_VIEW = DECLARE_VIEW + GO - DECLARE
SIDES = (-PLANE_COLUMNS, 1, PLANE_COLUMNS, -1)  # N, E, S, W, as cells of a plane
SPOTS_BESIDE = (
    NUM_SPOTS + 1
)  # the spots of a tile, and a board-edge circle; steps around a corner of the rim count as far
FAR_VIEW = STEP_VIEW + (1 + len(SIDES)) * SPOTS_BESIDE
TAKE_VIEW = FAR_VIEW + 1
CHIT_VIEW = TAKE_VIEW + FIRST_CHIT - TAKE_CHIT
NUM_VIEWED = CHIT_VIEW + len(SIDES)


class GhostShipFeatures(VectorFeatures):
    """Scaled numbers of the observation, scores, and the planes in short form, or with hints the heuristic's values.

    With hints the network does not see the board: it would memorize details of one of a few thousand maps.
    """

    def __init__(self, game: Game, hints: bool = False, weights: Mapping[str, float] | None = None) -> None:
        super().__init__(game, hints, weights)
        self._players = game.num_players
        self._layout = game.observation_slices()
        self._numbers = self._layout["boats"].stop
        high = game.observation_bounds[1].astype(np.float32)
        for name, usual in USUAL.items():
            high[self._layout[name]] = usual
        self._scale = np.float32(1.0) / high[self._numbers :]
        self._full = np.array([*game.params["chits"].values()], np.float32)
        self._cells = cells_around()
        self._actions = action_tables(SEAS.index(game.params["sea"]))
        planes = self._numbers // PLANE
        board = (planes - GOLD_PLANE) * (PLANE_ROWS + PLANE_COLUMNS) + self._players * NUM_BOARD_PLANES
        shown = self._players + 1 if hints else board + len(SIDES) * planes
        self.size = len(high) - self._numbers + 2 + self._players + 1 + shown
        self.num_actions = NUM_VIEWED
        self.action_groups = action_groups()

    def __call__(self, observations: Array) -> VectorView:
        """Scale observations (B, C), and shorten their planes or add the heuristic's values."""
        planes = observations[:, : self._numbers].reshape(len(observations), -1, PLANE_ROWS, PLANE_COLUMNS)
        numbers = (observations[:, self._numbers :].astype(np.float32) * self._scale).clip(-MOST, MOST)
        left = planes[:, GOLD_PLANE : CHITS_PLANE + 1].astype(np.float32).sum(axis=(2, 3))
        parts = [numbers, left / USUALLY_LEFT, self._scores(observations)]
        pawns = planes[:, NUM_BOARD_PLANES : NUM_BOARD_PLANES + self._players]
        pawns = pawns.reshape(len(planes), self._players, -1).argmax(axis=2)
        mover = pawns[np.arange(len(pawns)), self._of(observations, "turn_player").argmax(axis=1)]
        actions = self._actions[mover]
        if self.observed is None:
            return VectorView(np.concatenate([*parts, *self._board(planes, pawns, mover)], axis=1), None, actions)
        seen = self.observed(observations)
        values = np.concatenate([seen.features[:, :, VALUES.feature("distance")], seen.best], axis=1) / FAR
        return VectorView(np.concatenate([*parts, values.clip(-MOST, MOST)], axis=1), seen.hints, actions)

    def compiled(self) -> CompiledVectors:
        """Return the same features as a kernel; ValueError with hints."""
        from edge_envs.games.ghost_ship import vectors

        if self.hints:
            raise ValueError(f"{type(self).__name__}: hints have no kernel")
        fields = "own_chits", "own_lost", "num_chits", "gold_held", "turn_player"
        tables = vectors.Tables(
            starts=np.array([self._layout[name].start for name in fields]),
            numbers=np.array([self._numbers]),
            scale=self._scale,
            full=self._full,
            cells=self._cells,
            scores=np.zeros(self._players + 1, np.float32),
            pawns=np.zeros(self._players, np.int64),
        )
        return CompiledVectors(vectors.fill_vector, tables, self._actions)

    def _of(self, observations: Array, name: str) -> Array:
        return observations[:, self._layout[name]].astype(np.float32)

    def _scores(self, observations: Array) -> Array:
        """Return the viewer's score, those of the others with average unseen chits, and the lead (B, players + 1)."""
        own = self._of(observations, "own_chits")
        unseen = np.maximum(self._full - own - self._of(observations, "own_lost"), np.float32(0.0)) + np.float32(1e-6)
        like = unseen / unseen.sum(axis=1, keepdims=True)
        count, gold = self._of(observations, "num_chits")[:, 1:, None], self._of(observations, "gold_held")
        chits = np.concatenate([own[:, None], count * like[:, None]], axis=1)
        values = np.arange(1.0, 1.0 + NUM_VALUES, dtype=np.float32)
        scores = (chits * values).sum(axis=2) + gold * np.maximum(chits[:, :, 0], np.float32(1.0))
        lead = scores[:, :1] - scores[:, 1:].max(axis=1, keepdims=True)
        return (np.concatenate([scores, lead], axis=1) / USUAL_SCORE).clip(-MOST, MOST)

    def _board(self, planes: Array, pawns: Array, mover: Array) -> list[Array]:
        """Return rows and columns of treasure, ghost, pawns and boats, and the tiles of pawns and around the mover."""
        moving = planes[:, GOLD_PLANE:].astype(np.float32)
        tiles = [_at(planes[:, :NUM_BOARD_PLANES], pawns), _at(planes, self._cells[mover])]
        return [moving.sum(axis=3).reshape(len(planes), -1), moving.sum(axis=2).reshape(len(planes), -1), *tiles]


VECTORS = GhostShipFeatures


def _at(planes: Array, cells: Array) -> Array:
    """Return the values of planes (B, P, rows, columns) in some cells (B, K), as (B, P x K)."""
    flat = planes.reshape(*planes.shape[:2], -1)
    return np.take_along_axis(flat, cells[:, None], axis=2).astype(np.float32).reshape(len(planes), -1)


def cells_around() -> Array:
    """Return the cells (108, 4) to the N, E, S and W of each; a corner, which is always empty, where there is none."""
    cells = np.arange(PLANE)
    row, column = np.divmod(cells, PLANE_COLUMNS)
    there = np.stack([row > 0, column < PLANE_COLUMNS - 1, row < PLANE_ROWS - 1, column > 0], axis=1)
    return np.where(there, cells[:, None] + np.array(SIDES), 0)


def action_tables(sea: int = FULL_SEA) -> Array:
    """Return the action of the view for each action of the game, for each cell of the pawn to move: (108, A) int16."""
    own = np.empty(NUM_ACTIONS, np.int16)
    own[:FIRST_STACK], own[FIRST_STACK:FIRST_CENTRE], own[FIRST_CENTRE:DECLARE] = TILE_VIEW, STACK_VIEW, CENTRE_VIEW
    own[DECLARE:GO] = DECLARE_VIEW + np.arange(GO - DECLARE)
    own[GO:TAKE_CHIT] = FAR_VIEW
    own[TAKE_CHIT:FIRST_CHIT] = TAKE_VIEW + np.arange(FIRST_CHIT - TAKE_CHIT)
    own[FIRST_CHIT:] = CHIT_VIEW + np.arange(NUM_ACTIONS - FIRST_CHIT) % len(SIDES)
    tables = np.tile(own, (PLANE, 1))
    places = np.arange(NUM_PLACES)
    square = np.minimum(places // NUM_SPOTS, NUM_SQUARES - 1)
    rim = (RIM_ROW[sea] + 1) * PLANE_COLUMNS + RIM_COLUMN[sea] + 1
    cell = np.where(places < RIM, CELL[square], np.concatenate([np.zeros(RIM, np.int64), rim]))
    spot = np.where(places < RIM, places % NUM_SPOTS, NUM_SPOTS)
    for side, beside in enumerate(np.concatenate([np.arange(PLANE)[:, None], cells_around()], axis=1).T):
        here, place = np.nonzero(beside[:, None] == cell)
        tables[here, GO + place] = STEP_VIEW + side * SPOTS_BESIDE + spot[place]
    return tables


def action_groups() -> Array:
    """Return the group (A,) of each action: the verbs, with two groups each for `take` and `ghost`."""
    return np.repeat(np.arange(len(GROUPS)), np.diff([*GROUPS, NUM_ACTIONS]))
