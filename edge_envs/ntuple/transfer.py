"""Weights of an n-tuple network for another board, as a curriculum needs them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from edge_envs.core.cells import CellLayout
from edge_envs.core.game import Game
from edge_envs.core.spec import Array
from edge_envs.ntuple.network import TupleSpec, layout_of, tables_of


def transferable(old: Game, new: Game, specs: Sequence[TupleSpec]) -> list[TupleSpec]:
    """Return the tuples whose cells mean the same on two boards."""
    one, other = layout_of(old), layout_of(new)
    return [spec for spec in specs if (meaning := _meaning(one, spec)) is not None and meaning == _meaning(other, spec)]


def carried_over(
    weights: Array, old: Game, new: Game, specs: Sequence[TupleSpec], new_specs: Sequence[TupleSpec] | None = None
) -> Array:
    """Return weights for another board.

    Args:
        weights: float32 (W,), those of the network for `old`.
        old: The board for which the weights were learned.
        new: The other board.
        specs: The tuples of the network for `old`.
        new_specs: The tuples of the network for `new`; None for the same.

    Returns:
        float32, those of the network for `new`: copies of the tables of tuples that both networks have and whose cells
        mean the same on both boards; the other tables are 0.
    """
    if new_specs is None:
        new_specs = specs
    source, _ = tables_of(layout_of(old), specs)
    target, size = tables_of(layout_of(new), new_specs)
    carried, kept = np.zeros(size, np.float32), transferable(old, new, specs)
    for spec, table in zip(new_specs, target, strict=True):
        if spec in kept:
            carried[table] = weights[source[specs.index(spec)]]
    return carried


def _meaning(layout: CellLayout, spec: TupleSpec) -> tuple[Any, ...] | None:
    """Return what the digits of the indices of tuples mean; None if they name places of one board."""
    named = [layout.field(name) for name in spec.cells]
    if any(field.place or field.of_board for field in named):
        return None
    grid = layout.grid.values if layout.grid and (spec.window or spec.around) else 0
    return grid, *((field.name, field.values, field.count) for field in named)
