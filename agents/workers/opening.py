"""Open the workers that the options --workers and --ray ask for."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from agents.workers.cores import usable_cores
from agents.workers.local import LocalWorkers
from agents.workers.workers import Workers


@contextlib.contextmanager
def open_workers(count: int | None, ray: str | None = None, default: int | None = None) -> Iterator[Workers]:
    """Open worker processes on this machine, or on a Ray cluster, and close them at the end of the context.

    Args:
        count: the number of workers. None means all cores: those of the cluster, or those that this process may use.
        ray: the address of a Ray cluster; None for this machine.
        default: on this machine, the number of workers if `count` is None.

    Raises:
        ValueError: if no Ray cluster runs at this address.
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
