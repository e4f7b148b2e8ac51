"""The network features of `ghost_ship` without hints as a kernel; see `edge_envs.games.ghost_ship.features`."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edge_envs.core.compiler.jit import kernel
from edge_envs.games.ghost_ship.state import (
    CHITS_PLANE,
    GOLD_PLANE,
    NUM_BOARD_PLANES,
    NUM_VALUES,
    PLANE,
    PLANE_COLUMNS,
    PLANE_ROWS,
)

FAR_FROM_ZERO = np.float32(3.0)
HAND_SCALE = np.float32(10.0)
LEAST = np.float32(1e-6)
OWN_CHITS, OWN_LOST, NUM_CHITS, GOLD_HELD, TURN_PLAYER = range(5)
"""Entries of `Tables.starts`."""


class Tables(NamedTuple):
    """Constants of the features, for P players.

    | array | content |
    |---|---|
    | `starts` | (5,) where fields of the observation begin |
    | `numbers` | (1,) the number of entries before the scaled numbers |
    | `scale` | float32, factors of the numbers |
    | `full` | float32 (values,) the number of chits of each value |
    | `cells` | (108, 4) the cells beside each cell |
    | `scores` | float32 (P + 1,) scratch |
    | `pawns` | (P,) scratch |
    """

    starts: Any
    numbers: Any
    scale: Any
    full: Any
    cells: Any
    scores: Any
    pawns: Any


@kernel
def fill_vector(observation, tables, vector):
    """Fill the features of an observation; return the cell of the pawn to move, the row of the view's actions."""
    first, players, at = tables.numbers[0], tables.pawns.shape[0], 0
    planes = first // PLANE
    for i in range(tables.scale.shape[0]):
        number = np.float32(observation[first + i]) * tables.scale[i]
        vector[at] = min(max(number, -FAR_FROM_ZERO), FAR_FROM_ZERO)
        at += 1
    for plane in range(GOLD_PLANE, CHITS_PLANE + 1):
        total = np.float32(0.0)
        for cell in range(PLANE):
            total += np.float32(observation[plane * PLANE + cell])
        vector[at] = total / HAND_SCALE
        at += 1
    fill_scores(observation, tables)
    for k in range(players + 1):
        vector[at] = min(max(tables.scores[k] / HAND_SCALE, -FAR_FROM_ZERO), FAR_FROM_ZERO)
        at += 1
    mover = find_pawns(observation, tables)
    for plane in range(GOLD_PLANE, planes):
        for r in range(PLANE_ROWS):
            total = np.float32(0.0)
            for c in range(PLANE_COLUMNS):
                total += np.float32(observation[plane * PLANE + r * PLANE_COLUMNS + c])
            vector[at] = total
            at += 1
    for plane in range(GOLD_PLANE, planes):
        for c in range(PLANE_COLUMNS):
            total = np.float32(0.0)
            for r in range(PLANE_ROWS):
                total += np.float32(observation[plane * PLANE + r * PLANE_COLUMNS + c])
            vector[at] = total
            at += 1
    for plane in range(NUM_BOARD_PLANES):
        for k in range(players):
            vector[at] = observation[plane * PLANE + tables.pawns[k]]
            at += 1
    for plane in range(planes):
        for side in range(tables.cells.shape[1]):
            vector[at] = observation[plane * PLANE + tables.cells[mover, side]]
            at += 1
    return mover


@kernel
def fill_scores(observation, tables):
    """Fill `scores`: the viewer's, those of the others with average unseen chits, and the viewer's lead."""
    starts, scores, players = tables.starts, tables.scores, tables.pawns.shape[0]
    every, mean, ones = np.float32(0.0), np.float32(0.0), np.float32(0.0)
    for v in range(NUM_VALUES):
        unseen = unseen_of(observation, tables, v)
        every += unseen
    own = np.float32(0.0)
    for v in range(NUM_VALUES):
        share = unseen_of(observation, tables, v) / every
        if v == 0:
            ones = share
        mean += share * np.float32(v + 1)
        own += np.float32(observation[starts[OWN_CHITS] + v]) * np.float32(v + 1)
    gold = np.float32(observation[starts[GOLD_HELD]])
    scores[0] = own + gold * max(np.float32(observation[starts[OWN_CHITS]]), np.float32(1.0))
    most = np.float32(-np.inf)
    for k in range(1, players):
        count = np.float32(observation[starts[NUM_CHITS] + k])
        gold = np.float32(observation[starts[GOLD_HELD] + k])
        scores[k] = count * mean + gold * max(count * ones, np.float32(1.0))
        most = max(most, scores[k])
    scores[players] = scores[0] - most


@kernel
def unseen_of(observation, tables, v):
    """Return the number of chits of a value that the viewer has not seen, and a little more."""
    starts = tables.starts
    seen = np.float32(observation[starts[OWN_CHITS] + v]) + np.float32(observation[starts[OWN_LOST] + v])
    return max(tables.full[v] - seen, np.float32(0.0)) + LEAST


@kernel
def find_pawns(observation, tables):
    """Fill `pawns` with their cells, the viewer's first; return that of the player whose turn it is."""
    pawns, turn = tables.pawns, tables.starts[TURN_PLAYER]
    mover = 0
    for k in range(pawns.shape[0]):
        plane, pawns[k] = NUM_BOARD_PLANES + k, 0
        for cell in range(PLANE - 1, -1, -1):
            if observation[plane * PLANE + cell] >= observation[plane * PLANE + pawns[k]]:
                pawns[k] = cell
        if observation[turn + k] > observation[turn + mover]:
            mover = k
    return pawns[mover]
