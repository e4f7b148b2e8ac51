"""Detect mistakes in command lines that an option parser cannot explain, and say what to type instead.

At the top this module imports only the standard library, like `agents.common.console`, which uses it.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Collection, Sequence


def check_line(arguments: Sequence[str], option_names: Callable[[], Collection[str]]) -> None:
    """Look for empty values, `--set key value` and parameters of games that were written as options.

    Args:
        arguments: the command line.
        option_names: gives the options that the program has, such as `--game`; called only where it matters.

    Raises:
        ValueError: with the correct way to write it.
    """
    options = functools.cache(option_names)
    triples = zip(arguments, [*arguments[1:], ""], [*arguments[2:], "", ""], strict=False)
    flag = ""
    for argument, value, more in itertools.takewhile(lambda triple: triple[0] != "--", triples):
        flag = argument.partition("=")[0] if argument.startswith("-") else flag
        if flag and argument in ("", f"{flag}="):  # as of an unset variable: "$OUT"
            raise ValueError(f"{flag}: the value is empty")
        if argument == "--set" and "=" not in value and _is_value(value) and _is_value(more):
            raise ValueError(f"--set {value} {more}: write --set {value}={more}")
        if argument.startswith("--") and (advice := _parameter(argument, value, options())):
            raise ValueError(advice)


def _is_value(argument: str) -> bool:
    return bool(argument) and not argument.startswith("-")


def _parameter(argument: str, after: str, options: Collection[str]) -> str:
    """Advice for an option that is a parameter of a game, `--size 8`; else an empty string."""
    flag, equals, value = argument.partition("=")
    if flag in options or not {"--param", "--set"} & set(options):
        return ""
    from edge_envs import GAMES

    name = flag[2:].replace("-", "_")
    games = [game for game in GAMES.values() if name in game.parameters]
    if not games:
        return ""
    value = value if equals else after if _is_value(after) else "VALUE"
    write = f"--param {name}={value}" if "--param" in options else f"--set params.{name}={value}"
    variants = [
        variant
        for game in games
        for variant, made in game.variants.items()
        if {key: str(one) for key, one in made.params.items()} == {name: value}
    ]
    named = f", or name the game {' or '.join(variants)}" if variants else ""
    return f"no such option: {flag}; for this parameter of a game write {write}{named}"
