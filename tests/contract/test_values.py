"""The value contract: what a game's built-in player thinks of actions and positions."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest

import edge_envs
from edge_envs import Game, State
from edge_envs.core.kernels.rng import chance_words
from tests.contract.play import decisions, playthrough

DECISIONS = 12


def some_decisions(game: Game) -> list[State]:
    """Decisions from all over the game."""
    return list(decisions(game, DECISIONS))


def possible(values: edge_envs.core.values.Array) -> list[int]:
    """The actions that have a value."""
    assert not np.isnan(values).any()
    return np.flatnonzero(values > -np.inf).tolist()


def test_legal_actions_have_values_and_the_heuristic_takes_the_greatest(valued_game: Game) -> None:
    for state in some_decisions(valued_game):
        before = state.to_dict()
        values = state.action_values()
        assert values.shape == (valued_game.num_distinct_actions,)
        assert values.dtype == np.float64
        assert set(possible(values)) <= set(state.legal_actions())
        assert state.heuristic_action() == values.argmax()
        assert state.to_dict() == before


def test_values_come_from_what_the_player_knows(valued_game: Game) -> None:
    rng = np.random.default_rng(0)
    for state in some_decisions(valued_game):
        player = state.current_player()
        other = state.resample(player, rng)
        assert np.array_equal(other.action_values(), state.action_values())
        assert np.array_equal(other.position_features(player), state.position_features(player))


def test_values_from_an_observation_are_those_in_the_position(valued_game: Game) -> None:
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


def test_features_are_numbers_at_every_node(valued_game: Game) -> None:
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


def test_in_games_without_secrets_features_are_the_same_for_every_viewer(valued_game: Game) -> None:
    if not valued_game.perfect_information:
        return
    for state in some_decisions(valued_game):
        first = state.position_features(0)
        for viewer in range(1, valued_game.num_players):
            assert np.array_equal(np.roll(state.position_features(viewer), viewer, axis=0), first)


def test_with_any_weights_some_legal_action_is_best(valued_game: Game) -> None:
    declared = valued_game.type.values
    assert declared is not None
    rng = random.Random(0)
    for state in some_decisions(valued_game):
        drawn = {
            weight.name: rng.choice([weight.low, weight.high, weight.default, rng.uniform(weight.low, weight.high)])
            for weight in declared.weights
        }
        values = state.action_values(drawn)
        assert set(possible(values)) <= set(state.legal_actions())
        assert possible(values)
        assert np.isfinite(state.position_features(state.current_player(), drawn)).all()


def test_every_weight_has_a_range_around_its_default_and_says_what_it_is(valued_game: Game) -> None:
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
    with pytest.raises(ValueError, match="unknown weight 'speed' \\(choose from"):
        declared.weights_with({"speed": 1.0})


def test_values_change_with_the_weights(valued_game: Game) -> None:
    declared = valued_game.type.values
    assert declared is not None
    changes = [{weight.name: end} for weight in declared.weights for end in (weight.low, weight.high)]
    states = some_decisions(valued_game)
    assert any(
        not np.array_equal(state.action_values(), state.action_values(change)) for state in states for change in changes
    )


def test_the_number_of_a_turn_changes_with_the_turn(valued_game: Game) -> None:
    """It is the same in a copy, changes during a game, and never oftener than something happens."""
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


def test_with_its_own_weights_a_duel_is_a_game_of_heuristics(valued_game: Game) -> None:
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


def test_nobody_decides_at_chance_and_at_the_end(valued_game: Game) -> None:
    *_, last = playthrough(valued_game, seed=0)
    nobody = [last]
    if valued_game.max_chance_outcomes:
        nobody += [next(state.clone() for state in playthrough(valued_game, seed=0) if state.is_chance_node())]
    for state in nobody:
        with pytest.raises(ValueError, match="action values need a decision"):
            state.action_values()


def test_a_game_without_the_contract_says_so() -> None:
    state = edge_envs.load_game("kuhn").new_initial_state(0)
    assert state.game.type.values is None
    with pytest.raises(ValueError, match="kuhn declares no VALUES"):
        state.action_values()
    with pytest.raises(ValueError, match="kuhn declares no VALUES"):
        state.position_features(0)
