"""Test learning from a search: it learns, supports any number of players, and resumes with the same result."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from agents.common.configuration import parse, read_mapping
from agents.networks.features import rows_of
from agents.players.agent import make_agent
from agents.players.policy import PolicyAgent, ValuedPolicy, value_outputs
from agents.teach import main
from agents.teaching.config import TeachingConfig
from agents.teaching.lessons import Lessons, all_of
from agents.teaching.teacher import teach
from agents.teaching.training import Pupil, TeachingRun, train
from agents.training.monitor import Monitor
from agents.workers.local import LocalWorkers
from agents.workers.opening import open_workers
from edge_envs import load_game
from edge_envs.search.agent import SearchAgent
from tests.agents.test_tuples import random_agent
from tests.programs import ROOT, Here, program

pytestmark = pytest.mark.usefixtures("torch_threads")

TINY = """\
game: falling_off
total_steps: 400
games: 2
search: 8
asks: values
network: {hidden: [16]}
evaluation: {every: 200, games: 4, against: [random]}
checkpoint_every: 1
"""


def config_of(game: str, **changes: Any) -> TeachingConfig:
    """Configure a run of a few short rounds, with an evaluation and a checkpoint after each."""
    tiny = {
        "game": game, "total_steps": 60, "games": 8, "search": 8, "network": {"hidden": [8]},
        "fit": {"rounds": 2, "epochs": 2, "batch_size": 16, "learning_rate": [0.01, 0.0]},
        "evaluation": {"every": 1, "games": 4, "against": ["random"]}, "checkpoint_every": 1,
    }  # fmt: skip
    return parse(TeachingConfig, {**tiny, **changes}, game)


def trained(folder: Path, config: TeachingConfig) -> TeachingRun:
    run = TeachingRun(folder)
    run.start(config)
    train(config, run)
    return run


@pytest.mark.parametrize("asks", ["nothing", "priors", "values"])
def test_policy_learns_tic_tac_toe_from_a_search(asks: str, tmp_path: Path) -> None:
    config = config_of(
        "tic_tac_toe", total_steps=6000, games=64, search=50, asks=asks, network={"hidden": [64]},
        checkpoint_every=6000, random_opening=2, drawn=0.5,
        fit={"rounds": 20, "epochs": 2, "batch_size": 64, "learning_rate": [0.01, 0.0]},
        evaluation={"every": 6000, "games": 600, "against": ["random"]},
    )  # fmt: skip
    run = trained(tmp_path / "run", config)
    untrained, learned = map(json.loads, (run.folder / "evaluations.jsonl").read_text(encoding="utf-8").splitlines())
    assert untrained["step"] == 0
    assert learned["step"] >= 6000
    assert untrained["win_rate"] < 0.65
    assert learned["win_rate"] > 0.7


@pytest.mark.parametrize(
    ("game", "params"),
    [("kuhn", {}), ("kuhn", {"num_players": 3, "pay_at_once": True})]
    + [("falling_off", {"num_players": players}) for players in (2, 3, 6)],
)
@pytest.mark.parametrize("asks", ["nothing", "values"])
def test_teaching_supports_any_number_of_players(game: str, params: dict[str, Any], asks: str, tmp_path: Path) -> None:
    run = trained(tmp_path / "run", config_of(game, params=params, asks=asks, games=3))
    policy = PolicyAgent.load(run.policy)
    players = params.get("num_players", 2)
    assert isinstance(policy, ValuedPolicy)
    assert not policy.learned_alone
    assert policy.game.num_players == players
    assert policy.critic.state_dict()["head.bias"].shape == (1 if players == 2 else players,)
    assert (run.folder / "index.html").exists()
    agent = make_agent(f"search:20:{run.policy}", policy.game)
    assert isinstance(agent, SearchAgent)
    assert agent.action_values(some_decisions(policy.game)).shape == (1, policy.game.num_distinct_actions)


def test_policy_learns_from_the_search_of_an_n_tuple_network(tmp_path: Path) -> None:
    random_agent().save(tmp_path / "teacher")
    teacher: dict[str, Any] = {"teacher": str(tmp_path / "teacher"), "total_steps": 100, "parts": 2}
    run = trained(tmp_path / "run", config_of("tic_tac_toe", **teacher))
    assert isinstance(PolicyAgent.load(run.policy), ValuedPolicy)
    with pytest.raises(ValueError, match="no/folder"):
        config_of("tic_tac_toe", teacher="no/folder")
    with pytest.raises(ValueError, match="it cannot play 'kuhn'"):
        config_of("kuhn", **teacher)


def some_decisions(game: Any) -> Any:
    states = game.new_records(1)
    game.compiled.loops.new_games(states)
    while not game.compiled.kernels.current_player(states[0]) >= 0:
        game.compiled.kernels.apply(states[0], game.compiled.kernels.sample_chance(states[0]))
    return states


def contents(run: TeachingRun) -> dict[str, bytes]:
    """Read the results of a run."""
    files = run.policy.iterdir()
    return {path.name: path.read_bytes() for path in files}


def stop_after(rounds: int) -> Callable[[Monitor, int], None]:
    """Return a method that interrupts a training after some rounds."""
    seen: list[int] = []

    def advance(_: Monitor, step: int) -> None:
        seen.append(step)
        if len(seen) == rounds:
            raise KeyboardInterrupt

    return advance


@pytest.mark.parametrize(
    ("game", "asks"), [("kuhn", "nothing"), ("kuhn", "priors"), ("kuhn", "values"), ("falling_off", "values")]
)
def test_interrupted_run_resumes_to_the_same_result(
    game: str, asks: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    games, steps = (2, 300) if game == "falling_off" else (8, 100)  # enough for several rounds
    config = config_of(game, asks=asks, games=games, total_steps=steps, random_opening=1)
    uninterrupted, interrupted = trained(tmp_path / "uninterrupted", config), TeachingRun(tmp_path / "interrupted")
    interrupted.start(config)
    with monkeypatch.context() as patch:
        patch.setattr(Monitor, "advance", stop_after(2))
        with pytest.raises(KeyboardInterrupt):
            train(config, interrupted)
    assert contents(interrupted) != contents(uninterrupted)
    train(config, interrupted, resume=True)
    assert contents(interrupted) == contents(uninterrupted)


def test_killed_run_resumes_to_the_same_result(here: Here, tmp_path: Path) -> None:
    path = tiny_config(tmp_path)
    uninterrupted = here(main, "--config", path, "--out", tmp_path / "uninterrupted")
    assert uninterrupted.code == 0, uninterrupted.err
    killed = TeachingRun(tmp_path / "killed")
    command = [sys.executable, "-m", "agents.teach", "--config", str(path), "--out", str(killed.folder)]
    with subprocess.Popen(command, cwd=ROOT, stderr=subprocess.DEVNULL) as process:
        while not list(killed.checkpoints.glob("step-*")) and process.poll() is None:
            time.sleep(0.005)
        process.kill()
    assert process.returncode == -signal.SIGKILL
    done = program("-m", "agents.teach", "--resume", "--out", str(killed.folder))
    assert done.returncode == 0, done.stderr
    assert contents(killed) == contents(TeachingRun(tmp_path / "uninterrupted"))


def tiny_config(folder: Path) -> Path:
    path = folder / "tiny.yaml"
    path.write_text(TINY, encoding="utf-8")
    return path


def test_corrupt_checkpoint_is_a_one_line_error(here: Here, tmp_path: Path) -> None:
    run = trained(tmp_path / "run", config_of("kuhn"))
    for content in (b"", b"x" * 1000):
        last = sorted(run.checkpoints.iterdir())[-1]
        (last / "learner.pt").write_bytes(content)
        line = here.fails(main, "--resume", "--out", run.folder)
        assert f"{last.name}: this checkpoint cannot be read" in line


WRONG = {
    "asks=everybody": ["asks", "'nothing', 'priors' or 'values'"],
    "drawn=1.5": ["drawn", "less than or equal to 1"],
    "search=0": ["search", "greater than 0"],
    "search=50ms": ["search", "integer"],
    "games=0": ["games", "greater than 0"],
    "parts=3": ["parts", "2 games cannot be shared evenly among 3"],
    "opponents={random: 1}": ["opponents", "choose from game, params, seed"],
    "fit.rounds=0": ["fit.rounds", "greater than 0"],
    "fit.learning_rate=[1e-3, -1]": ["fit.learning_rate", "must not be negative"],
    "fit.gamma=1": ["fit.gamma", "choose from rounds, epochs"],
    "network={kind: convolutional}": ["plane features need an observation of planes"],
}


@pytest.mark.parametrize("override", WRONG)
def test_invalid_value_is_a_one_line_error_naming_the_key(here: Here, tmp_path: Path, override: str) -> None:
    here.refuses(main, tiny_config(tmp_path), override, WRONG[override])


@pytest.mark.parametrize("path", sorted((ROOT / "configs").rglob("teach.yaml")), ids=lambda path: path.parent.name)
def test_shipped_configurations_are_valid(path: Path) -> None:
    config = parse(TeachingConfig, read_mapping(path), str(path))
    assert config.game == path.parent.name


# Lessons


def round_of(game: str, before: int = 0, **changes: Any) -> tuple[Pupil, Lessons]:
    config = config_of(game, **changes)
    made = config.load_game()
    torch.manual_seed(0)
    pupil = Pupil(config, made)
    return pupil, teach(config, pupil, before, LocalWorkers(1))


@pytest.mark.parametrize("before", [0, 8])
@pytest.mark.parametrize("asks", ["priors", "values"])
def test_search_policy_is_a_distribution_over_several_legal_actions(asks: str, before: int) -> None:
    _, lessons = round_of("tic_tac_toe", before, asks=asks)
    legal = lessons.view.legal >= 0
    assert (legal.sum(1) > 1).all()
    assert (lessons.policy[~legal] == 0).all()
    torch.testing.assert_close(lessons.policy.sum(1), torch.ones(lessons.size))


@pytest.mark.parametrize("players", [2, 3])
def test_returns_start_with_the_deciding_player(players: int) -> None:
    _, lessons = round_of("kuhn", params={"num_players": players}, games=200)
    game = load_game("kuhn", num_players=players)
    assert lessons.returns.shape == (lessons.size, value_outputs(game))
    assert lessons.returns.min() >= game.min_utility
    assert lessons.returns.max() <= game.max_utility
    if players == 3:
        assert (lessons.returns.sum(1) == 0).all()
    card = lessons.view.vectors[:, : players + 1].argmax(1)  # the player with the best card wins more
    assert lessons.returns[card == players, 0].mean() > lessons.returns[card == 0, 0].mean() + 0.5


def test_round_depends_only_on_earlier_games_and_weights() -> None:
    for before in (0, 8):
        (_, one), (_, same), (_, other) = (round_of("tic_tac_toe", b, asks="values") for b in (before, before, 16))
        assert torch.equal(one.policy, same.policy)
        assert torch.equal(one.returns, same.returns)
        assert one.policy.shape != other.policy.shape or not torch.equal(one.policy, other.policy)


def test_round_does_not_depend_on_the_number_of_workers(tmp_path: Path) -> None:
    config = config_of("falling_off", games=4, parts=2, total_steps=300, asks="values")
    alone, shared = trained(tmp_path / "alone", config), TeachingRun(tmp_path / "shared")
    shared.start(config)
    with open_workers(2) as workers:
        train(config, shared, workers=workers)
    assert contents(alone) == contents(shared)


def test_drawn_option_randomizes_decisions() -> None:
    shapes = {drawn: [round_of("tic_tac_toe", k, drawn=drawn)[1].size for k in (0, 8, 16)] for drawn in (0.0, 1.0)}
    assert shapes[0.0] != shapes[1.0]


def test_lessons_are_padded_to_the_longest_round() -> None:
    rounds = [round_of("kuhn", before)[1] for before in (0, 8)]
    short = rounds[0]
    rounds[0] = Lessons(
        short.view._replace(legal=torch.cat([short.view.legal, -torch.ones(short.size, 1).long()], dim=1)),
        torch.cat([short.policy, torch.zeros(short.size, 1)], dim=1),
        short.returns,
    )
    both = all_of(rounds)
    assert both.size == rounds[0].size + rounds[1].size
    assert both.policy.shape == both.view.legal.shape
    last = both.rows(torch.arange(short.size, both.size))
    assert torch.equal(last.policy[:, :-1], rounds[1].policy)
    assert torch.equal(last.returns, rounds[1].returns)
    assert torch.equal(rows_of(both.view, torch.arange(short.size)).vectors, short.view.vectors)


def test_divergence_is_zero_if_policy_and_search_agree() -> None:
    pupil, lessons = round_of("tic_tac_toe")
    with torch.no_grad():
        choices, _ = pupil.evaluate(lessons.view)
        own = lessons._replace(policy=torch.where(lessons.view.legal >= 0, choices.probs, 0.0))
        divergence, value_loss = pupil._losses(own)
    assert abs(float(divergence)) < 1e-6
    assert value_loss > 0


def test_games_that_end_in_the_random_opening_are_rejected() -> None:
    with pytest.raises(ValueError, match=r"^after random_opening 9 there is nothing to decide in these games$"):
        round_of("tic_tac_toe", random_opening=9)


def test_actions_are_sampled_in_proportion_to_their_weights() -> None:
    from agents.teaching.teacher import _drawn

    weights = np.array([[0.0, 0.5, 0.0, 0.5, 0.0]] * 4000)
    assert set(_drawn(weights, np.random.default_rng(0)).tolist()) == {1, 3}
    counts = np.bincount(_drawn(np.array([[1, 0, 3]] * 4000, np.int8), np.random.default_rng(0)))
    assert counts[1] == 0
    assert 0.7 < counts[2] / 4000 < 0.8
