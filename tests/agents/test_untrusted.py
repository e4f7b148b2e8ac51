"""Test reading of untrusted policies, configurations and other files: only regular files, without global state."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import save
from torch import nn
from torch.nn.modules import module as torch_module

import edge_envs
from agents.common.configuration import read_mapping
from agents.common.files import LARGEST, read_text, whole_lines
from agents.common.runs import RunFolder
from agents.external.chat import read_chat
from agents.networks import Architecture, Convolutional, Perceptron
from agents.players.agent import load_policy
from agents.players.digests import files_hash
from agents.players.games import read_position
from agents.players.policy import PolicyAgent
from agents.players.roster import MOST_POLICIES, PolicyRoster
from agents.ppo.config import TrainingConfig
from agents.training.checkpoint import load_tensors
from agents.training.memory_estimate import network_bytes
from edge_envs import Game
from tests.agents.players import untrained
from tests.programs import ROOT
from tests.untrusted import HOSTILE, make_hostile

# the message of `read_text` for ENOENT
WORDS = {**HOSTILE, "dangling": "no such file|No such file or directory"}


class Run(RunFolder[TrainingConfig]):
    """The folder of a training run."""

    kind = TrainingConfig


READERS: dict[str, Callable[[Path], Any]] = {
    "text": lambda path: read_text(path, "JSON"),
    "configuration": read_mapping,
    "position": lambda path: read_position(path, [], "falling_off", {}, 0),
    "run": lambda path: Run(path.parent).read_config(),
    "chat": read_chat,
}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("kind", HOSTILE)
def test_descriptions_are_read_only_from_regular_files(kind: str, reader: str, tmp_path: Path) -> None:
    path = tmp_path / "config.json"
    make_hostile(kind, path)
    with pytest.raises(ValueError, match=f"{WORDS[kind]}|no run to resume"):
        READERS[reader](path)


@pytest.mark.parametrize("kind", HOSTILE)
def test_lines_and_checkpoints_are_read_only_from_regular_files(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "file"
    make_hostile(kind, path)
    if kind == "dangling":
        assert whole_lines(path) == []
    else:
        with pytest.raises(OSError, match=HOSTILE[kind]):
            whole_lines(path)
    if kind != "sparse":  # a checkpoint is your own file and may be large
        with pytest.raises(OSError, match=HOSTILE[kind]):
            load_tensors(path)


@pytest.mark.parametrize("name", ["policy.json", "policy.safetensors"])
@pytest.mark.parametrize("kind", HOSTILE)
def test_policies_are_read_only_from_regular_files(kind: str, name: str, policy_folder: Path) -> None:
    make_hostile(kind, policy_folder / name)
    with pytest.raises(ValueError, match=WORDS[kind]) as refused:
        load_policy(policy_folder)
    assert str(refused.value).startswith(f"{policy_folder / name}: ")
    if kind == "sparse":
        with pytest.raises(OSError, match=HOSTILE[kind]):
            files_hash(str(policy_folder))
    else:
        assert files_hash(str(policy_folder)) == ""


def test_oversized_weights_file_is_rejected(policy_folder: Path) -> None:
    path = policy_folder / "policy.safetensors"
    path.write_bytes(path.read_bytes() + bytes(2**21))
    with pytest.raises(ValueError, match=r"policy\.safetensors: cannot be read .*too large: more than"):
        load_policy(policy_folder)


def with_header(header: dict[str, Any], data: bytes = b"") -> bytes:
    text = json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + data


TENSOR = {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}
LIES = {
    "a huge shape": with_header({"a": {**TENSOR, "shape": [2**40]}}, bytes(8)),
    "a shape beyond all numbers": with_header({"a": {**TENSOR, "shape": [2**40, 2**40]}}, bytes(8)),
    "places beyond the file": with_header({"a": {**TENSOR, "data_offsets": [0, 2**50]}}, bytes(8)),
    "places in the wrong order": with_header({"a": {**TENSOR, "data_offsets": [8, 0]}}, bytes(8)),
    "tensors that overlap": with_header({"a": TENSOR, "b": TENSOR}, bytes(8)),
    "an unknown type": with_header({"a": {**TENSOR, "dtype": "F4096"}}, bytes(8)),
    "a type of other libraries": with_header({"a": {**TENSOR, "dtype": "F8_E8M0", "shape": [8]}}, bytes(8)),
    "deep nesting": (10_000).to_bytes(8, "little") + b"[" * 10_000,
    "a header longer than the file": (2**62).to_bytes(8, "little") + b"{}",
    "no header": with_header({}),
}


@pytest.mark.parametrize("lie", LIES)
def test_weights_with_a_false_header_are_rejected(lie: str, policy_folder: Path) -> None:
    (policy_folder / "policy.safetensors").write_bytes(LIES[lie])
    with pytest.raises(ValueError, match=r"policy\.safetensors: cannot be read as this policy's weights \(.+\)$"):
        load_policy(policy_folder)


def test_oversized_yaml_file_is_rejected(tmp_path: Path) -> None:
    (tmp_path / "x.yaml").write_text("a: 1\n" * (LARGEST["YAML"] // 5 + 1), encoding="utf-8")
    with pytest.raises(ValueError, match=r"x\.yaml: too large: more than 1,048,576 bytes"):
        read_mapping(tmp_path / "x.yaml")


@pytest.fixture
def policies(tmp_path: Path, falling_off: Game) -> Path:
    """Create a folder of policies with a single valid one."""
    untrained(falling_off).save(tmp_path / "policies" / "falling_off" / "whole")
    for kind in HOSTILE:
        folder = tmp_path / "policies" / "falling_off" / kind
        folder.mkdir()
        make_hostile(kind, folder / "policy.json")
    (tmp_path / "policies" / "again").symlink_to(".")  # a loop
    (tmp_path / "policies" / "self").symlink_to("self")
    os.mkfifo(tmp_path / "policies" / "fifo")
    return tmp_path / "policies"


def test_page_lists_only_readable_policies(policies: Path) -> None:
    assert list(PolicyRoster(policies).agents_of("falling_off")) == [
        (policies / "falling_off" / "whole").as_posix(),
        f"search:200:{(policies / 'falling_off' / 'whole').as_posix()}",
    ]


def test_page_runs_with_hostile_policies_in_the_folder(policies: Path) -> None:
    command = [sys.executable, str(ROOT / "scripts" / "play.py"), "falling_off", "--web", "--no-browser"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=policies.parent, stdout=pipe, stderr=pipe, text=True, env=environment) as page:
        try:
            assert page.stdout is not None
            assert page.stdout.readline().startswith("play at http://127.0.0.1:")
            page.send_signal(signal.SIGTERM)
            assert page.communicate(timeout=60)[1].splitlines()[-1] == "terminated"
        finally:
            page.kill()
    assert page.returncode == 143


def test_page_lists_a_limited_number_of_policies(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = json.dumps({"game": "falling_off", "params": {}})
    for number in range(MOST_POLICIES + 10):
        folder = tmp_path / "falling_off" / str(number)
        folder.mkdir(parents=True)
        (folder / "policy.json").write_text(text, encoding="utf-8")
    listed = PolicyRoster(tmp_path).agents_of("falling_off")
    assert len(listed) == 2 * MOST_POLICIES  # each alone and in a search
    assert capsys.readouterr().err == f"{tmp_path}: more than 500 policies; the others are not listed\n"


# Other threads


HOOKS = [name for name in vars(torch_module) if name.startswith("_global_")]
"""The variables in which PyTorch keeps hooks for all modules of a process."""


def hooks() -> dict[str, Any]:
    return {name: repr(getattr(torch_module, name)) for name in HOOKS}


def networks_made_during(work: Callable[[], object], rounds: int) -> list[str]:
    """Create networks in another thread while `work` is repeated; return the devices of their weights."""
    stop, devices = threading.Event(), list[str]()

    def make() -> None:
        while not stop.is_set():
            devices.extend(weights.device.type for weights in nn.Linear(3, 3).parameters())

    thread = threading.Thread(target=make)
    thread.start()
    try:
        for _ in range(rounds):
            work()
    finally:
        stop.set()
        thread.join()
    return devices


ARCHITECTURES: dict[str, Architecture] = {
    "perceptron": Perceptron(hidden=[32, 32], hint_weight=1.0),
    "convolutional": Convolutional(channels=8, blocks=4),
}


@pytest.mark.parametrize("kind", ARCHITECTURES)
def test_loading_a_policy_does_not_affect_other_threads(kind: str, tmp_path: Path) -> None:
    game = edge_envs.load_game("falling_off" if kind == "perceptron" else "tic_tac_toe")
    policy = untrained(game, ARCHITECTURES[kind])
    policy.save(tmp_path)
    devices = networks_made_during(lambda: (PolicyAgent.load(tmp_path), policy.moved_to(game)), rounds=100)
    assert len(devices) > 10
    assert set(devices) == {"cpu"}


def test_estimating_memory_does_not_affect_other_threads(tiny_training: TrainingConfig) -> None:
    assert set(
        networks_made_during(lambda: network_bytes(tiny_training.load_game(), tiny_training.network, 0), rounds=100)
    ) == {"cpu"}


def test_meta_device_network_uses_no_hooks_and_no_random_numbers(falling_off: Game) -> None:
    before, state = hooks(), torch.get_rng_state()
    seen: list[dict[str, Any]] = []

    class Watched(Perceptron):
        def make_features(self, game: Game) -> Any:
            seen.append(hooks())
            return super().make_features(game)

    network = Watched(hidden=[4]).make_network(falling_off, device="meta")
    assert {weights.device.type for weights in (*network.parameters(), *network.make_critic().parameters())} == {"meta"}
    assert {buffer.device.type for buffer in network.buffers()} == {"cpu"}
    assert seen == [before] == [hooks()]
    assert torch.equal(torch.get_rng_state(), state)


def test_policy_loads_in_many_threads_at_once(policy_folder: Path) -> None:
    expected = save(PolicyAgent.load(policy_folder).network.state_dict())
    loaded: list[bytes] = []
    threads = [
        threading.Thread(target=lambda: loaded.append(save(PolicyAgent.load(policy_folder).network.state_dict())))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert loaded == [expected] * 8
