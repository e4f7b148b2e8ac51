"""The kernels of Beyond the Edges of the Maps agree with the reference implementation.

`tests/contract/test_twin.py` plays from the beginning of a game. These tests use random positions that rarely occur in
games: scattered land and rings, ships anywhere and in different seas, turns at every stage. For longer runs:

    python -m tests.games.beyond_maps.test_twin 1000        # 1000 seeds, from 0
    python -m tests.games.beyond_maps.test_twin 1000 5000   # 1000 seeds, from 5000
"""

from __future__ import annotations

import itertools
import random
import sys
from collections.abc import Sequence
from typing import Any

import pytest

from tests.lockstep import Lockstep
from tests.reference.beyond_maps import BeyondMaps, Square, neighbours, picture, square_name

SEEDS = 20


# Random positions


def some_params(rng: random.Random) -> dict[str, Any]:
    """Return random parameters, preferring small boards."""
    return {
        "size": rng.choice([5, 5, 5, 6, 6, 7, 8, 9, 12, 18]),
        "sea_range": rng.choice([1, 1, 2, 3, 4, 5, 6, 7, 8, 18]),
        "land_markers": rng.choice([1, 2, 3, 3, 4, 5, 18]),
        "stop_early": rng.random() < 0.6,
        "dice": rng.random() < 0.3,
        "max_turns": rng.choice([3, 4, 20, 400]),
        "close_self": rng.random() < 0.4,
        "islands": rng.choice([0, 0, 0, 0, 1, 2, 5]),
        "handicap": rng.choice([0, 0, 0, 1, -2, 9]),
        "height": rng.choice([0, 0, 0, 5, 7, 11]),
    }


def some_board(rng: random.Random, width: int, height: int) -> list[list[str]]:
    """Return scattered land of random density and balance, possibly with rings."""
    density, balance = rng.choice([0.02, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.95]), rng.choice([0.1, 0.5, 0.5, 0.9])
    squares = [
        ["." if rng.random() > density else rng.choices("01", [balance, 1 - balance])[0] for _ in range(width)]
        for _ in range(height)
    ]
    for _ in range(rng.choice([0, 0, 1, 2])):
        draw_ring(rng, squares)
    return squares


def draw_ring(rng: random.Random, squares: list[list[str]]) -> None:
    """Draw a rectangle of one player, sometimes with gaps, over the existing land."""
    (height, width), owner, gaps = (len(squares), len(squares[0])), rng.choice("01"), rng.choice([0, 0, 0.1])
    top, left = rng.randrange(height - 2), rng.randrange(width - 2)
    bottom, right = rng.randrange(top + 2, height), rng.randrange(left + 2, width)
    for row, column in itertools.product(range(top, bottom + 1), range(left, right + 1)):
        if (row in (top, bottom) or column in (left, right)) and rng.random() >= gaps:
            squares[row][column] = owner


def some_ships(rng: random.Random, squares: list[list[str]]) -> list[str | None]:
    """Return two emptied squares for ships, often adjacent; sometimes ships are already captured."""
    board = squares_of(squares)
    first, second = rng.sample(board, 2)
    if rng.random() < 0.2:
        second = rng.choice([square for square in neighbours(first) if square in board])
    for row, column in (first, second):
        if rng.random() < 0.995:  # otherwise the ship may be on land
            squares[row][column] = "."
    if rng.random() < 0.005:
        second = first
    if rng.random() < 0.01:
        return [None, None]
    return [None if rng.random() < 0.04 else square_name(ship) for ship in (first, second)]


def some_position(rng: random.Random) -> dict[str, Any]:
    """Return a random position, which may be invalid."""
    params = some_params(rng)
    squares = some_board(rng, params["size"], params["height"] or params["size"])
    ships = some_ships(rng, squares)
    d: dict[str, Any] = {
        "game": "beyond_maps",
        "params": params,
        **({"islands_left": rng.choice([0, 0, 0, 0, 1])} if params["islands"] else {}),
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
    d["sea_done"], d["land_done"], in_progress = rng.choice(
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
        d["land_done"], in_progress = True, False
    if in_progress:
        set_in_progress(rng, d)
    over = d["sea_done"] and d["land_done"]
    if rng.random() < 0.03 or (params["dice"] and not over and rng.random() < 0.8):
        d["roll"] = sorted(rng.choices(range(1, 7), k=2), reverse=True)
    return d


def set_in_progress(rng: random.Random, d: dict[str, Any]) -> None:
    """Put a land action in progress, usually with its last marker on land of the turn player, if there is land."""
    land = {mark: [q for q in squares_of(d["board"]) if at(d, q) == mark] for mark in "01"}
    squares = land[str(d["turn_player"] if rng.random() < 0.95 else 1 - d["turn_player"])]
    if squares:
        d["markers_placed"] = rng.randrange(1, min(d["params"]["land_markers"], 5) + 1)
        d["last_marker"] = square_name(rng.choice(squares))


def squares_of(rows: Sequence[Sequence[str]]) -> list[Square]:
    """Return all squares of a board."""
    return list(itertools.product(range(len(rows)), range(len(rows[0]))))


def at(d: dict[str, Any], square: Square) -> str:
    """Return the character on a square of a position."""
    return str(d["board"][square[0]][square[1]])


# Kernels and reference implementation in lockstep

LOCKSTEP = Lockstep(
    "beyond_maps", BeyondMaps, some_params, some_position, set_ups=12, followed=12, steps=25, game_steps=120,
    picture=lambda d: "\n".join(picture(d)),
)  # fmt: skip


# Tests


@pytest.mark.parametrize("seed", range(SEEDS))
def test_the_rules_match_the_reference_implementation_from_random_positions(seed: int) -> None:
    LOCKSTEP.compare_set_ups(seed)


@pytest.mark.parametrize("seed", range(SEEDS))
def test_the_rules_match_the_reference_implementation_in_games_with_random_parameters(seed: int) -> None:
    LOCKSTEP.compare_games(seed)


def test_random_positions_are_of_every_kind() -> None:
    rng = random.Random(0)
    read = [d for d in (some_position(rng) for _ in range(1200)) if LOCKSTEP.twin_at(d)]
    points = {(d["sea_done"], d["land_done"], d["markers_placed"] > 0, d["params"]["dice"]) for d in read}
    both = (False, True)
    assert points == {(*point, dice) for point in itertools.product(both, both, both) for dice in both} - {
        (sea_done, True, True, dice) for sea_done in both for dice in both
    }
    assert {tuple(ship is None for ship in d["ships"]) for d in read} == set(itertools.product(both, both))
    assert len(read) in range(400, 1000)


if __name__ == "__main__":
    LOCKSTEP.compare(*map(int, sys.argv[1:]))
