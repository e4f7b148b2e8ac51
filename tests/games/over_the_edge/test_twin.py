"""The kernels of Over the Edge agree with the reference implementation in games and from random positions.

`tests/contract/test_twin.py` plays from the beginning of a game. Here positions are generated that are rare in games:
hands full of bad cards, ships side by side, at the rim and close to home, few cards in the heaps. Some maps are also
random. For longer runs:

    python -m tests.games.over_the_edge.test_twin 1000        # 1,000 seeds, from 0
    python -m tests.games.over_the_edge.test_twin 1000 5000   # 1,000 seeds, from 5000
"""

from __future__ import annotations

import functools
import json
import random
import sys
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from edge_envs.games.over_the_edge.map.charts import MapError, load_map
from tests.lockstep import Lockstep
from tests.reference.over_the_edge import BOARDING, CARDS, KINDS, PHASES, Chart, OverTheEdge, number

SEEDS = 20

BAY = json.loads((Path(__file__).parent / "bay.json").read_text(encoding="utf-8"))
MAP_SET = "random:0-9:rings=3:sectors=8:ports=3"
BAD = ["mutiny", "scurvy", "stormy_seas", "severe_damage"]


# Maps


def some_map(rng: random.Random) -> Any:
    """Return the pond, the bay, the flat earth, or a random map."""
    return rng.choice(["pond", "pond", BAY, "flat_earth", *[drawn_map(rng.randrange(40))] * 2, MAP_SET])


@functools.cache
def drawn_map(seed: int) -> dict[str, Any]:
    """Return a small random map that the loader accepts."""
    rng = random.Random(seed)
    while True:
        source = try_to_draw(rng)
        try:
            load_map(source)
        except MapError:
            continue
        return source


def try_to_draw(rng: random.Random) -> dict[str, Any]:
    """Return random spaces, land, brown lines and ports; the map may be invalid."""
    rings, sectors = rng.choice([1, 2, 3, 3, 4]), rng.choice([4, 5, 8, 9, 12])
    cells = [(ring, sector) for ring in range(rings) for sector in range(sectors)]
    land = [cell for cell in cells if rng.random() < rng.choice([0, 0.1, 0.2])]
    spaces = [[cell] for cell in cells if cell not in land]
    for _ in range(rng.choice([0, 2, 4])):
        merge(rng, spaces, sectors)
    rng.shuffle(spaces)
    names = [f"s{i}" for i in range(len(spaces))]
    entries: list[dict[str, Any]] = [
        {"id": name, "cells": [list(c) for c in own]} for name, own in zip(names, spaces, strict=True)
    ]
    for i in rng.sample(range(len(spaces)), min(rng.choice([1, 2, 4]), len(spaces))):
        entries[i]["port"] = f"Port {i}"
    source = {"name": "drawn", "rings": rings, "sectors": sectors, "spaces": entries, "land": [list(c) for c in land]}
    chart = Chart(source)
    pairs = [(one, other) for one in names for other in chart.neighbours(one) if one < other]
    source["barriers"] = [list(pair) for pair in rng.sample(pairs, min(rng.choice([0, 1, 3]), len(pairs)))]
    return source


def merge(rng: random.Random, spaces: list[list[tuple[int, int]]], sectors: int) -> None:
    """Join two neighbouring spaces unless the result is too wide."""
    one = rng.choice(spaces)
    ring, sector = rng.choice(one)
    beside = rng.choice([(ring + 1, sector), (ring, (sector + 1) % sectors)])
    other = next((space for space in spaces if beside in space and space is not one), None)
    if other is not None and 4 * len({s for _, s in one + other}) <= sectors:
        one += other
        spaces.remove(other)


# Random positions


def some_params(rng: random.Random) -> dict[str, Any]:
    """Return random parameters."""
    return {
        "num_players": rng.choice([2, 2, 3, 4, 6]),
        "map": some_map(rng),
        "boarding": rng.random() < 0.8,
        "max_turns": rng.choice([11, 12, 30, 500]),
        "hand_size": rng.choice([5, 5, 5, 2, 7]),
        "cards": rng.choice([CARDS, CARDS, {**CARDS, "mutiny": 0, "stormy_seas": 24, "dead_calm": 24}]),
        "calm_saves": rng.random() < 0.5,
    }


@functools.cache
def shipped_chart(name: str) -> Chart:
    """Return the chart of a shipped map."""
    return OverTheEdge(map=name).chart


def chart_of(source: Any) -> Chart:
    """Return the chart of a map given by name or as a dict; of a set of maps, the first one."""
    return shipped_chart(source) if isinstance(source, str) else Chart(source)


def some_ships(rng: random.Random, chart: Chart, count: int) -> list[dict[str, Any]]:
    """Return ships in few spaces, often together, or a step or drift from home after a voyage; some have fallen."""
    places = rng.sample(chart.spaces, min(rng.choice([1, 2, 3, 6]), len(chart.spaces)))
    ships = []
    for _ in range(count):
        home = rng.choice(list(chart.ports))
        near = chart.neighbours(home) + [space for space in chart.spaces if chart.edgeward(space) == home]
        space = rng.choice([*places, *places, *places, rng.choice(near or places)])
        rounds = rng.choice([0, 0, 0, 1, -1, 2]) if space != home or rng.random() < 0.01 else 0
        winding = (chart.angle(space) - chart.angle(home)) % chart.sectors + (rounds - 1) * chart.sectors
        if space == home and rng.random() < 0.99:
            winding = Fraction(0)
        if rng.random() < 0.01:
            winding += 1
        ship = {"space": space, "home": home, "winding": number(winding), "skip": rng.choice([0] * 8 + [1, 2])}
        if rng.random() < 0.1:
            ship = {"space": None, "home": home, "winding": 0, "skip": 0}
        ships.append(ship)
    return ships


def some_cards(rng: random.Random, kinds: list[str]) -> dict[str, int]:
    """Return a hand, often with a set or almost one."""
    cards = Counter(rng.choices(kinds, k=rng.choice([0, 1, 2, 4, 5, 6, 8])))
    for kind in rng.sample(BAD, rng.choice([0, 0, 1, 2, 3])):
        cards[kind] += rng.choice([2, 3, 3, 6])
    for kind in ["loyal_crew", "fair_weather", "favorable_winds", "dead_calm"]:
        cards[kind] += rng.choice([0, 0, 0, 1, 3])
    return {kind: cards[kind] for kind in KINDS if cards[kind]}


def some_position(rng: random.Random) -> dict[str, Any]:
    """Return a random position that may be invalid."""
    params = some_params(rng)
    chart, count = chart_of(params["map"]), params["num_players"]
    ships = some_ships(rng, chart, count)
    phase = rng.choice(
        [*PHASES, *(["map"] if params["map"] == MAP_SET else []), "draw", "draw", "play", "depart", "sets", *BOARDING]
    )
    d: dict[str, Any] = {
        "game": "over_the_edge",
        "params": params,
        "phase": phase,
        "turn_player": rng.randrange(count),
        "turn": rng.choice([0, 1, 9, 10, 10, 10, params["max_turns"] - 1]),
        **({"map": None if phase == "map" else 0} if params["map"] == MAP_SET else {}),
        "check_cards": False,
        "ships": ships,
        "hands": [some_cards(rng, KINDS) if ship["space"] or rng.random() < 0.01 else {} for ship in ships],
        "deck": rng.choice([CARDS, some_cards(rng, KINDS), {}]),
        "discards": rng.choice([{}, some_cards(rng, KINDS)]),
    }
    if phase in ("map", "home", "deal"):
        set_up(rng, d, list(chart.ports))
    if phase in ("sets", *BOARDING):
        d["then"] = rng.choice(["play", "second_step", "end"] if phase == "sets" else ["second_step", "end"])
    if phase in BOARDING:
        set_boarding(rng, d)
    if phase == "over":
        set_over(rng, d)
    return d


def set_up(rng: random.Random, d: dict[str, Any], ports: list[str]) -> None:
    """Choose homes and deal cards up to the turn player."""
    players, turn_player = range(len(d["ships"])), d["turn_player"]
    d["turn"] = 0 if rng.random() < 0.98 else 1
    for player in players:
        has_home = d["phase"] == "deal" or (d["phase"] == "home" and player < turn_player)
        home = rng.choice(ports) if has_home else None
        d["ships"][player] = {"space": home, "home": home, "winding": 0, "skip": 0}
        size = d["params"]["hand_size"]
        full = size if rng.random() < 0.98 else size - 1
        dealt = (
            0 if d["phase"] != "deal" or player > turn_player else full if player < turn_player else min(3, size - 1)
        )
        d["hands"][player] = dict(Counter(rng.choices(KINDS, k=dealt)))


def set_boarding(rng: random.Random, d: dict[str, Any]) -> None:
    """Put a target beside the mover, with a card to exchange."""
    mover = d["turn_player"]
    target = rng.choice([player for player in range(len(d["ships"])) if player != mover])
    if rng.random() < 0.95:
        d["ships"][target]["space"] = d["ships"][mover]["space"]
        d["ships"][target]["home"] = d["ships"][mover]["home"]
        d["ships"][target]["winding"] = d["ships"][mover]["winding"]
        d["hands"][target] = some_cards(rng, KINDS) if d["ships"][mover]["space"] else {}
    if d["phase"] == "answer" and rng.random() < 0.95:
        d["hands"][target]["loyal_crew"] = 3
    own = {
        "target": target if rng.random() < 0.95 else mover,
        "take": rng.choice([*d["hands"][target], "mutiny"]),
        "give": rng.choice([*d["hands"][mover], "mutiny"]),
    }
    for key in list(own)[: BOARDING.index(d["phase"])]:
        d[key] = own[key]


def set_over(rng: random.Random, d: dict[str, Any]) -> None:
    """Make the position an end of one of the three kinds."""
    d["winner"], d["by_limit"] = None, False
    kind = rng.choice(["won", "fallen", "limit"])
    for player, ship in enumerate(d["ships"]):
        if kind == "fallen":
            ship.update(space=None, winding=0, skip=0)
            d["hands"][player] = {}
    if kind == "won":
        d["winner"] = rng.randrange(len(d["ships"]))
        ship = d["ships"][d["winner"]]
        sectors = chart_of(d["params"]["map"]).sectors
        ship.update(space=ship["home"], winding=rng.choice([sectors, -sectors, 2 * sectors, 0]))
    if kind == "limit":
        d["by_limit"], d["turn"] = True, d["params"]["max_turns"]


# Kernels and reference implementation in lockstep


def restless_action(rng: random.Random, twin: OverTheEdge) -> int:
    """Choose a random action, preferably other than waiting."""
    actions = twin.legal_actions()
    return rng.choice([a for a in actions if twin.action_to_string(a) != "wait"] or actions)


LOCKSTEP = Lockstep(
    "over_the_edge", OverTheEdge, some_params, some_position, set_ups=12, followed=10, steps=30, game_steps=200,
    choose=restless_action,
)  # fmt: skip


# Tests


@pytest.mark.parametrize("seed", range(SEEDS))
def test_the_rules_match_the_reference_implementation_from_random_positions(seed: int) -> None:
    LOCKSTEP.compare_set_ups(seed)


@pytest.mark.parametrize("seed", range(SEEDS))
def test_the_rules_match_the_reference_implementation_in_games_with_random_parameters(seed: int) -> None:
    LOCKSTEP.compare_games(seed)


@pytest.mark.parametrize("seed", range(SEEDS))
def test_the_geometry_of_random_maps_matches_the_reference_implementation(seed: int) -> None:
    source = drawn_map(seed)
    found, chart = load_map(source), Chart(source)
    for i, space in enumerate(chart.spaces):
        assert [found.spaces[other].id for other in found.neighbours[i]] == chart.neighbours(space)
        assert list(found.turns[i]) == [chart.turn(space, other) for other in chart.neighbours(space)]
        target = found.drift_targets[i]
        if target >= 0:
            assert found.spaces[target].id == chart.edgeward(space)
            assert found.drift_turns[i] == chart.turn(space, chart.edgeward(space))
        else:
            assert chart.edgeward(space) not in chart.spaces


def test_random_positions_are_of_every_kind() -> None:
    rng = random.Random(0)
    drawn = [some_position(rng) for _ in range(1500)]
    read = [d for d in drawn if LOCKSTEP.twin_at(d)]
    assert {d["phase"] for d in read} == {*PHASES, "map"}
    assert {d["then"] for d in read if d["phase"] == "sets"} == {"play", "second_step", "end"}
    assert {(d["winner"] is None, d["by_limit"]) for d in read if d["phase"] == "over"} == {
        (True, True),
        (True, False),
        (False, False),
    }
    assert len(read) in range(400, 1100)


if __name__ == "__main__":
    LOCKSTEP.compare(*map(int, sys.argv[1:]))
