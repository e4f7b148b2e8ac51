"""Invalid arguments: the error says what is valid, and nothing changes."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import edge_envs
from edge_envs import OpponentMix
from edge_envs.envs.opponents import seat_opponents
from tests.contract.play import Sighted

LANES = 4


def running() -> edge_envs.GameVectorEnv:
    env = edge_envs.vector_env("tic_tac_toe", num_envs=LANES)
    env.reset(seed=0)
    return env


def words(count: int = LANES) -> Any:
    return np.arange(count, dtype=np.uint64)


WRONG_WORDS: dict[str, tuple[Any, type[Exception], str]] = {
    "too few": (words(LANES - 1), ValueError, r"\(4,\)"),
    "too many": (words(LANES + 1), ValueError, r"\(4,\)"),
    "two dimensions": (words().reshape(2, 2), ValueError, r"\(4,\)"),
    "signed": (words().astype(np.int64), TypeError, "uint64"),
    "fractions": (words().astype(np.float64), TypeError, "uint64"),
    "swapped bytes": (words().astype(">u8"), TypeError, "uint64"),
    "a list": ([0, 1, 2, 3], TypeError, "uint64"),
    "every other entry": (words(2 * LANES)[::2], ValueError, "contiguous"),
}


@pytest.mark.parametrize("fault", WRONG_WORDS)
def test_words_of_a_wrong_shape_or_type_are_rejected(fault: str) -> None:
    given, kind, message = WRONG_WORDS[fault]
    env = running()
    with pytest.raises(kind, match=message):
        env.random_steps(given, 1)
    assert [env.state(lane).legal_actions() for lane in range(LANES)] == [list(range(9))] * LANES


def test_read_only_words_are_rejected() -> None:
    given = words()
    given.flags.writeable = False
    with pytest.raises(ValueError, match="writ"):
        running().random_steps(given, 1)


@pytest.mark.parametrize("steps", [-1, 1.0, True, None, 2**63, "2"])
def test_an_invalid_number_of_steps_is_rejected(steps: Any) -> None:
    with pytest.raises(ValueError, match="steps="):
        running().random_steps(words(), steps)


def test_no_steps_change_nothing() -> None:
    env = running()
    env.random_steps(words(), 0)
    assert env.state(0).legal_actions() == list(range(9))


@pytest.mark.parametrize("lane", [-1, LANES, 2**70, 0.5, None, "0"])
def test_an_invalid_lane_is_named(lane: Any) -> None:
    seats = edge_envs.seat_vector_env("tic_tac_toe", num_envs=LANES)
    seats.reset(seed=0)
    for ask in (running().state, seats.game_state):
        with pytest.raises(IndexError, match="from 0 to 3"):
            ask(lane)


@pytest.mark.parametrize("opening", [2**31, 2**70, -1, 0.5, True])
def test_an_invalid_opening_is_rejected(opening: Any) -> None:
    with pytest.raises(ValueError, match=r"random_opening=.*integer from 0 to 2147483647"):
        edge_envs.seat_env("tic_tac_toe", random_opening=opening)


@pytest.mark.parametrize(
    ("weights", "share"),
    [
        ((1e308, 1e308), 0.5),
        ((1.7e308, 0.0), 1.0),
        ((5e-324, 5e-324), 0.5),
        ((5e-324, 1e308), 0.0),
        ((1, 3), 0.25),
        ((10**30, 10**30), 0.5),
        ((np.float32(1.0), np.int8(1)), 0.5),
    ],
)
def test_weights_are_normalized(weights: tuple[Any, Any], share: float) -> None:
    choices = list(zip(("random", "heuristic"), weights, strict=True))
    _, mixes = seat_opponents(OpponentMix(choices), 2)
    drawn = np.searchsorted(mixes[0], [0.0, share - 1e-9, share + 1e-9, 1.0 - 1e-16], side="right")
    assert drawn[0] == (0 if share > 0 else 1)
    assert drawn[1] == (0 if share > 0 else drawn[1])
    assert drawn[2:].tolist() == ([0, 0] if share == 1.0 else [1, 1])
    env = edge_envs.seat_env("tic_tac_toe", opponents=OpponentMix(choices), seat=0)
    env.reset(seed=0)
    env.step(0)


@pytest.mark.parametrize("weight", [float("nan"), float("inf"), -1.0, -5e-324, 10**400, "1", None, [1.0]])
def test_an_invalid_weight_is_rejected(weight: Any) -> None:
    with pytest.raises(ValueError, match="weight"):
        edge_envs.seat_env("tic_tac_toe", opponents=OpponentMix([("random", 1.0), ("heuristic", weight)]))


@pytest.mark.parametrize("choices", [["random"], [("random",)], [("random", 1.0, 2.0)], 7, None])
def test_a_mix_must_be_a_list_of_pairs(choices: Any) -> None:
    with pytest.raises(ValueError, match="pairs"):
        edge_envs.seat_env("tic_tac_toe", opponents=OpponentMix(choices))


def test_a_mix_may_be_read_from_an_iterator() -> None:
    choices: Any = zip(("random", "heuristic"), (1.0, 3.0), strict=True)
    assert seat_opponents(OpponentMix(choices), 3)[1][:, 0].tolist() == [0.25, 0.25]


@pytest.mark.parametrize(
    ("opponent", "message"),
    [(Sighted, "expected an object of this class, not the class"), (SimpleNamespace(act=7), "with a method act")],
)
def test_a_class_is_not_an_opponent(opponent: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        edge_envs.seat_env("tic_tac_toe", opponents=opponent)


@pytest.mark.parametrize("make", [edge_envs.aec_env, edge_envs.parallel_env])
@pytest.mark.parametrize("agent", ["player_9", 0, None, ["player_0"]])
def test_an_unknown_agent_is_named(make: Any, agent: Any) -> None:
    env = make("tic_tac_toe")
    env.reset(seed=0)
    asked = [env.observation_space, env.action_space]
    for ask in [*asked, env.observe] if make is edge_envs.aec_env else asked:
        with pytest.raises(ValueError, match=r"unknown agent .* \(choose from player_0, player_1\)"):
            ask(agent)


@pytest.mark.parametrize("value", ["no", 1, None])
def test_only_booleans_choose_final_observations(value: Any) -> None:
    with pytest.raises(ValueError, match=r"invalid final_observation=.*: expected True or False"):
        edge_envs.vector_env("tic_tac_toe", num_envs=2, final_observation=value)


def test_a_rejected_reset_does_not_reseed_the_generator_of_wrappers() -> None:
    env = edge_envs.seat_env("tic_tac_toe")
    env.reset(seed=1)
    before = env.np_random.bit_generator.state
    with pytest.raises(ValueError, match="game: None is not"):
        env.reset(seed=2, options={"position": {}})
    assert env.np_random.bit_generator.state == before
    assert env.np_random_seed == 1


def test_the_perfect_agent_is_listed_for_solved_games() -> None:
    for name, perfect in (("falling_off", True), ("falling_off_3p", False), ("ghost_ship", False)):
        game = edge_envs.load_game(name)
        with pytest.raises(ValueError, match="unknown opponent 'godlike'") as caught:
            seat_opponents("godlike", game.num_players, game)
        assert ("perfect" in str(caught.value)) is perfect
        for known in ("random", "heuristic", "flat_monte_carlo", "search:200", "level:2"):
            assert known in str(caught.value)


@pytest.mark.parametrize("seed", [True, False])
def test_a_boolean_is_rejected_as_a_seed(seed: Any) -> None:
    with pytest.raises(ValueError, match="seed"):
        edge_envs.aec_env("tic_tac_toe").reset(seed=seed)
    with pytest.raises(ValueError, match="seed"):
        edge_envs.load_game("tic_tac_toe").new_initial_state(seed)
