# mypy: allow-untyped-calls
"""The `kernel` decorator: compiler flags, stable identities and the disk cache of every compiled function.

What is compiled to what is the business of `edge_envs.core.linking`, or `edge_envs.core.plain` on other versions of
numba. Two facts about numba shape this module:

* Its disk cache looks at a kernel's own file only, so a caller would stay stale after an edit of a callee in another
  file. The cache folder is therefore named after a hash of all sources that a kernel can reach: `core` and the
  folder of its own game, sub-folders included, and for searches the folder of these. Another game's edits leave it
  alone. A second hash in the name stands for all else that decides about machine code: `compilers.setup`.
* A kernel that is a closure variable or an argument of another kernel finds its cached machine code in the next
  process only if the callee's identity is stable, so each kernel gets a uuid derived from its sources and its name.

When a kernel of a game is not in the cache, a line on stderr says that the game is compiled.

Where the sources are not there as files, as in a zip archive or beside compiled modules alone, nothing is cached.

Environment variables: `EDGE_ENVS_CACHE_DIR` moves the cache; `EDGE_ENVS_QUIET=1` switches the line off;
`EDGE_ENVS_LINKING=0` compiles without the linker; `NUMBA_DISABLE_JIT=1` runs every kernel as plain Python;
`NUMBA_BOUNDSCHECK=1` compiles kernels that check all indices.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import shutil
import sys
import time
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numba
import numpy as np
from numba.core import event

from edge_envs.core import compilers, notices
from edge_envs.core.folders import cache_folder, filled_folders
from edge_envs.core.kernel_cache import KernelCache

Decorator = Callable[[Callable[..., Any]], Any]
"""`kernel`, or what `kernel_of` makes."""

_CORE = Path(__file__).resolve().parent
_UNUSED_DAYS = 14
_SECONDS_PER_BYTE = 0.0002  # to compile a kernel with all that it calls, by its bytecode; rough

_homes: dict[Any, Path] = {}  # every kernel with the folder of its game


def kernel(function: Callable[..., Any]) -> Any:
    """Compile a kernel on first use, cached on disk under the hash of `core` and of the folder of its game."""
    return kernel_of(_home(function.__module__))(function)


def inlined_kernel(function: Callable[..., Any]) -> Any:
    """A `kernel` that is always compiled into its callers.

    Worth it for small kernels that fill an array row in a hot loop: a call would count references to the row.
    """
    return kernel_of(_home(function.__module__), inline=True)(function)


def kernel_of(folder: Path, name: str = "", inline: bool = False, also: Path | None = None) -> Decorator:
    """The `kernel` decorator for a loop that is specialised to the game whose sources lie in `folder`.

    `name` tells apart several that are made from one function. `also` is another folder, besides that of the game and
    `core`, whose kernels the loop reaches.
    """

    def decorate(function: Callable[..., Any]) -> Any:
        if numba.config.DISABLE_JIT:  # type: ignore[attr-defined]  # words wrap around; plain NumPy would warn of it
            return np.errstate(over="ignore")(function)
        identity = _identity(f"{_reached_hash(folder, also)}:{function.__module__}.{function.__qualname__}{name}")
        made: Any = compilers.chosen().compiled(function, identity, inline)
        entry = getattr(made, "entry", made)  # the linker's kernels have one apart
        entry._cache = KernelCache(function, _kernel_folder(folder, also), _filled_kernel_folders(folder, also))
        _homes[entry] = folder
        return made

    return decorate


def with_identity(intrinsic: Any, name: str) -> Any:
    """An intrinsic with an identity that is the same in every process."""
    # A private call; without it kernels still work but compile anew in each process. Absent with the JIT disabled.
    set_uuid = getattr(intrinsic, "_set_uuid", None)
    if set_uuid is not None:
        set_uuid(str(_identity(name)))
    return intrinsic


def _identity(name: str) -> uuid.UUID:
    return uuid.uuid5(uuid.NAMESPACE_URL, name)


def _home(module: str) -> Path:
    """The folder of the game that a module belongs to; of a module outside of games its own folder."""
    names = module.split(".")
    packages = [".".join(names[:end]) for end in range(1, len(names))]  # all are imported before the module is
    game = next((package for package in packages if hasattr(sys.modules.get(package), "GAME")), module)
    return Path(sys.modules[game].__file__ or ".").resolve().parent


def _digest(root: Path) -> bytes | None:
    """The digest of all sources in and below a folder; None if there are none."""
    digest = hashlib.sha256()
    sources = sorted(root.rglob("*.py"))
    for source in sources:
        digest.update(f"{source.relative_to(root)}\0{source.stat().st_size}\0".encode())
        digest.update(source.read_bytes())
    return digest.digest() if sources else None


_CORE_DIGEST = _digest(_CORE)  # now, when this process loads them: they may be edited while it runs


@functools.cache
def source_hash(folder: Path) -> str | None:
    """Hash of the sources that kernels in or below `folder` can reach: those of `core` and its own.

    None if they are not there as files: nothing that depends on them can be cached.
    """
    own = _digest(folder)
    if _CORE_DIGEST is None or own is None:
        return None
    return hashlib.sha256(_CORE_DIGEST + own).hexdigest()[:16]


def _reached_hash(folder: Path, also: Path | None) -> str | None:
    """Hash of the sources that kernels can reach which use those of two folders, or of one if `also` is None."""
    hashes = [source_hash(one) for one in (folder, also) if one is not None]
    if None in hashes or also is None:
        return hashes[0] if also is None else None
    return hashlib.sha256(":".join(map(str, hashes)).encode()).hexdigest()[:16]


def _kernel_names(folder: Path, also: Path | None) -> tuple[str, ...] | None:
    """The folder below a cache for kernels of the game in `folder`, by its sources and those in `also` as they are now.

    None if they are not there as files.
    """
    sources = _reached_hash(folder, also)
    setup = hashlib.sha256("\0".join(compilers.setup()).encode()).hexdigest()[:8]
    return None if sources is None else ("kernels", folder.name, f"{sources}-{setup}")


@functools.cache
def _kernel_folder(folder: Path, also: Path | None = None) -> Path | None:
    """Where kernels of the game in `folder` are kept; None if nowhere."""
    names = _kernel_names(folder, also)
    current = cache_folder(*names) if names else None
    if current is not None:
        with contextlib.suppress(OSError):  # a cache that cannot be tidied still serves
            os.utime(current)
            _prune(current.parent, keep=current)
    return current


@functools.cache
def _filled_kernel_folders(folder: Path, also: Path | None = None) -> tuple[Path, ...]:
    """Where kernels of the game in `folder` are read as well."""
    names = _kernel_names(folder, also)
    return filled_folders(*names) if names else ()


def _prune(family: Path, keep: Path) -> None:
    """Remove the caches of older sources that no process has used for two weeks."""
    oldest = time.time() - _UNUSED_DAYS * 86_400
    for folder in family.iterdir():
        if folder != keep and folder.stat().st_mtime < oldest:
            shutil.rmtree(folder, ignore_errors=True)


class Compilations(NamedTuple):
    """How many kernels this process has compiled, and how many of them could not be kept for the next."""

    kernels: int
    lost: int


def compilations() -> Compilations:
    """What this process has compiled so far, because the cache did not have it."""
    fresh = [kernel for kernel in _homes if kernel.stats.cache_misses]
    return Compilations(len(fresh), sum(kernel._cache.is_lost for kernel in fresh))


class _Watch(event.Listener):  # type: ignore[misc]  # numba is untyped
    """Tells of compilations of games' kernels: of the outermost where several are nested."""

    def __init__(self) -> None:
        self._outermost: Any = None
        self._told = contextlib.ExitStack()

    def on_start(self, event: Any) -> None:
        """Tell that a game is compiled, unless that has just been told."""
        dispatcher = event.data["dispatcher"]
        home = _homes.get(dispatcher, _CORE)
        if self._outermost is None and home != _CORE:
            self._outermost = dispatcher
            self._told.enter_context(notices.compilation(_notice(home)))

    def on_end(self, event: Any) -> None:
        """Stop telling, unless this was an inner kernel."""
        if event.data["dispatcher"] is self._outermost:
            self._outermost = None
            self._told.close()


def _notice(home: Path) -> str:
    """What a user reads when a game is compiled: which, how long all of it takes, where it is kept."""
    kernels = [kernel for kernel, of in _homes.items() if of == home]
    what = f"more of {home.name}"
    if not any(kernel._cache.is_filled for kernel in kernels):
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
