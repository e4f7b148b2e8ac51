"""Train a policy by search: `python -m agents.teach --config configs/beyond_maps/teach.yaml [--resume]`.

This is expert iteration (Anthony, Tian and Barber, 2017), as in AlphaZero: a tree search plays games against itself, a
network is fitted to its policy and to the results, and the search uses the network in the next round.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from agents.common.console import if_interrupted, run

if TYPE_CHECKING:
    import typer

    from agents.common.options import Config, Out, Ray, Resume


def main(
    config: Config = None,
    out: Out = None,
    set_: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE...", help="override values, such as parts=8")
    ] = None,
    resume: Resume = False,
    workers: Annotated[
        int | None, typer.Option(min=1, max=256, metavar="N", help="processes that share a round; default: 1")
    ] = None,
    ray: Ray = None,
) -> None:
    """Train a policy by expert iteration: fit it to what a tree search finds in games against itself.

    \b
    Example:
      python -m agents.teach --config configs/beyond_maps/teach.yaml --workers 4
    """
    from agents.programs.table import parse_config
    from agents.programs.training import RESUME, print_places
    from agents.teaching.training import TeachingRun, train
    from agents.workers.opening import open_workers

    with TeachingRun.open(config, out, set_, resume, parse_config) as (folder, checked):
        with if_interrupted(RESUME), open_workers(workers, ray, default=1) as team:
            train(checked, folder, resume, team)
        print_places(folder)


if __name__ == "__main__":
    run(main)
