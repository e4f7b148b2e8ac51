"""Statements that the short rules of Ghost Ship must contain."""

from __future__ import annotations

import pytest

from edge_envs.text import short_rules
from tests.games.ghost_ship.scenes import load


@pytest.mark.parametrize("creation", ["players", "random"])
@pytest.mark.parametrize(
    "rule",
    [
        "Sailing into a storm, or putting to sea there, ends movement.",
        "Players at sea on one tile, or on the same land of it, show each other their chits.",
        "with 4, 5 if hostile (2: you miss a turn) or ruins",
        "5 for skull, 4, 5 for storm (one step, then no more steps or taking)",
        "If it leaves the board, you put it on D5 or D6.",
    ],
)
def test_the_short_rules_contain_the_statement(rule: str, creation: str) -> None:
    assert rule in short_rules(load(creation=creation))
