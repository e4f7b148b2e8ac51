"""Test that the text pictures on the pages of games match the rules.

On the page of `beyond_maps`, the first line of a text block names the boards below it: `A to move` (or `A, sea done`)
is a position, `land d5, stop` is the result of these actions in it, with `over` at the end of the game, and `land on +`
or `sea to +` marks the squares that can be chosen in it. On the page of `over_the_edge`, the picture shows the first
position that is given as JSON.
"""

from __future__ import annotations

import inspect
import json
import re
from types import ModuleType

import pytest

import edge_envs
from edge_envs import State
from edge_envs.games import beyond_maps, over_the_edge

Board = list[str]


def blocks(page: ModuleType, language: str = "text") -> list[str]:
    """Return the text blocks of a page, or its blocks in another language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", inspect.getdoc(page) or "", re.MULTILINE | re.DOTALL)


def boards_of(block: str) -> list[tuple[str, Board]]:
    """Return the boards of a picture with their names."""
    names, *rows = ([cell.strip() for cell in re.split(r" {2,}", line)] for line in block.splitlines())
    return [
        (name, [row.replace(" ", "") for row in board])
        for name, board in zip(names, zip(*rows, strict=True), strict=True)
    ]


def square(row: int, column: int) -> str:
    return f"{'abcdefgh'[column]}{row + 1}"


def position(name: str, board: Board) -> State:
    """Return the position of a board with `A` or `B` to move, after the action that its name lists as done."""
    ships = {cell: square(row, column) for row, line in enumerate(board) for column, cell in enumerate(line)}
    player = "AB".index(name[0])
    game = edge_envs.load_game("beyond_maps", size=len(board))
    return game.state_from_dict(
        {
            **game.new_initial_state().to_dict(),
            "board": [re.sub("[AB]", ".", line) for line in board],
            "ships": [ships.get("A"), ships.get("B")],
            "turn_player": player,
            "turn": 2 + player,
            "sea_done": "sea done" in name,
            "land_done": "land done" in name,
        }
    )


def drawn(state: State) -> Board:
    """Draw the board of a position as on the page."""
    size = state.game.params["size"]
    return [line[3:].replace(" ", "") for line in str(state).splitlines()[1 : 1 + size]]


def selectable_squares(state: State, kind: str) -> Board:
    """Draw the board with a `+` on each empty square that actions of a kind can choose."""
    squares = {text.split()[1] for text in map(state.action_to_string, state.legal_actions()) if text.startswith(kind)}
    return [
        "".join("+" if cell == "." and square(row, column) in squares else cell for column, cell in enumerate(line))
        for row, line in enumerate(drawn(state))
    ]


@pytest.mark.parametrize("block", [block for block in blocks(beyond_maps) if re.match(r"\s*[AB]\b", block)])
def test_picture_matches_the_rules(block: str) -> None:
    before: State | None = None
    for name, board in boards_of(block):
        if re.match(r"[AB]\b", name):
            before = position(name, board)
            assert drawn(before) == board
            continue
        assert before is not None
        if name.endswith("+"):
            assert selectable_squares(before, name.split()[0]) == [line.replace("x", ".") for line in board]
            continue
        texts = name.split(", ")
        after = before.clone()
        for text in texts:
            if text != "over":
                after.apply_action(after.string_to_action(text))
        assert drawn(after) == board, name
        assert after.is_terminal() == (texts[-1] == "over"), name


def test_the_page_of_beyond_maps_has_pictures() -> None:
    assert len(blocks(beyond_maps)) >= 8


def test_the_picture_of_over_the_edge_matches_its_position() -> None:
    (picture,) = blocks(over_the_edge)
    example = json.loads(blocks(over_the_edge, "json")[0])
    state = edge_envs.load_game("over_the_edge", **example["params"]).state_from_dict(example)
    assert str(state) == picture.removesuffix("\n")
