"""Train a policy: `python -m agents.train --config configs/falling_off/ppo.yaml [--set key=value] [--resume]`."""

from __future__ import annotations

from agents.common.console import run
from agents.training.program import training_program

main = training_program(
    "agents.ppo.training", "TrainingRun", "Train a policy with masked PPO against a mix of opponents."
)

if __name__ == "__main__":
    run(main)
