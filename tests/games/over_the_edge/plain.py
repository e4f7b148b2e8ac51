"""The direct effects of actions of `over_the_edge`, for `tests/contract/test_narration.py`."""

from __future__ import annotations

from typing import Any


def plain(position: dict[str, Any], actor: str, text: str) -> dict[str, Any]:
    """Return cards, spaces and turns to miss after an action if nothing happens beyond its string."""
    verb, *words = text.split(maxsplit=1)
    if verb == "map":
        return {}  # chance draws the map before the first turn
    player = int(actor.removeprefix("player "))
    hands, ships = [dict(hand) for hand in position["hands"]], position["ships"]
    deck, discards = dict(position["deck"]), dict(position["discards"])
    if verb == "draw":
        _move(words[0], deck, hands[player])
    elif verb == "discard":
        _move(words[0], hands[player], discards)
    elif verb in ("fair", "winds"):
        _move({"fair": "fair_weather", "winds": "favorable_winds"}[verb], hands[player], discards)
    places = [ship["space"] for ship in ships]
    if verb in ("fair", "winds", "sail"):
        places[player] = words[0]
    expected: dict[str, Any] = {"hands": hands, "deck": deck, "discards": discards}
    if verb != "home":
        expected["ships"] = _Ships(places, [ship["skip"] for ship in ships])
    return expected


def _move(kind: str, source: dict[str, int], target: dict[str, int]) -> None:
    source[kind] -= 1
    if not source[kind]:
        del source[kind]
    target[kind] = target.get(kind, 0) + 1


class _Ships:
    """Compare the spaces and the turns to miss of ships. Windings are not compared."""

    def __init__(self, places: list[str | None], skips: list[int]) -> None:
        self.places, self.skips = places, skips

    def __eq__(self, other: object) -> bool:
        assert isinstance(other, list)
        return [(ship["space"], ship["skip"]) for ship in other] == list(zip(self.places, self.skips, strict=True))

    __hash__ = None  # type: ignore[assignment]  # only `==` is used
