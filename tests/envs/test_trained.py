"""Test trained policies of the package: names, levels, files, and play inside the compiled loops."""

from __future__ import annotations

import copy
import json
import pickle
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import edge_envs
from edge_envs import Game, load_game
from edge_envs.core import trained
from edge_envs.core.game_type import LEVELS
from edge_envs.core.kernels.rng import mix
from edge_envs.core.spec import Array, Records
from edge_envs.core.state import State
from edge_envs.ntuple.network import TupleSpec, network_of
from edge_envs.ntuple.policy import sparse_arrays
from edge_envs.players import built_in_agent, playing
from edge_envs.search.against import AgainstAgent
from edge_envs.search.agent import SearchAgent
from edge_envs.search.budgets import Budget
from edge_envs.search.turn import TurnAgent
from edge_envs.trained.agent import load_trained
from edge_envs.trained.turns import TupleTurns
from scripts.ship_policy import copy_policy, largest_weights

ROOT = Path(__file__).resolve().parents[2]
GAME = load_game("falling_off")
NAME = "values"


@pytest.fixture(scope="module", autouse=True)
def shipped(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A package with one trained policy, which is a level."""
    folder = tmp_path_factory.mktemp("trained") / NAME
    folder.mkdir()
    copy_policy(ROOT / "policies" / GAME.name / "values", folder, {}, 2**20)
    about = {"format": trained.FORMAT, "summary": "learned values", "level": True, "measured": []}
    (folder / trained.FILE).write_text(json.dumps(about), encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        none = folder / "none"
        patch.setattr(trained, "trained_folder", lambda kind: folder.parent if kind.name == GAME.name else none)
        yield folder


class StepByStep:
    """The same agent without its kernel: it is called from Python for every decision."""

    needs_states, name = True, "step by step"

    def __init__(self, agent: Any) -> None:
        self.agent, self.decisions = agent, 0

    def act(self, observations: Array, action_masks: Array, *rest: Any) -> Array:
        """Return the actions of the agent."""
        self.decisions += len(action_masks)
        actions: Array = self.agent.act(observations, action_masks, *rest)
        return actions


def play(opponents: Any, steps: int, lanes: int = 4, **options: Any) -> list[Array]:
    """Play with a random learner; return all observations and rewards."""
    env = edge_envs.seat_vector_env(GAME.name, num_envs=lanes, opponents=opponents, **options)
    rng, seen = np.random.default_rng(1), [env.reset(seed=5)[0].copy()]
    for _ in range(steps):
        masks = env.action_masks()
        actions = np.array([rng.choice(np.flatnonzero(mask)) if mask.any() else 0 for mask in masks])
        observation, reward, *_ = env.step(actions)
        seen += [observation.copy(), reward.copy()]
    return seen


def tuple_agent(untrained: bool = False) -> TupleTurns:
    """An n-tuple network with random weights, or without any, so that all turns are equal."""
    layout = GAME.type.cell_layout(GAME.params)
    assert layout
    network = network_of(GAME, [TupleSpec(cells=(field.name,)) for field in layout.fields[:4]])
    weights = np.random.default_rng(3).normal(size=int(network.size[0])).astype(np.float32)
    return TupleTurns(GAME, network, 0 * weights if untrained else weights, beam=8, depth=4)


@pytest.mark.parametrize("make", [lambda: built_in_agent("trained", GAME), tuple_agent], ids=["values", "tuples"])
@pytest.mark.parametrize("opening", [0, 3])
def test_the_loops_decide_like_the_agent_called_step_by_step(make: Any, opening: int) -> None:
    outside = StepByStep(make())
    expected = play(outside, 40, random_opening=opening)
    assert outside.decisions > 40
    inside = play(make(), 40, random_opening=opening)
    assert all(np.array_equal(one, other) for one, other in zip(inside, expected, strict=True))


@pytest.mark.parametrize("make", [lambda: built_in_agent("trained", GAME), tuple_agent], ids=["values", "tuples"])
def test_environments_that_share_an_agent_share_no_memory(make: Any) -> None:
    """They may run in several threads, which would overwrite each other's scratch."""
    agent = make()
    others = [array for memory in (agent.new_memory(4), agent.new_memory(1)) for array in arrays_of(memory)]
    before = [array.copy() for array in others]
    play(agent, 10)
    assert len(others) > 20
    assert all(one.tobytes() == other.tobytes() for one, other in zip(others, before, strict=True))


def arrays_of(memory: Any) -> Iterator[Any]:
    """Yield all arrays of nested tuples."""
    for part in memory:
        if isinstance(part, np.ndarray):
            yield part
        else:
            yield from arrays_of(part)


def test_plans_do_not_depend_on_earlier_games() -> None:
    state = GAME.new_initial_state(seed=0)
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    records, choices = state._records.copy(), []
    for word in range(20):  # the random word of the state orders turns of equal value
        records["rng"] = mix(np.uint64(word))
        choices.append(act_on(tuple_agent(untrained=True), state, records).tolist())
    assert all(choice == choices[0] for choice in choices)


def test_names_and_levels_name_the_policy() -> None:
    game = load_game(GAME.name)
    level = len(game.levels)
    assert game.levels[: len(LEVELS)] == LEVELS
    assert game.levels[-1] == f"trained:{NAME}"
    assert load_game(GAME.name, num_players=3).levels == LEVELS
    assert "trained" in playing(game)
    assert "trained" not in playing(load_game(GAME.name, num_players=3))
    expected = play("trained", 5)
    for name in (f"trained:{NAME}", f"level:{level}"):
        assert all(np.array_equal(one, other) for one, other in zip(play(name, 5), expected, strict=True)), name


def test_unknown_policies_and_boards_are_refused_with_the_names_that_exist() -> None:
    with pytest.raises(ValueError, match=f"unknown trained policy 'x' of falling_off .choose from {NAME}"):
        built_in_agent("trained:x", GAME)
    with pytest.raises(ValueError, match=r"invalid name '\.\./x' of a trained policy"):
        built_in_agent("trained:../x", GAME)
    with pytest.raises(ValueError, match=f"has no trained policy .there is trained:{NAME} for the default"):
        built_in_agent("trained", load_game(GAME.name, num_players=3))
    with pytest.raises(ValueError, match="made for num_players=2"):
        built_in_agent(f"trained:{NAME}", load_game(GAME.name, num_players=3))
    with pytest.raises(ValueError, match=r"beyond_maps.* has no trained policy"):
        built_in_agent("trained", load_game("beyond_maps"))


def test_a_game_against_a_trained_policy_is_recorded_and_copied() -> None:
    env = edge_envs.seat_env(GAME.name, opponents="trained")
    env.reset(seed=2)
    twins = []
    for step in range(12):
        mask = env.action_masks()
        if step == 6:
            twins = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
        result = env.step(int(np.flatnonzero(mask)[0]))
        for twin in twins:
            assert np.array_equal(twin.step(int(np.flatnonzero(mask)[0]))[0], result[0])
        if result[2]:
            break
    edge_envs.replay(env.record())


@pytest.mark.parametrize("file", ["policy.json", "policy.safetensors", trained.FILE])
@pytest.mark.parametrize("content", [b"", b"{}", b"\x80\x04K\x01.", b'{"format": "other"}', b"[" * 100_000])
def test_a_damaged_file_is_one_clear_error(shipped: Path, tmp_path: Path, file: str, content: bytes) -> None:
    damaged = tmp_path / NAME
    shutil.copytree(shipped, damaged)
    (damaged / file).write_bytes(content)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(trained, "trained_folder", lambda kind: tmp_path)
        with pytest.raises(ValueError, match=file.replace(".", r"\.")) as caught:
            built_in_agent("trained", GAME)
    assert "\n" not in str(caught.value)


def test_a_policy_that_needs_hints_or_torch_is_refused() -> None:
    with pytest.raises(ValueError, match=r"architecture\.hint_weight: a policy that needs hints"):
        load_trained(ROOT / "policies/over_the_edge/pond")
    with pytest.raises(ValueError, match="without PyTorch only tuples, values, perceptron can be played"):
        load_trained(ROOT / "policies/beyond_maps/8x8")


def test_shipping_keeps_the_largest_weights_of_an_ntuple_network() -> None:
    weights = np.zeros(200_000, np.float16)
    weights[[5, 70_000, 199_999]] = 0.5, -2.0, 1.0
    kept = largest_weights(sparse_arrays(weights), 4 * 5)
    numbers = np.cumsum(kept["gaps"], dtype=np.int64) - 1
    found = {int(k): float(v) for k, v in zip(numbers, kept["weights"], strict=True) if v}
    assert found == {70_000: -2.0, 199_999: 1.0}


@pytest.mark.parametrize("name", ["over_the_edge", "ghost_ship"])
def test_compiled_features_are_those_of_the_network(name: str) -> None:
    game = load_game(name)
    features = game.type.module("features").VECTORS(game)
    vectors = features.compiled()
    vector = np.zeros(features.size, np.float32)
    for observation in observations(game, 6):
        row = vectors.fill(observation, vectors.tables, vector)
        view = features(observation[None])
        np.testing.assert_allclose(vector, view.vectors[0], rtol=1e-5, atol=1e-6)
        if view.actions is not None:
            assert np.array_equal(vectors.actions[row], view.actions[0])


def observations(game: Game, count: int) -> Iterator[Array]:
    """Yield observations of the player to act in random games."""
    rng = np.random.default_rng(0)
    state = game.new_initial_state(seed=1)
    for k in range(40 * count):
        while state.is_chance_node():
            state.apply_action(state.sample_chance())
        if state.is_terminal():
            state = game.new_initial_state(seed=k)
            continue
        if k % 40 == 0:
            yield state.observation_tensor(state.current_player())
        state.apply_action(int(rng.choice(state.legal_actions())))


MADE_FOR_OTHERS = [
    ("falling_off_4p", "falling_off/values", "the number of players differs"),
    ("falling_off", "falling_off/values_4", "the number of players differs"),
    ("over_the_edge", "over_the_edge/selfplay", "the number of actions differs"),
    ("beyond_maps_8x8", "beyond_maps/from_rules_18x18", "the number of actions differs"),
    ("tic_tac_toe", "falling_off/values", "the game differs"),
]


@pytest.mark.parametrize(("board", "folder", "difference"), MADE_FOR_OTHERS)
def test_an_environment_refuses_an_opponent_that_was_made_for_another_game(
    board: str, folder: str, difference: str
) -> None:
    """The kernels of the opponent would read and write outside its arrays."""
    agent = load_trained(ROOT / "policies" / folder)
    message = f"was made for .* and cannot play .*: {difference}"
    with pytest.raises(ValueError, match=message):
        edge_envs.seat_env(board, opponents=agent)
    with pytest.raises(ValueError, match=message):
        edge_envs.seat_vector_env(board, num_envs=2, opponents=agent)


@pytest.mark.parametrize(
    "name",
    [
        "flat_monte_carlo", "heuristic", "heuristic:v0", "level:2", "noisy:0.5", "one_turn", "search:2", "turn",
        "turns:2:score",
    ],
)  # fmt: skip
def test_an_agent_refuses_masks_of_another_board(name: str) -> None:
    agent = built_in_agent(name, load_game("beyond_maps", size=6))
    state = load_game("beyond_maps", size=5).new_initial_state(seed=0)
    with pytest.raises(ValueError, match=r"shape .* is not \(k, "):
        act_in(agent, state)
    with pytest.raises(ValueError, match="the number of actions differs"):
        edge_envs.seat_env("beyond_maps", size=5, opponents=agent)


def test_a_network_refuses_observations_of_another_board() -> None:
    agent = load_trained(ROOT / "policies" / "over_the_edge" / "selfplay")
    state = load_game("over_the_edge").new_initial_state(seed=0)
    with pytest.raises(ValueError, match=r"shape .* is not \(k, "):
        act_in(agent, state)
    masks, rng = np.ones((1, agent.game.num_distinct_actions), np.int8), np.random.default_rng(0)
    with pytest.raises(ValueError, match="observations: shape"):
        agent.act(np.zeros((1, 3)), masks, None, np.zeros(1, np.int64), rng)


def test_agents_refuse_partners_that_were_made_for_another_game() -> None:
    small, large = load_game("beyond_maps", size=5), load_game("beyond_maps", size=6)
    with pytest.raises(ValueError, match="the number of actions differs"):
        AgainstAgent(small, Budget(iterations=2), built_in_agent("search:2", large))
    with pytest.raises(ValueError, match="the number of actions differs"):
        SearchAgent(small, Budget(iterations=2), TurnAgent(large))


def act_in(agent: Any, state: State) -> Array:
    """Return the actions of an agent in a position."""
    return act_on(agent, state, state.game.records_from_dict(state.to_dict()))


def act_on(agent: Any, state: State, records: Records) -> Array:
    """Return the actions of an agent on a record of a position."""
    player, masks = state.current_player(), state.legal_action_mask()[None]
    rng = np.random.default_rng(0)
    actions: Array = agent.act(state.observation_tensor(player)[None], masks, records, np.array([player]), rng)
    return actions
