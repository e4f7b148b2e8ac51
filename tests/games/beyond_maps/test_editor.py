"""Position editor of beyond_maps."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import edge_envs
from edge_envs import Game
from edge_envs.core.interactive.editor import Document, Editor
from tests.contract.play import walk
from tests.reference.beyond_maps import position

Click = tuple[str, str | None, str | None]

OPEN_SEA = "A.... ..... ..... ..... ....B"
DICE = {"dice": True}


def the_editor() -> Editor:
    editor = edge_envs.GAMES["beyond_maps"].editor
    assert editor is not None
    return editor


EDITOR = the_editor()


def click(tool: str, square: str | None = None, text: str | None = None) -> Click:
    return tool, None if square is None else f"sq-{square}", text


def after(document: Document, *clicks: Click) -> Document:
    for tool, key, text in clicks:
        document = EDITOR.edit(document, tool, key, text)
    return document


def begun(**params: Any) -> Document:
    return EDITOR.begin({"size": 5, **params})


def clicks_to(wanted: dict[str, Any]) -> Iterator[Click]:
    """Yield the clicks that create a position from the start of its game."""
    size = wanted["params"]["size"]
    yield click("take", "a1")
    yield click("take", f"{chr(ord('a') + size - 1)}{size}")
    for row, line in enumerate(wanted["board"], start=1):
        yield from (
            click(f"land-{cell}", f"{'abcdefghijklmnopqr'[k]}{row}") for k, cell in enumerate(line) if cell != "."
        )
    yield from (click(f"ship-{player}", ship) for player, ship in enumerate(wanted["ships"]) if ship is not None)
    yield click(f"turn-{wanted['turn_player']}")
    yield click("turns", text=str(wanted["turn"]))
    to_do = [name for name in ("sea", "land") if not wanted[f"{name}_done"]]
    yield click("-".join(to_do) or "nothing")
    if wanted["roll"] is not None:
        yield from (click(f"{which}-{die}") for which, die in zip(("high", "low"), wanted["roll"], strict=True))
    if wanted["last_marker"] is not None:
        yield click("marker", wanted["last_marker"])
        yield click("markers", text=str(wanted["markers_placed"]))


CASES = [{"size": 5}, {"size": 6, "dice": True, "max_turns": 30}, {"size": 5, "land_markers": 18, "stop_early": False}]


@pytest.mark.parametrize("game", [edge_envs.load_game("beyond_maps", **params) for params in CASES], ids=str)
def test_every_position_of_a_game_can_be_created(game: Game) -> None:
    for state in walk(game, 40):
        wanted = state.to_dict()
        made = after(EDITOR.begin(wanted["params"]), *clicks_to(wanted))
        assert (made, EDITOR.problems(made)) == (wanted, [])


@pytest.mark.parametrize(
    "wanted",
    [
        pytest.param(position("A.1.. .11.. 1.... ..... ....B"), id="ships in different seas"),
        pytest.param(position("000.. 000.. 000.. ..... .....", sea_done=True, land_done=True), id="both captured"),
        pytest.param(position(OPEN_SEA, 1, turn=398), id="a late turn"),
        pytest.param(position("A.... ..... ..0.. ..... ....B", markers_placed=2, last_marker="c3"), id="two markers"),
        pytest.param(
            position("A.... ..... ..0.. ..... ....B", 0, DICE, roll=[6, 6], markers_placed=5, last_marker="c3"),
            id="dice",
        ),
    ],
)
def test_positions_that_occur_in_no_game_can_be_created(wanted: dict[str, Any]) -> None:
    made = after(EDITOR.begin(wanted["params"]), *clicks_to(wanted))
    assert (made, EDITOR.problems(made)) == (wanted, [])


def test_land_replaces_land_but_not_a_ship() -> None:
    document = after(begun(), click("land-0", "c3"), click("land-1", "c3"))
    assert document["board"][2] == "..1.."
    with pytest.raises(ValueError, match=r"^there is a ship on a1; remove it first$"):
        after(document, click("land-0", "a1"))
    with pytest.raises(ValueError, match=r"^there is land on c3; remove it first$"):
        after(document, click("ship-1", "c3"))
    with pytest.raises(ValueError, match=r"^the other ship is on a1; remove it first$"):
        after(document, click("ship-1", "a1"))


def test_land_and_ships_can_be_removed() -> None:
    document = after(begun(), click("land-0", "c3"), click("take", "c3"), click("take", "a1"))
    assert (document["board"], document["ships"]) == (["....."] * 5, [None, "e5"])
    with pytest.raises(ValueError, match=r"^c3 is empty: there is nothing to remove$"):
        after(document, click("take", "c3"))


def test_a_land_action_ends_without_its_last_marker() -> None:
    in_progress = after(
        begun(), click("turns", text="2"), click("sea-land"), click("land-0", "c3"), click("marker", "c3")
    )
    assert (in_progress["markers_placed"], in_progress["last_marker"]) == (1, "c3")
    for clicks in ([click("take", "c3")], [click("sea")], [click("markers", text="0")]):
        ended = after(in_progress, *clicks)
        assert (ended["markers_placed"], ended["last_marker"]) == (0, None)


def test_the_last_marker_must_be_on_land_of_the_mover() -> None:
    document = after(begun(), click("turns", text="2"), click("sea-land"), click("land-1", "c3"))
    with pytest.raises(ValueError, match=r"^c3 is not land of player 0, whose turn it is$"):
        after(document, click("marker", "c3"))
    with pytest.raises(ValueError, match=r"^last marker placed: the land action is done; choose what is to do first$"):
        after(document, click("sea"), click("marker", "c3"))
    half_made = after(document, click("turn-1"), click("marker", "c3"), click("turn-0"))
    (problem,) = EDITOR.problems(half_made)
    assert (problem.line, problem.place) == ("last_marker: c3 is not land of player 0", "sq-c3")


def test_a_closed_in_ship_is_marked_as_the_problem() -> None:
    document = after(begun(), click("turns", text="2"), click("sea-land"), click("land-1", "a2"), click("land-1", "b1"))
    (problem,) = EDITOR.problems(document)
    assert (problem.line, problem.place) == ("ships: the game was already over before this turn", "sq-a1")


def test_one_die_is_adjusted_to_the_other() -> None:
    document, rolls = begun(dice=True), []
    for tool in ("high-5", "low-2", "high-1", "low-4", "no-roll", "low-3"):
        document = after(document, click(tool))
        rolls.append(document["roll"])
    assert rolls == [[5, 5], [5, 2], [1, 1], [4, 4], None, [3, 3]]
    assert not [tool for tool in EDITOR.tools(begun()) if tool.group == "higher die"]


def test_another_size_crops_or_extends_the_board() -> None:
    document = after(begun(size=7, dice=True), click("land-0", "c3"), click("land-1", "g1"), click("high-5"))
    small = EDITOR.answer(document, {"size": 5})["document"]
    assert (small["board"], small["ships"], small["roll"]) == (
        [".....", ".....", "..0..", ".....", "....."],
        ["a1", None],
        None,
    )
    large = EDITOR.answer(small, {"size": 6})["document"]
    assert large["board"] == ["......", "......", "..0...", "......", "......", "......"]
