"""Test the device of networks. Tests that need a GPU are skipped where PyTorch finds none."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import agents.evaluate
import agents.train
import edge_envs
from agents.common.configuration import parse
from agents.common.devices import FALLBACK, VARIABLE, play_on, playing_device, resolve, same_device_afterwards
from agents.networks import Architecture, Convolutional, Perceptron
from agents.players.loading import load_policy
from agents.players.policy import PolicyAgent
from agents.ppo.config import TrainingConfig
from agents.ppo.training import TrainingRun
from agents.selfplay.config import SelfPlayConfig
from agents.selfplay.training import Games, Learner
from agents.training.monitor import Monitor
from agents.training.opponents import OpponentPool
from edge_envs import Game
from edge_envs.core.loops.seat_codes import STAY
from edge_envs.envs.seat_lanes import SeatLanes
from scripts.gpu_check import check_trainer, compare
from tests.agents.players import untrained
from tests.programs import Here, tiny_config

GPU = torch.cuda.is_available()
needs_gpu = pytest.mark.skipif(not GPU, reason="PyTorch finds no CUDA device")
CPU = torch.device("cpu")


@pytest.fixture
def no_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)


@pytest.fixture
def here(capsys: pytest.CaptureFixture[str]) -> Here:
    return Here(capsys)


def shown(game: Game, count: int = 40) -> tuple[Any, Any]:
    """Return observations and action masks of some games."""
    lanes = SeatLanes(game, count, "random", 0, "raise", STAY)
    lanes.reset(0)
    return lanes.observation, lanes.action_mask


@pytest.mark.usefixtures("no_gpu")
def test_without_a_gpu_auto_is_the_cpu_and_cuda_is_an_error() -> None:
    assert [resolve(device) for device in ("auto", "cpu")] == ["cpu", "cpu"]
    with pytest.raises(ValueError, match=r"^device cuda: PyTorch finds no CUDA device.*; choose auto or cpu$"):
        resolve("cuda")


def test_unknown_device_is_an_error_with_the_choices() -> None:
    for use in (resolve, play_on):
        with pytest.raises(ValueError, match=r"^unknown device 'gpu' \(choose from auto, cpu, cuda\)$"):
            use("gpu")


def test_with_a_gpu_auto_is_cuda(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    assert [resolve(device) for device in ("auto", "cpu", "cuda")] == ["cuda", "cpu", "cuda"]


@pytest.mark.usefixtures("no_gpu")
def test_agents_play_on_the_cpu_unless_a_program_chooses_a_device() -> None:
    with same_device_afterwards():
        os.environ.pop(VARIABLE, None)
        assert playing_device() == "cpu"
        assert VARIABLE not in os.environ
        play_on("auto")
        assert playing_device() == os.environ[VARIABLE] == "cpu"  # for worker processes


@pytest.mark.usefixtures("no_gpu")
def test_evaluation_falls_back_to_the_cpu_with_one_line(here: Here, policy_folder: Path) -> None:
    before = os.environ.get(VARIABLE)
    options = ("--agent", policy_folder, "--against", "random", "--games", 2)
    assert here(agents.evaluate.main, *options).err == f"{FALLBACK}\n"
    assert here(agents.evaluate.main, *options, "--device", "cpu").err == ""
    assert here(agents.evaluate.main, "--game", "falling_off", "--agent", "random", *options[2:]).err == ""
    assert "PyTorch finds no CUDA device" in here.fails(agents.evaluate.main, *options, "--device", "cuda")
    assert "choose from auto, cpu, cuda" in here.fails(agents.evaluate.main, *options, "--device", "gpu")
    assert os.environ.get(VARIABLE) == before


@pytest.mark.usefixtures("no_gpu")
@pytest.mark.parametrize(("device", "notes"), [("auto", 1), ("cpu", 0)])
def test_training_falls_back_to_the_cpu_with_one_line(
    device: str, notes: int, tiny_training: TrainingConfig, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tiny_training.model_copy(update={"device": device})
    with Monitor(tmp_path, config, config.load_game(), 0):
        pass
    assert capsys.readouterr().err.splitlines().count(FALLBACK) == notes


@pytest.mark.usefixtures("no_gpu")
def test_training_on_a_missing_gpu_is_a_one_line_error(here: Here, tmp_path: Path) -> None:
    here.refuses(agents.train.main, tiny_config(tmp_path), "device=cuda", ["PyTorch finds no CUDA device"])
    here.refuses(agents.train.main, tiny_config(tmp_path), "device=tpu", ["device", "'auto', 'cpu' or 'cuda'"])


@pytest.mark.usefixtures("no_gpu")
def test_policy_for_a_missing_gpu_is_an_error(policy_folder: Path) -> None:
    assert load_policy(policy_folder, device="auto").game.name == "falling_off"
    with pytest.raises(ValueError, match="PyTorch finds no CUDA device"):
        load_policy(policy_folder, device="cuda")


def test_resumed_run_may_change_the_device_only(tmp_path: Path) -> None:
    config = tiny_config(tmp_path)
    with TrainingRun.open(config, tmp_path / "run", ["device=cpu"], resume=False) as (run, begun):
        run.write_checkpoint(begun, 1, lambda folder: None)
    changes = ["device=auto", "feature_threads=2"]
    with TrainingRun.open(config, tmp_path / "run", changes, resume=True) as (run, resumed):
        assert (resumed.device, resumed.feature_threads) == ("auto", 2)
        assert run.read_checkpoint(resumed, lambda folder: folder.name) == "step-000000000001"
    with (
        pytest.raises(ValueError, match=r"keeps its configuration, .*, but here seed is 1 instead of 0$"),
        TrainingRun.open(config, tmp_path / "run", [*changes, "seed=1"], resume=True),
    ):
        pass


NETWORKS: dict[str, tuple[str, Architecture]] = {
    "plain perceptron": ("falling_off", Perceptron(hidden=[8])),
    "plain perceptron with hints": ("falling_off", Perceptron(hidden=[8], hint_weight=1.0)),
    "own perceptron": ("falling_off", Perceptron(features="own", hidden=[8], hint_weight=1.0)),
    "plain convolutions": ("tic_tac_toe", Convolutional(channels=4, blocks=1)),
}
each_network = pytest.mark.parametrize("case", NETWORKS)


@each_network
@pytest.mark.parametrize("masked", [True, False])
def test_features_copied_to_a_device_equal_those_on_the_cpu(case: str, masked: bool) -> None:
    name, architecture = NETWORKS[case]
    game = edge_envs.load_game(name)
    layer, (observations, masks) = architecture.make_network(game).layer, shown(game)
    given = masks if masked else None
    expected, packed = layer(torch.from_numpy(observations), given), layer.pack_on(CPU, observations, given)
    copied = layer.unpack(packed)
    assert type(copied) is type(packed) is type(expected)
    if masked:  # lists of actions, whose ids are packed; game-specific features and hints are not
        sizes = [sum(part.nbytes for part in view if part is not None) for view in (packed, expected)]
        assert sizes[0] < sizes[1]
    for one, other in zip(copied, expected, strict=True):
        assert (one is None) == (other is None)
        if one is not None:
            assert one.dtype == other.dtype
            assert torch.equal(one, other)


@each_network
def test_features_from_several_threads_are_the_same(case: str) -> None:
    name, architecture = NETWORKS[case]
    game = edge_envs.load_game(name)
    layer, (observations, masks) = architecture.make_network(game).layer, shown(game)
    expected = layer(torch.from_numpy(observations), masks)
    layer.threads = 3
    for count in (2, 3, 40):
        found = layer(torch.from_numpy(observations[:count]), masks[:count])
        torch.testing.assert_close(found[0], expected[0][:count])
        if found.hints is not None:
            width = found.hints.shape[1]
            torch.testing.assert_close(found.hints, expected.hints[:count, :width])


def selfplay_config(**changes: Any) -> SelfPlayConfig:
    data = {
        "game": "falling_off", "total_steps": 64, "num_envs": 8, "network": {"hidden": [8]},
        "ppo": {"steps_per_rollout": 8, "batch_size": 16, "epochs": 1}, **changes,
    }  # fmt: skip
    return parse(SelfPlayConfig, data, "self-play")


def test_mixed_precision_approximates_single_precision_and_keeps_its_weights() -> None:
    game, views = edge_envs.load_game("falling_off"), []
    for bf16 in (False, True):
        torch.manual_seed(0)
        config = selfplay_config(bf16=bf16, device="cpu")
        learner, games = Learner(config, game), Games(config, game, OpponentPool(config, game))
        choices, values = learner.evaluate(learner.preprocess(*shown(game)))
        assert choices.log_probs.dtype == values.dtype == torch.float32
        views.append((choices.log_probs.detach(), values.detach()))
        games.play(learner)
        learner.learn(games.rollout, 1.0)
        assert {weights.dtype for weights in learner.parameters} == {torch.float32}
    for one, other in zip(*views, strict=True):
        torch.testing.assert_close(one, other, rtol=0.05, atol=0.05)
    assert not torch.equal(views[0][1], views[1][1])


@needs_gpu
@pytest.mark.parametrize("name", ["train", "selfplay", "teach", "values"])
def test_trainers_run_on_a_gpu_and_their_checkpoints_load_on_the_cpu(name: str) -> None:
    assert check_trainer(name, "cuda")["passed"]


@needs_gpu
@pytest.mark.parametrize(("name", "network"), [("falling_off", "perceptron"), ("tic_tac_toe", "convolutions")])
def test_gpu_and_cpu_agree_on_a_rollout(name: str, network: str) -> None:
    assert compare(edge_envs.load_game(name), network, "cuda")["passed"]


@needs_gpu
def test_policy_saved_from_a_gpu_plays_the_same_on_the_cpu(tmp_path: Path) -> None:
    game = edge_envs.load_game("falling_off")
    policy = untrained(game, Perceptron(features="own", hidden=[8], hint_weight=1.0))
    policy.save(tmp_path / "cpu")
    there = PolicyAgent.load(tmp_path / "cpu", device="cuda")
    there.save(tmp_path / "cuda")
    assert there.device.type == there.moved_to(game).device.type == "cuda"
    files = [(tmp_path / where / "policy.safetensors").read_bytes() for where in ("cpu", "cuda")]
    assert files[0] == files[1]
    back = PolicyAgent.load(tmp_path / "cuda", device="cpu")
    expected, found = (agent.probabilities(*shown(game)) for agent in (there, back))
    np.testing.assert_allclose(found, expected, atol=1e-5)


def test_device_is_not_in_the_files_of_a_policy(policy_folder: Path) -> None:
    assert "device" not in (policy_folder / "policy.json").read_text(encoding="utf-8")
    assert parse(TrainingConfig, {"game": "falling_off", "total_steps": 1, "num_envs": 128,
                                  "opponents": {"random": 1}}, "default").device == "auto"  # fmt: skip
