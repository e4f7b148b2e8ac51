"""Files that programs read and do not trust, and files that are written whole or not at all."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any


def read_text(path: str | Path, kind: str) -> str:
    """The text of a file of some kind, such as "JSON"; ValueError names the file and says what is wrong with it."""
    try:
        return Path(path).read_text(encoding="utf-8")
    except FileNotFoundError:
        from agents.policy_places import similar_path

        raise ValueError(f"{path}: there is no such file{similar_path(Path(path))}") from None
    except OSError as error:
        raise ValueError(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}: not {kind}: {error}") from None


def read_json(path: str | Path) -> Any:
    """What a JSON file holds; ValueError names the file and says what is wrong with it."""
    return parse_json(read_text(path, "JSON"), str(path))


def parse_json(text: str, where: str) -> Any:
    """The value of a JSON text; ValueError begins with `where` and says what is wrong."""
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError(f"{where}: not JSON that can be read: nested too deeply") from None
    except ValueError as error:  # not JSON, or a number of too many digits
        raise ValueError(f"{where}: not JSON: {error}") from None


def json_lines(text: str) -> list[str]:
    """The lines of JSON lines. They end with "\\n" alone: texts in JSON may hold what else ends lines elsewhere."""
    lines = text.split("\n")
    return lines if lines[-1] else lines[:-1]


def whole_lines(path: Path) -> list[str]:
    """The lines of a file that grows, without a last one that a kill has cut off; none if there is no such file."""
    data = path.read_bytes() if path.exists() else b""
    try:
        return json_lines(data[: data.rfind(b"\n") + 1].decode())
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}: not JSON lines: {error}") from None


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file in place of an older one; whoever reads meanwhile, or after a kill, finds one or the other."""
    partial = path.with_name(f"partial-{path.name}")
    partial.write_bytes(content.encode() if isinstance(content, str) else content)
    os.replace(partial, path)
