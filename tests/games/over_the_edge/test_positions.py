"""Positions of Over the Edge as JSON: round trips, and which positions are rejected.

The map is the bay of `test_rules.py`, and ships are written as there: space, home, winding, turns to miss. If the rules
do not say which entry of an impossible position is wrong, the error may name any entry.
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import edge_envs
from tests.readers import Reader, names, refused_values
from tests.reference.over_the_edge import OverTheEdge
from tests.reference.over_the_edge import position as any_position

Position = dict[str, Any]

BAY_FILE = Path(__file__).parent / "bay.json"
BAY = json.loads(BAY_FILE.read_text(encoding="utf-8"))
BAD = ["scurvy", "stormy_seas", "severe_damage"]
KINDS = ["fair_weather", "favorable_winds", "mutiny", *BAD, "dead_calm", "loyal_crew"]
FULL = {kind: 16 if kind == "fair_weather" else 8 for kind in KINDS}
FAR = "A5 A0"

SEVERAL = {"scurvy": 3, "mutiny": 3}
A_CARD = {"mutiny": 1}
BESIDE = ["A3 A0", "A3 A0", FAR]
CARDS = [A_CARD, {"loyal_crew": 3}, A_CARD]
NAMED: Position = {"then": "end", "target": 1, "take": "loyal_crew", "give": "mutiny"}


def position(ships: Sequence[str], hands: Sequence[dict[str, int]] = (), phase: str = "play", **rest: Any) -> Position:
    """Return a position in the bay, unless another map is named."""
    return any_position(ships, hands, phase, **{"map": BAY, **rest})


def a_position(**changes: Any) -> Position:
    """Return a position with player 0 to play at sea and these entries changed."""
    return copy.deepcopy({**position(["A3 A0", FAR], [A_CARD, {"scurvy": 2}]), **changes})


def boarding(phase: str, **changes: Any) -> Position:
    """Return a position in a phase of boarding, player 0 beside player 1, with its keys and these entries changed."""
    count = ["board", "take", "give", "answer"].index(phase) + 1
    own = {key: NAMED[key] for key in list(NAMED)[:count]}
    return copy.deepcopy({**position(BESIDE, CARDS, phase), **own, **changes})


def over(ships: Sequence[str], winner: int | None, by_limit: bool, **changes: Any) -> Position:
    """Return the end of a game, with these entries changed."""
    return position(ships, [], "over", **{"winner": winner, "by_limit": by_limit, **changes})


def with_ship(text: str, d: Position | None = None) -> Position:
    """Return a position with player 0's ship as given."""
    d = d or a_position()
    ship = position([text, FAR])["ships"][0]
    return {**d, "ships": [ship, *d["ships"][1:]]}


def with_ship_entry(**changes: Any) -> Position:
    """Return a position with entries of player 0's ship changed."""
    d = a_position()
    d["ships"][0].update(changes)
    return d


def picking(turn_player: int, ships: Sequence[str], **changes: Any) -> Position:
    """Return a position before a home is chosen."""
    return position(ships, [], "home", **{"turn_player": turn_player, "turn": 0, **changes})


def dealing(turn_player: int, hands: Sequence[dict[str, int]], **changes: Any) -> Position:
    """Return a position in the deal, with all ships at home."""
    return position(["A0 A0", "B2 B2"], hands, "deal", **{"turn_player": turn_player, "turn": 0, **changes})


_READER = Reader("over_the_edge", {"map": BAY})
read, read_own, refusal, refused = _READER.read, _READER.read_own, _READER.refusal, _READER.refused


# Round trips

POSSIBLE = {
    "the setup": picking(0, ["- -", "- -"]),
    "the second pick": picking(1, ["A4 A4", "- -", "- -"]),
    "the deal begins": dealing(0, []),
    "a card is dealt": dealing(0, [{"mutiny": 4}]),
    "the last card is dealt": dealing(1, [{"mutiny": 5}, {"scurvy": 4}]),
    "too many cards in port": position(["A0 A0", FAR], [{"mutiny": 6}], "trim"),
    "too few cards in port": position(["A0 A0", FAR], [{"mutiny": 4}], "refill"),
    "a draw in port": position(["A0 A0", FAR], [{"mutiny": 5}], "draw"),
    "a discard": position(["A0 A0", FAR], [{"mutiny": 6}], "discard"),
    "a departure": position(["A0 A0", FAR], [{"mutiny": 5}], "depart"),
    "a departure without a card": position(["A0 A0", FAR], [], "depart"),
    "in another port": position(["B2 A0", FAR], [{"mutiny": 5}], "depart"),
    "a draw at sea": a_position(phase="draw"),
    "a play": a_position(),
    "a play of player 1": a_position(turn_player=1),
    "a large hand": position(["A3 A0", FAR], [{"fair_weather": 16, "loyal_crew": 8}]),
    "a second step": a_position(phase="second_step"),
    "a second step from a port": position(["A4 A0", FAR], [], "second_step"),
    "a second step from home": position(["A0 A0", FAR], [], "second_step"),
    "sets after a draw": position(["A3 A0", FAR], [SEVERAL], "sets", then="play"),
    "sets after a step": position(["A3 A0", FAR], [SEVERAL], "sets", then="second_step"),
    "sets at the end of a turn": position(["A3 A0", FAR], [SEVERAL], "sets", then="end"),
    "sets of another": position(["A4 A0", FAR], [A_CARD, SEVERAL], "sets", then="second_step"),
    "sets of another, a ship fallen": position(["- A0", FAR], [{}, SEVERAL], "sets", then="end"),
    "a boarding": boarding("board"),
    "a boarding on the first step": boarding("board", then="second_step"),
    "a card to take": boarding("take"),
    "a card to give": boarding("give"),
    "an answer": boarding("answer"),
    "a ship fallen": position(["A3 A0", "- A0", FAR]),
    "ships aground": position(["A3 A0", "A6 A0 -2 2", "A0 A0 0 1"]),
    "six ships": position(["A3 A0", "A3 A4", "B4 A0", "B2 B2", "- A4", FAR], turn_player=3, phase="depart"),
    "a winding of many rounds": position(["A3 A0 27", "A3 A0 -29"]),
    "a winding over an odd number": position(["B4 A0 9/2", "B4 A0 -7/2"]),
    "a winding below one": position(["B4 A4 1/2", "C5 A4"]),
    "full laps in another's home": position(["A4 A0 12", "A0 A4 -12"], phase="depart"),
    "no boarding in this game": position(["A3 A0", "A3 A0"], boarding=False),
    "the last turn": a_position(turn=499),
    "an empty deck": a_position(deck={}, discards={"mutiny": 3}),
    "no card in either heap": a_position(deck={}, discards={}),
    "cards that add up": {
        **{key: value for key, value in a_position().items() if key != "check_cards"},
        "deck": {**FULL, "mutiny": 6, "scurvy": 6},
        "discards": {"mutiny": 1},
    },
    "a shipped map": position(["A1 A0", "B1 A3"], map="pond"),
    "the end, won": over(["A0 A0 8", FAR], 0, False),
    "the end, won the other way": over(["A3 A0", "B2 B2 -16", "- A0"], 1, False),
    "the end, won in another's turn": over(["A0 A0 8", FAR], 0, False, turn_player=1),
    "the end, all fallen": over(["- A0", "- A4"], None, False),
    "the end by the limit": over(["A3 A0", "- A0"], None, True, turn=500),
}
possible = pytest.mark.parametrize("d", list(POSSIBLE.values()), ids=list(POSSIBLE))


@possible
def test_a_position_survives_json_and_is_not_modified(d: Position) -> None:
    _READER.assert_kept(d)


@possible
def test_a_position_has_the_same_keys_in_the_same_order(d: Position) -> None:
    order = ["game", "params", "phase", "turn_player", "turn", "check_cards", "ships", "hands", "deck", "discards"]
    order += [*NAMED, "winner", "by_limit"]
    assert list(read_own(d).to_dict()) == sorted(d, key=order.index)


@possible
def test_the_reference_implementation_reads_the_same_position(d: Position) -> None:
    assert OverTheEdge.from_dict(d).to_dict() == d


@possible
def test_booleans_and_numbers_keep_their_types(d: Position) -> None:
    there = read_own(d).to_dict()
    assert type(there["params"]["boarding"]) is bool
    assert {type(value) for value in [there["turn"], there["turn_player"], *there["deck"].values()]} == {int}
    assert type(there.get("by_limit", True)) is bool


def test_every_position_of_a_game_survives_a_round_trip() -> None:
    game = edge_envs.load_game("over_the_edge", map=BAY, max_turns=4)
    state = game.new_initial_state(seed=0)
    setup = ["home Lisbon", "home New Goa", *["draw fair_weather"] * 8, *["draw favorable_winds"] * 2]
    turns = ["draw loyal_crew", "discard loyal_crew", "fair A1", "draw mutiny", "discard fair_weather", "winds A3"]
    turns += ["sail A2", "draw scurvy", "fair A2", "board 1", "take mutiny", "give scurvy"]
    written, back = [], []
    for text in [*setup, *turns, "draw dead_calm", "wait"]:
        written.append(json.loads(json.dumps(state.to_dict())))
        back.append(game.state_from_dict(written[-1]).to_dict())
        state.apply_action(state.string_to_action(text))
    end = state.to_dict()
    assert ([*back, game.state_from_dict(end).to_dict()], state.is_terminal()) == ([*written, end], True)


def test_changing_the_written_position_does_not_change_the_state() -> None:
    state = read_own(a_position())
    d = state.to_dict()
    d["ships"][0]["space"] = "A1"
    d["hands"][0]["mutiny"] = 2
    d["params"]["map"]["rings"] = 1
    assert state.to_dict() == a_position()


# Form


def test_zero_counts_may_be_given_and_are_left_out() -> None:
    d = a_position(hands=[{"mutiny": 0, "scurvy": 1}, {}], deck=dict.fromkeys(KINDS, 0))
    there = read_own(d).to_dict()
    assert (there["hands"][0], there["deck"]) == ({"scurvy": 1}, {})


def test_check_cards_is_written_only_when_it_is_false() -> None:
    d = {**a_position(), **{"check_cards": True, "deck": {**FULL, "mutiny": 7, "scurvy": 6}}}
    assert "check_cards" not in read_own(d).to_dict()


@pytest.mark.parametrize("phase", ["draw", "refill", "deal"])
def test_at_a_chance_node_an_empty_deck_takes_the_discards(phase: str) -> None:
    heaps: Position = {"deck": {}, "discards": {"mutiny": 3}}
    d = dealing(0, [], **heaps) if phase == "deal" else position(["A0 A0", FAR], [{"scurvy": 4}], phase, **heaps)
    there = read_own(d).to_dict()
    assert (there["deck"], there["discards"]) == ({"mutiny": 3}, {})


def test_at_a_decision_an_empty_deck_stays_empty() -> None:
    there = read_own(a_position(deck={}, discards={"mutiny": 3})).to_dict()
    assert (there["deck"], there["discards"]) == ({}, {"mutiny": 3})


def test_an_end_shows_its_rewards() -> None:
    state = read_own(over(["A3 A0", "B2 B2 -16", "- A0"], 1, False))
    assert (state.is_terminal(), state.rewards()) == (True, [-0.5, 1.0, -0.5])


# Unreachable positions that are accepted


@pytest.mark.parametrize(
    "d",
    [
        pytest.param(position(["A3 A0", FAR], [{"scurvy": 3}]), id="a set that acts at the next look"),
        pytest.param(position(["A3 A0", FAR], [{}, {"mutiny": 3}]), id="a mutiny that acts at the next look"),
        pytest.param(position(["A3 A0", FAR], [SEVERAL], "draw"), id="several sets before a draw"),
        pytest.param(position(["A3 A0 3 1", FAR]), id="a turn of a ship that has turns to skip"),
        pytest.param(position(["A0 A0", FAR], [{}], "draw"), id="a draw in port with too few cards"),
        pytest.param(position(["A0 A0", FAR], [{"mutiny": 9}], "discard"), id="a discard in port with too many cards"),
        pytest.param(position(["A3 A0", FAR], deck={"fair_weather": 60}), id="more cards of a kind than there are"),
        pytest.param(position(["A3 A0", FAR], turn=0), id="at sea in turn 0"),
        pytest.param(position(["A0 A0", FAR], [{"mutiny": 5}], "draw", turn=1), id="player 0 in an odd turn"),
    ],
)
def test_some_unreachable_positions_are_accepted(d: Position) -> None:
    assert read_own(d).to_dict() == d


# Invalid keys and values


@pytest.mark.parametrize("d", [None, 3, "board", [], [("game", "over_the_edge")]])
def test_a_position_that_is_not_a_dict_is_rejected(d: Any) -> None:
    assert re.search(r"\b(dict|object|mapping)\b", refusal(d))


@pytest.mark.parametrize("key", [key for key in a_position() if key != "check_cards"])
def test_a_missing_key_is_rejected(key: str) -> None:
    d = a_position()
    del d[key]
    assert names(refusal(d), key)


@pytest.mark.parametrize("key", ["weather", "Deck", "winner", "by_limit", "then", "target", "take", "give", ""])
def test_an_unknown_key_is_rejected(key: str) -> None:
    assert names(refusal(a_position(**{key: 1})), key)


@pytest.mark.parametrize(
    ("d", "key"),
    [
        *((boarding("answer"), key) for key in NAMED),
        (position(["A3 A0", FAR], [SEVERAL], "sets", then="play"), "then"),
        (over(["- A0", "- A4"], None, False), "winner"),
        (over(["- A0", "- A4"], None, False), "by_limit"),
    ],
)
def test_a_missing_key_of_a_phase_is_rejected(d: Position, key: str) -> None:
    assert refused({name: value for name, value in d.items() if name != key}, key)


@pytest.mark.parametrize(
    ("d", "key"),
    [
        (boarding("board", target=1), "target"),
        (boarding("take", take="loyal_crew"), "take"),
        (boarding("give", give="mutiny"), "give"),
        (boarding("answer", winner=None), "winner"),
        (over(["- A0", "- A4"], None, False, then="end"), "then"),
    ],
)
def test_a_key_of_another_phase_is_rejected(d: Position, key: str) -> None:
    assert refused(d, key)


@pytest.mark.parametrize("game", ["falling_off", "Over_the_edge", "", None, 1])
def test_a_position_of_another_game_is_rejected(game: Any) -> None:
    assert names(refusal(a_position(game=game)), "game")


PARAMS = a_position()["params"]


@pytest.mark.parametrize(
    "params",
    [
        {**PARAMS, "num_players": 3},
        {**PARAMS, "map": "pond"},
        {**PARAMS, "map": {**BAY, "name": "harbour"}},
        {**PARAMS, "boarding": False},
        {**PARAMS, "max_turns": 499},
        {**PARAMS, "weather": 1},
        {"num_players": 2},
        {},
        [],
        None,
    ],
)
def test_params_that_differ_are_rejected(params: Any) -> None:
    assert names(refusal(a_position(params=params)), "params")


HERE = a_position()["ships"][0]


@refused_values(
    ("phase", None),
    ("phase", 3),
    ("phase", ["play"]),
    ("phase", "Play"),
    ("phase", "sail"),
    ("turn_player", "0"),
    ("turn_player", 0.0),
    ("turn_player", False),
    ("turn_player", None),
    ("turn_player", -1),
    ("turn_player", 2),
    ("turn_player", 10**30),
    ("turn", "2"),
    ("turn", 2.0),
    ("turn", True),
    ("turn", None),
    ("turn", -1),
    ("turn", 500),
    ("turn", 10**30),
    ("check_cards", 0),
    ("check_cards", None),
    ("check_cards", "false"),
    ("ships", None),
    ("ships", "A3"),
    ("ships", {"0": HERE, "1": HERE}),
    ("ships", []),
    ("ships", [HERE]),
    ("ships", [HERE] * 3),
    ("ships", [HERE, None]),
    ("ships", [HERE, "A3"]),
    ("hands", None),
    ("hands", {}),
    ("hands", []),
    ("hands", [{}]),
    ("hands", [{}, {}, {}]),
    ("hands", [{}, None]),
    ("hands", [{}, []]),
    ("hands", [{}, ["mutiny"]]),
    ("hands", [{}, {"sunshine": 1}]),
    ("hands", [{}, {"mutiny": -1}]),
    ("hands", [{}, {"mutiny": 1.0}]),
    ("hands", [{}, {"mutiny": "1"}]),
    ("hands", [{}, {"mutiny": True}]),
    ("hands", [{}, {"mutiny": None}]),
    ("deck", None),
    ("deck", []),
    ("deck", 72),
    ("deck", {"Mutiny": 1}),
    ("deck", {"mutiny": -1}),
    ("deck", {"mutiny": 1.5}),
    ("discards", None),
    ("discards", ["mutiny"]),
    ("discards", {"": 1}),
    ("discards", {"mutiny": -1}),
    ("discards", {"mutiny": [1]}),
)
def test_a_value_of_the_wrong_type_or_out_of_range_is_rejected(key: str, value: Any) -> None:
    assert names(refusal(a_position(**{key: value})), key)


# Ships


@pytest.mark.parametrize("key", list(HERE))
def test_a_missing_key_of_a_ship_is_rejected(key: str) -> None:
    assert refused(a_position(ships=[{k: v for k, v in HERE.items() if k != key}, HERE]), "ships", key)


def test_an_unknown_key_of_a_ship_is_rejected() -> None:
    assert refused(with_ship_entry(rounds=0), "ships", "rounds")


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("space", "A9"),
        ("space", ""),
        ("space", "a3"),
        ("space", 3),
        ("space", [0, 3]),
        ("home", "A9"),
        ("home", "Lisbon"),
        ("home", "A1"),
        ("home", 0),
        ("winding", None),
        ("winding", 3.0),
        ("winding", True),
        ("winding", "3"),
        ("winding", "3/1"),
        ("winding", "6/2"),
        ("winding", "9/-3"),
        ("winding", ""),
        ("winding", "three"),
        ("winding", " 3"),
        ("winding", [3]),
        ("skip", -1),
        ("skip", None),
        ("skip", 1.0),
        ("skip", True),
        ("skip", "1"),
    ],
)
def test_an_invalid_entry_of_a_ship_is_rejected(key: str, value: Any) -> None:
    assert refused(with_ship_entry(**{key: value}), "ships", key)


@pytest.mark.parametrize(
    "winding", [4.5, "4.5", "18/4", "+9/2", "09/2", "9 / 2", "9/2 ", "9/02", "-9/-2", "９/2", "9/0"]
)
def test_a_fraction_must_be_in_lowest_terms(winding: Any) -> None:
    d = with_ship("B4 A0")
    d["ships"][0]["winding"] = winding
    assert refused(d, "ships", "winding")


@pytest.mark.parametrize(
    "text",
    ["A3 A0 2", "A3 A0 4", "A3 A0 -3", "A3 A0 0", "A3 A0 7/2", "B4 A0 4", "B4 A0 7/2", "B4 A0 -9/2", "B4 A0 1/3"],
)
def test_a_winding_that_does_not_fit_the_angle_is_rejected(text: str) -> None:
    assert refused(with_ship(text), "ships", "winding")


@pytest.mark.parametrize("text", ["A3 A0 3", "A3 A0 11", "A3 A0 -5", "B4 A0 9/2", "B4 A0 -7/2", "B4 A0 25/2"])
def test_a_winding_that_fits_the_angle_is_accepted(text: str) -> None:
    assert read_own(with_ship(text)).to_dict() == with_ship(text)


def test_a_ship_at_home_after_a_voyage_has_won_so_the_game_is_over() -> None:
    assert refused(position(["A0 A0 8", FAR], phase="depart"))
    assert refused(position(["A3 A0", "A0 A0 -8"]))


@pytest.mark.parametrize("text", ["- A0 8", "- A0 1", "- A0 0 1"])
def test_a_fallen_ship_with_winding_or_turns_to_miss_is_rejected(text: str) -> None:
    assert refused(position(["A3 A0", text]), "ships", "winding", "skip")


def test_a_ship_without_a_home_after_setup_is_rejected() -> None:
    assert refused(position(["A3 A0", "- -"]), "ships", "home")
    d = a_position()
    d["ships"][1]["home"] = None
    assert refused(d, "ships", "home")


# Cards


def test_cards_that_do_not_add_up_are_rejected() -> None:
    d = {key: value for key, value in a_position().items() if key != "check_cards"}
    assert refused(d, "deck", "hands", "discards")


@pytest.mark.parametrize("deck", [{**FULL, "mutiny": 7, "scurvy": 7}, {**FULL, "mutiny": 6, "scurvy": 7}])
def test_cards_must_add_up_kind_by_kind(deck: dict[str, int]) -> None:
    assert refused({**a_position(check_cards=True), "deck": deck}, "deck", "hands", "discards")


def test_the_hand_of_a_fallen_ship_is_empty() -> None:
    assert refused(position(["A3 A0", "- A0"], [{}, {"mutiny": 1}]), "hands")


@pytest.mark.parametrize(
    "d",
    [
        pytest.param(position(["A3 A0", FAR], [A_CARD], "draw"), id="draw"),
        pytest.param(position(["A0 A0", FAR], [A_CARD], "refill"), id="refill"),
        pytest.param(dealing(0, []), id="deal"),
    ],
)
def test_a_chance_node_without_a_card_is_rejected(d: Position) -> None:
    assert refused({**d, "deck": {}, "discards": {}}, "deck", "discards", "phase")


# The phase and the ship's space


@pytest.mark.parametrize("phase", ["trim", "refill", "discard", "depart"])
def test_a_ship_at_sea_has_no_turn_in_port(phase: str) -> None:
    hand = {"mutiny": 6 if phase != "refill" else 4}
    assert refused(position(["A3 A0", FAR], [hand], phase), "phase", "ships")


def test_a_ship_in_port_does_not_play() -> None:
    assert refused(position(["A4 A0", FAR], [A_CARD]), "phase", "ships")


@pytest.mark.parametrize("phase", ["draw", "play", "second_step", "depart"])
def test_a_fallen_ship_has_no_turn(phase: str) -> None:
    assert refused(position(["- A0", FAR], [], phase), "turn_player", "phase", "ships")


@pytest.mark.parametrize(("phase", "cards"), [("trim", 5), ("trim", 0), ("refill", 5), ("refill", 6), ("discard", 0)])
def test_a_hand_that_the_phase_does_not_allow_is_rejected(phase: str, cards: int) -> None:
    assert refused(position(["A0 A0", FAR], [{"mutiny": cards}], phase), "phase", "hands")


# Setup


@pytest.mark.parametrize(
    "d",
    [
        pytest.param(picking(0, ["- -", "- -"], turn=1), id="a later turn"),
        pytest.param(picking(0, ["A0 A0", "- -"]), id="a home that is picked"),
        pytest.param(picking(1, ["- -", "- -"]), id="a home that is not picked"),
        pytest.param(picking(1, ["A0 A0", "A4 A4"]), id="a home picked too early"),
        pytest.param(picking(1, ["A1 A0", "- -"]), id="a ship at sea"),
        pytest.param(picking(1, ["- A0", "- -"]), id="a ship that fell"),
        pytest.param(picking(1, ["A0 A0 0 1", "- -"]), id="a turn to skip"),
        pytest.param(picking(0, ["- - 8", "- -"]), id="a winding"),
        pytest.param(picking(1, ["A0 A0", "- - 0 1"]), id="a turn to skip before the pick"),
        pytest.param({**picking(0, ["- -", "- -"]), "hands": [A_CARD, {}]}, id="a card"),
        pytest.param(dealing(0, [], turn=1), id="the deal in a later turn"),
        pytest.param(dealing(0, [{"mutiny": 5}]), id="all dealt to a player"),
        pytest.param(dealing(1, [{"mutiny": 4}, {}]), id="too few dealt to the one before"),
        pytest.param(dealing(1, [{"mutiny": 6}, {}]), id="too many dealt to the one before"),
        pytest.param(dealing(0, [{}, A_CARD]), id="a card dealt too early"),
        pytest.param(position(["A1 A0", "B2 B2"], [], "deal", turn=0), id="the deal at sea"),
        pytest.param(position(["A4 A0", "B2 B2"], [], "deal", turn=0), id="the deal in another port"),
        pytest.param(position(["- A0", "B2 B2"], [], "deal", turn=0), id="the deal without a ship"),
        pytest.param(position(["A0 A0 0 1", "B2 B2"], [], "deal", turn=0), id="the deal with a turn to skip"),
    ],
)
def test_an_inconsistent_setup_is_rejected(d: Position) -> None:
    assert refused(d)


# Sets


@pytest.mark.parametrize(
    "d",
    [
        pytest.param(position(["A3 A0", FAR], [{"scurvy": 6}], "sets", then="play"), id="one kind"),
        pytest.param(position(["A3 A0", FAR], [], "sets", then="play"), id="none"),
        pytest.param(position(["A3 A0", FAR], [{**SEVERAL, "loyal_crew": 1}], "sets", then="play"), id="a loyal crew"),
        pytest.param(position(["A4 A0", FAR], [SEVERAL], "sets", then="end"), id="in port"),
        pytest.param(position(["A3 A0", FAR], [{"scurvy": 3}, {"mutiny": 3}], "sets", then="end"), id="one kind each"),
    ],
)
def test_a_choice_without_two_sets_is_rejected(d: Position) -> None:
    assert refused(d)


@pytest.mark.parametrize("then", [None, "", "draw", "board", 0])
def test_an_invalid_then_after_sets_is_rejected(then: Any) -> None:
    assert refused(position(["A3 A0", FAR], [SEVERAL], "sets", then=then), "then")


@pytest.mark.parametrize(("text", "then"), [("A4 A0", "play"), ("- A0", "play"), ("- A0", "second_step")])
def test_a_then_that_is_impossible_for_the_turn_player_is_rejected(text: str, then: str) -> None:
    assert refused(position([text, FAR], [{}, SEVERAL], "sets", then=then))


# Boarding

PHASES = ["board", "take", "give", "answer"]
phases = pytest.mark.parametrize("phase", PHASES)


@phases
def test_a_boarding_is_accepted(phase: str) -> None:
    assert read_own(boarding(phase)).to_dict() == boarding(phase)


@phases
def test_a_boarding_without_the_option_is_rejected(phase: str) -> None:
    d = boarding(phase)
    d["params"]["boarding"] = False
    assert refused(d)


@phases
@pytest.mark.parametrize("then", [None, "", "play", 1])
def test_an_invalid_then_after_a_boarding_is_rejected(phase: str, then: Any) -> None:
    assert refused(boarding(phase, then=then), "then")


@phases
@pytest.mark.parametrize("ships", [["A3 A0", "A2 A0", FAR], ["A4 A0", "A4 A0", FAR], ["- A0", "A3 A0", FAR]])
def test_a_boarding_where_no_ship_can_be_boarded_is_rejected(phase: str, ships: list[str]) -> None:
    assert refused(boarding(phase, ships=position(ships)["ships"]))


@phases
def test_a_boarding_by_a_ship_without_a_card_is_rejected(phase: str) -> None:
    assert refused(boarding(phase, hands=[{}, {"loyal_crew": 3}, {}]))


@phases
def test_a_boarding_of_a_ship_without_a_card_is_rejected(phase: str) -> None:
    assert refused(boarding(phase, hands=[A_CARD, {}, {}]))


@pytest.mark.parametrize("phase", PHASES[1:])
@pytest.mark.parametrize("target", [0, 2, 3, -1, None, "1", 1.0, True])
def test_a_target_that_cannot_be_boarded_is_rejected(phase: str, target: Any) -> None:
    assert refused(boarding(phase, target=target), "target")


@pytest.mark.parametrize("phase", PHASES[2:])
@pytest.mark.parametrize("take", ["mutiny", "", None, 7, "Loyal_crew"])
def test_a_card_that_cannot_be_taken_is_rejected(phase: str, take: Any) -> None:
    assert refused(boarding(phase, take=take), "take")


@pytest.mark.parametrize("give", ["loyal_crew", "", None, 2, "Mutiny"])
def test_a_card_that_cannot_be_given_is_rejected(give: Any) -> None:
    assert refused(boarding("answer", give=give), "give")


def test_an_answer_of_a_target_that_cannot_refuse_is_rejected() -> None:
    assert refused(boarding("answer", hands=[A_CARD, {"loyal_crew": 2}, {}]))


# The end


@pytest.mark.parametrize(
    "d",
    [
        pytest.param(over(["A3 A0", FAR], None, False), id="a game that continues"),
        pytest.param(over(["A3 A0", FAR], 0, False), id="a winner at sea"),
        pytest.param(over(["A0 A0", FAR], 0, False), id="a winner without a voyage"),
        pytest.param(over(["A4 A0 12", FAR], 0, False), id="a winner in another port"),
        pytest.param(over(["- A0", FAR], 0, False), id="a winner that fell"),
        pytest.param(over(["A0 A0 8", FAR], 1, False), id="another winner"),
        pytest.param(over(["A0 A0 8", FAR], None, True, turn=500), id="no winner"),
        pytest.param(over(["A0 A0 8", "A4 A4 8"], 0, False), id="two winners"),
        pytest.param(over(["A0 A0 8", FAR], 0, True, turn=500), id="a winner by the limit"),
        pytest.param(over(["A0 A0 8", FAR], 0, False, turn=500), id="a winner after the limit"),
        pytest.param(over(["A3 A0", FAR], None, True), id="the limit before its time"),
        pytest.param(over(["A3 A0", FAR], None, False, turn=500), id="the limit, but not by it"),
        pytest.param(over(["- A0", "- A4"], None, True, turn=500), id="all fallen, by the limit"),
        pytest.param(over(["- A0", "- A4"], None, False, turn=500), id="all fallen, after the limit"),
        pytest.param(over(["- A0", "- -"], None, False), id="a ship without a home"),
    ],
)
def test_an_inconsistent_end_is_rejected(d: Position) -> None:
    assert refused(d)


@pytest.mark.parametrize("winner", [2, -1, "0", 0.0, True, [0]])
def test_an_invalid_winner_is_rejected(winner: Any) -> None:
    assert refused(over(["A0 A0 8", "A4 A4 0"], winner, False), "winner")


@pytest.mark.parametrize("by_limit", [0, 1, None, "false"])
def test_by_limit_is_a_boolean(by_limit: Any) -> None:
    assert refused(over(["- A0", "- A4"], None, by_limit), "by_limit")


@pytest.mark.parametrize("phase", ["play", "draw", "second_step"])
def test_a_game_in_which_all_ships_fell_is_over(phase: str) -> None:
    assert refused(position(["- A0", "- A4"], phase=phase))
