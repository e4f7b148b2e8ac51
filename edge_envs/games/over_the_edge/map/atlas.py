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
    planes         the planes of a map of a set, see `sets.planes_of`, as one row

A game on a set of maps draws one of them, see `sets`. The atlas has a second table of the sets in use. A set contains:

    num_maps       the number of maps
    members[i]     the digest of map i
    prints[i]      the fingerprint of its planes, by which it is found in observations
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

from edge_envs.core.compiler.jit import inlined_kernel, kernel, with_identity
from edge_envs.core.spec import Array, Record
from edge_envs.games.over_the_edge.map.charts import MAX_NEIGHBOURS, MAX_SPACES, Map, MapError, load_map
from edge_envs.games.over_the_edge.map.generator import MAX_SET, is_set
from edge_envs.games.over_the_edge.map.routes import steps_to_win
from edge_envs.games.over_the_edge.map.sets import PLANES, MapSet, load_set, planes_of

MOST_MAPS = 2_048
"""The largest number of maps in use at once, a power of 2. Memory is used only for slots that have been filled."""

MOST_SETS = 32
"""The largest number of sets of maps in use at once."""

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
                # in an order in which the used parts of a small map are on few pages of memory
                ("ports", np.int16, (MAX_SPACES,)),
                ("planes", np.int8, (len(PLANES) * MAX_SPACES,)),
                ("places", np.int16, (MAX_SPACES + 1, NUM_COLUMNS)),
                ("neighbours", np.int16, (MAX_NEIGHBOURS,)),
                ("steps", np.uint8, (MAX_STEPS,)),
            ],
            align=True,
        ),
    )
)
SET = np.dtype(
    (
        np.record,
        np.dtype(
            [("num_maps", np.int64), ("members", np.uint64, (MAX_SET,)), ("prints", np.uint64, (MAX_SET,))], align=True
        ),
    )
)
_ATLAS = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("digests", np.uint64, (MOST_MAPS,)),
                ("charts", CHART, (MOST_MAPS,)),
                ("set_digests", np.uint64, (MOST_SETS,)),
                ("sets", SET, (MOST_SETS,)),
            ],
            align=True,
        ),
    )
)
_FREE = 0xD1B54A32D192ED03  # marks an unused slot; no map has this digest by accident

_table = np.zeros(1, _ATLAS)
_table["digests"] = _FREE
_table["set_digests"] = _FREE
_held_maps: weakref.WeakValueDictionary[int, Map] = weakref.WeakValueDictionary()  # the maps in use, by digest
_held_sets: weakref.WeakValueDictionary[int, MapSet] = weakref.WeakValueDictionary()  # the sets in use, by digest
_lock = threading.Lock()

_MASK = np.uint64(MOST_MAPS - 1)
_ONE = np.uint64(1)
_SYMBOL = "edge_envs_over_the_edge_atlas"
_UNKNOWN = "no game on the map of this state is loaded in this process"
_FNV_PRIME, _FNV_START = np.uint64(0x100000001B3), np.uint64(0xCBF29CE484222325)


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


@kernel
def set_of(state):
    """Return the set of the maps of a state.

    Raises:
        MapError: if no game on this set is loaded.
    """
    atlas = _atlas()
    for place in range(MOST_SETS):
        if atlas.set_digests[place] == state.map_set:
            return atlas.sets[place]
    raise MapError(_UNKNOWN)


@kernel
def fingerprint(planes, start, length):
    """Return a 64-bit fingerprint (FNV-1a; Fowler, Noll and Vo 1991) of `length` entries of an int8 row."""
    word = _FNV_START
    for k in range(start, start + length):
        word = (word ^ np.uint64(planes[k])) * _FNV_PRIME
    return word


@inlined_kernel
def crossing(chart, one, other):
    """Return the change of the rounds by a step or drift from one space to another: -1, 0 or 1.

    The angles of adjacent spaces differ by at least a sector less than half the world, so whole sectors suffice.
    """
    turned = 2 * (np.int64(chart.places[other, SECTOR]) - np.int64(chart.places[one, SECTOR]))
    return np.int64(turned < -chart.sectors) - np.int64(turned > chart.sectors)


# From Python


def enter_map(record: Record, value: Any) -> Map | MapSet:
    """Load a map or a set of maps, write its digest into a record and its charts into the table.

    Returns:
        The map or the set. The charts remain as long as it is referenced.

    Raises:
        MapError: if a map is invalid, or if `MOST_MAPS` other maps or `MOST_SETS` other sets are in use.
    """
    if is_set(value):
        return _enter_set(record, load_set(value))
    held = _held(load_map(value))
    record.map = held.digest
    return held


def _enter_set(record: Record, found: MapSet) -> MapSet:
    with _lock:
        entered = _held_sets.get(found.digest)
    if entered is None:
        maps = tuple(_held(chart) for chart in found.maps)
        entered = MapSet(found.recipe, maps)
        with _lock:
            _write_set(entered)
            _held_sets[entered.digest] = entered
    record.map, record.map_set = entered.maps[0].digest, entered.digest
    return entered


def _held(found: Map) -> Map:
    """Return the map in use that is equal to a map; write its chart if there is none."""
    with _lock:
        held = _held_maps.get(found.digest)
        if held is None:
            _write(_place_for(found.digest), found)
            _held_maps[found.digest] = held = found
        elif held != found:
            raise MapError(f"the map {found.name!r} has the same digest as another map in use, {held.name!r}")
        return held


def maps_of(record: Record) -> MapSet | None:
    """Return the set of maps of a record, or None if its map is fixed.

    Raises:
        MapError: if no game on this set is loaded.
    """
    if not record.map_set:
        return None
    found = _held_sets.get(int(record.map_set))
    if found is None:
        raise MapError(_UNKNOWN)
    return found


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
    if found.is_padded:
        planes = planes_of(found).reshape(-1)
        chart.planes[: len(planes)] = planes
    digests[place] = found.digest


def _write_set(found: MapSet) -> None:
    """Write a set into the table of sets, its digest last."""
    digests = _table[0].set_digests
    free = (k for k, digest in enumerate(digests.tolist()) if digest == found.digest or digest not in _held_sets)
    place = next(free, None)
    if place is None:
        raise MapError(f"games on {MOST_SETS} sets of maps are in use, which is the maximum")
    entry, count = _table[0].sets[place], len(found.maps)
    digests[place] = _FREE
    entry.num_maps = count
    entry.members[:count] = [chart.digest for chart in found.maps]
    planes = [planes_of(chart).reshape(-1) for chart in found.maps]
    entry.prints[:count] = [_fingerprint_of(row) for row in planes]
    digests[place] = found.digest


def _fingerprint_of(row: Array) -> int:
    """Return the same as `fingerprint` of a whole row, without compiled code."""
    word = int(_FNV_START)
    for value in row.tolist():
        word = (word ^ value) * int(_FNV_PRIME) % 2**64
    return word
