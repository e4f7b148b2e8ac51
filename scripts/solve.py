"""Solve a game exactly.

    python scripts/solve.py falling_off [--policies] [--json]

Solves afresh, so that `seconds` is honest, and leaves the solution in the user's cache, where the perfect player and
the regrets come from. With `--policies` also the exact results of some policies against each other.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

from agents.console import fail_politely, progress_bar, run

if TYPE_CHECKING:
    import typer

    from agents.evaluation.exact import Solved
    from edge_envs import Game
    from edge_envs.core.solve import Contest


def main(
    game: Annotated[str, typer.Argument(help="the game")],
    cached: Annotated[bool, typer.Option("--cached", help="take the solution from the cache if it is there")] = False,
    policies: Annotated[bool, typer.Option("--policies", help="also value policies against each other")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="one JSON object on stdout instead of text")] = False,
) -> None:
    """Solve a game exactly: the value of its start, how exact that is, and what it took."""
    with fail_politely():
        from edge_envs import load_game
        from edge_envs.agents.perfect import solver_of

        chosen = load_game(game)
        solver_of(chosen)
        solved = _solve(chosen, cached)
        contests = _value_contests(chosen) if policies else []
    document = solved.to_dict() | ({"policies": [contest.to_dict() for contest in contests]} if policies else {})
    if as_json:
        print(json.dumps(document))
    else:
        _print(document)


def _solve(game: Game, cached: bool) -> Solved:
    from agents.evaluation.exact import read_solution, solve_afresh

    with progress_bar() as progress:
        task = progress.add_task("solving", total=1.0)
        solve = read_solution if cached else solve_afresh
        return solve(game, lambda fraction: progress.update(task, completed=fraction))


def _value_contests(game: Game) -> list[Contest]:
    from edge_envs.agents.perfect import solver_of

    solver = solver_of(game)
    with progress_bar() as progress:
        task = progress.add_task("valuing policies", total=len(solver.CONTESTS))
        done = iter(range(len(solver.CONTESTS)))

        def show(policy: str, opponent: str) -> None:
            progress.update(task, completed=next(done), description=f"{policy} against {opponent}")

        return solver.value_contests(show)


def _print(document: dict[str, Any]) -> None:
    from rich.console import Console
    from rich.table import Table

    console = Console(highlight=False)
    value, seconds = document["first_player_win_probability"], document["seconds"]
    how = f"solved in {seconds:.1f} s" if seconds else "read from the cache"
    console.print(f"{document['game']}, {document['positions']:,} positions, {how}")
    console.print(f"the first player wins with probability {value:.12f}, by at most {document['error_bound']:.1e} off")
    if "policies" in document:
        table = Table("policy", "against", title="Exact probabilities of winning", title_justify="left")
        for name in ("moving first", "moving second", "mean"):
            table.add_column(name, justify="right")
        for row in document["policies"]:
            numbers = (f"{row[key]:.9f}" for key in ("moving_first", "moving_second", "mean"))
            table.add_row(row["policy"].replace("_", " "), row["opponent"], *numbers)
        console.print(table)


if __name__ == "__main__":
    run(main)
