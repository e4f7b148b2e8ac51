"""Changes of an n-tuple network's weights, by which it learns."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from edge_envs.core.cells import CellLayout
from edge_envs.core.compiler.jit import lean_kernel
from edge_envs.core.spec import Array
from edge_envs.ntuple.network import AROUND, BASE, COUNT, FIRST, Network
from edge_envs.ntuple.scores import address, index_of

FIXED = -1
"""In place of a number of weights: the table of a tuple does not change."""


def table_modes(layout: CellLayout, network: Network, linear: Sequence[str], fixed: Sequence[str] = ()) -> Array:
    """Return how the tables of tuples change, int64 (T,): the number of weights of linear ones, `FIXED`, or 0.

    Args:
        layout: The cells.
        network: The network.
        linear: Names of cells. The table of a tuple of such a cell alone is linear.
        fixed: Names of cells. The table of a tuple of such a cell alone does not change.

    Raises:
        ValueError: if no tuple consists of one of these cells alone, or the values of a linear one are names.
    """
    modes = np.zeros(network.tuples.shape[0], np.int64)
    for name in (*linear, *fixed):
        cell, field = layout.start(name), layout.field(name)
        alone = (network.tuples[:, COUNT] == 1) & (network.tuples[:, AROUND] < 0)
        alone &= network.members[network.tuples[:, FIRST]] == cell
        if not alone.any():
            raise ValueError(f"expected a tuple of the cell {name!r} alone, whose table is to be linear or fixed")
        if not field.ordered:
            raise ValueError(f"{name} cannot have a linear table: its values are not numbers")
        modes[alone] = FIXED if name in fixed else field.values
    return modes


@lean_kernel
def change_score(network, weights, cells, scratch, last, number, change, modes):
    """Change the score of a position, and of everything symmetric to it, by changing all weights that it has.

    All weights change by the same amount. One that several tuples share changes once.

    Args:
        network: The network.
        weights: float32 (W,).
        cells: int16 (C + 1,).
        scratch: int16 (C + 1,); the last entry is the value outside.
        last: int64 (W,), the number of the last change of each weight.
        number: The number of this change, larger than those before.
        change: The change of the score.
        modes: int64 (T,), see `table_modes`.
    """
    tuples, members, factors = network.tuples, network.members, network.factors
    symmetries, places, is_place = network.symmetries, network.places, network.is_place
    amount = np.float32(change / tuples.shape[0])
    for s in range(symmetries.shape[0]):
        for cell in range(is_place.shape[0]):
            value = cells[symmetries[s, cell]]
            scratch[cell] = places[s, value] if is_place[cell] else value
        for t in range(tuples.shape[0]):
            index = address(tuples, t, index_of(tuples, members, factors, scratch, 0, t))
            if modes[t] > 0:
                if s == 0:  # a line is the same for all symmetric positions
                    change_slope(weights, tuples[t, BASE], modes[t], index, amount)
            elif modes[t] != FIXED and last[index] != number:
                last[index] = number
                weights[index] += amount


@lean_kernel
def change_slope(weights, base, count, index, amount):
    """Change the slope of a linear table, whose middle entry stays the same, in proportion to that of an entry.

    The `count` weights of the table begin at `base`; the entry at either end changes by `amount`.
    """
    middle = np.float32(max(count // 2, 1))
    slope = amount * (np.float32(index - base) / middle - np.float32(1.0)) / middle
    for k in range(count):
        weights[base + k] += slope * (np.float32(k) - middle)
