"""Test the conversion of Google-style docstrings to Markdown with fields for the API reference."""

from __future__ import annotations

import runpy
from typing import Any

from tests.programs import ROOT

DOCSTRING = """\
Do it.

Args:
    name: First line
        and second line.
    seed: The seed.
    **params: Others.

Returns:
    A pair:

    - both.

Raises:
    ValueError: if `name` is invalid.

Attributes:
    size: The size."""

MARKDOWN = """\
Do it.

:param name: First line
    and second line.

:param seed: The seed. Default: `None`.

:param \\*\\*params: Others.

:returns: A pair:

    - both.

:raises ValueError: if `name` is invalid.

:ivar size: The size."""


def test_sections_become_fields_with_defaults() -> None:
    as_markdown: Any = runpy.run_path(str(ROOT / "docs" / "google_style.py"))["as_markdown"]
    assert as_markdown(DOCSTRING, {"seed": "None"}) == MARKDOWN
    assert as_markdown("Do it.\n\nThen stop.") == "Do it.\n\nThen stop."
