"""Plain effects of actions in `falling_off`, for `tests/contract/test_narration.py`."""

from __future__ import annotations

from typing import Any


def plain(position: dict[str, Any], actor: str, text: str) -> dict[str, Any]:
    """Return the position after an action that has no effect beyond its text."""
    verb, *words = text.split()
    rerolls = position.get("rerolls_left", 1)
    if verb == "roll":
        rerolls = position["params"].get("rerolls", 1)
        return {**position, **_phase(position, "reroll", rerolls), "dice": [int(word) for word in words]}
    if verb == "keep":
        return {**position, **_phase(position, "move", 0)}
    if verb == "reroll":
        kept = list(position["dice"])
        for word in words:
            kept.remove(int(word))
        return {**position, **_phase(position, "rerolled", rerolls - 1), "dice": kept}
    if verb == "rerolled":
        again = "reroll" if position.get("rerolls_left") else "move"
        return {**position, **_phase(position, again, rerolls), "dice": sorted([*position["dice"], *map(int, words)])}
    return {**position, **_moved(position, *words)}


def _phase(position: dict[str, Any], phase: str, rerolls: int) -> dict[str, Any]:
    """Return the phase, with the rerolls left if the position has them."""
    return {"phase": phase, **({"rerolls_left": rerolls} if "rerolls_left" in position else {})}


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
