"""Train a policy with deep Q-learning: `python -m agents.dqn --config FILE`.

The options are those of `agents.train`.
"""

from __future__ import annotations

from agents.common.console import run
from agents.programs.training import training_program

main = training_program(
    "dqn",
    """Train a policy with deep Q-learning against a mix of opponents.

    \b
    Example:
      python -m agents.dqn --config configs/GAME/dqn.yaml
    """,
)

if __name__ == "__main__":
    run(main)
