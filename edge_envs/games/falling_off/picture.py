"""Drawn picture of a position of `falling_off`, and the clicks that select each action."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from edge_envs.core.spec import Record
from edge_envs.games.falling_off.actions import FIRST_MOVE
from edge_envs.games.falling_off.draw import headline
from edge_envs.games.falling_off.narration import ORDINALS
from edge_envs.games.falling_off.pieces.sets import (
    DICE_SETS,
    FIRST_SPACE,
    MOVES,
    MOVES_FROM,
    MOVES_TO,
    NUM_DICE,
    OFF,
    PLACES,
    REROLLS,
    START,
)
from edge_envs.games.falling_off.state import OVER, REROLL, ROLL, pawn_places
from edge_envs.pictures.canvas import Canvas
from edge_envs.pictures.colours import CARD, FAINT, GOLD, LAND, MARK, PLAYERS, SHORE, STAR, VOID, colour
from edge_envs.pictures.tokens import badge, die, pawn

WIDTH, TOP, LANE, BOTTOM = 720, 30, 62, 96
LEFT, START_WIDTH, SPACE = 30, 106, 44
FIRST_X = LEFT + START_WIDTH
EDGE = FIRST_X + SPACE * (OFF - FIRST_SPACE)
PAWN = 25
FIELD = colour("#e8d7ac", "#a08b5c")  # a space of a lane
CLOUD = colour("#4b5865", "#8d99a6")
_STARS = tuple(  # multiples of irrational numbers look scattered at random
    (EDGE + 24 + 0.6180 * k % 1 * (WIDTH - EDGE - 30), 0.7549 * k * k % 1) for k in range(1, 90)
)


def size(params: Mapping[str, Any]) -> tuple[float, float]:
    """Return the width and height of the picture in units."""
    return WIDTH, TOP + LANE * params["num_players"] + BOTTOM


def ways(record: Record) -> dict[int, tuple[str, ...]]:
    """Return, for each legal action, the keys to click in order."""
    if record.phase == REROLL:
        return {subset: (_reroll_key(record, subset),) for subset in _subsets(record)}
    player = int(record.turn_player)
    legal = MOVES_FROM[record.pawns[player]] & MOVES_TO[record.dice]
    return {
        FIRST_MOVE + move: tuple(
            f"{kind}-{player}-{place_name(PLACES[index])}"
            for kind, index in zip(("pawn", "space"), MOVES[move], strict=True)
        )
        for move in legal.nonzero()[0].tolist()
    }


def task(record: Record) -> str:
    """Say what the player to act does next and where to click."""
    if record.phase == REROLL:
        return "keep the dice or reroll some of them: click keep, or the dice to reroll."
    return "move a pawn: click the pawn, then its new space."


def label(key: str) -> str | None:
    """Return None: every key has a place in the picture, so no key needs a button."""
    return None


def caption(params: Mapping[str, Any]) -> tuple[float, float, float]:
    """Return the position and width of the event caption: below the dice."""
    return LEFT, size(params)[1] - 6, WIDTH - 2 * LEFT


def paint(record: Record, canvas: Canvas, viewer: int | None = None) -> None:
    """Draw the world with a lane for each player, the void beyond its edge, the headline and the dice."""
    players = int(record.num_players)
    bottom = TOP + LANE * players
    _ground(canvas, bottom)
    for player in range(players):
        _lane(record, canvas, player, TOP + LANE * player)
    if record.phase != OVER:
        turn_player = int(record.turn_player)
        y = TOP + LANE * turn_player
        canvas.rect(
            LEFT - 24, y + 2, EDGE - LEFT + 20, LANE - 4, radius=8, stroke=PLAYERS[turn_player], stroke_width=2.5
        )
    canvas.text(LEFT, bottom + 25, headline(record), size=13.5, bold=True, room=WIDTH - 2 * LEFT)
    _dice(record, canvas, bottom + 60)


def _x(place: int) -> float:
    """Return the x coordinate of the middle of a place."""
    if place == START:
        return LEFT + START_WIDTH / 2
    if place == OFF:
        return (EDGE + 18 + WIDTH) / 2
    return FIRST_X + SPACE * (place - FIRST_SPACE) + SPACE / 2


def _width(place: int) -> float:
    return {START: START_WIDTH - 8, OFF: WIDTH - EDGE - 26}.get(place, SPACE - 4)


def place_name(place: int) -> str:
    """Return the name of a place, as used in keys and above the lanes."""
    return {START: "start", OFF: "off"}.get(place, str(place))


def _ground(canvas: Canvas, bottom: float) -> None:
    canvas.rect(EDGE - 6, TOP - 4, WIDTH - EDGE + 6, bottom - TOP + 8, fill=VOID)
    for nth in range(3):
        dots: list[str | float] = []
        for x, height in _STARS[nth : int(bottom - TOP) // 5 : 3]:
            y = TOP + height * (bottom - TOP)
            dots += ["M", x, y, "L", x + 0.1, y]
        canvas.path(*dots, stroke=STAR, stroke_width=1.2 + 0.7 * nth, round=True)
    edge: list[str | float] = ["M", LEFT, TOP - 4, "L", EDGE, TOP - 4]
    steps = round((bottom - TOP + 8) / 14)
    height = (bottom - TOP + 8) / steps
    for k in range(steps):
        y = TOP - 4 + height * k
        edge += ["L", EDGE + (12 if k % 2 == 0 else 5), y + height * 0.45, "L", EDGE - (3 if k % 3 else 8), y + height]
    canvas.path(*edge, "L", LEFT, bottom + 4, "Z", fill=LAND, stroke=SHORE, stroke_width=2, round=True)
    for place in PLACES:
        canvas.text(_x(place), TOP - 10, place_name(place), size=12, fill=FAINT, anchor="middle", bold=True)


def _lane(record: Record, canvas: Canvas, player: int, y: float) -> None:
    badge(canvas, LEFT - 13, y + LANE / 2, player, size=17)
    if record.phase != OVER and player == record.turn_player and record.turns_owed > 1:
        _storm(canvas, LEFT - 13, y + LANE / 2, int(record.turns_owed))
    places = pawn_places(record, player)
    for place in PLACES:
        if FIRST_SPACE <= place < OFF:
            canvas.rect(_x(place) - SPACE / 2 + 2, y + 6, SPACE - 4, LANE - 12, radius=5, fill=FIELD)
        if count := places.count(place):
            _pawns(canvas, player, place, count, y + LANE / 2)
    fallen = record.fallen[: record.num_fallen].tolist()
    if player in fallen:
        text = f"fell {ORDINALS[fallen.index(player)]}"
        canvas.text(_x(OFF), y + LANE - 7, text, size=9.5, fill=STAR, anchor="middle")
    for place in PLACES:
        x, width = _x(place) - _width(place) / 2, _width(place)
        for kind in ("space", "pawn"):
            canvas.field(f"{kind}-{player}-{place_name(place)}", x, y + 7, width, LANE - 14, radius=5)


def _storm(canvas: Canvas, x: float, y: float, owed: int) -> None:
    """Draw a cloud with lightning above the badge of a player who owes turns, and the number of turns below it."""
    canvas.path(
        "M", x - 9, y - 12, "A", 4, 4, 0, 0, 1, x - 7, y - 19, "A", 6, 6, 0, 0, 1, x + 4, y - 20.5,
        "A", 4.5, 4.5, 0, 0, 1, x + 9, y - 12, "Z", fill=CLOUD, stroke=STAR, stroke_width=1, round=True,
    )  # fmt: skip
    canvas.path(
        "M", x + 1.5, y - 18, "L", x - 3, y - 12.5, "L", x, y - 12.5, "L", x - 2, y - 8, "L", x + 4, y - 14.5,
        "L", x + 0.8, y - 14.5, "Z", fill=GOLD, stroke=VOID, stroke_width=0.6,
    )  # fmt: skip
    canvas.text(x, y + 21, f"×{owed}", size=11, anchor="middle", bold=True)


def _pawns(canvas: Canvas, player: int, place: int, count: int, y: float) -> None:
    name = f"pawn-{player}"
    if place == OFF:
        for k in range(count):
            with canvas.group(_x(OFF) + 22 * (k - (count - 1) / 2), y - 5 + k % 2 * 4, turn=70 + 55 * k):
                pawn(canvas, 0, 0, player, 20)
        return
    wide = count if place == START else min(count, 2)
    for k in range(count):
        row, column = divmod(k, wide)
        rows = -(-count // wide)
        x = _x(place) + (column - (wide - 1) / 2) * (24 if place == START else 18)
        pawn(canvas, x, y + (row - (rows - 1) / 2) * 24, player, PAWN if rows == 1 else 21, piece=name)


def _dice(record: Record, canvas: Canvas, y: float) -> None:
    """Draw the dice on the left and, in the phase `reroll`, a button for each legal reroll beside them."""
    if record.phase in (ROLL, OVER):
        return
    dice = DICE_SETS[record.dice]
    for k in range(NUM_DICE):
        die(canvas, LEFT + 18 + 40 * k, y, dice[k] if k < len(dice) else 0, 32)
    if record.phase != REROLL:
        return
    x = LEFT + 138.0
    for subset in _subsets(record):
        thrown = [dice[i] for i in range(NUM_DICE) if subset >> i & 1]
        width = 30.0 + 20 * len(thrown) if thrown else 54.0
        canvas.rect(x, y - 16, width, 32, radius=7, fill=CARD, stroke=MARK, stroke_width=1.4)
        if thrown:
            _reroll_arrow(canvas, x + 14, y)
            for k, value in enumerate(thrown):
                die(canvas, x + 35 + 20 * k, y, value, 17)
        else:
            canvas.text(x + width / 2, y + 4.5, "keep", size=13, anchor="middle")
        canvas.field(_reroll_key(record, subset), x, y - 16, width, 32, radius=7)
        x += width + 5


def _reroll_arrow(canvas: Canvas, x: float, y: float) -> None:
    """Draw a circular arrow."""
    canvas.path(
        "M", x + 4.5, y - 4.5, "A", 6.3, 6.3, 0, 1, 0, x + 6.3, y + 1, stroke=MARK, stroke_width=1.7, round=True
    )
    canvas.path("M", x + 0.2, y - 4.2, "L", x + 6, y - 3.4, "L", x + 5.6, y - 9, "Z", fill=MARK)


def _subsets(record: Record) -> list[int]:
    """Return the legal reroll subsets."""
    subsets: list[int] = REROLLS[record.dice].nonzero()[0].tolist()
    return subsets


def _reroll_key(record: Record, subset: int) -> str:
    thrown = [str(value) for i, value in enumerate(DICE_SETS[record.dice]) if subset >> i & 1]
    return "-".join(["reroll", *thrown]) if thrown else "keep"
