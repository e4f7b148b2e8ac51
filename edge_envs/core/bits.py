"""Bits of 64-bit words, and arrays of bytes read as words."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
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


def _load(builder: Any, context: Any, array_type: Any, array: Any, start: Any, wanted: Any) -> Any:
    """Bytes of an int8 array from an index on, whatever their alignment, as a value of another type."""
    data = context.make_array(array_type)(context, builder, array).data
    return builder.load(builder.bitcast(builder.gep(data, [start]), wanted.as_pointer()), align=1)


def _word_at(typing: Any, row: Any, start: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return _load(builder, context, signature.args[0], arguments[0], arguments[1], ir.IntType(64))

    return types.uint64(row, types.intp), generate


def _sum_of(size: int) -> Any:
    def sum_at(typing: Any, row: Any, start: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            vector, byte = ir.VectorType(ir.IntType(8), size), ir.IntType(8)
            values = _load(builder, context, signature.args[0], arguments[0], arguments[1], vector)
            name = f"llvm.vector.reduce.add.v{size}i8"
            reduce = cgutils.get_or_insert_function(builder.module, ir.FunctionType(byte, [vector]), name)
            return builder.zext(builder.call(reduce, [values]), ir.IntType(64))

        return types.int64(row, types.intp), generate

    return sum_at


# Of an int8 array `row` from `start` on: eight bytes as a little-endian uint64; the sums, below 256, of 8 and 64 bytes.
# LLVM makes gathers of the obvious loops, which take three times as long.
if numba.config.DISABLE_JIT:  # type: ignore[attr-defined]  # numba's settings are not declared

    def word_at(row: Any, start: int) -> Any:
        """Eight bytes from `start` on as a little-endian uint64."""
        return row[start : start + 8].view(np.uint64)[0]

    def sum_8_at(row: Any, start: int) -> Any:
        """The sum of eight bytes from `start` on."""
        return row[start : start + 8].sum(dtype=np.int64)

    def sum_64_at(row: Any, start: int) -> Any:
        """The sum of 64 bytes from `start` on."""
        return row[start : start + 64].sum(dtype=np.int64)

else:
    # fmt: off
    word_at, sum_8_at, sum_64_at = (  # type: ignore[assignment]  # the same, for compiled code
        intrinsic(made) for made in (_word_at, _sum_of(8), _sum_of(64))
    )
    # fmt: on
