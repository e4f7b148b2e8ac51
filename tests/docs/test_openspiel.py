"""Test that the names on the page about OpenSpiel exist in both libraries."""

from __future__ import annotations

import re

import pyspiel
import pytest

import edge_envs
from edge_envs import Game, State
from tests.docs.test_docs import only_table, text_of

PAGE = text_of("docs/openspiel.md")
ROWS = only_table(PAGE)
OURS = edge_envs.load_game("kuhn").new_initial_state(seed=0)
THEIRS = pyspiel.load_game("kuhn_poker").new_initial_state()


def words(column: int) -> set[str]:
    """Return the names of functions and attributes in a column of the table."""
    lines = [line.split("|")[column + 1] for line in PAGE.splitlines() if line.startswith("|")][2:]
    code = " ".join(re.findall(r"`(.*?)`", " ".join(lines)))
    return set(re.findall(r"\b[a-z]+_[a-z_]+\b", code))


def test_names_of_our_api_exist() -> None:
    values = {"falling_off", "num_players", "None"}
    for word in words(1) - values:
        assert any(hasattr(thing, word) for thing in (edge_envs, OURS, OURS.game, State, Game)), word


def test_names_of_openspiel_exist() -> None:
    values = {"kuhn_poker", "open_spiel"}
    for word in words(2) - values:
        assert any(hasattr(thing, word) for thing in (pyspiel, THEIRS, THEIRS.get_game())), word


def test_shared_names_exist_in_both_libraries() -> None:
    alike = PAGE[PAGE.index("attributes are the same:") : PAGE.index("Players are numbered")]
    names = re.findall(r"`(\w+)`", alike)
    assert len(names) > 15
    for name in names:
        assert hasattr(OURS, name) or hasattr(OURS.game, name), name
        assert hasattr(THEIRS, name) or hasattr(THEIRS.get_game(), name), name


def test_player_numbers_are_equal() -> None:
    assert (edge_envs.CHANCE, edge_envs.TERMINAL) == (pyspiel.PlayerId.CHANCE, pyspiel.PlayerId.TERMINAL)


def test_masks_at_chance_nodes_differ() -> None:
    assert not OURS.legal_action_mask().any()
    assert THEIRS.legal_actions_mask() == [1, 1, 1]


def test_only_our_state_rejects_illegal_actions() -> None:
    ours, theirs = OURS.clone(), THEIRS.clone()
    for state in (ours, theirs):
        while state.is_chance_node():
            state.apply_action(state.legal_actions()[0])
    with pytest.raises(edge_envs.IllegalActionError):
        ours.apply_action(7)
    theirs.apply_action(7)
    assert theirs.history()[-1] == 7
    with pytest.raises(pyspiel.SpielError):
        theirs.apply_action_with_legality_check(7)


def test_only_our_history_includes_players() -> None:
    ours, theirs = OURS.clone(), THEIRS.clone()
    for state in (ours, theirs):
        state.apply_action(state.legal_actions()[0])
    assert ours.history() == [(edge_envs.CHANCE, ours.history()[0][1])]
    assert theirs.history() == [0]
    assert [(step.player, step.action) for step in theirs.full_history()] == [(-1, 0)]


def test_observations_of_openspiel_are_flat_lists() -> None:
    state = pyspiel.load_game("tic_tac_toe").new_initial_state()
    assert (type(state.observation_tensor(0)), len(state.observation_tensor(0))) == (list, 27)
    assert state.get_game().observation_tensor_shape() == [3, 3, 3]
    assert state.information_state_string(0) == ""
    assert OURS.observation_tensor(0).shape == OURS.game.observation_shape
