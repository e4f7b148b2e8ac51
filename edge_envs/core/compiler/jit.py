# mypy: allow-untyped-calls
"""The `kernel` decorator: compiler flags, stable identities and the disk cache of every compiled function.

`edge_envs.core.compiler.linking` compiles and links kernels, or `edge_envs.core.compiler.plain` on versions of numba
that the linker was not tested with. Two facts about numba shape this module:

* Its disk cache does not notice edits of a callee in another file. The folder of a kernel in the cache is therefore
  named after a hash of all sources that the kernel can reach (`edge_envs.core.compiler.sources`) and after a hash of
  everything else that determines machine code (`backends.setup`).
* A kernel that is a closure variable or an argument of another kernel finds its cached machine code in the next process
  only if its identity is stable. Each kernel gets a UUID derived from its sources, its name and its closure
  (`edge_envs.core.compiler.identity`).

If a kernel of a game is not in the cache, a line on stderr says that the game is being compiled. If the sources are not
available as files, for example in a zip archive, nothing is cached.

Environment variables:
    EDGE_ENVS_CACHE_DIR: The folder of the cache.
    EDGE_ENVS_QUIET: 1 switches the line on stderr off.
    EDGE_ENVS_LINKING: 0 compiles without the linker.
    NUMBA_DISABLE_JIT: 1 runs every kernel as plain Python.
    NUMBA_BOUNDSCHECK: 1 compiles kernels that check all indices.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numba
import numpy as np
from numba.core import event

from edge_envs.core.compiler import backends, messages
from edge_envs.core.compiler.cache_dirs import cache_folder, filled_folders
from edge_envs.core.compiler.disk_cache import KernelCache
from edge_envs.core.compiler.identity import closure_hash, identity_of
from edge_envs.core.compiler.sources import CORE, home_of, reached_hash, source_hash

Decorator = Callable[[Callable[..., Any]], Any]
"""The type of `kernel`, and of the decorators that `kernel_of` returns."""
Folders = Path | tuple[Path, ...] | None

_UNUSED_DAYS = 14
_SECONDS_PER_BYTE = 0.0002  # a rough estimate: seconds to compile a kernel with its callees, per byte of bytecode

_homes: dict[Any, Path] = {}  # every kernel, with the folder of its game
_of_agents: set[Any] = set()  # those that call kernels of packages of agents


def kernel(function: Callable[..., Any]) -> Any:
    """Compile a kernel on first use, cached on disk under the hash of `core` and of the folder of its game."""
    return kernel_of(home_of(function.__module__))(function)


def inlined_kernel(function: Callable[..., Any]) -> Any:
    """Make a `kernel` that is always inlined into its callers.

    Use it for small kernels that fill an array row in a hot loop: a call would count references to the row.
    """
    return kernel_of(home_of(function.__module__), inline=True)(function)


def lean_kernel(function: Callable[..., Any]) -> Any:
    """Make a `kernel` that does not count references to the arrays it is given, and so must not allocate any.

    Use it for hot loops over arrays in named tuples, where counting can take most of the time.
    """
    return kernel_of(home_of(function.__module__), lean=True)(function)


def lean_inlined_kernel(function: Callable[..., Any]) -> Any:
    """Make a `lean_kernel` that is always inlined into its callers."""
    return kernel_of(home_of(function.__module__), inline=True, lean=True)(function)


def kernel_of(folder: Path, inline: bool = False, also: Folders = None, lean: bool = False) -> Decorator:
    """Return the `kernel` decorator for a loop that is specialised to a game.

    Args:
        folder: The folder of the game's sources.
        inline: Whether callers always inline the loop.
        also: Another folder, besides that of the game and `core`, whose kernels the loop calls, or several of them.
        lean: Whether the loop counts no references to arrays; it must not allocate any.
    """

    def decorate(function: Callable[..., Any]) -> Any:
        if numba.config.DISABLE_JIT:  # type: ignore[attr-defined]  # numba's settings are not declared
            return np.errstate(over="ignore")(function)  # 64-bit words wrap around; plain NumPy would warn
        path = f"{function.__module__}.{function.__qualname__}"
        identity = identity_of(f"{reached_hash(folder, also)}:{path}:{closure_hash(function)}")
        made: Any = backends.chosen().compiled(function, identity, inline, lean)
        entry = getattr(made, "entry", made)  # the linker's kernels have a separate entry
        entry._cache = KernelCache(function, _kernel_folder(folder, also), _filled_kernel_folders(folder, also))
        _homes[entry] = folder
        if also is not None:
            _of_agents.add(entry)
        return made

    return decorate


def with_identity(intrinsic: Any, name: str) -> Any:
    """Give an intrinsic an identity that is the same in every process."""
    # A private call; without it kernels still work but compile anew in each process. Absent with the JIT disabled.
    set_uuid = getattr(intrinsic, "_set_uuid", None)
    if set_uuid is not None:
        set_uuid(str(identity_of(name)))
    return intrinsic


def _kernel_names(folder: Path, also: Folders) -> tuple[str, ...] | None:
    """Return the cache folder of a game's kernels, as names below the cache, for the sources as they are now.

    None if the sources are not available as files.
    """
    sources = reached_hash(folder, also)
    setup = hashlib.sha256("\0".join(backends.setup()).encode()).hexdigest()[:8]
    return None if sources is None else ("kernels", folder.name, f"{sources}-{setup}")


@functools.cache
def _kernel_folder(folder: Path, also: Folders = None) -> Path | None:
    """Return the folder that kernels of the game in `folder` are written to; None if there is none."""
    names = _kernel_names(folder, also)
    current = cache_folder(*names) if names else None
    if current is not None:
        with contextlib.suppress(OSError):  # a cache that cannot be pruned still works
            os.utime(current)
            _prune(current.parent, keep=current)
    return current


@functools.cache
def _filled_kernel_folders(folder: Path, also: Folders = None) -> tuple[Path, ...]:
    """Return the read-only folders that kernels of the game in `folder` are also read from."""
    names = _kernel_names(folder, also)
    return filled_folders(*names) if names else ()


def _prune(family: Path, keep: Path) -> None:
    """Remove the caches of older sources that no process has used for two weeks."""
    oldest = time.time() - _UNUSED_DAYS * 86_400
    for folder in family.iterdir():
        if folder != keep and folder.stat().st_mtime < oldest:
            shutil.rmtree(folder, ignore_errors=True)


class Compilations(NamedTuple):
    """The number of kernels that this process has compiled, and how many of them could not be cached."""

    kernels: int
    lost: int


def compilations() -> Compilations:
    """Return what this process has compiled so far because the cache did not have it."""
    fresh = [kernel for kernel in _homes if kernel.stats.cache_misses]
    return Compilations(len(fresh), sum(kernel._cache.is_lost for kernel in fresh))


class _Watch(event.Listener):  # type: ignore[misc]  # numba is untyped
    """Announce compilations of games' kernels: the outermost one where several are nested."""

    def __init__(self) -> None:
        self._outermost: Any = None
        self._shown = contextlib.ExitStack()

    def on_start(self, event: Any) -> None:
        """Announce that a game is being compiled, unless that is being shown already."""
        dispatcher = event.data["dispatcher"]
        home = _homes.get(dispatcher, CORE)
        if self._outermost is None and home != CORE:
            self._outermost = dispatcher
            is_of_agent = dispatcher in _of_agents
            topic = f"compilation of {home.name} {is_of_agent}"
            self._shown.enter_context(messages.compilation(_message(home, is_of_agent), topic))

    def on_end(self, event: Any) -> None:
        """End the announcement, unless this was an inner kernel; after a failure let other processes try."""
        cache = getattr(event.data["dispatcher"], "_cache", None)
        failed = getattr(event, "_exc_details", None) is not None  # numba's `is_failed` returns the opposite
        if failed and isinstance(cache, KernelCache):
            cache.give_up()
        if event.data["dispatcher"] is self._outermost:
            self._outermost = None
            self._shown.close()


def _message(home: Path, is_of_agent: bool) -> str:
    """Return what a user reads while a game or an agent is compiled: which one, how long, and where it is cached."""
    kernels = [kernel for kernel, of in _homes.items() if of == home]
    what = f"an agent for {home.name}, up to about a minute" if is_of_agent else f"more of {home.name}"
    if not is_of_agent and not any(kernel._cache.is_filled for kernel in kernels):
        seconds = _SECONDS_PER_BYTE * sum(len(kernel.py_func.__code__.co_code) for kernel in kernels)
        what = f"{home.name} for the first time, up to about {max(1, round(seconds))} s"
    kept = _kernel_folder(home)
    if kept:
        return f"compiling {what}; kept in {kept.parents[2]}"
    without = "no cache folder of your own can be written"
    if source_hash(home) is None:
        without = "the cache needs the package's .py files in a folder"
    return f"compiling {what}; not kept: {without}"


event.register("numba:compile", _Watch())
