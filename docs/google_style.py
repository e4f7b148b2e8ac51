"""Convert Google-style docstrings to Markdown for the API reference."""

from __future__ import annotations

import re
import textwrap

LISTS = {"Args": "Arguments", "Raises": "Raises"}
"""Sections that list names with descriptions, and their headings."""
TEXTS = {"Returns": "Returns", "Yields": "Yields"}
"""Sections of plain text, and their headings."""

_SECTION = re.compile(rf"(?m)^({'|'.join([*LISTS, *TEXTS])}):\n((?:(?: {{4}}.*)?\n|\Z)+)")
_ITEM = re.compile(r"(?m)^(\S[^:\n]*): ?")


def as_markdown(docstring: str) -> str:
    """Replace the sections of a docstring, without indentation, by headings with lists or text."""
    return _SECTION.sub(_section, docstring + "\n").rstrip("\n")


def _section(found: re.Match[str]) -> str:
    name, body = found[1], textwrap.dedent(found[2]).strip("\n")
    if name in TEXTS:
        return f"**{TEXTS[name]}**\n\n{body}\n\n"
    items = re.split(r"\n(?=\S)", body)
    lines = (_ITEM.sub(r"- `\1`: ", re.sub(r"\n {4,}", "\n  ", item), count=1) for item in items)
    return f"**{LISTS[name]}**\n\n" + "\n".join(lines) + "\n\n"
