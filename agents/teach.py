"""Teach a policy by search: `python -m agents.teach --config configs/beyond_maps/teach.yaml [--resume]`.

A search plays games against itself, a network is fitted to what it says, and the search asks the network in the next.
"""

from __future__ import annotations

from agents.console import run
from agents.training.program import training_program

main = training_program(
    "agents.teaching.training", "TeachingRun", "Teach a policy what a search finds in games against itself."
)

if __name__ == "__main__":
    run(main)
