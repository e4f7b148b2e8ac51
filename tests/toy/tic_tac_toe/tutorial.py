"""The tutorial of `tic_tac_toe`."""

from __future__ import annotations

from edge_envs.core.interactive.tutorials import Step, Tutorial

TUTORIAL = Tutorial(
    params={},
    steps=(
        Step("Three in a row", "Three of your stones in a row win. Click b2.", action="b2"),
        Step("Watch out", "Player 1 is on b1. Click a1.", before=("b1",), action="a1"),
        Step("Finish", "Player 1 is on c1, and c3 is free. Click it.", before=("c1",), marks=("sq-a1",), action="c3"),
        Step("You have won", "Your stones are in a row from a1 to c3."),
    ),
)
