"""Fixtures for tests of language models."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.arena.fake_server import FakeServer


@pytest.fixture
def server() -> Iterator[FakeServer]:
    fake = FakeServer()
    yield fake
    fake.http.shutdown()
    fake.http.server_close()
