# mypy: allow-untyped-calls
"""How kernels are compiled with numba alone, on versions that `edge_envs.core.compiler.linking` was not tested with.

Each kernel is an ordinary function of numba's, compiled with all that it calls. It takes about twice as long as with
the linker when nothing is cached, and the same time when all is.
"""

from __future__ import annotations

import functools
import uuid
from collections.abc import Callable
from typing import Any

import numba
from numba.core.compiler import Compiler


class _PlainCompiler(Compiler):  # type: ignore[misc]  # numba is untyped
    """Compiles a kernel under names that are the same in every process, since cached files of several meet in one."""

    def __init__(self, identity: uuid.UUID, *args: Any) -> None:
        super().__init__(*args)
        self._identity = identity

    def define_pipelines(self) -> Any:
        self.state.func_id.unique_id = self._identity.hex  # else how many functions were compiled before
        return super().define_pipelines()


def compiled(function: Callable[..., Any], identity: uuid.UUID, inline: bool = False) -> Any:
    """A kernel of a function; `inline` asks that callers take it in.

    `identity` is the same in every process that has the same sources, and no other kernel's.
    """
    compiler: Any = functools.partial(_PlainCompiler, identity)
    options: dict[str, Any] = {"nogil": True, "error_model": "numpy", "forceinline": inline, "no_cfunc_wrapper": True}
    kernel: Any = numba.njit(pipeline_class=compiler, **options)(function)
    kernel._set_uuid(str(identity))
    return kernel


def boundary(kernel: Any) -> None:
    """Do nothing: here callers hold the machine code of all that they call."""
