"""All states on a map share one chart, in every process, as long as a game holds the map."""

from __future__ import annotations

import gc
import json
import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import edge_envs
from edge_envs import Game
from edge_envs.games.over_the_edge.map import charts
from edge_envs.games.over_the_edge.map.atlas import MOST_MAPS, chart_of, crossing, map_of
from edge_envs.games.over_the_edge.map.charts import MapError, load_map
from tests.games.over_the_edge.test_twin import drawn_map

ROOT = Path(__file__).resolve().parents[3]
SOURCES: dict[str, Any] = {"pond": "pond", "flat_earth": "flat_earth"} | {f"drawn {i}": drawn_map(i) for i in range(12)}


def ring(number: int) -> dict[str, Any]:
    """Return a map of a single ring with one port. Each number gives a different map."""
    sectors = 4 + number % 13
    port = number // 13 % sectors
    spaces = [{"id": f"A{s}", "cells": [[0, s]], **({"port": "P"} if s == port else {})} for s in range(sectors)]
    return {"name": f"ring {number}", "rings": 1, "sectors": sectors, "spaces": spaces}


def skewed(quarter: int, rings: int) -> dict[str, Any]:
    """Return a map with two spaces a quarter of the circle wide, almost as far apart as possible, and others."""
    sectors = 4 * quarter
    left = [[0, s] for s in range(quarter)] + [[r, 0] for r in range(1, rings)]
    right = [[0, s] for s in range(quarter, 2 * quarter)] + [[r, 2 * quarter - 1] for r in range(1, rings)]
    taken = [*left, *right]
    others = [[r, s] for r in range(rings) for s in range(sectors) if [r, s] not in taken]
    spaces = [{"id": "left", "cells": left, "port": "P"}, {"id": "right", "cells": right}]
    spaces += [{"id": f"{r}/{s}", "cells": [[r, s]]} for r, s in others]
    return {"name": "skewed", "rings": rings, "sectors": sectors, "spaces": spaces}


def turned(source: dict[str, Any], by: int) -> dict[str, Any]:
    """Return a map rotated by some sectors."""
    sectors = source["sectors"]
    spaces = [{**space, "cells": [[r, (s + by) % sectors] for r, s in space["cells"]]} for space in source["spaces"]]
    return {**source, "spaces": spaces}


def sailing(source: Any) -> Game:
    """Return the game on a map."""
    return edge_envs.load_game("over_the_edge", map=source)


def has_own_chart(record: Any, source: Any) -> bool:
    """Return whether the kernels find the chart of a map for a record."""
    chart, found = chart_of(record), load_map(source)
    ways = [target for near in found.neighbours for target in near]
    lists = (chart.neighbours[: len(ways)], chart.ports[: len(found.ports)])
    return chart.sectors == found.sectors and [x.tolist() for x in lists] == [ways, list(found.ports)]


def forget() -> None:
    """Release maps that no game holds."""
    charts._load.cache_clear()
    gc.collect()


def fill(games: list[Game]) -> None:
    """Load games on different maps until the atlas is full."""
    with pytest.raises(MapError, match=f"games on {MOST_MAPS:,} maps are in use, which is the maximum"):
        games.extend(sailing(ring(number)) for number in range(MOST_MAPS + 1))


def played(game: Game, seed: int, transitions: int = 100) -> dict[str, Any]:
    """Return the position after this many transitions of seeded play."""
    state, rng = game.new_initial_state(seed=seed), np.random.default_rng(seed)
    for _ in range(transitions):
        if state.is_terminal():
            break
        state.apply_action(state.sample_chance() if state.is_chance_node() else int(rng.choice(state.legal_actions())))
    return state.to_dict()


@pytest.mark.parametrize("name", SOURCES)
def test_crossings_agree_with_exact_angles(name: str) -> None:
    check_crossings(SOURCES[name])


@pytest.mark.parametrize("quarter", [1, 2, 3])
@pytest.mark.parametrize("rings", [1, 2, 40])
def test_crossings_of_the_widest_spaces_agree_with_exact_angles(quarter: int, rings: int) -> None:
    for by in range(4 * quarter):
        check_crossings(turned(skewed(quarter, rings), by))


def check_crossings(source: Any) -> None:
    game, found = sailing(source), load_map(source)
    chart = chart_of(game.new_records(1)[0])
    for space, near in enumerate(found.neighbours):
        assert tuple(crossing(chart, space, other) for other in near) == found.crossings[space]
        if found.drift_targets[space] >= 0:
            assert crossing(chart, space, found.drift_targets[space]) == found.drift_crossings[space]


def test_games_on_several_maps_run_side_by_side() -> None:
    alone = {}
    for name, source in SOURCES.items():
        alone[name] = played(sailing(source), seed=1)
        forget()
    games = {name: sailing(source) for name, source in SOURCES.items()}
    assert {name: played(game, seed=1) for name, game in games.items()} == alone
    assert all(has_own_chart(game.new_records(1)[0], SOURCES[name]) for name, game in games.items())


def test_a_map_that_is_loaded_twice_is_stored_once() -> None:
    one, other = sailing(ring(0)), sailing(json.loads(json.dumps(ring(0))))
    assert map_of(one.new_records(1)[0]) is map_of(other.new_records(1)[0])


def test_the_atlas_does_not_grow_with_maps_no_longer_used() -> None:
    forget()
    for number in range(MOST_MAPS + 100):
        game = sailing(ring(number))
        assert has_own_chart(game.new_records(1)[0], ring(number))


def test_every_game_keeps_its_chart_when_the_atlas_is_full() -> None:
    games: list[Game] = []
    fill(games)
    assert len(games) > MOST_MAPS - 100
    assert all(has_own_chart(game.new_records(1)[0], ring(number)) for number, game in enumerate(games))
    games.pop()
    forget()
    one_more = sailing(ring(5_000)).new_records(1)[0]
    assert has_own_chart(one_more, ring(5_000))


def test_states_that_outlive_their_game_are_rejected_after_their_slot_is_reused() -> None:
    source = ring(5_000)
    game = sailing(source)
    records = game.new_records(1)
    loops, mask = game.compiled.loops, np.zeros(game.num_distinct_actions, np.int8)
    loops.new_games(records)
    records["space"], records["home"], records["phase"] = 0, 0, 7  # at sea, about to sail
    records["hands"] = 1
    del game
    forget()
    games: list[Game] = []
    fill(games)
    for look in (
        lambda: loops.legal_action_mask(records, mask),
        lambda: chart_of(records[0]),
        lambda: map_of(records[0]),
    ):
        with pytest.raises(MapError, match="no game on the map of this state is loaded"):
            look()
    games.clear()
    forget()
    again = sailing(source)
    assert map_of(records[0]) is map_of(again.new_records(1)[0])
    assert has_own_chart(records[0], source)
    loops.legal_action_mask(records, mask)
    assert mask.any()


@pytest.mark.parametrize("digest", [0, 1, 2**63, 2**64 - 1, 0x0123456789ABCDEF])
def test_a_record_with_any_other_digest_is_rejected(digest: int) -> None:
    record = sailing("pond").new_records(1)[0]
    record.map = digest
    for look in (chart_of, map_of):
        with pytest.raises(MapError, match="no game on the map of this state is loaded"):
            look(record)


def test_another_map_of_the_same_digest_is_rejected_while_the_first_is_stored() -> None:
    one, other = sailing(ring(1)), load_map(ring(2))
    vars(other)["digest"] = map_of(one.new_records(1)[0]).digest
    with pytest.raises(MapError, match="'ring 2' has the same digest as another map in use, 'ring 1'"):
        sailing(ring(2))
    assert has_own_chart(one.new_records(1)[0], ring(1))
    forget()
    assert has_own_chart(sailing(ring(2)).new_records(1)[0], ring(2))


# Other processes


def run(program: str, data: bytes = b"", **environment: str) -> str:
    """Return the output of a program that reads these bytes."""
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT, input=data, env={**os.environ, **environment}, capture_output=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode().strip()


GO_ON = """
import json, pickle, sys
state, env = pickle.load(sys.stdin.buffer)
state.apply_action(state.legal_actions()[-1])
batch = env.step(env.reset(seed=3).action_mask.argmax(1))
print(json.dumps([state.to_dict(), batch.observation.tolist()]))
"""

RECORDS_ALONE = """
import pickle, sys
import edge_envs
from edge_envs.games.over_the_edge.map.atlas import chart_of, map_of
from edge_envs.games.over_the_edge.map.charts import MapError
records, source = pickle.load(sys.stdin.buffer)
for look in (chart_of, map_of):
    try:
        look(records[0])
    except MapError as error:
        print(error)
game = edge_envs.load_game("over_the_edge", map=source)
print(map_of(records[0]).name, chart_of(records[0]).sectors)
"""

IN_A_FORK = """
import os
import edge_envs
from tests.games.over_the_edge.test_atlas import has_own_chart, ring, sailing
games = [sailing(ring(1))]
child = os.fork()
games.append(sailing(ring(3 if child else 2)))
assert has_own_chart(games[0].new_records(1)[0], ring(1))
assert has_own_chart(games[1].new_records(1)[0], ring(3 if child else 2))
assert child == 0 or os.waitpid(child, 0)[1] == 0
"""

COMPILED_ONCE = """
import edge_envs
from edge_envs.games.over_the_edge.rules import boardable
game = edge_envs.load_game("over_the_edge", map="pond")
record = game.new_records(1)[0]
record.boarding, record.hands[:], record.space[:] = 1, 1, 1
print(boardable(record), sum(boardable.stats.cache_hits.values()), sum(boardable.stats.cache_misses.values()))
"""


def test_pickled_states_and_environments_continue_in_a_process_without_their_map() -> None:
    source = drawn_map(7)
    state = sailing(source).new_initial_state(seed=2)
    env = edge_envs.vector_env("over_the_edge", num_envs=3, map=source)
    printed = run(GO_ON, pickle.dumps((state, env)))
    state.apply_action(state.legal_actions()[-1])
    batch = env.step(env.reset(seed=3).action_mask.argmax(1))
    assert json.loads(printed) == [state.to_dict(), batch.observation.tolist()]


def test_records_alone_need_a_game_on_their_map() -> None:
    source = ring(9)
    refused = "no game on the map of this state is loaded in this process"
    data = pickle.dumps((sailing(source).new_records(1), source))
    assert run(RECORDS_ALONE, data).splitlines() == [refused, refused, f"ring 9 {source['sectors']}"]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_forked_process_has_its_own_maps() -> None:
    run(IN_A_FORK)


def test_the_next_process_finds_compiled_kernels_and_its_own_charts(tmp_path: Path) -> None:
    first, second = (run(COMPILED_ONCE, EDGE_ENVS_CACHE_DIR=str(tmp_path), NUMBA_DISABLE_JIT="0") for _ in range(2))
    assert (first, second) == ("2 0 1", "2 1 0")


def test_charts_are_found_with_the_compiler_switched_off() -> None:
    chosen = "widest or several or twice or outlive or digest"
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-p", "no:xdist",
         "-W", "ignore:overflow encountered in scalar:RuntimeWarning", "-k", chosen, __file__],
        cwd=ROOT, env={**os.environ, "NUMBA_DISABLE_JIT": "1"}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-3000:]
