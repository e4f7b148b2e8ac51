"""Work that is shared out, on this machine and on a Ray cluster of two nodes: the same results, whatever dies."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import ray
from ray.cluster_utils import Cluster

from agents.arena.tournament import TournamentConfig, play_tournament
from agents.collect import main
from agents.collection.config import CollectionConfig
from agents.collection.run import collect
from agents.workers.cluster import RayWorkers, Sent
from agents.workers.opening import open_workers
from agents.workers.task import Ask, DiedError, Note, Task
from agents.workers.workers import Workers
from tests.programs import Here

NODE: dict[str, Any] = {"num_cpus": 1, "include_dashboard": False, "object_store_memory": 10**8}


class Where(Task):
    """Tells where a job was done, after a while."""

    def get_ready(self, note: Note) -> Callable[[int], tuple[int, str]]:
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

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def get_ready(self, note: Note) -> Callable[[str], str]:
        def work(name: str) -> str:
            if not (self.folder / name).exists():
                (self.folder / name).touch()
                os._exit(1)
            return name

        return work


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    cluster = Cluster(initialize_head=True, head_node_args=NODE)
    cluster.add_node(**NODE)
    yield cluster
    cluster.shutdown()


@pytest.fixture(params=["processes", "ray"])
def workers(request: pytest.FixtureRequest) -> Iterator[Workers]:
    address = request.getfixturevalue("cluster").address if request.param == "ray" else None
    with open_workers(2, address) as workers:
        yield workers


def files(folder: Path) -> dict[str, bytes]:
    paths = (path for path in folder.rglob("*") if path.is_file() and path.name not in ("lock", "times.jsonl"))
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths}


def test_who_ends_or_holds_up_a_process_does_no_harm_to_others(workers: Workers) -> None:
    jobs = ["work", "end", "work", "hang", "work"]
    first, ended, second, hung, third = workers.in_order(Fragile(), jobs)
    assert (ended, hung) == ((7, False), (7, True))
    assert all(isinstance(pid, int) and pid != os.getpid() for pid in (first, second, third))
    with pytest.raises(ValueError, match="it failed"):
        list(workers.results(Fragile(), ["fail"]))


def test_a_job_whose_process_dies_is_done_anew(tmp_path: Path) -> None:
    with open_workers(2) as workers:
        assert list(workers.in_order(Unlucky(tmp_path), ["a", "b", "c"])) == ["a", "b", "c"]


def test_a_data_set_from_a_cluster_has_the_same_bytes(cluster: Any, tmp_path: Path) -> None:
    config = CollectionConfig(game="falling_off", agents=["random", "heuristic"], games=40, format="arrays", shard=8)
    collect(config, tmp_path / "here")
    with open_workers(None, cluster.address) as workers:
        collect(config, tmp_path / "there", workers)
    assert files(tmp_path / "here") == files(tmp_path / "there")


def test_a_node_that_is_killed_in_the_midst_loses_nothing(cluster: Any, tmp_path: Path) -> None:
    config = TournamentConfig(game="falling_off", agents=["random", "heuristic"], games=128)
    folders = tmp_path / "here", tmp_path / "there"
    with open_workers(1) as workers:
        told = play_tournament(config, folders[0], workers, lambda what, done, total: None)
    with open_workers(None, cluster.address) as workers:
        before = set()
        for number, (_, node) in enumerate(workers.results(Where(), range(12))):
            before.add(node)
            if number == 5:
                cluster.remove_node(sorted(cluster.worker_nodes, key=id)[0], allow_graceful=False)
        assert len(before) == 2
        assert play_tournament(config, folders[1], workers, lambda what, done, total: None) == told
    assert (folders[0] / "games.jsonl").read_bytes() == (folders[1] / "games.jsonl").read_bytes()


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("127.0.0.1:9", "there is no cluster of Ray: Connection refused"),
        ("nowhere", "write nothing, auto, or HOST:PORT"),
        ("127.0.0.1:port", "write nothing, auto, or HOST:PORT"),
    ],
)
def test_an_address_of_no_cluster_is_one_line(here: Here, tmp_path: Path, address: str, said: str) -> None:
    arguments = ("--game", "falling_off", "--agents", "random", "--games", 4, "--out", tmp_path / "out")
    line = here.fails(main, *arguments, "--ray", address, several=("--agents", "--param"))
    assert line.startswith(f"error: --ray {address}: ")
    assert said in line


def test_a_node_that_differs_is_named() -> None:
    pass
