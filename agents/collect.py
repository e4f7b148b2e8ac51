"""Collect games by any agents as a data set: arrays or episodes to learn from, or records to replay.

    python -m agents.collect --game falling_off --agents heuristic random --games 10000 --out runs/falling_off/data

The same command goes on after a kill, and ends in the same bytes however many processes play. The folder has a card,
`card.md`, which tells what is in it.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from agents.common.console import SAME_COMMAND, if_interrupted, parse_params, progress_bar, run

if TYPE_CHECKING:
    import typer


def main(
    agents: Annotated[list[str], typer.Option(help="after the flag one for all seats, or one for each")],
    games: Annotated[int, typer.Option(min=1, help="how many; the agents move on by a seat in each")],
    out: Annotated[Path, typer.Option(help="the folder")],
    game: Annotated[str | None, typer.Option(help="default: that of the first policy among the agents")] = None,
    param: Annotated[list[str] | None, typer.Option(help="of the game, as num_players=3")] = None,
    format_: Annotated[str, typer.Option("--format", help="arrays (safetensors), npz, minari or records")] = "arrays",
    viewer: Annotated[
        int | None, typer.Option(min=0, help="a seat: keep what its player saw, and nothing else")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="another one for other games")] = 0,
    noise: Annotated[float, typer.Option(help="share of the decisions that are drawn uniformly")] = 0.0,
    shard: Annotated[int, typer.Option(min=1, help="games in a file, which are played side by side")] = 128,
    author: Annotated[str | None, typer.Option(help="who made it, for the card")] = None,
    author_email: Annotated[str | None, typer.Option(help="where that is asked")] = None,
    code_permalink: Annotated[str | None, typer.Option(help="an address of the code that made it")] = None,
    workers: Annotated[int | None, typer.Option(min=1, max=256, help="processes; default: one a core")] = None,
    ray: Annotated[str | None, typer.Option(help="on a Ray cluster: HOST:PORT, auto, or none to start one")] = None,
) -> None:
    """Play games and keep them in files, with a card."""
    from agents.collection.config import CollectionConfig
    from agents.collection.run import collect
    from agents.common.configuration import parse
    from agents.players.games import game_for
    from agents.workers.opening import open_workers

    played = game_for(agents, game, parse_params(param))
    given = {
        "game": played.name, "params": played.params_dict(), "agents": agents, "games": games, "format": format_,
        "viewer": viewer, "seed": seed, "noise": noise, "shard": shard,
        "author": author, "author_email": author_email, "code_permalink": code_permalink,
    }  # fmt: skip
    config = parse(CollectionConfig, given, "collect")
    saved = f"finished files of {shard} games are saved; {SAME_COMMAND}"
    with if_interrupted(saved), open_workers(workers, ray) as team, progress_bar() as progress:
        task = progress.add_task(f"{played.name}: games", total=games)
        collect(config, out, team, lambda done, total: progress.update(task, completed=done))
    print((out / "card.md").read_text(encoding="utf-8"), end="")
    print(f"\nall of it: {out}")


if __name__ == "__main__":
    run(main, several=("--agents", "--param"))
