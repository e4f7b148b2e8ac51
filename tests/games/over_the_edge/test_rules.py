"""The rules of Over the Edge, one by one: a position, a move, a claim. The cards are forced.

The map is `bay.json` unless another is given: three rings of eight sectors, A inside, B, and C at the rim. A0 (Lisbon),
A4 (New Goa) and B2 (Malta) are ports. There is land outside A6, B4 is two sectors wide (4 and 5), and a brown line
separates A1 from B1. So A2 drifts into Malta, A6 runs aground, all of C drifts over the edge, and the others drift by
ring.

A ship is written as space, home and winding (by default the shorter way from home): `A7 A0 7` is one step before coming
home clockwise. By default it is player 0's turn, and the deck contains all cards except the hands.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import edge_envs
from tests.reference.over_the_edge import position

BAY_FILE = Path(__file__).parent / "bay.json"
BAY = json.loads(BAY_FILE.read_text(encoding="utf-8"))
BAD = ["scurvy", "stormy_seas", "severe_damage"]  # three of them drift
KINDS = ["fair_weather", "favorable_winds", "mutiny", *BAD, "dead_calm", "loyal_crew"]
FULL = {kind: 16 if kind == "fair_weather" else 8 for kind in KINDS}

FAR = "A5 A0"  # a ship at sea, far from the others
Hands = Sequence[dict[str, int]]


def new_game(**params: Any) -> Any:
    """Return a new game in the bay."""
    return edge_envs.load_game("over_the_edge", **{"map": BAY, **params}).new_initial_state(seed=0)


def at(ships: Sequence[str], hands: Hands = (), phase: str = "play", **entries: Any) -> Any:
    """Return the state for a position in the bay."""
    d = position(ships, hands, phase, **{"map": BAY, **entries})
    return edge_envs.load_game("over_the_edge", **d["params"]).state_from_dict(d)


def play(state: Any, *texts: str) -> Any:
    """Apply these actions and outcomes and return the state."""
    for text in texts:
        state.apply_action(state.string_to_action(text))
    return state


def texts(state: Any) -> list[str]:
    """Return the strings of the legal actions, in the order of the ids."""
    return [state.action_to_string(action) for action in state.legal_actions()]


def now(state: Any, *keys: str) -> tuple[Any, ...]:
    """Return some entries of the position."""
    d = state.to_dict()
    return tuple(d[key] for key in keys)


def ship(state: Any, player: int = 0) -> tuple[Any, ...]:
    """Return the space and winding of a ship."""
    d = state.to_dict()["ships"][player]
    return d["space"], d["winding"]


def skip(state: Any, player: int = 0) -> int:
    """Return the number of turns that a ship will miss."""
    return int(state.to_dict()["ships"][player]["skip"])


def hand(state: Any, player: int = 0) -> dict[str, int]:
    """Return a player's cards."""
    return dict(state.to_dict()["hands"][player])


def discards(state: Any) -> dict[str, int]:
    """Return the discarded cards."""
    return dict(state.to_dict()["discards"])


def turn_of(state: Any) -> tuple[Any, ...]:
    """Return the phase and the turn player."""
    return now(state, "phase", "turn_player")


def outcomes(state: Any) -> dict[str, float]:
    """Return the probabilities of the chance outcomes by their strings."""
    return {state.action_to_string(outcome): probability for outcome, probability in state.chance_outcomes()}


# The facts and the parameters


def test_the_defaults() -> None:
    params = {"num_players": 2, "map": "flat_earth", "boarding": True, "max_turns": 500}
    assert edge_envs.load_game("over_the_edge").params_dict() == params


@pytest.mark.parametrize("count", [2, 3, 4, 5, 6])
def test_two_to_six_players(count: int) -> None:
    state = new_game(num_players=count)
    assert [len(entry) for entry in now(state, "ships", "hands")] == [count, count]


@pytest.mark.parametrize(
    ("name", "value"), [("num_players", 1), ("num_players", 7), ("max_turns", 0), ("boarding", 1), ("map", "nowhere")]
)
def test_invalid_parameters_are_rejected(name: str, value: Any) -> None:
    with pytest.raises(ValueError, match=name):
        edge_envs.load_game("over_the_edge", **{name: value})


def test_information_is_perfect() -> None:
    assert edge_envs.load_game("over_the_edge").perfect_information


def test_the_worst_and_the_best_rewards_are_declared() -> None:
    game = edge_envs.load_game("over_the_edge", num_players=2)
    assert (game.min_utility, game.max_utility) == (-1, 1)


@pytest.mark.parametrize("params", [{}, {"num_players": 6}, {"boarding": False}])
def test_the_ids_depend_on_the_map_alone(params: dict[str, Any]) -> None:
    game = edge_envs.load_game("over_the_edge", map=BAY, **params)
    assert (game.num_distinct_actions, game.max_chance_outcomes) == (43 + 3 + 3 * 22, 8)


def test_the_map_keeps_the_name_by_which_it_was_given() -> None:
    assert now(new_game(map="pond"), "params")[0]["map"] == "pond"


def test_a_map_given_as_a_dict_is_written_whole() -> None:
    assert now(new_game(map=BAY), "params")[0]["map"] == BAY


def test_a_map_given_by_a_path_is_written_whole() -> None:
    assert now(new_game(map=str(BAY_FILE)), "params")[0]["map"] == BAY


def test_an_invalid_map_is_rejected_with_the_cause() -> None:
    with pytest.raises(ValueError, match="'B9'"):
        edge_envs.load_game("over_the_edge", map={**BAY, "barriers": [["A0", "B9"]]})


# Ids: ports, kinds and spaces by their numbers


def ids(state: Any) -> dict[str, int]:
    """Return the ids of the legal actions."""
    return {state.action_to_string(action): action for action in state.legal_actions()}


SPACES = [space["id"] for space in BAY["spaces"]]  # 22
FAIR = 3 + 8
WINDS = FAIR + 22
SAIL = WINDS + 22
CALM = SAIL + 22


def test_ids_of_homes_are_first_in_the_order_of_the_file() -> None:
    assert ids(new_game()) == {"home Lisbon": 0, "home New Goa": 1, "home Malta": 2}


def test_ids_of_discards() -> None:
    state = at(["A0 A0", FAR], [dict.fromkeys(KINDS, 1)], "discard")
    assert ids(state) == {f"discard {kind}": 3 + i for i, kind in enumerate(KINDS)}


def test_ids_of_steps() -> None:
    state = at(["A3 A0", FAR], [{"fair_weather": 1, "favorable_winds": 1}])
    near = {space: SPACES.index(space) for space in ["A2", "A4", "B3"]}
    fair = {f"fair {space}": FAIR + i for space, i in near.items()}
    winds = {f"winds {space}": WINDS + i for space, i in near.items()}
    assert ids(state) == {**fair, **winds, "wait": CALM + 1}


def test_ids_of_second_steps() -> None:
    state = at(["A3 A0", FAR], (), "second_step")
    assert ids(state) == {f"sail {space}": SAIL + SPACES.index(space) for space in ["A2", "A4", "B3"]}


def test_ids_of_calm_and_waiting() -> None:
    assert ids(at(["A3 A0", FAR], [{"dead_calm": 3, "stormy_seas": 1}])) == {"calm": CALM, "wait": CALM + 1}


def test_ids_of_sets() -> None:
    state = at(["A3 A0", FAR], [dict.fromkeys([*BAD, "mutiny"], 3)], "sets", then="play")
    first = CALM + 2
    assert ids(state) == {
        "set mutiny": first + 2,
        "set scurvy": first + 3,
        "set stormy_seas": first + 4,
        "set severe_damage": first + 5,
    }


def test_ids_of_boarding_are_by_player() -> None:
    cards: Hands = [{"mutiny": 1}] * 6
    state = at(["A3 A0"] * 6, cards, "board", turn_player=2, then="end")
    first = CALM + 10
    assert ids(state) == {**{f"board {p}": first + p for p in [0, 1, 3, 4, 5]}, "no boarding": first + 6}


def test_ids_of_cards_to_take_and_give() -> None:
    everything: Hands = [dict.fromkeys(KINDS, 1)] * 2
    takes = at(["A3 A0", "A3 A0"], everything, "take", then="end", target=1)
    gives = at(["A3 A0", "A3 A0"], everything, "give", then="end", target=1, take="mutiny")
    first = CALM + 17
    assert ids(takes) == {f"take {kind}": first + i for i, kind in enumerate(KINDS)}
    assert ids(gives) == {f"give {kind}": first + 8 + i for i, kind in enumerate(KINDS)}


def test_ids_of_answers_are_last() -> None:
    state = at(
        ["A3 A0", "A3 A0"],
        [{"mutiny": 1}, {"loyal_crew": 3}],
        "answer",
        then="end",
        target=1,
        take="loyal_crew",
        give="mutiny",
    )
    assert ids(state) == {"accept": CALM + 33, "refuse": CALM + 34}
    assert state.game.num_distinct_actions == CALM + 35


def test_outcomes_of_chance_are_kinds() -> None:
    assert ids(at(["A3 A0", FAR], (), "draw")) == {f"draw {kind}": i for i, kind in enumerate(KINDS)}


# Cards


def test_there_are_72_cards() -> None:
    assert (sum(FULL.values()), *now(new_game(), "deck", "discards")) == (72, FULL, {})


def test_all_cards_are_equally_likely() -> None:
    state = at(["A3 A0", FAR], (), "draw", deck={"mutiny": 3, "loyal_crew": 1})
    assert outcomes(state) == {"draw mutiny": pytest.approx(3 / 4), "draw loyal_crew": pytest.approx(1 / 4)}


def test_a_full_deck_draws_fair_weather_with_probability_2_in_9() -> None:
    found = outcomes(at(["A3 A0", FAR], (), "draw"))
    assert found == {f"draw {kind}": pytest.approx((2 if kind == "fair_weather" else 1) / 9) for kind in KINDS}


def test_a_drawn_card_leaves_the_deck_for_the_hand() -> None:
    state = play(at(["A3 A0", FAR], [{"mutiny": 1}], "draw", deck={"mutiny": 3, "scurvy": 1}), "draw mutiny")
    assert (hand(state), *now(state, "deck", "discards")) == ({"mutiny": 2}, {"mutiny": 2, "scurvy": 1}, {})


def test_a_node_with_one_kind_left_is_still_a_chance_node() -> None:
    state = at(["A3 A0", FAR], (), "draw", deck={"mutiny": 2})
    assert (state.current_player(), outcomes(state)) == (edge_envs.CHANCE, {"draw mutiny": 1.0})


def test_the_discards_become_the_deck_when_a_card_is_to_be_drawn_from_an_empty_one() -> None:
    state = at(["A3 A0", FAR], [{"fair_weather": 1}], deck={}, discards={"mutiny": 2})
    play(state, "fair A2")
    assert now(state, "phase", "turn_player", "deck", "discards") == (
        "draw",
        1,
        {"fair_weather": 1, "mutiny": 2},
        {},
    )


def test_the_discards_do_not_become_the_deck_before_a_card_is_to_be_drawn() -> None:
    state = play(at(["A3 A0", FAR], (), "draw", deck={"scurvy": 1}, discards={"mutiny": 2}), "draw scurvy")
    assert now(state, "phase", "deck", "discards") == ("play", {}, {"mutiny": 2})


def test_the_discards_become_the_deck_in_the_middle_of_a_refill() -> None:
    state = at(["A0 A0", FAR], [{"mutiny": 2}], "refill", deck={"scurvy": 1}, discards={"loyal_crew": 4})
    play(state, "draw scurvy")
    assert now(state, "phase", "deck", "discards") == ("refill", {"loyal_crew": 4}, {})


NO_CARDS: dict[str, Any] = {"deck": {}, "discards": {}}


def test_with_both_heaps_empty_a_turn_at_sea_continues_without_a_card() -> None:
    state = play(at(["A3 A0", FAR], [{"scurvy": 1}], **NO_CARDS), "wait")
    assert (*turn_of(state), hand(state, 1)) == ("play", 1, {})


def test_with_both_heaps_empty_a_turn_in_port_continues_with_the_discard() -> None:
    state = play(at(["A3 A0", "A0 A0"], [{}, {"scurvy": 2}], **NO_CARDS), "wait")
    assert (*turn_of(state), hand(state, 1)) == ("discard", 1, {"scurvy": 2})


def test_with_both_heaps_and_the_hand_empty_there_is_no_discard_either() -> None:
    state = play(at(["A3 A0", "A0 A0"], **NO_CARDS), "wait")
    assert (*turn_of(state), texts(state)) == ("depart", 1, ["wait"])


def test_a_refill_ends_when_both_heaps_are_empty() -> None:
    state = play(at(["A0 A0", FAR], [{"mutiny": 1}], "refill", deck={"scurvy": 1}), "draw scurvy")
    assert (*turn_of(state), hand(state)) == ("discard", 0, {"mutiny": 1, "scurvy": 1})


def test_sets_are_checked_even_if_there_was_no_card_to_draw() -> None:
    state = play(at(["A3 A0", "A1 A0"], [{}, {"scurvy": 3}], **NO_CARDS), "wait")
    assert (ship(state, 1), *turn_of(state)) == (("B1", 1), "draw", 0)


def test_a_turn_that_ends_before_a_decision_clears_then() -> None:
    state = play(at(["A1 A0", "A5 A0"], [{}, {"scurvy": 3}], map="pond", **NO_CARDS), "wait")
    again = state.game.state_from_dict(state.to_dict())
    assert turn_of(state) == ("draw", 0)
    for viewer in range(2):
        seen = state.observation_tensor(viewer)
        assert not seen[state.game.observation_slices()["then"]].any()
        assert seen.tolist() == again.observation_tensor(viewer).tolist()


# 1. Setup


def test_the_setup() -> None:
    nowhere = {"space": None, "home": None, "winding": 0, "skip": 0}
    assert new_game(map="pond").to_dict() == {
        "game": "over_the_edge",
        "params": {"num_players": 2, "map": "pond", "boarding": True, "max_turns": 500},
        "phase": "home",
        "turn_player": 0,
        "turn": 0,
        "ships": [nowhere, nowhere],
        "hands": [{}, {}],
        "deck": FULL,
        "discards": {},
    }


def test_players_choose_their_homes_in_turn_order() -> None:
    state = new_game(num_players=3)
    seen = [state.current_player()]
    for text in ["home Malta", "home Lisbon"]:
        seen.append(play(state, text).current_player())
    assert seen == [0, 1, 2]


def test_a_ship_is_in_its_home_port_from_the_choice_on() -> None:
    state = play(new_game(), "home Malta")
    assert now(state, "ships")[0] == [
        {"space": "B2", "home": "B2", "winding": 0, "skip": 0},
        {"space": None, "home": None, "winding": 0, "skip": 0},
    ]


def test_several_may_share_a_home() -> None:
    state = play(new_game(), "home Malta")
    assert texts(state) == ["home Lisbon", "home New Goa", "home Malta"]
    assert ship(play(state, "home Malta"), 1) == ("B2", 0)


def test_after_the_last_choice_player_0_is_dealt_cards() -> None:
    state = play(new_game(), "home Malta", "home Lisbon")
    assert (*turn_of(state), state.current_player()) == ("deal", 0, edge_envs.CHANCE)


def test_each_is_dealt_five_cards_one_after_the_other() -> None:
    state = play(new_game(), "home Malta", "home Lisbon")
    dealt = []
    for _ in range(10):
        dealt.append(now(state, "turn_player")[0])
        play(state, "draw fair_weather")
    assert (dealt, hand(state, 0), hand(state, 1)) == ([0] * 5 + [1] * 5, {"fair_weather": 5}, {"fair_weather": 5})


def test_player_0_begins_with_the_draw_of_a_turn_in_port() -> None:
    state = play(new_game(), "home Malta", "home Lisbon", *["draw fair_weather"] * 10)
    assert (*turn_of(state), *now(state, "turn")) == ("draw", 0, 0)


def test_the_last_card_of_the_deal_comes_from_the_remaining_cards() -> None:
    state = play(new_game(), "home Malta", "home Lisbon", *["draw mutiny"] * 8)
    assert outcomes(state)["draw fair_weather"] == pytest.approx(16 / 64)
    assert "draw mutiny" not in outcomes(state)


# 2. A turn in a port

IN_PORT = ["A0 A0", FAR]


def begin_in_port(cards: dict[str, int], **entries: Any) -> Any:
    """Return the beginning of the turn of player 1, in Lisbon with these cards."""
    return play(at(["A3 A0", "A0 A0"], [{}, cards], **entries), "wait")


def test_with_more_than_five_cards_the_turn_begins_with_a_discard() -> None:
    state = begin_in_port({"fair_weather": 6, "mutiny": 1})
    assert (*turn_of(state), texts(state)) == ("trim", 1, ["discard fair_weather", "discard mutiny"])


def test_cards_are_discarded_one_at_a_time_down_to_five() -> None:
    state = play(begin_in_port({"fair_weather": 6, "mutiny": 1}), "discard mutiny")
    assert (*turn_of(state), discards(state)) == ("trim", 1, {"mutiny": 1})
    play(state, "discard fair_weather")
    assert (*turn_of(state), hand(state, 1)) == ("draw", 1, {"fair_weather": 5})


def test_with_fewer_than_five_cards_the_hand_is_filled_up() -> None:
    state = begin_in_port({"fair_weather": 3})
    assert (*turn_of(state), state.current_player()) == ("refill", 1, edge_envs.CHANCE)
    play(state, "draw mutiny")
    assert turn_of(state) == ("refill", 1)
    play(state, "draw mutiny")
    assert (*turn_of(state), hand(state, 1)) == ("draw", 1, {"fair_weather": 3, "mutiny": 2})


def test_with_five_cards_the_turn_begins_with_the_draw() -> None:
    assert turn_of(begin_in_port({"fair_weather": 5})) == ("draw", 1)


def test_after_the_draw_one_card_is_discarded_any_of_them() -> None:
    state = play(at(IN_PORT, [{"fair_weather": 4, "mutiny": 1}], "draw"), "draw scurvy")
    assert (*turn_of(state), texts(state)) == (
        "discard",
        0,
        ["discard fair_weather", "discard mutiny", "discard scurvy"],
    )


def test_the_discard_leads_to_the_departure() -> None:
    state = play(at(IN_PORT, [{"fair_weather": 4, "mutiny": 2}], "discard"), "discard mutiny")
    assert (*turn_of(state), hand(state), discards(state)) == (
        "depart",
        0,
        {"fair_weather": 4, "mutiny": 1},
        {"mutiny": 1},
    )


def test_a_ship_leaves_with_fair_weather_or_favorable_winds_or_stays() -> None:
    state = at(IN_PORT, [{"fair_weather": 2, "favorable_winds": 1, "dead_calm": 3, "stormy_seas": 2}], "depart")
    near = ["A1", "A7", "B0"]
    assert texts(state) == [*(f"fair {space}" for space in near), *(f"winds {space}" for space in near), "wait"]


def test_a_ship_without_a_sailing_card_stays() -> None:
    assert texts(at(IN_PORT, [{"mutiny": 5}], "depart")) == ["wait"]


def test_staying_ends_the_turn() -> None:
    state = play(at(IN_PORT, [{"fair_weather": 5}], "depart"), "wait")
    assert (*turn_of(state), *now(state, "turn"), ship(state)) == ("draw", 1, 11, ("A0", 0))


@pytest.mark.parametrize("kind", [*BAD, "mutiny"])
def test_in_port_sets_of_three_do_not_act(kind: str) -> None:
    state = play(at(["B2 B2", FAR], [{kind: 2, "fair_weather": 3}], "draw"), f"draw {kind}")
    assert (*turn_of(state), hand(state)[kind], ship(state)) == ("discard", 0, 3, ("B2", 0))


def test_a_port_that_is_not_home_is_a_port_too() -> None:
    state = play(at(["A3 A0", "A4 A0"], [{}, {"scurvy": 5}]), "wait")
    assert turn_of(state) == ("draw", 1)
    assert turn_of(play(state, "draw scurvy")) == ("discard", 1)


# 3. A turn at sea


def test_a_turn_at_sea_begins_with_the_draw_whatever_the_hand() -> None:
    for cards in ({}, {"fair_weather": 3}, {"fair_weather": 9}):
        assert turn_of(play(at(["A3 A0", FAR], [{}, cards]), "wait")) == ("draw", 1)


def test_after_the_draw_the_player_plays_or_waits() -> None:
    state = play(at(["A3 A0", FAR], [{"fair_weather": 9}], "draw"), "draw mutiny")
    assert (*turn_of(state), hand(state)) == ("play", 0, {"fair_weather": 9, "mutiny": 1})


def test_waiting_is_always_allowed() -> None:
    assert "wait" in texts(at(["A3 A0", FAR], [{"fair_weather": 2, "dead_calm": 3, "stormy_seas": 1}]))


def test_waiting_ends_the_turn_and_costs_nothing() -> None:
    state = play(at(["A3 A0", FAR], [{"fair_weather": 2}]), "wait")
    assert (*turn_of(state), *now(state, "turn"), ship(state), hand(state)) == (
        "draw",
        1,
        11,
        ("A3", 3),
        {"fair_weather": 2},
    )


def test_without_a_card_to_play_a_ship_waits() -> None:
    assert texts(at(["A3 A0", FAR], [{"mutiny": 2, "loyal_crew": 4, "dead_calm": 3}])) == ["wait"]


def test_fair_weather_is_one_step() -> None:
    state = play(at(["A3 A0", FAR], [{"fair_weather": 2}]), "fair B3")
    assert (*turn_of(state), ship(state), hand(state), discards(state)) == (
        "draw",
        1,
        ("B3", 3),
        {"fair_weather": 1},
        {"fair_weather": 1},
    )


def test_favorable_winds_are_two_steps() -> None:
    state = play(at(["A3 A0", FAR], [{"favorable_winds": 2}]), "winds B3")
    assert (*turn_of(state), ship(state)) == ("second_step", 0, ("B3", 3))
    play(state, "sail C3")
    assert (*turn_of(state), ship(state), hand(state)) == ("draw", 1, ("C3", 3), {"favorable_winds": 1})


def test_the_second_step_may_go_anywhere_back_included() -> None:
    state = play(at(["A3 A0", FAR], [{"favorable_winds": 1}]), "winds B3")
    assert texts(state) == ["sail A3", "sail B2", "sail B4", "sail C3"]


def test_the_second_step_must_be_made() -> None:
    state = at(["A3 A0", FAR], [{"fair_weather": 1}], "second_step")
    assert {text.split()[0] for text in texts(state)} == {"sail"}


def test_three_calms_discard_a_storm() -> None:
    state = play(at(["A3 A0", FAR], [{"dead_calm": 4, "stormy_seas": 2, "mutiny": 1}]), "calm")
    assert (*turn_of(state), hand(state), discards(state)) == (
        "draw",
        1,
        {"mutiny": 1, "stormy_seas": 1, "dead_calm": 1},
        {"stormy_seas": 1, "dead_calm": 3},
    )


@pytest.mark.parametrize("cards", [{"dead_calm": 2, "stormy_seas": 2}, {"dead_calm": 5}])
def test_there_is_no_calm_without_three_calms_and_a_storm(cards: dict[str, int]) -> None:
    assert "calm" not in texts(at(["A3 A0", FAR], [cards]))


def test_there_is_no_calm_in_a_port() -> None:
    assert texts(at(IN_PORT, [{"dead_calm": 3, "stormy_seas": 1}], "depart")) == ["wait"]


def test_for_the_third_storm_calm_comes_too_late() -> None:
    state = play(at(["A3 A0", FAR], [{"dead_calm": 3, "stormy_seas": 2}], "draw"), "draw stormy_seas")
    assert (*turn_of(state), ship(state), hand(state)) == ("draw", 1, ("B3", 3), {"dead_calm": 3})


# 4. Steps


def near(space: str) -> list[str]:
    """Return the spaces to which a ship can sail, in the order of the file."""
    home = "A0" if space != "A0" else "A4"
    phase = "depart" if space in ("A0", "A4", "B2") else "play"
    state = at([f"{space} {home}", "A2 A0"], [{"fair_weather": 1}], phase)
    return [text.split()[1] for text in texts(state) if text.startswith("fair")]


def test_steps_go_along_the_ring_round_the_wrap_and_across() -> None:
    assert near("A7") == ["A0", "A6", "B7"]


def test_ships_cannot_cross_the_middle_or_the_rim() -> None:
    assert near("C0") == ["B0", "C1", "C7"]


def test_a_large_space_has_all_neighbours_of_its_cells() -> None:
    assert near("B4") == ["A4", "A5", "B3", "C4", "C5"]


def test_spaces_that_share_only_a_corner_are_not_adjacent() -> None:
    assert "B4" not in near("A3")


def test_ships_cannot_sail_onto_land() -> None:
    assert near("A6") == ["A5", "A7"]


def test_ships_cannot_cross_a_brown_line() -> None:
    assert (near("A1"), near("B1")) == (["A0", "A2"], ["B0", "B2", "C1"])


@pytest.mark.parametrize(
    ("start", "end", "winding"),
    [
        ("A3 A0 3", "A2", 2),
        ("A3 A0 -5", "A2", -6),
        ("A7 A4 3", "A0", 4),
        ("B0 A4 4", "B7", 3),
        ("B3 A0 3", "B4", "9/2"),
        ("B4 A0 9/2", "A4", 4),
        ("B4 A0 9/2", "C5", 5),
        ("B4 A0 -7/2", "B3", -5),
        ("B3 A0 -5", "B4", "-7/2"),
        ("B3 A0 3", "C3", 3),
    ],
)
def test_a_step_adds_the_shorter_difference_of_the_angles(start: str, end: str, winding: int | str) -> None:
    assert ship(play(at([start, FAR], [{"fair_weather": 1}]), f"fair {end}")) == (end, winding)


def test_a_played_card_goes_to_the_discards_before_the_step() -> None:
    state = play(at(["A7 A0 7", FAR], [{"fair_weather": 1}]), "fair A0")
    assert (discards(state), hand(state), state.is_terminal()) == ({"fair_weather": 1}, {}, True)


def test_sailing_out_of_a_port_is_an_ordinary_step() -> None:
    state = play(at(IN_PORT, [{"fair_weather": 5}], "depart"), "fair A7")
    assert (*turn_of(state), ship(state)) == ("draw", 1, ("A7", -1))


def test_two_steps_lead_out_of_a_port() -> None:
    state = play(at(IN_PORT, [{"favorable_winds": 5}], "depart"), "winds B0", "sail C0")
    assert (*turn_of(state), ship(state)) == ("draw", 1, ("C0", 0))


def test_sailing_into_a_port_is_an_ordinary_step() -> None:
    state = play(at(["A3 A0", FAR], [{"fair_weather": 1, "scurvy": 2}]), "fair A4")
    assert (*turn_of(state), ship(state), hand(state)) == ("draw", 1, ("A4", 4), {"scurvy": 2})


def test_a_voyage_passes_through_a_port_on_the_first_of_two_steps() -> None:
    state = play(at(["A3 A0", FAR], [{"favorable_winds": 1}]), "winds A4")
    assert (*turn_of(state), texts(state)) == ("second_step", 0, ["sail A3", "sail A5", "sail B4"])


def test_a_ship_may_come_home_without_a_voyage_and_must_sail_on_with_its_second_step() -> None:
    state = play(at(["A1 A0", FAR], [{"favorable_winds": 1}]), "winds A0")
    assert (*turn_of(state), ship(state)) == ("second_step", 0, ("A0", 0))


# 5. Sets of three: the bad cards


@pytest.mark.parametrize("kind", BAD)
def test_three_bad_cards_are_discarded_and_drift_the_ship_edgeward(kind: str) -> None:
    state = play(at(["A3 A0", FAR], [{kind: 2, "loyal_crew": 1}], "draw"), f"draw {kind}")
    assert (ship(state), hand(state), discards(state)) == (("B3", 3), {"loyal_crew": 1}, {kind: 3})


def test_a_drift_ends_the_turn() -> None:
    state = play(at(["A3 A0", FAR], [{"scurvy": 2, "fair_weather": 4}], "draw"), "draw scurvy")
    assert (*turn_of(state), *now(state, "turn")) == ("draw", 1, 11)


@pytest.mark.parametrize("kind", ["fair_weather", "favorable_winds", "dead_calm", "loyal_crew"])
def test_three_of_another_kind_do_nothing(kind: str) -> None:
    state = play(at(["A3 A0", FAR], [{kind: 2}], "draw"), f"draw {kind}")
    assert (*turn_of(state), ship(state), hand(state)) == ("play", 0, ("A3", 3), {kind: 3})


def test_two_of_each_bad_kind_do_nothing() -> None:
    cards = {"scurvy": 2, "stormy_seas": 2, "severe_damage": 1}
    state = play(at(["A3 A0", FAR], [cards], "draw"), "draw severe_damage")
    assert (*turn_of(state), ship(state)) == ("play", 0, ("A3", 3))


def test_a_drift_crosses_a_brown_line() -> None:
    assert ship(play(at(["A1 A0", FAR], [{"scurvy": 2}], "draw"), "draw scurvy")) == ("B1", 1)


@pytest.mark.parametrize(
    ("start", "end", "winding"), [("A5 A0 5", "B4", "9/2"), ("A5 A0 -3", "B4", "-7/2"), ("B4 A0 9/2", "C4", 4)]
)
def test_a_drift_adds_to_the_winding(start: str, end: str, winding: int | str) -> None:
    assert ship(play(at([start, FAR], [{"scurvy": 2}], "draw"), "draw scurvy")) == (end, winding)


def test_six_of_a_kind_are_two_sets() -> None:
    state = play(at(["A3 A0", FAR], [{"scurvy": 5}], "draw"), "draw scurvy")
    assert (*turn_of(state), ship(state), hand(state)) == ("draw", 1, ("C3", 3), {})


def test_five_of_a_kind_are_one_set() -> None:
    state = play(at(["A3 A0", FAR], [{"scurvy": 4}], "draw"), "draw scurvy")
    assert (ship(state), hand(state)) == (("B3", 3), {"scurvy": 2})


def test_a_ship_that_drifts_into_a_port_is_in_port() -> None:
    state = play(at(["A2 A0", FAR], [{"scurvy": 2, "loyal_crew": 1}], "draw"), "draw scurvy")
    assert (*turn_of(state), ship(state)) == ("draw", 1, ("B2", 2))
    assert turn_of(play(state, "draw loyal_crew", "wait")) == ("refill", 0)


def test_in_a_port_the_rest_stay_in_hand_and_do_nothing() -> None:
    state = play(at(["A2 A0", FAR], [{"scurvy": 5}], "draw"), "draw scurvy")
    assert (*turn_of(state), ship(state), hand(state)) == ("draw", 1, ("B2", 2), {"scurvy": 3})


def test_a_ship_that_drifts_home_from_a_voyage_wins() -> None:
    state = play(at(["A2 B2 8", FAR], [{"scurvy": 2}], "draw"), "draw scurvy")
    assert (state.is_terminal(), ship(state), *now(state, "winner")) == (True, ("B2", 8), 0)


def test_a_ship_that_drifts_home_without_a_voyage_does_not_win() -> None:
    state = play(at(["A2 B2 0", FAR], [{"scurvy": 2}], "draw"), "draw scurvy")
    assert (*turn_of(state), ship(state)) == ("draw", 1, ("B2", 0))


# 5. Mutiny


def test_a_mutiny_leads_home() -> None:
    state = play(at(["A3 A0", FAR], [{"mutiny": 2, "fair_weather": 2, "scurvy": 1}], "draw"), "draw mutiny")
    assert (*turn_of(state), ship(state), hand(state), discards(state)) == (
        "draw",
        1,
        ("A0", 0),
        {"fair_weather": 2, "scurvy": 1},
        {"mutiny": 3},
    )


@pytest.mark.parametrize("start", ["A3 A0 11", "A3 A0 -5", "B4 A0 9/2", "A3 A4 -1"])
def test_a_mutiny_resets_the_winding_and_does_not_win(start: str) -> None:
    state = play(at([start, FAR], [{"mutiny": 2}], "draw"), "draw mutiny")
    assert (state.is_terminal(), ship(state)) == (False, (start.split()[1], 0))


def test_a_mutiny_keeps_the_turns_to_miss() -> None:
    cards = {"mutiny": 3, "scurvy": 3}
    state = play(at(["A6 A0", FAR], [cards], "sets", then="play"), "set scurvy")
    assert (ship(state), skip(state)) == (("A0", 0), 1)


def test_with_a_loyal_crew_there_is_no_mutiny() -> None:
    state = play(at(["A3 A0", FAR], [{"mutiny": 5, "loyal_crew": 1}], "draw"), "draw mutiny")
    assert (*turn_of(state), ship(state), hand(state)) == ("play", 0, ("A3", 3), {"mutiny": 6, "loyal_crew": 1})


def test_a_loyal_crew_prevents_mutinies_as_long_as_it_is_held() -> None:
    cards = {"mutiny": 3, "loyal_crew": 1, "fair_weather": 2}
    state = play(at(["A3 A0", FAR], [cards]), "fair B3", "draw loyal_crew", "wait", "draw mutiny")
    assert (*turn_of(state), ship(state)) == ("play", 0, ("B3", 3))


def test_a_loyal_crew_that_is_drawn_last_comes_in_time() -> None:
    state = play(at(["A3 A0", FAR], [{"mutiny": 3}], "draw"), "draw loyal_crew")
    assert (*turn_of(state), ship(state)) == ("play", 0, ("A3", 3))


def test_a_loyal_crew_helps_against_mutiny_alone() -> None:
    state = play(at(["A3 A0", FAR], [{"mutiny": 3, "loyal_crew": 1, "scurvy": 2}], "draw"), "draw scurvy")
    assert (*turn_of(state), ship(state)) == ("draw", 1, ("B3", 3))


def test_after_a_mutiny_the_rest_stay_in_hand() -> None:
    state = play(at(["A3 A0", FAR], [{"mutiny": 5}], "draw"), "draw mutiny")
    assert (*turn_of(state), ship(state), hand(state)) == ("draw", 1, ("A0", 0), {"mutiny": 3})


# 5. Several kinds


def test_if_more_than_one_kind_can_act_the_owner_chooses_the_next() -> None:
    state = play(at(["A3 A0", FAR], [{"scurvy": 3, "mutiny": 2}], "draw"), "draw mutiny")
    assert (*turn_of(state), state.current_player(), *now(state, "then")) == ("sets", 0, 0, "play")
    assert texts(state) == ["set mutiny", "set scurvy"]


def test_a_mutiny_that_a_loyal_crew_prevents_cannot_be_chosen() -> None:
    cards = {"scurvy": 3, "mutiny": 3, "stormy_seas": 2, "loyal_crew": 1}
    state = play(at(["A3 A0", FAR], [cards], "draw"), "draw stormy_seas")
    assert texts(state) == ["set scurvy", "set stormy_seas"]


def test_if_only_one_kind_can_act_there_is_no_decision() -> None:
    state = play(at(["A3 A0", FAR], [{"scurvy": 3, "mutiny": 3}], "sets", then="play"), "set scurvy")
    assert (*turn_of(state), ship(state), hand(state)) == ("draw", 1, ("A0", 0), {})


def test_once_in_port_by_mutiny_no_further_set_acts() -> None:
    state = play(at(["A3 A0", FAR], [{"scurvy": 3, "mutiny": 3}], "sets", then="play"), "set mutiny")
    assert (*turn_of(state), ship(state), hand(state)) == ("draw", 1, ("A0", 0), {"scurvy": 3})


def test_the_owner_is_asked_again_as_long_as_more_than_one_kind_can_act() -> None:
    cards = {"scurvy": 3, "stormy_seas": 3, "severe_damage": 3}
    state = play(at(["A3 A0", FAR], [cards], "sets", then="play"), "set severe_damage")
    assert (*turn_of(state), ship(state), texts(state)) == ("sets", 0, ("B3", 3), ["set scurvy", "set stormy_seas"])


def test_then_becomes_end_only_after_a_set_of_the_turn_player_has_acted() -> None:
    state = at(["A3 A0", FAR], [dict.fromkeys(BAD, 3)], "sets", then="play")
    assert now(state, "then") == ("play",)
    assert now(play(state, "set scurvy"), "then") == ("end",)


def test_a_ship_over_the_edge_has_no_further_sets() -> None:
    state = play(at(["C3 A0", FAR], [{"scurvy": 3, "mutiny": 3}], "sets", then="play"), "set scurvy")
    assert (*turn_of(state), ship(state), hand(state)) == ("draw", 1, (None, 0), {})


# 5. When sets are checked


def test_a_set_acts_after_sailing_out_of_a_port() -> None:
    state = play(at(IN_PORT, [{"scurvy": 3, "fair_weather": 2}], "depart"), "fair A7")
    assert (*turn_of(state), ship(state), hand(state)) == ("draw", 1, ("B7", -1), {"fair_weather": 1})


def test_a_set_that_acts_after_the_first_step_cancels_the_second() -> None:
    state = play(at(IN_PORT, [{"scurvy": 3, "favorable_winds": 2}], "depart"), "winds A7")
    assert (*turn_of(state), ship(state)) == ("draw", 1, ("B7", -1))


def test_a_mutiny_acts_after_sailing_out_of_a_port() -> None:
    state = play(at(["A4 A0", FAR], [{"mutiny": 3, "fair_weather": 2}], "depart"), "fair A3")
    assert (*turn_of(state), ship(state)) == ("draw", 1, ("A0", 0))


def test_a_ship_that_sails_into_a_port_keeps_its_sets() -> None:
    state = play(at(["A3 A0", FAR], [{"scurvy": 3, "fair_weather": 1}]), "fair A4")
    assert (*turn_of(state), ship(state), hand(state)) == ("draw", 1, ("A4", 4), {"scurvy": 3})


def test_a_set_does_not_act_in_a_port_on_the_way_but_after_the_second_step() -> None:
    state = play(at(["A3 A0", FAR], [{"scurvy": 3, "favorable_winds": 1}]), "winds A4")
    assert turn_of(state) == ("second_step", 0)
    assert ship(play(state, "sail A5")) == ("B4", "9/2")


def test_an_acting_set_in_a_given_position_is_accepted_and_acts_at_the_next_check() -> None:
    state = at(["A3 A0", "A1 A0"], [{"fair_weather": 1}, {"scurvy": 3}])
    assert ship(state, 1) == ("A1", 1)
    assert ship(play(state, "fair B3"), 1) == ("B1", 1)


def test_sets_are_not_checked_when_a_ship_waits() -> None:
    state = play(at(["A3 A0", "A1 A0"], [{}, {"scurvy": 3}]), "wait")
    assert (*turn_of(state), ship(state, 1)) == ("draw", 1, ("A1", 1))


def test_sets_are_not_checked_at_the_draw_of_a_turn_in_port() -> None:
    state = play(at(["A0 A0", "A1 A0"], [{"mutiny": 5}, {"scurvy": 3}], "draw"), "draw mutiny")
    assert (*turn_of(state), ship(state, 1)) == ("discard", 0, ("A1", 1))


def test_all_ships_are_checked_after_the_draw_of_a_turn_at_sea() -> None:
    state = play(at(["A3 A0", "A1 A0"], [{}, {"scurvy": 3}], "draw"), "draw mutiny")
    assert (*turn_of(state), ship(state, 1)) == ("play", 0, ("B1", 1))


def test_all_ships_are_checked_after_a_step_into_a_port() -> None:
    state = play(at(["A3 A0", "A1 A0"], [{"favorable_winds": 1}, {"scurvy": 3}]), "winds A4")
    assert (*turn_of(state), ship(state, 1)) == ("second_step", 0, ("B1", 1))


def test_ships_in_port_are_not_checked() -> None:
    state = play(at(["A3 A0", "A0 A0"], [{}, {"scurvy": 3}], "draw"), "draw mutiny")
    assert (ship(state, 1), hand(state, 1)) == (("A0", 0), {"scurvy": 3})


def test_a_set_of_another_player_does_not_cost_that_player_a_turn() -> None:
    state = at(["A3 A0", "A1 A0"], [{"fair_weather": 1}, {"scurvy": 3}])
    play(state, "fair B3")
    assert (*turn_of(state), skip(state, 1)) == ("draw", 1, 0)


def test_a_set_of_another_player_does_not_end_the_turn() -> None:
    state = play(at(["A3 A0", "A1 A0"], [{"favorable_winds": 1}, {"scurvy": 3}]), "winds B3")
    assert (*turn_of(state), ship(state, 1)) == ("second_step", 0, ("B1", 1))


def test_another_player_chooses_among_own_sets() -> None:
    cards = {"scurvy": 3, "mutiny": 3}
    state = play(at(["A3 A0", "A1 A0"], [{"favorable_winds": 1}, cards]), "winds B3")
    assert (*turn_of(state), state.current_player(), *now(state, "then")) == ("sets", 0, 1, "second_step")
    assert turn_of(play(state, "set mutiny")) == ("second_step", 0)


def test_the_turn_player_is_checked_first() -> None:
    ships = ["A2 B2 8", "A2 B2 -8"]  # both would win by a drift
    state = play(at(ships, [{"scurvy": 3}, {"scurvy": 2}], "draw", turn_player=1), "draw scurvy")
    assert (state.is_terminal(), *now(state, "winner"), ship(state, 0)) == (True, 1, ("A2", 8))


@pytest.mark.parametrize(("turn_player", "winner"), [(0, 1), (1, 2), (2, 0)])
def test_the_others_are_checked_in_turn_order(turn_player: int, winner: int) -> None:
    ships = ["A2 B2 8"] * 3
    ships[turn_player] = "B0 A0"
    hands: list[dict[str, int]] = [{"scurvy": 3}] * 3
    hands[turn_player] = {}
    state = play(at(ships, hands, "draw", turn_player=turn_player), "draw mutiny")
    assert now(state, "winner") == (winner,)


def test_each_ship_is_finished_before_the_next_is_checked() -> None:
    several = {"scurvy": 3, "mutiny": 3}
    state = at(["A3 A0", "A1 A0"], [several, several], "sets", then="play")
    assert state.current_player() == 0
    play(state, "set scurvy")
    assert (state.current_player(), ship(state, 0), *now(state, "then")) == (1, ("A0", 0), "end")
    play(state, "set scurvy")
    assert (*turn_of(state), ship(state, 1)) == ("refill", 1, ("A0", 0))


def test_the_others_are_checked_even_if_the_turn_player_fell() -> None:
    several = {"scurvy": 3, "mutiny": 3}
    state = play(at(["C3 A0", "A1 A0"], [{"scurvy": 2}, several], "draw"), "draw scurvy")
    assert (*turn_of(state), state.current_player(), ship(state, 0)) == ("sets", 0, 1, (None, 0))
    assert turn_of(play(state, "set mutiny")) == ("refill", 1)


def test_in_sets_the_first_with_more_than_one_kind_decides() -> None:
    ships, cards = ["A3 A0", "A1 A0", "A5 A0"], {"scurvy": 3, "mutiny": 3}
    state = at(ships, [cards, {}, cards], "sets", turn_player=1, then="play")
    assert state.current_player() == 2


# 6. Boarding

BESIDE = ["A3 A0", "B3 A0"]


def boarding(own: dict[str, int], other: dict[str, int], card: str = "fair", **entries: Any) -> Any:
    """Return a state in which player 0 with these cards has entered the space of player 1 with those."""
    played = {"fair": "fair_weather", "winds": "favorable_winds"}[card]
    cards = {**own, played: own.get(played, 0) + 1}
    return play(at(BESIDE, [cards, other], **entries), f"{card} B3")


def test_a_ship_that_sails_to_another_may_board_it_or_not() -> None:
    state = boarding({"mutiny": 1}, {"loyal_crew": 1})
    assert (*turn_of(state), state.current_player(), texts(state)) == ("board", 0, 0, ["board 1", "no boarding"])


def test_without_the_option_there_is_no_boarding() -> None:
    assert turn_of(boarding({"mutiny": 1}, {"loyal_crew": 1}, boarding=False)) == ("draw", 1)


def test_no_boarding_changes_nothing() -> None:
    state = play(boarding({"mutiny": 1}, {"loyal_crew": 1}), "no boarding")
    assert (*turn_of(state), hand(state, 0), hand(state, 1)) == ("draw", 1, {"mutiny": 1}, {"loyal_crew": 1})


def test_the_mover_names_first_the_card_to_take() -> None:
    state = play(boarding({"mutiny": 1, "scurvy": 1}, {"loyal_crew": 2, "dead_calm": 1}), "board 1")
    assert (*turn_of(state), state.current_player()) == ("take", 0, 0)
    assert (texts(state), now(state, "target")) == (["take dead_calm", "take loyal_crew"], (1,))


def test_the_mover_then_names_a_card_to_give() -> None:
    state = play(boarding({"mutiny": 1, "scurvy": 1}, {"loyal_crew": 2}), "board 1", "take loyal_crew")
    assert (*turn_of(state), state.current_player()) == ("give", 0, 0)
    assert (texts(state), now(state, "target", "take")) == (["give mutiny", "give scurvy"], (1, "loyal_crew"))


def test_the_two_cards_change_hands() -> None:
    state = boarding({"mutiny": 1, "scurvy": 1}, {"loyal_crew": 2})
    play(state, "board 1", "take loyal_crew", "give mutiny")
    assert (*turn_of(state), hand(state, 0), hand(state, 1), discards(state)) == (
        "draw",
        1,
        {"scurvy": 1, "loyal_crew": 1},
        {"mutiny": 1, "loyal_crew": 1},
        {"fair_weather": 1},
    )


def test_the_same_kind_may_be_given() -> None:
    state = play(boarding({"mutiny": 1}, {"mutiny": 2}), "board 1", "take mutiny", "give mutiny")
    assert (*turn_of(state), hand(state, 0), hand(state, 1)) == ("draw", 1, {"mutiny": 1}, {"mutiny": 2})


def test_the_card_that_is_taken_cannot_be_given() -> None:
    state = play(boarding({"mutiny": 1}, {"scurvy": 1}), "board 1", "take scurvy")
    assert texts(state) == ["give mutiny"]


def test_a_target_with_three_loyal_crews_answers() -> None:
    state = play(boarding({"mutiny": 1}, {"loyal_crew": 3}), "board 1", "take loyal_crew", "give mutiny")
    assert (*turn_of(state), state.current_player(), texts(state)) == ("answer", 0, 1, ["accept", "refuse"])
    assert now(state, "then", "target", "take", "give") == ("end", 1, "loyal_crew", "mutiny")


def test_a_target_with_two_loyal_crews_cannot_refuse() -> None:
    state = play(boarding({"mutiny": 1}, {"loyal_crew": 2}), "board 1", "take loyal_crew", "give mutiny")
    assert turn_of(state) == ("draw", 1)


def test_a_third_loyal_crew_gained_by_the_trade_does_not_allow_a_refusal() -> None:
    cards = {"loyal_crew": 2, "scurvy": 1}
    state = play(boarding({"loyal_crew": 1}, cards), "board 1", "take scurvy", "give loyal_crew")
    assert (*turn_of(state), hand(state, 1)) == ("draw", 1, {"loyal_crew": 3})


def test_a_trade_that_is_accepted_takes_place() -> None:
    state = play(boarding({"mutiny": 1}, {"loyal_crew": 3}), "board 1", "take loyal_crew", "give mutiny", "accept")
    assert (*turn_of(state), hand(state, 0), hand(state, 1)) == (
        "draw",
        1,
        {"loyal_crew": 1},
        {"mutiny": 1, "loyal_crew": 2},
    )


def test_a_refused_trade_changes_nothing_and_uses_up_the_boarding() -> None:
    state = play(boarding({"mutiny": 1}, {"loyal_crew": 4}), "board 1", "take loyal_crew", "give mutiny", "refuse")
    assert (*turn_of(state), hand(state, 0), hand(state, 1)) == ("draw", 1, {"mutiny": 1}, {"loyal_crew": 4})


def test_a_refusal_ends_the_boarding_of_this_step() -> None:
    ships = ["A3 A0", "B3 A0", "B3 A0"]
    hands = [{"fair_weather": 1, "mutiny": 1}, {"loyal_crew": 3}, {"loyal_crew": 1}]
    state = play(at(ships, hands), "fair B3", "board 1", "take loyal_crew", "give mutiny", "refuse")
    assert turn_of(state) == ("draw", 1)


def test_one_of_several_ships_is_boarded() -> None:
    ships = ["A3 A0", "B3 A0", "C3 A0", "B3 A0"]
    hands = [{"fair_weather": 1, "mutiny": 1}, {"scurvy": 1}, {"scurvy": 1}, {"scurvy": 1}]
    state = play(at(ships, hands), "fair B3")
    assert texts(state) == ["board 1", "board 3", "no boarding"]
    assert turn_of(play(state, "board 3", "take scurvy", "give mutiny")) == ("draw", 1)


def test_only_a_ship_with_a_card_can_be_boarded() -> None:
    assert turn_of(boarding({"mutiny": 1}, {})) == ("draw", 1)


def test_only_a_ship_with_a_card_left_can_board() -> None:
    assert turn_of(boarding({}, {"mutiny": 1})) == ("draw", 1)


def test_ships_in_a_port_are_safe() -> None:
    state = play(at(["A3 A0", "A4 A0"], [{"fair_weather": 1, "mutiny": 1}, {"loyal_crew": 1}]), "fair A4")
    assert turn_of(state) == ("refill", 1)


def test_beginning_a_turn_beside_a_ship_does_not_allow_a_boarding() -> None:
    state = at(["B3 A0", "B3 A0"], [{"mutiny": 1}, {"loyal_crew": 1}], "draw")
    assert turn_of(play(state, "draw scurvy")) == ("play", 0)


def test_drifting_to_a_ship_does_not_allow_a_boarding() -> None:
    state = play(at(BESIDE, [{"scurvy": 2, "mutiny": 1}, {"loyal_crew": 1}], "draw"), "draw scurvy")
    assert (*turn_of(state), ship(state)) == ("draw", 1, ("B3", 3))


def test_a_ship_aground_can_be_boarded() -> None:
    state = at(["A7 A0", "A6 A0 -2 1"], [{"fair_weather": 1, "mutiny": 1}, {"loyal_crew": 1}])
    assert texts(play(state, "fair A6")) == ["board 1", "no boarding"]


def test_with_two_steps_there_may_be_two_boardings() -> None:
    ships = ["A3 A0", "B3 A0", "C3 A0"]
    hands = [{"favorable_winds": 1, "mutiny": 1}, {"loyal_crew": 1}, {"dead_calm": 1}]
    state = play(at(ships, hands), "winds B3", "board 1", "take loyal_crew", "give mutiny")
    assert turn_of(state) == ("second_step", 0)
    play(state, "sail C3", "board 2", "take dead_calm", "give loyal_crew")
    assert [hand(state, p) for p in range(3)] == [{"dead_calm": 1}, {"mutiny": 1}, {"loyal_crew": 1}]


def test_the_same_ship_may_be_boarded_again_after_a_refusal_only_by_a_step_into_its_space() -> None:
    state = play(boarding({"mutiny": 1}, {"loyal_crew": 3}, "winds"), "board 1", "take loyal_crew", "give mutiny")
    play(state, "refuse")
    assert turn_of(state) == ("second_step", 0)
    assert turn_of(play(state, "sail A3")) == ("draw", 1)


def test_then_is_kept_during_the_boarding() -> None:
    first = boarding({"mutiny": 1}, {"scurvy": 1}, "winds")
    assert now(first, "then") == ("second_step",)
    assert now(boarding({"mutiny": 1}, {"scurvy": 1}), "then") == ("end",)


def test_a_set_made_by_boarding_acts_on_the_target() -> None:
    state = play(boarding({"scurvy": 1}, {"scurvy": 2, "fair_weather": 1}), "board 1", "take fair_weather")
    play(state, "give scurvy")
    assert (*turn_of(state), ship(state, 1), hand(state, 1)) == ("draw", 1, ("C3", 3), {})


def test_a_set_made_by_boarding_acts_on_the_mover_and_ends_the_turn() -> None:
    state = play(boarding({"scurvy": 2, "mutiny": 1}, {"scurvy": 1}, "winds"), "board 1", "take scurvy", "give mutiny")
    assert (*turn_of(state), ship(state, 0), hand(state, 0)) == ("draw", 1, ("C3", 3), {})


def test_losing_the_last_loyal_crew_lets_a_mutiny_act() -> None:
    state = boarding({"scurvy": 1}, {"mutiny": 3, "loyal_crew": 1})
    play(state, "board 1", "take loyal_crew", "give scurvy")
    assert (ship(state, 1), hand(state, 1)) == (("A0", 0), {"scurvy": 1})


def test_giving_away_the_last_loyal_crew_lets_a_mutiny_act() -> None:
    state = boarding({"mutiny": 3, "loyal_crew": 1}, {"scurvy": 1}, "winds")
    play(state, "board 1", "take scurvy", "give loyal_crew")
    assert (*turn_of(state), ship(state, 0), hand(state, 0)) == ("draw", 1, ("A0", 0), {"scurvy": 1})


def test_exchanging_one_loyal_crew_for_another_still_prevents_a_mutiny() -> None:
    state = boarding({"mutiny": 3, "loyal_crew": 1}, {"loyal_crew": 1})
    play(state, "board 1", "take loyal_crew", "give loyal_crew")
    assert (*turn_of(state), ship(state, 0)) == ("draw", 1, ("B3", 3))


def test_sets_are_checked_when_the_boarding_is_over() -> None:
    state = boarding({"scurvy": 3}, {"loyal_crew": 1})
    assert (turn_of(state), ship(state, 0)) == (("board", 0), ("B3", 3))
    assert ship(play(state, "no boarding"), 0) == ("C3", 3)


def test_a_set_can_be_given_away_before_it_acts() -> None:
    state = boarding({"scurvy": 3}, {"loyal_crew": 1})
    play(state, "board 1", "take loyal_crew", "give scurvy")
    assert (ship(state, 0), hand(state, 0)) == (("B3", 3), {"scurvy": 2, "loyal_crew": 1})


def test_sets_are_checked_after_a_refusal() -> None:
    state = play(boarding({"scurvy": 3}, {"loyal_crew": 3}), "board 1", "take loyal_crew", "give scurvy", "refuse")
    assert (*turn_of(state), ship(state, 0)) == ("draw", 1, ("C3", 3))


def test_a_ship_may_be_boarded_by_one_that_just_left_a_port() -> None:
    state = at(["A4 A0", "A3 A0"], [{"fair_weather": 1, "mutiny": 1}, {"scurvy": 1}], "depart")
    assert turn_of(play(state, "fair A3")) == ("board", 0)


# 7. Aground


def test_a_ship_runs_aground_where_land_is_edgeward() -> None:
    state = play(at(["A6 A0", FAR], [{"scurvy": 2, "mutiny": 1}], "draw"), "draw scurvy")
    assert (*turn_of(state), ship(state), skip(state), hand(state)) == ("draw", 1, ("A6", -2), 1, {"mutiny": 1})


def test_a_turn_aground_is_missed_without_a_draw_and_counts() -> None:
    state = play(at([FAR, "A6 A0 -2 1"], [{}, {"mutiny": 1}]), "wait")
    assert (*turn_of(state), *now(state, "turn"), skip(state, 1), hand(state, 1)) == ("draw", 0, 12, 0, {"mutiny": 1})


def test_each_time_aground_costs_one_turn() -> None:
    state = play(at(["A6 A0", FAR], [{"scurvy": 5}], "draw"), "draw scurvy")
    assert (ship(state), skip(state)) == (("A6", -2), 2)
    play(state, "draw dead_calm", "wait")
    assert (*turn_of(state), *now(state, "turn"), skip(state)) == ("draw", 1, 13, 1)
    play(state, "draw dead_calm", "wait")
    assert (*turn_of(state), *now(state, "turn"), skip(state)) == ("draw", 1, 15, 0)
    play(state, "draw dead_calm", "wait")
    assert (*turn_of(state), *now(state, "turn")) == ("draw", 0, 16)


def test_the_turn_in_which_a_ship_runs_aground_is_not_the_one_it_loses() -> None:
    state = play(at(["A6 A0", FAR], [{"scurvy": 2}], "draw"), "draw scurvy", "draw dead_calm", "wait")
    assert (*turn_of(state), *now(state, "turn")) == ("draw", 1, 13)


def test_running_aground_in_another_players_turn_costs_the_next_turn() -> None:
    state = at(["A7 A0", "A6 A0"], [{"fair_weather": 1, "scurvy": 1}, {"scurvy": 2, "loyal_crew": 1}])
    play(state, "fair A6", "board 1", "take loyal_crew", "give scurvy")
    assert (*turn_of(state), *now(state, "turn"), ship(state, 1), skip(state, 1)) == ("draw", 0, 12, ("A6", -2), 0)


def test_a_turn_is_also_missed_in_a_port() -> None:
    state = play(at([FAR, "A0 A0 0 1"], [{}, {"mutiny": 2}]), "wait")
    assert (*turn_of(state), *now(state, "turn"), hand(state, 1)) == ("draw", 0, 12, {"mutiny": 2})


# 8. Winning


@pytest.mark.parametrize(("start", "winding"), [("A7 A0 7", 8), ("A1 A0 -7", -8), ("B0 A0 8", 8), ("A7 A0 15", 16)])
def test_a_ship_that_comes_home_from_a_voyage_wins_whatever_its_direction(start: str, winding: int) -> None:
    state = play(at([start, FAR], [{"fair_weather": 1}]), "fair A0")
    assert (state.is_terminal(), ship(state), *now(state, "winner", "by_limit", "phase")) == (
        True,
        ("A0", winding),
        0,
        False,
        "over",
    )


def test_coming_home_with_winding_0_means_nothing() -> None:
    state = play(at(["A7 A0 -1", FAR], [{"fair_weather": 1}]), "fair A0")
    assert (*turn_of(state), ship(state)) == ("draw", 1, ("A0", 0))


def test_another_port_is_not_home() -> None:
    state = play(at(["A3 A0 11", FAR], [{"fair_weather": 1}]), "fair A4")
    assert (*turn_of(state), ship(state)) == ("draw", 1, ("A4", 12))


def test_the_home_of_another_player_is_not_home() -> None:
    state = play(at(["A3 A0 11", "A5 A4"], [{"fair_weather": 1}]), "fair A4")
    assert not state.is_terminal()


def test_a_ship_wins_on_the_first_of_two_steps_and_makes_no_second() -> None:
    state = play(at(["A7 A0 7", FAR], [{"favorable_winds": 1}]), "winds A0")
    assert (state.is_terminal(), ship(state), *now(state, "winner")) == (True, ("A0", 8), 0)


def test_a_ship_wins_on_the_second_of_two_steps() -> None:
    state = play(at(["A6 A0 6", FAR], [{"favorable_winds": 1}]), "winds A7", "sail A0")
    assert now(state, "phase", "winner") == ("over", 0)


def test_the_turn_of_the_win_is_not_finished() -> None:
    assert now(play(at(["A7 A0 7", FAR], [{"fair_weather": 1}]), "fair A0"), "turn", "turn_player") == (10, 0)


def test_a_win_in_the_last_turn_is_a_win() -> None:
    state = play(at(["A7 A0 7", FAR], [{"fair_weather": 1}], max_turns=11), "fair A0")
    assert now(state, "winner", "by_limit", "turn") == (0, False, 10)


def test_a_win_ends_the_game_before_sets_are_checked() -> None:
    state = play(at(["A7 A0 7", "A1 A0"], [{"fair_weather": 1, "scurvy": 3}, {"scurvy": 3}]), "fair A0")
    assert (ship(state, 1), hand(state, 0), hand(state, 1)) == (("A1", 1), {"scurvy": 3}, {"scurvy": 3})


def test_a_ship_that_drifts_home_in_another_players_turn_wins() -> None:
    state = at(["A1 A0", "A2 B2 -8"], [{"fair_weather": 1, "scurvy": 1}, {"scurvy": 2, "loyal_crew": 1}])
    play(state, "fair A2", "board 1", "take loyal_crew", "give scurvy")
    assert (state.is_terminal(), *now(state, "winner", "turn_player", "turn"), state.rewards()) == (
        True,
        1,
        0,
        10,
        [-1.0, 1.0],
    )


def test_a_voyage_through_a_wide_space_counts_whole_rounds() -> None:
    state = at(["B4 A4 1/2", "- A0"], [{"fair_weather": 1}])
    seen = []
    for space in ["C5", "C6", "C7", "B7", "B0", "B1", "C1", "C2", "C3", "B3", "B4", "A4"]:
        play(state, f"fair {space}", *["draw fair_weather"] * (space != "A4"))
        seen.append(ship(state)[1])
    assert seen == [1, 2, 3, 3, 4, 5, 5, 6, 7, 7, "17/2", 8]
    assert now(state, "winner") == (0,)


# 9. Falling


def test_a_ship_at_the_rim_drifts_over_the_edge_and_is_out() -> None:
    state = play(at(["C3 A0", FAR], [{"scurvy": 2, "mutiny": 1}], "draw"), "draw scurvy")
    assert now(state, "ships")[0][0] == {"space": None, "home": "A0", "winding": 0, "skip": 0}


def test_the_hand_of_a_fallen_ship_goes_to_the_discards() -> None:
    state = play(at(["C3 A0", FAR], [{"scurvy": 2, "mutiny": 1}], "draw", discards={"mutiny": 1}), "draw scurvy")
    assert (hand(state), discards(state)) == ({}, {"mutiny": 2, "scurvy": 3})


def test_a_fallen_ship_gets_no_more_turns() -> None:
    state = play(at(["A3 A0", "- A0", FAR]), "wait")
    assert (*turn_of(state), *now(state, "turn")) == ("draw", 2, 11)


def test_the_turn_in_which_a_ship_falls_is_finished() -> None:
    state = play(at(["C3 A0", FAR], [{"scurvy": 2}], "draw"), "draw scurvy")
    assert (*turn_of(state), *now(state, "turn")) == ("draw", 1, 11)


def test_a_single_ship_sails_on() -> None:
    state = play(at(["A3 A0", "- A0"]), "wait")
    assert (state.is_terminal(), *turn_of(state), *now(state, "turn")) == (False, "draw", 0, 11)


def test_a_single_ship_can_win() -> None:
    state = play(at(["A7 A0 7", "- A0"], [{"fair_weather": 1}]), "fair A0")
    assert state.rewards() == [1.0, -1.0]


def test_a_fallen_ship_is_not_boarded() -> None:
    state = play(at(["A3 A0", "- A0"], [{"fair_weather": 1, "mutiny": 1}]), "fair B3")
    assert turn_of(state) == ("draw", 0)


def test_a_ship_may_fall_in_another_players_turn() -> None:
    state = at(["B3 A0", "C3 A0"], [{"fair_weather": 1, "scurvy": 1}, {"scurvy": 2, "loyal_crew": 1}])
    play(state, "fair C3", "board 1", "take loyal_crew", "give scurvy")
    assert (ship(state, 1), *turn_of(state), *now(state, "turn")) == ((None, 0), "draw", 0, 11)


def test_if_the_last_ship_falls_the_game_ends_at_once_and_nobody_wins() -> None:
    state = play(at(["C3 A0", "- A0"], [{"scurvy": 2}], "draw"), "draw scurvy")
    assert (state.is_terminal(), *now(state, "winner", "by_limit", "turn")) == (True, None, False, 10)
    assert state.rewards() == [0.0, 0.0]


def test_if_the_last_ships_fall_in_one_check_nobody_wins() -> None:
    state = play(at(["C3 A0", "C5 A0"], [{"scurvy": 2}, {"scurvy": 3}], "draw"), "draw scurvy")
    assert now(state, "phase", "winner", "by_limit") == ("over", None, False)


# 10. Rewards


@pytest.mark.parametrize("count", [2, 3, 4, 6])
def test_the_others_pay_the_winner(count: int) -> None:
    state = play(at(["A7 A0 7", *[FAR] * (count - 1)], [{"fair_weather": 1}]), "fair A0")
    assert state.rewards() == pytest.approx([1.0] + [-1 / (count - 1)] * (count - 1))


def test_players_with_fallen_ships_pay_like_the_others() -> None:
    state = play(at(["A7 A0 7", "- A0", FAR], [{"fair_weather": 1}]), "fair A0")
    assert state.rewards() == [1.0, -0.5, -0.5]


def test_nothing_is_paid_before_the_end() -> None:
    state = play(at(["C3 A0", FAR, FAR], [{"scurvy": 2}], "draw"), "draw scurvy")
    assert state.rewards() == [0.0, 0.0, 0.0]


# The limit


def test_the_game_ends_when_the_turns_reach_the_limit() -> None:
    state = play(at(["A3 A0", FAR], max_turns=11), "wait")
    assert (state.is_terminal(), *now(state, "phase", "turn", "winner", "by_limit")) == (True, "over", 11, None, True)
    assert state.rewards() == [0.0, 0.0]


def test_one_turn_before_the_limit_the_game_continues() -> None:
    assert not play(at(["A3 A0", FAR], max_turns=12), "wait").is_terminal()


def test_missed_turns_count_towards_the_limit() -> None:
    state = play(at(["A3 A0", "A6 A0 -2 1"], max_turns=12), "wait")
    assert (state.is_terminal(), *now(state, "turn", "by_limit"), skip(state, 1)) == (True, 12, True, 0)


def test_the_limit_may_be_one_turn() -> None:
    state = play(new_game(max_turns=1), "home Malta", "home Malta", *["draw fair_weather"] * 11)
    play(state, "discard fair_weather", "wait")
    assert now(state, "phase", "turn", "by_limit") == ("over", 1, True)


def test_a_fall_in_the_last_turn_ends_the_game_by_the_limit() -> None:
    state = play(at(["C3 A0", FAR], [{"scurvy": 2}], "draw", max_turns=11), "draw scurvy")
    assert now(state, "phase", "winner", "by_limit", "turn") == ("over", None, True, 11)


# 11. The order of a turn


def test_a_decision_with_one_legal_action_is_still_a_decision() -> None:
    state = play(at(IN_PORT, [{"mutiny": 1}], "discard"), "discard mutiny")
    assert (turn_of(state), texts(state)) == (("depart", 0), ["wait"])


def test_a_turn_in_port_from_its_beginning_to_its_end() -> None:
    state = begin_in_port({"fair_weather": 3, "favorable_winds": 3})
    seen = []
    for text in ["discard fair_weather", "draw mutiny", "discard mutiny", "winds A1", "sail A2"]:
        seen.append(turn_of(state))
        play(state, text)
    assert seen == [("trim", 1), ("draw", 1), ("discard", 1), ("depart", 1), ("second_step", 1)]
    assert turn_of(state) == ("draw", 0)


def test_a_turn_at_sea_from_its_beginning_to_its_end() -> None:
    ships = ["A3 A0", "B3 A0"]
    hands: Hands = [{"favorable_winds": 1, "scurvy": 1}, {"loyal_crew": 3, "mutiny": 2}]
    state = at(ships, hands, "draw")
    seen = []
    for text in [
        "draw dead_calm",
        "winds B3",
        "board 1",
        "take mutiny",
        "give scurvy",
        "refuse",
        "sail A3",
    ]:
        seen.append(now(state, "phase")[0])
        play(state, text)
    assert seen == ["draw", "play", "board", "take", "give", "answer", "second_step"]
    assert turn_of(state) == ("draw", 1)


def test_turns_pass_in_turn_order() -> None:
    state = at(["A3 A0", FAR, FAR], (), turn_player=2)
    assert turn_of(play(state, "wait")) == ("draw", 0)
