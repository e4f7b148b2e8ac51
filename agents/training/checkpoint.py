"""What a checkpoint holds, written so that a full disk is an OSError: PyTorch's own writer raises something else."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import torch

from agents.files import write_whole


def save_tensors(content: Any, path: Path) -> None:
    """Write what `torch.load` reads. OSError if the file cannot be written."""
    buffer = io.BytesIO()
    torch.save(content, buffer)
    write_whole(path, buffer.getbuffer())
