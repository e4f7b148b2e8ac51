"""Solve a game exactly.

    python scripts/solve.py falling_off [--policies] [--json]
    python scripts/solve.py beyond_maps --param size=5 --certificate proof.npz
    python scripts/solve.py beyond_maps --check proof.npz
    python scripts/solve.py beyond_maps --param size=6 --minutes 10 --json

The program solves the game from scratch, so that `seconds` is meaningful, and stores the solution in the user's cache,
from where the perfect agent and regret evaluations read it. `--policies` also computes exact results of some policies
against each other.

Larger games are solved by depth-first proof-number search (df-pn), for `--minutes` and with a table of `--memory`
gigabytes. If that is not enough, the result is a lower and an upper bound. Progress is saved, and the next run
continues from it; `--minutes 0` prints the current bounds.

A certificate lists the actions that prove the value. `--check` verifies all its lines by the rules, without a search.
"""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from agents.common.console import (
    NOTHING_SAVED,
    SAME_COMMAND,
    fail_politely,
    if_interrupted,
    parse_params,
    printable_path,
    progress_bar,
    run,
)

if TYPE_CHECKING:
    import typer

    from agents.evaluation.exact import Solved
    from edge_envs import Game
    from edge_envs.core.solver import Contest
    from edge_envs.core.solving.resumable import ResumableSearch


def main(
    game: Annotated[str, typer.Argument(metavar="GAME", help="name of the game")],
    param: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=VALUE", help="parameter of the game, such as size=5; repeat for several"),
    ] = None,
    cached: Annotated[bool, typer.Option("--cached", help="read the solution from the cache if it is there")] = False,
    policies: Annotated[
        bool, typer.Option("--policies", help="also compute exact results of policies against each other")
    ] = False,
    minutes: Annotated[
        float, typer.Option(min=0, metavar="MINUTES", help="time limit of a search; 0 prints the current bounds")
    ] = 10.0,
    memory: Annotated[float, typer.Option(min=0.01, metavar="GIGABYTES", help="size of the table of a search")] = 1.0,
    certificate: Annotated[
        Path | None, typer.Option(metavar="FILE", help="write a certificate that proves the value to this file")
    ] = None,
    check: Annotated[
        Path | None, typer.Option(metavar="FILE", help="check the certificate in this file instead of solving")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="print one JSON object instead of text")] = False,
) -> None:
    """Solve a game exactly: print the value of its start, its error bound, and the time taken.

    Example: python scripts/solve.py beyond_maps --param size=5
    """
    with fail_politely():
        from edge_envs import load_game
        from edge_envs.players.perfect import has_resumable_search, responds, solver_of

        if check is not None:
            _refuse("--check", param=param, cached=cached, policies=policies, certificate=certificate)
            document = _check(check, game)
        else:
            chosen = load_game(game, **parse_params(param))
            if certificate is not None:
                _check_place(certificate)
            if has_resumable_search(chosen):
                _refuse(f"the search of {chosen!r}", cached=cached, policies=policies)
                search = _search(chosen, minutes, memory)
                document = {"game": chosen.name, "params": chosen.params_dict(), **search.to_dict()}
                if certificate is not None:
                    _certify(search, certificate)
            else:
                solver = solver_of(chosen)
                if policies and not responds(chosen):
                    raise ValueError("--policies: policies are evaluated only with default parameters")
                if certificate is not None and not hasattr(solver, "resumable_search"):
                    raise ValueError("--certificate requires a game that is solved by search")
                solved = _solve(chosen, cached)
                contests = _value_contests(chosen) if policies else []
                document = solved.to_dict()
                document |= {"policies": [contest.to_dict() for contest in contests]} if policies else {}
                if certificate is not None:
                    _certify(solved.solution, certificate)
    if as_json:
        print(json.dumps(document))
    elif check is not None:
        _print_check(check, document)
    elif "low" in document:
        _print_search(document)
    else:
        _print(document)


def _refuse(where: str, **options: Any) -> None:
    """Raise ValueError if an option is given that has no effect."""
    for name, value in options.items():
        if value:
            raise ValueError(f"--{name} has no effect with {where}; leave it out")


def _check_place(path: Path) -> None:
    """Raise ValueError if a path cannot be written, before the work begins."""
    if not path.parent.is_dir():
        raise ValueError(f"{path.parent}: the folder does not exist")
    if path.is_dir():
        raise ValueError(f"{path} is a folder; name a file")


def _solve(game: Game, cached: bool) -> Solved:
    from agents.evaluation.exact import read_solution, solve_afresh

    with if_interrupted(NOTHING_SAVED), progress_bar() as progress:
        task = progress.add_task("solving", total=1.0)
        solve = read_solution if cached else solve_afresh
        return solve(game, lambda fraction: progress.update(task, completed=fraction))


def _search(game: Game, minutes: float, gigabytes: float) -> ResumableSearch:
    """Continue the search of earlier runs for some minutes."""
    from edge_envs.core.solving.proof_table import slots_of
    from edge_envs.core.writing import naming
    from edge_envs.players.perfect import resumable_search_of

    search = resumable_search_of(game, slots_of(gigabytes))
    with search.lock() if minutes > 0 else contextlib.nullcontext():
        search.resume()

        def save() -> str:
            """Save the progress. This is safe at any time: an interrupted search leaves its table consistent."""
            search.save()
            return f"the progress is saved; {SAME_COMMAND}" if search.path else NOTHING_SAVED

        with if_interrupted(save), naming(search.path or Path()), progress_bar() as progress:
            task = progress.add_task("compiling", total=None)
            search.search(60 * minutes, lambda text: progress.update(task, description=text))
    return search


def _certify(solved: Any, path: Path) -> None:
    """Write the certificate of a proven value."""
    from edge_envs.core.solving.certificates import certify
    from edge_envs.core.writing import replacing

    solved.start.proofs()  # raises ValueError before a proof exists
    with if_interrupted(NOTHING_SAVED), progress_bar() as progress:
        task = progress.add_task("writing the certificate", total=None)
        made = certify(solved.start, lambda count: progress.update(task, description=f"writing: {count:,} positions"))
    with replacing(path) as partial:
        made.save(partial)


def _check(path: Path, name: str) -> dict[str, Any]:
    from edge_envs.core.solving.certificates import read_certificate
    from edge_envs.games import named_game

    certificate = read_certificate(path)
    if certificate.game.name != named_game(name)[0].name:
        raise ValueError(f"{path} is a certificate of {certificate.game.name}, not of {name}")
    with if_interrupted(NOTHING_SAVED), progress_bar() as progress:
        task = progress.add_task("checking", total=None)
        positions = certificate.check(lambda count: progress.update(task, description=f"checking: {count:,} positions"))
    claims = [{"player": one.player, "least": one.least} for one in certificate.strategies]
    return {
        "game": name, "params": certificate.game.params_dict(), "claims": claims, "holds": True, "positions": positions,
    }  # fmt: skip


def _value_contests(game: Game) -> list[Contest]:
    from edge_envs.players.perfect import solver_of

    solver = solver_of(game)
    with if_interrupted(NOTHING_SAVED), progress_bar() as progress:
        task = progress.add_task("evaluating policies", total=len(solver.CONTESTS))
        done = iter(range(len(solver.CONTESTS)))

        def show(policy: str, opponent: str) -> None:
            progress.update(task, completed=next(done), description=f"{policy} against {opponent}")

        return solver.value_contests(show)


def _print_check(path: Path, document: dict[str, Any]) -> None:
    from edge_envs.core.solving.prover import Claim

    params = ", ".join(f"{name}={json.dumps(value)}" for name, value in document["params"].items())
    claims = " and ".join(str(Claim(**claim, limited=True)) for claim in document["claims"])
    print(f"{printable_path(path)} is valid: checked {document['positions']:,} positions")
    print(f"{claims} in {document['game']} with {params}")


def _print(document: dict[str, Any]) -> None:
    from rich.console import Console
    from rich.table import Table

    console = Console(highlight=False)
    value, seconds = document["first_player_win_probability"], document["seconds"]
    how = f"solved in {seconds:.1f} s" if seconds else "read from the cache"
    console.print(f"{document['game']}, {document['positions']:,} positions, {how}")
    console.print(f"the first player wins with probability {value:.12f}, error at most {document['error_bound']:.1e}")
    if "policies" in document:
        table = Table("policy", "against", title="Exact win probabilities", title_justify="left")
        for name in ("moving first", "moving second", "mean"):
            table.add_column(name, justify="right")
        for row in document["policies"]:
            numbers = (f"{row[key]:.9f}" for key in ("moving_first", "moving_second", "mean"))
            table.add_row(row["policy"].replace("_", " "), row["opponent"], *numbers)
        console.print(table)


def _print_search(document: dict[str, Any]) -> None:
    low, high = document["low"], document["high"]
    known = f"is {low:g}" if low == high else f"lies between {low:g} and {high:g}"
    print(f"{document['game']}, {document['positions']:,} positions, {document['seconds']:.1f} s in all runs")
    print(f"the return of the first player {known}")
    for claim, numbers in document["open"].items():
        print(f"open: {claim}; work left to prove it {numbers['proof']:,}, to refute it {numbers['disproof']:,}")


if __name__ == "__main__":
    run(main)
