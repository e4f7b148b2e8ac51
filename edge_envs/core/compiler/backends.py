"""Select the backend that compiles kernels: the linker on tested versions of numba, plain numba on all others.

`edge_envs.core.compiler.linking` depends on private parts of numba, which may change with any version;
`edge_envs.core.compiler.plain` depends on hardly any. `EDGE_ENVS_LINKING=0` selects the plain path on every version,
and `EDGE_ENVS_LINKING=1` tries the linker on every version.
"""

from __future__ import annotations

import functools
import importlib
import os
import sys
from types import ModuleType
from typing import Any

import llvmlite
import numba
import numpy as np

from edge_envs.core.compiler.messages import say_once

LINKED = ("0.63", "0.64", "0.65", "0.66", "0.67", "0.68")
"""The versions of numba, major and minor, that the linker was tested with; see `scripts/release_check.py`."""

SETTINGS = (
    "BOUNDSCHECK",
    "CPU_FEATURES",
    "CPU_NAME",
    "DEBUGINFO_DEFAULT",
    "DEBUG_NRT",
    "DEBUG_NRT_STACK_LIMIT",
    "DISABLE_INTEL_SVML",
    "ENABLE_AVX",
    "ENABLE_PROFILING",
    "EXTEND_VARIABLE_LIFETIMES",
    "FULL_TRACEBACKS",
    "LLVM_REFPRUNE_FLAGS",
    "LLVM_REFPRUNE_PASS",
    "LOOP_VECTORIZE",
    "NRT_STATS",
    "OPT",
    "SLP_VECTORIZE",
    "USING_SVML",
)
"""The settings of numba that affect machine code."""


@functools.cache
def chosen() -> ModuleType:
    """Return the backend of this process: the module `linking` or `plain`."""
    wanted = os.environ.get("EDGE_ENVS_LINKING", "")
    if wanted not in ("", "0", "1"):
        say_once("linking", f"ignored EDGE_ENVS_LINKING={wanted!r}: expected 0 or 1")
    if wanted == "0":
        return importlib.import_module("edge_envs.core.compiler.plain")
    version = ".".join(numba.__version__.split(".")[:2])
    why = f"tested with {LINKED[0]} to {LINKED[-1]}"
    if version in LINKED or wanted == "1":
        try:
            return importlib.import_module("edge_envs.core.compiler.linking")
        except (ImportError, AttributeError) as error:
            why = str(error)
    say_once(
        "linking",
        f"numba {numba.__version__}: compiling without the linker ({why}), so first compilations take longer; "
        "EDGE_ENVS_LINKING=0 hides this line",
    )
    return importlib.import_module("edge_envs.core.compiler.plain")


def boundary(kernel: Any) -> None:
    """Make a kernel that a game declares a boundary, see `edge_envs.core.compiler.linking`."""
    if not numba.config.DISABLE_JIT:  # type: ignore[attr-defined]  # numba's settings are not declared
        chosen().boundary(kernel)


def setup() -> tuple[str, ...]:
    """Return everything except the sources that determines machine code, in a fixed order.

    That is the backend, versions, the processor, and the settings of numba that affect code.
    """
    from numba.core.registry import cpu_target

    settings = (f"{name}={getattr(numba.config, name, None)!r}" for name in SETTINGS)
    processor = cpu_target.target_context.codegen().magic_tuple()
    python = (sys.implementation.cache_tag, getattr(sys, "abiflags", ""), sys.flags.optimize)
    versions = (*python, numba.__version__, llvmlite.__version__, np.__version__)
    return chosen().__name__, *map(str, (*versions, *processor)), *settings
