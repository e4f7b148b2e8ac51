"""Test Stable-Baselines3 models as agents: `sb3:FILE`."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from sb3_contrib import QRDQN, MaskablePPO
from stable_baselines3 import A2C, DQN, PPO

import edge_envs
from agents.evaluate import main
from agents.evaluation.matches import play_match
from agents.external import sb3
from agents.players.agent import check_agent, make_agent
from agents.players.digests import files_hash
from edge_envs import Game
from edge_envs.players.random import RandomAgent
from tests.programs import Here

NETWORK = {"net_arch": [8]}


@pytest.fixture(scope="module")
def game() -> Game:
    return edge_envs.load_game("falling_off")


@pytest.fixture(scope="module")
def masked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Train a MaskablePPO model for 64 steps."""
    file = tmp_path_factory.mktemp("sb3") / "masked.zip"
    env = edge_envs.sb3_vec_env("falling_off", num_envs=4)
    model = MaskablePPO("MlpPolicy", env, n_steps=16, batch_size=32, seed=0, device="cpu", policy_kwargs=NETWORK)
    model.learn(64)
    model.save(file)
    return file


@pytest.fixture(scope="module")
def unmasked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Save an untrained PPO model, which does not support masks."""
    file = tmp_path_factory.mktemp("sb3") / "unmasked.zip"
    env = edge_envs.sb3_vec_env("falling_off", num_envs=2)
    PPO("MlpPolicy", env, n_steps=16, batch_size=32, seed=0, device="cpu", policy_kwargs=NETWORK).save(file)
    return file


def test_masked_model_plays_legally_and_matches_sb3(game: Game, masked: Path) -> None:
    agent = make_agent(f"sb3:{masked}", game)
    match = play_match(game, agent, RandomAgent(), 20)
    assert (match.illegal, len(match.returns)) == (0, 20)
    env = edge_envs.sb3_vec_env("falling_off", num_envs=3)
    observations = env.reset()
    model = MaskablePPO.load(masked)
    expected, _ = model.predict(observations, deterministic=True, action_masks=env.action_masks())
    got = agent.act(observations, np.asarray(env.action_masks(), np.int8), None, np.zeros(3), np.random.default_rng(0))
    assert np.array_equal(got, expected)


@pytest.mark.parametrize("masked_observation", [False, True])
def test_models_of_other_observation_forms_play(tmp_path: Path, game: Game, masked_observation: bool) -> None:
    form: dict[str, Any] = {"observation_dtype": "float32", "mask_in_observation": masked_observation}
    env = edge_envs.sb3_vec_env("falling_off", num_envs=2, **form)
    policy = "MultiInputPolicy" if masked_observation else "MlpPolicy"
    MaskablePPO(policy, env, device="cpu", policy_kwargs=NETWORK).save(tmp_path / "model.zip")
    match = play_match(game, make_agent(f"sb3:{tmp_path / 'model.zip'}", game), RandomAgent(), 10)
    assert (match.illegal, len(match.returns)) == (0, 10)


def test_illegal_action_of_an_unmasked_model_forfeits(
    game: Game, unmasked: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    agent: Any = make_agent(f"sb3:{unmasked}", game)
    monkeypatch.setattr(agent._model, "predict", lambda observations, **_: (np.full(len(observations), 10**6), None))
    match = play_match(game, agent, RandomAgent(), 4)
    assert match.illegal == 4
    assert set(match.returns) == {game.min_utility}


@pytest.mark.parametrize("algorithm", [PPO, A2C, DQN, QRDQN, MaskablePPO])
def test_the_algorithm_is_detected(tmp_path: Path, game: Game, algorithm: Any) -> None:
    env = edge_envs.sb3_vec_env("falling_off", num_envs=1)
    file = tmp_path / "model.zip"
    sizes = {"buffer_size": 10} if algorithm in (DQN, QRDQN) else {}
    algorithm("MlpPolicy", env, device="cpu", policy_kwargs=NETWORK, **sizes).save(file)
    agent: Any = make_agent(f"sb3:{file}", game)
    assert type(agent._model) is algorithm
    assert type(make_agent(f"sb3:{algorithm.__name__}:{file}", game)._model) is algorithm  # type: ignore[attr-defined]


def test_loading_warns_once_and_preserves_global_generators(
    game: Game, masked: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("EDGE_ENVS_QUIET", raising=False)
    sb3._warn.cache_clear()
    np.random.seed(7)
    expected = np.random.random()
    np.random.seed(7)
    before = torch.get_rng_state()
    for _ in range(2):
        make_agent(f"sb3:{masked}", game)
    (line,) = capsys.readouterr().err.splitlines()
    assert line == f"warning: {masked} contains pickles, which can run code: load only trusted files"
    assert torch.equal(torch.get_rng_state(), before)
    assert np.random.random() == expected


def test_model_of_another_game_is_rejected(masked: Path) -> None:
    with pytest.raises(ValueError, match=r"made for observations Box\(52,\) .*has observations Box\(66,\) and"):
        make_agent(f"sb3:{masked}", edge_envs.load_game("falling_off", num_players=3))


def archive(path: Path, **files: bytes) -> Path:
    with zipfile.ZipFile(path, "w") as file:
        for name, content in files.items():
            file.writestr(name, content)
    return path


def test_invalid_model_file_is_rejected(tmp_path: Path, game: Game, unmasked: Path) -> None:
    missing, text, empty = tmp_path / "missing.zip", tmp_path / "text.zip", tmp_path / "empty.zip"
    text.write_text("no model", encoding="utf-8")
    archive(empty)
    foreign = archive(tmp_path / "foreign.zip", data=json.dumps({"policy_class": {"__module__": "mine"}}).encode())
    damaged = tmp_path / "damaged.zip"
    content = io.BytesIO(unmasked.read_bytes())
    with zipfile.ZipFile(content) as source:
        archive(damaged, data=source.read("data"))
    for file, reason in (
        (missing, "no such file"),
        (text, "not a model of Stable-Baselines3"),
        (empty, "not a model of Stable-Baselines3"),
        (foreign, "cannot detect the algorithm; write sb3:ALGORITHM:FILE"),
    ):
        with pytest.raises(ValueError, match=f"{file.name}: {reason}"):
            check_agent(f"sb3:{file}")
    with pytest.raises(ValueError, match=r"damaged.zip: cannot be loaded as PPO"):
        make_agent(f"sb3:{damaged}", game)
    with pytest.raises(ValueError, match=r"unknown algorithm 'SAC' \(choose from MaskablePPO, PPO"):
        check_agent(f"sb3:SAC:{unmasked}")


def test_evaluate_accepts_a_model(here: Here, masked: Path) -> None:
    arguments = ("--agent", f"sb3:{masked}", "--against", "random", "--game", "falling_off", "--games", 10, "--json")
    outcome = here(main, *arguments)
    assert outcome.code == 0
    assert json.loads(outcome.out)["illegal"] == 0


def test_model_hash_is_the_hash_of_its_file(masked: Path, unmasked: Path) -> None:
    assert files_hash(f"sb3:{masked}") == files_hash(f"sb3:MaskablePPO:{masked}") != files_hash(f"sb3:{unmasked}")
