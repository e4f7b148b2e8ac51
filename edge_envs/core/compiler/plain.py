# mypy: allow-untyped-calls
"""The plain backend: compile kernels with numba alone, on versions that the linker was not tested with.

Each kernel is an ordinary numba function, compiled with all its callees. The first compilation takes about twice as
long as with the linker; with a filled cache both take the same time.
"""

from __future__ import annotations

import functools
import uuid
from collections.abc import Callable
from typing import Any

import numba
from numba.core.compiler import Compiler


class _PlainCompiler(Compiler):  # type: ignore[misc]  # numba is untyped
    """Compile a kernel under names that are the same in every process, because processes share cached files."""

    def __init__(self, identity: uuid.UUID, *args: Any) -> None:
        super().__init__(*args)
        self._identity = identity

    def define_pipelines(self) -> Any:
        self.state.func_id.unique_id = self._identity.hex  # numba would use the number of functions compiled before
        return super().define_pipelines()


def compiled(function: Callable[..., Any], identity: uuid.UUID, inline: bool = False, lean: bool = False) -> Any:
    """Make a kernel of a function.

    Args:
        function: The Python function.
        identity: Unique to the kernel, and the same in every process with the same sources.
        inline: Whether callers should inline it.
        lean: Whether it counts no references to arrays. It must not allocate any.
    """
    compiler: Any = functools.partial(_PlainCompiler, identity)
    options: dict[str, Any] = {"nogil": True, "error_model": "numpy", "forceinline": inline, "no_cfunc_wrapper": True}
    options["_nrt"] = not lean
    kernel: Any = numba.njit(pipeline_class=compiler, **options)(function)
    kernel._set_uuid(str(identity))
    return kernel


def boundary(kernel: Any) -> None:
    """Do nothing: callers contain the machine code of their callees."""
