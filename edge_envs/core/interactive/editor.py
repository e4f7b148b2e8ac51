"""Editors: positions, and values of parameters, made by clicks on a picture.

A game that has one defines `EDITOR`, an `Editor`, in its module `editor`. A session is a document, which JSON can hold,
and nothing else: `Editor.answer` takes one with an edit and gives the next, drawn, with all that a page has to show.
Documents may come from anybody, and may be half made: what cannot be drawn is refused, what cannot be used has
problems.
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
"""The most characters of a text that a tool is given."""
_LONGEST_LINE = 400


@dataclass(frozen=True)
class Tool:
    """A button of an editor, and what is needed besides to make an edit with it."""

    id: str
    """Without blanks."""
    label: str
    group: str
    """The heading of the row of buttons in which it stands."""
    places: str = ""
    """It is used by a click on a place whose key begins so; empty: the button itself edits."""
    asks: str = ""
    """The text that it needs, in words; empty: none."""


@dataclass(frozen=True)
class Problem:
    """Why a document cannot be used, in a line, and the key of the place where that arises, if it arises at one."""

    line: str
    place: str | None = None


class Editor(ABC):
    """The editor of a game. Pages use `begin`, `edit`, `show` and `answer`; a game defines the rest.

    Those four take whatever JSON can hold, and raise nothing but ValueError, in one plain line.
    """

    edits: str
    """What a document is: `position`, as `State.to_dict` has it, or the name of a parameter whose value it is."""

    def __init__(self, game_type: GameType) -> None:
        self.game_type = game_type

    @abstractmethod
    def first(self, params: Mapping[str, Any]) -> Document:
        """The document to begin with; `params` may lack some, and are not checked."""

    @abstractmethod
    def fit(self, document: Document, params: Mapping[str, Any]) -> None:
        """Change a document so that it fits other parameters, which may lack some, and are not checked."""

    @abstractmethod
    def check(self, document: Document) -> None:
        """ValueError says why a document cannot be drawn; what cannot be used may be drawn."""

    @abstractmethod
    def tools(self, document: Document) -> list[Tool]:
        """All tools, those of a group together."""

    @abstractmethod
    def places(self, document: Document) -> dict[str, str]:
        """The keys of all places that can be clicked, and what lies there in words."""

    @abstractmethod
    def size(self, document: Document) -> tuple[float, float]:
        """Width and height of the picture."""

    @abstractmethod
    def paint(self, document: Document, canvas: Canvas) -> None:
        """Draw a document, usable or not, with all its places."""

    @abstractmethod
    def change(self, document: Document, tool: Tool, key: str, text: str) -> None:
        """Make an edit in a document; ValueError where it is not possible, and the document is then thrown away.

        `key` is a place of the tool, or empty if it has none; so is `text`, which has no blanks at its ends.
        """

    @abstractmethod
    def problems(self, document: Document) -> list[Problem]:
        """Why a document cannot be used; none if the game accepts it."""

    def report(self, document: Document) -> str:
        """What is worth knowing about a document that can be used, as text of several lines."""
        return ""

    @final
    def begin(self, params: Any = None) -> Document:
        """The document to begin with, with parameters of the game, of which any may be left out."""
        with _one_line():
            return self.first(_object({} if params is None else params, "params"))

    @final
    def edit(self, document: Any, tool: Any, key: Any = None, text: Any = None) -> Document:
        """A new document: the given one with an edit. ValueError where that is not possible, or could not be drawn."""
        with _one_line():
            return self._edited(self._copy(document), tool, key, text)

    @final
    def show(self, document: Any, theme: str = "light", *, outlines: bool = False) -> dict[str, Any]:
        """All that a page shows of a document, ready for JSON.

        | key | |
        |---|---|
        | `edits` | what the document is |
        | `document` | the document |
        | `svg` | its picture: each place has `data-key`, and a ring if a problem arises there |
        | `tools` | each `Tool` as an object |
        | `labels` | what lies on the places in words, by their keys |
        | `problems` | each `Problem` as an object; if there is none, the game accepts the document |
        | `report` | text to stand beside the picture, or empty |
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
        """One step of a session, as `show` has it: begins if there is no document, and edits if there is a tool.

        A document with `params` is made to fit these first.
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
        """A copy of a document that can be drawn."""
        self.check(_object(document, "a document"))
        return copy.deepcopy(document)

    def _edited(self, document: Document, tool: Any, key: Any, text: Any) -> Document:
        tools = {one.id: one for one in self.tools(document)}
        if not isinstance(tool, str) or tool not in tools:
            raise ValueError(f"there is no tool {in_short(tool)}; possible are {', '.join(tools)}")
        used = tools[tool]
        if used.places:
            if not isinstance(key, str) or not key.startswith(used.places) or key not in self.places(document):
                raise ValueError(f"{used.label}: {in_short(key)} is no place for it; click on one")
        elif key is not None:
            raise ValueError(f"{used.label}: this needs no place")
        if used.asks:
            text = _text(text, used)
        elif text is not None:
            raise ValueError(f"{used.label}: this needs no text")
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
    """An editor of positions: documents are positions, drawn as the game draws them.

    The game's module `position` has `sketch` for positions that need not be legal.
    """

    edits = POSITION

    def place_of(self, document: Document, entry: str) -> str | None:
        """The place where a problem with an entry of a position arises; None if it arises at none."""
        return None

    def first(self, params: Mapping[str, Any]) -> Document:
        """The start of a game."""
        return Game(self.game_type, params).new_initial_state(seed=0).to_dict()

    def check(self, document: Document) -> None:
        """A position of the right form can be drawn."""
        self._sketch(document)

    def size(self, document: Document) -> tuple[float, float]:
        """As the game has it."""
        size: tuple[float, float] = self.game_type.module("picture").size(document["params"])
        return size

    def paint(self, document: Document, canvas: Canvas) -> None:
        """As the game does it."""
        self.game_type.module("picture").paint(self._sketch(document), canvas)

    def problems(self, document: Document) -> list[Problem]:
        """The first reason why the game refuses the position."""
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
    """The text that a tool was given, as an integer within low..high."""
    if not (text.isascii() and text.isdigit() and low <= int(text) <= high):
        raise ValueError(f"{tool.label}: {text!r} is not an integer from {low} to {high}")
    return int(text)


def _text(text: Any, tool: Tool) -> str:
    """A line of text for a tool, without blanks at its ends."""
    found = text.strip() if isinstance(text, str) else ""
    if not found or len(found) > LONGEST_TEXT or not found.isprintable():
        raise ValueError(f"{tool.label}: a text of 1 to {LONGEST_TEXT} characters is needed: {tool.asks}")
    return found


def _object(value: Any, what: str) -> dict[str, Any]:
    """A JSON object whose content messages can tell."""
    if not isinstance(value, dict):
        raise ValueError(f"{what}: {in_short(value)} is not a JSON object")
    check_values(value)
    return value


@contextlib.contextmanager
def _one_line() -> Iterator[None]:
    """Errors that quote a document do so in one line that can be printed, and not at length."""
    try:
        yield
    except ValueError as error:
        line = "".join(letter if letter.isprintable() else " " for letter in str(error))
        raise ValueError(line if len(line) <= _LONGEST_LINE else f"{line[:_LONGEST_LINE]}…") from None
