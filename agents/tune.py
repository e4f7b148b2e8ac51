"""Search for better weights of a heuristic: `python -m agents.tune --config configs/ghost_ship/tour_weights.yaml`.

Hints of the tuned heuristic are a good start for training.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from agents.common.console import if_interrupted, printable_path, progress_bar, run

if TYPE_CHECKING:
    import typer

    from agents.common.options import Out, Ray


def main(
    config: Annotated[
        Path | None, typer.Option(help="configuration file, such as configs/GAME/NAME_weights.yaml")
    ] = None,
    out: Out = None,
    set_: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE...", help="override values, such as games=20000")
    ] = None,
    resume: Annotated[bool, typer.Option(help="continue the run in --out")] = False,
    workers: Annotated[
        int | None,
        typer.Option(min=1, max=256, metavar="N", help="worker processes; default: `threads` of the configuration"),
    ] = None,
    ray: Ray = None,
) -> None:
    """Search for better weights of a heuristic: play with random weights, fit a quadratic surface, check its optimum.

    \b
    Example:
      python -m agents.tune --config configs/ghost_ship/tour_weights.yaml
    """
    from agents.fitting.heuristic_weights import TuningRun, tune
    from agents.programs.table import parse_config
    from agents.workers.opening import open_workers

    with (
        TuningRun.open(config, out, set_, resume, parse_config) as (folder, checked),
        if_interrupted("finished games are saved; continue with --resume"),
        open_workers(workers, ray, checked.threads) as team,
        progress_bar() as progress,
    ):
        task = progress.add_task("getting ready", total=None)

        def show(what: str, done: int, total: int) -> None:
            progress.update(task, description=what, completed=done, total=total)

        document = tune(checked, folder, team, show)
    check = document["check"]
    print(folder.weights.read_text(encoding="utf-8"), end="")
    print(
        f"mean reward {check['mean_return']:.4f} ± {check['standard_error']:.4f} in {check['games']:,} games: "
        f"{check['wins']:,} won, {check['draws']:,} drawn, {check['losses']:,} lost\n"
        f"weights: {printable_path(folder.weights)}\npicture: {printable_path(folder.picture)}"
    )


if __name__ == "__main__":
    run(main)
