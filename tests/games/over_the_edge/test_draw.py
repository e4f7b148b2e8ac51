"""The text picture of a position of Over the Edge: the disc, the ships and the cards."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import edge_envs
from edge_envs.games.over_the_edge.draw import WIDEST, disc
from edge_envs.games.over_the_edge.map.charts import SHIPPED, load_map
from tests.reference.over_the_edge import drawn, position

BAY = json.loads((Path(__file__).parent / "bay.json").read_text(encoding="utf-8"))

IN_PORT, AT_SEA, BESIDE = ["A0 A0", "B4 A0"], ["A2 A0", "B4 A0"], ["C3 A0", "C3 A4"]
CREW = {"loyal_crew": 3}
STORM_OR_SCURVY = {"stormy_seas": 3, "scurvy": 3}


def picture(ships: Sequence[str], hands: Sequence[dict[str, int]] = (), phase: str = "play", **entries: Any) -> str:
    """Return the picture of a position in the bay."""
    d = position(ships, hands, phase, **{"map": BAY, **entries})
    return str(edge_envs.load_game("over_the_edge", **d["params"]).state_from_dict(d))


def lines_of(*rows: str, ships: dict[str, str] | None = None, **entries: Any) -> list[str]:
    """Return the disc of a map drawn with letters, with ships in some spaces."""
    chart = load_map(drawn(*rows, **entries))
    return disc(chart, {chart.index[space]: players for space, players in (ships or {}).items()})


def test_a_whole_picture() -> None:
    hands = [{"fair_weather": 2, "mutiny": 1}, {}, {"dead_calm": 2}, {}]
    ships = ["A3 A4 7", "B4 B2", "B4 A0 -7/2 1", "- A0"]
    assert picture(ships, hands, deck={"scurvy": 3}, discards={"fair_weather": 1, "loyal_crew": 12}).splitlines() == [
        "bay   * port   (0) ship of player 0   ▒ land   ═ ║ brown line",
        "   0    1    2    3    4    5    6    7",
        "  ┌────┬────┬────┬────┬────┬────┬────┬────┐",
        "0 │A0* │A1  │A2  │A3  │A4* │A5  │A6  │A7  │",
        "  │    │    │    │(0) │    │    │    │    │",
        "  ├────┼════┼────┼────┼────┴────┼────┼────┤",
        "1 │B0  │B1  │B2* │B3  │B4       │▒▒▒▒│B7  │",
        "  │    │    │    │    │(12)     │▒▒▒▒│    │",
        "  ├────┼────┼────┼────┼────┬────┼────┼────┤",
        "2 │C0  │C1  │C2  │C3  │C4  │C5  │C6  │C7  │",
        "  │    │    │    │    │    │    │    │    │",
        "  └────┴────┴────┴────┴────┴────┴────┴────┘",
        "  ~~~~~~~~~~~~~~~~ the void ~~~~~~~~~~~~~~~",
        "ports: Lisbon A0, New Goa A4, Malta B2",
        "",
        "          space   home     winding  skip  hand",
        "player 0  A3      New Goa  7        0     2 fair_weather, 1 mutiny",
        "player 1  B4      Malta    5/2      0     -",
        "player 2  B4      Lisbon   -7/2     1     2 dead_calm",
        "player 3  fallen  Lisbon   0        0     -",
        "",
        "          fair_weather  favorable_winds  mutiny  scurvy  stormy_seas  severe_damage  dead_calm  loyal_crew",
        "deck      -             -                -       3       -            -              -          -",
        "discards  1             -                -       -       -            -              -          12",
        "",
        "turn 11 of 500, player 0 plays cards, or waits",
    ]


# The current task


@pytest.mark.parametrize(
    ("ships", "hands", "phase", "entries", "expected"),
    [
        (["- -", "- -"], [], "home", {"turn": 0}, "before the first turn, player 0 picks a home port"),
        (["A0 A0", "A0 A0"], [], "deal", {"turn": 0}, "before the first turn, player 0 is dealt 5 cards"),
        (IN_PORT, [{"scurvy": 6}], "trim", {}, "turn 11 of 500, player 0 discards, card by card, to 5"),
        (IN_PORT, [], "refill", {}, "turn 11 of 500, player 0 draws to 5 cards"),
        (IN_PORT, [CREW], "draw", {}, "turn 11 of 500, player 0 draws a card"),
        (AT_SEA, [], "draw", {"turn_player": 1}, "turn 11 of 500, player 1 draws a card"),
        (IN_PORT, [CREW], "discard", {}, "turn 11 of 500, player 0 discards a card"),
        (IN_PORT, [CREW], "depart", {}, "turn 11 of 500, player 0 sails, or stays in port"),
        (AT_SEA, [CREW], "play", {"max_turns": 60}, "turn 11 of 60, player 0 plays cards, or waits"),
        (AT_SEA, [], "second_step", {}, "turn 11 of 500, player 0 makes the second step of favorable_winds"),
        (
            AT_SEA, [STORM_OR_SCURVY], "sets", {"then": "play"},
            "turn 11 of 500, player 0 names the set of three that acts; then the turn goes on",
        ),
        (
            AT_SEA, [{}, STORM_OR_SCURVY], "sets", {"then": "end"},
            "turn 11 of 500, player 1, in the turn of player 0, names the set of three that acts; then the turn ends",
        ),
        (
            BESIDE, [CREW, CREW], "board", {"then": "second_step"},
            "turn 11 of 500, player 0 may board a ship; then the second step",
        ),
        (
            BESIDE, [CREW, CREW], "take", {"then": "end", "target": 1},
            "turn 11 of 500, player 0 boards player 1 and names the card to take; then the turn ends",
        ),
        (
            BESIDE, [{"scurvy": 1}, CREW], "give", {"then": "end", "target": 1, "take": "loyal_crew"},
            "turn 11 of 500, player 0 takes loyal_crew from player 1 and names the card to give; then the turn ends",
        ),
        (
            BESIDE, [{"scurvy": 1}, CREW], "answer",
            {"then": "end", "target": 1, "take": "loyal_crew", "give": "scurvy"},
            "turn 11 of 500, player 1, in the turn of player 0, gives loyal_crew for scurvy, or refuses; "
            "then the turn ends",
        ),
    ],
)  # fmt: skip
def test_the_last_line_states_the_current_task(
    ships: list[str], hands: list[dict[str, int]], phase: str, entries: dict[str, Any], expected: str
) -> None:
    assert picture(ships, hands, phase, **entries).splitlines()[-1] == expected


@pytest.mark.parametrize(
    ("ships", "entries", "expected"),
    [
        (
            ["A0 A0 8", "B4 A0"],
            {"winner": 0, "by_limit": False},
            "over: Player 0 wins: home in Lisbon after sailing round the world, in turn 11 of 500.",
        ),
        (
            ["- A0", "- A0"], {"winner": None, "by_limit": False},
            "over: Nobody wins: all ships have gone over the edge.",
        ),
        (
            ["A1 A0", "- A0"],
            {"winner": None, "by_limit": True, "turn": 500},
            "over: Nobody wins: no ship came home in 500 turns.",
        ),
    ],
)  # fmt: skip
def test_the_last_line_says_how_it_ended(ships: list[str], entries: dict[str, Any], expected: str) -> None:
    assert picture(ships, [], "over", **entries).splitlines()[-1] == expected


def test_a_ship_without_a_home_is_in_no_space() -> None:
    lines = picture(["A4 A4", "- -"], [], "home", turn=0, turn_player=1).splitlines()
    assert "player 0  A4     New Goa  0        0     -" in lines
    assert "player 1  -      -        0        0     -" in lines


# The disc


def test_a_space_of_several_cells_has_no_lines_inside() -> None:
    assert lines_of("abbcdefg", "hbbijklm", "nopqrstu", ports="d")[1:10] == [
        "  ┌────┬─────────┬────┬────┬────┬────┬────┐",
        "0 │a   │b        │c   │d*  │e   │f   │g   │",
        "  │    │         │    │    │    │    │    │",
        "  ├────┤         ├────┼────┼────┼────┼────┤",
        "1 │h   │         │i   │j   │k   │l   │m   │",
        "  │    │         │    │    │    │    │    │",
        "  ├────┼────┬────┼────┼────┼────┼────┼────┤",
        "2 │n   │o   │p   │q   │r   │s   │t   │u   │",
        "  │    │    │    │    │    │    │    │    │",
    ]


def test_a_space_across_the_wrap_has_no_line_at_the_ends() -> None:
    assert lines_of("xbcdefgx", ports="d", ships={"x": "3"})[1:-1] == [
        "  ╶────┬────┬────┬────┬────┬────┬────┬────╴",
        "0      │b   │c   │d*  │e   │f   │g   │x    ",
        "       │    │    │    │    │    │    │(3)  ",
        "  ╶────┴────┴────┴────┴────┴────┴────┴────╴",
    ]


def test_a_brown_line_runs_along_all_the_edges_of_its_two_spaces() -> None:
    assert lines_of("abbcdefg", "hiijklmn", ports="d", barriers=("ib", "ag"))[1:7] == [
        "  ┌────┬─────────┬────┬────┬────┬────┬────┐",
        "0 ║a   │b        │c   │d*  │e   │f   │g   ║",
        "  ║    │         │    │    │    │    │    ║",
        "  ├────┼═════════┼────┼────┼────┼────┼────┤",
        "1 │h   │i        │j   │k   │l   │m   │n   │",
        "  │    │         │    │    │    │    │    │",
    ]


def test_a_brown_line_may_turn_a_corner() -> None:
    assert lines_of("bbcdefgh", "bxijklmn", ports="d", barriers=("bx",))[1:8] == [
        "  ┌─────────┬────┬────┬────┬────┬────┬────┐",
        "0 │b        │c   │d*  │e   │f   │g   │h   │",
        "  │         │    │    │    │    │    │    │",
        "  │    ╔════┼────┼────┼────┼────┼────┼────┤",
        "1 │    ║x   │i   │j   │k   │l   │m   │n   │",
        "  │    ║    │    │    │    │    │    │    │",
        "  └────┴────┴────┴────┴────┴────┴────┴────┘",
    ]


def test_land_is_filled() -> None:
    assert lines_of("ab##cdef", "ghi#jklm", "nopqrstu", ports="c")[1:9] == [
        "  ┌────┬────┬─────────┬────┬────┬────┬────┐",
        "0 │a   │b   │▒▒▒▒▒▒▒▒▒│c*  │d   │e   │f   │",
        "  │    │    │▒▒▒▒▒▒▒▒▒│    │    │    │    │",
        "  ├────┼────┼────┐▒▒▒▒├────┼────┼────┼────┤",
        "1 │g   │h   │i   │▒▒▒▒│j   │k   │l   │m   │",
        "  │    │    │    │▒▒▒▒│    │    │    │    │",
        "  ├────┼────┼────┼────┼────┼────┼────┼────┤",
        "2 │n   │o   │p   │q   │r   │s   │t   │u   │",
    ]


def test_six_ships_fit_into_a_space() -> None:
    assert lines_of("abcd", ships={"b": "012345", "d": "0"})[2:6] == [
        "0 │a*  │b   │c   │d   │",
        "  │    │(01)│    │(0) │",
        "  │    │(23)│    │    │",
        "  │    │(45)│    │    │",
    ]


def test_a_long_id_is_cut() -> None:
    source = drawn("abcd")
    source["spaces"][0]["id"], source["spaces"][1]["id"] = "Southern_Ocean", "x" * 1000
    assert disc(load_map(source), {0: "01"})[2:5] == [
        "0 │Southern_O│xxxxxxxxxx│c         │d         │",
        "  │cean*     │xxxxxxxxx…│          │          │",
        "  │(01)      │          │          │          │",
    ]


def wide(sectors: int, rings: int) -> dict[str, Any]:
    """Return a map of one-cell spaces."""
    cells = [[ring, sector] for ring in range(rings) for sector in range(sectors)]
    spaces: list[dict[str, Any]] = [{"id": f"{ring}-{sector}", "cells": [[ring, sector]]} for ring, sector in cells]
    spaces[0]["port"] = "Lisbon"
    return {"name": "wide", "rings": rings, "sectors": sectors, "spaces": spaces}


@pytest.mark.parametrize(("sectors", "rings"), [(4, 128), (17, 30), (64, 8), (512, 1)])
def test_the_largest_maps_are_printed_in_pieces_that_show_every_space(sectors: int, rings: int) -> None:
    source = wide(sectors, rings)
    lines = disc(load_map(source), {0: "012345", 511 if sectors * rings == 512 else 9: "1"})
    assert max(map(len, lines)) <= WIDEST
    ids = [found.rstrip("*") for found in re.findall(r"\d+-\d+\*?", "\n".join(lines))]
    assert sorted(ids) == sorted(space["id"] for space in source["spaces"])


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_maps_are_drawn_in_one_piece(name: str) -> None:
    chart = load_map(name)
    lines = disc(chart, {})
    assert len(lines) == 2 + 3 * chart.rings + 1
    assert max(map(len, lines)) <= WIDEST
    ids = re.findall(r"[A-E]\d+\*?", "\n".join(lines))
    assert sorted(ids) == sorted(space.id + ("*" if space.port else "") for space in chart.spaces)
