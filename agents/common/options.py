"""Command-line options that several programs share. Programs import them for type checkers only; see `make_app`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Config = Annotated[Path | None, typer.Option(help="configuration file, such as configs/GAME/NAME.yaml")]
Out = Annotated[Path | None, typer.Option(metavar="FOLDER", help="run folder; default: runs/GAME/NAME of the config")]
Resume = Annotated[bool, typer.Option(help="continue from the last checkpoint of the run in --out")]
Params = Annotated[
    list[str] | None, typer.Option(metavar="NAME=VALUE...", help="game parameters, such as num_players=3")
]
Workers = Annotated[
    int | None, typer.Option(min=1, max=256, metavar="N", help="worker processes; default: one per core")
]
Ray = Annotated[
    str | None,
    typer.Option(metavar="[ADDRESS]", help="Ray cluster: HOST:PORT or auto; without a value, start one here"),
]
Device = Annotated[str, typer.Option(metavar="DEVICE", help="where policy networks run: auto, cpu or cuda")]
