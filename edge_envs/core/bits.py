"""Bits of 64-bit words, and arrays of bytes read as words."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

from edge_envs.core.jit import kernel

_ONE = np.uint64(1)
_PAIRS, _FOURS = np.uint64(0x5555555555555555), np.uint64(0x3333333333333333)
_BYTES, _SUM = np.uint64(0x0F0F0F0F0F0F0F0F), np.uint64(0x0101010101010101)
_HIGH = np.uint64(0x8080808080808080)
_S1, _S2, _S4, _S7 = np.uint64(1), np.uint64(2), np.uint64(4), np.uint64(7)
_S56, _S58 = np.uint64(56), np.uint64(58)

# The index of a single bit from the upper six bits of its product with a de Bruijn number.
_DE_BRUIJN = 0x03F79D71B4CB0A89
_INDEX = np.zeros(64, np.int64)
for _i in range(64):
    _INDEX[((_DE_BRUIJN << _i) & (2**64 - 1)) >> 58] = _i
_DE_BRUIJN_WORD = np.uint64(_DE_BRUIJN)


@kernel
def count_bits(word):
    """How many bits of a uint64 are set."""
    x = np.uint64(word)
    x -= (x >> _S1) & _PAIRS
    x = (x & _FOURS) + ((x >> _S2) & _FOURS)
    x = (x + (x >> _S4)) & _BYTES
    return np.int64((x * _SUM) >> _S56)


@kernel
def select_bit(word, n):
    """The index of set bit number `n`, counted from the lowest, of a uint64 that has more than `n`."""
    x = np.uint64(word)
    for _ in range(n):
        x &= x - _ONE
    lowest = x & (~x + _ONE)
    return _INDEX[(lowest * _DE_BRUIJN_WORD) >> _S58]


@kernel
def sum_bytes(word):
    """The sum of the eight bytes of a uint64, below 256."""
    return np.int64((np.uint64(word) * _SUM) >> _S56)


@kernel
def select_byte(word, n):
    """The index of set byte number `n` of a uint64 whose bytes are 0 or 1 and that has more than `n` set."""
    upto = np.uint64(word) * _SUM  # byte j: how many of the bytes 0..j are set
    not_after = ((np.uint64(n) * _SUM) | _HIGH) - upto  # high bit of byte j: that many are no more than n
    return sum_bytes((not_after >> _S7) & _SUM)


def _word_at(typing: Any, row: Any, start: Any) -> Any:
    """Eight bytes of an int8 array from an index on, whatever its alignment, as a little-endian uint64."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        place = builder.gep(array.data, [arguments[1]])
        return builder.load(builder.bitcast(place, ir.IntType(64).as_pointer()), align=1)

    return types.uint64(row, types.intp), generate


if numba.config.DISABLE_JIT:  # type: ignore[attr-defined]  # numba's settings are not declared

    def word_at(row: Any, start: int) -> Any:
        """Eight bytes of an int8 array from `start` on as a little-endian uint64."""
        return row[start : start + 8].view(np.uint64)[0]

else:
    word_at = intrinsic(_word_at)  # type: ignore[assignment]  # the same in compiled code
