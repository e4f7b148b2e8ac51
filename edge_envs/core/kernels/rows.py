"""Rows of arrays in hot loops: views without reference counting, and prefetching.

`array[i]` in compiled code holds a reference to its array: two atomic operations, which cost more than a small kernel.
`row(array, i)` borrows instead. Use it only while the array is certainly alive, for example in a loop that gets the
array as an argument.

Thousands of games do not fit into the processor's caches. A loop over them calls `fetch` for a row some lanes ahead, so
that the row is in the cache when it is needed.
"""

from __future__ import annotations

from typing import Any

import numba
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic
from numba.np.arrayobj import populate_array

from edge_envs.core.compiler.jit import with_identity


def _row(typing: Any, array: Any, index: Any) -> Any:
    row_type = types.Array(array.dtype, array.ndim - 1, "C")

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        whole = context.make_array(signature.args[0])(context, builder, arguments[0])
        shape, strides = (cgutils.unpack_tuple(builder, packed) for packed in (whole.shape, whole.strides))
        byte = ir.IntType(8).as_pointer()
        start = builder.gep(builder.bitcast(whole.data, byte), [builder.mul(arguments[1], strides[0])])
        row = context.make_array(row_type)(context, builder)
        populate_array(
            row,
            data=builder.bitcast(start, whole.data.type),
            shape=shape[1:],
            strides=strides[1:],
            itemsize=whole.itemsize,
            meminfo=None,
        )
        return row._getvalue()

    return row_type(array, types.intp), generate


_LINE = 64  # bytes of a cache line
_MOST = 8192  # bytes of the longest row that is prefetched completely
_HEAD = 256  # bytes prefetched of a longer row: one step uses little of it, and the rest would evict other rows


def _fetch(typing: Any, array: Any, index: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        whole = context.make_array(signature.args[0])(context, builder, arguments[0])
        count, size = (cgutils.unpack_tuple(builder, packed)[0] for packed in (whole.shape, whole.strides))
        byte, number = ir.IntType(8).as_pointer(), ir.IntType(32)
        prefetch = builder.module.declare_intrinsic(
            "llvm.prefetch", [byte], ir.FunctionType(ir.VoidType(), [byte, number, number, number])
        )
        start = builder.gep(builder.bitcast(whole.data, byte), [builder.mul(arguments[1], size)])
        none, line, head, most = (ir.Constant(size.type, value) for value in (0, _LINE, _HEAD, _MOST))
        length = builder.select(builder.icmp_signed("<=", size, most), size, head)
        end = builder.select(builder.icmp_signed("<", arguments[1], count), length, none)
        with cgutils.for_range_slice(builder, none, end, line) as (offset, _):
            builder.call(prefetch, [builder.gep(start, [offset]), number(0), number(2), number(1)])
        return context.get_dummy_value()

    return types.void(array, types.intp), generate


if numba.config.DISABLE_JIT:  # type: ignore[attr-defined]  # numba's settings are not declared

    def row(array: Any, index: int) -> Any:
        """Return row `index` of a C-ordered array of two dimensions or more."""
        return array[index]

    def fetch(array: Any, index: int) -> None:
        """Prefetch row `index`, or the head of a long one; does nothing if the row does not exist."""

else:
    fetch = with_identity(intrinsic(_fetch), f"{__name__}.fetch")
    row = with_identity(intrinsic(_row), f"{__name__}.row")  # the same for compiled code
