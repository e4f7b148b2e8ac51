"""The workers that a program is told to use."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from agents.workers.cores import usable_cores
from agents.workers.local import LocalWorkers
from agents.workers.workers import Workers


@contextlib.contextmanager
def open_workers(count: int | None, ray: str | None = None, default: int | None = None) -> Iterator[Workers]:
    """So many processes of this machine, or so many cores of the Ray cluster whose address is given.

    Where `count` is None these are all cores; on this machine those that this process may use, or another `default`.
    What was started ends with them. ValueError if there is no such cluster.
    """
    workers: Workers
    if ray is None:
        workers = LocalWorkers(count or default or usable_cores())
    else:
        from agents.workers.cluster import RayWorkers

        workers = RayWorkers(ray, count)
    try:
        yield workers
    finally:
        workers.close()
