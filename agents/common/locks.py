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
    lock = FileLock(folder / "lock", timeout=0)
    try:
        lock.acquire()
    except Timeout:
        raise ValueError(f"{folder}: another process is at work in this {what}") from None
    try:
        yield
    finally:
        lock.release()
