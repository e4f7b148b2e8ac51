"""Parameters of games, maps and other data among them, and arguments of the APIs."""

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
from tests.fuzz.door import REFUSED, TAKEN, Door, Story
from tests.fuzz.mutation import ODD_TEXTS, damaged_bytes, damaged_text, mutated, odd_value
from tests.fuzz.playing import check_kept, play_on

TRANSITIONS = 25
MOST_LANES = 4


class Parameters(Door):
    """Names and values of parameters that may fit, or not."""

    apis = ("State",)

    def attempt(self, rng: Random, story: Story) -> str:
        """Load a game with some parameters; what is accepted is as it was asked for."""
        game_type = edge_envs.GAMES[rng.choice(self.names)]
        params = {_name(rng, game_type): _value(rng, game_type) for _ in range(rng.choice((1, 1, 2, 3)))}
        story.tell(f"load_game({game_type.name!r}, **params) with", params)
        try:
            game = edge_envs.load_game(game_type.name, **params)
        except ValueError as error:
            assert any(repr(name) in str(error) or name in str(error) for name in params), f"names none: {error}"
            return REFUSED
        again = edge_envs.load_game(game_type.name, **json.loads(json.dumps(game.params_dict())))
        assert again == game
        assert all(type(value) in (bool, int, str, dict) for value in game.params.values()), game.params
        play_on(game.new_initial_state(rng.getrandbits(64)), rng, 5)
        return TAKEN


def _name(rng: Random, game_type: GameType) -> str:
    names = list(game_type.parameters)
    if rng.random() < 0.8:
        return rng.choice(names)
    return damaged_text(rng, rng.choice([*names, *ODD_TEXTS]))


def _value(rng: Random, game_type: GameType) -> Any:
    """A value that some parameter could have, or an odd one."""
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


class Data(Door):
    """Parameters whose values are data, such as maps: as dicts, and in files where those are possible."""

    apis = ("State",)

    def __init__(self, games: Any, folder: Path) -> None:
        super().__init__(games, folder)
        self._seeds = [seed for name in games for seed in seeds_of(name)]
        self.names = [name for name in games if seeds_of(name)]

    def attempt(self, rng: Random, story: Story) -> str:
        """Load a game with damaged data; games with what is accepted can be played."""
        if not self._seeds:
            return rng.choice(self.ends)
        name, parameter, value = rng.choice(self._seeds)
        others = [other for game, p, other in self._seeds if (game, p) == (name, parameter)]
        in_file = parameter.type is str and rng.random() < 0.3
        given: Any = self._file(rng, value) if in_file else mutated(rng, value, rng.choice(others))
        story.tell(f"load_game({name!r}, {parameter.name}=…)", Path(given).read_bytes() if in_file else given)
        try:
            game = edge_envs.load_game(name, **{parameter.name: given})
        except ValueError as error:
            assert str(error).startswith(f"{name}: "), f"names no game: {error}"
            assert len(str(error)) > len(f"{name}: "), "says nothing"
            return REFUSED
        state = game.new_initial_state(rng.getrandbits(64))
        check_kept(state)
        play_on(state, rng, TRANSITIONS)
        return TAKEN

    def _file(self, rng: Random, value: Mapping[str, Any]) -> str:
        path = self.folder / "data.json"
        path.write_bytes(damaged_bytes(rng, json.dumps(value).encode()))
        return str(path)


def seeds_of(name: str) -> list[tuple[str, Parameter, Any]]:
    """The data of a game's parameters to begin from: game, parameter, value.

    They are the objects among the defaults and the cases of the contract tests, and what `tests/games/<game>/fuzz.py`
    has besides, if there is one: `SEEDS`, lists of values by parameter.
    """
    parameters = edge_envs.GAMES[name].parameters
    found = [(p.name, p.default) for p in parameters.values()]
    found += [pair for params in parameter_sets(edge_envs.GAMES[name]) for pair in params.items()]
    if (Path(__file__).parents[1] / "games" / name / "fuzz.py").exists():
        more = importlib.import_module(f"tests.games.{name}.fuzz").SEEDS
        found += [(parameter, value) for parameter, values in more.items() for value in values]
    return [(name, parameters[parameter], value) for parameter, value in found if isinstance(value, dict)]


class Arguments(Door):
    """Arguments of the functions that make environments."""

    apis = ("State", "AEC", "vector", "seat")

    def attempt(self, rng: Random, story: Story) -> str:
        """Make an environment; what is accepted can be reset."""
        api = rng.choice(tuple(ARGUMENTS))
        name = rng.choice(self.names) if rng.random() < 0.95 else odd_value(rng)
        given = {key: self._argument(rng, ARGUMENTS[api][key]) for key in ARGUMENTS[api] if rng.random() < 0.5}
        given |= {"num_envs": 2} if "num_envs" in ARGUMENTS[api] and "num_envs" not in given else {}
        story.tell(f"{api}({_text(name)}, **arguments) with", given)
        seed = rng.choice((None, 0, 2**64, odd_value(rng), np.int64(3), [1, 2], (1, 2), np.arange(2)))
        try:
            env = getattr(edge_envs, api)(name, **given)
            story.tell("made; seed", seed)
            env.reset(seed=seed)
        except ValueError as error:
            assert str(error)
            return REFUSED
        except MemoryError:
            assert given["num_envs"] > 2**20
            return REFUSED
        env.close()
        return TAKEN

    def _argument(self, rng: Random, possible: tuple[Any, ...]) -> Any:
        return rng.choice(possible) if rng.random() < 0.75 else _harmless(odd_value(rng))


def _harmless(value: Any) -> Any:
    """A value that asks for no more lanes or threads than one example can have."""
    if isinstance(value, int) and MOST_LANES < value < 2**40:
        return MOST_LANES
    return value


def _text(name: Any) -> str:
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
"""Of each API what a value may be."""
