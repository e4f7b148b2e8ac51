"""Training from Python: `agents.train.run`, and its progress bar in terminals, logs and notebooks."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import types
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

import agents.train
import edge_envs
from agents.common import progress_lines
from agents.players.agent import make_agent
from agents.training import progress
from agents.training.progress import LogBar, NotebookBar, TerminalBar, make_bar
from tests.programs import ROOT

pytestmark = pytest.mark.usefixtures("torch_threads")

CONFIG: dict[str, Any] = {
    "game": "falling_off", "total_steps": 128, "num_envs": 8, "opponents": {"random": 1},
    "evaluation": {"games": 4, "every": 64, "against": ["random"]},
    "ppo": {"steps_per_rollout": 8, "batch_size": 64, "epochs": 1},
    "network": {"kind": "perceptron", "hidden": [8]},
}  # fmt: skip
EVALUATION = re.compile(r"^ +128  against random: wins [01]\.\d{3} \([01]\.\d{3} to [01]\.\d{3}\)$", re.MULTILINE)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_training_from_a_dictionary_returns_the_policy(folder: Path) -> None:
    before = repr(CONFIG)
    trained = agents.train.run(CONFIG, overrides={"seed": 3, "ppo.epochs": 2})
    assert repr(CONFIG) == before
    assert trained.folder == Path("runs/falling_off/run")
    assert trained.policy == trained.folder / "policy"
    assert make_agent(str(trained), edge_envs.load_game("falling_off")).name
    saved = yaml.safe_load((trained.folder / "config.json").read_text(encoding="utf-8"))
    assert (saved["seed"], saved["ppo"]["epochs"], saved["total_steps"]) == (3, 2, 128)
    rows = trained.evaluations()
    assert [row["step"] for row in rows] == [0, 64, 128]
    assert trained._repr_png_().startswith(b"\x89PNG")


def test_numbers_of_numpy_are_plain_values(folder: Path) -> None:
    config = {**CONFIG, "seed": np.int64(3), "network": {"kind": "perceptron", "hidden": np.array([8])}}
    trained = agents.train.run(config, overrides={"ppo.epochs": np.int32(2), "ppo.clip_range": np.float32(0.25)})
    saved = yaml.safe_load((trained.folder / "config.json").read_text(encoding="utf-8"))
    assert (saved["seed"], saved["network"]["hidden"]) == (3, [8])
    assert (saved["ppo"]["epochs"], saved["ppo"]["clip_range"]) == (2, 0.25)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"overrides": ["seed=1"]}, r"invalid overrides=\['seed=1'\]: expected a mapping"),
        ({"overrides": {"seed": {1, 2}}}, r"\{1, 2\} is a set: expected numbers"),
        ({"config": {**CONFIG, "seed": 1j}}, "1j is a complex: expected numbers"),
        ({"out": ""}, "invalid out=''"),
    ],
)
def test_invalid_arguments_are_rejected(folder: Path, arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        agents.train.run(**{"config": CONFIG} | arguments)
    assert not list(folder.iterdir())


def test_overrides_may_contain_any_character(folder: Path) -> None:
    with pytest.raises(ValueError, match="😀"):
        agents.train.run(CONFIG, overrides={"evaluation.against": ["policies/😀"]})


def test_training_from_a_file_is_that_of_the_program_and_resumes(folder: Path) -> None:
    file = folder / "tiny.yaml"
    file.write_text(yaml.safe_dump(CONFIG), encoding="utf-8")
    trained = agents.train.run(str(file))
    assert trained.folder == Path("runs/falling_off/tiny")
    again = agents.train.run(file, folder / "again")
    policies = [[(file.name, file.read_bytes()) for file in sorted(one.policy.iterdir())] for one in (trained, again)]
    assert policies[0] == policies[1]
    with pytest.raises(ValueError, match=r"already has a run; --resume continues it \(in Python resume=True\)"):
        agents.train.run(file)
    assert agents.train.run(file, resume=True).evaluations() == trained.evaluations()
    assert agents.train.run(out=trained.folder, resume=True) == trained


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({**CONFIG, "total_step": 1}, r"config: total_step: .*total_steps"),
        ({"game": "go"}, "unknown game 'go'"),
        ("missing.yaml", "missing.yaml"),
        (None, "a run needs one to start"),
    ],
)
def test_invalid_configurations_are_rejected(folder: Path, config: Any, message: str) -> None:
    with pytest.raises((ValueError, OSError), match=message):
        agents.train.run(config)
    assert not list(folder.iterdir())


def test_training_in_a_log_prints_evaluations_and_progress_lines(folder: Path) -> None:
    program = (
        "import agents.train\nfrom agents.common import progress_lines\nprogress_lines.EVERY = 0.05\n"
        f"print(agents.train.run({CONFIG!r}))"
    )
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment())
    assert done.stdout.strip() == str(Path("runs/falling_off/run/policy"))
    assert EVALUATION.search(done.stderr)
    assert re.search(r"^(steps|[\d,]+ steps, [\d,]+/s): \d+ %, 0:\d\d$", done.stderr, re.MULTILINE)


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT)}


class Shell:
    """What IPython's `get_ipython` returns in a notebook."""

    kernel = object()


class Notebook(types.ModuleType):
    """A stand-in for IPython that keeps what a cell displays."""

    def __init__(self, shell: Any) -> None:
        super().__init__("IPython")
        self.shell, self.shown = shell, list[str]()
        self.display_module = types.ModuleType("IPython.display")
        self.display_module.HTML = str  # type: ignore[attr-defined]  # a stand-in
        self.display_module.display = self.display  # type: ignore[attr-defined]  # a stand-in

    def get_ipython(self) -> Any:
        return self.shell

    def display(self, html: str, display_id: bool) -> Any:
        assert display_id
        self.shown.append(html)
        return types.SimpleNamespace(update=self.shown.append)


@pytest.fixture
def notebook(monkeypatch: pytest.MonkeyPatch) -> Notebook:
    stand_in = Notebook(Shell())
    monkeypatch.setitem(sys.modules, "IPython", stand_in)
    monkeypatch.setitem(sys.modules, "IPython.display", stand_in.display_module)
    return stand_in


def test_training_in_a_notebook_updates_one_bar(
    folder: Path, notebook: Notebook, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(progress, "REDRAW", 0.0)
    agents.train.run(CONFIG)
    output = capsys.readouterr()
    assert EVALUATION.search(output.out)
    assert "steps" not in output.err
    assert re.fullmatch(r'<progress value="0.0000" max="1"></progress> 0 of 128 steps, 0/s, 0:00', notebook.shown[0])
    assert re.search(r'value="1.0000" max="1"></progress> 128 of 128 steps, [\d,]+/s, 0:\d\d$', notebook.shown[-1])
    assert len(notebook.shown) > 2


def test_bar_in_a_notebook_is_updated_at_intervals(notebook: Notebook, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "REDRAW", 60.0)
    bar = make_bar(100, 10, 0.1)
    bar.start()
    for step in range(10, 101):
        bar.update(step, step / 100, 5.0)
    bar.stop()
    assert len(notebook.shown) == 2


def test_the_bar_fits_the_place(notebook: Notebook, monkeypatch: pytest.MonkeyPatch) -> None:
    assert type(make_bar(10, 0, 0.0)) is NotebookBar
    for shell in (None, object()):  # plain Python that imported IPython, and IPython in a terminal
        notebook.shell = shell
        assert type(make_bar(10, 0, 0.0)) is LogBar
    monkeypatch.setenv("FORCE_COLOR", "1")  # which Rich takes for a terminal
    assert type(make_bar(10, 0, 0.0)) is TerminalBar


def test_a_log_shows_steps_and_speed(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress_lines, "EVERY", 0.01)
    bar = make_bar(2000, 0, 0.0)
    bar.start()
    bar.update(1000, 0.5, 250.4)
    bar._lines._over.wait(0.2)  # type: ignore[attr-defined]  # of a LogBar
    bar.say("a [line]")
    bar.stop()
    lines = capsys.readouterr().err.splitlines()
    assert "1,000 steps, 250/s: 50 %, 0:00" in lines
    assert "a [line]" in lines


def test_progress_of_a_training_that_ends_after_a_time_is_that_of_the_time(
    folder: Path, notebook: Notebook, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "REDRAW", 0.0)
    agents.train.run({**CONFIG, "total_steps": 1_000_000_000, "max_seconds": 0.1})
    found = re.search(r'value="([\d.]+)" max="1"></progress> [\d,]+ steps, [\d,]+/s, \d:\d\d$', notebook.shown[-1])
    assert found
    assert float(found[1]) == 1.0
