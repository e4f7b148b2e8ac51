"""Fixtures for tests of tournaments, benchmarks and language models."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from agents import benchmark
from agents.common.console import run
from agents.tournament import main
from tests.arena.edge_bench import PROTOCOL
from tests.arena.fake_server import FakeServer
from tests.arena.tournaments import EXTERNAL, GAME
from tests.programs import Here, Outcome, program


@pytest.fixture
def server() -> Iterator[FakeServer]:
    fake = FakeServer()
    yield fake
    fake.http.shutdown()
    fake.http.server_close()


@pytest.fixture
def tournament(here: Here) -> Any:
    def call(*arguments: object) -> Outcome:
        return here(main, *arguments)

    return call


@pytest.fixture(scope="session")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Play a tournament; tests must not write to its folder."""
    out = tmp_path_factory.mktemp("finished") / "tournament"
    arguments = ("--agents", "random", "heuristic", f"{EXTERNAL}:first", "--games", "200", "--out", str(out))
    done = program("-m", "agents.tournament", *GAME, *arguments)
    assert done.returncode == 0, done.stderr
    return out


@pytest.fixture(scope="session")
def protocol(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a small protocol with its references."""
    folder = tmp_path_factory.mktemp("protocol")
    path = folder / "protocol.yaml"
    path.write_text(PROTOCOL.format(folder=folder), encoding="utf-8")
    with pytest.raises(SystemExit) as stopped:
        run(benchmark.main, ["--references", "--config", str(path), "--workers", "1", "--out", str(folder / "games")])
    assert stopped.value.code == 0
    return path


@pytest.fixture
def bench(here: Here, protocol: Path, tmp_path: Path) -> Any:
    def call(*arguments: object, out: str = "run") -> Outcome:
        return here(benchmark.main, "--config", protocol, "--workers", 1, "--out", tmp_path / out, *arguments)

    return call
