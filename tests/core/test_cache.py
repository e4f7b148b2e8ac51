# mypy: allow-untyped-calls
"""The disk cache under faults: whatever lies in its way, kernels work, and what can be kept is kept."""

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

from edge_envs.core.compiler import disk_cache
from tests.systems import needs_posix

pytestmark = needs_posix  # the tests fork
ROOT = Path(__file__).resolve().parents[2]

CALL = """
import numpy as np
from edge_envs.core.kernels.rng import mix
print(mix(np.uint64(7)), "kept" if mix.stats.cache_hits else "compiled")
"""
RELOAD = "from numba.core import config; config.reload_config()\n"  # what the environment says, in a forked process
FULL = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (400, 400))\n"  # no file can be longer


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
    said = [open(end, encoding="utf-8").read() for end in (out, err)]
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), *said

for line in sys.stdin:
    name, *arguments = json.loads(line)
    sys.__stdout__.write(json.dumps({"begin": begin, "end": end}[name](*arguments)) + "\\n")
    sys.__stdout__.flush()
"""
"""Runs programs in processes that are forked when numba has been imported, which takes longer than all they do."""


@pytest.fixture(scope="module", autouse=True)
def fork() -> Iterator[None]:
    """Ends the process that the others are forked from."""
    yield
    forking().communicate()
    forking.cache_clear()


@functools.cache
def forking() -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", FORK], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )


def asked(*request: Any) -> Any:
    """The answer of the process that the others are forked from."""
    process = forking()
    assert process.stdin
    assert process.stdout
    print(json.dumps(request), file=process.stdin, flush=True)
    return json.loads(process.stdout.readline())


def start(program: str, folder: Path, **environment: str) -> Any:
    """A process with its own folders for temporary files and for the user's cache beside the cache `folder`."""
    aside = folder.parent / "aside"
    aside.mkdir(exist_ok=True)
    own = {
        "EDGE_ENVS_CACHE_DIR": str(folder),
        "TMPDIR": str(aside),
        "XDG_CACHE_HOME": str(aside),
        "EDGE_ENVS_QUIET": "",
    }
    return asked("begin", program, {**os.environ, **own, **environment})


def outcome(process: Any) -> tuple[str, str]:
    """What a process said on stdout and stderr, after it has ended well."""
    code, out, err = asked("end", *process)
    assert code == 0, err
    return out.strip(), err


def call(folder: Path, before: str = "", **environment: str) -> str:
    """`kept` if the kernel came from the cache, `compiled` if not; its result is right either way."""
    out, err = outcome(start(before + CALL, folder, **environment))
    result, how = out.split()
    assert (result, err) == ("1346066267577507604", "")
    return how


def machine_code(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*.nb?") if path.is_file())


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache that holds a kernel; not to be touched."""
    folder = tmp_path_factory.mktemp("filled") / "cache"
    assert (call(folder), call(folder)) == ("compiled", "kept")
    assert {path.suffix for path in machine_code(folder)} == {".nbi", ".nbc"}
    return folder


@pytest.fixture
def cache(filled: Path, tmp_path: Path) -> Path:
    """A cache that holds a kernel, of the test's own."""
    shutil.copytree(filled, tmp_path / "cache")
    return tmp_path / "cache"


def scribbled(content: bytes) -> bytes:
    middle = len(content) // 2
    return content[:middle] + bytes(255 - byte for byte in content[middle : middle + 20]) + content[middle + 20 :]


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda content: b"",
    "truncated": lambda content: content[: len(content) // 2],
    "without its end": lambda content: content[:-1],
    "scribbled": scribbled,
    "begun anew": lambda content: b"\0" * 64 + content[64:],
    "text": lambda content: b"not what you expect\n",
    "another pickle": lambda content: b"\x80\x04K\x01.",
}


@pytest.mark.parametrize("suffix", [".nbi", ".nbc"])
@pytest.mark.parametrize("damage", DAMAGES.values(), ids=list(DAMAGES))
def test_a_damaged_file_is_replaced(cache: Path, suffix: str, damage: Callable[[bytes], bytes]) -> None:
    for path in machine_code(cache):
        if path.suffix == suffix:
            path.write_bytes(damage(path.read_bytes()))
    assert (call(cache), call(cache)) == ("compiled", "kept")


def test_a_missing_file_is_replaced(cache: Path) -> None:
    for suffix in (".nbi", ".nbc"):
        for path in machine_code(cache):
            if path.suffix == suffix:
                path.unlink()
        assert (call(cache), call(cache)) == ("compiled", "kept")


@pytest.mark.parametrize("suffix", [".nbi", ".nbc"])
def test_a_folder_where_a_file_should_be_costs_the_cache_and_no_more(cache: Path, suffix: str) -> None:
    for path in machine_code(cache):
        if path.suffix == suffix:
            path.unlink()
            path.mkdir()
            (path / "in the way").touch()
    out, err = outcome(start(CALL, cache))
    assert out.endswith("compiled")
    assert_says_that_nothing_is_kept(err, cache)


def test_a_file_that_cannot_be_written_is_told_in_one_line_and_leaves_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "cache"
    out, err = outcome(start(FULL + CALL, folder))
    assert out.endswith("compiled")
    assert_says_that_nothing_is_kept(err, folder)
    assert list(folder.rglob("*.tmp.*")) == []
    assert (call(folder), call(folder)) == ("compiled", "kept")


def test_the_line_on_a_full_disk_can_be_switched_off(tmp_path: Path) -> None:
    assert call(tmp_path / "cache", FULL, EDGE_ENVS_QUIET="1") == "compiled"


def assert_says_that_nothing_is_kept(err: str, folder: Path) -> None:
    (line,) = err.splitlines()
    assert line.startswith(f"edge_envs: compiled kernels cannot be kept in {folder}/kernels/")


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_a_file_where_a_folder_of_the_cache_should_be_moves_it(cache: Path, depth: int) -> None:
    folder = machine_code(cache)[0].relative_to(cache).parents[4 - depth]
    blocked = cache / folder
    blocked.rename(cache.parent / "moved")
    blocked.write_text("in the way", encoding="utf-8")
    assert (call(cache), call(cache)) == ("compiled", "kept")
    assert machine_code(cache.parent / "aside")


def test_a_file_in_place_of_the_innermost_folder_costs_the_cache_and_no_more(cache: Path) -> None:
    folder = machine_code(cache)[0].parent
    folder.rename(cache.parent / "moved")
    folder.write_text("in the way", encoding="utf-8")
    out, err = outcome(start(CALL, cache))
    assert out.endswith("compiled")
    assert_says_that_nothing_is_kept(err, cache)


def test_nobody_else_can_write_in_the_cache(cache: Path) -> None:
    (cache / "kernels").chmod(0o777)
    assert call(cache) == "kept"
    assert (cache / "kernels").stat().st_mode & 0o777 == 0o755


def test_with_any_umask_others_can_read_the_cache_at_most(tmp_path: Path) -> None:
    for umask, folders, files in ((0o000, 0o755, 0o644), (0o002, 0o755, 0o644), (0o077, 0o700, 0o600)):
        cache = tmp_path / f"{umask}"
        assert (call(cache, f"import os; os.umask({umask})\n"), call(cache)) == ("compiled", "kept")
        assert {path.stat().st_mode & 0o777 for path in cache.rglob("*") if path.is_dir()} == {folders}
        assert {path.stat().st_mode & 0o777 for path in machine_code(cache)} == {files}


@pytest.mark.parametrize("suffix", [".nbi", ".nbc"])
def test_a_file_that_others_can_write_is_replaced(cache: Path, suffix: str) -> None:
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
def test_any_name_of_the_folder_will_do(tmp_path: Path, named: str) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    environment = {"EDGE_ENVS_CACHE_DIR": named.format(tmp_path), "HOME": str(tmp_path), "XDG_CACHE_HOME": ""}
    assert [call(tmp_path / "cache", **environment) for _ in range(2)] == ["compiled", "kept"]


@pytest.mark.parametrize(
    ("named", "where"), [(".", "here"), ("..", ""), ("cache", "here/cache"), ("~", "home"), ("~/x", "home/x")]
)
def test_a_relative_folder_and_a_home_are_resolved_once(tmp_path: Path, named: str, where: str) -> None:
    (tmp_path / "here").mkdir()
    (tmp_path / "home").mkdir()
    there = f"import os, sys; sys.path.insert(0, {str(ROOT)!r}); os.chdir({str(tmp_path / 'here')!r})\n"
    environment = {"EDGE_ENVS_CACHE_DIR": named, "HOME": str(tmp_path / "home")}
    moved = there + "from edge_envs.core.compiler.cache_dirs import cache_folder; cache_folder(); os.chdir('/')\n"
    assert [call(tmp_path / "cache", before, **environment) for before in (there, moved)] == ["compiled", "kept"]
    assert machine_code(tmp_path / where / "kernels")


def test_the_root_folder_may_be_named(tmp_path: Path) -> None:
    """Whoever may write there gets the cache there; nobody gets an error."""
    program = (
        "import os; os.mkdir = lambda *_, **__: exec('raise PermissionError(13, \"no\")')\n"  # as most users find it
        "from edge_envs.core.compiler import cache_dirs\n"
        "print(cache_dirs._named_place(), cache_dirs.cache_folder('kernels'), cache_dirs.filled_folders('kernels'))\n"
    )
    out, err = outcome(start(program, tmp_path / "cache", EDGE_ENVS_CACHE_DIR="/"))
    assert (out, err) == ("/ None ()", "")


def test_a_user_without_a_home_gets_no_folder_where_they_stand(tmp_path: Path) -> None:
    there = f"import os, sys; sys.path.insert(0, {str(ROOT)!r}); os.chdir({str(tmp_path)!r}); os.environ.pop('HOME')\n"
    unknown = "import pwd\ndef unknown(*_): raise KeyError\npwd.getpwuid = unknown\n"
    how = [call(tmp_path / "cache", there + unknown, EDGE_ENVS_CACHE_DIR="", XDG_CACHE_HOME="") for _ in range(2)]
    assert how == ["compiled", "kept"]
    assert [path.name for path in tmp_path.iterdir()] == ["aside"]


def test_no_folder_at_all_is_no_error(tmp_path: Path) -> None:
    nowhere = "import tempfile\ndef nowhere(): raise FileNotFoundError\ntempfile.gettempdir = nowhere\n"
    environment = {"EDGE_ENVS_CACHE_DIR": "/dev/null", "XDG_CACHE_HOME": "/dev/null"}
    assert [call(tmp_path / "cache", nowhere, **environment) for _ in range(2)] == ["compiled"] * 2


@pytest.mark.parametrize(
    "setting",
    ["OPT=0", "LOOP_VECTORIZE=0", "SLP_VECTORIZE=1", "ENABLE_AVX=0", "DEBUGINFO=1", "BOUNDSCHECK=1",
     "CPU_NAME=generic", "CPU_FEATURES=+sse2", "LLVM_REFPRUNE_PASS=0", "ENABLE_PROFILING=1"],
)  # fmt: skip
def test_a_run_with_another_setting_leaves_the_code_of_later_runs_alone(cache: Path, setting: str) -> None:
    name, _, value = setting.partition("=")
    before = {path: path.read_bytes() for path in machine_code(cache)}
    assert [call(cache, RELOAD, **{f"NUMBA_{name}": value}) for _ in range(2)] == ["compiled", "kept"]
    assert {path: path.read_bytes() for path in before} == before
    assert len({path.parent.parent for path in machine_code(cache)}) == 2
    assert call(cache) == "kept"


def test_several_processes_may_begin_at_once(tmp_path: Path) -> None:
    folder = tmp_path / "cache"
    processes = [start(CALL, folder) for _ in range(4)]
    assert len({outcome(process)[0].split()[0] for process in processes}) == 1
    assert call(folder) == "kept"


def test_an_index_that_leads_to_the_data_of_another_key_is_found_out(tmp_path: Path) -> None:
    """Two processes that begin at once may both take the first number for their data files."""
    one, other = (disk_cache._Files(str(tmp_path), "kernel", "stamp") for _ in range(2))
    one.save("key", "code")
    other._save_index({"another key": one._data_name(1)})
    assert other.load("another key") is None
    other.save("another key", "other code")
    assert other.load("another key") == "other code"
    assert one.load("key") is None


def test_every_single_damaged_byte_is_noticed(tmp_path: Path) -> None:
    files = disk_cache._Files(str(tmp_path), "kernel", "stamp")
    for path in (tmp_path / "kernel.nbi", tmp_path / "kernel.1.nbc"):
        files.save("key", "code")
        content = path.read_bytes()
        for place in range(len(content)):
            path.write_bytes(content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :])
            assert files.load("key") is None
