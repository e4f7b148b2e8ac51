# mypy: allow-untyped-calls, disable-error-code="attr-defined, union-attr"
"""The linking backend: compile and link kernels so that machine code is generated once, however many loops call it.

Plain numba generates machine code for every function that it compiles, with all callees inside, and a loop over a
game's rules calls about a hundred functions. This backend has two kinds of functions:

* An *inner* kernel is called by other kernels. It is translated to LLVM IR only: no machine code, no wrapper for
  Python, no file. Its callers link its IR and optimise everything at once.
* An *entry* is called from Python, or is a *boundary*: one of the kernels that a game declares, which every loop calls.
  It is optimised together with all inner kernels that it reaches, compiled to machine code and written to the disk
  cache. Callers of a large boundary call its machine code by name instead of linking its IR. Loops therefore stay small
  for every game.

A kernel becomes an entry when Python first calls it. Machine code in the disk cache names the boundaries that it calls
and loads them when it is read (`_Needed`). Several processes share one cache, so the name of an entry depends only on
the kernel and the types (`_mangled`), whereas numba numbers both in the order of compilation. An entry exports only its
own name (`_EntryLibrary`).
"""

from __future__ import annotations

import functools
import hashlib
import importlib
import itertools
import sys
import uuid
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from numba.core import itanium_mangler
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.registry import CPUDispatcher

_SMALL = 400  # instructions: a boundary of at most this size is linked into its callers


class _InnerLibrary(JITCodeLibrary):
    """The IR of one inner kernel, for its callers to link."""

    def add_linking_library(self, library: Any) -> None:
        if not isinstance(library, _InnerLibrary):
            library._ensure_finalized()
        self._linking_libraries.append(library)

    def finalize(self) -> None:
        self._finalized = True


class _EntryLibrary(JITCodeLibrary):
    """The machine code of an entry with everything linked in; it exports only its own functions."""

    def finalize(self) -> None:
        functions = self._final_module.functions
        self._own = {function.name for function in functions if not function.is_declaration}
        taken = []
        for library in _reached(self._linking_libraries):
            needed = getattr(library, "needed", None)  # of a boundary
            if needed is None or _is_small(library):
                taken.append(library)
            else:
                self._reload_init.add(needed)
        self._linking_libraries = taken
        super().finalize()

    def _optimize_final_module(self) -> None:
        for function in self._final_module.functions:
            if not function.is_declaration and function.name not in self._own:
                function.linkage = (
                    "private"  # keeps it out of the symbol table, where the loader would find internal symbols
                )
        super()._optimize_final_module()


def _reached(libraries: Iterable[Any]) -> list[Any]:
    """Return libraries and all callees of the inner ones, each once and before its callees.

    The order matters, because LLVM drops functions without a caller when it links them.
    """
    found: list[Any] = []
    seen: set[Any] = set()

    def visit(library: Any) -> None:
        if library not in seen:
            seen.add(library)
            if isinstance(library, _InnerLibrary):
                for called in library._linking_libraries:
                    visit(called)
            found.append(library)

    for library in libraries:
        visit(library)
    return found[::-1]


def _is_small(library: Any) -> bool:
    functions = library._get_module_for_linking().functions
    instructions = (one for function in functions for block in function.blocks for one in block.instructions)
    return sum(1 for _ in itertools.islice(instructions, _SMALL + 1)) <= _SMALL


class _KernelCompiler(Compiler):  # type: ignore[misc]  # numba is untyped
    """Compile a kernel under names that are the same in every process."""

    library: type[JITCodeLibrary]

    def __init__(self, identity: uuid.UUID, *args: Any) -> None:
        super().__init__(*args)
        self._identity = identity

    def define_pipelines(self) -> Any:
        state = self.state
        state.func_id.unique_id = self._identity.hex  # numba would use the number of functions compiled before
        state.targetctx = state.targetctx.subtarget(mangler=_mangled)
        state.library = self.library(state.targetctx.codegen(), state.func_id.func_qualname)
        return super().define_pipelines()


class _InnerCompiler(_KernelCompiler):
    library = _InnerLibrary

    def define_pipelines(self) -> Any:
        self.state.flags.no_compile = True
        return super().define_pipelines()


class _EntryCompiler(_KernelCompiler):
    library = _EntryLibrary

    def define_pipelines(self) -> Any:
        pipelines = super().define_pipelines()
        self.state.library.enable_object_caching()
        return pipelines


def _mangled(name: str, types: Iterable[Any], *, abi_tags: Iterable[str] = (), uid: Any = None) -> str:
    """Return the symbol of a function: its name and a digest of everything that distinguishes it."""
    words = [name, str(uid), *abi_tags, *map(str, types)]
    digest = hashlib.sha256("\0".join(words).encode()).hexdigest()[:32]
    return str(itanium_mangler.mangle(name, (), abi_tags=(digest,)))


class _Needed(NamedTuple):
    """Load the machine code of a boundary when code that calls it is read from the disk cache."""

    module: str
    name: str
    arguments: tuple[Any, ...]

    def __call__(self) -> None:
        kernel = getattr(importlib.import_module(self.module), self.name)
        boundary(kernel)
        kernel.compile(self.arguments)


class Kernel(CPUDispatcher):  # type: ignore[misc]
    """A compiled function: an inner kernel for other kernels, `entry` for Python and, if it is a boundary, for all."""

    def __init__(self, py_func: Callable[..., Any], identity: uuid.UUID, **options: Any) -> None:
        self._options = options
        options = {**options, "no_cfunc_wrapper": True}
        inner: Any = functools.partial(_InnerCompiler, identity)
        entry: Any = functools.partial(_EntryCompiler, identity)
        super().__init__(py_func, {}, {**options, "no_cpython_wrapper": True}, pipeline_class=inner)
        self.entry = CPUDispatcher(py_func, {}, options, pipeline_class=entry)
        self.is_boundary = False
        self._set_uuid(str(identity))

    @property
    def stats(self) -> Any:
        """The numbers of hits and misses in the disk cache."""
        return self.entry.stats

    def compile(self, sig: Any) -> Any:
        """Compile the kernel for callers that are kernels, with arguments of these types."""
        if not self.is_boundary:
            return super().compile(sig)
        entry_point = self.entry.compile(sig)
        for arguments, compiled in self.entry.overloads.items():
            library = compiled.library
            library.needed = _Needed(self.py_func.__module__, self.py_func.__name__, arguments)
            library._reload_init.update(compiled.reload_init)
        return entry_point

    def add_overload(self, cres: Any) -> None:
        """Register an inner kernel for its callers; Python cannot call it."""
        key = object()
        self.targetctx.insert_user_function(key, cres.fndesc, [cres.library])
        self.overloads[tuple(cres.signature.args)] = cres._replace(entry_point=key)

    def _reduce_states(self) -> dict[str, Any]:
        """Return the state for pickling: everything that the kernel is built from."""
        return {"identity": self._uuid, "py_func": self.py_func, "options": self._options}

    @classmethod
    def _rebuild(cls, identity: str, py_func: Callable[..., Any], options: dict[str, Any]) -> Kernel:
        return cls._memo.get(identity) or cls(py_func, uuid.UUID(identity), **options)

    def _compile_for_args(self, *args: Any, **kws: Any) -> Any:
        """Compile the entry for a call from Python."""
        function = self.entry._compile_for_args(*args, **kws)
        for arguments, compiled in self.entry.overloads.items():
            self._insert([a._code for a in arguments], compiled.entry_point, compiled.objectmode)
        return function


def boundary(kernel: Any) -> None:
    """Make a kernel that a game declares a boundary, if its module has it under its name."""
    if not isinstance(kernel, Kernel) or kernel.is_boundary:
        return
    if getattr(sys.modules[kernel.py_func.__module__], kernel.py_func.__name__, None) is kernel:
        kernel.is_boundary = True
        kernel.overloads = kernel.entry.overloads


def compiled(function: Callable[..., Any], identity: uuid.UUID, inline: bool = False, lean: bool = False) -> Kernel:
    """Make a kernel of a function.

    Args:
        function: The Python function.
        identity: Unique to the kernel, and the same in every process with the same sources.
        inline: Whether callers always inline it.
        lean: Whether it counts no references to arrays. It must not allocate any.
    """
    options = {"nogil": True, "error_model": "numpy", "forceinline": inline, "boundscheck": None, "_nrt": not lean}
    return Kernel(function, identity, nopython=True, **options)
