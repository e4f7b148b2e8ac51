"""The heuristic of `kuhn`."""

from __future__ import annotations

from typing import Any

import numpy as np

from edge_envs.core.compiler.jit import kernel
from tests.toy.kuhn.state import BET, PASS


@kernel
def heuristic(state: Any) -> Any:
    """Bet the highest card; call with the two highest."""
    needed = state.num_players + (1 if state.bettor < 0 else 0)
    return np.int64(BET if state.cards[state.turn] >= needed else PASS)
