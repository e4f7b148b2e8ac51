"""Report on a map of Over the Edge: its spaces, ports and voyages, and how sensible pilots fare on it.

    python scripts/map_report.py flat_earth [--games 400] [--seed 0] [--json]

Takes a shipped map or a map file. What the rules ask of `flat_earth` stands beside its figures.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

from agents.console import fail_politely, progress_bar, run

if TYPE_CHECKING:
    import typer

    from scripts.map_reports.contests import Tally


def main(
    name: Annotated[str, typer.Argument(metavar="MAP", help="flat_earth, pond, or a path to a map file")],
    games: Annotated[int, typer.Option(min=1, help="of each kind: four careful pilots, four plain, two careful")] = 400,
    seed: Annotated[int, typer.Option(min=0, help="game k of each kind has seed + k")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="one JSON object on stdout instead of text")] = False,
) -> None:
    """Report on a map of over_the_edge."""
    with fail_politely():
        from edge_envs.games.over_the_edge.map.charts import load_map
        from scripts.map_reports.report import map_document, print_report

        chart = load_map(name)
        document = map_document(chart, _play(name, games, seed), games, seed)
    if as_json:
        print(json.dumps(document, ensure_ascii=False))
    else:
        print_report(document)


def _play(name: str, games: int, seed: int) -> list[Tally]:
    """The games of all contests, with a progress bar on stderr."""
    from scripts.map_reports.contests import CONTESTS, play_contest

    with progress_bar() as progress:
        task = progress.add_task("", total=games * len(CONTESTS))
        tallies = []
        for contest in CONTESTS:
            progress.update(task, description=str(contest))
            tallies.append(play_contest(name, contest, games, seed, lambda: progress.advance(task)))
        return tallies


if __name__ == "__main__":
    run(main)
