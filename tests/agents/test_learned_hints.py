"""Test hints made of the values of an n-tuple network."""

from __future__ import annotations

import copy
import itertools
import json
import shutil
import threading
from pathlib import Path

import numpy as np
import pytest
import torch

from agents.networks import Perceptron
from agents.networks.learned_hints import SPAN, LearnedHints
from agents.players.digests import files_hash
from agents.players.policy import PolicyAgent
from edge_envs import Game, State, load_game
from edge_envs.core.spec import Array
from edge_envs.ntuple.agent import TurnsAgent
from tests.agents.players import untrained
from tests.agents.test_tuples import random_agent


@pytest.fixture
def values(tmp_path: Path) -> Path:
    """Write the policy of an n-tuple network with random weights for tic-tac-toe."""
    random_agent().save(tmp_path / "values")
    return tmp_path / "values"


@pytest.fixture
def game() -> Game:
    return load_game("tic_tac_toe")


def openings(game: Game) -> list[State]:
    """Return the positions after each first move, and after each pair of first moves."""
    paths = [(), *((first,) for first in range(9)), *itertools.permutations(range(9), 2)]
    return [after(game, *path) for path in paths]


def after(game: Game, *actions: int) -> State:
    state = game.new_initial_state(seed=0)
    for action in actions:
        state.apply_action(action)
    return state


def observations_of(states: list[State]) -> Array:
    return np.stack([state.observation_tensor(state.current_player()) for state in states])


def test_hints_are_losses_of_learned_value(game: Game, values: Path) -> None:
    states, agent = openings(game), TurnsAgent.load(values, game, 0)
    estimates = LearnedHints(game, values)(observations_of(states))
    returns = np.stack([agent.action_values(state._records.copy())[0] for state in states])
    losses = np.nanmax(returns, axis=1, keepdims=True) - returns
    span = SPAN * (game.max_utility - game.min_utility)
    expected = np.where(np.isnan(losses), -1.0, -np.minimum(losses / span, 1.0))
    np.testing.assert_allclose(estimates.hints, expected, atol=1e-6)
    assert (expected > -1).any()
    assert (expected == -1).any()
    np.testing.assert_allclose(estimates.best[:, 0], np.nanmax(returns, axis=1), atol=1e-6)


def test_viewers_that_are_not_to_act_have_no_hints(game: Game, values: Path) -> None:
    waiting = after(game, 0).observation_tensor(0)[None]
    assert (LearnedHints(game, values)(waiting).hints == -1).all()


def test_threads_and_copies_compute_the_same_hints(game: Game, values: Path) -> None:
    hints = LearnedHints(game, values)
    observations = observations_of(openings(game))
    expected, found = hints(observations).hints, []
    threads = [threading.Thread(target=lambda: found.append(hints(observations).hints)) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    found.append(copy.deepcopy(hints)(observations).hints)
    assert len(found) == 4
    assert all(np.array_equal(one, expected) for one in found)


def test_a_saved_policy_contains_the_values_of_its_hints(game: Game, values: Path, tmp_path: Path) -> None:
    policy = untrained(game, Perceptron(hidden=[4], hint_weight=5.0, hint_values=str(values)))
    observations = torch.from_numpy(observations_of(openings(game)))
    expected = policy.network(observations)
    shutil.rmtree(values)
    policy.save(tmp_path / "policy")
    policy.save(tmp_path / "moved")
    shutil.rmtree(tmp_path / "policy")
    loaded = PolicyAgent.load(tmp_path / "moved")
    torch.testing.assert_close(loaded.network(observations), expected)
    loaded.save(tmp_path / "again")
    assert {path.name for path in (tmp_path / "again" / "hint_values").iterdir()} == {
        "policy.json",
        "policy.safetensors",
    }
    described = json.loads((tmp_path / "again" / "policy.json").read_text(encoding="utf-8"))
    assert described["architecture"]["hint_values"] == "hint_values"
    before = files_hash(str(tmp_path / "again"))
    random_agent().save(tmp_path / "again" / "hint_values")
    (tmp_path / "again" / "hint_values" / "policy.safetensors").write_bytes(b"other")
    assert files_hash(str(tmp_path / "again")) != before


def test_a_policy_reads_only_the_values_in_its_own_folder(game: Game, values: Path, tmp_path: Path) -> None:
    policy = untrained(game, Perceptron(hidden=[4], hint_weight=5.0, hint_values=str(values)))
    policy.save(tmp_path / "policy")
    path = tmp_path / "policy" / "policy.json"
    described = json.loads(path.read_text(encoding="utf-8"))
    described["architecture"]["hint_values"] = str(values)
    path.write_text(json.dumps(described), encoding="utf-8")
    shutil.rmtree(tmp_path / "policy" / "hint_values")
    with pytest.raises(ValueError, match=r"policy/hint_values/policy.json: No such file"):
        PolicyAgent.load(tmp_path / "policy")


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"hint_weight": 0.0}, "hint_values need hints: expected hint_weight > 0"),
        ({"heuristic_weights": {"next": 1.0}}, "heuristic_weights do not apply to hint_values"),
        ({"features": "own"}, "features must be plain"),
        ({"hint_values": "nowhere"}, r"nowhere/policy.json: No such file or directory"),
    ],
)
def test_what_learned_hints_exclude_is_an_error(game: Game, values: Path, changes: dict[str, object], why: str) -> None:
    options: dict[str, object] = {"hint_weight": 1.0, "hint_values": str(values), **changes}
    with pytest.raises(ValueError, match=why):
        Perceptron.model_validate(options).make_network(load_game("falling_off") if "features" in changes else game)


def test_values_of_another_game_are_rejected(values: Path) -> None:
    with pytest.raises(ValueError, match="tic_tac_toe"):
        Perceptron(hint_weight=1.0, hint_values=str(values)).make_network(load_game("falling_off"))
