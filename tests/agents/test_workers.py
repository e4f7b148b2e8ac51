"""Test jobs on local workers and on a Ray cluster of two nodes: the same results, even if a process or node dies."""

from __future__ import annotations

import dataclasses
import itertools
import os
import pickle
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from ray.cluster_utils import Cluster

from agents.arena.pairings import SEEDS_PER_MATCH
from agents.arena.tournament import TournamentConfig, play_tournament
from agents.collect import main
from agents.collection.config import CollectionConfig
from agents.collection.run import Shards, collect
from agents.exploitation.answers import Matches
from agents.fitting.heuristic_weights import Blocks, TuningConfig
from agents.players.digests import running_code
from agents.teaching.config import TeachingConfig
from agents.teaching.teacher import Round
from agents.training.actor_critic import ActorCritic
from agents.workers.cluster import SentTask
from agents.workers.opening import open_workers
from agents.workers.task import DiedError, Task
from agents.workers.worker import Worker, portable
from agents.workers.workers import Workers
from tests.agents.tasks import Fragile, Unlucky, Where
from tests.programs import ROOT, Here

NODE: dict[str, Any] = {"num_cpus": 1, "include_dashboard": False, "object_store_memory": 10**8}


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    cluster = Cluster(initialize_head=True, head_node_args=NODE)
    cluster.add_node(**NODE)
    yield cluster
    cluster.shutdown()  # type: ignore[no-untyped-call]  # ray is only partly typed


@pytest.fixture
def two_nodes(cluster: Any) -> Any:
    """Return the cluster with a second node, which tests may kill."""
    if not cluster.worker_nodes:
        cluster.add_node(**NODE)
    return cluster


@pytest.fixture(params=["processes", "ray"])
def workers(request: pytest.FixtureRequest) -> Iterator[Workers]:
    address = request.getfixturevalue("cluster").address if request.param == "ray" else None
    with open_workers(2, address) as workers:
        yield workers


def files(folder: Path) -> dict[str, bytes]:
    paths = (path for path in folder.rglob("*") if path.is_file() and path.name not in ("lock", "times.jsonl"))
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths}


def test_dying_or_hanging_jobs_do_not_affect_others(workers: Workers) -> None:
    jobs = ["work", "end", "work", "hang", "work"]
    first, ended, second, hung, third = workers.in_order(Fragile(), jobs)
    assert (ended, hung) == ((7, False), (7, True))
    assert all(isinstance(pid, int) and pid != os.getpid() for pid in (first, second, third))
    with pytest.raises(ValueError, match="it failed"):
        list(workers.results(Fragile(), ["fail"]))


def test_job_of_a_dead_process_is_retried(tmp_path: Path) -> None:
    with open_workers(1) as workers:
        assert list(workers.in_order(Unlucky(tmp_path), ["a", "b"])) == ["a", "b"]


def test_data_set_from_a_cluster_is_identical(cluster: Any, tmp_path: Path) -> None:
    config = CollectionConfig(game="falling_off", agents=["random", "heuristic"], games=40, format="arrays", shard=8)
    collect(config, tmp_path / "here")
    with open_workers(None, cluster.address) as workers:
        collect(config, tmp_path / "there", workers)
    assert files(tmp_path / "here") == files(tmp_path / "there")


def kill_node(cluster: Any) -> None:
    cluster.remove_node(min(cluster.worker_nodes, key=id), allow_graceful=False)


def test_killing_a_node_loses_no_result(two_nodes: Any, tmp_path: Path) -> None:
    config = TournamentConfig(game="falling_off", agents=["random", "heuristic"], games=64, precision=1)
    folders = tmp_path / "here", tmp_path / "there"
    with open_workers(1) as workers:
        play_tournament(config, folders[0], workers, lambda title, done, total: None)
    with open_workers(None, two_nodes.address) as workers:
        nodes: list[str] = []
        squares: dict[int, int] = {}
        killed: list[int] = []

        def jobs() -> Iterator[int]:
            """Yield jobs until 64 more have been submitted since a node was killed."""
            yield from itertools.takewhile(lambda job: job < (killed[0] + 64 if killed else 500), itertools.count())

        for number, (square, node) in workers.results(Where(), jobs()):
            nodes.append(node)
            squares[number] = square
            if not killed and len(set(nodes)) == 2:
                kill_node(two_nodes)
                killed.append(number)
        assert killed
        assert squares == {number: number**2 for number in range(len(squares))}
        assert len(set(nodes[-3:])) == 1
        play_tournament(config, folders[1], workers, lambda title, done, total: None)
    assert (folders[0] / "games.jsonl").read_bytes() == (folders[1] / "games.jsonl").read_bytes()


def test_killing_a_node_during_a_tournament_changes_no_game(two_nodes: Any, tmp_path: Path) -> None:
    agents = ["random", "tests.arena.external_agents:is_slow"]
    config = TournamentConfig(game="falling_off", agents=agents, games=192, precision=1)
    with open_workers(1) as workers:
        play_tournament(config, tmp_path / "here", workers, lambda title, done, total: None)
    killed: list[int] = []

    def show(title: str, done: int, total: int) -> None:
        if not killed:
            kill_node(two_nodes)
            killed.append(total - done)

    with open_workers(None, two_nodes.address) as workers:
        nodes: set[str] = set()
        for _, (_, node) in workers.results(Where(), itertools.takewhile(lambda job: len(nodes) < 2, range(500))):
            nodes.add(node)
        assert len(nodes) == 2
        play_tournament(config, tmp_path / "there", workers, show)
    assert killed[0] > 3 * SEEDS_PER_MATCH  # both nodes still had games to play
    assert files(tmp_path / "here") == files(tmp_path / "there")


def test_jobs_give_the_same_results_on_a_cluster(cluster: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch, "set_num_threads", lambda threads: None)  # would affect other tests of this process
    matches = Matches("falling_off", {}, ("search:2", "heuristic"))
    blocks = Blocks(TuningConfig(game="falling_off", games=100, weights={"storm": (0, 1)}))
    teaching = TeachingConfig(game="falling_off", total_steps=1, games=4, parts=2, search=4, asks="values")
    pupil = ActorCritic(teaching.network, teaching.load_game(), 0.0, all_players=True)
    jobs: list[tuple[Task, list[Any]]] = [
        (matches, [(4, 0), (4, 2)]),
        (blocks, [0, 1]),
        (Round(teaching, pupil.weights()), [(4, 4), (4, 6)]),
    ]
    with open_workers(None, cluster.address) as there, open_workers(1) as here:
        for task, some in jobs:
            for one, other in zip(here.in_order(task, some), there.in_order(task, some), strict=True):
                np.testing.assert_equal(one, other)


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("127.0.0.1:9", "no Ray cluster: Connection refused"),
        ("nowhere", "expected no value, auto, or the HOST:PORT"),
        ("127.0.0.1:port", "expected no value, auto, or the HOST:PORT"),
    ],
)
def test_invalid_cluster_address_is_a_one_line_error(here: Here, tmp_path: Path, address: str, message: str) -> None:
    arguments = ("--game", "falling_off", "--agents", "random", "--games", 4, "--out", tmp_path / "out")
    line = here.fails(main, *arguments, "--ray", address)
    assert line.startswith(f"error: --ray {address}: ")
    assert message in line


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"version": "0.0.1"}, "but this program has 0.0.1"),
        ({"folder": "/no/such/folder"}, "has no folder /no/such/folder; every node needs"),
        ({"made_of": {"policies/falling_off/values": "0"}}, "policies/falling_off/values: its files in"),
        (
            {"code": {**running_code(), "agents/players/agent.py": "0"}},
            "runs different code: missing or different files",
        ),
        ({"code": {**running_code(), "agents/players/agent.py": "0"}}, ": agents/players/agent.py"),
        (
            {"code": {**running_code(), "agents/players/agent.py": "0", "agents/new.py": "0"}},
            ": agents/new.py and 1 more",
        ),
        (
            {"code": {**running_code(), "numpy": "0.1"}},
            f"has numpy {running_code()['numpy']}, but this program has 0.1",
        ),
    ],
)
def test_node_with_other_versions_or_files_is_rejected(
    monkeypatch: pytest.MonkeyPatch, change: dict[str, Any], message: str
) -> None:
    monkeypatch.chdir(ROOT)
    config = CollectionConfig(game="falling_off", agents=["policies/falling_off/values"], games=1, format="arrays")
    shards = Shards(config, config.agents)
    sent = SentTask.of(shards)
    assert sent.open() == shards
    with pytest.raises(ValueError, match=f"{re.escape(message)}"):
        dataclasses.replace(sent, **change).open()


OPENED = """
import pickle, sys
try:
    pickle.loads(sys.stdin.buffer.read()).open()
except ValueError as error:
    print(error)
"""


def test_node_with_changed_sources_is_rejected(tmp_path: Path) -> None:
    """One line is changed without a new version, and a module that the task needs is missing."""
    for package in ("edge_envs", "agents"):
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
    rules = tmp_path / "edge_envs/games/falling_off/rules.py"
    rules.write_text(rules.read_text(encoding="utf-8") + "# changed\n", encoding="utf-8")
    (tmp_path / "agents/collection/run.py").unlink()
    config = CollectionConfig(game="falling_off", agents=["random"], games=1, format="npz")
    sent = pickle.dumps(SentTask.of(Shards(config, config.agents)))
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", OPENED], cwd=tmp_path, env=environment, input=sent, capture_output=True, check=True
    )
    assert done.stdout.decode() == (
        f"the node {socket.gethostname()} runs different code: missing or different files: "
        "agents/collection/run.py and 1 more\n"
    )


def test_died_error_can_be_pickled() -> None:
    died = portable(DiedError(3, hung=True))
    assert isinstance(died, DiedError)
    sent = pickle.loads(pickle.dumps(died))
    assert (type(sent), sent.last_beat, sent.hung, str(sent)) == (DiedError, 3, True, str(died))


def test_death_of_a_process_with_a_living_child_is_detected() -> None:
    worker = Worker()
    assert worker.run(Fragile(), "fork", True) == (7, False)
    worker.close()
