"""Learn the values of positions by self-play: `python -m agents.values --config configs/falling_off/values.yaml`.

This suits games in which a turn has few outcomes. Every seat plays by `turn` with the values learned so far, and the
values are fitted to the results by TD(λ).
"""

from __future__ import annotations

from agents.common.console import run
from agents.programs.training import training_program

main = training_program(
    "values",
    """Learn the values of positions by self-play with TD(λ).

    \b
    Example:
      python -m agents.values --config configs/GAME/values.yaml
    """,
)

if __name__ == "__main__":
    run(main)
