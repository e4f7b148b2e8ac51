"""The editors of games, tested by sessions of random clicks and with damaged documents."""

from __future__ import annotations

import copy
import functools
import itertools
import json
import time
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

import edge_envs
from edge_envs import Game
from edge_envs.core.interactive.editor import POSITION, Document, Editor, Tool
from edge_envs.pictures import colours
from tests.contract.cases import games
from tests.contract.test_pictures import (
    ATTRIBUTES,
    MOST_BYTES,
    MOST_ELEMENTS,
    TAGS,
    elements,
    keys_drawn,
    rings,
)
from tests.toy import TOYS

TEXTS = ["0", "1", "2", "3", "5", "8", "12", "399", "A0", "B1", "Home", "two words", "Ägypten", "-1", "9" * 50, "1.5"]
MOST_SECONDS = 2.0
"""Limit on the processor time of a response, which does not depend on the load of the machine."""


def editor_of(game: Game) -> Editor:
    editor = game.type.editor
    assert editor is not None
    return editor


def is_accepted(game: Game, document: Document) -> bool:
    """Return whether the game accepts a document as the position or parameter that its editor edits."""
    edits = editor_of(game).edits
    try:
        if edits == POSITION:
            edge_envs.load_game(game.name, **document["params"]).state_from_dict(document)
        else:
            edge_envs.load_game(game.name, **{edits: document})
    except ValueError:
        return False
    return True


def random_edit(editor: Editor, document: Document, rng: np.random.Generator) -> tuple[str, str | None, str | None]:
    """Apply a random tool with a place and a string if it needs them; the edit may be invalid."""
    tools = editor.tools(document)
    tool = tools[rng.integers(len(tools))]
    keys = [key for key in editor.places(document) if tool.places and key.startswith(tool.places)]
    key = keys[rng.integers(len(keys))] if keys else None
    return tool.id, key, TEXTS[rng.integers(len(TEXTS))] if tool.asks else None


def session(game: Game, steps: int, seed: int = 0) -> Iterator[tuple[Document, Document | None]]:
    """Yield documents of a session of random edits with their successors, or None for a rejected edit."""
    editor, rng = editor_of(game), np.random.default_rng(seed)
    document = editor.begin(game.params_dict())
    for _ in range(steps):
        before = copy.deepcopy(document)
        try:
            following = editor.edit(document, *random_edit(editor, document, rng))
        except ValueError as error:
            assert_plain(error)
            following = None
        assert document == before
        yield document, following
        document = following or document


def assert_plain(error: ValueError) -> None:
    assert str(error).isprintable()
    assert 0 < len(str(error)) < 500


@functools.cache
def documents_of(game: Game) -> list[Document]:
    """Return the initial document and those of two sessions."""
    drawn = [editor_of(game).begin(game.params_dict())]
    for seed in range(2):
        drawn += [following for _, following in session(game, 80, seed) if following is not None]
    return drawn


def documents(game: Game, count: int = 20) -> list[Document]:
    """Return the initial document and some of those of the sessions."""
    found = documents_of(game)
    return found[:: max(1, len(found) // count)]


def test_game_without_editor_module_has_no_editor() -> None:
    assert [game_type.editor for game_type in TOYS.values()] == [None] * len(TOYS)


def test_editor_edits_positions_or_a_parameter(edited_game: Game) -> None:
    assert editor_of(edited_game).edits in (POSITION, *edited_game.params)


def test_initial_document_is_valid_and_deterministic(edited_game: Game) -> None:
    editor = editor_of(edited_game)
    answer = editor.answer(params=edited_game.params_dict())
    assert (answer["problems"], is_accepted(edited_game, answer["document"])) == ([], True)
    assert (
        answer
        == editor.answer(params=edited_game.params_dict())
        == editor.show(editor.begin(edited_game.params_dict()))
    )
    assert is_accepted(edited_game, editor.begin())


def test_responses_are_json_and_their_documents_can_be_edited(edited_game: Game) -> None:
    editor = editor_of(edited_game)
    for document in documents(edited_game, 8):
        answer = json.loads(json.dumps(editor.show(document)))
        assert answer["document"] == document
        assert editor.answer(answer["document"]) == answer


def test_tools_have_distinct_names_and_contiguous_groups(edited_game: Game) -> None:
    editor = editor_of(edited_game)
    for document in documents(edited_game, 5):
        tools = editor.tools(document)
        assert len({tool.id for tool in tools}) == len(tools)
        assert len({(tool.group, tool.label) for tool in tools}) == len(tools)
        assert not any(character.isspace() for tool in tools for character in tool.id)
        groups = [tool.group for tool in tools]
        assert groups == sorted(groups, key=groups.index)


def test_every_tool_edits_something_in_some_document(edited_game: Game) -> None:
    editor = editor_of(edited_game)
    idle = {tool.id for tool in editor.tools(editor.begin(edited_game.params_dict()))}
    for document in documents(edited_game):
        places = list(editor.places(document))
        for tool in (tool for tool in editor.tools(document) if tool.id in idle):
            keys = [key for key in places if key.startswith(tool.places)] if tool.places else [None]
            ways = itertools.product(keys, TEXTS if tool.asks else [None])
            if any(is_changed(editor, document, tool, *way) for way in ways):
                idle.remove(tool.id)
    assert not idle


def is_changed(editor: Editor, document: Document, tool: Tool, key: str | None, text: str | None) -> bool:
    try:
        return editor.edit(document, tool.id, key, text) != document
    except ValueError:
        return False


def test_edits_do_not_mutate_the_document_and_errors_are_one_line(edited_game: Game) -> None:
    followings = [following for _, following in session(edited_game, 150)]
    assert any(followings)
    assert None in followings


def test_documents_without_problems_are_exactly_the_accepted_ones(edited_game: Game) -> None:
    found = set()
    for document in documents(edited_game, 40):
        problems = editor_of(edited_game).problems(document)
        assert is_accepted(edited_game, document) == (not problems)
        found.add(bool(problems))
    assert found == {False, True}


def test_problems_have_a_message_and_places(edited_game: Game) -> None:
    editor = editor_of(edited_game)
    for document in documents(edited_game):
        answer = editor.show(document)
        for problem in answer["problems"]:
            assert problem["line"].isprintable()
            assert problem["place"] is None or problem["place"] in answer["labels"]
        places = {problem["place"] for problem in answer["problems"]} - {None}
        assert (rings(answer["svg"], colours.MARK) >= 1) >= bool(places)
        assert not (answer["problems"] and answer["report"])


def test_every_place_is_drawn_and_described(edited_game: Game) -> None:
    editor = editor_of(edited_game)
    for document in documents(edited_game):
        answer = editor.show(document)
        assert keys_drawn(answer["svg"]) == set(answer["labels"])
        assert not any(character.isspace() for key in answer["labels"] for character in key)
        assert all(answer["labels"].values())


@pytest.mark.parametrize("outlines", [False, True])
def test_pictures_are_plain_svg_of_a_bounded_size(edited_game: Game, outlines: bool) -> None:
    for document in documents(edited_game):
        svg = editor_of(edited_game).show(document, outlines=outlines)["svg"]
        found = list(elements(svg))
        assert {tag for tag, _ in found} <= (TAGS - {"text"} if outlines else TAGS)
        assert {name for _, attributes in found for name in attributes} <= ATTRIBUTES
        assert len(found) <= 1.5 * MOST_ELEMENTS  # all places are drawn
        assert outlines or len(svg.encode()) <= 1.5 * MOST_BYTES
        root = ElementTree.fromstring(svg).attrib
        assert int(root["width"]) % 2 == int(root["height"]) % 2 == 0


def test_dark_theme_contains_no_light_colours(edited_game: Game) -> None:
    dark = {one.dark for one in colours._ALL.values()}
    for document in documents(edited_game, 10):
        svg = editor_of(edited_game).show(document, theme="dark")["svg"]
        used = {
            attributes[paint] for _, attributes in elements(svg) for paint in ("fill", "stroke") if paint in attributes
        }
        assert used <= dark | {"none"}


def test_documents_are_adapted_to_other_parameters(edited_game: Game) -> None:
    editor = editor_of(edited_game)
    for document in documents(edited_game, 10):
        for other in (one for one in games() if one.name == edited_game.name):
            answer = editor.answer(document, params=other.params_dict())
            if editor.edits == POSITION:
                assert answer["document"]["params"] == other.params_dict()
            else:
                assert answer["document"] == document


def deep(levels: int) -> Any:
    value: Any = []
    for _ in range(levels):
        value = [value]
    return value


ODD: list[Any] = [
    True, -1, 1.5, 10**30, 10**5000, "", "a\nb", "\ud800", [], [[]], {}, {"a": deep(100)}, deep(2_000), float("nan"),
    {"a\nb": 1}, ["a", None], "x" * 2_000, [0] * 2_000,
]  # fmt: skip
LARGE: list[Any] = ["x" * 200_000, [0] * 100_000, [[0, 0]] * 40_000, deep(100_000), {str(k): k for k in range(20_000)}]


def damage(document: Any) -> Iterator[Any]:
    """Return a document with one value replaced by an odd one, or one entry removed or added, at any depth."""
    if isinstance(document, dict):
        for key, value in document.items():
            yield {other: kept for other, kept in document.items() if other != key}
            yield from ({**document, key: inner} for inner in damage(value))
        yield {**document, "a\nb": 1}
    elif isinstance(document, list) and document:
        for at in {0, len(document) - 1}:
            yield from ([*document[:at], inner, *document[at + 1 :]] for inner in damage(document[at]))
        yield document[1:]
        yield [*document, document[0]]
    yield from ODD


def test_damaged_documents_are_drawn_or_rejected_in_one_line(edited_game: Game) -> None:
    editor = editor_of(edited_game)
    for document in damage(editor.begin(edited_game.params_dict())):
        try:
            assert editor.answer(document)["svg"].startswith("<svg")
        except ValueError as error:
            assert_plain(error)


def test_large_documents_are_rejected_quickly(plain_edited_game: Game) -> None:
    editor = editor_of(plain_edited_game)
    document = editor.begin(plain_edited_game.params_dict())
    for key, value in itertools.product(document, LARGE):
        start = time.process_time()
        with pytest.raises(ValueError, match=r"\S") as refused:
            editor.edit({**document, key: value}, editor.tools(document)[0].id)
        assert_plain(refused.value)
        assert time.process_time() - start < MOST_SECONDS


@pytest.mark.parametrize("argument", ["params", "tool", "key", "text"])
def test_odd_arguments_are_accepted_or_rejected_in_one_line(plain_edited_game: Game, argument: str) -> None:
    editor = editor_of(plain_edited_game)
    document = editor.begin(plain_edited_game.params_dict())
    for value in ODD:
        for tool in editor.tools(document):
            place = next((key for key in editor.places(document) if tool.places and key.startswith(tool.places)), None)
            arguments = {"tool": tool.id, "key": place, "text": "1" if tool.asks else None, argument: value}
            for given in (None, document):
                try:
                    editor.answer(given, **arguments)
                except ValueError as error:
                    assert_plain(error)


def test_errors_name_unknown_tools_places_and_themes(edited_game: Game) -> None:
    editor = editor_of(edited_game)
    document = editor.begin(edited_game.params_dict())
    with pytest.raises(ValueError, match="unknown tool 'hammer' \\(choose from "):
        editor.edit(document, "hammer")
    placed = next(tool for tool in editor.tools(document) if tool.places and not tool.asks)
    with pytest.raises(ValueError, match="invalid place 'moon'; click on a marked place"):
        editor.edit(document, placed.id, "moon")
    asking = next(tool for tool in editor.tools(document) if tool.asks and not tool.places)
    with pytest.raises(ValueError, match="expected 1 to 60 characters"):
        editor.edit(document, asking.id)
    with pytest.raises(ValueError, match="this tool does not take a place"):
        editor.edit(document, asking.id, next(iter(editor.places(document))), "1")
    with pytest.raises(ValueError, match="unknown theme 'blue'"):
        editor.show(document, theme="blue")
