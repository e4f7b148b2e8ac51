"""The text picture of a position of Ghost Ship: the map, the players and the turn, for each viewer.

By default the map is that of `ghost_ship_setups`. Players are written as there: pawn and boat.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

import edge_envs
from edge_envs import State
from edge_envs.games.ghost_ship.views.map_picture import LEGEND
from tests.games.ghost_ship.test_twin import eager_action
from tests.reference.ghost_ship import GhostShip, Shown
from tests.reference.ghost_ship_map import position_of
from tests.reference.ghost_ship_setups import ISLES, creation, filling, placing, position, whole_map

Position = dict[str, Any]

FAR = "A10.S"
RANDOM: Position = {"params": {"creation": "random"}}
TRAVEL: Position = {"declared": "travel", "result": 5, "points": 5}
HELD: list[dict[str, Any]] = [
    {"chits": {1: 2, 3: 1}, "gold": 1, "saved": 2},
    {"chits": {4: 1}, "lost": {2: 1}, "triple": (4, 2)},
    {"skip": 1},
]

# With a strait in F9, with land in the east and west; C3 has one with land in the north and south.
STRAITS = ISLES.replace(
    "# - o   .\n            |                   |\nG", "# - o - o\n            |                   |\nG"
)


def read(d: Position) -> State:
    """Return the state of a position."""
    return edge_envs.load_game("ghost_ship", **d["params"]).state_from_dict(d)


def seen(state: State, viewer: int | None) -> str:
    """Return what a viewer, or the public, sees."""
    return str(state) if viewer is None else state.observation_string(viewer)


def drawn(d: Position, viewer: int | None = None) -> list[str]:
    """Return the lines that a viewer, or the public, sees of a position."""
    return seen(read(d), viewer).splitlines()


def on_tour(*players: str, **entries: Any) -> list[str]:
    """Return the lines of a position on the tour, with at least two players."""
    return drawn(position([*players, *[FAR] * (2 - len(players))], **entries))


def tile(lines: Sequence[str], square: str) -> list[str]:
    """Return the three lines of a tile."""
    (row, column), first = position_of(square), len(LEGEND) + 2
    return [f"{line:<76}"[6 + 7 * column :][:7] for line in lines[first + 3 * row :][:3]]


def table(lines: Sequence[str], *names: str) -> dict[str, list[str]]:
    """Return the cells of lines in a table, by their names."""
    rows = {name: [line for line in lines if line.startswith(f"{name}  ")] for name in names}
    return {name: found[0].removeprefix(name).split() for name, found in rows.items() if found}


def row_of(lines: Sequence[str], player: int) -> dict[str, str]:
    """Return a player's line of the table, by the heads of its columns."""
    (head,) = [line for line in lines if line.lstrip().startswith("scout ")]
    starts = [i for i, letter in enumerate(head) if letter != " " and head[i - 1] == " "]
    (line,) = [line for line in lines if line.startswith(f"player {player}  ")]
    ends = [*starts[1:], max(len(head), len(line))]
    return {head[a:b].strip(): line[a:b].strip() for a, b in zip(starts, ends, strict=True)}


def test_a_whole_picture() -> None:
    d = position(
        ["C5.C0 G8.C0", "C5.K2 C3.C0", "B5.S"],
        own=HELD,
        symbols={"C5": "ruins", "A5": "storm"},
        chits={"A5": 1, "D5": 1, "C5": 1},
        ghost="D8",
    )
    assert drawn(d, viewer=1) == [
        "▒ land   · vacant   o circle   ^ hill, 6 takes gold, $ gold   * chit   @ ghost   0 scout, ⓪ boat of player 0",
        "k skull   s storm   h hostile   r ruins   f friendly   c chest   ? not seen",
        "         1      2      3      4      5      6      7      8      9     10",
        "        B0     B1     B2     B3     B4     B5     B6     B7     B8     B9",
        "",
        "A B33    o      o      o      o      s*     o      o      o      o      o    B10",
        "                      ▒▒▒                                ▒▒▒",
        "                      ▒▒▒            ②                   ▒▒▒",
        "B B32    o      o ▒▒▒▒▒6▒▒▒▒▒ o ▒▒▒▒ o      o      o ▒▒▒▒▒$▒▒▒▒▒ o      o    B11",
        "                      ▒▒▒           ▒▒▒                  ▒▒▒",
        "                      ▒①▒           ▒0▒                  ▒▒▒",
        "C B31    o      o      o      o      r*▒▒▒▒ o      o      o      o      o    B12",
        "                      ▒▒▒          1▒▒▒▒▒▒▒▒▒▒",
        "                      ▒▒▒           ▒▒▒▒▒▒▒▒▒▒",
        "D B30    o      o      o      o ▒▒▒▒▒$*▒▒▒▒▒$▒▒▒▒▒ o     @o      o      o    B13",
        "                      ▒▒▒    ▒▒▒    ▒▒▒    ▒▒▒",
        "                      ▒▒▒    ▒▒▒    ▒▒▒    ▒▒▒",
        "E B29    o      o      o      o      o      o      o      o      o      o    B14",
        "                      ▒▒▒    ▒▒▒                         ▒▒▒",
        "                      ▒▒▒    ▒▒▒                         ▒▒▒",
        "F B28    o      o ▒▒▒▒▒$▒▒▒▒▒ o      o      o      o ▒▒▒▒▒$▒▒▒▒▒ h      o    B15",
        "                      ▒▒▒                                ▒▒▒",
        "                      ▒▒▒                                ▒⓪▒",
        "G B27    o      o      s      o      o      c      s      k      k      o    B16",
        "",
        "        B26    B25    B24    B23    B22    B21    B20    B19    B18    B17",
        "",
        "          scout  boat   chits  lost  gold  saved  spins  skips  claim",
        "player 0  C5.C0  G8.C0  3      0     1     +2     -      -      -",
        "player 1  C5.K2  C3.C0  1      1     0     -      4 4    -      -",
        "player 2  -      B5.S   0      0     0     -      -      1      -",
        "",
        "out of the game: skull LLWW, storm LWLW, hostile LLWW, hostile LLLW, ruins LWLW, ruins LLWW,",
        "  friendly LWWW, friendly LWLW, friendly LLWW, friendly LLLW, chest LWWW, chest LLLW",
        "",
        "chits of player 1: 4; lost: 2; score 4",
        "shown by player 0: 1 1 3; since then 0 gained, 0 lost",
        "",
        "turn 10 of 400, player 0: declares",
    ]


# Tiles


@pytest.mark.parametrize(
    ("square", "expected"),
    [
        ("A4", ["       ", "   o   ", "       "]),
        ("A3", ["       ", "   o   ", "  ▒▒▒  "]),
        ("B2", ["       ", "   o ▒▒", "       "]),
        ("B4", ["       ", "▒▒ o ▒▒", "       "]),
        ("C3", ["  ▒▒▒  ", "   o   ", "  ▒▒▒  "]),
        ("B5", ["       ", "▒▒ o   ", "  ▒▒▒  "]),
    ],
)
def test_land_is_drawn_on_the_edges_of_land_and_a_circle_in_the_middle(square: str, expected: list[str]) -> None:
    assert tile(on_tour(FAR), square) == expected


def test_a_corner_is_land_if_no_edge_there_is_water() -> None:
    assert tile(on_tour(FAR), "C5") == ["  ▒▒▒  ", "   o ▒▒", "  ▒▒▒▒▒"]


def test_a_hill_is_land_except_at_its_wet_corners() -> None:
    assert tile(on_tour(FAR), "D5") == ["  ▒▒▒▒▒", "▒▒▒$▒▒▒", "  ▒▒▒  "]


def test_a_hill_shows_whether_it_receives_gold_and_has_some() -> None:
    lines = drawn(whole_map("ghost"))
    assert [tile(lines, square)[1] for square in ("B5", "D5")] == ["▒▒▒^▒▒▒", "▒▒▒$▒▒▒"]
    assert tile(on_tour(FAR, own=[{"gold": 1}]), "B3")[1] == "▒▒▒6▒▒▒"


def test_a_vacant_square_is_filled_with_dots() -> None:
    lines = drawn(creation("symbol"))
    assert tile(lines, "C3") == ["·······"] * 3
    assert tile(lines, "D5") == ["  ▒▒▒  ", "▒▒▒6▒▒▒", "  ▒▒▒  "]


def test_a_corner_beside_a_vacant_square_is_not_yet_land() -> None:
    lines = drawn(filling("stack", {"C5": "LLLW"}, left={"WWWW": 4}))
    assert tile(lines, "C5") == ["  ▒▒▒  ", "   o ▒▒", "  ▒▒▒  "]


@pytest.mark.parametrize(
    ("symbol", "square", "letter"),
    [
        ("skull", "B5", "k"), ("storm", "A5", "s"), ("hostile", "C5", "h"), ("ruins", "C5", "r"),
        ("friendly", "C5", "f"), ("chest", "C5", "c"),
    ],
)  # fmt: skip
def test_a_symbol_is_a_letter_in_the_circle(symbol: str, square: str, letter: str) -> None:
    assert tile(on_tour(FAR, symbols={square: symbol}), square)[1][2:5] == f" {letter}*"


def test_a_hidden_symbol_is_a_question_mark() -> None:
    assert tile(on_tour(FAR, symbols={"A5": "?"}, **RANDOM), "A5")[1] == "   ?*  "


def test_a_chit_is_drawn_beside_the_middle() -> None:
    lines = on_tour(FAR, symbols={"C5": "ruins", "A5": "storm"}, chits={"C5": 1, "D5": 1})
    assert [tile(lines, square)[1] for square in ("A5", "C5", "D5")] == ["   s   ", "   r*▒▒", "▒▒▒$*▒▒"]


def test_several_chits_on_a_tile_are_listed_below_the_map() -> None:
    lines = on_tour(FAR, symbols={"C5": "ruins", "A5": "storm"}, chits={"C5": 2})
    assert "more than one chit: C5 2" in lines
    assert not any("more than" in line for line in on_tour(FAR, symbols={"C5": "ruins"}))


@pytest.mark.parametrize(("square", "line"), [("A5", "  @o   "), ("D5", "▒▒@$▒▒▒"), ("C5", "  @o ▒▒")])
def test_the_ghost_is_drawn_left_of_the_middle(square: str, line: str) -> None:
    assert tile(on_tour(FAR, ghost=square), square)[1] == line


# Pawns


@pytest.mark.parametrize(
    ("player", "square", "expected"),
    [
        ("A4.S", "A4", ["   ⓪   ", "   o   ", "       "]),
        ("C5.S", "C5", ["  ▒▒▒  ", " ⓪ o ▒▒", "  ▒▒▒▒▒"]),
        ("A3.S", "A3", ["   ⓪   ", "   o   ", "  ▒▒▒  "]),
        ("B4.S", "B4", ["   ⓪   ", "▒▒ o ▒▒", "       "]),
        ("E3.S", "E3", ["  ▒▒▒  ", "   o ⓪ ", "  ▒▒▒  "]),
    ],
)
def test_a_boat_at_sea_is_on_a_water_edge(player: str, square: str, expected: list[str]) -> None:
    assert tile(on_tour(player), square) == expected


@pytest.mark.parametrize(
    ("player", "square", "expected"),
    [
        ("C5.C0", "C5", ["  ▒0▒  ", "   o ▒▒", "  ▒▒▒▒▒"]),
        ("B2.C0", "B2", ["       ", "   o 0▒", "       "]),
        ("B9.C0", "B9", ["       ", "▒0 o   ", "       "]),
        ("C3.C0", "C3", ["  ▒0▒  ", "   o   ", "  ▒▒▒  "]),
        ("C3.C1", "C3", ["  ▒▒▒  ", "   o   ", "  ▒0▒  "]),
        ("F9.C0", "F9", ["       ", "▒▒ o 0▒", "       "]),
        ("F9.C1", "F9", ["       ", "▒0 o ▒▒", "       "]),
    ],
)
def test_a_scout_in_the_circle_is_on_a_land_edge_of_its_region(player: str, square: str, expected: list[str]) -> None:
    assert tile(on_tour(f"{player} G3.C0", board=STRAITS), square) == expected


@pytest.mark.parametrize(
    ("player", "square", "expected"),
    [
        ("C5.K0", "C5", ["  ▒▒▒0 ", "   o ▒▒", "  ▒▒▒▒▒"]),
        ("C5.K2", "C5", ["  ▒▒▒  ", "   o ▒▒", " 0▒▒▒▒▒"]),
        ("C5.K3", "C5", [" 0▒▒▒  ", "   o ▒▒", "  ▒▒▒▒▒"]),
        ("D6.K1", "D6", ["▒▒▒▒▒  ", "▒▒▒$▒▒▒", "  ▒▒▒0 "]),
    ],
)
def test_a_scout_at_a_corner_is_in_that_corner(player: str, square: str, expected: list[str]) -> None:
    assert tile(on_tour(f"{player} G3.C0"), square) == expected


def test_a_scout_on_a_hill_is_on_its_land() -> None:
    assert tile(on_tour("D5.H G3.C0"), "D5") == ["  ▒0▒▒▒", "▒▒▒$▒▒▒", "  ▒▒▒  "]


def test_a_boat_ashore_is_on_the_land_of_its_side() -> None:
    assert tile(on_tour("D5.H C3.C1"), "C3") == ["  ▒▒▒  ", "   o   ", "  ▒⓪▒  "]


def test_pawns_at_one_place_are_drawn_side_by_side() -> None:
    lines = on_tour("C5.C0 C5.C0", "C5.C0 G3.C0")
    assert tile(lines, "C5")[0] == "  01⓪  "


def test_a_plus_marks_pawns_that_do_not_fit() -> None:
    lines = on_tour("C5.C0 C5.C0", "C5.C0 C5.C0", "C5.K0 G3.C0", "C5.K0 G3.C0")
    assert tile(lines, "C5")[0] == "  01+23"
    assert [row_of(lines, player)["boat"] for player in range(4)] == ["C5.C0", "C5.C0", "G3.C0", "G3.C0"]


def test_a_boat_on_the_rim_is_beside_its_circle() -> None:
    lines = on_tour("B3", "B12", "B23", "B31")
    assert lines[3].split() == ["B0", "B1", "B2", "B3", "⓪", *(f"B{i}" for i in range(4, 10))]
    assert "B23 ②" in next(line for line in lines if "B26" in line)
    below = lines[lines.index(next(line for line in lines if line.startswith("C B31"))) + 1]
    assert (below.split()[0], below.split()[-1]) == ("③", "①")
    assert below.startswith("  ③")


# Players


@pytest.mark.parametrize(
    ("own", "column", "expected"),
    [
        ({}, "chits", "0"),
        ({"chits": {1: 2, 4: 1}}, "chits", "3"),
        ({"lost": {1: 2, 4: 1}}, "lost", "3"),
        ({"gold": 2}, "gold", "2"),
        ({"saved": 2}, "saved", "+2"),
        ({"saved": -3}, "saved", "-3"),
        ({}, "saved", "-"),
        ({"triple": (4, 1)}, "spins", "4"),
        ({"triple": (4, 2)}, "spins", "4 4"),
        ({}, "spins", "-"),
        ({"skip": 2}, "skips", "2"),
        ({}, "skips", "-"),
        ({}, "claim", "-"),
        ({"claim": 0}, "claim", "on 0"),
    ],
)
def test_the_table_shows_public_information_about_players(own: dict[str, Any], column: str, expected: str) -> None:
    lines = on_tour("B5.C0 C5.C0", "D5.H A3.C0", own=[{}, own])
    assert row_of(lines, 1)[column] == expected


def test_the_table_shows_the_exact_places() -> None:
    lines = on_tour("C5.K2 G3.C0", "A4.S", "B7")
    assert [(row_of(lines, player)["scout"], row_of(lines, player)["boat"]) for player in range(3)] == [
        ("C5.K2", "G3.C0"), ("-", "A4.S"), ("-", "B7"),
    ]  # fmt: skip


# Private information


def shown(chits: dict[int, int], gained: int = 0, lost: int = 0) -> Shown:
    """Return what a player showed."""
    return Shown(Counter(chits), gained, lost)


def with_values(one: int, other: int) -> Position:
    """Return two separate players with chits of these values, who have each lost one of the same values."""
    return position(["C5.C0 C3.C0", FAR], own=[{"chits": {v: 1}, "lost": {v: 1}} for v in (one, other)])


def test_values_are_not_shown_to_the_public() -> None:
    assert drawn(with_values(1, 2)) == drawn(with_values(4, 3))


def test_values_of_others_are_not_shown_to_a_player() -> None:
    assert drawn(with_values(1, 2), viewer=0) == drawn(with_values(1, 4), viewer=0)


def test_players_see_the_values_of_their_own_chits_and_losses() -> None:
    d = position([FAR, "A1.S"], own=[{"chits": {1: 2, 3: 1}, "lost": {2: 2}, "gold": 2}])
    assert "chits of player 0: 1 1 3; lost: 2 2; score 9" in drawn(d, viewer=0)
    assert "chits of player 1: -; lost: -; score 0" in drawn(d, viewer=1)


def test_a_player_sees_what_others_showed() -> None:
    showings = [None, shown({4: 1, 2: 1}, gained=1, lost=2)]
    d = position(["A1.S", FAR], own=[{"shown": showings}, {"chits": {3: 1}, "lost": {4: 1, 2: 1}}])
    told_to = [any(line.startswith("shown by player 1: 2 4") for line in drawn(d, viewer)) for viewer in (0, 1, None)]
    assert told_to == [True, False, False]
    assert "shown by player 1: 2 4; since then 1 gained, 2 lost" in drawn(d, viewer=0)


@pytest.mark.parametrize("viewer", [None, 0, 1])
def test_at_the_end_everybody_sees_all_chits(viewer: int | None) -> None:
    held: list[dict[str, Any]] = [{"chits": {1: 2, 4: 1}, "lost": {3: 1}}, {"chits": {2: 1}, "gold": 2}]
    lines = drawn(position(["A1.S", FAR], "over", own=held, turn=400, by_limit=True), viewer)
    assert "chits of player 0: 1 1 4; lost: 3; score 6" in lines
    assert any(line.startswith("chits of player 1: 2; lost: ") and line.endswith("; score 4") for line in lines)
    assert not any(line.startswith("shown by") for line in lines)


# Tiles that are not on the board


def test_symbol_tiles_that_are_to_be_turned_up_are_listed_by_class() -> None:
    lines = drawn(creation("symbol"))
    assert table(lines, "storm", "ruins", "chest") == {
        "storm": ["2", "1", "1", "-", "-"],
        "ruins": ["-", "-", "1", "1", "1"],
        "chest": ["1", "1", "-", "-", "1"],
    }


def test_with_random_creation_only_classes_are_known() -> None:
    lines = drawn(creation("symbol", **RANDOM))
    assert table(lines, "symbol tiles", "storm") == {"symbol tiles": ["4", "5", "3", "4", "4"]}


def test_the_hand_the_stacks_and_discards_are_listed_by_kind() -> None:
    lines = drawn(filling("fill", left={"WWWW": 4}, hand_tiles={"LWWW": 3, "LLLL6": 1}))
    assert table(lines, "stacks", "hand", "discards") == {
        "stacks": ["4", "-", "-", "-", "-", "-", "-"],
        "hand": ["-", "3", "-", "-", "-", "1", "-"],
        "discards": ["10", "20", "12", "21", "14", "1", "4"],
    }
    assert "stacks of 0, 0, 0, 4" in lines


def test_tiles_that_left_the_game_are_listed() -> None:
    d = creation("symbol", dropped=["skull LLWW", "storm WWWW", "storm WWWW"], turn_player=1, decider=1)
    assert "out of the game: skull LLWW, storm WWWW, storm WWWW" in drawn(d)


def test_hidden_symbols_are_listed_by_class() -> None:
    lines = on_tour(FAR, symbols={"A5": "storm", "C5": "ruins", "A6": "?"}, **RANDOM)
    assert table(lines, "skull", "storm", "ruins") == {
        "skull": ["1", "1", "-", "1", "-"],
        "storm": ["1", "1", "1", "-", "-"],
        "ruins": ["-", "-", "1", "1", "-"],
    }


# The current task


@pytest.mark.parametrize(
    ("d", "expected"),
    [
        (creation("symbol"), "player 0: turns up a symbol tile"),
        (placing("skull LLWW"), "player 0: places skull LLWW"),
        (creation("place", hand_tiles={"LLWW": 1}, **RANDOM), "player 0: places LLWW"),
        (filling("stack", left={"WWWW": 4}), "player 0: picks a stack"),
        (filling("draw", left={"WWWW": 4}, to_draw=2), "player 0: draws 2 tiles"),
        (filling("fill", left={"WWWW": 4}, hand_tiles={"LWWW": 1}), "player 0: places tiles of the hand"),
        (whole_map("complete", ["C1", "G9"]), "player 0: draws a tile for C1"),
        (whole_map("ghost"), "player 1: puts the ghost on D5 or D6"),
    ],
)
def test_the_last_line_states_the_current_task_in_phase_1(d: Position, expected: str) -> None:
    assert drawn(d)[-1] == f"the archipelago, {expected}"


def storm(phase: str, **entries: Any) -> Position:
    """Return player 0 at sea in a storm."""
    return position(["A5.S", FAR], phase, symbols={"A5": "storm"}, **entries)


def ashore(phase: str, **entries: Any) -> Position:
    """Return player 0 in a circle."""
    return position(["C5.C0 G3.C0", FAR], phase, **entries)


BITTEN: Position = {"own": HELD[:2], "losers": [0, 1], "declared": "travel", "spun": [3, "N"]}


@pytest.mark.parametrize(
    ("d", "expected"),
    [
        (ashore("declare"), ": declares"),
        (ashore("spin", declared="search"), ", search: spins"),
        (
            ashore("ghost_back", declared="travel", spun=[4, "NW"], ghost="A5"),
            ", travel, spun 4 NW: puts the ghost back on D5 or D6",
        ),
        (
            position(["F6.S", "F6.S"], "lose", **BITTEN),
            ", travel, spun 3 N: the ghost takes a chit of players 0, 1",
        ),
        (
            position(["F6.S", FAR], "lose", own=[{"chits": {1: 1}}], losers=[0], arriving=True, **TRAVEL),
            ", travel, result 5, 5 points, comes to F6: the ghost takes a chit of player 0",
        ),
        (ashore("number", declared="travel"), ", travel: names the result"),
        (ashore("travel", **TRAVEL), ", travel, result 5, 5 points: goes on, or ends the turn"),
        (
            ashore("travel", decider=1, **TRAVEL),
            ", travel, result 5, 5 points, player 1 decides: goes on, or ends the turn",
        ),
        (
            ashore("travel", declared="travel", result=3, points=0, extra="chit", symbols={"C5": "ruins"}),
            ", travel, result 3, 0 points, may move a chit: goes on, or ends the turn",
        ),
        (
            ashore("travel", declared="travel", result=2, points=0, extra="ghost"),
            ", travel, result 2, 0 points, may move the ghost: goes on, or ends the turn",
        ),
        (
            storm("travel", movement_over=True, **TRAVEL),
            ", travel, result 5, 5 points, movement is over: goes on, or ends the turn",
        ),
        (
            position(
                ["F6.S", FAR], "lose", own=[{"chits": {1: 1}}], losers=[0], arriving=True, movement_over=True,
                taking_over=True, **TRAVEL,
            ),
            ", travel, result 5, 5 points, movement and taking are over, comes to F6: "
            "the ghost takes a chit of player 0",
        ),
        (storm("drift", declared="drift"), ", drift: spins again for the boat"),
        (storm("value", declared="salvage"), ", salvage: takes a chit"),
        (
            position(["A5.S", FAR], "reveal", symbols={"A5": "?"}, arriving=True, **TRAVEL, **RANDOM),
            ", travel, result 5, 5 points, comes to A5: reveals the symbol",
        ),
    ],
)  # fmt: skip
def test_the_last_line_states_the_current_task_on_the_tour(d: Position, expected: str) -> None:
    assert drawn(d)[-1] == f"turn 10 of 400, player 0{expected}"


@pytest.mark.parametrize(
    ("entries", "expected"),
    [
        ({"turn": 400, "by_limit": True}, "left on the map after turn 400, the last one."),
        ({"own": [{"gold": 6}]}, "over: Player 0 wins, 6 to 0: chits 0 and 6 gold × 1; player 1 chits 0."),
    ],
)
def test_the_last_line_says_how_it_ended(entries: Position, expected: str) -> None:
    assert drawn(position(["A1.S", FAR], "over", **entries))[-1].endswith(expected)


# Complete information


@pytest.mark.parametrize(("seed", "params"), list(enumerate([{}, {"num_players": 3, "creation": "random"}])))
def test_pictures_differ_if_and_only_if_the_players_information_differs(seed: int, params: dict[str, Any]) -> None:
    rng, twin = random.Random(seed), GhostShip(**params)
    views: dict[tuple[int | None, str], str] = {}
    pictures: dict[tuple[int | None, str], str] = {}
    for _ in range(300):
        if twin.current_player() == edge_envs.TERMINAL:
            break
        state = read(twin.to_dict())
        for viewer in (None, 0, 1):
            text, view = seen(state, viewer), json.dumps(twin.view(-1 if viewer is None else viewer))
            assert views.setdefault((viewer, text), view) == view
            assert pictures.setdefault((viewer, view), text) == text
        twin.apply(eager_action(rng, twin))
    assert len(views) > 500
