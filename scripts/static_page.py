"""Write pages that show the games without a server or an installation, as part of the documentation site.

    python scripts/static_page.py [--out docs/_page]

The folder has the tutorials, one famous game of each game with its analysis, a game of `falling_off` against the exact
solution, and a gallery. It works from `file://`. `--games` first plays and analyses the famous games again, which takes
minutes.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from agents.common.console import fail_politely, printable_path, run

if TYPE_CHECKING:
    import typer

OUT = Path(__file__).resolve().parents[1] / "docs" / "_page" / "page"


def main(
    out: Annotated[Path, typer.Option(metavar="FOLDER", help="the folder of pages, which is replaced")] = OUT,
    games: Annotated[
        list[str] | None,
        typer.Option("--games", metavar="GAME", help="first play the famous game of a game again, or of `all`"),
    ] = None,
) -> None:
    """Write the tutorials, famous games and pictures as pages that need no server.

    Example: python scripts/static_page.py --out page
    """
    with fail_politely("web"):
        from scripts.static_pages import build, famous

        if games:
            names = tuple(one.game for one in famous.GAMES)
            if unknown := set(games) - {*names, "all"}:
                raise ValueError(f"unknown game {min(unknown)!r} (choose from all, {', '.join(names)})")
            for path in famous.play_all(names if "all" in games else tuple(games)):
                print(f"wrote {printable_path(path)}")
        if not build.may_replace(out):
            raise ValueError(f"{out} exists and is not a folder of these pages: choose another folder")
        size = sum((out / name).stat().st_size for name in build.build(out))
        print(f"wrote {printable_path(out / 'index.html')}: {size / 1e6:.1f} MB")


if __name__ == "__main__":
    run(main, extra="train")
