"""The policies that lie in the repository: what they were made from, and that they play."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Any

import pytest

from agents.agent import load_policy, make_agent
from agents.configuration import ConfigError, parse, read_mapping
from agents.evaluation.matches import play_match
from agents.games import game_for
from agents.policy import PolicyAgent
from agents.ppo.config import TrainingConfig
from agents.training.config import RunConfig
from agents.value_learning.config import ValuesConfig

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = sorted(path.parent for path in (ROOT / "policies").rglob("policy.json"))
each_policy = pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: f"{folder.parent.name}-{folder.name}")

KINDS: tuple[type[RunConfig], ...] = (TrainingConfig, ValuesConfig)


def read_config(data: Any, where: Path) -> RunConfig:
    """A configuration of the only kind that has its keys."""
    found: list[RunConfig] = []
    for kind in KINDS:
        with contextlib.suppress(ConfigError):
            found.append(parse(kind, data, str(where)))
    (config,) = found
    return config


def shipped_config(folder: Path) -> RunConfig:
    """What a policy was made from, by its name."""
    path = ROOT / "configs" / folder.parent.name / f"{folder.name}.yaml"
    return read_config(read_mapping(path), path)


def test_there_are_policies() -> None:
    assert FOLDERS


@each_policy
def test_a_policy_comes_from_the_configuration_of_its_name(folder: Path) -> None:
    run = read_config(json.loads((folder / "config.json").read_text(encoding="utf-8")), folder)
    shipped, policy = shipped_config(folder), load_policy(folder)
    assert run == shipped
    if isinstance(policy, PolicyAgent):
        assert policy.architecture == getattr(shipped, "network")  # noqa: B009  which those of policies have
    else:
        assert policy.net.widths[1:-1].tolist() == getattr(shipped, "hidden")  # noqa: B009  and those of values


@each_policy
def test_a_policy_beats_random_play(folder: Path) -> None:
    game = game_for([str(folder)])
    result = play_match(game, make_agent(str(folder), game), make_agent("random", game), 40)
    assert result.illegal == 0
    decided = (result.returns != 0).sum()  # some games against random play end by their limit
    assert decided >= 32
    assert (result.returns > 0).sum() >= 0.95 * decided


@each_policy
def test_the_log_of_a_run_ends_with_its_last_step(folder: Path) -> None:
    rows = [json.loads(line) for line in (folder / "evaluations.jsonl").read_text(encoding="utf-8").splitlines()]
    assert max(row["step"] for row in rows) >= shipped_config(folder).total_steps
    assert {row["opponent"] for row in rows} >= {"random", "heuristic"}
