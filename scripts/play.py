"""Play a game against agents, in the terminal or in the browser.

    python scripts/play.py falling_off [--seat 0] [--against heuristic] [--param num_players=3] [--record games.jsonl]

Type an action, any words of it or its number. Commands begin with a colon: `:hint`, `:undo`, `:rules`, `:save FILE`;
`:help` lists them all. Where somebody can judge your decisions you are told what each gives away; `--no-advice`
switches that off, and `--judge search:500ms` lets a search judge them.

    python scripts/play.py falling_off --web [--port 8000] [--no-browser] [--against policies/falling_off/ppo]

serves a page to play in, on this machine alone, and says where it is.
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
    game: Annotated[str, typer.Argument(help="the name of the game")],
    seat: Annotated[int, typer.Option(min=0, help="your seat; 0 moves first")] = 0,
    against: Annotated[
        list[str] | None,
        typer.Option(
            help="one agent for all other seats, or one for each from your left: random, heuristic (default), "
            "perfect, flat_monte_carlo, search:200, turn, one_turn, or the folder of a policy"
        ),
    ] = None,
    param: Annotated[list[str] | None, typer.Option(help="of the game, as num_players=3")] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="fixes chance and the agents; default: a new one")] = None,
    position: Annotated[Path | None, typer.Option(help="a JSON file of the position to begin from")] = None,
    record: Annotated[Path | None, typer.Option(help="a file to add the game's record to, as a JSON line")] = None,
    advice: Annotated[bool, typer.Option(help="say what your decisions give away")] = True,
    judge: Annotated[
        str | None,
        typer.Option(
            help="whose word that is: perfect, search:200 or a policy's folder; default: the best that answers at once"
        ),
    ] = None,
    web: Annotated[bool, typer.Option("--web", help="serve a page to play in; all else is chosen there")] = False,
    port: Annotated[int, typer.Option(min=0, max=65535, help="with --web; 0: a free one")] = 0,
    browser: Annotated[bool, typer.Option(help="with --web: open the page")] = True,
) -> None:
    """Play a game in the terminal: type an action, any words of it or its number; `:help` lists the commands."""
    with fail_politely("web" if web else "train"):
        if web:
            _check_alone(
                seat=seat or None, param=param or None, seed=seed, position=position, record=record, judge=judge
            )
            if not advice:
                raise ValueError("--no-advice is for the terminal; on the page advice is a switch")
            _serve(game, against or [], port, browser)
        if port:
            raise ValueError("--port is for --web")
        import numpy as np

        from agents.players.agent import make_opponents
        from agents.players.games import check_folder, game_for, position_for
        from edge_envs.core.checks.seeds import fresh_seed
        from scripts.playing.session import Session
        from scripts.playing.terminal import Terminal, leaving_in_order

        names, params = against or ["heuristic"], parse_params(param)
        seed = fresh_seed() if seed is None else seed
        if position is None:
            state = game_for(names, game, params).new_initial_state(seed)
        else:
            state = position_for(position, names, game, params, seed)
        opponents = make_opponents(names, seat, state.game)
        if judge is not None:
            check_folder(judge)
        adviser = _adviser(state.game, judge) if advice else None
        session = Session(state, seat, opponents, np.random.default_rng(seed), Terminal(), adviser)
        with leaving_in_order(), _recorded(session, record):
            session.play()


def _check_alone(**options: Any) -> None:
    """ValueError for an option that the page has its own way for."""
    for name, value in options.items():
        if value is not None:
            raise ValueError(f"--{name} is for the terminal; with --web it is chosen on the page")


def _serve(game: str, against: list[str], port: int, browser: bool) -> NoReturn:
    """Serve the page until a signal comes."""
    from agents.players.agent import check_agent
    from agents.players.games import game_for
    from agents.players.roster import PolicyRoster
    from edge_envs.web.server import leave_at_once, server_for

    game_for(against, game)  # to say what is wrong with the names
    for name in against:
        check_agent(name)
    web = server_for(game, PolicyRoster(Path("policies"), against), port, browser)
    code = 0
    try:
        with fail_politely("web"):
            web.serve_until_stopped()
    except SystemExit as ended:
        code = int(ended.code or 0)
    leave_at_once(code)


@contextlib.contextmanager
def _recorded(session: Session, path: Path | None) -> Iterator[None]:
    """Add the record of a session's game to a file, however the session ends."""
    if path is None:
        yield
        return
    from scripts.playing.keeping import RecordFile

    with contextlib.closing(RecordFile(path)) as file:
        try:
            yield
        finally:
            file.add(session.state)


def _adviser(game: Game, judge: str | None) -> Adviser | None:
    """Who tells what decisions give away: an agent, or else the best judge if there is one."""
    from rich.console import Console

    from agents.players.agent import make_agent
    from edge_envs.play.appraisal import Adviser, judge_by, judge_for

    if judge is not None:
        return Adviser(judge_by(make_agent(judge, game)))
    make_judge = judge_for(game)
    if make_judge is None:
        return None
    with Console(stderr=True).status("getting ready to judge; the first time that may take a minute"):
        return Adviser(make_judge(game))


if __name__ == "__main__":
    run(main, extra="play")
