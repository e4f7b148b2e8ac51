"""Time every API of the games and other libraries, and compare the ratios with their targets.

    python scripts/benchmark.py [--game falling_off] [--json | --markdown]

A run measures all rows in turn on the same machine, so ratios are more reliable than absolute figures. `--json` also
records the machine and the versions. Requires the extra `train`; other libraries require `bench` (with pygame-ce for
PettingZoo's connect four).
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
    game: Annotated[
        list[str] | None, typer.Option(metavar="GAME", help="time only this game; repeat for several; default: all")
    ] = None,
    rows: Annotated[
        str, typer.Option(metavar="STRING", help="time only rows with this string in their names, and their peers")
    ] = "",
    repeats: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="number of measurements of each row; default: 5")
    ] = None,
    seconds: Annotated[
        float | None, typer.Option(min=0.001, metavar="SECONDS", help="time for all measurements of a row; default: 4")
    ] = None,
    device: Annotated[
        str, typer.Option(metavar="DEVICE", help="cuda: also time training on the GPU and the CPU in turn")
    ] = "cpu",
    quick: Annotated[bool, typer.Option("--quick", help="run a smoke test; the figures are not meaningful")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="print one JSON object instead of tables")] = False,
    as_markdown: Annotated[
        bool, typer.Option("--markdown", help="print the tables in the format of docs/performance.md")
    ] = False,
) -> None:
    """Time every API of the games and other libraries, and compare the ratios with their targets.

    Example: python scripts/benchmark.py --game falling_off --markdown
    """
    import edge_envs
    from edge_envs.games import plain_name
    from scripts.benchmarks.report import markdown, print_tables
    from scripts.benchmarks.suite import plan

    if device not in ("cpu", "cuda"):
        raise ValueError(f"unknown device {device!r} (choose from cpu, cuda)")
    if as_json and as_markdown:
        raise ValueError("use either --json or --markdown, not both")
    budget = _budget(quick, repeats, seconds)
    names = dict.fromkeys(map(plain_name, game or edge_envs.GAMES))
    plans = [plan(name, budget, rows, device) for name in names]
    document = _measure(plans, budget, device)
    if as_json:
        print(json.dumps(document))
    elif as_markdown:
        print(markdown(document))
    else:
        print_tables(document)


def _budget(quick: bool, repeats: int | None, seconds: float | None) -> Budget:
    """Return the budget of a smoke run or of a full run, with the given changes."""
    from scripts.benchmarks.measure import Budget

    smoke = Budget(
        repeats=2, seconds=0.02, training_steps=4, processes=1, sampled_games=50, games_before=0.01, iterations=8,
        compile=False,
    )  # fmt: skip
    budget = smoke if quick else Budget()
    changes: dict[str, Any] = {"repeats": repeats, "seconds": seconds}
    return dataclasses.replace(budget, **{name: value for name, value in changes.items() if value is not None})


def _measure(plans: list[Plan], budget: Budget, device: str) -> dict[str, Any]:
    """Run the plans with a progress bar on stderr and return the JSON document."""
    from scripts.benchmarks.report import circumstances
    from scripts.benchmarks.suite import measure_game

    document = circumstances(budget, device) | {"games": [p.game for p in plans], "rows": [], "ratios": []}
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
