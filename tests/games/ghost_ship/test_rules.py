"""The rules of Ghost Ship, one by one: a position, a move, a claim. The spins and draws are forced.

`test_creation.py` tests phase 1.

Most positions are on `ISLES`, which `tests/reference/ghost_ship_setups.py` draws like this:

    1   2   3   4   5   6   7   8   9   10
A   .   .   o   .   .   .   .   o   .   .
            |                   |
B   .   o - # - o - o   .   o - # - o   .
            |       |           |
C   .   .   o   .   o - o   .   o   .   .
            |       |   |
D   .   .   o   o - # - # - o   .   .   .
            |   |   |   |
E   .   .   o   o   o   o   .   o   .   .
            |   |               |
F   .   o - # - o   .   .   o - # - o   .
            |                   |
G   .   .   o   .   .   .   .   o   .   .

`-` and `|` are land edges, `#` are hills with gold. By default it is player 0's turn, the ghost is on F6, and player 1
is at sea in A10. A player is written as pawn and boat, such as `C3.C0 F4.C0`. At sea the pawn is enough.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest

import edge_envs
from tests.games.ghost_ship.scenes import (
    AWAY,
    FAR,
    FULL,
    NO_SEA_LEFT,
    RANDOM,
    at,
    evenly,
    filling,
    goes,
    ids,
    load,
    new_game,
    now,
    outcomes,
    own,
    placing,
    play,
    read,
    texts,
    travel,
    turn_of,
    whole_map,
)
from tests.reference.ghost_ship import Shown
from tests.reference.ghost_ship_setups import ISLES, SET_OUT, drawn, position, tiles_of

DECLARED = 1196
GO = 1207
TAKE = 1801


# The facts and the parameters


def test_the_defaults() -> None:
    assert now(new_game(), "params") == (
        {"num_players": 2, "creation": "players", "chits": FULL, "max_turns": 400, "score_reward": False},
    )


@pytest.mark.parametrize("count", [2, 3, 4])
def test_two_to_four_players(count: int) -> None:
    assert len(now(new_game(num_players=count), "players")[0]) == count


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("num_players", 1),
        ("num_players", 5),
        ("creation", "dealt"),
        ("max_turns", 0),
        ("score_reward", 1),
        ("chits", {1: 20, 5: 0}),
        ("chits", {1: 8, 2: 6, 3: 4, 4: 3}),
        ("chits", {1: 21, 2: -1}),
        ("chits", {1: 19}),
        ("chits", [8, 6, 4, 2]),
    ],
)
def test_invalid_parameters_are_rejected(name: str, value: Any) -> None:
    with pytest.raises(ValueError, match=name):
        load(**{name: value})


def test_chits_may_have_other_values() -> None:
    assert now(new_game(chits={4: 20}), "pool") == ({"4": 20},)


def test_chits_may_have_string_keys() -> None:
    assert now(new_game(chits=FULL), "params") == now(new_game(), "params")


def test_information_is_imperfect() -> None:
    assert not load().perfect_information


@pytest.mark.parametrize("params", [{}, {"num_players": 4}, {"creation": "random"}])
def test_there_are_2096_actions(params: dict[str, Any]) -> None:
    assert load(**params).num_distinct_actions == 2096


# Ids


def test_ids_of_tiles_are_square_times_17_and_mask() -> None:
    found = ids(placing("ruins LWLW"))
    assert found["tile C1 LWLW"] == 20 * 17 + 5
    assert found["tile C4 WLWL"] == 23 * 17 + 10


def test_ids_of_hills() -> None:
    state = filling("fill", hand_tiles={"LLLL": 1, "LLLL6": 1})
    found = ids(state)
    assert (found["tile C4 LLLL"], found["tile C4 LLLL6"]) == (23 * 17 + 15, 23 * 17 + 16)


def test_ids_of_stacks_and_the_ghost() -> None:
    state = filling("stack", left={"WWWW": 4}, stacks=[1, 1, 1, 1])
    assert ids(state) == {f"stack {i + 1}": 1190 + i for i in range(4)}
    assert ids(whole_map("ghost")) == {"ghost D5": 1194, "ghost D6": 1195}


def test_ids_of_declarations() -> None:
    start = at(["B5.C0 A3.C0", "G3.C0 B5.C0", "A10.S", "A10.S"], symbols={"B5": "friendly"})
    assert ids(start) == {
        "travel": DECLARED,
        "search": DECLARED + 2,
        "steal 1": DECLARED + 4,
        "save +": DECLARED + 9,
        "save -": DECLARED + 10,
    }
    assert ids(at(["C3.C0", FAR]))["swim"] == DECLARED + 1
    stormy = at(["A5.S", FAR], symbols={"A5": "storm"})
    assert (ids(stormy)["salvage"], ids(stormy)["drift"]) == (DECLARED + 7, DECLARED + 8)


def test_ids_of_places() -> None:
    found = ids(travel(f"D5.H {AWAY}", 3))
    assert found["go D5.K1"] == GO + 34 * 8 + 4
    assert found["go C5.C0"] == GO + 24 * 8 + 1
    assert found["go D6.H"] == GO + 35 * 8 + 7
    assert ids(travel("A5.S"))["go B4"] == GO + 564
    assert ids(travel("C3.C0 C3.C0"))["go C3.S"] == GO + 22 * 8


def test_ids_of_taking_and_the_end() -> None:
    assert ids(travel(f"B3.H {AWAY}", 2)) == {"take gold": TAKE + 1, "end": TAKE + 2}
    assert ids(travel("A5.S", 2, symbols={"A5": "chest"}, points=1))["end"] == TAKE + 2
    assert ids(travel("A5.S", 2, symbols={"A5": "skull"})) == {"take chit": TAKE, "end": TAKE + 2}


def test_ids_of_numbers_come_after_the_end() -> None:
    assert ids(at(["A5.S", FAR], "number", declared="travel")) == {f"number {n}": 1802 + n for n in (2, 3, 4, 5)}


def test_ids_of_extra_acts() -> None:
    found = ids(travel("A5.S", 2, extra="ghost"))
    ways = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"]
    assert {way: found[f"ghost {way}"] for way in ways} == {way: 1808 + i for i, way in enumerate(ways)}
    found = ids(travel("A5.S", 3, extra="chit", symbols={"C5": "ruins"}))
    assert {side: found[f"chit C5 {side}"] for side in "NES"} == {"N": 1912, "E": 1913, "S": 1914}


# Symbols that are revealed


def test_a_symbol_is_revealed_when_a_pawn_enters_its_tile() -> None:
    state = play(travel("A4.S", 5, symbols={"A5": "?"}, **RANDOM), "go A5.S")
    assert now(state, "phase", "symbols") == ("reveal", {"A5": "?"})
    play(state, "reveal chest")
    assert now(state, "phase", "symbols", "points") == ("travel", {"A5": "chest"}, 4)


def test_the_revealed_symbol_is_a_hidden_one_of_its_class() -> None:
    state = play(travel("A4.S", 5, symbols={"A5": "?", "C7": "skull"}, **RANDOM), "go A5.S")
    assert outcomes(state) == {"reveal storm": pytest.approx(2 / 3), "reveal chest": pytest.approx(1 / 3)}
    state = play(travel("A2.S", 5, symbols={"A3": "?", "E8": "hostile", "A8": "?"}, **RANDOM), "go A3.S")
    assert outcomes(state) == evenly("reveal skull", "reveal storm", "reveal friendly", "reveal chest")


def test_a_scout_also_reveals_a_symbol_in_a_circle_or_not() -> None:
    for end in ("B5.K2", "B5.C0"):
        state = play(travel(f"C5.K3 {AWAY}", 5, symbols={"B5": "?"}, **RANDOM), f"go {end}")
        assert now(state, "phase") == ("reveal",)


def test_a_revealed_storm_ends_the_movement_of_a_boat() -> None:
    state = play(travel("A4.S", 5, symbols={"A5": "?"}, chits={}, **RANDOM), "go A5.S", "reveal storm")
    assert turn_of(state) == ("declare", 1)


def test_moving_a_chit_does_not_reveal_a_symbol() -> None:
    state = travel("A1.S", 3, extra="chit", symbols={"B5": "?", "C5": "?"}, **RANDOM)
    assert now(play(state, "chit C5 N"), "symbols", "chits") == ({"B5": "?", "C5": "?"}, {"B5": 2})


# Geometry: places


def places(result: int, pawn: str, **entries: Any) -> set[str]:
    """Return where a pawn can go with a result."""
    return goes(travel(pawn, result, **entries))


def test_a_boat_sails_over_water_edges() -> None:
    assert places(5, "C7.S", points=1) == {"B7.S", "C6.S", "C8.S", "D7.S"}


def test_a_boat_does_not_sail_over_land_edges() -> None:
    assert places(5, "B4.S", points=1) == {"A4.S", "C4.S"}
    assert places(5, "A3.S", points=1) == {"A2.S", "A4.S", "B2"}


def test_sailing_costs_one_point() -> None:
    assert now(play(travel("C7.S", 4), "go D7.S"), "points") == (3,)


def test_a_boat_sails_to_the_rim_and_back() -> None:
    assert "B4" in places(5, "A5.S", points=1)
    assert places(5, "B4", points=1) == {"A5.S"}
    state = play(travel("A5.S", 4), "go B4")
    assert (own(state, 0, "pawn", "boat"), now(state, "points")) == (("B4", "B4"), (3,))


@pytest.mark.parametrize(
    ("circle", "square", "neighbours"),
    [
        ("B0", "A1", {"B33", "B1"}),
        ("B9", "A10", {"B8", "B10"}),
        ("B10", "A10", {"B9", "B11"}),
        ("B16", "G10", {"B15", "B17"}),
        ("B17", "G10", {"B16", "B18"}),
        ("B26", "G1", {"B25", "B27"}),
        ("B27", "G1", {"B26", "B28"}),
        ("B33", "A1", {"B32", "B0"}),
        ("B13", "D10", {"B12", "B14"}),
        ("B20", "G7", {"B19", "B21"}),
        ("B30", "D1", {"B29", "B31"}),
    ],
)
def test_the_board_edge_circles_are_a_closed_ring(circle: str, square: str, neighbours: set[str]) -> None:
    assert places(3, circle) == {f"{square}.S"} | neighbours
    assert places(2, circle) == {f"{square}.S"}


def test_the_rim_costs_three_points() -> None:
    assert now(play(travel("B4", 5), "go B5"), "points") == (2,)


# Geometry: landing and putting to sea


def test_landing_costs_two_points_and_leaves_the_boat_there() -> None:
    state = play(travel("C5.S", 5), "go C5.C0")
    assert own(state, 0, "pawn", "boat", "ashore") == ("C5.C0", "C5.C0", True)
    assert now(state, "points") == (3,)
    assert "C5.C0" not in places(5, "C5.S", points=1)


def test_at_a_strait_a_boat_lands_on_either_side() -> None:
    assert {"E4.C0", "E4.C1"} <= places(2, "E4.S")
    assert own(play(travel("E4.S", 5), "go E4.C1"), 0, "boat") == ("E4.C1",)


def test_open_sea_has_no_place_to_land() -> None:
    assert places(5, "C4.S", points=2) == {"B4.S", "C3.S", "C5.S", "D4.S"}


def test_putting_to_sea_costs_two_points() -> None:
    state = play(travel("C5.C0 C5.C0", 5), "go C5.S")
    assert own(state, 0, "pawn", "boat", "ashore") == ("C5.S", "C5.S", False)
    assert now(state, "points") == (3,)


def test_a_scout_puts_to_sea_only_with_its_own_boat() -> None:
    assert "C5.S" not in places(5, "C5.C0 C6.C0")
    assert "E4.S" not in places(5, "E4.C0 E4.C1")
    assert "E4.S" in places(5, "E4.C1 E4.C1")
    assert "C5.S" not in places(5, "C5.C0 C6.C0", others=["G3.C0 C5.C0"])


def test_a_scout_puts_to_sea_only_from_the_circle() -> None:
    assert "C5.S" not in places(5, "C5.K2 C5.C0")


# Geometry: the coast


def coast(pawn: str) -> set[str]:
    """Return where a scout without a boat can go for two points."""
    return places(2, f"{pawn} {AWAY}")


def overland(pawn: str) -> set[str]:
    """Return where a scout without a boat can go for three points but not for two."""
    return places(3, f"{pawn} {AWAY}") - places(2, f"{pawn} {AWAY}")


@pytest.mark.parametrize(
    ("start", "ends"),
    [
        ("C5.C0", {"C5.K2", "C5.K3", "D5.K3", "B5.K2"}),
        ("C5.K3", {"C5.C0", "B5.K2"}),
        ("C5.K2", {"C5.C0", "D5.K3"}),
        ("C5.K0", {"B5.K1", "B5.C0", "C6.K3", "C6.C0"}),  # a tiny bit of coast
        ("B5.K2", {"C5.K3", "C5.C0", "B4.K1", "B4.C0"}),  # another one
        ("D5.K1", {"E5.K0", "E5.C0", "D6.K2"}),
        ("D5.K3", {"C5.K2", "C5.C0", "D4.K0", "D4.C0"}),
        ("E5.C0", {"E5.K0", "E5.K3", "D5.K1", "D5.K2"}),
        ("A3.C0", {"A3.K1", "A3.K2", "B3.K0", "B3.K3"}),
        ("C3.C0", {"C3.K0", "C3.K3", "B3.K1", "B3.K2"}),
        ("C3.C1", {"C3.K1", "C3.K2", "D3.K0", "D3.K3", "D3.C0"}),
        ("D5.H", set()),
    ],
)
def test_marching_along_the_coast(start: str, ends: set[str]) -> None:
    assert coast(start) == ends


def test_corners_on_the_rim_are_coast() -> None:
    ends = places(2, f"A5.C0 {AWAY}", board=NO_SEA_LEFT)  # A5 and A6 share a land edge
    assert ends == {"A5.K0", "A5.K1", "A6.K2", "A6.K3", "A6.C0"}


def test_the_coast_costs_two_points() -> None:
    assert now(play(travel(f"C5.C0 {AWAY}", 5), "go D5.K3"), "points") == (3,)


def test_dry_corners_are_not_coast() -> None:
    assert not {"C5.K1", "D5.K0", "D6.K3", "C6.K2"} & places(5, f"D5.H {AWAY}")


# Geometry: overland


@pytest.mark.parametrize(
    ("start", "ends"),
    [
        ("C5.C0", {"C5.K0", "B5.K1", "B5.C0", "C6.K3", "C6.C0", "D5.H"}),
        ("C5.K0", {"C5.C0", "C5.K2", "C5.K3", "B5.K2", "D5.K3", "D5.H"}),
        (
            "D5.H",
            {
                *("D5.K1", "D5.K2", "D5.K3", "C5.C0", "C5.K2", "D6.H", "D6.K2"),
                *("E5.C0", "E5.K0", "E5.K3", "D4.C0", "D4.K0", "D4.K1"),
            },
        ),
        ("E4.C0", set()),
        ("F4.C0", {"F4.K3", "E4.K2", "F3.K0", "F3.H"}),
        ("A3.C0", {"B3.H"}),
    ],
)
def test_marching_overland(start: str, ends: set[str]) -> None:
    assert overland(start) == ends


def test_overland_costs_three_points() -> None:
    assert now(play(travel(f"C5.C0 {AWAY}", 5), "go D5.H"), "points") == (2,)


def test_the_cheaper_coast_step_replaces_an_overland_step() -> None:
    assert now(play(travel(f"C5.C0 {AWAY}", 5), "go B5.K2"), "points") == (3,)


def test_overland_arrives_at_the_edge_that_was_crossed() -> None:
    assert "D5.K1" not in places(5, f"C5.C0 {AWAY}")
    assert "C5.C0" in places(5, f"D5.K1 {AWAY}")


def test_scouts_cannot_march_over_water_or_across_a_strait() -> None:
    assert not {"E4.C1", "E4.K1", "E4.K2", "F4.C0"} & places(5, f"E4.C0 {AWAY}")


def test_scouts_cannot_march_diagonally() -> None:
    assert not {"B4.C0", "B6.C0", "D4.C0", "D6.H"} & places(5, f"C5.C0 {AWAY}")


def test_hilltops_are_reached_only_overland() -> None:
    assert "D5.H" not in coast("D5.K1")
    assert "D5.H" in overland("D5.K1")


# The order of a turn


def test_a_turn_begins_with_a_declaration_then_the_spin() -> None:
    state = at(["A1.S", FAR])
    assert texts(state) == ["travel", "save +", "save -"]
    play(state, "travel")
    assert (now(state, "phase", "declared"), state.is_chance_node()) == (("spin", "travel"), True)


def test_all_spins_are_equally_likely() -> None:
    ways = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"]
    state = play(at(["A1.S", FAR]), "travel")
    assert outcomes(state) == evenly(*(f"spin {number} {way}" for number in (2, 3, 4, 5) for way in ways))


def test_the_result_gives_as_many_points() -> None:
    state = play(at(["A1.S", FAR]), "travel", "spin 4 N")
    assert now(state, "phase", "result", "points", "spun") == ("travel", 4, 4, None)


def test_the_turn_passes_to_the_left() -> None:
    state = at(["A1.S", FAR, FAR], turn_player=1, decider=1)
    assert turn_of(play(state, "travel", "spin 4 N", "end")) == ("declare", 2)
    assert turn_of(play(state, "travel", "spin 4 N", "end")) == ("declare", 0)
    assert now(state, "turn") == (12,)


def test_end_is_always_legal_while_travelling() -> None:
    state = play(travel("A5.S", 5), "go A4.S")
    assert "end" in texts(state)
    assert turn_of(play(state, "end")) == ("declare", 1)


def test_a_turn_with_only_end_legal_ends_automatically() -> None:
    state = play(travel("A5.S", 2), "go A4.S", "go A5.S")
    assert (turn_of(state), now(state, "result", "points", "declared")) == (("declare", 1), (None, None, None))


def test_a_player_who_owes_a_turn_misses_it() -> None:
    state = at(["A1.S", FAR, FAR], own=[{}, {"skip": 1, "saved": 2}, {}])
    play(state, "travel", "spin 4 N", "end")
    assert (turn_of(state), now(state, "turn")) == (("declare", 2), (12,))
    assert own(state, 1, "skip", "saved") == (0, 2)


def test_a_missed_turn_does_not_change_the_count_of_equal_numbers() -> None:
    state = at(["A1.S", FAR], own=[{}, {"skip": 1, "triple": (4, 2)}])
    play(state, "travel", "spin 4 N", "end")
    assert (turn_of(state), own(state, 1, "triple")) == (("declare", 0), ([4, 2],))


# Saving


def test_a_point_is_saved_without_a_spin() -> None:
    state = play(at(["A1.S", FAR], own=[{"triple": (4, 2)}]), "save +")
    assert (turn_of(state), now(state, "ghost")) == (("declare", 1), ("F6",))
    assert own(state, 0, "saved", "triple") == (1, [0, 0])


def test_points_below_zero_can_be_saved() -> None:
    assert own(play(at(["A1.S", FAR]), "save -"), 0, "saved") == (-1,)


@pytest.mark.parametrize(("saved", "offered"), [(1, ["save +"]), (-2, ["save -"]), (3, []), (-3, [])])
def test_the_sign_stays_and_at_most_three_points_are_saved(saved: int, offered: list[str]) -> None:
    assert texts(at(["A1.S", FAR], own=[{"saved": saved}])) == ["travel", *offered]


@pytest.mark.parametrize(
    ("saved", "number", "result"), [(1, 3, 4), (2, 2, 4), (3, 4, 5), (3, 2, 5), (-1, 4, 3), (-3, 4, 2), (-2, 2, 2)]
)
def test_saved_points_change_the_result_within_two_and_five(saved: int, number: int, result: int) -> None:
    state = play(at(["A1.S", FAR], own=[{"saved": saved}]), "travel", f"spin {number} N")
    assert now(state, "result", "points") == (result, result)
    assert own(state, 0, "saved", "triple") == (0, [number, 1])


def test_any_turn_except_a_save_uses_all_saved_points() -> None:
    state = at([f"C3.C0 {AWAY}", FAR], own=[{"saved": 3}])
    assert own(play(state, "search", "spin 2 N"), 0, "saved", "boat") == (0, "C3.C0")


# The ghost


@pytest.mark.parametrize(
    ("way", "square"),
    [
        *(("N", "E6"), ("NE", "E7"), ("E", "F7"), ("SE", "G7"), ("S", "G6"), ("SW", "G5"), ("W", "F5"), ("NW", "E5")),
    ],
)
def test_the_ghost_moves_one_square_in_the_direction_of_the_spin(way: str, square: str) -> None:
    assert now(play(at(["A1.S", FAR]), "travel", f"spin 2 {way}"), "ghost") == (square,)


@pytest.mark.parametrize("square", ["D5", "D6"])
def test_a_ghost_off_the_board_is_put_back_by_the_turn_player(square: str) -> None:
    state = play(at(["A1.S", FAR], ghost="A4"), "travel", "spin 2 NW")
    assert (now(state, "phase"), state.current_player()) == (("ghost_back",), 0)
    assert texts(state) == ["ghost D5", "ghost D6"]
    assert now(play(state, f"ghost {square}"), "phase", "ghost", "result") == ("travel", square, 2)


def test_the_ghost_takes_a_random_chit_on_arrival() -> None:
    state = at(["F5.S", FAR], own=[{"chits": {1: 3, 4: 1}}])
    play(state, "travel", "spin 2 W")
    assert now(state, "phase", "losers") == ("lose", [0])
    assert outcomes(state) == {"lose 1": pytest.approx(3 / 4), "lose 4": pytest.approx(1 / 4)}
    play(state, "lose 4")
    assert own(state, 0, "chits", "lost") == ({"1": 3}, {"4": 1})
    assert now(state, "phase", "losers", "result") == ("travel", [], 2)


def test_a_ghost_that_is_put_back_takes_chits() -> None:
    state = at(["D5.H C5.C0", FAR], own=[{"chits": {2: 1}}], ghost="A1")
    assert now(play(state, "travel", "spin 2 W", "ghost D5"), "phase", "losers") == ("lose", [0])


def test_a_player_without_chits_loses_nothing() -> None:
    state = play(at(["F5.S", FAR]), "travel", "spin 2 W")
    assert now(state, "phase", "ghost") == ("travel", "F5")


def test_losses_are_drawn_in_turn_order_from_the_turn_player() -> None:
    chits = [{"chits": {1: 1}}, {"chits": {2: 1}}, {}, {"chits": {3: 1}}]
    state = at(["F5.S"] * 4, own=chits, turn_player=1, decider=1)
    play(state, "travel", "spin 2 W")
    assert now(state, "losers") == ([1, 3, 0],)
    assert now(play(state, "lose 2"), "losers") == ([3, 0],)
    assert now(play(state, "lose 3", "lose 1"), "phase", "losers") == ("travel", [])


def test_the_ghost_takes_chits_of_active_pawns_only() -> None:
    state = at(["A1.S", "C5.C0 B5.C0"], own=[{}, {"chits": {2: 1}}], ghost="A5")
    assert now(play(state, "travel", "spin 2 S"), "phase", "ghost") == ("travel", "B5")
    state = at(["A1.S", "C5.C0 B5.C0"], own=[{}, {"chits": {2: 1}}], ghost="D4")
    assert now(play(state, "travel", "spin 2 NE"), "phase", "losers") == ("lose", [1])


def test_board_edge_circles_are_safe_from_the_ghost() -> None:
    state = at(["B4", FAR], own=[{"chits": {2: 1}}], ghost="B5")
    assert now(play(state, "travel", "spin 2 N"), "phase", "ghost") == ("travel", "A5")


def test_a_player_who_comes_to_the_ghost_loses_a_chit() -> None:
    state = travel("F5.S", 4, own=[{"chits": {2: 1}}])
    play(state, "go F6.S")
    assert now(state, "phase", "losers") == ("lose", [0])
    play(state, "lose 2")
    assert now(state, "phase", "points", "losers") == ("travel", 3, [])


def test_only_the_player_who_comes_loses_a_chit() -> None:
    state = travel("F5.S", 4, ["F6.S"], own=[{"chits": {2: 1}}, {"chits": {1: 1}}])
    assert now(play(state, "go F6.S"), "losers") == ([0],)
    state = travel("F5.S", 4, ["F6.S"], own=[{}, {"chits": {1: 1}}])
    assert now(play(state, "go F6.S"), "phase") == ("travel",)


def test_moving_within_the_ghosts_tile_costs_nothing() -> None:
    state = travel("C5.S", 5, own=[{"chits": {2: 1}}], ghost="C5")
    play(state, "go C5.C0")
    assert now(state, "phase") == ("travel",)
    assert now(play(state, "go C5.K2"), "phase") == ("declare",)


def test_gold_and_chits_on_the_board_are_safe_from_the_ghost() -> None:
    state = at(["A1.S", FAR], own=[{}, {"gold": 1}], symbols={"E5": "chest"}, ghost="F6")
    play(state, "travel", "spin 2 NW")
    assert now(state, "ghost", "chits") == ("E5", {"E5": 1})
    assert own(state, 1, "gold") == (1,)


# Symbols: leaving a circle by sea, ashore, passing through

SEA_PLACES = {
    "skull": [("A5", "A4"), ("A3", "A2"), ("B5", "A5")],
    "hostile": [("A3", "A2"), ("B5", "A5"), ("C5", "C4")],
    "ruins": [("C3", "C4"), ("B5", "A5"), ("C5", "C4")],
    "friendly": [("A3", "A2"), ("C3", "C4"), ("B5", "A5"), ("C5", "C4")],
    "chest": [("A5", "A4"), ("A3", "A2"), ("C5", "C4")],
}
LAND_PLACES = {
    "skull": [("A3", "B3.K0"), ("B5", "B4.C0")],
    "storm": [("A3", "B3.K0"), ("C3", "B3.K1")],
    "hostile": [("A3", "B3.K0"), ("B5", "B4.C0"), ("C5", "D5.K3")],
    "ruins": [("C3", "B3.K1"), ("B5", "B4.C0"), ("C5", "D5.K3")],
    "friendly": [("A3", "B3.K0"), ("C3", "B3.K1"), ("B5", "B4.C0"), ("C5", "D5.K3")],
    "chest": [("A3", "B3.K0"), ("C5", "D5.K3")],
}
RIGHT = {
    "skull": [5],
    "storm": [4, 5],
    "hostile": [2, 3],
    "ruins": [2, 3, 4],
    "friendly": [3, 4, 5],
    "chest": [2, 3, 4, 5],
}


@pytest.mark.parametrize("symbol", list(SEA_PLACES))
@pytest.mark.parametrize("result", [2, 3, 4, 5])
def test_leaving_a_symbol_by_sea_requires_the_right_result(symbol: str, result: int) -> None:
    for square, end in SEA_PLACES[symbol]:
        state = travel(f"{square}.S", result, symbols={square: symbol})
        assert (f"{end}.S" in goes(state)) == (result in RIGHT[symbol])


@pytest.mark.parametrize("symbol", list(LAND_PLACES))
@pytest.mark.parametrize("result", [2, 3, 4, 5])
def test_leaving_a_symbol_ashore_requires_the_right_result(symbol: str, result: int) -> None:
    for square, end in LAND_PLACES[symbol]:
        state = travel(f"{square}.C0 {square}.C0", result, symbols={square: symbol})
        assert (end in goes(state)) == (result in RIGHT[symbol])


@pytest.mark.parametrize(
    ("symbol", "way"),
    [
        ("skull", ["A4", "A5", "A6"]),
        ("hostile", ["A2", "A3", "A4"]),
        ("ruins", ["C2", "C3", "C4"]),
        ("friendly", ["A2", "A3", "A4"]),
        ("chest", ["A4", "A5", "A6"]),
    ],
)
@pytest.mark.parametrize("result", [2, 3, 4, 5])
def test_passing_through_a_symbol_requires_the_right_result(symbol: str, way: list[str], result: int) -> None:
    start, square, end = way
    state = travel(f"{start}.S", result, symbols={square: symbol}, chits={})
    play(state, f"go {square}.S")
    assert own(state, 0, "pawn") == (f"{square}.S",)
    assert (f"go {end}.S" in texts(state)) == (result in RIGHT[symbol])


@pytest.mark.parametrize(("symbol", "square"), [("hostile", "C5"), ("ruins", "C5"), ("skull", "B5"), ("storm", "C3")])
@pytest.mark.parametrize("result", [4, 5])
def test_a_scout_passing_through_the_circle_requires_the_right_result(symbol: str, square: str, result: int) -> None:
    corner, back = {"C5": ("C5.K2", "D5.K3"), "B5": ("B5.K1", "B5.K1"), "C3": ("C3.K0", "B3.K1")}[square]
    state = travel(f"{corner} {AWAY}", result, symbols={square: symbol})
    play(state, f"go {square}.C0")
    assert (f"go {back}" in texts(state)) == (result in RIGHT[symbol])


@pytest.mark.parametrize("symbol", ["skull", "hostile", "friendly", "chest", "storm"])
@pytest.mark.parametrize("result", [2, 3, 4, 5])
def test_putting_to_sea_is_not_leaving(symbol: str, result: int) -> None:
    assert "A3.S" in places(result, "A3.C0 A3.C0", symbols={"A3": symbol})


@pytest.mark.parametrize("symbol", ["skull", "hostile", "friendly", "chest"])
@pytest.mark.parametrize("result", [2, 3, 4, 5])
def test_landing_is_not_leaving(symbol: str, result: int) -> None:
    assert "A3.C0" in places(result, "A3.S", symbols={"A3": symbol})


@pytest.mark.parametrize("symbol", ["skull", "hostile", "ruins", "friendly"])
@pytest.mark.parametrize("result", [2, 3, 4, 5])
def test_corners_are_free_of_symbols(symbol: str, result: int) -> None:
    assert "B4.C0" in places(result, f"B5.K2 {AWAY}", symbols={"B5": symbol})


def test_a_step_from_the_circle_to_a_corner_of_the_tile_leaves_it() -> None:
    assert "C5.K2" not in places(4, f"C5.C0 {AWAY}", symbols={"C5": "hostile"})
    assert "C5.K2" in places(3, f"C5.C0 {AWAY}", symbols={"C5": "hostile"})


def test_a_step_into_the_circle_is_legal_with_any_result() -> None:
    for result in (2, 3, 4, 5):
        assert "B5.C0" in places(result, f"C5.K0 {AWAY}", symbols={"B5": "skull"})


# Skull


def test_a_skull_is_left_by_one_step_which_ends_movement_and_taking() -> None:
    state = play(travel("A5.S", 5, symbols={"A5": "skull", "C7": "chest"}), "go A6.S")
    assert turn_of(state) == ("declare", 1)


def test_nothing_is_taken_in_the_turn_in_which_a_skull_is_left() -> None:
    state = travel("A5.S", 5, symbols={"A5": "skull", "A6": "storm"})
    assert turn_of(play(state, "go A6.S")) == ("declare", 1)


def test_a_skull_ashore_is_left_by_one_step_of_any_kind() -> None:
    for end in ("C5.C0", "B4.C0", "C5.K3", "B5.K2"):
        state = play(travel(f"B5.C0 {AWAY}", 5, symbols={"B5": "skull"}), f"go {end}")
        assert (turn_of(state), own(state, 0, "pawn")) == (("declare", 1), (end,))


def test_a_skull_may_be_left_in_the_middle_of_a_turn() -> None:
    state = play(travel("A4.S", 5, symbols={"A5": "skull"}), "go A5.S", "go A6.S")
    assert (turn_of(state), own(state, 0, "pawn")) == (("declare", 1), ("A6.S",))


def test_the_rim_counts_as_a_space() -> None:
    state = play(travel("A5.S", 5, symbols={"A5": "skull"}), "go B4")
    assert (turn_of(state), own(state, 0, "pawn")) == (("declare", 1), ("B4",))


# Storm


def test_entering_a_storm_at_sea_ends_the_movement() -> None:
    state = travel("A2.S", 5, symbols={"A3": "storm"})
    assert turn_of(play(state, "go A3.S")) == ("declare", 1)
    assert own(state, 0, "pawn") == ("A3.S",)


def test_a_chit_on_rocks_in_a_storm_may_still_be_taken() -> None:
    state = play(travel("A4.S", 2, symbols={"A5": "storm"}), "go A5.S")
    assert (now(state, "movement_over"), texts(state)) == ((True,), ["take chit", "end"])
    assert turn_of(play(travel("A4.S", 2, points=1, symbols={"A5": "storm"}), "go A5.S")) == ("declare", 1)


def test_putting_to_sea_in_a_storm_ends_the_movement() -> None:
    for result in (2, 5):
        state = play(travel("A3.C0 A3.C0", result, symbols={"A3": "storm"}), "go A3.S")
        assert (turn_of(state), own(state, 0, "pawn", "ashore")) == (("declare", 1), ("A3.S", False))


def test_a_storm_ashore_is_left_by_one_step_which_ends_movement_and_taking() -> None:
    for result in (4, 5):
        state = play(travel(f"A3.C0 {AWAY}", result, symbols={"A3": "storm"}), "go A3.K1")
        assert (turn_of(state), own(state, 0, "pawn")) == (("declare", 1), ("A3.K1",))
        state = play(travel(f"A3.C0 {AWAY}", result, symbols={"A3": "storm"}), "go B3.H")
        assert turn_of(state) == ("declare", 1)


def test_coming_ashore_to_a_storm_does_not_end_the_movement() -> None:
    state = play(travel(f"A3.K1 {AWAY}", 4, symbols={"A3": "storm"}), "go A3.C0")
    assert now(state, "phase", "movement_over") == ("travel", False)
    assert "B3.K0" in goes(state)


def test_a_boat_that_begins_its_turn_in_a_storm_drifts_salvages_or_saves() -> None:
    assert texts(at(["A3.S", FAR], symbols={"A3": "storm"})) == ["drift", "save +", "save -"]
    assert texts(at(["A5.S", FAR], symbols={"A5": "storm"})) == ["salvage", "drift", "save +", "save -"]
    assert texts(at(["A5.S", FAR], symbols={"A5": "storm"}, chits={})) == ["drift", "save +", "save -"]


def test_only_chits_on_rocks_are_salvaged() -> None:
    assert "salvage" not in texts(at(["A3.S", FAR], symbols={"A3": "storm"}))
    assert "salvage" not in texts(at(["A5.S", FAR], symbols={"A5": "skull"}))


@pytest.mark.parametrize("result", [2, 5])
def test_salvage_takes_the_chit_whatever_the_result(result: int) -> None:
    state = play(at(["A5.S", FAR], symbols={"A5": "storm"}), "salvage", f"spin {result} N")
    assert now(state, "phase", "ghost") == ("value", "E6")
    play(state, "value 3")
    assert (turn_of(state), own(state, 0, "chits")) == (("declare", 1), ({"3": 1},))


# Drifting


def drifting(pawn: str, way: str, **entries: Any) -> Any:
    """Return a boat after a spin in a direction."""
    return play(at([pawn, FAR], **{"ghost": "F2", **entries}), "drift", f"spin 4 {way}")


@pytest.mark.parametrize(
    ("square", "way", "end"),
    [
        ("A3", "E", "A4.S"),
        ("A3", "N", "B2"),
        ("A5", "S", "B5.S"),
        ("A5", "NE", "B5"),
        ("A5", "NW", "B3"),
        ("A5", "SE", "B6.S"),
        ("A5", "SW", "B4.S"),
        ("A3", "SW", "B2.S"),
        ("A3", "SE", "B4.S"),
        ("A9", "NE", "B9"),
        ("C1", "SW", "B30"),
        ("C1", "NW", "B32"),
        ("C10", "NE", "B11"),
        ("G7", "SE", "B19"),
        ("A2", "NW", "B0"),
        ("B1", "NW", "B33"),
        ("A2", "NE", "B2"),
        ("B4", "SW", "C3.S"),  # water at the corner, on both tiles
    ],
)
def test_a_boat_drifts_one_space(square: str, way: str, end: str) -> None:
    symbols = {square: "storm"}
    state = drifting(f"{square}.S", way, symbols=symbols)
    assert (turn_of(state), own(state, 0, "pawn", "boat", "ashore")) == (("declare", 1), (end, end, False))


@pytest.mark.parametrize(
    ("square", "way", "end"), [("A3", "S", "A3.C0"), ("B4", "E", "B4.C0"), ("B4", "W", "B4.C1"), ("E3", "S", "E3.C1")]
)
def test_a_boat_that_drifts_over_a_land_edge_runs_aground(square: str, way: str, end: str) -> None:
    state = drifting(f"{square}.S", way, symbols={square: "storm"})
    assert (turn_of(state), own(state, 0, "pawn", "boat", "ashore")) == (("declare", 1), (end, end, True))


def test_a_boat_that_drifts_over_a_corner_runs_aground_if_the_other_tile_is_all_land() -> None:
    state = drifting("E4.S", "NE", symbols={"E4": "storm"})  # D5 is all land; E4 has land to the north
    assert own(state, 0, "pawn", "ashore") == ("E4.C0", True)
    state = drifting("E4.S", "SW", symbols={"E4": "storm"})  # F3 is all land; E4 has land to the south
    assert own(state, 0, "pawn", "ashore") == ("E4.C1", True)


def test_a_boat_that_drifts_over_a_corner_without_land_spins_again() -> None:
    state = drifting("A4.S", "SW", symbols={"A4": "storm"})  # B3 is all land; A4 is all water
    assert (now(state, "phase", "spun"), own(state, 0, "pawn")) == (("drift", None), ("A4.S",))
    assert outcomes(state) == evenly(*(f"drift {way}" for way in ["N", "NE", "E", "SE", "S", "W", "NW"]))
    ghost = now(state, "ghost")
    play(state, "drift SE")
    assert (turn_of(state), own(state, 0, "pawn"), now(state, "ghost")) == (("declare", 1), ("B5.S",), ghost)


def test_the_ghost_moves_before_the_boat_drifts() -> None:
    state = at(["A5.S", FAR], symbols={"A5": "storm"}, own=[{"chits": {1: 1}}], ghost="B4")
    play(state, "drift", "spin 2 NE")
    assert now(state, "phase", "ghost", "losers") == ("lose", "A5", [0])
    play(state, "lose 1")
    assert (turn_of(state), own(state, 0, "pawn")) == (("declare", 1), ("B5",))


def test_a_ghost_off_the_board_is_put_back_before_the_boat_drifts() -> None:
    state = drifting("A5.S", "N", symbols={"A5": "storm"}, ghost="A9")
    assert now(state, "phase") == ("ghost_back",)
    assert own(play(state, "ghost D5"), 0, "pawn") == ("B4",)


def test_a_boat_may_drift_to_the_ghost() -> None:
    state = at(["A5.S", FAR], symbols={"A5": "storm"}, own=[{"chits": {1: 1}}], ghost="A5")
    play(state, "drift", "spin 2 S")
    assert (own(state, 0, "pawn"), now(state, "phase", "losers", "ghost")) == (("B5.S",), ("lose", [0], "B5"))
    assert turn_of(play(state, "lose 1")) == ("declare", 1)


def test_a_drift_reveals_a_symbol() -> None:
    state = at(["A5.S", FAR], symbols={"A5": "storm", "A4": "?"}, **RANDOM)
    play(state, "drift", "spin 4 W")
    assert now(state, "phase") == ("reveal",)
    assert turn_of(play(state, "reveal chest")) == ("declare", 1)


def test_nothing_is_taken_after_a_drift() -> None:
    state = drifting("A5.S", "W", symbols={"A5": "storm", "A4": "chest"})
    assert (turn_of(state), now(state, "chits")) == (("declare", 1), ({"A4": 1, "A5": 1},))


def test_a_drift_uses_saved_points_and_counts_its_number() -> None:
    state = drifting("A5.S", "W", symbols={"A5": "storm"}, own=[{"saved": 2}])
    assert own(state, 0, "saved", "triple") == (0, [4, 1])


# Taking


def test_a_chit_is_taken_ashore_in_the_circle_for_a_point() -> None:
    state = travel("C5.C0 C5.C0", 2, symbols={"C5": "ruins"}, points=1)
    assert texts(state) == ["take chit", "end"]
    play(state, "take chit")
    assert now(state, "phase") == ("value",)
    play(state, "value 2")
    assert (turn_of(state), own(state, 0, "chits")) == (("declare", 1), ({"2": 1},))
    assert now(state, "chits", "pool") == ({}, {"1": 8, "2": 5, "3": 4, "4": 2})


def test_values_are_drawn_from_those_never_taken() -> None:
    state = travel("C5.C0 C5.C0", 2, symbols={"C5": "ruins"}, own=[{"chits": {1: 2}}, {"lost": {4: 1}}])
    play(state, "take chit")
    expected = {1: 6 / 17, 2: 6 / 17, 3: 4 / 17, 4: 1 / 17}
    assert outcomes(state) == {f"value {value}": pytest.approx(p) for value, p in expected.items()}


def test_taking_ends_the_turn_whatever_points_are_left() -> None:
    state = play(travel("C5.C0 C5.C0", 4, symbols={"C5": "ruins"}), "take chit", "value 1")
    assert turn_of(state) == ("declare", 1)


def test_a_chit_can_be_taken_from_both_sides_of_a_strait() -> None:
    for side in ("C0", "C1"):
        assert "take chit" in texts(travel(f"C3.{side} C3.{side}", 4, symbols={"C3": "ruins"}))


@pytest.mark.parametrize("pawn", ["C5.K2 G3.C0", "C5.S"])
def test_a_chit_is_not_taken_from_a_corner_or_from_sea(pawn: str) -> None:
    assert "take chit" not in texts(travel(pawn, 4, symbols={"C5": "ruins"}))


def test_a_chit_on_rocks_is_taken_from_a_boat() -> None:
    assert "take chit" in texts(travel("A5.S", 5, symbols={"A5": "skull"}, points=1))


@pytest.mark.parametrize(("points", "taken"), [(2, False), (3, True)])
def test_a_chit_on_a_chest_costs_three_points(points: int, taken: bool) -> None:
    for square, pawn in [("A5", "A5.S"), ("C5", "C5.C0 C5.C0"), ("A3", "A3.C0 A3.C0")]:
        state = travel(pawn, 4, symbols={square: "chest"}, points=points)
        assert ("take chit" in texts(state)) == taken


def test_a_chit_moved_onto_a_chest_costs_three_and_one_moved_off_it_one() -> None:
    state = travel("B5.C0 B5.C0", 2, symbols={"B5": "friendly", "C5": "chest"}, chits={"B5": 2})
    assert "take chit" in texts(state)
    state = travel("C5.C0 C5.C0", 2, symbols={"B5": "friendly", "C5": "chest"}, chits={"C5": 2})
    assert "take chit" not in texts(state)


def test_two_chits_on_a_tile_are_taken_in_two_turns() -> None:
    state = travel("C5.C0 C5.C0", 4, symbols={"C5": "ruins", "B5": "skull"}, chits={"C5": 2})
    play(state, "take chit", "value 1", "travel", "spin 3 N", "end")
    assert (now(state, "chits"), turn_of(state)) == (({"C5": 1},), ("declare", 0))
    assert "take chit" in texts(play(state, "travel", "spin 2 N"))


def test_gold_is_taken_on_the_hilltop() -> None:
    state = travel(f"B3.H {AWAY}", 2, points=1)
    assert texts(state) == ["take gold", "end"]
    play(state, "take gold")
    assert (turn_of(state), own(state, 0, "gold")) == (("declare", 1), (1,))
    assert "B3" not in now(state, "gold")[0]
    assert "take gold" not in texts(travel(f"B3.K0 {AWAY}", 2))


def test_there_may_be_a_chit_and_gold_on_a_hill() -> None:
    state = travel(f"D5.H {AWAY}", 2, symbols={"C5": "chest"}, chits={"D5": 1})
    assert texts(state) == ["take chit", "take gold", "end"]


# Swimming


def test_a_scout_in_a_circle_at_a_strait_may_swim() -> None:
    assert "swim" in texts(at(["C3.C0 C3.C0", FAR]))
    assert "swim" not in texts(at([f"C3.K0 {AWAY}", FAR]))
    assert "swim" not in texts(at(["C3.S", FAR]))
    assert "swim" not in texts(at(["C5.C0 C5.C0", FAR]))


@pytest.mark.parametrize(("number", "end"), [(2, "C3.C0"), (3, "C3.C0"), (4, "C3.C1"), (5, "C3.C1")])
def test_four_or_five_reach_the_other_side(number: int, end: str) -> None:
    state = play(at(["C3.C0 C3.C0", FAR]), "swim", f"spin {number} N")
    assert (turn_of(state), own(state, 0, "pawn", "boat", "ashore")) == (("declare", 1), (end, "C3.C0", True))


def test_saved_points_count_for_a_swim() -> None:
    state = play(at(["C3.C1 C3.C0", FAR], own=[{"saved": 1}]), "swim", "spin 3 N")
    assert own(state, 0, "pawn", "saved") == ("C3.C0", 0)


def test_symbols_do_not_restrict_swimming() -> None:
    state = play(at(["C3.C0 C3.C0", FAR], symbols={"C3": "ruins"}), "swim", "spin 5 N")
    assert own(state, 0, "pawn") == ("C3.C1",)


# Searching


SEARCHES = {
    None: ("C5", [5]),
    "friendly": ("C5", [2, 3, 4, 5]),
    "hostile": ("C5", [4, 5]),
    "ruins": ("C5", [4, 5]),
}


@pytest.mark.parametrize("symbol", list(SEARCHES))
@pytest.mark.parametrize("number", [2, 3, 4, 5])
def test_searching_for_a_boat(symbol: str | None, number: int) -> None:
    square, found = SEARCHES[symbol]
    state = at([f"{square}.C0 {AWAY}", FAR], symbols={square: symbol} if symbol else {})
    play(state, "search", f"spin {number} N")
    boat = f"{square}.C0" if number in found else AWAY
    assert own(state, 0, "pawn", "boat", "ashore") == (f"{square}.C0", boat, True)
    assert turn_of(state) == ("declare", 1)
    assert own(state, 0, "skip") == (int(symbol == "hostile" and number == 2),)


def test_a_search_on_a_hostile_tile_depends_on_the_result() -> None:
    state = at([f"C5.C0 {AWAY}", FAR], symbols={"C5": "hostile"}, own=[{"saved": -1}])
    assert own(play(state, "search", "spin 3 N"), 0, "skip") == (1,)


@pytest.mark.parametrize(("square", "symbol"), [("B5", "skull"), ("A3", "storm"), ("C5", "chest")])
def test_searching_is_illegal_elsewhere(square: str, symbol: str) -> None:
    assert "search" not in texts(at([f"{square}.C0 {AWAY}", FAR], symbols={square: symbol}))


def test_searching_is_legal_only_in_a_circle_ashore() -> None:
    assert "search" not in texts(at([f"C5.K2 {AWAY}", FAR]))
    assert "search" not in texts(at([f"D5.H {AWAY}", FAR]))
    assert "search" not in texts(at(["C5.S", FAR]))


def test_searching_is_illegal_beside_ones_own_boat() -> None:
    assert "search" not in texts(at(["C3.C0 C3.C0", FAR]))
    assert "search" in texts(at(["C3.C0 C3.C1", FAR]))


# Stealing


THEFT = ["C5.C0 A3.C0", "D5.H C5.C0"]  # player 0 beside the boat of player 1


def test_a_boat_is_stolen_where_its_owner_is_ashore_on_another_tile() -> None:
    assert "steal 1" in texts(at(THEFT))
    assert "steal 1" not in texts(at(["C5.C0 A3.C0", "C5.K2 C5.C0"]))
    assert "steal 1" not in texts(at(["C5.C0 A3.C0", "C5.C0 C5.C0"]))
    assert "steal 1" not in texts(at(["C5.C0 A3.C0", "C5.S"]))
    assert "steal 1" not in texts(at(["C5.C0 C5.C0", "D5.H C5.C0"]))
    assert "steal 1" not in texts(at(["C5.K2 A3.C0", "D5.H C5.C0"]))


def test_only_a_boat_on_the_same_side_is_stolen() -> None:
    assert "steal 1" in texts(at(["E4.C1 A3.C0", "F4.C0 E4.C1"]))
    assert "steal 1" not in texts(at(["E4.C0 A3.C0", "F4.C0 E4.C1"]))
    assert "steal 1" in texts(at(["E4.C1 E4.C0", "F4.C0 E4.C1"]))


def test_one_of_several_boats_is_stolen() -> None:
    state = at(["C5.C0 A3.C0", "D5.H C5.C0", "D6.H C5.C0", FAR])
    assert [text for text in texts(state) if "steal" in text] == ["steal 1", "steal 2"]


@pytest.mark.parametrize("number", [2, 5])
def test_the_boats_change_places_whatever_the_spin(number: int) -> None:
    state = play(at(THEFT), "steal 1", f"spin {number} N")
    assert (own(state, 0, "boat"), own(state, 1, "boat", "claim")) == (("C5.C0",), ("A3.C0", 0))
    assert turn_of(state) == ("declare", 1)


def stolen(pawn: str = "D5.H", **entries: Any) -> Any:
    """Return a state in which player 0 has stolen the boat of player 1, who is travelling."""
    claim = {"own": [{}, {"claim": 0}], "turn_player": 1, "decider": 1}
    thief = entries.pop("thief", "C5.C0 C5.C0")
    told = {"declared": "travel", "result": 5, "points": 5}
    return at([thief, f"{pawn} A3.C0"], "travel", **{**claim, **told, **entries})


def test_a_victim_who_comes_to_the_stolen_boat_gets_it_back() -> None:
    state = play(stolen(), "go C5.C0")
    assert (own(state, 0, "boat"), own(state, 1, "boat", "claim")) == (("A3.C0",), ("C5.C0", None))
    assert "C5.S" in goes(state)


def test_boats_change_back_anywhere_on_the_tile() -> None:
    assert own(play(stolen(), "go C5.K2"), 1, "boat") == ("C5.C0",)


def test_boats_change_back_even_after_the_thief_has_walked_away() -> None:
    state = play(stolen(thief="B5.C0 C5.C0"), "go C5.C0")
    assert (own(state, 0, "boat"), own(state, 1, "boat")) == (("A3.C0",), ("C5.C0",))


def test_boats_do_not_change_back_elsewhere() -> None:
    state = play(stolen(), "go D6.H")
    assert (own(state, 0, "boat"), own(state, 1, "boat", "claim")) == (("C5.C0",), ("A3.C0", 0))


def test_a_claim_lapses_when_the_thief_puts_to_sea() -> None:
    state = at(["C5.C0 C5.C0", "D5.H A3.C0"], "travel", own=[{}, {"claim": 0}], **TRAVELLING)
    assert own(play(state, "go C5.S"), 1, "boat", "claim") == ("A3.C0", None)


TRAVELLING: dict[str, Any] = {"declared": "travel", "result": 5, "points": 5}


def test_a_claim_lapses_when_the_victim_puts_to_sea() -> None:
    state = stolen("A3.C0")
    assert own(play(state, "go A3.S"), 1, "claim") == (None,)


def test_a_claim_lapses_when_either_boat_is_found_elsewhere() -> None:
    state = at(["C5.C0 C5.C0", "B4.C0 A3.C0"], own=[{}, {"claim": 0}], turn_player=1, decider=1)
    play(state, "search", "spin 5 N")
    assert own(state, 1, "boat", "claim") == ("B4.C0", None)
    state = at(["B4.C0 C5.C0", "D5.H A3.C0"], own=[{}, {"claim": 0}])
    play(state, "search", "spin 5 N")
    assert (own(state, 0, "boat"), own(state, 1, "claim")) == (("B4.C0",), (None,))


def test_a_failed_search_keeps_the_claim() -> None:
    state = at(["B4.C0 C5.C0", "D5.H A3.C0"], own=[{}, {"claim": 0}])
    assert own(play(state, "search", "spin 4 N"), 1, "claim") == (0,)


def test_a_claim_lapses_when_either_boat_is_stolen_by_another() -> None:
    state = at(["B4.C0 C5.C0", "D5.H A3.C0", "C5.C0 E4.C0"], own=[{}, {"claim": 0}], turn_player=2, decider=2)
    play(state, "steal 0", "spin 2 N")
    assert (own(state, 0, "boat", "claim"), own(state, 1, "claim"), own(state, 2, "boat")) == (
        ("E4.C0", 2),
        (None,),
        ("C5.C0",),
    )
    state = at(["B4.C0 C5.C0", "D5.H A3.C0", "A3.C0 E4.C0"], own=[{}, {"claim": 0}], turn_player=2, decider=2)
    play(state, "steal 1", "spin 2 N")
    assert own(state, 1, "boat", "claim") == ("E4.C0", 2)


def test_a_claim_lapses_when_the_thief_steals_another_boat() -> None:
    players = ["C5.C0 A3.C0", "D5.H C5.C0", "B4.C0 E4.C0"]
    state = at(players, own=[{}, {}, {"claim": 0}])
    play(state, "steal 1", "spin 2 N")
    assert (own(state, 1, "claim"), own(state, 2, "claim")) == ((0,), (None,))


# Meetings


CHITS = [{"chits": {1: 2}}, {"chits": {4: 1}}]


def shown(state: Any, viewer: int, other: int) -> Any:
    """Return what a player has seen of another."""
    return own(state, viewer, "shown")[0][other]


def exactly(chits: dict[str, int], gained: int = 0, lost: int = 0) -> dict[str, Any]:
    """Return what was shown, and the number of chits gained and lost since."""
    return {"chits": chits, "gained": gained, "lost": lost}


def test_at_first_nobody_has_seen_any_chits() -> None:
    assert own(new_game(num_players=3), 1, "shown") == ([None, None, None],)


@pytest.mark.parametrize(
    ("pawn", "end", "other"),
    [
        ("A4.S", "A5.S", "A5.S"),
        ("C5.S", "C5.C0", "C5.K2 C5.C0"),
        (f"D5.H {AWAY}", "C5.C0", f"C5.K0 {AWAY}"),
        (f"D5.H {AWAY}", "D6.H", f"D6.K2 {AWAY}"),
        ("E4.S", "E4.C1", f"E4.K1 {AWAY}"),
    ],
)
def test_players_who_are_together_show_their_chits(pawn: str, end: str, other: str) -> None:
    state = play(travel(pawn, 5, [other], own=CHITS), f"go {end}")
    assert (shown(state, 0, 1), shown(state, 1, 0)) == (exactly({"4": 1}), exactly({"1": 2}))


@pytest.mark.parametrize(
    ("pawn", "end", "other"),
    [
        ("C4.S", "C5.S", f"C5.C0 {AWAY}"),
        ("E4.S", "E4.C1", f"E4.C0 {AWAY}"),
        ("E4.S", "E4.C1", "E4.S"),
        ("A5.S", "B4", "B4"),
        ("A4.S", "A5.S", "B5.S"),
    ],
)
def test_players_on_other_tiles_or_regions_are_not_together(pawn: str, end: str, other: str) -> None:
    d = position([pawn, other], "travel", own=CHITS, declared="travel", result=5, points=5)
    before = [entry["shown"] for entry in d["players"]]
    state = play(read(d), f"go {end}")
    assert [entry["shown"] for entry in state.to_dict()["players"]] == before


def test_showings_are_remembered_with_later_gains() -> None:
    entries = [{"chits": {1: 2}}, {"chits": {4: 1}, "shown": [exact({1: 2}), None]}]
    state = travel("C5.C0 C5.C0", 4, own=entries, symbols={"C5": "ruins"})
    play(state, "take chit", "value 3")
    assert shown(state, 1, 0) == exactly({"1": 2}, gained=1)
    assert shown(state, 0, 1) is None


def exact(chits: dict[int, int], gained: int = 0, lost: int = 0) -> Any:
    """Return the same for a position."""
    return Shown(Counter(chits), gained, lost)


def test_showings_are_remembered_with_later_losses() -> None:
    entries = [{"chits": {1: 2}}, {"chits": {4: 1}, "shown": [exact({1: 2}), None]}]
    state = play(at(["F5.S", FAR], own=entries), "travel", "spin 2 W", "lose 1")
    assert shown(state, 1, 0) == exactly({"1": 2}, lost=1)


def test_while_together_all_is_known_at_every_moment() -> None:
    state = play(at(["F5.S", "F5.S"], own=CHITS), "travel", "spin 2 W", "lose 1")
    assert shown(state, 1, 0) == exactly({"1": 1})
    play(state, "lose 4")
    assert shown(state, 0, 1) == exactly({})
    state = travel("C5.C0 C5.C0", 4, ["C5.K2 B5.C0"], own=CHITS, symbols={"C5": "ruins"})
    assert shown(play(state, "take chit", "value 3"), 1, 0) == exactly({"1": 2, "3": 1})


def test_the_ghost_takes_a_chit_before_the_meeting() -> None:
    state = play(travel("F5.S", 5, ["F6.S"], own=CHITS), "go F6.S")
    assert (now(state, "phase", "arriving"), shown(state, 1, 0)) == (("lose", True), None)
    play(state, "lose 1")
    assert (shown(state, 1, 0), shown(state, 0, 1)) == (exactly({"1": 1}), exactly({"4": 1}))


def test_after_parting_the_last_showing_stays() -> None:
    state = play(travel("A5.S", 5, ["A5.S"], own=CHITS), "go A4.S")
    assert (shown(state, 0, 1), shown(state, 1, 0)) == (exactly({"4": 1}), exactly({"1": 2}))


# What players see of events


def test_a_value_is_seen_only_by_its_taker() -> None:
    state = travel("C5.C0 C5.C0", 4, [FAR, FAR], symbols={"C5": "ruins"})
    play(state, "take chit", "value 3")
    assert [action_seen_by(state, viewer) for viewer in (0, 1, 2, None)] == ["value 3", "value ?", "value ?", "value ?"]


def action_seen_by(state: Any, viewer: int | None = None, number: int = -1) -> str:
    """Return the last action or outcome, as a viewer sees it."""
    return str(state.history_strings(viewer)[number].partition(": ")[2].partition(". ")[0])


def test_a_value_is_seen_by_those_together_with_the_taker() -> None:
    state = travel("C5.C0 C5.C0", 4, [f"C5.K0 {AWAY}", FAR], symbols={"C5": "ruins"})
    play(state, "take chit", "value 3")
    assert [action_seen_by(state, viewer) for viewer in (0, 1, 2)] == ["value 3", "value 3", "value ?"]


def test_a_loss_is_seen_by_its_player_and_players_together_with_them() -> None:
    state = at(["F5.S", "F5.S", FAR, f"F4.C0 {AWAY}"], own=CHITS)
    play(state, "travel", "spin 2 W", "lose 1", "lose 4")
    seen = [[action_seen_by(state, viewer, number) for number in (-2, -1)] for viewer in (0, 1, 2, 3, None)]
    assert seen == [["lose 1", "lose 4"]] * 2 + [["lose ?", "lose ?"]] * 3


def test_a_loss_on_arrival_is_not_seen_by_players_on_the_tile() -> None:
    state = play(travel("F5.S", 5, ["F6.S"], own=CHITS), "go F6.S", "lose 1")
    assert (action_seen_by(state, 1), action_seen_by(state, 0)) == ("lose ?", "lose 1")


def test_everything_else_is_public() -> None:
    state = play(at(["A5.S", FAR]), "travel", "spin 2 W", "go A4.S", "go A3.S")
    assert state.history_strings() == state.history_strings(1)
    assert [action_seen_by(state, 1, k) for k in range(4)] == ["travel", "spin 2 W", "go A4.S", "go A3.S"]


# Triples


def third(number: int, declaration: str = "travel", players: Sequence[str] = ("A5.S", FAR), **entries: Any) -> Any:
    """Return player 0 after the third spin in a row of a number."""
    d = {"own": [{"triple": (number, 2)}], **entries}
    return play(at(players, **d), declaration, f"spin {number} W")


def test_equal_numbers_in_a_row_are_counted() -> None:
    state = play(at(["A5.S", FAR], own=[{"triple": (4, 1)}]), "travel", "spin 4 N")
    assert own(state, 0, "triple") == ([4, 2],)
    state = play(at(["A5.S", FAR], own=[{"triple": (4, 2)}]), "travel", "spin 5 N")
    assert own(state, 0, "triple") == ([5, 1],)


@pytest.mark.parametrize("number", [2, 3, 4, 5])
def test_after_a_triple_the_count_restarts(number: int) -> None:
    assert own(third(number, symbols={"C5": "ruins"}), 0, "triple") == ([0, 0],)


def test_the_natural_number_is_counted() -> None:
    state = play(at(["A5.S", FAR], own=[{"saved": 2}]), "travel", "spin 3 N")
    assert (own(state, 0, "triple"), now(state, "result")) == (([3, 1],), (5,))


@pytest.mark.parametrize("number", [2, 3, 4, 5])
def test_on_another_turn_the_count_restarts_and_nothing_happens(number: int) -> None:
    state = third(number, "swim", ["C3.C0 C3.C0", FAR], symbols={"C5": "ruins"})
    assert (own(state, 0, "triple"), turn_of(state)) == (([0, 0],), ("declare", 1))
    assert own(state, 0, "pawn") == ("C3.C1" if number >= 4 else "C3.C0",)


def test_numbers_of_other_turns_count_towards_a_triple() -> None:
    state = at(["C3.C0 C3.C0", FAR], own=[{"triple": (4, 1)}])
    assert own(play(state, "swim", "spin 4 N"), 0, "triple") == ([4, 2],)


# Fives


def test_on_triple_fives_the_right_neighbour_decides() -> None:
    state = third(5, players=["A5.S", FAR, FAR, FAR])
    assert (turn_of(state), now(state, "decider"), state.current_player()) == (("travel", 0), (3,), 3)
    play(state, "go A4.S")
    assert (state.current_player(), own(state, 0, "pawn")) == (3, ("A4.S",))
    assert (turn_of(play(state, "end")), state.current_player(), now(state, "decider")) == (("declare", 1), 1, (1,))


def test_of_two_players_the_other_decides() -> None:
    state = third(5, turn_player=1, decider=1, own=[{}, {"triple": (5, 2)}], players=[FAR, "A5.S"])
    assert (state.current_player(), now(state, "decider")) == (0, (0,))


def test_the_ghost_is_still_put_back_by_the_turn_player() -> None:
    state = third(5, ghost="B1")
    assert (now(state, "phase", "decider"), state.current_player()) == (("ghost_back", 0), 0)
    assert play(state, "ghost D5").current_player() == 1


@pytest.mark.parametrize(
    ("square", "symbol"), [("A3", "hostile"), ("C3", "ruins"), ("A3", "skull"), ("A3", "friendly"), ("A3", "storm")]
)
def test_on_triple_fives_symbols_do_not_restrict_steps(square: str, symbol: str) -> None:
    state = third(5, players=[f"{square}.C0 {AWAY}", FAR], symbols={square: symbol})
    assert f"{square}.K0" in goes(state) or f"{square}.K1" in goes(state)
    end = "A3.K1" if square == "A3" else "C3.K0"
    play(state, f"go {end}")
    assert now(state, "phase", "points", "movement_over", "taking_over") == ("travel", 3, False, False)


def test_on_triple_fives_a_storm_still_ends_the_movement_of_a_boat() -> None:
    assert turn_of(play(third(5, symbols={"A4": "storm"}, chits={}), "go A4.S")) == ("declare", 1)


def test_on_triple_fives_a_chest_still_costs_three() -> None:
    state = third(5, symbols={"A4": "chest"})
    play(state, "go A4.S", "go A5.S", "go A4.S")
    assert now(state, "points") == (2,)
    assert "take chit" not in texts(state)


def test_treasure_taken_on_triple_fives_goes_to_the_turn_player() -> None:
    state = play(third(5, symbols={"A5": "skull"}), "take chit", "value 4")
    assert (own(state, 0, "chits"), own(state, 1, "chits")) == (({"4": 1},), ({},))
    assert [action_seen_by(state, viewer) for viewer in (0, 1)] == ["value 4", "value ?"]


# Fours


def test_triple_fours_give_one_point() -> None:
    assert now(third(4), "result", "points", "decider") == (4, 1, 0)


def test_on_triple_fours_tests_use_four() -> None:
    assert "A4.S" in goes(third(4, players=["A3.S", FAR], symbols={"A3": "friendly"}))
    assert turn_of(third(4, players=["A3.S", FAR], symbols={"A3": "hostile"})) == ("declare", 1)


def test_on_triple_fours_a_chit_may_be_taken() -> None:
    assert "take chit" in texts(third(4, symbols={"A5": "skull"}))
    assert "take chit" not in texts(third(4, symbols={"A5": "chest"}))


# Threes


def test_triple_threes_may_move_a_chit_over_land() -> None:
    state = third(3, symbols={"C5": "ruins", "C3": "friendly", "A6": "chest"})
    assert now(state, "points", "extra") == (3, "chit")
    moves = [text for text in texts(state) if text.startswith("chit")]
    assert moves == ["chit C3 N", "chit C3 S", "chit C5 N", "chit C5 E", "chit C5 S"]
    play(state, "chit C5 S")
    assert now(state, "chits", "extra", "points") == ({"A6": 1, "C3": 1, "D5": 1}, None, 3)
    assert not [text for text in texts(state) if text.startswith("chit")]


def test_two_chits_may_share_a_tile() -> None:
    state = play(third(3, symbols={"C5": "ruins", "B5": "skull"}), "chit C5 N")
    assert now(state, "chits") == ({"B5": 2},)


def test_a_chit_may_be_moved_at_any_decision_of_the_turn() -> None:
    state = play(third(3, symbols={"C5": "ruins"}), "go A4.S", "go A3.S")
    assert "chit C5 N" in texts(state)
    play(state, "chit C5 N", "go A4.S")
    assert turn_of(state) == ("declare", 1)


def test_a_turn_does_not_end_automatically_while_a_chit_may_be_moved() -> None:
    state = play(third(3, symbols={"C5": "ruins"}), "go A4.S", "go A3.S", "go A2.S")
    assert texts(state) == ["end", "chit C5 N", "chit C5 E", "chit C5 S"]
    assert turn_of(play(state, "chit C5 N")) == ("declare", 1)


def test_a_storm_at_sea_leaves_the_extra_act() -> None:
    state = play(third(3, symbols={"A4": "storm", "C5": "ruins"}, chits={"C5": 1}), "go A4.S")
    assert texts(state) == ["end", "chit C5 N", "chit C5 E", "chit C5 S"]
    assert turn_of(play(state, "chit C5 N")) == ("declare", 1)


def test_a_moved_chit_can_be_taken_from_the_whole_circle() -> None:
    state = at(["C3.C1 C3.C1", FAR], own=[{"triple": (3, 2)}], symbols={"C5": "ruins", "D3": "friendly"})
    play(state, "travel", "spin 3 W", "chit D3 N")
    assert now(state, "chits") == ({"C3": 1, "C5": 1},)
    assert "take chit" in texts(state)


def test_a_chit_on_a_hill_is_taken_from_its_top() -> None:
    state = third(3, players=[f"D5.H {AWAY}", FAR], symbols={"C5": "ruins"})
    assert "take chit" not in texts(state)
    assert "take chit" in texts(play(state, "chit C5 S"))
    assert "take chit" not in texts(travel(f"D5.K1 {AWAY}", 3, symbols={"C5": "ruins"}, chits={"D5": 1}))


def test_taking_forfeits_the_extra_act() -> None:
    state = third(3, symbols={"A5": "skull", "C5": "ruins"})
    play(state, "take chit")
    assert now(state, "extra") == (None,)
    assert turn_of(play(state, "value 1")) == ("declare", 1)


def test_the_end_forfeits_the_extra_act() -> None:
    state = play(third(3, symbols={"C5": "ruins"}), "end")
    assert (turn_of(state), now(state, "extra")) == (("declare", 1), (None,))


# Twos


def test_on_triple_twos_the_player_chooses_the_result() -> None:
    state = third(2)
    assert (now(state, "phase", "result"), state.current_player()) == (("number", None), 0)
    assert texts(state) == ["number 2", "number 3", "number 4", "number 5"]
    assert now(play(state, "number 5"), "phase", "result", "points", "extra") == ("travel", 5, 5, None)


def test_tests_use_the_chosen_result() -> None:
    state = play(third(2, symbols={"A5": "skull"}), "number 5")
    assert "A4.S" in goes(state)


def test_after_choosing_two_the_ghost_may_be_moved() -> None:
    state = third(2, ghost="A3")
    assert now(state, "ghost") == ("A2",)
    play(state, "number 2")
    assert [text for text in texts(state) if text.startswith("ghost")] == [
        f"ghost {way}" for way in ("E", "SE", "S", "SW", "W")
    ]
    play(state, "ghost SE")
    assert now(state, "ghost", "extra", "points") == ("B3", None, 2)
    assert not [text for text in texts(state) if text.startswith("ghost")]


def test_the_moved_ghost_takes_chits_as_usual() -> None:
    state = third(2, own=[{"triple": (2, 2), "chits": {1: 1}}, {"chits": {2: 2}}, {"chits": {3: 1}}], players=CROWD)
    play(state, "number 2", "ghost E")
    assert now(state, "phase", "losers", "arriving") == ("lose", [1, 2], False)
    play(state, "lose 2", "lose 3")
    assert now(state, "phase", "points") == ("travel", 2)


CROWD = ["A5.S", "F6.S", "F6.S"]


def test_the_ghost_may_be_moved_after_steps() -> None:
    state = play(third(2), "number 2", "go A4.S", "go A3.S")
    assert "end" in texts(state)
    assert "ghost N" in texts(state)
    assert turn_of(play(state, "ghost N")) == ("declare", 1)


# The end


def ending(own: Sequence[Mapping[str, Any]], last: str = "C5", **entries: Any) -> Any:
    """Play until player 0 takes the last treasure, a chit of value 1 unless the pool has another."""
    players = entries.pop("players", ["C5.C0 C5.C0", FAR])
    gold = sum(entry.get("gold", 0) for entry in own)
    d = position(players, "value", own=own, symbols={last: "ruins"}, **{**VALUE, **entries})
    d["gold"] = []
    d["players"][-1]["gold"] += 6 - gold
    return d


VALUE: dict[str, Any] = {"declared": "travel", "result": 2, "points": 1}


def test_the_game_ends_with_the_last_treasure() -> None:
    d = ending([{"gold": 6}])
    state = play(read(d), "value 3")
    assert (state.is_terminal(), state.current_player()) == (True, edge_envs.TERMINAL)
    assert now(state, "phase", "by_limit", "chits", "declared") == ("over", False, {}, None)
    assert state.legal_actions() == []


def test_the_game_continues_while_there_is_gold() -> None:
    d = ending([{"gold": 5}])
    d["players"][-1]["gold"] -= 1
    d["gold"] = ["D5"]
    assert turn_of(play(read(d), "value 3")) == ("declare", 1)


def test_the_last_gold_ends_the_game() -> None:
    d = position([f"D5.H {AWAY}", FAR], "travel", own=[{"gold": 5}], **TRAVELLING)
    d["gold"] = ["D5"]
    state = play(read(d), "take gold")
    assert (state.is_terminal(), state.rewards()) == (True, [1.0, -1.0])


def over(*own: Mapping[str, Any], pawns: Sequence[str] = (), **entries: Any) -> Any:
    """Return the end by the limit, with what the players have."""
    players = pawns or ["A1.S"] * len(own)
    limit = {"turn": 400, "by_limit": True, "params": {}}
    d = position(players, "over", own=own, **{**limit, **entries})
    return read(d)


def test_chits_count_their_values() -> None:
    assert over({"chits": {1: 1, 2: 1}}, {"chits": {4: 1}}).rewards() == [-1.0, 1.0]


def test_gold_counts_one_without_chits_of_one() -> None:
    assert over({"gold": 3, "chits": {2: 1}}, {"chits": {3: 2}}).rewards() == [-1.0, 1.0]
    assert over({"gold": 3, "chits": {2: 1}}, {"chits": {4: 1}}).rewards() == [1.0, -1.0]


def test_gold_counts_as_many_as_the_own_chits_of_one() -> None:
    assert over({"gold": 2, "chits": {1: 3}}, {"chits": {2: 4}}).rewards() == [1.0, -1.0]
    assert over({"gold": 2, "chits": {1: 1}}, {"chits": {4: 1}}).rewards() == [-1.0, 1.0]


def test_lost_chits_count_nothing() -> None:
    assert over({"gold": 2, "lost": {1: 5}}, {"chits": {3: 1}}).rewards() == [-1.0, 1.0]


@pytest.mark.parametrize(
    ("pawns", "winner"),
    [
        (["F4.S", "C6.S"], 1),  # two columns, three rows
        (["F10.S", "C6.S"], 0),
        (["B20", "F5.S"], 0),  # the circle south of G7 is two rows away
        (["B15", "F3.H G3.C0"], 0),  # the circle east of F10 is five columns away
        (["B28", "F1.S"], 0),  # the circle west of F1 is six columns away
        (["B4", "A1.S"], 0),  # the circle north of A5 is six rows away, A1 five
    ],
)
def test_a_tie_goes_to_the_farthest_from_the_ghost(pawns: list[str], winner: int) -> None:
    state = over({"chits": {2: 1}}, {"chits": {2: 1}}, pawns=pawns)
    assert state.rewards()[winner] == 1.0


def test_the_active_pawn_counts_not_the_boat() -> None:
    state = over({"chits": {2: 1}}, {"chits": {2: 1}}, pawns=["E5.C0 A3.C0", "D4.S"])
    assert state.rewards() == [-1.0, 1.0]


def test_players_at_equal_distance_share_the_win() -> None:
    assert over({"chits": {2: 1}}, {"chits": {2: 1}}, pawns=["A1.S", "B1.S"]).rewards() == [0.0, 0.0]
    state = over({"chits": {2: 1}}, {"chits": {2: 1}}, {}, pawns=["A1.S", "B1.S", "C1.S"])
    assert state.rewards() == [0.5, 0.5, -1.0]
    state = over({"chits": {2: 1}}, {}, {}, {"chits": {1: 1}})
    assert state.rewards() == pytest.approx([1, -1 / 3, -1 / 3, -1 / 3])


def test_a_tie_is_broken_among_the_tied_only() -> None:
    state = over({"chits": {2: 1}}, {"chits": {2: 1}}, {}, pawns=["F5.S", "F4.S", "A1.S"])
    assert state.rewards() == [-0.5, 1.0, -0.5]


def test_with_score_reward_the_difference_counts() -> None:
    params: dict[str, Any] = {"params": {"score_reward": True}}
    assert over({"chits": {4: 2}, "gold": 2}, {"chits": {2: 1}}, **params).rewards() == pytest.approx([0.2, -0.2])
    state = over({"chits": {1: 2}, "gold": 2}, {"chits": {2: 1}}, {}, **params)
    assert state.rewards() == pytest.approx([5 / 40, -1 / 40, -4 / 40])


def test_there_is_no_reward_before_the_end() -> None:
    assert play(at(["A5.S", FAR]), "travel").rewards() == [0.0, 0.0]


@pytest.mark.parametrize("last", ["value 3", "take gold", "end"])
def test_at_the_end_all_chits_are_open(last: str) -> None:
    held: list[dict[str, Any]] = [{"chits": {1: 2}, "gold": 5}, {"chits": {4: 1}}, {"chits": {2: 1}}]
    players = ["D5.H C5.C0", FAR, FAR]
    if last == "value 3":
        state = read(ending([{**held[0], "gold": 6}, *held[1:]], players=["C5.C0 C5.C0", FAR, FAR]))
    elif last == "take gold":
        state = travel(players[0], 3, players[1:], own=held, gold=["D5"], symbols={}, chits={})
    else:
        state = travel(players[0], 3, players[1:], own=held, turn=400, symbols={"C5": "ruins"})
    assert shown(state, 1, 0) is None
    play(state, last)
    assert state.is_terminal()
    for viewer in range(3):
        entries = own(state, viewer, "shown")[0]
        assert entries == [None if other == viewer else exactly(own(state, other, "chits")[0]) for other in range(3)]
    assert state.resample(1, np.random.default_rng(0)).to_dict() == state.to_dict()


# The turn limit


def test_the_game_ends_when_the_last_turn_has_ended() -> None:
    state = at(["A5.S", FAR], turn=10, params={"max_turns": 10}, own=[{"gold": 1}])
    play(state, "travel", "spin 3 N")
    assert not state.is_terminal()
    play(state, "end")
    assert (state.is_terminal(), now(state, "by_limit", "turn"), state.rewards()) == (True, (True, 10), [1.0, -1.0])


def test_missed_turns_count() -> None:
    state = at(["A5.S", FAR], turn=9, params={"max_turns": 10}, own=[{}, {"skip": 1}])
    play(state, "save +")
    assert (state.is_terminal(), now(state, "turn"), own(state, 1, "skip")) == (True, (10,), (0,))


def test_the_limit_counts_the_turns_of_all_players() -> None:
    state = at(["A5.S", FAR], turn=9, params={"max_turns": 10})
    assert turn_of(play(state, "save +")) == ("declare", 1)
    assert play(state, "save -").is_terminal()


def test_the_map_in_the_docstring_is_the_map_of_the_tests() -> None:
    assert __doc__ is not None
    hills = {square: "#" for square, tile in SET_OUT.items() if tile == "LLLL"}
    assert drawn(tiles_of(ISLES), hills) in __doc__
