"""Variants (named sets of parameters): ids, fixed parameters, and levels of opponents."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pettingzoo
import pytest

import edge_envs
from agents.common.configuration import GameConfig
from agents.common.parameters import make_game
from agents.evaluation.matches import play_match
from agents.players.games import game_for
from edge_envs import Game, ParameterError
from edge_envs.core.game_type import LEVELS
from edge_envs.games import named_game, params_of, plain_name
from edge_envs.players import built_in_agent, check_built_in

NAMES = [
    name
    for game_type in edge_envs.GAMES.values()
    if game_type.package.startswith("edge_envs.")
    for name in game_type.variants
]

each_name = pytest.mark.parametrize("name", NAMES)
each_variant = pytest.mark.parametrize("name", [name for name in NAMES if name not in edge_envs.GAMES])


def id_of(name: str) -> str:
    return f"edge_envs/{name}-v{named_game(name)[0].version}"


@each_name
def test_id_creates_the_game_with_its_parameters(name: str) -> None:
    game_type, fixed = named_game(name)
    expected = edge_envs.load_game(game_type.name, **fixed)
    single: Any = gymnasium.make(id_of(name), seat=0)
    many: Any = gymnasium.make_vec(id_of(name), num_envs=2)
    every: Any = pettingzoo.make("aec", id_of(name))
    assert [single.unwrapped.game, many.game, every.game, edge_envs.load_game(name)] == [expected] * 4
    assert id_of(name) in gymnasium.registry


@each_name
def test_ids_are_accepted_as_names(name: str) -> None:
    """Prefix and version are optional."""
    game_type, expected = named_game(name)[0], edge_envs.load_game(name)
    for given in (id_of(name), id_of(name).removeprefix("edge_envs/"), f"edge_envs/{name}"):
        assert plain_name(given) == name
        assert edge_envs.load_game(given) == make_game(given, {}) == game_for([], given) == expected
        assert GameConfig.model_validate({"game": given}).game == name
        assert named_game(given)[0] is game_type
    parameter = next(iter(game_type.parameters))
    value = expected.params[parameter]
    assert edge_envs.load_game(id_of(name), **{parameter: value}) == expected


def test_every_maker_accepts_an_id() -> None:
    game_id = id_of("falling_off_3p")
    for make, more in ((edge_envs.aec_env, {}), (edge_envs.parallel_env, {}), (edge_envs.seat_env, {}),
                       (edge_envs.vector_env, {"num_envs": 2}), (edge_envs.seat_vector_env, {"num_envs": 2}),
                       (edge_envs.sb3_vec_env, {"num_envs": 2})):  # fmt: skip
        made: Any = make
        assert made(game_id, **more).game == edge_envs.load_game("falling_off", num_players=3)


@each_name
def test_unknown_version_error_names_the_current_version(name: str) -> None:
    version = named_game(name)[0].version
    for other in (version + 1, 99):
        with pytest.raises(ParameterError, match=f"unknown version of {name} in .*{name}-v{version}"):
            edge_envs.load_game(f"edge_envs/{name}-v{other}")


@pytest.mark.parametrize(
    "given",
    ["edge_envs/", "edge_envs/-v0", "others/falling_off-v0", "falling_off-v", "falling_off_v0", "falling_off-v-1",
     "falling_off-v00", "edge_envs/edge_envs/falling_off", "",
     " falling_off", "falling_off\n", None, 7, ["falling_off"], b"falling_off"],
)  # fmt: skip
def test_invalid_names_are_rejected(given: Any) -> None:
    with pytest.raises(ParameterError, match=r"^unknown game .* \(choose from falling_off, "):
        edge_envs.load_game(given)


@pytest.mark.parametrize(
    ("given", "meant"),
    [("faling_off", "falling_off"), ("falling-off", "falling_off"), ("Ghost_Ship", "ghost_ship"),
     ("edge_envs/beyond_map-v0", "beyond_maps"), ("beyond_maps_8", "beyond_maps_8x8")],
)  # fmt: skip
def test_misspelled_name_gets_a_suggestion(given: str, meant: str) -> None:
    with pytest.raises(ParameterError, match=f"did you mean '{meant}'"):
        edge_envs.load_game(given)


@each_variant
def test_variants_are_distinct(name: str) -> None:
    game_type, _ = named_game(name)
    same = [other for other in game_type.variants if edge_envs.load_game(other) == edge_envs.load_game(name)]
    assert same == [name]


@each_variant
def test_fixed_parameters_of_a_variant_cannot_be_changed(name: str) -> None:
    game_type, fixed = named_game(name)
    for key, value in fixed.items():
        other = game_type.parameters[key].default
        assert edge_envs.load_game(name, **{key: value}) == edge_envs.load_game(name)
        with pytest.raises(
            ParameterError, match=rf"{name} has {key}=.*: invalid {key}=.* \(use {game_type.name} to change it\)"
        ):
            edge_envs.load_game(name, **{key: other})


def test_other_parameters_of_a_variant_can_be_changed() -> None:
    assert edge_envs.load_game("beyond_maps_8x8", sea_range=3).params["sea_range"] == 3
    assert params_of("beyond_maps_8x8", {"sea_range": 3}) == {"sea_range": 3, "size": 8}


def test_unknown_variant_error_lists_the_variants() -> None:
    with pytest.raises(
        ParameterError, match=r"unknown game 'beyond_maps_9x9' \(choose from beyond_maps, beyond_maps_8x8,"
    ):
        edge_envs.load_game("beyond_maps_9x9")


@each_name
def test_every_level_is_an_agent(name: str) -> None:
    game = edge_envs.load_game(name)
    assert game.levels[: len(LEVELS)] == LEVELS
    for level in range(1, len(game.levels) + 1):
        assert built_in_agent(f"level:{level}", game).name == f"level:{level}"
        check_built_in(game.levels[level - 1])
    with pytest.raises(ValueError, match=rf"unknown level {level + 1} of .* \(choose from 1 to {level}\)$"):
        built_in_agent(f"level:{level + 1}", game)


def test_parameters_without_a_variant_have_the_common_levels() -> None:
    assert edge_envs.load_game("beyond_maps", size=9).levels == LEVELS
    assert len(edge_envs.load_game("beyond_maps", size=8).levels) > len(LEVELS)


@pytest.mark.parametrize("level", ["0", "x", "-1", "1.5", "100"])
def test_invalid_levels_are_rejected(level: str) -> None:
    with pytest.raises(ValueError, match=f"unknown agent 'level:{level}': invalid level '{level}'"):
        built_in_agent(f"level:{level}", edge_envs.load_game("falling_off"))


@pytest.mark.parametrize("share", ["", "x", "-0.1", "1.1", "nan", "inf"])
def test_invalid_shares_are_rejected(share: str) -> None:
    with pytest.raises(
        ValueError, match=r"invalid share of random decisions .*: expected a number from 0 to 1, such as 0\.25"
    ):
        check_built_in(f"noisy:{share}")


def test_levels_are_resolved_to_built_in_opponents() -> None:
    env = edge_envs.seat_vector_env("falling_off_4p", num_envs=2, opponents=["level:1", "level:2", "level:5"])
    assert [getattr(one, "name", one) for one in env.lanes.opponents] == ["random", "heuristic", "noisy:0.5"]
    env.reset(seed=0)
    with pytest.raises(ValueError, match=r"\(choose from 1 to 5\)"):
        edge_envs.seat_env("falling_off_4p", opponents="level:6")
    with pytest.raises(ValueError, match=r"unknown level \(no number\)"):
        edge_envs.seat_env("falling_off_4p", opponents="level")


def test_noisy_agent_plays_its_share_of_random_actions(plain_game: Game) -> None:
    env = edge_envs.vector_env(plain_game.name, num_envs=400, **plain_game.params)
    batch = env.reset(seed=0)
    while (batch.action_mask.sum(axis=1) == 1).all():  # only forced actions so far
        batch = env.step(batch.action_mask.argmax(axis=1))
    states = env.shown_states(np.arange(400), np.arange(400, dtype=np.uint64))
    view = batch.observation, batch.action_mask, states, batch.current_player
    heuristic = built_in_agent("heuristic", plain_game).act(*view, np.random.default_rng(0))
    agree = {}
    for share in (0.0, 0.5, 1.0):
        chosen = built_in_agent(f"noisy:{share}", plain_game).act(*view, np.random.default_rng(0))
        assert batch.action_mask[np.arange(400), chosen].all()
        agree[share] = int((chosen == heuristic).sum())
    assert agree[0.0] == 400
    assert agree[1.0] < agree[0.5] < 400


@pytest.mark.parametrize("level", [2, 3, 4, 5])
def test_each_level_beats_the_previous_one(level: int) -> None:
    game = edge_envs.load_game("falling_off_4p")
    better, worse = (built_in_agent(f"level:{number}", game) for number in (level, level - 1))
    assert play_match(game, better, worse, 200).returns.mean() > 0.1
