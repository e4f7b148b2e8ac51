"""Arguments that several APIs share, and their checks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from edge_envs.core.checks.integers import integer_of
from edge_envs.core.checks.seeds import SEEDS, check_seed, fresh_seed
from edge_envs.core.errors import InvalidPositionError, ParameterError, in_short
from edge_envs.core.game import Game
from edge_envs.core.nodes import TERMINAL
from edge_envs.core.spec import Array, Records

MOST = 2**31 - 1
ILLEGAL_ACTION = ("raise", "forfeit")
FORFEITS = 'or make the environment with illegal_action="forfeit"'
"""Advice to programs that try illegal actions, such as the checkers of PettingZoo, Gymnasium and SB3."""


def check_illegal_action(value: str) -> str:
    """`illegal_action` as it is; ParameterError if it is neither "raise" nor "forfeit"."""
    return check_choice("illegal_action", value, ILLEGAL_ACTION)


def check_render_mode(value: str | None, modes: Sequence[str]) -> str | None:
    """`render_mode` as it is; ParameterError if this API has no such mode."""
    return None if value is None else check_choice("render_mode", value, modes)


def check_choice(name: str, value: str, choices: Sequence[str]) -> str:
    """An argument as it is; ParameterError if it is none of these texts."""
    if not isinstance(value, str) or value not in choices:
        raise ParameterError(f"{name}={in_short(value)} is not possible; it must be {' or '.join(map(repr, choices))}")
    return value


def check_count(name: str, value: int, high: int = MOST, low: int = 1) -> int:
    """A count from `low` to `high`; ParameterError otherwise."""
    number = integer_of(value)
    if number is None or not low <= number <= high:
        raise ParameterError(f"{name}={in_short(value)} is not possible; it must be an integer of {low} to {high}")
    return number


def check_lane(lane: int, num_envs: int) -> int:
    """The number of a lane; IndexError if there is no such lane."""
    number = integer_of(lane)
    if number is None or not 0 <= number < num_envs:
        raise IndexError(f"lane {in_short(lane)} does not exist; lanes are 0..{num_envs - 1}")
    return number


def check_words(words: Array, count: int) -> None:
    """TypeError or ValueError unless these are the words of so many generators, which compiled loops may write."""
    if not isinstance(words, np.ndarray) or words.dtype != np.uint64:
        given = words.dtype if isinstance(words, np.ndarray) else type(words).__name__
        raise TypeError(f"words must be a NumPy array of uint64, one per lane, not {given}")
    if words.shape != (count,):
        raise ValueError(f"words must be of shape ({count},), one per lane, not {words.shape}")
    if not words.flags.c_contiguous or not words.flags.writeable:
        raise ValueError("words must be a contiguous array that can be written to: a copy of them is")


def forfeit_rewards(game: Game, seat: int) -> list[float]:
    """Who plays an illegal action gets `min_utility`; the others share the opposite equally."""
    share = -game.min_utility / (game.num_players - 1)
    return [game.min_utility if player == seat else share for player in range(game.num_players)]


def check_options(options: Any) -> None:
    """ParameterError unless these are options of a reset: a dict, or None."""
    if options is not None and not isinstance(options, Mapping):
        raise ParameterError(f"options={in_short(options)} is not possible; it must be a dict or None")


def start_records(game: Game, options: Mapping[str, Any] | None, count: int) -> Records:
    """`count` records at the start of a game, or at `options["position"]`; other keys are ignored."""
    check_options(options)
    records = game.new_records(count)
    if options is not None and "position" in options:
        position = game.records_from_dict(options["position"])
        if game.compiled.kernels.current_player(position[0]) == TERMINAL:
            raise InvalidPositionError("phase: the game is over in this position; nobody could play on")
        records[:] = position
    else:
        game.compiled.loops.new_games(records)
    return records


def lane_seeds(seed: Any, count: int) -> list[int]:
    """Return one seed per lane: s + i for an integer s, a sequence or array as it is, fresh ones for None.

    Raises:
        ValueError: if a seed is not an integer from 0 to 2**64 - 1, or if a sequence does not have `count` of them.
    """
    if seed is None:
        seed = fresh_seed()
    if integer_of(seed) is None and _is_list(seed):
        if len(seed) != count:
            raise ValueError(f"invalid seed={in_short(seed)}: expected {count} seeds, one per lane, not {len(seed)}")
        return [check_seed(s) for s in seed]
    first = check_seed(seed)
    if first + count > SEEDS:
        raise ValueError(f"invalid seed={first}: lane i has seed + i, so expected at most 2**64 - {count}")
    return list(range(first, first + count))


def _is_list(given: Any) -> bool:
    """Whether this is a sequence, other than of characters, or an array or tensor of one dimension."""
    if isinstance(given, Sequence):
        return not isinstance(given, str | bytes | bytearray)
    return getattr(given, "ndim", None) == 1
