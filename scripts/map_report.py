"""Report on a map of Over the Edge: its picture, spaces, ports and voyages, and the results of scripted games on it.

    python scripts/map_report.py flat_earth [--games 400] [--seed 0] [--json]
    python scripts/map_report.py lagoon.txt --map-file lagoon.json
    python scripts/map_report.py random:7:sectors=12 --map-file mine.json

MAP is a shipped map, a generated map, a map file, or a text file with the drawing of a map. `--map-file` writes the map
to a map file.
For `flat_earth`, the report compares the figures with the targets in the rules.
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

    from edge_envs.games.over_the_edge.reports.contests import Tally


def main(
    name: Annotated[
        str, typer.Argument(metavar="MAP", help="flat_earth, pond, random:SEED, or a path to a map file or a drawing")
    ],
    games: Annotated[
        int,
        typer.Option(
            min=1, max=10**6, help="games of each kind: four careful pilots, four plain pilots, two careful pilots"
        ),
    ] = 400,
    seed: Annotated[int, typer.Option(min=0, help="game k of each kind has seed + k")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="one JSON object on stdout instead of text")] = False,
    map_file: Annotated[Path | None, typer.Option(help="write the map to this new file, as a map file")] = None,
) -> None:
    """Report on a map of over_the_edge."""
    with fail_politely():
        from edge_envs.games.over_the_edge.map.charts import load_map
        from edge_envs.games.over_the_edge.map.survey import survey
        from edge_envs.games.over_the_edge.reports.tables import games_document, print_games, print_map
        from scripts.playing.window import fit

        source = map_source(name)
        chart = load_map(source)
        if map_file is not None:
            _write(map_file, chart.source)
        document = survey(chart)
        if not as_json:
            print_map(chart, document, fit)
        document |= games_document(chart, _play(source, games, seed), games, seed)
        if as_json:
            print(json.dumps(document))
        else:
            print_games(document)


def map_source(name: str) -> str | dict[str, Any]:
    """Read the map if the file holds a drawing. Return any other name or path unchanged, for `load_map` to check."""
    from agents.common.files import decode
    from edge_envs.core.checks.files import read_bytes
    from edge_envs.games.over_the_edge.map.charts import MAX_BYTES, SHIPPED, MapError
    from edge_envs.games.over_the_edge.map.generator import is_generated
    from edge_envs.games.over_the_edge.reports.drawings import is_drawing, read_drawing

    path = Path(name)
    try:
        text = "" if name in SHIPPED or is_generated(name) else decode(read_bytes(path, MAX_BYTES), name)
    except (OSError, ValueError):  # `load_map` reports this
        return name
    if not is_drawing(text):
        return name
    try:
        return read_drawing(text, path.stem)
    except MapError as error:
        raise MapError(f"{name}: {error}") from None


def _write(path: Path, source: dict[str, Any]) -> None:
    """Write a map file.

    Raises:
        OSError: if the file exists or cannot be written.
    """
    from agents.common.files import write_whole

    if path.exists():
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path))
    write_whole(path, json.dumps(source, ensure_ascii=False, indent=1) + "\n")


def _play(source: str | dict[str, Any], games: int, seed: int) -> list[Tally]:
    """Play the games of all contests, with a progress bar on stderr."""
    from edge_envs.games.over_the_edge.reports.contests import CONTESTS, play_contest

    with if_interrupted(NOTHING_SAVED), progress_bar() as progress:
        task = progress.add_task("", total=games * len(CONTESTS))
        tallies = []
        for contest in CONTESTS:
            progress.update(task, description=str(contest))
            tallies.append(play_contest(source, contest, games, seed, lambda: progress.update(task, advance=1)))
        return tallies


if __name__ == "__main__":
    run(main)
