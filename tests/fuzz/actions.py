"""Fuzz actions in every API: an illegal action raises an error without side effects."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np

import edge_envs
from edge_envs import Game, IllegalActionError, State
from edge_envs.core.checks.integers import action_of
from tests.fuzz.mutation import odd_value
from tests.fuzz.playing import check_node, check_round_trip, decision_of, nodes_of
from tests.fuzz.target import ACCEPTED, REJECTED, Target, Trace

LANES = 3
STEPS = 4


class Actions(Target):
    """Legal ids, illegal ids, and other values."""

    apis = ("State", "AEC", "vector", "seat")

    def attempt(self, rng: Random, trace: Trace) -> str:
        """Play a few steps in an API with possibly illegal actions."""
        game = self.some_game(rng)
        apis = (_on_state, _on_aec_env, _on_parallel_env, _on_vector_env, _on_seat_env, _on_seat_vector_env)
        return rng.choice(apis)(game, rng, trace)


def some_action(rng: Random, legal: list[int]) -> Any:
    """Return a legal id of a random type in about half of the cases, else another value."""
    kind = rng.randrange(12)
    if kind < 5 and legal:
        return rng.choice((int, int, np.int32, np.int64, np.uint8, np.array))(rng.choice(legal) % 256)
    if kind < 8:
        return rng.choice((-1, 0, 1, 7, -(2**31), 2**31, 2**32, 2**63, -(2**63) - 1, 2**64, 2**200, 10**5000))
    if kind < 10:
        return rng.choice((
            True, np.bool_(True), 0.0, 1.0, np.float64(1), np.int8(-1), np.uint64(2**64 - 1), np.array([1]),
            np.array([0, 1]), "0", b"0", object(), (0,), {0}, int, ..., 1j,
        ))  # fmt: skip
    return odd_value(rng)


def _is_legal(action: Any, legal: list[int]) -> bool:
    return action_of(action) in legal


def _add_action(trace: Trace, what: str, action: Any) -> None:
    trace.add(f"{what} of type {type(action).__name__}", action)


def _on_state(game: Game, rng: Random, trace: Trace) -> str:
    state = rng.choice(nodes_of(game)).clone()
    trace.add(f"{game!r} at", state.to_dict())
    for _ in range(STEPS):
        _request_strings(state, rng, trace)
        legal, before = state.legal_actions(), _facts(state)
        action = some_action(rng, legal)
        _add_action(trace, "State.apply_action", action)
        try:
            state.apply_action(action)
        except IllegalActionError:
            assert not _is_legal(action, legal), "a legal action was rejected"
            assert _facts(state) == before, "an illegal action changed the state"
            return REJECTED
        assert _is_legal(action, legal), "an illegal action was accepted"
        check_node(state, look=False)
    return ACCEPTED


def _request_strings(state: State, rng: Random, trace: Trace) -> None:
    """Invalid actions and players have neither strings nor observations."""
    given = some_action(rng, state.legal_actions())
    _add_action(trace, "strings and observations for", given)
    questions: list[Callable[[Any], Any]] = [
        state.action_to_string,
        lambda action: state.action_to_string(action, check=False),
        state.string_to_action,
        state.observation_tensor,
        state.observation_string,
        state.information_state_string,
        state.history_strings,
        lambda player: state.resample(player, np.random.default_rng(0)),
        state.game.new_initial_state,
    ]
    try:
        rng.choice(questions)(given)
    except ValueError as error:
        assert str(error)


def _facts(state: State) -> Any:
    word = int(state._records["rng"][0])
    return state.to_dict(), word, state.history(), state.rewards(), state.returns(), state.legal_actions()


def _on_aec_env(game: Game, rng: Random, trace: Trace) -> str:
    env: Any = edge_envs.aec_env(game.name, **game.params_dict())
    env.reset(seed=rng.getrandbits(20), options={"position": decision_of(game, rng).to_dict()})
    for _ in range(STEPS):
        if env.terminations[env.agent_selection]:
            return ACCEPTED
        before = env.game_state().to_dict(), env.agent_selection, dict(env.rewards), dict(env.terminations)
        legal = np.flatnonzero(env.observe(env.agent_selection)["action_mask"]).tolist()
        action = some_action(rng, legal)
        _add_action(trace, f"{game!r}: AEC step", action)
        try:
            env.step(action)
        except IllegalActionError:
            assert not _is_legal(action, legal), "a legal action was rejected"
            after = env.game_state().to_dict(), env.agent_selection, dict(env.rewards), dict(env.terminations)
            assert after == before, "an illegal action changed the environment"
            return REJECTED
        assert _is_legal(action, legal), "an illegal action was accepted"
        check_round_trip(env.game_state())
    return ACCEPTED


def _on_parallel_env(game: Game, rng: Random, trace: Trace) -> str:
    env: Any = edge_envs.parallel_env(game.name, **game.params_dict())
    _, infos = env.reset(seed=rng.getrandbits(20), options={"position": decision_of(game, rng).to_dict()})

    def facts() -> Any:
        return env.game_state().to_dict(), list(env.agents), dict(env.aec.rewards), dict(env.aec.terminations)

    for _ in range(STEPS):
        before, masks = facts(), {agent: np.flatnonzero(infos[agent]["action_mask"]).tolist() for agent in env.agents}
        actions = _joint_actions(rng, masks)
        _add_action(trace, f"{game!r}: parallel step", actions)
        well_formed = isinstance(actions, dict) and actions.keys() <= masks.keys()
        all_legal = well_formed and all(
            _is_legal(actions.get(agent, env.wait), legal) for agent, legal in masks.items()
        )
        try:
            _, _, ended, _, infos = env.step(actions)
        except IllegalActionError:
            assert well_formed, "a wrong structure was rejected as an illegal action"
            assert not all_legal, "legal actions were rejected"
            assert facts() == before, "illegal actions changed the environment"
            return REJECTED
        except ValueError as error:
            assert not well_formed, f"actions of agents were rejected: {error}"
            assert facts() == before, "a wrong structure changed the environment"
            return REJECTED
        assert all_legal, "illegal actions were accepted"
        check_round_trip(env.game_state())
        if any(ended.values()):
            return ACCEPTED
    return ACCEPTED


def _joint_actions(rng: Random, masks: dict[str, list[int]]) -> Any:
    """Return a legal action of each agent with some changes, or another value."""
    actions: dict[Any, Any] = {agent: rng.choice(legal) for agent, legal in masks.items()}
    kind = rng.randrange(10)
    if kind < 4:
        agent = rng.choice(list(masks))
        actions[agent] = some_action(rng, masks[agent])
    elif kind == 4:
        del actions[rng.choice(list(masks))]
    elif kind == 5:
        actions[rng.choice(("player_9", "", 0, None, ("player_0",)))] = 0
    elif kind == 6:
        return rng.choice((list(actions.values()), None, 0, {"player_0"}, odd_value(rng)))
    return actions


def some_actions(rng: Random, masks: Any) -> Any:
    """Return actions for all lanes: mostly legal ones of some type, else arrays of other shapes and types."""
    legal = [rng.choice(np.flatnonzero(mask).tolist() or [0]) for mask in masks]
    kind = rng.randrange(10)
    if kind < 4:
        return np.array(legal, rng.choice((np.int64, np.int32, np.uint64, np.int16)))
    if kind == 4:
        return rng.choice((legal, tuple(legal), [np.int64(action) for action in legal]))
    if kind == 5:
        return [some_action(rng, [action]) for action in legal]
    if kind == 6:
        return np.array(legal, rng.choice((np.float64, np.bool_, object, "U3", "datetime64[s]", np.complex128)))
    if kind == 7:
        return rng.choice((np.array(legal)[None], np.array([*legal, 0]), np.array(legal[1:]), np.array(legal[0]), []))
    if kind == 8:
        changed = np.array(legal)
        changed[rng.randrange(len(legal))] = rng.choice((-1, 2**62, -(2**63), masks.shape[1], rng.randrange(99)))
        return changed
    return some_action(rng, [])


def _are_legal(actions: Any, masks: Any) -> bool:
    """Return whether these are integers, one per lane, and all legal there."""
    numbers = np.asarray(actions)
    if numbers.shape != (len(masks),) or not (np.issubdtype(numbers.dtype, np.integer) or numbers.dtype == object):
        return False
    return all(_is_legal(action, np.flatnonzero(mask).tolist()) for action, mask in zip(numbers, masks, strict=True))


def _on_vector_env(game: Game, rng: Random, trace: Trace) -> str:
    env = edge_envs.vector_env(game.name, num_envs=LANES, num_threads=rng.choice((1, 2)), **game.params_dict())
    batch = env.reset(seed=rng.getrandbits(20))

    def facts() -> Any:
        positions = [env.state(lane).to_dict() for lane in range(LANES)]
        return positions, batch.action_mask.tolist(), batch.current_player.tolist(), batch.rewards.tolist()

    for _ in range(STEPS):
        before, masks, actions = facts(), batch.action_mask.copy(), some_actions(rng, batch.action_mask)
        _add_action(trace, f"{game!r}: vector step", actions)
        try:
            env.step(actions)
        except IllegalActionError:
            assert facts() == before, "illegal actions changed the environment"
            env.close()
            return REJECTED
        assert _are_legal(actions, masks), "illegal actions were accepted"
        check_round_trip(env.state(rng.randrange(LANES)))
    env.close()
    return ACCEPTED


def _on_seat_env(game: Game, rng: Random, trace: Trace) -> str:
    opponents = rng.choice(("random", "heuristic"))
    env = edge_envs.seat_env(game.name, opponents=opponents, **game.params_dict())
    env.reset(seed=rng.getrandbits(20))
    for _ in range(STEPS):
        legal, before = np.flatnonzero(env.action_masks()).tolist(), env.game_state().to_dict()
        action: Any = some_action(rng, legal)
        _add_action(trace, f"{game!r}: seat step", action)
        try:
            _, _, terminated, _, _ = env.step(action)
        except IllegalActionError:
            assert (env.game_state().to_dict(), np.flatnonzero(env.action_masks()).tolist()) == (before, legal)
            return REJECTED
        assert _is_legal(action, legal), "an illegal action was accepted"
        check_round_trip(env.game_state())
        if terminated:
            env.reset()
    return ACCEPTED


def _on_seat_vector_env(game: Game, rng: Random, trace: Trace) -> str:
    mode = rng.choice(("SameStep", "NextStep"))
    env = edge_envs.seat_vector_env(game.name, num_envs=LANES, autoreset_mode=mode, **game.params_dict())
    env.reset(seed=rng.getrandbits(20))
    for _ in range(STEPS):
        masks, before = env.action_masks(), [env.game_state(lane).to_dict() for lane in range(LANES)]
        actions, ended = some_actions(rng, masks), env.lanes.ended.copy()
        _add_action(trace, f"{game!r}: seat vector step", actions)
        try:
            env.step(actions)
        except IllegalActionError:
            assert [env.game_state(lane).to_dict() for lane in range(LANES)] == before
            env.close()
            return REJECTED
        playing = np.flatnonzero(~ended)
        assert _are_legal(np.asarray(actions)[playing], masks[playing]), "illegal actions were accepted"
        check_round_trip(env.game_state(rng.randrange(LANES)))
    env.close()
    return ACCEPTED
