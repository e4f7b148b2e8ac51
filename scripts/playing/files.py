"""Save positions and records to files, completely or not at all."""

from __future__ import annotations

import contextlib
import json
import os
from pathlib import Path
from typing import Any

from agents.common.files import write_whole
from edge_envs import State, record_of

PREFIX = b'{"game": '
"""First bytes of a position file."""


def save_position(text: str, state: State) -> str:
    """Save a position to the file that a human player has named and return a message with the outcome.

    Only files that hold a position are overwritten.
    """
    path = Path(os.path.expanduser(text))
    try:
        if path.is_dir():
            return f"{path} is a folder: choose a file name."
        if path.exists() and not _holds_position(path):
            return f"{path} exists and is not a position file: choose another name."
        write_whole(path, json.dumps(state.to_dict()) + "\n")
    except (OSError, ValueError) as error:  # a name with a NUL byte, or one that cannot be encoded, is a ValueError
        return f"{text!r}: the position was not saved ({why(error)})."
    return f"Saved the position to {path}. Continue from it with --position {path}"


def _holds_position(path: Path) -> bool:
    """Return whether a path is a plain file that starts like a position file."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(len(PREFIX)) == PREFIX


def why(error: BaseException) -> str:
    """Return the message of an error in one line."""
    message = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return " ".join(message.split()) or type(error).__name__


class RecordFile:
    """Append records to a file of JSON lines.

    Raises:
        OSError: if the file cannot be opened.
        ValueError: if it has other content.
    """

    def __init__(self, path: Path) -> None:
        self._file = path.open("a+b", buffering=0)
        if path.is_file() and not self._holds_json_lines():
            self._file.close()
            raise ValueError(f"{path}: this file holds something else than records of games; name another file")

    def _holds_json_lines(self) -> bool:
        """Return whether the file is empty, or its first line starts with an object of JSON, complete or not."""
        self._file.seek(0)
        first = self._file.read(len(PREFIX))
        return not first or (first.startswith(b"{") and not first[1:2].isspace())

    def add(self, state: State) -> None:
        """Append the record of a game so far.

        Raises:
            ValueError: if the record cannot be written. The message contains the record; the file is unchanged.
        """
        line = json.dumps(record_of(state)) + "\n"
        end = self._file.seek(0, os.SEEK_END)
        try:
            self._write((b"" if self._ends_a_line(end) else b"\n") + line.encode())
        except OSError as error:
            with contextlib.suppress(OSError):  # pipes and devices cannot be truncated
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
