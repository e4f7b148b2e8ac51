"""Fuzz parameters of games, including maps and other data, and arguments of the APIs."""

from __future__ import annotations

import importlib
import json
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

import edge_envs
from edge_envs.core.game_type import GameType
from edge_envs.core.spec import Parameter
from tests.contract.cases import parameter_sets
from tests.fuzz.mutation import ODD_TEXTS, damaged_bytes, damaged_text, mutated, odd_value
from tests.fuzz.playing import check_round_trip, play_on
from tests.fuzz.target import ACCEPTED, REJECTED, Target, Trace

TRANSITIONS = 25
MOST_LANES = 4


class Parameters(Target):
    """Valid and invalid names and values of parameters."""

    apis = ("State",)

    def attempt(self, rng: Random, trace: Trace) -> str:
        """Load a game with random parameters; accepted ones survive JSON and give a playable game."""
        game_type = edge_envs.GAMES[rng.choice([name for name in self.names if edge_envs.GAMES[name].parameters])]
        params = {_name(rng, game_type): _value(rng, game_type) for _ in range(rng.choice((1, 1, 2, 3)))}
        trace.add(f"load_game({game_type.name!r}, **params) with", params)
        try:
            game = edge_envs.load_game(game_type.name, **params)
        except ValueError as error:
            assert any(repr(name) in str(error) or name in str(error) for name in params), (
                f"the error does not name a parameter: {error}"
            )
            return REJECTED
        again = edge_envs.load_game(game_type.name, **json.loads(json.dumps(game.params_dict())))
        assert again == game
        assert all(type(value) in (bool, int, str, dict) for value in game.params.values()), game.params
        play_on(game.new_initial_state(rng.getrandbits(64)), rng, 5)
        return ACCEPTED


def _name(rng: Random, game_type: GameType) -> str:
    names = list(game_type.parameters)
    if rng.random() < 0.8:
        return rng.choice(names)
    return damaged_text(rng, rng.choice([*names, *ODD_TEXTS]))


def _value(rng: Random, game_type: GameType) -> Any:
    """Return a value that is valid for some parameter, or an odd one."""
    parameter = rng.choice(list(game_type.parameters.values()))
    low, high = parameter.low or 0, parameter.high or 9
    number = rng.choice((low - 1, low, low + 1, rng.randint(low, high), high, high + 1))
    kind = rng.randrange(8)
    if kind < 3:
        return number
    if kind == 3:
        return rng.choice((np.int8, np.uint64, np.float64, np.bool_, str, bool, np.array))(number % 100)
    if kind == 4:
        return rng.choice((*parameter.choices, parameter.default, True, False))
    if kind == 5:
        return rng.choice((object(), b"bytes", {1, 2}, (0,), range(3), int, Path("nowhere"), 1j, np.ones(3), ...))
    return odd_value(rng)


class Data(Target):
    """Parameters whose values are data, such as maps: as dicts, or as files where these are allowed."""

    apis = ("State",)

    def __init__(self, games: Any, folder: Path) -> None:
        super().__init__(games, folder)
        self._seeds = [seed for name in games for seed in seeds_of(name)]
        self.names = [name for name in games if seeds_of(name)]

    def attempt(self, rng: Random, trace: Trace) -> str:
        """Load a game with damaged data; accepted data give a playable game."""
        if not self._seeds:
            return rng.choice(self.outcomes)
        name, parameter, value = rng.choice(self._seeds)
        others = [other for game, p, other in self._seeds if (game, p) == (name, parameter)]
        in_file = parameter.type is str and rng.random() < 0.3
        given: Any = self._file(rng, value) if in_file else mutated(rng, value, rng.choice(others))
        trace.add(f"load_game({name!r}, {parameter.name}=…)", Path(given).read_bytes() if in_file else given)
        try:
            game = edge_envs.load_game(name, **{parameter.name: given})
        except ValueError as error:
            assert str(error).startswith(f"{name}: "), f"the error does not name the game: {error}"
            assert len(str(error)) > len(f"{name}: "), "the error is empty"
            return REJECTED
        state = game.new_initial_state(rng.getrandbits(64))
        check_round_trip(state)
        play_on(state, rng, TRANSITIONS)
        return ACCEPTED

    def _file(self, rng: Random, value: Mapping[str, Any]) -> str:
        path = self.folder / "data.json"
        path.write_bytes(damaged_bytes(rng, json.dumps(value).encode()))
        return str(path)


def seeds_of(name: str) -> list[tuple[str, Parameter, Any]]:
    """Return the initial data of a game's parameters: game, parameter, value.

    They are the objects among the defaults and the cases of the contract tests, and those of the optional
    `tests/games/<game>/fuzz.py`: `SEEDS`, lists of values by parameter.
    """
    parameters = edge_envs.GAMES[name].parameters
    found = [(p.name, p.default) for p in parameters.values()]
    found += [pair for params in parameter_sets(edge_envs.GAMES[name]) for pair in params.items()]
    if (Path(__file__).parents[1] / "games" / name / "fuzz.py").exists():
        more = importlib.import_module(f"tests.games.{name}.fuzz").SEEDS
        found += [(parameter, value) for parameter, values in more.items() for value in values]
    return [(name, parameters[parameter], value) for parameter, value in found if isinstance(value, dict)]


class Arguments(Target):
    """Arguments of the functions that create environments."""

    apis = ("State", "AEC", "vector", "seat")

    def attempt(self, rng: Random, trace: Trace) -> str:
        """Create an environment; an accepted one can be reset."""
        api = rng.choice(tuple(ARGUMENTS))
        name = rng.choice(self.names) if rng.random() < 0.95 else odd_value(rng)
        given = {key: self._argument(rng, ARGUMENTS[api][key]) for key in ARGUMENTS[api] if rng.random() < 0.5}
        given |= {"num_envs": 2} if "num_envs" in ARGUMENTS[api] and "num_envs" not in given else {}
        trace.add(f"{api}({_name_of(name)}, **arguments) with", given)
        seed = rng.choice((None, 0, 2**64, odd_value(rng), np.int64(3), [1, 2], (1, 2), np.arange(2)))
        try:
            env = getattr(edge_envs, api)(name, **given)
            trace.add("created; seed", seed)
            env.reset(seed=seed)
        except ValueError as error:
            assert str(error)
            return REJECTED
        except MemoryError:
            assert given["num_envs"] > 2**20
            return REJECTED
        env.close()
        return ACCEPTED

    def _argument(self, rng: Random, possible: tuple[Any, ...]) -> Any:
        return rng.choice(possible) if rng.random() < 0.75 else _limited(odd_value(rng))


def _limited(value: Any) -> Any:
    """Reduce a value that would create too many lanes or threads for an example."""
    if isinstance(value, int) and MOST_LANES < value < 2**40:
        return MOST_LANES
    return value


def _name_of(name: Any) -> str:
    return repr(name) if isinstance(name, str) else type(name).__name__


_RENDER = (None, "ansi")
_OPPONENTS = ("random", "heuristic", ["random"], ("heuristic",), object(), edge_envs.OpponentMix([("random", 1)]))
_COUNTS = (1, 2, 3, np.int32(2))
_SEAT = {
    "opponents": _OPPONENTS,
    "seat": (0, 1, "random", np.int64(1)),
    "illegal_action": ("raise", "forfeit"),
    "render_mode": _RENDER,
    "random_opening": (0, 1, 5),
}
ARGUMENTS: dict[str, dict[str, tuple[Any, ...]]] = {
    "aec_env": {"render_mode": _RENDER, "illegal_action": ("raise", "forfeit")},
    "parallel_env": {"render_mode": _RENDER, "illegal_action": ("raise", "forfeit")},
    "vector_env": {"num_envs": _COUNTS, "num_threads": _COUNTS, "final_observation": (True, False)},
    "seat_env": _SEAT,
    "seat_vector_env": {**_SEAT, "num_envs": _COUNTS, "autoreset_mode": ("SameStep", "NextStep", "Disabled")},
}
"""Valid values by API and argument."""
