"""Compare the cells of `falling_off` with a slow reference, which reads positions as JSON."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import edge_envs
from edge_envs import State
from tests.contract.play import playthrough
from tests.contract.test_cells import cells_of, layout_of

PLACES = [0, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]
PHASES = ["roll", "reroll", "rerolled", "move", "over"]
SETS = list(itertools.combinations_with_replacement(PLACES, 4))


def reference(position: dict[str, Any], viewer: int) -> list[int]:
    """Return the cells of a position."""
    players = len(position["pawns"])
    order = [(viewer + k) % players for k in range(players)]
    rows = [position["pawns"][player] for player in order]
    counts = [row.count(place) for row in rows for place in PLACES]
    sets = [SETS.index(tuple(row)) for row in rows]
    fallen = [position["fallen"].index(p) + 1 if p in position["fallen"] else 0 for p in order]
    dice = [*position["dice"], 0, 0, 0][:3]
    turn = [order.index(position["turn_player"]), min(position["turns_owed"], 8), PHASES.index(position["phase"])]
    return [*counts, *sets, *fallen, *turn, *dice]


@pytest.mark.parametrize("play_on", [False, True])
@pytest.mark.parametrize("players", range(2, 7))
def test_cells_match_the_reference_at_every_node(players: int, play_on: bool) -> None:
    game = edge_envs.load_game("falling_off", num_players=players, play_on=play_on)
    for seed, heuristic in itertools.product(range(2), (False, True)):
        for state in playthrough(game, seed, heuristic):
            position = state.to_dict()
            for viewer in range(players):
                assert cells_of(state, viewer).tolist() == reference(position, viewer)


def of_pawns(pawns: list[list[int]], **more: Any) -> State:
    params = {"num_players": len(pawns), "play_on": False}
    position = {"phase": "roll", "dice": [], "turn_player": 0, "turns_owed": 1, "fallen": [], **more}
    return edge_envs.load_game("falling_off", **params).state_from_dict(
        {"game": "falling_off", "params": params, "pawns": pawns, **position}
    )


def test_cells_name_the_pawns_of_each_player_in_turn_order() -> None:
    state = of_pawns([[0, 0, 0, 4], [4, 5, 5, 14], [9, 9, 9, 9]], turn_player=1)
    layout = layout_of(state.game)
    seen = cells_of(state, 2)
    at = layout.start("pawns_0")
    assert seen[at : at + 12].tolist() == [0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0]
    at = layout.start("pawns_1")
    assert seen[at : at + 12].tolist() == [3, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    assert seen[layout.start("turn_player")] == 2


@pytest.mark.parametrize(("owed", "shown"), [(1, 1), (7, 7), (8, 8), (9, 8), (1_000_000, 8)])
def test_turns_owed_are_limited(owed: int, shown: int) -> None:
    state = of_pawns([[0, 0, 0, 4], [4, 5, 5, 14]], turns_owed=owed)
    assert cells_of(state, 1)[layout_of(state.game).start("turns_owed")] == shown


def test_cells_of_different_positions_differ() -> None:
    seen: dict[bytes, Any] = {}
    game = edge_envs.load_game("falling_off")
    for seed in range(3):
        for state in playthrough(game, seed, heuristic=True):
            position = {**state.to_dict(), "turns_owed": min(state.to_dict()["turns_owed"], 8)}
            assert seen.setdefault(cells_of(state, 0).tobytes(), position) == position
    assert np.unique([len(key) for key in seen]).size == 1
