"""Plain effects of actions in `beyond_maps`, for `tests/contract/test_narration.py`."""

from __future__ import annotations

from typing import Any

AHEAD = {"n": (-1, 0), "e": (0, 1), "s": (1, 0), "w": (0, -1)}


def plain(position: dict[str, Any], actor: str, text: str) -> dict[str, Any]:
    """Return land, ships and phase after an action that has no effect beyond its text.

    Replacing enemy land and performing actions without a choice are further effects.
    """
    verb, *words = text.split()
    player, dice = position["turn_player"], position["params"]["dice"]
    if verb == "roll":
        return {"board": position["board"], "ships": position["ships"], "roll": None}  # the limits are always an event
    board, ships = [list(row) for row in position["board"]], list(position["ships"])
    sea_done, land_done, placed = position["sea_done"], position["land_done"], position["markers_placed"]
    if verb == "sea":
        ships[player], sea_done = words[0], True
        if words[1] != "-":
            row, column = _place(words[0])
            row, column = row + AHEAD[words[1]][0], column + AHEAD[words[1]][1]
            if board[row][column] == ".":
                board[row][column] = str(player)
    elif verb == "land":
        row, column = _place(words[0])
        board[row][column] = str(player)
        placed += 1
        land_done = placed == (position["roll"][1] if dice else position["params"]["land_markers"])
    else:
        land_done = True
    expected = {"board": ["".join(row) for row in board], "ships": ships}
    if sea_done and land_done:
        return {**expected, "turn_player": player, "turn": position["turn"]} if _is_last(position) else {
            **expected, "turn_player": 1 - player, "turn": position["turn"] + 1, "sea_done": False, "land_done": False,
        }  # fmt: skip
    return {**expected, "sea_done": sea_done, "land_done": land_done, "markers_placed": 0 if land_done else placed}


def _is_last(position: dict[str, Any]) -> bool:
    return bool(position["turn"] + 1 == position["params"]["max_turns"])


def _place(name: str) -> tuple[int, int]:
    return int(name[1:]) - 1, ord(name[0]) - ord("a")
