"""The device of networks: `cpu`, `cuda`, or `auto`, which is CUDA where PyTorch finds a GPU and else the CPU.

Trainers read the device from their configuration. Agents that play a policy network read it from an environment
variable, which worker processes on this machine inherit. Programs set it with `--device`; without it, agents play on
the CPU.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from typing import Literal

DeviceName = Literal["auto", "cpu", "cuda"]

DEVICES = ("auto", "cpu", "cuda")
VARIABLE = "EDGE_ENVS_DEVICE"
FALLBACK = "device auto: PyTorch finds no CUDA device, so networks run on the CPU"
"""The note that a program prints on stderr where `auto` means the CPU."""

_notes: set[str] = set()


def missing_gpu() -> str | None:
    """Return the reason why networks cannot run on a GPU here, or None."""
    import torch

    if torch.cuda.is_available():
        return None
    build = "" if torch.version.cuda else "; this build of PyTorch does not support CUDA"
    return f"PyTorch finds no CUDA device{build}"


def resolve(device: str) -> str:
    """Return `cpu` or `cuda` for the name of a device.

    Raises:
        ValueError: if the name is unknown, or for `cuda` without a GPU.
    """
    if device not in DEVICES:
        raise ValueError(f"unknown device {device!r} (choose from {', '.join(DEVICES)})")
    if device == "cpu":
        return "cpu"
    reason = missing_gpu()
    if reason is None:
        return "cuda"
    if device == "cuda":
        raise ValueError(f"device cuda: {reason}; choose auto or cpu")
    return "cpu"


def fallback_note(device: str) -> str | None:
    """Return the note that networks run on the CPU if the device is `auto` and there is no GPU, else None."""
    return FALLBACK if device == "auto" and missing_gpu() else None


def playing_device() -> str:
    """Return the device on which agents play policy networks, `cpu` or `cuda`.

    The answer for `auto` also holds for worker processes that start later.
    """
    asked = os.environ.get(VARIABLE, "cpu")
    found = resolve(asked)
    if asked == "auto":
        os.environ[VARIABLE] = found
        _notes.update(filter(None, [fallback_note(asked)]))
    return found


def play_on(device: str) -> None:
    """Let agents of this process, and of worker processes that it starts, play policy networks on a device.

    Raises:
        ValueError: if the name of the device is unknown.
    """
    if device not in DEVICES:
        raise ValueError(f"unknown device {device!r} (choose from {', '.join(DEVICES)})")
    os.environ[VARIABLE] = device


def print_notes() -> None:
    """Print a note on stderr if agents fell back to the CPU. Programs call this at the end of their work."""
    for note in _notes:
        print(note, file=sys.stderr)
    _notes.clear()


@contextlib.contextmanager
def same_device_afterwards() -> Iterator[None]:
    """Restore the device of agents at the end of the context, and forget notes that were not printed."""
    before = os.environ.get(VARIABLE)
    try:
        yield
    finally:
        _notes.clear()
        os.environ.pop(VARIABLE, None)
        if before is not None:
            os.environ[VARIABLE] = before
