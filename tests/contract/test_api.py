"""The public names, the game types, and `load_game`."""

from __future__ import annotations

import importlib
import inspect
from typing import Any

import numpy as np
import pytest

import edge_envs
from edge_envs import Game, GameType
from edge_envs.core.spec import Parameter
from tests.contract.cases import games
from tests.contract.play import playthrough

FACTORIES = ["load_game", "aec_env", "vector_env", "seat_env", "seat_vector_env", "sb3_vec_env"]


def parameters(game: Game, *types: type) -> list[Parameter]:
    return [parameter for parameter in game.type.parameters.values() if parameter.type in types]


def invalid_values(parameter: Parameter) -> list[Any]:
    values: list[Any] = [None, "unheard_of", 0.5, [1]]
    if parameter.type is bool:
        values += [0, 1, "True"]
    if parameter.type is int:
        values += [True, 1.0]
        values += [parameter.low - 1] if parameter.low is not None else []
        values += [parameter.high + 1] if parameter.high is not None else []
    return values


def test_public_names_exist_and_have_docstrings() -> None:
    for name in edge_envs.__all__:
        thing = getattr(edge_envs, name)
        if inspect.isclass(thing) or inspect.isfunction(thing):
            assert inspect.getdoc(thing), name


def test_public_names_are_sorted_and_complete() -> None:
    assert len(set(edge_envs.__all__)) == len(edge_envs.__all__)
    promised = {*FACTORIES, "GAMES", "CHANCE", "TERMINAL", "IllegalActionError", "InvalidPositionError", "State"}
    assert promised <= set(edge_envs.__all__)


def test_unknown_attribute_raises_attribute_error() -> None:
    with pytest.raises(AttributeError, match="unheard_of"):
        _ = edge_envs.unheard_of


def test_node_constants_match_openspiel() -> None:
    assert (edge_envs.CHANCE, edge_envs.TERMINAL) == (-1, -4)


def test_public_errors_are_value_errors() -> None:
    assert issubclass(edge_envs.IllegalActionError, ValueError)
    assert issubclass(edge_envs.InvalidPositionError, ValueError)


def test_games_are_registered_under_their_names() -> None:
    for name, game_type in edge_envs.GAMES.items():
        assert isinstance(game_type, GameType)
        assert game_type.name == name
        assert name == name.lower()
        assert name.isidentifier()


def test_game_type_describes_each_parameter(plain_game: Game) -> None:
    game_type = plain_game.type
    assert game_type.title
    assert game_type.summary
    assert game_type.version >= 0
    for name, parameter in game_type.parameters.items():
        assert parameter.name == name
        assert parameter.description
        assert parameter.possible
        assert parameter.check(game_type.name, parameter.default) == parameter.default


def test_every_game_package_has_a_docstring(plain_game: Game) -> None:
    assert importlib.import_module(plain_game.type.package).__doc__


def test_required_modules_have_docstrings(plain_game: Game) -> None:
    for room in ("state", "actions", "rules", "observation", "heuristic"):
        assert plain_game.type.module(room).__doc__


def test_load_game_uses_the_defaults(plain_game: Game) -> None:
    game = edge_envs.load_game(plain_game.name)
    assert dict(game.params) == {name: p.default for name, p in game.type.parameters.items()}


def test_game_declares_consistent_sizes(game: Game) -> None:
    assert game.name == game.type.name
    assert game.num_players >= 2
    assert game.num_distinct_actions >= 1
    assert game.max_chance_outcomes >= 0
    assert game.max_game_length is None or game.max_game_length >= 1
    assert game.min_utility < 0 < game.max_utility
    assert isinstance(game.perfect_information, bool)
    assert isinstance(game.observation_shape, tuple)
    assert isinstance(game.observation_dtype, np.dtype)


def test_max_chance_outcomes_bounds_the_outcomes(game: Game) -> None:
    assert game.max_chance_outcomes <= game.type.module("rules").MAX_CHANCE_OUTCOMES


def test_games_are_immutable(plain_game: Game) -> None:
    with pytest.raises(TypeError):
        plain_game.params["unheard_of"] = 1  # type: ignore[index]


def test_games_with_equal_parameters_are_equal(game: Game) -> None:
    again = edge_envs.load_game(game.name, **game.params)
    assert again == game
    assert hash(again) == hash(game)
    assert [other for other in games() if other == game] == [game]


def test_full_repr_recreates_the_game(game: Game) -> None:
    text = repr(game)
    for name, value in game.params.items():
        text = text.replace(f"{name}={game.type.parameters[name].format_value(value)}", f"{name}={value!r}")
    assert eval(text, {"load_game": edge_envs.load_game}) == game


def test_repr_is_short(game: Game) -> None:
    counts = [text for text in game.type.format_params(game.params_dict()) if text.endswith("}")]
    assert all(len(text) < 80 for text in counts)  # of cards or chits, which nothing shorter names
    assert len(repr(game)) - sum(map(len, counts)) < 160


def test_unknown_game_error_lists_the_games() -> None:
    for factory in FACTORIES:
        arguments = {"num_envs": 1} if "vec" in factory else {}
        with pytest.raises(ValueError, match="unheard_of") as caught:
            getattr(edge_envs, factory)("unheard_of", **arguments)
        assert all(name in str(caught.value) for name in edge_envs.GAMES)


def test_unknown_parameter_error_lists_the_parameters(plain_game: Game) -> None:
    for factory in FACTORIES:
        arguments = {"num_envs": 1} if "vec" in factory else {}
        with pytest.raises(ValueError, match="unheard_of") as caught:
            getattr(edge_envs, factory)(plain_game.name, unheard_of=1, **arguments)
        assert all(name in str(caught.value) for name in plain_game.type.parameters)


def test_invalid_value_error_names_the_valid_values(plain_game: Game) -> None:
    for parameter in parameters(plain_game, int, bool, str):
        for value in invalid_values(parameter):
            with pytest.raises(ValueError, match=parameter.name) as caught:
                edge_envs.load_game(plain_game.name, **{parameter.name: value})
            assert repr(value) in str(caught.value)
            assert parameter.possible in str(caught.value)


def test_numpy_values_are_accepted_as_parameters(plain_game: Game) -> None:
    for parameter in parameters(plain_game, int, bool):
        kind = np.bool_ if parameter.type is bool else np.int64
        game = edge_envs.load_game(plain_game.name, **{parameter.name: kind(parameter.default)})
        assert type(game.params[parameter.name]) is parameter.type
        assert game == edge_envs.load_game(plain_game.name)


def test_all_cases_are_distinct_games() -> None:
    assert len(set(games())) == len(games())
    assert {game.name for game in games()} == set(edge_envs.GAMES)


def test_returns_sum_to_the_declared_utility_sum(game: Game) -> None:
    for seed in range(2):
        *_, end = playthrough(game, seed, heuristic=seed == 1)
        if game.utility_sum is not None:
            assert sum(end.returns()) == pytest.approx(game.utility_sum)


def test_forfeit_keeps_the_utility_sum(game: Game) -> None:
    env = edge_envs.aec_env(game.name, illegal_action="forfeit", **game.params)
    env.reset(seed=0)
    env.step(-1)
    if game.utility_sum is not None:
        assert sum(env.rewards.values()) == pytest.approx(game.utility_sum)
