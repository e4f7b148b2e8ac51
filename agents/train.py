"""Train a policy: `python -m agents.train --config configs/falling_off/ppo.yaml [--set key=value] [--resume]`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from agents.console import run

if TYPE_CHECKING:
    import typer


def main(
    config: Annotated[Path | None, typer.Option(help="a YAML file, such as configs/GAME/NAME.yaml")] = None,
    out: Annotated[Path | None, typer.Option(help="the run's folder; default: runs/<game>/<name of the file>")] = None,
    set_: Annotated[
        list[str] | None, typer.Option("--set", help="override a value: key=value, as ppo.epochs=4")
    ] = None,
    resume: Annotated[bool, typer.Option(help="go on from the last checkpoint of the run in --out")] = False,
) -> None:
    """Train a policy with masked PPO against a mix of opponents."""
    from agents.ppo.training import TrainingRun, train

    with TrainingRun.open(config, out, set_, resume) as (folder, checked):
        train(checked, folder, resume)
    print(f"policy: {folder.policy}\ncurves: {folder.folder / 'curves.png'}\npage: {folder.folder / 'index.html'}")


if __name__ == "__main__":
    run(main)
