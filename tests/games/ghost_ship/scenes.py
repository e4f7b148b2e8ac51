"""Positions of Ghost Ship, moves and claims about them: what the tests of its rules have in common."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

import edge_envs
from tests.reference import ghost_ship_setups as setups
from tests.reference.ghost_ship_setups import position

FAR = "A10.S"
AWAY = "G3.C0"  # a boat elsewhere
SYMBOLS = ["skull", "storm", "hostile", "ruins", "friendly", "chest"]
CLASSES = ["WWWW", "LWWW", "LWLW", "LLWW", "LLLW"]
FULL = {"1": 8, "2": 6, "3": 4, "4": 2}
BOX = [
    *("skull WWWW", "skull LWWW", "skull LLWW", "storm WWWW", "storm WWWW", "storm LWWW", "storm LWLW"),
    *("hostile LWWW", "hostile LLWW", "hostile LLLW", "ruins LWLW", "ruins LLWW", "ruins LLLW"),
    *("friendly LWWW", "friendly LWLW", "friendly LLWW", "friendly LLLW", "chest WWWW", "chest LWWW", "chest LLLW"),
]


# Positions


def load(**params: Any) -> edge_envs.Game:
    """The game with these parameters."""
    return edge_envs.load_game("ghost_ship", **params)


def new_game(seed: int = 0, **params: Any) -> Any:
    """A fresh game."""
    return load(**params).new_initial_state(seed=seed)


def read(d: dict[str, Any]) -> Any:
    """The state in a position."""
    return load(**d["params"]).state_from_dict(d)


def at(players: Sequence[str], phase: str = "declare", **entries: Any) -> Any:
    """The state in a position of the tour."""
    return read(position(players, phase, **entries))


def travel(pawn: str, result: int = 5, others: Sequence[str] = (FAR,), **entries: Any) -> Any:
    """Player 0 travelling, with as many points as the result unless said otherwise."""
    entries = {"result": result, "points": result, **entries}
    return at([pawn, *others], "travel", **{"declared": "travel", **entries})


def placing(name: str, laid: Mapping[str, str] | None = None) -> Any:
    """The state in which one of two players has a symbol tile in hand."""
    return read(setups.placing(name, laid))


def filling(phase: str, laid: Mapping[str, str] | None = None, **entries: Any) -> Any:
    """The state in a position of the filling."""
    return read(setups.filling(phase, laid, **entries))


def whole_map(phase: str, vacant: Sequence[str] = (), **entries: Any) -> Any:
    """The state with the map of `MAP`, some squares of which are vacant."""
    return read(setups.whole_map(phase, vacant, **entries))


def play(state: Any, *texts: str) -> Any:
    """The state after these decisions and outcomes."""
    for text in texts:
        state.apply_action(state.string_to_action(text))
    return state


# Claims


def texts(state: Any) -> list[str]:
    """What is possible here, in the order of the ids."""
    return [state.action_to_string(action) for action in state.legal_actions()]


def goes(state: Any) -> set[str]:
    """Where the pawn can go."""
    return {text.split()[1] for text in texts(state) if text.startswith("go ")}


def now(state: Any, *keys: str) -> tuple[Any, ...]:
    """Some entries of the position."""
    d = state.to_dict()
    return tuple(d[key] for key in keys)


def own(state: Any, player: int, *keys: str) -> tuple[Any, ...]:
    """Some entries of a player."""
    entry = state.to_dict()["players"][player]
    return tuple(entry[key] for key in keys)


def turn_of(state: Any) -> tuple[Any, ...]:
    """The phase and whose turn it is."""
    return now(state, "phase", "turn_player")


def outcomes(state: Any) -> dict[str, float]:
    """The outcomes of chance by their texts."""
    return {state.action_to_string(outcome): probability for outcome, probability in state.chance_outcomes()}


def evenly(*texts: str) -> dict[str, Any]:
    """Outcomes that are equally likely."""
    return {text: pytest.approx(1 / len(texts)) for text in texts}


def squares_of(state: Any) -> set[str]:
    """Where a tile can be placed."""
    return {text.split()[1] for text in texts(state) if text.startswith("tile")}


def ids(state: Any) -> dict[str, int]:
    """The ids of what is possible."""
    return {state.action_to_string(action): action for action in state.legal_actions()}


RANDOM: dict[str, Any] = {"params": {"creation": "random"}}

NO_SEA_LEFT = """
    1   2   3   4   5   6   7   8   9   10
A   .   .   o   .   o - o   .   o   .   .
            |                   |
B   .   o - # - o - o   .   o - # - o   .
            |       |           |
C   o - o   o   .   o - o   .   o   .   .
            |       |   |
D   o - o   o   o - # - # - o   .   .   .
            |   |   |   |
E   o - o   o   o   o   o   .   o   .   .
            |   |               |
F   .   o - # - o   .   .   o - # - o   .
            |                   |
G   .   .   o   .   .   .   .   o   .   .
"""
