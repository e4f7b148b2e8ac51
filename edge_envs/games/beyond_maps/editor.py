"""Positions of `beyond_maps` by clicks.

Every position that the game accepts can be made: land, ships, turn, actions and roll are set one by one, in any order.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from edge_envs.core.game import Game
from edge_envs.core.interactive.editor import Document, PositionEditor, Tool, number
from edge_envs.games.beyond_maps import GAME
from edge_envs.games.beyond_maps.position import most_placed
from edge_envs.games.beyond_maps.state import HIGHEST_DIE, square_name

_SQUARE = "sq-"
_BOARD = (
    *(Tool(f"land-{player}", f"land of player {player}", "put", _SQUARE) for player in range(2)),
    *(Tool(f"ship-{player}", f"ship {player}", "put", _SQUARE) for player in range(2)),
    Tool("take", "take away", "put", _SQUARE),
)
_TURN = (
    *(Tool(f"turn-{player}", f"player {player}", "whose turn") for player in range(2)),
    Tool("turns", "turns completed", "whose turn", asks="how many turns were completed before this one"),
)
_TO_DO = (
    Tool("sea-land", "sea and land", "to do"),
    Tool("sea", "sea", "to do"),
    Tool("land", "land", "to do"),
    Tool("nothing", "nothing: the game is over", "to do"),
)
_UNDER_WAY = (
    Tool("marker", "last marker placed", "land action under way", _SQUARE),
    Tool("markers", "markers placed", "land action under way", asks="how many markers the land action has placed"),
)
_DICE = (
    *(Tool(f"high-{value}", str(value), "higher die") for value in range(1, HIGHEST_DIE + 1)),
    *(Tool(f"low-{value}", str(value), "lower die") for value in range(1, HIGHEST_DIE + 1)),
    Tool("no-roll", "not rolled", "lower die"),
)


class BeyondMapsEditor(PositionEditor):
    """Ships never lie on land, nor on each other; all else is as it is clicked."""

    def fit(self, document: Document, params: Mapping[str, Any]) -> None:
        """Cut the board at its right and lower edge, or add to it there; without dice there is no roll."""
        game = Game(self.game_type, params)
        side = game.params["size"]
        rows = [row[:side].ljust(side, ".") for row in document["board"][:side]]
        document["board"] = rows + ["." * side] * (side - len(rows))
        known = _squares(side)
        document["ships"] = [ship if ship in known else None for ship in document["ships"]]
        document["turn"] = min(document["turn"], game.params["max_turns"] - 1)
        if not game.params["dice"]:
            document["roll"] = None
        document["params"] = game.params_dict()
        most = most_placed(game.new_records(1)[0])
        if document["last_marker"] not in known or document["markers_placed"] > most:
            _end_land_action(document)

    def tools(self, document: Document) -> list[Tool]:
        """Those of the dice where there are any, and those of land actions under way unless one marker ends them."""
        under_way = _UNDER_WAY if most_placed(self._sketch(document)) else ()
        return [*_BOARD, *_TURN, *_TO_DO, *under_way, *(_DICE if document["params"]["dice"] else ())]

    def places(self, document: Document) -> dict[str, str]:
        """All squares, and what lies on them."""
        texts = {".": "", "0": ": land of player 0", "1": ": land of player 1"}
        places = {
            _SQUARE + name: name + texts[document["board"][row][column]]
            for name, (row, column) in _squares(len(document["board"])).items()
        }
        for player, ship in enumerate(document["ships"]):
            if ship is not None:
                places[_SQUARE + ship] += f": ship {player}"
        return places

    def place_of(self, document: Document, entry: str) -> str | None:
        """The last marker, or a ship."""
        named = {"last_marker": [document["last_marker"]], "ships": document["ships"]}.get(entry, [])
        return next((_SQUARE + square for square in named if square is not None), None)

    def change(self, document: Document, tool: Tool, key: str, text: str) -> None:
        """Make an edit."""
        square = key.removeprefix(_SQUARE)
        what, _, value = tool.id.partition("-")
        if tool in _BOARD:
            _put(document, what, value, square)
        elif tool in _TO_DO:
            _set_to_do(document, tool.id.split("-"))
        elif tool in _DICE:
            _roll(document, what, value)
        elif what == "turn":
            document["turn_player"] = int(value)
        elif what == "turns":
            document["turn"] = number(text, tool, 0, document["params"]["max_turns"] - 1)
        else:
            self._place_marker(document, tool, square, text)

    def _place_marker(self, document: Document, tool: Tool, square: str, text: str) -> None:
        """Name the last marker of the land action under way, or how many there are."""
        if document["land_done"]:
            raise ValueError(f"{tool.label}: the land action is done; choose first what is to do")
        if not square:
            document["markers_placed"] = number(text, tool, 0, most_placed(self._sketch(document)))
            if not document["markers_placed"]:
                document["last_marker"] = None
            return
        mover = document["turn_player"]
        if _at(document, square) != str(mover):
            raise ValueError(f"{square} is no land of player {mover}, whose turn it is")
        document["last_marker"], document["markers_placed"] = square, max(1, document["markers_placed"])


EDITOR = BeyondMapsEditor(GAME)


def _squares(side: int) -> dict[str, tuple[int, int]]:
    """Row and column of each square by its name."""
    return {square_name(square, side): divmod(square, side) for square in range(side * side)}


def _at(document: Document, square: str) -> str:
    """What the board shows on a square."""
    row, column = _squares(len(document["board"]))[square]
    found: str = document["board"][row][column]
    return found


def _put(document: Document, what: str, value: str, square: str) -> None:
    """Put land or a ship on a square, or take away what lies there."""
    found, ships = _at(document, square), document["ships"]
    if what == "take":
        if found == "." and square not in ships:
            raise ValueError(f"nothing lies on {square}")
        document["ships"] = [None if ship == square else ship for ship in ships]
        _write(document, square, ".")
        if document["last_marker"] == square:
            _end_land_action(document)
    elif what == "land":
        if square in ships:
            raise ValueError(f"{square} is a ship's square; take the ship away first")
        _write(document, square, value)
    else:
        if found != ".":
            raise ValueError(f"there is land on {square}; take it away first")
        if ships[1 - int(value)] == square:
            raise ValueError(f"{square} is the other ship's square; take that away first")
        ships[int(value)] = square


def _write(document: Document, square: str, sign: str) -> None:
    row, column = _squares(len(document["board"]))[square]
    line = document["board"][row]
    document["board"][row] = line[:column] + sign + line[column + 1 :]


def _set_to_do(document: Document, actions: list[str]) -> None:
    """Set which actions of the turn are still to be done."""
    document["sea_done"], document["land_done"] = ("sea" not in actions), ("land" not in actions)
    if document["land_done"]:
        _end_land_action(document)
        if document["sea_done"]:
            document["roll"] = None


def _end_land_action(document: Document) -> None:
    document["markers_placed"], document["last_marker"] = 0, None


def _roll(document: Document, what: str, value: str) -> None:
    """Set one of the dice; the other follows where it would not be the lower or the higher one."""
    if what == "no":
        document["roll"] = None
        return
    die = int(value)
    high, low = document["roll"] or (die, die)
    document["roll"] = [die, min(die, low)] if what == "high" else [max(die, high), die]
