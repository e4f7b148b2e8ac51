"""Report on a map of Over the Edge: its picture, spaces, ports and voyages, and how sensible pilots fare on it.

    python scripts/map_report.py flat_earth [--games 400] [--seed 0] [--json]
    python scripts/map_report.py lagoon.txt --map-file lagoon.json

Takes a shipped map, a map file, or a text file with the drawing of a map, which `--map-file` turns into a map file.
What the rules ask of `flat_earth` stands beside its figures.
"""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from agents.common.console import NOTHING_SAVED, fail_politely, if_interrupted, progress_bar, run

if TYPE_CHECKING:
    import typer

    from scripts.map_reports.contests import Tally


def main(
    name: Annotated[
        str, typer.Argument(metavar="MAP", help="flat_earth, pond, or a path to a map file or to the drawing of a map")
    ],
    games: Annotated[int, typer.Option(min=1, help="of each kind: four careful pilots, four plain, two careful")] = 400,
    seed: Annotated[int, typer.Option(min=0, help="game k of each kind has seed + k")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="one JSON object on stdout instead of text")] = False,
    map_file: Annotated[Path | None, typer.Option(help="a new file to write the map to, as a map file")] = None,
) -> None:
    """Report on a map of over_the_edge."""
    with fail_politely():
        from edge_envs.games.over_the_edge.map.charts import load_map
        from edge_envs.games.over_the_edge.map.survey import survey
        from scripts.map_reports.drawing import map_source
        from scripts.map_reports.report import games_document, print_games, print_map

        source = map_source(name)
        chart = load_map(source)
        if map_file is not None:
            _write(map_file, chart.source)
        document = survey(chart)
        if not as_json:
            print_map(chart, document)
        document |= games_document(chart, _play(source, games, seed), games, seed)
        if as_json:
            print(json.dumps(document))
        else:
            print_games(document)


def _write(path: Path, source: dict[str, Any]) -> None:
    """Write a map file; OSError if there is such a file, or if it cannot be written."""
    from agents.common.files import write_whole

    if path.exists():
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path))
    write_whole(path, json.dumps(source, ensure_ascii=False, indent=1) + "\n")


def _play(source: str | dict[str, Any], games: int, seed: int) -> list[Tally]:
    """The games of all contests, with a progress bar on stderr."""
    from scripts.map_reports.contests import CONTESTS, play_contest

    with if_interrupted(NOTHING_SAVED), progress_bar() as progress:
        task = progress.add_task("", total=games * len(CONTESTS))
        tallies = []
        for contest in CONTESTS:
            progress.update(task, description=str(contest))
            tallies.append(play_contest(source, contest, games, seed, lambda: progress.update(task, advance=1)))
        return tallies


if __name__ == "__main__":
    run(main)
