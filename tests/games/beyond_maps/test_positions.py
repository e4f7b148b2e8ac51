"""Positions of Beyond the Edges of the Maps as JSON: round trips and rejected positions.

`test_rules.py` explains the pictures. If the rules do not say which entry of an invalid position is at fault, the
message may name any entry.
"""

import copy
import json
import re
from typing import Any

import pytest

import edge_envs
from tests.readers import Reader, names, refused_values
from tests.reference.beyond_maps import BeyondMaps, position

Position = dict[str, Any]

HALF_LAND = "A.... ..... ..0.. ..... ....B"
STRAIT = "A...B 11111 ..... ..... ....."
RING = "000.. 0A0.. 000.. ..... ....B"  # the ship of player 0 is closed in
CAPTURED = "000.. 000.. 000.. ..... ....B"  # the ship has been captured
BLOCK = "..... A.... ..00. ..00. ....B"  # player 0 has no peninsula
DICE: dict[str, Any] = {"dice": True}
TURN_0: dict[str, Any] = {"turn": 0, "land_done": True}
OVER: dict[str, Any] = {"sea_done": True, "land_done": True}
IN_PROGRESS: dict[str, Any] = {"markers_placed": 1, "last_marker": "c3"}


def a_position(**changes: Any) -> Position:
    """Return the beginning of a turn of player 0 with these entries changed."""
    return copy.deepcopy({**position(HALF_LAND), **changes})


def rolled(*roll: int, **entries: Any) -> Position:
    """Return the same position with dice, with this roll."""
    return position(HALF_LAND, 0, DICE, roll=list(roll) or None, **entries)


_READER = Reader("beyond_maps", {"size": 5})
read, read_own, refusal, refused = _READER.read, _READER.read_own, _READER.refusal, _READER.refused


# Round trips

CORNERS_18 = "\n".join(["A" + "." * 17, *["." * 18] * 16, "." * 17 + "B"])

POSSIBLE = {
    "the setup": position("A.... ..... ..... ..... ....B", **TURN_0),
    "the setup of the full board": position(CORNERS_18, **TURN_0),
    "the second turn": position("A0... ..... ..... ..... ....B", 1, turn=1),
    "a turn begins": a_position(),
    "a turn of player 1 begins": position("A.... ..... ..1.. ..... ....B", 1),
    "a late turn": a_position(turn=398),
    "the last turn": a_position(turn=399, turn_player=1),
    "the sea action is done": a_position(sea_done=True),
    "the land action is done": a_position(land_done=True),
    "a land action in progress": a_position(**IN_PROGRESS),
    "a land action in progress after the sea action": a_position(**IN_PROGRESS, sea_done=True),
    "a land action with two markers": a_position(markers_placed=2, last_marker="c3"),
    "a long land action": position(HALF_LAND, 0, {"land_markers": 18}, markers_placed=17, last_marker="c3"),
    "no stopping early": position(HALF_LAND, 0, {"stop_early": False}, **IN_PROGRESS),
    "ships side by side": position("..... .AB.. ..... ..... ....."),
    "land all over": position("A1010 .0101 ..010 ...01 0...B"),
    "the enemy is captured, land to come": position("0.... ..000 ..000 ..000 A....", sea_done=True),
    "the enemy is captured, sea to come": position(CAPTURED.replace("B", "A"), land_done=True),
    "the mover is captured, land to come": position(CAPTURED.replace(".....", "1....", 1), 1, sea_done=True),
    "both are captured, land to come": position(HALF_LAND.replace("A", ".").replace("B", "."), sea_done=True),
    "the enemy is closed in, land to come": position("...1B ....0 ..... ..... A....", sea_done=True),
    "the enemy is closed in, sea to come": position("...1B ....0 ..... ..... A....", land_done=True),
    "the enemy is closed in, a land action in progress": position(
        "...1B ....0 ..... ..... A....", markers_placed=1, last_marker="e2"
    ),
    "the end, a ship closed in": position("..A0B 11111 ..... ..... .....", **OVER),
    "the end, a ship captured": position(CAPTURED, **OVER),
    "the end, both ships captured": position("000.. 000.. 000.. ..... .....", **OVER),
    "the end, a sea of two squares": position("AB1.. 100.. ..... ..... .....", **OVER),
    "the end by the limit": position(HALF_LAND, 0, {"max_turns": 3}, turn=2, **OVER),
    "the end in the first turn": position(RING, turn=0, **OVER),
    "before a roll": rolled(),
    "before the first roll": rolled(**TURN_0),
    "after a roll": rolled(5, 2),
    "after the first roll": rolled(5, 2, **TURN_0),
    "after a double": rolled(4, 4),
    "after a roll, the sea action done": rolled(5, 2, sea_done=True),
    "after a roll, the land action done": rolled(5, 2, land_done=True),
    "after a roll, a land action in progress": rolled(6, 6, markers_placed=5, last_marker="c3"),
    "the end with dice": position(RING, 0, DICE, **OVER),
}
possible = pytest.mark.parametrize("d", list(POSSIBLE.values()), ids=list(POSSIBLE))


@possible
def test_a_position_survives_a_json_round_trip_and_is_not_modified(d: Position) -> None:
    _READER.assert_kept(d)


@possible
def test_a_position_has_the_same_keys_in_the_same_order(d: Position) -> None:
    assert list(read_own(d).to_dict()) == list(d)


@possible
def test_booleans_are_written_as_booleans(d: Position) -> None:
    there = read_own(d).to_dict()
    values = [there["sea_done"], there["land_done"], there["params"]["stop_early"], there["params"]["dice"]]
    assert {type(value) for value in values} == {bool}


@possible
def test_the_reference_implementation_reads_the_same_position(d: Position) -> None:
    assert BeyondMaps.from_dict(d).to_dict() == d


def test_every_position_of_a_game_survives_a_round_trip() -> None:
    game = edge_envs.load_game("beyond_maps", size=5, dice=True, max_turns=3)
    state = game.new_initial_state(seed=0)
    turns = ["roll 2 1", "sea b1 e", "roll 6 4", "sea d5 w", "land c4", "stop"]
    written, back = [], []
    for text in [*turns, "roll 2 2", "land d1", "land d2", "sea b2 s"]:
        written.append(json.loads(json.dumps(state.to_dict())))
        back.append(game.state_from_dict(written[-1]).to_dict())
        state.apply_action(state.string_to_action(text))
    end = state.to_dict()
    assert ([*back, game.state_from_dict(end).to_dict()], state.is_terminal()) == ([*written, end], True)


def test_changing_the_written_position_does_not_change_the_state() -> None:
    state = read(a_position())
    state.to_dict()["ships"][0] = "e1"
    assert state.to_dict() == a_position()


# Positions that are valid but occur in no game


@pytest.mark.parametrize(
    "d",
    [
        pytest.param(position("A.1.. .11.. 1.... ..... ....B"), id="ships in different seas"),
        pytest.param(position("..1.. A.1.. ..1B. ..1.. ..1.."), id="a wall between the ships"),
        pytest.param(position("000.. 0.0.. 000.. ..... A...B"), id="an enclosed square that is not filled"),
        pytest.param(position("00000 0A..0 0.B.0 0...0 00000"), id="ships in a ring"),
        pytest.param(position("..... B.... ..0.. ..... ....A"), id="ships on other sides"),
        pytest.param(position("..... A.... ..0.. ..... ....B", **TURN_0), id="land and ships anywhere in turn 0"),
        pytest.param(a_position(turn=3), id="player 0 in an odd turn"),
        pytest.param(a_position(markers_placed=2, last_marker="c3"), id="more markers placed than there is land"),
    ],
)
def test_positions_that_occur_in_no_game_are_accepted(d: Position) -> None:
    assert read_own(d).to_dict() == d


# Rejected values


@pytest.mark.parametrize("d", [None, 3, "board", [], [("game", "beyond_maps")]])
def test_a_value_that_is_not_a_dict_is_rejected(d: Any) -> None:
    assert re.search(r"\b(dict|object|mapping)\b", refusal(d))


@pytest.mark.parametrize("key", list(a_position()))
def test_a_missing_key_is_rejected(key: str) -> None:
    d = a_position()
    del d[key]
    assert names(refusal(d), key)


@pytest.mark.parametrize("key", ["weather", "Board", "by_limit", ""])
def test_an_unknown_key_is_rejected(key: str) -> None:
    assert names(refusal(a_position(**{key: 1})), key)


@pytest.mark.parametrize("game", ["falling_off", "Beyond_maps", "", None, 1])
def test_a_position_of_another_game_is_rejected(game: Any) -> None:
    assert names(refusal(a_position(game=game)), "game")


PARAMS = a_position()["params"]


@pytest.mark.parametrize(
    "params",
    [
        {**PARAMS, "size": 6},
        {**PARAMS, "sea_range": 5},
        {**PARAMS, "land_markers": 2},
        {**PARAMS, "stop_early": False},
        {**PARAMS, "dice": True},
        {**PARAMS, "max_turns": 399},
        {**PARAMS, "weather": 1},
        {**PARAMS, "size": "5"},
        {"size": 5},
        {},
        [],
        None,
    ],
)
def test_params_that_differ_are_rejected(params: Any) -> None:
    assert names(refusal(a_position(params=params)), "params")


ROWS = [".....", ".....", "..0..", "....."]  # without the last row


@refused_values(
    ("board", None),
    ("board", 0),
    ("board", "....."),
    ("board", "........................."),
    ("board", {"1": "....."}),
    ("board", [*ROWS, None]),
    ("board", [*ROWS, 0]),
    ("board", [*ROWS, [".", ".", ".", ".", "."]]),
    ("ships", None),
    ("ships", "a1"),
    ("ships", 0),
    ("ships", {"0": "a1", "1": "e5"}),
    ("ships", ["a1", 24]),
    ("ships", ["a1", ["e5"]]),
    ("ships", [False, "e5"]),
    ("turn_player", "0"),
    ("turn_player", 0.0),
    ("turn_player", None),
    ("turn_player", [0]),
    ("turn", "2"),
    ("turn", 2.0),
    ("turn", 2.5),
    ("turn", None),
    ("sea_done", 0),
    ("sea_done", 1),
    ("sea_done", None),
    ("sea_done", "false"),
    ("land_done", 0),
    ("land_done", 1),
    ("land_done", None),
    ("land_done", "false"),
    ("markers_placed", "0"),
    ("markers_placed", 0.0),
    ("markers_placed", None),
    ("last_marker", 12),
    ("last_marker", ["c3"]),
    ("last_marker", False),
    ("roll", 0),
    ("roll", "52"),
    ("roll", False),
    ("roll", {}),
)
def test_a_value_of_the_wrong_type_is_rejected(key: str, value: Any) -> None:
    assert names(refusal(a_position(**{key: value})), key)


@refused_values(("turn_player", False), ("turn_player", True), ("turn", True), ("markers_placed", False))
def test_a_boolean_is_not_a_number(key: str, value: Any) -> None:
    assert names(refusal(a_position(**{key: value})), key)


@refused_values(
    ("board", []),
    ("board", ROWS),
    ("board", [*ROWS, ".....", "....."]),
    ("board", [*ROWS, "...."]),
    ("board", [*ROWS, "......"]),
    ("board", [*ROWS, ""]),
    ("board", [*ROWS, "....2"]),
    ("board", [*ROWS, "A...."]),
    ("board", [*ROWS, ".... "]),
    ("board", [*ROWS, "....\n"]),
    ("board", [*ROWS, "....٠"]),
    ("ships", []),
    ("ships", ["a1"]),
    ("ships", ["a1", "e5", "c1"]),
    ("ships", ["a1", ""]),
    ("ships", ["a1", "f1"]),
    ("ships", ["a1", "a6"]),
    ("ships", ["a1", "a0"]),
    ("ships", ["a1", "e-1"]),
    ("ships", ["a1", "E5"]),
    ("ships", ["a1", "e05"]),
    ("ships", ["a1", "e5 "]),
    ("ships", ["a1", " e5"]),
    ("ships", ["a1", "5e"]),
    ("ships", ["a1", "e"]),
    ("ships", ["a1", "5"]),
    ("ships", ["a1", "ee5"]),
    ("ships", ["a1", "e5.0"]),
    ("ships", ["a1", "e５"]),
    ("ships", ["a1", "e" + "5" * 5000]),
    ("turn_player", -1),
    ("turn_player", 2),
    ("turn_player", 10**30),
    ("turn", -1),
    ("turn", 400),
    ("turn", 10**30),
    ("markers_placed", -1),
    ("markers_placed", 10**30),
)
def test_a_value_out_of_range_is_rejected(key: str, value: Any) -> None:
    assert names(refusal(a_position(**{key: value})), key)


@pytest.mark.parametrize("square", ["", "f3", "c6", "c0", "C3", "c03", "c3 ", "3c", "33", "c", "c３"])
def test_a_last_marker_that_is_not_a_square_is_rejected(square: str) -> None:
    assert refused(a_position(markers_placed=1, last_marker=square), "last_marker")


# Ships


@pytest.mark.parametrize("ships", [["c3", "e5"], ["a1", "c3"]])
@pytest.mark.parametrize("land", ["0", "1"])
def test_ships_on_land_are_rejected(ships: list[str], land: str) -> None:
    rows = [".....", ".....", f"..{land}..", ".....", "....."]
    assert refused(a_position(board=rows, ships=ships), "ships", "board")


def test_ships_on_the_same_square_are_rejected() -> None:
    assert refused(a_position(ships=["a1", "a1"]), "ships")


# The first turn


@pytest.mark.parametrize("entries", [{}, IN_PROGRESS, {"sea_done": True}], ids=["begins", "under way", "sea done"])
def test_a_land_action_in_turn_0_is_rejected(entries: Position) -> None:
    assert refused(a_position(turn=0, **entries), "land_done", "turn", "markers_placed", "last_marker")


# A land action in progress


@pytest.mark.parametrize(
    ("placed", "last"), [(1, None), (2, None), (0, "c3")], ids=["no last marker", "no two markers", "none placed"]
)
def test_markers_placed_and_the_last_marker_must_agree(placed: int, last: str | None) -> None:
    assert refused(a_position(markers_placed=placed, last_marker=last), "markers_placed", "last_marker")


@pytest.mark.parametrize("land_markers", [1, 2, 3, 18])
def test_a_land_action_with_all_its_markers_is_rejected(land_markers: int) -> None:
    d = position(HALF_LAND, 0, {"land_markers": land_markers}, markers_placed=land_markers, last_marker="c3")
    assert refused(d)


def test_a_land_action_with_all_the_markers_of_the_roll_is_rejected() -> None:
    assert refused(rolled(6, 2, markers_placed=2, last_marker="c3"))


@pytest.mark.parametrize("square", ["c2", "a1", "e5", "b4"], ids=["empty", "own ship", "other ship", "enemy land"])
def test_a_last_marker_that_is_not_the_movers_land_is_rejected(square: str) -> None:
    d = position("A.... ..... ..0.. .1... ....B", markers_placed=1, last_marker=square)
    assert refused(d, "last_marker", "markers_placed")


@pytest.mark.parametrize("sea_done", [False, True])
def test_a_land_action_both_done_and_in_progress_is_rejected(sea_done: bool) -> None:
    d = a_position(**IN_PROGRESS, land_done=True, sea_done=sea_done)
    assert refused(d)


# Rolls


@pytest.mark.parametrize(
    "roll", [[5], [], [5, 2, 1], [2, 5], [7, 1], [5, 0], [0, 0], [-1, -1], [5, "2"], [5.0, 2], [5, None], [True, True]]
)
def test_an_impossible_roll_is_rejected(roll: Any) -> None:
    assert refused(position(HALF_LAND, 0, DICE, roll=roll), "roll")


@pytest.mark.parametrize("roll", [52, "52", False, {"higher": 5, "lower": 2}])
def test_a_roll_that_is_not_a_list_is_rejected(roll: Any) -> None:
    assert refused(position(HALF_LAND, 0, DICE, roll=roll), "roll")


def test_a_roll_without_dice_is_rejected() -> None:
    assert refused(a_position(roll=[5, 2]), "roll")


@pytest.mark.parametrize(
    "entries",
    [{"sea_done": True}, {"land_done": True}, IN_PROGRESS],
    ids=["sea action done", "land action done", "land action in progress"],
)
def test_a_turn_in_progress_without_its_roll_is_rejected(entries: Position) -> None:
    assert refused(rolled(**entries), "roll", "markers_placed", "last_marker")


def test_a_roll_at_the_end_is_rejected() -> None:
    assert refused(position(RING, 0, DICE, roll=[5, 2], **OVER), "roll")


# A turn without a choice


@pytest.mark.parametrize(
    "d",
    [
        pytest.param(position(BLOCK, sea_done=True), id="no land marker possible"),
        pytest.param(position("A.... ..... ..... ..... ....B", sea_done=True), id="no land"),
        pytest.param(position("0.... 11111 ..... A.... ....B", sea_done=True), id="one land marker possible"),
        pytest.param(position("A1B.. ..... ..... ..... .....", 1, sea_done=True), id="one square beside the ships"),
        pytest.param(
            position("01... 0.... ..... ...A. ....B", markers_placed=1, last_marker="a1"), id="no further marker"
        ),
        pytest.param(
            position("00... 11111 ..... A.... ....B", 0, {"stop_early": False}, markers_placed=1, last_marker="b1"),
            id="one further marker and no stopping",
        ),
        pytest.param(position(RING, land_done=True), id="a ship that can only stay and place nothing"),
        pytest.param(position("AB... 00... 00... ..... ....1", 0, {"sea_range": 1}), id="stuck behind the other ship"),
        pytest.param(position("AB... 00... 00... ..... ....1", 0, DICE, roll=[1, 1]), id="stuck after a roll"),
        pytest.param(position(CAPTURED, land_done=True), id="the sea action of a captured ship"),
    ],
)
def test_a_turn_in_which_the_mover_has_no_choice_is_rejected(d: Position) -> None:
    assert refused(d)


@pytest.mark.parametrize(
    "d",
    [
        pytest.param(position("00... 11111 ..... A.... ....B", markers_placed=1, last_marker="b1"), id="or stop"),
        pytest.param(position("1A... 10... ..... ..... ....B", land_done=True), id="a ship that stays or sails"),
        pytest.param(position("A1... 10... ..... ..... ....B", land_done=True), id="two markers for a ship that stays"),
        pytest.param(position("AB... 00... 00... ..... ....1", 0, DICE), id="a roll"),
    ],
)
def test_a_turn_with_two_choices_is_accepted(d: Position) -> None:
    assert read_own(d).to_dict() == d


# The end

ENDED = {
    "a ship captured": CAPTURED,
    "both ships captured": CAPTURED.replace("B", "."),
    "a ship closed in": "...1B ....0 ..... ..... A....",
    "the mover closed in": "...1A ....0 ..... ..... B....",
    "a sea of two squares": "AB1.. 100.. ..... ..... .....",
}
ended = pytest.mark.parametrize("board", list(ENDED.values()), ids=list(ENDED))


@ended
def test_a_turn_about_to_begin_in_an_ended_game_is_rejected(board: str) -> None:
    assert refused(position(board))


@ended
def test_a_first_turn_about_to_begin_in_an_ended_game_is_rejected(board: str) -> None:
    assert refused(position(board, **TURN_0))


@ended
@pytest.mark.parametrize("roll", [None, [5, 2]], ids=["before the roll", "after the roll"])
def test_a_turn_with_dice_about_to_begin_in_an_ended_game_is_rejected(board: str, roll: list[int] | None) -> None:
    assert refused(position(board, 0, DICE, roll=roll))


@ended
def test_an_ended_game_is_accepted(board: str) -> None:
    assert read_own(position(board, **OVER)).is_terminal()


def test_an_end_with_a_turn_to_come_is_rejected() -> None:
    assert refused(position(HALF_LAND, 0, {"max_turns": 4}, turn=2, **OVER))


@pytest.mark.parametrize("board", [HALF_LAND, STRAIT, "AB.1. 100.. ..... ..... ....."])
def test_an_end_of_a_game_that_would_continue_is_rejected(board: str) -> None:
    assert refused(position(board, **OVER))


def test_an_end_of_a_game_that_would_continue_is_rejected_in_the_first_turn() -> None:
    assert refused(position(HALF_LAND, turn=0, **OVER))


def test_an_end_with_a_land_action_in_progress_is_rejected() -> None:
    assert refused(position("0.1B. ..000 ..... ..... A....", **OVER, **IN_PROGRESS))


def test_a_turn_after_the_limit_is_rejected() -> None:
    assert refused(position(HALF_LAND, 0, {"max_turns": 3}, turn=3), "turn")
