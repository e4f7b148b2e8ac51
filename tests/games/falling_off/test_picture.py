"""Drawn picture: places of pawns, dice and choices, and the clicks of every kind of action."""

from __future__ import annotations

import itertools
from typing import Any
from xml.etree import ElementTree

import pytest

import edge_envs
from edge_envs import State
from edge_envs.pictures.colours import LAST

START = [[0, 0, 0, 0], [0, 0, 0, 0]]


def position(**fields: Any) -> State:
    game = edge_envs.load_game("falling_off")
    d = {**game.new_initial_state(seed=0).to_dict(), "pawns": START, **fields}
    return game.state_from_dict(d)


def group_places(svg: str, piece: str) -> list[float]:
    """Return the x coordinates of the pieces with a name, from left to right."""
    groups = [group for group in ElementTree.fromstring(svg).iter() if group.get("data-piece") == piece]
    return sorted(float(str(group.get("transform")).split("(")[1].split(" ")[0]) for group in groups)


def texts(svg: str) -> list[str]:
    return [element.text or "" for element in ElementTree.fromstring(svg).iter() if element.tag.endswith("text")]


def ways(state: State) -> dict[str, tuple[str, ...]]:
    return {state.action_to_string(action): way for action, way in state.game.ways(state._record).items()}


def field(state: State, key: str) -> tuple[float, float]:
    """Return the left and right end of a place."""
    for element in ElementTree.fromstring(state.game.svg(state._record, keys=[key])).iter():
        if element.get("data-key") == key:
            left = float(str(element.get("x")))
            return left, left + float(str(element.get("width")))
    raise AssertionError(f"{key} is not drawn")


def test_a_move_is_a_click_on_a_pawn_and_then_on_a_space() -> None:
    state = position(phase="move", dice=[1, 2, 6], pawns=[[0, 4, 9, 14], START[1]])
    known = ways(state)
    assert known["move start 6"] == ("pawn-0-start", "space-0-6")
    assert known["move 4 9"] == ("pawn-0-4", "space-0-9")
    assert set(known) == {
        "move start 6", "move start 7", "move start 8", "move start 9", "move 4 6", "move 4 7", "move 4 8", "move 4 9",
    }  # fmt: skip


def test_a_pawn_falls_into_the_void() -> None:
    state = position(phase="move", dice=[5, 5, 6])
    assert ways(state)["move start off"] == ("pawn-0-start", "space-0-off")
    assert field(state, "space-0-off")[0] > field(state, "space-0-13")[1]


def test_dice_are_kept_or_rerolled_with_one_click() -> None:
    state = position(phase="reroll", dice=[2, 2, 5])
    assert ways(state) == {
        "keep": ("keep",),
        "reroll 2": ("reroll-2",),
        "reroll 2 2": ("reroll-2-2",),
        "reroll 5": ("reroll-5",),
        "reroll 2 5": ("reroll-2-5",),
        "reroll 2 2 5": ("reroll-2-2-5",),
    }


def test_all_rerolls_of_three_different_dice_fit_into_the_picture() -> None:
    state = position(phase="reroll", dice=[1, 2, 3])
    (width, _), keys = (
        state.game.type.module("picture").size(state.game.params),
        [way[0] for way in ways(state).values()],
    )
    ends = [field(state, key) for key in keys]
    assert len(ends) == 8
    assert all(0 <= left < right <= width for left, right in ends)
    in_order = sorted(ends)
    assert all(one[1] < other[0] for one, other in itertools.pairwise(in_order))


def test_every_key_has_a_place() -> None:
    state = position(phase="reroll", dice=[1, 2, 3])
    assert state.game.label("keep") is None


@pytest.mark.parametrize("place", [0, 4, 8, 12])
def test_a_pawn_stands_on_its_place(place: int) -> None:
    state = position(phase="move", dice=[1, 6, 6], pawns=[[place, place, place, 14], START[1]])
    name = "start" if place == 0 else str(place)
    left, right = field(state, f"space-0-{name}")
    xs = group_places(state.svg(), "pawn-0")
    assert len(xs) == 3
    assert all(left < x < right for x in xs)


def test_four_pawns_on_one_space_stand_in_two_rows() -> None:
    state = position(phase="move", dice=[1, 2, 6], pawns=[[7, 7, 7, 7], START[1]])
    left, right = field(state, "space-0-7")
    xs = group_places(state.svg(), "pawn-0")
    assert len(xs) == 4
    assert len(set(xs)) == 2
    assert left < xs[0] < xs[-1] < right


def test_the_picture_shows_who_has_fallen_and_what_to_do_next() -> None:
    game = edge_envs.load_game("falling_off", num_players=3, play_on=True)
    d = game.new_initial_state(seed=0).to_dict()
    state = game.state_from_dict(
        {
            **d,
            "pawns": [[14] * 4, [0] * 4, [0, 0, 4, 4]],
            "fallen": [0],
            "turn_player": 1,
            "phase": "move",
            "dice": [1, 2, 6],
        }
    )
    shown = texts(state.svg())
    assert "fell first" in shown
    assert "player 1 owes 1 turn and has 1 2 6: moves a pawn" in shown


def test_the_dice_show_their_pips() -> None:
    def pips(dice: list[int]) -> int:
        svg = position(phase="move", dice=dice).svg()
        return sum(element.tag.endswith("circle") for element in ElementTree.fromstring(svg).iter())

    assert pips([6, 6, 6]) - pips([1, 2, 6]) == 9


def test_the_last_move_is_marked_in_the_lane_of_its_player() -> None:
    state = position(phase="move", dice=[1, 2, 6], pawns=[[0, 0, 0, 4], [0, 4, 4, 4]])
    left, right = field(state, "space-0-9")
    lane = next(
        float(str(e.get("y")))
        for e in ElementTree.fromstring(state.game.svg(state._record, keys=["space-0-9"])).iter()
        if e.get("data-key")
    )
    state.apply_action(state.string_to_action("move start 9"))
    while state.current_player() != 1:
        state.apply_action(state.legal_actions()[0])
    marks = [e for e in ElementTree.fromstring(state.svg()).iter() if e.get("stroke") == LAST.light]
    assert {float(str(mark.get("y"))) for mark in marks} == {lane}
    assert left in {float(str(mark.get("x"))) for mark in marks}
    assert right > left


def test_a_player_who_owes_turns_after_a_storm_has_a_cloud() -> None:
    assert "×3" in texts(position(turns_owed=3).svg())
    assert not [text for text in texts(position().svg()) if text.startswith("×")]
