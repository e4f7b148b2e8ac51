"""Train a policy with MaskablePPO: `python -m agents.train --config configs/falling_off/ppo.yaml [--resume]`."""

from __future__ import annotations

from agents.common.console import run
from agents.programs.training import training_program

main = training_program(
    "train",
    """Train a policy with MaskablePPO against a mix of opponents.

    \b
    Example:
      python -m agents.train --config configs/GAME/ppo.yaml --set seed=1
    """,
)

if __name__ == "__main__":
    run(main)
