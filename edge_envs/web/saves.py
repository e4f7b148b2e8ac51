"""Files of matches in the user's data folder, so that matches survive a restart of the server.

A file has everything needed to continue a match, including seeds and hidden information, so only the user can read it.
It has digests of the tokens, not the tokens.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import tempfile
from pathlib import Path
from typing import Any, NoReturn

import platformdirs

from edge_envs.core.checks.files import read_bytes

MOST_FILES = 200
_MOST_BYTES = 16 * 2**20
_NAME = re.compile(r"[A-Za-z0-9_-]{8,64}", re.ASCII)
_PORT = "port"


def data_folder() -> Path:
    """Return the user's data folder: `EDGE_ENVS_DATA_DIR`, or else the one of the system. It may not exist.

    Raises:
        ValueError: if the variable names a user who does not exist.
    """
    given = os.environ.get("EDGE_ENVS_DATA_DIR", "").strip()
    if given and os.path.expanduser(given).startswith("~"):
        raise ValueError(f"EDGE_ENVS_DATA_DIR={given}: unknown user")
    return Path(given).expanduser() if given else Path(platformdirs.user_data_dir("edge_envs"))


class Saves:
    """The files of matches in a folder. Failed writes are ignored: the match continues without its file."""

    def __init__(self, folder: Path | None) -> None:
        """Use a folder, or with None save nothing."""
        self._folder = None if folder is None else folder / "matches"

    @property
    def is_used(self) -> bool:
        """Whether anything is saved."""
        return self._folder is not None

    def write(self, number: str, document: dict[str, Any]) -> None:
        """Write the file of a match, and remove the oldest files if there are too many."""
        if self._folder is None:
            return
        with contextlib.suppress(OSError):
            _write(self._folder / f"{number}.json", json.dumps(document))
            files = sorted(self._folder.glob("*.json"), key=lambda file: file.stat().st_mtime)
            for file in files[:-MOST_FILES]:
                file.unlink(missing_ok=True)

    def read(self, number: str) -> dict[str, Any] | None:
        """Return the document of a match, or None if there is none."""
        if self._folder is None or not _NAME.fullmatch(number):
            return None
        try:
            document = json.loads(read_bytes(self._folder / f"{number}.json", _MOST_BYTES), parse_constant=_no_number)
        except (OSError, ValueError, RecursionError):
            return None
        return document if isinstance(document, dict) else None

    def remove(self, number: str) -> None:
        """Remove the file of a match."""
        if self._folder is not None:
            with contextlib.suppress(OSError):
                (self._folder / f"{number}.json").unlink(missing_ok=True)


def last_port(folder: Path) -> int:
    """Return the port of the last server, or 0. Browsers keep matches for each port."""
    with contextlib.suppress(OSError, ValueError):
        port = int(read_bytes(folder / _PORT, 16))
        return port if 1024 <= port < 65536 else 0
    return 0


def keep_port(folder: Path, port: int) -> None:
    """Remember the port of this server."""
    with contextlib.suppress(OSError):
        _write(folder / _PORT, str(port))


def _write(path: Path, text: str) -> None:
    """Replace a file in one step. Only the user can read it."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".new-")
    try:
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(text)
        Path(name).replace(path)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise


def _no_number(text: str) -> NoReturn:
    """Reject NaN and infinities, which Python reads from JSON but browsers do not."""
    raise ValueError(f"{text} is not JSON")
