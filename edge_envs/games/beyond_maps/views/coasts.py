"""SVG paths of land: coasts with rounded corners, and a texture for each player.

A square is `cell` units wide and high; the upper left corner of a1 is the point (0, 0). All functions return commands
of SVG paths.
"""

from __future__ import annotations

import functools
from collections.abc import Collection

from edge_envs.pictures.canvas import path_data

TEXTURE_STEP = 15.0  # approximate distance in units between two dots or lines
_DOT = ("h", 0.1)  # a stroke with round ends makes a dot of it
_HEADINGS = ((1, 0), (0, 1), (-1, 0), (0, -1))  # right, down, left, up
_RIGHT = 0


def coasts(land: Collection[int], other_land: Collection[int], width: int, cell: float) -> str:
    """Return the outlines of one player's land, each a closed curve with the land on its right.

    Squares that touch at a corner are connected, because land also encloses along diagonals, except across a corner
    where the other player's land touches as well.
    """
    stride = width + 2  # with a border of sea, so that all squares have neighbours
    owners = bytearray(stride * (max([*land, *other_land], default=0) // width + 3))
    for squares, owner in ((other_land, 2), (land, 1)):
        for square in squares:
            owners[_bordered(square, width)] = owner
    starts = [at for at in map(functools.partial(_bordered, width=width), land) if owners[at - stride] != 1]
    done: set[int] = set()
    return " ".join(_outline(start, owners, width, cell, done) for start in starts if start not in done)


@functools.cache
def dots(square: int, width: int, cell: float) -> str:
    """Return dots that fill a square evenly; draw them with round line ends."""
    x, y = _corner_of(square, width, cell)
    count = _texture_count(cell)
    places = [cell * (k + 0.5) / count for k in range(count)]
    return " ".join(path_data(("M", x + across, y + down, *_DOT)) for down in places for across in places)


@functools.cache
def hatching(square: int, width: int, cell: float) -> str:
    """Return slanting lines through a square that continue in the adjacent squares."""
    x, y = _corner_of(square, width, cell)
    count, lines = _texture_count(cell), []
    for k in range(2 * count):
        reach = cell * (k + 0.5) / count  # the sum of both coordinates on this line
        low, high = max(0.0, reach - cell), min(cell, reach)
        lines.append(path_data(("M", x + low, y + high, "l", high - low, low - high)))
    return " ".join(lines)


def _texture_count(cell: float) -> int:
    return max(1, round(cell / TEXTURE_STEP))


def _corner_of(square: int, width: int, cell: float) -> tuple[float, float]:
    """Return the upper left corner of a square."""
    return square % width * cell, square // width * cell


def _bordered(square: int, width: int) -> int:
    """Return the index of a square on a board with a border."""
    return (square // width + 1) * (width + 2) + square % width + 1


def _outline(start: int, owners: bytearray, width: int, cell: float, done: set[int]) -> str:
    """Return the closed curve along the upper side of a square, and add all squares with such a side to `done`.

    A point has the index of the square to its lower right.
    """
    stride = width + 2
    steps = (1, stride, -1, -stride)
    ahead_right = (0, -1, -stride - 1, -stride)  # from a point, by heading, to the squares around it
    ahead_left = (-stride, 0, -1, -stride - 1)
    behind_left = (-stride - 1, -stride, 0, -1)
    point, heading, corners = start, _RIGHT, []
    while True:
        if heading == _RIGHT:
            done.add(point)
        point += steps[heading]
        right, left = owners[point + ahead_right[heading]], owners[point + ahead_left[heading]]
        turn = 0
        if left == 1:
            crossed = right == 2 and owners[point + behind_left[heading]] == 2
            turn = 1 if crossed else -1
        elif right != 1:
            turn = 1
        if turn:
            corners.append(_corner(point, heading, turn, width, cell))
            heading = (heading + turn) & 3
        if (point, heading) == (start, _RIGHT):
            return f"M {' L '.join(corners)} Z"


@functools.cache
def _corner(point: int, heading: int, turn: int, width: int, cell: float) -> str:
    """Return the curve of a coast around a corner."""
    radius = cell / 2 / _texture_count(cell)  # small enough not to cut lines of the texture
    row, column = divmod(point, width + 2)
    x, y = (column - 1) * cell, (row - 1) * cell
    in_x, in_y, out_x, out_y = (radius * step for step in (*_HEADINGS[heading], *_HEADINGS[(heading + turn) & 3]))
    return path_data((x - in_x, y - in_y, "q", in_x, in_y, in_x + out_x, in_y + out_y))
