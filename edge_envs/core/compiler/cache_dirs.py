"""Find the folders of the cache: a writable one for new entries, and read-only ones.

`EDGE_ENVS_CACHE_DIR` sets the folder. If it cannot be written, new entries go to the user's cache folder, and if that
cannot be written either, to the temporary folder. A cache earlier in this order is still read, for example one that
root has filled while building a container image.

The cache holds machine code that will be executed, so entries are read only if just root and the user can write them.
"""

from __future__ import annotations

import contextlib
import errno
import functools
import os
import stat
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import platformdirs

OTHERS_WRITE = 0o022
"""The permission bits that let the group and all other users write a file."""


@functools.cache
def cache_folder(*names: str) -> Path | None:
    """Return the folder `names` below the writable cache, and create it if it is missing.

    Each folder on the path, the cache itself included, belongs to the user, and other users cannot write to those below
    it.

    Returns:
        The folder, or None if no such folder can be written.
    """
    for place in _places():
        with contextlib.suppress(OSError, RuntimeError):
            return _own_folder(place(), names)
    return None


@functools.cache
def filled_folders(*names: str) -> tuple[Path, ...]:
    """Return the existing folders `names` in the places before that of `cache_folder`, for reading only.

    Every directory on their paths, with symbolic links resolved, belongs to root or the user. Other users cannot write
    to it, or cannot replace its entries because it is sticky, like `/tmp`.
    """
    own, found = cache_folder(*names), []
    for place in _places():
        with contextlib.suppress(OSError, RuntimeError):
            folder = place().joinpath(*names)
            if folder == own:
                break
            folder = folder.resolve(strict=True)
            if folder.is_dir() and _is_trusted(folder) and os.access(folder, os.R_OK | os.X_OK):
                found.append(folder)
    return tuple(found)


def is_safe(status: os.stat_result) -> bool:
    """Return whether a file or folder belongs to root or the user, and other users cannot write it."""
    return _is_of_root_or_user(status) and not status.st_mode & OTHERS_WRITE


def _places() -> Iterator[Callable[[], Path]]:
    """Yield a function for each possible place of the cache, in the order in which they are tried."""
    if os.environ.get("EDGE_ENVS_CACHE_DIR", "").strip():
        yield _named_place
    yield _user_place
    yield _temporary_place


@functools.cache  # a relative path keeps its meaning when the process changes its working directory
def _named_place() -> Path:
    return Path(os.environ["EDGE_ENVS_CACHE_DIR"]).expanduser().absolute()


def _user_place() -> Path:
    place = Path(platformdirs.user_cache_dir("edge_envs"))
    if place.parts[:1] == ("~",):
        raise FileNotFoundError(errno.ENOENT, "the user has no home", str(place))
    return place.absolute()


def _temporary_place() -> Path:
    user = os.getuid() if hasattr(os, "getuid") else os.environ.get("USERNAME", "user")
    return Path(tempfile.gettempdir()) / f"edge_envs-{user}"


def _own_folder(place: Path, names: tuple[str, ...]) -> Path:
    """Create the folder `names` below `place`.

    Raises:
        OSError: if it cannot be written, or a folder on the path belongs to another user.
    """
    place.mkdir(parents=True, exist_ok=True, mode=0o755)
    for folder in _from(place, names):
        folder.mkdir(exist_ok=True, mode=0o755)
        status = folder.stat()
        if hasattr(os, "getuid") and status.st_uid != os.getuid():
            raise PermissionError(errno.EPERM, "belongs to another user", str(folder))
        if folder != place and status.st_mode & OTHERS_WRITE:
            folder.chmod(stat.S_IMODE(status.st_mode) & ~OTHERS_WRITE)
    with tempfile.TemporaryFile(dir=folder):
        return folder


def _from(place: Path, names: tuple[str, ...]) -> Iterator[Path]:
    yield place
    for name in names:
        place = place / name
        yield place


def _is_trusted(folder: Path) -> bool:
    """Return whether only root and the user can change the entries of a folder without links on its path."""
    if not is_safe(folder.stat()):
        return False
    above = [parent.stat() for parent in folder.parents]
    return all(is_safe(status) or (_is_of_root_or_user(status) and status.st_mode & stat.S_ISVTX) for status in above)


def _is_of_root_or_user(status: os.stat_result) -> bool:
    return hasattr(os, "getuid") and status.st_uid in (0, os.getuid())  # other systems do not report owners
