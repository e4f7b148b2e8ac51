"""Test programs that receive a signal: they save their work or report that nothing was saved, and can be resumed."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch

import agents.benchmark
import agents.collect
import agents.evaluate
import agents.exploit
import agents.fit
import agents.leaderboard
import agents.selfplay.__main__
import agents.teach
import agents.tournament
import agents.train
import agents.tune
import agents.values
import scripts.map_report
import scripts.solve
from agents.workers.workers import Workers
from edge_envs.core.solving import resumable
from edge_envs.core.solving.resumable import ResumableSearch
from tests.agents import test_selfplay, test_teaching, test_tuning, test_values
from tests.arena.test_leaderboard import PROTOCOL
from tests.programs import ROOT, TINY, Here, Outcome

pytestmark = pytest.mark.usefixtures("torch_threads")

RARE = ("--set", "checkpoint_every=1000000000")
NONE_YET = "terminated: nothing was saved, since no rollout is complete; continue with --resume"

TRAININGS: dict[str, tuple[Callable[..., None], str, bool]] = {
    "train": (agents.train.main, TINY, False),  # a resumed run plays different games
    "selfplay": (agents.selfplay.__main__.main, test_selfplay.TINY, True),
    "teach": (agents.teach.main, test_teaching.TINY, True),
    "values": (agents.values.main, test_values.TINY, True),
}
"""The main function, a configuration, and whether a resumed run gives identical files."""


def terminate(*_: Any, **__: Any) -> None:
    """Send SIGTERM to this process and wait for it to act."""
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(10)


def after_steps(patch: pytest.MonkeyPatch, limit: float) -> list[None]:
    """Send SIGTERM right after optimizer step number `limit`; return a list that grows with each step."""
    steps: list[None] = []
    step: Any = torch.optim.Adam.step

    def counted(self: Any, *arguments: Any, **options: Any) -> Any:
        result = step(self, *arguments, **options)
        steps.append(None)
        if len(steps) == limit:
            terminate()
        return result

    patch.setattr(torch.optim.Adam, "step", counted)
    return steps


def content(run: Path) -> dict[str, Any]:
    """Read the results of a run."""
    files = [*run.glob("policy/*"), *run.glob("opponents.jsonl")]
    rows = map(json.loads, (run / "evaluations.jsonl").read_text(encoding="utf-8").splitlines())
    evaluations = [[row[key] for key in ("step", "opponent", "win_rate", "mean_return")] for row in rows]
    return {"evaluations": evaluations, **{str(file.relative_to(run)): file.read_bytes() for file in files}}


def last_line(outcome: Outcome) -> str:
    assert outcome.code == 128 + signal.SIGTERM, outcome.err
    assert "Traceback" not in outcome.err
    return outcome.err.splitlines()[-1]


@pytest.mark.parametrize("name", TRAININGS)
def test_training_saves_a_checkpoint_on_a_signal_and_resumes_there(
    here: Here, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """The signal arrives during an update of the weights, long before the first regular checkpoint."""
    main, text, exact = TRAININGS[name]
    config, whole, run = tmp_path / "config.yaml", tmp_path / "whole", tmp_path / "run"
    config.write_text(text, encoding="utf-8")
    with monkeypatch.context() as patch:
        steps = after_steps(patch, float("inf"))
        done = here(main, "--config", config, *RARE, "--out", whole)
    assert done.code == 0, done.err
    with monkeypatch.context() as patch:
        after_steps(patch, len(steps) * 3 // 4)
        line = last_line(here(main, "--config", config, *RARE, "--out", run))
    found = re.fullmatch(r"terminated: saved at step ([\d,]+); continue with --resume", line)
    assert found, line
    saved = int(found[1].replace(",", ""))
    assert saved > 0
    assert [path.name for path in (run / "checkpoints").iterdir()] == [f"step-{saved:012d}"]
    resumed = here(main, "--resume", "--out", run)
    assert resumed.code == 0, resumed.err
    assert f"resumed at step {saved:,} of " in resumed.err
    assert content(run).keys() == content(whole).keys()
    assert (content(run) == content(whole)) == exact


@pytest.mark.parametrize("name", TRAININGS)
def test_signal_before_the_first_complete_rollout_saves_nothing(
    here: Here, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    main, text, _ = TRAININGS[name]
    config, run = tmp_path / "config.yaml", tmp_path / "run"
    config.write_text(text, encoding="utf-8")
    with monkeypatch.context() as patch:
        after_steps(patch, 1)
        assert last_line(here(main, "--config", config, "--out", run)) == NONE_YET
        assert not (run / "checkpoints").exists()
        after_steps(patch, 1)
        resumed = here(main, "--resume", "--out", run)
    assert f"{run}: no checkpoint to resume from; the run starts again at step 0\n" in resumed.err
    assert last_line(resumed) == NONE_YET


@pytest.mark.parametrize("name", ["train", "values"])
def test_checkpoint_that_cannot_be_written_on_a_signal_is_reported(
    here: Here, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    main, text, _ = TRAININGS[name]
    config, run = tmp_path / "config.yaml", tmp_path / "run"
    config.write_text(text + ("epochs: 1\n" if name == "values" else ""), encoding="utf-8")

    def fail(*_: Any) -> None:
        raise OSError(28, "No space left on device", "model")

    monkeypatch.setattr("agents.training.folder.TrainingFolder.write_checkpoint", fail)
    after_steps(monkeypatch, 9)  # after the first rollout, before the end
    line = last_line(here(main, "--config", config, *RARE, "--out", run))
    assert line == "terminated: nothing could be saved: model: No space left on device; continue with --resume"


GAME = ("--game", "falling_off")
KEPT = "continue with --resume"
SAME = "the same command continues"


@pytest.mark.parametrize(
    ("main", "arguments", "text", "note"),
    [
        (agents.tune.main, ("--config", "FILE"), test_tuning.TINY, f"finished games are saved; {KEPT}"),
        (agents.leaderboard.main, ("--config", "FILE"), PROTOCOL, f"finished games are saved; {SAME}"),
        (
            agents.benchmark.main, ("--agent", "random", "--boards", "falling_off", "--workers", "1"), "",
            f"finished games are saved; {SAME}",
        ),
        (
            agents.tournament.main, (*GAME, "--agents", "random", "heuristic", "--workers", "1"), "",
            f"finished games are saved; {SAME}",
        ),
        (
            agents.collect.main, (*GAME, "--agents", "random", "--games", "9", "--shard", "4"), "",
            f"finished files of 4 games are saved; {SAME}",
        ),
        (
            agents.exploit.main, (*GAME, "--param", "num_players=3", "--agent", "random"), "",
            f"finished candidates are saved; {SAME}",
        ),
    ],
)  # fmt: skip
def test_last_line_after_a_signal_says_what_was_saved(
    here: Here, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, main: Any, arguments: Any, text: str, note: str
) -> None:
    file = tmp_path / "config.yaml"
    file.write_text(text, encoding="utf-8")
    monkeypatch.setattr(Workers, "results", terminate)
    words = [str(file) if word == "FILE" else word for word in arguments]
    done = here(main, *words, "--out", tmp_path / "out")
    assert last_line(done) == f"terminated: {note}"


@pytest.mark.parametrize(
    ("main", "arguments", "target"),
    [
        (
            agents.evaluate.main, (*GAME, "--agent", "random", "--against", "random"),
            "agents.evaluation.report.play_match",
        ),
        (agents.fit.main, (*GAME, "--games", "10", "--out", "OUT"), "agents.fitting.leaf_values.play_samples"),
        (scripts.solve.main, ("falling_off", "--json"), "agents.evaluation.exact.solve_afresh"),
        (scripts.map_report.main, ("pond", "--json"), "edge_envs.games.over_the_edge.reports.contests.play_contest"),
    ],
)  # fmt: skip
def test_last_line_after_a_signal_says_that_nothing_was_saved(
    here: Here, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, main: Any, arguments: Any, target: str
) -> None:
    monkeypatch.setattr(target, terminate)
    words = [str(tmp_path / "out.json") if word == "OUT" else word for word in arguments]
    done = here(main, *words)
    assert last_line(done).startswith("terminated: nothing was saved")


def test_signal_during_a_fit_names_the_saved_games(here: Here, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept, out = tmp_path / "kept.npz", tmp_path / "out.json"
    monkeypatch.setattr("agents.fitting.leaf_values.play_samples", terminate)
    done = here(agents.fit.main, *GAME, "--games", "10", "--out", out, "--keep", kept)
    assert last_line(done) == f"terminated: finished games are saved in {kept}; {SAME}"


def test_resumable_search_saves_its_results_on_a_signal(
    here: Here, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resumable, "cache_folder", lambda *names: tmp_path)
    summary, summaries = ResumableSearch.summary, list[str]()

    def terminate_at_third_call(self: ResumableSearch) -> str:
        summaries.append(summary(self))
        if len(summaries) == 3:
            terminate()
        return summaries[-1]

    monkeypatch.setattr(ResumableSearch, "summary", terminate_at_third_call)
    large = ("beyond_maps", "--param", "size=6", "--memory", "0.02")
    line = last_line(here(scripts.solve.main, *large, "--minutes", "10"))
    assert line == f"terminated: the progress is saved; {SAME}"
    text = here(scripts.solve.main, *large, "--minutes", "0").out
    assert summaries[-1].split()[0] in text  # the number of examined positions


TWO_SIGNALS = """
import os, signal, sys, time
from agents.common.console import run

def send(number, seconds=0.0):
    os.kill(os.getpid(), number)
    time.sleep(seconds)

def main():
    try:
        send(signal.SIGTERM, 10.0)
    finally:
        for wait in WAITS:
            time.sleep(wait)
            send(signal.SIGTERM)
        print("tidied up")

run(main, arguments=[])
"""


def run_script(script: str, **options: Any) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", script]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, **options)


def test_second_signal_stops_the_program_immediately() -> None:
    done = run_script(TWO_SIGNALS.replace("WAITS", "(1.0,)"))
    assert (done.returncode, done.stdout, done.stderr) == (143, "", "terminated: nothing more was saved\n")


def test_simultaneous_signals_count_once() -> None:
    """A terminal sends several signals when it closes."""
    done = run_script(TWO_SIGNALS.replace("WAITS", "(0.0, 0.0)"))
    assert (done.returncode, done.stdout, done.stderr) == (143, "tidied up\n", "terminated\n")


def test_sighup_stops_the_program() -> None:
    not_ignored = "import signal\nsignal.signal(signal.SIGHUP, signal.SIG_DFL)\n"  # nohup ignores it
    done = run_script(not_ignored + TWO_SIGNALS.replace("WAITS", "()").replace("SIGTERM", "SIGHUP"))
    assert (done.returncode, done.stdout, done.stderr) == (129, "tidied up\n", "hung up\n")


@pytest.mark.parametrize("name", ["SIGHUP", "SIGINT"])
def test_signal_ignored_by_the_parent_stays_ignored(name: str) -> None:
    """SIGHUP under nohup, SIGINT in the background of a shell."""
    number = getattr(signal, name)
    script = (
        f"import os\nfrom agents.common.console import run\nrun(lambda: os.kill(os.getpid(), {number}), arguments=[])"
    )
    done = run_script(script, preexec_fn=lambda: signal.signal(number, signal.SIG_IGN))
    assert (done.returncode, done.stderr) == (0, "")


LATE = """
import os, signal, sys, types
from importlib.abc import MetaPathFinder
from agents.common.console import run, stop_if_asked

class ImportHook(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name == "nothing_of_the_kind":
            os.kill(os.getpid(), signal.SIGTERM)

sys.meta_path.insert(0, ImportHook())

def main():
    stop_if_asked()
    try:
        import nothing_of_the_kind
    except ImportError:
        print("imported")
    stop_if_asked()
    print("continued")

run(main, arguments=[])
"""


def test_signal_during_an_import_is_handled_by_the_loop() -> None:
    done = run_script(LATE)
    assert (done.returncode, done.stdout, done.stderr) == (143, "imported\n", "terminated\n")
