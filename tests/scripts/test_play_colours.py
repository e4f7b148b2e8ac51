"""Test the colours of pictures in the terminal."""

from __future__ import annotations

import io
import os
import re

import pytest

import edge_envs
from edge_envs.pictures.colours import PLAYERS
from scripts.playing.colours import coloured, supports_colours, write
from tests.scripts.test_play_terminal import Window

ESCAPE = re.compile(r"\x1b\[[0-9;]*m")

RACE = "place     start   4\nplayer 0      1   3\nplayer 1      .   4\nplayer 0 owes 1 turn"
BOARD = "   a b c\n 1 . A 1\n 2 B 0 .\nland 1 : 1"
EARTH = "  ┌────┐\n0 │A0* │▒▒\n  │(1) ║~~"


class Screen(io.StringIO):
    """A stream that is a terminal, or not."""

    def __init__(self, is_terminal: bool) -> None:
        super().__init__()
        self._is_terminal = is_terminal

    def isatty(self) -> bool:
        return self._is_terminal


@pytest.mark.parametrize(
    ("is_terminal", "environment", "expected"),
    [
        (True, {"TERM": "xterm"}, True),
        (True, {}, True),
        (True, {"TERM": "dumb"}, False),
        (True, {"NO_COLOR": "1"}, False),
        (True, {"NO_COLOR": ""}, True),
        (True, {"CLICOLOR": "0"}, False),
        (True, {"NO_COLOR": "1", "FORCE_COLOR": "1", "CLICOLOR_FORCE": "1"}, False),
        (False, {"TERM": "xterm"}, False),
        (False, {"FORCE_COLOR": "1"}, True),
        (False, {"CLICOLOR_FORCE": "1"}, True),
        (False, {"FORCE_COLOR": "0", "CLICOLOR_FORCE": "0"}, False),
        (True, {"TERM": "dumb", "FORCE_COLOR": "3"}, True),
    ],
)
def test_colours_follow_the_terminal_and_the_environment(
    is_terminal: bool, environment: dict[str, str], expected: bool
) -> None:
    assert supports_colours(Screen(is_terminal), environment) == expected


@pytest.mark.parametrize("picture", [RACE, BOARD, EARTH, "", "[bold]:smile: $x$\\"])
def test_colours_change_no_character(picture: str) -> None:
    plain, fancy = Screen(False), Screen(True)
    write(picture, plain, {})
    write(picture, fancy, {"TERM": "xterm"})
    assert plain.getvalue() == picture + "\n"
    assert ESCAPE.sub("", fancy.getvalue()) == picture + "\n"


def styles_of(picture: str, part: str) -> set[str]:
    """Return the styles of the first occurrence of a part."""
    start = picture.index(part)
    found = [span for span in coloured(picture).spans if span.start <= start and span.end >= start + len(part)]
    return {str(span.style) for span in found}


@pytest.mark.parametrize(
    ("picture", "part", "player"),
    [
        (RACE, "player 1      .   4", 1),
        (RACE, "player 0 owes"[:8], 0),
        (BOARD, "A", 0),
        (BOARD, "B", 1),
        (EARTH, "(1)", 1),
    ],
)
def test_things_of_players_have_their_colours(picture: str, part: str, player: int) -> None:
    assert f"bold {PLAYERS[player].dark}" in styles_of(picture, part)


def test_land_on_a_board_has_the_colour_of_its_player() -> None:
    assert styles_of(" 1 . A 1", "1") == set()  # the number of the row
    assert styles_of(" 2 . A 1", "1") == {f"bold {PLAYERS[1].dark}"}
    assert styles_of("land 1 : 1", "1") == set()


def test_land_and_borders_are_coloured() -> None:
    for part in ("▒▒", "║", "*", "~~"):
        assert styles_of(EARTH, part), part


def test_rendered_text_stays_plain() -> None:
    env = edge_envs.aec_env("falling_off", render_mode="ansi")
    env.reset(seed=1)
    assert "\x1b" not in str(env.render())


@pytest.mark.skipif(os.name != "posix", reason="needs a pseudo-terminal")
def test_a_game_in_a_terminal_has_colours() -> None:
    window = Window("falling_off", "--no-advice", "--seed", "1", variables={})
    try:
        shown = window.wait_for("Your choice: ")
        assert "\x1b[" in shown
        assert "player 0" in ESCAPE.sub("", shown)
    finally:
        window.close()
