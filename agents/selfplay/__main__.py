"""Train a policy with PPO by self-play: `python -m agents.selfplay --config configs/falling_off/selfplay.yaml`.

The options are those of `agents.train`.
"""

from __future__ import annotations

from agents.common.console import run
from agents.programs.training import training_program

main = training_program(
    "selfplay",
    """Train a policy with PPO by self-play: one network plays all seats.

    \b
    Example:
      python -m agents.selfplay --config configs/GAME/selfplay.yaml
    """,
)

if __name__ == "__main__":
    run(main)
