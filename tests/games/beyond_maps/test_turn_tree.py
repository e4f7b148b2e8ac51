"""The fast listing of turns of `beyond_maps`: nothing is missing after the sea action, and sea actions are complete."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import edge_envs
from edge_envs import Game, State
from edge_envs.core.turn_tree import END, INNER, NODES, OPEN, OVER
from edge_envs.games.beyond_maps.map.bitboard import around
from edge_envs.games.beyond_maps.state import squares_of
from tests.contract.play import decisions
from tests.contract.test_turn_tree import cells_of, listed
from tests.ntuple.reference import SlowValues, turn_of

CASES: list[dict[str, Any]] = [
    {"size": 5, "max_turns": 30},
    {"size": 5, "max_turns": 12, "stop_early": False},
    {"size": 6, "land_markers": 2, "sea_range": 3},
    {"size": 8, "dice": True},
    {"size": 12},
    {"size": 18, "land_markers": 1},
]


def ends_of(state: State) -> set[bytes]:
    """Return the cells of all ends of the turn in the tree."""
    owner, tree, found = state.current_player(), listed(state), set()
    cells = [tree.base.copy()]
    for n in range(tree.counts[NODES]):
        depth = int(tree.depths[n])
        here = cells[depth - 1].copy()
        for e in range(tree.first[n], tree.first[n + 1]):
            here.flat[tree.cells[e]] = tree.values[e]
        cells = [*cells[:depth], here]
        if tree.kinds[n] in (END, OVER):
            found.add(here[:, :-1].tobytes())
        else:
            assert tree.kinds[n] in (INNER, OPEN)
    assert owner == state.current_player()
    return found


@pytest.mark.parametrize("params", CASES, ids=str)
def test_all_ways_to_place_markers_are_listed(params: dict[str, Any]) -> None:
    game = edge_envs.load_game("beyond_maps", **params)
    checked = 0
    for state in decisions(game, 60):
        if not state._record.sea_done or state._record.land_done:
            continue
        owner = state.current_player()
        reference = SlowValues(game, None, np.zeros(0)).turns(state)  # type: ignore[arg-type]  # only lists turns
        expected = {cells_of(end, owner)[:, :-1].tobytes() for _, end in reference}
        found = ends_of(state)
        assert found <= expected
        if game.params["land_markers"] <= 3 and not params.get("dice"):
            assert found == expected
        checked += 1
    assert checked >= 5


@pytest.mark.parametrize("params", CASES[:3], ids=str)
def test_all_sea_actions_are_listed_in_groups_of_equal_markers(params: dict[str, Any]) -> None:
    game = edge_envs.load_game("beyond_maps", **params)
    checked = 0
    for state in decisions(game, 60):
        record = state._record
        if record.sea_done or record.markers_placed:
            continue
        tree = listed(state)
        count = int(tree.counts[NODES])
        sails = [action for action in state.legal_actions() if action < 5 * game.params["size"] ** 2]
        assert sorted(tree.actions[:count].tolist()) == sails
        targets: dict[int, set[frozenset[int]]] = {}
        for n in range(count):
            following = state.clone()
            following.apply_action(int(tree.actions[n]))
            if turn_of(following) == turn_of(state) and not following.is_terminal() and following._record.sea_done:
                land = frozenset(squares_of(following._record.land[state.current_player()]))
                if not following._record.markers_placed:
                    targets.setdefault(int(tree.groups[n]), set()).add(land)
        assert all(len(lands) == 1 for lands in targets.values())
        checked += 1
    assert checked >= 5


def test_squares_around_match_the_board() -> None:
    rng = np.random.default_rng(0)
    for width, height in ((5, 5), (8, 8), (11, 11), (12, 12), (18, 18), (5, 18), (18, 7)):
        record = Game(edge_envs.games.named_game("beyond_maps")[0], {"size": width, "height": height}).new_records(1)[0]
        board = rng.random((height, width)) < 0.5
        bits = np.zeros(384, np.uint8)
        bits[: width * height] = board.reshape(-1)
        words = np.packbits(bits, bitorder="little").view(np.uint64)
        padded = np.pad(board, 1)
        for square in range(width * height):
            row, column = divmod(square, width)
            window = padded[row : row + 3, column : column + 3].reshape(-1).tolist()
            expected = sum(inside << k for k, inside in enumerate(window[:4] + window[5:]))
            assert around(words, record, square) == expected


def test_game_is_over_in_the_tree_when_the_turns_are_used_up() -> None:
    game = Game(edge_envs.games.named_game("beyond_maps")[0], {"size": 5, "max_turns": 3})
    kinds = set()
    for state in decisions(game, 60):
        if state._record.turn == 2 and state._record.sea_done:
            tree = listed(state)
            kinds |= set(tree.kinds[: tree.counts[NODES]].tolist())
    assert OVER in kinds
    assert END not in kinds
