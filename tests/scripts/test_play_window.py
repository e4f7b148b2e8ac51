"""Test text and pictures in narrow windows: no content is lost, and no line is too long."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from edge_envs.games.over_the_edge.draw import disc
from edge_envs.games.over_the_edge.map.charts import load_map
from scripts.playing.window import fit, fold

GOLDENS = Path(__file__).parents[1] / "golden"

TABLE = """\
          fair_weather  favorable_winds  severe_damage
deck      16            8                3
discards  -             -                12"""


def test_narrow_text_is_unchanged() -> None:
    for text in ("", "a\n\n  b", TABLE):
        assert fit(text, 60) == (text, 0)
        assert fold(text, 60) == text


def test_long_lines_wrap_at_blanks() -> None:
    assert fold("one two three four five six", 20) == "one two three four\nfive six"
    assert fold("  one: two three four five", 20) == "  one: two three\n      four five"


def test_a_table_is_split_between_columns_and_repeats_its_row_names() -> None:
    text, needed = fit(TABLE, 45)
    assert needed == 54
    assert text.splitlines() == [
        "          fair_weather  favorable_winds",
        "deck      16            8",
        "discards  -             -",
        "          severe_damage",
        "deck      3",
        "discards  12",
    ]


def test_lists_and_single_long_lines_wrap() -> None:
    line = "ports: Lisbon A0, Zanzibar A4, Calicut A11"
    assert fit(f"{line}\n{line}\n{line}", 30) == ("\n".join(["ports: Lisbon A0, Zanzibar A4,\n    Calicut A11"] * 3), 0)
    assert fit("o circle   ^ hill, 6 takes gold   * chit", 30)[1] == 0


@pytest.mark.parametrize("width", [20, 30, 41, 80, 105])
@pytest.mark.parametrize("name", ["pond", "flat_earth"])
def test_a_map_is_shown_in_parts_that_hold_it_all(name: str, width: int) -> None:
    lines = disc(load_map(name), {})
    text, needed = fit("\n".join(lines), width)
    assert max(map(len, text.splitlines())) <= width
    widest = max(map(len, lines))
    assert needed == (widest if widest > width else 0)
    for space in load_map(name).spaces:
        assert any(f"{space.id}" in line for line in text.splitlines()), space.id


@pytest.mark.parametrize("golden", sorted(GOLDENS.glob("*.txt")), ids=lambda path: path.stem)
@pytest.mark.parametrize("width", [60, 80])
def test_no_symbol_of_any_picture_is_lost(golden: Path, width: int) -> None:
    pictures = golden.read_text(encoding="utf-8")[:200_000]
    shown, _ = fit(pictures, width)
    assert max(map(len, shown.splitlines())) <= width
    assert not Counter("".join(pictures.split())) - Counter("".join(shown.split()))
