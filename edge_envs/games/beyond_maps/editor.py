"""Position editor of `beyond_maps`.

The editor can create every position that the game accepts. Land, ships, turn, actions and roll are set one at a time,
in any order.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from edge_envs.core.game import Game
from edge_envs.core.interactive.editor import Document, PositionEditor, Tool, number
from edge_envs.games.beyond_maps import GAME
from edge_envs.games.beyond_maps.position import most_placed
from edge_envs.games.beyond_maps.state import HIGHEST_DIE, dimensions, square_name

_SQUARE = "sq-"
_BOARD = (
    *(Tool(f"land-{player}", f"land of player {player}", "put", _SQUARE) for player in range(2)),
    *(Tool(f"ship-{player}", f"ship {player}", "put", _SQUARE) for player in range(2)),
    Tool("take", "remove", "put", _SQUARE),
)
_TURN = (
    *(Tool(f"turn-{player}", f"player {player}", "whose turn") for player in range(2)),
    Tool("turns", "turns completed", "whose turn", asks="number of turns completed before this one"),
)
_TO_DO = (
    Tool("sea-land", "sea and land", "to do"),
    Tool("sea", "sea", "to do"),
    Tool("land", "land", "to do"),
    Tool("nothing", "nothing: the game is over", "to do"),
)
_IN_PROGRESS = (
    Tool("marker", "last marker placed", "land action in progress", _SQUARE),
    Tool("markers", "markers placed", "land action in progress", asks="number of markers placed by the land action"),
)
_DICE = (
    *(Tool(f"high-{value}", str(value), "higher die") for value in range(1, HIGHEST_DIE + 1)),
    *(Tool(f"low-{value}", str(value), "lower die") for value in range(1, HIGHEST_DIE + 1)),
    Tool("no-roll", "not rolled", "lower die"),
)


class BeyondMapsEditor(PositionEditor):
    """Edit positions: ships are never on land or on each other; everything else is set freely."""

    def fit(self, document: Document, params: Mapping[str, Any]) -> None:
        """Crop or extend the board at its right and lower edge, and keep only what a game with the parameters has."""
        game = Game(self.game_type, params)
        width, height = dimensions(game.params)
        rows = [row[:width].ljust(width, ".") for row in document["board"][:height]]
        document["board"] = rows + ["." * width] * (height - len(rows))
        known = _squares(document)
        document["ships"] = [ship if ship in known else None for ship in document["ships"]]
        document["turn"] = min(document["turn"], game.params["max_turns"] - 1)
        if not game.params["dice"]:
            document["roll"] = None
        left = min(document.pop("islands_left", 0), game.params["islands"])
        if game.params["islands"]:
            document["islands_left"] = left
        document["params"] = game.params_dict()
        most = most_placed(game.new_records(1)[0])
        if document["last_marker"] not in known or document["markers_placed"] > most:
            _end_land_action(document)

    def tools(self, document: Document) -> list[Tool]:
        """Return the tools: dice only with dice, land actions in progress only if they can have several markers."""
        in_progress = _IN_PROGRESS if most_placed(self._sketch(document)) else ()
        return [*_BOARD, *_TURN, *_TO_DO, *in_progress, *(_DICE if document["params"]["dice"] else ())]

    def places(self, document: Document) -> dict[str, str]:
        """Return every square with its contents."""
        texts = {".": "", "0": ": land of player 0", "1": ": land of player 1"}
        places = {
            _SQUARE + name: name + texts[document["board"][row][column]]
            for name, (row, column) in _squares(document).items()
        }
        for player, ship in enumerate(document["ships"]):
            if ship is not None:
                places[_SQUARE + ship] += f": ship {player}"
        return places

    def place_of(self, document: Document, entry: str) -> str | None:
        """Return the square of the last marker, or of a ship, for a problem with that key."""
        named = {"last_marker": [document["last_marker"]], "ships": document["ships"]}.get(entry, [])
        return next((_SQUARE + square for square in named if square is not None), None)

    def change(self, document: Document, tool: Tool, key: str, text: str) -> None:
        """Apply one edit."""
        square = key.removeprefix(_SQUARE)
        name, _, value = tool.id.partition("-")
        if tool in _BOARD:
            _put(document, name, value, square)
        elif tool in _TO_DO:
            _set_to_do(document, tool.id.split("-"))
        elif tool in _DICE:
            _roll(document, name, value)
        elif name == "turn":
            document["turn_player"] = int(value)
        elif name == "turns":
            document["turn"] = number(text, tool, 0, document["params"]["max_turns"] - 1)
        else:
            self._place_marker(document, tool, square, text)

    def _place_marker(self, document: Document, tool: Tool, square: str, text: str) -> None:
        """Set the last marker of the land action in progress, or the number of its markers."""
        if document["land_done"]:
            raise ValueError(f"{tool.label}: the land action is done; choose what is to do first")
        if not square:
            document["markers_placed"] = number(text, tool, 0, most_placed(self._sketch(document)))
            if not document["markers_placed"]:
                document["last_marker"] = None
            return
        mover = document["turn_player"]
        if _at(document, square) != str(mover):
            raise ValueError(f"{square} is not land of player {mover}, whose turn it is")
        document["last_marker"], document["markers_placed"] = square, max(1, document["markers_placed"])


EDITOR = BeyondMapsEditor(GAME)


def _squares(document: Document) -> dict[str, tuple[int, int]]:
    """Return the row and column of each square by its name."""
    width, height = len(document["board"][0]), len(document["board"])
    return {square_name(square, width): divmod(square, width) for square in range(width * height)}


def _at(document: Document, square: str) -> str:
    """Return the character on a square of the board."""
    row, column = _squares(document)[square]
    found: str = document["board"][row][column]
    return found


def _put(document: Document, kind: str, value: str, square: str) -> None:
    """Put land or a ship on a square, or remove it."""
    found, ships = _at(document, square), document["ships"]
    if kind == "take":
        if found == "." and square not in ships:
            raise ValueError(f"{square} is empty: there is nothing to remove")
        document["ships"] = [None if ship == square else ship for ship in ships]
        _write(document, square, ".")
        if document["last_marker"] == square:
            _end_land_action(document)
    elif kind == "land":
        if square in ships:
            raise ValueError(f"there is a ship on {square}; remove it first")
        _write(document, square, value)
    else:
        if found != ".":
            raise ValueError(f"there is land on {square}; remove it first")
        if ships[1 - int(value)] == square:
            raise ValueError(f"the other ship is on {square}; remove it first")
        ships[int(value)] = square


def _write(document: Document, square: str, sign: str) -> None:
    row, column = _squares(document)[square]
    line = document["board"][row]
    document["board"][row] = line[:column] + sign + line[column + 1 :]


def _set_to_do(document: Document, actions: list[str]) -> None:
    """Set the remaining actions of the turn."""
    document["sea_done"], document["land_done"] = ("sea" not in actions), ("land" not in actions)
    if document["land_done"]:
        _end_land_action(document)
        if document["sea_done"]:
            document["roll"] = None


def _end_land_action(document: Document) -> None:
    document["markers_placed"], document["last_marker"] = 0, None


def _roll(document: Document, which: str, value: str) -> None:
    """Set the higher or the lower die, and adjust the other one if they would be in the wrong order."""
    if which == "no":
        document["roll"] = None
        return
    die = int(value)
    high, low = document["roll"] or (die, die)
    document["roll"] = [die, min(die, low)] if which == "high" else [max(die, high), die]
