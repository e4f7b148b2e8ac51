"""Heuristic of Beyond the Edges of the Maps in clear-cut positions. The dice are forced.

`test_rules.py` explains the pictures.
"""

from __future__ import annotations

import random
from typing import Any

import pytest

import edge_envs
from tests.games.beyond_maps.test_rules import OPEN, at, board, play
from tests.readers import turn_number

CLOSING = "A.... ..... ..... ..001 ....B"  # land on d5 closes in B
FEATURES = ("value", "land", "nearly_enclosed", "can_start", "ways_out")


def choice(state: Any) -> str:
    """Return the action that the heuristic chooses."""
    return str(state.action_to_string(state.heuristic_action()))


def at_first(state: Any) -> Any:
    """Return the same position with the first heuristic."""
    return state.game.with_heuristic("v0").state_from_dict(state.to_dict())


def go_on(state: Any) -> Any:
    """Play the heuristic until the other player, chance or the end follows, and return the state."""
    player = state.current_player()
    while state.current_player() == player:
        state.apply_action(state.heuristic_action())
    return state


# The end


def test_it_closes_in_the_opponent_when_that_wins() -> None:
    state = go_on(at(CLOSING, sea_done=True))
    assert (state.is_terminal(), state.rewards()) == (True, [1, -1])


def test_a_lead_of_one_square_is_enough() -> None:
    assert choice(at("A...1 ..... ..... ..001 ....B", sea_done=True, land_markers=1)) == "land d5"


def test_it_does_not_end_a_game_that_it_would_lose() -> None:
    state = go_on(at("A.111 ..... ..... ..001 ....B", sea_done=True, land_markers=1))
    assert not state.is_terminal()


def test_it_does_not_close_in_its_own_ship() -> None:
    shut = at("A.1.... .1..... ....... ....... ....... ....... ......B", land_markers=1, sea_range=2)
    assert choice(shut) not in {"sea a1 e", "sea a1 s", "sea a2 -"}


def test_it_avoids_a_turn_after_which_the_opponent_wins() -> None:
    """The first heuristic takes enemy land and is closed in."""
    state = at("..... ..0.. ..A10 .1.B. .11..", land_markers=1, sea_range=2)
    blow = state.game.state_from_dict(go_on(at_first(state)).to_dict())
    assert go_on(blow).rewards() == [-1, 1]
    assert not go_on(go_on(state)).is_terminal()


# Land


def test_it_closes_a_ring_around_enemy_land() -> None:
    state = go_on(at("A..... .000.. .010.. .0.0.. ...... .....B", sea_done=True))
    assert board(state)[2][2] == "0"


def test_it_takes_enemy_land() -> None:
    state = at("A...... ....... .1..... ....... ....... ....... ......B", land_markers=1, sea_range=2)
    assert choice(state) == "sea b2 s"


def test_a_high_roll_lets_it_win_and_a_low_one_does_not() -> None:
    rows = "A..... ..00.. ..0... ...... ...... .....B"
    ends = [go_on(play(at(rows, dice=True), f"roll {roll}")).is_terminal() for roll in ("6 5", "2 1")]
    assert ends == [True, False]


# Values


def value(state: Any, player: int, **weights: float) -> float:
    """Return the value of a position for a player."""
    return float(state.position_features(player, weights)[0, FEATURES.index("value")])


RING = """
    .0.0.
    0...0
    ..A..
    .000.
    ....B
"""
CORNER = "A0... ..... ..... ..... ....B"
EDGE = "..A.. ..... ..... ..... ....B"
NO_CORNER = "..A.. ..... ..... ...B. ....."


DEFAULTS = {  # of both heuristics
    "no_start": (-1.0, -1.0),
    "other_no_start": (1.0, 1.0),
    "enclosed": (0.25, 0.7),
    "other_enclosed": (-0.1, -0.5),
    "one_way_out": (-2.0, -2.0),
    "two_ways_out": (-1.0, -1.0),
    "three_ways_out": (-0.3, -0.3),
    "other_one_way_out": (3.5, 0.6),
    "other_two_ways_out": (0.9, 0.3),
    "other_three_ways_out": (0.0, 0.1),
}


@pytest.mark.parametrize(
    ("name", "rows", "player", "times"),
    [
        ("no_start", OPEN, 0, 1),
        ("no_start", RING, 1, 1),
        ("other_no_start", OPEN, 0, 1),
        ("other_no_start", RING, 0, 1),
        ("enclosed", RING, 0, 3),
        ("other_enclosed", RING, 1, 3),
        ("one_way_out", CORNER, 0, 1),
        ("two_ways_out", CORNER, 1, 1),
        ("three_ways_out", EDGE, 0, 1),
        ("other_one_way_out", CORNER, 1, 1),
        ("other_two_ways_out", EDGE, 0, 1),
        ("other_three_ways_out", EDGE, 1, 1),
    ],
)
def test_the_contribution_of_each_weight_to_the_value(name: str, rows: str, player: int, times: int) -> None:
    state = at(rows)
    for version, default in zip((at_first(state), state), DEFAULTS[name], strict=True):
        added = value(version, player) - value(version, player, **{name: 0.0})
        assert added == pytest.approx(times * default)


@pytest.mark.parametrize("name", ["three_ways_out", "other_three_ways_out"])
def test_four_ways_out_add_nothing_to_the_value(name: str) -> None:
    state = at(OPEN)
    assert value(state, 0, **{name: 20.0}) == value(state, 0)


@pytest.mark.parametrize(
    ("rows", "entries", "features"),
    [
        (OPEN, {}, [[0.3, 0, 0, 0, 4], [-1.0, 0, 0, 0, 2]]),
        (CORNER, {}, [[1 + 1 - 2 + 0.3, 1, 0, 1, 1], [-1 - 1 - 1 + 0.6, 0, 0, 0, 2]]),
        (RING, {}, [[7 + 1 + 2.1 - 0.3 + 0.3, 7, 3, 1, 3], [-7 - 1 - 1.5 - 1 + 0.1, 0, 0, 0, 2]]),
        (
            "A.... ..... ..... ..001 ...0B",
            {"sea_done": True, "land_done": True},
            [[1002, 3, 0, 1, 2], [-1002, 1, 0, 1, 0]],
        ),
    ],
    ids=["open sea", "corner", "ring", "closed in"],
)
def test_position_features(rows: str, entries: dict[str, Any], features: list[list[float]]) -> None:
    state = at(rows, **entries)
    for player in range(2):
        assert dict(zip(FEATURES, state.position_features(player)[0], strict=True)) == pytest.approx(
            dict(zip(FEATURES, features[player], strict=True))
        )


# Turns


def test_the_turn_number_stays_the_same_until_both_actions_are_done() -> None:
    state = at("A.... ..... ..0.. ..... ....B")
    number = turn_number(state)
    for text in ("sea a1 e", "land c2"):
        assert turn_number(play(state, text)) == number
    assert turn_number(play(state, "stop")) == number + 1


def test_a_roll_does_not_begin_a_turn() -> None:
    state = at("A.... ..... ..0.. ..... ....B", dice=True)
    assert turn_number(state) == turn_number(play(state.clone(), "roll 4 3"))


# Games


def test_it_beats_random_play() -> None:
    game = edge_envs.load_game("beyond_maps", size=5)
    for seed in range(10):
        rng, state = random.Random(seed), game.new_initial_state(seed=seed)
        while not state.is_terminal():
            mine = state.current_player() == seed % 2
            state.apply_action(state.heuristic_action() if mine else rng.choice(state.legal_actions()))
        assert state.rewards()[seed % 2] == 1
