"""The command line of programs that train."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any

from agents.common.console import if_interrupted

if TYPE_CHECKING:
    import typer

    from agents.common.options import Config, Out, Resume
    from agents.training.folder import TrainingFolder

RESUME = "continue with --resume"


def training_program(name: str, purpose: str) -> Callable[..., None]:
    """Return the main function of a trainer.

    Args:
        name: the trainer in `agents.programs.table.PROGRAMS`.
        purpose: the text that `--help` shows.
    """

    def main(
        config: Config = None,
        out: Out = None,
        set_: Annotated[
            list[str] | None,
            typer.Option("--set", metavar="KEY=VALUE...", help="override values, such as total_steps=100000"),
        ] = None,
        resume: Resume = False,
    ) -> None:
        from agents.programs.table import PROGRAMS, parse_config

        trainer = PROGRAMS[name]()
        assert trainer.run_folder is not None
        assert trainer.train is not None
        opened = trainer.run_folder.open(config, out, set_, resume, parse_config)
        with opened as (folder, checked), if_interrupted(RESUME):
            trainer.train(checked, folder, resume)
        print_places(folder)

    main.__doc__ = purpose
    return main


def print_places(folder: TrainingFolder[Any]) -> None:
    """Print where the results of a training are."""
    print(f"policy: {folder.policy}\ncurves: {folder.folder / 'curves.png'}\npage: {folder.folder / 'index.html'}")
