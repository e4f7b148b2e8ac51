"""The tables of places and steps of Ghost Ship agree with the reference implementation on whole maps."""

from __future__ import annotations

import pytest

import edge_envs
from edge_envs import State
from edge_envs.core.spec import Record
from edge_envs.games.ghost_ship.map.geometry import NUM_PLACES, NUM_SPOTS, RIM, SPOTS
from edge_envs.games.ghost_ship.map.names import PLACE_NAMES
from edge_envs.games.ghost_ship.phases.choices import step_cost
from edge_envs.games.ghost_ship.state import TILE, WET
from tests.reference.ghost_ship import GhostShip
from tests.reference.ghost_ship_map import Chart

MAPS = 12


def laid(seed: int) -> State:
    """Return a tour on a random map."""
    state = edge_envs.load_game("ghost_ship", creation="random").new_initial_state(seed=seed)
    while state.is_chance_node():
        state.apply_action(state.sample_chance())
    return state


def record_and_chart(seed: int) -> tuple[Record, Chart]:
    """Return the same map in a record and in the reference implementation."""
    state = laid(seed)
    d = state.to_dict()
    return state.game.records_from_dict(d)[0], GhostShip.from_dict(d).chart


def exists(record: Record, place: int) -> bool:
    """Return whether the tables have a place."""
    if place >= RIM:
        return True
    square, spot = divmod(place, NUM_SPOTS)
    tile = record.squares[square]
    return bool(int(SPOTS[tile[TILE], tile[WET]]) >> 2 * spot & 3)


@pytest.mark.parametrize("seed", range(MAPS))
def test_a_map_has_about_320_places_which_match_the_reference_implementation(seed: int) -> None:
    record, chart = record_and_chart(seed)
    live = {PLACE_NAMES[place] for place in range(NUM_PLACES) if exists(record, place)}
    assert live == {name for name in PLACE_NAMES if chart.exists(name)}
    assert 290 <= len(live) <= 350


@pytest.mark.parametrize("seed", range(3))
def test_the_costs_of_all_steps_match_the_reference_implementation(seed: int) -> None:
    record, chart = record_and_chart(seed)
    live = [place for place in range(NUM_PLACES) if exists(record, place)]
    for place in live:
        name = PLACE_NAMES[place]
        record.pawn[0] = record.boat[0] = place
        kinds = (chart.overland, chart.coast, chart.put_to_sea, chart.land, chart.rim, chart.sail)
        wanted = {end: cost for kind in kinds for end, cost in kind(name).items()}
        found = {PLACE_NAMES[end]: int(step_cost(record, 0, place, end)) for end in live}
        assert {end: cost for end, cost in found.items() if cost} == wanted
