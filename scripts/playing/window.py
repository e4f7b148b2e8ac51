"""Texts and pictures for a window: prose is folded, and a drawing that is too wide is shown in parts."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap

FEWEST_ROWS = 3
"""So many lines below each other, the first one too wide, are a drawing or a table; fewer are folded like prose."""
WIDEST_MARGIN = 14
"""The names of rows at the left of a drawing, which each part repeats, are at most so wide."""
INDENT = 4
"""The rest of a folded line is set in by so many columns."""
NARROWEST = 20
"""A narrower window is written to as if it had so many columns."""


def fold(text: str, width: int) -> str:
    """A text with its long lines folded at blanks; the rest of a line that is set in is set in deeper."""
    lines = ((line, INDENT if line.startswith(" ") else 0) for line in text.split("\n"))
    return "\n".join(part for line, indent in lines for part in _folded(line, max(width, NARROWEST), indent))


def fit(picture: str, width: int) -> tuple[str, int]:
    """A picture for a window, and how wide a window must be to show its drawings whole; 0 if this one is enough."""
    width = max(width, NARROWEST)
    lines, shown, needed = picture.split("\n"), list[str](), 0
    start = 0
    while start < len(lines):
        stop = _end_of_drawing(lines, start, width)
        if stop - start >= FEWEST_ROWS:
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
    """Where a drawing or a table ends whose first wide line is at `start`; `start` itself if there is none."""
    stop = start
    if len(lines[start]) > width:
        while stop < len(lines) and lines[stop] and not _is_prose(lines[stop]):
            stop += 1
    return stop


def _is_prose(line: str) -> bool:
    """Whether a line is mostly letters, in sentences or in a list with commas, so that it may be folded."""
    is_running = "," in line or "  " not in line.strip()
    return is_running and 2 * sum(map(str.isalpha, line)) > len(line.strip())


def _in_parts(lines: Sequence[str], width: int) -> list[str]:
    """A drawing cut into parts below each other, each with the names of its rows."""
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
    """How many columns at the left hold the names of the rows: up to the first column that is blank in all rows."""
    blank = [all(line[column] == " " for line in lines) for column in range(WIDEST_MARGIN)]
    named = next((column for column, empty in enumerate(blank) if not empty), WIDEST_MARGIN)
    gap = next((column for column in range(named, WIDEST_MARGIN) if blank[column]), -1)
    while 0 <= gap < WIDEST_MARGIN and blank[gap]:
        gap += 1
    return max(gap, 0)


def _seam(lines: Sequence[str], start: int, stop: int) -> int:
    """The column from `start` on, at most `stop`, before which a cut goes through the fewest words and shapes."""
    if stop >= len(lines[0]):
        return len(lines[0])
    cuts = range(stop, start + (stop - start) // 2, -1)
    return min(cuts, key=lambda column: sum(_is_cut(line, column) for line in lines))


def _is_cut(line: str, column: int) -> bool:
    """Whether something that belongs together is parted before a column: a word or a stretch of land."""
    before, after = line[column - 1], line[column]
    return (_is_of_word(before) and _is_of_word(after)) or (before != " " and before == after)


def _is_of_word(character: str) -> bool:
    return character.isalnum() or character == "_"
