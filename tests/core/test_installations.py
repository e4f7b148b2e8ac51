"""Unusual installations: without source files, in a zip archive, and with `python -OO`."""

from __future__ import annotations

import compileall
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import edge_envs
from tests.toy import TOYS

ROOT = Path(__file__).resolve().parents[2]

USE = """
import sys; sys.path.insert(0, sys.argv[1])
import edge_envs
assert edge_envs.__file__.startswith(sys.argv[1]), edge_envs.__file__
for name in edge_envs.GAMES:
    game = edge_envs.load_game(name)
state = edge_envs.load_game("falling_off").new_initial_state(seed=0)
assert state.svg().startswith("<svg")
print(len(state.legal_actions() or state.chance_outcomes()) > 0)
"""


def without_sources(folder: Path) -> Path:
    shutil.copytree(ROOT / "edge_envs", folder / "edge_envs", ignore=shutil.ignore_patterns("__pycache__"))
    assert compileall.compile_dir(folder, quiet=1, legacy=True)
    for source in folder.rglob("*.py"):
        source.unlink()
    return folder


def zipped(folder: Path) -> Path:
    archive = folder / "packages.zip"
    with zipfile.ZipFile(archive, "w") as package:
        for path in (ROOT / "edge_envs").rglob("*"):
            if path.is_file() and path.suffix != ".pyc":
                package.write(path, path.relative_to(ROOT))
    return archive


@pytest.mark.parametrize("install", [without_sources, zipped])
def test_without_source_files_nothing_is_cached_and_one_line_is_printed(tmp_path: Path, install: object) -> None:
    assert callable(install)
    place, cache = install(tmp_path), tmp_path / "cache"
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-I", "-c", USE, str(place)],
            env={**os.environ, "EDGE_ENVS_CACHE_DIR": str(cache), "EDGE_ENVS_QUIET": ""},
            cwd=tmp_path, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert (done.returncode, done.stdout) == (0, "True\n"), done.stderr
        (line,) = done.stderr.splitlines()
        assert line.startswith("edge_envs: compiling falling_off ")
        assert line.endswith("; not kept: the cache needs the package's .py files in a folder")
    assert not cache.exists()


def output_of(*arguments: str, optimized: bool, **environment: str) -> str:
    """Run Python with or without docstrings and assertions, and return its stdout."""
    done = subprocess.run(
        [sys.executable, *(["-OO"] if optimized else []), *arguments],
        cwd=ROOT, env={**os.environ, "COLUMNS": "100", **environment}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.mark.parametrize(
    "arguments",
    [
        ("-m", "edge_envs", "--help"),
        *(("-m", "edge_envs", command, "--help") for command in ("warm", "games", "play", "rules")),
        *(("-m", "edge_envs", "rules", name) for name in edge_envs.GAMES if name not in TOYS),
        ("-m", "agents.train", "--help"),
        ("-m", "agents.evaluate", "--help"),
        ("scripts/play.py", "--help"),
    ],
    ids=" ".join,
)
def test_programs_print_the_same_without_docstrings(arguments: tuple[str, ...]) -> None:
    usual = output_of(*arguments, optimized=False)
    assert len(usual.splitlines()) > 5
    assert output_of(*arguments, optimized=True) == usual


PAGES = """
from tests.toy import enrol; enrol()
import edge_envs
from scripts.playing import pages
for name in edge_envs.GAMES:
    game = edge_envs.load_game(name)
    print(pages.rules(game, "", 80), pages.legend(game))
"""

PLAY = """
from tests.toy import enrol; enrol()
import edge_envs
env = edge_envs.aec_env("tic_tac_toe")
env.reset(seed=0)
for agent in env.agent_iter():
    observation, reward, terminated, truncated, info = env.last()
    env.step(None if terminated or truncated else int(observation["action_mask"].argmax()))
print(env.game.type.summary)
"""


@pytest.mark.parametrize("program", [PAGES, PLAY], ids=["pages", "play"])
def test_games_are_described_and_playable_without_docstrings(program: str) -> None:
    assert output_of("-c", program, optimized=True) == output_of("-c", program, optimized=False)
