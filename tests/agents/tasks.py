"""Jobs that workers are tested with."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from agents.workers.task import Ask, DiedError, Note, Task


class Where(Task):
    """Tells on which node of a cluster a job was done, after a while."""

    def get_ready(self, note: Note) -> Callable[[int], tuple[int, str]]:
        import ray

        def work(number: int) -> tuple[int, str]:
            time.sleep(0.2)
            return number**2, ray.get_runtime_context().get_node_id()

        return work


class Fragile(Task):
    """Jobs end their process, hang, or fail, as they are told."""

    apart = True
    patience = 0.5

    def get_ready(self, note: Note) -> Callable[[str], int]:
        def work(what: str) -> int:
            note(7)
            if what == "end":
                os._exit(0)
            if what == "fork":
                if os.fork():
                    os._exit(0)
                time.sleep(1000)
            if what == "hang":
                time.sleep(1000)
            note(-1)
            if what == "fail":
                raise ValueError("it failed")
            return os.getpid()

        return work

    def do(self, ask: Ask, job: str) -> Any:
        try:
            return ask(job)
        except DiedError as died:
            return died.note, died.hung


class Unlucky(Task):
    """The first process that does a job dies."""

    apart = True

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def get_ready(self, note: Note) -> Callable[[str], str]:
        def work(name: str) -> str:
            if not (self.folder / name).exists():
                (self.folder / name).touch()
                os._exit(1)
            return name

        return work
