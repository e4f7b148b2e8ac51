"""Rate agents on many boards by one written protocol, and write the page that shows it.

    python -m agents.leaderboard --docs docs
    python -m agents.leaderboard --boards beyond_maps_8x8 --enter my_agents:make_agent

Each board is a tournament of its own, see docs/tournaments.md. What was played is kept: the same command goes on after
an interruption, and agents that enter later play their own games only.
"""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from agents.common.console import SAME_COMMAND, if_interrupted, progress_bar, run

if TYPE_CHECKING:
    import typer


def main(
    config: Annotated[Path, typer.Option(help="the protocol")] = Path("configs/leaderboard.yaml"),
    set_: Annotated[list[str] | None, typer.Option("--set", help="override a value: key=value, as games=900")] = None,
    time_limit: Annotated[float | None, typer.Option(help="seconds for a decision; default: the protocol's")] = None,
    boards: Annotated[list[str] | None, typer.Option(help="some of the protocol's, one or more after the flag")] = None,
    enter: Annotated[list[str] | None, typer.Option(help="agents that play, too, on each of these boards")] = None,
    docs: Annotated[Path | None, typer.Option(help="where the page is written; default: the folder --out")] = None,
    workers: Annotated[int | None, typer.Option(min=1, max=256, help="processes; default: one a core")] = None,
    ray: Annotated[str | None, typer.Option(help="on a Ray cluster: HOST:PORT, auto, or none to start one")] = None,
    out: Annotated[Path, typer.Option(help="the folder of the tournaments")] = Path("runs/leaderboard"),
) -> None:
    """Play the tournaments of a protocol and write the page."""
    from agents.arena.leaderboard import LeaderboardConfig, play_boards, write_page
    from agents.common.configuration import read_mapping
    from agents.common.programs import parse_config
    from agents.workers.opening import open_workers

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
    words += ["--time-limit", f"{time_limit:g}"] if time_limit is not None else []
    words += ["--boards", *boards] if boards else []
    words += ["--enter", *entered] if entered else []
    words += ["--docs", str(docs)] if docs else []
    page = write_page(checked, documents, shlex.join(words), out, docs or out)
    print(f"page: {page}")


if __name__ == "__main__":
    run(main, several=("--boards", "--enter"))
