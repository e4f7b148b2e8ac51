"""Play a game in the terminal against agents.

    python scripts/play.py falling_off [--seat 0] [--against heuristic] [--param num_players=3] [--record games.jsonl]

Where the game is solved you are told what each of your decisions gives away; `--no-advice` switches that off.
"""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from agents.console import fail_politely, parse_params, run

if TYPE_CHECKING:
    import typer

    from agents.adviser import Adviser
    from edge_envs import Game


def main(
    game: Annotated[str, typer.Argument(help="the game, such as falling_off")],
    seat: Annotated[int, typer.Option(min=0, help="your seat; 0 moves first")] = 0,
    against: Annotated[
        list[str] | None,
        typer.Option(
            help="one agent for all other seats, or one for each from your left: random, heuristic (default), "
            "perfect, or the folder of a policy"
        ),
    ] = None,
    param: Annotated[list[str] | None, typer.Option(help="of the game, as num_players=3")] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="fixes chance and the agents; default: a new one")] = None,
    position: Annotated[Path | None, typer.Option(help="a JSON file of the position to begin from")] = None,
    record: Annotated[Path | None, typer.Option(help="a file to add the game's record to, as a JSON line")] = None,
    advice: Annotated[bool, typer.Option(help="say what your decisions give away")] = True,
) -> None:
    """Play a game in the terminal: pick the number of an action or type its text."""
    with fail_politely():
        import numpy as np

        from agents.agent import make_opponents
        from agents.games import game_for, position_for
        from agents.session import Session
        from edge_envs import record_of
        from edge_envs.core.game import fresh_seed

        names, params = against or ["heuristic"], parse_params(param)
        seed = fresh_seed() if seed is None else seed
        if position is None:
            state = game_for(names, game, params).new_initial_state(seed)
        else:
            state = position_for(position, names, game, params, seed)
        opponents = make_opponents(names, seat, state.game)
        adviser = _adviser(state.game) if advice else None
        with contextlib.nullcontext() if record is None else record.open("a", encoding="utf-8") as file:
            Session(state, seat, opponents, np.random.default_rng(seed), adviser).play()
            if file is not None:
                file.write(json.dumps(record_of(state)) + "\n")


def _adviser(game: Game) -> Adviser | None:
    """Who judges decisions, if perfect play of the game is known."""
    from rich.console import Console

    from agents.adviser import Adviser
    from agents.perfect import is_solved

    if not is_solved(game):
        return None
    with Console(stderr=True).status("reading the exact solution; the first time the game is solved, within a minute"):
        return Adviser(game)


if __name__ == "__main__":
    run(main, several=("--against", "--param"))
