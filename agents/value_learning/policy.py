"""The agent that plays learned values, and its policy folder with the architecture `values`.

`policy.json` lists the numbers of a position that the input ramps read, whether these are the game's features or its
cells, and the widths of the layers;
`policy.safetensors` holds `lows` and `slopes` of the ramps, and `weights` (from, to) and `biases` of each layer.
"""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Annotated, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field
from safetensors import SafetensorError
from safetensors.numpy import load, save

from agents.players.policy_file import PolicyFile, policy_weights, read_policy, read_weights
from edge_envs import Game
from edge_envs.core.spec import Array
from edge_envs.search.perceptron import Perceptron, Ramps, count_numbers, new_perceptron
from edge_envs.search.turns import TurnAgent

Width = Annotated[int, Field(gt=0, le=1024)]
Widths = Annotated[list[Width], Field(min_length=1, max_length=8)]

Inputs = Literal["features", "cells"]


class Values(BaseModel):
    """The size of a perceptron for values, and the numbers of a position that its input ramps read."""

    model_config = ConfigDict(extra="forbid")

    kind: Literal["values"] = "values"
    inputs: Inputs = "features"
    hidden: Widths
    columns: list[Annotated[int, Field(ge=0)]] = Field(min_length=1, max_length=100_000)


class ValuesFile(PolicyFile):
    """The contents of `policy.json` of learned values."""

    model_config = ConfigDict(extra="forbid")

    architecture: Values


class ValuesAgent(TurnAgent):
    """Plays by `turn`, with a perceptron for the values at the end of a turn."""

    def __init__(self, game: Game, net: Perceptron, name: str = "values") -> None:
        super().__init__(game, net, name)
        self.net: Perceptron = net

    def save(self, folder: str | Path) -> None:
        """Write `policy.json` and `policy.safetensors`; the folder is made if necessary."""
        net = self.net
        inputs: Inputs = "cells" if len(net.cells) else "features"
        architecture = Values(inputs=inputs, hidden=net.widths[1:-1].tolist(), columns=net.columns.tolist())
        arrays = {name: np.ascontiguousarray(array) for name, array in _arrays(net).items()}
        ValuesFile.of(self.game, architecture).write(folder, save(arrays))

    @classmethod
    def load(cls, folder: str | Path, game: Game | None = None) -> ValuesAgent:
        """Load a policy folder; ValueError if it is invalid, or does not fit `game`."""
        _, played, net = read_policy(folder, ValuesFile, game, lambda file, own: _blank(file.architecture, own))
        _fill(net, policy_weights(folder))
        return cls(played, net, Path(folder).as_posix())


def _blank(architecture: Values, game: Game) -> Perceptron:
    """Make a perceptron without weights; ValueError if it does not fit the game."""
    if game.type.values is None or game.utility_sum is None:
        raise ValueError(f"values of {game.name} cannot be learned")
    cells = architecture.inputs == "cells"
    columns, count = np.array(architecture.columns), count_numbers(game, cells=cells)
    if columns.max() >= count:
        raise ValueError(f"architecture.columns: {columns.max()} is too large: a position has {count} numbers")
    return new_perceptron(
        game, Ramps(columns, *np.zeros((2, len(columns)), np.float32)), architecture.hidden, cells=cells
    )


def _arrays(net: Perceptron) -> dict[str, Array]:
    """Return the arrays of a file as views of the perceptron's memory."""
    arrays, at = {"lows": net.lows, "slopes": net.slopes}, 0
    for number, (inputs, outputs) in enumerate(itertools.pairwise(net.widths.tolist())):
        biases, end = at + inputs * outputs, at + (inputs + 1) * outputs
        arrays[f"layers.{number}.weights"] = net.weights[at:biases].reshape(inputs, outputs)
        arrays[f"layers.{number}.biases"] = net.weights[biases:end]
        at = end
    return arrays


def _fill(net: Perceptron, path: Path) -> None:
    """Read the weights from a file; ValueError if they do not fit the perceptron or are not finite."""
    own = _arrays(net)
    try:
        read = load(read_weights(path, sum(array.size for array in own.values())))
    except (OSError, SafetensorError, ValueError, KeyError, AttributeError) as error:
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
