"""Tables of exact solvers, built once and kept in the user's cache.

A table is a set of named arrays in an uncompressed `.npz` file, read without pickle. Its file name contains the hash of
the sources that built it, and its checksums are verified, so it is rebuilt when the sources change or the file is
damaged. A file is written under a temporary name and then moved into place, so readers never see a partial file. If
several processes need the same table, one builds it and the others wait.
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

from edge_envs.core.checks.files import read_arrays
from edge_envs.core.compiler.cache_dirs import cache_folder, filled_folders
from edge_envs.core.compiler.sources import source_hash
from edge_envs.moved import moved_names

Arrays = dict[str, NDArray[Any]]


def load_or_build(
    name: str, folder: Path, shapes: Mapping[str, tuple[int, ...]], build: Callable[[], Arrays]
) -> Arrays:
    """Load a table from the cache, or build and cache it. Older tables of the same name are removed.

    Args:
        name: The name of the table.
        folder: The folder that has the sources of its builder, besides `core`.
        shapes: The shape of each array.
        build: Builds the arrays.
    """
    sources = source_hash(folder)
    if sources is None:
        return build()
    file = f"{name}-{sources}.npz"
    for filled in filled_folders("tables"):
        arrays = _load(filled / file, shapes)
        if arrays is not None:
            return arrays
    kept_in = cache_folder("tables")
    if kept_in is None:
        return build()
    path = kept_in / file
    arrays = _load(path, shapes)
    if arrays is not None:
        return arrays
    with ExitStack() as held:
        with suppress(OSError, NotImplementedError):  # not every file system has locks
            held.enter_context(filelock.FileLock(path.with_suffix(".lock")))
        arrays = _load(path, shapes)  # another process may have built it meanwhile
        if arrays is None:
            arrays = build()
            with suppress(OSError):  # the arrays are valid even if they cannot be cached
                write_arrays(path, arrays)
            _prune(path, name)
    return arrays


def _load(path: Path, shapes: Mapping[str, tuple[int, ...]]) -> Arrays | None:
    """Return the arrays of a file, or None if it is missing, damaged or has other shapes."""
    try:
        table = read_arrays(path)
        arrays = {key: table[key] for key in shapes}
    except (OSError, ValueError, KeyError):
        return None
    return arrays if all(arrays[key].shape == shape for key, shape in shapes.items()) else None


def write_arrays(path: Path, arrays: Arrays) -> None:
    """Write named arrays to a temporary file and move it into place.

    Raises:
        OSError: if that fails.
    """
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.stem, suffix=".tmp")
    try:
        with os.fdopen(handle, "wb") as file:
            np.savez(file, allow_pickle=False, **arrays)
        Path(temporary).chmod(path.parent.stat().st_mode & 0o644)  # as readable as the folder
        os.replace(temporary, path)
    except BaseException:  # includes interruptions
        Path(temporary).unlink(missing_ok=True)
        raise


def _prune(path: Path, name: str) -> None:
    """Remove the files of older sources under the same name."""
    for old in path.parent.glob(f"{name}-*"):
        if old.stem != path.stem and old.suffix in (".npz", ".lock", ".tmp"):
            with suppress(OSError):  # in use elsewhere
                old.unlink()


__getattr__ = moved_names(
    __name__,
    {name: f"edge_envs.core.solver.{name}" for name in ("Contest", "Decide", "Response", "Solution", "Solver")},
)
