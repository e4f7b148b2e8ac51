"""Keep the state of the global random generators: those of Python, NumPy and PyTorch."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Iterator

import numpy as np
import torch


@contextlib.contextmanager
def unchanged_generators() -> Iterator[None]:
    """Put the states of all generators back at the end of the context, also of the present GPU if one is in use."""
    numbers, words = np.random.get_state(), random.getstate()
    started = torch.cuda.is_initialized()  # type: ignore[no-untyped-call]  # in torch
    gpus = [torch.cuda.current_device()] if started else []
    with torch.random.fork_rng(devices=gpus):
        try:
            yield
        finally:
            np.random.set_state(numbers)
            random.setstate(words)
