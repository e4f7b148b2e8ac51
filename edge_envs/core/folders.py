"""Where the package keeps what it makes for next time: folders of the user's own.

`EDGE_ENVS_CACHE_DIR` moves them. Where that folder, or the one in the user's cache, cannot serve, one in the temporary
folder does.
"""

from __future__ import annotations

import errno
import functools
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import platformdirs


@functools.cache
def cache_folder(*names: str) -> Path | None:
    """The folder `names` below the package's cache, made if need be; None if there is no place for one.

    What lies in the cache is run. So each folder on the way, the cache itself included, belongs to the user, and
    nobody else can write in those below it.
    """
    for place in (_named_place, _temporary_place):
        try:
            return _own_folder(place(), names)
        except (OSError, RuntimeError):  # platformdirs: a user without a home
            continue
    return None


def _named_place() -> Path:
    """The folder that the user has named, or else the package's in the user's cache."""
    place = Path(os.environ.get("EDGE_ENVS_CACHE_DIR") or platformdirs.user_cache_dir("edge_envs"))
    if place.parts[0] == "~":
        raise FileNotFoundError(errno.ENOENT, "the user has no home", str(place))
    return place.absolute()


def _temporary_place() -> Path:
    user = os.getuid() if hasattr(os, "getuid") else os.environ.get("USERNAME", "user")
    return Path(tempfile.gettempdir()) / f"edge_envs-{user}"


def _own_folder(place: Path, names: tuple[str, ...]) -> Path:
    """Make the folder `names` below `place`; OSError if it cannot be written or one on the way is another user's."""
    place.mkdir(parents=True, exist_ok=True, mode=0o700)
    for folder in _from(place, names):
        folder.mkdir(exist_ok=True, mode=0o700)
        status = folder.stat()
        if hasattr(os, "getuid") and status.st_uid != os.getuid():
            raise PermissionError(errno.EPERM, "belongs to another user", str(folder))
        if folder != place and status.st_mode & 0o022:
            folder.chmod(0o700)
    with tempfile.TemporaryFile(dir=folder):
        return folder


def _from(place: Path, names: tuple[str, ...]) -> Iterator[Path]:
    yield place
    for name in names:
        place = place / name
        yield place
