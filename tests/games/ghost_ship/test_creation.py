"""Phase 1 of Ghost Ship, the archipelago, rule by rule: a position, a move, a claim. The draws are forced."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from edge_envs.games.ghost_ship.phases.symbol_squares import BIT, can_choose, has_room
from tests.games.ghost_ship.scenes import (
    BOX,
    FULL,
    NO_SEA_LEFT,
    evenly,
    filling,
    new_game,
    now,
    outcomes,
    own,
    placing,
    play,
    read,
    squares_of,
    texts,
    travel,
    turn_of,
    whole_map,
)
from tests.reference import ghost_ship_setups as setups
from tests.reference.ghost_ship import GhostShip, is_west
from tests.reference.ghost_ship_map import SQUARES
from tests.reference.ghost_ship_setups import LETTERS, MAP, SET_OUT, marks_of, tiles_of

# Setup


def test_the_setup() -> None:
    nothing = {"ashore": False, "chits": {}, "lost": {}, "gold": 0, "saved": 0, "triple": [0, 0], "skip": 0}
    d = new_game().to_dict()
    assert d["tiles"] == [
        "0........0",
        "..f....f..",
        "..........",
        "....ff....",
        "..........",
        "..f....f..",
        "0........0",
    ]
    assert d["six"] == ["B3", "B8", "D5", "D6", "F3", "F8"]
    assert d["players"] == [
        {"pawn": place, "boat": place, **nothing, "claim": None, "shown": [None, None]} for place in ("A1.S", "G10.S")
    ]
    assert (d["stacks"], d["pool"], d["symbols"], d["chits"], d["gold"]) == ([23, 23, 22, 22], FULL, {}, {}, [])
    assert (d["phase"], d["turn_player"], d["turn"], d["ghost"]) == ("symbol", 0, 0, None)


@pytest.mark.parametrize(
    ("count", "corners"), [(2, ["A1", "G10"]), (3, ["A1", "A10", "G1"]), (4, ["A1", "A10", "G10", "G1"])]
)
def test_boats_start_in_the_corners(count: int, corners: list[str]) -> None:
    state = new_game(num_players=count)
    assert [own(state, player, "pawn") for player in range(count)] == [(f"{corner}.S",) for corner in corners]


# Phase 1. Fit


def rotations_at(state: Any, square: str) -> set[str]:
    """Return the rotations in which a tile can be laid on a square."""
    return {text.split()[2] for text in texts(state) if text.startswith(f"tile {square} ")}


def test_touching_edges_match() -> None:
    state = placing("hostile LLWW")
    assert rotations_at(state, "E5") == {"LWWL", "LLWW"}  # D5 to the north is all land
    assert rotations_at(placing("friendly LWWW"), "A2") == {"WLWW", "WWLW"}


def test_outer_edges_are_water() -> None:
    assert rotations_at(placing("hostile LLWW"), "A5") == {"WLLW", "WWLL"}
    assert rotations_at(placing("ruins LWLW"), "A5") == {"WLWL"}


def test_a_tile_may_be_placed_in_all_four_rotations() -> None:
    assert rotations_at(placing("friendly LWWW"), "C1") == {"LWWW", "WLWW", "WWLW"}
    assert rotations_at(placing("friendly LWWW"), "D8") == {"LWWW", "WLWW", "WWLW", "WWWL"}


# Phase 1. Symbol tiles


def test_there_are_twenty_symbol_tiles() -> None:
    expected = {f"symbol {tile}": pytest.approx(count / 20) for tile, count in Counter(BOX).items()}
    assert outcomes(new_game()) == expected


def test_a_symbol_tile_that_is_placed_is_not_turned_up_again() -> None:
    state = play(new_game(), "symbol skull WWWW", "tile A5 WWWW")
    assert "symbol skull WWWW" not in outcomes(state)
    assert outcomes(state)["symbol storm WWWW"] == pytest.approx(2 / 19)


def test_players_turn_up_a_tile_and_place_it_in_turn() -> None:
    state = play(new_game(num_players=4), "symbol skull WWWW")
    assert (turn_of(state), state.current_player()) == (("place", 0), 0)
    assert turn_of(play(state, "tile A5 WWWW")) == ("symbol", 1)
    play(state, "symbol storm WWWW", "tile C7 WWWW", "symbol storm WWWW")
    assert (turn_of(state), state.current_player()) == (("place", 2), 2)
    assert now(state, "symbols") == ({"A5": "skull", "C7": "storm"},)


@pytest.mark.parametrize(
    ("count", "order"),
    [(2, [0, 1] * 10), (3, [0, 1, 2] * 6 + [1, 2]), (4, [0, 1, 2, 3] * 5)],
)
def test_of_three_players_the_first_places_one_tile_less(count: int, order: list[int]) -> None:
    state, seen = new_game(num_players=count), []
    while state.to_dict()["phase"] in ("symbol", "place"):
        seen += [now(state, "turn_player")[0]] * (state.to_dict()["phase"] == "symbol")
        state.apply_action(state.legal_actions()[0])
    assert (seen, turn_of(state)) == (order, ("stack", 0))


def around(square: str, reach: Sequence[tuple[int, int]]) -> set[str]:
    """Return the neighbours of a square."""
    row, column = ord(square[0]), int(square[1:])
    return {f"{chr(row + down)}{column + right}" for down, right in reach}


SIDEWAYS = [(-1, 0), (0, 1), (1, 0), (0, -1)]
ALL_ROUND = [*SIDEWAYS, (-1, 1), (1, 1), (1, -1), (-1, -1)]


def test_symbol_tiles_are_not_placed_on_the_eight_neighbours_of_another() -> None:
    free = squares_of(placing("chest WWWW"))
    left = squares_of(placing("chest WWWW", {"D2": "storm WWWW"}))
    assert free - left == {"D2", "C1", "C2", "D1", "D3", "E1", "E2"}  # C3 and E3 are beside hills


def test_tiles_set_out_before_play_are_not_symbol_tiles() -> None:
    assert {"A2", "B1", "B2"} <= squares_of(placing("friendly LWWW"))


WEST = {
    **{"D1": "storm WWWW", "D2": "skull WWWW", "E1": "storm WWWW", "E2": "chest WWWW", "E3": "hostile WWLW"},
    **{"E5": "storm LWWW", "F1": "friendly WLWW", "F5": "ruins WLLW", "G2": "skull WLWW", "G5": "chest LWWW"},
}


def test_each_half_has_ten_symbol_tiles() -> None:
    nine = {square: tile for square, tile in WEST.items() if square != "E1"}
    assert any(int(square[1:]) <= 5 for square in squares_of(placing("friendly LLLW", nine)))
    assert all(int(square[1:]) > 5 for square in squares_of(placing("friendly LLLW", WEST)))


ALL_NEAR = {
    **{"B2": "friendly WLWW", "B5": "storm WWWW", "B7": "hostile WLWW", "B10": "storm WWWW", "E2": "skull WWWW"},
    **{"E5": "chest LWWW", "E8": "storm WWLW", "E10": "chest WWWW", "G2": "ruins LLWW", "G5": "hostile LLWW"},
    **{"G8": "skull LWWW"},
}


def test_if_no_square_has_eight_free_neighbours_only_four_count() -> None:
    free = squares_of(placing("friendly LLLW", ALL_NEAR))
    beside = set().union(*(around(square, SIDEWAYS) for square in ALL_NEAR))
    diagonal = set().union(*(around(square, ALL_ROUND) for square in ALL_NEAR))
    assert free
    assert not free & beside
    assert free <= diagonal


CROWDED = {
    **{"A2": "chest WWLW", "B6": "ruins LLWW", "C4": "friendly WLLW", "D2": "hostile LWWW", "D8": "friendly WLWL"},
    **{"E4": "storm WWWW", "G2": "skull WWWW"},
}


def test_a_symbol_tile_leaves_room_for_ten_on_each_half() -> None:
    """Five tiles are in the west, and five more must fit there. G5 and F6 would take that room, also from the east."""
    free = squares_of(placing("storm LWWW", CROWDED))
    assert {"A4", "G4", "E6", "G6"} <= free
    assert not {"G5", "F6"} & free
    fewer = {square: tile for square, tile in CROWDED.items() if square != "A2"}
    assert {"G5", "F6"} <= squares_of(placing("storm LWWW", fewer))  # then there is room enough


NO_ROOM_ALL_ROUND = {
    **{"A7": "chest WWWW", "B2": "storm WLWL", "B5": "ruins LWLW", "B9": "hostile LLWL", "D1": "storm WWLW"},
    **{"D3": "storm WWWW", "D9": "skull LWWL", "E7": "skull WLWW", "F2": "friendly WLWL", "F5": "friendly LWWW"},
    **{"F9": "ruins LWLL", "G7": "chest LLWL"},
}


def test_room_is_left_even_if_only_four_neighbours_count() -> None:
    """C7 alone has eight free neighbours but leaves no room for the others, so diagonal neighbours do not count."""
    free = squares_of(placing("hostile LWWW", NO_ROOM_ALL_ROUND))
    assert free == {"A3", "A4", "C10", "C4", "C6", "C8", "E10", "E4", "G3", "G4"}


NO_ROOM = {
    **NO_ROOM_ALL_ROUND,
    **{"A4": "ruins WLLW", "C4": "friendly LWLL", "C10": "storm WWWW", "E4": "hostile WWLW", "E10": "chest LWWW"},
    **{"G4": "hostile LWWL"},
}


def test_if_no_square_leaves_room_the_halves_still_count() -> None:
    assert sum(int(square[1:]) > 5 for square in NO_ROOM) == 8
    assert squares_of(placing("skull WWWW", NO_ROOM)) == {"C7"}  # no more than nine fit in the east


EAST_FULL = {
    **{"D8": "friendly WWLL", "C10": "hostile LWLL", "G7": "hostile LWWL", "B7": "friendly WLWW", "F9": "ruins LWLL"},
    **{"A9": "chest WWWL", "E6": "hostile LWWW", "A6": "friendly WLLL", "E10": "ruins WWLL", "B1": "skull WLLW"},
    **{"F2": "storm WLWL", "D2": "skull WWWW", "C4": "friendly LWLW", "E1": "chest WWWW", "G4": "ruins WLWL"},
    **{"A4": "skull WLWW", "F5": "chest LLLW", "A2": "storm WWWW", "B5": "storm LWWW"},
}


def test_as_the_next_fallback_the_halves_do_not_count_either() -> None:
    assert sum(int(square[1:]) <= 5 for square in EAST_FULL) == 10
    assert squares_of(placing("storm WWWW", EAST_FULL)) == {"E4"}


ALL_BESIDE = {
    **{"E7": "friendly WLWL", "C4": "hostile WWWL", "B6": "skull LWWL", "D2": "hostile LWWL", "C9": "hostile LLLW"},
    **{"F5": "chest WWWW", "F9": "storm WWWL", "G7": "chest LLWL", "B1": "ruins WLLW", "G3": "skull LWWW"},
    **{"A3": "friendly WLLL", "F1": "skull WWWW", "A8": "chest WWLW", "E10": "ruins LWLW", "E4": "storm WWWW"},
    **{"A5": "ruins WLLL", "C7": "storm LWLW", "D8": "storm WWWW", "B10": "friendly WWWL"},
}


def test_as_the_last_fallback_a_symbol_tile_is_placed_anywhere_it_fits() -> None:
    free = squares_of(placing("friendly LLWW", ALL_BESIDE))
    beside = set().union(*(around(square, SIDEWAYS) for square in ALL_BESIDE))
    assert free
    assert free <= beside


NO_SEA = {
    **{"A2": "storm WWWW", "A4": "hostile WLWW", "A6": "chest WLWW", "A9": "hostile WWLL", "B6": "storm WWWL"},
    **{"C1": "ruins LLLW", "C4": "friendly LWWW", "C7": "chest WWWW", "C10": "friendly LWLL", "D3": "storm WLWL"},
    **{"D9": "friendly WLWL", "E1": "ruins WLLW", "E4": "skull LWWW", "E7": "skull WWWW", "E10": "skull WWLL"},
    **{"F5": "friendly WLLW", "F9": "hostile WLLL", "G3": "chest LLWL", "G6": "ruins WLWL"},
}


def test_a_symbol_tile_that_fits_nowhere_leaves_the_game() -> None:
    state = read(setups.creation("symbol", NO_SEA, turn_player=1, decider=1))
    assert outcomes(state) == {"symbol storm WWWW": 1.0}
    play(state, "symbol storm WWWW")
    assert (turn_of(state), now(state, "dropped", "hand_tiles")) == (("stack", 0), (["storm WWWW"], {}))


def test_a_symbol_tile_that_leaves_the_game_passes_the_turn() -> None:
    laid = {square: tile for square, tile in NO_SEA.items() if square != "A2"}
    state = read(setups.creation("symbol", laid, dropped=["storm WWWW"], turn_player=1, decider=1))
    assert outcomes(state) == {"symbol storm WWWW": 1.0}
    assert squares_of(play(state, "symbol storm WWWW")) == {"A2"}
    assert turn_of(state) == ("place", 1)


def test_each_tile_that_left_the_game_means_one_chit_less_on_the_map() -> None:
    state = travel("C5.C0 C5.C0", 2, symbols={"C5": "ruins"})
    assert len(now(state, "dropped")[0]) == 19
    assert sum(outcomes(play(state, "take chit")).values()) == pytest.approx(1)
    assert now(state, "pool", "chits") == (FULL, {"C5": 1})


# Phase 1. Filling


def test_after_the_symbol_tiles_player_0_chooses_a_stack() -> None:
    state = play(placing("storm WWWW", EAST_FULL), "tile E4 WWWW")
    assert (turn_of(state), texts(state)) == (("stack", 0), ["stack 1", "stack 2", "stack 3", "stack 4"])


def test_only_stacks_with_tiles_can_be_chosen() -> None:
    assert texts(filling("stack", left={"WWWW": 4}, stacks=[0, 3, 0, 1])) == ["stack 2", "stack 4"]


def test_ten_tiles_are_drawn_one_at_a_time() -> None:
    state = play(filling("stack", left={"WWWW": 14, "LWWW": 16}, stacks=[23, 7, 0, 0]), "stack 1")
    assert now(state, "phase", "to_draw", "stacks", "hand_tiles") == ("draw", 10, [13, 7, 0, 0], {})
    assert outcomes(state) == {"draw WWWW": pytest.approx(14 / 30), "draw LWWW": pytest.approx(16 / 30)}
    play(state, "draw LWWW")
    assert now(state, "phase", "to_draw", "hand_tiles") == ("draw", 9, {"LWWW": 1})
    assert outcomes(state) == {"draw WWWW": pytest.approx(14 / 29), "draw LWWW": pytest.approx(15 / 29)}
    play(state, *["draw LWWW"] * 9)
    assert (state.current_player(), now(state, "phase", "hand_tiles")) == (0, ("fill", {"LWWW": 10}))


def test_hills_with_and_without_gold_are_separate_outcomes() -> None:
    state = play(filling("stack", left={"LLLL6": 1, "LLLL": 3}), "stack 4")
    assert outcomes(state) == {"draw LLLL6": pytest.approx(1 / 4), "draw LLLL": pytest.approx(3 / 4)}


def test_a_stack_with_fewer_gives_all_it_has() -> None:
    state = play(filling("stack", left={"WWWW": 9}, stacks=[3, 6, 0, 0]), "stack 1")
    assert now(state, "to_draw", "stacks") == (3, [0, 6, 0, 0])
    assert now(play(state, *["draw WWWW"] * 3), "phase", "hand_tiles") == ("fill", {"WWWW": 3})


def test_a_hand_is_placed_in_any_order_and_rotation() -> None:
    state = filling("fill", hand_tiles={"WWWW": 1, "LWWW": 1, "LLLL6": 1, "LLLL": 1})
    assert {text.split()[2] for text in texts(state) if "D8" in text} == {
        *("WWWW", "LWWW", "WLWW", "WWLW", "WWWL", "LLLL6", "LLLL"),
    }
    assert rotations_at(state, "A5") == {"WWWW", "WLWW", "WWLW", "WWWL"}
    play(state, "tile D8 LLLL6")
    assert (now(state, "hand_tiles")[0], now(state, "six")[0]) == (
        {"WWWW": 1, "LWWW": 1, "LLLL": 1},
        ["B3", "B8", "D5", "D6", "D8", "F3", "F8"],
    )
    assert rotations_at(state, "D9") == {"WWWL", "LLLL"}


def test_a_plain_hill_does_not_receive_gold() -> None:
    state = play(filling("fill", hand_tiles={"LLLL": 1, "WWWW": 1}), "tile D8 LLLL")
    assert now(state, "six") == (["B3", "B8", "D5", "D6", "F3", "F8"],)


def test_the_next_player_chooses_a_stack_when_the_hand_is_placed() -> None:
    state = play(filling("fill", left={"LWWW": 5}, hand_tiles={"WWWW": 1}), "tile A5 WWWW")
    assert turn_of(state) == ("stack", 1)
    state = filling("fill", left={"LWWW": 5}, hand_tiles={"WWWW": 1}, turn_player=1, decider=1)
    assert turn_of(play(state, "tile A5 WWWW")) == ("stack", 0)


def test_tiles_that_do_not_fit_are_discarded() -> None:
    state = whole_map("fill", ["C1", "G9"], hand_tiles={"WWWW": 1, "LLLL": 1}, left={"LWLW": 1})
    assert texts(state) == ["tile G9 WWWW"]
    before = now(state, "discards")[0].get("LLLL", 0)
    play(state, "tile G9 WWWW")
    assert (turn_of(state), now(state, "hand_tiles")) == (("stack", 1), ({},))
    assert now(state, "discards")[0]["LLLL"] == before + 1


def test_a_full_board_ends_the_filling_at_once() -> None:
    state = whole_map("fill", ["G9"], hand_tiles={"WWWW": 3}, left={"LWLW": 1})
    play(state, "tile G9 WWWW")
    assert turn_of(state) == ("ghost", 1)
    assert now(state, "hand_tiles", "stacks", "discards") == ({}, [0, 0, 0, 0], {})


def test_when_all_stacks_are_empty_the_map_is_completed() -> None:
    state = play(whole_map("fill", ["C1", "G9"], hand_tiles={"WWWW": 1}), "tile G9 WWWW")
    assert (now(state, "phase"), state.is_chance_node()) == (("complete",), True)


def test_a_hand_without_a_fitting_tile_is_the_last_one() -> None:
    state = whole_map("draw", ["C1"], to_draw=1, left={"LWLW": 3, "LLLL": 1})
    before = Counter(now(state, "discards")[0])
    play(state, "draw LLLL")
    assert now(state, "phase", "stacks", "hand_tiles") == ("complete", [0, 0, 0, 0], {})
    assert now(state, "discards") == (before + Counter({"LWLW": 3, "LLLL": 1}),)  # one heap with the stacks


def test_squares_are_completed_in_reading_order() -> None:
    state = whole_map("complete", ["G9", "C1"])
    assert list(outcomes(state)) == ["complete C1 WLLW"]
    play(state, "complete C1 WLLW")
    assert list(outcomes(state)) == ["complete G9 WWWW"]
    assert turn_of(play(state, "complete G9 WWWW")) == ("ghost", 1)


def test_the_weight_of_a_fitting_tile_is_the_number_left_of_its_kind() -> None:
    state = whole_map("complete", ["G9", "F9"])  # F9 has land to the west and east, water to the north
    left = now(state, "discards")[0]
    weights = {"complete F9 WLWL": left["LWLW"], "complete F9 WLLL": left["LLLW"]}
    assert outcomes(state) == {text: pytest.approx(w / sum(weights.values())) for text, w in weights.items()}


def test_hills_with_and_without_gold_have_separate_weights() -> None:
    state = play(whole_map("complete", ["A4", "B4", "B5"]), "complete A4 WWLW")
    left = now(state, "discards")[0]
    found = outcomes(state)
    assert (left["LLLL6"], left["LLLL"]) == (1, 3)
    assert found["complete B4 LLLL"] == pytest.approx(3 * found["complete B4 LLLL6"])


def test_tiles_that_complete_the_map_are_removed_from_the_rest() -> None:
    state = whole_map("complete", ["G9", "C1"])
    before = now(state, "discards")[0]["LLWW"]
    assert now(play(state, "complete C1 WLLW"), "discards")[0]["LLWW"] == before - 1


def test_if_no_fitting_tile_is_left_all_fitting_masks_are_equally_likely() -> None:
    tiles = {square: tile for square, tile in tiles_of(NO_SEA_LEFT).items() if square not in SET_OUT}
    state = filling("complete", {square: tile for square, tile in tiles.items() if square not in ("G4", "G5")})
    assert not {"WWWW", "LWWW"} & set(now(state, "discards")[0])
    assert outcomes(state) == evenly("complete G4 WWWW", "complete G4 WLWW")
    assert turn_of(play(state, "complete G4 WLWW", "complete G5 WWWL")) == ("ghost", 1)


# Phase 1. Chits, gold, ghost


def test_all_symbol_tiles_have_chits_and_all_6_have_gold() -> None:
    state = play(whole_map("fill", ["G9"], hand_tiles={"WWWW": 1}), "tile G9 WWWW")
    symbols = {square for square, mark in marks_of(MAP).items() if mark in LETTERS}
    assert now(state, "chits")[0] == dict.fromkeys(symbols, 1)
    assert now(state, "gold", "pool") == (["B3", "B4", "B8", "D5", "D6", "F3", "F7", "F8"], FULL)


@pytest.mark.parametrize("square", ["D5", "D6"])
def test_the_last_player_places_the_ghost_on_a_central_square(square: str) -> None:
    state = whole_map("ghost")
    assert (state.current_player(), texts(state)) == (1, ["ghost D5", "ghost D6"])
    play(state, f"ghost {square}")
    assert (turn_of(state), now(state, "ghost", "turn")) == (("declare", 0), (square, 1))


# creation="random"


def with_random_creation(state: Any) -> dict[str, Any]:
    """Return the position as if chance had laid the archipelago so far."""
    d: dict[str, Any] = state.to_dict()
    d["params"]["creation"] = "random"
    d["symbols"] = dict.fromkeys(d["symbols"], "?")
    return d


def test_with_random_creation_only_the_class_of_a_symbol_tile_is_drawn() -> None:
    state = new_game(creation="random")
    counts = {"WWWW": 4, "LWWW": 5, "LWLW": 3, "LLWW": 4, "LLLW": 4}
    assert outcomes(state) == {f"symbol {name}": pytest.approx(count / 20) for name, count in counts.items()}


def test_with_random_creation_decisions_are_chance_and_uniform() -> None:
    free = texts(placing("chest WWWW"))
    state = play(new_game(creation="random"), "symbol WWWW")
    assert state.is_chance_node()
    assert outcomes(state) == evenly(*free)
    play(state, "tile A5 WWWW")
    assert (now(state, "symbols"), turn_of(state)) == (({"A5": "?"},), ("symbol", 1))
    stacks = whole_map("stack", ["C1", "G9"], left={"WWWW": 4}, stacks=[0, 3, 0, 1])
    assert outcomes(read(with_random_creation(stacks))) == evenly("stack 2", "stack 4")


STUCK = GhostShip(creation="random").to_dict() | {
    "tiles": ["0..4..a.40", ".7f..9.f..", "0..9...5.0", ".c..ff....", "...a..e.8.", "0.f.6..f..", "0..0..8.80"],
    "symbols": dict.fromkeys(
        ["A4", "A7", "A9", "B2", "B6", "C1", "C4", "C8", "C10", "D2", "E4", "E7", "E9", "F1", "F5", "G4", "G7", "G9"],
        "?",
    ),
}
"""A random layout without a square for a tile LLLW."""


def test_a_random_layout_that_gets_stuck_is_turned_up_again() -> None:
    state = play(read(STUCK), "symbol LLLW")
    assert state.to_dict() == new_game(creation="random").to_dict()


def test_random_maps_have_ten_symbol_tiles_on_each_half_and_none_adjacent() -> None:
    diagonal = 0
    for seed in range(300):
        state = new_game(creation="random", seed=seed)
        while state.to_dict()["phase"] in ("symbol", "place"):
            state.apply_action(state.sample_chance())
        (symbols, dropped) = now(state, "symbols", "dropped")
        assert (len(symbols), sum(int(square[1:]) <= 5 for square in symbols), dropped) == (20, 10, [])
        assert not any(around(square, SIDEWAYS) & set(symbols) for square in symbols)
        diagonal += any(around(square, ALL_ROUND) & set(symbols) for square in symbols)
    assert diagonal  # tests 1 and 2 were both needed


# The count of free squares


@pytest.mark.parametrize("seed", range(4))
def test_room_is_counted_exactly(seed: int) -> None:
    """The kernel agrees with the reference implementation, a matching, on vacant squares of every density."""
    rng = random.Random(seed)
    answers: Counter[bool] = Counter()
    for _ in range(150):
        game = GhostShip()
        taken = rng.sample(game.chart.vacant(), rng.randint(12, 36))
        game.tiles.update(dict.fromkeys(taken, "WWWW"))
        lacking = rng.randint(5, 10), rng.randint(5, 10)
        game.symbols = dict.fromkeys([*rng.sample([s for s in SQUARES if is_west(s)], 10 - lacking[0])], "?")
        game.symbols |= dict.fromkeys(rng.sample([s for s in SQUARES if not is_west(s)], 10 - lacking[1]), "?")
        free = [
            square
            for square in game.chart.vacant()
            if square not in game.symbols and not around(square, SIDEWAYS) & set(game.symbols)
        ]
        words = [
            np.uint64(sum(int(BIT[SQUARES.index(s)]) for s in free if is_west(s) == west)) for west in (True, False)
        ]
        wanted = game.room_is_left(set(game.symbols))
        assert can_choose(*words, *lacking) == has_room(*words, *lacking) == wanted
        answers[wanted] += 1
    assert min(answers[True], answers[False]) > 20


def test_with_random_creation_chance_places_the_ghost() -> None:
    state = read(with_random_creation(whole_map("ghost")))
    assert outcomes(state) == evenly("ghost D5", "ghost D6")
    assert turn_of(play(state, "ghost D6")) == ("declare", 0)
