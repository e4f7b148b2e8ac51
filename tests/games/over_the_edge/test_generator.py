"""Generated maps: their names, that every one can be played, and that a name always means the same map."""

from __future__ import annotations

import hashlib
import itertools
import json
from typing import Any

import pytest

import edge_envs
from edge_envs.games.over_the_edge import GAME
from edge_envs.games.over_the_edge.draw import disc
from edge_envs.games.over_the_edge.map.charts import MapError, load_map, read_source
from edge_envs.games.over_the_edge.map.generator import RANGES, Recipe, generate_map, read_name
from edge_envs.games.over_the_edge.reports.drawings import read_drawing

MAP = GAME.parameters["map"]
SIZES = [
    ":rings=1:sectors=4:ports=2", ":rings=1:sectors=12:land=60:barriers=40", ":rings=2:sectors=4:ports=1:large=60",
    ":rings=3:sectors=8:ports=3", ":rings=3:sectors=12:ports=6:large=60",
    ":sectors=6:land=0:large=0:barriers=0:ports=3", ":rings=4:sectors=16:land=60:large=60:barriers=40",
    ":land=0:barriers=40", "", ":rings=8:ports=12:sectors=24",
]  # fmt: skip


def names(seeds: int) -> list[str]:
    """Return names of all sizes."""
    return [f"random:{seed}{size}" for size in SIZES for seed in range(seeds)]


def cell_faults(source: dict[str, Any]) -> list[str]:
    """Check the options of a map in another way than the generator: on its cells and spaces."""
    recipe, faults = read_name(source["name"]), []
    spaces = {space["id"]: [tuple(cell) for cell in space["cells"]] for space in source["spaces"]}
    cells = recipe.rings * recipe.sectors
    if len(source["land"]) > recipe.land * cells // 100:
        faults.append("land")
    if sum(len(own) for own in spaces.values() if len(own) > 1) > recipe.large * (cells - len(source["land"])) // 100:
        faults.append("large")
    if len(source["barriers"]) > recipe.barriers:
        faults.append("barriers")
    ports = [space for space in source["spaces"] if "port" in space]
    if len(ports) != recipe.ports or any(len(space["cells"]) > 1 for space in ports):
        faults.append("ports")
    if recipe.rings > 1 and any(space["cells"][0][0] == recipe.rings - 1 for space in ports):
        faults.append("a port at the rim")
    for name, own in spaces.items():
        ring, sector = own[0]
        if name != f"{chr(ord('A') + ring)}{sector}" or len(own) > 3:
            faults.append(name)
    return faults


@pytest.mark.parametrize("size", SIZES)
def test_every_generated_map_can_be_played_and_has_what_its_name_says(size: str) -> None:
    for seed in range(40):
        source = generate_map(f"random:{seed}{size}")
        chart = load_map(source)  # raises if a space cannot be reached or no voyage leads round the world
        assert cell_faults(source) == [], source["name"]
        assert all(chart.shortest_voyage(port) > 1 for port in chart.ports)
        assert generate_map(source["name"]) == source


def test_open_sea_has_no_land_large_spaces_and_barriers() -> None:
    source = generate_map("random:5:land=0:large=0:barriers=0:sectors=9:ports=4")
    assert source["land"] == source["barriers"] == []
    assert [space["cells"] for space in source["spaces"]] == [[[r, s]] for r in range(5) for s in range(9)]


def test_land_and_barriers_are_complete_where_there_is_room() -> None:
    for seed in range(20):
        source = generate_map(f"random:{seed}")
        assert (len(source["land"]), len(source["barriers"])) == (22, 5)


def test_seeds_give_different_maps() -> None:
    made = {json.dumps({**generate_map(f"random:{seed}"), "name": ""}) for seed in range(50)}
    assert len(made) == 50


def test_a_name_means_the_same_map_forever() -> None:
    digests = {
        name: hashlib.sha256(json.dumps(generate_map(name)).encode()).hexdigest()[:16]
        for name in ("random:0", "random:1:land=0", "random:7:rings=3:sectors=12:ports=3", "random:9:large=60")
    }
    assert digests == {
        "random:0": "7ad87a0617ea86ea",
        "random:1:land=0": "f65a4595cd41d26b",
        "random:7:rings=3:sectors=12:ports=3": "d28fc2390050a97f",
        "random:9:large=60": "5e8b096ffa703b87",
    }


def test_every_map_can_be_drawn_and_read_back() -> None:
    for name in names(2):
        chart = load_map(name)
        lines = [f"{chart.name}   ", *disc(chart, {})]
        lines += ["ports: " + ", ".join(f"{chart.spaces[port].port} {chart.spaces[port].id}" for port in chart.ports)]
        if chart.sectors < 12:
            assert load_map(read_drawing("\n".join(lines), "none")).neighbours == chart.neighbours


def test_names_are_kept_without_default_values_and_mean_the_same_map_as_their_dict() -> None:
    game = edge_envs.load_game("over_the_edge", map="random:7:ports=5:sectors=12")
    assert game.params["map"] == "random:7:sectors=12"
    assert game == edge_envs.load_game("over_the_edge", map="random:7:sectors=12:land=22")
    assert MAP.same("random:7:sectors=12", read_source("random:7:sectors=12"))
    assert "map='random:7:sectors=12'" in repr(game)
    position = game.new_initial_state(seed=3).to_dict()
    assert position["params"]["map"] == "random:7:sectors=12"
    assert game.state_from_dict(position).to_dict() == position


@pytest.mark.parametrize("name", ["random:", "random:-1", "random:1.5", f"random:{1 << 63}", "random:٣", "random:1:"])
def test_other_names_are_rejected(name: str) -> None:
    with pytest.raises(MapError, match=r"over_the_edge: map='random:.*expected"):
        edge_envs.load_game("over_the_edge", map=name)


def test_options_out_of_range_are_rejected() -> None:
    for option, (low, high) in RANGES.items():
        for value in (low - 1, high + 1, "", "x"):
            with pytest.raises(ValueError, match=f"{option} is .*; expected an integer from {low} to {high}"):
                read_name(f"random:3:{option}={value}")
    assert read_name("random:3:sectors=10:ports=5") == Recipe(3, sectors=10)
    with pytest.raises(ValueError, match="6 ports are too many for 10 sectors; the maximum is 5"):
        read_name("random:3:sectors=10:ports=6")


def test_a_generated_map_is_not_a_file() -> None:
    assert not MAP.is_file("random:7")
    assert not MAP.is_file("pond")
    assert not MAP.is_file({})
    assert MAP.is_file("pond.json")
    GAME.check_names_no_file({"map": "random:7"})


@pytest.mark.parametrize(("size", "players"), list(itertools.product(SIZES[3:6], (2, 4))))
def test_games_on_generated_maps_run_to_their_end(size: str, players: int) -> None:
    for seed in range(3):
        game = edge_envs.load_game("over_the_edge", map=f"random:{seed}{size}", num_players=players, max_turns=60)
        state = game.new_initial_state(seed=seed)
        while not state.is_terminal():
            state.apply_action(state.sample_chance() if state.is_chance_node() else state.heuristic_action())
        assert sum(state.rewards()) == pytest.approx(0.0)
