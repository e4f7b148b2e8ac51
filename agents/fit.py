"""Fit values of positions to games of the built-in player, for searches to stop at.

    python -m agents.fit --game falling_off --games 20000 --cut 1

The fit goes into `search.json` in the folder of the game, beside those for other parameters. A run that is interrupted
goes on where it stopped if `--keep` names a file for its games.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from agents.common.console import SAME_COMMAND, if_interrupted, parse_params, progress_bar, run

if TYPE_CHECKING:
    import typer

CHUNK = 256  # games between two looks at the clock


def main(
    game: Annotated[str, typer.Option(help="which game")],
    games: Annotated[int, typer.Option(min=10, help="of the built-in player, a tenth of its decisions drawn")] = 4000,
    param: Annotated[list[str] | None, typer.Option(help="of the game, as num_players=3")] = None,
    cut: Annotated[int, typer.Option(min=1, max=1000, help="turns that a search plays on before it asks")] = 2,
    seed: Annotated[int, typer.Option(min=0, max=2**62, help="of the first game")] = 0,
    keep: Annotated[Path | None, typer.Option(help="a file (.npz) for the games, to go on from")] = None,
    out: Annotated[Path | None, typer.Option(help="write here instead of into the folder of the game")] = None,
) -> None:
    """Play games, fit, and write the result."""
    from agents.common.parameters import make_game
    from agents.fitting.leaf_values import add_fit, collect, fit_values, read_fits
    from edge_envs.search.fitted import feature_names, fit_file

    played = make_game(game, parse_params(param))
    path = out or fit_file(played.type)
    read_fits(path)  # which fails before games are played if it is another file
    saved = (
        "nothing was saved, without --keep" if keep is None else f"finished games are saved in {keep}; {SAME_COMMAND}"
    )
    with if_interrupted(saved), progress_bar() as progress:
        task = progress.add_task("playing", total=games)
        samples, games = collect(played, games, seed, CHUNK, keep, lambda done: progress.update(task, completed=done))
    fit, explained = fit_values(played, samples, cut)
    add_fit(path, fit, feature_names(played.type), games, explained)
    print(f"{len(samples)} positions of {games} games; {explained:.0%} of the differences foretold; written to {path}")


if __name__ == "__main__":
    run(main, several=("--param",))
