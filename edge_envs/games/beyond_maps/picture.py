"""Drawn picture of a position of `beyond_maps`, and the clicks that select each action."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

from edge_envs.core.spec import Record
from edge_envs.games.beyond_maps.draw import headline
from edge_envs.games.beyond_maps.narration import result
from edge_envs.games.beyond_maps.state import LAND, NO_MARKER, NUM_PLANES, square_name, squares_of
from edge_envs.games.beyond_maps.views.coasts import coasts, dots, hatching
from edge_envs.pictures.canvas import Canvas, path_data
from edge_envs.pictures.colours import BLACK, CARD, FAINT, INK, PAPER, PLAYERS, SEA, SHALLOWS, WHITE, colour
from edge_envs.pictures.letters import length
from edge_envs.pictures.tokens import badge, die, ship

BOARD, MARGIN, FRAME = 540, 30, 6
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
    side = int(record.side)
    keys, area = _keys(side), side * side
    sails: dict[int, tuple[str, ...]] = {}
    lands: dict[int, tuple[str, ...]] = {}
    for plane, ahead in enumerate((-side, 1, side, -1)):
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
    side = int(record.side)
    lands = [squares_of(land) for land in record.land]
    canvas.rect(MARGIN, MARGIN, BOARD, BOARD, fill=SEA, data={"sea": ""})
    _land(canvas, lands, side)
    _frame(canvas, side)
    _marker(record, canvas, side)
    _ships(record, canvas, side)
    _score(record, canvas, [len(land) for land in lands])
    if record.over:
        _result(record, canvas, [len(land) for land in lands])
    else:
        _tasks(record, canvas)
    _compass(canvas, RIGHT - 24, TURN_Y)
    canvas.text(MARGIN, HEADLINE_Y, headline(record), size=13, room=BOARD)
    cell = BOARD / side
    for square, key in enumerate(_keys(side)):
        row, column = divmod(square, side)
        canvas.field(key, MARGIN + column * cell + 1.5, MARGIN + row * cell + 1.5, cell - 3, cell - 3, radius=4)


@functools.cache
def _keys(side: int) -> tuple[str, ...]:
    """Return the keys of all squares."""
    return tuple(f"sq-{square_name(square, side)}" for square in range(side * side))


def _middle(square: int, side: int) -> tuple[float, float]:
    row, column = divmod(square, side)
    return MARGIN + (column + 0.5) * BOARD / side, MARGIN + (row + 0.5) * BOARD / side


def _land(canvas: Canvas, lands: list[list[int]], side: int) -> None:
    """Draw shallows along all coasts, each player's land with its texture, and the grid."""
    cell = BOARD / side
    outlines = [coasts(lands[player], lands[1 - player], side, cell) for player in range(2)]
    players = [player for player in range(2) if lands[player]]
    with canvas.group(MARGIN, MARGIN):
        if players:
            canvas.path(*outlines, stroke=SHALLOWS, stroke_width=11, round=True)
        for player in players:
            land = land_of(player, lands[player], side)
            canvas.path(outlines[player], fill=LANDS[player], data={"land": land})
        canvas.path(_grid(side), stroke=GRID, opacity=0.3)
        for player in players:
            texture, width, round_ends = ((dots, 3.6, True), (hatching, 1.3, False))[player]
            marks = [texture(square, side, cell) for square in lands[player]]
            canvas.path(*marks, stroke=TEXTURES[player], stroke_width=width, opacity=0.75, round=round_ends)
        for player in players:
            canvas.path(outlines[player], stroke=COASTS[player], stroke_width=2.2, round=True)


def land_of(player: int, squares: list[int], side: int) -> str:
    """Return a player's land for the attribute `data-land`, with which pages let new land rise.

    The words are the player, the number of squares on a side, the size of a square, and the squares as a bitboard in
    hexadecimal digits.
    """
    return f"{player} {side} {BOARD / side:g} {sum(1 << square for square in squares):x}"


@functools.cache
def _grid(side: int) -> str:
    """Return the path of the lines between the squares."""
    places = [BOARD * k / side for k in range(1, side)]
    return " ".join(path_data(("M", at, 0, "v", BOARD, "M", 0, at, "h", BOARD)) for at in places)


def _frame(canvas: Canvas, side: int) -> None:
    """Draw the frame of a map, alternating light and dark, with letters and numbers on all four sides."""
    cell, low, high = BOARD / side, MARGIN - FRAME / 2, RIGHT + FRAME / 2
    canvas.rect(low, low, high - low, high - low, stroke=INK, stroke_width=FRAME)
    canvas.path(_frame_gaps(side), stroke=PAPER, stroke_width=FRAME - 2)
    for k in range(side):
        at = MARGIN + (k + 0.5) * cell
        for y in (MARGIN - FRAME - 5, RIGHT + FRAME + 14):
            canvas.text(at, y, chr(ord("a") + k), size=12, fill=FAINT, anchor="middle", bold=True)
        for x in (MARGIN - FRAME - 9, RIGHT + FRAME + 9):
            canvas.text(x, at + 4.3, str(k + 1), size=12, fill=FAINT, anchor="middle", bold=True)


@functools.cache
def _frame_gaps(side: int) -> str:
    """Return the path of the light parts of the frame, next to every second square."""
    cell, low, high = BOARD / side, MARGIN - FRAME / 2, RIGHT + FRAME / 2
    starts = [MARGIN + k * cell for k in range(1, side, 2)]
    across = [path_data(("M", at, y, "h", cell)) for y in (low, high) for at in starts]
    down = [path_data(("M", x, at, "v", cell)) for x in (low, high) for at in starts]
    return " ".join(across + down)


def _marker(record: Record, canvas: Canvas, side: int) -> None:
    """Draw a ring on the last marker of the land action in progress; the next marker goes next to it."""
    if record.last_marker < 0:
        return
    x, y = _middle(int(record.last_marker), side)
    radius = min(BOARD / side * 0.27, 18.0)
    for paint_of_ring, width in ((BLACK, 5.5), (WHITE, 3)):
        canvas.circle(x, y, radius, stroke=paint_of_ring, stroke_width=width)


def _ships(record: Record, canvas: Canvas, side: int) -> None:
    """Draw the ships that are not captured, the mover's ship on a white disc."""
    radius = min(BOARD / side * 0.47, 34.0)
    for player, square in enumerate(record.ships.tolist()):
        if square < 0:
            continue
        x, y = _middle(square, side)
        if player == record.turn_player and not record.over:
            canvas.circle(x, y, radius, fill=WHITE, stroke=PLAYERS[player], stroke_width=2)
        ship(canvas, x, y - radius * 0.03, player, radius * 1.6, piece=f"ship-{player}")


def _score(record: Record, canvas: Canvas, counts: list[int]) -> None:
    """Draw the land of each player as a number and as a share of a bar that represents the whole board."""
    x, width, area = MARGIN + SCORE_ROOM, BOARD - 2 * SCORE_ROOM, int(record.side) ** 2
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
        for text, at_x, at_y in (("n", 0, -17), ("s", 0, 24), ("w", -20, 3.5), ("e", 20, 3.5)):
            canvas.text(at_x, at_y, text, size=10, fill=FAINT, anchor="middle", bold=True)
