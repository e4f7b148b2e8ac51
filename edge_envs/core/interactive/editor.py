"""Editors of positions and of parameter values, by clicks on a picture.

A game with an editor defines `EDITOR`, an `Editor`, in its module `editor`. The only state of an editing session is a
JSON document: `Editor.answer` takes a document and an edit, and returns the next document, drawn, with everything that
a page shows. Documents may come from untrusted sources and may be incomplete. A document that cannot be drawn is
rejected; one that can be drawn but not used has problems.
"""

from __future__ import annotations

import contextlib
import copy
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any, final

from edge_envs.core.checks.positions import check_values
from edge_envs.core.errors import InvalidPositionError, in_short
from edge_envs.core.game import Game
from edge_envs.core.game_type import GameType
from edge_envs.core.spec import Record
from edge_envs.pictures.canvas import Canvas

Document = dict[str, Any]

POSITION = "position"
LONGEST_TEXT = 60
"""The maximal length of the text for a tool, in characters."""
_LONGEST_LINE = 400


@dataclass(frozen=True)
class Tool:
    """A button of an editor, and the further input that an edit with it needs."""

    id: str
    """An identifier without spaces."""
    label: str
    group: str
    """The heading of its row of buttons."""
    places: str = ""
    """The prefix of the keys of places to click; empty if the button itself makes the edit."""
    asks: str = ""
    """A description of the text that it needs; empty if it needs none."""


@dataclass(frozen=True)
class Problem:
    """A reason why a document cannot be used: one line, and the key of the place that it concerns, if any."""

    line: str
    place: str | None = None


class Editor(ABC):
    """The editor of a game. Pages use `begin`, `edit`, `show` and `answer`; a game defines the other methods.

    These four methods accept any JSON value, and raise only ValueError, with a message of one printable line.
    """

    edits: str
    """The kind of documents: `position`, as `State.to_dict` returns it, or the name of a parameter."""

    def __init__(self, game_type: GameType) -> None:
        self.game_type = game_type

    @abstractmethod
    def first(self, params: Mapping[str, Any]) -> Document:
        """Return the initial document; `params` may be incomplete and are not checked."""

    @abstractmethod
    def fit(self, document: Document, params: Mapping[str, Any]) -> None:
        """Adapt a document in place to other parameters, which may be incomplete and are not checked."""

    @abstractmethod
    def check(self, document: Document) -> None:
        """Check that a document can be drawn, usable or not.

        Raises:
            ValueError: if it cannot be drawn.
        """

    @abstractmethod
    def tools(self, document: Document) -> list[Tool]:
        """Return all tools, ordered by group."""

    @abstractmethod
    def places(self, document: Document) -> dict[str, str]:
        """Return the keys of all clickable places, with descriptions of their content."""

    @abstractmethod
    def size(self, document: Document) -> tuple[float, float]:
        """Return the width and height of the picture."""

    @abstractmethod
    def paint(self, document: Document, canvas: Canvas) -> None:
        """Draw a document, usable or not, with all its places."""

    @abstractmethod
    def change(self, document: Document, tool: Tool, key: str, text: str) -> None:
        """Make an edit in a document, in place. After an error the document is discarded.

        Args:
            document: The document.
            tool: The tool.
            key: A place of the tool, or empty if it does not need one.
            text: The text for the tool, stripped, or empty if it does not need one.

        Raises:
            ValueError: if the edit is invalid.
        """

    @abstractmethod
    def problems(self, document: Document) -> list[Problem]:
        """Return the reasons why a document cannot be used; empty if the game accepts it."""

    def report(self, document: Document) -> str:
        """Return a report on a usable document, several lines of text; may be empty."""
        return ""

    @final
    def begin(self, params: Any = None) -> Document:
        """Return the initial document for some of the game's parameters, defaults for the others."""
        with _one_line():
            return self.first(_object({} if params is None else params, "params"))

    @final
    def edit(self, document: Any, tool: Any, key: Any = None, text: Any = None) -> Document:
        """Return a copy of a document with an edit.

        Raises:
            ValueError: if the edit is invalid, or the result cannot be drawn.
        """
        with _one_line():
            return self._edited(self._copy(document), tool, key, text)

    @final
    def show(self, document: Any, theme: str = "light", *, outlines: bool = False) -> dict[str, Any]:
        """Return everything that a page shows of a document, as a dict for JSON.

        | key | content |
        |---|---|
        | `edits` | the kind of document |
        | `document` | the document |
        | `svg` | its picture: each place has `data-key`, and a ring if a problem concerns it |
        | `tools` | each `Tool` as an object |
        | `labels` | descriptions of the places, by key |
        | `problems` | each `Problem` as an object; if the list is empty, the game accepts the document |
        | `report` | text to show next to the picture, or empty |
        """
        with _one_line():
            return self._shown(self._copy(document), theme, outlines)

    @final
    def answer(
        self,
        document: Any = None,
        params: Any = None,
        tool: Any = None,
        key: Any = None,
        text: Any = None,
        theme: str = "light",
    ) -> dict[str, Any]:
        """Process one step of a session.

        Args:
            document: The document; None to begin with a new one.
            params: Parameters for a new document, or parameters that `document` is adapted to.
            tool: The id of the tool of an edit; None for no edit.
            key: The place of the edit.
            text: The text of the edit.
            theme: The theme of the picture.

        Returns:
            A dict, see `show`.
        """
        with _one_line():
            if document is None:
                current = self.first(_object({} if params is None else params, "params"))
            else:
                current = self._copy(document)
                if params is not None:
                    self.fit(current, _object(params, "params"))
                    self.check(current)
            if tool is not None:
                current = self._edited(current, tool, key, text)
            return self._shown(current, theme, False)

    def _copy(self, document: Any) -> Document:
        """Check that a document can be drawn, and copy it."""
        self.check(_object(document, "a document"))
        return copy.deepcopy(document)

    def _edited(self, document: Document, tool: Any, key: Any, text: Any) -> Document:
        tools = {one.id: one for one in self.tools(document)}
        if not isinstance(tool, str) or tool not in tools:
            raise ValueError(f"unknown tool {in_short(tool)} (choose from {', '.join(tools)})")
        used = tools[tool]
        if used.places:
            if not isinstance(key, str) or not key.startswith(used.places) or key not in self.places(document):
                raise ValueError(f"{used.label}: invalid place {in_short(key)}; click on a marked place")
        elif key is not None:
            raise ValueError(f"{used.label}: this tool does not take a place")
        if used.asks:
            text = _text(text, used)
        elif text is not None:
            raise ValueError(f"{used.label}: this tool does not take text")
        self.change(document, used, key or "", text or "")
        self.check(document)
        return document

    def _shown(self, document: Document, theme: str, outlines: bool) -> dict[str, Any]:
        places, problems = self.places(document), self.problems(document)
        width, height = self.size(document)
        marked = {problem.place for problem in problems if problem.place is not None}
        canvas = Canvas(width, height, theme=theme, outlines=outlines, keys=places, marked=marked)
        self.paint(document, canvas)
        return {
            "edits": self.edits,
            "document": document,
            "svg": str(canvas),
            "tools": [asdict(tool) for tool in self.tools(document)],
            "labels": places,
            "problems": [asdict(problem) for problem in problems],
            "report": "" if problems else self.report(document),
        }


class PositionEditor(Editor):
    """An editor of positions. Documents are positions, drawn as in the game.

    The game's module `position` must have `sketch`, which accepts illegal positions.
    """

    edits = POSITION

    def place_of(self, document: Document, entry: str) -> str | None:
        """Return the place that a problem with an entry of a position concerns, or None."""
        return None

    def first(self, params: Mapping[str, Any]) -> Document:
        """Return the start of a game."""
        return Game(self.game_type, params).new_initial_state(seed=0).to_dict()

    def check(self, document: Document) -> None:
        """Check that a position has the right form."""
        self._sketch(document)

    def size(self, document: Document) -> tuple[float, float]:
        """Return the size of the game's picture."""
        size: tuple[float, float] = self.game_type.module("picture").size(document["params"])
        return size

    def paint(self, document: Document, canvas: Canvas) -> None:
        """Draw the position as in the game."""
        self.game_type.module("picture").paint(self._sketch(document), canvas)

    def problems(self, document: Document) -> list[Problem]:
        """Return the first reason why the game rejects the position."""
        try:
            self._game(document).state_from_dict(document, seed=0)
        except InvalidPositionError as error:
            entry, _, line = str(error).partition(": ")
            return [Problem(f"{entry}: {line}", self.place_of(document, entry))]
        return []

    def _sketch(self, document: Document) -> Record:
        return self._game(document).sketch_from_dict(document)[0]

    def _game(self, document: Document) -> Game:
        return Game(self.game_type, _object(document.get("params"), "params"))


def number(text: str, tool: Tool, low: int, high: int) -> int:
    """Convert the text for a tool to an integer from `low` to `high`.

    Raises:
        ValueError: if it is something else.
    """
    if not (text.isascii() and text.isdigit() and low <= int(text) <= high):
        raise ValueError(f"{tool.label}: invalid text {text!r}: expected an integer from {low} to {high}")
    return int(text)


def _text(text: Any, tool: Tool) -> str:
    """Check and strip a line of text for a tool."""
    found = text.strip() if isinstance(text, str) else ""
    if not found or len(found) > LONGEST_TEXT or not found.isprintable():
        raise ValueError(f"{tool.label}: expected 1 to {LONGEST_TEXT} characters: {tool.asks}")
    return found


def _object(value: Any, what: str) -> dict[str, Any]:
    """Check that a value is a JSON object that can be quoted in messages."""
    if not isinstance(value, dict):
        raise ValueError(f"{what}: {in_short(value)} is not a JSON object")
    check_values(value)
    return value


@contextlib.contextmanager
def _one_line() -> Iterator[None]:
    """Shorten messages that quote a document to one printable line."""
    try:
        yield
    except ValueError as error:
        line = "".join(letter if letter.isprintable() else " " for letter in str(error))
        raise ValueError(line if len(line) <= _LONGEST_LINE else f"{line[:_LONGEST_LINE]}…") from None
