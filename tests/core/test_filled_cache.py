# mypy: allow-untyped-calls
"""Caches that are read but not written: of a container image, of root, on a read-only file system."""

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
OTHER = 12_345  # a user that no machine has

# Another user may not be able to read the libraries, so all modules but the package's are imported before.
USE = """
import contextlib, importlib, json, os, sys, tempfile
tempfile.tempdir = "/dev/null"  # no other place for a cache
user, modules, extra = json.loads(sys.argv[1])
for module in modules:
    with contextlib.suppress(Exception):
        importlib.import_module(module)
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
    """The lines of the how-to's Dockerfile by their first words, each as words."""
    text = (ROOT / "docs" / "how_to.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"^```dockerfile\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    lines = (shlex.split(line) for line in block.splitlines())
    return {first: rest for first, *rest in lines}


class Image:
    """A folder that anybody can read, with the package and a cache for it, as the how-to's container image has them."""

    def __init__(self, folder: Path) -> None:
        self.environment = dict(word.split("=", 1) for word in dockerfile()["ENV"])
        self.folder, self.cache = folder, folder / self.environment.pop("EDGE_ENVS_CACHE_DIR").lstrip("/")
        if platform.machine() not in ("x86_64", "AMD64"):  # another processor than the how-to's
            self.environment = {"NUMBA_CPU_NAME": "generic"}
        self.modules: list[str] = []
        shutil.copytree(ROOT / "edge_envs", folder / "app" / "edge_envs", ignore=shutil.ignore_patterns("__pycache__"))
        for path in (folder, *folder.rglob("*")):
            path.chmod(0o755 if path.is_dir() else 0o644)

    def warm(self) -> str:
        """Run the how-to's command, and return what it prints."""
        run = dockerfile()["RUN"]
        return self._run(WARM, *run[run.index("edge-envs") + 1 :]).stdout

    def use(self, user: int | None = None, extra: str = "", **environment: str) -> tuple[int, int, str]:
        """How many kernels a process compiles, how many of these it cannot keep, and its lines on stderr."""
        modules = self.modules if user is not None else []
        done = self._run(USE, json.dumps([user, modules, extra]), **environment)
        (compiled, lost), modules = json.loads(done.stdout)
        self.modules = sorted({*self.modules, *modules})
        return compiled, lost, done.stderr

    def _run(self, program: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        own = {"EDGE_ENVS_CACHE_DIR": str(self.cache), "HOME": "/dev/null", "PATH": ""}
        done = subprocess.run(
            [sys.executable, "-c", program, *arguments],
            cwd=self.folder / "app", env={**self.environment, **own, **environment},
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return done

    def files(self) -> dict[Path, Any]:
        return {path: (path.stat().st_mtime_ns, path.stat().st_size) for path in self.cache.rglob("*")}


@pytest.fixture(scope="module")
def built() -> Iterator[Image]:
    """An image whose cache has been filled; not to be touched."""
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        image = Image(Path(folder))
        image.cache.parent.mkdir(mode=0o755)
        assert image.warm().endswith(f"cached in {image.cache}\n")
        assert image.use() == (0, 0, "")
        yield image


@pytest.fixture
def image(built: Image) -> Iterator[Image]:
    """The same, with a cache of the test's own."""
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


def lock(cache: Path) -> None:
    """Take all permissions to write away."""
    for path in (cache, *cache.rglob("*")):
        path.chmod(stat.S_IMODE(path.stat().st_mode) & 0o555)


def own(path: Path, user: int) -> None:
    for one in (path, *path.rglob("*")):
        os.chown(one, user, user)


@needs_root
def test_another_user_reads_what_root_has_filled_without_a_word(image: Image) -> None:
    (user,) = dockerfile()["USER"]
    before = image.files()
    assert image.use(int(user)) == (0, 0, "")
    assert image.files() == before


def test_a_cache_of_ones_own_that_cannot_be_written_is_read(image: Image) -> None:
    user = None
    if os.getuid() == 0:  # who may write anywhere
        user = OTHER
        own(image.cache, user)
    lock(image.cache)
    before = image.files()
    assert image.use(user) == (0, 0, "")
    assert image.files() == before


@needs_root
def test_new_entries_go_to_the_users_own_cache_and_are_found_there(image: Image) -> None:
    home = image.cache.parents[1] / "home"
    home.mkdir(mode=0o755)
    own(home, OTHER)
    before = image.files()
    gone = sorted(image.cache.rglob("*.transition-*"))
    assert gone
    for path in gone:
        path.unlink()
    compiled, lost, said = image.use(OTHER, HOME=str(home))
    assert (compiled, lost) == (1, 0)
    assert said == f"edge_envs: compiling more of falling_off; kept in {home / '.cache' / 'edge_envs'}\n"
    assert {path.name for path in home.rglob("*.nb?")} == {path.name for path in gone}
    assert image.use(OTHER, HOME=str(home)) == (0, 0, "")
    assert image.files().keys() == before.keys() - set(gone)


@needs_root
def test_what_is_missing_and_cannot_be_kept_anywhere_is_told(image: Image) -> None:
    for path in image.cache.rglob("*.transition-*"):
        path.unlink()
    compiled, lost, said = image.use(OTHER)
    assert (compiled, lost) == (1, 1)
    assert said == ("edge_envs: compiling more of falling_off; not kept: no cache folder of your own can be written\n")


@pytest.fixture
def place(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A cache with a folder `kernels`, in a folder `above`, that nothing can be written to."""
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
def test_a_folder_that_others_can_write_is_not_read(place: Path, part: str, mode: int) -> None:
    assert read_folders() == (place / "kernels",)
    (place.parents[1] / part).chmod(mode)
    assert read_folders() == ()


@pytest.mark.parametrize(("part", "read"), [("above", True), ("above/cache", True), ("above/cache/kernels", False)])
def test_a_sticky_folder_may_be_above_but_not_hold_the_entries(place: Path, part: str, read: bool) -> None:
    """As in /tmp, others can add files to it, but not replace what lies there."""
    (place.parents[1] / part).chmod(0o1777)
    assert bool(read_folders()) == read


def test_a_link_counts_as_what_it_leads_to(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    link = place.parent / "link"
    link.symlink_to(place)
    monkeypatch.setenv("EDGE_ENVS_CACHE_DIR", str(link))
    assert read_folders() == (place / "kernels",)
    place.chmod(0o777)
    assert read_folders() == ()


def test_a_folder_that_is_missing_or_no_folder_is_not_read(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (place / "kernels").rmdir()
    assert read_folders() == ()
    (place / "kernels").touch()
    assert read_folders() == ()
    (place / "kernels").unlink()
    (place / "kernels").symlink_to(place / "kernels")
    assert read_folders() == ()


@needs_root
@pytest.mark.parametrize("part", ["above", "above/cache", "above/cache/kernels"])
def test_a_folder_of_another_user_is_not_read(place: Path, part: str) -> None:
    os.chown(place.parents[1] / part, OTHER, OTHER)
    assert read_folders() == ()


@needs_root
def test_a_file_of_another_user_is_not_read(tmp_path: Path) -> None:
    files = disk_cache._Files(str(tmp_path), "kernel", "stamp")
    files.save("key", "code")
    assert files.load("key") == "code"
    for path in tmp_path.iterdir():
        os.chown(path, OTHER, OTHER)
        assert files.load("key") is None
        os.chown(path, 0, 0)


@needs_root
def test_the_cache_of_another_user_is_neither_read_nor_written_by_root(image: Image) -> None:
    own(image.cache, OTHER)
    before = image.files()
    assert image.use()[0] > 5
    assert image.files() == before
