"""Train the baselines with several seeds, and write their learning curves: `python -m agents.baselines`.

    python -m agents.baselines
    python -m agents.baselines --boards falling_off --algorithms selfplay dqn --seeds 0 1
    python -m agents.baselines --ray

The plan is configs/baselines.yaml. Each run trains in a separate process, for a given processor time. After an
interruption, also in the middle of a run, the same command continues.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from agents.common.console import SAME_COMMAND, if_interrupted, progress_bar, run

if TYPE_CHECKING:
    import typer

    from agents.baselining.plan import BaselinePlan, Run
    from agents.common.options import Ray, Workers

PLAN, PAGE = Path("configs/baselines.yaml"), Path("docs/baselines.md")


def main(
    config: Annotated[Path, typer.Option(help="file of the plan")] = PLAN,
    set_: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE...", help="override values, such as seconds=60")
    ] = None,
    boards: Annotated[
        list[str] | None, typer.Option(metavar="BOARD...", help="boards of the plan; default: all")
    ] = None,
    algorithms: Annotated[
        list[str] | None, typer.Option(metavar="NAME...", help="algorithms of the plan; default: all")
    ] = None,
    seeds: Annotated[list[int] | None, typer.Option(metavar="N...", help="seeds of the plan; default: all")] = None,
    seconds: Annotated[
        list[float] | None, typer.Option(metavar="N...", help="only runs with this processor time, such as 600")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="only list the runs")] = False,
    workers: Workers = None,
    ray: Ray = None,
    out: Annotated[Path, typer.Option(metavar="FOLDER", help="folder of the results")] = Path("runs/baselines"),
    publish: Annotated[
        Path | None,
        typer.Option(metavar="PAGE", help="add the results to a page, such as docs/baselines.md"),
    ] = None,
    tensorboard: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="only write the results that --publish has published as TensorBoard logs"),
    ] = None,
) -> None:
    """Train baselines and measure them under the benchmark protocol.

    Results in the folder: table.md, curves.csv, a figure of each board and of all, TensorBoard logs with
    hyperparameters, and policies with model cards. With --ray on several machines, the folder must be on a shared
    drive.

    \b
    Example:
      python -m agents.baselines --boards falling_off --set seconds=60
      python -m agents.baselines --tensorboard runs/published
    """
    from agents.baselining.measuring import measure_run
    from agents.baselining.plan import BaselinePlan
    from agents.baselining.publishing import publish as publish_results
    from agents.baselining.report import write_report
    from agents.baselining.training import is_done, train_runs
    from agents.common.configuration import read_mapping
    from agents.common.pages import around_results
    from agents.programs.table import parse_config
    from agents.workers.opening import open_workers

    plan = parse_config(BaselinePlan, read_mapping(config, set_), str(config))
    _check(boards, plan.boards, "--boards")
    _check(algorithms, plan.algorithms, "--algorithms")
    _check(seeds, (one.seed for one in plan.runs()), "--seeds")
    _check(seconds, (one.seconds for one in plan.runs()), "--seconds")
    chosen = [
        one
        for one in plan.runs()
        if (not boards or one.board in boards)
        and (not algorithms or one.algorithm in algorithms)
        and (not seeds or one.seed in seeds)
        and (not seconds or one.seconds in seconds)
    ]
    if tensorboard:
        _write_logs(plan, chosen, publish or PAGE, tensorboard)
        return
    _announce(chosen)
    if dry_run:
        print("\n".join(f"{one.name}{'  (done)' if is_done(out, plan, one) else ''}" for one in chosen))
        return
    if publish:
        around_results(publish)
    saved = f"finished runs and checkpoints are saved; {SAME_COMMAND}"
    with if_interrupted(saved), open_workers(workers, ray) as team, progress_bar() as progress:
        task = progress.add_task("training", total=None)

        def show(what: str, done: int, total: int) -> None:
            progress.update(task, description=what, completed=done, total=total)

        train_runs(plan, chosen, out, team, show)
        measured = []
        for number, one in enumerate(chosen):
            show(f"measuring {one.name}", number, len(chosen))
            measured.append(measure_run(plan, one, out, team))
        text = write_report(plan, measured, out)
    print(text)
    print(f"results: {out}")
    if publish:
        print(f"{publish}: {len(publish_results(plan, measured, publish))} of {len(plan.runs())} runs")
        _refresh(plan, publish)


def _refresh(plan: BaselinePlan, page: Path) -> None:
    """Write the mean scores of published results into the table of `agents.benchmark`, if there is a page beside."""
    from agents.baselining.publishing import RESULTS, mean_scores
    from agents.benchmarking.publish import publish, read_scores
    from agents.common.pages import has_results

    table = page.with_name("benchmark.md")
    if table.exists() and has_results(table):
        protocol = plan.read_protocol()
        publish(
            protocol,
            read_scores(table, protocol, quick=False),
            table,
            mean_scores(plan, page.with_suffix("") / RESULTS),
        )
        print(f"{table}: mean scores")


def _write_logs(plan: BaselinePlan, chosen: Sequence[Run], page: Path, folder: Path) -> None:
    """Write published results of the chosen runs as TensorBoard logs; ValueError if there are none."""
    from agents.baselining.publishing import RESULTS, read_published
    from agents.baselining.report import write_tensorboard

    file = page.with_suffix("") / RESULTS
    found = [one for one in read_published(plan, file) if one.run in chosen]
    if not found:
        raise ValueError(f"{file}: no results of these runs")
    for one in found:
        write_tensorboard(plan, one, folder)
    print(f"{folder}: {len(found)} of {len(chosen)} runs; tensorboard --logdir {folder}")


def _announce(chosen: Sequence[Run]) -> None:
    """Print the number of runs and their time; ValueError if there are none."""
    if not chosen:
        raise ValueError("no run of the plan has these --boards, --algorithms, --seeds and --seconds")
    hours = sum(one.seconds for one in chosen) / 3600
    print(f"{len(chosen)} runs, {hours:.1f} hours of processor time for training", flush=True)


def _check(chosen: Sequence[object] | None, known: Iterable[object], option: str) -> None:
    """Raise ValueError for a value that the plan does not have."""
    values = list(dict.fromkeys(known))
    for one in chosen or []:
        if one not in values:
            raise ValueError(f"{option}: unknown {one!r} (choose from {', '.join(map(str, values))})")


if __name__ == "__main__":
    run(main)
