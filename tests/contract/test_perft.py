"""The number of nodes below the start of every game is pinned."""

from __future__ import annotations

from edge_envs import Game
from tests.contract.cases import case_name
from tests.contract.perft import perft, pinned


def test_the_number_of_nodes_at_each_depth_is_as_pinned(game: Game) -> None:
    counts = pinned()[case_name(game)]  # a missing entry: see tests/contract/perft.py
    assert len(counts) >= 1
    assert perft(game, len(counts)) == counts
