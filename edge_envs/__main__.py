"""The command `edge-envs` (or `python -m edge_envs`): compile games, list them, show their pages, and play."""

from __future__ import annotations

import argparse
import functools
import json
import os
import sys
import textwrap
import time
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

import edge_envs
from edge_envs import streams
from edge_envs.core.errors import printable
from edge_envs.core.game import Game
from edge_envs.core.game_type import GameType
from edge_envs.core.spec import Parameter
from edge_envs.docstrings import docstring
from edge_envs.games import named_game


class CommandError(Exception):
    """The command failed, for a reason that fits on one line."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code; `arguments` default to those of the command line."""
    streams.make_writable()
    options = _parser().parse_args(arguments)
    try:
        options.run(options)
        streams.flush()
    except BrokenPipeError:  # the reader has closed the pipe
        streams.drop()
        return 1
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130
    except CommandError as error:
        print(f"error: {printable(str(error))}", file=sys.stderr)
        return 2
    except OSError as error:
        named = streams.named(error)
        text = f"{named.filename}: {named.strerror}" if named.filename else str(error)
        print(f"error: {printable(text)}", file=sys.stderr)
        return 2
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="edge-envs", description=docstring(edge_envs).partition("\n")[0])
    parser.add_argument("--version", action="version", version=f"edge-envs {edge_envs.__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)

    warm = commands.add_parser("warm", help="compile games ahead of their first use", description=docstring(_warm))
    warm.add_argument("games", metavar="GAME", nargs="*", help="games to compile (default: all)")
    warm.add_argument(
        "--agents", metavar="AGENT", nargs="+", default=[],
        help="also compile these agents as opponents, such as trained, turn or search:50",
    )  # fmt: skip
    warm.set_defaults(run=_warm)

    games = commands.add_parser("games", help="list the games and their parameters", description=docstring(_list))
    games.add_argument("--json", action="store_true", help="print JSON")
    games.set_defaults(run=_list)

    play = commands.add_parser("play", help="play a game in the browser", description=docstring(_play))
    play.add_argument("game", metavar="GAME")
    play.add_argument(
        "--port", type=int, help="port of the server; 0 for a free one (default: that of the last time if it is free)"
    )
    play.add_argument("--no-browser", action="store_true", help="do not open the browser")
    play.add_argument(
        "--lan", action="store_true", help="also serve guests on the local network, who join by a link or a QR code"
    )
    play.set_defaults(run=_play)

    rules = commands.add_parser("rules", help="show the page of a game", description=docstring(_rules))
    rules.add_argument("game", metavar="GAME")
    rules.add_argument("--short", action="store_true", help="print only the rules, in at most 2,500 characters")
    rules.add_argument(
        "--param", metavar="NAME=VALUE", nargs="+", action="extend", default=[],
        help="set game parameters for the short rules",
    )  # fmt: skip
    rules.set_defaults(run=_rules)

    cells = commands.add_parser(
        "cells", help="list the cells of a game, from which values are learned", description=docstring(_cells)
    )
    cells.add_argument("game", metavar="GAME", help="a game or a board, such as beyond_maps_8x8")
    cells.add_argument(
        "--param", metavar="NAME=VALUE", nargs="+", action="extend", default=[], help="set game parameters"
    )
    cells.set_defaults(run=_cells)
    return parser


def _game_type(name: str) -> GameType:
    try:
        return named_game(name)[0]
    except edge_envs.ParameterError as error:
        raise CommandError(str(error)) from None


def _warm(options: argparse.Namespace) -> None:
    """Compile the kernels of all environments and cache them, so that later processes start without delay."""
    names = list(dict.fromkeys(_game_type(name).name for name in options.games or edge_envs.GAMES))
    for agent in options.agents:  # before anything is compiled
        _check_agent(agent)

    from edge_envs.core.compiler.cache_dirs import cache_folder, filled_folders
    from edge_envs.core.compiler.jit import compilations
    from edge_envs.core.compiler.messages import compilations_shown_by, nothing
    from edge_envs.core.compiler.sources import source_hash

    if os.environ.get("NUMBA_DISABLE_JIT") == "1":
        raise CommandError("NUMBA_DISABLE_JIT=1 switches the compiler off")
    if any(source_hash(edge_envs.GAMES[name].folder) is None for name in names):
        raise CommandError("nothing can be cached: the cache needs the package's .py files in a folder")
    own = cache_folder("kernels")
    places = [str(folder.parent) for folder in [*filled_folders("kernels"), *([own] if own else [])]]
    if not places:
        raise CommandError("your cache folder cannot be written; set EDGE_ENVS_CACHE_DIR to another folder")
    with compilations_shown_by(nothing):
        for name in names:
            _warm_game(name, options.agents)
    lost = compilations().lost
    if lost:
        where = f"in {own.parent}" if own else "because your cache folder cannot be written"
        raise CommandError(f"{lost} kernels were compiled but could not be cached {where}")
    print(f"cached in {', '.join(places)}")


def _check_agent(name: str) -> None:
    from edge_envs.players import check_built_in

    try:
        check_built_in(name)
    except ValueError as error:
        raise CommandError(str(error)) from None


def _warm_game(name: str, agents: Sequence[str]) -> None:
    """Compile a game, and print for each API and agent how long it took or that it was already cached."""
    from edge_envs.core.compiler.jit import compilations
    from edge_envs.warming import APIS, use_agent

    uses: dict[str, Callable[[str], None]] = dict(APIS)
    uses |= {agent: functools.partial(use_agent, agent=agent) for agent in agents}
    print(f"{name}:", end="", flush=True)
    try:
        for number, (use_name, use) in enumerate(uses.items()):
            print(f"{',' if number else ''} {printable(use_name)}", end="", flush=True)
            before, start = compilations().kernels, time.perf_counter()
            try:
                use(name)
            except ValueError as error:  # an agent that does not exist or cannot play this game
                raise CommandError(str(error)) from None
            fresh = compilations().kernels > before
            print(f" {time.perf_counter() - start:.1f} s" if fresh else " already cached", end="", flush=True)
    finally:
        print()


def _list(options: argparse.Namespace) -> None:
    """List the games with their players and parameters."""
    if options.json:
        print(json.dumps({name: _facts(game_type) for name, game_type in edge_envs.GAMES.items()}, indent=2))
        return
    print("\n\n".join(_description(game_type) for game_type in edge_envs.GAMES.values()))


def _facts(game_type: GameType) -> dict[str, Any]:
    low, high = _players(game_type)
    return {
        "version": game_type.version,
        "title": game_type.title,
        "summary": game_type.summary,
        "min_players": low,
        "max_players": high,
        "perfect_information": game_type.perfect_information,
        "parameters": [
            {
                "name": parameter.name,
                "type": parameter.type.__name__,
                "default": parameter.default,
                "possible": parameter.possible,
                "low": parameter.low,
                "high": parameter.high,
                "choices": list(parameter.choices),
                "description": parameter.description,
            }
            for parameter in game_type.parameters.values()
        ],
    }


def _description(game_type: GameType) -> str:
    low, high = _players(game_type)
    players = f"{low} players" if low == high else f"{low} to {high} players"
    heading = f"{game_type.name}: {game_type.title}, {players}"
    return "\n".join([heading, *(_lines(parameter) for parameter in game_type.parameters.values())])


def _lines(parameter: Parameter) -> str:
    values = f"{parameter.type.__name__}: {parameter.possible}"
    lines = [f"{parameter.name}={parameter.default!r}", f"  {values}", f"  {parameter.description}"]
    return textwrap.indent("\n".join(lines), "  ")


def _players(game_type: GameType) -> tuple[int, int]:
    """Return the minimum and maximum number of players; two if it is not a parameter."""
    number = game_type.parameters.get("num_players")
    return (2, 2) if number is None else (number.low or 2, number.high or 2)


def _play(options: argparse.Namespace) -> None:
    """Serve a page for playing on this machine, and open it in the browser. Requires the extra `web`."""
    _game_type(options.game)
    if not 0 <= (options.port or 0) <= 65535:
        raise CommandError(f"invalid --port {options.port}: expected 0 to 65535")
    try:
        from edge_envs.web.server import leave_at_once, server_for

        web = server_for(options.game, port=options.port, browser=not options.no_browser, lan=options.lan)
    except (edge_envs.MissingExtraError, ValueError) as error:
        raise CommandError(str(error)) from None
    code = 0
    try:
        web.serve_until_stopped()
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        code = 130
    leave_at_once(code)


def _rules(options: argparse.Namespace) -> None:
    """Show the page of a game: rules, parameters, observations, actions, history. With --short, only the rules."""
    if options.short:
        print(_short_rules(options.game, options.param))
        return
    if options.param:
        raise CommandError("--param needs --short: the page of a game describes all parameters")
    page = docstring(import_module(_game_type(options.game).package))
    if not page:
        raise CommandError("game pages are docstrings, which `python -OO` removes, and the source files are missing")
    print(page)


def _short_rules(name: str, assignments: Sequence[str]) -> str:
    """Return the short rules of a game with these parameters."""
    from edge_envs.text import short_rules

    return short_rules(_load(name, assignments))


def _load(game: str, assignments: Sequence[str]) -> Game:
    """Load a game with these parameters."""
    game_type = _game_type(game)
    params: dict[str, Any] = {}
    for name, value in (_assignment(text, game_type) for text in assignments):
        if name in params:
            raise CommandError(f"duplicate --param {name}")
        params[name] = value
    try:
        return edge_envs.load_game(game, **params)
    except ValueError as error:  # includes ParameterError
        raise CommandError(str(error)) from None


def _cells(options: argparse.Namespace) -> None:
    """List the cells of a game as a table in Markdown: facts of a position, from which values are learned.

    Configurations of agents.tuples refer to them by these names. A cell has the values 0, 1, and so on.
    """
    game = _load(options.game, options.param)
    layout = game.type.cell_layout(game.params)
    if layout is None:
        raise CommandError(f"{game.name} declares no cells")
    rows = [("name", "cells", "values", "meaning"), ("---", "---", "---", "---")]
    for field in layout.fields:
        count = "×".join(map(str, field.grid)) if field.grid else str(field.count)
        meaning = printable(field.description) + (" (place)" if field.place else "")
        rows.append((f"`{field.name}`", count, str(field.values), meaning))
    print("\n".join(f"| {' | '.join(row)} |" for row in rows))


def _assignment(text: str, game_type: GameType) -> tuple[str, Any]:
    """Parse `NAME=VALUE`; a value is a string, or JSON where the parameter is not one or the value is an object.

    Booleans may also be Python's True and False.
    """
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise CommandError(f"invalid --param {text!r}: expected NAME=VALUE, such as num_players=2")
    parameter = game_type.parameters.get(name)
    if parameter is not None and (parameter.type is not str or value.startswith("{")):
        try:
            return name, json.loads({"True": "true", "False": "false"}.get(value, value))
        except (ValueError, RecursionError):
            pass  # the game raises the error, with the valid values
    return name, value


if __name__ == "__main__":
    sys.exit(main())
