"""The cells of `over_the_edge` against a slow reference, which reads positions as JSON and knows only the rules."""

from __future__ import annotations

import functools
import json
import random
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import edge_envs
from edge_envs import Game
from edge_envs.core.cells import CellLayout
from edge_envs.games.over_the_edge.cells import cells
from edge_envs.games.over_the_edge.map.atlas import has_steps
from edge_envs.games.over_the_edge.map.charts import load_map
from edge_envs.games.over_the_edge.observation import read_observation
from tests.games.over_the_edge.test_twin import drawn_map
from tests.reference.over_the_edge import LAND, VOID, Chart, OverTheEdge

CARDS = {
    "fair_weather": 5, "favorable_winds": 4, "mutiny": 3, "scurvy": 3, "stormy_seas": 3, "severe_damage": 3,
    "dead_calm": 3, "loyal_crew": 3,
}  # fmt: skip
PHASES = [
    "home", "deal", "trim", "refill", "draw", "discard", "depart", "play", "second_step", "sets", "board", "take",
    "give", "answer", "over",
]  # fmt: skip
FAR = 63
CASES: list[tuple[str, dict[str, Any], int]] = [
    *((f"{name} {n}", {"map": name, "num_players": n}, 1) for name in ("pond", "flat_earth") for n in (2, 3, 4)),
    ("six", {"map": "pond", "num_players": 6, "max_turns": 30}, 1),
    ("no boarding", {"map": "pond", "boarding": False, "max_turns": 3}, 3),
    *((f"drawn {i}", {"map": drawn_map(i), "max_turns": 60}, 1) for i in range(6)),
]


@functools.cache
def chart_of(text: str) -> Chart:
    """Return the geometry of a map from the parameter `map` as JSON."""
    return OverTheEdge(map=json.loads(text)).chart


@functools.cache
def steps_to_win(text: str, space: str, home: str, winding: Fraction, sign: int) -> int:
    """Return the fewest steps from a place to its home port with a winding of this sign, at most `FAR`."""
    chart, reached, edge = chart_of(text), {(space, winding)}, [(space, winding)]
    for steps in range(FAR):
        if any(place == home and turned * sign > 0 for place, turned in edge):
            return steps
        ahead = [
            (target, turned + chart.turn(place, target))
            for place, turned in edge
            if place != home or turned == 0  # the game is over elsewhere
            for target in chart.neighbours(place)
        ]
        edge = [place for place in dict.fromkeys(ahead) if place not in reached]
        reached.update(edge)
    return FAR


@functools.cache
def drifts(text: str, space: str) -> int:
    """Return the cell `drifts` of a space."""
    chart, count = chart_of(text), 1
    if space in chart.ports:
        return 7
    while (space := chart.edgeward(space)) not in (VOID, LAND):
        count += 1
    return min(count, 5) if space == VOID else 6


def expected_cells(d: dict[str, Any], viewer: int, decider: int) -> dict[str, int]:
    """Return the cells of a position as JSON."""
    text, players = json.dumps(d["params"]["map"]), d["params"]["num_players"]
    chart, reach = chart_of(text), load_map(d["params"]["map"]).reach
    found: dict[str, int] = {}

    def number(player: int | None) -> int:
        return players if player is None or player < 0 else (player - viewer) % players

    for player, (ship, hand) in enumerate(zip(d["ships"], d["hands"], strict=True)):
        space, home, own = ship["space"], ship["home"], {}
        own["space"] = len(chart.spaces) if space is None else chart.spaces.index(space)
        own["home"] = len(chart.ports) if home is None else list(chart.ports).index(home)
        rounds, ahead, back = 0, FAR, FAR
        if space is not None:
            apart = chart.angle(space) - chart.angle(home)
            rounds = int((Fraction(ship["winding"]) - apart) / chart.sectors)
            rounds = max(-reach, min(reach, rounds))
            winding = apart + rounds * chart.sectors
            ahead, back = (steps_to_win(text, space, home, winding, sign) for sign in (1, -1))
        own["rounds"] = rounds + reach
        own["skip"] = min(ship["skip"], 2)
        own["turn"] = int(player == d["turn_player"] and d["phase"] != "over")
        own |= {kind: min(hand.get(kind, 0), most) for kind, most in CARDS.items()}
        own["hand"] = min(sum(hand.values()), 9)
        own["drifts"] = 0 if space is None else drifts(text, space)
        own |= {"clockwise": ahead, "anticlockwise": back, "steps": min(ahead, back)}
        found |= {f"{name}_{number(player)}": value for name, value in own.items()}
    kinds = list(CARDS)
    return found | {
        "phase": PHASES.index(d["phase"]),
        "then": [None, "play", "second_step", "end"].index(d.get("then")),
        "decider": number(decider),
        "target": number(d.get("target")),
        "take": kinds.index(d["take"]) if "take" in d else 8,
        "give": kinds.index(d["give"]) if "give" in d else 8,
        "winner": number(d.get("winner")),
        "stage": min(8 * d["turn"] // d["params"]["max_turns"], 7),
    }


def cells_of(game: Game, layout: CellLayout, d: dict[str, Any], viewer: int) -> dict[str, int]:
    """Return the cells by the names of their fields."""
    out = np.full(layout.size + 1, -9, np.int16)
    cells(game.records_from_dict(d)[0], viewer, out)
    assert out[-1] == -9, "written beyond the end"
    return {field.name: int(value) for field, value in zip(layout.fields, out, strict=False)}


@pytest.mark.parametrize(("params", "games"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_cells_are_those_of_the_reference(params: dict[str, Any], games: int) -> None:
    game = edge_envs.load_game("over_the_edge", **params)
    layout = game.type.cell_layout(game.params)
    assert layout is not None
    out, rng = np.full(layout.size + 1, -9, np.int16), random.Random(7)
    for seed in range(games):
        state = game.new_initial_state(seed=seed)
        while True:
            d = state.to_dict()
            for viewer in range(game.num_players):
                record = game.records_from_dict(d)[0]
                cells(record, viewer, out)
                expected = expected_cells(d, viewer, state.current_player())
                assert [field.name for field in layout.fields] == list(in_order(expected, layout))
                seen = {field.name: int(value) for field, value in zip(layout.fields, out, strict=False)}
                assert seen == expected
                assert out[-1] == -9
                assert all(0 <= seen[field.name] < field.values for field in layout.fields)
            if state.is_terminal():
                break
            state.apply_action(rng.choice(state.legal_actions()))


def in_order(expected: dict[str, int], layout: CellLayout) -> list[str]:
    """Return the names of the fields that the reference also has, in the order of the layout."""
    return [field.name for field in layout.fields if field.name in expected]


def test_cells_follow_from_the_observation() -> None:
    game = edge_envs.load_game("over_the_edge", map="pond", num_players=3)
    layout, rng, read = game.type.cell_layout(game.params), random.Random(3), game.new_records(1)[0]
    assert layout is not None
    found, again = np.zeros(layout.size, np.int16), np.zeros(layout.size, np.int16)
    for seed in range(3):
        state = game.new_initial_state(seed=seed)
        while not state.is_terminal():
            record = game.records_from_dict(state.to_dict())[0]
            for viewer in range(game.num_players):
                read_observation(np.asarray(state.observation_tensor(viewer)).astype(np.int64), read)
                cells(record, viewer, found)
                cells(read, viewer, again)
                assert found[:-1].tolist() == again[:-1].tolist()  # the stage follows from the turns used
            state.apply_action(rng.choice(state.legal_actions()))


def test_all_seats_have_the_same_cells_in_the_same_situation() -> None:
    game = edge_envs.load_game("over_the_edge", map="pond", num_players=3)
    layout, rng, state = game.type.cell_layout(game.params), random.Random(4), game.new_initial_state(seed=5)
    assert layout is not None
    while not state.is_terminal():
        d = state.to_dict()
        if d["phase"] not in ("home", "deal"):
            turned = d | {key: [d[key][-1], *d[key][:-1]] for key in ("ships", "hands")}
            turned |= {key: (d[key] + 1) % 3 for key in ("turn_player", "target") if key in d}
            for viewer in range(3):
                assert cells_of(game, layout, d, viewer) == cells_of(game, layout, turned, (viewer + 1) % 3)
        state.apply_action(rng.choice(state.legal_actions()))


def test_a_very_large_map_has_no_cells_for_steps() -> None:
    sectors = 500
    spaces = [{"id": f"A{s}", "cells": [[0, s]], **({"port": f"P{s}"} if s % 5 == 0 else {})} for s in range(sectors)]
    source = {"name": "large", "rings": 1, "sectors": sectors, "spaces": spaces}
    game = edge_envs.load_game("over_the_edge", map=source)
    assert not has_steps(load_map(source))
    layout = game.type.cell_layout(game.params)
    assert layout is not None
    assert "steps_0" not in [field.name for field in layout.fields]
    state = game.new_initial_state(seed=0)
    found = cells_of(game, layout, state.to_dict(), 1)
    assert (found["phase"], found["decider"], found["stage"]) == (0, 1, 0)
