"""Letters as outlines, from `letters.json`, which `scripts/make_letters.py` generates from DejaVu Sans."""

from __future__ import annotations

import functools
import json
from importlib import resources

EM = 1000.0  # units of the outlines per font size
_UNKNOWN = "?"  # replaces characters that the file lacks


@functools.cache
def _letters(bold: bool) -> dict[str, tuple[int, str]]:
    """Return the advance width of each character, and its outline from (0, 0) in relative commands."""
    kept = json.loads((resources.files(__package__) / "letters.json").read_text(encoding="utf-8"))
    return {sign: (reach, outline) for sign, (reach, outline) in kept["bold" if bold else "regular"].items()}


@functools.lru_cache(maxsize=4096)
def length(text: str, size: float, bold: bool = False) -> float:
    """Return the length of a string in the units of its size."""
    letters = _letters(bold)
    return sum(letters.get(sign, letters[_UNKNOWN])[0] for sign in text) * size / EM


@functools.lru_cache(maxsize=4096)
def outline(text: str, bold: bool = False) -> str:
    """Return the path of a string on a baseline that starts at (0, 0), `EM` units high."""
    letters, parts, x = _letters(bold), [], 0
    for sign in text:
        reach, drawn = letters.get(sign, letters[_UNKNOWN])
        if drawn:
            parts.append(f"M{x} 0{drawn}")
        x += reach
    return "".join(parts)
