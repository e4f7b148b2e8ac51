"""Standard output and standard error as programs find them: of any encoding, closed, or on a full disk."""

from __future__ import annotations

import errno
import os
import sys

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)


def make_writable() -> None:
    """Let any text be written: characters that an encoding lacks are replaced, and a closed stream takes everything.

    A closed stream leaves its number to the next file that is opened, so the null device takes it.
    """
    for name, number in (("stdout", 1), ("stderr", 2)):
        stream = getattr(sys, name)
        if stream is None:
            if not _is_open(number):
                _null_at(number)
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115  # open until the end
        elif name == "stdout" and hasattr(stream, "reconfigure"):  # what a notebook has there takes any text
            stream.reconfigure(errors="replace")


def flush() -> None:
    """Write what is left for standard output. OSError names it; what is left then is dropped."""
    try:
        sys.stdout.flush()
    except OSError as error:
        drop()
        if not isinstance(error, BrokenPipeError):
            error.filename = "standard output"
        raise


def named(error: OSError) -> OSError:
    """Return an error that names standard output if that is where something could not be written.

    Python does not tell, so a line break is written once more.
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
    """Send what is left for standard output nowhere: nobody reads it, and Python tries to write it at its end."""
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
