"""The text picture of a position of `over_the_edge`: the disc unrolled, and the cards.

Each ring of the disc is a row, with the inner ring on top and the void below the rim. Each sector is a column; the last
one is next to the first. A wide disc is printed in pieces.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from edge_envs.core.spec import Record
from edge_envs.games.over_the_edge.map.atlas import map_of, maps_of
from edge_envs.games.over_the_edge.map.charts import Map, Space
from edge_envs.games.over_the_edge.narration import result
from edge_envs.games.over_the_edge.pieces.cards import counts_of
from edge_envs.games.over_the_edge.pieces.deck import KINDS
from edge_envs.games.over_the_edge.state import (
    ANSWER,
    BOARD,
    DEAL,
    DEPART,
    DISCARD,
    DRAW,
    END_TURN,
    GIVE,
    HOME,
    MAP,
    OVER,
    PLAY,
    REFILL,
    SECOND_STEP,
    SETS,
    TAKE,
    TRIM,
    has_fallen,
    winding_of,
)

PORT, LAND = "*", "▒"
LEGEND = f"{PORT} port   (0) ship of player 0   {LAND} land   ═ ║ brown line"
WIDEST = 120
"""The largest width of a line of the disc, in characters."""
LEAST_CELL, WIDEST_CELL = 4, 10
LABEL_LINES = 2
"""The number of lines for an id. A longer id is cut off."""

_LAND, _OUTSIDE = -1, -2  # owners of cells outside the spaces
_PLAIN, _BROWN = 1, 2  # lines between cells
_UP, _RIGHT, _DOWN, _LEFT = 1, 2, 4, 8
_LINES = {_PLAIN: " ╵╶└╷│┌├╴┘─┴┐┤┬┼", _BROWN: " ║═╚║║╔╠═╝═╩╗╣╦╬"}  # indexed by directions


def picture(record: Record) -> str:
    """Return the disc with its ships, the ports, a line per ship, the heaps, and the current task."""
    found = maps_of(record)
    if found is not None and record.phase == MAP:
        return "\n".join([f"{found.name}, {len(found.maps)} maps", "", headline(record)])
    chart = map_of(record)
    names = [f"{name} {chart.spaces[port].id}" for name, port in zip(chart.port_names, chart.ports, strict=True)]
    ships = [_ship(record, player) for player in range(record.num_players)]
    return "\n".join(
        [
            f"{chart.name}   {LEGEND}",
            *disc(chart, ships_by_space(record)),
            f"ports: {', '.join(names)}",
            "",
            *_aligned([("", "space", "home", "winding", "skip", "hand"), *ships]),
            "",
            *_aligned([("", *KINDS), _heap("deck", record.deck), _heap("discards", record.discards)]),
            "",
            headline(record),
        ]
    )


def ships_by_space(record: Record) -> dict[int, str]:
    """Return the players whose ships are in each occupied space, as a string of digits."""
    ships: dict[int, str] = {}
    for player, space in enumerate(record.space[: record.num_players].tolist()):
        if space >= 0:
            ships[space] = ships.get(space, "") + str(player)
    return ships


# The disc


def disc(chart: Map, ships: Mapping[int, str]) -> list[str]:
    """Return the lines of a map's picture, with ships in some of its spaces."""
    drawing = _Disc(chart, ships)
    room = (WIDEST - drawing.margin - 1) // (drawing.width + 1)
    pieces = -(-chart.sectors // room)
    columns = -(-chart.sectors // pieces)
    starts = range(0, chart.sectors, columns)
    return [line for start in starts for line in drawing.piece(start, min(start + columns, chart.sectors))]


class _Disc:
    """A map drawn with cells of equal width."""

    def __init__(self, chart: Map, ships: Mapping[int, str]) -> None:
        self.chart, self.ships = chart, ships
        spaces = [(number, space) for number, space in enumerate(chart.spaces) if space.cells]
        self.owners = {cell: number for number, space in enumerate(chart.spaces) for cell in space.cells}
        self.labels = {_first_cell(space, chart.sectors): number for number, space in spaces}
        longest = max(len(space.id) + (space.port is not None) for _, space in spaces)
        self.width = max(LEAST_CELL, min(longest, WIDEST_CELL), len(str(chart.sectors)))
        self.margin = len(str(chart.rings)) + 1

    def piece(self, start: int, stop: int) -> list[str]:
        """Return the lines of the sectors from `start` up to, not including, `stop`."""
        lines = [" " * (self.margin + 1) + "".join(f"{s:<{self.width + 1}}" for s in range(start, stop)).rstrip()]
        for ring in range(self.chart.rings):
            rows = self._cells(ring, start, stop)
            heads = [str(ring), *[""] * (len(rows) - 1)]
            lines.append(" " * self.margin + self._border(ring, start, stop))
            lines += [f"{head:<{self.margin}}{row}" for head, row in zip(heads, rows, strict=True)]
        border = self._border(self.chart.rings, start, stop)
        return [*lines, " " * self.margin + border, " " * self.margin + " the void ".center(len(border), "~")]

    def _owner(self, ring: int, sector: int) -> int:
        if not 0 <= ring < self.chart.rings:
            return _OUTSIDE
        return self.owners.get((ring, sector % self.chart.sectors), _LAND)

    def _side(self, one: int, other: int) -> int:
        """Return the kind of line between cells of two owners; 0 for none."""
        if one == other:
            return 0
        return _BROWN if min(one, other) >= 0 and other not in self.chart.neighbours[one] else _PLAIN

    def _border(self, ring: int, start: int, stop: int) -> str:
        """Return the line above a ring, or below the rim."""
        text = ""
        for sector in range(start, stop):
            text += self._corner(ring, sector, hidden=_LEFT if sector == start else 0)
            above, below = self._owner(ring - 1, sector), self._owner(ring, sector)
            text += _line(self._side(above, below), _LEFT | _RIGHT, below) * self.width
        return text + self._corner(ring, stop, hidden=_RIGHT)

    def _corner(self, ring: int, sector: int, hidden: int) -> str:
        """Return the character above a ring and before a sector. The line in the direction `hidden` is not drawn."""
        (before, here), (below_before, below) = (
            [self._owner(r, s) for s in (sector - 1, sector)] for r in (ring - 1, ring)
        )
        sides = {
            _UP: self._side(before, here),
            _RIGHT: self._side(here, below),
            _DOWN: self._side(below_before, below),
            _LEFT: self._side(before, below_before),
        }
        ways = [way for way, side in sides.items() if side and way != hidden]
        brown = all(sides[way] == _BROWN for way in ways)
        return _line(_BROWN if brown else _PLAIN, sum(ways), below)

    def _cells(self, ring: int, start: int, stop: int) -> list[str]:
        """Return the lines of a ring: the lines between its cells, land, ids and ships."""
        empty = ""
        for sector in range(start, stop):
            owner = self._owner(ring, sector)
            empty += _line(self._side(self._owner(ring, sector - 1), owner), _UP | _DOWN, owner)
            empty += _line(0, 0, owner) * self.width
        last, following = self._owner(ring, stop - 1), self._owner(ring, stop)
        empty += _line(self._side(last, following), _UP | _DOWN, following)
        texts = {
            (sector - start) * (self.width + 1) + 1: self._text(ring, sector, stop)
            for sector in range(start, stop)
            if (ring, sector) in self.labels
        }
        rows = [list(empty) for _ in range(max([2, *map(len, texts.values())]))]
        for at, lines in texts.items():
            for row, line in zip(rows, lines, strict=False):
                row[at : at + len(line)] = line
        return ["".join(row) for row in rows]

    def _text(self, ring: int, sector: int, stop: int) -> list[str]:
        """Return the text in a space from a cell on, as wide as the space extends to the right."""
        number = self.labels[ring, sector]
        end = sector + 1
        while end < stop and self._owner(ring, end) == number:
            end += 1
        room = (end - sector) * (self.width + 1) - 1
        space = self.chart.spaces[number]
        mark = PORT if space.port is not None else ""
        ships = [f"({some})" for some in _split(self.ships.get(number, ""), room - 2)]
        return _split(_cut(space.id, LABEL_LINES * room - len(mark)) + mark, room) + ships


def _first_cell(space: Space, sectors: int) -> tuple[int, int]:
    """Return the cell with the label of a space: the first one, going clockwise, in its inner ring."""
    own = {sector for _, sector in space.cells}
    first = next(sector for sector in own if (sector - 1) % sectors not in own)
    return min(space.cells, key=lambda cell: (cell[0], (cell[1] - first) % sectors))


def _line(kind: int, ways: int, owner: int) -> str:
    """Return a character with lines of a kind in some directions; without lines, the filling of the owner's cells."""
    return _LINES[kind][ways] if kind and ways else LAND if owner == _LAND else " "


def _cut(text: str, length: int) -> str:
    return text if len(text) <= length else text[: length - 1] + "…"


def _split(text: str, width: int) -> list[str]:
    return [text[start : start + width] for start in range(0, len(text), width)]


# Below the disc


def _ship(record: Record, player: int) -> tuple[str, ...]:
    """Return the row of a ship in the table of ships."""
    chart, space, home = map_of(record), int(record.space[player]), int(record.home[player])
    fallen = has_fallen(record, player)
    return (
        f"player {player}",
        "fallen" if fallen else chart.spaces[space].id if space >= 0 else "-",
        chart.spaces[home].port or "" if home >= 0 else "-",
        str(winding_of(record, player)),
        str(record.skip[player]),
        _cards(record.hands[player]),
    )


def _aligned(rows: Sequence[Sequence[str]]) -> Iterable[str]:
    """Yield the lines of a table, with two blanks between columns."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()


def _cards(hand: int) -> str:
    """Return a hand in words, such as `2 fair_weather, 1 mutiny`."""
    return ", ".join(f"{count} {kind}" for kind, count in zip(KINDS, counts_of(hand), strict=True) if count) or "-"


def _heap(name: str, heap: int) -> tuple[str, ...]:
    """Return the row of a heap in the table of kinds."""
    return name, *(str(count or "-") for count in counts_of(heap))


def count_of_cards(count: int) -> str:
    """Return a number of cards in words: `1 card`, `5 cards`."""
    return f"{count} card{'' if count == 1 else 's'}"


def headline(record: Record) -> str:
    """Return whose turn it is and what the player to act must do, or how the game ended."""
    if record.phase == OVER:
        return f"over: {result(record)}"
    turn_player, phase, target = int(record.turn_player), int(record.phase), f"player {record.target}"
    if phase == MAP:
        return "before the first turn, the map is drawn"
    hand = count_of_cards(record.hand_size)
    to_do = {
        HOME: "picks a home port",
        DEAL: f"is dealt {hand}",
        TRIM: f"discards, card by card, to {record.hand_size}",
        REFILL: f"draws to {hand}",
        DRAW: "draws a card",
        DISCARD: "discards a card",
        DEPART: "sails, or stays in port",
        PLAY: "plays cards, or waits",
        SECOND_STEP: "makes the second step of favorable_winds",
        SETS: "names the set of three that acts",
        BOARD: "may board a ship",
        TAKE: f"boards {target} and names the card to take",
        GIVE: f"takes {KINDS[record.taken]} from {target} and names the card to give",
        ANSWER: f"gives {KINDS[record.taken]} for {KINDS[record.given]}, or refuses",
    }[phase]
    who = {SETS: int(record.decider), ANSWER: int(record.target)}.get(phase, turn_player)
    whose = "" if who == turn_player else f", in the turn of player {turn_player},"
    when = "before the first turn" if phase in (HOME, DEAL) else f"turn {record.turn + 1} of {record.max_turns}"
    then = {PLAY: "; then the turn goes on", SECOND_STEP: "; then the second step", END_TURN: "; then the turn ends"}
    return f"{when}, player {who}{whose} {to_do}{then.get(int(record.then), '')}"
