"""Event and result sentences of `beyond_maps`.

A transition may contain several actions, because an action with a single choice is performed without a decision. To
find these actions, the transition is replayed on a copy, one action at a time, with the choices that the rules compute
(`phases.choices.update_derived`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from edge_envs.core.spec import Array, Record
from edge_envs.games.beyond_maps.actions import ROLLS, action_to_string
from edge_envs.games.beyond_maps.map.bitboard import WORDS
from edge_envs.games.beyond_maps.map.seas import ended
from edge_envs.games.beyond_maps.phases.choices import update_derived
from edge_envs.games.beyond_maps.state import LAND, NO_MARKER, NUM_PLANES, size_of, square_name, squares_of

_MOST_NAMES = 8  # squares listed in a sentence; more are only counted


def result(record: Record) -> str:
    """Say who has more land, what ended the game, and the score."""
    lands = [len(squares_of(land)) for land in record.land]
    scores = [lands[0], lands[1] + int(record.handicap)]
    who = "A draw" if scores[0] == scores[1] else f"Player {int(scores[1] > scores[0])} wins"
    return f"{who}: {_end(record)}; land {lands[0]} : {lands[1]}{with_handicap(record)}."


def with_handicap(record: Record) -> str:
    """Return the handicap of player 1, to follow the numbers of squares; an empty string without one."""
    return f" {int(record.handicap):+d}" if record.handicap else ""


def scores(record: Record) -> dict[str, list[str]]:
    """Return each player's land, and what became of each ship."""
    sides = [_open_sides(record, ship) for ship in record.ships.tolist()]
    ends = ["captured" if open_sides < 0 else "free" if open_sides else "surrounded" for open_sides in sides]
    return {"land": [str(len(squares_of(land))) for land in record.land], "ship": ends}


def _end(record: Record) -> str:
    """Say what ended the game."""
    open_sides = [_open_sides(record, ship) for ship in record.ships.tolist()]
    surrounded = [player for player in range(2) if open_sides[player] <= 0]
    captured = [player for player in surrounded if open_sides[player] < 0]
    if len(surrounded) == 2:
        return f"both ships are surrounded{' and captured' if len(captured) == 2 else ''}"
    if surrounded:
        return f"ship {'AB'[surrounded[0]]} is surrounded{' and captured' if captured else ''}"
    if record.turn + 1 >= record.max_turns:
        return f"all {record.max_turns} turns are over" if record.max_turns > 1 else "the only turn is over"
    return "the ships cannot move"


def events(before: Record, action: int, after: Record) -> list[str]:
    """Describe the dice, surrounded land and ships, and everything done or skipped without a decision."""
    record = before.copy()
    if record.islands_left:
        return _islands(before, action, after)
    if record.dice and not record.high:
        record.high, record.low = ROLLS[action]
        sentences = [_limits(record)]
    else:
        sentences = list(_act(record, action))
    sentences += _forced_actions(record)
    return sentences


def subject(record: Record) -> int | None:
    """Return the player who rolls the dice; None while islands are placed."""
    return None if record.islands_left else int(record.turn_player)


def _islands(before: Record, action: int, after: Record) -> list[str]:
    """Describe the two islands of an outcome, and say if there is no room for more."""
    width, height = size_of(before)
    one, other = square_name(action, width), square_name(width * height - 1 - action, width)
    sentences = [f"Player 0 has an island on {one}, player 1 on {other}."]
    if after.islands_left == 0 and before.islands_left > 1:
        sentences.append("There is no room for another pair of islands.")
    return sentences


def _limits(record: Record) -> str:
    steps, markers = int(record.high), int(record.low)
    sails = f"Player {record.turn_player} may sail up to {steps} step{'' if steps == 1 else 's'}"
    if record.land_done:  # the first turn
        return f"{sails}."
    return f"{sails} and place up to {markers} marker{'' if markers == 1 else 's'}."


def _forced_actions(record: Record) -> Iterator[str]:
    """Advance to the next decision, roll or end, as the rules do, and describe each action on the way."""
    while True:
        player = record.turn_player
        if record.land_done and not record.sea_done and record.ships[player] < 0:
            record.sea_done = 1
            yield f"Ship {'AB'[player]} is captured, so player {player} does not sail."
        if record.sea_done and record.land_done:
            if record.turn + 1 == record.max_turns or ended(record):
                yield f"The game is over: {_end(record)}."
                return
            record.turn += 1
            record.turn_player = 1 - player
            record.sea_done = record.land_done = record.markers_placed = record.high = record.low = 0
            record.last_marker = -1
            if record.dice:
                return
        update_derived(record)
        if record.choices > 1:
            return
        if record.choices == 1:
            (action,) = _choices(record)
            yield f"Player {record.turn_player} has only one choice: {action_to_string(record, action)}."
            yield from _act(record, action)
        else:
            if record.markers_placed:
                yield "No further marker can be placed."
            else:
                yield f"Player {record.turn_player} cannot place a marker, so there is no land action."
            yield from _finish_land(record)


def _choices(record: Record) -> list[int]:
    """List the legal actions."""
    width, height = size_of(record)
    area = width * height
    squares = [plane * area + square for plane in range(NUM_PLANES) for square in squares_of(record.legal[plane])]
    return squares + [NUM_PLANES * area] * int(record.can_stop)


def _act(record: Record, action: int) -> Iterator[str]:
    """Perform one action on a record and describe its effects."""
    width, height = size_of(record)
    plane, square = divmod(action, width * height)
    if plane > LAND:
        yield from _finish_land(record)
    elif plane == LAND:
        yield from _place(record, square)
        record.markers_placed += 1
        record.last_marker = square
        if record.markers_placed == (record.low if record.dice else record.land_markers):
            yield from _finish_land(record)
    else:
        record.ships[record.turn_player] = square
        if plane != NO_MARKER:
            yield from _place(record, square + (-width, 1, width, -1)[plane])
        yield from _fill(record)
        record.sea_done = 1


def _finish_land(record: Record) -> Iterator[str]:
    yield from _fill(record)
    record.land_done = 1
    record.markers_placed = 0
    record.last_marker = -1


def _place(record: Record, square: int) -> Iterator[str]:
    """Place a marker, and describe enemy land that it replaces and a ship that it closes in."""
    player = int(record.turn_player)
    own, enemy = (set(squares_of(record.land[p])) for p in (player, 1 - player))
    sides = [_open_sides(record, ship) for ship in record.ships.tolist()]
    if square in enemy:
        yield f"The marker replaces land of player {1 - player} on {square_name(square, int(record.width))}."
    record.land[player], record.land[1 - player] = _packed(own | {square}), _packed(enemy - {square})
    for ship in range(2):
        if sides[ship] > 0 and _open_sides(record, int(record.ships[ship])) == 0:
            yield f"Ship {'AB'[ship]} is surrounded: the game ends with this turn."


def _fill(record: Record) -> Iterator[str]:
    """Fill the squares that the turn player's land encloses, and describe the land and ships there."""
    player, size = int(record.turn_player), size_of(record)
    own, enemy = (set(squares_of(record.land[p])) for p in (player, 1 - player))
    inside = _enclosed(own, size)
    left = set(enemy)
    while fallen := {q for q in left & inside if sum(near in left for near in _beside(q, size)) <= 1}:
        left -= fallen
    won, taken = inside - enemy, enemy - left
    if won:
        yield f"Player {player} surrounds {_counted(won, size[0])}: new land of player {player}."
    if taken:
        yield f"Land of player {1 - player} falls to player {player}: {_counted(taken, size[0])}."
    for ship in range(2):
        if int(record.ships[ship]) in inside:
            record.ships[ship] = -1
            yield f"Ship {'AB'[ship]} is surrounded and captured: the game ends with this turn."
    record.land[player], record.land[1 - player] = _packed(own | won | taken), _packed(left)


def _counted(squares: set[int], width: int) -> str:
    """Count squares, and list them if they are few."""
    count = "1 square" if len(squares) == 1 else f"{len(squares)} squares"
    if len(squares) > _MOST_NAMES:
        return count
    return f"{count} ({' '.join(square_name(square, width) for square in sorted(squares))})"


def _enclosed(own: set[int], size: tuple[int, int]) -> set[int]:
    """Return the squares that a player's land cuts off from the edge of the board."""
    width, height = size
    others = set(range(width * height)) - own
    waiting = [q for q in others if q < width or q >= width * (height - 1) or q % width in (0, width - 1)]
    inside = others - set(waiting)
    while waiting:
        near = inside.intersection(_beside(waiting.pop(), size))
        inside -= near
        waiting += near
    return inside


def _beside(square: int, size: tuple[int, int]) -> list[int]:
    """List the squares next to a square."""
    width, height = size
    row, column = divmod(square, width)
    sides = ((row - 1, column), (row, column + 1), (row + 1, column), (row, column - 1))
    return [y * width + x for y, x in sides if 0 <= y < height and 0 <= x < width]


def _open_sides(record: Record, ship: int) -> int:
    """Count the sea squares next to a ship; -1 if the ship is captured."""
    if ship < 0:
        return -1
    land = {*squares_of(record.land[0]), *squares_of(record.land[1])}
    return sum(square not in land for square in _beside(ship, size_of(record)))


def _packed(squares: Iterable[int]) -> Array:
    """Return a board, as an array of words, from its squares."""
    bits = np.zeros(64 * WORDS, np.uint8)
    bits[list(squares)] = 1
    return np.packbits(bits, bitorder="little").view(np.uint64)
