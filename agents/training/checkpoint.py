"""What a checkpoint holds: serialised at once, written later, or never if nothing happens.

PyTorch's own writer does not raise OSError on a full disk; these files are written so that it is one.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

from agents.common.files import write_whole
from edge_envs.core.untrusted import open_regular

Write = Callable[[Path], object]
"""Writes the state of a moment into a folder, whatever has changed since then."""


def file_of(name: str, fill: Callable[[io.BytesIO], object]) -> Write:
    """Have a buffer filled now; the result writes it as a file of this name. OSError if the file cannot be written."""
    buffer = io.BytesIO()
    fill(buffer)
    return lambda folder: write_whole(folder / name, buffer.getbuffer())


def tensors(content: Any, name: str) -> Write:
    """Serialise what `load_tensors` reads, to be written as a file of this name."""
    return file_of(name, lambda buffer: torch.save(content, buffer))


def load_tensors(path: Path, weights_only: bool = False) -> Any:
    """Read what `tensors` has written. Without `weights_only` it may hold pickles, so it must be your own."""
    with open_regular(path) as file:
        return torch.load(file, weights_only=weights_only)
