"""The atlas: the charts of this process's maps, one for all states that are played on a map.

A state record names its map by a digest alone, so it may be copied, pickled and sent to another process. Kernels find
the chart by `chart_of(state)` in a table at one place of the process's memory. Their machine code calls the table by a
symbol, which is resolved when the code is loaded, so it may be kept on disk.

`enter_map` writes a chart. It stays as long as somebody holds the `Map` that was returned, as a `Game` does. Later its
place may be given to another map; kernels then refuse the states that are left.

A chart holds, for the kernels:

    ways[k]      where a step leads; those of space s lie from places[s, FIRST_WAY] to places[s + 1, FIRST_WAY], sorted
    ports[k]     the space of port k
    places[s]    what the rules ask of space s, in these columns:
        DRIFT    where a drift leads: a space, or OVER_THE_EDGE, or AGROUND
        PORT     the number of the port there, -1 if it is no port
        SECTOR   its angle, in whole sectors
    sectors      how many there are
    reach        how many rounds away from its home, either way, a ship may have to go on its way round the world
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
from edge_envs.games.over_the_edge.map.charts import MAX_SPACES, MAX_WAYS, Map, MapError, load_map

MOST_MAPS = 1_024
"""So many maps games may be on at once, a power of 2. Memory is taken for those that came at least once."""

FIRST_WAY, DRIFT, PORT, SECTOR, NUM_COLUMNS = 0, 1, 2, 3, 4
"""The columns of `places`."""

CHART = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("sectors", np.int64),
                ("reach", np.int64),
                ("places", np.int32, (MAX_SPACES + 1, NUM_COLUMNS)),
                ("ways", np.int16, (MAX_WAYS,)),
                ("ports", np.int16, (MAX_SPACES,)),
            ],
            align=True,
        ),
    )
)
_ATLAS = np.dtype(
    (np.record, np.dtype([("digests", np.uint64, (MOST_MAPS,)), ("charts", CHART, (MOST_MAPS,))], align=True))
)
_FREE = 0xD1B54A32D192ED03  # the digest of a place that no map has had; no record has it by accident

_table = np.zeros(1, _ATLAS)
_table["digests"] = _FREE
_met: weakref.WeakValueDictionary[int, Map] = weakref.WeakValueDictionary()  # those that are held, by their digests
_entering = threading.Lock()

_MASK = np.uint64(MOST_MAPS - 1)
_ONE = np.uint64(1)
_SYMBOL = "edge_envs_over_the_edge_atlas"
_UNKNOWN = "no game on the map of this state is loaded in this process"


# For kernels


def _atlas_intrinsic(typing: Any) -> Any:
    """Code for the record at the symbol."""
    atlas_type = numba.from_dtype(_ATLAS)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        start = context.get_c_value(builder, ir.IntType(8), _SYMBOL)
        return builder.bitcast(start, context.get_value_type(atlas_type))

    return atlas_type(), generate


if numba.config.DISABLE_JIT:  # type: ignore[attr-defined]  # numba's settings are not declared

    def _atlas() -> Record:
        """The table."""
        return _table[0]

else:
    llvmlite.binding.add_symbol(_SYMBOL, _table.ctypes.data)
    _atlas = with_identity(intrinsic(_atlas_intrinsic), f"{__name__}.atlas")  # the same, for compiled code


@inlined_kernel
def chart_of(state):
    """The chart of the map of a state; MapError if no game on it is loaded.

    A map lies at the place that its digest's last bits name, or at one of those that follow.
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
    """What a step or drift from one space to another adds to the rounds: -1, 0 or 1.

    Spaces that share an edge are less than half the world apart, by a sector or more; so whole sectors will do.
    """
    turned = 2 * (np.int64(chart.places[other, SECTOR]) - np.int64(chart.places[one, SECTOR]))
    return np.int64(turned < -chart.sectors) - np.int64(turned > chart.sectors)


# From Python


def enter_map(record: Record, value: Any) -> Map:
    """Load a map, name it in a record and write its chart, which stays as long as the map that is returned is held.

    MapError if it is no map, or if `MOST_MAPS` others are held.
    """
    found = load_map(value)
    with _entering:
        held = _met.get(found.digest)
        if held is None:
            _write(_place_for(found.digest), found)
            _met[found.digest] = held = found
        elif held != found:
            raise MapError(f"the map {found.name!r} has the digest of another map, {held.name!r}, that is in use")
    record.map = held.digest
    return held


def map_of(record: Record) -> Map:
    """The map of a record; MapError if no game on it is loaded."""
    found = _met.get(int(record.map))
    if found is None:
        raise MapError(_UNKNOWN)
    return found


def _place_for(digest: int) -> int:
    """Where a chart that is not held has been, or else the first place from its own on whose chart is not held."""
    digests = _table[0].digests.tolist()
    if digest in digests:
        return digests.index(digest)
    for place in range(digest, digest + MOST_MAPS):
        if digests[place % MOST_MAPS] not in _met:
            return place % MOST_MAPS
    raise MapError(f"games on {MOST_MAPS:,} maps are in use; there can be no more at once")


def _write(place: int, found: Map) -> None:
    """Write a chart, then its digest: kernels never meet a digest over what is not its chart."""
    chart, digests, spaces = _table[0].charts[place], _table[0].digests, len(found.spaces)
    if digests[place] != found.digest:
        digests[place] = _FREE
    chart.sectors, chart.reach = found.sectors, found.reach
    chart.places[1 : spaces + 1, FIRST_WAY] = np.cumsum([len(near) for near in found.neighbours])
    chart.places[:spaces, DRIFT] = found.edgeward
    chart.places[:spaces, PORT] = -1
    chart.places[list(found.ports), PORT] = range(len(found.ports))
    chart.places[:spaces, SECTOR] = [int(space.angle) for space in found.spaces]
    ways = [target for near in found.neighbours for target in near]
    chart.ways[: len(ways)] = ways
    chart.ports[: len(found.ports)] = found.ports
    digests[place] = found.digest
