"""Workers on the nodes of a Ray cluster.

Each Ray worker behaves like one of `LocalWorkers`: isolated jobs run in a child process, so Ray does not notice if that
process dies. If the Ray worker itself dies, for example with its node, Ray runs the job again elsewhere.
"""

from __future__ import annotations

import contextlib
import logging
import os
import pickle
import signal
import socket
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agents.common.console import MATPLOTLIB
from agents.common.devices import VARIABLE
from agents.players.agent import folder_of
from agents.players.digests import files_hash, running_code
from agents.workers.cores import usable_cores
from agents.workers.task import Task
from agents.workers.worker import Worker, portable
from agents.workers.workers import POLL, Workers
from edge_envs import __version__

LOCAL = "local"
PATIENCE = 5.0  # seconds until the head of a cluster answers
LOOK = 5.0  # seconds between two checks of the size of the cluster
RETRIES = 10  # of a job whose Ray worker dies
JOBS_PER_CORE = 2  # one runs while the next one is being sent

ENVIRONMENT = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",  # otherwise Ray warns that this default will change
    "RAY_DEDUP_LOGS_SKIP_REGEX": ".",  # otherwise Ray prints a long message on stdout when a node dies
}


@dataclass(frozen=True)
class SentTask:
    """A task for other machines, with the versions and hashes that must be the same there.

    The task is pickled separately: a node with other code may be unable to read it, but can still report what differs.
    """

    task: bytes
    folder: str
    version: str
    made_of: Mapping[str, str]
    code: Mapping[str, str]

    @classmethod
    def of(cls, task: Task) -> SentTask:
        """Pack a task on this machine."""
        made_of = _hashes(task.agents)
        return cls(pickle.dumps(task), os.getcwd(), __version__, made_of, running_code())

    def open(self) -> Task:
        """Return the task, on another machine; ValueError if that machine has other code, files or no such folder."""
        node = f"the node {socket.gethostname()}"
        if self.version != __version__:
            raise ValueError(f"{node} has edge_envs {__version__}, but this program has {self.version}")
        self._check_code(node)
        if not Path(self.folder).is_dir():
            raise ValueError(
                f"{node} has no folder {self.folder}; every node needs the folder in which the program runs"
            )
        os.chdir(self.folder)
        here = _hashes(self.made_of)
        for agent, known in self.made_of.items():
            if here[agent] != known:
                raise ValueError(f"{agent}: its files in {self.folder} on {node} are missing or differ from those here")
        task: Task = pickle.loads(self.task)
        return task

    def _check_code(self, node: str) -> None:
        """Raise ValueError if this node has different source files or libraries, even with the same version number."""
        here = running_code()
        names = sorted(name for name in self.code.keys() | here.keys() if self.code.get(name) != here.get(name))
        if not names:
            return
        first, more = names[0], len(names) - 1
        if "/" not in first:
            raise ValueError(f"{node} has {first} {here[first]}, but this program has {self.code[first]}")
        files = f"{first} and {more} more" if more else first
        raise ValueError(f"{node} runs different code: missing or different files: {files}")


def _hashes(agents: Iterable[str]) -> dict[str, str]:
    """Hash the files of some agents."""
    return {agent: files_hash(folder_of(agent) or agent) for agent in agents}


class RayWorkers(Workers):
    """Workers on all cores of a cluster, or on `count` of them.

    `close` leaves the cluster, and shuts it down if this program started it.
    """

    def __init__(self, address: str, count: int | None) -> None:
        """Join the cluster at `address`: `local` starts one on this machine, `auto` finds one that runs on it.

        Raises:
            ValueError: if no cluster is found.
        """
        self._ray = connect(address, count)
        self._count, self._looked, self._cores = count, 0.0, 0
        self._do = self._ray.remote(num_cpus=1, max_retries=RETRIES)(do_job)
        self._sent: tuple[Task, Any, str] | None = None
        self._running: set[Any] = set()

    def _room(self, task: Task) -> int:
        """Return `count`, or some more jobs than the cluster has cores now."""
        if time.monotonic() - self._looked > LOOK:
            self._looked = time.monotonic()
            self._cores = int(self._ray.cluster_resources().get("CPU", 0))
        return self._count or JOBS_PER_CORE * max(1, self._cores)

    def _begin(self, task: Task, job: Any) -> Any:
        if self._sent is None or self._sent[0] is not task:
            reference = self._ray.put(pickle.dumps(SentTask.of(task)))
            self._sent = task, reference, reference.hex()
        _, reference, key = self._sent
        handle = self._do.remote([reference], key, job)
        self._running.add(handle)
        return handle

    def _wait(self, handles: Sequence[Any]) -> Iterable[Any]:
        if self._ray.wait(handles, num_returns=1, timeout=POLL)[0]:
            return self._ray.wait(handles, num_returns=len(handles), timeout=0)[0]
        return ()

    def _take(self, handle: Any) -> Any:
        self._running.discard(handle)
        try:
            done, result = self._ray.get(handle)
        except self._ray.exceptions.RayError as error:
            lines = str(error).strip().splitlines() or [type(error).__name__]
            raise ValueError(f"a Ray worker failed: {lines[-1]}") from None
        if not done:
            raise result
        return result

    def stop(self) -> None:
        """Cancel all jobs."""
        for handle in self._running:
            with contextlib.suppress(Exception):  # the job may be finished, or its node gone
                self._ray.cancel(handle, force=True)
        self._running.clear()

    def close(self) -> None:
        """Leave the cluster, or shut it down if this program started it."""
        self.stop()
        self._ray.shutdown()


_worker: Worker | None = None  # of this Ray worker
_opened: tuple[str, Task] | None = None


def do_job(reference: Sequence[Any], key: str, job: Any) -> tuple[bool, Any]:
    """Run a job in a Ray worker. Return (True, result) or (False, error)."""
    global _worker, _opened  # noqa: PLW0603  a Ray worker keeps its state in globals
    import ray

    try:
        if _opened is None or _opened[0] != key:
            os.environ |= {"EDGE_ENVS_QUIET": "1", VARIABLE: "cpu", **MATPLOTLIB}
            sent: SentTask = pickle.loads(ray.get(reference[0]))
            _opened = key, sent.open()
        _worker = _worker or Worker()
        return True, _worker.run(_opened[1], job, isolated=_opened[1].isolated)
    except Exception as error:
        return False, portable(error)


def connect(address: str, cores: int | None) -> Any:
    """Connect to Ray and return its module; ValueError says in one line why that failed."""
    os.environ |= ENVIRONMENT
    import ray

    quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.CRITICAL}
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        if address == LOCAL:
            ray.init(
                "local",
                num_cpus=cores or usable_cores(),
                include_dashboard=False,
                _node_ip_address="127.0.0.1",
                **quiet,
            )
        else:
            _check_reachable(address)
            ray.init(address, **quiet)
    except (ConnectionError, RuntimeError) as error:
        raise ValueError(f"--ray {address}: {' '.join(str(error).split())}") from None
    except KeyboardInterrupt:
        ray.shutdown()  # what has been started so far
        raise
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
    return ray


def _check_reachable(address: str) -> None:
    """Raise ValueError if nothing listens at an address; Ray itself would retry for minutes."""
    if address == "auto":
        return
    host, colon, port = address.rpartition(":")
    if not colon or not host or not port.isdecimal():
        raise ValueError(
            f"--ray {address}: expected no value, auto, or the HOST:PORT of a cluster, such as 10.0.0.1:6379"
        )
    try:
        socket.create_connection((host, int(port)), PATIENCE).close()
    except (OSError, OverflowError) as error:
        why = getattr(error, "strerror", None) or "no answer"
        raise ValueError(f"--ray {address}: no Ray cluster: {why}") from None
