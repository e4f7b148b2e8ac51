"""Network features, which replace plain observations, and hints, for every game."""

from __future__ import annotations

import numpy as np
import pytest

from edge_envs import Game
from edge_envs.core.features import (
    Array,
    BoardFeatures,
    Features,
    PlainFeatures,
    PlaneFeatures,
    VectorFeatures,
    legal_lists,
)
from tests.contract.play import decisions, playthrough


def kinds(game: Game) -> list[type[Features]]:
    """Return all classes of features that support a game."""
    found: list[type[Features]] = [PlainFeatures]
    if len(game.observation_shape) == 3:
        found.append(PlaneFeatures)
    if game.type.has_module("features"):
        module = game.type.module("features")
        own = [kind for name in ("VECTORS", "BOARD") if (kind := getattr(module, name, None)) is not None]
        assert own
        found += own
    return found


def inputs(features: Features, observations: Array) -> Array:
    """Return the vectors or planes after checking their shape and type."""
    view = features(observations)
    shape: tuple[int, ...]
    if isinstance(features, VectorFeatures):
        shown, shape = view[0], (features.size,)
        assert view.actions is None or view.actions.max() < features.num_actions
    else:
        assert isinstance(features, BoardFeatures)
        shown, shape = view[0], (features.planes, *features.board_shape)
    assert shown.shape == (len(observations), *shape)
    assert shown.dtype == np.float32
    assert np.isfinite(shown).all()
    return np.asarray(shown)


def hints_of_the_game(features: Features, observations: Array) -> Array:
    """Return hints (B, A), one per action of the game."""
    view = features(observations)
    if isinstance(features, BoardFeatures) and view.actions is not None:
        return np.take_along_axis(view.hints, view.actions, axis=1)
    return np.asarray(view.hints)


def test_features_of_every_node_are_finite(plain_game: Game) -> None:
    nodes = [state.clone() for _, state in zip(range(120), playthrough(plain_game, seed=2), strict=False)]
    *_, last = playthrough(plain_game, seed=2)
    for kind in kinds(plain_game):
        for hints in (False, True) if plain_game.type.values else (False,):
            features = kind(plain_game, hints=hints)
            for player in range(plain_game.num_players):
                inputs(features, np.stack([state.observation_tensor(player) for state in [*nodes, last]]))


def test_every_action_has_a_group(plain_game: Game) -> None:
    for kind in kinds(plain_game):
        groups = kind(plain_game).action_groups
        assert groups.shape == (plain_game.num_distinct_actions,)
        assert sorted(set(groups.tolist())) == list(range(groups.max() + 1))


def test_batch_rows_are_independent(plain_game: Game) -> None:
    states = list(decisions(plain_game, 10))
    observations = np.stack([state.observation_tensor(state.current_player()) for state in states])
    for kind in kinds(plain_game):
        features = kind(plain_game)
        alone = np.concatenate([inputs(features, observation[None]) for observation in observations])
        assert inputs(features, observations) == pytest.approx(alone, rel=1e-5, abs=1e-6)


def test_hints_are_value_losses_to_the_best_action(valued_game: Game) -> None:
    values = valued_game.type.values
    assert values is not None
    states = list(decisions(valued_game, 10))
    observations = np.stack([state.observation_tensor(state.current_player()) for state in states])
    for kind in kinds(valued_game):
        if kind is not PlainFeatures and kind is not PlaneFeatures and issubclass(kind, BoardFeatures):
            continue  # it may transform the board first; the game tests this itself
        hints = hints_of_the_game(kind(valued_game, hints=True), observations)
        for state, own in zip(states, hints, strict=True):
            expected = state.action_values()
            losses = np.maximum(expected - expected.max(), -values.span) / values.span
            assert own == pytest.approx(losses, abs=1e-4)


def test_hints_are_finite_and_never_prefer_illegal_actions(valued_game: Game) -> None:
    states = list(decisions(valued_game, 10))
    observations = np.stack([state.observation_tensor(state.current_player()) for state in states])
    for kind in kinds(valued_game):
        hints = hints_of_the_game(kind(valued_game, hints=True), observations)
        assert hints.shape == (len(states), valued_game.num_distinct_actions)
        assert hints.min() >= -1.0
        assert (hints.max(axis=1) == 0.0).all()
        legal = np.stack([state.legal_action_mask() for state in states]) == 1
        assert (hints[~legal] == -1.0).all()


def test_action_lists_match_action_masks(plain_game: Game) -> None:
    states = list(decisions(plain_game, 10))
    masks = np.stack([np.zeros(plain_game.num_distinct_actions, np.int8), *(s.legal_action_mask() for s in states)])
    lists = legal_lists(masks)
    assert lists.shape == (len(masks), masks.sum(axis=1).max())
    for mask, actions in zip(masks, lists, strict=True):
        count = mask.sum()
        assert actions[:count].tolist() == np.flatnonzero(mask).tolist()
        assert (actions[count:] == -1).all()


def test_features_of_listed_actions_match_features_of_all_actions(plain_game: Game) -> None:
    states = list(decisions(plain_game, 10))
    observations = np.stack([state.observation_tensor(state.current_player()) for state in states])
    lists = legal_lists(np.stack([state.legal_action_mask() for state in states]))
    for kind in kinds(plain_game):
        whole = kind(plain_game, hints=plain_game.type.values is not None)(observations)
        view = whole.among(lists)
        assert view.legal is lists
        assert np.array_equal(view[0], whole[0])
        for row, actions in enumerate(lists.tolist()):
            for place, action in enumerate(actions):
                own = action if whole.actions is None or action < 0 else whole.actions[row, action]
                assert view.actions[row, place] == own
                if whole.hints is not None and issubclass(kind, VectorFeatures):
                    assert view.hints[row, place] == (-1.0 if action < 0 else whole.hints[row, action])
        if issubclass(kind, BoardFeatures):
            assert view.hints is whole.hints  # these are planes


def test_heuristic_weights_require_hints(plain_game: Game) -> None:
    values = plain_game.type.values
    for kind in kinds(plain_game):
        with pytest.raises(ValueError, match="heuristic_weights need hints: expected hint_weight > 0"):
            kind(plain_game, weights={"speed": 1.0})
        wanted = "unknown weight 'speed'" if values else f"{plain_game.name} declares no VALUES"
        with pytest.raises(ValueError, match=wanted):
            kind(plain_game, hints=True, weights={"speed": 1.0})
