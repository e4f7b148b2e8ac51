"""Measure an agent under the protocol edge-bench v1: one score per board, one number for all boards.

    python -m agents.benchmark --agent heuristic --quick
    python -m agents.benchmark --agent my_agents:make_agent --boards beyond_maps_8x8
    python -m agents.benchmark --compare runs/edge-bench-v1/A runs/edge-bench-v1/B

The protocol and its references are files, see docs/benchmark.md. Games are saved: the same command continues.
"""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from agents.common.console import SAME_COMMAND, fail, if_interrupted, printable_path, progress_bar, run

if TYPE_CHECKING:
    import typer
    from rich.progress import Progress

    from agents.benchmarking.protocol import Protocol
    from agents.benchmarking.run import Plan
    from agents.common.options import Device, Ray, Workers

DEFAULT = Path("configs/edge-bench-v1.yaml")
CHECKOUT = Path(__file__).resolve().parents[1]
"""Where the default file is, if the program runs in another folder."""
SAVED = f"finished games are saved; {SAME_COMMAND}"


def main(
    agent: Annotated[str | None, typer.Option(metavar="AGENT", help="the agent to measure")] = None,
    boards: Annotated[
        list[str] | None,
        typer.Option(metavar="BOARD...", help="boards to play, or all; default: all that the agent can play"),
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="play 24 games per cell, to try it out: at most 2 minutes for random play")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="only show what would be played, and the costs of a language model")
    ] = False,
    compare: Annotated[
        list[str] | None,
        typer.Option(metavar="A [B]", help="compare two results.json files or folders of runs; aggregate those of one"),
    ] = None,
    references: Annotated[
        bool, typer.Option("--references", help="play the references against each other and write their file")
    ] = False,
    publish: Annotated[
        Path | None,
        typer.Option(
            metavar="PAGE", help="measure all policies in policies/ on their boards; write the table into PAGE"
        ),
    ] = None,
    config: Annotated[Path, typer.Option(help="file of the protocol")] = DEFAULT,
    games: Annotated[
        int | None, typer.Option(min=1, help="games per pair of references; default: those of the protocol")
    ] = None,
    workers: Workers = None,
    ray: Ray = None,
    device: Device = "auto",
    out: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="result folder; default: runs/edge-bench-v1/AGENT")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="print one JSON object instead of tables")] = False,
) -> None:
    """Measure an agent under the protocol edge-bench v1, on one board or on all.

    \b
    Costs of all boards on two cores, for an agent as fast as random play:
      --quick       at most 2 minutes: 24 games per cell
      full          about 15 minutes: 1,000 games per cell, fewer on slow boards

    Results are results.json, results.md, and a plot of the scores. The exit code is 1 if the agent forfeited a game by
    an error or an illegal action, or if a limit of a language model stopped the run.

    \b
    Examples:
      python -m agents.benchmark --agent heuristic --quick
      python -m agents.benchmark --agent sb3:model.zip --boards beyond_maps_8x8
      python -m agents.benchmark --compare runs/edge-bench-v1/A runs/edge-bench-v1/B

    Agents:

    {agent_names}
    """
    from agents.benchmarking.protocol import CELL_SEEDS, read_protocol
    from agents.common.devices import play_on

    play_on(device)
    _check_tasks({"--agent": agent, "--compare": compare, "--references": references, "--publish": publish})
    if games is not None and not references:
        raise ValueError("--games needs --references: the protocol fixes the games of agents")
    if games is not None and games > CELL_SEEDS:
        raise ValueError(f"--games {games}: a pair of references has at most {CELL_SEEDS:,} games")
    if dry_run and not agent:
        raise ValueError("--dry-run needs --agent")
    if compare:
        _compare(compare, as_json)
        return
    in_checkout = config == DEFAULT and not config.exists()
    protocol = read_protocol(CHECKOUT / DEFAULT).within(CHECKOUT) if in_checkout else read_protocol(config)
    command = _command(agent, boards, quick, references, publish, config, games, out)
    if agent:
        _measure(protocol, agent, boards, quick, dry_run, workers, ray, out, as_json, command)
    elif references:
        _make_references(protocol, boards, games, workers, ray, out, command)
    elif publish:
        _publish(protocol, publish, boards, quick, workers, ray, out, command)


def _check_tasks(tasks: Mapping[str, object]) -> None:
    """Raise ValueError unless exactly one of these options is given."""
    named = [option for option, value in tasks.items() if value]
    if len(named) != 1:
        given = f"{' and '.join(named)} exclude each other" if named else "nothing to do"
        raise ValueError(f"{given}: name one of {', '.join(tasks)}")


def _command(
    agent: str | None,
    boards: list[str] | None,
    quick: bool,
    references: bool,
    publish: Path | None,
    config: Path,
    games: int | None,
    out: Path | None,
) -> str:
    """Return the command line, for the results; options that change no result are left out."""
    words = ["python", "-m", "agents.benchmark"]
    words += ["--agent", agent] if agent else []
    words += ["--references"] if references else []
    words += ["--publish", str(publish)] if publish else []
    words += ["--boards", *boards] if boards else []
    words += ["--quick"] if quick else []
    words += ["--games", str(games)] if games else []
    words += ["--config", str(config)] if config != DEFAULT else []
    words += ["--out", str(out)] if out else []
    return shlex.join(words)


def _measure(
    protocol: Protocol,
    agent: str,
    boards: list[str] | None,
    quick: bool,
    dry_run: bool,
    workers: int | None,
    ray: str | None,
    out: Path | None,
    as_json: bool,
    command: str,
) -> None:
    """Measure an agent, or only show the plan."""
    from agents.benchmarking.report import markdown
    from agents.benchmarking.run import folder_for, plan, run_plan
    from agents.workers.opening import open_workers
    from edge_envs.core.errors import printable

    planned = plan(protocol, agent, boards, quick)
    _show_plan(planned, dry_run, as_json)
    if dry_run:
        return
    folder = out or folder_for(agent, protocol, quick)
    with if_interrupted(SAVED), open_workers(workers, ray) as team, progress_bar() as progress:
        document = run_plan(planned, folder, team, _shown_by(progress), command)
    if as_json:
        print(json.dumps(document))
    else:
        print(printable(markdown(document), lines=True), end="")
        print(f"\nresults: {printable_path(folder)}")
    if kept := document["kept_games"]:
        print(
            f"note: {kept:,} of {planned.games:,} games were played before and kept; if the agent has read other files "
            f"since, such as weights, delete {printable_path(folder)} or name another folder with --out",
            file=sys.stderr,
        )
    forfeits = sum(board["forfeits"] for board in document["boards"].values())
    if document["stopped"]:
        fail(f"{document['stopped']} (the results of {_finished(document)} finished games are in {folder})", code=1)
    if forfeits:
        fail(f"{agent} forfeited {forfeits:,} games", code=1)


def _finished(document: dict[str, Any]) -> str:
    return f"{sum(board['games'] for board in document['boards'].values()):,}"


def _show_plan(planned: Plan, dry_run: bool, as_json: bool) -> None:
    """Print the plan with the costs of a language model: on stderr, or on stdout if nothing else follows."""
    from agents.players.agent import is_chat
    from edge_envs.core.errors import printable

    costs = _estimate(planned) if is_chat(planned.agent) else None
    if dry_run and as_json:
        print(json.dumps({**planned.to_dict(), "costs": costs[1] if costs else None}))
        return
    stream = sys.stdout if dry_run else sys.stderr
    print(planned.describe(), file=stream)
    for board, fault in planned.unplayable.items():
        print(f"note: {board} is left out: {printable(fault)}", file=stream)
    if bare := planned.unscored():
        print(
            f"note: no scores, because {planned.protocol.references.file} has no references of these boards: "
            f"{', '.join(bare)}; python -m agents.benchmark --references --boards {' '.join(bare)} makes them",
            file=stream,
        )
    if costs:
        print(costs[0], end="", file=stream, flush=True)


def _estimate(planned: Plan) -> tuple[str, list[dict[str, Any]]]:
    """Estimate the costs of a language model, as a table and as a JSON value."""
    from agents.benchmarking.model_costs import cost_table, costs_document, estimate_costs

    with progress_bar() as progress:
        rows = estimate_costs(planned.agent, planned.cells, _shown_by(progress))
    return cost_table(planned.agent, rows), costs_document(rows)


def _shown_by(progress: Progress) -> Callable[[str, int, int], None]:
    """Return a function that shows the work in a progress bar."""
    task = progress.add_task("getting ready", total=None)

    def show(what: str, done: int, total: int) -> None:
        progress.update(task, description=what, completed=done, total=total)

    return show


def _compare(paths: list[str], as_json: bool) -> None:
    """Compare the results of two agents, or aggregate the runs of one."""
    from agents.benchmarking.compare import compare, read_runs, summarize
    from agents.benchmarking.report import comparison_markdown, summary_markdown

    if len(paths) > 2:
        raise ValueError(f"--compare: expected one or two files or folders with results, not {len(paths)}")
    runs = [read_runs(Path(path)) for path in paths]
    document = compare(*runs) if len(runs) == 2 else summarize(*runs)
    if document["quick"]:
        print("note: results of --quick are for trying out; do not report them", file=sys.stderr)
    text = comparison_markdown(document) if len(runs) == 2 else summary_markdown(document)
    print(json.dumps(document) if as_json else text, end="\n" if as_json else "")


def _make_references(
    protocol: Protocol,
    boards: list[str] | None,
    games: int | None,
    workers: int | None,
    ray: str | None,
    out: Path | None,
    command: str,
) -> None:
    """Write the file of references."""
    from agents.benchmarking.references import make_references, write_references
    from agents.benchmarking.run import about
    from agents.common.boards import find_boards
    from agents.workers.opening import open_workers

    names = find_boards(boards, protocol.boards)
    folder = out or Path("runs") / f"{protocol.name}-v{protocol.version}" / "references"
    with if_interrupted(SAVED), open_workers(workers, ray) as team, progress_bar() as progress:
        made = make_references(protocol, names, games or protocol.references.games, folder, team, _shown_by(progress))
    path = write_references(protocol, made, about(command))
    for name, board in made.items():
        rated = zip(board.agents, board.ratings, strict=True)
        print(f"{name}: {', '.join(f'{agent} {points:.0f}' for agent, (points, _, _) in rated)}")
    print(f"references: {printable_path(path)}")


def _publish(
    protocol: Protocol,
    page: Path,
    boards: list[str] | None,
    quick: bool,
    workers: int | None,
    ray: str | None,
    out: Path | None,
    command: str,
) -> None:
    """Measure all policies on their boards, and write the table of the documentation."""
    from agents.baselining.plan import PLAN, BaselinePlan
    from agents.baselining.publishing import RESULTS, mean_scores
    from agents.benchmarking import publish
    from agents.common.configuration import read_mapping
    from agents.common.pages import around_results
    from agents.programs.table import parse_config
    from agents.workers.opening import open_workers

    around_results(page)
    known = publish.read_scores(page, protocol, quick)
    plan = parse_config(BaselinePlan, read_mapping(PLAN), str(PLAN))
    is_same = not quick and plan.read_protocol().title == protocol.title
    baselines = mean_scores(plan, page.parent / "baselines" / RESULTS) if is_same else []
    with if_interrupted(SAVED), open_workers(workers, ray) as team, progress_bar() as progress:
        documents = publish.measure_all(protocol, boards, quick, out, team, _shown_by(progress), command)
    publish.publish(protocol, publish.with_results(known, documents, command), page, baselines)
    print(f"page: {printable_path(page)}")


if __name__ == "__main__":
    run(main)
