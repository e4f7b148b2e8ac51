"""Rate any number of agents by a tournament, in games of two to six players.

    python -m agents.tournament --game beyond_maps --param size=8 --agents random heuristic search:50

Every group of agents plays on the same seeds in every seat order. Pairs that may be equal play more games. Games are
saved: the same command continues, and agents that join later play only their own games.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from agents.common.console import SAME_COMMAND, if_interrupted, parse_params, printable_path, progress_bar, run

if TYPE_CHECKING:
    import typer

    from agents.arena.tournament import TournamentConfig
    from agents.common.options import Device, Params, Ray, Workers


def main(
    config: Annotated[
        Path | None, typer.Option(help="configuration file, such as configs/GAME/tournament.yaml")
    ] = None,
    game: Annotated[str | None, typer.Option(help="name of the game; default: the game of the first policy")] = None,
    param: Params = None,
    agents: Annotated[list[str] | None, typer.Option(metavar="AGENT...", help="two or more agents")] = None,
    games: Annotated[int | None, typer.Option(min=1, help="largest number of games; default: 2000")] = None,
    precision: Annotated[
        float | None,
        typer.Option(
            metavar="POINTS",
            help="stop once the half-width of every 95 % interval is at most this many rating points; default: 15",
        ),
    ] = None,
    time_limit: Annotated[
        float | None, typer.Option(metavar="SECONDS", help="time limit per decision; default: no limit")
    ] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="evaluation seed of the first game; default: 0")] = None,
    record: Annotated[bool, typer.Option("--record", help="also save a record of each game")] = False,
    device: Device = "auto",
    workers: Workers = None,
    ray: Ray = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="tournament folder; default: runs/GAME/tournament")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="print one JSON object instead of tables")] = False,
) -> None:
    """Play a tournament and rate the agents.

    \b
    Example:
      python -m agents.tournament --game falling_off --agents random heuristic search:50 --games 960

    Agents:

    {agent_names}
    """
    from agents.common.devices import play_on

    play_on(device)
    given = {
        "games": games, "precision": precision, "time_limit": time_limit, "seed": seed, "record": record or None,
    }  # fmt: skip
    checked = _configuration(config, game, parse_params(param), agents, given)
    folder = out or Path("runs") / checked.game / (config.stem if config else "tournament")
    from agents.arena.plots import draw_matrix, draw_ratings
    from agents.arena.report import markdown
    from agents.arena.tournament import play_tournament
    from agents.common.files import write_whole
    from agents.workers.opening import open_workers

    saved = f"finished games are saved; {SAME_COMMAND}"
    with if_interrupted(saved), open_workers(workers, ray) as team, progress_bar() as progress:
        task = progress.add_task("getting ready", total=None)

        def show(what: str, done: int, total: int) -> None:
            progress.update(task, description=what, completed=done, total=total)

        document = play_tournament(checked, folder, team, show)
    title = f"{checked.game}: {document['games']:,} games"
    write_whole(folder / "standings.json", json.dumps(document, indent=1, ensure_ascii=False) + "\n")
    write_whole(folder / "standings.md", markdown(document))
    draw_ratings(document, title, folder)
    draw_matrix(document, title, folder)
    if as_json:
        print(json.dumps(document))
    else:
        print(markdown(document), end="")
        print(f"\nresults: {printable_path(folder)}")


def _configuration(
    config: Path | None,
    game: str | None,
    params: dict[str, Any],
    agents: list[str] | None,
    given: dict[str, Any],
) -> TournamentConfig:
    """Return the configuration of a file, overridden by the command line."""
    from agents.arena.tournament import Players, TournamentConfig
    from agents.common.configuration import parse, read_mapping
    from agents.players.games import game_for
    from agents.programs.table import parse_config

    data = read_mapping(config) if config else {}
    if not data.keys() <= TournamentConfig.model_fields.keys():
        parse_config(TournamentConfig, data, str(config))  # fails and names the unknown key
    data |= {key: value for key, value in given.items() if value is not None}
    data |= {"agents": agents} if agents else {}
    if not data.get("agents"):
        raise ValueError("no agents: name two or more with --agents, or a configuration with --config")
    if game is not None or params or "game" not in data:
        said = parse(
            Players, {key: data[key] for key in Players.model_fields if key in data}, str(config or "tournament")
        )
        named = game_for(said.agents, game or said.game, {**said.params, **params})
        data |= {"game": named.name, "params": named.params_dict()}
    return parse(TournamentConfig, data, str(config or "tournament"))


if __name__ == "__main__":
    run(main)
