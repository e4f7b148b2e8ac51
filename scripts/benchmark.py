"""Time every API of the games and their peers, and hold the ratios against the targets.

    python scripts/benchmark.py [--game falling_off] [--json | --markdown]

All figures of a run are taken in turn on the same machine, so ratios mean more than figures; see `--json` for what was
run. Needs the extra `train`, and `bench` (with pygame-ce for PettingZoo's connect four) for all peers.
"""

from __future__ import annotations

import dataclasses
import json
from typing import TYPE_CHECKING, Annotated, Any

from agents.common.console import NOTHING_SAVED, if_interrupted, progress_bar, run

if TYPE_CHECKING:
    import typer

    from scripts.benchmarks.measure import Budget
    from scripts.benchmarks.suite import Plan


def main(
    game: Annotated[list[str] | None, typer.Option(help="a game to time; repeatable; default: all")] = None,
    rows: Annotated[str, typer.Option(help="only rows with this text in their names, and their peers")] = "",
    repeats: Annotated[int | None, typer.Option(min=1, help="how often each row is timed; default: 5")] = None,
    seconds: Annotated[float | None, typer.Option(min=0.001, help="budget of each row; default: 4")] = None,
    quick: Annotated[bool, typer.Option("--quick", help="a smoke run: its figures mean little")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="one JSON object on stdout instead of tables")] = False,
    as_markdown: Annotated[bool, typer.Option("--markdown", help="the tables as in docs/performance.md")] = False,
) -> None:
    """Time every API of the games and their peers, and hold the ratios against the targets."""
    import edge_envs
    from edge_envs.games import plain_name
    from scripts.benchmarks.report import markdown, print_tables
    from scripts.benchmarks.suite import plan

    if as_json and as_markdown:
        raise ValueError("--json and --markdown exclude each other")
    budget = _budget(quick, repeats, seconds)
    names = dict.fromkeys(map(plain_name, game or edge_envs.GAMES))
    plans = [plan(name, budget, rows) for name in names]
    document = _measure(plans, budget)
    if as_json:
        print(json.dumps(document))
    elif as_markdown:
        print(markdown(document))
    else:
        print_tables(document)


def _budget(quick: bool, repeats: int | None, seconds: float | None) -> Budget:
    """The budget of a smoke run or of a whole one, with some of its figures changed."""
    from scripts.benchmarks.measure import Budget

    smoke = Budget(
        repeats=2, seconds=0.02, training_steps=4, processes=1, sampled_games=50, games_before=0.01, iterations=8,
        compile=False,
    )  # fmt: skip
    budget = smoke if quick else Budget()
    changes: dict[str, Any] = {"repeats": repeats, "seconds": seconds}
    return dataclasses.replace(budget, **{name: value for name, value in changes.items() if value is not None})


def _measure(plans: list[Plan], budget: Budget) -> dict[str, Any]:
    """Run the plans with a progress bar on stderr; the whole document."""
    from scripts.benchmarks.report import circumstances
    from scripts.benchmarks.suite import measure_game

    document = circumstances(budget) | {"games": [p.game for p in plans], "rows": [], "ratios": []}
    document["skipped"] = [
        {"game": p.game, "name": name, "reason": reason} for p in plans for name, reason in p.skipped.items()
    ]
    with if_interrupted(NOTHING_SAVED), progress_bar() as progress:
        task = progress.add_task("", total=sum(p.ticks for p in plans))
        for p in plans:

            def tick(name: str, game: str = p.game) -> None:
                progress.update(task, advance=1, description=f"{game}: {name}")

            rows, ratios = measure_game(p, tick)
            document["rows"] += rows
            document["ratios"] += ratios
    return document


if __name__ == "__main__":
    run(main, extra="bench")
