"""Colours for pictures in the terminal, if it supports them.

Colours only repeat what the characters say. They follow the symbols that the pictures of all games share, and are those
of the drawn pictures. Pictures of `render_mode="ansi"` and of `str(state)` stay plain text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TextIO

from rich.console import Console
from rich.text import Text

from edge_envs.pictures.colours import PLAYERS

_LAND, _SEA, _BORDER, _PORT, _DIM = "#b8974a", "#4a90b8", "#b5651d", "bold #f2c230", "dim"
_CIRCLED = "⓪①②③④⑤"
_BOARD_ROW = re.compile(r" *\d+ ( ?[.01AB])+")
"""A row of a board whose land has the number of a player, and whose ships are letters."""
_SYMBOLS = (
    (re.compile("▒+"), _LAND),
    (re.compile("[═║]+"), _BORDER),
    (re.compile("[─│┌┐└┘├┤┬┴┼]+"), _DIM),
    (re.compile("·+"), _DIM),
    (re.compile(r"(?<!\S)\.(?!\S)"), _DIM),
    (re.compile(r"~+"), _SEA),
    (re.compile(r"[*$]"), _PORT),
    (re.compile("@"), "bold #cc79a7"),
)


def supports_colours(stream: TextIO, environment: Mapping[str, str]) -> bool:
    """Return whether to write colours to a stream.

    `NO_COLOR` disables them and `FORCE_COLOR` or `CLICOLOR_FORCE` enables them, in this order. Without these variables,
    colours require a terminal.
    """
    if environment.get("NO_COLOR"):
        return False
    if any(environment.get(name, "") not in ("", "0") for name in ("FORCE_COLOR", "CLICOLOR_FORCE")):
        return True
    return stream.isatty() and environment.get("TERM") != "dumb" and environment.get("CLICOLOR") != "0"


def write(picture: str, stream: TextIO, environment: Mapping[str, str]) -> None:
    """Write a picture to a stream, in colours if it supports them."""
    if not supports_colours(stream, environment):
        print(picture, file=stream, flush=True)
        return
    true_colour = environment.get("COLORTERM") in ("truecolor", "24bit")
    console = Console(
        file=stream, force_terminal=True, color_system="truecolor" if true_colour else "256", no_color=False,
        highlight=False, markup=False, emoji=False, legacy_windows=False, _environ=dict(environment),
    )  # fmt: skip
    console.print(coloured(picture), soft_wrap=True)
    stream.flush()


def coloured(picture: str) -> Text:
    """Return a picture with its colours."""
    text = Text(picture)
    for symbol, style in _SYMBOLS:
        text.highlight_regex(symbol, style)
    start = 0
    for line in picture.split("\n"):
        for first, end, player in _players(line):
            text.stylize(f"bold {PLAYERS[player].dark}", start + first, start + end)
        start += len(line) + 1
    return text


def _players(line: str) -> Iterator[tuple[int, int, int]]:
    """Yield the parts of a line that belong to a player: the start, the end and the player."""
    if found := re.match(r"player (\d)  ", line):  # a row of a table
        yield 0, len(line), int(found[1])
        return
    for found in re.finditer(r"player (\d)|\((\d)\)", line):
        yield *found.span(), int(found[1] or found[2])
    for found in re.finditer(f"[{_CIRCLED}]", line):
        yield *found.span(), _CIRCLED.index(found[0])
    if _BOARD_ROW.fullmatch(line.rstrip()):
        number = re.match(r" *\d+", line)
        for found in re.compile("[01AB]").finditer(line, number.end() if number else 0):
            yield *found.span(), "0A1B".index(found[0]) // 2
