"""The `kernel` decorator: compiler flags, stable identities and the disk cache of every compiled function.

What is compiled to what is the business of `edge_envs.core.linking`. Two facts about numba shape this module:

* Its disk cache looks at a kernel's own file only, so a caller would stay stale after an edit of a callee in another
  file. The cache folder is therefore named after a hash of all sources that a kernel can reach: `core` and the
  folder of its own game. Another game's edits leave it alone.
* A kernel that is a closure variable or an argument of another kernel finds its cached machine code in the next
  process only if the callee's identity is stable, so each kernel gets a uuid derived from its name.

Environment variables: `EDGE_ENVS_CACHE_DIR` moves the cache; `NUMBA_DISABLE_JIT=1` runs every kernel as plain Python.
"""

from __future__ import annotations

import functools
import hashlib
import os
import shutil
import sys
import tempfile
import time
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
import platformdirs

from edge_envs.core.linking import compiled

_CORE = Path(__file__).resolve().parent
_UNUSED_DAYS = 14


def kernel(function: Callable[..., Any]) -> Any:
    """Compile a kernel on first use, cached on disk under the hash of `core` and of the folder of its module."""
    return kernel_of(Path(sys.modules[function.__module__].__file__ or ".").resolve().parent)(function)


def inlined_kernel(function: Callable[..., Any]) -> Any:
    """A `kernel` that is always compiled into its callers.

    Worth it for small kernels that fill an array row in a hot loop: a call would count references to the row.
    """
    return kernel_of(Path(sys.modules[function.__module__].__file__ or ".").resolve().parent, inline=True)(function)


def kernel_of(folder: Path, name: str = "", inline: bool = False) -> Callable[[Callable[..., Any]], Any]:
    """The `kernel` decorator for a loop in `core` that is specialised to the game whose sources lie in `folder`.

    `name` tells apart several that are made from one function.
    """

    def decorate(function: Callable[..., Any]) -> Any:
        config: Any = numba.config
        previous, config.CACHE_DIR = config.CACHE_DIR, _kernel_cache(folder)
        try:
            dispatcher = compiled(function, inline)
        finally:
            config.CACHE_DIR = previous
        return with_identity(dispatcher, f"{folder}:{function.__module__}.{function.__qualname__}{name}")

    return decorate


def with_identity(function: Any, name: str) -> Any:
    """A kernel or intrinsic with an identity that is the same in every process."""
    # A private call; without it kernels still work but compile anew in each process. Absent with the JIT disabled.
    set_uuid = getattr(function, "_set_uuid", None)
    if set_uuid is not None:
        set_uuid(str(uuid.uuid5(uuid.NAMESPACE_URL, name)))
    return function


@functools.cache
def cache_folder() -> Path:
    """The package's folder in the user's cache, or one in the temporary folder where that is not writable."""
    named = os.environ.get("EDGE_ENVS_CACHE_DIR")
    candidates = [Path(named)] if named else [Path(platformdirs.user_cache_dir("edge_envs"))]
    user = os.getuid() if hasattr(os, "getuid") else os.environ.get("USERNAME", "user")
    candidates.append(Path(tempfile.gettempdir()) / f"edge_envs-{user}")
    for folder in candidates:
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            with tempfile.TemporaryFile(dir=folder):
                return folder
        except OSError:
            continue
    return Path(tempfile.mkdtemp(prefix="edge_envs-"))


@functools.cache
def source_hash(folder: Path) -> str:
    """Hash of the sources that kernels in `folder` can reach: those of `core` and its own."""
    digest = hashlib.sha256()
    for source in sorted({*_CORE.glob("*.py"), *folder.glob("*.py")}):
        digest.update(source.name.encode())
        digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


@functools.cache
def _kernel_cache(folder: Path) -> str:
    family = cache_folder() / "kernels" / folder.name
    current = family / source_hash(folder)
    try:
        current.mkdir(parents=True, exist_ok=True)
        os.utime(current)
        _prune(family, keep=current)
    except OSError:
        pass  # a cache that cannot be tidied still serves
    return str(current)


def _prune(family: Path, keep: Path) -> None:
    """Remove the caches of older sources that no process has used for two weeks."""
    oldest = time.time() - _UNUSED_DAYS * 86_400
    for folder in family.iterdir():
        if folder != keep and folder.stat().st_mtime < oldest:
            shutil.rmtree(folder, ignore_errors=True)
