"""The heuristic of Ghost Ship in positions with a clear best action, and its legality everywhere.

By default the map is that of `ISLES`, and no other player is near player 0.
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import edge_envs
from tests.games.ghost_ship.scenes import FAR, at, filling, placing, play, read, travel, whole_map
from tests.games.ghost_ship.test_twin import some_position
from tests.readers import turn_number

NO_GOLD: list[dict[str, Any]] = [{}, {"gold": 6}]
TAKEN: dict[str, Any] = {"own": NO_GOLD}
GOAL: dict[str, Any] = {"symbols": {"A3": "friendly"}, **TAKEN}  # a chit ashore on A3, and nothing else
ROCK: dict[str, Any] = {"symbols": {"A6": "chest"}, **TAKEN}  # a chit in the open sea


def choice(state: Any) -> str:
    """Return the heuristic's action."""
    return str(state.action_to_string(state.heuristic_action()))


def turn(state: Any) -> list[str]:
    """Return the heuristic's actions until the next chance node or the end."""
    texts = []
    while not (state.is_chance_node() or state.is_terminal()):
        texts.append(choice(state))
        state.apply_action(state.heuristic_action())
        if state.to_dict()["phase"] == "declare":
            break
    return texts


# Treasure within reach


def test_it_takes_a_chit_within_reach() -> None:
    assert choice(travel("A3.C0", **GOAL)) == "take chit"


def test_it_takes_gold_within_reach() -> None:
    assert choice(travel("B3.H A3.C0", 3)) == "take gold"


def test_it_takes_the_chit_beside_its_boat() -> None:
    assert turn(travel("A5.S", **ROCK)) == ["go A6.S", "take chit"]


@pytest.mark.parametrize("result", [4, 5])
def test_it_lands_and_takes_with_the_points_for_it(result: int) -> None:
    assert turn(travel("A2.S", result, **GOAL)) == ["go A3.S", "go A3.C0", "take chit"]


def test_it_goes_as_near_as_it_can() -> None:
    assert turn(travel("A1.S", 2, **GOAL)) == ["go A2.S", "go A3.S"]


def test_it_salvages() -> None:
    assert choice(at(["A6.S", FAR], symbols={"A6": "storm"}, **TAKEN)) == "salvage"


@pytest.mark.parametrize(("pawn", "numbers"), [("A2.S", {"number 4", "number 5"}), ("A1.S", {"number 5"})])
def test_it_chooses_the_number_that_reaches_a_treasure(pawn: str, numbers: set[str]) -> None:
    assert choice(at([pawn, FAR], "number", declared="travel", **GOAL)) in numbers


# Routes


def test_it_travels_to_a_treasure() -> None:
    assert choice(at(["A1.S", FAR], **GOAL)) == "travel"


def test_it_walks_back_to_its_boat() -> None:
    state = travel("B2.C0", 5, symbols={"A2": "chest"}, **TAKEN)
    assert turn(state)[0] == "go B2.S"
    state = travel("B3.H B2.C0", 5, symbols={"A8": "friendly"}, **TAKEN)
    assert turn(state) == ["go B2.C0", "go B2.S"]


def test_it_searches_for_its_boat_on_a_friendly_tile() -> None:
    assert choice(at(["A3.C0 G3.C0", FAR], symbols={"A3": "friendly", "A8": "hostile"}, chits={"A8": 1}, **TAKEN)) == (
        "search"
    )


def test_it_steals_a_boat_rather_than_walk() -> None:
    state = at(["A3.C0 G3.C0", "G8.C0 A3.C0"], symbols={"A3": "skull", "A8": "friendly"}, chits={"A8": 1}, **TAKEN)
    assert choice(state) == "steal 1"


def test_it_avoids_storms() -> None:
    state = travel("A4.S", 5, symbols={"A5": "storm", "A6": "chest"}, chits={"A6": 1}, **TAKEN)
    assert "go A5.S" not in turn(state)


def test_on_the_third_four_it_uses_its_point() -> None:
    assert turn(travel("A2.S", 4, points=1, **GOAL)) == ["go A3.S"]


# The ghost


def test_with_chits_it_avoids_the_ghost() -> None:
    sea: dict[str, Any] = {"symbols": {"A6": "chest"}, "ghost": "A5"}
    rich = travel("A4.S", 5, own=[{"chits": {4: 2}}, {"gold": 6}], **sea)
    assert "go A5.S" not in turn(rich)


@pytest.mark.parametrize(("pawn", "wanted"), [("D5.H D4.C0", "ghost D6"), ("D6.H D4.C0", "ghost D5")])
def test_it_places_the_ghost_away_from_itself(pawn: str, wanted: str) -> None:
    state = at([pawn, FAR], "ghost_back", own=[{"chits": {1: 1}}, {}], declared="travel", spun=[2, "N"], ghost="A4")
    assert choice(state) == wanted


def test_it_places_the_ghost_on_a_rival() -> None:
    d: dict[str, Any] = {"declared": "travel", "spun": [2, "N"], "ghost": "A4"}
    assert choice(at(["A1.S", "D6.H D7.C0"], "ghost_back", own=[{}, {"chits": {1: 1}}], **d)) == "ghost D6"


def test_the_last_player_places_the_ghost_far_from_home() -> None:
    assert choice(whole_map("ghost")) == "ghost D5"


# Triples


def test_the_right_neighbour_does_not_take_treasure_for_the_turn_player() -> None:
    state = travel("A3.C0", 5, decider=1, **GOAL)
    assert state.current_player() == 1
    assert "take chit" not in turn(state)


# Phase 1


@pytest.mark.parametrize("player", [0, 1])
def test_it_lays_easy_treasure_near_its_corner(player: int) -> None:
    laid = {} if player == 0 else {"B6": "skull WWWW"}
    square = choice(placing("chest WWWW", laid)).split()[1]
    column = int(square[1:])
    assert column <= 4 if player == 0 else column >= 7


def test_it_places_sea_near_its_corner() -> None:
    text = choice(filling("fill", hand_tiles={"WWWW": 1}, left={"LWWW": 9})).split()
    assert text[2] == "WWWW"
    assert int(text[1][1:]) <= 4


# Values


def features(state: Any, viewer: int = 0) -> tuple[dict[str, float], dict[str, float]]:
    """Return the features of players 0 and 1, as one of them sees them."""
    names = [feature.name for feature in state.game.type.values.features]
    seen = [dict(zip(names, row, strict=True)) for row in state.position_features(viewer).tolist()]
    return seen[-viewer % 2], seen[1 - viewer]


TURN = 14  # points, on average


@pytest.mark.parametrize(
    ("pawn", "points"),
    [("A3.C0", 9), ("A3.S", 9 + 9), ("A2.S", 4 + 9 + 9)],
    ids=["to take", "to land and take", "to sail, land and take"],
)
def test_the_distance_is_the_cost_of_reaching_the_treasure(pawn: str, points: int) -> None:
    own, _ = features(travel(pawn, **GOAL))
    near, _ = features(travel("A3.C0", **GOAL))
    assert own["distance"] == pytest.approx(-points / TURN)
    assert own["outlook"] - near["outlook"] == pytest.approx(own["distance"] - near["distance"])


def test_unseen_chits_count_as_their_mean() -> None:
    d: dict[str, Any] = {"own": [{"chits": {4: 2}, "gold": 2}, {"gold": 4}], "symbols": {"A6": "chest"}}
    state = travel("A4.S", 5, **d)
    mean = 2 * 2.0  # eight 1, six 2, four 3 and two 4 are 40
    assert [features(state, viewer)[0]["score"] for viewer in (0, 1)] == pytest.approx([2 * 4 + 2, mean + 2])
    assert [features(state, viewer)[1]["score"] for viewer in (0, 1)] == [4, 4]


def test_gold_counts_as_many_points_as_chits_of_value_1() -> None:
    own = [{"chits": {1: 3}, "gold": 2}, {"chits": {1: 1}, "gold": 4}]
    mine, _ = features(travel("A4.S", 5, own=own, symbols={"A6": "chest"}))
    assert {name: mine[name] for name in ("score", "chits", "gold")} == {"score": 3 + 2 * 3, "chits": 3, "gold": 2}


def test_turns_owed_and_points_saved_are_features() -> None:
    own: list[dict[str, Any]] = [{"saved": -2}, {"gold": 6, "skip": 3}]
    mine, other = features(at(["A4.S", FAR], own=own, symbols={"A6": "chest"}))
    assert [(one["skip"], one["saved"]) for one in (mine, other)] == [(0, -2), (3, 0)]


def test_before_the_tour_all_features_are_0() -> None:
    assert not whole_map("ghost").position_features(0).any()


# Turns


def test_the_turn_count_changes_at_the_end_of_a_turn() -> None:
    state = at(["A1.S", FAR], **GOAL)
    number = turn_number(state)
    for text in ("travel", "spin 4 N"):
        assert turn_number(play(state, text)) == number
    assert turn_number(play(state, "end")) != number


def test_in_phase_1_each_tile_counts_as_a_turn() -> None:
    state = placing("chest WWWW")
    number = turn_number(state)
    state.apply_action(state.heuristic_action())
    assert turn_number(state) != number


# All positions


def check_choice(state: Any) -> int:
    """Check that the action is legal, has the highest value, and does not depend on hidden information."""
    action = int(state.heuristic_action())
    assert action in state.legal_actions()
    values = state.action_values()
    assert int(np.argmax(values)) == action
    assert np.flatnonzero(values > -np.inf).tolist() == state.legal_actions()
    assert state.resample(state.current_player(), np.random.default_rng(action)).heuristic_action() == action
    return action


@pytest.mark.parametrize("seed", range(6))
def test_its_actions_are_legal_in_games_with_blunders(seed: int) -> None:
    params = {"num_players": 2 + seed % 3, "creation": ["players", "random"][seed % 2], "max_turns": 60}
    rng = random.Random(seed)
    state = edge_envs.load_game("ghost_ship", **params).new_initial_state(seed=seed)
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(state.sample_chance())
            continue
        action = check_choice(state)
        state.apply_action(rng.choice(state.legal_actions()) if rng.random() < 0.4 else action)


@pytest.mark.parametrize("seed", range(300))
def test_its_actions_are_legal_in_random_positions(seed: int) -> None:
    try:
        state = read(some_position(random.Random(seed)))
    except edge_envs.InvalidPositionError:
        return
    if state.current_player() >= 0:
        check_choice(state)


@pytest.mark.parametrize("seed", range(4))
def test_its_actions_are_legal_with_any_weights(seed: int) -> None:
    rng = random.Random(seed)
    state = edge_envs.load_game("ghost_ship", creation="random", max_turns=40).new_initial_state(seed=seed)
    declared = state.game.type.values
    assert declared is not None
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(state.sample_chance())
            continue
        drawn = {
            weight.name: rng.choice([weight.low, rng.uniform(weight.low, weight.high), weight.high, weight.default])
            for weight in declared.weights
        }
        action = int(state.action_values(drawn).argmax())
        assert action in state.legal_actions()
        state.apply_action(action)


@pytest.mark.parametrize("creation", ["players", "random"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_games_among_heuristics_end_before_the_limit(players: int, creation: str) -> None:
    game = edge_envs.load_game("ghost_ship", num_players=players, creation=creation)
    for seed in range(3):
        state = game.new_initial_state(seed=seed)
        while not state.is_terminal():
            state.apply_action(state.sample_chance() if state.is_chance_node() else state.heuristic_action())
        assert not state.to_dict()["by_limit"]


def test_it_beats_random_play() -> None:
    game = edge_envs.load_game("ghost_ship", creation="random")
    for seed in range(10):
        rng, state = random.Random(seed), game.new_initial_state(seed=seed)
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(state.sample_chance())
            else:
                mine = state.current_player() == seed % 2
                state.apply_action(state.heuristic_action() if mine else rng.choice(state.legal_actions()))
        assert state.rewards()[seed % 2] == 1
