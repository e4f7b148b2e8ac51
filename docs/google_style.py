"""Convert Google-style docstrings to Markdown with Sphinx fields for the API reference."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping

LISTS = {"Args": "param", "Attributes": "ivar", "Raises": "raises"}
"""Sections that list names with descriptions, and their fields."""
TEXTS = {"Returns": "returns", "Yields": "yields"}
"""Sections of plain text, and their fields."""

_SECTION = re.compile(rf"(?m)^({'|'.join([*LISTS, *TEXTS])}):\n((?:(?: {{4}}.*)?\n|\Z)+)")
_ITEM = re.compile(r"(\S[^:\n]*): ?(.*)", re.DOTALL)


def as_markdown(docstring: str, defaults: Mapping[str, str] | None = None) -> str:
    """Replace the sections of a docstring, without indentation, by field lists.

    Args:
        docstring: the docstring.
        defaults: the default values of arguments, which are added to their descriptions.
    """
    return _SECTION.sub(lambda found: _section(found[1], found[2], defaults or {}), docstring + "\n").rstrip("\n")


def _section(name: str, body: str, defaults: Mapping[str, str]) -> str:
    text = textwrap.dedent(body).strip("\n")
    if name in TEXTS:
        return _field(TEXTS[name], text)
    fields = []
    for item in re.split(r"\n(?=\S)", text):
        found = _ITEM.fullmatch(item)
        argument, told = (found[1], found[2]) if found else (item, "")
        told = re.sub(r"\n {4,}", "\n", told)
        if name == "Args" and argument in defaults:
            told = f"{told.rstrip()} Default: `{defaults[argument]}`."
        fields.append(_field(f"{LISTS[name]} {argument.replace('*', chr(92) + '*')}", told))
    return "".join(fields)


def _field(name: str, text: str) -> str:
    return f":{name}: {textwrap.indent(text, '    ').lstrip()}\n\n"
