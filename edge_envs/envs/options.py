"""Arguments that several faces share, and their checks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from edge_envs.core.errors import InvalidPositionError
from edge_envs.core.game import Array, Game, Records, check_seed, fresh_seed
from edge_envs.core.nodes import TERMINAL

ILLEGAL_ACTION = ("raise", "forfeit")


def check_illegal_action(value: str) -> str:
    """`illegal_action` as it is; ValueError if it is neither "raise" nor "forfeit"."""
    return _check_choice("illegal_action", value, ILLEGAL_ACTION)


def check_render_mode(value: str | None, modes: Sequence[str]) -> str | None:
    """`render_mode` as it is; ValueError if this face has no such mode."""
    return None if value is None else _check_choice("render_mode", value, modes)


def _check_choice(name: str, value: str, choices: Sequence[str]) -> str:
    if value not in choices:
        raise ValueError(f"{name}={value!r} is not possible; it must be {' or '.join(map(repr, choices))}")
    return value


def check_count(name: str, value: int, high: int | None = None, low: int = 1) -> int:
    """A count of `low` or more (and at most `high`); ValueError otherwise."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < low or (high and value > high):
        upper = f" to {high}" if high else " or more"
        raise ValueError(f"{name}={value!r} is not possible; it must be an integer of {low}{upper}")
    return int(value)


def forfeit_rewards(game: Game, seat: int) -> list[float]:
    """Who plays an illegal action gets `min_utility`; the others share the opposite equally."""
    share = -game.min_utility / (game.num_players - 1)
    return [game.min_utility if player == seat else share for player in range(game.num_players)]


def start_records(game: Game, options: Mapping[str, Any] | None, count: int) -> Records:
    """`count` records at the start of a game, or at `options["position"]`; other keys are ignored."""
    records = game.new_records(count)
    if options is not None and "position" in options:
        position = game.records_from_dict(options["position"])
        if game.type.kernels.current_player(position[0]) == TERMINAL:
            raise InvalidPositionError("phase: the game is over in this position; nobody could play on")
        records[:] = position
    else:
        game.type.loops.new_games(records)
    return records


def lane_seeds(seed: int | Sequence[int] | Array | None, count: int) -> list[int]:
    """One seed per lane: s + i for a number s, a sequence as it is, from the operating system for None."""
    if seed is None:
        seed = fresh_seed()
    if isinstance(seed, Sequence | np.ndarray):
        if len(seed) != count:
            raise ValueError(f"{len(seed)} seeds were given for {count} lanes")
        return [check_seed(s) for s in seed]
    return [(check_seed(seed) + i) & (2**64 - 1) for i in range(count)]
