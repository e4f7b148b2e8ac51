"""The atlas: a table of the charts of all maps in use in this process, shared by all states.

A state record identifies its map only by a digest, so it can be copied, pickled and sent to another process. Kernels
find the chart with `chart_of(state)` in a table at a fixed address of the process. Their machine code refers to the
table by a symbol that is resolved when the code is loaded, so the code can be cached on disk.

`enter_map` writes a chart. The chart remains as long as the returned `Map` is referenced, as a `Game` does. Later its
slot may be reused for another map; kernels then reject the remaining states of the first map.

A chart contains:

    neighbours[k]  the target of a step; the targets of space s are the entries from places[s, FIRST_NEIGHBOUR] up to
                   places[s + 1, FIRST_NEIGHBOUR], sorted
    ports[k]       the space of port k
    places[s]      data of space s, in these columns:
        DRIFT      the target of a drift: a space, OVER_THE_EDGE or AGROUND
        PORT       the number of the port there, -1 if it is not a port
        SECTOR     its angle, in whole sectors
    sectors        the number of sectors
    reach          how many rounds from its home, in either direction, a ship may need on its voyage round the world
    steps          the fewest steps to a win, see `routes.steps_to_win`, as one row; zeros if there are more than
                   `MAX_STEPS` of them
"""

from __future__ import annotations

import threading
import weakref
from typing import Any

import llvmlite.binding
import numba
import numpy as np
from llvmlite import ir
from numba.extending import intrinsic

from edge_envs.core.compiler.jit import inlined_kernel, with_identity
from edge_envs.core.spec import Record
from edge_envs.games.over_the_edge.map.charts import MAX_NEIGHBOURS, MAX_SPACES, Map, MapError, load_map
from edge_envs.games.over_the_edge.map.routes import steps_to_win

MOST_MAPS = 1_024
"""The largest number of maps in use at once, a power of 2. Memory is used only for slots that have been filled."""

MAX_STEPS = 1 << 14
"""The largest number of entries of `steps`, see `has_steps`; enough for 200 spaces and 8 ports."""

FIRST_NEIGHBOUR, DRIFT, PORT, SECTOR, NUM_COLUMNS = 0, 1, 2, 3, 4
"""The columns of `places`."""

CHART = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("sectors", np.int64),
                ("reach", np.int64),
                ("places", np.int32, (MAX_SPACES + 1, NUM_COLUMNS)),
                ("neighbours", np.int16, (MAX_NEIGHBOURS,)),
                ("ports", np.int16, (MAX_SPACES,)),
                ("steps", np.uint8, (MAX_STEPS,)),
            ],
            align=True,
        ),
    )
)
_ATLAS = np.dtype(
    (np.record, np.dtype([("digests", np.uint64, (MOST_MAPS,)), ("charts", CHART, (MOST_MAPS,))], align=True))
)
_FREE = 0xD1B54A32D192ED03  # marks an unused slot; no map has this digest by accident

_table = np.zeros(1, _ATLAS)
_table["digests"] = _FREE
_held_maps: weakref.WeakValueDictionary[int, Map] = weakref.WeakValueDictionary()  # the maps in use, by digest
_lock = threading.Lock()

_MASK = np.uint64(MOST_MAPS - 1)
_ONE = np.uint64(1)
_SYMBOL = "edge_envs_over_the_edge_atlas"
_UNKNOWN = "no game on the map of this state is loaded in this process"


# For kernels


def _atlas_intrinsic(typing: Any) -> Any:
    """Generate code for the record at the symbol."""
    atlas_type = numba.from_dtype(_ATLAS)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        start = context.get_c_value(builder, ir.IntType(8), _SYMBOL)
        return builder.bitcast(start, context.get_value_type(atlas_type))

    return atlas_type(), generate


if numba.config.DISABLE_JIT:  # type: ignore[attr-defined]  # numba's settings are not declared

    def _atlas() -> Record:
        """Return the table."""
        return _table[0]

else:
    llvmlite.binding.add_symbol(_SYMBOL, _table.ctypes.data)
    _atlas = with_identity(intrinsic(_atlas_intrinsic), f"{__name__}.atlas")  # for compiled code


@inlined_kernel
def chart_of(state):
    """Return the chart of the map of a state.

    The table is a hash table on the last bits of the digest, with linear probing.

    Raises:
        MapError: if no game on this map is loaded.
    """
    atlas = _atlas()
    digest = np.uint64(state.map)
    first = digest & _MASK
    place = first
    while atlas.digests[place] != digest:
        place = (place + _ONE) & _MASK
        if place == first:
            raise MapError(_UNKNOWN)
    return atlas.charts[place]


@inlined_kernel
def crossing(chart, one, other):
    """Return the change of the rounds by a step or drift from one space to another: -1, 0 or 1.

    The angles of adjacent spaces differ by at least a sector less than half the world, so whole sectors suffice.
    """
    turned = 2 * (np.int64(chart.places[other, SECTOR]) - np.int64(chart.places[one, SECTOR]))
    return np.int64(turned < -chart.sectors) - np.int64(turned > chart.sectors)


# From Python


def enter_map(record: Record, value: Any) -> Map:
    """Load a map, write its digest into a record and its chart into the table.

    Returns:
        The map. The chart remains as long as the map is referenced.

    Raises:
        MapError: if the map is invalid, or if `MOST_MAPS` other maps are in use.
    """
    found = load_map(value)
    with _lock:
        held = _held_maps.get(found.digest)
        if held is None:
            _write(_place_for(found.digest), found)
            _held_maps[found.digest] = held = found
        elif held != found:
            raise MapError(f"the map {found.name!r} has the same digest as another map in use, {held.name!r}")
    record.map = held.digest
    return held


def map_of(record: Record) -> Map:
    """Return the map of a record.

    Raises:
        MapError: if no game on this map is loaded.
    """
    found = _held_maps.get(int(record.map))
    if found is None:
        raise MapError(_UNKNOWN)
    return found


def _place_for(digest: int) -> int:
    """Return the slot that this map had before, or else the first slot from its own on that is not in use."""
    digests = _table[0].digests.tolist()
    if digest in digests:
        return digests.index(digest)
    for place in range(digest, digest + MOST_MAPS):
        if digests[place % MOST_MAPS] not in _held_maps:
            return place % MOST_MAPS
    raise MapError(f"games on {MOST_MAPS:,} maps are in use, which is the maximum")


def has_steps(found: Map) -> bool:
    """Return whether the chart of a map contains the numbers of steps to a win."""
    return len(found.spaces) * len(found.ports) * (2 * found.reach + 1) * 2 <= MAX_STEPS


def _write(place: int, found: Map) -> None:
    """Write a chart and then its digest, so that kernels never find a digest with the wrong chart."""
    chart, digests, spaces = _table[0].charts[place], _table[0].digests, len(found.spaces)
    if digests[place] != found.digest:
        digests[place] = _FREE
    chart.sectors, chart.reach = found.sectors, found.reach
    chart.places[1 : spaces + 1, FIRST_NEIGHBOUR] = np.cumsum([len(near) for near in found.neighbours])
    chart.places[:spaces, DRIFT] = found.drift_targets
    chart.places[:spaces, PORT] = -1
    chart.places[list(found.ports), PORT] = range(len(found.ports))
    chart.places[:spaces, SECTOR] = [int(space.angle) for space in found.spaces]
    ways = [target for near in found.neighbours for target in near]
    chart.neighbours[: len(ways)] = ways
    chart.ports[: len(found.ports)] = found.ports
    steps = steps_to_win(found).reshape(-1) if has_steps(found) else np.zeros(0, np.uint8)
    chart.steps[: len(steps)] = steps
    digests[place] = found.digest
