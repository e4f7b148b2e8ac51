"""Fixtures for tests of tournaments and language models."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from agents.tournament import main
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
