"""The linker: inner kernels, entries and boundaries."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from edge_envs.core.compiler.jit import kernel

ROOT = Path(__file__).resolve().parents[2]

# Play a few steps of a toy game; no boundary is small enough to be inlined into its callers.
PLAY = """
import sys
from edge_envs.core.compiler import linking
linking._SMALL = 0
from tests.toy import enrol; enrol()
import edge_envs
game = edge_envs.load_game("tic_tac_toe")
env = edge_envs.vector_env("tic_tac_toe", num_envs=2)
batch = env.reset(seed=0)
for _ in range(4):
    batch = env.step(batch.action_mask.argmax(1))
kernels = game.compiled.kernels
print(batch.observation.sum(), sum(kernels.apply.stats.cache_misses.values()), len(kernels.apply.overloads))
"""

# numba numbers the types of a process in the order of their first use.
OTHER_NUMBERS = """
import numba, numpy
for k in range(7):
    numba.from_dtype(numpy.dtype([(f"f{k}", int)]))
"""

HEURISTIC = """
import sys
from tests.toy import enrol; enrol()
import edge_envs
env = edge_envs.seat_env("tic_tac_toe", opponents=sys.argv[1])
env.reset(seed=0)
env.step(int(env.action_masks().argmax()))
heuristic = env.game.compiled.kernels.heuristic
print(len(heuristic.overloads))
"""

INNER = """
from edge_envs.core.compiler.jit import kernel

@kernel
def half(x):
    return x // 2

@kernel
def quarter(x):
    return half(half(x))

print(quarter(20), len(half.overloads), len(half.entry.overloads))
print(half(20), half(20), len(half.entry.overloads))
"""

# `gate` never calls `wrapped` here, so only `other` needs `base`.
LEFT_OUT = """
from edge_envs.core.compiler.jit import kernel

@kernel
def base(x):
    for k in range(x):
        x += k % 7
    return x

@kernel
def wrapped(x):
    return base(x) + 1

@kernel
def gate(x, is_open):
    if is_open:
        x = wrapped(x)
    return x + 1

@kernel
def other(x):
    return base(x) + 2

@kernel
def entry(x):
    return other(x) + gate(x, False)

print(entry(20))
"""


# The recursion keeps LLVM from inlining `tree`, so `loop` calls it by its name.
SAME_LINE = """
from edge_envs.core.compiler.jit import kernel

def loop_around(leaf):
    @kernel
    def tree(n):
        if n < 2:
            return leaf
        return tree(n - 1) + tree(n - 2)

    @kernel
    def loop(n):
        return tree(n)

    return loop

ones, twos = loop_around(1), loop_around(2)
print(ones(9), twos(9), *(sum(loop.stats.cache_hits.values()) for loop in (ones, twos)))
"""


def run(program: str, cache: Path, *arguments: str, linking: str = "1") -> list[str]:
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments],
        cwd=ROOT,
        env={"EDGE_ENVS_CACHE_DIR": str(cache), "EDGE_ENVS_LINKING": linking, "PATH": "", "PYTHONPATH": str(ROOT)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[str], Path]:
    """The output of `PLAY` with an empty cache, and the filled cache; tests must not modify it."""
    folder = tmp_path_factory.mktemp("played")
    return run(PLAY, folder), folder


def test_cached_loops_load_the_boundaries_that_they_call(played: tuple[list[str], Path]) -> None:
    first, cache = played
    assert first[1:] == ["1", "1"]
    assert run(PLAY, cache) == [first[0], "0", "1"]


def test_callee_in_an_eliminated_branch_is_available_to_other_kernels(tmp_path: Path) -> None:
    file = tmp_path / "left_out.py"
    file.write_text(LEFT_OUT, encoding="utf-8")
    expected = 20
    for k in range(20):
        expected += k % 7
    assert run(f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import left_out", tmp_path) == [str(expected + 23)]


def test_missing_boundary_is_recompiled(played: tuple[list[str], Path], tmp_path: Path) -> None:
    first, cache = played[0], Path(shutil.copytree(played[1], tmp_path / "cache"))
    lost = list(cache.rglob("rules.apply-*"))
    assert lost
    for file in lost:
        file.unlink()
    assert run(PLAY, cache) == first


def test_files_of_concurrent_processes_are_compatible(played: tuple[list[str], Path], tmp_path: Path) -> None:
    first, one, other = played[0], Path(shutil.copytree(played[1], tmp_path / "one")), tmp_path / "other"
    run(OTHER_NUMBERS + PLAY, other)
    replaced = list(other.rglob("rules.apply-*"))
    assert replaced
    for file in replaced:
        shutil.copy(file, one / file.relative_to(other))
    assert run(PLAY, one) == [first[0], "0", "1"]


@pytest.mark.parametrize(("opponents", "compiled"), [("random", "0"), ("heuristic", "1")])
def test_heuristic_is_compiled_only_if_it_plays(tmp_path: Path, opponents: str, compiled: str) -> None:
    assert run(HEURISTIC, tmp_path, opponents) == [compiled]


def test_inner_kernel_becomes_an_entry_when_called_from_python(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(INNER, encoding="utf-8")
    assert run("import sys; sys.path.insert(0, sys.argv[1]); import program", tmp_path, str(tmp_path)) == [
        "5", "1", "0",
        "10", "10", "1",
    ]  # fmt: skip


@pytest.mark.parametrize("linking", ["0", "1"])
def test_kernels_that_one_line_makes_are_not_confused_when_loaded(tmp_path: Path, linking: str) -> None:
    (tmp_path / "program.py").write_text(SAME_LINE, encoding="utf-8")
    command = "import sys; sys.path.insert(0, sys.argv[1]); import program"
    for hits in "01":
        assert run(command, tmp_path, str(tmp_path), linking=linking) == ["55", "110", hits, hits]


def test_kernel_that_uses_a_later_kernel_is_refused() -> None:
    with pytest.raises(TypeError, match="uses second, which must be defined above it"):

        @kernel
        def first() -> int:
            return int(second())

    second = int


PICKLED = """
import pickle, sys
from edge_envs.core.kernels.rng import mix
assert pickle.loads(pickle.dumps(mix)) is mix
sys.stdout.write(pickle.dumps(mix).hex())
"""

UNPICKLED = """
import pickle, sys
import numpy as np
print(pickle.loads(bytes.fromhex(sys.argv[1]))(np.uint64(7)))
"""


def test_kernels_can_be_pickled(tmp_path: Path) -> None:
    (pickled,) = run(PICKLED, tmp_path)
    assert run(UNPICKLED, tmp_path, pickled) == ["1346066267577507604"]
