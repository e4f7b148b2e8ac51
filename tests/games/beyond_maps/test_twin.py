"""The kernels of Beyond the Edges of the Maps agree with their slow twin in games and from positions that are set up.

`tests/contract/test_twin.py` plays from the beginning of a game; here positions are thrown together that games rarely
come to: land scattered and in rings, ships anywhere and in different seas, turns at every point. For longer runs:

    python -m tests.games.beyond_maps.test_twin 1000        # this many seeds, from 0
    python -m tests.games.beyond_maps.test_twin 1000 5000   # this many, from 5000
"""

from __future__ import annotations

import itertools
import random
import sys
from typing import Any

import pytest

import edge_envs
from tests.reference.beyond_maps import BeyondMaps, Square, neighbours, picture, square_name

SEEDS = 20
SET_UPS = 12  # of each seed
FOLLOWED = 12  # actions of a set-up that are tried
STEPS = 25  # that are then played


# Positions thrown together


def some_params(rng: random.Random) -> dict[str, Any]:
    """Any parameters, small boards more often."""
    return {
        "size": rng.choice([5, 5, 5, 6, 6, 7, 8, 9, 12, 18]),
        "sea_range": rng.choice([1, 1, 2, 3, 4, 5, 6, 7, 8, 18]),
        "land_markers": rng.choice([1, 2, 3, 3, 4, 5, 18]),
        "stop_early": rng.random() < 0.6,
        "dice": rng.random() < 0.3,
        "max_turns": rng.choice([3, 4, 20, 400]),
    }


def some_board(rng: random.Random, size: int) -> list[list[str]]:
    """Scattered land of some density and balance, and perhaps rings."""
    density, balance = rng.choice([0.02, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.95]), rng.choice([0.1, 0.5, 0.5, 0.9])
    squares = [
        ["." if rng.random() > density else rng.choices("01", [balance, 1 - balance])[0] for _ in range(size)]
        for _ in range(size)
    ]
    for _ in range(rng.choice([0, 0, 1, 2])):
        draw_ring(rng, squares)
    return squares


def draw_ring(rng: random.Random, squares: list[list[str]]) -> None:
    """A rectangle of one player, with a hole now and then, over what there is."""
    size, owner, gaps = len(squares), rng.choice("01"), rng.choice([0, 0, 0.1])
    top, left = rng.randrange(size - 2), rng.randrange(size - 2)
    bottom, right = rng.randrange(top + 2, size), rng.randrange(left + 2, size)
    for row, column in itertools.product(range(top, bottom + 1), range(left, right + 1)):
        if (row in (top, bottom) or column in (left, right)) and rng.random() >= gaps:
            squares[row][column] = owner


def some_ships(rng: random.Random, squares: list[list[str]]) -> list[str | None]:
    """Two squares made empty for ships, side by side more often than by chance; one may be captured already."""
    size = len(squares)
    board = squares_of(size)
    first, second = rng.sample(board, 2)
    if rng.random() < 0.2:
        second = rng.choice([square for square in neighbours(first) if square in board])
    for row, column in (first, second):
        if rng.random() < 0.995:  # else the ship may be on land
            squares[row][column] = "."
    if rng.random() < 0.005:
        second = first
    return [None if rng.random() < 0.04 else square_name(ship) for ship in (first, second)]


def some_position(rng: random.Random) -> dict[str, Any]:
    """A position that may be refused."""
    params = some_params(rng)
    squares = some_board(rng, params["size"])
    ships = some_ships(rng, squares)
    d: dict[str, Any] = {
        "game": "beyond_maps",
        "params": params,
        "board": ["".join(row) for row in squares],
        "ships": ships,
        "turn_player": rng.randrange(2),
        "turn": rng.choice([0, 1, 1, 2, 2, params["max_turns"] - 1]),
        "sea_done": False,
        "land_done": False,
        "markers_placed": 0,
        "last_marker": None,
        "roll": None,
    }
    d["sea_done"], d["land_done"], under_way = rng.choice(
        [
            (False, False, False),
            (False, False, False),
            (True, False, False),
            (False, True, False),
            (True, False, True),
            (False, False, True),
            (True, True, False),
            (rng.random() < 0.5, rng.random() < 0.5, rng.random() < 0.5),
        ]
    )
    if d["turn"] == 0 and rng.random() < 0.8:
        d["land_done"], under_way = True, False
    if under_way:
        set_under_way(rng, d)
    over = d["sea_done"] and d["land_done"]
    if rng.random() < 0.03 or (params["dice"] and not over and rng.random() < 0.8):
        d["roll"] = sorted(rng.choices(range(1, 7), k=2), reverse=True)
    return d


def set_under_way(rng: random.Random, d: dict[str, Any]) -> None:
    """A land action with its last marker on land, of the turn player more often, where there is some."""
    land = {mark: [q for q in squares_of(len(d["board"])) if at(d, q) == mark] for mark in "01"}
    squares = land[str(d["turn_player"] if rng.random() < 0.95 else 1 - d["turn_player"])]
    if squares:
        d["markers_placed"] = rng.randrange(1, min(d["params"]["land_markers"], 5) + 1)
        d["last_marker"] = square_name(rng.choice(squares))


def squares_of(size: int) -> list[Square]:
    """All squares of a board."""
    return list(itertools.product(range(size), range(size)))


def at(d: dict[str, Any], square: Square) -> str:
    """What a position has on a square."""
    return str(d["board"][square[0]][square[1]])


# Kernels and twin side by side


def assert_same(state: Any, twin: BeyondMaps) -> None:
    """Both show the same position, player, choices with their texts, chances and rewards."""
    assert state.to_dict() == twin.to_dict()
    assert state.current_player() == twin.current_player()
    actions = twin.legal_actions()
    assert state.legal_actions() == actions
    assert [state.action_to_string(a) for a in actions] == [twin.action_to_string(a) for a in actions]
    assert state.rewards() == twin.rewards()
    if state.is_chance_node():
        assert state.chance_outcomes() == [(a, pytest.approx(float(p))) for a, p in twin.chance_outcomes()]


def apply_both(state: Any, twin: BeyondMaps, action: int) -> None:
    """One transition of both; a failure shows where it came from."""
    before, text = twin.to_dict(), twin.action_to_string(action)
    state.apply_action(action)
    twin.apply(action)
    try:
        assert_same(state, twin)
    except AssertionError as error:
        raise AssertionError(f"after {text} from {shown(before)}\n{error}") from None


def play_both(rng: random.Random, state: Any, twin: BeyondMaps, steps: int) -> None:
    """At most this many random transitions."""
    for _ in range(steps):
        if state.is_terminal():
            return
        apply_both(state, twin, rng.choice(twin.legal_actions()))


def shown(d: dict[str, Any]) -> str:
    """A position with its picture, for messages."""
    return f"{d}\n" + "\n".join(picture(d))


def twin_at(d: dict[str, Any]) -> BeyondMaps | None:
    """The twin at a position, or nothing if the rules refuse it."""
    try:
        return BeyondMaps.from_dict(d)
    except ValueError:
        return None


def state_at(d: dict[str, Any]) -> Any:
    """The kernels at a position, or nothing if they refuse it."""
    try:
        return edge_envs.load_game("beyond_maps", **d["params"]).state_from_dict(d)
    except edge_envs.InvalidPositionError:
        return None


def compare_from(rng: random.Random, d: dict[str, Any]) -> bool:
    """Both read a position or neither; then some of its actions, and a game from each. Whether it was read."""
    twin, state = twin_at(d), state_at(d)
    assert (twin is None) == (state is None), f"{'accepted' if state else 'refused'} by the kernels alone: {shown(d)}"
    if twin is None:
        return False
    try:
        assert_same(state, twin)
    except AssertionError as error:
        raise AssertionError(f"at {shown(d)}\n{error}") from None
    actions = twin.legal_actions()
    for action in rng.sample(actions, min(FOLLOWED, len(actions))):
        twin, state = BeyondMaps.from_dict(d), state_at(d)
        apply_both(state, twin, action)
    play_both(rng, state, twin, STEPS)
    return True


def compare_set_ups(seed: int) -> None:
    """Set-ups until enough of them were read."""
    rng = random.Random(seed)
    read = 0
    while read < SET_UPS:
        read += compare_from(rng, some_position(rng))


def compare_games(seed: int) -> None:
    """A random game with random parameters from its beginning."""
    rng = random.Random(seed)
    params = some_params(rng)
    game, twin = edge_envs.load_game("beyond_maps", **params), BeyondMaps(**params)
    state = game.new_initial_state(seed=seed)
    assert_same(state, twin)
    play_both(rng, state, twin, 120)


# Tests


@pytest.mark.parametrize("seed", range(SEEDS))
def test_from_set_ups_the_rules_agree_with_their_slow_twin(seed: int) -> None:
    compare_set_ups(seed)


@pytest.mark.parametrize("seed", range(SEEDS))
def test_in_games_with_any_parameters_the_rules_agree_with_their_slow_twin(seed: int) -> None:
    compare_games(seed)


def test_set_ups_are_of_every_kind() -> None:
    rng = random.Random(0)
    read = [d for d in (some_position(rng) for _ in range(600)) if twin_at(d)]
    points = {(d["sea_done"], d["land_done"], d["markers_placed"] > 0, d["params"]["dice"]) for d in read}
    both = (False, True)
    assert points == {(*point, dice) for point in itertools.product(both, both, both) for dice in both} - {
        (sea_done, True, True, dice) for sea_done in both for dice in both
    }
    assert {tuple(ship is None for ship in d["ships"]) for d in read} == set(itertools.product(both, both))
    assert len(read) in range(200, 500)


def main(seeds: int, first: int = 0) -> None:
    """Many seeds, with a line for every hundred."""
    for seed in range(first, first + seeds):
        compare_set_ups(seed)
        compare_games(seed)
        if seed % 100 == 99:
            print(f"{seed + 1 - first} of {seeds} seeds agree", flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
