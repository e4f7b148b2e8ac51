"""What the command-line programs share: options, errors, progress."""

from __future__ import annotations

import contextlib
import functools
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import typer
import yaml
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

from agents.waiting import spinner_while_compiling


def run(main: Callable[..., Any], several: Sequence[str] = (), arguments: Sequence[str] | None = None) -> None:
    """Run a program with its arguments, those of the command line by default.

    The options named in `several` take one or more values after one flag: `--against random perfect`.
    """

    @functools.wraps(main)
    def shown(*args: Any, **kwargs: Any) -> None:
        with spinner_while_compiling():
            main(*args, **kwargs)

    app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
    app.command()(shown)
    app(args=spread(sys.argv[1:] if arguments is None else arguments, several))


def spread(arguments: Sequence[str], several: Sequence[str]) -> list[str]:
    """Repeat the flag of some options before each of their values."""
    spread_out: list[str] = []
    flag, first = "", False
    for number, argument in enumerate(arguments):
        if argument == "--":
            return spread_out + list(arguments[number:])
        if argument.startswith("-"):
            name, equals, _ = argument.partition("=")
            flag, first = (name if name in several else ""), not equals
        elif flag and not first:
            spread_out.append(flag)
        else:
            first = False
        spread_out.append(argument)
    return spread_out


def parse_params(assignments: Sequence[str] | None) -> dict[str, Any]:
    """Parameters of a game from texts like `num_players=4`, whose values are YAML; ValueError if one is neither."""
    params: dict[str, Any] = {}
    for assignment in assignments or []:
        name, equals, text = assignment.partition("=")
        if not equals or not name:
            raise ValueError(f"--param {assignment}: write name=value, for example num_players=4")
        try:
            params[name] = yaml.safe_load(text)
        except (yaml.YAMLError, ValueError, RecursionError):
            raise ValueError(f"--param {assignment}: {text!r} is not a YAML value") from None
    return params


@contextlib.contextmanager
def fail_politely() -> Iterator[None]:
    """Turn a ValueError or an OSError into one line on stderr and exit code 2, an interruption into exit code 130."""
    try:
        yield
    except BrokenPipeError:
        raise
    except (ValueError, OSError) as error:
        typer.echo(f"error: {_one_line(error)}", err=True)
        raise typer.Exit(2) from None
    except KeyboardInterrupt:
        typer.echo("interrupted", err=True)
        raise typer.Exit(130) from None


def _one_line(error: Exception) -> str:
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.filename}: {error.strerror}"
    return " ".join(str(error).split()) or type(error).__name__


@contextlib.contextmanager
def progress_bar() -> Iterator[Progress]:
    """A progress bar on stderr that is gone when the work is done; none where stderr is no terminal."""
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), TaskProgressColumn(), TimeElapsedColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        yield progress
