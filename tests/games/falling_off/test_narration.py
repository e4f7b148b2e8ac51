"""Narration of `falling_off`: a position that triggers each event, and each kind of result."""

from __future__ import annotations

import html
from typing import Any

import pytest

import edge_envs
from edge_envs import State


def at(text_pawns: str, phase: str = "move", **entries: Any) -> State:
    """Return a position from the pawns of each player, such as `0 0 4 9 / 5 5 14 14`."""
    pawns = [sorted(map(int, row.split())) for row in text_pawns.split("/")]
    params = {"num_players": len(pawns), "play_on": bool(entries.pop("play_on", False))}
    position = {
        "game": "falling_off", "params": params, "phase": phase, "dice": [], "turn_player": 0, "turns_owed": 1,
        "pawns": pawns, "fallen": [player for player, row in enumerate(pawns) if row == [14] * 4], **entries,
    }  # fmt: skip
    return edge_envs.load_game("falling_off", **params).state_from_dict(position, seed=0)


def narrated(state: State, *texts: str) -> str:
    """Return the last string of the history after these actions."""
    for text in texts:
        state.apply_action(state.string_to_action(text))
    return state.history_strings()[-1]


def test_a_roll_names_the_player_who_rolls() -> None:
    assert narrated(at("0 0 0 0 / 0 0 0 0", "roll", turn_player=1), "roll 1 2 4") == "player 1: roll 1 2 4"


def test_a_storm_after_keeping_the_dice() -> None:
    state = at("9 9 9 9 / 0 0 0 0", "reroll", dice=[1, 1, 1])
    storm = "No sum moves a pawn: a storm! Player 0 owes two more turns."
    assert narrated(state, "keep") == f"player 0: keep. {storm}"
    assert storm in html.unescape(state.svg())
    state.apply_action(state.string_to_action("roll 1 2 3"))
    assert state.latest_events() == [storm]
    assert storm in html.unescape(state.svg())


def test_a_storm_after_a_reroll_with_turns_owed() -> None:
    state = at("9 9 9 9 / 0 0 0 0", "reroll", dice=[1, 1, 1], turns_owed=3)
    assert narrated(state, "reroll 1", "rerolled 2") == (
        "player 0: rerolled 2. No sum moves a pawn: a storm! Player 0 owes two more turns, 4 in all."
    )


def test_dice_that_can_move_a_pawn_do_not_cause_a_storm() -> None:
    assert narrated(at("0 0 0 0 / 0 0 0 0", "reroll", dice=[1, 1, 2]), "keep") == "player 0: keep"


@pytest.mark.parametrize(("owed", "left"), [(2, "1 turn"), (4, "3 turns")])
def test_turns_still_owed(owed: int, left: str) -> None:
    state = at("0 0 0 0 / 0 0 0 0", dice=[1, 1, 2], turns_owed=owed)
    assert narrated(state, "move start 4") == f"player 0: move start 4. Player 0 still owes {left}."


def test_a_move_in_the_last_owed_turn_has_no_event() -> None:
    assert narrated(at("0 0 0 0 / 0 0 0 0", dice=[1, 1, 2]), "move start 4") == "player 0: move start 4"


@pytest.mark.parametrize(("others", "left"), [("0 0 0", "3 are left"), ("0 14 14", "1 is left")])
def test_a_falling_pawn(others: str, left: str) -> None:
    state = at(f"13 {others} / 0 0 0 0", dice=[4, 5, 6])
    assert narrated(state, "move 13 off") == f"player 0: move 13 off. A pawn of player 0 falls over the edge; {left}."


def test_the_fall_of_the_last_pawn_ends_the_game() -> None:
    state = at("13 14 14 14 / 9 9 14 14", dice=[4, 5, 6])
    assert narrated(state, "move 13 off") == (
        "player 0: move 13 off. The last pawn of player 0 falls over the edge: player 0 has lost all pawns."
    )
    assert state.result() == "Player 1 wins: player 0 has lost all pawns."
    assert str(state).splitlines()[-1] == f"over: {state.result()}"


def test_all_others_win_when_the_first_falls() -> None:
    state = at("9 9 9 9 / 13 14 14 14 / 9 9 9 9", dice=[4, 5, 6], turn_player=1)
    narrated(state, "move 13 off")
    assert state.result() == "Players 0 and 2 win: player 1 has lost all pawns."


def test_a_player_who_falls_while_others_play_on_takes_a_place_and_owes_no_turns() -> None:
    state = at("9 9 9 9 / 13 14 14 14 / 9 9 9 9", dice=[4, 5, 6], turn_player=1, turns_owed=3, play_on=True)
    assert narrated(state, "move 13 off") == (
        "player 1: move 13 off. The last pawn of player 1 falls over the edge: player 1 has lost all pawns. "
        "Player 1 is out and takes place 3. Player 1 no longer owes any turns."
    )
    assert not state.is_terminal()


def test_the_result_states_the_order_in_which_players_fell() -> None:
    state = at("13 14 14 14 / 14 14 14 14 / 9 9 9 9", dice=[4, 5, 6], play_on=True)
    assert narrated(state, "move 13 off").endswith("Player 0 is out and takes place 2.")
    assert state.result() == "Player 2 wins: the others have lost all pawns, first player 1, then player 0."
