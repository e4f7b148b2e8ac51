"""The tutorial of `kuhn`."""

from __future__ import annotations

from edge_envs.core.interactive.tutorials import Step, Tutorial

TUTORIAL = Tutorial(
    params={"num_players": 2, "pay_at_once": False, "deal": "first"},
    steps=(
        Step(
            "Your card",
            "You are player 1. You see your own card, a 2, and want the higher one.",
            before=("deal 1", "deal 2"),
        ),
        Step(
            "A bet",
            "Player 0 checks. You could also check. Press bet for one chip more.",
            before=("check",),
            action="bet",
        ),
        Step(
            "A call",
            "Player 0 has called and shows a 1. A player who does not call must fold. You win two chips.",
            before=("call",),
        ),
    ),
    seat=1,
)
