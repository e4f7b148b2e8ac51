"""Lock folders, so that only one process works in them."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from pathlib import Path

from filelock import FileLock, Timeout


@contextlib.contextmanager
def locked(folder: Path, what: str) -> Iterator[None]:
    """Make and lock a folder; ValueError if another process works in it. `what` names the kind of folder.

    The lock is released when the process dies.
    """
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "lock"
    if path.exists() and not _is_lock(path):
        raise ValueError(f"{path}: this file is not a lock; name another folder, or rename it")
    lock = FileLock(path, timeout=0)
    try:
        lock.acquire()
    except Timeout:
        raise ValueError(f"{folder}: another process is at work in this {what}") from None
    try:
        yield
    finally:
        lock.release()


def _is_lock(path: Path) -> bool:
    """Return whether a file is empty, or begins with the number of a process.

    On file systems without locks, such as some shared drives, filelock writes this number.
    """
    if not path.is_file():
        return False
    try:
        with path.open("rb") as file:
            return re.match(rb"(\d+\s|$)", file.read(32)) is not None
    except PermissionError:  # Windows: another process holds it
        return True
