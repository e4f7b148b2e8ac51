"""The command line of programs that train."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from agents.common.console import if_interrupted

if TYPE_CHECKING:
    import typer

    from agents.training.folder import TrainingFolder

RESUME = "continue with --resume"


def training_program(module: str, run: str, purpose: str) -> Callable[..., None]:
    """The main function of a program: `train` of a module, in a folder of its class `run`, which is told of at the end.

    The module is imported when the program runs.
    """

    def main(
        config: Annotated[Path | None, typer.Option(help="a YAML file, such as configs/GAME/NAME.yaml")] = None,
        out: Annotated[
            Path | None, typer.Option(help="the run's folder; default: runs/<game>/<name of the file>")
        ] = None,
        set_: Annotated[
            list[str] | None, typer.Option("--set", help="override a value: key=value, as total_steps=100000")
        ] = None,
        resume: Annotated[bool, typer.Option(help="continue from the last checkpoint of the run in --out")] = False,
    ) -> None:
        made = importlib.import_module(module)
        with getattr(made, run).open(config, out, set_, resume) as (folder, checked), if_interrupted(RESUME):
            made.train(checked, folder, resume)
        print_places(folder)

    main.__doc__ = purpose
    return main


def print_places(folder: TrainingFolder[Any]) -> None:
    """Tell where what a training has made is."""
    print(f"policy: {folder.policy}\ncurves: {folder.folder / 'curves.png'}\npage: {folder.folder / 'index.html'}")
