"""Turn trees: every listed continuation of a turn is as the rules say; see `edge_envs.core.turn_tree`."""

from __future__ import annotations

from typing import Any

import numpy as np

from edge_envs import Game, State
from edge_envs.core.cells import CellLayout
from edge_envs.core.spec import Array
from edge_envs.core.turn_tree import CHANGES, END, INNER, NODES, OPEN, OVER
from edge_envs.ntuple.network import TupleSpec, network_of
from edge_envs.ntuple.turn_search import list_decisions, new_turn_search, views_of
from tests.contract.play import decisions
from tests.ntuple.reference import turn_of

NEEDS = "cells"


def layout_of(game: Game) -> CellLayout:
    """Return the layout of a game that has cells."""
    layout = game.type.cell_layout(game.params)
    assert layout is not None
    return layout


def listed(state: State) -> Any:
    """List the continuations of a turn; return the tree."""
    game, rules = state.game, state.game.compiled.kernels
    field = next(field for field in layout_of(game).fields if not field.grid)
    tree = new_turn_search(game, network_of(game, [TupleSpec(cells=(field.name,))])).tree
    kernel = rules.turns or list_decisions(rules, game.type.folder)
    kernel(state._record, state.current_player(), tree)
    return tree


def cells_of(state: State, owner: int) -> Array:
    """Return the cells of all views, one after the other, each with one more cell."""
    players, kernel = state.game.num_players, state.game.compiled.kernels.cells
    assert kernel is not None
    views = [owner] if views_of(players) == 1 else range(players)
    out = np.zeros((len(views), layout_of(state.game).size + 1), np.int16)
    for row, view in zip(out, views, strict=True):
        kernel(state._record, view, row)
    return out


def test_nodes_have_the_cells_and_kinds_of_the_positions_they_lead_to(plain_game: Game) -> None:
    found = 0
    for state in decisions(plain_game, 12):
        owner, turn = state.current_player(), turn_of(state)
        tree, before = listed(state), state._records.tobytes()
        count, width = int(tree.counts[NODES]), tree.base.shape[1]
        assert count > 0
        path: list[int] = []
        cells = [tree.base.copy()]
        for n in range(count):
            depth = int(tree.depths[n])
            assert 1 <= depth <= len(cells), "children follow their parents"
            path, cells = [*path[: depth - 1], int(tree.actions[n])], cells[:depth]
            here = cells[-1].copy()
            for e in range(tree.first[n], tree.first[n + 1]):
                here.flat[tree.cells[e]] = tree.values[e]
            cells.append(here)
            reached, ended = state.clone(), False
            for action in path:
                ended = ended or reached.current_player() != owner or turn_of(reached) != turn
                if not ended:
                    reached.apply_action(action)
            if ended:
                continue  # a decision without a choice was made by itself
            goes_on = reached.current_player() == owner and turn_of(reached) == turn
            if tree.kinds[n] == OPEN and (not goes_on or np.any(cells_of(reached, owner) != here)):
                assert plain_game.compiled.kernels.turns, "only fast kernels may stop before decisions without a choice"
                continue
            assert (cells_of(reached, owner)[:, : width - 1] == here[:, : width - 1]).all()
            expected = OVER if reached.is_terminal() else END if not goes_on else tree.kinds[n]
            assert tree.kinds[n] == expected
            assert expected in (OVER, END, OPEN, INNER)
            if expected == OVER:
                assert tree.rewards[n].tolist() == reached.rewards()
            found += 1
        assert tree.first[count] == tree.counts[CHANGES]
        assert state._records.tobytes() == before
    assert found >= 12


def test_first_decisions_are_legal_and_complete_without_a_fast_kernel(plain_game: Game) -> None:
    for state in decisions(plain_game, 12):
        tree = listed(state)
        if plain_game.compiled.kernels.turns:
            assert set(tree.actions[: tree.counts[NODES]][tree.depths[: tree.counts[NODES]] == 1]) <= set(
                state.legal_actions()
            )
            continue
        assert tree.actions[: tree.counts[NODES]].tolist() == state.legal_actions()
