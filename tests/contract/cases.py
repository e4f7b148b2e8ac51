"""The cases of the contract tests: every registered game with several sets of parameters.

By default the sets follow from the parameters that a game declares: the defaults; one switch or choice changed at a
time; the fewest and the most players; everything changed at once. A game overrides them in
`tests/games/<game>/cases.json`, a list of objects. The first is the plain case, which should be small.
"""

from __future__ import annotations

import functools
import importlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import edge_envs
from edge_envs import Game, GameType
from edge_envs.core.spec import Parameter

_TESTS = Path(__file__).resolve().parents[1]


def other_values(parameter: Parameter) -> list[Any]:
    """Return the values that get a case besides the default."""
    values: tuple[Any, ...] = parameter.choices
    if parameter.type is bool:
        values = (False, True)
    elif parameter.name == "num_players":
        values = (parameter.low, parameter.high)
    return [value for value in dict.fromkeys(values) if value != parameter.default]


def parameter_sets(game_type: GameType) -> list[dict[str, Any]]:
    """Return the sets of parameters of a game, the plain one first."""
    own = _TESTS / "games" / game_type.name / "cases.json"
    if own.exists():
        return list(json.loads(own.read_text(encoding="utf-8")))
    others = {name: other_values(parameter) for name, parameter in game_type.parameters.items()}
    single = [{name: value} for name, values in others.items() for value in values]
    everything = {name: values[-1] for name, values in others.items() if values}
    return [{}, *single] + ([everything] if len(everything) > 1 else [])


def is_draft(game_type: GameType) -> bool:
    """Return whether the page of a game still contains TODO, as the skeleton of a new game does.

    Such a game need not be listed in the documents yet.
    """
    return "TODO" in (importlib.import_module(game_type.package).__doc__ or "")


@functools.cache
def games() -> tuple[Game, ...]:
    """Return every game with every set of parameters."""
    return tuple(
        edge_envs.load_game(name, **params)
        for name, game_type in edge_envs.GAMES.items()
        for params in parameter_sets(game_type)
    )


@functools.cache
def plain_games() -> tuple[Game, ...]:
    """Return every game once, with its plain set of parameters."""
    return tuple(edge_envs.load_game(name, **parameter_sets(t)[0]) for name, t in edge_envs.GAMES.items())


@functools.cache
def edited_games() -> tuple[Game, ...]:
    """Return every game with an editor, once for each set of parameters that its documents depend on."""
    found: dict[tuple[str, str], Game] = {}
    for game in games():
        if game.type.editor is not None:
            edited = game.params.get(game.type.editor.edits, game.params_dict())
            found.setdefault((game.name, json.dumps(edited)), game)
    return tuple(found.values())


def case_name(game: Game) -> str:
    """Return the game's name and the parameters that differ from their defaults, for test ids and pinned results."""
    known = game.type.parameters
    changed = {name: value for name, value in game.params.items() if value != known[name].default}
    texts = [
        f"{name}={value if isinstance(value, str) else known[name].format_value(value)}"
        for name, value in changed.items()
    ]
    return ",".join([game.name, *texts])


FIXTURES: dict[str, Callable[[], list[Game]]] = {
    "game": lambda: list(games()),
    "plain_game": lambda: list(plain_games()),
    "chance_game": lambda: [game for game in games() if game.max_chance_outcomes],
    "hidden_game": lambda: [game for game in games() if not game.perfect_information],
    "narrated_game": lambda: [game for game in games() if game.type.has_module("narration")],
    "plain_narrated_game": lambda: [game for game in plain_games() if game.type.has_module("narration")],
    "plain_narrated_hidden_game": lambda: [
        game for game in plain_games() if game.type.has_module("narration") and not game.perfect_information
    ],
    "valued_game": lambda: [game for game in games() if game.type.values is not None],
    "edited_game": lambda: list(edited_games()),
    "plain_edited_game": lambda: [game for game in plain_games() if game.type.editor is not None],
    "open_game": lambda: [game for game in games() if game.perfect_information],
}
"""By argument of a test function: the games that it runs with."""
