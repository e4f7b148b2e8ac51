"""Create a replay of a recorded game: an HTML page, a GIF or a video.

    python scripts/replay.py games.jsonl --game 3 --out replay.html
    python scripts/replay.py games.jsonl --out replay.gif --fps 2

Records are JSON lines, as written by `edge_envs.write_records` and `scripts/play.py --record`. The page is one
self-contained file; a GIF requires Pillow, an MP4 moviepy.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from agents.common.console import NOTHING_SAVED, fail_politely, if_interrupted, progress_bar, run

if TYPE_CHECKING:
    import typer

ENDINGS = (".html", ".gif", ".mp4")


def main(
    records: Annotated[Path, typer.Argument(metavar="RECORDS", help="file of JSON lines, one game per line")],
    out: Annotated[
        Path,
        typer.Option(metavar="FILE", help="file to write, ending in .html, .gif or .mp4; an existing file is replaced"),
    ],
    game: Annotated[int, typer.Option(min=1, metavar="N", help="number of the game in the file, from 1")] = 1,
    player: Annotated[
        int | None, typer.Option(min=0, metavar="SEAT", help="seat of the viewer; default: public information only")
    ] = None,
    title: Annotated[
        str | None, typer.Option(metavar="TITLE", help="title of the page; default: the name of the game")
    ] = None,
    fps: Annotated[
        float, typer.Option(min=0.1, max=30.0, metavar="FPS", help="scenes per second of a GIF or MP4")
    ] = 2.0,
) -> None:
    """Create a replay of a recorded game: an HTML page, a GIF or a video.

    Example: python scripts/replay.py games.jsonl --game 3 --out replay.html
    """
    with fail_politely("render"):
        from agents.common.files import write_whole
        from edge_envs.replays import replay_page, scenes

        kind = out.suffix.lower()
        if kind not in ENDINGS:
            endings = f"{', '.join(ENDINGS[:-1])} or {ENDINGS[-1]}"
            raise ValueError(f"invalid --out {out}: expected a file name ending in {endings}")
        record = _record(records, game)
        try:
            if kind == ".html":
                write_whole(out, replay_page(record, player, title))
                return
            pictures = [scene.svg for scene in scenes(record, player, outlines=True)]
        except ValueError as error:
            raise ValueError(f"{records}, game {game}: {error}") from None
        from scripts.replays.films import write_gif, write_mp4

        with if_interrupted(NOTHING_SAVED), progress_bar() as progress:
            write = write_gif if kind == ".gif" else write_mp4
            write(out, pictures, fps, lambda shown: progress.track(shown, description="frames"))


def _record(path: Path, game: int) -> dict[str, Any]:
    """Return one game of a file. Raises ValueError if the file has fewer games."""
    from edge_envs import read_records

    count = 0
    for count, record in enumerate(read_records(path), start=1):
        if count == game:
            return record
    raise ValueError(f"invalid --game {game}: {path} has {count} game{'' if count == 1 else 's'}")


if __name__ == "__main__":
    run(main, extra="play")
