"""The package as a library does not change process-wide settings of its host, also with several threads."""

from __future__ import annotations

import locale
import logging
import os
import random
import signal
import sys
import threading
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
import torch

import edge_envs
from agents.common.configuration import parse
from agents.evaluation.report import evaluate_against
from agents.players.agent import make_agent
from agents.ppo.config import TrainingConfig
from agents.ppo.training import TrainingRun, train
from agents.selfplay import training as selfplay
from agents.teaching import training as teaching
from agents.value_learning import training as value_learning
from edge_envs import record_of
from edge_envs.replays import replay_page
from tests.agents.players import untrained


def process_settings() -> dict[str, Any]:
    """Return all process-wide settings that a library could change."""
    return {
        "threads of torch": torch.get_num_threads(),
        "type of torch": torch.get_default_dtype(),
        "device of torch": torch.get_default_device(),
        "gradients": (torch.is_grad_enabled(), torch.is_inference_mode_enabled()),
        "determinism": torch.are_deterministic_algorithms_enabled(),
        "generator of torch": torch.get_rng_state().tolist(),
        "generator of NumPy": str(np.random.get_state()),
        "generator of Python": random.getstate(),
        "errors of NumPy": np.geterr(),
        "printing of NumPy": np.get_printoptions(),
        "warnings": [str(one) for one in warnings.filters],
        "environment": {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")},
        "folder": Path.cwd(),
        "paths": list(sys.path),
        "recursion": sys.getrecursionlimit(),
        "digits": sys.get_int_max_str_digits(),
        "signals": {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGALRM)},
        "hooks": (sys.excepthook, sys.unraisablehook, threading.excepthook, sys.displayhook),
        "streams": (sys.stdout, sys.stderr, sys.stdin),
        "locale": locale.setlocale(locale.LC_ALL),
        "logging": (logging.getLogger().level, list(logging.getLogger().handlers)),
        "prefixes of XML": dict(ElementTree._namespace_map),  # type: ignore[attr-defined]  # not public
        "timer": signal.getitimer(signal.ITIMER_REAL),
    }


def play(tmp_path: Path) -> None:
    """Play games in several APIs, with built-in agents and the policy in the parent folder."""
    game = edge_envs.load_game("falling_off")
    tmp_path.mkdir()
    policy = make_agent(str(tmp_path.parent / "policy"), game)
    evaluate_against(game, policy, make_agent("heuristic", game), 4, seed=1)
    env = edge_envs.seat_env("falling_off", opponents=policy)
    env.reset(seed=1)
    env.step(int(env.action_masks().argmax()))
    lanes = edge_envs.sb3_vec_env("falling_off", num_envs=2)
    lanes.reset()
    state = game.new_initial_state(seed=1)
    state.apply_action(state.legal_actions()[0])
    edge_envs.write_records(tmp_path / "games.jsonl", [record_of(state)])
    (record,) = edge_envs.read_records(tmp_path / "games.jsonl")
    replay_page(record)
    state.svg()


def learn(tmp_path: Path) -> None:
    """Train for a moment."""
    config = parse(
        TrainingConfig,
        {
            "game": "falling_off", "seed": 5, "total_steps": 64, "num_envs": 8, "opponents": {"random": 1},
            "network": {"hidden": [4]}, "ppo": {"steps_per_rollout": 8, "batch_size": 64, "epochs": 1},
            "evaluation": {"games": 2, "against": ["random"]}, "torch_threads": torch.get_num_threads() + 1,
        },
        "tiny",
    )  # fmt: skip
    run = TrainingRun(tmp_path / "run")
    run.start(config)
    train(config, run)


@pytest.mark.parametrize("work", [play, learn])
def test_process_wide_settings_are_not_changed(work: Callable[[Path], None], tmp_path: Path) -> None:
    untrained(edge_envs.load_game("falling_off")).save(tmp_path / "policy")
    work(tmp_path / "first")  # the first imports of modules may register something
    torch.manual_seed(7)
    before = process_settings()
    work(tmp_path / "second")
    after = process_settings()
    assert {name for name in before if before[name] != after[name]} == set()


def test_failed_training_restores_the_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*given: Any) -> None:
        assert torch.get_num_threads() == threads + 1
        random.seed(1)
        np.random.seed(1)
        raise MemoryError

    monkeypatch.setattr("agents.ppo.training.make_model", fails)
    before = process_settings()
    threads = torch.get_num_threads()
    with pytest.raises(MemoryError):
        learn(tmp_path)
    after = process_settings()
    assert {name for name in before if before[name] != after[name]} == set()


def test_every_training_restores_the_settings() -> None:
    for training in (train, selfplay.train, teaching.train, value_learning.train):
        inner: Any = training
        assert inner.__wrapped__.__module__ == training.__module__


def test_policies_in_other_threads_do_not_affect_gradients(tmp_path: Path) -> None:
    """Gradient modes are thread-local."""
    game = edge_envs.load_game("falling_off")
    untrained(game).save(tmp_path)
    policy = make_agent(str(tmp_path), game)
    stop, faults = threading.Event(), list[str]()

    def differentiate() -> None:
        while not stop.is_set():
            x = torch.ones(3, requires_grad=True)
            y = (x * 2).sum()
            if not y.requires_grad or y.is_inference():
                faults.append("no gradient")
            y.backward()  # type: ignore[no-untyped-call]  # PyTorch does not declare it

    thread = threading.Thread(target=differentiate)
    thread.start()
    try:
        for _ in range(20):
            evaluate_against(game, policy, make_agent("random", game), 4, seed=1)
    finally:
        stop.set()
        thread.join()
    assert not faults
