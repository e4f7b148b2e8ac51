"""The features of `over_the_edge`: hints from the observation alone are what the pilot thinks in the position."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from agents.features.over_the_edge import WORST, OverTheEdgeFeatures
from edge_envs import load_game
from edge_envs.games.over_the_edge.heuristic import appraise_actions
from tests.agents.players import decisions

each_game = pytest.mark.parametrize(
    "params", [{"map": "pond"}, {"map": "pond", "num_players": 4}, {"num_players": 3}], ids=str
)


@each_game
def test_hints_are_the_losses_that_the_pilot_sees(params: dict[str, Any]) -> None:
    game = load_game("over_the_edge", **params)
    states = decisions(game, games=2, heuristic=0.8)
    observations = np.stack([state.observation_tensor(state.current_player()) for state in states])
    view = OverTheEdgeFeatures(game, hints=True)(torch.from_numpy(observations))
    assert view.hints is not None
    for state, hints in zip(states, view.hints.numpy(), strict=True):
        record, values = game.records_from_dict(state.to_dict())[0], np.empty(game.num_distinct_actions)
        appraise_actions(record, values)
        losses = np.maximum(values - values.max(), -WORST) / WORST
        assert hints == pytest.approx(losses, abs=1e-4)
        assert set(np.flatnonzero(np.isfinite(values))) == set(state.legal_actions())
        assert hints[state.heuristic_action()] == pytest.approx(0.0, abs=1e-4)


@each_game
def test_where_nobody_or_another_is_to_act_all_hints_are_the_worst(params: dict[str, Any]) -> None:
    game = load_game("over_the_edge", **params)
    features = OverTheEdgeFeatures(game, hints=True)
    state = game.new_initial_state(seed=0)
    for _ in range(400):
        if state.is_terminal():
            break
        for player in range(game.num_players):
            view = features(torch.from_numpy(state.observation_tensor(player)[None]))
            assert view.hints is not None
            assert torch.isfinite(view.vectors).all()
            assert bool((view.hints == -1.0).all()) == (player != state.current_player())
        state.apply_action(state.sample_chance() if state.is_chance_node() else state.heuristic_action())


@each_game
def test_every_verb_has_a_weight_of_its_own(params: dict[str, Any]) -> None:
    game = load_game("over_the_edge", **params)
    groups = OverTheEdgeFeatures(game, hints=True).action_groups
    verbs: dict[str, set[int]] = {}
    for state in decisions(game, games=6, heuristic=0.8):
        for action in state.legal_actions():
            verbs.setdefault(state.action_to_string(action).split()[0], set()).add(int(groups[action]))
    assert all(len(found) == 1 for found in verbs.values())
    together = [{"calm", "wait"}, {"accept", "refuse"}, {"board", "no"}]
    for one in verbs:
        for other in verbs:
            same = one == other or any({one, other} <= pair for pair in together)
            assert (verbs[one] == verbs[other]) == same


def test_the_features_fit_no_other_game() -> None:
    with pytest.raises(ValueError, match="the features over_the_edge do not fit the game falling_off"):
        OverTheEdgeFeatures(load_game("falling_off"), hints=False)
