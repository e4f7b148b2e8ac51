"""Positions as JSON: round trips, and rejection of invalid positions without side effects."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

import edge_envs
from edge_envs import Game, InvalidPositionError
from tests.contract.play import chance_nodes, decisions, facts, future, middle, walk


def through_json(position: dict[str, Any]) -> Any:
    return json.loads(json.dumps(position))


def invalid_positions(position: dict[str, Any]) -> list[tuple[str, Any]]:
    """Return invalid positions, each with the key at fault."""
    faults: list[tuple[str, Any]] = []
    for key in position:
        missing = {k: v for k, v in position.items() if k != key}
        faults += [(key, missing), (key, {**position, key: {"no": "sense"}}), (key, {**position, key: "nonsense"})]
    return [*faults, ("unheard_of", {**position, "unheard_of": 1})]


def test_position_survives_json(game: Game) -> None:
    for state in [*walk(game, 25), *decisions(game, 25), *chance_nodes(game, 10)]:
        assert facts(game.state_from_dict(through_json(state.to_dict()))) == facts(state)


def test_position_starts_with_game_and_parameters(plain_game: Game) -> None:
    position = plain_game.new_initial_state(seed=0).to_dict()
    assert list(position)[:2] == ["game", "params"]
    assert position["game"] == plain_game.name
    assert position["params"] == plain_game.params_dict()


def test_restored_position_has_the_same_transitions(game: Game) -> None:
    for state in walk(game, 6):
        restored = game.state_from_dict(through_json(state.to_dict()))
        restored_future = game.state_from_dict(through_json(state.to_dict()))
        for (_, action), rewards, position in future(state):
            assert action in restored.legal_actions()
            restored.apply_action(action)
            restored_future.apply_action(action)
            assert restored.rewards() == rewards
            assert restored.to_dict() == position
        assert facts(restored) == facts(restored_future)


def test_restored_terminal_position_has_rewards_and_returns(game: Game) -> None:
    for end in (state for state in walk(game) if state.is_terminal()):
        restored = game.state_from_dict(through_json(end.to_dict()))
        assert restored.rewards() == end.rewards()
        assert restored.returns() == end.rewards()


def test_restored_position_has_no_history_or_rewards(game: Game) -> None:
    for before in [middle(game), *walk(game, 25)]:
        if not before.is_terminal():
            state = game.state_from_dict(before.to_dict())
            assert state.history() == []
            assert state.rewards() == state.returns() == [0.0] * game.num_players


def test_restored_position_with_seed_is_reproducible(game: Game) -> None:
    position = middle(game).to_dict()
    assert future(game.state_from_dict(position, seed=5)) == future(game.state_from_dict(position, seed=5))


def test_invalid_entries_are_rejected_by_key(game: Game) -> None:
    for state in (game.new_initial_state(seed=0), middle(game)):
        for key, position in invalid_positions(state.to_dict()):
            with pytest.raises(InvalidPositionError, match=f"^{key}\\b"):
                game.state_from_dict(position)


def nested(depth: int) -> Any:
    """Return nested lists of a given depth."""
    value: list[Any] = []
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize(
    "value",
    [nested(15), nested(50_000), {"a": [10**5000]}, -(10**30)],
    ids=["deep", "deeper", "long within", "long"],
)
def test_unprintable_values_are_rejected_by_key(plain_game: Game, value: Any) -> None:
    position = middle(plain_game).to_dict()
    for key in position:
        with pytest.raises(InvalidPositionError, match=f"^{key}: "):
            plain_game.state_from_dict({**position, key: value})


def test_different_parameters_are_named_in_the_error(game: Game) -> None:
    position = game.new_initial_state(seed=0).to_dict()
    for name, value in game.params_dict().items():
        parameter = game.type.parameters[name]
        shown = f"{name}={parameter.format_value(value)}"
        without = {key: own for key, own in game.params.items() if key != name}
        missing = "nothing" if parameter.always_written else f"{name}={parameter.format_value(parameter.default)}"
        for params, message in [
            (without, f"params: {missing} instead of this game's {shown}"),
            ({**game.params, name: None}, f"params: {name}=None instead of this game's {shown}"),
            ({**game.params, "unheard_of": 1}, "params: unheard_of=1 instead of this game's nothing"),
        ]:
            with pytest.raises(InvalidPositionError) as refused:
                game.state_from_dict({**position, "params": params})
            assert str(refused.value) == message


@pytest.mark.parametrize("position", [None, 7, "position", [1, 2]])
def test_non_objects_are_rejected(plain_game: Game, position: Any) -> None:
    with pytest.raises(InvalidPositionError):
        plain_game.state_from_dict(position)


def test_reading_does_not_modify_the_dict(plain_game: Game) -> None:
    position = middle(plain_game).to_dict()
    before = copy.deepcopy(position)
    future(plain_game.state_from_dict(position))
    assert position == before


def test_position_dict_is_independent_of_the_state(plain_game: Game) -> None:
    state = middle(plain_game)
    before = facts(state)
    position = state.to_dict()
    for value in [*position.values(), *position["params"].values()]:
        if isinstance(value, list):
            value.clear()
    position.clear()
    assert facts(state) == before


def test_rejected_position_leaves_aec_env_unchanged(plain_game: Game) -> None:
    env = edge_envs.aec_env(plain_game.name, **plain_game.params)
    env.reset(seed=3)
    before, agent = facts(env.game_state()), env.agent_selection
    for _, position in invalid_positions(middle(plain_game).to_dict()):
        with pytest.raises(InvalidPositionError):
            env.reset(seed=4, options={"position": position})
    assert facts(env.game_state()) == before
    assert env.agent_selection == agent


def test_rejected_position_leaves_vector_env_unchanged(plain_game: Game) -> None:
    env = edge_envs.vector_env(plain_game.name, num_envs=2, **plain_game.params)
    batch = env.reset(seed=3)
    before, player = [facts(env.state(lane)) for lane in range(2)], batch.current_player.copy()
    for _, position in invalid_positions(middle(plain_game).to_dict()):
        with pytest.raises(InvalidPositionError):
            env.reset(seed=4, options={"position": position})
    assert [facts(env.state(lane)) for lane in range(2)] == before
    assert (batch.current_player == player).all()


def test_rejected_position_leaves_seat_env_unchanged(plain_game: Game) -> None:
    env = edge_envs.seat_env(plain_game.name, **plain_game.params)
    env.reset(seed=3)
    before, seat = facts(env.game_state()), env.seat
    for _, position in invalid_positions(middle(plain_game).to_dict()):
        with pytest.raises(InvalidPositionError):
            env.reset(seed=4, options={"position": position})
    assert facts(env.game_state()) == before
    assert env.seat == seat


def test_environments_reject_terminal_positions(plain_game: Game) -> None:
    end = next(state.to_dict() for state in walk(plain_game) if state.is_terminal())
    for env in (
        edge_envs.aec_env(plain_game.name, **plain_game.params),
        edge_envs.seat_env(plain_game.name, **plain_game.params),
        edge_envs.vector_env(plain_game.name, num_envs=2, **plain_game.params),
    ):
        with pytest.raises(InvalidPositionError):
            env.reset(seed=0, options={"position": end})
