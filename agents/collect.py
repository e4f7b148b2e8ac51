"""Collect games of any agents as a data set: arrays or episodes for offline learning, or records to replay.

    python -m agents.collect --game falling_off --agents heuristic random --games 10000 --out runs/falling_off/data

The same command continues after an interruption. The bytes of the data set do not depend on the number of processes.
`card.md` in the folder describes the data set.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from agents.common.console import SAME_COMMAND, if_interrupted, parse_params, printable_path, progress_bar, run

if TYPE_CHECKING:
    import typer

    from agents.common.options import Device, Params, Ray, Workers


def main(
    agents: Annotated[
        list[str], typer.Option(metavar="AGENT...", help="one agent for all seats, or one for each seat")
    ],
    games: Annotated[int, typer.Option(min=1, help="number of games; agents move by one seat after each")],
    out: Annotated[Path, typer.Option(metavar="FOLDER", help="folder of the data set")],
    game: Annotated[str | None, typer.Option(help="name of the game; default: the game of the first policy")] = None,
    param: Params = None,
    format_: Annotated[
        str, typer.Option("--format", metavar="FORMAT", help="arrays (safetensors), npz, minari or records")
    ] = "arrays",
    viewer: Annotated[int | None, typer.Option(min=0, metavar="SEAT", help="keep only what this seat observes")] = None,
    seed: Annotated[int, typer.Option(min=0, help="seed of the data set")] = 0,
    noise: Annotated[float, typer.Option(metavar="SHARE", help="share of uniformly random decisions")] = 0.0,
    shard: Annotated[int, typer.Option(min=1, metavar="GAMES", help="games per file")] = 128,
    author: Annotated[str | None, typer.Option(metavar="NAME", help="author, for the card")] = None,
    author_email: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="e-mail address of the author, for the card")
    ] = None,
    code_permalink: Annotated[
        str | None, typer.Option(metavar="URL", help="permanent link to the code, for the card")
    ] = None,
    device: Device = "auto",
    workers: Workers = None,
    ray: Ray = None,
) -> None:
    """Collect games as a data set with a card.

    \b
    Example:
      python -m agents.collect --game falling_off --agents heuristic random --games 10000 --out runs/data

    Agents:

    {agent_names}
    """
    from agents.collection.config import CollectionConfig
    from agents.collection.run import collect
    from agents.common.configuration import parse
    from agents.common.devices import play_on
    from agents.players.games import game_for
    from agents.workers.opening import open_workers

    play_on(device)
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
    print(f"\nresults: {printable_path(out)}")


if __name__ == "__main__":
    run(main)
