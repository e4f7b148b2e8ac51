"""Train a policy by self-play: `python -m agents.selfplay --config configs/falling_off/selfplay.yaml`.

The options are those of `agents.train`.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from agents.console import run

if TYPE_CHECKING:
    import typer


def main(
    config: Annotated[Path | None, typer.Option(help="a YAML file, as configs/GAME/selfplay.yaml")] = None,
    out: Annotated[Path | None, typer.Option(help="the run's folder; default: runs/<game>/<name of the file>")] = None,
    set_: Annotated[
        list[str] | None, typer.Option("--set", help="override a value: key=value, as ppo.epochs=4")
    ] = None,
    resume: Annotated[bool, typer.Option(help="go on from the last checkpoint of the run in --out")] = False,
) -> None:
    """Train a policy that plays all seats against itself."""
    from agents.selfplay.training import SelfPlayRun, train

    with SelfPlayRun.open(config, out, set_, resume) as (folder, checked):
        train(checked, folder, resume)
    print(f"policy: {folder.policy}\ncurves: {folder.folder / 'curves.png'}\npage: {folder.folder / 'index.html'}")


if __name__ == "__main__":
    run(main)
