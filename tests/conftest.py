"""What all tests share: programs within this process, and the toy games, which are enrolled.

So everything which loops over the games meets these, too.

Programs that tests start say nothing of compilations, which come or not as the cache has it.
"""

from __future__ import annotations

import os
import signal
import threading

import pytest

from agents.workers.cores import usable_cores
from tests.programs import Here
from tests.toy import enrol

os.environ["EDGE_ENVS_QUIET"] = "1"
os.environ.setdefault("OMP_NUM_THREADS", "1")  # of torch: tests run side by side, and threads would wait for each other
os.environ["SDL_VIDEODRIVER"] = "dummy"  # windows without a screen
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN and threading.current_thread() is threading.main_thread():
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a background job of a shell; its programs inherit this
enrol()


@pytest.hookimpl(tryfirst=True, optionalhook=True)  # which exists only with pytest-xdist
def pytest_xdist_auto_num_workers() -> int:
    """Start as many processes with `-n auto` as there are cores that this process may use."""
    return usable_cores()


@pytest.fixture
def here(capsys: pytest.CaptureFixture[str]) -> Here:
    """Runs programs within this process."""
    return Here(capsys)
