"""Read untrusted files, and write files atomically."""

from __future__ import annotations

import codecs
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from edge_envs.core.checks.files import MOST_BYTES, read_bytes
from edge_envs.core.writing import naming, replacing

LARGEST = {"YAML": 2**20, "JSON": MOST_BYTES, "JSON lines": 2**30, "Markdown": MOST_BYTES}
"""Size limits of files in bytes, by format. PyYAML can take more than ten seconds for a megabyte."""

MARKS = {
    codecs.BOM_UTF8: "utf-8", codecs.BOM_UTF32_LE: "utf-32-le", codecs.BOM_UTF32_BE: "utf-32-be",
    codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be",
}  # fmt: skip
"""Encodings by byte order mark. The mark of UTF-16 is a prefix of the mark of UTF-32, so it comes later."""


def decode(data: bytes, where: str) -> str:
    """Return the text of UTF-8, or of the encoding that a byte order mark names. ValueError begins with `where`."""
    mark = next((mark for mark in MARKS if data.startswith(mark)), b"")
    encoding = MARKS.get(mark, "utf-8")
    try:
        return data[len(mark) :].decode(encoding)
    except UnicodeDecodeError as error:
        at = error.start + len(mark)
        found = f"byte {at}, {data[at]:#04x}, is not {encoding.upper()}"
        raise ValueError(f"{where}: {found}; save the file as UTF-8") from None


def read_text(path: str | Path, kind: str) -> str:
    """Read a text file of a format in `LARGEST`; ValueError names the file and the problem."""
    try:
        data = read_bytes(path, LARGEST[kind])
    except FileNotFoundError:
        from agents.players.policy_places import similar_path

        raise ValueError(f"{path}: no such file{similar_path(Path(path))}") from None
    except OSError as error:
        raise ValueError(f"{path}: {error.strerror}") from None
    return decode(data, f"{path}: not {kind}").replace("\r\n", "\n").replace("\r", "\n")


def read_json(path: str | Path) -> Any:
    """Read a JSON file; ValueError names the file and the problem."""
    return parse_json(read_text(path, "JSON"), str(path))


def parse_json(text: str, where: str) -> Any:
    """Parse a JSON string; ValueError begins with `where` and names the problem."""
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError(f"{where}: not JSON that can be read: nested too deeply") from None
    except ValueError as error:  # not JSON, or a number with too many digits
        raise ValueError(f"{where}: not JSON: {error}") from None


def json_lines(text: str) -> list[str]:
    """Split JSON lines at "\\n" only: strings in JSON may contain other line separators."""
    lines = text.split("\n")
    return lines if lines[-1] else lines[:-1]


def whole_lines(path: Path) -> list[str]:
    """Read the lines of a growing file, without an incomplete last line; an empty list if the file does not exist."""
    try:
        data = read_bytes(path, LARGEST["JSON lines"]).removeprefix(codecs.BOM_UTF8)
    except FileNotFoundError:
        return []
    return json_lines(decode(data[: data.rfind(b"\n") + 1], f"{path}: not JSON lines"))


def write_whole(path: Path, content: str | bytes | memoryview) -> None:
    """Replace a file atomically: readers find the old or the new content, even after a kill.

    A lone surrogate, as in file names that are not UTF-8, is escaped as in JSON: `\\udce9`. OSError names the file.
    """
    with replacing(path) as partial:
        partial.write_bytes(encode(content) if isinstance(content, str) else content)


def append_lines(path: Path, lines: Sequence[str]) -> None:
    """Append lines to a file. OSError names it; after a full disk, the last line may be incomplete."""
    with naming(path), path.open("ab") as file:
        file.write(encode("".join(f"{line}\n" for line in lines)))


def encode(text: str) -> bytes:
    """Return a string as UTF-8, with lone surrogates escaped as in JSON."""
    return text.encode(errors="backslashreplace")
