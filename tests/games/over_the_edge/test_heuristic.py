"""The heuristic of Over the Edge in positions with a clear best move, and its legality everywhere.

The map is the bay of `test_rules.py` unless another is given. Ships are written as there: `A7 A0 7` is one step before
coming home clockwise.
"""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import edge_envs
from edge_envs.games.over_the_edge.map.charts import load_map
from tests.games.over_the_edge.test_twin import drawn_map
from tests.readers import turn_number
from tests.reference.over_the_edge import drawn, position

BAY = json.loads((Path(__file__).parent / "bay.json").read_text(encoding="utf-8"))
FAR = "A5 A0"  # a ship at sea, far from the others
LAST = 495  # a turn after which few are left

Hands = Sequence[dict[str, int]]


def at(ships: Sequence[str], hands: Hands = (), phase: str = "play", **entries: Any) -> Any:
    """Return the state for a position in the bay."""
    d = position(ships, hands, phase, **{"map": BAY, **entries})
    return edge_envs.load_game("over_the_edge", **d["params"]).state_from_dict(d)


def heuristic_action(ships: Sequence[str], hands: Hands = (), phase: str = "play", **entries: Any) -> str:
    """Return the heuristic's action in such a position."""
    return choice(at(ships, hands, phase, **entries))


def choice(state: Any) -> str:
    """Return the heuristic's action in a state."""
    return str(state.action_to_string(state.heuristic_action()))


def heuristic_actions(state: Any) -> list[str]:
    """Return the heuristic's actions until the next chance node or the end."""
    texts = []
    while not (state.is_chance_node() or state.is_terminal()):
        texts.append(choice(state))
        state.apply_action(state.heuristic_action())
    return texts


def spiral(turns: int, sectors: int = 8) -> dict[str, Any]:
    """Return a map with a single route that spirals out from the port A0 clockwise to a rim that closes the round."""
    rings = [[f"{'ABCDEFGH'[ring]}{sector}" for sector in range(sectors)] for ring in range(turns + 1)]
    spaces: list[dict[str, Any]] = [
        {"id": name, "cells": [[ring, sector]]} for ring, names in enumerate(rings) for sector, name in enumerate(names)
    ]
    spaces[0]["port"] = "Hub"
    barriers = []
    for ring in range(turns):
        first, last = -ring % sectors, (-ring - 1) % sectors
        barriers.append([rings[ring][last], rings[ring][first]])
        barriers += [[rings[ring][s], rings[ring + 1][s]] for s in range(sectors) if s != last]
    return {"name": "spiral", "rings": turns + 1, "sectors": sectors, "spaces": spaces, "barriers": barriers}


# Coming home


@pytest.mark.parametrize(
    ("ship", "hand", "wanted"),
    [
        ("A7 A0 7", {"fair_weather": 1}, "fair A0"),
        ("A1 A0 -7", {"fair_weather": 1}, "fair A0"),
        ("A7 A0 7", {"favorable_winds": 1}, "winds A0"),
        ("A6 A0 6", {"favorable_winds": 1}, "winds A7"),
        ("A6 A0 6", {"fair_weather": 1, "favorable_winds": 1, "loyal_crew": 1}, "winds A7"),
    ],
)
def test_it_comes_home_when_it_can(ship: str, hand: dict[str, int], wanted: str) -> None:
    state = at([ship, FAR], [hand])
    assert choice(state) == wanted
    heuristic_actions(state)
    assert state.rewards() == [1, -1]


def test_it_comes_home_by_the_second_step() -> None:
    assert heuristic_action(["A7 A0 7", FAR], (), "second_step") == "sail A0"


def test_being_home_without_a_voyage_is_not_a_goal() -> None:
    assert heuristic_action(["A1 A0 1", FAR], [{"fair_weather": 1}]) == "fair A2"


def test_it_names_the_set_that_drifts_it_home() -> None:
    assert heuristic_action(["A2 B2 8", FAR], [{"scurvy": 3, "mutiny": 3}], "sets", then="play") == "set scurvy"


def test_it_takes_the_card_that_drifts_it_home() -> None:
    state = at(
        ["A2 B2 8", "A2 A0"], [{"scurvy": 2, "loyal_crew": 1}, {"scurvy": 1, "fair_weather": 2}], "board", then="end"
    )
    assert heuristic_actions(state)[:2] == ["board 1", "take scurvy"]
    assert state.rewards() == [1, -1]


# Routes


@pytest.mark.parametrize(
    ("ship", "wanted"), [("A6 A0 6", "A7"), ("A3 A0 3", "A4"), ("A2 A0 -6", "A1"), ("A5 A0 -3", "A4")]
)
def test_it_sails_on_in_the_direction_with_the_shorter_rest(ship: str, wanted: str) -> None:
    assert heuristic_action([ship, FAR], [{"fair_weather": 1}]) == f"fair {wanted}"


@pytest.mark.parametrize("name", ["flat_earth", "pond", "bay"])
def test_it_chooses_a_home_with_a_short_voyage(name: str) -> None:
    source: Any = BAY if name == "bay" else name
    found = load_map(source)
    port = found.port_names.index(
        heuristic_action(["- -", "- -"], (), "home", map=source, turn=0).removeprefix("home ")
    )
    voyages = [found.shortest_voyage(space) for space in found.ports]
    assert voyages[port] == min(voyages) < max(voyages)


TWO_RINGS = drawn("abcdefgh", "ijklmnop", ports="am")


@pytest.mark.parametrize("scurvy", [0, 2])
def test_of_two_equally_short_routes_it_takes_the_one_off_the_rim(scurvy: int) -> None:
    hand = {"fair_weather": 1, "scurvy": scurvy}
    assert heuristic_action(["c a 2", "g a"], [hand], map=TWO_RINGS) == "fair d"  # to port m, by d and e or by k and l


def test_it_leaves_the_rim_with_two_scurvy() -> None:
    assert heuristic_action(["C3 A0 3", FAR], [{"fair_weather": 1, "scurvy": 2}]) == "fair B3"


# In port


@pytest.mark.parametrize("cards", [{"fair_weather": 3, "favorable_winds": 2}, {"favorable_winds": 4, "loyal_crew": 1}])
def test_it_leaves_port_with_enough_cards(cards: dict[str, int]) -> None:
    assert heuristic_action(["A0 A0", FAR], [cards], "depart").startswith("winds ")


@pytest.mark.parametrize("good", [{}, {"fair_weather": 1}])
def test_it_waits_in_port_for_better_cards(good: dict[str, int]) -> None:
    bad = {"scurvy": 2, "mutiny": 2 - len(good), "dead_calm": 1}
    assert heuristic_action(["A0 A0", FAR], [{**good, **bad}], "depart") == "wait"


FULL_HAND = {"fair_weather": 2, "favorable_winds": 2, "loyal_crew": 1}


@pytest.mark.parametrize("phase", ["discard", "trim"])
@pytest.mark.parametrize("kind", ["mutiny", "scurvy", "stormy_seas", "severe_damage", "dead_calm"])
def test_it_discards_harmful_or_useless_cards(kind: str, phase: str) -> None:
    assert heuristic_action(["A0 A0", FAR], [{**FULL_HAND, kind: 1}], phase) == f"discard {kind}"


def test_it_keeps_one_loyal_crew_and_not_two() -> None:
    assert heuristic_action(["A0 A0", FAR], [{**FULL_HAND, "loyal_crew": 2}], "discard") == "discard loyal_crew"
    assert heuristic_action(["A0 A0", FAR], [{**FULL_HAND, "dead_calm": 1}], "discard") == "discard dead_calm"


def test_it_stays_in_port_while_another_may_come_and_board_it_at_sea() -> None:
    ships, cards = ["A0 A0", "A0 A0"], [{"fair_weather": 3, "favorable_winds": 1, "loyal_crew": 1}]
    armed: Hands = [*cards, {"fair_weather": 2, "favorable_winds": 1, "loyal_crew": 2}]
    assert heuristic_action(ships, armed, "depart") == "wait"
    assert heuristic_action(ships, armed, "depart", boarding=False) != "wait"
    assert heuristic_action(ships, armed, "depart", turn=LAST) != "wait"
    assert heuristic_action(ships, [*cards, {"scurvy": 2, "mutiny": 2, "dead_calm": 1}], "depart") != "wait"
    assert heuristic_action(ships, [*cards, {"scurvy": 1}], "depart") == "wait"  # the other is to draw up to five cards


def test_of_two_waiting_ships_the_one_with_the_better_hand_leaves() -> None:
    ships, hand = ["A0 A0", "A0 A0"], {"fair_weather": 2, "favorable_winds": 3}
    assert heuristic_action(ships, [hand, hand], "depart") != "wait"
    assert heuristic_action(ships, [hand, {"fair_weather": 1, "favorable_winds": 4}], "depart") == "wait"
    assert heuristic_action(ships, [{"fair_weather": 4, "favorable_winds": 1}, {"fair_weather": 1}], "depart") == "wait"


# Boarding


def test_the_third_scurvy_goes_to_a_ship_at_the_rim() -> None:
    state = at(["B3 A0", "C3 A4"], [{"fair_weather": 1, "scurvy": 1}, {"scurvy": 2, "loyal_crew": 1}])
    assert heuristic_actions(state) == ["fair C3", "board 1", "take loyal_crew", "give scurvy"]
    assert state.to_dict()["ships"][1]["space"] is None


def test_it_keeps_a_card_that_would_drift_another_ship_home() -> None:
    hands = [{"scurvy": 1, "loyal_crew": 1}, {"scurvy": 2, "loyal_crew": 1, "fair_weather": 1}]
    state = at(["A2 A0", "A2 B2 8"], hands, "give", then="end", target=1, take="loyal_crew")
    assert choice(state) == "give loyal_crew"


def test_it_does_not_make_a_trade_that_only_helps_the_other() -> None:
    hands = [{"fair_weather": 2, "loyal_crew": 1}, {"scurvy": 1}]
    assert heuristic_action(["B3 A0", "B3 A4"], hands, "board", then="end") == "no boarding"


def test_it_takes_what_sails_and_gives_what_harms() -> None:
    hands = [{"mutiny": 1, "fair_weather": 1}, {"fair_weather": 1, "dead_calm": 2}]
    state = at(["A7 A4 3", "A7 A0 7"], hands, "board", then="end")
    assert heuristic_actions(state) == ["board 1", "take fair_weather", "give mutiny"]


TRADES = [
    ("dead_calm", "favorable_winds", "accept"),
    ("scurvy", "loyal_crew", "accept"),
    ("mutiny", "fair_weather", "accept"),
    ("favorable_winds", "dead_calm", "refuse"),
    ("fair_weather", "scurvy", "refuse"),
    ("loyal_crew", "scurvy", "refuse"),
]


@pytest.mark.parametrize(("take", "give", "answer"), TRADES)
def test_it_accepts_good_trades_and_refuses_bad_ones(take: str, give: str, answer: str) -> None:
    hands = [{give: 1}, {take: 1, "loyal_crew": 3}]
    assert heuristic_action(["B3 A0", "B3 A4"], hands, "answer", then="end", target=1, take=take, give=give) == answer


def test_it_refuses_its_own_third_scurvy_at_the_rim() -> None:
    hands = [{"scurvy": 1}, {"loyal_crew": 3, "scurvy": 2, "fair_weather": 1}]
    named = {"target": 1, "take": "fair_weather", "give": "scurvy"}
    assert heuristic_action(["C3 A0", "C3 A4"], hands, "answer", then="end", **named) == "refuse"


# Bad cards


@pytest.mark.parametrize("kind", ["scurvy", "stormy_seas", "severe_damage"])
def test_at_the_rim_it_names_the_mutiny(kind: str) -> None:
    assert heuristic_action(["C7 A0 7", FAR], [{"mutiny": 3, kind: 3}], "sets", then="play") == "set mutiny"


def test_a_drift_into_port_is_better_than_a_mutiny() -> None:
    assert heuristic_action(["A2 A0 2", FAR], [{"mutiny": 3, "scurvy": 3}], "sets", then="play") == "set scurvy"


def test_at_the_rim_it_discards_the_second_stormy_seas() -> None:
    state = at(["C3 A0 3", FAR], [{"dead_calm": 3, "stormy_seas": 2}])
    assert heuristic_actions(state) == ["calm"]
    assert state.to_dict()["hands"][0] == {"stormy_seas": 1}


# Values


FEATURES = ("value", "way_home", "skip", "fair_weather", "favorable_winds", "loyal_crew", "bad_cards", "exposed")


def features(state: Any, player: int) -> dict[str, float]:
    """Return the features of a player's position."""
    return dict(zip(FEATURES, state.position_features(player)[0].tolist(), strict=True))


STEP = 2.5  # what an average step costs


def test_the_features_of_a_ship_one_step_from_home() -> None:
    mine = features(at(["A7 A0 7", FAR], [{"fair_weather": 1, "scurvy": 2}]), 0)
    assert mine == pytest.approx(
        {
            "value": -1
            - (1 - STEP)
            - 0.25 * 4
            + 2,  # a turn, the route relative to average steps, scurvy, a card to win
            "way_home": 1,
            "skip": 0,
            "fair_weather": 1,
            "favorable_winds": 0,
            "loyal_crew": 0,
            "bad_cards": 2,
            "exposed": 1 / 9,  # drawing favorable winds would bring the other ship
        }
    )


def test_the_way_home_is_the_cost_of_its_steps() -> None:
    way = features(at(["A7 A0 7", FAR]), 1)["way_home"]
    assert way == pytest.approx(1.3 + 3 * 3.7 + 1)  # back through the port A4, by A3, A2 and A1, home


def test_the_features_of_a_fallen_ship_and_of_a_ship_in_port() -> None:
    hands: Hands = [{}, {"severe_damage": 1, "favorable_winds": 3, "loyal_crew": 1}]
    state = at(["- A0", "A0 A0"], hands, "depart", turn_player=1)
    assert features(state, 0) == {**dict.fromkeys(FEATURES, 0), "value": -60}
    in_port = features(state, 1)
    assert [in_port[name] for name in FEATURES[2:]] == [0, 0, 3, 1, 1, 0]


def test_a_ship_that_may_be_boarded_is_exposed_except_in_the_last_turns() -> None:
    ships = ["C3 A0 3", "B3 A4 -1 2"]
    hands: Hands = [{"dead_calm": 1, "stormy_seas": 2}, {"mutiny": 2, "fair_weather": 1, "loyal_crew": 2}]
    early, late = at(ships, hands), at(ships, hands, turn=LAST)
    assert [features(state, 0)["exposed"] for state in (early, late)] == [1, 0]
    assert [features(early, 1)[name] for name in ("skip", "exposed")] == pytest.approx([2, 1 / 3])  # by a draw


def lost_by_exposure(ships: Sequence[str], hands: Hands, version: str = "v1") -> float:
    """Return what the value of player 0's ship loses by exposure."""
    value = []
    for turn in (0, LAST):
        state = at(ships, hands, turn=turn)
        state = state.game.with_heuristic(version).state_from_dict(state.to_dict())
        value.append(features(state, 0)["value"])
    return value[1] - value[0]


AHEAD, BEHIND = ["A2 A0 2", "A3 A0 3"], ["B3 A0 3", "B1 A0 1"]  # both on the way home clockwise
SAILING = {"favorable_winds": 1}


def test_a_ship_that_follows_counts_more_than_one_that_turns_back() -> None:
    assert lost_by_exposure(BEHIND, [{}, SAILING]) == pytest.approx(6)
    assert 0 <= lost_by_exposure(AHEAD, [{}, SAILING]) < 1
    for ships in (AHEAD, BEHIND):
        assert lost_by_exposure(ships, [{}, SAILING], "v0") == pytest.approx(3)


def test_exposure_is_proportional_to_the_probability_of_the_card() -> None:
    assert lost_by_exposure(BEHIND, [{}, {"scurvy": 1}]) == pytest.approx(6 * 8 / 71, rel=0.05)
    assert lost_by_exposure(BEHIND, [{}, {"scurvy": 1}], "v0") == 0


def test_a_ship_that_may_refuse_is_not_exposed() -> None:
    assert lost_by_exposure(BEHIND, [{"loyal_crew": 3}, SAILING]) == 0
    assert lost_by_exposure(BEHIND, [{"loyal_crew": 2}, SAILING]) == pytest.approx(6)


def test_the_value_of_the_end_is_1000() -> None:
    state = at(["A7 A0 7", FAR], [{"fair_weather": 1}])
    heuristic_actions(state)
    assert [features(state, player)["value"] for player in range(2)] == [1000, -1000]


# Turns


def test_the_turn_count_changes_only_with_the_next_player() -> None:
    state = at(["A5 A0 5", FAR], [{"favorable_winds": 1}])
    number = turn_number(state)
    state.apply_action(state.string_to_action("winds A6"))
    assert turn_number(state) == number
    state.apply_action(state.string_to_action("sail A7"))
    assert turn_number(state) == number + 1


# All positions


def follow(params: dict[str, Any], seed: int, blunders: float = 0.3) -> Any:
    """Play a game among heuristics with some random actions, check that all actions are legal, and return its end."""
    rng = random.Random(seed)
    state = edge_envs.load_game("over_the_edge", **params).new_initial_state(seed=seed)
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(state.sample_chance())
            continue
        action = state.heuristic_action()
        assert action in state.legal_actions()
        state.apply_action(rng.choice(state.legal_actions()) if rng.random() < blunders else action)
    return state


@pytest.mark.parametrize("seed", range(20))
def test_its_actions_are_legal_on_random_maps(seed: int) -> None:
    follow({"map": drawn_map(seed), "num_players": 2 + seed % 5, "max_turns": 60}, seed)


@pytest.mark.parametrize("seed", range(3))
def test_its_actions_are_legal_on_the_pond_with_six(seed: int) -> None:
    follow({"map": "pond", "num_players": 6, "max_turns": 120}, seed)


@pytest.mark.parametrize(("turns", "players"), [(4, 2), (4, 6), (7, 3)])
def test_its_actions_are_legal_on_a_spiral(turns: int, players: int) -> None:
    follow({"map": spiral(turns), "num_players": players, "max_turns": 150}, turns)


@pytest.mark.parametrize("space", ["A4", "B2", "D3"])
def test_on_a_spiral_it_sails_outward_before_the_round_is_closed(space: str) -> None:
    source = spiral(4)
    way = [f"{'ABCDE'[ring]}{(sector - ring) % 8}" for ring in range(4) for sector in range(8)]
    winding = way.index(space) - way.index(space) // 8  # the step outward adds nothing
    state = at([f"{space} A0 {winding}", f"{space} A0 {winding}"], [{"fair_weather": 1}], map=source, boarding=False)
    assert choice(state) == f"fair {way[way.index(space) + 1]}"


@pytest.mark.parametrize("source", ["pond", "flat_earth"])
def test_games_among_heuristics_have_a_winner(source: str) -> None:
    games = [follow({"map": source}, seed, blunders=0).to_dict() for seed in range(5)]
    assert sum(d["winner"] is not None for d in games) >= 4
