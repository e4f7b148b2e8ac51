"""Share one browser between all tests of a file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.web.browser import chromium

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="module")  # an event loop runs as long as the browser, so other files could not run one
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser
