"""Read policy folders of learned values, with NumPy alone.

`policy.json` lists the numbers of a position that the input ramps read, whether these are the game's features or its
cells, and the widths of the layers; `policy.safetensors` holds `lows` and `slopes` of the ramps, and `weights` (from,
to) and `biases` of each layer. Both files may come from untrusted sources.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from edge_envs.core.checks.files import read_object, read_tensors
from edge_envs.core.errors import in_short
from edge_envs.core.game import Game
from edge_envs.core.spec import Array
from edge_envs.policies import check_description, check_fit, check_keys, game_of_policy, integer_in
from edge_envs.search.perceptron import Perceptron, Ramps, count_numbers, new_perceptron

KIND = "values"
"""The kind of the architecture."""
MOST_COLUMNS, MOST_LAYERS, MOST_WIDTH = 100_000, 8, 1024


def read_values(folder: str | Path, game: Game | None = None) -> tuple[Game, Perceptron]:
    """Read a policy folder.

    Args:
        folder: The folder with `policy.json` and `policy.safetensors`.
        game: The game to play; None for the one that the policy was made for.

    Returns:
        The game to play, and the perceptron.

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
        net = blank_values(own, *_read_architecture(data["architecture"]))
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
    fill_values(net, Path(folder) / "policy.safetensors")
    return (game or own).with_heuristic(heuristic), net


def blank_values(game: Game, inputs: str, columns: Sequence[int], hidden: Sequence[int]) -> Perceptron:
    """Make a perceptron without weights.

    Args:
        game: The game.
        inputs: Whether the numbers of a position are its `features` or its `cells`.
        columns: The numbers of a position that the ramps read.
        hidden: The widths of the hidden layers.

    Raises:
        ValueError: if the perceptron does not fit the game.
    """
    if game.type.values is None or game.utility_sum is None:
        raise ValueError(f"values of {game.name} cannot be learned")
    cells = inputs == "cells"
    numbers, count = np.array(columns), count_numbers(game, cells=cells)
    if numbers.max() >= count:
        raise ValueError(f"architecture.columns: {numbers.max()} is too large: a position has {count} numbers")
    return new_perceptron(game, Ramps(numbers, *np.zeros((2, len(numbers)), np.float32)), hidden, cells=cells)


def value_arrays(net: Perceptron) -> dict[str, Array]:
    """Return the arrays of a file as views of the perceptron's memory."""
    arrays, at = {"lows": net.lows, "slopes": net.slopes}, 0
    for number, (inputs, outputs) in enumerate(itertools.pairwise(net.widths.tolist())):
        biases, end = at + inputs * outputs, at + (inputs + 1) * outputs
        arrays[f"layers.{number}.weights"] = net.weights[at:biases].reshape(inputs, outputs)
        arrays[f"layers.{number}.biases"] = net.weights[biases:end]
        at = end
    return arrays


def fill_values(net: Perceptron, path: Path) -> None:
    """Read the weights from a file; ValueError if they do not fit the perceptron or are not finite."""
    own = value_arrays(net)
    try:
        read = read_tensors(path, 8 * sum(array.size for array in own.values()))
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else " ".join(str(error).split())
        raise ValueError(f"{path}: cannot be read as weights of values ({why})") from None
    if {name: (array.shape, array.dtype) for name, array in read.items()} != {
        name: (array.shape, array.dtype) for name, array in own.items()
    }:
        raise ValueError(f"{path}: cannot be read as weights of these values: names, shapes or dtypes differ")
    for name, array in read.items():
        if not np.isfinite(array).all():
            raise ValueError(f"{path}: not all weights are finite numbers")
        own[name][:] = array


def _read_architecture(data: dict[str, Any]) -> tuple[str, list[int], list[int]]:
    """Return the kind of the inputs, the columns and the widths of the hidden layers."""
    check_keys(data, ("kind", "inputs", "columns", "hidden"), "architecture.")
    inputs = data.get("inputs", "features")
    if inputs not in ("features", "cells"):
        raise ValueError(f"architecture.inputs: expected features or cells, not {in_short(inputs)}")
    columns = _integers(data.get("columns"), MOST_COLUMNS, 0, 2**31, "architecture.columns")
    return inputs, columns, _integers(data.get("hidden"), MOST_LAYERS, 1, MOST_WIDTH, "architecture.hidden")


def _integers(value: Any, most: int, least_number: int, most_number: int, where: str) -> list[int]:
    if not isinstance(value, list) or not 1 <= len(value) <= most:
        raise ValueError(f"{where}: expected a list of 1 to {most} integers")
    return [integer_in(one, least_number, most_number, where) for one in value]
