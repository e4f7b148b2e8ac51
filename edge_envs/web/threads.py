"""Thread pools for work that would block the event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Made = TypeVar("Made")

_SIZES = {"quick": 4, "agents": 8, "judges": 4, "files": 1}


class Threads:
    """Thread pools: for `quick` work that a page waits for, for agents, for judges, and for files."""

    def __init__(self) -> None:
        self._threads = {name: ThreadPoolExecutor(size, name) for name, size in _SIZES.items()}

    def close(self) -> None:
        """Wait for what has begun, and drop the rest."""
        for pool in self._threads.values():
            pool.shutdown(cancel_futures=True)

    def run(self, name: str, work: Callable[[], Made]) -> Awaitable[Made]:
        """Run a function in the thread pool of this name."""
        return asyncio.get_running_loop().run_in_executor(self._threads[name], work)
