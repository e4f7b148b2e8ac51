"""Learn values from the rules alone: `python -m agents.tuples --config configs/beyond_maps/from_rules_8x8.yaml`.

An n-tuple network learns the values of positions after whole turns in games against itself, by TD(λ). It reads only the
cells of a game: facts that follow from the rules.
"""

from __future__ import annotations

from agents.common.console import run
from agents.programs.training import training_program

main = training_program(
    "tuples",
    """Learn the values of positions from the rules alone, with an n-tuple network and TD(λ).

    \b
    Example:
      python -m agents.tuples --config configs/GAME/from_rules_BOARD.yaml
    """,
)

if __name__ == "__main__":
    run(main)
