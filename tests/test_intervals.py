"""Test how rates and intervals are printed."""

from __future__ import annotations

import re
from pathlib import Path

from edge_envs.intervals import format_interval, format_rate
from tests.programs import ROOT


def test_a_rate_in_running_text_has_its_interval_in_parentheses() -> None:
    assert format_rate(0.5938, 0.5628, 0.62413) == "0.594 (0.563 to 0.624)"
    assert format_rate(1.0, 0.9981, 1.0) == "1.000 (0.998 to 1.000)"


def test_an_interval_has_as_many_decimals_as_asked() -> None:
    assert format_interval(0.5628, 0.62413) == "0.563 to 0.624"
    assert format_interval(27.24, 39.0, 1) == "27.2 to 39.0"
    assert format_interval(-2355.4, -391.6, 0) == "-2355 to -392"


def other_formats(file: Path) -> list[str]:
    """Return output such as `59.4% [56.3%, 62.4%]` or `0.5950 0.5733-0.6163` in a page."""
    rates = r"[\d.]+ ?% ?\[[\d.]+ ?%|[01]\.\d{4} +[01]\.\d{4}[-–][01]\.\d{4}|[01]\.\d{3}, [01]\.\d{3} to"
    return re.findall(rates, file.read_text(encoding="utf-8"))


def test_pages_show_no_other_format() -> None:
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md"), *(ROOT / "edge_envs/games").glob("*/__init__.py")]
    pages = [page for page in pages if not {"_build", "_made", "lab_notebook"} & set(page.parts)]
    assert {page: found for page in pages if (found := other_formats(page))} == {}
