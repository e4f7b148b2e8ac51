"""Play a game against agents, in the terminal or in the browser.

    python scripts/play.py falling_off [--seat 0] [--against heuristic] [--param num_players=3] [--record games.jsonl]

Type an action, any words of it, or its number. Commands start with a colon: `:hint`, `:undo`, `:rules`, `:save FILE`;
`:help` lists them all. If a judge is available for the game, the program says how much each of your decisions gives
away; `--no-advice` turns this off, and `--judge search:500ms` uses a search as the judge.

Serve a web page to play in, only on this machine, and print its address; `--lan` also serves guests on the local
network:

    python scripts/play.py falling_off --web [--port 8000] [--no-browser] [--lan] [--against policies/falling_off/ppo]
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

from agents.common.console import fail_politely, parse_params, run

if TYPE_CHECKING:
    import typer

    from edge_envs import Game
    from edge_envs.play.appraisal import Adviser
    from scripts.playing.session import Session


def main(
    game: Annotated[str, typer.Argument(metavar="GAME", help="name of the game")],
    seat: Annotated[int, typer.Option(min=0, metavar="SEAT", help="your seat; seat 0 moves first")] = 0,
    against: Annotated[
        list[str] | None,
        typer.Option(
            metavar="AGENT",
            help="one agent for all other seats, or one per seat from your left: random, heuristic (default), "
            "perfect, flat_monte_carlo, search:200, turn, one_turn, or a policy folder",
        ),
    ] = None,
    param: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=VALUE", help="parameter of the game, such as num_players=3; repeat for several"),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(min=0, metavar="N", help="seed for chance and agents; default: a fresh seed")
    ] = None,
    position: Annotated[
        Path | None, typer.Option(metavar="FILE", help="start from the position in a JSON file")
    ] = None,
    record: Annotated[
        Path | None, typer.Option(metavar="FILE", help="append the record of the game to a file of JSON lines")
    ] = None,
    advice: Annotated[bool, typer.Option(help="say how much your decisions give away")] = True,
    judge: Annotated[
        str | None,
        typer.Option(
            metavar="AGENT",
            help="judge of your decisions: perfect, search:200, turns:16:FOLDER or a policy folder; "
            "default: the best one that is fast",
        ),
    ] = None,
    web: Annotated[
        bool, typer.Option("--web", help="serve a web page to play in; choose all other options there")
    ] = False,
    port: Annotated[
        int | None,
        typer.Option(min=0, max=65535, metavar="PORT", help="port of the page; 0: any free one; default: the last one"),
    ] = None,
    browser: Annotated[bool, typer.Option(help="open the page in a browser")] = True,
    lan: Annotated[
        bool, typer.Option("--lan", help="also serve guests on the local network, who join by a link or a QR code")
    ] = False,
) -> None:
    """Play a game in the terminal: type an action, any words of it, or its number; `:help` lists the commands.

    Example: python scripts/play.py falling_off --against search:200
    """
    with fail_politely("web" if web else "train"):
        if web:
            _check_alone(
                seat=seat or None, param=param or None, seed=seed, position=position, record=record, judge=judge
            )
            if not advice:
                raise ValueError("--no-advice applies only to the terminal; turn advice off on the page")
            _serve(game, against or [], port, browser, lan)
        _check_page(port=port, lan=lan or None)
        import numpy as np

        from agents.players.agent import make_opponents
        from agents.players.games import game_for, position_for
        from edge_envs.core.checks.seeds import fresh_seed
        from scripts.playing.session import Session
        from scripts.playing.terminal import Terminal, exit_on_signals

        names, params = against or ["heuristic"], parse_params(param)
        seed = fresh_seed() if seed is None else seed
        if position is None:
            state = game_for(names, game, params).new_initial_state(seed)
        else:
            state = position_for(position, names, game, params, seed)
        opponents = make_opponents(names, seat, state.game)
        adviser = _adviser(state.game, judge, advice)
        session = Session(state, seat, opponents, np.random.default_rng(seed), Terminal(), adviser)
        with exit_on_signals(), _recorded(session, record):
            session.play()


def _check_page(**options: Any) -> None:
    """Raise ValueError for an option of the page."""
    for name, value in options.items():
        if value is not None:
            raise ValueError(f"--{name} requires --web")


def _check_alone(**options: Any) -> None:
    """Raise ValueError for an option that is set on the page instead."""
    for name, value in options.items():
        if value is not None:
            raise ValueError(f"--{name} applies only to the terminal; with --web, choose it on the page")


def _serve(game: str, against: list[str], port: int | None, browser: bool, lan: bool) -> NoReturn:
    """Serve the page until a signal arrives."""
    from agents.players.agent import check_agent
    from agents.players.games import game_for
    from agents.players.roster import PolicyRoster
    from edge_envs.web.server import leave_at_once, server_for

    game_for(against, game)  # raises for invalid names
    for name in against:
        check_agent(name)
    web = server_for(game, PolicyRoster(Path("policies"), against), port, browser, lan)
    code = 0
    try:
        with fail_politely("web"):
            web.serve_until_stopped()
    except SystemExit as ended:
        code = int(ended.code or 0)
    leave_at_once(code)


@contextlib.contextmanager
def _recorded(session: Session, path: Path | None) -> Iterator[None]:
    """Append the record of a session's game to a file, however the session ends."""
    if path is None:
        yield
        return
    from scripts.playing.files import RecordFile

    with contextlib.closing(RecordFile(path)) as file:
        try:
            yield
        finally:
            file.add(session.state)


def _adviser(game: Game, judge: str | None, advice: bool) -> Adviser | None:
    """Return an adviser that judges by the named agent, or else by the best judge available, or None.

    Raises:
        ValueError: if the agent is invalid, or named without advice.
    """
    from rich.console import Console

    from agents.players.agent import make_agent
    from agents.players.games import check_folder
    from edge_envs.play.appraisal import Adviser, judge_by, judge_for

    if not advice and judge is not None:
        raise ValueError("--judge gives advice, which --no-advice turns off")
    if not advice:
        return None
    if judge is not None:
        check_folder(judge)
        return Adviser(judge_by(make_agent(judge, game)))
    make_judge = judge_for(game)
    if make_judge is None:
        return None
    with Console(stderr=True).status("preparing the judge; the first time may take a minute"):
        return Adviser(make_judge(game))


if __name__ == "__main__":
    run(main, extra="play")
