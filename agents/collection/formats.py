"""The formats of a data set: what a file of games is, as bytes that follow from the games alone."""

from __future__ import annotations

import importlib
import io
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from agents.collection import minari_files
from agents.collection.games import Collected
from agents.common.replaying import play_again
from edge_envs import Game, record_of, view_of


@dataclass(frozen=True)
class Format:
    """How files of a format end, and how they are made from games with their seeds, the first of which has a number.

    `shapes` tells of the arrays in them. With `shown` what the players saw is in them. `needs` are modules of extras.
    `index` makes files beside them, by name, from the card and what is told of each file.
    """

    ending: str
    make: Callable[[Game, Collected, Sequence[int], int], bytes]
    shapes: Callable[[Game, Collected], dict[str, Any]]
    shown: bool = True
    needs: Sequence[str] = ()
    index: Callable[[Game, Mapping[str, Any], Sequence[Mapping[str, Any]]], dict[str, bytes]] = (
        lambda game, card, files: {}
    )

    def check_needs(self) -> None:
        """ModuleNotFoundError if a module is not installed."""
        for module in self.needs:
            importlib.import_module(module)


def _shapes(game: Game, collected: Collected) -> dict[str, Any]:
    """The dtypes and shapes of all arrays, for any number of decisions and games."""
    return {
        key: {
            "dtype": str(array.dtype),
            "shape": ["decisions" if key in collected.decisions else "games", *array.shape[1:]],
        }
        for key, array in collected.arrays(0).items()
    }


def _safetensors(game: Game, collected: Collected, seeds: Sequence[int], first: int) -> bytes:
    from safetensors.numpy import save

    made: bytes = save({key: np.ascontiguousarray(array) for key, array in collected.arrays(first).items()})
    return made


def _npz(game: Game, collected: Collected, seeds: Sequence[int], first: int) -> bytes:
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **collected.arrays(first))  # type: ignore[arg-type]
    return buffer.getvalue()


def _records(game: Game, collected: Collected, seeds: Sequence[int], first: int) -> bytes:
    """Each game played again from its seed, as JSON lines that `edge_envs.read_records` reads."""
    actions, viewer = iter(collected.actions.tolist()), collected.viewer
    ends = (play_again(game, seed, actions) for seed in seeds)
    lines = (record_of(end) if viewer is None else view_of(end, viewer) for end in ends)
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines).encode()


FORMATS = {
    "arrays": Format("safetensors", _safetensors, _shapes),
    "npz": Format("npz", _npz, _shapes),
    "minari": Format(
        "hdf5", minari_files.episodes_file, minari_files.shapes, needs=("minari", "h5py"), index=minari_files.index
    ),
    "records": Format("jsonl", _records, lambda game, collected: {}, shown=False),
}
"""By their names."""
