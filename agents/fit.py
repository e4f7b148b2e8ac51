"""Fit a value function to games of the heuristic, for the leaves of searches.

    python -m agents.fit --game falling_off --games 20000 --cut 1

The fit is added to `search.json` in the folder of the game, which has one fit for each set of parameters. With `--keep`
the same command continues an interrupted run.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from agents.common.console import SAME_COMMAND, if_interrupted, parse_params, printable_path, progress_bar, run

if TYPE_CHECKING:
    import typer

    from agents.common.options import Params

CHUNK = 256  # games between two updates


def main(
    game: Annotated[str, typer.Option(help="name of the game")],
    games: Annotated[
        int, typer.Option(min=10, help="number of games of the heuristic with 10 % random decisions")
    ] = 4000,
    param: Params = None,
    cut: Annotated[
        int, typer.Option(min=1, max=1000, metavar="TURNS", help="turns that a search plays before it uses the value")
    ] = 2,
    seed: Annotated[int, typer.Option(min=0, max=2**62, help="seed of the first game")] = 0,
    keep: Annotated[
        Path | None, typer.Option(metavar="FILE", help="keep the games in this .npz file, to continue from")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="result file; default: search.json of the game")
    ] = None,
) -> None:
    """Fit a value function to games of the heuristic, for the leaves of searches.

    \b
    Example:
      python -m agents.fit --game falling_off --games 20000 --cut 1
    """
    from agents.common.parameters import make_game
    from agents.fitting.leaf_values import add_fit, collect, fit_values, read_fits
    from edge_envs.search.fitted import feature_names, fit_file

    played = make_game(game, parse_params(param))
    path = out or fit_file(played.type)
    read_fits(path)  # fails before games are played if it is a file of another kind
    saved = (
        "nothing was saved, because --keep was not given"
        if keep is None
        else f"finished games are saved in {keep}; {SAME_COMMAND}"
    )
    with if_interrupted(saved), progress_bar() as progress:
        task = progress.add_task("playing", total=games)
        samples, games = collect(played, games, seed, CHUNK, keep, lambda done: progress.update(task, completed=done))
    fit, explained = fit_values(played, samples, cut)
    add_fit(path, fit, feature_names(played.type), games, explained)
    where = printable_path(path)
    print(f"{len(samples)} positions of {games} games; {explained:.0%} of the variance explained; written to {where}")


if __name__ == "__main__":
    run(main)
