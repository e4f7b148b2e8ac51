"""Test menus of actions: numbered or grouped, and matched by parts of their names."""

from __future__ import annotations

import pytest

from scripts.playing.menu import MAX_LINES, Menu

FEW = ["sea a1 n", "sea a1 e", "sea a10 n", "sea B2 -", "land a1", "stop", "save +"]
MANY = [f"sea {column}{row} {side}" for side in "nesw" for row in range(1, 11) for column in "ab"] + ["land b3", "stop"]


@pytest.mark.parametrize(
    ("typed", "texts"),
    [
        ("1", ["sea a1 n"]),
        (" 7 ", ["save +"]),
        ("0", []),
        ("8", []),
        ("", []),
        ("stop", ["stop"]),
        ("STOP", ["stop"]),
        ("st", ["stop"]),
        ("s", ["sea a1 n", "sea a1 e", "sea a10 n", "sea B2 -", "stop", "save +"]),
        ("sea", ["sea a1 n", "sea a1 e", "sea a10 n", "sea B2 -"]),
        ("sea a1", ["sea a1 n", "sea a1 e"]),  # whole words take precedence over prefixes
        ("se a1", ["sea a1 n", "sea a1 e", "sea a10 n"]),
        ("s b", ["sea B2 -"]),
        ("a1", ["sea a1 n", "sea a1 e", "land a1"]),
        ("a1 E", ["sea a1 e"]),
        ("b2", ["sea B2 -"]),
        ("sea n", ["sea a1 n", "sea a10 n"]),
        ("n sea", ["sea a1 n", "sea a10 n"]),
        ("e a1 sea", ["sea a1 e"]),
        ("E S", ["sea a1 e"]),
        ("n n", []),
        ("sea a1 n n", []),
        ("ea", []),
        ("save", ["save +"]),
        ("save FILE", []),
    ],
)
def test_actions_match_by_part_of_their_names(typed: str, texts: list[str]) -> None:
    menu = Menu(FEW)
    assert [menu.texts[index] for index in menu.find(typed)] == texts


def test_case_matters_only_if_necessary() -> None:
    menu = Menu(["go A", "go a", "go b"])
    assert [menu.find(typed) for typed in ("go A", "go a", "GO a", "go B")] == [[0], [1], [0, 1], [2]]


def test_a_number_selects_by_position_even_if_names_are_numbers() -> None:
    assert Menu(["3", "2", "1"]).find("1") == [0]


def test_few_actions_have_one_line_each() -> None:
    assert Menu(FEW[:2]).overview(80) == "   1  sea a1 n\n   2  sea a1 e"


def test_more_actions_are_shown_in_columns() -> None:
    menu = Menu(MANY[:40])
    lines = menu.overview(100).splitlines()
    assert 1 < len(lines) <= MAX_LINES
    assert max(map(len, lines)) <= 100
    assert sorted(int(word) for line in lines for word in line.split() if word.isdecimal()) == list(range(1, 41))


@pytest.mark.parametrize("width", [40, 80])
def test_many_actions_are_grouped_by_first_word(width: int) -> None:
    lines = Menu(MANY).overview(width).splitlines()
    assert max(map(len, lines)) <= max(width, 56)
    sea = " ".join(lines[: lines.index("  land  b3")]).split()
    assert sea == ["sea", *(f"{column}{row}" for column in "ab" for row in range(1, 11))]
    assert lines[-2:] == ["  stop", "Type the start of an action to see its continuations."]


def test_matches_are_sorted_by_name_and_keep_their_numbers() -> None:
    menu = Menu(MANY)
    assert menu.overview(80, menu.find("sea b10")).splitlines() == [
        "  60  sea b10 e".replace("60", "40"),
        "  20  sea b10 n",
        "  60  sea b10 s",
        "  80  sea b10 w",
    ]


def test_completions_complete_a_word() -> None:
    menu = Menu(FEW)
    assert menu.completions("") == ["sea ", "land ", "stop", "save "]
    assert menu.completions("SEA ") == ["sea a1 ", "sea a10 ", "sea B2 "]
    assert menu.completions("sea a1 ") == ["sea a1 n", "sea a1 e"]
    assert menu.completions("sea a1 n") == ["sea a1 n"]
    assert menu.completions("x") == []


def test_any_word_or_part_of_a_word_matches() -> None:
    menu = Menu(["take fair_weather", "take loyal_crew", "go E4.K1", "go E4.C0", "reroll 4 4", "reroll 4"])
    typed = {"loyal_crew": [1], "crew": [1], "weather take": [0], "k1": [2], "E4": [2, 3], "4 4": [4], "c0 go": [3]}
    assert {line: menu.find(line) for line in typed} == typed


def test_a_number_that_is_too_large_matches_as_a_word() -> None:
    menu = Menu(["move start 7", "move start 12", "move 12 13"])
    assert [menu.find(line) for line in ("1", "3", "7", "12", "13")] == [[0], [2], [0], [1, 2], [2]]
