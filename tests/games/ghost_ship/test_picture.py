"""The drawn picture of Ghost Ship for each viewer, and the clicks of its actions.

The map is that of `ghost_ship_setups`, and players are written as there: pawn and boat.
"""

from __future__ import annotations

import re
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

import edge_envs
from edge_envs.games.ghost_ship.map.geometry import REGION, SPOTS, S
from edge_envs.games.ghost_ship.views import emblems, shores, spots
from edge_envs.pictures.canvas import Canvas
from edge_envs.pictures.colours import GOLD, LAST, MARK, PLAYERS, Colour
from tests.games.ghost_ship.scenes import (
    FAR,
    RANDOM,
    at,
    filling,
    ids,
    load,
    new_game,
    placing,
    play,
    travel,
    whole_map,
)

NORTH, EAST, SOUTH, WEST = 1, 2, 4, 8
ALL_WET = 15
D5 = (46 + 4.5 * 64, 46 + 3.5 * 64)
"""The middle of the square D5 in the picture."""
SHOWN = {"chits": {1: 2}, "gold": 1, "saved": -2, "lost": {3: 1}}


def elements(state: Any, viewer: int | None = None, **options: Any) -> list[ElementTree.Element]:
    """Return all elements of the picture that a viewer, or the public, sees."""
    svg = state.game.svg(state._record, viewer, **options)
    found = list(ElementTree.fromstring(svg).iter())
    for element in found:
        element.tag = element.tag.rpartition("}")[2]
    return found


def drawn(state: Any, viewer: int | None = None) -> str:
    """Return the picture of a position alone, without its history."""
    return str(state.game.svg(state._record, viewer))


def texts(state: Any, viewer: int | None = None) -> list[str]:
    """Return the texts in the picture, in order."""
    return [str(element.text) for element in elements(state, viewer) if element.tag == "text"]


def below(state: Any, viewer: int | None = None) -> list[str]:
    """Return the texts of the players' rows, one after the other."""
    found = texts(state, viewer)
    return found[found.index("claim") + 1 :]


def pieces(state: Any) -> dict[str, tuple[float, float]]:
    """Return the positions of the named pieces."""
    named = [(element.get("data-piece"), element.get("transform", "")) for element in elements(state)]
    points = {name: re.findall(r"-?[\d.]+", transform)[:2] for name, transform in named if name}
    return {name: (float(x), float(y)) for name, (x, y) in points.items()}


def emblem(draw: Any, *args: Any, **options: Any) -> list[str]:
    """Return the shapes of a small drawing at the point (0, 0)."""
    canvas = Canvas(10, 10)
    draw(canvas, 0, 0, *args, **options)
    return [d for element in ElementTree.fromstring(str(canvas)).iter() if (d := element.get("d"))]


def count(state: Any, shape: str) -> int:
    """Return how often a path is drawn."""
    return sum(element.get("d") == shape for element in elements(state))


def circles(state: Any, fill: Colour, viewer: int | None = None) -> list[tuple[float, float]]:
    """Return the middles of the circles of a colour."""
    found = [e for e in elements(state, viewer) if e.tag == "circle" and e.get("fill") == fill.light]
    return [(float(str(e.get("cx"))), float(str(e.get("cy")))) for e in found]


def chits(state: Any, viewer: int | None = None, of: Colour = emblems.HIDDEN) -> list[tuple[float, float]]:
    """Return the chits on the map that are face down, or the others."""
    return [(x, y) for x, y in circles(state, of, viewer) if x < 700 and y < 540]


def way(state: Any, text: str) -> tuple[str, ...]:
    """Return the clicks of an action."""
    clicks: tuple[str, ...] = state.game.ways(state._record)[ids(state)[text]]
    return clicks


# Coasts


def numbers(path: str) -> list[float]:
    return [float(number) for number in re.findall(r"-?\d+\.?\d*", path)]


def ends(path: str) -> list[tuple[float, float]]:
    """Return the first and last points of the parts of a path."""
    points = []
    for part in path.split("M")[1:]:
        found = numbers(part)
        points += [(found[0], found[1]), (found[-2], found[-1])]
    return points


@pytest.mark.parametrize("mask", range(16))
@pytest.mark.parametrize("wet", [0, 5, ALL_WET])
def test_shores_end_on_land_edges_at_a_fixed_distance_from_a_corner(mask: int, wet: int) -> None:
    for x, y in ends(shores.tile_paths(mask, wet, 0, 0)[1]):
        edge = spots.OUTWARD.index((np.sign(x) if abs(x) == 32 else 0, np.sign(y) if abs(y) == 32 else 0))
        assert mask >> edge & 1
        assert min(abs(x), abs(y)) == 32 - shores.BAY


def test_a_shore_goes_through_the_middle_but_on_both_sides_of_a_strait() -> None:
    assert " 0 0 " in shores.tile_paths(NORTH | EAST, ALL_WET, 0, 0)[1]
    strait = shores.tile_paths(NORTH | SOUTH, ALL_WET, 0, 0)[1]
    assert strait.count("M") == 2
    assert " 0 -12.16 " in strait
    assert " 0 12.16 " in strait


def test_a_wet_corner_between_land_edges_is_a_bay() -> None:
    assert shores.tile_paths(NORTH | EAST | WEST, 0b0001, 0, 0)[1].count("A") == 1
    assert shores.tile_paths(NORTH | EAST | WEST, 0b0000, 0, 0)[1].count("A") == 0
    assert shores.tile_paths(15, ALL_WET, 0, 0)[1].count("A") == 4


def test_open_sea_has_no_land() -> None:
    assert shores.tile_paths(0, ALL_WET, 0, 0) == ("", "")


def test_wet_corners_are_those_of_the_rules() -> None:
    record = whole_map("ghost")._record
    masks, wet = record.squares[:, 0].tolist(), record.squares[:, 1].tolist()
    drawn = shores.wet_corners(masks)
    assert [int(SPOTS[m, w]) for m, w in zip(masks, drawn, strict=True)] == [
        int(SPOTS[m, w]) for m, w in zip(masks, wet, strict=True)
    ]


@pytest.mark.parametrize("mask", range(15))
def test_boats_at_sea_are_drawn_on_water_and_scouts_on_their_land(mask: int) -> None:
    x, y = spots.offset(mask, S)
    for spot in (1, 2):
        if REGION[mask, spot] >= 0:
            right, down = spots.offset(mask, spot)
            land_x, land_y = spots.landward(mask, REGION[mask, spot])
            assert right * land_x + down * land_y > 8.9
            assert x * land_x + y * land_y <= 0


@pytest.mark.parametrize("mask", range(15))
def test_places_of_a_tile_do_not_overlap(mask: int) -> None:
    there = [spots.offset(mask, spot) for spot in range(8) if int(SPOTS[mask, ALL_WET]) >> 2 * spot & 1]
    for i, one in enumerate(there):
        assert all(np.hypot(one[0] - other[0], one[1] - other[1]) > 15 for other in there[:i])


# The map


def test_a_vacant_square_is_not_drawn_as_sea() -> None:
    squares = f"M {46 + 64} 46 h 64 v 64 h -64 Z"  # A2
    state = new_game()
    paths = [e.get("d", "") for e in elements(state) if squares in e.get("d", "")]
    assert len(paths) == 1
    sea = [e for e in elements(whole_map("ghost")) if squares in e.get("d", "")]
    vacant = [e for e in elements(state) if squares in e.get("d", "")]
    assert sea[0].get("fill") != vacant[0].get("fill")


def test_each_tile_adds_a_symbol_or_a_question_mark_if_hidden() -> None:
    (shape, *_) = emblem(emblems.symbol, 1)
    assert count(at([FAR, FAR]), shape) == 1  # in the legend
    assert count(at([FAR, FAR], symbols={"A5": "storm", "C5": "ruins"}), shape) == 2
    unseen = at([FAR, FAR], symbols={"A5": "?"}, **RANDOM)
    assert texts(unseen).count("?") > texts(at([FAR, FAR], symbols={"A5": "storm"}, **RANDOM)).count("?")


def test_chits_are_drawn_face_down_and_heaps_with_their_number() -> None:
    single = at([FAR, FAR], symbols={"A5": "storm"}, chits={"A5": 1})
    (one,) = [c for c in chits(single) if abs(c[0] - 334) < 32 and c[1] < 110]
    assert np.hypot(one[0] - 334, one[1] - 78) > emblems.DISC
    heap = at([FAR, FAR], symbols={"A3": "storm", "C5": "ruins"}, chits={"A3": 2})
    assert "×2" in texts(heap)
    assert "×2" not in texts(single)


def test_gold_is_drawn_on_its_hill_until_it_is_taken() -> None:
    def on_hills(state: Any) -> int:
        return sum(e.get("fill") == GOLD.light and e.get("cy") == "14" for e in elements(state))

    full, taken = at([FAR, FAR]), at([FAR, FAR], own=[{"gold": 2}])
    assert (on_hills(full), on_hills(taken)) == (6, 4)
    assert texts(full).count("6") > 4
    assert texts(taken).count("6") == texts(full).count("6")


def test_the_ghost_is_drawn_on_its_tile() -> None:
    x, y = pieces(at([FAR, FAR], ghost="D5"))["ghost"]
    assert abs(x - D5[0]) <= 20
    assert abs(y - D5[1]) <= 20
    assert "ghost" not in pieces(whole_map("ghost"))


def test_the_ghost_does_not_cover_pawns() -> None:
    seen = pieces(at(["E5.C0 G3.C0", "E5.K0 G8.C0"], ghost="E5"))
    assert all(np.hypot(seen["ghost"][0] - x, seen["ghost"][1] - y) > 20 for x, y in (seen["scout-0"], seen["scout-1"]))


def test_a_scout_is_drawn_only_ashore_and_its_boat_where_it_was_left() -> None:
    seen = pieces(at(["E5.C0 G3.C0", "B7.S"]))
    assert seen.keys() == {"scout-0", "ship-0", "ship-1", "ghost"}
    assert abs(seen["ship-0"][0] - (46 + 2.5 * 64)) < 32
    assert abs(seen["ship-0"][1] - (46 + 6.5 * 64)) < 32


def test_pieces_at_one_place_are_drawn_side_by_side() -> None:
    seen = pieces(at([FAR, FAR]))
    assert seen["ship-0"] != seen["ship-1"]


def test_a_boat_on_the_rim_is_drawn_on_its_circle() -> None:
    assert pieces(at(["B0", FAR]))["ship-0"] == (46 + 32, 46 - 18)


def test_the_spinner_marks_the_last_spin_while_it_counts_and_then_the_points() -> None:
    def wedges(state: Any) -> list[str]:
        return [e.get("d", "") for e in elements(state) if e.tag == "path" and e.get("fill") == GOLD.light][:1]

    here = {"declared": "travel", "spun": [4, "NE"], "losers": [0], "own": [{"chits": {1: 1}}], "ghost": "E5"}
    there = {**here, "spun": [3, "NE"]}
    one, other = (at(["E5.C0 G3.C0", FAR], "lose", **entries) for entries in (here, there))
    assert "4" in texts(one)
    assert wedges(one) != wedges(other)
    going = travel("B7.S", 4, points=1)
    assert "1 of 4 points left" in texts(going)
    assert "4 of 4 points left" not in texts(going)


# Players


def test_a_row_shows_public_information() -> None:
    state = at(["E5.C0 G3.C0", FAR], own=[SHOWN, {"triple": (4, 2), "skip": 2}])
    assert {"E5.C0", "G3.C0", "−2", "4 4", "2"} <= set(below(state))
    assert [x for x, y in circles(state, GOLD) if y > 540 and x < 730] == [658.0]


def test_values_are_shown_only_to_their_owner() -> None:
    state = at(["E5.C0 G3.C0", FAR], own=[{"chits": {4: 2}}])

    def faces(viewer: int | None) -> int:
        return sum(y > 540 for _, y in circles(state, emblems.FACE, viewer))

    def backs(viewer: int | None) -> int:
        return sum(y > 540 for _, y in circles(state, emblems.HIDDEN, viewer))

    assert [(faces(viewer), backs(viewer)) for viewer in (None, 0, 1)] == [(0, 2), (2, 0), (0, 2)]
    assert "score 8" in texts(state, 0)
    assert not any(text.startswith("score") for viewer in (None, 1) for text in texts(state, viewer) if text[-1] == "8")


def test_lost_values_are_shown_only_to_their_owner() -> None:
    state = at(["E5.C0 G3.C0", FAR], own=[{"lost": {3: 1, 4: 1}}])
    assert "2 (3 4)" in texts(state, 0)
    assert "2 (3 4)" not in texts(state, 1)
    assert "2 (3 4)" not in texts(state)


def test_the_picture_shows_showings_and_players_who_are_together() -> None:
    state = at([FAR, FAR], own=[{"chits": {1: 1}}, {"chits": {2: 1, 4: 1}}])
    assert "showed 2 4" in texts(state, 0)
    assert "showed 1" in texts(state, 1)
    assert "with" in below(state)
    apart = at(["B7.S", FAR], own=[{"chits": {1: 1}}, {"chits": {2: 1, 4: 1}}])
    assert "has shown nothing" in texts(apart, 0)
    assert "with" not in below(apart)


def test_a_claim_shows_the_thief() -> None:
    players, no_claim = ["C5.C0 C3.C0", "C5.K2 G8.C0"], {"claim": None}
    one, other = (at(players, own=[{}, own]) for own in ({"claim": 0}, no_claim))
    assert "on" in below(one)
    assert "on" not in below(other)


def test_the_turn_player_has_a_frame_until_the_end() -> None:
    def frames(state: Any) -> list[str | None]:
        return [e.get("stroke") for e in elements(state) if e.tag == "rect" and e.get("width") == "888"]

    assert frames(at([FAR, FAR])) == [PLAYERS[0].light]
    assert frames(at([FAR, FAR], "over", turn=400, by_limit=True)) == []


def test_the_neighbour_who_decides_has_a_dashed_frame() -> None:
    entries = {"decider": 1, "own": [{"triple": (0, 0)}]}
    state = travel("E5.C0 G3.C0", 5, others=["B7.S"], **entries)
    frames = [e.get("stroke-dasharray") for e in elements(state) if e.tag == "rect" and e.get("width") == "888"]
    assert frames == [None, "5 4"]


def test_the_headline_is_that_of_the_text() -> None:
    state = whole_map("ghost")
    assert str(state).splitlines()[-1] in texts(state)


# Phase 1


def test_the_tile_in_hand_is_in_the_tray_in_all_rotations() -> None:
    keys = [f"tile-{name}" for name in ("LWWW", "WLWW", "WWLW", "WWWL", "LLWW", "WWWW")]
    state = placing("storm LWWW")
    assert {e.get("data-key") for e in elements(state, keys=keys)} - {None} == set(keys[:4])


def test_a_tile_that_was_laid_is_ringed_on_its_square_and_not_in_the_tray() -> None:
    state = placing("storm LWWW")

    def rings(**options: Any) -> int:
        svg = state.game.svg(state._record, **options)
        return svg.count(f'stroke="{LAST.light}"') + svg.count(f'stroke="{MARK.light}"')

    assert rings(last=["tile-LWWW"]) == rings()
    assert rings(marked=["tile-LWWW"]) == rings() + 1
    assert rings(last=["sq-A2", "tile-LWWW"]) == rings() + 1


def test_the_hand_and_the_stacks_show_their_numbers() -> None:
    state = filling("fill", hand_tiles={"LWWW": 3, "LLLL6": 1}, left={"WWWW": 7})
    assert "the hand, 4 tiles" in texts(state)
    assert {"3", "7"} <= set(texts(state))
    keys = ["tile-LLLL6", "tile-LLLL", "tile-LWWW"]
    assert {e.get("data-key") for e in elements(state, keys=keys)} - {None} == {"tile-LLLL6", "tile-LWWW"}


def test_the_heap_of_symbol_tiles_shows_its_number() -> None:
    assert {"20", "4 to come"} <= set(texts(new_game()))
    assert {"20", "4 unseen"} <= set(texts(new_game(creation="random")))


def test_the_square_to_be_completed_is_marked() -> None:
    state = whole_map("complete", ["C1"])
    assert any(e.get("x") == "49" and e.get("y") == f"{46 + 128 + 3}" for e in elements(state) if e.tag == "rect")


# Clicks


def ghost_back() -> Any:
    return at([FAR, FAR], "ghost_back", declared="travel", spun=[3, "N"], ghost="A5")


def test_clicks_of_every_kind_of_action() -> None:
    assert way(placing("storm LWWW"), "tile B2 WLWW") == ("sq-B2", "tile-WLWW")
    assert way(filling("stack", left={"WWWW": 7}), "stack 4") == ("stack-4",)
    assert way(whole_map("ghost"), "ghost D6") == ("sq-D6",)
    assert way(ghost_back(), "ghost D5") == ("sq-D5",)
    assert way(at([FAR, FAR]), "travel") == ("travel",)
    assert way(at([FAR, FAR]), "save -") == ("save-minus",)
    going = travel("E5.C0 G3.C0", 5)
    assert way(going, "end") == ("end",)
    steps = [text for text in ids(going) if text.startswith("go ")]
    assert steps
    assert all(way(going, text) == (f"place-{text[3:]}",) for text in steps)
    assert way(travel(FAR), "go B9") == ("place-B9",)


def test_clicks_of_taking_and_of_triples() -> None:
    assert way(travel("D5.H G3.C0"), "take gold") == ("take-gold",)
    ruins: dict[str, Any] = {"symbols": {"C5": "ruins"}}
    assert way(travel("C5.C0 G3.C0", 4, **ruins), "take chit") == ("take-chit",)
    threes = travel("B7.S", 3, extra="chit", **ruins)
    assert way(threes, "chit C5 E") == ("sq-C5", "edge-C5-E")
    twos = travel("B7.S", 2, extra="ghost", ghost="D5")
    assert way(twos, "ghost NE") == ("sq-C6",)
    assert way(twos, "ghost S") == ("sq-E5",)
    number = at(["B7.S", FAR], "number", declared="travel")
    assert way(number, "number 4") == ("number-4",)


def test_stealing_names_the_victim() -> None:
    state = at(["C5.C0 G3.C0", "D6.H C5.C0"])
    assert way(state, "steal 1") == ("steal-1",)
    assert load().label("steal-1") == "steal the boat of player 1"


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("travel", "travel"),
        ("swim", "swim"),
        ("search", "search"),
        ("salvage", "salvage"),
        ("drift", "drift"),
        ("save-plus", "save +1"),
        ("save-minus", "save −1"),
        ("take-chit", "take the chit"),
        ("take-gold", "take the gold"),
        ("end", "end the turn"),
        ("number-5", "result 5"),
        ("sq-C4", None),
        ("place-D5.K2", None),
        ("tile-LLWW", None),
        ("stack-1", None),
        ("edge-C4-E", None),
    ],
)
def test_labels(key: str, text: str | None) -> None:
    assert load().label(key) == text


def test_places_are_above_edges_and_edges_above_squares() -> None:
    keys = ["place-D5.H", "edge-D5-E", "sq-D5"]
    found = [e.get("data-key") for e in elements(at([FAR, FAR]), keys=keys) if e.get("data-key")]
    assert found == ["sq-D5", "edge-D5-E", "place-D5.H"]


def test_the_last_step_has_a_ring() -> None:
    state = travel("E5.C0 G3.C0", 5)
    step = next(text for text in ids(state) if text.startswith("go "))
    before = LAST.light in state.svg()
    assert not before
    assert LAST.light in play(state, step).svg()


def test_the_size_of_the_picture_depends_only_on_the_parameters() -> None:
    def sizes(state: Any) -> tuple[str | None, ...]:
        root = elements(state)[0]
        return root.get("width"), root.get("height")

    assert sizes(new_game()) == sizes(at([FAR, FAR])) == sizes(whole_map("ghost"))
    assert sizes(new_game()) != sizes(new_game(num_players=3))


@pytest.mark.parametrize("params", [{"num_players": 3}, {"num_players": 4, "creation": "random"}])
def test_pictures_of_whole_games_do_not_show_hidden_information(params: dict[str, Any]) -> None:
    state, rng = (
        edge_envs.load_game("ghost_ship", max_turns=40, **params).new_initial_state(5),
        np.random.default_rng(5),
    )
    looked = 0
    while not state.is_terminal():
        if rng.random() < 0.06:
            looked += 1
            for player in range(params["num_players"]):
                other = state.resample(player, rng)
                assert drawn(other, player) == drawn(state, player)
                assert drawn(other) == drawn(state)
        state.apply_action(state.sample_chance() if state.is_chance_node() else state.heuristic_action())
    assert looked > 10
