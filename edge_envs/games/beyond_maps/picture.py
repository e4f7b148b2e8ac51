"""Drawn picture of a position of `beyond_maps`, and the clicks that select each action."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from edge_envs.core.spec import Record
from edge_envs.games.beyond_maps.draw import headline
from edge_envs.games.beyond_maps.narration import result
from edge_envs.games.beyond_maps.state import LAND, NO_MARKER, NUM_PLANES, size_of, square_name, squares_of
from edge_envs.games.beyond_maps.views.coasts import coasts, dots, hatching
from edge_envs.pictures.canvas import Canvas, path_data
from edge_envs.pictures.colours import BLACK, CARD, FAINT, INK, PAPER, PLAYERS, SEA, SHALLOWS, WHITE, colour
from edge_envs.pictures.letters import length
from edge_envs.pictures.tokens import badge, die, ship

BOARD, MARGIN, FRAME = 540, 30, 6  # the longer side of the board
WIDTH, HEIGHT = BOARD + 2 * MARGIN, 708
RIGHT = MARGIN + BOARD
SCORE_Y, TURN_Y, HEADLINE_Y, CAPTION_Y = 613, 654, 687, 702
SCORE_ROOM = 92  # on each side of the bar, for a player's number and land
TASK_WIDTH, TASK_HEIGHT, TASK_GAP = 204, 34, 10
TASKS_END = MARGIN + 34 + 2 * TASK_WIDTH + TASK_GAP
DIE = 23
BUTTONS = ("sea", "land", "stop")  # keys that are not squares
GRID = colour("#1b4a63", "#b6d4e1")
LANDS = (colour("#f0b84a", "#b87d14"), colour("#3b8fc6", "#1d6ca1"))  # paler than the pieces on it
COASTS = (colour("#6e4700", "#ffd88f"), colour("#00304f", "#9fd8fb"))
TEXTURES = (colour("#8f5d02", "#5c3a01"), colour("#a9d5f2", "#6fb5e2"))


def size(params: Mapping[str, Any]) -> tuple[float, float]:
    """Return the width and height of the picture in units, the same for all board sizes."""
    return WIDTH, HEIGHT


def ways(record: Record) -> dict[int, tuple[str, ...]]:
    """Return, for each legal action, the keys to click in order.

    A sea action is the ship's last square and then the square of the marker, if any. A land action is a square. If both
    kinds of actions are legal, the first click is the button `sea` or `land`.
    """
    grid = _grid_of(record)
    keys, area = _keys(grid), grid.width * grid.height
    sails: dict[int, tuple[str, ...]] = {}
    lands: dict[int, tuple[str, ...]] = {}
    for plane, ahead in enumerate((-grid.width, 1, grid.width, -1)):
        for end in squares_of(record.legal[plane]):
            sails[plane * area + end] = keys[end], keys[end + ahead]
    for end in squares_of(record.legal[NO_MARKER]):
        sails[NO_MARKER * area + end] = (keys[end],)
    for square in squares_of(record.legal[LAND]):
        lands[LAND * area + square] = (keys[square],)
    if sails and lands:
        sails = {action: ("sea", *way) for action, way in sails.items()}
        lands = {action: ("land", *way) for action, way in lands.items()}
    stop = {NUM_PLANES * area: ("stop",)} if record.can_stop else {}
    return {**sails, **lands, **stop}


def task(record: Record) -> str:
    """Say what the player to act does next and where to click."""
    planes = [bool(squares_of(plane)) for plane in record.legal]
    sails, markers, lands = any(planes[: NO_MARKER + 1]), any(planes[:NO_MARKER]), planes[LAND]
    stop = ", or click stop" if record.can_stop else ""
    if sails and lands:
        return f"sail or place land: click sea or land first{stop}."
    if lands:
        return f"place land: click a square{stop}."
    marker = ", then the square next to it that becomes land" if markers else ""
    return f"sail: click the square where your ship ends{marker}{stop}."


def label(key: str) -> str | None:
    """Return the text of the button for a key that has no place in the picture, otherwise None."""
    return key if key in BUTTONS else None


def caption(params: Mapping[str, Any]) -> tuple[float, float, float]:
    """Return the position and width of the event caption: below the headline."""
    return MARGIN, CAPTION_Y, BOARD


def paint(record: Record, canvas: Canvas, viewer: int | None = None) -> None:
    """Draw the map with the land and ships of both players, and below it the score and the remaining actions."""
    grid = _grid_of(record)
    lands = [squares_of(land) for land in record.land]
    canvas.rect(grid.left, grid.top, grid.across, grid.down, fill=SEA, data={"sea": ""})
    _land(canvas, lands, grid)
    _frame(canvas, grid)
    _marker(record, canvas, grid)
    _ships(record, canvas, grid)
    _score(record, canvas, [len(land) for land in lands], grid.width * grid.height)
    if record.over:
        _result(record, canvas, [len(land) for land in lands])
    else:
        _tasks(record, canvas)
    _compass(canvas, RIGHT - 24, TURN_Y - 4)
    canvas.text(MARGIN, HEADLINE_Y, headline(record), size=13, room=BOARD)
    cell = grid.cell
    for key, x, y in _fields(grid):
        canvas.field(key, x, y, cell - 3, cell - 3, radius=4)


@dataclass(frozen=True)
class _Grid:
    """The squares of the board, and where they are: in the middle of a square of `BOARD` units."""

    width: int
    height: int

    @functools.cached_property
    def longest(self) -> int:
        """The number of squares of the longer side."""
        return max(self.width, self.height)

    @functools.cached_property
    def cell(self) -> float:
        """The size of a square."""
        return BOARD / self.longest

    @functools.cached_property
    def across(self) -> float:
        """The width of the board in units."""
        return BOARD if self.width == self.longest else BOARD * self.width / self.longest

    @functools.cached_property
    def down(self) -> float:
        """The height of the board in units."""
        return BOARD if self.height == self.longest else BOARD * self.height / self.longest

    @functools.cached_property
    def left(self) -> float:
        """The left edge of the board."""
        return MARGIN if self.across == BOARD else MARGIN + (BOARD - self.across) / 2

    @functools.cached_property
    def top(self) -> float:
        """The upper edge of the board."""
        return MARGIN if self.down == BOARD else MARGIN + (BOARD - self.down) / 2


def _grid_of(record: Record) -> _Grid:
    return _grid(*size_of(record))


_grid = functools.cache(_Grid)


@functools.cache
def _keys(grid: _Grid) -> tuple[str, ...]:
    """Return the keys of all squares."""
    return tuple(f"sq-{square_name(square, grid.width)}" for square in range(grid.width * grid.height))


@functools.cache
def _fields(grid: _Grid) -> tuple[tuple[str, float, float], ...]:
    """Return the keys of all squares, with the upper left corners of their places."""
    corners = (divmod(square, grid.width) for square in range(grid.width * grid.height))
    return tuple(
        (key, grid.left + column * grid.cell + 1.5, grid.top + row * grid.cell + 1.5)
        for key, (row, column) in zip(_keys(grid), corners, strict=True)
    )


def _middle(square: int, grid: _Grid) -> tuple[float, float]:
    row, column = divmod(square, grid.width)
    return grid.left + (column + 0.5) * BOARD / grid.longest, grid.top + (row + 0.5) * BOARD / grid.longest


def _land(canvas: Canvas, lands: list[list[int]], grid: _Grid) -> None:
    """Draw shallows along all coasts, each player's land with its texture, and the lines between squares."""
    width, cell = grid.width, grid.cell
    outlines = [coasts(lands[player], lands[1 - player], width, cell) for player in range(2)]
    players = [player for player in range(2) if lands[player]]
    with canvas.group(grid.left, grid.top):
        if players:
            canvas.path(*outlines, stroke=SHALLOWS, stroke_width=11, round=True)
        for player in players:
            land = land_of(player, lands[player], grid)
            canvas.path(outlines[player], fill=LANDS[player], data={"land": land})
        canvas.path(_lines(grid), stroke=GRID, opacity=0.3)
        for player in players:
            texture, thickness, round_ends = ((dots, 3.6, True), (hatching, 1.3, False))[player]
            marks = [texture(square, width, cell) for square in lands[player]]
            canvas.path(*marks, stroke=TEXTURES[player], stroke_width=thickness, opacity=0.75, round=round_ends)
        for player in players:
            canvas.path(outlines[player], stroke=COASTS[player], stroke_width=2.2, round=True)


def land_of(player: int, squares: list[int], grid: _Grid) -> str:
    """Return a player's land for the attribute `data-land`, with which pages let new land rise.

    The words are the player, the number of squares in a row, the size of a square, and the squares as a bitboard in
    hexadecimal digits.
    """
    return f"{player} {grid.width} {grid.cell:g} {sum(1 << square for square in squares):x}"


@functools.cache
def _lines(grid: _Grid) -> str:
    """Return the path of the lines between the squares."""
    parts: list[str] = []
    for k in range(1, grid.longest):
        at = BOARD * k / grid.longest
        upright = ("M", at, 0, "v", grid.down) if k < grid.width else ()
        level = ("M", 0, at, "h", grid.across) if k < grid.height else ()
        parts.append(path_data((*upright, *level)))
    return " ".join(parts)


def _frame(canvas: Canvas, grid: _Grid) -> None:
    """Draw the frame of a map, alternating light and dark, with letters and numbers on all four sides."""
    (west, east), (north, south) = _frame_lines(grid)
    canvas.rect(west, north, east - west, south - north, stroke=INK, stroke_width=FRAME)
    canvas.path(_frame_gaps(grid), stroke=PAPER, stroke_width=FRAME - 2)
    for k in range(grid.longest):
        for y in (grid.top - FRAME - 5, grid.top + grid.down + FRAME + 14) if k < grid.width else ():
            at = grid.left + (k + 0.5) * grid.cell
            canvas.text(at, y, chr(ord("a") + k), size=12, fill=FAINT, anchor="middle", bold=True)
        for x in (grid.left - FRAME - 9, grid.left + grid.across + FRAME + 9) if k < grid.height else ():
            at = grid.top + (k + 0.5) * grid.cell
            canvas.text(x, at + 4.3, str(k + 1), size=12, fill=FAINT, anchor="middle", bold=True)


def _frame_lines(grid: _Grid) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the x of the left and right line of the frame, and the y of the upper and lower line."""
    left, right = grid.left - FRAME / 2, grid.left + grid.across + FRAME / 2
    return (left, right), (grid.top - FRAME / 2, grid.top + grid.down + FRAME / 2)


@functools.cache
def _frame_gaps(grid: _Grid) -> str:
    """Return the path of the light parts of the frame, next to every second square."""
    cell, (xs, ys) = grid.cell, _frame_lines(grid)
    across = [path_data(("M", grid.left + k * cell, y, "h", cell)) for y in ys for k in range(1, grid.width, 2)]
    down = [path_data(("M", x, grid.top + k * cell, "v", cell)) for x in xs for k in range(1, grid.height, 2)]
    return " ".join(across + down)


def _marker(record: Record, canvas: Canvas, grid: _Grid) -> None:
    """Draw a ring on the last marker of the land action in progress; the next marker goes next to it."""
    if record.last_marker < 0:
        return
    x, y = _middle(int(record.last_marker), grid)
    radius = min(grid.cell * 0.27, 18.0)
    for paint_of_ring, width in ((BLACK, 5.5), (WHITE, 3)):
        canvas.circle(x, y, radius, stroke=paint_of_ring, stroke_width=width)


def _ships(record: Record, canvas: Canvas, grid: _Grid) -> None:
    """Draw the ships that are not captured, the mover's ship on a white disc."""
    radius = min(grid.cell * 0.47, 34.0)
    for player, square in enumerate(record.ships.tolist()):
        if square < 0:
            continue
        x, y = _middle(square, grid)
        if player == record.turn_player and not record.over:
            canvas.circle(x, y, radius, fill=WHITE, stroke=PLAYERS[player], stroke_width=2)
        ship(canvas, x, y - radius * 0.03, player, radius * 1.6, piece=f"ship-{player}")


def _score(record: Record, canvas: Canvas, counts: list[int], area: int) -> None:
    """Draw the land of each player as a number and as a share of a bar that represents the whole board."""
    x, width = MARGIN + SCORE_ROOM, BOARD - 2 * SCORE_ROOM
    canvas.rect(x, SCORE_Y - 7, width, 14, fill=SEA)
    for player, anchor in enumerate(("start", "end")):
        share = width * counts[player] / area
        left = x if player == 0 else x + width - share
        inwards = 1 - 2 * player
        outer = (MARGIN, RIGHT)[player]
        badge(canvas, outer + 10 * inwards, SCORE_Y, player, 20)
        canvas.text(outer + 26 * inwards, SCORE_Y + 5, f"{counts[player]} land", size=13.5, anchor=anchor, bold=True)
        if share:
            canvas.rect(left, SCORE_Y - 7, share, 14, fill=LANDS[player])
        if record.ships[player] < 0:
            canvas.text((x, x + width)[player], SCORE_Y + 19, "ship captured", size=10.5, anchor=anchor)
    canvas.rect(x, SCORE_Y - 7, width, 14, stroke=INK, stroke_width=1.2)


def _result(record: Record, canvas: Canvas, counts: list[int]) -> None:
    """Draw the winner and the reason why the game is over."""
    x = MARGIN
    if counts[0] != counts[1]:
        badge(canvas, MARGIN + 12, TURN_Y, int(counts[1] > counts[0]), 24)
        x = MARGIN + 34
    canvas.text(x, TURN_Y + 5.5, result(record), size=15, bold=True, room=TASKS_END - x)


def _tasks(record: Record, canvas: Canvas) -> None:
    """Draw the mover's remaining and completed actions of this turn, with their limits and dice."""
    mover = int(record.turn_player)
    badge(canvas, MARGIN + 12, TURN_Y, mover, 24)
    limits = (record.high, record.low) if record.dice else (record.sea_range, record.land_markers)
    steps, markers = map(int, limits)
    sea = _up_to(steps, "step") if steps else "the higher die"
    land = _up_to(markers, "marker") if markers else "the lower die"
    if record.ships[mover] < 0:
        sea = "no ship"
    if record.turn == 0:
        land = "not in turn 1"
    elif record.markers_placed:
        land = f"{record.markers_placed} of {markers} placed"
    x = MARGIN + 34
    for name, text, done, limit in (("sea", sea, record.sea_done, steps), ("land", land, record.land_done, markers)):
        _task(canvas, x, mover, name, "done" if done and record.turn else text, bool(done))
        if record.dice:
            piece = f"die-{record.turn}-{name}-{limit}" if limit else None
            die(canvas, x + TASK_WIDTH - 19, TURN_Y, limit, DIE, piece)
        x += TASK_WIDTH + TASK_GAP


def _task(canvas: Canvas, x: float, mover: int, name: str, text: str, done: bool) -> None:
    ink, edge = (FAINT, FAINT) if done else (INK, PLAYERS[mover])
    y, width = TURN_Y - TASK_HEIGHT / 2, 1.0 if done else 2.2
    canvas.rect(x, y, TASK_WIDTH, TASK_HEIGHT, radius=7, fill=CARD, stroke=edge, stroke_width=width)
    _box(canvas, x + 18, TURN_Y, done)
    canvas.text(x + 33, TURN_Y + 5, name, size=14, fill=ink, bold=True)
    canvas.text(x + 41 + length(name, 14, True), TURN_Y + 5, text, size=12.5, fill=ink)


def _up_to(limit: int, noun: str) -> str:
    return f"up to {limit} {noun}{'' if limit == 1 else 's'}"


def _box(canvas: Canvas, x: float, y: float, done: bool) -> None:
    """Draw a check box, ticked if `done`."""
    canvas.rect(x - 7, y - 7, 14, 14, radius=3, stroke=FAINT if done else INK, stroke_width=1.5)
    if done:
        canvas.path("M", x - 4, y, "L", x - 1, y + 3.5, "L", x + 5, y - 6, stroke=INK, stroke_width=2.2, round=True)


def _compass(canvas: Canvas, x: float, y: float) -> None:
    """Draw a compass rose."""
    with canvas.group(x, y):
        canvas.path(
            "M", 0, -14, "L", 3, -3, "L", 14, 0, "L", 3, 3, "L", 0, 14, "L", -3, 3, "L", -14, 0, "L", -3, -3, "Z",
            fill=CARD, stroke=INK, stroke_width=1, round=True,
        )  # fmt: skip
        canvas.path("M", 0, -14, "L", 3, -3, "L", 0, 0, "L", -3, -3, "Z", fill=INK)
        for text, at_x, at_y in (("n", 0, -17), ("s", 0, 23), ("w", -20, 3.5), ("e", 20, 3.5)):
            canvas.text(at_x, at_y, text, size=10, fill=FAINT, anchor="middle", bold=True)
