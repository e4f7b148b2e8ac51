"""Versions of a game's heuristic: the current one and earlier ones, selected by name."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from agents.players.agent import check_agent, make_agent
from edge_envs import Game
from edge_envs.core.features import PlainFeatures
from edge_envs.envs.seat import SeatEnv
from edge_envs.players import decide
from tests.contract.play import decisions


def test_every_version_plays_a_legal_action_of_maximal_value(plain_game: Game) -> None:
    for version in plain_game.type.heuristics:
        game = plain_game.with_heuristic(version)
        assert (game == plain_game) == (version == plain_game.type.heuristic)
        agent, rng = make_agent(f"heuristic:{version}", plain_game), np.random.default_rng(0)
        for state in decisions(game, 6):
            action = state.heuristic_action()
            assert action in state.legal_actions()
            assert action == decide(agent, state, rng)
            assert game.type.values is None or action == state.action_values().argmax()


def test_latest_version_is_the_default_heuristic(plain_game: Game) -> None:
    current = plain_game.type
    assert current.heuristic == current.heuristics[-1]
    assert current.with_heuristic(current.heuristic) is current
    assert make_agent("heuristic", plain_game).name == "heuristic"


def test_versions_differ(plain_game: Game) -> None:
    for version in plain_game.type.heuristics[:-1]:
        game = plain_game.with_heuristic(version)
        assert game.type.module("heuristic") is not plain_game.type.module("heuristic")
        assert game.compiled.kernels.heuristic is not plain_game.compiled.kernels.heuristic
        assert game.compiled.kernels.apply is plain_game.compiled.kernels.apply
        other = pickle.loads(pickle.dumps(game))
        assert other.type.heuristic == version
        differ = [
            (state.action_values() != plain_game.state_from_dict(state.to_dict()).action_values()).any()
            for state in decisions(game, 6)
        ]
        assert any(differ)


def test_hints_use_the_selected_version(valued_game: Game) -> None:
    for version in valued_game.type.heuristics:
        game = valued_game.with_heuristic(version)
        features = PlainFeatures(game, hints=True)
        for state in decisions(game, 4):
            view = features(state.observation_tensor(state.current_player())[None])
            assert view.hints[0, state.heuristic_action()] == 0.0


@pytest.mark.parametrize("text", ["", "x", "0", "v", "v-1", "v0 ", "V0"])
def test_invalid_version_is_rejected(text: str) -> None:
    with pytest.raises(ValueError, match=f"unknown agent 'heuristic:{text}': invalid version '{text}'"):
        check_agent(f"heuristic:{text}")


def test_seat_env_supports_every_version_as_opponent(plain_game: Game) -> None:
    for version in plain_game.type.heuristics:
        named = SeatEnv(plain_game, opponents=f"heuristic:{version}")
        own = SeatEnv(plain_game.with_heuristic(version), opponents="heuristic")
        for env in (named, own):
            env.reset(seed=3)
        done = False
        while not done:
            assert (named.action_masks() == own.action_masks()).all()
            action = int(named.action_masks().argmax())
            _, reward, done, *_ = named.step(action)
            assert own.step(action)[1:3] == (reward, done)


def test_unknown_version_error_lists_the_versions(plain_game: Game) -> None:
    wanted = rf"unknown heuristic 'v99' of {plain_game.name} \(choose from v0"
    with pytest.raises(ValueError, match=wanted):
        plain_game.with_heuristic("v99")
    with pytest.raises(ValueError, match=wanted):
        make_agent("heuristic:v99", plain_game)
