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
    MOVES_TO_OF,
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
PAWN = 25
_DROPS = 70  # of the rain on a lane
FIELD = colour("#e8d7ac", "#a08b5c")  # a space of a lane
CLOUD = colour("#4b5865", "#8d99a6")
_STARS = tuple((0.6180 * k % 1, 0.7549 * k * k % 1) for k in range(1, 90))  # they look scattered at random


def size(params: Mapping[str, Any]) -> tuple[float, float]:
    """Return the width and height of the picture in units."""
    return WIDTH, TOP + LANE * params["num_players"] + BOTTOM


def ways(record: Record) -> dict[int, tuple[str, ...]]:
    """Return, for each legal action, the keys to click in order."""
    if record.phase == REROLL:
        return {subset: (_reroll_key(record, subset),) for subset in _subsets(record)}
    player = int(record.turn_player)
    legal = MOVES_FROM[record.pawns[player]] & MOVES_TO_OF[record.spaces, record.dice]
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
    players, world = int(record.num_players), World(int(record.spaces))
    bottom = TOP + LANE * players
    ground(canvas, world, bottom)
    for player in range(players):
        _lane(record, canvas, world, player, TOP + LANE * player)
    if record.phase != OVER:
        turn_player = int(record.turn_player)
        y = TOP + LANE * turn_player
        canvas.rect(
            LEFT - 24, y + 2, world.edge - LEFT + 20, LANE - 4, radius=8, stroke=PLAYERS[turn_player], stroke_width=2.5
        )
    canvas.text(LEFT, bottom + 25, headline(record), size=13.5, bold=True, room=WIDTH - 2 * LEFT)
    _dice(record, canvas, bottom + 60)


class World:
    """The places of a lane, and where they are drawn."""

    def __init__(self, spaces: int) -> None:
        self.places = (START, *range(FIRST_SPACE, FIRST_SPACE + spaces), OFF)
        self.edge = FIRST_X + SPACE * spaces

    def x(self, place: int) -> float:
        """Return the x coordinate of the middle of a place."""
        if place == START:
            return LEFT + START_WIDTH / 2
        if place == OFF:
            return (self.edge + 18 + WIDTH) / 2
        return FIRST_X + SPACE * (place - FIRST_SPACE) + SPACE / 2

    def width(self, place: int) -> float:
        """Return the width of a place."""
        return {START: START_WIDTH - 8, OFF: WIDTH - self.edge - 26}.get(place, SPACE - 4)


def place_name(place: int) -> str:
    """Return the name of a place, as used in keys and above the lanes."""
    return {START: "start", OFF: "off"}.get(place, str(place))


def ground(canvas: Canvas, world: World, bottom: float) -> None:
    """Draw the earth, its edge, the void behind it, and the names of the places."""
    right = world.edge
    canvas.rect(right - 6, TOP - 4, WIDTH - right + 6, bottom - TOP + 8, fill=VOID)
    for nth in range(3):
        dots: list[str | float] = []
        for across, height in _STARS[nth : int(bottom - TOP) // 5 : 3]:
            x = right + 24 + across * (WIDTH - right - 30)
            y = TOP + height * (bottom - TOP)
            dots += ["M", x, y, "L", x + 0.1, y]
        canvas.path(*dots, stroke=STAR, stroke_width=1.2 + 0.7 * nth, round=True)
    edge: list[str | float] = ["M", LEFT, TOP - 4, "L", right, TOP - 4]
    steps = round((bottom - TOP + 8) / 14)
    height = (bottom - TOP + 8) / steps
    for k in range(steps):
        y = TOP - 4 + height * k
        edge += [
            "L",
            right + (12 if k % 2 == 0 else 5),
            y + height * 0.45,
            "L",
            right - (3 if k % 3 else 8),
            y + height,
        ]
    canvas.path(*edge, "L", LEFT, bottom + 4, "Z", fill=LAND, stroke=SHORE, stroke_width=2, round=True)
    for place in world.places:
        canvas.text(world.x(place), TOP - 10, place_name(place), size=12, fill=FAINT, anchor="middle", bold=True)


def _lane(record: Record, canvas: Canvas, world: World, player: int, y: float) -> None:
    badge(canvas, LEFT - 13, y + LANE / 2, player, size=17)
    if record.phase != OVER and player == record.turn_player and record.turns_owed > 1:
        storm(canvas, LEFT - 13, y + LANE / 2, int(record.turns_owed))
    places = pawn_places(record, player)
    for place in world.places:
        if FIRST_SPACE <= place < OFF:
            canvas.rect(world.x(place) - SPACE / 2 + 2, y + 6, SPACE - 4, LANE - 12, radius=5, fill=FIELD)
    if record.phase != OVER and player == record.turn_player and record.turns_owed > 1:
        canvas.path(*_rain(y, world.edge), stroke=CLOUD, stroke_width=1.6, opacity=0.75, round=True)
    for place in world.places:
        if count := places.count(place):
            _pawns(canvas, world.x(place), player, place, count, y + LANE / 2)
    fallen = record.fallen[: record.num_fallen].tolist()
    if player in fallen:
        text = f"fell {ORDINALS[fallen.index(player)]}"
        canvas.text(world.x(OFF), y + LANE - 7, text, size=9.5, fill=STAR, anchor="middle")
    for place in world.places:
        x, width = world.x(place) - world.width(place) / 2, world.width(place)
        for kind in ("space", "pawn"):
            canvas.field(f"{kind}-{player}-{place_name(place)}", x, y + 7, width, LANE - 14, radius=5)


def storm(canvas: Canvas, x: float, y: float, owed: int) -> None:
    """Draw a cloud with lightning above the badge of a player who owes turns, and the number of turns below it."""
    with canvas.group(x, y, storm=owed):
        canvas.path(
            "M", -9, -12, "A", 4, 4, 0, 0, 1, -7, -19, "A", 6, 6, 0, 0, 1, 4, -20.5,
            "A", 4.5, 4.5, 0, 0, 1, 9, -12, "Z", fill=CLOUD, stroke=STAR, stroke_width=1, round=True,
        )  # fmt: skip
        canvas.path(
            "M", 1.5, -18, "L", -3, -12.5, "L", 0, -12.5, "L", -2, -8, "L", 4, -14.5,
            "L", 0.8, -14.5, "Z", fill=GOLD, stroke=VOID, stroke_width=0.6,
        )  # fmt: skip
        canvas.text(0, 21, f"×{owed}", size=11, anchor="middle", bold=True)


def _rain(y: float, edge: float) -> list[str | float]:
    """Return the strokes of the rain on the lane of a player who owes turns, until all of them are paid."""
    strokes: list[str | float] = []
    for k in range(_DROPS):
        x, top = LEFT + 8 + 0.6180 * k % 1 * (edge - LEFT - 24), y + 6 + 0.7549 * k * k % 1 * (LANE - 26)
        strokes += ["M", x + 4, top, "l", -4, 11]
    return strokes


def _pawns(canvas: Canvas, middle: float, player: int, place: int, count: int, y: float) -> None:
    name = f"pawn-{player}"
    if place == OFF:
        for k in range(count):
            x = middle + 22 * (k - (count - 1) / 2)
            with canvas.group(x, y - 5 + k % 2 * 4, turn=70 + 55 * k, piece=name, motion="fall"):
                pawn(canvas, 0, 0, player, 20)
        return
    wide = count if place == START else min(count, 2)
    for k in range(count):
        row, column = divmod(k, wide)
        rows = -(-count // wide)
        x = middle + (column - (wide - 1) / 2) * (24 if place == START else 18)
        pawn(canvas, x, y + (row - (rows - 1) / 2) * 24, player, PAWN if rows == 1 else 21, piece=name)


def _dice(record: Record, canvas: Canvas, y: float) -> None:
    """Draw the dice on the left and, in the phase `reroll`, a button for each legal reroll beside them."""
    if record.phase in (ROLL, OVER):
        return
    dice = DICE_SETS[record.dice]
    for k in range(int(record.num_dice)):
        value = dice[k] if k < len(dice) else 0
        piece = f"die-{record.turn_player}-{record.turns_owed}-{k}-{value}" if value else None
        die(canvas, LEFT + 18 + 40 * k, y, value, 32, piece)
    if record.phase != REROLL:
        return
    x = LEFT + 138.0
    for subset in _subsets(record):
        thrown = [dice[i] for i in range(len(dice)) if subset >> i & 1]
        width = 30.0 + 20 * len(thrown) if thrown else 54.0
        canvas.rect(x, y - 16, width, 32, radius=7, fill=CARD, stroke=MARK, stroke_width=1.4)
        if thrown:
            reroll_arrow(canvas, x + 14, y)
            for k, value in enumerate(thrown):
                die(canvas, x + 35 + 20 * k, y, value, 17)
        else:
            canvas.text(x + width / 2, y + 4.5, "keep", size=13, anchor="middle")
        canvas.field(_reroll_key(record, subset), x, y - 16, width, 32, radius=7)
        x += width + 5


def reroll_arrow(canvas: Canvas, x: float, y: float) -> None:
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
