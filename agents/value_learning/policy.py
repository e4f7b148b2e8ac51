"""The agent that plays learned values, and its policy folder with the architecture `values`.

`policy.json` lists the numbers of a position that the input ramps read, whether these are the game's features or its
cells, and the widths of the layers;
`policy.safetensors` holds `lows` and `slopes` of the ramps, and `weights` (from, to) and `biases` of each layer.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field
from safetensors.numpy import save

from agents.players.policy_file import PolicyFile, policy_weights, read_policy
from edge_envs import Game
from edge_envs.search.perceptron import Perceptron
from edge_envs.search.turn import TurnAgent
from edge_envs.trained.values import blank_values, fill_values, value_arrays

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
        arrays = {name: np.ascontiguousarray(array) for name, array in value_arrays(net).items()}
        ValuesFile.of(self.game, architecture).write(folder, save(arrays))

    @classmethod
    def load(cls, folder: str | Path, game: Game | None = None) -> ValuesAgent:
        """Load a policy folder; ValueError if it is invalid, or does not fit `game`."""
        _, played, net = read_policy(folder, ValuesFile, game, _blank)
        fill_values(net, policy_weights(folder))
        return cls(played, net, Path(folder).as_posix())


def _blank(file: ValuesFile, game: Game) -> Perceptron:
    """Make a perceptron without weights; ValueError if it does not fit the game."""
    about = file.architecture
    return blank_values(game, about.inputs, about.columns, about.hidden)
