"""Test that a missing module or an interrupt during imports is a one-line error without a traceback."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from agents.common.extras import EXTRAS, missing_module
from tests.programs import ROOT

IMPORT_HOOK = """
import os, runpy, signal, sys
from importlib.abc import MetaPathFinder

event, module, sys.argv = sys.argv[1], sys.argv[2], sys.argv[3:]

class ImportHook(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name == module and event == "missing":
            raise ModuleNotFoundError(name, name=name)
        if name == module:
            os.kill(os.getpid(), getattr(signal, event))

sys.meta_path.insert(0, ImportHook())
sys.path.insert(0, "")
run = runpy.run_path if sys.argv[0].endswith(".py") else runpy.run_module
run(sys.argv[0], run_name="__main__")
"""

TRAIN = "agents.train --config configs/falling_off/demo.yaml --out runs/never"
SELF_PLAY = "agents.selfplay --config configs/falling_off/selfplay.yaml --out runs/never"
TEACH = "agents.teach --config configs/beyond_maps/teach.yaml --out runs/never"
TUNE = "agents.tune --config configs/ghost_ship/tour_weights.yaml --out runs/never"
COLLECT = "agents.collect --game falling_off --agents random --games 2 --out runs/never"
EVALUATE = "agents.evaluate --game falling_off --agent heuristic --against random --games 2"
PLAY = "scripts/play.py falling_off"
POLICY = "policies/falling_off/ppo"


def run_with_import_hook(event: str, module: str, program: str) -> subprocess.CompletedProcess[str]:
    """Run a program in which the import of a module fails or is interrupted."""
    command = [sys.executable, "-c", IMPORT_HOOK, event, module, *program.split()]
    done = subprocess.run(command, cwd=ROOT, input="", capture_output=True, text=True, check=False)
    assert not (ROOT / "runs" / "never").exists()
    assert done.stdout == ""
    return done


@pytest.mark.parametrize(
    ("program", "module", "extra"),
    [
        (TRAIN, "typer", "train"),
        (TRAIN, "yaml", "train"),
        (TRAIN, "pydantic", "train"),
        (TRAIN, "torch", "train"),
        (TRAIN, "stable_baselines3", "train"),
        (TRAIN, "tensorboard", "train"),
        (SELF_PLAY, "typer", "train"),
        (SELF_PLAY, "torch", "train"),
        (TEACH, "typer", "train"),
        (TEACH, "torch", "train"),
        (TUNE, "typer", "train"),
        (TUNE, "matplotlib", "train"),
        (f"{COLLECT} --ray", "ray", "ray"),
        (EVALUATE, "scipy", "train"),
        (EVALUATE, "rich", "train"),
        (f"{EVALUATE} --against {POLICY}", "torch", "train"),
        (f"{EVALUATE} --against {POLICY}", "safetensors", "train"),
        (f"{PLAY} --against {POLICY}", "torch", "train"),
        ("scripts/solve.py falling_off --cached", "typer", "train"),
        ("scripts/map_report.py pond --games 1", "typer", "train"),
        ("scripts/benchmark.py --quick", "typer", "bench"),
    ],
)
def test_missing_module_error_names_the_extra(program: str, module: str, extra: str) -> None:
    done = run_with_import_hook("missing", module, program)
    assert done.stderr.splitlines() == [
        f'error: the module {module} is not installed; try: pip install "edge-envs[{extra}]"'
    ]
    assert done.returncode == 2


@pytest.mark.parametrize(
    ("program", "module"),
    [(TRAIN, "typer"), (TRAIN, "numpy.linalg"), (TRAIN, "sb3_contrib"), (EVALUATE, "numba"), (PLAY, "gymnasium")],
)
def test_interrupt_during_imports_is_one_line(program: str, module: str) -> None:
    done = run_with_import_hook("SIGINT", module, program)
    assert (done.returncode, done.stderr) == (130, "interrupted\n")


def test_sigterm_during_imports_is_one_line() -> None:
    done = run_with_import_hook("SIGTERM", "numpy.linalg", TRAIN)
    assert (done.returncode, done.stderr) == (143, "terminated\n")


def test_missing_own_module_is_a_programming_error() -> None:
    done = run_with_import_hook("missing", "agents.players.games", EVALUATE)
    assert done.returncode == 1
    assert "Traceback" in done.stderr


def test_preferred_extra_is_named() -> None:
    error = ModuleNotFoundError("No module named 'rich.progress'", name="rich.progress")
    assert "edge-envs[bench]" in str(missing_module(error, "bench"))
    assert "edge-envs[train]" in str(missing_module(error, "nothing of the kind"))
    assert missing_module(ModuleNotFoundError("none", name="numpy")) is None
    assert missing_module(ModuleNotFoundError("none")) is None


def test_modules_of_the_extras_match_their_packages() -> None:
    project = tomllib.loads(Path(ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    declared, providers = project["optional-dependencies"], packages_distributions()
    always = {normal(Requirement(line).name) for line in project["dependencies"]}
    assert declared.keys() - EXTRAS.keys() == {"dev", "docs", "examples"}
    for extra, modules in EXTRAS.items():
        packages = {normal(Requirement(line).name) for line in declared[extra]} - always
        brought = {module: set(map(normal, providers[module])) for module in modules}
        assert all(names & packages for names in brought.values()), (extra, brought)
        assert packages <= set().union(*brought.values()), extra


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
