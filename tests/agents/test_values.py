"""Test learned values: their TD(λ) targets, runs and files."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.numpy import load_file, save_file

import edge_envs
from agents import evaluate, values
from agents.common.configuration import parse, read_mapping
from agents.evaluation.matches import play_match
from agents.players.agent import check_agent, load_policy, make_agent
from agents.training.monitor import Monitor
from agents.value_learning.config import ValuesConfig
from agents.value_learning.learner import KNOTS, ValueLearner, ramps_over
from agents.value_learning.policy import ValuesAgent
from edge_envs import Game
from edge_envs.core.spec import Array
from edge_envs.search.perceptron import cells_of, count_numbers
from tests.contract.play import decisions
from tests.programs import Here

TINY = """\
game: falling_off
total_steps: 1024
games: 4
turns: 32
hidden: [8]
batch_size: 64
evaluation: {every: 512, games: 10, against: [random]}
checkpoint_every: 256
"""
"""A run of eight rounds of 128 turns, with a checkpoint after every second round."""


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """Write the configuration of a short run."""
    path = tmp_path / "tiny.yaml"
    path.write_text(TINY, encoding="utf-8")
    return path


NAMED = ("pawns_0", "set_0", "turns_owed", "phase")


def learner_of(game: str = "falling_off", **changes: Any) -> ValueLearner:
    torch.set_num_threads(1)
    given = {"game": game, "total_steps": 1000, "games": 4, "turns": 16, "hidden": [8], "batch_size": 64, **changes}
    config = parse(ValuesConfig, given, "test")
    return ValueLearner(config, config.load_game())


def random_values(game: Game) -> ValuesAgent:
    """Return values from a perceptron with random weights."""
    learner = learner_of(game.name, params=game.params_dict())
    learner.net.weights[:] = np.random.default_rng(0).normal(size=len(learner.net.weights))
    return ValuesAgent(game, learner.net)


# Learning


@pytest.mark.parametrize("players", [2, 3])
def test_targets_are_lambda_weighted_td_errors(players: int) -> None:
    learner = learner_of(params={"num_players": players})
    learner.net.weights[:] = np.random.default_rng(1).normal(size=len(learner.net.weights)) * 0.3
    turns = learner.turns
    learner.games.play(turns, 0.1, 0.0, 0, 20)
    assert 0.0 < turns.linked.mean() < 1.0
    errors = turns.expected - turns.values
    found = learner._targets(turns, errors, 0.9).reshape(16, 4, players).numpy()
    low, total = learner.game.min_utility, -players * learner.game.min_utility
    for i in range(4):
        for t in range(16):
            value, weight = turns.values[t, i].copy(), 1.0
            for later in range(t, 16):
                value += weight * errors[later, i]
                weight *= 0.9
                if not turns.linked[later, i]:
                    break
            shares = np.roll((value - low) / total, -turns.viewers[t, i])
            assert found[t, i] == pytest.approx(shares, abs=1e-6)


def test_target_of_the_last_turn_is_the_result() -> None:
    """If a game certainly ends within a turn, the target is its result."""
    learner = learner_of("tic_tac_toe", turns=9, games=16)
    learner.games.play(learner.turns, 1.0, 0.0, 0, 100)
    sums = learner.turns.expected.sum(axis=2)
    assert sums == pytest.approx(0.0, abs=1e-6)
    assert (np.abs(learner.turns.expected) <= 1.0 + 1e-6).all()
    assert (learner.turns.expected[:, :, 0] == 1.0).any()  # a line can be completed


def test_exported_perceptron_matches_the_network() -> None:
    learner = learner_of(averaging=0.0)
    learner.learn()
    inputs = torch.from_numpy(learner.turns.inputs.reshape(-1, learner.turns.inputs.shape[2]))
    learner.games.play(learner.turns, 0.0, 0.0, 0, 1000)
    inputs = torch.from_numpy(learner.turns.inputs.reshape(-1, learner.turns.inputs.shape[2]))
    with torch.no_grad():
        shares = learner.network(inputs).softmax(dim=1).numpy()
    seats = (learner.turns.viewers.reshape(-1, 1) + np.arange(2)) % 2
    values = np.take_along_axis(learner.turns.values.reshape(-1, 2), seats, axis=1)
    assert values == pytest.approx(2.0 * shares - 1.0, abs=1e-5)


def test_values_of_tic_tac_toe_are_learned() -> None:
    learner = learner_of(
        "tic_tac_toe", total_steps=30_000, games=32, turns=16, hidden=[32], epochs=4, learning_rate=[0.01, 0.0]
    )
    game = learner.game
    heuristic, random = (make_agent(name, game) for name in ("heuristic", "random"))
    before = play_match(game, ValuesAgent(game, learner.net), heuristic, 200).returns.mean()
    while learner.step < 30_000:
        learner.learn()
    agent = ValuesAgent(game, learner.net)
    assert play_match(game, agent, heuristic, 200).returns.mean() > before + 0.5
    assert play_match(game, agent, random, 400).returns.mean() > 0.75


def test_values_are_learned_from_cells() -> None:
    learner = learner_of(inputs="cells", turns=256)
    layout = cells_of(learner.game)
    known = {name: range(layout.start(name), layout.start(name) + layout.field(name).count) for name in NAMED}
    columns = set(learner.net.columns.tolist())
    assert columns & set(known["pawns_0"])
    assert columns & set(known["turns_owed"])
    assert not columns & set(known["set_0"])  # has too many values without an order
    assert not columns & set(known["phase"])  # is the same at the start of every turn
    before = learner.parameters()
    learner.learn()
    assert not torch.equal(learner.parameters(), before)
    other = learner_of(inputs="cells", turns=256)
    other.load(learner.state())
    assert torch.equal(other.parameters(), learner.parameters())
    assert all(np.array_equal(one, same) for one, same in zip(other.net[:6], learner.net[:6], strict=True))
    assert len(other.net.cells) == layout.size


def test_values_of_tic_tac_toe_are_learned_from_cells() -> None:
    learner = learner_of(
        "tic_tac_toe", inputs="cells", total_steps=30_000, games=32, turns=16, hidden=[32], epochs=4,
        learning_rate=[0.01, 0.0],
    )  # fmt: skip
    game = learner.game
    while learner.step < 30_000:
        learner.learn()
    assert play_match(game, ValuesAgent(game, learner.net), make_agent("random", game), 400).returns.mean() > 0.5


def test_names_get_a_ramp_for_each_value() -> None:
    numbers = np.repeat(np.arange(12.0), np.arange(1, 13))[:, None].repeat(2, axis=1).astype(np.float32)
    ramps = ramps_over(numbers, np.array([1]))
    assert (ramps.columns == 0).sum() == KNOTS - 1
    assert ramps.lows[ramps.columns == 1].tolist() == list(range(11))


def test_ramps_cover_every_number_that_varies() -> None:
    rng = np.random.default_rng(0)
    numbers = np.stack([np.zeros(500), rng.integers(0, 3, 500), rng.exponential(10.0, 500)], axis=1)
    ramps = ramps_over(numbers.astype(np.float32))
    assert sorted(set(ramps.columns)) == [1, 2]
    assert ramps.lows[ramps.columns == 1].tolist() == [0.0, 1.0]
    assert (ramps.columns == 2).sum() == KNOTS - 1

    def shown(number: float) -> Array:
        own = ramps.columns == 2
        return np.clip((number - ramps.lows[own]) * ramps.slopes[own], 0.0, 1.0)

    least, most = numbers[:, 2].min(), numbers[:, 2].max()
    assert shown(least) == pytest.approx(0.0, abs=1e-5)
    assert shown(most) == pytest.approx(1.0, abs=1e-5)
    heights = [shown(number).sum() for number in np.linspace(least, most, 50)]
    assert (np.diff(heights) > 0.0).all()


# Runs


def test_run_writes_values_that_play(here: Here, config: Path) -> None:
    run = config.parent / "run"
    done = here(values.main, "--config", config, "--out", run)
    assert done.code == 0, done
    names = {path.name for path in run.iterdir()}
    assert {"config.json", "evaluations.jsonl", "curves.png", "index.html", "policy", "checkpoints"} <= names
    rows = [json.loads(line) for line in (run / "evaluations.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [row["step"] for row in rows] == [0, 512, 1024]
    shown = here(evaluate.main, "--agent", run / "policy", "--against", "random", "--games", "20")
    assert shown.code == 0, shown
    assert "Forfeits: 0" in shown.out


class KilledError(Exception):
    """Simulates a kill."""


def test_killed_run_resumes_to_the_same_result(here: Here, config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole, killed = config.parent / "whole", config.parent / "killed"
    assert here(values.main, "--config", config, "--out", whole).code == 0

    def kill(monitor: Monitor, step: int) -> None:
        if step >= 640:
            raise KilledError

    with monkeypatch.context() as patched:
        patched.setattr(Monitor, "advance", kill)
        with pytest.raises(KilledError):
            values.main(config=config, out=killed)
    assert [path.name for path in sorted((killed / "checkpoints").iterdir())][-1].endswith("512")
    assert here(values.main, "--out", killed, "--resume").code == 0
    for name in ("policy.json", "policy.safetensors"):
        assert (killed / "policy" / name).read_bytes() == (whole / "policy" / name).read_bytes()
    rows = (killed / "evaluations.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(row)["step"] for row in rows] == [0, 512, 1024]


def test_unreadable_checkpoint_is_named(here: Here, config: Path) -> None:
    run = config.parent / "run"
    assert here(values.main, "--config", config, "--out", run).code == 0
    last = sorted((run / "checkpoints").iterdir())[-1]
    (last / "learner.pt").write_bytes(b"no checkpoint")
    assert f"{last}: this checkpoint cannot be read" in here.fails(values.main, "--out", run, "--resume")


WRONG = {
    "game=kuhn": ["kuhn declares no VALUES"],
    "params.speed=3": ["unknown parameter 'speed'"],
    "trace=[0.9, 1.1]": ["trace", "less than or equal to 1"],
    "learning_rate=[-1, 0]": ["learning_rate", "must not be negative"],
    "inputs=planes": ["inputs", "features", "cells"],
    "hidden=[]": ["hidden", "at least 1"],
    "averaging=1": ["averaging", "less than 1"],
    "evaluation.against=[nobody]": ["unknown agent 'nobody'"],
    "colour=red": ["colour", "choose from game, params, seed"],
}


@pytest.mark.parametrize("override", WRONG)
def test_invalid_value_is_a_one_line_error_naming_the_key(here: Here, config: Path, override: str) -> None:
    here.refuses(values.main, config, override, WRONG[override])


# Files


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Save random values; tests may modify the folder."""
    path = tmp_path / "values"
    random_values(edge_envs.load_game("falling_off")).save(path)
    return path


def test_values_survive_save_and_load(folder: Path, tmp_path: Path) -> None:
    loaded = load_policy(folder)
    assert isinstance(loaded, ValuesAgent)
    assert loaded.name == folder.as_posix()
    loaded.save(tmp_path / "again")
    for name in ("policy.json", "policy.safetensors"):
        assert (tmp_path / "again" / name).read_bytes() == (folder / name).read_bytes()
    check_agent(str(folder))
    playing_on = edge_envs.load_game("falling_off", play_on=True)
    assert make_agent(str(folder), playing_on).name == folder.as_posix()


def test_values_from_cells_survive_save_and_load(tmp_path: Path) -> None:
    learner = learner_of(inputs="cells")
    learner.net.weights[:] = np.random.default_rng(0).normal(size=len(learner.net.weights))
    agent = ValuesAgent(learner.game, learner.net)
    agent.save(tmp_path)
    assert json.loads((tmp_path / "policy.json").read_text(encoding="utf-8"))["architecture"]["inputs"] == "cells"
    loaded = load_policy(tmp_path)
    assert isinstance(loaded, ValuesAgent)
    states = [state._records.copy() for state in decisions(learner.game, 10)]
    for records in states:
        assert np.array_equal(loaded.action_values(records), agent.action_values(records), equal_nan=True)


def test_values_of_earlier_versions_read_features(folder: Path) -> None:
    path = folder / "policy.json"
    d = json.loads(path.read_text(encoding="utf-8"))
    assert d["architecture"].pop("inputs") == "features"
    path.write_text(json.dumps(d), encoding="utf-8")
    loaded = load_policy(folder)
    assert isinstance(loaded, ValuesAgent)
    assert len(loaded.net.cells) == 0


def with_architecture(**changes: Any) -> Callable[[dict[str, Any]], None]:
    return lambda d: d["architecture"].update(changes)


FAULTS: dict[str, Callable[[dict[str, Any]], Any]] = {
    "architecture.hidden": with_architecture(hidden=[]),
    "architecture.columns": with_architecture(columns=[-1]),
    "architecture.columns: 10000 is too large: a position has": with_architecture(columns=[10_000]),
    "architecture.inputs": with_architecture(inputs="planes"),
    "is too large: a position has 34 numbers": with_architecture(inputs="cells", columns=[35]),
    "unknown game 'chess'": lambda d: d.update(game="chess"),
    "made for version 7 of falling_off": lambda d: d.update(version=7),
    "values of kuhn cannot be learned": lambda d: d.update(game="kuhn", params={}),
    "architecture.colour": with_architecture(colour="red"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_invalid_description_is_a_one_line_error(folder: Path, fault: str) -> None:
    path = folder / "policy.json"
    d = json.loads(path.read_text(encoding="utf-8"))
    FAULTS[fault](d)
    path.write_text(json.dumps(d), encoding="utf-8")
    with pytest.raises(ValueError) as error:  # noqa: PT011  the message is checked below
        load_policy(folder)
    assert str(error.value).startswith(str(path))
    assert fault in str(error.value)
    assert "\n" not in str(error.value)


WEIGHTS: dict[str, Callable[[dict[str, Any]], Any]] = {
    "names, shapes or dtypes differ": lambda arrays: arrays.pop("lows"),
    "shapes": lambda arrays: arrays.update(lows=arrays["lows"][:-1]),
    "types": lambda arrays: arrays.update(slopes=arrays["slopes"].astype(np.float64)),
    "not all weights are finite": lambda arrays: arrays["layers.0.biases"].fill(np.nan),
}


@pytest.mark.parametrize("fault", WEIGHTS)
def test_invalid_weights_are_a_one_line_error(folder: Path, fault: str) -> None:
    path = folder / "policy.safetensors"
    arrays = load_file(path)
    WEIGHTS[fault](arrays)
    save_file(arrays, path)
    with pytest.raises(ValueError, match=fault):
        load_policy(folder)
    for content in (b"", b"nonsense"):
        path.write_bytes(content)
        with pytest.raises(ValueError, match="cannot be read as weights of values"):
            load_policy(folder)
    path.unlink()
    with pytest.raises(ValueError, match="cannot be read as weights of values"):
        load_policy(folder)


def test_values_reject_another_game(folder: Path) -> None:
    with pytest.raises(ValueError, match="made for"):
        make_agent(str(folder), edge_envs.load_game("falling_off", num_players=3))
    with pytest.raises(ValueError, match="made for the game 'falling_off'"):
        make_agent(str(folder), edge_envs.load_game("tic_tac_toe"))


def test_shipped_configurations_are_valid() -> None:
    root = Path(__file__).resolve().parents[2]
    configs = root / "configs"
    for path in sorted([*configs.glob("*/values*.yaml"), *configs.glob("falling_off/from_rules*.yaml")]):
        config = parse(ValuesConfig, read_mapping(path), str(path))
        assert count_numbers(config.load_game(), cells=config.inputs == "cells") > 0
        assert (config.inputs == "cells") == path.stem.startswith("from_rules")
