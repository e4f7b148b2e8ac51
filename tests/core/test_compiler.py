"""The compiler's cache: its location, its key, and its reuse by the next process."""

from __future__ import annotations

import importlib
import os
import pkgutil
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from numba.core.dispatcher import Dispatcher

import edge_envs
from edge_envs.core.compiler import jit, sources

ROOT = Path(__file__).resolve().parents[2]
TOY = ROOT / "tests" / "toy" / "tic_tac_toe"

PLAY = """
import sys
from tests.toy import enrol; enrol()
import edge_envs
env = edge_envs.vector_env(sys.argv[1], num_envs=2)
env.step(env.reset(seed=0).action_mask.argmax(1))
stats = env.game.compiled.loops.step.stats
print(sum(stats.cache_hits.values()), sum(stats.cache_misses.values()))
"""


def run(program: str, *arguments: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments],
        cwd=ROOT, env={**os.environ, **environment}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_next_process_loads_kernels_from_the_cache(tmp_path: Path) -> None:
    first, second = (run(PLAY, "tic_tac_toe", EDGE_ENVS_CACHE_DIR=str(tmp_path)) for _ in range(2))
    assert (first, second) == ("0 1", "1 0")


@pytest.mark.parametrize("name", list(edge_envs.GAMES))
def test_games_are_not_compiled_twice(name: str) -> None:
    env = edge_envs.vector_env(name, num_envs=2)
    env.step(env.reset(seed=0).action_mask.argmax(1))
    assert run(PLAY, name) == "1 0"


def test_unwritable_cache_path_is_replaced(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way", encoding="utf-8")
    folder = Path(
        run(
            "from edge_envs.core.compiler.cache_dirs import cache_folder; print(cache_folder())",
            EDGE_ENVS_CACHE_DIR=str(blocked / "x"),
        )
    )
    assert folder.is_dir()
    assert blocked not in folder.parents


def test_cache_key_depends_on_the_sources_of_core_and_game(tmp_path: Path) -> None:
    game = tmp_path / "game"
    shutil.copytree(TOY, game)
    hash_of = sources.source_hash.__wrapped__
    before = hash_of(game)
    assert hash_of(game) == before
    rules = game / "rules.py"
    rules.write_text(rules.read_text(encoding="utf-8") + "\n# an edit\n", encoding="utf-8")
    assert hash_of(game) not in (before, None)
    for source in game.rglob("*.py"):
        source.unlink()
    assert hash_of(game) is None


ROOM = """
from edge_envs.core.compiler.jit import kernel
from deep.rooms.numbers import INSIDE
from deep.state import ABOVE

@kernel
def own():
    return ABOVE

@kernel
def inner():
    return INSIDE
"""
CALLER = """
from edge_envs.core.compiler.jit import kernel
from deep.rooms.room import inner

@kernel
def outer():
    return inner()
"""
CALL = """
import sys; sys.path.insert(0, sys.argv[1])
from deep.calls import outer
from deep.rooms.room import inner, own
print(outer(), inner(), own())
"""


@pytest.fixture
def deep(tmp_path: Path) -> Path:
    """A game with a subfolder: kernels in both, which use a constant or a kernel of the other."""
    game = tmp_path / "deep"
    shutil.copytree(TOY, game)
    init = game / "__init__.py"
    init.write_text(init.read_text(encoding="utf-8").replace("tests.toy.tic_tac_toe", "deep"), encoding="utf-8")
    (game / "rooms").mkdir()
    for name, text in {
        "state.py": "ABOVE = 1", "calls.py": CALLER, "rooms/__init__.py": "", "rooms/numbers.py": "INSIDE = 1",
        "rooms/room.py": ROOM,
    }.items():  # fmt: skip
        (game / name).write_text(text, encoding="utf-8")
    return game


def test_edits_in_a_games_folder_recompile_all_its_kernels(deep: Path, tmp_path: Path) -> None:
    def call() -> str:
        return run(CALL, str(tmp_path), EDGE_ENVS_CACHE_DIR=str(tmp_path / "cache"), PYTHONDONTWRITEBYTECODE="1")

    assert (call(), call()) == ("1 1 1", "1 1 1")
    for edited, text, expected in (("rooms/numbers.py", "INSIDE = 2", "2 2 1"), ("state.py", "ABOVE = 2", "2 2 2")):
        (deep / edited).write_text(text, encoding="utf-8")
        assert call() == expected


def test_kernels_of_subfolders_are_cached_with_their_game(deep: Path, tmp_path: Path) -> None:
    program = CALL + "print(outer._uuid, inner._uuid, own._uuid)"
    outputs = [run(program, str(tmp_path), EDGE_ENVS_CACHE_DIR=str(tmp_path / "cache")) for _ in range(2)]
    assert outputs[0] == outputs[1]
    assert len(set(outputs[0].splitlines()[1].split())) == 3
    assert [folder.name for folder in (tmp_path / "cache" / "kernels").iterdir()] == ["deep"]


@pytest.mark.parametrize("name", list(edge_envs.GAMES))
def test_every_kernel_of_a_game_has_its_own_identity_and_the_games_cache(name: str) -> None:
    game_type = edge_envs.GAMES[name]
    package = importlib.import_module(game_type.package)
    modules = [importlib.import_module(m.name) for m in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")]
    found = {value for module in modules for value in vars(module).values() if isinstance(value, Dispatcher)}
    own: list[Any] = [kernel for kernel in found if kernel.py_func.__module__.startswith(package.__name__)]
    assert len(own) > 5
    kept = jit._kernel_folder(game_type.folder)
    assert {Path(getattr(kernel, "entry", kernel)._cache.cache_path).parent for kernel in own} == {kept}
    assert len({kernel._uuid for kernel in own}) == len(own)


def test_old_caches_are_pruned_and_used_ones_kept(tmp_path: Path) -> None:
    old, recent, current = (tmp_path / name for name in ("old", "recent", "current"))
    for folder, days in ((old, 30), (recent, 1), (current, 30)):
        folder.mkdir()
        (folder / "kernel.nbc").touch()
        os.utime(folder, (time.time() - days * 86_400,) * 2)
    jit._prune(tmp_path, keep=current)
    assert sorted(folder.name for folder in tmp_path.iterdir()) == ["current", "recent"]


def test_rules_tests_pass_without_the_compiler() -> None:
    """Kernels run as plain Python, without warnings about the intended overflow of 64-bit words."""
    files = ["tests/contract/test_twin.py", *sorted(str(file) for file in ROOT.glob("tests/games/*/test_rules.py"))]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-p", "no:xdist", *files],
        cwd=ROOT, env={**os.environ, "NUMBA_DISABLE_JIT": "1"}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
