"""The compiler's cache: where it lies, what it depends on, and that the next process finds it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

import edge_envs
from edge_envs.core import jit

ROOT = Path(__file__).resolve().parents[2]
TOY = ROOT / "tests" / "toy" / "tic_tac_toe"

PLAY = """
import sys
from tests.toy import enrol; enrol()
import edge_envs
env = edge_envs.vector_env(sys.argv[1], num_envs=2)
env.step(env.reset(seed=0).action_mask.argmax(1))
stats = env.game.type.loops.step.stats
print(sum(stats.cache_hits.values()), sum(stats.cache_misses.values()))
"""


def run(program: str, *arguments: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments],
        cwd=ROOT, env={**os.environ, **environment}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_the_next_process_finds_what_was_compiled(tmp_path: Path) -> None:
    first, second = (run(PLAY, "tic_tac_toe", EDGE_ENVS_CACHE_DIR=str(tmp_path)) for _ in range(2))
    assert (first, second) == ("0 1", "1 0")


@pytest.mark.parametrize("name", list(edge_envs.GAMES))
def test_no_game_is_compiled_twice(name: str) -> None:
    run(PLAY, name)
    assert run(PLAY, name) == "1 0"


def test_a_cache_that_cannot_be_written_is_replaced(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way", encoding="utf-8")
    folder = Path(
        run("from edge_envs.core import jit; print(jit.cache_folder())", EDGE_ENVS_CACHE_DIR=str(blocked / "x"))
    )
    assert folder.is_dir()
    assert blocked not in folder.parents


def test_the_cache_depends_on_the_sources_of_the_core_and_of_the_game(tmp_path: Path) -> None:
    game = tmp_path / "game"
    shutil.copytree(TOY, game)
    hash_of = jit.source_hash.__wrapped__
    before = hash_of(game)
    assert hash_of(game) == before
    rules = game / "rules.py"
    rules.write_text(rules.read_text(encoding="utf-8") + "\n# an edit\n", encoding="utf-8")
    assert hash_of(game) != before


def test_old_caches_are_pruned_and_those_in_use_are_kept(tmp_path: Path) -> None:
    old, recent, current = (tmp_path / name for name in ("old", "recent", "current"))
    for folder, days in ((old, 30), (recent, 1), (current, 30)):
        folder.mkdir()
        (folder / "kernel.nbc").touch()
        os.utime(folder, (time.time() - days * 86_400,) * 2)
    jit._prune(tmp_path, keep=current)
    assert sorted(folder.name for folder in tmp_path.iterdir()) == ["current", "recent"]


@pytest.mark.parametrize("tests", ["tests/contract/test_twin.py", "tests/games/*/test_rules.py"])
def test_the_rules_hold_with_the_compiler_switched_off(tests: str) -> None:
    """The plain Python of every kernel, without a warning where 64-bit words wrap around, as they are meant to."""
    files = sorted(str(file) for file in ROOT.glob(tests))
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-p", "no:xdist", *files],
        cwd=ROOT, env={**os.environ, "NUMBA_DISABLE_JIT": "1"}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
