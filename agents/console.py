"""What the command-line programs share."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import typer


@contextlib.contextmanager
def fail_politely() -> Iterator[None]:
    """Turn a ValueError into one line on stderr and exit code 2, and an interruption into exit code 130."""
    try:
        yield
    except ValueError as error:
        typer.echo(f"error: {error}", err=True)
        raise typer.Exit(2) from None
    except KeyboardInterrupt:
        typer.echo("interrupted", err=True)
        raise typer.Exit(130) from None
