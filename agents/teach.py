"""Teach a policy by search: `python -m agents.teach --config configs/beyond_maps/teach.yaml [--resume]`.

A search plays games against itself, a network is fitted to what it says, and the search asks the network in the next.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from agents.common.console import if_interrupted, run

if TYPE_CHECKING:
    import typer


def main(
    config: Annotated[Path | None, typer.Option(help="a YAML file, such as configs/GAME/NAME.yaml")] = None,
    out: Annotated[Path | None, typer.Option(help="the run's folder; default: runs/<game>/<name of the file>")] = None,
    set_: Annotated[list[str] | None, typer.Option("--set", help="override a value: key=value, as parts=8")] = None,
    resume: Annotated[bool, typer.Option(help="continue from the last checkpoint of the run in --out")] = False,
    workers: Annotated[int | None, typer.Option(min=1, max=256, help="processes for `parts`; default: 1")] = None,
    ray: Annotated[str | None, typer.Option(help="on a Ray cluster: HOST:PORT, auto, or none to start one")] = None,
) -> None:
    """Teach a policy what a search finds in games against itself."""
    from agents.teaching.training import TeachingRun, train
    from agents.training.program import RESUME, print_places
    from agents.workers.opening import open_workers

    with TeachingRun.open(config, out, set_, resume) as (folder, checked):
        with if_interrupted(RESUME), open_workers(workers, ray, default=1) as team:
            train(checked, folder, resume, team)
        print_places(folder)


if __name__ == "__main__":
    run(main)
