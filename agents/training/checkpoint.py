"""Serialise a checkpoint now, and write it later or not at all.

PyTorch's own writer does not raise OSError on a full disk; these functions do.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

from agents.common.files import write_whole
from edge_envs.core.checks.files import open_regular

Write = Callable[[Path], object]
"""Writes an earlier state into a folder."""


def file_of(name: str, fill: Callable[[io.BytesIO], object]) -> Write:
    """Fill a buffer now; the returned function writes it as a file of this name, or raises OSError."""
    buffer = io.BytesIO()
    fill(buffer)
    return lambda folder: write_whole(folder / name, buffer.getbuffer())


def tensors(content: Any, name: str) -> Write:
    """Serialise tensors now; the returned function writes them as a file of this name, for `load_tensors`."""
    return file_of(name, lambda buffer: torch.save(content, buffer))


def load_tensors(path: Path, weights_only: bool = False) -> Any:
    """Read a file of `tensors` into the memory of the CPU, whatever device they were on.

    Without `weights_only` it may contain pickles, so load only your own files.
    """
    with open_regular(path) as file:
        return torch.load(file, map_location="cpu", weights_only=weights_only)
