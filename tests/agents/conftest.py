"""Fixtures for tests of agents: the exact solution, a small policy, a finished run."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch

from agents.evaluation.matches import MatchResult, play_match
from agents.ppo.config import TrainingConfig, parse_config
from edge_envs import Game, load_game
from edge_envs.games.falling_off.solver.solution import Solution, load_solution
from edge_envs.players import Agent
from tests.agents.players import untrained
from tests.programs import train_tiny


@pytest.fixture(scope="session")
def solution() -> Solution:
    """Load the exact solution once."""
    return load_solution()


@pytest.fixture(scope="session")
def falling_off() -> Game:
    """Load the two-player game."""
    return load_game("falling_off")


@pytest.fixture
def torch_threads() -> Iterator[None]:
    """Restore the number of torch threads, which training changes."""
    threads = torch.get_num_threads()
    yield
    torch.set_num_threads(threads)


@pytest.fixture
def policy_folder(tmp_path: Path, falling_off: Game) -> Path:
    """Save a small untrained policy; tests may modify its folder."""
    folder = tmp_path / "policy"
    untrained(falling_off).save(folder)
    return folder


@pytest.fixture(scope="session")
def finished_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Train a tiny run; tests must not write to its folder."""
    folder = tmp_path_factory.mktemp("run") / "finished"
    train_tiny(folder)
    return folder


@pytest.fixture
def tiny_training() -> TrainingConfig:
    """Configure a training with a single short rollout and seed 5."""
    return parse_config(
        {
            "game": "falling_off", "seed": 5, "total_steps": 64, "num_envs": 8, "opponents": {"random": 1},
            "network": {"hidden": [4]}, "ppo": {"steps_per_rollout": 8, "batch_size": 64, "epochs": 1},
            "evaluation": {"games": 2, "against": ["random"]},
        },
        "tiny",
    )  # fmt: skip


@pytest.fixture
def match_seeds(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Record the first seed of each evaluation match."""
    seeds: list[int] = []

    def recorded(game: Game, agent: Agent, opponent: Agent, games: int, seed: int, *others: Any) -> MatchResult:
        seeds.append(seed)
        return play_match(game, agent, opponent, games, seed, *others)

    monkeypatch.setattr("agents.evaluation.report.play_match", recorded)
    return seeds
