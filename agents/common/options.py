"""Command-line options that several programs share. Programs import them for type checkers only; see `make_app`."""

from __future__ import annotations

from typing import Annotated

import typer

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
