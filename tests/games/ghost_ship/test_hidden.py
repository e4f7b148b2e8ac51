"""`resample` of Ghost Ship deals what a player does not see; all deals that agree with it are equally likely.

In positions with few unseen chits, all deals of labelled pieces are enumerated.
"""

from __future__ import annotations

import itertools
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from scipy.stats import chisquare

from edge_envs import State
from tests.games.ghost_ship.scenes import FAR, now, own, play, read
from tests.reference.ghost_ship import CHITS, Shown, total
from tests.reference.ghost_ship_setups import position

SAMPLES = 2000
NEVER_TAKEN = 4  # one on the map, and those of three symbol tiles that found no place

Values = Mapping[int, int]
Deal = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class OtherPlayer:
    """Another player as player 0 sees them: the numbers of chits held and lost, and the chits shown, if any."""

    holds: int
    lost: int
    shown: Values | None = None
    gained_since: int = 0
    lost_since: int = 0


CASES = {
    "nothing was shown": (OtherPlayer(2, 0),),
    "some were lost unseen": (OtherPlayer(1, 2),),
    "all was shown, and one gained since": (OtherPlayer(2, 1, {3: 1}, 1, 0),),
    "one of two shown is gone": (OtherPlayer(1, 1, {1: 1, 4: 1}, 0, 1),),
    "one of two shown, or the one gained since, is gone": (OtherPlayer(2, 2, {1: 1, 4: 1}, 1, 1),),
    "two are gone since, and one before": (OtherPlayer(1, 3, {2: 1, 3: 1}, 1, 2),),
    "one showed and another did not": (OtherPlayer(1, 1, {1: 1, 3: 1}, 0, 1), OtherPlayer(1, 1)),
    "two showed": (OtherPlayer(2, 1, {1: 1, 2: 1}, 1, 1), OtherPlayer(2, 1, {1: 1, 4: 1}, 1, 1)),
}


def pieces(others: tuple[OtherPlayer, ...], unseen: int) -> tuple[Counter[int], list[int]]:
    """Return the chits of player 0, and this many pieces that nobody has shown, of as many values as possible."""
    left = Counter(CHITS)
    for other in others:
        left -= Counter(other.shown or {})
    order = sorted(left.elements(), key=lambda value: (left[value], value))
    free = [order[i * len(order) // unseen] for i in range(unseen)]
    return left - Counter(free), free


def scene(others: tuple[OtherPlayer, ...]) -> tuple[State, list[int]]:
    """Return a position in which player 0 sees all but a few chits, and these chits."""
    away = sum(s.holds + s.lost - total(Counter(s.shown or {})) for s in others)
    mine, free = pieces(others, away + NEVER_TAKEN)
    entries: list[dict[str, Any]] = [{"chits": mine}]
    rest = list(free)
    for other in others:
        before = list(Counter(other.shown or {}).elements())
        gone = max(other.lost_since - other.gained_since, 0)
        lost, kept = before[:gone], before[gone:]
        kept += [rest.pop() for _ in range(other.holds - len(kept))]
        lost += [rest.pop() for _ in range(other.lost - len(lost))]
        shown = None
        if other.shown is not None:
            shown = Shown(Counter(before), other.gained_since, other.lost_since)
        entries.append({"chits": Counter(kept), "lost": Counter(lost), "seen": shown})
    entries[0]["shown"] = [None, *(entry.pop("seen") for entry in entries[1:])]
    places = ["C3.C0 C3.C0", FAR, "G10.S"][: len(entries)]
    return read(position(places, own=entries, symbols={"C5": "ruins"})), free


def all_deals(others: tuple[OtherPlayer, ...], free: list[int]) -> Counter[Deal]:
    """Return what others may hold and have lost, with the number of deals of labelled pieces."""
    labelled = list(enumerate(free))
    ways: Counter[Deal] = Counter()
    for gone in itertools.product(*(subsets(other) for other in others)):
        sizes = []
        for other, (held, lost) in zip(others, gone, strict=True):
            sizes += [other.holds - len(held), other.lost - len(lost)]
        if min(sizes) < 0:
            continue
        for heaps in shared_out(labelled, sizes):
            parts = [part for pair in gone for part in pair]
            ways[tuple(tuple(sorted([*p, *(v for _, v in h)])) for p, h in zip(parts, heaps, strict=True))] += 1
    return ways


def subsets(other: OtherPlayer) -> list[tuple[list[int], list[int]]]:
    """Return which shown chits a player may still hold and which may be lost, at most as many as were lost since."""
    before = list(Counter(other.shown or {}).elements())
    found = []
    for flags in itertools.product([False, True], repeat=len(before)):
        lost = [value for value, flag in zip(before, flags, strict=True) if flag]
        kept = [value for value, flag in zip(before, flags, strict=True) if not flag]
        unseen_lost = other.lost_since - len(lost)
        if other.shown is None or 0 <= unseen_lost <= other.gained_since:
            found.append((kept, lost))
    return found


def shared_out(things: list[Any], sizes: list[int]) -> Iterator[list[tuple[Any, ...]]]:
    """Yield all ways to give this many things to each player, and the rest to nobody."""
    if not sizes:
        yield []
        return
    for chosen in itertools.combinations(things, sizes[0]):
        rest = [thing for thing in things if thing not in chosen]
        for others in shared_out(rest, sizes[1:]):
            yield [chosen, *others]


def dealt(state: State) -> Deal:
    """Return what the others hold and have lost."""
    _, *others = state.to_dict()["players"]
    heaps = [entry[key] for entry in others for key in ("chits", "lost")]
    return tuple(tuple(int(value) for value, count in heap.items() for _ in range(count)) for heap in heaps)


@pytest.mark.parametrize("others", CASES.values(), ids=CASES)
def test_all_deals_are_equally_likely(others: tuple[OtherPlayer, ...]) -> None:
    state, free = scene(others)
    ways = all_deals(others, free)
    rng = np.random.default_rng(5)
    drawn = Counter(dealt(state.resample(0, rng)) for _ in range(SAMPLES))
    assert set(drawn) == set(ways)
    assert len(ways) > 1
    expected = [SAMPLES * count / total(ways) for count in ways.values()]
    assert chisquare([drawn[deal] for deal in ways], expected).pvalue > 1e-4


def test_chits_of_players_who_are_together_are_not_resampled() -> None:
    chits = [{"chits": {1: 2}}, {"chits": {4: 1, 2: 1}, "lost": {1: 2}}]
    state = read(position(["C3.C0 C3.C0", "C3.C0 C3.C0"], own=chits))
    rng = np.random.default_rng(0)
    others = [state.resample(0, rng) for _ in range(50)]
    assert {json.dumps(own(other, 1, "chits")) for other in others} == {json.dumps(own(state, 1, "chits"))}
    assert len({json.dumps(own(other, 1, "lost")) for other in others}) > 1


def test_showings_between_others_are_forgotten() -> None:
    knows: list[dict[str, Any]] = [
        {},
        {"chits": {4: 1}, "shown": [None, None, Shown(Counter({2: 1}))]},
        {"chits": {2: 1}},
    ]
    state = read(position(["C3.C0 C3.C0", FAR, "G10.S"], own=knows))
    assert own(state, 1, "shown") != ([None, None, None],)
    assert own(state.resample(0, np.random.default_rng(0)), 1, "shown") == ([None, None, None],)


def test_others_who_are_together_know_their_resampled_chits() -> None:
    chits: list[dict[str, Any]] = [{}, {"chits": {4: 1}}, {"chits": {2: 1}}]
    state = read(position(["C3.C0 C3.C0", "A1.S", "A1.S"], own=chits))
    rng = np.random.default_rng(0)
    for _ in range(20):
        other = state.resample(0, rng)
        ((_, _, seen),) = own(other, 1, "shown")
        assert (seen["chits"],) == own(other, 2, "chits")


def test_the_players_own_showings_are_kept() -> None:
    knows: list[dict[str, Any]] = [{"chits": {4: 1}}, {"shown": [Shown(Counter({4: 1})), None]}]
    state = read(position(["C3.C0 C3.C0", FAR], own=knows))
    assert own(state.resample(0, np.random.default_rng(0)), 1, "shown") == own(state, 1, "shown")


def test_hidden_symbols_stay_hidden() -> None:
    state = read(position(["C3.C0 C3.C0", FAR], own=[{}, {"chits": {4: 1}}], params={"creation": "random"}))
    assert now(state.resample(0, np.random.default_rng(0)), "symbols") == now(state, "symbols")


def test_showings_before_the_last_one_are_remembered() -> None:
    """Two players are together, part, one loses the chit that was shown, and they meet again."""
    strings = []
    for value in (1, 2):
        own = [{}, {"chits": {value: 1}}]
        state = read(position(["B5.S", "A5.S"], own=own, ghost="C4", turn_player=0))
        play(state, "travel", "spin 2 S", "go A5.S", "go B5.S", "travel", "spin 3 N", "go A4.S")
        assert state.information_state_string(0).count(f"shown by player 1: {value}") == 2
        strings.append(state.information_state_string(0))
    assert strings[0] != strings[1]
    assert own_lines(strings[0]) != own_lines(strings[1])


def own_lines(text: str) -> list[str]:
    """Return what others showed, in order."""
    return [line for line in text.splitlines() if line.startswith("shown")]
