"""The drawn picture of a position of Over the Edge, and the clicks of its actions."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import edge_envs
from edge_envs.core.state import State
from edge_envs.games.over_the_edge.pieces.deck import KINDS
from edge_envs.games.over_the_edge.views.hands import COLOURS, WORDS
from edge_envs.games.over_the_edge.views.lattice import CENTRE_X, CENTRE_Y, MIDDLE, RIM, Lattice, coast, outline
from edge_envs.pictures.colours import GOLD, LAST, PLAYERS
from tests.reference.over_the_edge import drawn, position

BAY = json.loads((Path(__file__).parent / "bay.json").read_text(encoding="utf-8"))
SVG = "{http://www.w3.org/2000/svg}"
AT_SEA, BESIDE = ["A2 A0", "B4 A0"], ["C3 A0", "C3 A4"]
CREW = {"loyal_crew": 3}


def set_up(ships: Sequence[str], hands: Sequence[dict[str, int]] = (), phase: str = "play", **entries: Any) -> State:
    d = position(ships, hands, phase, **{"map": BAY, **entries})
    return edge_envs.load_game("over_the_edge", **d["params"]).state_from_dict(d)


def parsed(state: State, **options: Any) -> ElementTree.Element:
    return ElementTree.fromstring(state.game.svg(state._record, **options))


def texts(state: State) -> list[str]:
    return [element.text or "" for element in parsed(state).iter(f"{SVG}text")]


def places_of_ships(state: State) -> dict[str, tuple[float, float]]:
    """Return the positions of ships on the disc."""
    found = {}
    for group in parsed(state).iter(f"{SVG}g"):
        if piece := group.get("data-piece"):
            x, y = map(float, re.findall(r"-?[\d.]+", group.attrib["transform"])[:2])
            found[piece] = x, y
    return found


def with_stroke(state: State, stroke: str, tag: str = "rect") -> list[ElementTree.Element]:
    return [element for element in parsed(state).iter(f"{SVG}{tag}") if element.get("stroke") == stroke]


def ring_and_sector(point: tuple[float, float], rings: int, sectors: int) -> tuple[int, int]:
    """Return the cell of a disc that contains a point."""
    x, y = point[0] - CENTRE_X, point[1] - CENTRE_Y
    ring = (math.hypot(x, y) - MIDDLE) / (RIM - MIDDLE) * rings
    return math.floor(ring), round(math.atan2(x, -y) / math.tau * sectors) % sectors


# Clicks


@pytest.mark.parametrize(
    ("ships", "hands", "phase", "entries", "expected"),
    [
        (
            ["- -", "- -"], [], "home", {"turn": 0},
            {"home Lisbon": "space-A0", "home New Goa": "space-A4", "home Malta": "space-B2"},
        ),
        (
            ["A0 A0", "B4 A0"], [{"scurvy": 2, "mutiny": 4}], "trim", {},
            {"discard scurvy": "card-0-scurvy", "discard mutiny": "card-0-mutiny"},
        ),
        (["A0 A0", "B4 A0"], [{"dead_calm": 1}], "discard", {}, {"discard dead_calm": "card-0-dead_calm"}),
        (
            ["A0 A0", "B4 A0"], [{"fair_weather": 1}], "depart", {},
            {
                "fair A1": "card-0-fair_weather space-A1",
                "fair A7": "card-0-fair_weather space-A7",
                "fair B0": "card-0-fair_weather space-B0",
                "wait": "wait",
            },
        ),
        (
            ["B4 A0", "A1 A0"], [{}, {"favorable_winds": 1, "dead_calm": 3, "stormy_seas": 1}], "play",
            {"turn_player": 1},
            {
                "winds A0": "card-1-favorable_winds space-A0",
                "winds A2": "card-1-favorable_winds space-A2",
                "calm": "calm",
                "wait": "wait",
            },
        ),
        (AT_SEA, [{"dead_calm": 2, "stormy_seas": 1}], "play", {}, {"wait": "wait"}),
        (AT_SEA, [{"dead_calm": 3}], "play", {}, {"wait": "wait"}),
        (
            AT_SEA, [], "second_step", {},
            {"sail A1": "space-A1", "sail A3": "space-A3", "sail B2": "space-B2"},
        ),
        (
            AT_SEA, [{}, {"stormy_seas": 3, "scurvy": 3, "mutiny": 3, "loyal_crew": 1}], "sets", {"then": "end"},
            {"set stormy_seas": "card-1-stormy_seas", "set scurvy": "card-1-scurvy"},
        ),
        (
            AT_SEA, [{"severe_damage": 4, "mutiny": 3}], "sets", {"then": "play"},
            {"set severe_damage": "card-0-severe_damage", "set mutiny": "card-0-mutiny"},
        ),
        (
            [*BESIDE, "C3 A0", "A3 A0"], [CREW, CREW, {}, CREW], "board", {"then": "end"},
            {"board 1": "ship-1", "no boarding": "no-boarding"},
        ),
        (
            BESIDE, [CREW, {"scurvy": 1}], "take", {"then": "end", "target": 1},
            {"take scurvy": "card-1-scurvy"},
        ),
        (
            BESIDE, [{"mutiny": 1}, CREW], "give", {"then": "end", "target": 1, "take": "loyal_crew"},
            {"give mutiny": "card-0-mutiny"},
        ),
        (
            BESIDE, [{"mutiny": 1}, CREW], "answer",
            {"then": "end", "target": 1, "take": "loyal_crew", "give": "mutiny"},
            {"accept": "accept", "refuse": "refuse"},
        ),
    ],
)  # fmt: skip
def test_clicks_of_every_kind_of_action(
    ships: list[str], hands: list[dict[str, int]], phase: str, entries: dict[str, Any], expected: dict[str, str]
) -> None:
    state = set_up(ships, hands, phase, **entries)
    ways = state.game.ways(state._record)
    assert {state.action_to_string(action): " ".join(way) for action, way in ways.items()} == expected
    assert set(ways) == set(state.legal_actions())
    keys = {key for way in ways.values() for key in way}
    shown = {element.get("data-key") for element in parsed(state, keys=keys).iter()} - {None}
    assert shown == {key for key in keys if state.game.label(key) is None}


def test_labels() -> None:
    game = edge_envs.load_game("over_the_edge")
    assert [game.label(key) for key in ("wait", "no-boarding", "accept", "refuse")] == [
        "wait", "no boarding", "accept", "refuse",
    ]  # fmt: skip
    assert game.label("calm") == "calm: discard three dead_calm and a stormy_seas"
    assert game.label("space-A0") is game.label("ship-1") is game.label("card-0-mutiny") is None


# The disc


def test_names_ids_and_the_headline_are_written() -> None:
    state = set_up(AT_SEA)
    written = texts(state)
    assert {"bay", "Lisbon", "New Goa", "Malta", "Old", "World", *(space["id"] for space in BAY["spaces"])} <= {
        *written
    }
    assert str(state).splitlines()[-1] in written


@pytest.mark.parametrize(
    ("space", "cells"), [("A0", {(0, 0)}), ("B3", {(1, 3)}), ("C6", {(2, 6)}), ("B4", {(1, 4), (1, 5)})]
)
def test_a_ship_is_drawn_in_its_space(space: str, cells: set[tuple[int, int]]) -> None:
    places = places_of_ships(set_up([f"{space} A0", "C1 A0"], turn_player=1))
    x, y = places["ship-0"]
    if len(cells) == 1:
        assert ring_and_sector((x, y), 3, 8) in cells
    else:  # on the line between both
        turn = math.atan2(x - CENTRE_X, CENTRE_Y - y) % math.tau
        assert turn == pytest.approx(math.tau * 4.5 / 8, abs=0.01)


def test_the_ship_of_a_space_across_the_wrap_is_drawn_on_the_wrap() -> None:
    chart = drawn("abcdefgh", "iklmnopi")
    x, y = places_of_ships(set_up(["i a", "d a"], map=chart))["ship-0"]
    assert math.atan2(x - CENTRE_X, CENTRE_Y - y) == pytest.approx(-math.tau / 16, abs=0.01)


@pytest.mark.parametrize(("space", "phase"), [("C3 A0", "play"), ("A4 A4", "depart")])
@pytest.mark.parametrize("count", [2, 3, 6])
def test_ships_in_one_space_do_not_overlap(space: str, phase: str, count: int) -> None:
    places = list(places_of_ships(set_up([space] * count, phase=phase)).values())
    assert len(places) == count
    assert min(math.dist(one, other) for one in places for other in places if one is not other) > 9


def test_a_ship_is_not_drawn_before_its_home_is_chosen() -> None:
    assert places_of_ships(set_up(["A0 A0", "- -"], phase="home", turn_player=1, turn=0)).keys() == {"ship-0"}
    assert "no home yet" in texts(set_up(["A0 A0", "- -"], phase="home", turn_player=1, turn=0))


def test_a_fallen_ship_is_drawn_in_the_void() -> None:
    state = set_up(["A2 A0", "- A0"])
    (fallen,) = (group for group in parsed(state).iter(f"{SVG}g") if group.get("data-piece") == "ship-1")
    assert fallen.get("data-motion") == "fall"  # pages show how it goes over the edge
    assert "over the edge" in texts(state)
    turned = [group.attrib["transform"] for group in parsed(state).iter(f"{SVG}g") if "rotate" in str(group.attrib)]
    x, y = map(float, re.findall(r"[\d.]+", turned[0])[:2])
    assert math.dist((x, y), (CENTRE_X, CENTRE_Y)) > RIM + 20


def test_homes_are_marked_at_their_ports() -> None:
    def badges(*ships: str) -> int:
        squares = [r for r in parsed(set_up(ships)).iter(f"{SVG}rect") if r.get("width") == r.get("height") == "9.5"]
        return len(squares)

    assert badges("A2 A0", "B4 A4", "C0 A0") == 3
    assert badges("A2 A0", "- A0") == 2


def test_brown_lines_are_drawn() -> None:
    def walls(chart: Any) -> int:
        return len([p for p in parsed(set_up(AT_SEA, map=chart)).iter(f"{SVG}path") if p.get("stroke-dasharray")])

    assert walls(BAY) == 1
    assert walls({**BAY, "barriers": []}) == 0


def test_names_are_escaped_and_fitted() -> None:
    chart = json.loads(json.dumps(BAY))
    chart["name"] = "<b>&"
    chart["spaces"][0] |= {"id": "<A>", "port": 'A "very" long name of a port & one that has no end at all'}
    state = set_up(["A2 <A>", "A2 <A>"], map=chart)
    assert {"<b>&", chart["spaces"][0]["port"]} <= {*texts(state)}
    names = [t for t in parsed(state).iter(f"{SVG}text") if t.text == chart["spaces"][0]["port"]]
    assert float(names[0].attrib["font-size"]) < 4
    keys = {element.get("data-key") for element in parsed(state, keys=["space-<A>"]).iter()}
    assert "space-<A>" in keys


def test_many_spaces_fit_the_limits() -> None:
    spaces: list[dict[str, Any]] = [
        {"id": f"{ring}.{sector}", "cells": [[ring, sector]], "port": f"Port {ring} of {sector}"}
        for ring in range(4)
        for sector in range(128)
    ]
    state = set_up(["0.0 0.0"] * 6, phase="depart", map={"name": "big", "rings": 4, "sectors": 128, "spaces": spaces})
    svg = state.game.svg(state._record)
    assert len(list(parsed(state).iter())) <= 800
    assert len(svg) <= 120_000


# Outlines


def corners(path: str) -> list[tuple[str, float, float]]:
    """Return the points of a path's commands, with their letters."""
    found = []
    for letter, numbers in re.findall(r"([MLA]) ([^MLAZ]*)", path):
        x, y = map(float, numbers.split()[-2:])
        found.append((letter, x, y))
    return found


def test_the_outline_of_a_cell_is_within_its_edges() -> None:
    lattice = Lattice(2, 4)
    drawn_corners = corners(outline(lattice, [(1, 0)], 5.0))
    assert [letter for letter, _, _ in drawn_corners] == ["M", "A", "L", "A", "L"]
    radii = {round(math.dist((x, y), (CENTRE_X, CENTRE_Y)), 1) for _, x, y in drawn_corners}
    assert radii == {RIM - 5, MIDDLE + lattice.depth + 5}


def test_cells_in_one_space_have_no_line_between() -> None:
    lattice = Lattice(3, 8)
    assert outline(lattice, [(1, 7), (1, 0), (2, 0)], 1.0).count("Z") == 1
    assert outline(lattice, [(1, 7), (2, 0)], 1.0).count("Z") == 2  # they touch in a corner alone
    ring = [(ring, sector) for ring in range(3) for sector in range(3) if (ring, sector) != (1, 1)]
    assert outline(lattice, ring, 1.0).count("Z") == 2  # round it and round what is left open


def test_land_beside_the_old_world_is_joined_to_it() -> None:
    lattice = Lattice(3, 8)
    assert coast(lattice, []).count("Z") == 1
    assert coast(lattice, [(0, 2)]).count("Z") == 1
    assert coast(lattice, [(1, 2)]).count("Z") == 2


# Hands and heaps


def test_a_hand_is_drawn_with_words_and_numbers() -> None:
    state = set_up(AT_SEA, [{"mutiny": 2, "loyal_crew": 1}])
    written = texts(state)
    assert written.count("mutiny") == written.count("crew") == 1
    assert not {*written} & {"scurvy", "fair", "winds"}
    two, one = (written[written.index(word) - 1] for word in ("mutiny", "crew"))
    assert (two, one) == ("2", "1")


@pytest.mark.parametrize(("count", "cards"), [(1, 1), (2, 2), (5, 5), (6, 5), (90, 5)])
def test_a_large_hand_stays_in_its_column(count: int, cards: int) -> None:
    state = set_up(AT_SEA, [dict.fromkeys(KINDS, count) | {"stormy_seas": 2, "scurvy": 2, "severe_damage": 2}])
    drawn_cards = [
        r for r in parsed(state).iter(f"{SVG}rect")
        if r.get("fill") == COLOURS[0].light and r.get("stroke")
    ]  # fmt: skip
    assert len(drawn_cards) == cards
    assert max(float(r.attrib["x"]) + float(r.attrib["width"]) for r in drawn_cards) <= 160 + 58


def test_a_heavy_frame_marks_two_cards_of_a_bad_kind() -> None:
    def heavy(hand: dict[str, int]) -> int:
        return len([r for r in parsed(set_up(AT_SEA, [hand])).iter(f"{SVG}rect") if r.get("stroke-width") == "2.6"])

    assert heavy({"scurvy": 1, "fair_weather": 5, "loyal_crew": 2, "dead_calm": 2}) == 0
    assert heavy({"scurvy": 2, "stormy_seas": 2, "severe_damage": 2, "mutiny": 2}) == 4


def test_heaps_are_drawn_as_numbers() -> None:
    state = set_up(AT_SEA, deck={"scurvy": 7, "mutiny": 6}, discards={"dead_calm": 1})
    written = texts(state)
    deck, discards = written.index("deck"), written.index("discards")
    assert written[deck + 1 : discards] == ["13 cards", "6", "7"]
    assert written[discards + 1 :] == ["1 card", "1"]


def test_each_kind_has_a_word_and_a_colour_of_its_own() -> None:
    assert len({*WORDS}) == len({*COLOURS}) == len(KINDS)


def test_rows_show_place_progress_and_turns_to_miss() -> None:
    written = texts(set_up(["A3 A4 7", "A4 A4 0 2", "B2 A0 -6"]))
    assert {"A3", "+0.88", "from New Goa"} <= {*written}
    assert {"New Goa, skips 2", "0"} <= {*written}
    assert {"Malta", "-0.75", "from Lisbon"} <= {*written}


# Highlights


@pytest.mark.parametrize(
    ("ships", "hands", "phase", "entries", "player"),
    [
        (AT_SEA, [], "play", {"turn_player": 1}, 1),
        (AT_SEA, [{}, {"stormy_seas": 3, "scurvy": 3}], "sets", {"then": "end"}, 1),
        (
            BESIDE, [{"mutiny": 1}, CREW], "answer",
            {"then": "end", "target": 1, "take": "loyal_crew", "give": "mutiny"}, 1,
        ),
        (BESIDE, [{"mutiny": 1}, CREW], "take", {"then": "end", "target": 1}, 0),
    ],
)  # fmt: skip
def test_the_player_to_act_is_highlighted(
    ships: list[str], hands: list[dict[str, int]], phase: str, entries: dict[str, Any], player: int
) -> None:
    state = set_up(ships, hands, phase, **entries)
    assert len(with_stroke(state, PLAYERS[player].light)) == 1
    assert not with_stroke(state, PLAYERS[1 - player].light)
    assert "2.2" in [circle.get("stroke-width") for circle in with_stroke(state, PLAYERS[player].light, "circle")]


def test_the_winner_has_a_frame_of_gold() -> None:
    won = set_up(["A2 A0", "A4 A4 8"], phase="over", winner=1, by_limit=False)
    assert len(with_stroke(won, GOLD.light)) == 1
    assert {"home: wins", "+1.00"} <= {*texts(won)}
    nobody = set_up(AT_SEA, phase="over", winner=None, by_limit=True, turn=500)
    assert not with_stroke(nobody, GOLD.light)


def test_cards_that_a_boarding_has_named_are_framed() -> None:
    entries: dict[str, Any] = {"then": "end", "target": 1, "take": "loyal_crew"}
    hands = [{"mutiny": 1, "loyal_crew": 1}, CREW]
    assert len(with_stroke(set_up(BESIDE, hands, "take", then="end", target=1), LAST.light)) == 0
    assert len(with_stroke(set_up(BESIDE, hands, "give", **entries), LAST.light)) == 1
    assert len(with_stroke(set_up(BESIDE, hands, "answer", **entries, give="mutiny"), LAST.light)) == 2


def test_the_size_depends_on_the_number_of_players_alone() -> None:
    def height(**params: Any) -> str:
        state = edge_envs.load_game("over_the_edge", **params).new_initial_state(1)
        return parsed(state).attrib["height"]

    assert height() == height(map="pond") == height(max_turns=3)
    assert int(height(num_players=6)) > int(height(num_players=5))
    assert all(int(height(num_players=number)) % 2 == 0 for number in range(2, 7))
