"""Workers on the nodes of a Ray cluster.

Each worker of Ray is like one of `LocalWorkers`: what may end its process is done in a process beside it, whose death
is no death to Ray. If Ray's worker itself dies, as with its node, Ray has another one do the job anew.
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
from agents.players.agent import folder_of
from agents.players.digests import files_hash, running_code
from agents.workers.cores import usable_cores
from agents.workers.task import Task
from agents.workers.worker import Hand, portable
from agents.workers.workers import POLL, Workers
from edge_envs import __version__

LOCAL = "local"
PATIENCE = 5.0  # seconds until the head of a cluster answers
LOOK = 5.0  # seconds between two looks at how large the cluster is
RETRIES = 10  # of a job whose worker dies, as with its node
JOBS_PER_CORE = 2  # one is done while the next one is on its way

ENVIRONMENT = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",  # or a warning tells that this will change
    "RAY_DEDUP_LOGS_SKIP_REGEX": ".",  # or the death of a node is told on stdout, at length
}


@dataclass(frozen=True)
class Sent:
    """A task on its way to other machines, and what must be the same there as here.

    The task is pickled by itself: a node with other code may be unable to read it, and must still say what differs.
    """

    task: bytes
    folder: str
    version: str
    made_of: Mapping[str, str]
    code: Mapping[str, str]

    @classmethod
    def of(cls, task: Task) -> Sent:
        """A task that is begun here."""
        made_of = _hashes(task.agents)
        return cls(pickle.dumps(task), os.getcwd(), __version__, made_of, running_code())

    def open(self) -> Task:
        """The task, on another machine; ValueError tells what that one lacks."""
        node = f"the node {socket.gethostname()}"
        if self.version != __version__:
            raise ValueError(f"{node} has edge_envs {__version__}, not {self.version} as this program has")
        self._check_code(node)
        if not Path(self.folder).is_dir():
            raise ValueError(f"{node} has no folder {self.folder}; all nodes need the one where the program is run")
        os.chdir(self.folder)
        here = _hashes(self.made_of)
        for agent, known in self.made_of.items():
            if here[agent] != known:
                raise ValueError(f"{agent}: {node} has other files in {self.folder} than this program, or none")
        task: Task = pickle.loads(self.task)
        return task

    def _check_code(self, node: str) -> None:
        """Raise ValueError if this node runs other code than the program, also under the same version number."""
        here = running_code()
        names = sorted(name for name in self.code.keys() | here.keys() if self.code.get(name) != here.get(name))
        if not names:
            return
        first, more = names[0], len(names) - 1
        if "/" not in first:
            raise ValueError(f"{node} has {first} {here[first]}, not {self.code[first]} as this program has")
        files = f"{first} and {more} more" if more else first
        raise ValueError(f"{node} runs other code than this program: its files differ, or are missing: {files}")


def _hashes(agents: Iterable[str]) -> dict[str, str]:
    """Hash the files of some agents."""
    return {agent: files_hash(folder_of(agent) or agent) for agent in agents}


class RayWorkers(Workers):
    """All cores of a cluster, or so many of them; `close` leaves the cluster, and ends it if it was started here."""

    def __init__(self, address: str, count: int | None) -> None:
        """Join the cluster at `address`: `local` starts one of this machine, `auto` finds one that runs here.

        ValueError if there is none.
        """
        self._ray = connect(address, count)
        self._count, self._looked, self._cores = count, 0.0, 0
        self._do = self._ray.remote(num_cpus=1, max_retries=RETRIES)(do_job)
        self._sent: tuple[Task, Any, str] | None = None
        self._running: set[Any] = set()

    def _room(self, task: Task) -> int:
        """As many jobs as are asked for, or some more than there are cores, however many that are by now."""
        if time.monotonic() - self._looked > LOOK:
            self._looked = time.monotonic()
            self._cores = int(self._ray.cluster_resources().get("CPU", 0))
        return self._count or JOBS_PER_CORE * max(1, self._cores)

    def _begin(self, task: Task, job: Any) -> Any:
        if self._sent is None or self._sent[0] is not task:
            reference = self._ray.put(pickle.dumps(Sent.of(task)))
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
        """Break all jobs off."""
        for handle in self._running:
            with contextlib.suppress(Exception):  # which may be done, or on a node that is gone
                self._ray.cancel(handle, force=True)
        self._running.clear()

    def close(self) -> None:
        """Leave the cluster."""
        self.stop()
        self._ray.shutdown()


_hand: Hand | None = None  # of this worker of Ray
_opened: tuple[str, Task] | None = None


def do_job(reference: Sequence[Any], key: str, job: Any) -> tuple[bool, Any]:
    """In a worker of Ray: whether a job was done, and what came of it, or the error."""
    global _hand, _opened  # noqa: PLW0603  what a worker of Ray keeps has no other place
    import ray

    try:
        if _opened is None or _opened[0] != key:
            os.environ |= {"EDGE_ENVS_QUIET": "1", **MATPLOTLIB}
            sent: Sent = pickle.loads(ray.get(reference[0]))
            _opened = key, sent.open()
        _hand = _hand or Hand()
        return True, _hand.do(_opened[1], job, apart=_opened[1].apart)
    except Exception as error:
        return False, portable(error)


def connect(address: str, cores: int | None) -> Any:
    """Ray, connected; ValueError says in one line why it is not."""
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
    """ValueError where nobody listens: Ray itself would try for minutes."""
    if address == "auto":
        return
    host, colon, port = address.rpartition(":")
    if not colon or not host or not port.isdecimal():
        raise ValueError(f"--ray {address}: write nothing, auto, or HOST:PORT of a cluster, as 10.0.0.1:6379")
    try:
        socket.create_connection((host, int(port)), PATIENCE).close()
    except (OSError, OverflowError) as error:
        why = getattr(error, "strerror", None) or "no answer"
        raise ValueError(f"--ray {address}: there is no cluster of Ray: {why}") from None
