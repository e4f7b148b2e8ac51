"""Share one browser between all tests of a file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.web.browser import chromium

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(autouse=True)
def data_folder(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep programs from using the user's own folder."""
    folder = tmp_path_factory.mktemp("data")
    monkeypatch.setenv("EDGE_ENVS_DATA_DIR", str(folder))
    return folder


@pytest.fixture(scope="module")  # an event loop runs as long as the browser, so other files could not run one
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser
