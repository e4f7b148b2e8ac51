"""Test self-play: learning, any number of players, and resuming interrupted runs with the same result."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import edge_envs
from agents.common.configuration import parse, read_mapping
from agents.players.policy import PolicyAgent, ValuedPolicy
from agents.selfplay.__main__ import main
from agents.selfplay.config import SelfPlayConfig
from agents.selfplay.training import Games, Learner, SelfPlayRun, train
from agents.training.monitor import Monitor
from agents.training.opponents import OpponentPool
from tests.programs import ROOT, Here, program

pytestmark = pytest.mark.usefixtures("torch_threads")

ROLLOUT = 16 * 8
TINY = """\
game: falling_off
total_steps: 4096
num_envs: 32
network: {features: plain, hidden: [16]}
ppo: {steps_per_rollout: 16, batch_size: 256, epochs: 1}
evaluation: {every: 1000, games: 10, against: [random]}
checkpoint_every: 1000
pool: 0.5
snapshots: {every: 1000, keep: 2}
"""


def config_of(game: str, **changes: Any) -> SelfPlayConfig:
    """Configure a run of four short rollouts, with an evaluation and a checkpoint after each."""
    tiny = {
        "game": game, "total_steps": 4 * ROLLOUT, "num_envs": 16, "network": {"hidden": [8]},
        "ppo": {"steps_per_rollout": 8, "batch_size": 64, "epochs": 2, "learning_rate": 0.01},
        "evaluation": {"every": ROLLOUT, "games": 4, "against": ["random"]}, "checkpoint_every": ROLLOUT,
    }  # fmt: skip
    return parse(SelfPlayConfig, {**tiny, **changes}, game)


POOL = {
    "pool": 0.5,
    "opponents": {"random": 1, "heuristic": 1, "snapshots": 2, "hardness": 1.5, "agents": {"flat_monte_carlo": 1}},
    "snapshots": {"every": ROLLOUT, "keep": 2},
}


def trained(folder: Path, config: SelfPlayConfig) -> SelfPlayRun:
    run = SelfPlayRun(folder)
    run.start(config)
    train(config, run)
    return run


def test_self_play_learns_tic_tac_toe(tmp_path: Path) -> None:
    config = config_of(
        "tic_tac_toe", total_steps=80_000, num_envs=128, checkpoint_every=80_000, network={"hidden": [64]},
        ppo={"steps_per_rollout": 32, "batch_size": 1024, "learning_rate": [0.01, 0.0], "entropy": [0.05, 0.02]},
        evaluation={"every": 80_000, "games": 600, "against": ["random"]},
    )  # fmt: skip
    run = trained(tmp_path / "run", config)
    untrained, learned = map(json.loads, (run.folder / "evaluations.jsonl").read_text(encoding="utf-8").splitlines())
    assert (untrained["step"], learned["step"]) == (0, 81_920)
    assert untrained["win_rate"] < 0.6
    assert learned["win_rate"] > 0.7


@pytest.mark.parametrize(
    ("game", "params", "pool"),
    [("kuhn", {}, {}), ("kuhn", {"num_players": 3, "pay_at_once": True}, POOL)]
    + [("falling_off", {"num_players": players}, {}) for players in (3, 4, 5)]
    + [("falling_off", {"num_players": players}, POOL) for players in (2, 6)],
)
def test_self_play_supports_any_number_of_players(
    game: str, params: dict[str, Any], pool: dict[str, Any], tmp_path: Path
) -> None:
    run = trained(tmp_path / "run", config_of(game, params=params, **pool))
    policy = PolicyAgent.load(run.policy)
    assert policy.game.num_players == params.get("num_players", 2)
    assert isinstance(policy, ValuedPolicy) == (policy.game.num_players == 2)
    assert not getattr(policy, "learned_alone", False)
    assert (run.folder / "index.html").exists()
    assert (run.folder / "opponents.png").exists() == bool(pool)


def contents(run: SelfPlayRun) -> dict[str, bytes]:
    """Read the results of a run: its policy and its statistics of opponents."""
    files = [
        run.policy / "policy.safetensors",
        *run.folder.glob("opponents.jsonl"),
        *run.folder.glob("checkpoints/*/opponents.json"),
    ]
    return {str(path.relative_to(run.folder)): path.read_bytes() for path in files}


@pytest.mark.parametrize("game", ["kuhn", "falling_off"])
@pytest.mark.parametrize("pool", [{}, POOL], ids=["alone", "pool"])
def test_interrupted_run_resumes_to_the_same_result(
    game: str, pool: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = {"every": 3 * ROLLOUT, "games": 4, "against": ["random"]}  # so that a checkpoint lies between evaluations
    config = config_of(game, evaluation=plan, **pool)
    uninterrupted, interrupted = trained(tmp_path / "uninterrupted", config), SelfPlayRun(tmp_path / "interrupted")
    interrupted.start(config)
    with monkeypatch.context() as patch:
        patch.setattr(Monitor, "advance", stop_at(3 * ROLLOUT))
        with pytest.raises(KeyboardInterrupt):
            train(config, interrupted)
    assert contents(interrupted) != contents(uninterrupted)
    train(config, interrupted, resume=True)
    assert contents(interrupted) == contents(uninterrupted)


def stop_at(limit: int) -> Callable[[Monitor, int], None]:
    """Return a method that interrupts a training at a step."""

    def advance(_: Monitor, step: int) -> None:
        if step >= limit:
            raise KeyboardInterrupt

    return advance


def test_killed_run_resumes_to_the_same_result(here: Here, tmp_path: Path) -> None:
    path = tiny_config(tmp_path)
    uninterrupted = here(main, "--config", path, "--out", tmp_path / "uninterrupted")
    assert uninterrupted.code == 0, uninterrupted.err
    killed = SelfPlayRun(tmp_path / "killed")
    command = [sys.executable, "-m", "agents.selfplay", "--config", str(path), "--out", str(killed.folder)]
    with subprocess.Popen(command, cwd=ROOT, stderr=subprocess.DEVNULL) as process:
        while not list(killed.checkpoints.glob("step-*")) and process.poll() is None:
            time.sleep(0.005)
        process.kill()
    assert process.returncode == -signal.SIGKILL
    done = program("-m", "agents.selfplay", "--resume", "--out", str(killed.folder))
    assert done.returncode == 0, done.stderr
    assert contents(killed) == contents(SelfPlayRun(tmp_path / "uninterrupted"))


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
    "pool=1.5": ["pool", "less than or equal to 1"],
    "pool=some": ["pool", "number"],
    "random_opening=2": ["random_opening", "choose from game, params, seed"],
    "opponents.chess=1": ["opponents.chess", "choose from random, heuristic, perfect, snapshots, agents, hardness"],
    "opponents={snapshots: 0}": ["opponents", "positive weight"],
    "opponents.hardness=-1": ["opponents.hardness"],
    "opponents.agents=[search]": ["opponents.agents", "object"],
    "opponents.agents={chess: 1}": ["unknown agent 'chess'"],
    "opponents.agents={random: 1}": ["opponents", "random: give its weight as the key random"],
    "opponents.agents={turn: -1}": ["opponents.agents.turn", "greater than or equal to 0"],
    "ppo.batch_size=100000": ["ppo.batch_size 100000", "more than a rollout"],
}


@pytest.mark.parametrize("override", WRONG)
def test_invalid_value_is_a_one_line_error_naming_the_key(here: Here, tmp_path: Path, override: str) -> None:
    here.refuses(main, tiny_config(tmp_path), override, WRONG[override])


@pytest.mark.parametrize("path", sorted((ROOT / "configs").rglob("selfplay.yaml")), ids=lambda path: path.parent.name)
def test_shipped_configurations_use_no_hints_and_no_pool(path: Path) -> None:
    config = parse(SelfPlayConfig, read_mapping(path), str(path))
    assert config.game == path.parent.name
    assert config.network.hint_weight == config.pool == 0


def test_games_of_the_pool_have_one_learning_seat() -> None:
    config = config_of("kuhn", params={"num_players": 3}, **{**POOL, "pool": 0.75})
    game = config.load_game()
    pool = OpponentPool(config, game)
    games = Games(config, game, pool)
    learner = Learner(config, game)
    for _ in range(40):
        games.play(learner)
        learns = games.rollout.learns[3:]
        assert 0.2 < learns.mean() < 1.0
        games.rollout.compute_gae(1.0, 0.9)
        games.rollout.carry_over()
    assert all(member.games > 50 for member in pool.members)


def test_opponents_receive_the_states_of_their_lanes() -> None:
    env = edge_envs.vector_env("falling_off", num_envs=6)
    env.reset(seed=3)
    words = np.arange(6, dtype=np.uint64)
    before = words.copy()
    states = env.shown_states(np.array([1, 4]), words)
    for state, lane in zip(states, (1, 4), strict=True):
        shown = {key: value for key, value in env.state(lane).to_dict().items() if key != "rng"}
        assert (
            env.game.state_from_dict(shown).to_dict()
            == env.game.state_from_dict(
                edge_envs.State.of_records(env.game, np.array([state], dtype=states.dtype)).to_dict()
            ).to_dict()
        )
        assert state["rng"] != env.state(lane).to_dict().get("rng")
    assert np.array_equal(words != before, [False, True, False, False, True, False])


def test_page_lists_the_opponents(tmp_path: Path) -> None:
    run = trained(tmp_path / "run", config_of("kuhn", **POOL))
    page = (run.folder / "index.html").read_text(encoding="utf-8")
    table = page[page.index("Opponents of the training") :]
    assert 'src="opponents.png"' in table
    rows = [json.loads(line) for line in (run.folder / "opponents.jsonl").read_text(encoding="utf-8").splitlines()]
    last = [row["opponent"] for row in rows if row["step"] == config_of("kuhn").total_steps]
    assert re.findall(r"<tr><td>\d+</td><td>(.+?)</td>", table) == last
    assert {"random", "heuristic", "flat_monte_carlo"} < set(last)
