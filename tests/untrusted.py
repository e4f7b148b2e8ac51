"""Hostile files: pipes, devices, link loops, and huge files."""

from __future__ import annotations

import os
from pathlib import Path

HOSTILE = {
    "fifo": "not a regular file",
    "zero": "not a regular file",
    "terminal": "not a regular file",
    "folder": "Is a directory",
    "loop": "Too many levels of symbolic links",
    "dangling": "No such file or directory",
    "sparse": "too large: more than .* bytes",
}
"""The error message by kind of file."""


def make_hostile(kind: str, path: Path) -> None:
    """Create a file of this kind."""
    path.unlink(missing_ok=True)
    if kind == "fifo":
        os.mkfifo(path)
    elif kind == "zero":
        path.symlink_to("/dev/zero")
    elif kind == "terminal":
        path.symlink_to("/dev/ptmx")
    elif kind == "folder":
        path.mkdir()
    elif kind == "loop":
        path.symlink_to(path.name)
    elif kind == "dangling":
        path.symlink_to("missing")
    else:
        with path.open("wb") as file:
            file.truncate(2**40)
