"""Test training runs: their files, and that a killed run resumes from its checkpoint."""

from __future__ import annotations

import json
import re
import shutil
import signal
import subprocess
import sys
import time
import warnings
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

import agents.train
from agents.players.policy import PolicyAgent, ValuedPolicy
from agents.ppo.config import read_config
from agents.training.monitor import seconds_until
from tests.programs import ROOT, Here, program, tiny_config

pytestmark = pytest.mark.usefixtures("torch_threads")

ROLLOUT = 1024
TOTAL = 4 * ROLLOUT


def rows(run: Path) -> list[dict[str, Any]]:
    lines = (run / "evaluations.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def curve(run: Path) -> list[tuple[int, str]]:
    """Return step and opponent of each evaluation."""
    return [(row["step"], row["opponent"]) for row in rows(run)]


def scalars(run: Path) -> dict[str, list[int]]:
    """Return the steps of each TensorBoard scalar."""
    accumulator = EventAccumulator(str(run / "tensorboard"))
    accumulator.Reload()
    return {tag: [event.step for event in accumulator.Scalars(tag)] for tag in accumulator.Tags()["scalars"]}


def checkpoints(run: Path) -> list[int]:
    """Return the steps of the complete checkpoints."""
    return sorted(int(path.name.removeprefix("step-")) for path in run.glob("checkpoints/step-*"))


def evaluated(total: int) -> list[tuple[int, str]]:
    """Return the curve of a complete run."""
    return [(step, opponent) for step in range(0, total + 1, ROLLOUT) for opponent in ("random", "heuristic")]


def test_run_writes_policy_curves_and_checkpoints(finished_run: Path) -> None:
    assert (finished_run / "curves.png").read_bytes().startswith(b"\x89PNG")
    assert PolicyAgent.load(finished_run / "policy").game.name == "falling_off"
    assert checkpoints(finished_run) == [2 * ROLLOUT, TOTAL]
    assert not list(finished_run.rglob("partial-*"))


def test_values_of_a_run_are_learned_in_one_seat(finished_run: Path) -> None:
    policy = PolicyAgent.load(finished_run / "policy")
    assert isinstance(policy, ValuedPolicy)
    assert policy.learned_alone


def test_run_is_evaluated_at_the_start_regularly_and_at_the_end(finished_run: Path) -> None:
    assert curve(finished_run) == evaluated(TOTAL)
    for row in rows(finished_run):
        assert row["games"] == 20
        assert row["low"] <= row["win_rate"] <= row["high"]
        assert row["illegal"] == 0


def test_rows_state_the_processor_time_of_learning(finished_run: Path) -> None:
    seconds = [row["cpu_seconds"] for row in rows(finished_run) if row["opponent"] == "random"]
    assert seconds == sorted(seconds)
    assert 0 <= seconds[0] < seconds[-1] < 600
    assert seconds == [row["cpu_seconds"] for row in rows(finished_run) if row["opponent"] == "heuristic"]


def test_a_resumed_run_adds_to_the_processor_time_of_the_first() -> None:
    earlier = [{"step": 0, "cpu_seconds": 0.0}, {"step": 100, "cpu_seconds": 30.0}]
    assert seconds_until(100, earlier) == 30.0
    assert seconds_until(150, earlier) == 45.0
    assert seconds_until(0, []) == seconds_until(10, [{"step": 5}]) == 0.0


def test_tensorboard_shows_every_evaluation(finished_run: Path) -> None:
    shown = scalars(finished_run)
    for opponent in ("random", "heuristic"):
        assert shown[f"win_rate/{opponent}"] == list(range(0, TOTAL + 1, ROLLOUT))


def test_tensorboard_shows_the_losses(finished_run: Path) -> None:
    shown = scalars(finished_run)
    assert shown["time/total_timesteps"] == list(range(ROLLOUT, TOTAL + 1, ROLLOUT))
    assert shown["train/loss"] == list(range(2 * ROLLOUT, TOTAL + 1, ROLLOUT))


def test_run_saves_its_configuration(finished_run: Path) -> None:
    checked = read_config(finished_run.parent / "tiny.yaml")
    assert json.loads((finished_run / "config.json").read_text(encoding="utf-8")) == checked.model_dump(mode="json")


def test_existing_run_is_not_overwritten(here: Here, finished_run: Path) -> None:
    before = contents(finished_run)
    line = here.fails(agents.train.main, "--config", finished_run.parent / "tiny.yaml", "--out", finished_run)
    assert "this folder already has a run; --resume continues it" in line
    assert contents(finished_run) == before


def test_resuming_a_finished_run_changes_nothing(here: Here, finished_run: Path, tmp_path: Path) -> None:
    run = copied(finished_run, tmp_path)
    resumed = here(agents.train.main, "--resume", "--out", run)
    assert resumed.code == 0, resumed.err
    assert curve(run) == evaluated(TOTAL)
    assert scalars(run) == scalars(finished_run)


def kill_when(ready: Callable[[], bool], command: list[str]) -> None:
    """Start a program, wait until `ready` returns true, and kill it."""
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
        try:
            while not ready():
                assert process.poll() is None, process.communicate()[1]
                time.sleep(0.005)
        finally:
            process.kill()
    assert process.returncode == -signal.SIGKILL


def test_killed_run_resumes_from_its_checkpoint_without_duplicate_steps(tmp_path: Path) -> None:
    run, total = tmp_path / "run", 2 * TOTAL
    command = [sys.executable, "-m", "agents.train", "--config", str(tiny_config(tmp_path)), "--out", str(run)]
    evaluation = (3 * ROLLOUT, "heuristic")  # in the file, but not yet in a checkpoint
    kill_when(lambda: evaluation in whole_curve(run), [*command, "--set", f"total_steps={total}"])
    kept = checkpoints(run)[-1]
    before = rows(run)

    done = program("-m", "agents.train", "--resume", "--out", str(run))
    assert done.returncode == 0, done.stderr
    assert curve(run) == evaluated(total)
    upto = 2 * (kept // ROLLOUT + 1)  # two opponents, at the start and after each rollout
    assert rows(run)[:upto] == before[:upto]
    assert checkpoints(run)[-1] == total
    shown = scalars(run)
    for opponent in ("random", "heuristic"):
        assert shown[f"win_rate/{opponent}"] == list(range(0, total + 1, ROLLOUT))
    assert shown["train/loss"][-1] == total
    for tag, steps in shown.items():
        assert len(steps) == len(set(steps)), tag


@pytest.mark.parametrize(
    ("number", "word"),
    [(signal.SIGINT, "interrupted"), (signal.SIGTERM, "terminated"), (signal.SIGHUP, "hung up")],
)
def test_signal_stops_training_with_one_line(tmp_path: Path, number: signal.Signals, word: str) -> None:
    run = tmp_path / "run"
    command = [sys.executable, "-m", "agents.train", "--config", str(tiny_config(tmp_path)), "--out", str(run)]
    endless = ("--set", f"total_steps={10**9}")
    with subprocess.Popen([*command, *endless], cwd=ROOT, stderr=subprocess.PIPE, text=True) as process:
        try:
            while (3 * ROLLOUT, "heuristic") not in whole_curve(run):
                assert process.poll() is None
                time.sleep(0.01)
            process.send_signal(number)
            _, error = process.communicate(timeout=60)
        finally:
            process.kill()
    assert process.returncode == 128 + number
    saved = re.fullmatch(word + r": saved at step ([\d,]+); continue with --resume", error.splitlines()[-1])
    assert saved, error
    assert checkpoints(run)[-1] == int(saved[1].replace(",", ""))
    assert "Traceback" not in error


def whole_curve(run: Path) -> list[tuple[int, str]]:
    """Return the curve of a running training; [] without a file."""
    try:
        return curve(run)
    except (FileNotFoundError, json.JSONDecodeError):
        return []


def test_run_killed_before_its_first_checkpoint_restarts(here: Here, finished_run: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    run.mkdir()
    shutil.copy(finished_run / "config.json", run)
    partial = run / "checkpoints" / "partial-step-000000002048"
    partial.mkdir(parents=True)
    resumed = here(agents.train.main, "--resume", "--out", run)
    assert resumed.code == 0, resumed.err
    assert f"{run}: no checkpoint to resume from; the run starts again at step 0" in resumed.err
    assert curve(run) == evaluated(TOTAL)


def test_resume_requires_a_run(here: Here, tmp_path: Path) -> None:
    line = here.fails(agents.train.main, "--resume", "--out", tmp_path / "nowhere")
    assert "nowhere: no run to resume" in line
    assert not (tmp_path / "nowhere").exists()


def corrupt_model(checkpoint: Path) -> None:
    (checkpoint / "model.zip").write_bytes(b"x" * 1000)


def truncate_model_to_zero(checkpoint: Path) -> None:
    (checkpoint / "model.zip").write_bytes(b"")


def truncate_model(checkpoint: Path) -> None:
    model = checkpoint / "model.zip"
    model.write_bytes(model.read_bytes()[:-1000])


def replace_weights(checkpoint: Path) -> None:
    with zipfile.ZipFile(checkpoint / "model.zip", "a") as file, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the name occurs twice; the last one counts
        file.writestr("policy.pth", b"garbage")


def remove_model(checkpoint: Path) -> None:
    (checkpoint / "model.zip").unlink()


def corrupt_snapshot(checkpoint: Path) -> None:
    (checkpoint / "snapshot-1" / "policy.safetensors").write_bytes(b"")


def remove_snapshot(checkpoint: Path) -> None:
    shutil.rmtree(checkpoint / "snapshot-0")


def corrupt_order(checkpoint: Path) -> None:
    (checkpoint / "opponents.json").write_text("[]", encoding="utf-8")


def remove_configuration(checkpoint: Path) -> None:
    (checkpoint / "config.json").unlink()


CORRUPTIONS = [
    corrupt_model,
    truncate_model_to_zero,
    truncate_model,
    replace_weights,
    remove_model,
    corrupt_snapshot,
    remove_snapshot,
    corrupt_order,
    remove_configuration,
]


@pytest.mark.parametrize("corrupt", CORRUPTIONS)
def test_corrupt_checkpoint_is_a_one_line_error_and_no_file_changes(
    here: Here, finished_run: Path, tmp_path: Path, corrupt: Callable[[Path], None]
) -> None:
    run = copied(finished_run, tmp_path)
    corrupt(run / "checkpoints" / f"step-{TOTAL:012d}")
    before = contents(run)
    line = here.fails(agents.train.main, "--resume", "--out", run)
    assert f"step-{TOTAL:012d}: this checkpoint cannot be read" in line
    assert "remove it to resume from the one before" in line
    assert contents(run) == before


@pytest.mark.parametrize(
    "content",
    ["", "{", "[]", '{"game": "falling_off"}', '{"colour": "red"}', "[" * 100_000, "\udcff", '{"seed": 1e999}', "NaN"],
)
def test_corrupt_configuration_is_a_one_line_error(
    here: Here, finished_run: Path, tmp_path: Path, content: str
) -> None:
    run = copied(finished_run, tmp_path)
    (run / "config.json").write_bytes(content.encode("utf-8", "surrogateescape"))
    before = contents(run)
    assert "config.json: " in here.fails(agents.train.main, "--resume", "--out", run)
    assert contents(run) == before


def row_with(**changes: Any) -> str:
    """Return a line of evaluations in which some valid values are replaced."""
    return json.dumps({"step": 1, "opponent": "random", "win_rate": 0.5, "low": 0.4, "high": 0.6, **changes})


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("{", "not JSON"),
        ("[" * 100_000, "not JSON that can be read: nested too deeply"),
        ("[]", "Input should be an object"),
        ("{}", "step: Field required"),
        ('{"step": "3"}', "step: Input should be a valid integer"),
        ('{"step": 1, "opponent": 3}', "opponent: Input should be a valid string"),
        ('{"step": 1, "opponent": "random", "win_rate": NaN}', "win_rate: Input should be a finite number"),
        ('{"step": 1, "opponent": "random", "win_rate": 0.5, "low": 1e999}', "low: Input should be a finite number"),
        (row_with(step=-(10**29)), "step: Input should be greater than or equal to 0"),
        (row_with(step=10**29), "step: Input should be less than or equal to 1000000000000000"),
        (row_with(mean_return=None), "mean_return: Input should be a valid number"),
        (row_with(half_width=1e308), "half_width: Input should be less than or equal to 1000000000"),
        (row_with(mean_return=[]), "mean_return: Input should be a valid number"),
    ],
)
def test_invalid_evaluation_row_is_a_one_line_error(
    here: Here, finished_run: Path, tmp_path: Path, line: str, fault: str
) -> None:
    run = copied(finished_run, tmp_path)
    with (run / "evaluations.jsonl").open("a", encoding="utf-8") as file:
        file.write(f"{line}\n")
    before = contents(run)
    error = here.fails(agents.train.main, "--resume", "--out", run)
    assert f"evaluations.jsonl, line {len(evaluated(TOTAL)) + 1}: {fault}" in error
    assert contents(run) == before


def test_undecodable_evaluations_file_is_a_one_line_error(here: Here, finished_run: Path, tmp_path: Path) -> None:
    run = copied(finished_run, tmp_path)
    (run / "evaluations.jsonl").write_bytes(b"\xff")
    assert "evaluations.jsonl: not JSON lines" in here.fails(agents.train.main, "--resume", "--out", run)


def test_resume_rejects_an_edited_configuration(here: Here, finished_run: Path, tmp_path: Path) -> None:
    run = copied(finished_run, tmp_path)
    edited = json.loads((run / "config.json").read_text(encoding="utf-8"))
    edited["network"]["hidden"] = [32]
    edited["seed"] = 3
    (run / "config.json").write_text(json.dumps(edited), encoding="utf-8")
    before = contents(run)
    line = here.fails(agents.train.main, "--resume", "--out", run)
    assert f"config.json: edited since step-{TOTAL:012d} was made: " in line
    assert "seed is 3 instead of 0, network.hidden is [32] instead of [16]; undo this" in line
    assert contents(run) == before


def test_resume_accepts_only_its_own_configuration(here: Here, finished_run: Path, tmp_path: Path) -> None:
    run, own = copied(finished_run, tmp_path), finished_run.parent / "tiny.yaml"
    other = tmp_path / "other.yaml"
    other.write_text(own.read_text(encoding="utf-8").replace("4096", "8192"), encoding="utf-8")
    before = contents(run)
    line = here.fails(agents.train.main, "--resume", "--config", other, "--out", run)
    assert "other.yaml: a resumed run keeps its configuration" in line
    assert "total_steps is 8192 instead of 4096" in line
    assert contents(run) == before
    assert here(agents.train.main, "--resume", "--config", own, "--out", run).code == 0
    same, another = ("--set", "total_steps=4096"), ("--set", "total_steps=8192")
    assert here(agents.train.main, "--resume", "--config", other, *same, "--out", run).code == 0
    line = here.fails(agents.train.main, "--resume", "--config", own, *another, "--out", run)
    assert "total_steps is 8192 instead of 4096" in line
    assert "--set requires --config" in here.fails(agents.train.main, "--resume", *same, "--out", run)


def test_run_that_exceeds_memory_is_not_started(here: Here, tmp_path: Path) -> None:
    out = tmp_path / "run"
    options = ("--config", tiny_config(tmp_path), "--out", out)
    huge = ("--set", "num_envs=65536", "--set", "ppo.steps_per_rollout=1000000")
    assert "needs more memory than the " in here.fails(agents.train.main, *options, *huge)
    wide = ("--set", "network.hidden=[4096, 4096, 4096]", "--set", "snapshots.keep=32")
    line = here.fails(agents.train.main, *options, *wide, *huge)
    assert re.search(r"the networks take \d\.\d GiB$", line)
    assert not out.exists()


def copied(run: Path, folder: Path) -> Path:
    return Path(shutil.copytree(run, folder / "run"))


def contents(folder: Path) -> dict[str, bytes]:
    """Read every file."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
