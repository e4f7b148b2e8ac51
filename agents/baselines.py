"""Train the baselines with several seeds, and write their learning curves: `python -m agents.baselines`.

    python -m agents.baselines
    python -m agents.baselines --boards falling_off --algorithms selfplay dqn --seeds 0 1
    python -m agents.baselines --ray

The plan is configs/baselines.yaml. Each run trains in a separate process, for as many frames as the reference
machine makes in a given processor time. After an interruption, also in the middle of a run, the same command continues.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from agents.common.console import SAME_COMMAND, if_interrupted, printable_path, progress_bar, run

if TYPE_CHECKING:
    import typer

    from agents.baselining.measuring import Measured
    from agents.baselining.plan import BaselinePlan, Run
    from agents.benchmarking.publish import PublishedScores
    from agents.common.options import Ray, Workers


def main(
    config: Annotated[Path, typer.Option(help="file of the plan")] = Path("configs/baselines.yaml"),
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
        list[float] | None, typer.Option(metavar="N...", help="only runs with a budget of these seconds, such as 600")
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
        typer.Option(
            metavar="FOLDER", help="train nothing; write the results of docs/baselines.md, or PAGE, as TensorBoard logs"
        ),
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
    from agents.baselining.plan import BaselinePlan
    from agents.baselining.training import is_done
    from agents.common.configuration import read_mapping
    from agents.programs.table import parse_config

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
        if dry_run or ray:
            raise ValueError("--tensorboard only writes published results; leave out --dry-run and --ray")
        _write_logs(plan, chosen, publish or Path("docs/baselines.md"), tensorboard)
        return
    _announce(chosen)
    if dry_run:
        print("\n".join(f"{one.name}{'  (done)' if is_done(out, plan, one) else ''}" for one in chosen))
        return
    known = _known_results(plan, publish) if publish else None
    measured = _train_and_measure(plan, chosen, out, workers, ray)
    if publish:
        _publish(plan, measured, publish, known)


def _publish(
    plan: BaselinePlan, measured: Sequence[Measured], page: Path, known: tuple[Path, PublishedScores] | None
) -> None:
    """Add results to a page, and their mean scores to the table of the benchmark beside it."""
    from agents.baselining import publishing
    from agents.benchmarking.protocol import read_protocol
    from agents.benchmarking.publish import publish

    print(f"{page}: {len(publishing.publish(plan, measured, page))} of {len(plan.runs())} runs")
    if known:
        table, scores = known
        rows = publishing.mean_scores(plan, page.with_suffix("") / publishing.RESULTS)
        publish(read_protocol(plan.protocol), scores, table, rows)
        print(f"{table}: mean scores of the baselines")


def _train_and_measure(
    plan: BaselinePlan, chosen: Sequence[Run], out: Path, workers: int | None, ray: str | None
) -> list[Measured]:
    """Train and measure runs, write their results into the folder, and print the table."""
    from agents.baselining.measuring import measure_run
    from agents.baselining.report import write_report
    from agents.baselining.training import train_runs
    from agents.workers.opening import open_workers

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
    print(f"results: {printable_path(out)}")
    return measured


def _known_results(plan: BaselinePlan, page: Path) -> tuple[Path, PublishedScores] | None:
    """Return the page of `agents.benchmark --publish` in the same folder, and its scores; None if it has none.

    Raises:
        ValueError: if one of the pages does not have the two comments, or if the scores cannot be read.
    """
    from agents.benchmarking.protocol import read_protocol
    from agents.benchmarking.publish import SCORES, read_scores
    from agents.common.pages import around_results

    around_results(page)
    table = page.with_name("benchmark.md")
    if not (table.with_suffix("") / SCORES).exists():
        return None
    around_results(table)
    return table, read_scores(table, read_protocol(plan.protocol), quick=False)


def _write_logs(plan: BaselinePlan, chosen: Sequence[Run], page: Path, folder: Path) -> None:
    """Write published results of the chosen runs as TensorBoard logs; ValueError if there are none."""
    from agents.baselining.publishing import RESULTS, read_published
    from agents.baselining.report import write_tensorboard

    file = page.with_suffix("") / RESULTS
    if not file.exists():
        raise ValueError(f"{file}: no such file")
    found = [one for one in read_published(plan, file) if one.run in chosen]
    if not found:
        raise ValueError(f"{file}: no results of these runs")
    for one in found:
        write_tensorboard(plan, one, folder)
    where = printable_path(folder)
    print(f"{where}: {len(found)} of {len(chosen)} runs; tensorboard --logdir {where}")


def _announce(chosen: Sequence[Run]) -> None:
    """Print the number of runs and their time; ValueError if there are none."""
    if not chosen:
        raise ValueError("no run of the plan has these --boards, --algorithms, --seeds and --seconds")
    hours = sum(one.seconds for one in chosen) / 3600
    print(f"{len(chosen)} runs, {hours:.1f} hours of processor time on the reference machine for training", flush=True)


def _check(chosen: Sequence[object] | None, known: Iterable[object], option: str) -> None:
    """Raise ValueError for a value that the plan does not have."""
    values = list(dict.fromkeys(known))
    for one in chosen or []:
        if one not in values:
            raise ValueError(f"{option}: unknown {one!r} (choose from {', '.join(map(str, values))})")


if __name__ == "__main__":
    run(main)
