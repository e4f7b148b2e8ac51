"""Robust standard output and standard error: any encoding, closed streams, full disks."""

from __future__ import annotations

import errno
import os
import sys

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)


def make_writable() -> None:
    """Make stdout and stderr accept any text.

    Characters that the encoding lacks are replaced, and output to a closed stream is discarded. The file descriptor of
    a closed stream is redirected to the null device, because otherwise the next opened file would get it.
    """
    for name, number in (("stdout", 1), ("stderr", 2)):
        stream = getattr(sys, name)
        if stream is None:
            if not _is_open(number):
                _null_at(number)
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115  # must stay open until exit
        elif name == "stdout" and hasattr(stream, "reconfigure"):  # streams of notebooks accept any text
            stream.reconfigure(errors="replace")


def flush() -> None:
    """Flush standard output.

    Raises:
        OSError: if it cannot be written; the error names standard output, and the remaining output is discarded.
    """
    try:
        sys.stdout.flush()
    except OSError as error:
        drop()
        if not isinstance(error, BrokenPipeError):
            error.filename = "standard output"
        raise


def named(error: OSError) -> OSError:
    """Return the error with standard output as its file name if standard output could not be written.

    Python does not record the stream, so this function tries to write a line break.
    """
    if error.filename is None and error.errno in FULL:
        try:
            print(flush=True)
            flush()
        except OSError as unwritten:
            drop()
            unwritten.filename = "standard output"
            return unwritten
    return error


def drop() -> None:
    """Discard the remaining standard output, which Python would otherwise try to write at exit."""
    _null_at(1)


def _is_open(number: int) -> bool:
    try:
        os.fstat(number)
    except OSError:
        return False
    return True


def _null_at(number: int) -> None:
    null = os.open(os.devnull, os.O_WRONLY)
    if null != number:
        os.dup2(null, number)
        os.close(null)
