"""The observations of Ghost Ship: planes and numbers by their names, on given positions.

The positions are on `ISLES`, see `test_rules.py`. By default it is player 0's turn and the ghost is on F6.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import edge_envs
from edge_envs.games.ghost_ship.observation import observe, read_observation
from tests.games.ghost_ship.scenes import CLASSES, FAR, RANDOM, SYMBOLS, at, filling, new_game, placing, play, travel
from tests.games.ghost_ship.test_twin import some_position, twin_at
from tests.reference.ghost_ship import KINDS, PHASES, GhostShip
from tests.reference.ghost_ship_map import PLACES, SIDES, SQUARES, WAYS, Chart, where_is
from tests.reference.ghost_ship_setups import ISLES, SET_OUT, tiles_of

BOARD = 9, 12
CELLS = {square: where_is(f"{square}.S") for square in SQUARES}
CELLS |= {f"rim {place[1:]}": where_is(place) for place in PLACES if "." not in place}
CORNERS = ["NE", "SE", "SW", "NW"]
SPOTS = ["S", "C0", "C1", "K0", "K1", "K2", "K3", "H", "rim"]
THREE = ["C3.C0 F4.C0", "B3.H A3.C0", "B7"]


# Looking


def seen(state: Any, name: str, viewer: int = 0) -> list[int]:
    """Return the entries of a field."""
    return state.observation_tensor(viewer)[state.game.observation_slices()[name]].tolist()


def plane(state: Any, name: str, number: int = 0, viewer: int = 0) -> dict[str, int]:
    """Return where a plane of a field is not 0: squares, and circles of the rim by number."""
    entries = np.array(seen(state, name, viewer)).reshape(-1, *BOARD)[number]
    found = {name: int(entries[row + 1, column + 1]) for name, (row, column) in CELLS.items()}
    assert sum(found.values()) == entries.sum()
    return {name: entry for name, entry in found.items() if entry}


def among(names: Any, entries: list[int]) -> list[Any]:
    """Return which of some things are set."""
    return [name for name, entry in zip(names, entries, strict=True) if entry]


def per_player(state: Any, name: str, viewer: int = 0) -> list[list[int]]:
    """Return the entries of a field for each player."""
    return np.array(seen(state, name, viewer)).reshape(state.game.num_players, -1).tolist()


def views(state: Any) -> list[list[int]]:
    """Return the observations of all players."""
    return [state.observation_tensor(player).tolist() for player in range(state.game.num_players)]


# The map


def test_a_plane_has_the_board_and_the_circles_at_its_edge() -> None:
    state = at(["B0", "B33"])
    north_of_a1, west_of_a1 = (np.array(seen(state, "pawns")).reshape(2, *BOARD)[number] for number in range(2))
    assert (north_of_a1[0, 1], west_of_a1[1, 0]) == (1, 1)
    assert plane(at(["A1.S", FAR]), "pawns") == {"A1": 1}


def test_tiles_are_shown_when_they_are_laid() -> None:
    assert plane(placing("storm LWWW", {"A2": "skull WWWW"}), "tile") == dict.fromkeys([*SET_OUT, "A2"], 1)
    assert plane(at(["A1.S", FAR]), "tile") == dict.fromkeys(SQUARES, 1)


@pytest.mark.parametrize("side", SIDES)
def test_land_edges_have_a_plane_for_each_side(side: str) -> None:
    tiles = tiles_of(ISLES)
    land = [square for square in SQUARES if tiles[square][SIDES.index(side)] == "L"]
    assert list(plane(at(["A1.S", FAR]), "land", SIDES.index(side))) == land


@pytest.mark.parametrize("corner", range(4))
def test_corners_are_shown_where_they_are_places(corner: int) -> None:
    chart = Chart(tiles_of(ISLES))
    places = [square for square in SQUARES if chart.exists(f"{square}.K{corner}")]
    assert list(plane(at(["A1.S", FAR]), "corners", corner)) == places


def test_before_the_map_is_finished_no_corners_are_shown() -> None:
    assert not any(seen(placing("storm LWWW", {"A2": "skull WWWW"}), "corners"))


@pytest.mark.parametrize("symbol", SYMBOLS)
def test_every_symbol_has_a_plane(symbol: str) -> None:
    places = {"skull": "E9", "storm": "E9", "hostile": "A3", "ruins": "C3", "friendly": "C3", "chest": "E9"}
    state = at(["A1.S", FAR], symbols={places[symbol]: symbol})
    shown = [plane(state, "symbols", number) for number in range(7)]
    assert [name for name, found in zip(SYMBOLS, shown, strict=False) if places[symbol] in found] == [symbol]


def test_hidden_symbols_have_a_plane() -> None:
    state = at(["A1.S", FAR], symbols={"C3": "?", "A3": "storm"}, **RANDOM)
    assert "C3" in plane(state, "symbols", 6)
    assert "A3" not in plane(state, "symbols", 6)
    assert plane(state, "symbols", SYMBOLS.index("storm")) == {"A3": 1}


def test_gold_and_the_tiles_that_receive_it_have_planes() -> None:
    state = at(["A1.S", FAR], own=[{"gold": 2}])
    assert plane(state, "six") == dict.fromkeys(["B3", "B8", "D5", "D6", "F3", "F8"], 1)
    assert plane(state, "gold") == dict.fromkeys(["D5", "D6", "F3", "F8"], 1)
    assert seen(state, "gold_held", 1) == [0, 2]


def test_chits_are_counted_on_their_tiles() -> None:
    chits = plane(at(["A1.S", FAR], symbols={"A3": "storm"}, chits={"B3": 2}), "chits")
    assert (chits["B3"], chits.get("A3")) == (2, None)


def test_the_ghost_has_a_plane() -> None:
    assert plane(at(["A1.S", FAR], ghost="C7"), "ghost") == {"C7": 1}
    assert not any(seen(new_game(), "ghost"))


# Players


def test_pawns_and_boats_are_listed_from_the_viewer_on() -> None:
    for viewer, order in enumerate(([0, 1, 2], [1, 2, 0], [2, 0, 1])):
        pawns = [plane(at(THREE), "pawns", number, viewer) for number in range(3)]
        assert pawns == [[{"C3": 1}, {"B3": 1}, {"rim 7": 1}][player] for player in order]
        boats = [plane(at(THREE), "boats", number, viewer) for number in range(3)]
        assert boats == [[{"F4": 1}, {"A3": 1}, {"rim 7": 1}][player] for player in order]


def test_spots_give_the_places_of_pawns_and_boats_on_a_tile() -> None:
    spots, boats = per_player(at(THREE), "spot"), per_player(at(THREE), "boat_spot")
    assert [among(SPOTS, spot) for spot in spots] == [["C0"], ["H"], ["rim"]]
    assert [among(["S", "C0", "C1", "rim"], spot) for spot in boats] == [["C0"], ["C0"], ["rim"]]
    assert seen(at(THREE), "ashore", 1) == [1, 0, 1]


def test_seats_count_from_player_0() -> None:
    assert [seen(at(THREE), "seat", viewer) for viewer in range(3)] == [[1, 0, 0], [0, 1, 0], [0, 0, 1]]


def test_the_decider_and_the_turn_player_are_separate_fields() -> None:
    state = travel("A1.S", 5, [FAR, "G1.S"], decider=2)
    assert [seen(state, "decider", viewer) for viewer in range(3)] == [[0, 0, 1], [0, 1, 0], [1, 0, 0]]
    assert [seen(state, "turn_player", viewer) for viewer in range(3)] == [[1, 0, 0], [0, 0, 1], [0, 1, 0]]
    assert seen(state, "neighbour_decides") == [1]
    assert seen(travel("A1.S", 5, [FAR, "G1.S"]), "neighbour_decides") == [0]


def test_at_chance_nodes_there_is_no_decider() -> None:
    assert seen(at(["A1.S", FAR], "spin", declared="travel"), "decider") == [0, 0]
    assert seen(new_game(creation="random"), "decider") == [0, 0]


def test_counts_of_chits_and_losses_are_public() -> None:
    state = at(THREE, own=[{"chits": {1: 2, 3: 1}, "lost": {4: 1}}])
    assert seen(state, "num_chits", 2) == [0, 3, 0]
    assert seen(state, "num_lost", 2)[:2] == [state.to_dict()["players"][2]["lost"].get("1", 0), 1]


def test_saved_points_counts_for_triples_and_turns_owed_are_public() -> None:
    state = at(["A1.S", FAR, "G1.S"], own=[{"saved": -2}, {"triple": (4, 2)}, {"skip": 3}])
    assert seen(state, "saved", 1) == [0, 0, -2]
    assert [among([2, 3, 4, 5], number) for number in per_player(state, "triple_number", 1)] == [[4], [], []]
    assert seen(state, "triple_count", 1) == [2, 0, 0]
    assert seen(state, "skip", 1) == [0, 3, 0]


def test_claims_show_victims_and_thieves() -> None:
    state = at(["B3.H A3.C0", "C3.C0 F4.C0", FAR], own=[{}, {"claim": 0}])
    assert per_player(state, "claim", 0) == [[0, 0, 0], [1, 0, 0], [0, 0, 0]]
    assert per_player(state, "claim", 2) == [[0, 0, 0], [0, 0, 0], [0, 1, 0]]


# Knowledge of chits


def test_the_own_chits_and_losses_are_known() -> None:
    state = at(THREE, own=[{"chits": {1: 2, 3: 1}, "lost": {4: 1}}])
    assert seen(state, "own_chits") == [2, 0, 1, 0]
    assert seen(state, "own_lost") == [0, 0, 0, 1]
    assert seen(state, "own_chits", 1) == [0, 0, 0, 0]


def test_showings_and_later_gains_and_losses_are_known() -> None:
    shown = {"chits": {"2": 2}, "gained": 3, "lost": 1}
    d = at(THREE, own=[{}, {"chits": {2: 1, 1: 3}, "lost": {2: 1}}]).to_dict()
    d["players"][0]["shown"][1] = shown
    state = edge_envs.load_game("ghost_ship", num_players=3).state_from_dict(d)
    assert np.array(seen(state, "shown")).reshape(2, 7).tolist() == [[1, 0, 2, 0, 0, 3, 1], [0] * 7]
    assert not any(seen(state, "shown", 1))
    assert not any(seen(state, "shown", 2))


def test_having_shown_no_chits_differs_from_not_having_met() -> None:
    together = at(["A1.S", "A1.S"])
    assert seen(together, "shown") == [1, 0, 0, 0, 0, 0, 0]
    assert seen(at(["A1.S", FAR]), "shown") == [0] * 7


def test_the_number_of_chits_never_taken_is_known() -> None:
    state = at(["A1.S", FAR], symbols={"A3": "storm"}, own=[{"chits": {1: 1}}])
    assert seen(state, "pool") == [sum(state.to_dict()["pool"].values())]


@pytest.mark.parametrize("other", [{1: 1, 2: 1}, {4: 2}, {3: 1, 4: 1}])
def test_chits_and_losses_of_others_are_hidden(other: dict[int, int]) -> None:
    one = at(["A1.S", FAR, "G1.S"], own=[{}, {"chits": {1: 2}, "lost": {1: 2}}])
    two = at(["A1.S", FAR, "G1.S"], own=[{}, {"chits": other, "lost": {1: 2}}])
    three = at(["A1.S", FAR, "G1.S"], own=[{}, {"chits": {1: 2}, "lost": other}])
    for viewer in range(3):
        same = [views(state)[viewer] == views(one)[viewer] for state in (two, three)]
        assert same == [viewer != 1] * 2


def test_together_the_chits_of_others_are_known_but_not_their_losses() -> None:
    one, two = (at(["A1.S", "A1.S"], own=[{}, {"chits": {value: 2}}]) for value in (1, 2))
    three = at(["A1.S", "A1.S"], own=[{}, {"chits": {1: 2}, "lost": {3: 1}}])
    four = at(["A1.S", "A1.S"], own=[{}, {"chits": {1: 2}, "lost": {4: 1}}])
    assert views(one)[0] != views(two)[0]
    assert views(three)[0] == views(four)[0]


def test_showings_among_others_are_hidden() -> None:
    d = at(THREE, own=[{"chits": {1: 1}}, {"chits": {2: 1}}]).to_dict()
    one = edge_envs.load_game("ghost_ship", num_players=3).state_from_dict(d)
    d["players"][1]["shown"][0] = {"chits": {"1": 1}, "gained": 0, "lost": 0}
    two = edge_envs.load_game("ghost_ship", num_players=3).state_from_dict(d)
    assert [views(one)[viewer] == views(two)[viewer] for viewer in range(3)] == [True, False, True]


# Phase 1


def test_the_symbol_tile_in_hand_is_seen() -> None:
    state = placing("storm LWWW", {"A2": "skull WWWW"})
    assert among([*SYMBOLS, "?"], seen(state, "hand_symbol", 1)) == ["storm"]
    assert among(CLASSES, seen(state, "hand_class", 1)) == ["LWWW"]
    assert not any(seen(new_game(), "hand_class"))


def test_with_random_creation_only_the_class_of_the_tile_in_hand_is_seen() -> None:
    state = play(new_game(creation="random"), "symbol LWLW")
    assert among(CLASSES, seen(state, "hand_class")) == ["LWLW"]
    assert not any(seen(state, "hand_symbol")[:6])


def test_hand_stacks_discards_and_dropped_tiles_are_seen() -> None:
    laid = {"A2": "skull WWWW"}
    state = filling("draw", laid, left={"WWWW": 4, "LLWW": 3}, hand_tiles={"LWWW": 2, "LLLL6": 1}, to_draw=5)
    d = state.to_dict()
    assert dict(zip(KINDS, seen(state, "hand"), strict=True)) == {**dict.fromkeys(KINDS, 0), "LWWW": 2, "LLLL6": 1}
    assert (seen(state, "to_draw"), seen(state, "stacks")) == ([5], d["stacks"])
    assert dict(zip(KINDS, seen(state, "discards"), strict=True)) == {**dict.fromkeys(KINDS, 0), **d["discards"]}
    dropped = np.array(seen(state, "dropped")).reshape(7, 5)
    assert (dropped.sum(), dropped[SYMBOLS.index("storm"), 0], dropped[SYMBOLS.index("skull"), 0]) == (19, 2, 0)


# Turns


@pytest.mark.parametrize("phase", ["declare", "over"])
def test_the_phase_is_one_of_seventeen(phase: str) -> None:
    state = at(["A1.S", FAR], phase, turn=400)
    assert among(PHASES, seen(state, "phase")) == [phase]


@pytest.mark.parametrize(("turn", "used", "left"), [(1, 0, 127), (4, 1, 127), (399, 126, 1), (400, 127, 0)])
def test_turns_are_shown_as_a_fraction_and_as_the_remaining_number(turn: int, used: int, left: int) -> None:
    state = at(["A1.S", FAR], turn=turn)
    assert (seen(state, "turns_used"), seen(state, "turns_left")) == ([used], [left])


@pytest.mark.parametrize(
    ("pawns", "declared", "expected"),
    [
        (["A1.S", FAR], None, []),
        (["A1.S", FAR], "travel", ["travel"]),
        (["E4.C0 A3.C0", FAR], "swim", ["swim"]),
        (["C3.C0 A3.C0", FAR], "search", ["search"]),
        (["C5.C0 A3.C0", "D5.H C5.C0"], "steal 1", ["steal"]),
    ],
)
def test_declarations_are_seen(pawns: list[str], declared: str | None, expected: list[str]) -> None:
    state = at(pawns, "spin" if declared else "declare", declared=declared)
    assert among(["travel", "swim", "search", "steal", "salvage", "drift"], seen(state, "declared", 1)) == expected
    assert seen(state, "victim", 1) == [declared == "steal 1", 0]
    assert seen(state, "victim", 0) == [0, declared == "steal 1"]


@pytest.mark.parametrize("declared", ["salvage", "drift"])
def test_declarations_in_a_storm_are_seen(declared: str) -> None:
    state = at(["C1.S", FAR], "spin", symbols={"C1": "storm"}, declared=declared)
    assert among(["travel", "swim", "search", "steal", "salvage", "drift"], seen(state, "declared")) == [declared]


def test_a_spin_is_seen_until_its_result_is_fixed() -> None:
    state = at(["A1.S", FAR], "ghost_back", ghost="C10", declared="travel", spun=[4, "NE"])
    assert (among([2, 3, 4, 5], seen(state, "spun_number")), among(WAYS, seen(state, "spun_way"))) == ([4], ["NE"])
    assert not any(seen(travel("A1.S"), "spun_number") + seen(travel("A1.S"), "spun_way"))


def test_0_points_differ_from_no_travel() -> None:
    ashore = ["C3.C0 F4.C0", FAR]
    state = at(ashore, "lose", own=[{"chits": {1: 1}}], ghost="C3", losers=[0], arriving=True, declared="travel",
               result=2, points=0)  # fmt: skip
    assert (among([2, 3, 4, 5], seen(state, "result")), seen(state, "points")) == ([2], [0])
    assert (seen(state, "arriving"), seen(state, "losers", 1)) == ([1], [0, 1])
    state = at(ashore)
    assert (among([2, 3, 4, 5], seen(state, "result")), seen(state, "points")) == ([], [-1])


def test_an_end_of_movement_and_of_taking_is_seen() -> None:
    state = travel("C1.S", 5, symbols={"C1": "storm"}, movement_over=True, points=1)
    assert (seen(state, "movement_over"), seen(state, "taking_over")) == ([1], [0])
    state = at(["C3.C0 F4.C0", FAR], "lose", own=[{"chits": {1: 1}}], ghost="C3", losers=[0], arriving=True,
               declared="travel", result=5, points=1, movement_over=True, taking_over=True)  # fmt: skip
    assert (seen(state, "movement_over"), seen(state, "taking_over")) == ([1], [1])


@pytest.mark.parametrize(
    ("result", "extra", "expected"), [(3, "chit", [1, 0]), (2, "ghost", [0, 1]), (3, None, [0, 0])]
)
def test_extra_acts_are_seen(result: int, extra: str | None, expected: list[int]) -> None:
    assert seen(travel("A1.S", result, extra=extra), "extra") == expected


# Complete observations


def nodes(seed: int, count: int) -> Iterator[Any]:
    """Yield random positions, and some steps from each."""
    rng = random.Random(seed)
    found = 0
    while found < count:
        twin = twin_at(some_position(rng))
        if twin is None:
            continue
        d = twin.to_dict()
        state = edge_envs.load_game("ghost_ship", **d["params"]).state_from_dict(d)
        found += 1
        for _ in range(6):
            yield state
            if state.is_terminal():
                break
            state.apply_action(rng.choice(state.legal_actions()))


def known(d: dict[str, Any], viewer: int) -> dict[str, Any]:
    """Return the information of a player in a position, by the reference implementation."""
    return GhostShip.from_dict(d).view(viewer)


def told_apart(d: dict[str, Any], viewer: int) -> str:
    """Return what else must distinguish observations: the turns as far as they are shown."""
    view = known(d, viewer)
    turn, params = view.pop("turn"), view.pop("params")
    most = params["max_turns"]
    turns = [turn * 127 // most, min(most - turn, 127)]
    return json.dumps([view, turns, viewer, params["num_players"]])


@pytest.mark.parametrize("seed", range(4))
def test_observations_differ_if_and_only_if_the_information_differs(seed: int) -> None:
    by_view: dict[str, bytes] = {}
    by_observation: dict[bytes, str] = {}
    for state in nodes(seed, 12):
        for viewer in range(state.game.num_players):
            for shown in (state, state.resample(viewer, np.random.default_rng(seed))):
                view, observation = told_apart(shown.to_dict(), viewer), shown.observation_tensor(viewer).tobytes()
                assert by_view.setdefault(view, observation) == observation
                assert by_observation.setdefault(observation, view) == view


@pytest.mark.parametrize("seed", range(4))
def test_observations_are_within_their_bounds(seed: int) -> None:
    for state in nodes(seed, 12):
        low, high = state.game.observation_bounds
        for viewer in range(state.game.num_players):
            observation = state.observation_tensor(viewer)
            assert (low <= observation).all()
            assert (observation <= high).all()


@pytest.mark.parametrize("seed", range(4))
def test_a_consistent_position_can_be_made_from_an_observation(seed: int) -> None:
    """The position is possible, and the viewer knows and sees the same in it."""
    for state in nodes(seed, 12):
        game, d = state.game, state.to_dict()
        for viewer in range(game.num_players):
            observation = state.observation_tensor(viewer)
            record, again = game.new_records(1)[0], np.empty_like(observation)
            assert read_observation(observation, record) == viewer
            observe(record, viewer, again)
            assert again.tolist() == observation.tolist()
            record.turn, record.max_turns = d["turn"], game.params["max_turns"]
            made = game.position(record)
            assert known(made, viewer) == known(d, viewer)
            read = game.records_from_dict(made)[0]
            fields = [name for name in record.dtype.names if name != "rng"]
            assert [name for name in fields if np.any(record[name] != read[name])] == []


def test_an_observation_without_a_phase_is_rejected() -> None:
    state = next(iter(nodes(0, 1)))
    observation = np.array(state.observation_tensor(0))
    observation[state.game.observation_slices()["phase"]] = 0
    assert read_observation(observation, state.game.new_records(1)[0]) == -1
