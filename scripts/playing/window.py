"""Fit text and pictures into a window: wrap prose, and split drawings that are too wide into parts."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap

MIN_ROWS = 3
"""Minimum number of consecutive lines, the first one too wide, that count as a drawing or table; fewer are wrapped."""
MAX_MARGIN = 14
"""Maximum width of the row names at the left of a drawing, which each part repeats."""
INDENT = 4
"""Extra indentation of the continuation of a wrapped line."""
MIN_WIDTH = 20
"""Minimum width that is assumed for a window."""


def fold(text: str, width: int) -> str:
    """Wrap long lines at spaces. Continuations of an indented line are indented further."""
    lines = ((line, INDENT if line.startswith(" ") else 0) for line in text.split("\n"))
    return "\n".join(part for line, indent in lines for part in _folded(line, max(width, MIN_WIDTH), indent))


def fit(picture: str, width: int) -> tuple[str, int]:
    """Fit a picture into a window.

    Returns:
        The fitted picture, and the width needed to show its drawings in one piece, or 0 if the window is wide enough.
    """
    width = max(width, MIN_WIDTH)
    lines, shown, needed = picture.split("\n"), list[str](), 0
    start = 0
    while start < len(lines):
        stop = _end_of_drawing(lines, start, width)
        if stop - start >= MIN_ROWS:
            shown += _in_parts(lines[start:stop], width)
            needed = max(needed, *map(len, lines[start:stop]))
        else:
            stop = start + 1
            shown += _folded(lines[start], width)
        start = stop
    return "\n".join(shown), needed


def _folded(line: str, width: int, indent: int = INDENT) -> list[str]:
    if len(line) <= width:
        return [line]
    deeper = " " * (len(line) - len(line.lstrip()) + indent)
    return wrap(line, width, subsequent_indent=deeper, break_on_hyphens=False)


def _end_of_drawing(lines: Sequence[str], start: int, width: int) -> int:
    """Return the end of the drawing or table whose first wide line is at `start`, or `start` if there is none."""
    stop = start
    if len(lines[start]) > width:
        while stop < len(lines) and lines[stop] and not _is_prose(lines[stop]):
            stop += 1
    return stop


def _is_prose(line: str) -> bool:
    """Return whether a line consists mostly of letters, in sentences or comma-separated, so that it may be wrapped."""
    is_running = "," in line or "  " not in line.strip()
    return is_running and 2 * sum(map(str.isalpha, line)) > len(line.strip())


def _in_parts(lines: Sequence[str], width: int) -> list[str]:
    """Split a drawing into parts below each other, each with its row names."""
    whole = max(map(len, lines))
    lines = [line.ljust(whole) for line in lines]
    margin = _margin(lines)
    parts, start = [], margin
    while start < whole:
        stop = _seam(lines, start, start + width - margin)
        parts.append([(line[:margin] + line[start:stop]).rstrip() for line in lines])
        start = stop
    return [line for part in parts for line in part]


def _margin(lines: Sequence[str]) -> int:
    """Return the number of columns with row names: up to the first column that is blank in all rows."""
    blank = [all(line[column] == " " for line in lines) for column in range(MAX_MARGIN)]
    named = next((column for column, empty in enumerate(blank) if not empty), MAX_MARGIN)
    gap = next((column for column in range(named, MAX_MARGIN) if blank[column]), -1)
    while 0 <= gap < MAX_MARGIN and blank[gap]:
        gap += 1
    return max(gap, 0)


def _seam(lines: Sequence[str], start: int, stop: int) -> int:
    """Return the column between `start` and `stop` at which a cut splits the fewest words and shapes."""
    if stop >= len(lines[0]):
        return len(lines[0])
    cuts = range(stop, start + (stop - start) // 2, -1)
    return min(cuts, key=lambda column: sum(_is_cut(line, column) for line in lines))


def _is_cut(line: str, column: int) -> bool:
    """Return whether a cut before a column splits a word or a shape."""
    before, after = line[column - 1], line[column]
    return (_is_of_word(before) and _is_of_word(after)) or (before != " " and before == after)


def _is_of_word(character: str) -> bool:
    return character.isalnum() or character == "_"
