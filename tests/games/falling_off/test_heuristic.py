"""Heuristic of Falling off the Edge of the World in clear-cut positions. The dice are forced."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import edge_envs
from tests.games.falling_off.test_rules import FALLEN, ONE_LEFT, START, play, position, to_move
from tests.readers import position_seen, turn_number

ON_10 = [10, 10, 10, 10]
ON_13 = [13, 13, 13, 13]


def choice(state: Any) -> str:
    """Return the action that the heuristic chooses."""
    return str(state.action_to_string(state.heuristic_action()))


def choice_with(state: Any, **weights: float) -> str:
    """Return the action that the heuristic chooses with these weights."""
    return str(state.action_to_string(int(state.action_values(weights).argmax())))


def to_reroll(dice: tuple[int, ...], pawns: list[int]) -> Any:
    """Return a two-player position in which player 0 may reroll these dice."""
    return position("reroll", dice, (pawns, START))


def value(state: Any, text: str, **weights: float) -> float:
    """Return the value of an action."""
    return float(state.action_values(weights)[state.string_to_action(text)])


# Moves


@pytest.mark.parametrize(
    ("dice", "pawns", "wanted"),
    [
        ((3, 4, 5), START, "move start 4"),
        ((5, 6, 6), ON_10, "move 10 11"),
        ((5, 6, 6), [12, 13, 13, 13], "move 12 off"),
    ],
)
def test_it_makes_the_smallest_move_that_the_dice_allow(dice: tuple[int, ...], pawns: list[int], wanted: str) -> None:
    assert choice(to_move(dice, pawns)) == wanted


# Rerolls


@pytest.mark.parametrize("dice", [(1, 1, 2), (1, 2, 2), (3, 4, 5), (1, 4, 6)])
def test_it_keeps_dice_with_the_smallest_move(dice: tuple[int, ...]) -> None:
    assert choice(to_reroll(dice, START)) == "keep"


@pytest.mark.parametrize("dice", [(5, 6, 6), (6, 6, 6)])
def test_it_rerolls_high_dice(dice: tuple[int, ...]) -> None:
    assert choice(to_reroll(dice, START)) == f"reroll {' '.join(map(str, dice))}"


@pytest.mark.parametrize(("dice", "pawns"), [((1, 1, 1), START), ((1, 2, 2), ON_10), ((1, 1, 1), ON_13)])
def test_it_rerolls_dice_that_would_cause_a_storm(dice: tuple[int, ...], pawns: list[int]) -> None:
    assert choice(to_reroll(dice, pawns)) == f"reroll {' '.join(map(str, dice))}"


@pytest.mark.parametrize(("dice", "pawns"), [((5, 6, 6), ON_10), ((5, 6, 6), ON_13), ((6, 6, 6), ON_13)])
def test_it_keeps_dice_that_allow_a_move_when_a_reroll_risks_a_storm(dice: tuple[int, ...], pawns: list[int]) -> None:
    assert choice(to_reroll(dice, pawns)) == "keep"


def test_with_storm_weight_zero_it_prefers_a_storm() -> None:
    assert choice_with(to_reroll((1, 1, 1), START), storm=0.0) == "keep"
    assert choice_with(to_reroll((5, 6, 6), ON_13), storm=0.0) == "reroll 5 6 6"


def test_it_rerolls_fewer_dice_the_more_a_storm_costs() -> None:
    state = to_reroll((6, 6, 6), ON_10)
    assert [choice_with(state, storm=cost) for cost in (0.0, 2.0, 20.0)] == ["reroll 6 6 6", "reroll 6 6", "reroll 6"]


def test_it_keeps_good_dice_in_the_owed_turn_after_a_storm() -> None:
    state = play(to_reroll((1, 1, 1), START), "reroll 1 1 1", "rerolled 1 1 1", "roll 3 4 5")
    assert (choice(state), state.to_dict()["turns_owed"]) == ("keep", 2)


# Values


def test_the_value_of_a_move_is_the_turns_left_after_it() -> None:
    assert value(to_move((3, 4, 5)), "move start 4") == pytest.approx(3 * 10.46 + 9.47 - 3.14)


def test_a_storm_costs_two_turns() -> None:
    assert value(to_reroll((1, 1, 1), START), "keep") == pytest.approx(4 * 10.46 - 3.14 - 2)


def test_the_value_of_a_reroll_is_the_mean_over_its_outcomes() -> None:
    best = {
        1: -2.0,
        2: 9.47 - 10.46,
        3: 9.47 - 10.46,
        4: 9.47 - 10.46,
        5: 8.44 - 10.46,
        6: 7.35 - 10.46,
    }  # 1 1 and this
    state = to_reroll((1, 1, 1), START)
    assert value(state, "reroll 1") == pytest.approx(4 * 10.46 - 3.14 + sum(best.values()) / 6)


@pytest.mark.parametrize(
    ("pawns", "owed", "features"),
    [
        (START, 1, [4 * 10.46 - 3.14, 1, 4, 0]),
        ([0, 4, 9, 14], 3, [10.46 + 9.47 + 4.28 - 3.14, 3, 3, 0]),
        ([9, 10, 13, 13], 2, [4.28 + 3.28 + 2 * 0.91 - 3.52, 2, 4, 0]),
    ],
)
def test_position_features(pawns: list[int], owed: int, features: list[float]) -> None:
    state = position(pawns=(START, pawns), turn_player=1, turns_owed=owed)
    assert state.position_features(1) == pytest.approx(np.array([features, [4 * 10.46 - 3.14, 0, 4, 0]]))


def test_a_fallen_player_has_no_turns_left() -> None:
    state = position(pawns=(FALLEN, ONE_LEFT, START), turn_player=1, fallen=(0,), play_on=True)
    assert state.position_features(2)[1].tolist() == [0, 0, 0, 1]


# Turns


def test_the_turn_number_stays_the_same_until_the_move() -> None:
    state = position()
    number = turn_number(state)
    for text in ("roll 6 6 6", "reroll 6", "rerolled 1"):
        assert turn_number(play(state, text)) == number
    assert turn_number(play(state, "move start 7")) != number


def test_a_storm_begins_another_turn() -> None:
    state = play(position(), "roll 1 1 1")
    assert turn_number(state) != turn_number(play(state.clone(), "keep"))


def test_a_move_with_turns_owed_begins_another_turn_of_the_same_player() -> None:
    state = to_move((3, 4, 5), turns_owed=3)
    after = play(state.clone(), "move start 4")
    assert after.to_dict()["turn_player"] == 0
    assert turn_number(after) != turn_number(state)


# Reading observations


@pytest.mark.parametrize("viewer", [0, 1, 2])
@pytest.mark.parametrize(
    "state",
    [
        position("move", (1, 4, 6), ([0, 4, 9, 14], ON_10, START), turn_player=1, turns_owed=4),
        position("rerolled", (2, 5), (ON_13, START, FALLEN), turn_player=0, fallen=(2,), play_on=True),
        position("reroll", (1, 1, 6), (FALLEN, ONE_LEFT, START), turn_player=1, fallen=(0,), play_on=True),
    ],
    ids=["move", "rerolled", "reroll"],
)
def test_an_observation_is_read_as_the_position_from_the_viewers_seat(state: Any, viewer: int) -> None:
    def turned(seat: int) -> int:
        return (seat - viewer) % 3

    d = state.to_dict()
    seat, seen = position_seen(state, viewer)
    assert seat == 0
    assert seen == {
        **d,
        "turn_player": turned(d["turn_player"]),
        "pawns": [d["pawns"][(viewer + place) % 3] for place in range(3)],
        "fallen": [turned(seat) for seat in d["fallen"]],
    }


def test_an_observation_shows_at_most_127_turns_owed() -> None:
    _, seen = position_seen(position(turns_owed=200), 0)
    assert seen["turns_owed"] == 127


# Games


def test_it_beats_random_play() -> None:
    game = edge_envs.load_game("falling_off")
    for seed in range(20):
        rng, state = random.Random(seed), game.new_initial_state(seed=seed)
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(state.sample_chance())
            else:
                mine = state.current_player() == seed % 2
                state.apply_action(state.heuristic_action() if mine else rng.choice(state.legal_actions()))
        assert state.rewards()[seed % 2] == 1
