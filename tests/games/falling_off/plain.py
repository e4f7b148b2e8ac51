"""Plain effects of actions in `falling_off`, for `tests/contract/test_narration.py`."""

from __future__ import annotations

from typing import Any


def plain(position: dict[str, Any], actor: str, text: str) -> dict[str, Any]:
    """Return the position after an action that has no effect beyond its text."""
    verb, *words = text.split()
    if verb == "roll":
        return {**position, "phase": "reroll", "dice": [int(word) for word in words]}
    if verb == "keep":
        return {**position, "phase": "move"}
    if verb == "reroll":
        kept = list(position["dice"])
        for word in words:
            kept.remove(int(word))
        return {**position, "phase": "rerolled", "dice": kept}
    if verb == "rerolled":
        return {**position, "phase": "move", "dice": sorted([*position["dice"], *map(int, words)])}
    return {**position, **_moved(position, *words)}


def _moved(position: dict[str, Any], source: str, target: str) -> dict[str, Any]:
    """Move a pawn to a space, and pass the turn to the next player who has not fallen."""
    places = [{"start": 0}.get(word) or int(word) for word in (source.replace("start", "0"), target) if word != "off"]
    player, players = position["turn_player"], len(position["pawns"])
    pawns = [list(row) for row in position["pawns"]]
    if target != "off":
        pawns[player].remove(places[0])
        pawns[player] = sorted([*pawns[player], places[1]])
    following = (player + 1) % players
    while following in position["fallen"]:
        following = (following + 1) % players
    return {"pawns": pawns, "phase": "roll", "dice": [], "turn_player": following, "turns_owed": 1}
