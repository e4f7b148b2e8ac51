"""The cells of Ghost Ship agree with the plain reference, and depend only on what the viewer knows."""

from __future__ import annotations

import ast
import functools
from typing import Any

import numpy as np
import pytest

import edge_envs
from edge_envs import State
from edge_envs.core.spec import Array
from edge_envs.games.ghost_ship.cells import MEMORY, cell_layout, cells, cells_with
from edge_envs.games.ghost_ship.state import DECLARE_PHASE
from tests.games.ghost_ship.scenes import at, play
from tests.reference.ghost_ship_cells import PlainCells
from tests.reference.ghost_ship_setups import position

GAMES = [
    {"creation": "random"},
    {"creation": "random", "num_players": 3, "chits": {"1": 2, "2": 0, "3": 0, "4": 18}},
    {"num_players": 4, "score_reward": True},
    {"creation": "random", "max_turns": 12},
]  # fmt: skip
each_game = pytest.mark.parametrize("params", GAMES, ids=str)
EVERY = 23  # every so manieth node of a game is looked at


@functools.cache
def nodes(params: str, games: int = 2) -> tuple[State, ...]:
    """Return some nodes of games in which most decisions on the tour are the heuristic's."""
    game = edge_envs.load_game("ghost_ship", **ast.literal_eval(params))
    rng, found, count = np.random.default_rng(3), [], 0
    for seed in range(games):
        state = game.new_initial_state(seed=seed)
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(state.sample_chance())
            else:
                usual = state._record.phase >= DECLARE_PHASE and rng.random() < 0.8
                state.apply_action(state.heuristic_action() if usual else int(rng.choice(state.legal_actions())))
            count += 1
            if count % EVERY == 0 or state.is_terminal():
                found.append(state.clone())
    return tuple(found)


def cells_of(state: State, viewer: int) -> Array:
    """Return the cells of a position."""
    out = np.full(cell_layout(state.game.params).size, -99, np.int16)
    cells(state._record, viewer, out)
    return out


def named(state: State, viewer: int) -> dict[str, int]:
    """Return the cells of a position by name."""
    names = [field.name for field in cell_layout(state.game.params).fields]
    return dict(zip(names, cells_of(state, viewer).tolist(), strict=True))


@each_game
def test_cells_agree_with_the_reference(params: dict[str, Any]) -> None:
    for k, state in enumerate(nodes(str(params))[::9]):
        viewer = k % state.game.num_players
        found, expected = named(state, viewer), PlainCells(state.to_dict(), viewer).cells()
        differing = {name: (cell, expected[name]) for name, cell in found.items() if cell != expected[name]}
        assert not differing, (viewer, state.to_dict())
        assert found.keys() == expected.keys()


@each_game
def test_cells_are_within_their_numbers_of_values(params: dict[str, Any]) -> None:
    for state in nodes(str(params)):
        for viewer in range(state.game.num_players):
            values = [field.values for field in cell_layout(state.game.params).fields]
            found = cells_of(state, viewer)
            assert (found >= 0).all()
            assert (found < values).all()


@each_game
def test_cells_do_not_depend_on_what_the_viewer_cannot_know(params: dict[str, Any]) -> None:
    rng, differing = np.random.default_rng(1), 0
    for state in nodes(str(params)):
        for viewer in range(state.game.num_players):
            other = state.resample(viewer, rng)
            differing += other.to_dict() != state.to_dict()
            assert (cells_of(other, viewer) == cells_of(state, viewer)).all()
    assert differing > 0


@each_game
def test_memory_may_have_any_earlier_content(params: dict[str, Any]) -> None:
    memories = np.zeros(1, MEMORY)
    for state in nodes(str(params)):
        for viewer in range(state.game.num_players):
            out = np.full(cell_layout(state.game.params).size, -99, np.int16)
            cells_with(state._record, viewer, memories[0], out)
            assert (out == cells_of(state, viewer)).all()


def test_a_treasure_within_reach_takes_one_turn() -> None:
    state = at(["C3.C0 C3.C0", "A10.S"], symbols={"C3": "friendly"}, chits={"C3": 1})
    assert named(state, 0)["own_1"] == 6
    assert named(state, 1)["next_1_1"] == 6
    assert named(state, 0)["own_first"] >= 1
    play(state, "travel")
    assert named(state, 0)["own_1"] == 0  # the turn is under way


def test_a_chit_that_is_being_taken_counts_for_its_taker() -> None:
    d = position(["C3.C0 C3.C0", "A10.S"], symbols={"C3": "friendly"}, chits={"C3": 1, "G3": 1}, ghost="D5")
    state = edge_envs.load_game("ghost_ship", **d["params"]).state_from_dict(d)
    before = named(state, 0)
    play(state, "travel", "spin 3 N", "take chit")
    after = named(state, 0)
    assert after["own_chits"] == before["own_chits"] + 1
    assert after["lead"] > before["lead"]
    assert after["own_2"] > before["own_2"]
