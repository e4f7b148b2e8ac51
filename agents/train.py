"""Train a policy with MaskablePPO: `python -m agents.train --config configs/falling_off/ppo.yaml [--resume]`.

In Python, `agents.train.run` does the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from agents.common.console import run as run_program
from agents.programs.training import TrainedPolicy, run_training, training_program

__all__ = ["TrainedPolicy", "run"]

main = training_program(
    "train",
    """Train a policy with MaskablePPO against a mix of opponents.

    \b
    Example:
      python -m agents.train --config configs/GAME/ppo.yaml --set seed=1
    """,
)


def run(
    config: str | Path | Mapping[str, Any] | None = None,
    out: str | Path | None = None,
    *,
    overrides: Mapping[str, Any] | None = None,
    resume: bool = False,
) -> TrainedPolicy:
    """Train a policy in this process, for example in a notebook.

    It shows one progress bar, in a terminal or in the output of a cell; in a log it prints a line per minute. An
    interruption saves a checkpoint.

    Args:
        config: the path of a configuration file, or the configuration as a dictionary. None continues the run in `out`
            with its own configuration.
        out: the run folder; by default `runs/GAME/NAME` after the file, or `runs/GAME/run`.
        overrides: values in place of those of the configuration, such as `{"total_steps": 100_000, "ppo.epochs": 2}`.
        resume: whether to continue the run in the folder from its last checkpoint.

    Returns:
        The run folder and the policy folder. Pass the latter as an agent's name to any program or function.

    Raises:
        ValueError: if the configuration is invalid, or if the folder already has a run and `resume` is false.
    """
    return run_training("train", config, out, overrides, resume)


if __name__ == "__main__":
    run_program(main)
