"""What holds of the features of every game whose heuristic gives hints to perceptrons."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

from agents.features import Features
from edge_envs import Game, State
from tests.agents.players import decisions


def observed(states: list[State]) -> torch.Tensor:
    """What those see who are to act."""
    return torch.from_numpy(np.stack([state.observation_tensor(state.current_player()) for state in states]))


def assert_hints_are_losses(
    game: Game, features: Features, appraise_actions: Callable[[Any, Any], None], worst: float
) -> None:
    """Hints from observations alone are what the heuristic thinks that each action loses in the position."""
    states = decisions(game, games=2, heuristic=0.8)
    hints = features(observed(states)).hints
    assert hints is not None
    for state, own in zip(states, hints.numpy(), strict=True):
        record, values = game.records_from_dict(state.to_dict())[0], np.empty(game.num_distinct_actions)
        appraise_actions(record, values)
        losses = np.maximum(values - values.max(), -worst) / worst
        assert own == pytest.approx(losses, abs=1e-4)
        assert set(np.flatnonzero(np.isfinite(values))) == set(state.legal_actions())
        assert own[state.heuristic_action()] == pytest.approx(0.0, abs=1e-4)


def assert_who_is_to_act_is_advised(game: Game, features: Features) -> None:
    """Where nobody or another is to act all hints are the worst; what is shown is finite at every node of a game."""
    state = game.new_initial_state(seed=0)
    while not state.is_terminal():
        observations = [state.observation_tensor(player) for player in range(game.num_players)]
        view = features(torch.from_numpy(np.stack(observations)))
        assert view.vectors.shape == (game.num_players, features.size)
        assert torch.isfinite(view.vectors).all()
        worst = (view.hints == -1.0).all(dim=1).tolist()
        assert worst == [player != state.current_player() for player in range(game.num_players)]
        state.apply_action(state.sample_chance() if state.is_chance_node() else state.heuristic_action())
