"""The plain path: kernels compiled without the linker, for numba versions that it was not tested with."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path
from types import SimpleNamespace

import numba
import pytest

from edge_envs.core.compiler import backends, linking, messages, plain

ROOT = Path(__file__).resolve().parents[2]

USE = """
from edge_envs.core.kernels.rng import mix
import numpy as np
from edge_envs.core.compiler import backends
print(mix(np.uint64(7)), backends.chosen().__name__.rpartition(".")[2], sum(mix.stats.cache_hits.values()))
"""


def run_kernel(cache: Path, before: str = "", **environment: str) -> tuple[list[str], str]:
    environment = {"EDGE_ENVS_CACHE_DIR": str(cache), "EDGE_ENVS_QUIET": "", "EDGE_ENVS_LINKING": "", **environment}
    done = subprocess.run(
        [sys.executable, "-c", before + USE],
        cwd=ROOT, env={**os.environ, **environment}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout.split(), done.stderr


def test_both_paths_use_separate_cache_entries(tmp_path: Path) -> None:
    for wanted, path in (("", "linking"), ("0", "plain"), ("1", "linking")):
        for hits in "01"[wanted == "1" :]:
            out, err = run_kernel(tmp_path, EDGE_ENVS_LINKING=wanted)
            assert (out, err) == (["1346066267577507604", path, hits], "")


OTHER_NUMBA = """
import numba
numba.__version__ = "0.99.1"
"""


def test_unknown_numba_version_uses_the_plain_path_and_prints_one_line(tmp_path: Path) -> None:
    for hits in "01":
        out, err = run_kernel(tmp_path, OTHER_NUMBA)
        assert out == ["1346066267577507604", "plain", hits]
        assert err == (
            "edge_envs: numba 0.99.1: compiling without the linker (tested with 0.63 to 0.68), so first compilations "
            "take longer; EDGE_ENVS_LINKING=0 hides this line\n"
        )
    assert run_kernel(tmp_path, OTHER_NUMBA, EDGE_ENVS_LINKING="0") == (["1346066267577507604", "plain", "1"], "")


def test_changed_numba_internals_use_the_plain_path(tmp_path: Path) -> None:
    moved = "import numba.core.codegen; del numba.core.codegen.JITCodeLibrary\n"
    out, err = run_kernel(tmp_path, moved)
    assert out == ["1346066267577507604", "plain", "0"]
    assert err.startswith(f"edge_envs: numba {numba.__version__}: compiling without the linker (cannot import name ")
    assert len(err.splitlines()) == 1


def test_invalid_setting_is_reported_and_ignored(tmp_path: Path) -> None:
    out, err = run_kernel(tmp_path, EDGE_ENVS_LINKING="off")
    assert out[1] == "linking"
    assert err == "edge_envs: ignored EDGE_ENVS_LINKING='off': expected 0 or 1\n"


@pytest.mark.parametrize("version", ["0.60.0", "0.62.1", "0.69.0rc1", "1.0.0", "unknown"])
def test_untested_numba_versions_use_the_plain_path(monkeypatch: pytest.MonkeyPatch, version: str) -> None:
    monkeypatch.setattr(messages, "_said", set())
    monkeypatch.setattr(backends, "numba", SimpleNamespace(__version__=version))
    monkeypatch.setenv("EDGE_ENVS_LINKING", "")
    assert backends.chosen.__wrapped__() is plain


def test_pinned_numba_version_uses_the_linker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EDGE_ENVS_LINKING", "")
    assert backends.chosen.__wrapped__() is linking


def test_documentation_names_the_supported_versions() -> None:
    text = (ROOT / "docs" / "apis.md").read_text(encoding="utf-8")
    requires = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
    (numba_range,) = (line for line in requires if line.startswith("numba"))
    lowest = numba_range.partition(",")[0].removeprefix("numba>=")
    assert f"Any version from {lowest} works. From {backends.LINKED[0]} to {backends.LINKED[-1]} the package" in text


NO_CODE = {
    *("ALWAYS_WARN_UNINIT_VAR", "ANNOTATE", "CACHE_DIR", "CACHE_LOCATOR_CLASSES", "CHROME_TRACE", "COLOR_SCHEME"),
    *("DEBUG", "DEBUG_CACHE", "DEBUG_FRONTEND", "DEBUG_INLINE_CLOSURE", "DEBUG_JIT", "DEBUG_PRINT_AFTER"),
    *("DEBUG_PRINT_BEFORE", "DEBUG_PRINT_WRAP", "DEBUG_TYPEINFER", "DEVELOPER_MODE", "DIFF_IR"),
    *("DISABLE_PERFORMANCE_WARNINGS", "DISABLE_TYPEINFER_FAIL_CACHE", "ENABLE_SYS_MONITORING"),
    *("FUNCTION_CACHE_SIZE", "GDB_BINARY", "HIGHLIGHT_DUMPS", "HTML", "JIT_COVERAGE", "LLVM_PASS_TIMINGS"),
    *("RUNNING_UNDER_PROFILER", "SHOW_HELP", "TRACE", "USE_LLVMLITE_MEMORY_MANAGER"),
}
ELSEWHERE = {
    "DISABLE_JIT": "compiles nothing",
    **dict.fromkeys(("IS_32BITS", "IS_OSX", "IS_WIN32", "MACHINE_BITS", "PYVERSION"), "the processor and versions"),
    **dict.fromkeys(("DEBUG_ARRAY_OPT", "DEBUG_ARRAY_OPT_RUNTIME", "DEBUG_ARRAY_OPT_STATS", "PARFOR_MAX_TUPLE_SIZE"),
                    "parallel loops, which no kernel has"),
    **dict.fromkeys(("NUMBA_DEFAULT_NUM_THREADS", "NUMBA_NUM_THREADS", "PARALLEL_DIAGNOSTICS", "THREADING_LAYER",
                     "THREADING_LAYER_PRIORITY"), "parallel loops, which no kernel has"),
}  # fmt: skip
"""Settings that are handled in other ways."""


def test_every_numba_setting_is_classified() -> None:
    """Add new settings of a new numba version to `SETTINGS` or to one of the sets above."""
    found = {name for name in vars(numba.config) if name.isupper() and not name.startswith(("_", "CUDA_", "DUMP_"))}
    found -= {"DISABLE_CUDA", "ENABLE_CUDASIM", "FORCE_CUDA_CC"}
    assert found == {*backends.SETTINGS} | NO_CODE | ELSEWHERE.keys()


@pytest.mark.parametrize("name", backends.SETTINGS)
def test_settings_that_change_code_are_part_of_the_cache_key(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    before = backends.setup()
    monkeypatch.setattr(numba.config, name, "another")
    assert backends.setup() != before


@pytest.mark.parametrize("module", ["numba", "llvmlite", "np"])
def test_versions_are_part_of_the_cache_key(monkeypatch: pytest.MonkeyPatch, module: str) -> None:
    before = backends.setup()
    monkeypatch.setattr(f"edge_envs.core.compiler.backends.{module}.__version__", "0.0")
    assert backends.setup() != before


def test_golden_and_contract_tests_pass_without_the_linker() -> None:
    """Run a part of these tests; `make plain` runs all."""
    files = [f"tests/contract/test_{name}.py" for name in ("golden", "aec", "apis", "hidden", "seats", "vector")]
    chosen = "kuhn or (again and tic_tac_toe)"
    words = ["-q", "-x", "-p", "no:cacheprovider", "-p", "no:xdist", "--tier", "check", *files, "-k", chosen]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *words],
        cwd=ROOT, env={**os.environ, "EDGE_ENVS_LINKING": "0"}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
