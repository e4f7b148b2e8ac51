"""Positions, moves and claims that the tests of the rules of Ghost Ship share."""

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
    """Return the game with these parameters."""
    return edge_envs.load_game("ghost_ship", **params)


def new_game(seed: int = 0, **params: Any) -> Any:
    """Return a new game."""
    return load(**params).new_initial_state(seed=seed)


def read(d: dict[str, Any]) -> Any:
    """Return the state of a position."""
    return load(**d["params"]).state_from_dict(d)


def at(players: Sequence[str], phase: str = "declare", **entries: Any) -> Any:
    """Return the state of a position on the tour."""
    return read(position(players, phase, **entries))


def travel(pawn: str, result: int = 5, others: Sequence[str] = (FAR,), **entries: Any) -> Any:
    """Return a state in which player 0 travels, by default with as many points as the result."""
    entries = {"result": result, "points": result, **entries}
    return at([pawn, *others], "travel", **{"declared": "travel", **entries})


def placing(name: str, laid: Mapping[str, str] | None = None) -> Any:
    """Return the state in which one of two players has a symbol tile in hand."""
    return read(setups.placing(name, laid))


def filling(phase: str, laid: Mapping[str, str] | None = None, **entries: Any) -> Any:
    """Return the state of a position in the filling."""
    return read(setups.filling(phase, laid, **entries))


def whole_map(phase: str, vacant: Sequence[str] = (), **entries: Any) -> Any:
    """Return the state with the map of `MAP`, with some vacant squares."""
    return read(setups.whole_map(phase, vacant, **entries))


def play(state: Any, *texts: str) -> Any:
    """Apply these actions and outcomes and return the state."""
    for text in texts:
        state.apply_action(state.string_to_action(text))
    return state


# Claims


def texts(state: Any) -> list[str]:
    """Return the strings of the legal actions, in the order of the ids."""
    return [state.action_to_string(action) for action in state.legal_actions()]


def goes(state: Any) -> set[str]:
    """Return the places to which the pawn can go."""
    return {text.split()[1] for text in texts(state) if text.startswith("go ")}


def now(state: Any, *keys: str) -> tuple[Any, ...]:
    """Return some entries of the position."""
    d = state.to_dict()
    return tuple(d[key] for key in keys)


def own(state: Any, player: int, *keys: str) -> tuple[Any, ...]:
    """Return some entries of a player."""
    entry = state.to_dict()["players"][player]
    return tuple(entry[key] for key in keys)


def turn_of(state: Any) -> tuple[Any, ...]:
    """Return the phase and the turn player."""
    return now(state, "phase", "turn_player")


def outcomes(state: Any) -> dict[str, float]:
    """Return the probabilities of the chance outcomes by their strings."""
    return {state.action_to_string(outcome): probability for outcome, probability in state.chance_outcomes()}


def evenly(*texts: str) -> dict[str, Any]:
    """Return equal probabilities of outcomes."""
    return {text: pytest.approx(1 / len(texts)) for text in texts}


def squares_of(state: Any) -> set[str]:
    """Return the squares where a tile can be placed."""
    return {text.split()[1] for text in texts(state) if text.startswith("tile")}


def ids(state: Any) -> dict[str, int]:
    """Return the ids of the legal actions."""
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
