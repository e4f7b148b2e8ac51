"""What tests of scripts share."""

from __future__ import annotations

import pytest

from tests.programs import Here


@pytest.fixture
def here(capsys: pytest.CaptureFixture[str]) -> Here:
    """Runs programs within this process."""
    return Here(capsys)
