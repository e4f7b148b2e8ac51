"""Rate agents on many boards by a fixed protocol, and write the leaderboard page.

    python -m agents.leaderboard --docs docs
    python -m agents.leaderboard --boards beyond_maps_8x8 --enter my_agents:make_agent

Each board is a tournament, see docs/tournaments.md. Games are saved: the same command continues after an interruption,
and agents that enter later play only their own games.
"""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from agents.common.console import SAME_COMMAND, if_interrupted, printable_path, progress_bar, run
from agents.common.numbers import all_digits

if TYPE_CHECKING:
    import typer

    from agents.common.options import Device, Ray, Workers


def main(
    config: Annotated[Path, typer.Option(help="file of the protocol")] = Path("configs/leaderboard.yaml"),
    set_: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE...", help="override values, such as games=900")
    ] = None,
    time_limit: Annotated[
        float | None, typer.Option(metavar="SECONDS", help="time limit per decision; default: that of the protocol")
    ] = None,
    boards: Annotated[
        list[str] | None, typer.Option(metavar="BOARD...", help="boards to play; default: all of the protocol")
    ] = None,
    enter: Annotated[
        list[str] | None, typer.Option(metavar="AGENT...", help="agents that enter on each of these boards")
    ] = None,
    docs: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="folder of the page; default: that of --out")
    ] = None,
    device: Device = "auto",
    workers: Workers = None,
    ray: Ray = None,
    out: Annotated[Path, typer.Option(metavar="FOLDER", help="folder of the tournaments")] = Path("runs/leaderboard"),
) -> None:
    """Play the tournaments of the protocol and write the leaderboard page.

    \b
    Example:
      python -m agents.leaderboard --boards beyond_maps_8x8 --enter my_agents:make_agent
    """
    from agents.arena.leaderboard import LeaderboardConfig, play_boards, write_page
    from agents.common.configuration import read_mapping
    from agents.common.devices import play_on
    from agents.programs.table import parse_config
    from agents.workers.opening import open_workers

    play_on(device)
    said = {} if time_limit is None else {"time_limit": time_limit}
    checked = parse_config(LeaderboardConfig, read_mapping(config, set_) | said, str(config))
    names, entered = boards or list(checked.boards), enter or []
    saved = f"finished games are saved; {SAME_COMMAND}"
    with if_interrupted(saved), open_workers(workers, ray) as team, progress_bar() as progress:
        task = progress.add_task("getting ready", total=None)

        def show(what: str, done: int, total: int) -> None:
            progress.update(task, description=what, completed=done, total=total)

        documents = play_boards(checked, names, entered, out, team, show)
    words = ["python", "-m", "agents.leaderboard", "--config", str(config)]
    words += [word for value in set_ or [] for word in ("--set", value)]
    words += ["--time-limit", all_digits(time_limit)] if time_limit is not None else []
    words += ["--boards", *boards] if boards else []
    words += ["--enter", *entered] if entered else []
    words += ["--docs", str(docs)] if docs else []
    page = write_page(checked, documents, shlex.join(words), out, docs or out)
    print(f"page: {printable_path(page)}")


if __name__ == "__main__":
    run(main)
