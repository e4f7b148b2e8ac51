"""Folders in which one process works at a time."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

from filelock import FileLock, Timeout


@contextlib.contextmanager
def locked(folder: Path, what: str) -> Iterator[None]:
    """Make a folder and keep other processes out; ValueError if one is at work in this `what`.

    A process that dies frees its lock.
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
