"""The rules of Falling off the Edge of the World, one by one. Each test forces the dice."""

from collections import Counter
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, product
from typing import Any

import pytest

import edge_envs

START = [0, 0, 0, 0]
ONE_LEFT = [13, 14, 14, 14]  # a move of this pawn is over the edge
FALLEN = [14, 14, 14, 14]
NUMBERS = [0, *range(4, 15)]
PLACES = ["start", *map(str, range(4, 14)), "off"]


def new_game(num_players: int = 2, play_on: bool = False) -> Any:
    """Return a new game before the first roll."""
    return edge_envs.load_game("falling_off", num_players=num_players, play_on=play_on).new_initial_state(seed=0)


def position(
    phase: str = "roll",
    dice: tuple[int, ...] = (),
    pawns: tuple[list[int], ...] = (START, START),
    turn_player: int = 0,
    turns_owed: int = 1,
    fallen: tuple[int, ...] = (),
    play_on: bool = False,
) -> Any:
    """Return a position of a game with one player per row of pawns."""
    game = edge_envs.load_game("falling_off", num_players=len(pawns), play_on=play_on)
    params = {"num_players": len(pawns), "play_on": play_on}
    return game.state_from_dict(
        {
            "game": "falling_off",
            "params": params,
            "phase": phase,
            "dice": list(dice),
            "turn_player": turn_player,
            "turns_owed": turns_owed,
            "pawns": [list(row) for row in pawns],
            "fallen": list(fallen),
        }
    )


def to_move(dice: tuple[int, ...], *rows: list[int], **others: Any) -> Any:
    """Return a position with player 0 (by default) to move with these dice; missing rows of pawns are at the start."""
    return position("move", dice, rows + (START,) * (2 - len(rows)), **others)


def play(state: Any, *texts: str) -> Any:
    """Apply these decisions and outcomes and return the state."""
    for text in texts:
        state.apply_action(state.string_to_action(text))
    return state


def texts(state: Any) -> list[str]:
    """Return the strings of the legal actions or outcomes in the order of their ids."""
    return [state.action_to_string(action) for action in state.legal_actions()]


def rerolls(*dice: int) -> list[int]:
    """Return the legal ids when these dice may be rerolled."""
    return list(position("reroll", dice).legal_actions())


def now(state: Any, *keys: str) -> tuple[Any, ...]:
    """Return some entries of the position."""
    d = state.to_dict()
    return tuple(d[key] for key in keys)


def thrown(count: int) -> list[tuple[int, ...]]:
    """Return the sorted values of `count` dice in lexicographic order."""
    return list(combinations_with_replacement(range(1, 7), count))


def dice_for(total: int) -> tuple[int, ...]:
    """Return three sorted dice with this sum."""
    return total // 3, (total + 1) // 3, (total + 2) // 3


# The facts


def test_the_defaults_are_the_original_rules_with_two_players() -> None:
    assert dict(edge_envs.load_game("falling_off").params) == {
        "num_players": 2, "play_on": False, "pawns": 4, "dice": 3, "spaces": 10, "rerolls": 1, "landing": "share",
    }  # fmt: skip


@pytest.mark.parametrize("num_players", [2, 3, 4, 5, 6])
def test_two_to_six_can_play(num_players: int) -> None:
    assert edge_envs.load_game("falling_off", num_players=num_players).num_players == num_players


@pytest.mark.parametrize("num_players", [-1, 0, 1, 7])
def test_fewer_than_two_or_more_than_six_cannot_play(num_players: int) -> None:
    with pytest.raises(ValueError, match="num_players"):
        edge_envs.load_game("falling_off", num_players=num_players)


def test_information_is_perfect() -> None:
    assert edge_envs.load_game("falling_off").perfect_information


def test_there_are_74_actions() -> None:
    assert edge_envs.load_game("falling_off").num_distinct_actions == 74


def test_there_are_at_most_56_chance_outcomes() -> None:
    assert edge_envs.load_game("falling_off").max_chance_outcomes == 56


def test_the_length_of_a_game_has_no_bound() -> None:
    assert edge_envs.load_game("falling_off").max_game_length is None


@pytest.mark.parametrize(("num_players", "play_on", "best"), [(2, False, 1), (5, False, 1 / 4), (5, True, 1)])
def test_the_worst_and_the_best_rewards_are_declared(num_players: int, play_on: bool, best: float) -> None:
    game = edge_envs.load_game("falling_off", num_players=num_players, play_on=play_on)
    assert (game.min_utility, game.max_utility) == (-1, best)


# 1. The setup


@pytest.mark.parametrize("num_players", [2, 3, 4, 5, 6])
def test_every_player_starts_with_four_pawns_at_the_start(num_players: int) -> None:
    assert new_game(num_players).to_dict()["pawns"] == [START] * num_players


def test_player_0_begins_with_one_turn_and_a_roll() -> None:
    state = new_game(3)
    assert now(state, "phase", "dice", "turn_player", "turns_owed", "fallen") == ("roll", [], 0, 1, [])


def test_the_first_roll_is_a_chance_node() -> None:
    assert new_game().current_player() == edge_envs.CHANCE


def test_the_setup_names_the_game_and_its_parameters() -> None:
    params = {"num_players": 4, "play_on": True}
    assert now(new_game(4, play_on=True), "game", "params") == ("falling_off", params)


# 2. A turn: roll, reroll, move


def test_a_roll_leads_to_the_reroll_decision_of_the_player_in_turn() -> None:
    state = play(position(turn_player=1), "roll 1 2 4")
    assert (state.current_player(), *now(state, "phase", "dice")) == (1, "reroll", [1, 2, 4])


def test_any_of_the_dice_may_be_rerolled_or_none() -> None:
    assert texts(position("reroll", (1, 2, 4))) == [
        "keep",
        "reroll 1",
        "reroll 2",
        "reroll 1 2",
        "reroll 4",
        "reroll 1 4",
        "reroll 2 4",
        "reroll 1 2 4",
    ]


def test_rerolls_of_three_different_dice_are_ids_0_to_7() -> None:
    assert rerolls(1, 2, 4) == [0, 1, 2, 3, 4, 5, 6, 7]


def test_of_two_equal_low_dice_the_lowest_id_is_legal() -> None:
    assert rerolls(4, 4, 6) == [0, 1, 3, 4, 5, 7]


def test_of_two_equal_high_dice_the_lowest_id_is_legal() -> None:
    assert rerolls(4, 6, 6) == [0, 1, 2, 3, 6, 7]


def test_of_three_equal_dice_the_lowest_ids_are_legal() -> None:
    assert rerolls(5, 5, 5) == [0, 1, 3, 7]


def test_rerolls_of_equal_dice_are_named_by_their_values() -> None:
    state = position("reroll", (4, 4, 6))
    assert texts(state) == ["keep", "reroll 4", "reroll 4 4", "reroll 6", "reroll 4 6", "reroll 4 4 6"]


def test_a_reroll_of_the_same_values_with_a_higher_id_is_illegal() -> None:
    state = position("reroll", (4, 4, 6))
    with pytest.raises(edge_envs.IllegalActionError):
        state.apply_action(2)


def test_keep_leads_straight_to_the_move() -> None:
    state = play(position("reroll", (1, 2, 4)), "keep")
    assert (state.current_player(), *now(state, "phase", "dice")) == (0, "move", [1, 2, 4])


def test_a_reroll_is_a_chance_node() -> None:
    state = play(position("reroll", (1, 2, 4)), "reroll 1 4")
    assert (state.current_player(), *now(state, "phase")) == (edge_envs.CHANCE, "rerolled")


def test_a_reroll_keeps_the_other_dice() -> None:
    assert now(play(position("reroll", (1, 2, 4)), "reroll 2"), "dice") == ([1, 4],)


def test_rerolling_one_of_two_equal_dice_keeps_the_other() -> None:
    assert now(play(position("reroll", (4, 4, 6)), "reroll 4"), "dice") == ([4, 6],)


def test_rerolling_all_dice_keeps_none() -> None:
    assert now(play(position("reroll", (1, 2, 4)), "reroll 1 2 4"), "dice") == ([],)


def test_dice_are_sorted_after_the_reroll() -> None:
    assert now(play(position("rerolled", (2, 5)), "rerolled 4"), "dice") == ([2, 4, 5],)


def test_there_is_only_one_reroll() -> None:
    state = play(position("reroll", (1, 2, 4)), "reroll 4", "rerolled 6")
    assert (state.current_player(), *now(state, "phase", "dice")) == (0, "move", [1, 2, 6])


def test_a_turn_ends_with_its_move() -> None:
    state = play(position(), "roll 1 2 4", "keep", "move start 7")
    assert now(state, "phase", "dice", "turn_player", "turns_owed") == ("roll", [], 1, 1)


# Chance: outcomes, numbering and probabilities

CHANCE_NODES = [("roll", (), 3), ("rerolled", (), 3), ("rerolled", (4,), 2), ("rerolled", (1, 4), 1)]
chance_nodes = pytest.mark.parametrize(("phase", "kept", "count"), CHANCE_NODES)


@pytest.mark.parametrize(
    ("phase", "kept", "outcomes"),
    [("roll", (), 56), ("rerolled", (), 56), ("rerolled", (4,), 21), ("rerolled", (1, 4), 6)],
)
def test_three_dice_have_56_outcomes_two_21_and_one_6(phase: str, kept: tuple[int, ...], outcomes: int) -> None:
    assert len(position(phase, kept).chance_outcomes()) == outcomes


@chance_nodes
def test_outcomes_number_from_0_in_lexicographic_order(phase: str, kept: tuple[int, ...], count: int) -> None:
    named = [" ".join([phase, *map(str, values)]) for values in thrown(count)]
    assert texts(position(phase, kept)) == named


@chance_nodes
def test_every_outcome_is_possible(phase: str, kept: tuple[int, ...], count: int) -> None:
    state = position(phase, kept)
    ids = list(range(len(thrown(count))))
    assert (list(state.legal_actions()), [outcome for outcome, _ in state.chance_outcomes()]) == (ids, ids)


@chance_nodes
def test_probabilities_are_those_of_fair_dice(phase: str, kept: tuple[int, ...], count: int) -> None:
    ways = Counter(tuple(sorted(dice)) for dice in product(range(1, 7), repeat=count))
    exact = [float(Fraction(ways[values], 6**count)) for values in thrown(count)]
    assert [p for _, p in position(phase, kept).chance_outcomes()] == pytest.approx(exact, rel=1e-12)


@pytest.mark.parametrize(("text", "ways"), [("roll 6 6 6", 1), ("roll 1 6 6", 3), ("roll 1 2 4", 6)])
def test_a_roll_is_as_likely_as_its_orders_of_216(text: str, ways: int) -> None:
    state = position()
    assert dict(state.chance_outcomes())[state.string_to_action(text)] == pytest.approx(ways / 216, rel=1e-12)


def test_only_sorted_dice_are_a_roll() -> None:
    with pytest.raises(edge_envs.IllegalActionError):
        position().string_to_action("roll 4 2 1")


# 3. Moves


def test_any_of_the_dice_may_be_summed() -> None:
    moves = [f"move start {place}" for place in (4, 5, 6, 9, 10, 11, "off")]
    assert texts(to_move((4, 5, 6))) == moves


def test_sums_below_4_name_no_space() -> None:
    assert texts(to_move((1, 1, 2))) == ["move start 4"]


def test_a_sum_of_4_names_the_first_space() -> None:
    assert "move start 4" in texts(to_move((4, 6, 6)))


def test_a_sum_of_13_names_the_last_space() -> None:
    assert texts(to_move((1, 6, 6))) == [f"move start {space}" for space in (6, 7, 12, 13)]


def test_a_sum_of_14_is_over_the_edge() -> None:
    assert texts(to_move((2, 6, 6))) == [f"move start {place}" for place in (6, 8, 12, "off")]


def test_a_sum_over_14_is_over_the_edge() -> None:
    assert texts(to_move((5, 6, 6))) == [f"move start {place}" for place in (5, 6, 11, 12, "off")]


def test_three_sixes_name_6_and_12_and_the_edge() -> None:
    assert texts(to_move((6, 6, 6))) == ["move start 6", "move start 12", "move start off"]


def test_a_pawn_moves_to_the_number_not_that_many_steps() -> None:
    assert now(play(to_move((1, 1, 6), [0, 0, 0, 5]), "move 5 6"), "pawns") == ([[0, 0, 0, 6], START],)


def test_only_pawns_on_lower_numbers_move() -> None:
    assert texts(to_move((1, 1, 6), [5, 7, 8, 9])) == ["move 5 6", "move 5 7", "move 5 8", "move 7 8"]


def test_a_pawn_does_not_move_to_the_space_it_stands_on() -> None:
    assert texts(to_move((1, 1, 4), [5, 5, 5, 6])) == ["move 5 6"]


def test_pawns_at_the_start_and_in_the_world_may_move() -> None:
    moves = ["move start 12", "move start off", "move 6 12", "move 6 off", "move 12 off", "move 13 off"]
    assert texts(to_move((6, 6, 6), [0, 6, 12, 13])) == ["move start 6", *moves]


def test_equal_pawns_make_one_move() -> None:
    assert texts(to_move((1, 1, 3), [4, 4, 4, 4])) == ["move 4 5"]


def test_equal_sums_make_one_move() -> None:
    assert texts(to_move((2, 3, 5), [4, 4, 4, 4])) == ["move 4 5", "move 4 7", "move 4 8", "move 4 10"]


def test_one_of_equal_pawns_moves_and_the_others_stay() -> None:
    assert now(play(to_move((1, 1, 3), [4, 4, 4, 9]), "move 4 5"), "pawns") == ([[4, 4, 5, 9], START],)


def test_pawns_over_the_edge_do_not_move() -> None:
    assert texts(to_move((4, 4, 4), [9, 14, 14, 14])) == ["move 9 12"]


def test_a_move_over_the_edge_takes_the_pawn_out_of_the_game() -> None:
    assert now(play(to_move((2, 6, 6), [0, 5, 5, 9]), "move 5 off"), "pawns") == ([[0, 5, 9, 14], START],)


def test_a_pawn_at_the_start_may_go_straight_over_the_edge() -> None:
    assert now(play(to_move((6, 6, 6)), "move start off"), "pawns") == ([[0, 0, 0, 14], START],)


def test_a_pawn_on_13_moves_over_the_edge_only() -> None:
    assert texts(to_move((2, 6, 6), [13, 13, 13, 13])) == ["move 13 off"]


def test_pawns_of_one_player_share_a_space() -> None:
    assert now(play(to_move((1, 2, 4), [0, 0, 0, 7]), "move start 7"), "pawns") == ([[0, 0, 7, 7], START],)


def test_pawns_of_different_players_share_a_space() -> None:
    state = to_move((1, 2, 4), START, [0, 0, 0, 7])
    assert now(play(state, "move start 7"), "pawns") == ([[0, 0, 0, 7], [0, 0, 0, 7]],)


def test_a_player_cannot_move_the_pawns_of_others() -> None:
    assert texts(to_move((1, 1, 6), [6, 6, 6, 6], START)) == ["move 6 7", "move 6 8"]


def test_the_player_in_turn_moves_their_own_pawns() -> None:
    state = play(to_move((1, 1, 2), START, [0, 5, 5, 5], turn_player=1), "move start 4")
    assert now(state, "pawns") == ([START, [4, 5, 5, 5]],)


# Action ids


@pytest.mark.parametrize(("number", "places"), list(enumerate(combinations(range(12), 2))))
def test_moves_are_ids_8_to_73_ordered_by_from_then_to(number: int, places: tuple[int, int]) -> None:
    start, end = places
    state = to_move(dice_for(NUMBERS[end]), [NUMBERS[start], 14, 14, 14])
    assert state.string_to_action(f"move {PLACES[start]} {PLACES[end]}") == 8 + number


def test_moves_are_listed_by_id() -> None:
    state = to_move((6, 6, 6), [0, 6, 12, 13])
    assert list(state.legal_actions()) == [10, 16, 18, 43, 45, 72, 73]


# 4. A player must move


def test_a_player_who_can_move_cannot_pass() -> None:
    assert texts(to_move((4, 4, 4), [8, 8, 9, 13])) == ["move 8 12", "move 9 12"]


def test_a_player_must_move_even_when_every_move_is_over_the_edge() -> None:
    assert texts(to_move((6, 6, 6), [12, 13, 13, 14])) == ["move 12 off", "move 13 off"]


def test_a_player_must_move_even_when_the_only_move_loses() -> None:
    assert texts(to_move((4, 5, 6), ONE_LEFT)) == ["move 13 off"]


def test_keep_is_illegal_at_the_move_decision() -> None:
    with pytest.raises(edge_envs.IllegalActionError):
        to_move((4, 4, 4), [8, 8, 8, 8]).apply_action(0)


def test_keeping_dice_that_allow_no_move_is_legal() -> None:
    assert "keep" in texts(position("reroll", (1, 1, 1)))


def test_rerolls_do_not_depend_on_the_available_moves() -> None:
    assert texts(position("reroll", (4, 5, 6), ([13] * 4, START))) == texts(position("reroll", (4, 5, 6)))


# 5. Storms


def test_a_storm_owes_two_more_turns() -> None:
    assert now(play(position("reroll", (1, 1, 1)), "keep"), "turns_owed") == (2,)


def test_a_storm_leads_straight_to_the_roll_of_the_same_player() -> None:
    state = play(position("reroll", (1, 1, 1), turn_player=1), "keep")
    assert (state.current_player(), *now(state, "phase", "dice", "turn_player")) == (edge_envs.CHANCE, "roll", [], 1)


def test_a_storm_can_also_follow_a_reroll() -> None:
    state = play(position("rerolled", (1, 1)), "rerolled 1")
    assert now(state, "phase", "dice", "turn_player", "turns_owed") == ("roll", [], 0, 2)


def test_a_storm_cannot_come_before_the_reroll_decision() -> None:
    assert now(play(position(), "roll 1 1 1"), "phase", "turns_owed") == ("reroll", 1)


def test_a_storm_moves_no_pawn() -> None:
    pawns = ([8, 8, 9, 13], [0, 4, 5, 6])
    assert now(play(position("reroll", (1, 2, 3), pawns), "keep"), "pawns") == ([list(row) for row in pawns],)


def test_low_dice_cause_a_storm_for_pawns_on_high_numbers() -> None:
    state = play(position("reroll", (1, 2, 3), ([8, 8, 8, 8], START)), "keep")
    assert now(state, "phase", "turns_owed") == ("roll", 2)


def test_dice_that_name_the_spaces_of_all_pawns_cause_a_storm() -> None:
    state = play(position("reroll", (1, 1, 4), ([6, 6, 6, 6], START)), "keep")
    assert now(state, "phase", "turns_owed") == ("roll", 2)


def test_dice_that_can_move_one_pawn_do_not_cause_a_storm() -> None:
    state = play(position("reroll", (1, 1, 4), ([5, 6, 6, 6], START)), "keep")
    assert now(state, "phase", "turns_owed") == ("move", 1)


def test_pawns_of_others_do_not_prevent_a_storm() -> None:
    state = play(position("reroll", (1, 2, 4), ([8, 8, 8, 8], START)), "keep")
    assert now(state, "phase", "turns_owed") == ("roll", 2)


@pytest.mark.parametrize("owed", [1, 2, 3, 10, 60])
def test_a_storm_in_an_owed_turn_owes_one_turn_more_than_before(owed: int) -> None:
    assert now(play(position("reroll", (1, 1, 1), turns_owed=owed), "keep"), "turns_owed") == (owed + 1,)


def test_storms_add_up() -> None:
    state = play(position(), "roll 1 1 1", "keep", "roll 1 1 2", "reroll 2", "rerolled 1")
    assert now(state, "phase", "turn_player", "turns_owed") == ("roll", 0, 3)


def test_there_is_no_cap_on_storms() -> None:
    state = position()
    for _ in range(500):
        play(state, "roll 1 1 1", "keep")
    assert now(state, "turn_player", "turns_owed") == (0, 501)


def test_a_move_in_an_owed_turn_spends_it() -> None:
    state = play(to_move((1, 2, 4), turns_owed=2), "move start 7")
    assert now(state, "phase", "dice", "turn_player", "turns_owed") == ("roll", [], 0, 1)


def test_the_last_owed_turn_passes_to_the_next_player() -> None:
    state = play(to_move((1, 2, 4), turns_owed=1), "move start 7")
    assert now(state, "phase", "turn_player", "turns_owed") == ("roll", 1, 1)


def test_after_a_storm_two_turns_are_played_before_the_next_player() -> None:
    turn = ("roll 1 2 4", "keep", "move start 7")
    state = play(position(), "roll 1 1 1", "keep", *turn, *turn)
    assert now(state, "turn_player", "turns_owed", "pawns") == (1, 1, [[0, 0, 7, 7], START])


def test_in_every_owed_turn_dice_may_be_rerolled() -> None:
    state = play(position(turns_owed=2), "roll 1 2 4", "reroll 4", "rerolled 5", "move start 8", "roll 1 2 4")
    assert "reroll 4" in texts(state)


def test_the_last_player_passes_to_the_first() -> None:
    state = play(to_move((1, 2, 4), START, START, START, turn_player=2), "move start 7")
    assert now(state, "turn_player", "turns_owed") == (0, 1)


# 6. Falling, and the end without playing on

players = pytest.mark.parametrize("num_players", [2, 3, 4, 5, 6])


def last_pawn(faller: int, num_players: int, play_on: bool = False, turns_owed: int = 1) -> Any:
    """Return a position in which `faller` moves their last pawn over the edge as the first to fall."""
    pawns = tuple(ONE_LEFT if player == faller else START for player in range(num_players))
    return position("move", (6, 6, 6), pawns, faller, turns_owed, play_on=play_on)


def test_the_third_pawn_over_the_edge_does_not_end_the_game() -> None:
    state = play(to_move((6, 6, 6), [0, 13, 14, 14]), "move 13 off")
    assert now(state, "phase", "fallen") == ("roll", [])


@players
def test_the_first_fall_ends_the_game(num_players: int) -> None:
    assert play(last_pawn(num_players - 1, num_players), "move 13 off").is_terminal()


@players
def test_the_first_to_fall_loses_and_all_others_win(num_players: int) -> None:
    state = play(last_pawn(1, num_players), "move 13 off")
    win = 1 / (num_players - 1)
    assert state.rewards() == pytest.approx([win, -1.0] + [win] * (num_players - 2), rel=1e-12)


def test_at_the_end_no_turns_are_owed_and_there_are_no_dice() -> None:
    state = play(last_pawn(1, 3, turns_owed=4), "move 13 off")
    assert now(state, "phase", "dice", "turns_owed") == ("over", [], 0)


def test_the_end_names_the_player_who_fell_last() -> None:
    assert now(play(last_pawn(1, 3), "move 13 off"), "turn_player", "fallen") == (1, [1])


def test_nobody_acts_after_the_end() -> None:
    state = play(last_pawn(0, 2), "move 13 off")
    assert (state.current_player(), list(state.legal_actions())) == (edge_envs.TERMINAL, [])


def test_turns_still_owed_do_not_delay_the_end() -> None:
    assert play(last_pawn(0, 2, turns_owed=5), "move 13 off").is_terminal()


# 6. Falling, and playing on


def test_the_others_play_on() -> None:
    state = play(last_pawn(0, 3, play_on=True), "move 13 off")
    assert now(state, "phase", "dice", "turn_player", "turns_owed", "fallen") == ("roll", [], 1, 1, [0])


def test_a_fallen_player_is_out_at_once_even_with_turns_owed() -> None:
    state = play(last_pawn(0, 3, play_on=True, turns_owed=5), "move 13 off")
    assert now(state, "phase", "turn_player", "turns_owed") == ("roll", 1, 1)


def test_a_fall_with_others_left_has_no_reward_yet() -> None:
    assert list(play(last_pawn(0, 3, play_on=True), "move 13 off").rewards()) == [0.0, 0.0, 0.0]


def test_a_fallen_player_gets_no_turns() -> None:
    state = to_move((1, 2, 4), START, FALLEN, START, fallen=(1,), play_on=True)
    assert now(play(state, "move start 7"), "turn_player", "turns_owed") == (2, 1)


def test_a_fallen_first_player_gets_no_turns_either() -> None:
    state = to_move((1, 2, 4), FALLEN, START, START, turn_player=2, fallen=(0,), play_on=True)
    assert now(play(state, "move start 7"), "turn_player") == (1,)


def test_all_fallen_players_in_a_row_are_skipped() -> None:
    rows = (START, FALLEN, FALLEN, START, FALLEN)
    state = to_move((1, 2, 4), *rows, fallen=(2, 4, 1), play_on=True)
    assert now(play(state, "move start 7"), "turn_player") == (3,)


def test_after_a_fall_the_next_player_still_in_play_follows() -> None:
    rows = (ONE_LEFT, FALLEN, START, START)
    state = to_move((6, 6, 6), *rows, fallen=(1,), play_on=True)
    assert now(play(state, "move 13 off"), "turn_player", "fallen") == (2, [1, 0])


@players
def test_playing_on_ends_when_one_player_is_left(num_players: int) -> None:
    rows = [FALLEN] * (num_players - 2) + [START, ONE_LEFT]
    fallen = tuple(range(num_players - 2))
    state = to_move((6, 6, 6), *rows, turn_player=num_players - 1, fallen=fallen, play_on=True)
    assert play(state, "move 13 off").is_terminal()


def test_the_last_one_left_is_not_among_the_fallen() -> None:
    state = to_move((6, 6, 6), START, ONE_LEFT, FALLEN, turn_player=1, fallen=(2,), play_on=True)
    assert now(play(state, "move 13 off"), "phase", "fallen", "turn_player") == ("over", [2, 1], 1)


def test_two_players_left_play_on() -> None:
    state = to_move((6, 6, 6), START, ONE_LEFT, FALLEN, START, turn_player=1, fallen=(2,), play_on=True)
    assert now(play(state, "move 13 off"), "phase", "turn_player") == ("roll", 3)


def test_a_storm_in_a_game_of_two_left_owes_two_more_turns() -> None:
    state = position("reroll", (1, 1, 1), (START, FALLEN, START), fallen=(1,), play_on=True)
    assert now(play(state, "keep"), "phase", "turn_player", "turns_owed") == ("roll", 0, 2)


# 7. Rewards


@pytest.mark.parametrize(
    ("phase", "dice", "text"),
    [
        ("roll", (), "roll 1 2 4"),
        ("reroll", (1, 2, 4), "keep"),
        ("reroll", (1, 1, 1), "keep"),
        ("reroll", (1, 2, 4), "reroll 4"),
        ("rerolled", (1, 2), "rerolled 6"),
        ("move", (1, 2, 4), "move start 7"),
        ("move", (6, 6, 6), "move start off"),
    ],
)
def test_rewards_before_the_end_are_zero(phase: str, dice: tuple[int, ...], text: str) -> None:
    assert list(play(position(phase, dice), text).rewards()) == [0.0, 0.0]


@pytest.mark.parametrize(
    ("num_players", "values"),
    [
        (2, [-1, 1]),
        (3, [-1, 0, 1]),
        (4, [-1, -1 / 3, 1 / 3, 1]),
        (5, [-1, -1 / 2, 0, 1 / 2, 1]),
        (6, [-1, -3 / 5, -1 / 5, 1 / 5, 3 / 5, 1]),
    ],
)
def test_places_map_linearly_to_rewards(num_players: int, values: list[float]) -> None:
    rows = [FALLEN] * (num_players - 2) + [ONE_LEFT, START]
    fallen = tuple(range(num_players - 2))
    state = to_move((6, 6, 6), *rows, turn_player=num_players - 2, fallen=fallen, play_on=True)
    assert play(state, "move 13 off").rewards() == pytest.approx(values, rel=1e-12, abs=1e-12)


def test_places_follow_the_order_of_the_falls() -> None:
    rows = (FALLEN, START, FALLEN, ONE_LEFT)
    state = to_move((6, 6, 6), *rows, turn_player=3, fallen=(2, 0), play_on=True)
    assert play(state, "move 13 off").rewards() == pytest.approx([-1 / 3, 1, -1, 1 / 3], rel=1e-12)


@players
@pytest.mark.parametrize("play_on", [False, True])
def test_rewards_are_zero_sum(num_players: int, play_on: bool) -> None:
    state = new_game(num_players, play_on)
    while not state.is_terminal():
        play(state, "roll 6 6 6", "keep", "move start off")
    assert sum(state.rewards()) == pytest.approx(0, abs=1e-12)


def test_with_two_players_play_on_does_not_change_the_rewards() -> None:
    assert list(play(last_pawn(0, 2, play_on=True), "move 13 off").rewards()) == [-1.0, 1.0]


def test_a_player_can_fall_after_four_moves() -> None:
    state = new_game()
    play(state, *("roll 6 6 6", "keep", "move start off") * 7)
    assert now(state, "phase", "fallen", "pawns") == ("over", [0], [FALLEN, [0, 14, 14, 14]])


def test_three_sixes_kept_move_a_pawn_wherever_it_stands() -> None:
    stuck = [pawn for pawn in [0, *range(4, 14)] if not texts(to_move((6, 6, 6), [pawn, 14, 14, 14]))]
    assert stuck == []


def test_six_sixes_move_a_pawn_whatever_is_rerolled() -> None:
    state = play(position("roll", (), ([13] * 4, START)), "roll 6 6 6", "reroll 6 6 6", "rerolled 6 6 6")
    assert texts(state) == ["move 13 off"]


def test_a_player_can_make_44_moves_and_no_more() -> None:
    state = new_game()
    steps = [step for step in range(11) for _ in range(4)]
    for count, step in enumerate(steps, start=1):
        dice = " ".join(map(str, dice_for(NUMBERS[step + 1])))
        turn = (f"roll {dice}", "keep", f"move {PLACES[step]} {PLACES[step + 1]}")
        play(state, *turn * (1 if count == 44 else 2))
    assert now(state, "phase", "fallen", "pawns") == ("over", [0], [FALLEN, ONE_LEFT])


# Rewards of positions read from JSON


def test_an_end_read_from_json_has_its_rewards() -> None:
    state = position("over", (), (FALLEN, START, START), turns_owed=0, fallen=(0,))
    assert state.rewards() == pytest.approx([-1, 1 / 2, 1 / 2], rel=1e-12)


def test_an_end_after_playing_on_read_from_json_has_its_rewards() -> None:
    rows = (FALLEN, START, FALLEN)
    state = position("over", (), rows, turn_player=0, turns_owed=0, fallen=(2, 0), play_on=True)
    assert state.rewards() == pytest.approx([0, 1, -1], abs=1e-12)


def test_returns_of_a_game_are_the_rewards_of_its_end() -> None:
    assert list(play(last_pawn(1, 2), "move 13 off").returns()) == [1.0, -1.0]
