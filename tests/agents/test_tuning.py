"""Test the tuning of heuristic weights: its games, the fitted surface, files and errors."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import yaml

from agents.common.configuration import parse, read_mapping
from agents.fitting.heuristic_weights import BLOCK, Surface, TuningConfig, TuningRun, products, terms
from agents.networks import Perceptron
from agents.ppo.config import read_config
from agents.tune import main
from tests.programs import ROOT, Here

TINY = """\
game: ghost_ship
params: {creation: random, score_reward: true, max_turns: 12}
games: 600
check_games: 200
threads: 2
weights: {next: [0.2, 1.5], ghost: [0, 20]}
"""


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """Write the configuration of a search with a few short games."""
    path = tmp_path / "tiny.yaml"
    path.write_text(TINY, encoding="utf-8")
    return path


def test_fit_recovers_a_quadratic_surface() -> None:
    rng = np.random.default_rng(0)
    true = rng.normal(size=len(terms(3)))
    points = rng.uniform(-1.0, 1.0, (5000, 3))
    surface = Surface.fit(points, products(points) @ true + rng.normal(size=len(points)))
    off = (surface.coefficients - true) / np.sqrt(np.diag(surface.covariance))
    assert np.abs(off).max() < 4.0
    exact = Surface.fit(points, products(points) @ true)
    assert exact.coefficients == pytest.approx(true)


def test_maximum_lies_within_the_ranges() -> None:
    rng = np.random.default_rng(1)
    points = rng.uniform(-1.0, 1.0, (2000, 2))
    hill = -((points[:, 0] - 0.3) ** 2) + 0.5 * points[:, 1] + 0.01 * rng.normal(size=2000)
    assert Surface.fit(points, hill).highest(2, rng) == pytest.approx([0.3, 1.0], abs=0.02)


def test_uninformative_games_keep_the_centre() -> None:
    rng = np.random.default_rng(2)
    points = rng.uniform(-1.0, 1.0, (2000, 2))
    found = Surface.fit(points, 1e-3 * points[:, 0] + rng.normal(size=2000)).highest(2, rng)
    assert np.abs(found).max() < 0.9


def test_constant_results_have_zero_error() -> None:
    points = np.random.default_rng(3).uniform(-1.0, 1.0, (500, 2))
    mean, error = Surface.fit(points, np.full(500, 0.1)).at(points)
    assert mean == pytest.approx(0.1)
    assert error == pytest.approx(0.0, abs=1e-9)


def test_tuning_writes_weights_for_training(here: Here, config: Path) -> None:
    run = config.parent / "run"
    outcome = here(main, "--config", config, "--out", run)
    assert outcome.code == 0
    weights = yaml.safe_load((run / "weights.yaml").read_text(encoding="utf-8"))
    assert list(weights) == ["next", "ghost"]
    assert 0.2 <= weights["next"] <= 1.5
    assert 0.0 <= weights["ghost"] <= 20.0
    assert len((run / "games.jsonl").read_text(encoding="utf-8").splitlines()) == 1 + 600 / BLOCK
    assert (run / "surface.png").read_bytes().startswith(b"\x89PNG")
    check = json.loads((run / "check.json").read_text(encoding="utf-8"))
    assert check["weights"] == weights
    assert check["check"]["games"] == 200
    assert "200 games" in outcome.out


def test_killed_tuning_resumes_to_the_same_result(here: Here, config: Path) -> None:
    whole, killed = config.parent / "whole", config.parent / "killed"
    assert here(main, "--config", config, "--out", whole).code == 0
    killed.mkdir()
    (killed / "config.json").write_bytes((whole / "config.json").read_bytes())
    played = (whole / "games.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    (killed / "games.jsonl").write_text(played[0] + played[2] + played[1][:100], encoding="utf-8")
    assert here(main, "--out", killed, "--resume").code == 0
    for name in ("weights.yaml", "check.json"):
        assert (killed / name).read_bytes() == (whole / name).read_bytes()
    kept = (killed / "games.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    assert kept[:2] == [played[0], played[2]]
    assert sorted(kept) == sorted(played)


WRONG = {
    "game=chess": ["unknown game 'chess'"],
    "params.speed=3": ["unknown parameter 'speed'"],
    "weights.speed=[0, 1]": ["unknown weight 'speed'", "sail, coast"],
    "weights.next=[0, 1000]": ["invalid weight next=1000: expected a number from 0 to 250"],
    "weights.next=[1, 0.5]": ["the range of next must go up, not from 1 to 0.5"],
    "weights.next=[1]": ["weights.next"],
    "weights={}": ["weights", "at least 1"],
    "games=50": ["2 weights need at least 60 games, not 50"],
    "games=1000000000000000": ["games", "less than or equal to 1000000000"],
    "games=1000000000": ["a surface over 1,000,000,000 games takes 134.1 GiB; there are 8.0 GiB"],
    "check_games=1000000000000000": ["check_games", "less than or equal to 1000000000"],
    "colour=red": ["colour", "choose from game, params, seed"],
}


@pytest.mark.parametrize("override", WRONG)
def test_invalid_value_is_a_one_line_error_naming_the_key(
    here: Here, config: Path, override: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agents.training.memory_estimate.machine_bytes", lambda: 2**33)
    here.refuses(main, config, override, WRONG[override])


def test_game_without_heuristic_weights_is_rejected(here: Here, config: Path) -> None:
    line = here.fails(main, "--config", config, "--set", "game=kuhn", "--set", "params={}")
    assert "kuhn declares no VALUES, so its heuristic has no weights" in line


@pytest.mark.parametrize(
    "games",
    ["x\n", "\udcff\n", "{}\n", "[]\n", "[" * 100_000 + "\n", "\x00\n", '{"game": "ghost_ship"}\n', "\n"],
)
def test_invalid_games_file_is_named(here: Here, config: Path, games: str) -> None:
    run = config.parent / "run"
    assert here(main, "--config", config, "--out", run).code == 0
    (run / "games.jsonl").write_bytes(games.encode("utf-8", "surrogateescape"))
    before = {path.name: path.read_bytes() for path in run.iterdir()}
    assert "games.jsonl" in here.fails(main, "--out", run, "--resume")
    assert {path.name: path.read_bytes() for path in run.iterdir()} == before


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("x", "not JSON"),
        ('{"block": 0, "rewards": [1, 2]}', "rewards: List should have at least 200 items"),
        ('{"block": 0, "rewards": "much"}', "rewards: expected a list, written in brackets"),
        ('{"block": 0, "rewards": [NaN]}', "rewards.0: Input should be a finite number"),
        ('{"block": true, "rewards": []}', "block: Input should be a valid integer"),
    ],
)
def test_invalid_line_of_the_games_file_is_named(tmp_path: Path, config: Path, line: str, fault: str) -> None:
    run, checked = TuningRun(tmp_path), parse(TuningConfig, read_mapping(config), str(config))
    run.games.write_text(f"{checked.model_dump_json()}\n{line}\n", encoding="utf-8")
    with pytest.raises(ValueError, match=f"games.jsonl, line 2: {fault}"):
        run.read_games(checked)


def test_games_of_another_configuration_are_rejected(tmp_path: Path, config: Path) -> None:
    run, checked = TuningRun(tmp_path), parse(TuningConfig, read_mapping(config), str(config))
    assert run.read_games(checked) == {}
    edited = parse(TuningConfig, read_mapping(config, ["seed=3", "weights.next=[0.2, 1.6]"]), str(config))
    with pytest.raises(ValueError, match=r"edited since games\.jsonl was made: seed is 3 instead of 0, weights"):
        run.read_games(edited)


def test_missing_configuration_option_is_reported(here: Here, config: Path, tmp_path: Path) -> None:
    assert "missing --config" in here.fails(main)
    assert "no run to resume" in here.fails(main, "--out", tmp_path / "run", "--resume")


SHIPPED = TuningRun(ROOT / "policies" / "ghost_ship" / "tour_weights")


def test_shipped_weights_match_the_configuration_of_their_name() -> None:
    config = ROOT / "configs" / "ghost_ship" / "tour_weights.yaml"
    assert SHIPPED.read_config() == parse(TuningConfig, read_mapping(config), str(config))
    assert json.loads(SHIPPED.check.read_text(encoding="utf-8"))["check"]["mean_return"] > 0


@pytest.mark.parametrize("name", ["tour", "whole_game"])
def test_shipped_policies_use_the_shipped_weights(name: str) -> None:
    network = read_config(ROOT / "configs" / "ghost_ship" / f"{name}.yaml").network
    assert isinstance(network, Perceptron)
    assert network.heuristic_weights == yaml.safe_load(SHIPPED.weights.read_text(encoding="utf-8"))


def test_deterministic_games_start_with_random_decisions(here: Here, config: Path) -> None:
    config.write_text(
        "game: beyond_maps\nparams: {size: 5}\ngames: 600\ncheck_games: 200\nweights: {breadth: [1, 4]}\n"
    )
    run = config.parent / "run"
    assert here(main, "--config", config, "--out", run).code == 0
    check = json.loads((run / "check.json").read_text(encoding="utf-8"))["check"]
    assert check["games"] == 200
    assert 0 < check["wins"] + check["losses"] < 200
    assert check["wins"] not in (0, 100)  # otherwise two games, one per seat, would repeat 100 times
