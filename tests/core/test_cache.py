# mypy: allow-untyped-calls
"""The disk cache under faults: kernels always work, and are cached where possible."""

from __future__ import annotations

import functools
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from numba.core.errors import TypingError
from numba.core.registry import cpu_target

from edge_envs.core.compiler import cache_dirs, disk_cache, jit
from tests.systems import needs_posix

pytestmark = needs_posix  # the tests fork
ROOT = Path(__file__).resolve().parents[2]

CALL = """
import numpy as np
from edge_envs.core.kernels.rng import mix
print(mix(np.uint64(7)), "kept" if mix.stats.cache_hits else "compiled")
"""
RELOAD = "from numba.core import config; config.reload_config()\n"  # read the environment in a forked process
FULL = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (400, 400))\n"  # limit the size of files


FORK = """
import json, os, sys, tempfile, traceback
import numba, numpy
numba.njit(lambda word: word)(numpy.uint64(7))

def begin(program, environment):
    (out, to_out), (err, to_err) = os.pipe(), os.pipe()
    pid = os.fork()
    if not pid:
        os.dup2(to_out, 1)
        os.dup2(to_err, 2)
        os.environ.clear()
        os.environ.update(environment)
        tempfile.tempdir, code = None, 0
        try:
            exec(program, {"__name__": "__main__"})
        except BaseException:
            traceback.print_exc()
            code = 1
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
    os.close(to_out)
    os.close(to_err)
    return pid, out, err

def end(pid, out, err):
    output = [open(end, encoding="utf-8").read() for end in (out, err)]
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), *output

for line in sys.stdin:
    name, *arguments = json.loads(line)
    sys.__stdout__.write(json.dumps({"begin": begin, "end": end}[name](*arguments)) + "\\n")
    sys.__stdout__.flush()
"""
"""A server that forks a process for each program after importing numba, which takes longer than the programs."""


@pytest.fixture(scope="module", autouse=True)
def fork() -> Iterator[None]:
    """Stop the fork server at the end."""
    yield
    fork_server().communicate()
    fork_server.cache_clear()


@functools.cache
def fork_server() -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", FORK], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )


def request_to_server(*request: Any) -> Any:
    """Send a request to the fork server and return its response."""
    process = fork_server()
    assert process.stdin
    assert process.stdout
    print(json.dumps(request), file=process.stdin, flush=True)
    return json.loads(process.stdout.readline())


def start(program: str, folder: Path, **environment: str) -> Any:
    """Start a process whose temporary files and user cache are in a directory next to the cache `folder`."""
    aside = folder.parent / "aside"
    aside.mkdir(exist_ok=True)
    own = {
        "EDGE_ENVS_CACHE_DIR": str(folder),
        "TMPDIR": str(aside),
        "XDG_CACHE_HOME": str(aside),
        "EDGE_ENVS_QUIET": "",
    }
    return request_to_server("begin", program, {**os.environ, **own, **environment})


def outcome(process: Any) -> tuple[str, str]:
    """Wait for a process, require exit code 0, and return its stdout and stderr."""
    code, out, err = request_to_server("end", *process)
    assert code == 0, err
    return out.strip(), err


def call(folder: Path, before: str = "", **environment: str) -> str:
    """Call a kernel in a new process; return `kept` if it was loaded from the cache, else `compiled`."""
    out, err = outcome(start(before + CALL, folder, **environment))
    result, how = out.split()
    assert (result, err) == ("1346066267577507604", "")
    return how


def machine_code(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*.nb?") if path.is_file())


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache that contains a kernel; tests must not modify it."""
    folder = tmp_path_factory.mktemp("filled") / "cache"
    assert (call(folder), call(folder)) == ("compiled", "kept")
    assert {path.suffix for path in machine_code(folder)} == {".nbi", ".nbc"}
    return folder


@pytest.fixture
def cache(filled: Path, tmp_path: Path) -> Path:
    """A copy of a cache that contains a kernel."""
    shutil.copytree(filled, tmp_path / "cache")
    return tmp_path / "cache"


def flip_bytes(content: bytes) -> bytes:
    middle = len(content) // 2
    return content[:middle] + bytes(255 - byte for byte in content[middle : middle + 20]) + content[middle + 20 :]


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda content: b"",
    "truncated": lambda content: content[: len(content) // 2],
    "without the last byte": lambda content: content[:-1],
    "inverted": flip_bytes,
    "zeroed start": lambda content: b"\0" * 64 + content[64:],
    "text": lambda content: b"not what you expect\n",
    "another pickle": lambda content: b"\x80\x04K\x01.",
}


@pytest.mark.parametrize("suffix", [".nbi", ".nbc"])
@pytest.mark.parametrize("damage", DAMAGES.values(), ids=list(DAMAGES))
def test_damaged_file_is_replaced(cache: Path, suffix: str, damage: Callable[[bytes], bytes]) -> None:
    for path in machine_code(cache):
        if path.suffix == suffix:
            path.write_bytes(damage(path.read_bytes()))
    assert (call(cache), call(cache)) == ("compiled", "kept")


def test_missing_file_is_replaced(cache: Path) -> None:
    for suffix in (".nbi", ".nbc"):
        for path in machine_code(cache):
            if path.suffix == suffix:
                path.unlink()
        assert (call(cache), call(cache)) == ("compiled", "kept")


@pytest.mark.parametrize("suffix", [".nbi", ".nbc"])
def test_directory_in_place_of_a_file_only_disables_the_cache(cache: Path, suffix: str) -> None:
    for path in machine_code(cache):
        if path.suffix == suffix:
            path.unlink()
            path.mkdir()
            (path / "in the way").touch()
    out, err = outcome(start(CALL, cache))
    assert out.endswith("compiled")
    assert_reports_no_cache(err, cache)


def test_write_error_is_reported_in_one_line_and_leaves_no_file(tmp_path: Path) -> None:
    folder = tmp_path / "cache"
    out, err = outcome(start(FULL + CALL, folder))
    assert out.endswith("compiled")
    assert_reports_no_cache(err, folder)
    assert list(folder.rglob("*.tmp.*")) == []
    assert (call(folder), call(folder)) == ("compiled", "kept")


def test_write_error_message_can_be_disabled(tmp_path: Path) -> None:
    assert call(tmp_path / "cache", FULL, EDGE_ENVS_QUIET="1") == "compiled"


def assert_reports_no_cache(err: str, folder: Path) -> None:
    (line,) = err.splitlines()
    assert line.startswith(f"edge_envs: compiled kernels cannot be kept in {folder}/kernels/")


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_file_in_place_of_a_directory_moves_the_cache(cache: Path, depth: int) -> None:
    folder = machine_code(cache)[0].relative_to(cache).parents[4 - depth]
    blocked = cache / folder
    blocked.rename(cache.parent / "moved")
    blocked.write_text("in the way", encoding="utf-8")
    assert (call(cache), call(cache)) == ("compiled", "kept")
    assert machine_code(cache.parent / "aside")


def test_file_in_place_of_the_innermost_directory_only_disables_the_cache(cache: Path) -> None:
    folder = machine_code(cache)[0].parent
    folder.rename(cache.parent / "moved")
    folder.write_text("in the way", encoding="utf-8")
    out, err = outcome(start(CALL, cache))
    assert out.endswith("compiled")
    assert_reports_no_cache(err, cache)


def test_cache_is_writable_only_by_its_owner(cache: Path) -> None:
    (cache / "kernels").chmod(0o777)
    assert call(cache) == "kept"
    assert (cache / "kernels").stat().st_mode & 0o777 == 0o755


def test_cache_permissions_do_not_depend_on_the_umask(tmp_path: Path) -> None:
    for umask, folders, files in ((0o000, 0o755, 0o644), (0o002, 0o755, 0o644), (0o077, 0o700, 0o600)):
        cache = tmp_path / f"{umask}"
        assert (call(cache, f"import os; os.umask({umask})\n"), call(cache)) == ("compiled", "kept")
        assert {path.stat().st_mode & 0o777 for path in cache.rglob("*") if path.is_dir()} == {folders}
        assert {path.stat().st_mode & 0o777 for path in machine_code(cache)} == {files}


@pytest.mark.parametrize("suffix", [".nbi", ".nbc"])
def test_file_writable_by_others_is_replaced(cache: Path, suffix: str) -> None:
    for path in machine_code(cache):
        if path.suffix == suffix:
            path.chmod(0o664)
    assert (call(cache), call(cache)) == ("compiled", "kept")


@pytest.mark.parametrize(
    "named",
    [
        "",
        " ",
        "~unknown/cache",
        "{}/file",
        "{}/file/below",
        "/dev/null",
        "/proc/nothing",
        "{}/" + 300 * "x",
        "{}/\N{SNOWMAN}",
        "{}/\udcff",
    ],
)
def test_any_cache_path_is_tolerated(tmp_path: Path, named: str) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    environment = {"EDGE_ENVS_CACHE_DIR": named.format(tmp_path), "HOME": str(tmp_path), "XDG_CACHE_HOME": ""}
    assert [call(tmp_path / "cache", **environment) for _ in range(2)] == ["compiled", "kept"]


@pytest.mark.parametrize(
    ("named", "where"), [(".", "here"), ("..", ""), ("cache", "here/cache"), ("~", "home"), ("~/x", "home/x")]
)
def test_relative_and_home_paths_are_resolved_once(tmp_path: Path, named: str, where: str) -> None:
    (tmp_path / "here").mkdir()
    (tmp_path / "home").mkdir()
    there = f"import os, sys; sys.path.insert(0, {str(ROOT)!r}); os.chdir({str(tmp_path / 'here')!r})\n"
    environment = {"EDGE_ENVS_CACHE_DIR": named, "HOME": str(tmp_path / "home")}
    moved = there + "from edge_envs.core.compiler.cache_dirs import cache_folder; cache_folder(); os.chdir('/')\n"
    assert [call(tmp_path / "cache", before, **environment) for before in (there, moved)] == ["compiled", "kept"]
    assert machine_code(tmp_path / where / "kernels")


def test_root_directory_as_cache_path_is_not_an_error(tmp_path: Path) -> None:
    """Root's cache would be there; other users get no cache and no error."""
    program = (
        "import os; os.mkdir = lambda *_, **__: exec('raise PermissionError(13, \"no\")')\n"  # as for most users
        "from edge_envs.core.compiler import cache_dirs\n"
        "print(cache_dirs._named_place(), cache_dirs.cache_folder('kernels'), cache_dirs.filled_folders('kernels'))\n"
    )
    out, err = outcome(start(program, tmp_path / "cache", EDGE_ENVS_CACHE_DIR="/"))
    assert (out, err) == ("/ None ()", "")


def test_user_without_home_gets_no_cache_in_the_working_directory(tmp_path: Path) -> None:
    there = f"import os, sys; sys.path.insert(0, {str(ROOT)!r}); os.chdir({str(tmp_path)!r}); os.environ.pop('HOME')\n"
    unknown = "import pwd\ndef unknown(*_): raise KeyError\npwd.getpwuid = unknown\n"
    how = [call(tmp_path / "cache", there + unknown, EDGE_ENVS_CACHE_DIR="", XDG_CACHE_HOME="") for _ in range(2)]
    assert how == ["compiled", "kept"]
    assert [path.name for path in tmp_path.iterdir()] == ["aside"]


def test_missing_cache_directory_is_not_an_error(tmp_path: Path) -> None:
    nowhere = "import tempfile\ndef nowhere(): raise FileNotFoundError\ntempfile.gettempdir = nowhere\n"
    environment = {"EDGE_ENVS_CACHE_DIR": "/dev/null", "XDG_CACHE_HOME": "/dev/null"}
    assert [call(tmp_path / "cache", nowhere, **environment) for _ in range(2)] == ["compiled"] * 2


@pytest.mark.parametrize(
    "setting",
    ["OPT=0", "LOOP_VECTORIZE=0", "SLP_VECTORIZE=1", "ENABLE_AVX=0", "DEBUGINFO=1", "BOUNDSCHECK=1",
     "CPU_NAME=generic", "CPU_FEATURES=+sse2", "LLVM_REFPRUNE_PASS=0", "ENABLE_PROFILING=1"],
)  # fmt: skip
def test_other_compiler_settings_use_separate_entries(cache: Path, setting: str) -> None:
    name, _, value = setting.partition("=")
    before = {path: path.read_bytes() for path in machine_code(cache)}
    assert [call(cache, RELOAD, **{f"NUMBA_{name}": value}) for _ in range(2)] == ["compiled", "kept"]
    assert {path: path.read_bytes() for path in before} == before
    assert len({path.parent.parent for path in machine_code(cache)}) == 2
    assert call(cache) == "kept"


def test_one_of_several_processes_compiles(tmp_path: Path) -> None:
    folder = tmp_path / "cache"
    processes = [start(CALL, folder) for _ in range(4)]
    results, sources = zip(*(outcome(process)[0].split() for process in processes), strict=True)
    assert len(set(results)) == 1
    assert sorted(sources) == ["compiled", "kept", "kept", "kept"]
    assert call(folder) == "kept"


KEYS = """
from numba.core.registry import cpu_target
from edge_envs.core.compiler import jit
from edge_envs.players import built_in_agent
from edge_envs import Game
from tests.toy import kuhn

built_in_agent("search:1", Game(kuhn.GAME, {}))
codegen = cpu_target.target_context.codegen()
made = [kernel for kernel in jit._homes if kernel.py_func.__closure__]
print(len(made), *sorted(str(kernel._cache._index_key((), codegen)) for kernel in made), sep="\\n")
"""


def test_keys_of_loops_do_not_depend_on_bytecode_files(tmp_path: Path) -> None:
    """The first process compiles the modules from source, the second one loads their bytecode."""
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(tmp_path / "bytecode"), "PYTHONDONTWRITEBYTECODE": ""}
    first, second = (
        subprocess.run([sys.executable, "-c", KEYS], cwd=ROOT, env=environment, stdout=subprocess.PIPE, check=True)
        for _ in range(2)
    )
    assert list((tmp_path / "bytecode").rglob("*.pyc"))
    assert int(first.stdout.split()[0]) > 10
    assert first.stdout == second.stdout


def test_keys_of_loops_depend_on_the_closures_of_the_kernels_they_call() -> None:
    def loop_around(number: int) -> Any:
        @jit.kernel_of(ROOT / "tests" / "toy" / "kuhn")
        def inner() -> int:
            return number

        @jit.kernel_of(ROOT / "tests" / "toy" / "kuhn")
        def outer() -> int:
            return int(inner())

        made: Any = outer
        return getattr(made, "entry", made)._cache

    codegen = cpu_target.target_context.codegen()
    one, same, other = (loop_around(number)._index_key((), codegen) for number in (1, 1, 2))
    assert one == same
    assert one != other


@pytest.mark.parametrize("error", ["OSError('no locks here')", "NotImplementedError", "filelock.Timeout('lock')"])
def test_kernel_is_compiled_where_locking_fails(tmp_path: Path, error: str) -> None:
    broken = f"import filelock\ndef fail(lock): raise {error}\nfilelock.FileLock.acquire = fail\n"
    assert [call(tmp_path / "cache", broken) for _ in range(2)] == ["compiled", "kept"]


def test_failed_compilation_lets_other_processes_compile() -> None:
    @jit.kernel_of(ROOT / "tests" / "toy" / "kuhn")
    def faulty(number: Any) -> Any:
        return number.unknown

    for _ in range(2):
        with pytest.raises(TypingError, match="unknown"):
            faulty(1)
        assert not faulty.entry._cache._locks


def test_index_entry_with_data_of_another_key_is_rejected(tmp_path: Path) -> None:
    """Two processes that start at the same time can both use the first number for their data files."""
    one, other = (disk_cache._Files(str(tmp_path), "kernel", "stamp") for _ in range(2))
    one.save("key", "code")
    other._save_index({"another key": one._data_name(1)})
    assert other.load("another key") is None
    other.save("another key", "other code")
    assert other.load("another key") == "other code"
    assert one.load("key") is None


def test_every_corrupted_byte_is_detected(tmp_path: Path) -> None:
    files = disk_cache._Files(str(tmp_path), "kernel", "stamp")
    for path in (tmp_path / "kernel.nbi", tmp_path / "kernel.1.nbc"):
        files.save("key", "code")
        content = path.read_bytes()
        for place in range(len(content)):
            path.write_bytes(content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :])
            assert files.load("key") is None


def test_pruning_skips_what_cannot_be_removed(tmp_path: Path) -> None:
    current, old, file = (tmp_path / name for name in ("current", "old", "file"))
    current.mkdir()
    old.mkdir()
    file.touch()
    for path in (current, old, file):
        os.utime(path, (0, 0))
    jit._prune(tmp_path, keep=current)
    assert {path.name for path in tmp_path.iterdir()} == {"current", "file"}


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="users have numbers only on POSIX")
def test_temporary_cache_has_the_number_of_the_user() -> None:
    assert cache_dirs._temporary_place().name == f"edge_envs-{os.getuid()}"
