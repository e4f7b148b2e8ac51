"""The formats of a data set: what a file of games is, as bytes that follow from the games alone."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from agents.collection.games import Collected
from agents.replaying import play_again
from edge_envs import Game, record_of
from edge_envs.core.game import Array


@dataclass(frozen=True)
class Format:
    """How files of a format end, how they are made from games with their seeds, and whether views are in them."""

    ending: str
    make: Callable[[Game, Collected, Sequence[int], int], bytes]
    shown: bool


def arrays_of(collected: Collected, first: int) -> dict[str, Array]:
    """All arrays of a file whose first game has this number."""
    decisions = collected.decisions
    return {
        **decisions,
        "action": decisions["action"].astype(np.int32),
        "game": decisions["game"] + first,
        "game_returns": collected.returns,
        "last_observation": collected.last,
    }


def shapes_of(collected: Collected) -> dict[str, Any]:
    """The dtypes and shapes of all arrays, for any number of decisions and games."""
    return {
        key: {
            "dtype": str(array.dtype),
            "shape": ["decisions" if key in collected.decisions else "games", *array.shape[1:]],
        }
        for key, array in arrays_of(collected, 0).items()
    }


def _safetensors(game: Game, collected: Collected, seeds: Sequence[int], first: int) -> bytes:
    from safetensors.numpy import save

    made: bytes = save({key: np.ascontiguousarray(array) for key, array in arrays_of(collected, first).items()})
    return made


def _npz(game: Game, collected: Collected, seeds: Sequence[int], first: int) -> bytes:
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **arrays_of(collected, first))  # type: ignore[arg-type]
    return buffer.getvalue()


def _records(game: Game, collected: Collected, seeds: Sequence[int], first: int) -> bytes:
    """Each game played again from its seed, as JSON lines that `edge_envs.read_records` reads."""
    actions = iter(collected.decisions["action"].tolist())
    records = [record_of(play_again(game, seed, actions)) for seed in seeds]
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records).encode()


FORMATS = {
    "arrays": Format("safetensors", _safetensors, shown=True),
    "npz": Format("npz", _npz, shown=True),
    "records": Format("jsonl", _records, shown=False),
}
"""By their names."""
