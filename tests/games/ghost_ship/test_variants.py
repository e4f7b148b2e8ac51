"""The small sea, other mixes of symbols, and open symbols."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

import edge_envs
from edge_envs import Game, InvalidPositionError, State
from edge_envs.games.ghost_ship.features import FAR_VIEW, action_tables
from edge_envs.games.ghost_ship.map.geometry import INSIDE, RIM_SIZE
from edge_envs.games.ghost_ship.map.names import SQUARE_NAMES
from edge_envs.games.ghost_ship.map.seas import SMALL_SEA
from edge_envs.games.ghost_ship.pieces.mixes import MIXES
from edge_envs.games.ghost_ship.pieces.tiles import NUM_SYMBOL_TILES, SYMBOL_TILES, SYMBOLS
from tests.reference.ghost_ship_map import SMALL


def small(**params: Any) -> Game:
    return edge_envs.load_game("ghost_ship", sea="small", **params)


def on_tour(game: Game, seed: int = 0) -> State:
    """Return the first position of the tour of a random layout."""
    state = game.new_initial_state(seed=seed)
    while state.is_chance_node():
        state.apply_action(state.sample_chance())
    return state


def played(state: State, seed: int = 0) -> list[State]:
    """Play a game with random actions, and return its positions."""
    rng, states = np.random.default_rng(seed), [state.clone()]
    while not state.is_terminal():
        state.apply_action(state.sample_chance() if state.is_chance_node() else int(rng.choice(state.legal_actions())))
        states.append(state.clone())
    return states


def test_the_small_sea_has_the_squares_and_circles_of_the_reference() -> None:
    assert [SQUARE_NAMES[square] for square in np.flatnonzero(INSIDE[SMALL_SEA])] == SMALL.squares
    assert len(SMALL.rim) == RIM_SIZE[SMALL_SEA]


def test_sizes_are_those_of_the_full_sea() -> None:
    one, other = edge_envs.load_game("ghost_ship_tour"), edge_envs.load_game("ghost_ship_small")
    assert one.observation_layout == other.observation_layout
    assert one.num_distinct_actions == other.num_distinct_actions


def test_a_small_game_never_leaves_the_small_sea() -> None:
    for state in played(on_tour(small(creation="random", max_turns=60)))[::5]:
        d = state.to_dict()
        places = {place.split(".")[0] for own in d["players"] for place in (own["pawn"], own["boat"])}
        circles = {f"B{circle}" for circle in range(22)}
        assert places | {d["ghost"]} <= {*SMALL.squares, *circles}
        assert [row for row in d["tiles"] if row == "-" * 10] == ["-" * 10] * 2
        assert sum(row.count("-") for row in d["tiles"]) == 40
        texts = [state.action_to_string(action) for action in state.legal_actions()]
        assert all(text.split()[1].split(".")[0] in {*SMALL.squares, *circles} for text in texts if text[:3] == "go ")


def test_a_boat_goes_round_the_rim_of_the_small_sea() -> None:
    state = on_tour(small(creation="random"), seed=3)
    d = state.to_dict()
    d["players"][0] |= {"pawn": "B21", "boat": "B21"}
    d |= {"phase": "travel", "declared": "travel", "result": 3, "points": 3}
    there = state.game.state_from_dict(d)
    texts = [there.action_to_string(action) for action in there.legal_actions()]
    assert texts == ["go B3.S", "go B0", "go B20", "end"]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"ghost": "A1"}, "ghost: A1 is not part of the sea"),
        ({"tiles": ["0" * 10] * 7}, "tiles: A1 is not part of the sea, so '0' is invalid there"),
        ({"chits": {"A1": 1}}, "chits: chits cannot be moved to a tile without land, so A1 can have at most 0"),
    ],
)
def test_things_outside_the_small_sea_are_rejected(changes: dict[str, Any], message: str) -> None:
    state = on_tour(small(creation="random"))
    with pytest.raises(InvalidPositionError, match=f"^{message}"):
        state.game.state_from_dict({**state.to_dict(), **changes})


@pytest.mark.parametrize("place", ["A1.S", "B22"])
def test_pawns_outside_the_small_sea_are_rejected(place: str) -> None:
    d = on_tour(small(creation="random")).to_dict()
    d["players"][0] |= {"pawn": place, "boat": place}
    with pytest.raises(InvalidPositionError, match=f"^players: player 0: this map has no {place}"):
        small(creation="random").state_from_dict(d)


def test_squares_of_the_full_sea_are_not_left_out() -> None:
    d = on_tour(edge_envs.load_game("ghost_ship_tour")).to_dict()
    tiles = [d["tiles"][0].replace("0", "-", 1), *d["tiles"][1:]]
    with pytest.raises(InvalidPositionError, match=r"^tiles: A1 is part of the sea, so '-' is invalid there"):
        edge_envs.load_game("ghost_ship_tour").state_from_dict({**d, "tiles": tiles})


def test_twelve_chits_of_a_small_game_are_never_known() -> None:
    last = played(on_tour(small(creation="random", max_turns=200)))[-1].to_dict()
    assert sum(last["pool"].values()) == 12 + sum(last["chits"].values())


def test_the_picture_shows_only_the_small_sea() -> None:
    state = on_tour(small(creation="random"))
    rows = [line[0] for line in str(state).splitlines()[4:20] if line[:1].isalpha() and line[1:2] == " "]
    assert rows == list("BCDEF")
    drawn = state.game.svg(state.game.records_from_dict(state.to_dict())[0], keys={"sq-A1", "sq-B3", "place-B21"})
    assert "sq-B3" in drawn
    assert "sq-A1" not in drawn


def test_steps_around_the_rim_of_the_small_sea_are_near_for_networks() -> None:
    tables = action_tables(SMALL_SEA)
    cell = 12 * 1 + 3  # the circle north of B3, in the row of A
    assert {int(tables[cell, 1207 + 560 + circle]) == FAR_VIEW for circle in (0, 1)} == {False}
    assert tables[cell, 1207 + 560 + 10] == FAR_VIEW


@pytest.mark.parametrize("sea", ["full", "small"])
@pytest.mark.parametrize("mix", MIXES)
def test_open_maps_have_the_symbols_of_their_mix(sea: str, mix: str) -> None:
    game = edge_envs.load_game("ghost_ship", creation="random", sea=sea, symbol_mix=mix, open_symbols=True)
    found = Counter(on_tour(game).to_dict()["symbols"].values())
    counts = SYMBOL_TILES[int(sea == "small"), MIXES.index(mix)].sum(axis=1).tolist()
    assert found == Counter(dict(zip(SYMBOLS, counts, strict=True)))
    assert sum(counts) == NUM_SYMBOL_TILES[int(sea == "small")]


def test_covered_symbols_are_revealed_and_open_ones_are_not() -> None:
    phases = {}
    for opened in (False, True):
        game = small(creation="random", max_turns=60, open_symbols=opened)
        phases[opened] = {state.to_dict()["phase"] for state in played(game.new_initial_state(seed=1))}
    assert "reveal" in phases[False]
    assert "reveal" not in phases[True]


def test_open_symbols_change_nothing_if_the_players_lay_the_archipelago() -> None:
    one, other = (small(open_symbols=opened).new_initial_state(seed=1) for opened in (False, True))
    assert one.chance_outcomes() == other.chance_outcomes()
    assert {**one.to_dict(), "params": None} == {**other.to_dict(), "params": None}
