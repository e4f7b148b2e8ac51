"""Drawn picture of Beyond The Edges of The Maps: its elements, and the clicks that select each action.

Boards are as in `test_rules.py`: `A` and `B` are the ships of players 0 and 1, `0` and `1` their land. Elements are
identified by their colours in the light theme.
"""

import re
from typing import Any
from xml.etree import ElementTree

import pytest

import edge_envs
from edge_envs.games.beyond_maps.draw import headline
from edge_envs.games.beyond_maps.picture import BOARD, COASTS, LANDS, MARGIN, TEXTURES
from edge_envs.games.beyond_maps.views.coasts import coasts, dots, hatching
from edge_envs.pictures import letters
from edge_envs.pictures.colours import BLACK, FAINT, INK, LAST, MARK, PLAYERS, WHITE
from tests.reference.beyond_maps import position

OPEN = "A.... ..... ..0.. ..... ....B"
DICE: dict[str, Any] = {"dice": True}
OVER: dict[str, Any] = {"sea_done": True, "land_done": True}
SVG = "{http://www.w3.org/2000/svg}"


def at(board: str, turn_player: int = 0, params: dict[str, Any] | None = None, **entries: Any) -> Any:
    """Return the state in a picture, with these parameters and these other entries of the position."""
    d = position(board, turn_player, params, **entries)
    return edge_envs.load_game("beyond_maps", **d["params"]).state_from_dict(d)


def drawn(state: Any, **options: Any) -> list[ElementTree.Element]:
    """Return all elements of the picture, in drawing order."""
    return list(ElementTree.fromstring(state.game.svg(state._record, **options)).iter())


def of(state: Any, tag: str, **attributes: str) -> list[ElementTree.Element]:
    """Return the elements of the picture with a tag and these attributes."""
    wanted = {name.replace("_", "-"): value for name, value in attributes.items()}.items()
    return [element for element in drawn(state) if element.tag == SVG + tag and wanted <= element.attrib.items()]


def texts(state: Any) -> list[str]:
    """Return all texts in the picture."""
    return [element.text or "" for element in drawn(state) if element.tag == SVG + "text"]


def middle(name: str, size: int) -> tuple[float, float]:
    """Return the middle of a square."""
    cell = BOARD / size
    return MARGIN + cell * (ord(name[0]) - ord("a") + 0.5), MARGIN + cell * (int(name[1:]) - 0.5)


def is_at(element: ElementTree.Element, name: str, size: int) -> bool:
    """Return whether a circle or group is centred on a square."""
    if "cx" in element.attrib:
        x, y = float(element.attrib["cx"]), float(element.attrib["cy"])
    else:
        moved = re.match(r"translate\((\S+) (\S+)\)", element.attrib["transform"])
        assert moved
        x, y = map(float, moved.groups())
    return bool(abs(x - middle(name, size)[0]) < 0.1 and abs(y - middle(name, size)[1]) < 2)


def ways(state: Any) -> dict[str, tuple[str, ...]]:
    """Return the clicks of each action by its text."""
    return {state.action_to_string(action): way for action, way in state.game.ways(state._record).items()}


def fill(state: Any, player: int) -> str | None:
    """Return the outlines of a player's land, or None."""
    found = of(state, "path", fill=LANDS[player].light)
    return found[0].attrib["d"] if found else None


# Land


def test_one_path_fills_the_land_of_a_player_and_runs_along_its_coasts() -> None:
    """The coast has the same curves; every square has the texture."""
    state = at("A.... .00.. ..0.. ...1. ....B")
    for player, squares in enumerate(([6, 7, 12], [18])):
        outline = coasts(squares, [], 5, BOARD / 5)
        assert fill(state, player) == outline
        assert [path.attrib["d"] for path in of(state, "path", stroke=COASTS[player].light)] == [outline]
        texture = (dots, hatching)[player]
        marks = " ".join(texture(square, 5, BOARD / 5) for square in squares)
        assert [path.attrib["d"] for path in of(state, "path", stroke=TEXTURES[player].light)] == [marks]


def test_without_land_there_is_no_path() -> None:
    """At the beginning there is only sea."""
    state = edge_envs.load_game("beyond_maps").new_initial_state()
    assert fill(state, 0) is None
    assert fill(state, 1) is None
    assert all(path.attrib["d"] for path in of(state, "path"))


@pytest.mark.parametrize(
    ("rows", "curves", "corners"),
    [
        ("0.. ... ...", 1, 4),
        ("00. 00. ...", 1, 4),
        ("00. 0.. ...", 1, 6),
        ("0.0 ... ...", 2, 8),
        ("000 0.0 000", 2, 8),  # a lake has its own coast
        ("0.. .0. ...", 1, 8),  # connected: a diagonal is a wall
        (".0. 0.0 .0.", 2, 16),  # it encloses
        ("0.. 10. ...", 1, 8),
        ("01. 10. ...", 2, 8),  # if both players' land touches there, neither is connected
    ],
)
def test_coasts(rows: str, curves: int, corners: int) -> None:
    """Each closed curve turns only at the corners of the land."""
    cells = rows.replace(" ", "")
    lands = [[square for square, cell in enumerate(cells) if cell == player] for player in "01"]
    path = coasts(lands[0], lands[1], 3, 30)
    assert (path.count("M"), path.count("Z"), path.count("q")) == (curves, curves, corners)


def test_a_coast_is_round_at_its_corners() -> None:
    """One square in the north-west, clockwise from its upper side."""
    assert (
        coasts([0], [], 5, 30)
        == "M 22.5 0 q 7.5 0 7.5 7.5 L 30 22.5 q 0 7.5 -7.5 7.5 L 7.5 30 q -7.5 0 -7.5 -7.5 L 0 7.5 q 0 -7.5 7.5 -7.5 Z"
    )


def test_textures_have_one_density_on_boards_of_all_sizes() -> None:
    """Two by two dots on the smallest squares, seven by seven on the largest."""
    assert dots(0, 18, 30).split("M")[1:] == [
        " 7.5 7.5 h 0.1 ",
        " 22.5 7.5 h 0.1 ",
        " 7.5 22.5 h 0.1 ",
        " 22.5 22.5 h 0.1",
    ]
    assert dots(0, 5, 108).count("M") == 49
    assert hatching(0, 18, 30) == "M 0 7.5 l 7.5 -7.5 M 0 22.5 l 22.5 -22.5 M 7.5 30 l 22.5 -22.5 M 22.5 30 l 7.5 -7.5"
    assert hatching(19, 18, 30).startswith("M 30 37.5 ")


# Ships and markers


def test_ships_are_on_their_squares_with_their_numbers() -> None:
    """Both are named pieces."""
    state = at(OPEN)
    for player, square in ((0, "a1"), (1, "e5")):
        (piece,) = of(state, "g", data_piece=f"ship-{player}")
        assert is_at(piece, square, 5)
        assert [text.text for text in piece.iter(f"{SVG}text")] == [str(player)]


@pytest.mark.parametrize(("mover", "square"), [(0, "a1"), (1, "e5")])
def test_the_ship_of_the_mover_has_a_white_disc(mover: int, square: str) -> None:
    """No other ship has one."""
    (disc,) = of(at(OPEN, mover), "circle", fill=WHITE.light)
    assert is_at(disc, square, 5)
    assert disc.attrib["stroke"] == PLAYERS[mover].light


def test_at_the_end_no_ship_has_a_disc() -> None:
    """No player is to move."""
    assert not of(at("000.. 000.. 000.. ..... ....B", **OVER), "circle", fill=WHITE.light)


def test_a_captured_ship_is_not_drawn_but_mentioned() -> None:
    """The text is next to the score of its owner."""
    state = at("000.. 000.. 000.. ..... ....B", **OVER)
    assert not of(state, "g", data_piece="ship-0")
    assert of(state, "g", data_piece="ship-1")
    assert texts(state).count("ship captured") == 1
    assert "ship captured" not in texts(at(OPEN))


def test_a_ring_marks_the_last_marker_of_a_land_action_in_progress() -> None:
    """The ring is white with a dark edge, so that it is visible on all land."""
    state = at(OPEN, sea_done=True, markers_placed=1, last_marker="c3")
    for colour in (BLACK, WHITE):
        (ring,) = of(state, "circle", stroke=colour.light)
        assert is_at(ring, "c3", 5)
        assert ring.attrib["fill"] == "none"
    assert not of(at(OPEN), "circle", stroke=WHITE.light)


# The frame and the lines below


@pytest.mark.parametrize("size", [5, 9, 18])
def test_letters_and_numbers_are_on_all_four_sides(size: int) -> None:
    """Each appears twice, aligned with its column or row."""
    state = edge_envs.load_game("beyond_maps", size=size).new_initial_state()
    faint = of(state, "text", fill=FAINT.light, font_size="12")
    for k in range(size):
        signs = [text for text in faint if text.text == chr(ord("a") + k)]
        numbers = [text for text in faint if text.text == str(k + 1)]
        assert len(signs) == len(numbers) == 2
        at_k = MARGIN + (k + 0.5) * BOARD / size
        assert all(float(text.attrib["x"]) == pytest.approx(at_k, abs=0.01) for text in signs)
        assert all(float(text.attrib["y"]) == pytest.approx(at_k + 4.3, abs=0.01) for text in numbers)


def test_the_size_is_the_same_for_all_boards() -> None:
    """Width and height are even, as videos require."""
    sizes = {
        (root.attrib["width"], root.attrib["height"])
        for size in (5, 12, 18)
        for root in drawn(edge_envs.load_game("beyond_maps", size=size).new_initial_state())[:1]
    }
    ((width, height),) = sizes
    assert int(width) % 2 == int(height) % 2 == 0


def test_the_score_is_shown_in_numbers_and_as_parts_of_a_bar() -> None:
    """The bar is the whole board."""
    state = at("A.000 .0000 ...0. 11... ....B")
    assert {"8 land", "2 land"} <= set(texts(state))
    (whole,) = of(state, "rect", height="14", stroke=INK.light, stroke_width="1.2")
    for player, count in enumerate((8, 2)):
        (part,) = of(state, "rect", fill=LANDS[player].light)
        width = float(whole.attrib["width"])
        assert float(part.attrib["width"]) == pytest.approx(width * count / 25, abs=0.01)
        left, end = float(part.attrib["x"]), float(part.attrib["x"]) + float(part.attrib["width"])
        start = float(whole.attrib["x"])
        assert (left if player == 0 else end) == pytest.approx(start if player == 0 else start + width, abs=0.01)


def test_without_land_the_bar_is_sea() -> None:
    """No part of the bar has a player's colour."""
    state = at("A.... ..... ..... ...1. ....B", 1)
    assert not of(state, "rect", fill=LANDS[0].light)
    assert of(state, "rect", fill=LANDS[1].light)


@pytest.mark.parametrize(
    ("entries", "words", "ticks"),
    [
        ({}, {"up to 6 steps", "up to 3 markers"}, 0),
        ({"params": {"sea_range": 1, "land_markers": 1}}, {"up to 1 step", "up to 1 marker"}, 0),
        ({"sea_done": True}, {"done", "up to 3 markers"}, 1),
        ({"land_done": True}, {"up to 6 steps", "done"}, 1),
        ({"sea_done": True, "markers_placed": 2, "last_marker": "c3"}, {"done", "2 of 3 placed"}, 1),
        ({"params": DICE}, {"the higher die", "the lower die"}, 0),
        ({"params": DICE, "roll": [5, 2]}, {"up to 5 steps", "up to 2 markers"}, 0),
    ],
)
def test_remaining_actions_of_a_turn(entries: dict[str, Any], words: set[str], ticks: int) -> None:
    """Sea and land with their limits, and a tick for each completed action."""
    state = at(OPEN, **entries)
    assert {"sea", "land", *words} <= set(texts(state))
    assert len(of(state, "path", stroke=INK.light, stroke_width="2.2")) == ticks


def test_in_the_first_turn_there_is_no_land_action() -> None:
    """The picture says so instead of `done`."""
    state = edge_envs.load_game("beyond_maps", size=5).new_initial_state()
    assert "not in turn 1" in texts(state)
    assert "done" not in texts(state)


def test_a_mover_without_a_ship_does_not_sail() -> None:
    """The ship may have been captured in this turn."""
    board = "000.. 000.. 000.. ..... ....B"
    state = at(board, markers_placed=1, last_marker="c3")
    assert "no ship" in texts(state)
    assert "ship captured" in texts(state)


@pytest.mark.parametrize(("roll", "pips"), [(None, 0), ([6, 1], 7), ([3, 2], 5)])
def test_two_dice_show_the_roll(roll: list[int] | None, pips: int) -> None:
    """The dice are blank before the roll."""
    state = at(OPEN, params=DICE, roll=roll)
    assert len(of(state, "rect", width="23", height="23")) == 2
    assert len(of(state, "circle", fill=INK.light)) == pips


def test_without_the_parameter_there_are_no_dice() -> None:
    """There are none at the end either."""
    assert not of(at(OPEN), "rect", width="23")
    assert not of(at("000.. 000.. 000.. ..... ....B", params=DICE, **OVER), "rect", width="23")


@pytest.mark.parametrize(
    ("board", "turn", "result"),
    [
        ("000.. 000.. 000.. ..... ....B", 2, "Player 0 wins: ship A is surrounded and captured; land 9 : 0."),
        ("000.. 000.. 00011 ...11 ...11", 2, "Player 0 wins: both ships are surrounded and captured; land 9 : 6."),
        ("A.... ..... ..... .1001 ...0B", 2, "Player 0 wins: ship B is surrounded; land 3 : 2."),
        ("A0... 0.... ..... ....1 ...1B", 2, "A draw: both ships are surrounded; land 2 : 2."),
        ("...1A ...1B ...00 ..... .....", 2, "A draw: the ships cannot move; land 2 : 2."),
        ("A.... ..1.. ..... ..... ....B", 399, "Player 1 wins: all 400 turns are over; land 0 : 1."),
    ],
)
def test_the_end_shows_the_winner_and_the_reason(board: str, turn: int, result: str) -> None:
    """The result replaces the remaining actions."""
    state = at(board, turn=turn, **OVER)
    assert state.is_terminal()
    assert result in texts(state)
    assert "sea" not in texts(state)


def test_the_headline_never_leaves_the_picture() -> None:
    """A long headline is drawn in a smaller font."""
    long = at(
        OPEN, params=DICE | {"max_turns": 1_000_000}, turn=999_990, roll=[6, 6], markers_placed=5, last_marker="c3"
    )
    sizes = []
    for state in (at(OPEN), long):
        line = headline(state._record)
        assert line in str(state)
        (text,) = [element for element in drawn(state) if element.text == line]
        sizes.append(float(text.attrib["font-size"]))
        assert letters.length(line, sizes[-1]) <= BOARD + 1
    assert sizes[0] == 13
    assert 7.5 < sizes[1] < 13


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_both_themes_have_their_colours(theme: str) -> None:
    """They have none of the other theme's colours."""
    state = at(OPEN)
    fills = {element.attrib.get("fill") for element in drawn(state, theme=theme)}
    assert LANDS[0].of(theme) in fills
    assert LANDS[0].of("dark" if theme == "light" else "light") not in fills


# Clicks


def test_a_sea_action_with_a_marker_is_two_squares() -> None:
    """The first click is the end of the ship, the second the marker, in each direction."""
    state = at("..... ..... ..A.. ..... ....B", land_done=True)
    found = ways(state)
    assert found["sea c2 n"] == ("sq-c2", "sq-c1")
    assert found["sea d3 e"] == ("sq-d3", "sq-e3")
    assert found["sea c4 s"] == ("sq-c4", "sq-c5")
    assert found["sea b3 w"] == ("sq-b3", "sq-a3")
    assert found["sea c3 w"] == ("sq-c3", "sq-b3")


def test_a_sea_action_without_a_marker_is_one_square() -> None:
    """In a corner no square is ahead."""
    assert ways(at("..... ..... ..A.. ..... ....B", land_done=True))["sea a1 -"] == ("sq-a1",)


def test_a_land_action_is_a_square_and_stop_a_button() -> None:
    """No other action is legal during a land action."""
    state = at(OPEN, markers_placed=1, last_marker="c3")
    assert ways(state) == {
        "land c2": ("sq-c2",),
        "land b3": ("sq-b3",),
        "land d3": ("sq-d3",),
        "land c4": ("sq-c4",),
        "stop": ("stop",),
    }


def test_if_sea_and_land_are_legal_the_first_click_chooses_one() -> None:
    """A square alone would be ambiguous."""
    found = ways(at(OPEN))
    assert found["sea c2 e"] == ("sea", "sq-c2", "sq-d2")
    assert found["sea e1 -"] == ("sea", "sq-e1")
    assert found["land c2"] == ("land", "sq-c2")
    assert {way[0] for way in found.values()} == {"sea", "land"}


def test_if_only_one_of_both_is_legal_it_needs_no_click() -> None:
    """Here no land action is possible, because there is no land."""
    found = ways(at("A.... ..... ..... ..... ....B"))
    assert found["sea c2 e"] == ("sq-c2", "sq-d2")
    assert all(key.startswith("sq-") for way in found.values() for key in way)


def test_there_are_no_clicks_before_the_roll_and_at_the_end() -> None:
    """These are not decisions."""
    assert ways(at(OPEN, params=DICE)) == {}
    assert ways(at("000.. 000.. 000.. ..... ....B", **OVER)) == {}


def test_only_keys_that_are_not_squares_are_buttons() -> None:
    """Squares have places in the picture and need no button."""
    game = edge_envs.load_game("beyond_maps")
    assert [game.label(key) for key in ("sea", "land", "stop", "sq-a1", "sq-r18")] == [
        "sea",
        "land",
        "stop",
        None,
        None,
    ]


def test_every_square_is_a_place_over_its_cell() -> None:
    """The full board has 324 squares but the picture has few elements."""
    state = edge_envs.load_game("beyond_maps").new_initial_state()
    keys = [f"sq-{chr(ord('a') + k % 18)}{k // 18 + 1}" for k in range(324)]
    elements = drawn(state, keys=keys)
    places = {element.attrib["data-key"]: element for element in elements if "data-key" in element.attrib}
    assert list(places) == keys
    assert len(elements) <= 800
    for key, place in places.items():
        x, y, width, height = (float(place.attrib[name]) for name in ("x", "y", "width", "height"))
        assert (x + width / 2, y + height / 2) == pytest.approx(middle(key[3:], 18), abs=0.02)
        assert 25 < width == height < 30


def test_rings_show_the_last_move_and_selectable_squares() -> None:
    """Rings are on squares; buttons have none."""
    state = at("..... ..... ..A.. ..... ....B", land_done=True)
    state.apply_action(state.string_to_action("sea c2 n"))
    elements = ElementTree.fromstring(state.svg()).iter()
    assert sum(element.attrib.get("stroke") == LAST.light for element in elements) == 2
    begun = at(OPEN, markers_placed=1, last_marker="c3")
    elements = ElementTree.fromstring(begun.svg(targets=True)).iter()
    assert sum(element.attrib.get("stroke") == MARK.light for element in elements) == 4


def test_all_viewers_see_the_same_picture() -> None:
    """Nothing is hidden in this game."""
    state = at(OPEN)
    assert state.svg(0) == state.svg(1) == state.svg() == state.clone().svg()
