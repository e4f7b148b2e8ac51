"""Render the templates of a new game's files.

A template is a text file. `<<name>>` stands for a value. Lines between `%% if CONDITION`, `%% elif CONDITION`,
`%% else` and `%% end` belong to the file only if the condition holds: names of options, joined by `and` or `or`.
Conditions may nest.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent
ENDING = ".txt"


@dataclass
class _Block:
    """A condition of a template, between its `if` and its `end`."""

    is_shown: bool
    is_settled: bool
    """Whether a branch was already shown, so that the following ones are left out."""


def render(text: str, values: Mapping[str, Any]) -> str:
    """Return a template with its values; ValueError names an unknown directive."""
    lines = "".join(f"{line}\n" for line in _chosen(text.splitlines(), values))
    return re.sub(r"<<(\w+)>>", lambda found: str(values[found[1]]), lines)


def _chosen(lines: list[str], values: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines whose conditions hold."""
    blocks: list[_Block] = []
    for line in lines:
        if not line.startswith("%% "):
            if all(block.is_shown for block in blocks):
                yield line
            continue
        word, _, condition = line.removeprefix("%% ").partition(" ")
        if word == "if":
            holds = _holds(condition, values)
            blocks.append(_Block(holds, holds))
        elif word in ("elif", "else"):
            block = blocks[-1]
            block.is_shown = not block.is_settled and (word == "else" or _holds(condition, values))
            block.is_settled |= block.is_shown
        elif word == "end":
            blocks.pop()
        else:
            raise ValueError(f"unknown directive {line!r} in a template")


def _holds(condition: str, values: Mapping[str, Any]) -> bool:
    """Return whether all, or any, of the options that a condition names are set."""
    if " or " in condition:
        return any(_holds(part, values) for part in condition.split(" or "))
    return all(values[name] for name in condition.split(" and "))


def templates(folder: str) -> dict[str, str]:
    """Return the templates of a folder by the names of the files that they become."""
    files = sorted((FOLDER / folder).glob(f"*{ENDING}"))
    return {file.name.removesuffix(ENDING): file.read_text(encoding="utf-8") for file in files}
