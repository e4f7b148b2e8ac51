"""Narration of `beyond_maps`: a position that triggers each event, and each kind of result."""

from __future__ import annotations

import html
from typing import Any

import pytest

import edge_envs
from edge_envs import State
from tests.reference.beyond_maps import position


def at(board: str, turn_player: int = 0, **entries: Any) -> State:
    d = position(board, turn_player, **entries)
    return edge_envs.load_game("beyond_maps", **d["params"]).state_from_dict(d, seed=0)


def narrated(state: State, *texts: str) -> str:
    """Return the last string of the history after these actions, without the name of the player."""
    for text in texts:
        state.apply_action(state.string_to_action(text))
    return state.history_strings()[-1].partition(": ")[2]


SEA_DONE = {"sea_done": True}


def test_a_free_sail_and_a_marker_on_an_empty_square_have_no_event() -> None:
    assert narrated(at("..... .A... ..... .00.. ....B"), "sea b1 e") == "sea b1 e"


def test_a_marker_that_replaces_land() -> None:
    state = at("..... .A1.. ..... .00.. ....B")
    assert narrated(state, "sea b2 e") == "sea b2 e. The marker replaces land of player 1 on c2."


def test_surrounded_squares() -> None:
    state = at("A.... .00.. 0..0. .0... ....B", **SEA_DONE)
    assert narrated(state, "land c4", "stop") == "stop. Player 0 surrounds 2 squares (b3 c3): new land of player 0."


def test_many_surrounded_squares_are_counted() -> None:
    state = at("A...... ..0000. .0....0 .0....0 .0....0 ..000.. ......B", **SEA_DONE)
    assert narrated(state, "land f6", "stop") == "stop. Player 0 surrounds 12 squares: new land of player 0."


def test_falling_enemy_land() -> None:
    state = at("A.... .00.. 0110. .0... ....B", **SEA_DONE)
    assert narrated(state, "land c4", "stop") == "stop. Land of player 1 falls to player 0: 2 squares (b3 c3)."


def test_a_surrounded_and_captured_ship() -> None:
    state = at("A.... ..0.. .0B0. ...0. .....", **SEA_DONE)
    assert narrated(state, "land c4", "stop") == (
        "stop. Player 0 surrounds 1 square (c3): new land of player 0. "
        "Ship B is surrounded and captured: the game ends with this turn. "
        "The game is over: ship B is surrounded and captured."
    )
    assert state.result() == "Player 0 wins: ship B is surrounded and captured; land 6 : 0."
    assert f"over: {state.result()}" in str(state)
    assert state.result() in html.unescape(state.svg())


def test_a_closed_in_ship() -> None:
    state = at("A.... ..... ..... ..001 ....B", **SEA_DONE)
    assert narrated(state, "land d5").startswith("land d5. Ship B is surrounded: the game ends with this turn.")
    assert narrated(state, "stop") == "stop. The game is over: ship B is surrounded."
    assert state.result() == "Player 0 wins: ship B is surrounded; land 3 : 1."


def test_an_action_without_a_choice() -> None:
    """The second marker can only go on one square, and the land action cannot stop early."""
    state = at("...1. A.0.. ..... ..... ....B", params={"stop_early": False, "land_markers": 2}, **SEA_DONE)
    assert narrated(state, "land c1") == "land c1. Player 0 has only one choice: land b1."


def test_a_marker_that_cannot_be_followed_by_another() -> None:
    state = at(".1..A 0.... ..... ..... ....B", **SEA_DONE)
    assert narrated(state, "land a1") == "land a1. No further marker can be placed."


def test_an_impossible_land_action_is_skipped() -> None:
    state = at("A.... ..... ..... 00... 00..B")
    assert narrated(state, "sea e1 -") == "sea e1 -. Player 0 cannot place a marker, so there is no land action."


def test_a_captured_ship_does_not_sail() -> None:
    """The first marker closes in the other ship, so the second may capture the mover's own ship."""
    state = at("..... ...0. ..0A0 ....0 ..0.B")
    assert narrated(state, "land d5", "land d4", "stop") == (
        "stop. Player 0 surrounds 1 square (d3): new land of player 0. "
        "Ship A is surrounded and captured: the game ends with this turn. "
        "Ship A is captured, so player 0 does not sail. The game is over: both ships are surrounded."
    )


@pytest.mark.parametrize(
    ("roll", "limits"),
    [("roll 5 2", "up to 5 steps and place up to 2 markers"), ("roll 1 1", "up to 1 step and place up to 1 marker")],
)
def test_dice_set_the_limits(roll: str, limits: str) -> None:
    state = at("A.... ..... ..... ..... ....B", 1, params={"dice": True})
    assert state.is_chance_node()
    state.apply_action(state.string_to_action(roll))
    assert state.history_strings() == [f"player 1: {roll}. Player 1 may sail {limits}."]


def test_in_the_first_turn_dice_limit_only_the_sail() -> None:
    state = edge_envs.load_game("beyond_maps", size=5, dice=True).new_initial_state(seed=0)
    assert narrated(state, "roll 4 2") == "roll 4 2. Player 0 may sail up to 4 steps."


def test_the_last_turn_ends_the_game() -> None:
    state = at("A.... ..... ..... .0... ....B", turn=5, params={"max_turns": 6}, land_done=True)
    assert narrated(state, "sea a1 e") == "sea a1 e. The game is over: all 6 turns are over."
    assert state.result() == "Player 0 wins: all 6 turns are over; land 2 : 0."


@pytest.mark.parametrize(
    ("board", "turn", "result"),
    [
        ("000.. 000.. 000.. ..... ....B", 2, "Player 0 wins: ship A is surrounded and captured; land 9 : 0."),
        ("000.. 000.. 00011 ...11 ...11", 2, "Player 0 wins: both ships are surrounded and captured; land 9 : 6."),
        ("A.... ..... ..... .1001 ...0B", 2, "Player 0 wins: ship B is surrounded; land 3 : 2."),
        ("A0... 0.... ..... ....1 ...1B", 2, "A draw: both ships are surrounded; land 2 : 2."),
        ("...1A ...1B ...00 ..... .....", 2, "A draw: the ships cannot move; land 2 : 2."),
        ("A.... ..1.. ..... ..... ....B", 399, "Player 1 wins: all 400 turns are over; land 0 : 1."),
    ],
)
def test_results(board: str, turn: int, result: str) -> None:
    state = at(board, turn=turn, sea_done=True, land_done=True)
    assert state.is_terminal()
    assert state.result() == result
