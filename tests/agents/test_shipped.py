"""Test the policies in the repository: their configurations and their play."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from agents.common.configuration import parse, read_mapping
from agents.evaluation.matches import play_match
from agents.players.agent import load_policy, make_agent
from agents.players.games import game_for
from agents.players.policy import PolicyAgent
from agents.ppo.config import TrainingConfig
from agents.selfplay.config import SelfPlayConfig
from agents.teaching.config import TeachingConfig
from agents.training.config import NetworkConfig, RunConfig
from agents.tuple_learning.config import TuplesConfig
from agents.tuple_learning.policy import TuplesAgent
from agents.value_learning.config import ValuesConfig
from tests.agents.choices import FOLDERS, ROOT, choices, positions, recorded

each_policy = pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: f"{folder.parent.name}-{folder.name}")


def read(folder: Path, path: Path) -> RunConfig:
    """Read a configuration of the kind from which a policy was trained."""
    kinds: dict[str, type[RunConfig]] = {
        "selfplay": SelfPlayConfig, "teach": TeachingConfig, "values": ValuesConfig, "values_4": ValuesConfig,
        "from_rules": ValuesConfig, "from_rules_3": ValuesConfig, "from_rules_4": ValuesConfig,
    }  # fmt: skip
    data = read_mapping(path)
    kind = TuplesConfig if "tuples" in data else kinds.get(folder.name, TrainingConfig)
    return parse(kind, data, str(path))


def shipped_for(folder: Path) -> RunConfig:
    return read(folder, ROOT / "configs" / folder.parent.name / f"{folder.name}.yaml")


def test_shipped_policies_exist() -> None:
    assert FOLDERS


@each_policy
def test_policy_matches_the_configuration_of_its_name(folder: Path) -> None:
    shipped, policy = shipped_for(folder), load_policy(folder)
    assert read(folder, folder / "config.json") == shipped
    if isinstance(policy, PolicyAgent):
        assert isinstance(shipped, NetworkConfig)
        assert policy.architecture == shipped.network
    elif isinstance(policy, TuplesAgent):
        assert isinstance(shipped, TuplesConfig)
        assert policy.tables.tuples == shipped.tuples
        assert policy.tables.play.model_dump() == shipped.play.model_dump()
    else:
        assert isinstance(shipped, ValuesConfig)
        assert policy.net.widths[1:-1].tolist() == shipped.hidden


@each_policy
def test_a_policy_beats_random_play(folder: Path) -> None:
    game = game_for([str(folder)])
    result = play_match(game, make_agent(str(folder), game), make_agent("random", game), 20)
    assert result.illegal == 0
    decided = (result.returns != 0).sum()  # some games against random play reach the turn limit
    assert decided >= 16
    assert (result.returns > 0).sum() >= 0.95 * decided


@each_policy
def test_the_log_of_a_run_ends_with_its_last_step(folder: Path) -> None:
    rows = [json.loads(line) for line in (folder / "evaluations.jsonl").read_text(encoding="utf-8").splitlines()]
    assert max(row["step"] for row in rows) >= shipped_for(folder).total_steps
    assert {row["opponent"] for row in rows} == set(shipped_for(folder).evaluation.against)


@each_policy
def test_policy_reproduces_its_recorded_choices(folder: Path) -> None:
    for game in recorded(folder):
        assert choices(folder, positions(folder, game["history"])) == game["choices"]
