"""Rows of arrays for the hot loops: views that count no references.

`array[i]` in compiled code holds a reference to its array, two atomic operations that cost more than a small kernel.
A row made here only borrows: use it while the array is certainly alive, as it is in a loop that was given the array.
"""

from __future__ import annotations

from typing import Any

import numba
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic
from numba.np.arrayobj import populate_array

from edge_envs.core.jit import with_identity


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


if numba.config.DISABLE_JIT:  # type: ignore[attr-defined]  # numba's settings are not declared

    def row(array: Any, index: int) -> Any:
        """Row `index` of a C-ordered array of two dimensions or more."""
        return array[index]

else:
    row = with_identity(intrinsic(_row), f"{__name__}.row")  # the same, for compiled code
