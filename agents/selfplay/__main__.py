"""Train a policy by self-play: `python -m agents.selfplay --config configs/falling_off/selfplay.yaml`.

The options are those of `agents.train`.
"""

from __future__ import annotations

from agents.common.console import run
from agents.training.program import training_program

main = training_program(
    "agents.selfplay.training", "SelfPlayRun", "Train a policy that plays all seats against itself."
)

if __name__ == "__main__":
    run(main)
