"""What a checkpoint holds, written so that a full disk is an OSError: PyTorch's own writer raises something else."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import torch

from edge_envs.core.untrusted import open_regular


def save_tensors(content: Any, path: Path) -> None:
    """Write what `torch.load` reads. OSError if the file cannot be written."""
    buffer = io.BytesIO()
    torch.save(content, buffer)
    path.write_bytes(buffer.getbuffer())


def load_tensors(path: Path, weights_only: bool = False) -> Any:
    """Read what `save_tensors` has written. Without `weights_only` it may hold pickles, so it must be your own."""
    with open_regular(path) as file:
        return torch.load(file, weights_only=weights_only)
