"""Show the legal actions of a position to a human player: numbered or grouped, and found by part of their names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from textwrap import wrap

MAX_LINES = 10
"""Maximum number of lines of numbered actions; longer menus are grouped."""


class Menu:
    """Hold the names of actions, numbered from 1 in the given order."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.texts = list(texts)
        self._words = [text.casefold().split() for text in texts]

    def find(self, typed: str) -> list[int]:
        """Return the indices of the actions that match the input, in order.

        A number selects the action with this number, unless the number is itself the name of an action or too large.
        Otherwise the following tests are tried in turn, and the first that any action passes decides: the exact name;
        the name in any case; its first words; prefixes of its first words; some of its words in order; prefixes of some
        of its words in order; some of its words in any order; prefixes of words, or of parts of words such as
        `loyal_crew`, in any order.
        """
        line, words = " ".join(typed.split()), typed.casefold().split()
        if not words:
            return []
        if line in self.texts and not line.isdecimal():
            return [self.texts.index(line)]
        if line.isascii() and line.isdecimal():
            number = int(line[:9])
            if 0 < number <= len(self.texts):
                return [number - 1]
        for test in (_is_whole, _leads, _begins, _has, _hints_at, _has_all, _hints_at_all):
            if found := [index for index, text in enumerate(self._words) if test(words, text)]:
                return found
        return []

    def completions(self, typed: str) -> list[str]:
        """Return the completions of the last word of a line, by the prefixes of the names, in any case."""
        known = typed.casefold()
        ends = [text.find(" ", len(typed)) for text in self.texts]
        lines = (text if end < 0 else text[: end + 1] for text, end in zip(self.texts, ends, strict=True))
        return list(dict.fromkeys(line for line in lines if line.casefold().startswith(known)))

    def overview(self, width: int, chosen: Sequence[int] | None = None) -> str:
        """List all actions in order, or the chosen ones sorted by name, with their numbers; group them if many."""
        if chosen is not None:
            chosen = sorted(chosen, key=lambda index: _natural(self.texts[index]))
        lines = self.numbered(width, chosen)
        if len(lines) > MAX_LINES:
            lines = [*self.grouped(width, chosen), "Type the start of an action to see its continuations."]
        return "\n".join(lines)

    def numbered(self, width: int, chosen: Sequence[int] | None = None) -> list[str]:
        """Return one line per action or, for more than `MAX_LINES`, columns that read downwards."""
        cells = [f"{index + 1:>4}  {self.texts[index]}" for index in self._all_or(chosen)]
        room = max(map(len, cells), default=0) + 2
        columns = 1 if len(cells) <= MAX_LINES else max(1, width // room)
        rows = -(-len(cells) // columns)
        return ["".join(f"{cell:<{room}}" for cell in cells[row::rows]).rstrip() for row in range(rows)]

    def grouped(self, width: int, chosen: Sequence[int] | None = None) -> list[str]:
        """Return one line per first word, with the words that may follow it."""
        groups: dict[str, dict[str, None]] = {}
        for index in self._all_or(chosen):
            first, *more = self.texts[index].split()
            groups.setdefault(first, {}).update(dict.fromkeys(more[:1]))
        room = max(map(len, groups)) + 4
        lines: list[str] = []
        for first, following in groups.items():
            head = f"  {first:<{room - 2}}"
            body = " ".join(sorted(following, key=_natural))
            lines += wrap(head + body, width, subsequent_indent=" " * room, break_on_hyphens=False) or [head]
        return lines

    def _all_or(self, chosen: Sequence[int] | None) -> Sequence[int]:
        return range(len(self.texts)) if chosen is None else chosen


def _natural(text: str) -> list[tuple[int, str]]:
    """Return a sort key that puts a2 before a10."""
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d+)", text) if part]


def _is_whole(words: list[str], text: list[str]) -> bool:
    return words == text


def _leads(words: list[str], text: list[str]) -> bool:
    return words == text[: len(words)]


def _begins(words: list[str], text: list[str]) -> bool:
    return len(words) <= len(text) and all(own.startswith(word) for word, own in zip(words, text, strict=False))


def _has(words: list[str], text: list[str]) -> bool:
    rest = iter(text)
    return all(word in rest for word in words)


def _hints_at(words: list[str], text: list[str]) -> bool:
    rest = iter(text)
    return all(any(own.startswith(word) for own in rest) for word in words)


def _has_all(words: list[str], text: list[str]) -> bool:
    return not Counter(words) - Counter(text)


def _hints_at_all(words: list[str], text: list[str]) -> bool:
    """Return whether each word is a prefix of a different word, or of a part of it.

    The longest words choose first, so that a greedy assignment finds a match for all.
    """
    left = [[word, *re.split(r"\W|_", word)] for word in text]
    for word in sorted(words, key=len, reverse=True):
        found = next((parts for parts in left if any(part.startswith(word) for part in parts)), None)
        if found is None:
            return False
        left.remove(found)
    return True
