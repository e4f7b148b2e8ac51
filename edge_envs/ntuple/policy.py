"""Read policy folders of n-tuple networks, with NumPy alone.

`policy.json` describes the game, the tuples and the search; `policy.safetensors` holds the weights that are not close
to zero: `weights` float16 (N,), and `gaps` uint16 (N,), whose sum up to a weight, less 1, is its number. Zeros bridge
larger gaps. Both files may come from untrusted sources.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from edge_envs.core.checks.files import read_object, read_tensors
from edge_envs.core.errors import in_short
from edge_envs.core.game import Game, shared_utility
from edge_envs.core.spec import Array
from edge_envs.ntuple.network import Network, TupleSpec, network_of
from edge_envs.ntuple.turn_search import MAX_LEAVES, MAX_OPEN
from edge_envs.policies import check_description, check_fit, check_keys, game_of_policy, integer_in

KIND = "tuples"
"""The kind of the architecture."""
MOST_TUPLES, MOST_SIDE, MOST_CELLS, MOST_NAME, MOST_DEPTH = 256, 8, 32, 64, 32
LARGEST_GAP = np.iinfo(np.uint16).max
SMALLEST = 2.0**-11
"""Weights closer to zero are not saved: a fifth of those of `beyond_maps` 8x8, whose win rate stays the same."""

_LIMITS = {"beam": (64, 1, MAX_OPEN), "depth": (8, 1, MOST_DEPTH), "replies": (0, 0, MAX_LEAVES)}


@dataclass(frozen=True)
class TuplesPolicy:
    """An n-tuple network for a game, and the search that plays with its values.

    Args:
        game: The game to play.
        specs: The groups of tuples.
        network: The network with these tuples.
        weights: float32 (W,).
        beam: Open positions of a layer that are searched further.
        depth: Layers of the search.
        replies: The number of the best own turns that are evaluated by the reply to them.
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
        architecture = read_object(Path(folder) / "policy.json").get("architecture")
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
    data = read_object(path)
    try:
        heuristic = check_description(data, KIND)
        own = game_of_policy(data["game"], data["params"], data["version"], heuristic)
        if game is not None:
            check_fit(own, game)
        specs, play = _read_architecture(data["architecture"])
        shared_utility(own)
        network = network_of(own, specs)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
    weights = read_weights(Path(folder) / "policy.safetensors", int(network.size[0]))
    return TuplesPolicy((game or own).with_heuristic(heuristic), specs, network, weights, **play)


def sparse_arrays(weights: Array) -> dict[str, Array]:
    """Return the arrays of a file with these weights (W,), rounded to float16, or to 0 if below `SMALLEST`."""
    rounded = weights.astype(np.float16)
    rounded[np.abs(rounded) < SMALLEST] = 0.0
    numbers = np.union1d(np.flatnonzero(rounded), np.arange(LARGEST_GAP - 1, len(rounded), LARGEST_GAP))
    return {"gaps": np.diff(numbers, prepend=-1).astype(np.uint16), "weights": rounded[numbers]}


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


def _read_architecture(data: Mapping[str, Any]) -> tuple[tuple[TupleSpec, ...], dict[str, int]]:
    """Return the groups of tuples, and the settings of the search."""
    check_keys(data, ("kind", "tuples", "play"), "architecture.")
    groups, play = data.get("tuples"), data.get("play", {})
    if not isinstance(groups, list) or not 1 <= len(groups) <= MOST_TUPLES:
        raise ValueError(f"architecture.tuples: expected a list of 1 to {MOST_TUPLES} groups of tuples")
    if not isinstance(play, dict):
        raise ValueError("architecture.play: expected an object")
    check_keys(play, tuple(_LIMITS), "architecture.play.")
    limits = {
        name: integer_in(play.get(name, default), least, most, f"architecture.play.{name}")
        for name, (default, least, most) in _LIMITS.items()
    }
    return tuple(_read_group(group, f"architecture.tuples.{k}") for k, group in enumerate(groups)), limits


def _read_group(data: Any, where: str) -> TupleSpec:
    if not isinstance(data, dict):
        raise ValueError(f"{where}: expected an object")
    check_keys(data, ("window", "around", "cells"), f"{where}.")
    window, around, cells = data.get("window"), data.get("around"), data.get("cells", [])
    if window is not None:
        rows, columns = _pair(window, f"{where}.window")
        window = integer_in(rows, 1, MOST_SIDE, f"{where}.window"), integer_in(columns, 1, MOST_SIDE, f"{where}.window")
    if around is not None:
        place, radius = _pair(around, f"{where}.around")
        around = _name(place, f"{where}.around"), integer_in(radius, 1, MOST_SIDE, f"{where}.around")
    if not isinstance(cells, list) or len(cells) > MOST_CELLS:
        raise ValueError(f"{where}.cells: expected a list of at most {MOST_CELLS} names")
    return TupleSpec(window, around, tuple(_name(cell, f"{where}.cells") for cell in cells))


def _pair(value: Any, where: str) -> tuple[Any, Any]:
    if not isinstance(value, list) or len(value) != 2:
        raise ValueError(f"{where}: expected a list of two values, not {in_short(value)}")
    return value[0], value[1]


def _name(value: Any, where: str) -> str:
    if not isinstance(value, str) or len(value) > MOST_NAME:
        raise ValueError(f"{where}: expected a string of at most {MOST_NAME} characters, not {in_short(value)}")
    return value
