"""Validate the arguments that several environments share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from edge_envs.core.checks.integers import integer_of
from edge_envs.core.checks.seeds import SEEDS, check_seed, fresh_seed
from edge_envs.core.errors import InvalidPositionError, ParameterError, in_short
from edge_envs.core.game import Game
from edge_envs.core.nodes import TERMINAL
from edge_envs.core.spec import Array, Record, Records

MOST = 2**31 - 1
ILLEGAL_ACTION = ("raise", "forfeit")
FORFEITS = 'set illegal_action="forfeit" to end the game instead'
"""Advice for programs that try illegal actions, such as the checkers of PettingZoo, Gymnasium and SB3."""


def check_illegal_action(value: str) -> str:
    """Return `illegal_action`. Raises ParameterError unless it is "raise" or "forfeit"."""
    return check_choice("illegal_action", value, ILLEGAL_ACTION)


def check_render_mode(value: str | None, modes: Sequence[str]) -> str | None:
    """Return `render_mode`. Raises ParameterError unless it is None or one of `modes`."""
    return None if value is None else check_choice("render_mode", value, modes)


def check_choice(name: str, value: str, choices: Sequence[str]) -> str:
    """Return the value of argument `name`. Raises ParameterError unless it is one of `choices`."""
    if not isinstance(value, str) or value not in choices:
        raise ParameterError(f"invalid {name}={in_short(value)}: expected {' or '.join(map(repr, choices))}")
    return value


def check_flag(name: str, value: bool) -> bool:
    """Return the value of argument `name`. Raises ParameterError unless it is True or False."""
    if not isinstance(value, bool):
        raise ParameterError(f"invalid {name}={in_short(value)}: expected True or False")
    return value


def check_count(name: str, value: int, high: int = MOST, low: int = 1) -> int:
    """Return the value of argument `name`. Raises ParameterError unless it is an integer from `low` to `high`."""
    number = integer_of(value)
    if number is None or not low <= number <= high:
        raise ParameterError(f"invalid {name}={in_short(value)}: expected an integer from {low} to {high}")
    return number


def check_lane(lane: int, num_envs: int) -> int:
    """Return the index of a lane. Raises IndexError if it is out of range."""
    number = integer_of(lane)
    if number is None or not 0 <= number < num_envs:
        raise IndexError(f"invalid lane={in_short(lane)}: expected an integer from 0 to {num_envs - 1}")
    return number


def check_lanes(lanes: Any, num_envs: int) -> Array:
    """Return indices (k,) of lanes as int64. Raises IndexError unless they are integers within the range."""
    numbers = np.asarray(lanes)
    if numbers.ndim != 1 or (numbers.size and numbers.dtype.kind not in "iu"):
        raise IndexError(f"invalid lanes={in_short(lanes)}: expected integers (k,)")
    for lane in numbers[(numbers < 0) | (numbers >= num_envs)][:1]:
        check_lane(lane, num_envs)
    return numbers.astype(np.int64)


def check_words(words: Array, count: int) -> None:
    """Check the words of `count` generators, which compiled loops write in place.

    Raises:
        TypeError: if `words` is not an array of uint64.
        ValueError: if it does not have shape (count,), or is not contiguous and writable.
    """
    if not isinstance(words, np.ndarray) or words.dtype != np.uint64:
        given = words.dtype if isinstance(words, np.ndarray) else type(words).__name__
        raise TypeError(f"invalid words: expected a NumPy array of uint64, one per lane, not {given}")
    if words.shape != (count,):
        raise ValueError(f"invalid words: expected shape ({count},), one per lane, not {words.shape}")
    if not words.flags.c_contiguous or not words.flags.writeable:
        raise ValueError("invalid words: expected a contiguous, writable array; pass words.copy()")


def forfeit_rewards(game: Game, seat: int) -> list[float]:
    """Return the rewards of all seats if `seat` forfeits: `min_utility` for it, the others share the opposite."""
    share = -game.min_utility / (game.num_players - 1)
    return [game.min_utility if player == seat else share for player in range(game.num_players)]


def forfeited_by(seat: int) -> str:
    """Say that a seat forfeited the game, for pictures and replays."""
    return f"forfeited by player {seat}"


def check_options(options: Any) -> None:
    """Check the options of a reset. Raises ParameterError unless they are a dict or None."""
    if options is not None and not isinstance(options, Mapping):
        raise ParameterError(f"invalid options={in_short(options)}: expected a dict or None")


def start_records(game: Game, options: Mapping[str, Any] | None, count: int) -> Records:
    """Return `count` records at the start of a game, or at `options["position"]`.

    A game may know other options, such as `map`: `RESET_OPTIONS` of its module `position`. All other keys are ignored.

    Raises:
        ParameterError: if `options` is not a dict or None, or if an option of the game is invalid.
        InvalidPositionError: if the position is invalid or terminal.
    """
    check_options(options)
    records = game.new_records(count)
    if options is not None and "position" in options:
        position = game.records_from_dict(options["position"])
        if game.compiled.kernels.current_player(position[0]) == TERMINAL:
            raise InvalidPositionError("phase: the game is over in this position; expected a position with a decision")
        records[:] = position
        return records
    game.compiled.loops.new_games(records)
    for name, begin in _own_options(game).items():
        if options is not None and name in options:
            begin(records[0], options[name])
            records[:] = records[0]
    return records


def is_set_up(game: Game, options: Mapping[str, Any] | None) -> bool:
    """Return whether options start a game from something else than its usual start."""
    return options is not None and any(name in options for name in ("position", *_own_options(game)))


def _own_options(game: Game) -> Mapping[str, Callable[[Record, Any], None]]:
    """Return the options of a reset that a game knows, with the functions that write them into a new game."""
    options: Mapping[str, Callable[[Record, Any], None]] = getattr(game.type.module("position"), "RESET_OPTIONS", {})
    return options


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
        if any(one is None for one in seed):
            advice = "to seed some lanes only, pass options={'reset_mask': ...}"
            raise ValueError(f"invalid seed={in_short(seed)}: expected an integer for each lane; {advice}")
        return [check_seed(s) for s in seed]
    first = check_seed(seed)
    if first + count > SEEDS:
        raise ValueError(f"invalid seed={first}: lane i has seed + i, so expected at most 2**64 - {count}")
    return list(range(first, first + count))


def _is_list(given: Any) -> bool:
    """Return whether this is a sequence, but not a string, or a one-dimensional array or tensor."""
    if isinstance(given, Sequence):
        return not isinstance(given, str | bytes | bytearray)
    return getattr(given, "ndim", None) == 1
