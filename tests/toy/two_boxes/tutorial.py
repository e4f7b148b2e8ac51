"""The tutorial of `two_boxes`."""

from __future__ import annotations

from edge_envs.core.interactive.tutorials import Step, Tutorial

TUTORIAL = Tutorial(
    params={},
    steps=(
        Step("Draw lines", "The fourth side of a box gives you the box and another turn. Click a.", action="a"),
        Step("Give nothing away", "Player 1 drew b. No box may have three sides after your turn. Click c.",
             before=("b",), action="c"),
        Step("One side is left", "Player 1 drew e. All that is left gives a third side. Click f.",
             before=("e",), action="f"),
        Step("Take both", "Player 1 drew g. The line between the boxes completes both. Click d.",
             before=("g",), marks=("line-d",), action="d"),
        Step("You have won", "You have two boxes, player 1 has none."),
    ),
)  # fmt: skip
