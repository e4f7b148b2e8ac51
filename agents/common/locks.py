"""Lock folders, so that only one process works in them."""

from __future__ import annotations

import contextlib
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
    if path.exists() and not (path.is_file() and path.stat().st_size == 0):
        raise ValueError(f"{path}: not an empty file, so not a lock; name another folder, or rename it")
    lock = FileLock(path, timeout=0)
    try:
        lock.acquire()
    except Timeout:
        raise ValueError(f"{folder}: another process is at work in this {what}") from None
    try:
        yield
    finally:
        lock.release()
