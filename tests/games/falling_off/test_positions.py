"""Positions of Falling off the Edge of the World as JSON: round trips and rejected positions."""

import copy
import json
import re
from typing import Any

import pytest

import edge_envs
from tests.readers import Reader, names, refused_values

START = [0, 0, 0, 0]
FALLEN = [14, 14, 14, 14]

Position = dict[str, Any]


def a_position(**changes: Any) -> Position:
    """Return the start of a two-player game with these entries changed."""
    setup: Position = {
        "game": "falling_off",
        "params": {"num_players": 2, "play_on": False},
        "phase": "roll",
        "dice": [],
        "turn_player": 0,
        "turns_owed": 1,
        "pawns": [START, START],
        "fallen": [],
    }
    return copy.deepcopy({**setup, **changes})


def playing_on(*pawns: list[int], **changes: Any) -> Position:
    """Return a position of a game with `play_on`."""
    return a_position(params={"num_players": len(pawns), "play_on": True}, pawns=list(pawns), **changes)


def over(*pawns: list[int], play_on: bool = False, **changes: Any) -> Position:
    """Return a position at the end of a game."""
    params = {"num_players": len(pawns), "play_on": play_on}
    return a_position(**{"params": params, "phase": "over", "turns_owed": 0, "pawns": list(pawns), **changes})


_READER = Reader("falling_off")
read, refusal = _READER.read, _READER.refusal


# Round trips

VALID = {
    "the setup": a_position(),
    "player 1 to roll": a_position(turn_player=1),
    "many turns owed": a_position(turns_owed=60),
    "a reroll decision": a_position(phase="reroll", dice=[1, 2, 4]),
    "a reroll decision over dice that allow no move": a_position(phase="reroll", dice=[1, 1, 1]),
    "all dice rerolled": a_position(phase="rerolled", dice=[]),
    "two dice rerolled": a_position(phase="rerolled", dice=[6]),
    "one die rerolled": a_position(phase="rerolled", dice=[3, 3]),
    "a move": a_position(phase="move", dice=[1, 2, 4]),
    "a move over the edge": a_position(phase="move", dice=[2, 6, 6], pawns=[[13, 14, 14, 14], START]),
    "pawns everywhere": a_position(pawns=[[0, 4, 13, 14], [5, 8, 8, 14]]),
    "the end for two": over(START, FALLEN, turn_player=1, fallen=[1]),
    "the end for three": over([0, 4, 13, 14], FALLEN, START, turn_player=1, fallen=[1]),
    "six players": playing_on(*[START] * 6, turn_player=5),
    "one of three fallen": playing_on(START, FALLEN, START, turn_player=2, fallen=[1]),
    "fallen in another order": playing_on(FALLEN, START, FALLEN, START, turn_player=1, fallen=[2, 0]),
    "the end after playing on": over(FALLEN, START, FALLEN, play_on=True, turn_player=0, fallen=[2, 0]),
    "the end for two after playing on": over(FALLEN, START, play_on=True, turn_player=0, fallen=[0]),
}
valid = pytest.mark.parametrize("d", list(VALID.values()), ids=list(VALID))


@valid
def test_a_position_survives_a_json_round_trip_and_is_not_modified(d: Position) -> None:
    _READER.assert_kept(d)


@valid
def test_a_position_has_the_same_keys_in_the_same_order(d: Position) -> None:
    assert list(read(d, **d["params"]).to_dict()) == list(d)


@valid
def test_play_on_is_written_as_a_boolean(d: Position) -> None:
    assert type(read(d, **d["params"]).to_dict()["params"]["play_on"]) is bool


def test_every_position_of_a_game_survives_a_round_trip() -> None:
    game = edge_envs.load_game("falling_off", num_players=3, play_on=True)
    state = game.new_initial_state(seed=0)
    written, back = [], []
    storm = ["roll 1 1 6", "reroll 6", "rerolled 1"]
    for text in storm + ["roll 6 6 6", "keep", "move start off"] * 12:
        written.append(json.loads(json.dumps(state.to_dict())))
        back.append(game.state_from_dict(written[-1]).to_dict())
        if not state.is_terminal():
            state.apply_action(state.string_to_action(text))
    assert back == written


def test_changing_the_written_position_does_not_change_the_state() -> None:
    state = read(a_position())
    state.to_dict()["pawns"][0][3] = 13
    assert state.to_dict() == a_position()


# Rejected values


@pytest.mark.parametrize("d", [None, 3, "roll", [], [("game", "falling_off")]])
def test_a_value_that_is_not_a_dict_is_rejected(d: Any) -> None:
    assert re.search(r"\b(dict|object|mapping)\b", refusal(d))


@pytest.mark.parametrize("key", list(a_position()))
def test_a_missing_key_is_rejected(key: str) -> None:
    d = a_position()
    del d[key]
    assert names(refusal(d), key)


@pytest.mark.parametrize("key", ["weather", "Dice", "by_limit", ""])
def test_an_unknown_key_is_rejected(key: str) -> None:
    assert names(refusal(a_position(**{key: 1})), key)


def test_a_key_that_is_not_a_string_is_rejected() -> None:
    assert names(refusal({**a_position(), 7: 1}), "7")


@pytest.mark.parametrize("game", ["ghost_ship", "Falling_off", "", None, 1])
def test_a_position_of_another_game_is_rejected(game: Any) -> None:
    assert names(refusal(a_position(game=game)), "game")


@pytest.mark.parametrize(
    "params",
    [
        {"num_players": 3, "play_on": False},
        {"num_players": 2, "play_on": True},
        {"num_players": 2},
        {"num_players": 2, "play_on": False, "weather": 1},
        {"num_players": "2", "play_on": False},
        {},
        [],
        None,
    ],
)
def test_params_that_differ_are_rejected(params: Any) -> None:
    assert names(refusal(a_position(params=params)), "params")


@refused_values(
    ("phase", 0),
    ("phase", None),
    ("phase", ["roll"]),
    ("dice", None),
    ("dice", "[]"),
    ("dice", 0),
    ("dice", {}),
    ("turn_player", "0"),
    ("turn_player", 0.0),
    ("turn_player", None),
    ("turn_player", [0]),
    ("turns_owed", "1"),
    ("turns_owed", 1.0),
    ("turns_owed", 1.5),
    ("turns_owed", None),
    ("pawns", None),
    ("pawns", 0),
    ("pawns", "start"),
    ("pawns", {"0": START, "1": START}),
    ("pawns", [0, 0, 0, 0]),
    ("pawns", [START, None]),
    ("pawns", [START, "0000"]),
    ("pawns", [START, [0, 0, 0, "4"]]),
    ("pawns", [START, [0, 0, 0, 4.0]]),
    ("pawns", [START, [0, 0, 0, None]]),
    ("fallen", None),
    ("fallen", 0),
    ("fallen", ["0"]),
    ("fallen", {}),
)
def test_a_value_of_the_wrong_type_is_rejected(key: str, value: Any) -> None:
    assert names(refusal(a_position(**{key: value})), key)


@refused_values(
    ("turn_player", False),
    ("turn_player", True),
    ("turns_owed", True),
    ("pawns", [[False, 0, 0, 0], START]),
)
def test_a_boolean_is_not_a_number(key: str, value: Any) -> None:
    assert names(refusal(a_position(**{key: value})), key)


def test_a_boolean_is_not_a_die() -> None:
    assert names(refusal(a_position(phase="reroll", dice=[True, 2, 4])), "dice")


def test_a_boolean_is_not_a_fallen_player() -> None:
    assert names(refusal(over(START, FALLEN, turn_player=1, fallen=[True])), "fallen")


def test_a_boolean_is_not_a_number_of_turns_at_the_end() -> None:
    assert names(refusal(over(START, FALLEN, turn_player=1, fallen=[1], turns_owed=False)), "turns_owed")


@refused_values(
    ("phase", "Roll"),
    ("phase", ""),
    ("phase", "storm"),
    ("turn_player", -1),
    ("turn_player", 2),
    ("turns_owed", 0),
    ("turns_owed", -1),
    ("pawns", [START]),
    ("pawns", [START, START, START]),
    ("pawns", []),
    ("pawns", [START, [0, 0, 0]]),
    ("pawns", [START, [0, 0, 0, 0, 0]]),
    ("pawns", [START, []]),
    ("pawns", [START, [-1, 0, 0, 0]]),
    ("pawns", [START, [0, 0, 0, 1]]),
    ("pawns", [START, [0, 0, 0, 3]]),
    ("pawns", [START, [0, 0, 0, 15]]),
    ("pawns", [START, [0, 0, 0, 10**30]]),
    ("pawns", [START, [0, 0, 5, 4]]),
    ("pawns", [START, [14, 0, 0, 0]]),
    ("turn_player", 10**30),
)
def test_a_value_out_of_range_or_order_is_rejected(key: str, value: Any) -> None:
    assert names(refusal(a_position(**{key: value})), key)


def test_spaces_below_4_are_rejected() -> None:
    assert names(refusal(a_position(pawns=[[1, 2, 3, 4], START])), "pawns")


# Dice must fit the phase


@pytest.mark.parametrize(
    ("phase", "dice"),
    [
        ("roll", [1]),
        ("roll", [1, 2, 4]),
        ("reroll", []),
        ("reroll", [1, 2]),
        ("reroll", [1, 2, 4, 5]),
        ("rerolled", [1, 2, 4]),
        ("rerolled", [1, 2, 4, 5]),
        ("move", []),
        ("move", [1, 2]),
        ("move", [1, 2, 4, 5]),
    ],
)
def test_dice_of_a_length_that_does_not_fit_the_phase_are_rejected(phase: str, dice: list[int]) -> None:
    assert names(refusal(a_position(phase=phase, dice=dice)), "dice")


@pytest.mark.parametrize(
    ("phase", "dice"),
    [("reroll", [4, 2, 1]), ("reroll", [1, 4, 2]), ("rerolled", [4, 1]), ("move", [4, 2, 1]), ("move", [2, 1, 4])],
)
def test_dice_that_are_not_sorted_are_rejected(phase: str, dice: list[int]) -> None:
    assert names(refusal(a_position(phase=phase, dice=dice)), "dice")


@pytest.mark.parametrize("phase", ["reroll", "move"])
@pytest.mark.parametrize("dice", [[0, 2, 4], [-1, 2, 4], [1, 2, 7], [1, 2, 10**30], [1, 2, 4.0], [1, 2, "4"]])
def test_a_value_that_no_die_shows_is_rejected(phase: str, dice: list[Any]) -> None:
    assert names(refusal(a_position(phase=phase, dice=dice)), "dice")


@pytest.mark.parametrize("dice", [[0], [7], [0, 1], [6, 7], [None]])
def test_a_kept_value_that_no_die_shows_is_rejected(dice: list[Any]) -> None:
    assert names(refusal(a_position(phase="rerolled", dice=dice)), "dice")


def test_dice_at_the_end_are_rejected() -> None:
    assert names(refusal(over(START, FALLEN, turn_player=1, fallen=[1], dice=[1, 2, 4])), "dice")


# Positions must fit the rules


@pytest.mark.parametrize(
    ("dice", "pawns"),
    [
        ([1, 1, 1], START),
        ([1, 2, 3], [8, 8, 8, 8]),
        ([1, 1, 4], [6, 6, 6, 6]),
        ([1, 6, 6], [13, 14, 14, 14]),
    ],
)
def test_a_move_in_which_no_move_exists_is_rejected(dice: list[int], pawns: list[int]) -> None:
    assert names(refusal(a_position(phase="move", dice=dice, pawns=[pawns, START])), "phase", "dice")


@pytest.mark.parametrize(
    ("phase", "dice"), [("roll", []), ("reroll", [1, 2, 4]), ("rerolled", [1]), ("move", [1, 2, 4])]
)
@pytest.mark.parametrize("owed", [0, -1])
def test_fewer_than_one_turn_owed_before_the_end_is_rejected(phase: str, dice: list[int], owed: int) -> None:
    assert names(refusal(a_position(phase=phase, dice=dice, turns_owed=owed)), "turns_owed")


@pytest.mark.parametrize("owed", [-1, 1, 2])
def test_turns_owed_at_the_end_are_rejected(owed: int) -> None:
    assert names(refusal(over(START, FALLEN, turn_player=1, fallen=[1], turns_owed=owed)), "turns_owed")


@pytest.mark.parametrize("fallen", [[0], [0, 1], [1, 1], [0, 0], [1, 0, 1], [2], [-1], [], [10**30]])
def test_fallen_players_that_do_not_match_the_pawns_at_the_end_are_rejected(fallen: list[int]) -> None:
    assert names(refusal(over(START, FALLEN, turn_player=1, fallen=fallen)), "fallen")


@pytest.mark.parametrize("fallen", [[0], [0, 1], [1, 1], [3], [-1], []])
def test_fallen_players_that_do_not_match_the_pawns_are_rejected(fallen: list[int]) -> None:
    d = playing_on(START, FALLEN, START, turn_player=2, fallen=fallen)
    assert names(refusal(d, num_players=3, play_on=True), "fallen")


def test_a_fallen_player_with_a_pawn_left_is_rejected() -> None:
    d = playing_on(START, [13, 14, 14, 14], START, turn_player=2, fallen=[1])
    assert names(refusal(d, num_players=3, play_on=True), "fallen")


@pytest.mark.parametrize(("phase", "dice"), [("roll", []), ("reroll", [1, 2, 4]), ("rerolled", [1])])
def test_a_fallen_turn_player_before_the_end_is_rejected(phase: str, dice: list[int]) -> None:
    d = playing_on(START, FALLEN, START, phase=phase, dice=dice, turn_player=1, fallen=[1])
    assert names(refusal(d, num_players=3, play_on=True), "turn_player")


@pytest.mark.parametrize("turn_player", [1, 2])
def test_a_turn_player_other_than_the_last_to_fall_at_the_end_is_rejected(turn_player: int) -> None:
    d = over(FALLEN, START, FALLEN, play_on=True, turn_player=turn_player, fallen=[2, 0])
    assert names(refusal(d, num_players=3, play_on=True), "turn_player")


@pytest.mark.parametrize(
    ("phase", "dice"), [("roll", []), ("reroll", [1, 2, 4]), ("rerolled", [1]), ("move", [1, 2, 4])]
)
def test_a_position_after_the_first_fall_that_is_not_over_is_rejected(phase: str, dice: list[int]) -> None:
    assert names(refusal(a_position(phase=phase, dice=dice, pawns=[START, FALLEN], fallen=[1])), "phase")


def test_a_position_with_one_player_left_that_is_not_over_is_rejected() -> None:
    d = playing_on(START, FALLEN, FALLEN, turn_player=0, fallen=[2, 1])
    assert names(refusal(d, num_players=3, play_on=True), "phase")


def test_the_end_of_a_game_without_a_fall_is_rejected() -> None:
    assert names(refusal(over(START, START)), "phase")


def test_the_end_of_a_game_with_two_players_left_is_rejected() -> None:
    d = over(START, FALLEN, START, play_on=True, turn_player=1, fallen=[1])
    assert names(refusal(d, num_players=3, play_on=True), "phase")


def test_two_fallen_players_in_a_game_that_ends_with_the_first_are_rejected() -> None:
    d = over(START, FALLEN, FALLEN, turn_player=1, fallen=[2, 1])
    assert names(refusal(d, num_players=3), "phase", "fallen")


def test_a_game_with_no_player_left_is_rejected() -> None:
    d = over(FALLEN, FALLEN, FALLEN, play_on=True, turn_player=1, fallen=[2, 0, 1])
    assert names(refusal(d, num_players=3, play_on=True), "phase", "fallen")
