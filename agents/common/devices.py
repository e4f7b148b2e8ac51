"""The device of networks: `cpu`, `cuda`, or `auto`, which is CUDA where PyTorch finds a GPU and else the CPU.

Trainers read the device from their configuration. Agents that play a policy network read it from an environment
variable, which worker processes on this machine inherit. Programs set it with `--device`; without it, agents play on
the CPU.
"""

from __future__ import annotations

import contextlib
import functools
import os
import sys
from collections.abc import Iterator
from typing import Literal

DeviceName = Literal["auto", "cpu", "cuda"]

DEVICES = ("auto", "cpu", "cuda")
VARIABLE = "EDGE_ENVS_DEVICE"
FALLBACK = "device auto: PyTorch finds no CUDA device, so networks run on the CPU"
"""The note that the first network of a program prints on stderr, where `auto` means the CPU."""


def missing_gpu() -> str | None:
    """Return the reason why networks cannot run on a GPU here, or None."""
    import torch

    if torch.cuda.is_available():
        return None
    build = "" if torch.version.cuda else "; this build of PyTorch does not support CUDA"
    return f"PyTorch finds no CUDA device{build}"


def resolve(device: str) -> str:
    """Return `cpu` or `cuda` for the name of a device. `auto` prints a note if there is no GPU, once per process.

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
    note_fallback()
    return "cpu"


@functools.cache
def note_fallback() -> None:
    """Print the note at the first call in a process. Worker processes print none."""
    if not os.environ.get("EDGE_ENVS_QUIET"):
        print(FALLBACK, file=sys.stderr)


def playing_device() -> str:
    """Return the device on which agents play policy networks, `cpu` or `cuda`.

    The answer for `auto` also holds for worker processes that start later.
    """
    asked = os.environ.get(VARIABLE, "cpu")
    found = resolve(asked)
    if found != asked:
        os.environ[VARIABLE] = found
    return found


def play_on(device: str) -> None:
    """Let agents of this process, and of worker processes that it starts, play policy networks on a device.

    Raises:
        ValueError: if the name of the device is unknown.
    """
    if device not in DEVICES:
        raise ValueError(f"unknown device {device!r} (choose from {', '.join(DEVICES)})")
    os.environ[VARIABLE] = device


@contextlib.contextmanager
def same_device_afterwards() -> Iterator[None]:
    """Restore the device of agents at the end of the context."""
    before = os.environ.get(VARIABLE)
    try:
        yield
    finally:
        os.environ.pop(VARIABLE, None)
        if before is not None:
            os.environ[VARIABLE] = before
