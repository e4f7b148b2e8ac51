"""Test the conversion of Google-style docstrings to Markdown for the API reference."""

from __future__ import annotations

import runpy
from typing import Any

from tests.programs import ROOT

DOCSTRING = """\
Do it.

Args:
    name: First line
        and second line.
    **params: Others.

Returns:
    A pair:

    - both.

Raises:
    ValueError: if `name` is invalid."""

MARKDOWN = """\
Do it.

**Arguments**

- `name`: First line
  and second line.
- `**params`: Others.

**Returns**

A pair:

- both.

**Raises**

- `ValueError`: if `name` is invalid."""


def test_sections_become_headings_and_lists() -> None:
    as_markdown: Any = runpy.run_path(str(ROOT / "docs" / "google_style.py"))["as_markdown"]
    assert as_markdown(DOCSTRING) == MARKDOWN
    assert as_markdown("Do it.\n\nThen stop.") == "Do it.\n\nThen stop."
