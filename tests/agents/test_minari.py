"""Test `python -m agents.collect --format minari`: Minari reads the same episodes and recovers the environment."""

from __future__ import annotations

import json
import sys
import warnings
from pathlib import Path
from typing import Any

import minari
import numpy as np
import pytest
from safetensors.numpy import load_file

from agents.collect import main
from agents.collection.episodes import episodes
from edge_envs import load_game
from tests.agents.test_collect import GAMES, THREE, contents
from tests.programs import Here


@pytest.fixture
def collect(here: Here) -> Any:
    def call(*arguments: object) -> None:
        outcome = here(main, *arguments, "--workers", 1)
        assert outcome.code == 0, outcome.err

    return call


@pytest.mark.parametrize(("name", "params"), GAMES)
def test_minari_episodes_match_the_arrays(name: str, params: tuple[str, ...], tmp_path: Path, collect: Any) -> None:
    arguments = ("--game", name, "--param", *params, "--agents", "heuristic", "--games", 3, "--shard", 2)
    for kind in ("arrays", "minari"):
        collect(*arguments, "--noise", 0.5, "--format", kind, "--out", tmp_path / kind)
    card = json.loads((tmp_path / "minari/card.json").read_text(encoding="utf-8"))
    dataset = minari.MinariDataset(tmp_path / "minari")
    files = [load_file(path) for path in sorted((tmp_path / "arrays").glob("*.safetensors"))]
    expected = [episode for arrays in files for episode in episodes(arrays, card["actions"])]
    assert len(dataset) == len(expected)
    assert dataset.total_steps == card["decisions"]
    game = load_game(name, **card["params"])
    assert dataset.observation_space.shape == game.observation_shape
    assert dataset.observation_space.dtype == game.observation_dtype
    metadata = dataset.storage.get_episode_metadata(range(len(dataset)))
    for episode, facts, one in zip(dataset, metadata, expected, strict=True):
        assert facts == {
            "game": one.game, "player": one.player, "agent": 0, "seed": card["first_seed"] + one.game,
            "total_steps": len(one.actions),
        }  # fmt: skip
        assert np.array_equal(episode.observations, one.observations)
        assert episode.observations.dtype == one.observations.dtype
        assert np.array_equal(episode.infos["action_mask"], one.action_masks)
        assert np.array_equal(episode.infos["drawn"], [*one.drawn, False])
        assert np.array_equal(episode.actions, one.actions)
        assert np.array_equal(episode.rewards, one.rewards)
        assert episode.terminations.tolist() == [False] * (len(one.actions) - 1) + [True]
        assert not episode.truncations.any()
    assert {key: one["dtype"] for key, one in card["arrays"].items()} == {
        "observations": str(game.observation_dtype), "actions": "int64", "rewards": "float32", "terminations": "bool",
        "truncations": "bool", "infos/action_mask": "int8", "infos/drawn": "bool",
    }  # fmt: skip


def test_viewer_option_keeps_the_episodes_of_one_seat(tmp_path: Path, collect: Any) -> None:
    for name, viewer in (("all", ()), ("own", ("--viewer", 2))):
        collect(*THREE, *viewer, "--format", "minari", "--out", tmp_path / name)
    of_all, own = (minari.MinariDataset(tmp_path / name) for name in ("all", "own"))
    players = [facts["player"] for facts in of_all.storage.get_episode_metadata(range(len(of_all)))]
    expected = [episode for episode, player in zip(of_all, players, strict=True) if player == 2]
    assert not [facts for facts in own.storage.get_episode_metadata(range(len(own))) if "seed" in facts]
    for episode, other in zip(own, expected, strict=True):
        assert np.array_equal(episode.observations, other.observations)
        assert np.array_equal(episode.actions, other.actions)


def test_minari_recovers_the_environment(tmp_path: Path, collect: Any) -> None:
    arguments = ("--game", "falling_off", "--param", "num_players=3", "--agents", "heuristic", "--games", 2)
    collect(*arguments, "--format", "minari", "--out", tmp_path / "data")
    dataset = minari.MinariDataset(tmp_path / "data")
    facts = list(dataset.storage.get_episode_metadata(range(len(dataset))))
    env = dataset.recover_environment(seat=0)
    assert (env.observation_space, env.action_space) == (dataset.observation_space, dataset.action_space)
    for number in (number for number, one in enumerate(facts) if one["player"] == 0):
        observation, info = env.reset(seed=facts[number]["seed"])
        assert np.array_equal(observation, dataset[number].observations[0])
        assert np.array_equal(info["action_mask"], dataset[number].infos["action_mask"][0])


def test_minari_lists_and_loads_the_dataset_by_name(
    tmp_path: Path, collect: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path))
    name = "falling_off/random-heuristic-tests_arena_external_agents_first-v0"
    collect(*THREE, "--format", "minari", "--out", tmp_path / name / "data")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        listed = minari.list_local_datasets()
    assert list(listed) == [name]
    dataset = minari.load_dataset(name)
    card = json.loads((tmp_path / name / "data/card.json").read_text(encoding="utf-8"))
    assert dataset.total_steps == card["decisions"]
    assert listed[name]["card"]["command"] == card["command"]
    agents = [one["agent"] for one in dataset.storage.get_episode_metadata(range(len(dataset)))]
    assert {card["agents"][number]["agent"] for number in agents} == {
        "random", "heuristic", "tests.arena.external_agents:first",
    }  # fmt: skip


def test_interrupted_dataset_is_completed_with_identical_files(tmp_path: Path, collect: Any) -> None:
    whole, again = tmp_path / "whole", tmp_path / "again"
    for folder in (whole, again):
        collect(*THREE, "--format", "minari", "--out", folder)
    for name in ("00001.hdf5", "main_data.hdf5", "metadata.json", "card.json"):
        (again / name).unlink()
    collect(*THREE, "--format", "minari", "--out", again)
    assert contents(again) == contents(whole)


def test_missing_minari_is_a_one_line_error(here: Here, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "minari", None)
    line = here.fails(main, *THREE, "--format", "minari", "--workers", 1, "--out", tmp_path / "data")
    assert line == 'error: the module minari is not installed; try: pip install "edge-envs[minari]"'
    assert not list(tmp_path.rglob("*.hdf5"))
