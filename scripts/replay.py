"""Make a replay of a recorded game: a page of HTML, a GIF, or a film.

    python scripts/replay.py games.jsonl --game 3 --out replay.html
    python scripts/replay.py games.jsonl --out replay.gif --fps 2

Records are JSON lines, as `edge_envs.write_records` and `scripts/play.py --record` write them. The page is one file
that needs no server and nothing else; a GIF needs Pillow, an MP4 moviepy.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from agents.common.console import NOTHING_SAVED, fail_politely, if_interrupted, progress_bar, run

if TYPE_CHECKING:
    import typer

ENDINGS = (".html", ".gif", ".mp4")


def main(
    records: Annotated[Path, typer.Argument(metavar="RECORDS", help="a file of JSON lines, one game each")],
    out: Annotated[Path, typer.Option(help="the file to write: R.html, R.gif or R.mp4; an older one is replaced")],
    game: Annotated[int, typer.Option(min=1, help="which line of the file, from 1")] = 1,
    player: Annotated[int | None, typer.Option(min=0, help="who looks; default: the public")] = None,
    title: Annotated[str | None, typer.Option(help="of the page; default: the game's")] = None,
    fps: Annotated[float, typer.Option(min=0.1, max=30.0, help="scenes a second of a GIF or MP4")] = 2.0,
) -> None:
    """Make a replay of a recorded game: a page of HTML, a GIF, or a film."""
    with fail_politely("render"):
        from agents.common.files import write_whole
        from edge_envs.replays import replay_page, scenes

        kind = out.suffix.lower()
        if kind not in ENDINGS:
            raise ValueError(f"--out {out}: name a file that ends in {', '.join(ENDINGS[:-1])} or {ENDINGS[-1]}")
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
            write(out, progress.track(pictures, description="frames"), fps)


def _record(path: Path, game: int) -> dict[str, Any]:
    """One game of a file; ValueError if it has not so many."""
    from edge_envs import read_records

    count = 0
    for count, record in enumerate(read_records(path), start=1):
        if count == game:
            return record
    raise ValueError(f"{path}: there is no game {game}; the file has {count}")


if __name__ == "__main__":
    run(main, extra="play")
