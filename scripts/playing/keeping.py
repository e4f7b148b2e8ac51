"""Positions and records in files: written whole or not at all."""

from __future__ import annotations

import contextlib
import json
import os
from pathlib import Path
from typing import Any

from edge_envs import State, record_of

BEGINNING = b'{"game": '
"""Of a file that holds a position."""


def save_position(text: str, state: State) -> str:
    """Keep a position in the file that a person has named; in words what came of it.

    Nothing is overwritten but an earlier position.
    """
    path = Path(os.path.expanduser(text))
    try:
        if path.is_dir():
            return f"{path}: this is a folder; name a file."
        if path.exists() and not _holds_position(path):
            return f"{path}: there is such a file, and it holds no position; choose another name."
        draft = path.with_name(f"{path.name}.part")
        try:
            draft.write_text(json.dumps(state.to_dict()) + "\n", encoding="utf-8")
            draft.replace(path)
        finally:
            draft.unlink(missing_ok=True)
    except (OSError, ValueError) as error:  # a name with a NUL byte, or one that cannot be encoded, is a ValueError
        return f"{text!r}: nothing is kept ({why(error)})."
    return f"{path}: the position is kept. Go on with it by --position {path}"


def _holds_position(path: Path) -> bool:
    """Whether a path is a plain file that begins as positions do."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(len(BEGINNING)) == BEGINNING


def why(error: BaseException) -> str:
    """What an error says, in one line."""
    told = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return " ".join(told.split()) or type(error).__name__


class RecordFile:
    """A file of JSON lines that a record is added to; OSError if it cannot be opened for that."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("a+b", buffering=0)

    def add(self, state: State) -> None:
        """Add the record of a game so far.

        ValueError, with the record itself, if it cannot be written; the file is then as it was.
        """
        line = json.dumps(record_of(state)) + "\n"
        end = self._file.seek(0, os.SEEK_END)
        try:
            self._write((b"" if self._ends_a_line(end) else b"\n") + line.encode())
        except OSError as error:
            with contextlib.suppress(OSError):  # a pipe or a device, which keeps nothing
                self._file.truncate(end)
            raise ValueError(f"{self._file.name}: {why(error)}; the record is {line}") from None

    def _ends_a_line(self, end: int) -> bool:
        if end == 0:
            return True
        self._file.seek(end - 1)
        return self._file.read(1) == b"\n"

    def _write(self, content: bytes) -> None:
        view: Any = memoryview(content)
        while view:
            view = view[self._file.write(view) :]

    def close(self) -> None:
        """Close the file."""
        self._file.close()
