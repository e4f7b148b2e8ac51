"""The formats of a data set: files whose bytes depend only on the games."""

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
    """A format of files.

    Attributes:
        ending: the file extension.
        make: makes the bytes of a file from games, their seeds, and the number of the first.
        shapes: describes the arrays in a file.
        shown: whether files contain observations.
        needs: modules of extras that the format requires.
        index: makes additional files by name, from the card and the description of each file.
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
        """Raise ModuleNotFoundError if a module is not installed."""
        for module in self.needs:
            importlib.import_module(module)


def _shapes(game: Game, collected: Collected) -> dict[str, Any]:
    """Return dtypes and shapes of all arrays, for any number of decisions and games."""
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
    """Replay each game from its seed, and return records as JSON lines for `edge_envs.read_records`."""
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
"""The formats by name."""
