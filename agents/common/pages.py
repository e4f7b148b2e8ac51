"""Write results into a page of the documentation, between two comments."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from agents.common.files import read_text, write_whole

BEGIN, END = "<!-- results: begin -->", "<!-- results: end -->"


def around_results(page: Path) -> tuple[str, str]:
    """Return the text of a page before and after its results.

    Raises:
        ValueError: if the page cannot be read, or does not have the two comments.
    """
    parts = _parts(page)
    if parts is None:
        raise ValueError(f"{page}: no lines {BEGIN} and {END}, between which the results are written")
    return parts


def has_results(page: Path) -> bool:
    """Return whether a page has the two comments."""
    return _parts(page) is not None


def write_results(page: Path, lines: Sequence[str]) -> None:
    """Replace the results of a page; ValueError as for `around_results`."""
    before, after = around_results(page)
    write_whole(page, "\n".join([before + BEGIN, *lines, END + after]))


def _parts(page: Path) -> tuple[str, str] | None:
    """Return the text before and after the results, or None without the two comments."""
    before, begin, rest = read_text(page, "Markdown").partition(BEGIN)
    _, end, after = rest.partition(END)
    return (before, after) if begin and end else None
