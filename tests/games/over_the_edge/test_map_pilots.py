"""The pilots used to measure maps: one position, one decision."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import edge_envs
from edge_envs.games.over_the_edge.map.charts import Map, load_map
from edge_envs.games.over_the_edge.map.routes import Routes, avoid_rim, off_the_rim, unit_cost
from edge_envs.games.over_the_edge.reports.contests import play_game
from edge_envs.games.over_the_edge.reports.pilots import RIM_COSTS, Pilot

BAY = Path(__file__).parent / "bay.json"

Hand = dict[str, int]


def world(*rows: str, ports: str) -> dict[str, Any]:
    """Return a map from its rings, inner ring first, with one letter for each space."""
    cells = {letter: [ring, sector] for ring, row in enumerate(rows) for sector, letter in enumerate(row)}
    spaces = [
        {"id": letter, "cells": [cell], **({"port": f"Port {letter}"} if letter in ports else {})}
        for letter, cell in cells.items()
    ]
    return {"name": "drawn", "rings": len(rows), "sectors": len(rows[0]), "spaces": spaces}


RING = world("abcdefgh", ports="ace")
TWO_RINGS = world("abcdefgh", "ijklmnop", ports="a")


def chosen(
    phase: str,
    space: str,
    hand: Hand,
    other: Hand | None = None,
    chart: dict[str, Any] = RING,
    player: int = 0,
    **own: Any,
) -> str:
    """Return the pilot's decision for `player`, after checking that it is legal.

    The home of ship 0 is space a, and the ship is clockwise of it in `space`. Ship 1 is in the same space and holds
    `other`.
    """
    sectors = {entry["id"]: entry["cells"][0][1] for entry in chart["spaces"]}
    ship = {"space": space, "home": "a", "winding": sectors[space], "skip": 0}
    game = edge_envs.load_game("over_the_edge", map=chart)
    position = {
        "game": game.name, "params": game.params_dict(), "phase": phase, "turn_player": 0, "turn": 0,
        "check_cards": False, "ships": [ship, ship], "hands": [hand, other or {}], "deck": {"mutiny": 1},
        "discards": {}, **own,
    }  # fmt: skip
    state = game.state_from_dict(position)
    assert state.current_player() == player
    text = Pilot(load_map(chart)).choose(state, np.random.default_rng(0))
    assert state.string_to_action(text) in state.legal_actions()
    return text


def test_the_home_port_is_random() -> None:
    game = edge_envs.load_game("over_the_edge", map="pond")
    pilot, rng = Pilot(load_map("pond")), np.random.default_rng(0)
    chosen_homes = {pilot.choose(game.new_initial_state(0), rng) for _ in range(50)}
    assert chosen_homes == {"home Jetty", "home Mill", "home Reeds"}


def test_a_pilot_leaves_with_cards_for_four_spaces() -> None:
    chart = world("abcdefgh", ports="ab")
    assert chosen("depart", "b", {"fair_weather": 3}, chart=chart) == "wait"
    assert chosen("depart", "b", {"fair_weather": 4}, chart=chart) == "fair c"
    assert chosen("depart", "b", {"favorable_winds": 2}, chart=chart) == "winds c"


def test_a_pilot_leaves_with_cards_for_the_next_port_on_its_route() -> None:
    assert chosen("depart", "c", {"fair_weather": 1}) == "wait"
    assert chosen("depart", "c", {"fair_weather": 2}) == "fair d"


def test_a_pilot_keeps_one_loyal_crew() -> None:
    assert chosen("discard", "a", {"fair_weather": 3, "loyal_crew": 1, "dead_calm": 1}) == "discard dead_calm"
    assert chosen("discard", "a", {"fair_weather": 3, "loyal_crew": 2}) == "discard loyal_crew"


def test_a_pilot_discards_the_kind_nearest_to_a_set() -> None:
    assert chosen("trim", "a", {"fair_weather": 1, "mutiny": 1, "scurvy": 2, "loyal_crew": 2}) == "discard scurvy"


def test_a_pilot_at_sea_sails_if_it_can() -> None:
    assert chosen("play", "f", {"mutiny": 2}) == "wait"
    assert chosen("play", "f", {"fair_weather": 1}) == "fair g"
    assert chosen("play", "f", {"fair_weather": 1, "favorable_winds": 1}) == "winds g"
    assert chosen("second_step", "f", {}) == "sail g"


def test_a_pilot_stops_in_a_port_if_it_has_the_card() -> None:
    assert chosen("play", "d", {"fair_weather": 1, "favorable_winds": 1}) == "fair e"
    assert chosen("play", "d", {"favorable_winds": 1}) == "winds e"


def test_a_pilot_calms_the_sea_before_the_third_storm_or_if_it_cannot_sail() -> None:
    assert chosen("play", "f", {"dead_calm": 3, "stormy_seas": 2, "fair_weather": 1}) == "calm"
    assert chosen("play", "f", {"dead_calm": 3, "stormy_seas": 1, "fair_weather": 1}) == "fair g"
    assert chosen("play", "f", {"dead_calm": 3, "stormy_seas": 1}) == "calm"


def test_a_mutiny_comes_first_on_the_rim_and_otherwise_last() -> None:
    hand = {"mutiny": 3, "scurvy": 3, "severe_damage": 3}
    assert chosen("sets", "b", hand, then="end") == "set mutiny"
    assert chosen("sets", "b", hand, chart=TWO_RINGS, then="end") in ("set scurvy", "set severe_damage")
    crew = {**hand, "loyal_crew": 1}
    assert chosen("sets", "b", crew, then="end") in ("set scurvy", "set severe_damage")


def test_a_pilot_boards_to_gain() -> None:
    hand, other = {"fair_weather": 1, "scurvy": 1}, {"favorable_winds": 1, "mutiny": 1}
    assert chosen("board", "b", hand, other, then="end") == "board 1"
    assert chosen("take", "b", hand, other, then="end", target=1) == "take favorable_winds"
    assert chosen("give", "b", hand, other, then="end", target=1, take="favorable_winds") == "give scurvy"
    assert chosen("board", "b", {"fair_weather": 1}, {"mutiny": 1}, then="end") == "no boarding"


def test_a_pilot_gives_what_completes_a_set() -> None:
    hand, other = {"scurvy": 1, "severe_damage": 1}, {"fair_weather": 1, "severe_damage": 2}
    assert chosen("give", "b", hand, other, then="end", target=1, take="fair_weather") == "give severe_damage"


def test_a_pilot_refuses_a_bad_exchange() -> None:
    own: dict[str, Any] = {"then": "end", "target": 1, "player": 1}
    hand, crew = {"scurvy": 1, "favorable_winds": 1}, {"loyal_crew": 3, "fair_weather": 1}
    assert chosen("answer", "b", hand, crew, take="fair_weather", give="scurvy", **own) == "refuse"
    assert chosen("answer", "b", hand, crew, take="fair_weather", give="favorable_winds", **own) == "accept"


# Routes


def all_routes(chart: Map) -> list[Routes]:
    return [Routes(chart, port, unit_cost) for port in chart.ports]


@pytest.mark.parametrize("name", ["flat_earth", "pond", str(BAY)])
def test_the_plain_route_is_the_shortest_voyage(name: str) -> None:
    chart = load_map(name)
    for port, routes in zip(chart.ports, all_routes(chart), strict=True):
        assert routes.cost(port, 0) == len(list(routes.route(port, 0))) == chart.shortest_voyage(port)


def test_more_rounds_than_needed_do_not_change_the_cost() -> None:
    chart = load_map("flat_earth")
    for routes in all_routes(chart):
        for space in range(len(chart.spaces)):
            assert routes.cost(space, 40) == routes.cost(space, 3)
            assert routes.cost(space, -40) == routes.cost(space, -3)


def test_the_careful_route_avoids_the_rim_where_the_shortest_does_not() -> None:
    chart = load_map("flat_earth")
    lisbon = chart.port_names.index("Lisbon")
    port = chart.ports[lisbon]
    plain, careful, inside = (
        [space for space, _ in Routes(chart, port, cost).route(port, 0)]
        for cost in (unit_cost, avoid_rim(chart, RIM_COSTS), off_the_rim(chart))
    )
    on_the_rim = [sum(chart.drifts_to_void[space] == 1 for space in way) for way in (plain, careful, inside)]
    assert on_the_rim[0] > 0
    assert on_the_rim[1:] == [0, 0]
    assert len(plain) < len(inside) <= len(careful)


def test_a_port_on_the_rim_costs_nothing_extra() -> None:
    chart = load_map(world("abcd", ports="ac"))
    assert [off_the_rim(chart)(space) for space in range(4)] == [1.0, float("inf"), 1.0, float("inf")]
    assert [avoid_rim(chart, (3.0,))(space) for space in range(4)] == [1.0, 4.0, 1.0, 4.0]


# Whole games


@pytest.mark.parametrize("kind", ["careful", "plain"])
@pytest.mark.parametrize("players", [2, 6])
@pytest.mark.parametrize("chart", [world("abcd", ports="a"), json.loads(BAY.read_text(encoding="utf-8"))])
def test_pilots_play_any_map_to_the_end(kind: str, players: int, chart: dict[str, Any]) -> None:
    game = edge_envs.load_game("over_the_edge", num_players=players, map=chart, max_turns=200)
    for seed in range(3):
        assert play_game(game, Pilot(load_map(chart), kind), seed)["phase"] == "over"
