# mypy: allow-untyped-calls
"""Read-only caches: in a container image, owned by root, or on a read-only file system."""

from __future__ import annotations

import json
import os
import platform
import re
import shlex
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from edge_envs.core.compiler import cache_dirs, disk_cache
from tests.systems import needs_posix

pytestmark = needs_posix  # other systems do not report owners
ROOT = Path(__file__).resolve().parents[2]
OTHER = 12_345  # a user id that does not exist

# Other users may not have permission to read the libraries, so these are imported first.
USE = """
import contextlib, importlib, json, os, sys, tempfile
tempfile.tempdir = "/dev/null"  # no other location for a cache
user, modules, extra = json.loads(sys.argv[1])
for module in modules:
    with contextlib.suppress(Exception):
        importlib.import_module(module)
import numba, numpy
numba.njit(lambda values: values + 1)(numpy.zeros(1))  # imports the compiler, which the user may be unable to read
if user is not None:
    os.setgroups([])
    os.setgid(user)
    os.setuid(user)
sys.path.insert(0, os.getcwd())
sys.dont_write_bytecode = True
exec(extra)
import edge_envs
from edge_envs.core.compiler.jit import compilations
state = edge_envs.load_game("falling_off").new_initial_state(seed=0)
while state.is_chance_node():
    state.apply_action(state.sample_chance())
state.apply_action(state.legal_actions()[0])
modules = [name for name in sys.modules if not name.startswith(("edge_envs", "__"))]
print(json.dumps([compilations(), modules]))
"""


WARM = """
import os, sys
sys.path.insert(0, os.getcwd())
sys.dont_write_bytecode = True
from edge_envs.__main__ import main
sys.exit(main(sys.argv[1:]))
"""


def dockerfile() -> dict[str, list[str]]:
    """Return the instructions of the how-to's Dockerfile: lists of words by the first word."""
    text = (ROOT / "docs" / "how_to" / "deployment.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"^```dockerfile\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    lines = (shlex.split(line) for line in block.splitlines())
    return {first: rest for first, *rest in lines}


class Image:
    """A directory with the package and its cache, readable by all users, as in the how-to's container image."""

    def __init__(self, folder: Path) -> None:
        self.environment = dict(word.split("=", 1) for word in dockerfile()["ENV"])
        self.folder, self.cache = folder, folder / self.environment.pop("EDGE_ENVS_CACHE_DIR").lstrip("/")
        if platform.machine() not in ("x86_64", "AMD64"):  # the Dockerfile is for x86-64
            self.environment = {"NUMBA_CPU_NAME": "generic"}
        self.modules: list[str] = []
        shutil.copytree(ROOT / "edge_envs", folder / "app" / "edge_envs", ignore=shutil.ignore_patterns("__pycache__"))
        for path in (folder, *folder.rglob("*")):
            path.chmod(0o755 if path.is_dir() else 0o644)

    def warm(self) -> str:
        """Run the Dockerfile's `warm` command and return its output."""
        run = dockerfile()["RUN"]
        return self._run(WARM, *run[run.index("edge-envs") + 1 :]).stdout

    def use(self, user: int | None = None, extra: str = "", **environment: str) -> tuple[int, int, str]:
        """Return how many kernels a process compiles, how many of these it cannot save, and its stderr."""
        modules = self.modules if user is not None else []
        done = self._run(USE, json.dumps([user, modules, extra]), **environment)
        (compiled, lost), modules = json.loads(done.stdout)
        self.modules = sorted({*self.modules, *modules})
        return compiled, lost, done.stderr

    def _run(self, program: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        change_owner = {"EDGE_ENVS_CACHE_DIR": str(self.cache), "HOME": "/dev/null", "PATH": ""}
        done = subprocess.run(
            [sys.executable, "-c", program, *arguments],
            cwd=self.folder / "app", env={**self.environment, **change_owner, **environment},
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return done

    def files(self) -> dict[Path, Any]:
        return {path: (path.stat().st_mtime_ns, path.stat().st_size) for path in self.cache.rglob("*")}


@pytest.fixture(scope="module")
def built() -> Iterator[Image]:
    """An image with a warm cache; tests must not modify it."""
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        image = Image(Path(folder))
        image.cache.parent.mkdir(mode=0o755)
        assert image.warm().endswith(f"cached in {image.cache}\n")
        assert image.use() == (0, 0, "")
        yield image


@pytest.fixture
def image(built: Image) -> Iterator[Image]:
    """An image with a copy of the cache."""
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        Path(folder).chmod(0o755)
        other = Image.__new__(Image)
        other.folder, other.environment, other.modules = built.folder, built.environment, built.modules
        other.cache = Path(folder) / "opt" / "cache"
        shutil.copytree(built.cache, other.cache)
        other.cache.parent.chmod(0o755)
        yield other
        for path in (other.cache, *other.cache.rglob("*")):
            path.chmod(0o755)


needs_root = pytest.mark.skipif(
    not hasattr(os, "getuid") or os.getuid() != 0, reason="only root can become another user"
)


def make_read_only(cache: Path) -> None:
    """Remove all write permissions."""
    for path in (cache, *cache.rglob("*")):
        path.chmod(stat.S_IMODE(path.stat().st_mode) & 0o555)


def change_owner(path: Path, user: int) -> None:
    for one in (path, *path.rglob("*")):
        os.chown(one, user, user)


@needs_root
def test_other_users_read_the_cache_of_root_silently(image: Image) -> None:
    (user,) = dockerfile()["USER"]
    before = image.files()
    assert image.use(int(user)) == (0, 0, "")
    assert image.files() == before


def test_own_read_only_cache_is_read(image: Image) -> None:
    user = None
    if os.getuid() == 0:  # root can write anywhere
        user = OTHER
        change_owner(image.cache, user)
    make_read_only(image.cache)
    before = image.files()
    assert image.use(user) == (0, 0, "")
    assert image.files() == before


@needs_root
def test_new_entries_are_saved_in_the_users_own_cache(image: Image) -> None:
    home = image.cache.parents[1] / "home"
    home.mkdir(mode=0o755)
    change_owner(home, OTHER)
    before = image.files()
    gone = sorted(image.cache.rglob("*.transition-*"))
    assert gone
    for path in gone:
        path.unlink()
    compiled, lost, stderr = image.use(OTHER, HOME=str(home))
    assert (compiled, lost) == (1, 0)
    assert stderr == f"edge_envs: compiling more of falling_off; kept in {home / '.cache' / 'edge_envs'}\n"
    assert {path.name for path in home.rglob("*.nb?")} == {path.name for path in gone}
    assert image.use(OTHER, HOME=str(home)) == (0, 0, "")
    assert image.files().keys() == before.keys() - set(gone)


@needs_root
def test_missing_entries_without_a_writable_cache_are_reported(image: Image) -> None:
    for path in image.cache.rglob("*.transition-*"):
        path.unlink()
    compiled, lost, stderr = image.use(OTHER)
    assert (compiled, lost) == (1, 1)
    assert stderr == (
        "edge_envs: compiling more of falling_off; not kept: no cache folder of your own can be written\n"
    )


@pytest.fixture
def place(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A cache directory `above/cache` with a folder `kernels`, and no writable cache."""
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        place = Path(folder).resolve() / "above" / "cache"
        (place / "kernels").mkdir(parents=True)
        for path in (place.parent, place, place / "kernels"):
            path.chmod(0o755)
        monkeypatch.setenv("EDGE_ENVS_CACHE_DIR", str(place))
        monkeypatch.setenv("XDG_CACHE_HOME", "/dev/null")
        monkeypatch.setattr(cache_dirs, "_named_place", lambda: Path(os.environ["EDGE_ENVS_CACHE_DIR"]))
        monkeypatch.setattr(cache_dirs, "cache_folder", lambda *names: None)
        yield place


def read_folders() -> tuple[Path, ...]:
    return cache_dirs.filled_folders.__wrapped__("kernels")


@pytest.mark.parametrize("part", ["above", "above/cache", "above/cache/kernels"])
@pytest.mark.parametrize("mode", [0o775, 0o757, 0o777])
def test_directory_writable_by_others_is_not_read(place: Path, part: str, mode: int) -> None:
    assert read_folders() == (place / "kernels",)
    (place.parents[1] / part).chmod(mode)
    assert read_folders() == ()


@pytest.mark.parametrize(("part", "read"), [("above", True), ("above/cache", True), ("above/cache/kernels", False)])
def test_sticky_directory_is_allowed_only_as_parent(place: Path, part: str, read: bool) -> None:
    """As in /tmp, others can add files but not replace existing ones."""
    (place.parents[1] / part).chmod(0o1777)
    assert bool(read_folders()) == read


def test_symbolic_links_are_resolved(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    link = place.parent / "link"
    link.symlink_to(place)
    monkeypatch.setenv("EDGE_ENVS_CACHE_DIR", str(link))
    assert read_folders() == (place / "kernels",)
    place.chmod(0o777)
    assert read_folders() == ()


def test_missing_or_invalid_directory_is_not_read(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (place / "kernels").rmdir()
    assert read_folders() == ()
    (place / "kernels").touch()
    assert read_folders() == ()
    (place / "kernels").unlink()
    (place / "kernels").symlink_to(place / "kernels")
    assert read_folders() == ()


@needs_root
@pytest.mark.parametrize("part", ["above", "above/cache", "above/cache/kernels"])
def test_directory_of_another_user_is_not_read(place: Path, part: str) -> None:
    os.chown(place.parents[1] / part, OTHER, OTHER)
    assert read_folders() == ()


@needs_root
def test_file_of_another_user_is_not_read(tmp_path: Path) -> None:
    files = disk_cache._Files(str(tmp_path), "kernel", "stamp")
    files.save("key", "code")
    assert files.load("key") == "code"
    for path in tmp_path.iterdir():
        os.chown(path, OTHER, OTHER)
        assert files.load("key") is None
        os.chown(path, 0, 0)


@needs_root
def test_root_neither_reads_nor_writes_the_cache_of_another_user(image: Image) -> None:
    change_owner(image.cache, OTHER)
    before = image.files()
    assert image.use()[0] > 5
    assert image.files() == before
