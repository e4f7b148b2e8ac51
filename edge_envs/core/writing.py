"""Write files atomically: readers find the old or the new content, even after a kill."""

from __future__ import annotations

import contextlib
import os
import stat
import threading
from collections.abc import Iterator
from pathlib import Path

LONGEST_NAME = 255
"""The longest name of a file in bytes, on all common file systems."""


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Yield the path of a temporary file, which replaces `path` at the end of the context; on failure it is removed.

    The new file has the permissions of the old one. A device or a pipe, such as /dev/stdout, is written directly.
    OSError names the file.
    """
    with naming(path):
        target = Path(os.path.realpath(path))  # keep a symbolic link
        if target.exists() and not target.is_file():
            yield target
            return
        partial = target.with_name(f"partial-{threading.get_native_id()}-{target.name}")
        if len(os.fsencode(partial.name)) > LONGEST_NAME:
            partial = target.with_name(f"partial-{threading.get_native_id()}{target.suffix}")
        try:
            yield partial
            with contextlib.suppress(OSError):  # no old file, or a file system without permissions
                partial.chmod(stat.S_IMODE(target.stat().st_mode))
            os.replace(partial, target)
        except BaseException:
            with contextlib.suppress(OSError):
                partial.unlink()
            raise


@contextlib.contextmanager
def naming(path: Path) -> Iterator[None]:
    """Make errors of the operating system name this file: on a full disk they name no file, or a temporary one."""
    try:
        yield
    except OSError as error:
        if error.errno is None:  # not an error of the operating system
            raise
        raise OSError(error.errno, os.strerror(error.errno), str(path)) from error
