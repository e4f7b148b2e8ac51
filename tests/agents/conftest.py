"""What tests of agents share: the solution, a small policy, a finished run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from agents.evaluation.matches import MatchResult, play_match
from agents.ppo.config import TrainingConfig, parse_config
from edge_envs import Game, load_game
from edge_envs.games.falling_off.solver.solution import Solution, load_solution
from edge_envs.players import Agent
from tests.agents.players import untrained
from tests.programs import train_tiny


@pytest.fixture(scope="session")
def solution() -> Solution:
    """The exact solution, read once."""
    return load_solution()


@pytest.fixture(scope="session")
def falling_off() -> Game:
    """The game of two players."""
    return load_game("falling_off")


@pytest.fixture
def policy_folder(tmp_path: Path, falling_off: Game) -> Path:
    """The folder of a small untrained policy, to be spoiled at will."""
    folder = tmp_path / "policy"
    untrained(falling_off).save(folder)
    return folder


@pytest.fixture(scope="session")
def finished_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a tiny training run that has ended; not to be written to."""
    folder = tmp_path_factory.mktemp("run") / "finished"
    train_tiny(folder)
    return folder


@pytest.fixture
def tiny_training() -> TrainingConfig:
    """The configuration of a training of a single short rollout, with seed 5."""
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
    """The seeds with which matches of evaluations begin, as they are played."""
    seeds: list[int] = []

    def noted(game: Game, agent: Agent, opponent: Agent, games: int, seed: int, *others: Any) -> MatchResult:
        seeds.append(seed)
        return play_match(game, agent, opponent, games, seed, *others)

    monkeypatch.setattr("agents.evaluation.report.play_match", noted)
    return seeds
