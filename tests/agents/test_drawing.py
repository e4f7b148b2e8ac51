"""Test that plots do not depend on the environment, on settings files or on the settings of the caller."""

from __future__ import annotations

import os
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
import pytest
from PIL import Image

from agents.arena.plots import lowest_shown
from agents.common.drawing import subplots
from tests.programs import ROOT, tiny_config

ODD: Any = {"font.size": 40.0, "figure.facecolor": "black", "lines.linewidth": 20.0, "svg.fonttype": "path"}


def draw(path: Path) -> bytes:
    with subplots(figsize=(2, 2), settings={"svg.hashsalt": "x"}) as (figure, axes):
        axes.plot([1, 2], label="$a_b$")
        figure.legend()
        figure.savefig(path, metadata={"Date": None})
    return path.read_bytes()


def test_matplotlib_settings_of_the_caller_are_ignored_and_preserved(tmp_path: Path) -> None:
    plain = draw(tmp_path / "plain.svg")
    with matplotlib.rc_context(ODD):
        before = dict(matplotlib.rcParams)
        assert draw(tmp_path / "odd.svg") == plain
        assert dict(matplotlib.rcParams) == before


def test_names_in_other_scripts_give_no_warnings(tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with subplots(figsize=(2, 2)) as (figure, axes):
            axes.set_title("\u5b9e\u9a8c")
            figure.savefig(tmp_path / "title.png")


def test_figures_suit_light_and_dark_pages(tmp_path: Path) -> None:
    svg = draw(tmp_path / "plain.svg").decode()
    assert "#ffffff" not in svg
    assert "#000000" not in svg
    with subplots(figsize=(2, 2)) as (figure, axes):
        axes.plot([1, 2])
        figure.savefig(tmp_path / "plain.png")
    pixels = np.asarray(Image.open(tmp_path / "plain.png"))
    assert pixels[0, 0, 3] == 0  # transparent


def environment(folder: Path) -> dict[str, str]:
    """Return the environment of a notebook, with an unreadable settings file and a missing folder."""
    settings = folder / "matplotlibrc"
    settings.write_bytes(b"font.size: \xff")
    return {
        **os.environ,
        "MPLBACKEND": "module://a_notebook.backend_inline",
        "MATPLOTLIBRC": str(settings),
        "MPLCONFIGDIR": "/proc/nowhere",
        "DISPLAY": ":99",
        "QT_QPA_PLATFORM": "nonsense",
        "SDL_VIDEODRIVER": "nonsense",
        "TERM": "nonsense",
        "COLUMNS": "0",
        "LINES": "nonsense",
        "NO_COLOR": "1",
        "PYTHONWARNINGS": "error",
    }


def run_module(environment: dict[str, str], *arguments: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", *arguments], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_tournament_plots_do_not_depend_on_a_notebook_environment(tmp_path: Path) -> None:
    tournament = ("agents.tournament", "--game", "falling_off", "--agents", "random", "heuristic", "--games", "32")
    run_module(dict(os.environ), *tournament, "--workers", "1", "--out", str(tmp_path / "here"))
    run_module(environment(tmp_path), *tournament, "--workers", "1", "--out", str(tmp_path / "there"))
    for name in ("ratings.svg", "matrix.svg", "ratings.png", "matrix.png"):
        assert (tmp_path / "here" / name).read_bytes() == (tmp_path / "there" / name).read_bytes()


def test_training_starts_in_a_notebook_environment(tmp_path: Path) -> None:
    run = tmp_path / "run"
    run_module(environment(tmp_path), "agents.train", "--config", str(tiny_config(tmp_path)), "--out", str(run))
    assert (run / "curves.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("ratings", "lowest"),
    [
        ([1000], 1000),
        ([1000, -900], -900),
        ([1092, 1080, 1000, 991, -143, -1017], 991),
        ([1720, 1536, 1000, 606, -634], 606),
        ([1000, 1000, 1000], 1000),
        ([1100, 1000, 900, 800, 700], 700),
    ],
)
def test_much_weaker_agents_are_beyond_the_axis_of_ratings(ratings: list[float], lowest: float) -> None:
    assert lowest_shown(np.array(ratings, float)) == lowest
