"""Learn what positions are worth: `python -m agents.values --config configs/falling_off/values.yaml [--resume]`.

For games in which a turn has few outcomes. Every seat plays by `turn` with the values learned so far.
"""

from __future__ import annotations

from agents.common.console import run
from agents.training.program import training_program

main = training_program(
    "agents.value_learning.training", "ValuesRun", "Learn values of positions from games against itself."
)

if __name__ == "__main__":
    run(main)
