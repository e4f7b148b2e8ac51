"""Jobs for tests of workers."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from agents.workers.task import DiedError, Heartbeat, Submit, Task


class Where(Task):
    """Return the cluster node on which a job ran, after a delay."""

    def prepare(self, heartbeat: Heartbeat) -> Callable[[int], tuple[int, str]]:
        import ray

        def work(number: int) -> tuple[int, str]:
            time.sleep(0.2)
            return number**2, ray.get_runtime_context().get_node_id()

        return work


class Fragile(Task):
    """Jobs that exit their process, hang or fail on request."""

    isolated = True
    timeout = 0.5

    def prepare(self, heartbeat: Heartbeat) -> Callable[[str], int]:
        def work(kind: str) -> int:
            heartbeat(7)
            if kind == "end":
                os._exit(0)
            if kind == "fork":
                if os.fork():
                    os._exit(0)
                time.sleep(1000)
            if kind == "hang":
                time.sleep(1000)
            heartbeat(-1)
            if kind == "fail":
                raise ValueError("it failed")
            return os.getpid()

        return work

    def run(self, submit: Submit, job: str) -> Any:
        try:
            return submit(job)
        except DiedError as died:
            return died.last_beat, died.hung


class Unlucky(Task):
    """The first process that runs a job dies."""

    isolated = True

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def prepare(self, heartbeat: Heartbeat) -> Callable[[str], str]:
        def work(name: str) -> str:
            if not (self.folder / name).exists():
                (self.folder / name).touch()
                os._exit(1)
            return name

        return work
