"""Run command-line programs: options, errors, signals, progress.

This module and the programs import only the standard library at the top. Everything else is imported inside `run`, so
that an interruption or a missing extra is reported in one line at any time.
"""

from __future__ import annotations

import contextlib
import copy
import functools
import inspect
import itertools
import os
import signal
import sys
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from types import FrameType
from typing import TYPE_CHECKING, Annotated, Any, NoReturn, get_args, get_origin, get_type_hints

from agents.common.command_lines import check_line

if TYPE_CHECKING:
    import typer
    from rich.progress import Progress
    from typer.core import TyperCommand


OPTIONAL = {"--ray": "local"}
"""Options whose value may be omitted, and the value that is then used. Typer does not pass on click's `flag_value`."""

AGENT_NAMES = "{agent_names}"
"""In the docstring of a program: where `--help` shows the table of agent names."""

MATPLOTLIB = {"MPLBACKEND": "agg", "MATPLOTLIBRC": os.devnull}
"""Environment variables that replace inherited ones. A backend that is not installed, such as that of a notebook, or an
unreadable settings file would make every import of matplotlib fail, even inside libraries."""

ENDINGS: dict[int, str] = {signal.SIGINT: "interrupted", signal.SIGTERM: "terminated"}
if hasattr(signal, "SIGHUP"):
    ENDINGS[signal.SIGHUP] = "hung up"

SAME_COMMAND = "the same command continues"
NOTHING_SAVED = "nothing was saved"
"""Notes that programs print in their last line after a signal."""

TOGETHER = 0.5
"""Seconds within which several signals count as one request: a closing terminal sends SIGHUP twice, and some wrappers
forward a Ctrl-C that the program has already received."""


class Stopped(KeyboardInterrupt):
    """Raised when a signal asks the program to end."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


class _Request:
    """The signals that the running program has received."""

    number = 0  # of the first signal; 0 for none
    at = 0.0  # the time of that signal
    is_watched = False  # whether a loop calls `stop_if_asked`


_request = _Request()


def run(main: Callable[..., Any], arguments: Sequence[str] | None = None, extra: str = "train") -> None:
    """Run a program and end with SystemExit.

    Networks use one thread unless OMP_NUM_THREADS is set or a configuration asks for more. If several processes shared
    the same cores, threads would wait for each other and take many times as long.

    Args:
        main: the program. An option whose type is a list takes one or more values: `--against random perfect`.
        arguments: the command line; None for that of this process.
        extra: the extra of the package that the program needs.
    """
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    os.environ |= MATPLOTLIB
    with _signals(whole_process=arguments is None), fail_politely(extra):
        from edge_envs import streams

        streams.make_writable()
        try:
            given = sys.argv[1:] if arguments is None else arguments
            check_line(given, lambda: option_names(main))
            options = _options(main, given)
            from agents.common.devices import print_notes, same_device_afterwards
            from agents.common.waiting import spinner_while_compiling

            with spinner_while_compiling(), same_device_afterwards():
                main(**options)
                print_notes()
            raise SystemExit(0)
        except SystemExit:
            streams.flush()
            raise


def make_app(main: Callable[..., Any], call: Callable[..., Any] | None = None) -> typer.Typer:
    """Return the command line of a program, which calls `call` in place of `main` if it is given.

    The annotations of `main` may name `typer` and the options of `agents.common.options`, which its module need not
    import. In its docstring `{agent_names}` stands for the table of agent names.
    """
    import typer

    from agents.common import options

    hints = get_type_hints(main, localns=vars(options), include_extras=True)
    main.__annotations__ = {name: _named(name, hint) for name, hint in hints.items()}
    app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
    app.command(cls=_command_class(), help=_help(main))(main if call is None else functools.wraps(main)(call))
    return app


def _named(parameter: str, hint: Any) -> Any:
    """Return the type hint of an option with the name of the option: Typer 0.27 names options after their metavars."""
    from typer.models import OptionInfo

    kind, *about = get_args(hint) if get_origin(hint) is Annotated else (hint,)
    for number, info in enumerate(about):
        # Typer has moved a first name, as in `typer.Option("--set")`, to the default.
        if isinstance(info, OptionInfo) and info.metavar and info.default is ... and not info.param_decls:
            about[number] = copy.copy(info)  # several programs may share it, under other names
            about[number].param_decls = (f"--{parameter.replace('_', '-')}",)
    return Annotated[(kind, *about)] if about else hint


@functools.cache
def _command_class() -> type[TyperCommand]:
    """Return the class of commands whose list options take several values after one flag.

    Click has no such options, only ones that are repeated. So this command repeats the flag before each value when it
    parses the command line.
    """
    from typer.core import TyperCommand

    class Command(TyperCommand):
        def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
            several = {name for option in self.params if getattr(option, "multiple", False) for name in option.opts}
            optional = {name: value for name, value in OPTIONAL.items() if any(name in one.opts for one in self.params)}
            return super().parse_args(ctx, fill_in(spread(args, several), optional))

    return Command


def _help(main: Callable[..., Any]) -> str | None:
    """Return the docstring of a program, also where `python -OO` has dropped it, with the table of agent names."""
    from edge_envs.docstrings import docstring

    text = inspect.cleandoc(main.__doc__ or docstring(main) or "")
    if AGENT_NAMES in text:
        from agents.players.kinds import help_text

        text = text.replace(AGENT_NAMES, f"\b\n{help_text()}")  # "\b" keeps click from filling the paragraph
    return text or None


def option_names(main: Callable[..., Any]) -> set[str]:
    """Return the options of a program, such as `--game`."""
    import typer.main

    command = typer.main.get_command(make_app(main))
    return {"--help", *(name for one in command.params for name in (*one.opts, *one.secondary_opts))}


def _options(main: Callable[..., Any], arguments: Sequence[str]) -> dict[str, Any]:
    """Parse a command line into the arguments of `main`; SystemExit if there are none, as after `--help`.

    Typer only parses the command line and runs nothing, because it handles interruptions and broken pipes itself.
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


def spread(arguments: Sequence[str], several: Collection[str]) -> list[str]:
    """Repeat the flags of the options in `several` before each of their values."""
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
    """Add the value of options that may go without one, where it is missing."""
    filled: list[str] = []
    for argument, after in itertools.zip_longest(arguments, arguments[1:]):
        bare = argument in values and "--" not in filled and (after is None or after.startswith("-"))
        filled.append(f"{argument}={values[argument]}" if bare else argument)
    return filled


def parse_params(assignments: Sequence[str] | None) -> dict[str, Any]:
    """Parse game parameters such as `num_players=4`, whose values are YAML; ValueError for an invalid one."""
    from agents.common.yaml_values import parse_yaml

    params: dict[str, Any] = {}
    given = assignments or []
    for assignment, after in itertools.zip_longest(given, given[1:], fillvalue=""):
        name, equals, text = assignment.partition("=")
        if not equals and name and after and "=" not in after:
            raise ValueError(f"--param {name} {after}: write --param {name}={after}")
        if not equals or not name:
            raise ValueError(f"--param {assignment}: write name=value, for example num_players=4")
        if name in params:
            raise ValueError(f"duplicate --param {name}")
        params[name] = parse_yaml(text, f"--param {name}")
    return params


def printable_path(path: str | os.PathLike[str]) -> str:
    """Return a path for the terminal, with escapes for characters that a terminal would interpret."""
    from edge_envs.core.errors import printable

    return printable(os.fspath(path))


def fail(message: str, code: int = 2) -> NoReturn:
    """Print one line on stderr and end the program."""
    from edge_envs.core.errors import printable

    print(f"error: {printable(message)}", file=sys.stderr)
    raise SystemExit(code)


@contextlib.contextmanager
def fail_politely(extra: str = "train") -> Iterator[None]:
    """Turn errors that the user can fix into one line on stderr and exit code 2; after a signal it is 128 + number.

    Other errors are bugs and keep their tracebacks.
    """
    try:
        yield
    except BrokenPipeError:  # the reader has closed the pipe
        from edge_envs import streams

        streams.drop()
        raise SystemExit(1) from None
    except (Exception, KeyboardInterrupt) as error:
        stopped = _interruption(error)
        if stopped is not None:
            number = stopped.number if isinstance(stopped, Stopped) else signal.SIGINT
            notes = "; ".join(getattr(stopped, "__notes__", []))
            with contextlib.suppress(OSError):  # the terminal may be gone
                print(": ".join(filter(None, [ENDINGS[number], notes])), file=sys.stderr)
            raise SystemExit(128 + number) from None
        line = _one_line(error, extra)
        if line is None:
            raise
        fail(line)


def _interruption(error: BaseException | None) -> KeyboardInterrupt | None:
    """Return the interruption that caused an error; some libraries raise their own error when they are interrupted."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__ or error.__context__
    return error


def note_interruption(error: BaseException | None, save: Callable[[], str]) -> None:
    """If a signal caused an error, call `save`, which saves the work and returns a note for the program's last line."""
    stopped = _interruption(error)
    if stopped is not None:
        try:
            note = save()
        except (OSError, MemoryError) as fault:
            note = f"nothing could be saved: {_one_line(fault, '')}"
        stopped.add_note(note)


@contextlib.contextmanager
def if_interrupted(note: str | Callable[[], str]) -> Iterator[None]:
    """If a signal interrupts this block, print a note in the program's last line on what was saved.

    `note` is the text, or a function that saves the work and returns the text.
    """
    try:
        yield
    except BaseException as error:
        note_interruption(error, note if callable(note) else lambda: note)
        raise


def _one_line(error: BaseException, extra: str) -> str | None:
    """Return the line that explains an error to the user; None for a bug."""
    if isinstance(error, ModuleNotFoundError):
        from agents.common.extras import missing_module

        return missing_module(error, extra)
    if isinstance(error, ImportError):
        from edge_envs import MissingExtraError

        return str(error) if isinstance(error, MissingExtraError) else None
    if isinstance(error, OSError):
        from edge_envs import streams

        error = streams.named(error)
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.filename}: {error.strerror}"
    if isinstance(error, MemoryError):
        return f"not enough memory ({error})" if str(error) else "not enough memory"
    if isinstance(error, ValueError | OSError):
        return " ".join(str(error).split()) or type(error).__name__
    return None


@contextlib.contextmanager
def _signals(whole_process: bool) -> Iterator[None]:
    """Let Ctrl-C, SIGTERM and SIGHUP interrupt the program; once it has finished, let them end the process at once.

    Signals that the parent process ignores stay ignored: SIGHUP under `nohup`, SIGINT in a background job of a shell.
    """
    global _request  # noqa: PLW0603  a process has one set of signal handlers
    _request = _Request()
    usual: dict[int, Any] = {signal.SIGINT: signal.default_int_handler}
    numbers = [
        number
        for number in ENDINGS
        if number == signal.SIGTERM or signal.getsignal(number) == usual.get(number, signal.SIG_DFL)
    ]
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
    """Interrupt the program; at a second request, end it at once.

    Some modules swallow interruptions while they are imported. During an import, a signal therefore ends the program at
    once, unless a loop calls `stop_if_asked`: then the program continues until that loop sees the request.
    """
    if _request.number:
        if time.monotonic() - _request.at > TOGETHER:
            _end_at_once(number, ": nothing more was saved")
        return
    importing = _is_importing(frame)
    if importing and not _request.is_watched:
        _end_at_once(number)
    _request.number, _request.at = number, time.monotonic()
    if not importing:
        raise Stopped(number)


def _is_importing(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code.co_filename == "<frozen importlib._bootstrap>":
            return True
        frame = frame.f_back
    return False


def _end_at_once(number: int, note: str = "") -> NoReturn:
    """End the process without any clean-up."""
    cursor = b"\x1b[?25h" if os.isatty(2) else b""  # a progress bar hides the cursor
    with contextlib.suppress(OSError):  # the terminal may be gone
        os.write(2, cursor + f"{ENDINGS[number]}{note}\n".encode())
    os._exit(128 + number)


def _report_dropped(report: Callable[[Any], object], dropped: Any) -> None:
    """Report an exception that Python dropped in a destructor, but no interruption: `stop_if_asked` raises it again."""
    if dropped.exc_type is not Stopped:
        report(dropped)


def stop_if_asked() -> None:
    """Interrupt again if a signal came and its interruption was lost, as Python drops exceptions in destructors.

    Call this in loops that run for hours.
    """
    _request.is_watched = True
    if _request.number:
        raise Stopped(_request.number)


@contextlib.contextmanager
def progress_bar() -> Iterator[Progress]:
    """Show a progress bar on stderr until the work is done; if stderr is not a terminal, print a line every minute."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TimeElapsedColumn

    from agents.common.progress_lines import Description, ProgressLines

    console = Console(stderr=True)
    if not console.is_terminal:
        with ProgressLines() as lines:
            yield lines
        return
    columns = (Description(), BarColumn(), TaskProgressColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        yield progress
