"""The drawn picture of a position of `over_the_edge`, and the clicks of each action."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from edge_envs.core.spec import Record
from edge_envs.games.over_the_edge import actions
from edge_envs.games.over_the_edge.draw import count_of_cards, headline
from edge_envs.games.over_the_edge.map.atlas import map_of
from edge_envs.games.over_the_edge.pieces.cards import (
    DEAD_CALM,
    FAIR_WEATHER,
    FAVORABLE_WINDS,
    LOYAL_CREW,
    MUTINY,
    SCURVY,
    SET,
    SEVERE_DAMAGE,
    STORMY_SEAS,
    counts_of,
)
from edge_envs.games.over_the_edge.pieces.deck import KINDS, NUM_KINDS
from edge_envs.games.over_the_edge.state import (
    ANSWER,
    BOARD,
    DEPART,
    DISCARD,
    GIVE,
    HOME,
    MAP,
    OVER,
    PLAY,
    SECOND_STEP,
    SETS,
    TAKE,
    TRIM,
    has_fallen,
    winding_of,
)
from edge_envs.games.over_the_edge.views.disc import BOTTOM, paint_disc
from edge_envs.games.over_the_edge.views.hands import (
    CARD_HEIGHT,
    CARD_WIDTH,
    COLOURS,
    EFFECTS,
    card_key,
    cards,
    stack_of,
)
from edge_envs.pictures import letters
from edge_envs.pictures.canvas import Canvas
from edge_envs.pictures.colours import BLACK, CARD, FAINT, GOLD, INK, LAST, ON_PLAYERS, PLAYERS, SHALLOWS

WIDTH, ROW, HEAP = 640, 43, 20
LEFT, FIRST_CARD, COLUMN = 14, 160, 58
HEADLINE, TABLE = BOTTOM + 27, BOTTOM + 61  # the baseline of the headline, and the top of the rows of ships
DIAL = 15.5
_BELOW = 12
_TEXTS_LEFT = LEFT + 48  # the left edge of the texts about a ship
_BUTTONS = {
    "calm": "calm: discard three dead_calm and a stormy_seas",
    "wait": "wait",
    "no-boarding": "no boarding",
    "accept": "accept",
    "refuse": "refuse",
}
_DRIFTS = (SCURVY, STORMY_SEAS, SEVERE_DAMAGE)


def size(params: Mapping[str, Any]) -> tuple[float, float]:
    """Return the width and height of the picture in units."""
    height = math.ceil(TABLE + ROW * params["num_players"] + 2 * HEAP + _BELOW)
    return WIDTH, height + height % 2


def task(record: Record) -> str:
    """Return the task of the player to act, and where to click."""
    mover, target = f"player {record.turn_player}", f"player {record.target}"
    taken, given = (KINDS[int(kind)] for kind in (record.taken, record.given))
    calm = ", or click calm" if ("calm",) in ways(record).values() else ""
    return {
        HOME: "choose your home port: click it.",
        TRIM: f"discard down to {count_of_cards(record.hand_size)}: click one of your cards.",
        DISCARD: "discard a card: click one of yours.",
        DEPART: "leave the port: click a card, then the space to sail to; or click wait.",
        PLAY: f"sail: click a card, then the space to sail to{calm}; or click wait.",
        SECOND_STEP: "sail the second step: click a space.",
        SETS: f"sets of three take effect: click the first one{calm}."
        if calm
        else "several sets of three take effect: click the first one.",
        BOARD: "board a ship in your space: click it; or click no boarding.",
        TAKE: f"take a card: click one of {target}.",
        GIVE: f"give a card for the {taken} that you take: click one of yours.",
        ANSWER: f"{mover} takes {taken} from you and gives {given}: click accept or refuse.",
    }[int(record.phase)]


def label(key: str) -> str | None:
    """Return the text of the button for a key without a place in the picture, else None."""
    return _BUTTONS.get(key)


# Clicks


def ways(record: Record) -> dict[int, tuple[str, ...]]:
    """Return the keys to click, in order, for each legal action."""
    return dict(_ways(record))


def _ways(record: Record) -> Iterator[tuple[int, tuple[str, ...]]]:
    chart, phase, mover = map_of(record), int(record.phase), int(record.turn_player)
    ports, spaces = int(record.num_ports), int(record.num_spaces)
    first_sail = ports + NUM_KINDS
    others = first_sail + 3 * spaces
    if phase == HOME:
        for number, port in enumerate(chart.ports):
            yield number, (_space_key(record, port),)
    elif phase in (TRIM, DISCARD):
        yield from _kinds(record, ports, mover)
    elif phase in (DEPART, PLAY):
        hand = counts_of(record.hands[mover])
        for number, kind in enumerate((FAIR_WEATHER, FAVORABLE_WINDS)):
            if hand[kind]:
                yield from _steps(record, first_sail + number * spaces, card_key(mover, kind))
        if phase == PLAY and hand[DEAD_CALM] >= SET and hand[STORMY_SEAS]:
            yield others + actions.CALM, ("calm",)
        yield others + actions.WAIT, ("wait",)
    elif phase == SECOND_STEP:
        yield from _steps(record, first_sail + 2 * spaces)
    elif phase == SETS:
        decider = int(record.decider)
        for kind in acting_kinds(counts_of(record.hands[decider])):
            yield others + actions.FIRST_SET + kind, (card_key(decider, kind),)
        hand = counts_of(record.hands[decider])
        if record.calm_saves and min(hand[DEAD_CALM], hand[STORMY_SEAS]) >= SET:
            yield others + actions.CALM, ("calm",)
    elif phase == BOARD:
        for player in range(int(record.num_players)):
            if player != mover and record.space[player] == record.space[mover] and record.hands[player]:
                yield others + actions.FIRST_BOARD + player, (f"ship-{player}",)
        yield others + actions.NO_BOARDING, ("no-boarding",)
    elif phase == TAKE:
        yield from _kinds(record, others + actions.FIRST_TAKE, int(record.target))
    elif phase == GIVE:
        yield from _kinds(record, others + actions.FIRST_GIVE, mover)
    elif phase == ANSWER:
        yield others + actions.ACCEPT, ("accept",)
        yield others + actions.REFUSE, ("refuse",)


def _kinds(record: Record, first: int, owner: int) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Yield an action for each kind that a player holds."""
    for kind, count in enumerate(counts_of(record.hands[owner])):
        if count:
            yield first + kind, (card_key(owner, kind),)


def _steps(record: Record, first: int, *before: str) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Yield an action for each step of the turn player's ship, after the keys `before`."""
    for space in map_of(record).neighbours[record.space[record.turn_player]]:
        yield first + space, (*before, _space_key(record, space))


def _space_key(record: Record, space: int) -> str:
    return f"space-{map_of(record).spaces[space].id}"


def acting_kinds(hand: list[int]) -> list[int]:
    """Return the kinds whose sets of three in a hand take effect at sea."""
    acting = _DRIFTS if hand[LOYAL_CREW] else (MUTINY, *_DRIFTS)
    return [kind for kind in acting if hand[kind] >= SET]


# Painting


def caption(params: Mapping[str, Any]) -> tuple[float, float, float]:
    """Return the position and width of the line with the latest events, below the headline."""
    return LEFT, HEADLINE + 16, WIDTH - 2 * LEFT


def paint(record: Record, canvas: Canvas, viewer: int | None = None) -> None:
    """Draw the disc with its ships, the headline, a row of cards for each ship, and the heaps."""
    mover = _decider(record)
    if record.phase != MAP:
        paint_disc(record, canvas, mover)
    canvas.text(LEFT, HEADLINE, headline(record), size=13, bold=True, room=WIDTH - 2 * LEFT)
    canvas.text(_TEXTS_LEFT, TABLE - 5, "place, rounds sailed", size=8, fill=FAINT)
    for kind, effect in enumerate(EFFECTS):
        x = FIRST_CARD + COLUMN * kind + CARD_WIDTH / 2
        canvas.text(x + 5, TABLE - 5, effect, size=8, fill=FAINT, anchor="middle", room=COLUMN - 4)
    for player in range(int(record.num_players)):
        _row(record, canvas, player, TABLE + ROW * player, player == mover)
    y = TABLE + ROW * int(record.num_players) + 4
    for name, heap in (("deck", record.deck), ("discards", record.discards)):
        _heap(canvas, name, counts_of(heap), y)
        y += HEAP


def _decider(record: Record) -> int:
    """Return the player whose ship is highlighted: the one to act or draw, or the winner; -1 if there is none."""
    phase = int(record.phase)
    who = {OVER: record.winner, SETS: record.decider, ANSWER: record.target}
    return int(who.get(phase, record.turn_player))


def _row(record: Record, canvas: Canvas, player: int, y: float, stands_out: bool) -> None:
    """Draw the row of a ship: its progress round the world, its place and its cards."""
    if stands_out:
        frame = GOLD if record.phase == OVER else PLAYERS[player]
        canvas.rect(
            LEFT - 7, y + 1, WIDTH - 2 * LEFT + 14, ROW - 2, radius=8, fill=CARD, stroke=frame, stroke_width=2.2
        )
    elif player:
        canvas.line(LEFT, y, WIDTH - LEFT, y, stroke=SHALLOWS)
    _dial(record, canvas, player, LEFT + 22, y + ROW / 2)
    room = FIRST_CARD - _TEXTS_LEFT - 8
    first, second, third = _ship_texts(record, player)
    reach = letters.length(f"{second} ", 9.5) if second else 0.0
    canvas.text(_TEXTS_LEFT, y + 19, first, size=12, bold=True, room=room)
    canvas.text(_TEXTS_LEFT, y + 33, second, size=9.5, fill=FAINT, room=room)
    canvas.text(_TEXTS_LEFT + reach, y + 33, third, size=9.5, fill=FAINT, room=room - reach)
    hand, top = counts_of(record.hands[player]), y + (ROW - CARD_HEIGHT) / 2
    for kind, count in enumerate(hand):
        x = FIRST_CARD + COLUMN * kind
        if count:
            named = _is_named(record, player, kind)
            near = kind in (MUTINY, *_DRIFTS) and count >= SET - 1
            cards(canvas, kind, count, x, top, LAST if named else BLACK if not near else INK, named or near)
        canvas.field(card_key(player, kind), x, top, CARD_WIDTH, CARD_HEIGHT, radius=4)


def _ship_texts(record: Record, player: int) -> tuple[str, str, str]:
    """Return the place of a ship, its progress, and its home."""
    chart, space, home = map_of(record), int(record.space[player]), int(record.home[player])
    if home < 0:
        return "no home yet", "", ""
    port = chart.spaces[home].port
    if has_fallen(record, player):
        return "over the edge", "", f"from {port}"
    if record.winner == player:
        return "home: wins", _rounds(record, player), f"from {port}"
    here = chart.spaces[space]
    skips = f", skips {int(record.skip[player])}" if record.skip[player] else ""
    return f"{here.port or here.id}{skips}", _rounds(record, player), f"from {port}"


def _rounds(record: Record, player: int) -> str:
    """Return the progress of a ship round the world, clockwise, in rounds."""
    rounds = float(winding_of(record, player) / map_of(record).sectors)
    return f"{rounds:+.2f}" if rounds else "0"


def _is_named(record: Record, player: int, kind: int) -> bool:
    """Return whether the current boarding has named this kind of a player's cards."""
    if player == record.target:
        return kind == record.taken
    return player == record.turn_player and kind == record.given


def _dial(record: Record, canvas: Canvas, player: int, x: float, y: float) -> None:
    """Draw a player's number in a small disc, surrounded by the ship's progress round the world."""
    canvas.circle(x, y, DIAL - 2, stroke=SHALLOWS, stroke_width=4)
    space, home = int(record.space[player]), int(record.home[player])
    if space >= 0:
        chart = map_of(record)
        start = 2 * math.pi * float(chart.spaces[home].angle) / chart.sectors
        turned = 2 * math.pi * float(winding_of(record, player)) / chart.sectors
        _arc(canvas, player, x, y, start, turned)
    canvas.circle(x, y, 10, fill=PLAYERS[player])
    canvas.text(x, y + 5, str(player), size=14, fill=ON_PLAYERS[player], anchor="middle", bold=True)


def _arc(canvas: Canvas, player: int, x: float, y: float, start: float, turned: float) -> None:
    """Draw the progress on a dial from the home's angle on, with a mark at home; more than a round is drawn as one."""
    radius = DIAL - 2
    if abs(turned) >= 2 * math.pi - 1e-9:
        canvas.circle(x, y, radius, stroke=PLAYERS[player], stroke_width=4)
    elif turned:
        path = _on_dial(x, y, radius, start), _on_dial(x, y, radius, start + turned)
        sweep = (int(abs(turned) > math.pi), int(turned > 0))
        canvas.path("M", *path[0], "A", radius, radius, 0, *sweep, *path[1], stroke=PLAYERS[player], stroke_width=4)
    inner, outer = _on_dial(x, y, radius - 2.5, start), _on_dial(x, y, radius + 3.5, start)
    canvas.line(*inner, *outer, stroke=INK, stroke_width=1.8)


def _on_dial(x: float, y: float, radius: float, turn: float) -> tuple[float, float]:
    return x + radius * math.sin(turn), y - radius * math.cos(turn)


def _heap(canvas: Canvas, name: str, counts: list[int], y: float) -> None:
    """Draw the row of a heap: the number of cards of each kind."""
    middle = y + HEAP / 2
    number = sum(counts)
    canvas.text(LEFT, middle + 4, name, size=11, bold=True)
    canvas.text(
        FIRST_CARD - 8, middle + 4, f"{number} card{'' if number == 1 else 's'}", size=10, fill=FAINT, anchor="end"
    )
    for kind, count in enumerate(counts):
        x = FIRST_CARD + COLUMN * kind
        if count:
            stack = stack_of(kind, count)
            canvas.rect(x, y + 2, CARD_WIDTH, HEAP - 4, radius=4, fill=COLOURS[kind], data=stack)
            canvas.text(x + CARD_WIDTH / 2, middle + 4, str(count), size=11, fill=BLACK, anchor="middle")
        else:
            canvas.line(x + CARD_WIDTH / 2 - 3, middle, x + CARD_WIDTH / 2 + 3, middle, stroke=FAINT)
