"""Positions of Ghost Ship as JSON: round trips, and which positions are rejected.

By default the map is that of `test_rules.py`. Players are written as there: pawn and boat. If several entries of an
invalid position could be named, the error names the same one as the reference implementation.
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest

from tests.games.ghost_ship.test_creation import EAST_FULL, NO_ROOM_ALL_ROUND
from tests.readers import Reader, names, refused_values
from tests.reference import ghost_ship_setups as setups
from tests.reference.ghost_ship import SYMBOL_TILES, GhostShip, Shown, written_tiles
from tests.reference.ghost_ship_setups import filling, placing, position, whole_map

Position = dict[str, Any]

FAR = "A10.S"
AWAY = "G3.C0"  # a boat elsewhere
KEYS = [
    *("game", "params", "phase", "turn_player", "decider", "turn", "tiles", "six", "symbols", "chits", "gold", "pool"),
    *("stacks", "discards", "dropped", "hand_tiles", "to_draw", "ghost", "losers", "extra", "players", "declared"),
    *("spun", "result", "points", "movement_over", "taking_over", "arriving", "by_limit"),
]
OWN = ["pawn", "boat", "ashore", "chits", "lost", "gold", "saved", "triple", "skip", "claim", "shown"]
TRAVEL: Position = {"declared": "travel", "result": 5, "points": 5}
COMING: Position = {"arriving": True, **TRAVEL}
RANDOM: Position = {"params": {"creation": "random"}}
HELD = [{"chits": {1: 2, 3: 1}}, {"chits": {4: 1}, "lost": {2: 1}}]


def declare(**changes: Any) -> Position:
    """Return player 0 at a declaration, ashore away from the boat, with these entries changed."""
    d = position([f"C5.C0 {AWAY}", FAR], own=HELD, symbols={"C5": "ruins", "A5": "storm"})
    return copy.deepcopy({**d, **changes})


def travel(pawn: str = f"C5.C0 {AWAY}", **entries: Any) -> Position:
    """Return player 0 travelling."""
    return position([pawn, FAR], "travel", **{**TRAVEL, **entries})


def storm(phase: str, **entries: Any) -> Position:
    """Return player 0 at sea in a storm."""
    return position(["A5.S", FAR], phase, **{"symbols": {"A5": "storm"}, **entries})


def with_own(changes: Mapping[str, Any], player: int = 0, d: Position | None = None) -> Position:
    """Return a position with entries of a player changed."""
    d = copy.deepcopy(d or declare())
    d["players"][player].update(changes)
    return d


def over(**changes: Any) -> Position:
    """Return the end by the limit, with these entries changed."""
    return {**position(["A1.S", FAR], "over", own=HELD, turn=400, by_limit=True), **changes}


def all_taken() -> Position:
    """Return the end with the last treasure."""
    return position(["A1.S", FAR], "over", own=[{"gold": 6}])


def shown(chits: dict[int, int], gained: int = 0, lost: int = 0) -> Any:
    """Return what a player showed."""
    return Shown(Counter(chits), gained, lost)


_READER = Reader("ghost_ship")
read, read_own, refusal, refused = _READER.read, _READER.read_own, _READER.refusal, _READER.refused


# Round trips

CLAIM: Position = {"own": [{}, {"claim": 0}]}
POSSIBLE = {
    "the setup": GhostShip().to_dict(),
    "the setup of four": GhostShip(num_players=4, score_reward=True).to_dict(),
    "other chits": GhostShip(chits={2: 20}, max_turns=1).to_dict(),
    "a symbol tile in hand": placing("storm WWWW"),
    "a symbol tile is placed": setups.creation("symbol", {"C1": "storm WWWW"}, turn_player=1, decider=1),
    "a symbol tile left the game": setups.creation("symbol", dropped=["skull LLWW"], turn_player=1, decider=1),
    "a class in hand": setups.creation("place", hand_tiles={"LLWW": 1}, **RANDOM),
    "a stack to pick": filling("stack", left={"WWWW": 4}, stacks=[1, 0, 0, 3]),
    "a draw": filling("draw", left={"WWWW": 4}, to_draw=2, hand_tiles={"LWWW": 3, "LLLL6": 1}),
    "a hand to place": filling("fill", left={"WWWW": 4}, hand_tiles={"LWWW": 3, "LLLL": 1}),
    "the last vacant square of a hand": whole_map("fill", ["G9"], hand_tiles={"WWWW": 1}),
    "the completion": whole_map("complete", ["G9", "C1"]),
    "the ghost is to be put": whole_map("ghost"),
    "a declaration": declare(),
    "a declaration with random creation": position(["A1.S", FAR], symbols={"A5": "?", "C5": "hostile"}, **RANDOM),
    "points saved": with_own({"saved": -3}),
    "equal numbers": with_own({"triple": [4, 2]}),
    "a turn owed": with_own({"skip": 1}, 1),
    "a claim": position(["B5.C0 C5.C0", "D5.H A3.C0"], **CLAIM),
    "two claims": position(
        ["B5.C0 C5.C0", "D5.H A3.C0", "E4.C0 C3.C0", "E4.C1 D3.C0"], own=[{}, {"claim": 0}, {}, {"claim": 2}]
    ),
    "players together": position(["C5.C0 C5.C0", f"C5.K0 {AWAY}"], own=HELD),
    "a showing remembered": position(
        ["A1.S", FAR],
        own=[{"shown": [None, shown({4: 1, 2: 1}, gained=1, lost=2)]}, {"chits": {3: 1}, "lost": {4: 1, 2: 1}}],
    ),
    "on the rim": position(["B0", "B33"]),
    "a spin": declare(phase="spin", declared="search"),
    "the ghost off the board": position(["A1.S", FAR], "ghost_back", declared="travel", spun=[4, "NW"], ghost="A5"),
    "losses to a spin": position(["F6.S", "F6.S"], "lose", own=HELD, declared="travel", spun=[3, "N"], losers=[0, 1]),
    "the second loss": position(["F6.S", "F6.S"], "lose", own=HELD, declared="travel", spun=[3, "N"], losers=[1]),
    "a loss on coming": position(["F6.S", FAR], "lose", own=HELD, losers=[0], **COMING),
    "a loss on coming out of a skull": position(
        ["F6.S", FAR], "lose", own=HELD, arriving=True, losers=[0], movement_over=True, taking_over=True, **TRAVEL
    ),
    "a loss on coming to another": position(["F6.S", "F6.S"], "lose", own=HELD, losers=[0], **COMING),
    "a loss on drifting": position(["F6.S", FAR], "lose", own=HELD, arriving=True, losers=[0], declared="drift"),
    "losses to a ghost that was moved": position(
        ["A1.S", "F6.S"], "lose", own=HELD, losers=[1], declared="travel", result=2, points=0
    ),
    "a number to name": position(["A1.S", FAR], "number", declared="travel"),
    "a travel": travel(),
    "a travel with a point": travel(result=4, points=1, symbols={"C5": "ruins"}),
    "a travel on triple fives": travel(decider=1),
    "a chit may be moved": travel(result=3, points=0, extra="chit", symbols={"C5": "ruins"}),
    "the ghost may be moved": travel(result=2, points=0, extra="ghost"),
    "a chit in a storm": storm("travel", movement_over=True, **TRAVEL),
    "a direction of drifting": storm("drift", declared="drift"),
    "a reveal": position(["A5.S", FAR], "reveal", symbols={"A5": "?"}, **COMING, **RANDOM),
    "a reveal ashore": position([f"C5.K2 {AWAY}", FAR], "reveal", symbols={"C5": "?"}, **COMING, **RANDOM),
    "a reveal of a drift": position(
        ["A5.S", FAR], "reveal", symbols={"A5": "?"}, arriving=True, declared="drift", **RANDOM
    ),
    "a value": position(["C5.C0 C5.C0", FAR], "value", symbols={"C5": "ruins"}, **{**TRAVEL, "points": 4}),
    "a value on triple fives": position(
        ["C5.C0 C5.C0", FAR], "value", symbols={"C5": "ruins"}, decider=1, **{**TRAVEL, "points": 4}
    ),
    "the value of a salvage": storm("value", declared="salvage"),
    "two chits on a tile": position(["A1.S", FAR], symbols={"C5": "ruins", "B5": "skull"}, chits={"C5": 2}),
    "a chit on a hill": position(["A1.S", FAR], symbols={"C5": "ruins"}, chits={"D5": 1}),
    "the end": all_taken(),
    "the end by the limit": over(),
}
possible = pytest.mark.parametrize("d", list(POSSIBLE.values()), ids=list(POSSIBLE))


@possible
def test_a_position_survives_json_and_is_not_modified(d: Position) -> None:
    _READER.assert_kept(d)


@possible
def test_a_position_has_the_same_keys_in_the_same_order(d: Position) -> None:
    there = read_own(d).to_dict()
    assert list(there) == KEYS
    assert [list(own) for own in there["players"]] == [OWN] * len(there["players"])


@possible
def test_the_reference_implementation_reads_the_same_position(d: Position) -> None:
    assert GhostShip.from_dict(d).to_dict() == d


@possible
def test_booleans_and_numbers_keep_their_types(d: Position) -> None:
    there = read_own(d).to_dict()
    truths = [there[key] for key in ("movement_over", "taking_over", "arriving", "by_limit")]
    assert {type(value) for value in [*truths, *(own["ashore"] for own in there["players"])]} == {bool}
    numbers = [there[key] for key in ("turn_player", "decider", "turn", "to_draw")]
    numbers += [*there["stacks"], *there["pool"].values(), *there["chits"].values()]
    numbers += [own[key] for own in there["players"] for key in ("gold", "saved", "skip")]
    assert {type(value) for value in numbers} == {int}


def test_changing_the_written_position_does_not_change_the_state() -> None:
    state = read_own(declare())
    d = state.to_dict()
    d["players"][0]["chits"]["1"] = 7
    d["symbols"]["C5"] = "chest"
    d["params"]["chits"]["1"] = 7
    d["stacks"][0] = 7
    assert state.to_dict() == declare()


def test_zero_counts_may_be_given_and_are_left_out() -> None:
    d = declare(discards={"WWWW": 0}, hand_tiles={"LWWW": 0})
    d["chits"]["A1"] = 0
    d["players"][0]["chits"]["2"] = 0
    assert read_own(d).to_dict() == declare()


def test_squares_are_written_in_reading_order() -> None:
    d = declare()
    d["symbols"] = dict(reversed(d["symbols"].items()))
    assert list(read_own(d).to_dict()["symbols"]) == list(declare()["symbols"])


def test_an_end_shows_its_rewards() -> None:
    state = read_own(all_taken())
    assert (state.is_terminal(), state.rewards()) == (True, [1.0, -1.0])


# Invalid keys and values


@pytest.mark.parametrize("d", [None, 3, "board", [], [("game", "ghost_ship")]])
def test_a_position_that_is_not_a_dict_is_rejected(d: Any) -> None:
    assert "is a JSON object" in refusal(d)


@pytest.mark.parametrize("key", KEYS)
def test_a_missing_key_is_rejected(key: str) -> None:
    d = declare()
    del d[key]
    assert names(refusal(d), key)


@pytest.mark.parametrize("key", ["weather", "Turn", "rng", ""])
def test_an_unknown_key_is_rejected(key: str) -> None:
    assert names(refusal({**declare(), key: 1}), key)


@pytest.mark.parametrize("key", OWN)
def test_a_missing_key_of_a_player_is_rejected(key: str) -> None:
    d = declare()
    del d["players"][1][key]
    assert refused(d, "players")


def test_an_unknown_key_of_a_player_is_rejected() -> None:
    assert refused(with_own({"home": "A1"}), "players")


@pytest.mark.parametrize("game", ["falling_off", "Ghost_ship", "", None, 1])
def test_a_position_of_another_game_is_rejected(game: Any) -> None:
    assert refused(declare(game=game), "game")


def test_a_position_with_other_parameters_is_rejected() -> None:
    assert names(refusal(declare(), max_turns=10), "params")


WRONG: dict[str, list[Any]] = {
    "phase": ["start", None, 1, "Declare"],
    "turn_player": [-1, 2, True, "0", None],
    "decider": [-1, 2, False, None],
    "turn": [-1, 401, 1.0, True, None],
    "tiles": [[], None, ["0" * 10] * 6, ["0" * 9] * 7, ["g" * 10] * 7, "0" * 70],
    "six": [None, ["D5"], ["B3", "B3"], [3], ["B8", "B3", "D5", "D6", "F3", "F8"]],
    "symbols": [None, [], {"C5": "fog"}, {"H5": "ruins"}, {"C5": None}],
    "chits": [None, [], {"C5": -1}, {"H5": 1}, {"C5": "1"}, {"C5": 21}, {"C5": True}],
    "gold": [None, {}, ["D5", "D5"], ["D6", "D5"], ["H1"], [None]],
    "pool": [None, {"5": 1}, {1: 1}, {"1": -1}, {"1": 1.0}],
    "stacks": [None, [0, 0, 0], [24, 0, 0, 0], [0, 0, 0, -1], [0, 0, 0, None]],
    "discards": [None, [], {"WLWW": 1}, {"LWWW": -1}, {"LWWW": "1"}],
    "dropped": [None, 3, ["skull"], ["fog WWWW"], [1], ["WWWW"]],
    "hand_tiles": [None, [], {"skull LLWW": 1}, {"LWWW": -1}],
    "to_draw": [-1, 11, None, True],
    "ghost": ["H1", "B0.S", 3, "d5"],
    "losers": [None, [2], [-1], ["0"], 0],
    "extra": ["chits", 1, False],
    "players": [None, [], {}, [None, None]],
    "declared": ["save +", "go", 1, "steal 4"],
    "spun": [[4], [1, "N"], [4, "UP"], "4 N", [6, "N"], [True, "N"]],
    "result": [1, 6, "2", True],
    "points": [-1, 6, "2", True],
    "movement_over": [None, 0, 1, "no"],
    "taking_over": [None, 0, 1, "no"],
    "arriving": [None, 0, 1, "no"],
    "by_limit": [None, 0, 1, "no"],
}
WRONG_OF_PLAYERS: dict[str, list[Any]] = {
    "pawn": ["Z1.S", "C5", "C5.K4", "B34", None, 3, "C5.c0"],
    "boat": ["Z1.S", "C5", "C5.C2", None],
    "ashore": [None, 1, "yes"],
    "chits": [None, [], {"0": 1}, {"1": -1}, {1: 1}],
    "lost": [None, [], {"0": 1}, {"1": -1}, {1: 1}],
    "gold": [-1, 9, None, True],
    "saved": [-4, 4, None, True],
    "triple": [None, [4], [6, 1], [1, 1], [4, 3], [4, 0], [0, 1], [4, True], "41"],
    "skip": [-1, None, True],
    "claim": [-1, 2, True, "1"],
    "shown": [None, [None], [None, {}], [None, {"chits": {}, "gained": -1, "lost": 0}]],
}


def pairs(table: Mapping[str, list[Any]]) -> list[tuple[str, Any]]:
    """Return a key with each of its values."""
    return [(key, value) for key, values in table.items() for value in values]


@refused_values(*pairs(WRONG))
def test_a_value_of_the_wrong_type_is_rejected(key: str, value: Any) -> None:
    assert refused(declare(**{key: value}), key)


@refused_values(*pairs(WRONG_OF_PLAYERS))
def test_a_value_of_the_wrong_type_of_a_player_is_rejected(key: str, value: Any) -> None:
    assert refused(with_own({key: value}), "players")


# Inconsistent positions

ISLES = setups.tiles_of(setups.ISLES)


def with_tiles(**tiles: str) -> list[str]:
    """Return the rows of the map with other tiles."""
    return written_tiles({**ISLES, **tiles})


def by_chance(phase: str, laid: Mapping[str, str], **entries: Any) -> Position:
    """Return symbol tiles laid by chance, with any symbols."""
    tiles = {square: f"? {text.split()[1]}" for square, text in laid.items()}
    player = len(laid) % 2
    return setups.creation(phase, tiles, turn_player=player, decider=player, **{**RANDOM, **entries})


ELEVEN = {**EAST_FULL, "E4": "storm WWWW"}  # in the west
NINETEEN = {square: tile for square, tile in ELEVEN.items() if square != "A6"}
BARRED = {**NO_ROOM_ALL_ROUND, "C7": "hostile WWLW"}

IMPOSSIBLE: dict[str, tuple[Position, str]] = {
    # the map
    "edges that do not match": (declare(tiles=with_tiles(A5="WLWW")), "tiles"),
    "land at the rim": (declare(tiles=with_tiles(A5="LWWW")), "tiles"),
    "a corner that is not set out": (declare(tiles=with_tiles(G1="WLWW", G2="WWWL")), "tiles"),
    "a hill that is not set out": (declare(tiles=with_tiles(F8="LLWL", G8="WWWW")), "tiles"),
    "a vacant square after phase 1": (declare(tiles=[*with_tiles()[:6], "001000.000"]), "tiles"),
    "a 6 set out that is none": (declare(six=["B3", "B8", "D5", "D6", "F3"]), "six"),
    "a 6 that is no hill": (declare(six=["B3", "B8", "C5", "D5", "D6", "F3", "F8"]), "six"),
    # symbols
    "a symbol in a corner": (declare(symbols={**declare()["symbols"], "A1": "skull"}), "symbols"),
    "a symbol on a hill": (declare(symbols={**declare()["symbols"], "D5": "skull"}), "symbols"),
    "a symbol on a wrong class": (declare(symbols={**declare()["symbols"], "C3": "skull"}), "symbols"),
    "an unseen symbol that was seen": (declare(symbols={**declare()["symbols"], "C5": "?"}), "symbols"),
    "too many symbol tiles": (
        {**position(["A1.S", FAR], symbols={"A3": "?", "A8": "?", "B2": "?", "B7": "?", "B9": "?"}, **RANDOM)}
        | {"symbols": dict.fromkeys(["A3", "A8", "B2", "B7", "B9", "C8"], "?")},
        "symbols",
    ),
    "a tile that is placed and dropped": (declare(dropped=list(SYMBOL_TILES)), "dropped"),
    "a symbol tile that is nowhere": (declare(dropped=declare()["dropped"][1:]), "dropped"),
    "dropped tiles in another order": (declare(dropped=declare()["dropped"][::-1]), "dropped"),
    "a pawn on a tile with an unseen symbol": (position(["A5.S", FAR], symbols={"A5": "?"}, **RANDOM), "symbols"),
    "a boat on a tile with an unseen symbol": (
        position(["B4.C0 B5.C0", FAR], symbols={"B5": "?"}, **RANDOM),
        "symbols",
    ),
    "a symbol seen before the tour": (
        setups.creation("symbol", {"C1": "storm WWWW"}, turn_player=1, decider=1, **RANDOM),
        "symbols",
    ),
    "a tile dropped by chance": (
        setups.creation("symbol", dropped=["LLWW"], turn_player=1, decider=1, **RANDOM),
        "dropped",
    ),
    "symbol tiles side by side by chance": (
        by_chance("symbol", {"C1": "storm WWWW", "C2": "storm WWWW"}),
        "symbols",
    ),
    "eleven symbol tiles on a half by chance": (by_chance("symbol", NINETEEN), "symbols"),
    "no room for ten on a half by chance": (by_chance("symbol", BARRED), "symbols"),
    "nine symbol tiles on a half in the end": (by_chance("stack", ELEVEN), "symbols"),
    # phase 1
    "a turn in phase 1": ({**GhostShip().to_dict(), "turn": 1}, "turn"),
    "the ghost in phase 1": ({**GhostShip().to_dict(), "ghost": "D5"}, "ghost"),
    "chits in phase 1": ({**placing("storm WWWW", {"C1": "storm WWWW"}), "chits": {"C1": 1}}, "chits"),
    "gold in phase 1": ({**GhostShip().to_dict(), "gold": ["D5"]}, "gold"),
    "a chit taken in phase 1": ({**GhostShip().to_dict(), "pool": {"1": 20}}, "pool"),
    "a boat that has left in phase 1": (with_own({"pawn": "B0", "boat": "B0"}, 0, GhostShip().to_dict()), "players"),
    "a point saved in phase 1": (with_own({"saved": 1}, 0, GhostShip().to_dict()), "players"),
    "another decider in phase 1": ({**GhostShip().to_dict(), "decider": 1}, "decider"),
    "a declaration in phase 1": ({**GhostShip().to_dict(), "declared": "travel"}, "declared"),
    "another player's symbol tile": ({**GhostShip().to_dict(), "turn_player": 1, "decider": 1}, "turn_player"),
    "a plain tile among symbol tiles": (setups.creation("symbol", {"C1": "WWWW"}), "tiles"),
    "a stack drawn from too early": ({**GhostShip().to_dict(), "stacks": [23, 23, 22, 21]}, "stacks"),
    "a discard too early": ({**GhostShip().to_dict(), "discards": {"LWWW": 1}}, "discards"),
    "something to draw too early": ({**GhostShip().to_dict(), "to_draw": 1}, "to_draw"),
    "something in hand before it is turned up": ({**GhostShip().to_dict(), "hand_tiles": {"LWWW": 1}}, "hand_tiles"),
    "nothing in hand to place": ({**GhostShip().to_dict(), "phase": "place"}, "hand_tiles"),
    "two symbol tiles in hand": (
        {**placing("storm WWWW"), "hand_tiles": {"skull WWWW": 1, "storm WWWW": 1}},
        "hand_tiles",
    ),
    "a symbol tile in hand that is placed": (placing("chest WWWW", {"C1": "chest WWWW"}), "hand_tiles"),
    "no symbol tile is left": (
        setups.creation("symbol", dropped=list(SYMBOL_TILES)),
        "symbols",
    ),
    "symbol tiles left in the filling": ({**filling("stack", left={"WWWW": 4}), "dropped": []}, "dropped"),
    "no stack to pick": (filling("stack"), "stacks"),
    "more in stacks than there is": ({**filling("stack", left={"WWWW": 4}), "stacks": [0, 0, 0, 5]}, "stacks"),
    "more tiles than there are": ({**filling("stack", left={"WWWW": 4}), "discards": {"LLLL": 5}}, "discards"),
    "a hand while a stack is picked": (filling("stack", left={"WWWW": 4}, hand_tiles={"LWWW": 1}), "hand_tiles"),
    "nothing to draw": (filling("draw", left={"WWWW": 4}), "to_draw"),
    "more than ten to draw": (filling("draw", left={"WWWW": 9}, to_draw=8, hand_tiles={"LWWW": 3}), "to_draw"),
    "something to draw while placing": (
        filling("fill", left={"WWWW": 9}, to_draw=1, hand_tiles={"LWWW": 3}),
        "to_draw",
    ),
    "nothing in hand while placing": (filling("fill", left={"WWWW": 9}), "hand_tiles"),
    "nothing in hand fits": (whole_map("fill", ["C1"], hand_tiles={"LLLL": 1}), "hand_tiles"),
    "stacks while the map is completed": (
        {**whole_map("complete", ["C1"]), "stacks": [0, 0, 0, 1]},
        "stacks",
    ),
    "tiles lost while the map is completed": (
        {**whole_map("complete", ["C1"]), "discards": {"LWWW": 1}},
        "discards",
    ),
    "nothing to complete": (whole_map("complete"), "tiles"),
    "the ghost put by another": ({**whole_map("ghost"), "turn_player": 0, "decider": 0}, "turn_player"),
    "a chit missing before the tour": ({**whole_map("ghost"), "chits": {}}, "chits"),
    "gold missing before the tour": ({**whole_map("ghost"), "gold": ["B3"]}, "gold"),
    "stacks after phase 1": (declare(stacks=[0, 0, 0, 1]), "stacks"),
    "discards after phase 1": (declare(discards={"LWWW": 1}), "discards"),
    "a hand after phase 1": (declare(hand_tiles={"LWWW": 1}), "hand_tiles"),
    "something to draw after phase 1": (declare(to_draw=1), "to_draw"),
    # treasure
    "a chit too few": (declare(chits={"C5": 1}), "chits"),
    "a chit too many": (declare(chits={"A5": 1, "C5": 2}), "chits"),
    "a chit on plain rocks": (declare(chits={"C5": 1, "A4": 1}), "chits"),
    "two chits on rocks": (declare(chits={"A5": 2}), "chits"),
    "a value too few": (declare(pool={**declare()["pool"], "1": 5}), "pool"),
    "a value too many": (with_own({"chits": {"1": 3, "3": 1}}), "pool"),
    "gold that is nowhere": (declare(gold=["B3"]), "gold"),
    "gold that is on no 6": (declare(gold=["B3", "B8", "C5", "D6", "F3", "F8"]), "gold"),
    "too much gold": (with_own({"gold": 1}), "gold"),
    "nothing left to take": ({**all_taken(), "phase": "declare"}, "chits"),
    # turns
    "no turn has begun": (declare(turn=0), "turn"),
    "no ghost": (declare(ghost=None), "ghost"),
    "an end too early": (over(turn=399), "turn"),
    "an end by the limit with nothing left": ({**all_taken(), "by_limit": True}, "by_limit"),
    "an end not by the limit with treasure left": (over(by_limit=False), "by_limit"),
    "a limit that is not reached": (declare(by_limit=True), "by_limit"),
    # pawns
    "a place that is not on the map": (with_own({"pawn": "A5.C0"}), "players"),
    "a corner that is dry": (with_own({"pawn": "C5.K1"}), "players"),
    "a hill top where there is no hill": (with_own({"pawn": "C5.H"}), "players"),
    "a circle on a hill": (with_own({"pawn": "D5.C0"}), "players"),
    "ashore at sea": (with_own({"ashore": True}, 1), "players"),
    "at sea ashore": (with_own({"ashore": False}), "players"),
    "a boat without its player": (with_own({"boat": "A9.S"}, 1), "players"),
    "a boat left at sea": (with_own({"boat": "G2.S"}), "players"),
    "a boat left at a corner": (with_own({"boat": "G3.K0"}), "players"),
    "points saved and equal numbers": (with_own({"saved": 1, "triple": [3, 1]}), "players"),
    "a turn of one who owes it": (with_own({"skip": 1}), "players"),
    # claims
    "a claim on oneself": (with_own({"claim": 0}), "players"),
    "a claim on one at sea": (with_own({"claim": 1}), "players"),
    "a claim of one at sea": (with_own({"claim": 0}, 1), "players"),
    "a claim that was settled": (position(["B5.C0 C5.C0", "C5.K2 A3.C0"], **CLAIM), "players"),
    "two claims on one": (
        position(["B5.C0 C5.C0", "D5.H A3.C0", "D6.H C3.C0"], own=[{}, {"claim": 0}, {"claim": 0}]),
        "players",
    ),
    "a claim on a victim": (
        position(["B5.C0 C5.C0", "D5.H A3.C0", "D6.H C3.C0"], own=[{}, {"claim": 0}, {"claim": 1}]),
        "players",
    ),
    # showings
    "a showing to oneself": (
        with_own({"shown": [{"chits": {"1": 2, "3": 1}, "gained": 0, "lost": 0}, None]}),
        "players",
    ),
    "players together who know nothing": (
        with_own({"shown": [None, None]}, 0, position(["C5.C0 C5.C0", f"C5.K0 {AWAY}"], own=HELD)),
        "players",
    ),
    "players together who know something else": (
        with_own(
            {"shown": [None, {"chits": {"3": 1}, "gained": 0, "lost": 0}]},
            0,
            position(["C5.C0 C5.C0", f"C5.K0 {AWAY}"], own=HELD),
        ),
        "players",
    ),
    "a showing that does not add up": (
        with_own({"shown": [None, {"chits": {"4": 1}, "gained": 1, "lost": 0}]}),
        "players",
    ),
    "a chit shown that went nowhere": (
        with_own({"shown": [None, {"chits": {"1": 1}, "gained": 1, "lost": 1}]}),
        "players",
    ),
    "more lost than was lost": (
        with_own({"shown": [None, {"chits": {"4": 1, "2": 1}, "gained": 1, "lost": 2}]}),
        "players",
    ),
    # a turn in progress
    "something declared before it is": (declare(declared="travel"), "declared"),
    "points before anything is declared": (declare(points=0), "points"),
    "nothing declared": (declare(phase="spin"), "declared"),
    "a declaration that was not possible": (declare(phase="spin", declared="swim"), "declared"),
    "a travel in a storm": (storm("spin", declared="travel"), "declared"),
    "a theft where no boat is": (declare(phase="spin", declared="steal 1"), "declared"),
    "a player who is not there": (declare(phase="spin", declared="steal 3"), "declared"),
    "spun before the spin": (declare(phase="spin", declared="travel", spun=[4, "N"]), "spun"),
    "not spun after the spin": (
        position(["F6.S", FAR], "lose", own=HELD, declared="swim", losers=[0]),
        "declared",
    ),
    "a result before the spin": (declare(phase="spin", declared="travel", result=4), "result"),
    "points before the spin": (declare(phase="spin", declared="travel", points=4), "points"),
    "movement over before it begins": (declare(phase="spin", declared="travel", movement_over=True), "movement_over"),
    "coming before moving": (declare(phase="spin", declared="travel", arriving=True), "arriving"),
    "another decides before the spin": (declare(phase="spin", declared="travel", decider=1), "decider"),
    "another declares": (declare(decider=1), "decider"),
    "the ghost is put back from the middle": (
        position(["A1.S", FAR], "ghost_back", declared="travel", spun=[4, "N"], ghost="D5"),
        "spun",
    ),
    "nobody to lose": (position(["F6.S", FAR], "lose", own=HELD, declared="travel", spun=[4, "N"]), "losers"),
    "one to lose who is elsewhere": (
        position(["F6.S", FAR], "lose", own=HELD, declared="travel", spun=[4, "N"], losers=[1]),
        "losers",
    ),
    "one to lose who has nothing": (
        position(["F6.S", FAR], "lose", declared="travel", spun=[4, "N"], losers=[0]),
        "losers",
    ),
    "losers in another order": (
        position(["F6.S", "F6.S"], "lose", own=HELD, declared="travel", spun=[3, "N"], losers=[1, 0]),
        "losers",
    ),
    "one to lose twice": (
        position(["F6.S", "F6.S"], "lose", own=HELD, declared="travel", spun=[3, "N"], losers=[1, 1]),
        "losers",
    ),
    "another loses when one comes": (
        position(["F6.S", "F6.S"], "lose", own=HELD, arriving=True, losers=[1], **TRAVEL),
        "losers",
    ),
    "losers in another phase": (declare(losers=[0]), "losers"),
    "a ghost that nobody moved": (
        position(["F6.S", FAR], "lose", own=HELD, losers=[0], declared="travel", result=4, points=4),
        "arriving",
    ),
    "no result": (travel(result=None), "result"),
    "no points": (travel(points=None), "points"),
    "more points than the result": (travel(result=3, points=4), "points"),
    "points saved after they were used": (travel(own=[{"saved": 1}]), "players"),
    "another act under way": (travel(declared="search", result=None, points=None), "declared"),
    "a turn that ends by itself": (travel(points=1), "phase"),
    "movement over without a reason": (travel(movement_over=True), "movement_over"),
    "movement not over in a storm": (storm("travel", **TRAVEL), "movement_over"),
    "taking over, but not movement": (travel(taking_over=True), "movement_over"),
    "a symbol left with a wrong result": (
        travel(result=3, points=1, extra="chit", symbols={"C5": "ruins"}, movement_over=True, taking_over=True),
        "taking_over",
    ),
    "a skull that holds on triple fives": (
        travel(decider=1, movement_over=True, taking_over=True),
        "taking_over",
    ),
    "a chit to move without a three": (travel(extra="chit", symbols={"C5": "ruins"}), "extra"),
    "a ghost to move without a two": (travel(extra="ghost"), "extra"),
    "an extra act without a triple": (
        travel(result=3, points=3, extra="chit", symbols={"C5": "ruins"}, own=[{"triple": (3, 2)}]),
        "extra",
    ),
    "another decides without a five": (travel(decider=1, result=4, points=4), "decider"),
    "another decides without a triple": (travel(decider=1, own=[{"triple": (5, 2)}]), "decider"),
    "the left neighbour decides": (
        position([f"C5.C0 {AWAY}", FAR, FAR], "travel", decider=1, **TRAVEL),
        "decider",
    ),
    "a number named without a triple": (
        position(["A1.S", FAR], "number", declared="travel", own=[{"triple": (2, 2)}]),
        "players",
    ),
    "a number to name on another act": (
        position(["C3.C0 C3.C0", FAR], "number", declared="swim"),
        "declared",
    ),
    "a drift elsewhere": (position(["A5.S", FAR], "drift", declared="drift"), "declared"),
    "nothing to reveal": (position(["A5.S", FAR], "reveal", **COMING, **RANDOM), "phase"),
    "a reveal where nobody comes": (
        position(["A5.S", FAR], "reveal", symbols={"A5": "?"}, **TRAVEL, **RANDOM),
        "arriving",
    ),
    "a loss before the symbol is seen": (
        position(["F6.S", FAR], "lose", own=HELD, arriving=True, losers=[0], symbols={"F6": "?"}, **TRAVEL, **RANDOM),
        "symbols",
    ),
    "coming in another phase": (travel(arriving=True), "arriving"),
    "no chit to take": (position(["C5.C0 C5.C0", FAR], "value", **{**TRAVEL, "points": 4}), "chits"),
    "a chit out of reach": (
        position([f"C5.K2 {AWAY}", FAR], "value", symbols={"C5": "ruins"}, **{**TRAVEL, "points": 4}),
        "chits",
    ),
    "a chit that was not paid": (
        position(["C5.C0 C5.C0", FAR], "value", symbols={"C5": "ruins"}, **TRAVEL),
        "points",
    ),
    "a chest that was not paid": (
        position(["C5.C0 C5.C0", FAR], "value", symbols={"C5": "chest"}, **{**TRAVEL, "points": 3}),
        "points",
    ),
    "an extra act after taking": (
        position(
            ["C5.C0 C5.C0", FAR],
            "value",
            symbols={"C5": "ruins"},
            declared="travel",
            result=3,
            points=2,
            extra="chit",
        ),
        "extra",
    ),
    "a salvage where there is nothing": (storm("value", declared="salvage", chits={}), "declared"),
    "a value on another act": (storm("value", declared="drift"), "declared"),
    "a turn under way at the end": (over(declared="travel"), "declared"),
    "an extra act at the end": (over(extra="chit"), "extra"),
}


impossible = pytest.mark.parametrize(("d", "key"), list(IMPOSSIBLE.values()), ids=list(IMPOSSIBLE))


@impossible
def test_an_inconsistent_position_is_rejected(d: Position, key: str) -> None:
    assert refused(d, key)


@impossible
def test_the_reference_implementation_names_the_same_key(d: Position, key: str) -> None:
    with pytest.raises(ValueError, match=f"^{key}: "):
        GhostShip.from_dict(d)
