"""Shared setup of all tests: tiers, fixtures for programs, and the toy games.

The toy games are registered like the four games, so tests that loop over all games also cover them. Programs that tests
start print nothing about compilation, which depends on the state of the cache.
"""

from __future__ import annotations

import os
import signal
import threading
from pathlib import Path

import pytest

from agents.workers.cores import usable_cores
from tests import tiers
from tests.contract.cases import games
from tests.programs import Here
from tests.toy import enrol

os.environ["EDGE_ENVS_QUIET"] = "1"
os.environ.setdefault("OMP_NUM_THREADS", "1")  # threads of torch would compete with the other test processes
os.environ["SDL_VIDEODRIVER"] = "dummy"  # windows without a screen
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN and threading.current_thread() is threading.main_thread():
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a background job of a shell; its programs inherit this
enrol()


@pytest.hookimpl(tryfirst=True, optionalhook=True)  # the hook exists only with pytest-xdist
def pytest_xdist_auto_num_workers() -> int:
    """Start more processes with `-n auto` than there are cores that this process may use, because some tests wait.

    A process needs up to 3 GB: there are two more than cores if the memory suffices, otherwise one.
    """
    from agents.training.memory_estimate import machine_bytes  # imports PyTorch

    cores, memory = usable_cores(), machine_bytes() or 0
    return cores + 2 if memory >= 3e9 * (cores + 2) else cores + 1


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options of `tests/tiers.py`."""
    parser.addoption("--tier", choices=tiers.TIERS, default="test", help="which tests to run (tests/tiers.py)")
    parser.addoption("--write-durations", action="store_true", help="write tests/durations.json")


def pytest_configure(config: pytest.Config) -> None:
    """Measure tests if the durations are to be written; tests that start pytest again do so with their own options."""
    os.environ.pop("PYTEST_ADDOPTS", None)
    if config.getoption("--write-durations"):
        config.pluginmanager.register(tiers.Recorder())


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Do not import files without a test of the tier."""
    is_left_out = config.getoption("--tier") == "check" and not tiers.may_be_checked(collection_path)
    return True if is_left_out and collection_path.suffix == ".py" else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Run long files first, and leave out the tests that the tier does not contain, unless they are named in full."""
    items.sort(key=tiers.rank)
    tier, cases = config.getoption("--tier"), games()
    if tier == "all":
        return
    named = {item for item in items if tiers.is_named(item, config)}
    chosen = named | tiers.affordable([item for item in items if tiers.is_in(item, tier, cases)])
    config.hook.pytest_deselected(items=[item for item in items if item not in chosen])
    items[:] = [item for item in items if item in chosen]


@pytest.fixture
def here(capsys: pytest.CaptureFixture[str]) -> Here:
    """Return a runner of programs within this process."""
    return Here(capsys)
