"""What exact solvers share: tables that are built once and kept in the user's cache.

A table is a set of named arrays in an uncompressed `.npz` file, read without pickle. Its name carries the hash of the
sources that made it, so it is built anew when they change; the file's checksums are read with it, so it is built anew
when it is damaged. It is written under another name and then moved into place, so no reader meets half a file. Of
several processes that need the same table one builds it and the others wait.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import filelock
import numpy as np
from numpy.typing import NDArray

from edge_envs.core.folders import cache_folder
from edge_envs.core.jit import source_hash

Arrays = dict[str, NDArray[Any]]


def load_or_build(
    name: str, folder: Path, shapes: Mapping[str, tuple[int, ...]], build: Callable[[], Arrays]
) -> Arrays:
    """The arrays of table `name`, whose builder's sources lie in `core` and `folder`; all have the given shapes.

    They come from the cache, or else from `build` and are then kept for next time. Older tables of the name go.
    """
    kept_in = cache_folder("tables")
    if kept_in is None:
        return build()
    path = kept_in / f"{name}-{source_hash(folder)}.npz"
    arrays = _load(path, shapes)
    if arrays is not None:
        return arrays
    with ExitStack() as held:
        with suppress(OSError, NotImplementedError):  # not every file system has locks
            held.enter_context(filelock.FileLock(path.with_suffix(".lock")))
        arrays = _load(path, shapes)  # another process may have built it meanwhile
        if arrays is None:
            arrays = build()
            _save(path, arrays)
            _prune(path, name)
    return arrays


def _load(path: Path, shapes: Mapping[str, tuple[int, ...]]) -> Arrays | None:
    """The arrays of a file, or None if it is missing, damaged or not what is wanted."""
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as table:
            arrays = {key: table[key] for key in shapes}
    except Exception:  # the readers of both formats, zip and npy, raise half a dozen types for a damaged file
        return None
    return arrays if all(arrays[key].shape == shape for key, shape in shapes.items()) else None


def _save(path: Path, arrays: Arrays) -> None:
    """Write the file and then move it into place. What cannot be kept is not: the arrays are there all the same."""
    try:
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.stem, suffix=".tmp")
    except OSError:
        return
    try:
        with os.fdopen(handle, "wb") as file:
            np.savez(file, allow_pickle=False, **arrays)
        os.replace(temporary, path)
    except OSError:
        Path(temporary).unlink(missing_ok=True)


def _prune(path: Path, name: str) -> None:
    """Remove what older sources left under the same name."""
    for old in path.parent.glob(f"{name}-*"):
        if old.stem != path.stem and old.suffix in (".npz", ".lock", ".tmp"):
            with suppress(OSError):  # in use elsewhere
                old.unlink()
