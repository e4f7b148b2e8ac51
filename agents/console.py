"""What the command-line programs share: options, errors, signals, progress.

At its top this module imports the standard library alone, and so do the programs. All else is imported inside `run`,
so that an interruption or a missing extra is one line at any time.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import os
import signal
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import FrameType
from typing import TYPE_CHECKING, Any, NoReturn, get_type_hints

from agents.command_lines import check_line

if TYPE_CHECKING:
    import typer
    from rich.progress import Progress


OPTIONAL = {"--ray": "local"}
"""The options whose value may be left out, and what it is then."""

ENDINGS: dict[int, str] = {signal.SIGINT: "interrupted", signal.SIGTERM: "terminated"}


class Terminated(KeyboardInterrupt):
    """SIGTERM asked the process to end."""


_raised: list[type[KeyboardInterrupt]] = []  # by signals of this program


def run(
    main: Callable[..., Any],
    several: Sequence[str] = (),
    arguments: Sequence[str] | None = None,
    extra: str = "train",
) -> None:
    """Run a program with its arguments, those of the command line by default; SystemExit ends it.

    The options named in `several` take one or more values after one flag: `--against random perfect`. `extra` is the
    extra of the package that the program needs.

    Networks compute in one thread unless OMP_NUM_THREADS is set or a configuration says otherwise: several processes
    on the same cores would wait for each other's threads, many times as long as one thread takes alone.
    """
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    with _signals(whole_process=arguments is None), fail_politely(extra):
        given = sys.argv[1:] if arguments is None else arguments
        check_line(given, lambda: option_names(main))
        options = _options(main, plain(given, several))
        from agents.waiting import spinner_while_compiling

        with spinner_while_compiling():
            main(**options)
        raise SystemExit(0)


def make_app(main: Callable[..., Any], call: Callable[..., Any] | None = None) -> typer.Typer:
    """The command line of a program, which calls `call` in place of `main` if it is given.

    The annotations of `main` may name `typer`, which its module need not import.
    """
    import typer

    main.__annotations__ = get_type_hints(main, localns={"typer": typer}, include_extras=True)
    app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
    app.command()(main if call is None else functools.wraps(main)(call))
    return app


def option_names(main: Callable[..., Any]) -> set[str]:
    """The options of a program, such as `--game`."""
    import typer.main

    command = typer.main.get_command(make_app(main))
    return {"--help", *(name for one in command.params for name in (*one.opts, *one.secondary_opts))}


def _options(main: Callable[..., Any], arguments: Sequence[str]) -> dict[str, Any]:
    """The arguments of `main` from a command line; SystemExit if there are none, as after `--help`.

    typer has its own ways with interruptions and broken pipes, so it reads the command line and runs nothing.
    """
    options: list[dict[str, Any]] = []
    try:
        make_app(main, lambda **given: options.append(given))(args=list(arguments))
    except SystemExit as ended:
        stopped = _interruption(ended)
        if stopped is not None:
            raise stopped from None
        if not options:
            raise
    return options[0]


def plain(arguments: Sequence[str], several: Sequence[str]) -> list[str]:
    """A command line in which each option is before a single value, as typer wants it."""
    return fill_in(spread(arguments, several), OPTIONAL)


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


def fill_in(arguments: Sequence[str], values: Mapping[str, str]) -> list[str]:
    """Put a value behind the options that may go without one, where they do."""
    filled: list[str] = []
    for argument, after in itertools.zip_longest(arguments, arguments[1:]):
        bare = argument in values and "--" not in filled and (after is None or after.startswith("-"))
        filled.append(f"{argument}={values[argument]}" if bare else argument)
    return filled


def parse_params(assignments: Sequence[str] | None) -> dict[str, Any]:
    """Parameters of a game from texts like `num_players=4`, whose values are YAML; ValueError if one is neither."""
    from agents.yaml_values import parse_yaml

    params: dict[str, Any] = {}
    given = assignments or []
    for assignment, after in itertools.zip_longest(given, given[1:], fillvalue=""):
        name, equals, text = assignment.partition("=")
        if not equals and name and after and "=" not in after:
            raise ValueError(f"--param {name} {after}: write --param {name}={after}")
        if not equals or not name:
            raise ValueError(f"--param {assignment}: write name=value, for example num_players=4")
        if name in params:
            raise ValueError(f"--param {name} is given twice")
        params[name] = parse_yaml(text, f"--param {name}")
    return params


def fail(message: str, code: int = 2) -> NoReturn:
    """End the program with one line on stderr."""
    print(f"error: {message}", file=sys.stderr)
    raise SystemExit(code)


@contextlib.contextmanager
def fail_politely(extra: str = "train") -> Iterator[None]:
    """End the program with one line on stderr where the user can help: exit code 2, after a signal 128 and its number.

    Other errors are mistakes of the program and keep their tracebacks.
    """
    try:
        yield
    except BrokenPipeError:  # nobody reads on
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # for what Python still has to write
        raise SystemExit(1) from None
    except (Exception, KeyboardInterrupt) as error:
        stopped = _interruption(error)
        if stopped is not None:
            number = signal.SIGTERM if isinstance(stopped, Terminated) else signal.SIGINT
            print(ENDINGS[number], file=sys.stderr)
            raise SystemExit(128 + number) from None
        line = _one_line(error, extra)
        if line is None:
            raise
        fail(line)


def _interruption(error: BaseException | None) -> KeyboardInterrupt | None:
    """The interruption behind an error: some libraries raise their own when they are interrupted."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__ or error.__context__
    return error


def _one_line(error: BaseException, extra: str) -> str | None:
    """What the user has to know about an error; None for a mistake of the program."""
    if isinstance(error, ModuleNotFoundError):
        from agents.extras import missing_module

        return missing_module(error, extra)
    if isinstance(error, ImportError):
        from edge_envs import MissingExtraError

        return str(error) if isinstance(error, MissingExtraError) else None
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.filename}: {error.strerror}"
    if isinstance(error, MemoryError):
        return f"not enough memory ({error})" if str(error) else "not enough memory"
    if isinstance(error, ValueError | OSError):
        return " ".join(str(error).split()) or type(error).__name__
    return None


@contextlib.contextmanager
def _signals(whole_process: bool) -> Iterator[None]:
    """Let Ctrl-C and SIGTERM interrupt the program; at the end of the process let both end it at once."""
    numbers = [signal.SIGTERM]
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # else a shell has it ignored
        numbers.append(signal.SIGINT)
    _raised.clear()
    before = {number: signal.signal(number, _stop) for number in numbers}
    report = sys.unraisablehook
    sys.unraisablehook = functools.partial(_report_dropped, report)
    try:
        yield
    finally:
        sys.unraisablehook = report
        for number, handler in before.items():
            signal.signal(number, signal.SIG_DFL if whole_process else handler)


def _stop(number: int, frame: FrameType | None) -> None:
    """Interrupt what is going on. Where modules are imported end at once: some of them swallow interruptions."""
    while frame is not None:
        if frame.f_code.co_filename == "<frozen importlib._bootstrap>":
            cursor = b"\x1b[?25h" if os.isatty(2) else b""  # which a progress bar hides
            os.write(2, cursor + f"{ENDINGS[number]}\n".encode())
            os._exit(128 + number)
        frame = frame.f_back
    _raised.append(Terminated if number == signal.SIGTERM else KeyboardInterrupt)
    raise _raised[-1]


def _report_dropped(report: Callable[[Any], object], dropped: Any) -> None:
    """Report an exception that Python dropped in a destructor; not an interruption: `stop_if_asked` raises it again."""
    if dropped.exc_type not in _raised:
        report(dropped)


def stop_if_asked() -> None:
    """Interrupt once more if a signal came and its interruption was lost, as Python drops those in destructors.

    For loops that run for hours.
    """
    if _raised:
        raise _raised[-1]


@contextlib.contextmanager
def progress_bar() -> Iterator[Progress]:
    """A progress bar on stderr that is gone when the work is done; where stderr is no terminal, a line a minute."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

    from agents.progress_lines import ProgressLines

    console = Console(stderr=True)
    if not console.is_terminal:
        with ProgressLines() as lines:
            yield lines
        return
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), TaskProgressColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        yield progress
