"""The command line of programs that train."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from agents.common.console import if_interrupted, printable_path

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


@dataclass(frozen=True)
class TrainedPolicy:
    """The results of a training. A notebook displays its learning curves.

    Attributes:
        folder: the run folder.
        policy: the policy folder; its path is the name of an agent.
    """

    folder: Path
    policy: Path

    def evaluations(self) -> list[dict[str, Any]]:
        """Return the evaluations during the training, in order, one for each step and opponent."""
        from agents.training.monitor import ROWS, read_rows

        return read_rows(self.folder / ROWS)

    def __fspath__(self) -> str:
        return str(self.policy)

    def __str__(self) -> str:
        return str(self.policy)

    def _repr_png_(self) -> bytes:
        from agents.training.monitor import PICTURE

        return (self.folder / PICTURE).read_bytes()


def run_training(
    name: str,
    config: str | Path | Mapping[str, Any] | None,
    out: str | Path | None,
    overrides: Mapping[str, Any] | None,
    resume: bool,
) -> TrainedPolicy:
    """Train like a program, in this process: see `agents.train.run`.

    Args:
        name: the trainer in `agents.programs.table.PROGRAMS`.
        config: the configuration file or its contents, or None to resume.
        out: the run folder, or None for the default.
        overrides: values in place of those of the configuration, by key.
        resume: whether to continue a run.
    """
    from agents.common.configuration import json_text
    from agents.programs.table import PROGRAMS, parse_config
    from edge_envs.core.errors import in_short

    trainer = PROGRAMS[name]()
    assert trainer.run_folder is not None
    assert trainer.train is not None
    asked = Path(config) if isinstance(config, str) else config
    if not isinstance(overrides, Mapping | None):
        raise ValueError(f"invalid overrides={in_short(overrides)}: expected a mapping of keys to values")
    if out == "":
        raise ValueError("invalid out='': expected a folder, or None for the default")
    changes = [f"{key}={json_text(value)}" for key, value in (overrides or {}).items()]
    folder = None if out is None else Path(out)
    with trainer.run_folder.open(asked, folder, changes, resume, parse_config) as (run, checked):
        trainer.train(checked, run, resume)
    return TrainedPolicy(run.folder, run.policy)


def print_places(folder: TrainingFolder[Any]) -> None:
    """Print where the results of a training are."""
    places = {"policy": folder.policy, "curves": folder.folder / "curves.png", "page": folder.folder / "index.html"}
    for name, place in places.items():
        print(f"{name}: {printable_path(place)}")
