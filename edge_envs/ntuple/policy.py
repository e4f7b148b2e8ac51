"""Read policy folders of n-tuple networks, with NumPy alone.

`policy.json` describes the game, the tuples and the search; `policy.safetensors` holds the weights that are not zero:
`weights` float16 (N,), and `gaps` uint16 (N,), whose sum up to a weight, less 1, is its number. Zeros bridge larger
gaps. Both files may come from untrusted sources.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from edge_envs.core.checks.files import read_bytes, read_tensors
from edge_envs.core.errors import did_you_mean, in_short
from edge_envs.core.game import Game
from edge_envs.core.spec import Array
from edge_envs.ntuple.network import Network, TupleSpec, network_of
from edge_envs.ntuple.turn_search import MAX_LEAVES, MAX_OPEN
from edge_envs.policies import FORMAT, OLDEST_HEURISTIC, check_fit, game_of_policy

KIND = "tuples"
"""The kind of the architecture."""
MOST_TUPLES, MOST_SIDE, MOST_CELLS, MOST_NAME, MOST_DEPTH = 256, 8, 32, 64, 32
LARGEST_GAP = np.iinfo(np.uint16).max

_KEYS = ("format", "game", "version", "heuristic", "params", "architecture")
_NEEDED = ("game", "version", "params", "architecture")
_LIMITS = {"beam": (64, 1, MAX_OPEN), "depth": (8, 1, MOST_DEPTH), "replies": (0, 0, MAX_LEAVES)}


@dataclass(frozen=True)
class TuplesPolicy:
    """An n-tuple network for a game, and the search that plays with its values.

    Args:
        game: The game to play.
        specs: The groups of tuples.
        network: The network with these tuples.
        weights: float32 (W,).
        beam: See `edge_envs.ntuple.turn_search`.
        depth: The same.
        replies: The same.
    """

    game: Game
    specs: tuple[TupleSpec, ...]
    network: Network
    weights: Array
    beam: int
    depth: int
    replies: int


def is_tuples_folder(folder: str | Path) -> bool:
    """Return whether a folder holds the policy of an n-tuple network, as far as its description tells."""
    try:
        architecture = _read_json(Path(folder) / "policy.json").get("architecture")
    except ValueError:
        return False
    return isinstance(architecture, dict) and architecture.get("kind") == KIND


def read_tuples(folder: str | Path, game: Game | None = None) -> TuplesPolicy:
    """Read a policy folder.

    Args:
        folder: The folder with `policy.json` and `policy.safetensors`.
        game: The game to play; None for the one that the policy was made for.

    Raises:
        ValueError: if the folder cannot be read, or does not fit `game`.
    """
    path = Path(folder) / "policy.json"
    data = _read_json(path)
    try:
        heuristic = _checked(data)
        own = game_of_policy(data["game"], data["params"], data["version"], heuristic)
        if game is not None:
            check_fit(own, game)
        specs, play = _read_architecture(data["architecture"])
        if own.utility_sum is None:
            raise ValueError(f"{own.name} has no fixed sum of returns, so values cannot be learned as shares of it")
        network = network_of(own, specs)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
    weights = read_weights(Path(folder) / "policy.safetensors", int(network.size[0]))
    return TuplesPolicy((game or own).with_heuristic(heuristic), specs, network, weights, **play)


def read_weights(path: Path, size: int) -> Array:
    """Read the weights (size,) of a file; ValueError if they do not fit or are not finite."""
    try:
        arrays = read_tensors(path, 8 * size)
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else " ".join(str(error).split())
        raise ValueError(f"{path}: cannot be read as weights of tuples ({why})") from None
    gaps, values = arrays.get("gaps"), arrays.get("weights")
    if (
        set(arrays) != {"gaps", "weights"}
        or gaps is None
        or values is None
        or gaps.dtype != np.uint16
        or values.dtype != np.float16
        or gaps.ndim != 1
        or gaps.shape != values.shape
    ):
        raise ValueError(f"{path}: cannot be read as weights of tuples: names, shapes or dtypes differ")
    numbers = np.cumsum(gaps, dtype=np.int64) - 1
    if not gaps.all() or (len(gaps) and numbers[-1] >= size):
        raise ValueError(f"{path}: numbers of weights must rise and stay below {size}")
    if not np.isfinite(values).all():
        raise ValueError(f"{path}: not all weights are finite numbers")
    weights = np.zeros(size, np.float32)
    weights[numbers] = values
    return weights


def _read_json(path: Path) -> dict[str, Any]:
    """Read an object from a JSON file; ValueError names the file and the problem."""
    try:
        data = json.loads(read_bytes(path))
    except OSError as error:
        raise ValueError(f"{path}: {error.strerror}") from None
    except RecursionError:
        raise ValueError(f"{path}: not JSON that can be read: nested too deeply") from None
    except ValueError as error:  # not UTF-8, not JSON, or a number with too many digits
        raise ValueError(f"{path}: not JSON: {error}") from None
    if not isinstance(data, dict):
        raise ValueError(f"{path}: expected an object")
    return data


def _checked(data: Mapping[str, Any]) -> str:
    """Check the keys of a description, and return the version of the heuristic."""
    architecture = data.get("architecture")
    if isinstance(architecture, dict) and architecture.get("kind", KIND) != KIND:
        raise ValueError(f"architecture.kind: expected {KIND!r}, not {in_short(architecture['kind'])}")
    _check_keys(data, _KEYS, "")
    for key in _NEEDED:
        if key not in data:
            raise ValueError(f"{key}: missing")
    heuristic = data.get("heuristic", OLDEST_HEURISTIC)
    kinds = {"game": str, "params": dict, "architecture": dict}
    for key, kind in kinds.items():
        if not isinstance(data[key], kind):
            raise ValueError(f"{key}: expected {'a string' if kind is str else 'an object'}")
    if data.get("format", FORMAT) != FORMAT:
        raise ValueError(f"format: expected {FORMAT!r}, not {in_short(data['format'])}")
    if not isinstance(heuristic, str):
        raise ValueError("heuristic: expected a string")
    _integer(data["version"], 0, 2**31, "version")
    return heuristic


def _read_architecture(data: Mapping[str, Any]) -> tuple[tuple[TupleSpec, ...], dict[str, int]]:
    """Return the groups of tuples, and the settings of the search."""
    _check_keys(data, ("kind", "tuples", "play"), "architecture.")
    groups, play = data.get("tuples"), data.get("play", {})
    if not isinstance(groups, list) or not 1 <= len(groups) <= MOST_TUPLES:
        raise ValueError(f"architecture.tuples: expected a list of 1 to {MOST_TUPLES} groups of tuples")
    if not isinstance(play, dict):
        raise ValueError("architecture.play: expected an object")
    _check_keys(play, tuple(_LIMITS), "architecture.play.")
    limits = {
        name: _integer(play.get(name, default), least, most, f"architecture.play.{name}")
        for name, (default, least, most) in _LIMITS.items()
    }
    return tuple(_read_group(group, f"architecture.tuples.{k}") for k, group in enumerate(groups)), limits


def _read_group(data: Any, where: str) -> TupleSpec:
    if not isinstance(data, dict):
        raise ValueError(f"{where}: expected an object")
    _check_keys(data, ("window", "around", "cells"), f"{where}.")
    window, around, cells = data.get("window"), data.get("around"), data.get("cells", [])
    if window is not None:
        rows, columns = _pair(window, f"{where}.window")
        window = _integer(rows, 1, MOST_SIDE, f"{where}.window"), _integer(columns, 1, MOST_SIDE, f"{where}.window")
    if around is not None:
        place, radius = _pair(around, f"{where}.around")
        around = _name(place, f"{where}.around"), _integer(radius, 1, MOST_SIDE, f"{where}.around")
    if not isinstance(cells, list) or len(cells) > MOST_CELLS:
        raise ValueError(f"{where}.cells: expected a list of at most {MOST_CELLS} names")
    return TupleSpec(window, around, tuple(_name(cell, f"{where}.cells") for cell in cells))


def _check_keys(data: Mapping[str, Any], known: tuple[str, ...], where: str) -> None:
    """Raise ValueError for an unknown key."""
    for key in data:
        if key not in known:
            raise ValueError(f"{where}{key}: unknown key; choose from {', '.join(known)}{did_you_mean(key, known)}")


def _pair(value: Any, where: str) -> tuple[Any, Any]:
    if not isinstance(value, list) or len(value) != 2:
        raise ValueError(f"{where}: expected a list of two values, not {in_short(value)}")
    return value[0], value[1]


def _name(value: Any, where: str) -> str:
    if not isinstance(value, str) or len(value) > MOST_NAME:
        raise ValueError(f"{where}: expected a string of at most {MOST_NAME} characters, not {in_short(value)}")
    return value


def _integer(value: Any, least: int, most: int, where: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise ValueError(f"{where}: expected an integer from {least} to {most}, not {in_short(value)}")
    return value
