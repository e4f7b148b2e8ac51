"""What tests of language models share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.arena.stand import Stand


@pytest.fixture
def stand() -> Iterator[Stand]:
    made = Stand()
    yield made
    made.server.shutdown()
    made.server.server_close()
