"""The policy folder of an n-tuple network, with the architecture `tuples`, and the agent that plays it.

`policy.json` lists the tuples and the search; `policy.safetensors` holds the weights that are not zero: `weights`
float16 (N,), and `gaps` uint16 (N,), whose sum up to a weight, less 1, is its number. Zeros bridge larger gaps.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal, Self

import numpy as np
from pydantic import BaseModel, ConfigDict
from safetensors import SafetensorError
from safetensors.numpy import load, save

from agents.players.policy_file import PolicyFile, policy_weights, read_policy, read_weights
from agents.tuple_learning.config import Tuples, TurnPlan, check_game, make_network
from edge_envs import Game
from edge_envs.core.spec import Array
from edge_envs.ntuple.agent import TurnsAgent
from edge_envs.ntuple.network import Network

LARGEST_GAP = np.iinfo(np.uint16).max


class TupleTables(BaseModel):
    """The tuples of a network, and the search that plays with its values."""

    model_config = ConfigDict(extra="forbid")

    kind: Literal["tuples"] = "tuples"
    tuples: Tuples
    play: TurnPlan = TurnPlan()


class TuplesFile(PolicyFile):
    """The contents of `policy.json` of an n-tuple network."""

    model_config = ConfigDict(extra="forbid")

    architecture: TupleTables


class TuplesAgent(TurnsAgent):
    """Plays the best turn by the values of an n-tuple network.

    Args:
        game: the game to play.
        tables: the tuples and the search.
        network: the network with these tuples.
        weights: float32 (W,).
        name: the name of the agent.
    """

    def __init__(self, game: Game, tables: TupleTables, network: Network, weights: Array, name: str = "tuples") -> None:
        play = tables.play
        super().__init__(game, network, weights, beam=play.beam, depth=play.depth, replies=play.replies, name=name)
        self.tables = tables

    def save(self, folder: str | Path) -> None:
        """Write `policy.json` and `policy.safetensors`; the folder is made if necessary."""
        rounded = self.weights.astype(np.float16)
        numbers = np.union1d(np.flatnonzero(rounded), np.arange(LARGEST_GAP - 1, len(rounded), LARGEST_GAP))
        gaps = np.diff(numbers, prepend=-1).astype(np.uint16)
        arrays: dict[str, Array] = {"gaps": gaps, "weights": rounded[numbers]}
        TuplesFile.of(self.game, self.tables).write(folder, save(arrays))

    @classmethod
    def load(cls, folder: str | Path, game: Game | None = None, replies: int | None = None) -> Self:
        """Load a policy folder.

        Args:
            folder: the folder.
            game: the game to play; None for the one that the policy was made for.
            replies: the number of turns that are evaluated against all replies; None for that of the policy.

        Raises:
            ValueError: if the folder is invalid, or does not fit `game`.
        """
        file, played, network = read_policy(folder, TuplesFile, game, _network)
        tables, name = file.architecture, Path(folder).as_posix()
        if replies is not None:
            tables = tables.model_copy(update={"play": tables.play.model_copy(update={"replies": replies})})
            name = f"turns:{replies}:{name}"
        return cls(played, tables, network, _read(policy_weights(folder), int(network.size[0])), name)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.game, self.tables, self.network, self.weights, self.name)


def _network(file: TuplesFile, game: Game) -> Network:
    check_game(game)
    return make_network(game, file.architecture.tuples)


def _read(path: Path, size: int) -> Array:
    """Read the weights (size,) of a file; ValueError if they do not fit or are not finite."""
    try:
        arrays = load(read_weights(path, size))
    except (OSError, SafetensorError, ValueError, KeyError, AttributeError) as error:
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
