"""Count and select bits of 64-bit words, and convert between words and byte masks."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

from edge_envs.core.compiler.jit import inlined_kernel, with_identity

_ONES, _HIGH = np.uint64(0x0101010101010101), np.uint64(0x8080808080808080)
_PAIRS, _FOURS = np.uint64(0x5555555555555555), np.uint64(0x3333333333333333)
_NIBBLES, _BYTE = np.uint64(0x0F0F0F0F0F0F0F0F), np.uint64(0xFF)
_S1, _S2, _S3, _S4, _S7, _S8, _S56 = (np.uint64(shift) for shift in (1, 2, 3, 4, 7, 8, 56))

# _NTH_BIT[b, n]: the index of the n-th set bit of a byte.
_NTH_BIT = np.zeros((256, 8), np.int64)
for _value in range(256):
    _set = [bit for bit in range(8) if _value >> bit & 1]
    _NTH_BIT[_value, : len(_set)] = _set


@inlined_kernel
def _counts(word):
    """Return a word whose bytes are the bit counts of the bytes of `word`."""
    x = np.uint64(word)
    x -= (x >> _S1) & _PAIRS
    x = (x & _FOURS) + ((x >> _S2) & _FOURS)
    return (x + (x >> _S4)) & _NIBBLES


@inlined_kernel
def count_bits(word):
    """Return the number of set bits of a uint64."""
    return np.int64((_counts(word) * _ONES) >> _S56)


@inlined_kernel
def select_bit(word, n):
    """Return the index of the n-th lowest set bit of a uint64 with more than `n` set bits, without branches."""
    x, rank = np.uint64(word), np.uint64(n)
    upto = _counts(x) * _ONES  # byte j: the number of set bits in the bytes 0..j
    before = ((rank * _ONES | _HIGH) - upto) >> _S7 & _ONES  # byte j: 1 if that number is at most n
    shift = (before * _ONES >> _S56) << _S3  # eight times the number of such bytes
    rest = rank - ((upto << _S8) >> shift & _BYTE)
    return np.int64(shift) + _NTH_BIT[x >> shift & _BYTE, rest]


def _bits_at(typing: Any, row: Any, start: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        vector = ir.VectorType(ir.IntType(8), 64)
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        place = builder.bitcast(builder.gep(data, [arguments[1]]), vector.as_pointer())
        is_set = builder.icmp_signed("!=", builder.load(place, align=1), ir.Constant(vector, None))
        return builder.bitcast(is_set, ir.IntType(64))

    return types.uint64(row, types.intp), generate


def _write_bits(typing: Any, array: Any, start: Any, word: Any, value: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        byte = ir.IntType(8)
        vector = ir.VectorType(byte, 64)
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        place = builder.bitcast(builder.gep(data, [arguments[1]]), vector.as_pointer())
        bits = builder.bitcast(arguments[2], ir.VectorType(ir.IntType(1), 64))
        first = builder.insert_element(ir.Constant(vector, ir.Undefined), arguments[3], ir.Constant(ir.IntType(32), 0))
        everywhere = ir.Constant(ir.VectorType(ir.IntType(32), 64), [0] * 64)
        values = builder.shuffle_vector(first, ir.Constant(vector, ir.Undefined), everywhere)
        builder.store(builder.select(bits, values, ir.Constant(vector, None)), place, align=1)
        return context.get_dummy_value()

    return types.void(array, types.intp, types.uint64, types.int8), generate


# Written in LLVM IR by hand, because LLVM turns the obvious loop into gathers.
if numba.config.DISABLE_JIT:  # type: ignore[attr-defined]  # numba's settings are not declared

    def bits_at(row: Any, start: int) -> Any:
        """Return 64 entries of an int8 array from `start` on as a uint64: a bit is set if its entry is not zero."""
        return np.packbits(row[start : start + 64] != 0, bitorder="little").view(np.uint64)[0]

    def write_bits(array: Any, start: int, word: Any, value: int) -> None:
        """Write 64 entries of a flattened C-ordered int8 array from `start` on: `value` if the bit is set, else 0."""
        bits = np.unpackbits(np.array([word], np.uint64).view(np.uint8), bitorder="little")
        array.reshape(-1)[start : start + 64] = bits.astype(np.int8) * np.int8(value)

else:
    # The same, for compiled code.
    bits_at = with_identity(intrinsic(_bits_at), f"{__name__}.bits_at")
    write_bits = with_identity(intrinsic(_write_bits), f"{__name__}.write_bits")
