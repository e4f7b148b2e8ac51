# mypy: allow-untyped-calls, disable-error-code="attr-defined, union-attr"
"""How kernels are compiled and joined: each piece of machine code once, however many loops use it.

numba by itself makes machine code of every function that it compiles, with all that the function calls inside, and a
loop over a game's rules is made of a hundred of them. Here there are two kinds of functions instead:

* An *inner* kernel is one that other kernels call. It is translated for LLVM and no further: no machine code, no
  wrapper for calls from Python, nothing on disk. Whoever calls it takes its code in and optimises all at once.
* An *entry* is called from Python, or is a *boundary*: one of the kernels that a game declares, which every loop
  calls. It is optimised together with all inner kernels that it reaches, made into machine code and kept in the disk
  cache. A boundary that is large is not taken in by its callers: they call its machine code by its name. So loops
  stay small, whatever the game.

A kernel becomes an entry when it is called from Python for the first time. Machine code in the disk cache names the
boundaries that it calls, and brings them in when it is read (`_Needed`); names are the same in every process.
"""

from __future__ import annotations

import importlib
import itertools
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.registry import CPUDispatcher

_SMALL = 400  # instructions: a boundary of so few is taken in by its callers


class _InnerLibrary(JITCodeLibrary):
    """The code of one inner kernel, for others to take in."""

    def add_linking_library(self, library: Any) -> None:
        if not isinstance(library, _InnerLibrary):
            library._ensure_finalized()
        self._linking_libraries.append(library)

    def finalize(self) -> None:
        self._finalized = True


class _EntryLibrary(JITCodeLibrary):
    """The machine code of an entry, with all that it takes in."""

    def finalize(self) -> None:
        taken = []
        for library in _reached(self._linking_libraries):
            needed = getattr(library, "needed", None)  # of a boundary
            if needed is None or _is_small(library):
                taken.append(library)
            else:
                self._reload_init.add(needed)
        self._linking_libraries = taken
        super().finalize()


def _reached(libraries: Iterable[Any]) -> Iterator[Any]:
    """Libraries, and all that the inner ones among them call; each once."""
    waiting, seen = list(libraries), set()
    while waiting:
        library = waiting.pop()
        if library not in seen:
            seen.add(library)
            yield library
            if isinstance(library, _InnerLibrary):
                waiting += library._linking_libraries


def _is_small(library: Any) -> bool:
    functions = library._get_module_for_linking().functions
    instructions = (one for function in functions for block in function.blocks for one in block.instructions)
    return sum(1 for _ in itertools.islice(instructions, _SMALL + 1)) <= _SMALL


class _InnerCompiler(Compiler):  # type: ignore[misc]  # numba is untyped
    def define_pipelines(self) -> Any:
        state = self.state
        state.flags.no_compile = True
        state.library = _InnerLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        return super().define_pipelines()


class _EntryCompiler(Compiler):  # type: ignore[misc]
    def define_pipelines(self) -> Any:
        state = self.state
        if "<locals>" not in state.func_id.func_qualname:
            state.func_id.unique_id = (
                0  # part of its name in machine code; else how many functions were compiled before
            )
        state.library = _EntryLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        return super().define_pipelines()


class _Needed(NamedTuple):
    """Brings the machine code of a boundary into the process when code that calls it is read from the disk cache."""

    module: str
    name: str
    arguments: tuple[Any, ...]

    def __call__(self) -> None:
        kernel = getattr(importlib.import_module(self.module), self.name)
        boundary(kernel)
        kernel.compile(self.arguments)


class Kernel(CPUDispatcher):  # type: ignore[misc]
    """A compiled function: an inner kernel for other kernels, `entry` for Python; for all if it is a boundary."""

    def __init__(self, py_func: Callable[..., Any], locals: Any = None, targetoptions: Any = None) -> None:
        options = {**(targetoptions or {}), "no_cfunc_wrapper": True}
        super().__init__(py_func, locals, {**options, "no_cpython_wrapper": True}, pipeline_class=_InnerCompiler)
        self.entry = CPUDispatcher(py_func, locals, options, pipeline_class=_EntryCompiler)
        self.is_boundary = False

    @property
    def stats(self) -> Any:
        """How often machine code was found in the disk cache, and how often not."""
        return self.entry.stats

    def compile(self, sig: Any) -> Any:
        """Compile for kernels that call this one with arguments of these types."""
        if not self.is_boundary:
            return super().compile(sig)
        entry_point = self.entry.compile(sig)
        for arguments, compiled in self.entry.overloads.items():
            library = compiled.library
            library.needed = _Needed(self.py_func.__module__, self.py_func.__name__, arguments)
            library._reload_init.update(compiled.reload_init)
        return entry_point

    def add_overload(self, cres: Any) -> None:
        """Keep an inner kernel for its callers; Python cannot call it."""
        key = object()
        self.targetctx.insert_user_function(key, cres.fndesc, [cres.library])
        self.overloads[tuple(cres.signature.args)] = cres._replace(entry_point=key)

    def _compile_for_args(self, *args: Any, **kws: Any) -> Any:
        """Make the entry for a call from Python."""
        function = self.entry._compile_for_args(*args, **kws)
        for arguments, compiled in self.entry.overloads.items():
            self._insert([a._code for a in arguments], compiled.entry_point, compiled.objectmode)
        return function


def boundary(kernel: Any) -> None:
    """Make a kernel of a game's contract a boundary, if it can be found again by its name."""
    if not isinstance(kernel, Kernel) or kernel.is_boundary:
        return
    if getattr(sys.modules[kernel.py_func.__module__], kernel.py_func.__name__, None) is kernel:
        kernel.is_boundary = True
        kernel.overloads = kernel.entry.overloads


def compiled(function: Callable[..., Any], inline: bool = False) -> Kernel:
    """A kernel of a function; `inline` says that callers always take it in."""
    options = {"nopython": True, "nogil": True, "error_model": "numpy", "forceinline": inline, "boundscheck": None}
    return Kernel(function, targetoptions=options)
