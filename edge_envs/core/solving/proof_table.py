"""The transposition table of the proof-number search: what is known of positions, in a fixed amount of memory.

A row (4,) of uint64 holds the two words of a position's key, its proof and disproof numbers (32 bits each), and a tag
(which claim the numbers are about) with the work spent on them (32 bits each). A position may lie in one of `_WAYS`
adjacent rows. When these are full, the row with the least work is replaced.
"""

from __future__ import annotations

import math

import numpy as np

from edge_envs.core.compiler.jit import kernel
from edge_envs.core.spec import Array

LEAST_MEMORY, MOST_MEMORY = 0.001, 100_000.0
"""The smallest and largest size of a table, in gigabytes."""

_WAYS = 4
_ROW_BYTES = 32
_0, _32 = np.uint64(0), np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)


def blank_table(slots: int) -> Array:
    """Return an empty table (slots, 4) of uint64; `slots` is a power of two."""
    return np.zeros((slots, 4), np.uint64)


def slots_of(gigabytes: float) -> int:
    """Return the number of rows of the largest table that fits into `gigabytes` of memory.

    Raises:
        ValueError: if the size is out of range.
    """
    if not LEAST_MEMORY <= gigabytes <= MOST_MEMORY:  # NaN included
        raise ValueError(
            f"invalid table size of {gigabytes:g} gigabytes: expected {LEAST_MEMORY:g} to {MOST_MEMORY:,.0f}"
        )
    return 1 << int(gigabytes * 2**30 / _ROW_BYTES).bit_length() - 1


def memory_for(rows: int) -> float:
    """Return the size in gigabytes, rounded up, of a table that can hold `rows` positions."""
    return max(LEAST_MEMORY, math.ceil(1000 * (1 << (rows - 1).bit_length()) * _ROW_BYTES / 2**30) / 1000)


@kernel
def _first_row(first, second, tag, rows):
    mixed = first * np.uint64(0x9E3779B97F4A7C15) ^ second * np.uint64(0xC2B2AE3D27D4EB4F)
    mixed ^= tag * np.uint64(0x165667B19E3779F9)
    mixed = (mixed ^ mixed >> _32) * np.uint64(0xD6E8FEB86659FD93)
    return np.int64((mixed ^ mixed >> _32) & np.uint64(rows - 1)) // _WAYS * _WAYS


@kernel
def find_row(table, first, second, tag):
    """Return the row of a key and tag, or -1 if the table does not have it."""
    start = _first_row(first, second, tag, table.shape[0])
    for place in range(start, start + _WAYS):
        if table[place, 0] == first and table[place, 1] == second and table[place, 3] >> _32 == tag:
            return place
    return -1


@kernel
def put(table, first, second, tag, numbers, work):
    """Store the numbers of a key and tag, and add the work; replaces the row with the least work if all are taken."""
    place = find_row(table, first, second, tag)
    if place < 0:
        start = _first_row(first, second, tag, table.shape[0])
        place = start
        for other in range(start, start + _WAYS):
            if table[other, 3] & _LOW < table[place, 3] & _LOW:
                place = other
        table[place, 0] = first
        table[place, 1] = second
        table[place, 3] = _0
    done = min((table[place, 3] & _LOW) + work, _LOW)
    table[place, 2] = numbers
    table[place, 3] = tag << _32 | done


@kernel
def put_rows(table, rows):
    """Store rows (k, 4) of another table."""
    for k in range(rows.shape[0]):
        put(table, rows[k, 0], rows[k, 1], rows[k, 3] >> _32, rows[k, 2], rows[k, 3] & _LOW)


@kernel
def packed(proof, disproof):
    """Return both numbers in one word, as a row holds them."""
    return np.uint64(proof) << _32 | np.uint64(disproof)


@kernel
def proof_of(table, place):
    """Return the proof number of a row."""
    return np.int64(table[place, 2] >> _32)


@kernel
def disproof_of(table, place):
    """Return the disproof number of a row."""
    return np.int64(table[place, 2] & _LOW)
