"""Test training configurations: shipped files are valid, and an invalid one is a one-line error."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Literal

import pytest
from pydantic import Field

from agents.common.configuration import ConfigError, Section, parse, read_mapping
from agents.common.yaml_values import parse_yaml
from agents.networks import Perceptron
from agents.ppo.config import TrainingConfig, parse_config, read_config
from agents.train import main
from edge_envs.games.over_the_edge.map.charts import read_source
from tests.programs import ROOT, Here, tiny_config

SEARCHES = set((ROOT / "configs").rglob("*_weights.yaml"))  # tuning of heuristic weights
SELF_PLAY = set((ROOT / "configs").rglob("selfplay.yaml"))
TEACHING = set((ROOT / "configs").rglob("teach.yaml"))
TOURNAMENTS = set((ROOT / "configs").rglob("tournament*.yaml"))
VALUES = {*(ROOT / "configs").rglob("values*.yaml"), *(ROOT / "configs" / "falling_off").glob("from_rules*.yaml")}
TUPLES = {
    *(ROOT / "configs" / "beyond_maps").glob("from_rules*.yaml"),
    *(ROOT / "configs" / "over_the_edge").glob("from_rules*.yaml"),
    *(ROOT / "configs" / "ghost_ship").glob("from_rules*.yaml"),
}
DEEP_Q = set((ROOT / "configs").rglob("dqn.yaml"))
CHATS = set((ROOT / "configs").rglob("chat/*.yaml"))  # language models
OTHERS = SEARCHES | SELF_PLAY | TEACHING | TOURNAMENTS | VALUES | TUPLES | DEEP_Q | CHATS
SHIPPED = sorted(set((ROOT / "configs").glob("*/*.yaml")) - OTHERS)


@pytest.fixture
def config(tmp_path: Path) -> Path:
    return tiny_config(tmp_path)


def test_shipped_configurations_exist() -> None:
    assert SHIPPED


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: str(path.relative_to(ROOT)))
def test_shipped_configurations_are_valid(path: Path) -> None:
    config = read_config(path)
    assert config.game == path.parent.name
    assert config.load_game().name == config.game


def test_configuration_survives_a_json_round_trip(config: Path) -> None:
    checked = read_config(config)
    assert TrainingConfig.model_validate_json(checked.model_dump_json()) == checked


def test_values_are_overridden_at_any_depth(config: Path) -> None:
    checked = read_config(config, ["ppo.epochs=3", "params.num_players=3", "network.hidden=[4, 4]", "seed=7"])
    assert (checked.ppo.epochs, checked.params, checked.network, checked.seed) == (
        3, {"num_players": 3}, Perceptron(hidden=[4, 4]), 7,
    )  # fmt: skip


def test_run_stores_the_content_of_a_map_file(config: Path, tmp_path: Path) -> None:
    source = read_source("pond")
    (tmp_path / "own.json").write_text(json.dumps(source), encoding="utf-8")
    checked = read_config(config, ["game=over_the_edge", f"params.map={tmp_path / 'own.json'}"])
    (tmp_path / "own.json").unlink()
    assert checked.params == {"map": source}
    assert TrainingConfig.model_validate_json(checked.model_dump_json()) == checked


def test_run_stores_the_name_of_a_shipped_map(config: Path) -> None:
    assert read_config(config, ["game=over_the_edge", "params.map=pond"]).params == {"map": "pond"}


def test_number_is_a_constant_schedule(config: Path) -> None:
    for text in ("0.001", "1.0e-3", "1e-3"):
        assert read_config(config, [f"ppo.learning_rate={text}"]).ppo.learning_rate == (0.001, 0.001)
    assert read_config(config, ["ppo.learning_rate=[0.5, 0.1]"]).ppo.learning_rate == (0.5, 0.1)


WRONG = {
    # unknown keys: the message lists the valid ones
    "colour=red": ["colour", "choose from game, params, seed"],
    "ppo.speed=3": ["ppo.speed", "choose from steps_per_rollout"],
    "opponents.chess=1": ["opponents.chess", "choose from random, heuristic"],
    "network.depth=3": ["network.depth"],
    "params.name=kuhn": ["unknown parameter 'name'"],
    "params.speed=3": ["unknown parameter 'speed'", "num_players"],
    "network={kind: convolutional, depth: 3}": ["network.depth", "choose from kind, features, channels"],
    # wrong types
    "network=3": ["network: Input should be"],
    "seed=soon": ["seed", "integer"],
    "seed=true": ["seed", "integer"],
    "seed=1.0": ["seed", "integer"],
    "seed=2024-13-45": ["seed", "integer"],
    "seed='3'": ["seed", "integer"],
    "network.hidden=[true]": ["network.hidden.0", "integer"],
    "opponents.random=true": ["opponents.random", "number"],
    "opponents.random='1'": ["opponents.random", "number"],
    "params={3: 4}": ["unknown parameter '3'"],
    "total_steps=[1]": ["total_steps", "integer"],
    "total_steps=1.5": ["total_steps", "integer"],
    "opponents=random": ["opponents"],
    "ppo.learning_rate=fast": ["ppo.learning_rate: expected a list, written in brackets, not 'fast'"],
    "ppo.learning_rate=[1, 2, 3]": ["ppo.learning_rate"],
    "network.hidden=8": ["network.hidden: expected a list such as [8], not 8"],
    "evaluation.against=random": ["evaluation.against: expected a list, written in brackets"],
    "params.num_players=two": ["num_players='two'", "integer from 2 to 6"],
    # invalid values
    "game=chess": ["unknown game 'chess'", "falling_off"],
    "params.num_players=9": ["num_players=9", "2 to 6"],
    "total_steps=0": ["total_steps", "greater than 0"],
    "num_envs=-1": ["num_envs", "greater than 0"],
    "seed=5000000000": ["seed", "less than 2147483648"],
    "ppo.learning_rate=.nan": ["ppo.learning_rate", "finite"],
    "ppo.learning_rate=1e999": ["ppo.learning_rate", "finite"],
    "ppo.gamma=1e999": ["ppo.gamma", "finite"],
    "total_steps=1e999": ["total_steps", "integer"],
    "params.num_players=1e999": ["num_players=inf"],
    "opponents.random=.inf": ["opponents.random", "finite"],
    "evaluation.against=[chess]": ["unknown agent 'chess'"],
    "evaluation.against=[.]": [".: this folder has no policy.json"],
    "evaluation.against=[runs/nothing]": ["runs/nothing: no such folder"],
    "seed=-1": ["seed", "greater than or equal to 0"],
    "opponents.random=-1": ["opponents.random"],
    "opponents={random: 0}": ["opponents", "positive weight"],
    "ppo.batch_size=1000000": ["ppo.batch_size 1000000", "more than a rollout"],
    "ppo.gae_lambda=1.5": ["ppo.gae_lambda", "at most 1"],
    "ppo.entropy=-0.5": ["ppo.entropy", "negative"],
    "network.features=magic": ["network.features", "plain"],
    "network.activation=spam": ["network.activation", "tanh"],
    "network.kind=oracle": ["network: Input tag 'oracle'", "'perceptron', 'convolutional'"],
    "network={kind: convolutional}": ["plane features need an observation of planes, which falling_off does not have"],
    "network={kind: convolutional, features: planes}": ["network.features", "'plain' or 'own'"],
    "network={kind: convolutional, channels: 0}": ["network.channels", "greater than 0"],
    "network={kind: convolutional, hint_weight: .inf}": ["network.hint_weight"],
    "network.hint_weight=-1": ["network.hint_weight", "greater than or equal to 0"],
    "network={features: plain, hint_weight: 1, heuristic_weights: {speed: 1}}": ["unknown weight 'speed'"],
    "network.heuristic_weights={storm: 1}": ["heuristic_weights need hints: expected hint_weight > 0"],
    "network.heuristic_weights={next: much}": ["network.heuristic_weights.next", "number"],
    "evaluation.games=0": ["evaluation.games"],
    "evaluation.against=[]": ["evaluation.against"],
    "ppo.steps_per_rollout=0": ["ppo.steps_per_rollout"],
    # malformed overrides
    "seed": ["--set seed", "key=value"],
    "=3": ["--set =3", "key=value"],
    "ppo..epochs=3": ["--set ppo..epochs=3", "key=value"],
    "game.deeper=3": ["--set game.deeper=3", "not a mapping"],
    "network.hidden=[": ["--set network.hidden", "not YAML"],
    "seed=!!bool x": ["--set seed", "not YAML"],
    "seed=!!python/name:os.system": ["--set seed", "the type !!python/name:os.system is not supported"],
    "seed=" + "[" * 1000: ["--set seed", "nested too deeply"],
}


@pytest.mark.parametrize("override", WRONG)
def test_invalid_value_is_a_one_line_error_naming_the_key(here: Here, config: Path, override: str) -> None:
    here.refuses(main, config, override, WRONG[override])


def test_perfect_opponent_is_rejected_for_unsolved_games(here: Here, config: Path) -> None:
    for override in ("opponents.perfect=1", "evaluation.against=[perfect]"):
        line = here.fails(main, "--config", config, "--set", "params.num_players=3", "--set", override)
        assert "no perfect player" in line
        assert "num_players=3" in line


FILES = {
    "game: [": "not YAML",
    "game: falling_off\n\tseed: 3": "not YAML",
    "\x00": "not YAML",
    "": "a mapping of keys to values",
    "- game": "a mapping of keys to values",
    "falling_off": "a mapping of keys to values",
    "game: falling_off": "total_steps: Field required",
    "game: " + "[" * 1000: "nested too deeply",
    "game: !!bool x": "not YAML",
    "game: kuhn\nseed: 2024-13-45": "seed: Input should be a valid integer",
}


@pytest.mark.parametrize("text", FILES)
def test_invalid_configuration_file_is_named(here: Here, tmp_path: Path, text: str) -> None:
    path = tmp_path / "wrong.yaml"
    path.write_text(text, encoding="utf-8")
    line = here.fails(main, "--config", path)
    assert "wrong.yaml" in line
    assert FILES[text] in line


def test_unreadable_configuration_file_is_named(here: Here, tmp_path: Path) -> None:
    assert "missing.yaml: no such file" in here.fails(main, "--config", tmp_path / "missing.yaml")
    assert "Is a directory" in here.fails(main, "--config", tmp_path)
    (tmp_path / "latin.yaml").write_bytes(b"game: \xff")
    assert "latin.yaml: not YAML" in here.fails(main, "--config", tmp_path / "latin.yaml")


def test_missing_configuration_option_is_reported(here: Here, config: Path, tmp_path: Path) -> None:
    assert "missing --config" in here.fails(main)
    assert "missing --config" in here.fails(main, "--resume")
    line = here.fails(main, "--resume", "--set", "seed=3", "--out", tmp_path / "run")
    assert "--set requires --config" in line


def test_parse_config_validates_plain_data() -> None:
    with pytest.raises(ValueError, match=r"somewhere: game: Field required"):
        parse_config({"total_steps": 10, "opponents": {"random": 1}}, "somewhere")


class Leaf(Section):
    """A section at the end of every path."""

    speed: int = 1


class Large(Leaf):
    kind: Literal["large"] = "large"


class Small(Leaf):
    kind: Literal["small"] = "small"


class Tree(Section):
    """Sections in every kind of place."""

    one: Leaf = Leaf()
    perhaps: Leaf | None = None
    listed: list[Leaf] = Field(default_factory=list)
    perhaps_listed: list[Leaf] | None = None
    pair: tuple[Leaf, ...] = ()
    named: dict[str, Leaf] = Field(default_factory=dict)
    perhaps_named: dict[str, Leaf] | None = None
    either: Annotated[Large | Small, Field(discriminator="kind")] = Large()


@pytest.mark.parametrize(
    "override",
    [
        "one.sped=3",
        "perhaps.sped=3",
        "listed=[{sped: 3}]",
        "perhaps_listed=[{}, {sped: 3}]",
        "pair=[{sped: 3}]",
        "named.red.sped=3",
        "perhaps_named.red.sped=3",
        "either={kind: small, sped: 3}",
    ],
)
def test_a_misspelt_key_of_any_section_is_explained(override: str) -> None:
    with pytest.raises(ConfigError, match=r"^here: .*sped: .*; choose from .*speed.*; did you mean 'speed'\?$"):
        parse(Tree, read_mapping({}, [override]), "here")


def test_an_override_changes_one_of_two_places_that_share_a_value() -> None:
    shared = parse_yaml("{one: &x {speed: 1}, perhaps: *x}", "here")
    assert read_mapping(shared, ["perhaps.speed=2"]) == {"one": {"speed": 1}, "perhaps": {"speed": 2}}
