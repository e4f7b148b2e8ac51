"""The value contract: a game's action values and position features."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import edge_envs
from edge_envs import Game, State
from edge_envs.core.features import ObservedValues
from edge_envs.core.kernels.rng import chance_words
from tests.contract.play import decisions, playthrough

DECISIONS = 12


def some_decisions(game: Game) -> list[State]:
    """Return decision nodes of all stages of the game."""
    return list(decisions(game, DECISIONS))


def actions_with_value(values: edge_envs.core.values.Array) -> list[int]:
    """Return the actions with a value."""
    assert not np.isnan(values).any()
    return np.flatnonzero(values > -np.inf).tolist()


def test_heuristic_plays_the_legal_action_of_maximal_value(valued_game: Game) -> None:
    for state in some_decisions(valued_game):
        before = state.to_dict()
        values = state.action_values()
        assert values.shape == (valued_game.num_distinct_actions,)
        assert values.dtype == np.float64
        assert set(actions_with_value(values)) <= set(state.legal_actions())
        assert state.heuristic_action() == values.argmax()
        assert state.to_dict() == before


def test_values_depend_only_on_the_players_information(valued_game: Game) -> None:
    rng = np.random.default_rng(0)
    for state in some_decisions(valued_game):
        player = state.current_player()
        other = state.resample(player, rng)
        assert np.array_equal(other.action_values(), state.action_values())
        assert np.array_equal(other.position_features(player), state.position_features(player))


def test_values_from_observation_match_values_from_state(valued_game: Game) -> None:
    declared = valued_game.type.values
    assert declared is not None
    states = some_decisions(valued_game)
    observations = np.stack([state.observation_tensor(state.current_player()) for state in states])
    values = np.empty((len(states), valued_game.num_distinct_actions), np.float32)
    features = np.empty((len(states), valued_game.num_players, len(declared.features)), np.float32)
    blank, weights = valued_game.new_records(1), declared.weights_with()
    valued_game.compiled.value_loops.seen(observations, blank, weights, values, features)
    for state, own, seen in zip(states, values, features, strict=True):
        assert own == pytest.approx(state.action_values(), rel=1e-5)
        assert seen == pytest.approx(state.position_features(state.current_player()), rel=1e-5, abs=1e-5)


def test_arbitrary_observations_have_values_or_are_rejected(valued_game: Game) -> None:
    shape = valued_game.observation_shape
    estimates = ObservedValues(valued_game)(np.zeros((2, *shape), valued_game.observation_dtype))
    assert np.isfinite(estimates.hints).all()
    for observations in (*sampled(valued_game), *mixed(valued_game)):
        estimates = ObservedValues(valued_game)(observations)  # which must return
        assert estimates.hints.shape == (len(observations), valued_game.num_distinct_actions)
    for wrong in (np.zeros((2, 3)), np.zeros(shape), np.zeros((1, *shape, 1))):
        with pytest.raises(ValueError, match="observations: shape"):
            ObservedValues(valued_game)(wrong)


def sampled(game: Game) -> Iterator[Any]:
    """Yield observations of random numbers within their bounds, as `observation_space.sample()` draws them."""
    low, high = (bound.astype(np.int64) for bound in game.observation_bounds)
    rng = np.random.default_rng(0)
    yield rng.integers(low, high + 1, size=(200, *game.observation_shape)).astype(game.observation_dtype)


def mixed(game: Game) -> Iterator[Any]:
    """Yield observations whose first entries are those of another position."""
    seen = np.stack([state.observation_tensor(state.current_player()) for state in some_decisions(game)])
    flat, rng = seen.reshape(len(seen), -1), np.random.default_rng(0)
    for cut in rng.integers(flat.shape[1], size=10):
        other = np.where(np.arange(flat.shape[1]) < cut, flat[rng.permutation(len(flat))], flat)
        yield other.reshape(seen.shape)


def test_features_are_finite_at_every_node(valued_game: Game) -> None:
    declared = valued_game.type.values
    assert declared is not None
    for heuristic in (False, True):
        for number, state in enumerate(playthrough(valued_game, seed=3, heuristic=heuristic)):
            if number > 400:
                break
            for viewer in range(valued_game.num_players):
                features = state.position_features(viewer)
                assert features.shape == (valued_game.num_players, len(declared.features))
                assert np.isfinite(features).all()
                again = state.position_features(viewer)
                assert np.array_equal(features, again)


def test_features_do_not_depend_on_the_viewer_with_perfect_information(valued_game: Game) -> None:
    if not valued_game.perfect_information:
        return
    for state in some_decisions(valued_game):
        first = state.position_features(0)
        for viewer in range(1, valued_game.num_players):
            assert np.array_equal(np.roll(state.position_features(viewer), viewer, axis=0), first)


def test_any_weights_give_a_legal_best_action(valued_game: Game) -> None:
    declared = valued_game.type.values
    assert declared is not None
    rng = random.Random(0)
    for state in some_decisions(valued_game):
        drawn = {
            weight.name: rng.choice([weight.low, weight.high, weight.default, rng.uniform(weight.low, weight.high)])
            for weight in declared.weights
        }
        values = state.action_values(drawn)
        assert set(actions_with_value(values)) <= set(state.legal_actions())
        assert actions_with_value(values)
        assert np.isfinite(state.position_features(state.current_player(), drawn)).all()


def test_weights_have_ranges_defaults_and_descriptions(valued_game: Game) -> None:
    declared = valued_game.type.values
    assert declared is not None
    assert declared.unit
    assert declared.span > 0
    names = [feature.name for feature in declared.features]
    assert [declared.feature(name) for name in names] == list(range(len(names)))
    assert all(feature.description for feature in declared.features)
    with pytest.raises(ValueError, match="unknown feature 'speed' \\(choose from"):
        declared.feature("speed")
    for weight in declared.weights:
        assert weight.low <= weight.default <= weight.high
        assert weight.low < weight.high
        assert weight.description
        changed = declared.weights_with({weight.name: weight.high})
        assert changed[weight.name] == weight.high
        for outside in (weight.low - 1.0, weight.high + 1.0, float("nan")):
            with pytest.raises(ValueError, match=f"invalid weight {weight.name}=.*: expected a number from"):
                declared.weights_with({weight.name: outside})
        number: Any = np.array(weight.low)
        assert declared.weights_with({weight.name: number})[weight.name] == weight.low
        for wrong in ("1", True, None, [1.0]):
            with pytest.raises(ValueError, match=f"invalid weight {weight.name}=.*: expected a number from"):
                declared.weights_with({weight.name: wrong})  # type: ignore[dict-item]
    with pytest.raises(ValueError, match="unknown weight 'speed' \\(choose from"):
        declared.weights_with({"speed": 1.0})
    for other in (0, np.int8(1), [1.0]):
        with pytest.raises(ValueError, match=r"invalid weights .*: expected a mapping of names to numbers"):
            declared.weights_with(other)  # type: ignore[arg-type]


def test_values_depend_on_the_weights(valued_game: Game) -> None:
    declared = valued_game.type.values
    assert declared is not None
    changes = [{weight.name: end} for weight in declared.weights for end in (weight.low, weight.high)]
    states = some_decisions(valued_game)
    assert any(
        not np.array_equal(state.action_values(), state.action_values(change)) for state in states for change in changes
    )


def test_turn_number_changes_during_a_game(valued_game: Game) -> None:
    """It is equal in a copy, and changes at least twice."""
    turn_of = valued_game.compiled.kernels.turn_of
    assert turn_of is not None
    numbers = []
    for state in playthrough(valued_game, seed=1):
        record = state._records.copy()[0]
        numbers.append(int(turn_of(record)))
        assert int(turn_of(state.clone()._records.copy()[0])) == numbers[-1]
        if len(numbers) > 300:
            break
    assert sum(one != other for one, other in itertools.pairwise(numbers)) >= 2


def test_duel_with_default_weights_matches_heuristic_play(valued_game: Game) -> None:
    declared = valued_game.type.values
    assert declared is not None
    players, games = valued_game.num_players, 2
    seeds = np.arange(games, dtype=np.uint64)
    states, returns = valued_game.new_records(games), np.zeros(games)
    chance_words(seeds, states["rng"])
    valued_game.compiled.loops.new_games(states)
    seats = np.arange(games) % players
    scratch = np.empty(valued_game.num_distinct_actions), np.empty(players)
    valued_game.compiled.value_loops.duels(states, seats, declared.weights_with(), returns, *scratch)
    for seed, seat, own in zip(seeds, seats, returns, strict=True):
        state = valued_game.new_initial_state(int(seed))
        while not state.is_terminal():
            state.apply_action(state.sample_chance() if state.is_chance_node() else state.heuristic_action())
        assert own == pytest.approx(state.returns()[seat])


def test_action_values_require_a_decision_node(valued_game: Game) -> None:
    *_, last = playthrough(valued_game, seed=0)
    nobody = [last]
    if valued_game.max_chance_outcomes:
        nobody += [next(state.clone() for state in playthrough(valued_game, seed=0) if state.is_chance_node())]
    for state in nobody:
        with pytest.raises(ValueError, match="action values need a decision"):
            state.action_values()


def test_game_without_values_raises() -> None:
    state = edge_envs.load_game("kuhn").new_initial_state(0)
    assert state.game.type.values is None
    with pytest.raises(ValueError, match="kuhn declares no VALUES"):
        state.action_values()
    with pytest.raises(ValueError, match="kuhn declares no VALUES"):
        state.position_features(0)
