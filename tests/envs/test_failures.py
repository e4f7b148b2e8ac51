"""After an interrupted call only a reset is allowed, and the error says why."""

from __future__ import annotations

import copy
import signal
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import edge_envs
from edge_envs import IllegalActionError
from tests.contract.play import Array, Sighted
from tests.systems import needs_posix

LANES = 3


class Fallible(Sighted):
    """An opponent that fails on request: `fault` is raised, or called with the masks to return actions."""

    def __init__(self) -> None:
        self.fault: BaseException | Callable[[Array], Any] | None = None

    def act(self, observations: Array, action_masks: Array, states: Any, players: Array, rng: Any) -> Any:
        """Fail once, then continue to play."""
        fault, self.fault = self.fault, None
        if isinstance(fault, BaseException):
            raise fault
        if fault is not None:
            return fault(action_masks)
        return super().act(observations, action_masks, states, players, rng)


class Resetting(Sighted):
    """An opponent that resets the environment that asks it."""

    env: Any = None

    def act(self, observations: Array, action_masks: Array, states: Any, players: Array, rng: Any) -> Any:
        """Reset the environment once there is one."""
        if self.env is not None:
            self.env.reset()
        return super().act(observations, action_masks, states, players, rng)


class Api:
    """Common interface of the three APIs with a learning seat."""

    def __init__(self, name: str, opponent: Any, game: str = "tic_tac_toe") -> None:
        self.name = name
        count = {} if name == "seat_env" else {"num_envs": LANES}
        self.env: Any = getattr(edge_envs, name)(game, opponents=opponent, seat=0, **count)

    def reset(self, **options: Any) -> None:
        if self.name == "sb3_vec_env":
            self.env.seed(0)
            self.env.reset()
        else:
            self.env.reset(seed=0, **options)

    def step(self) -> None:
        masks = self.env.action_masks()
        self.env.step(masks.argmax() if self.name == "seat_env" else masks.argmax(axis=-1))


APIS = ("seat_env", "seat_vector_env", "sb3_vec_env")


@pytest.mark.parametrize("name", APIS)
def test_an_opponent_cannot_reset_the_environment(name: str) -> None:
    opponent = Resetting()
    api = Api(name, opponent)
    api.reset()
    opponent.env = api.env
    with pytest.raises(RuntimeError, match="reset was called during another call, such as by an opponent"):
        api.step()
    opponent.env = None
    api.reset()
    api.step()


class Copying(Sighted):
    """An opponent that copies the environment that asks it."""

    env: Any = None
    copied: Any = None

    def act(self, observations: Array, action_masks: Array, states: Any, players: Array, rng: Any) -> Any:
        """Copy the environment once there is one."""
        if self.env is not None:
            env, self.env = self.env, None
            self.copied = copy.deepcopy(env)
        return super().act(observations, action_masks, states, players, rng)


@pytest.mark.parametrize("name", APIS)
def test_a_copy_made_during_a_call_can_be_reset(name: str) -> None:
    opponent = Copying()
    api = Api(name, opponent)
    api.reset()
    opponent.env = api.env
    api.step()
    api.step()
    other = Api(name, "random")
    other.env = opponent.copied
    with pytest.raises(RuntimeError, match="the last call was interrupted"):
        other.step()
    other.reset()
    other.step()


FAULTS: dict[str, Any] = {
    "an error": RuntimeError("out of memory"),
    "an interruption": KeyboardInterrupt(),
    "an illegal answer": lambda masks: np.full(len(masks), -1),
    "fractions": lambda masks: np.full(len(masks), 0.9),
    "no numbers": lambda masks: np.full(len(masks), np.nan),
    "nothing": lambda masks: None,
    "objects": lambda masks: [object()] * len(masks),
    "words": lambda masks: ["a1"] * len(masks),
    "rows of several lengths": lambda masks: [[0], [0, 1]],
    "truth values": lambda masks: np.ones(len(masks), np.bool_),
    "too few": lambda masks: [],
}


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize("fault", FAULTS)
def test_after_a_failure_of_an_opponent_only_a_reset_is_allowed(api: str, fault: str) -> None:
    opponent = Fallible()
    played = Api(api, opponent)
    played.reset()
    played.step()
    opponent.fault = FAULTS[fault]
    kind = type(FAULTS[fault]) if isinstance(FAULTS[fault], BaseException) else IllegalActionError
    with pytest.raises(kind):
        played.step()
    with pytest.raises(RuntimeError, match=rf"reset.*{kind.__name__}"):
        played.step()
    played.reset()
    first = played.env.action_masks().tolist()
    fresh = Api(api, Sighted())
    fresh.reset()
    assert first == fresh.env.action_masks().tolist()
    played.step()


@pytest.mark.parametrize("api", APIS)
def test_a_reset_can_also_fail(api: str) -> None:
    opponent = Fallible()
    played = Api(api, opponent, "kuhn")
    played.env = getattr(edge_envs, api)(
        "kuhn", opponents=opponent, seat=1, **({} if api == "seat_env" else {"num_envs": LANES})
    )
    opponent.fault = ValueError("no model")
    with pytest.raises(ValueError, match="no model"):
        played.reset()
    with pytest.raises(RuntimeError, match=r"reset.*no model"):
        played.step()
    played.reset()
    played.step()


@pytest.mark.parametrize("api", APIS)
def test_step_requires_a_reset(api: str) -> None:
    with pytest.raises(RuntimeError, match="reset"):
        Api(api, "random").step()


def test_a_failure_requires_a_reset_of_all_lanes() -> None:
    opponent = Fallible()
    env = edge_envs.seat_vector_env(
        "tic_tac_toe", num_envs=LANES, opponents=opponent, seat=0, autoreset_mode="Disabled"
    )
    env.reset(seed=0)
    opponent.fault = RuntimeError("out of memory")
    with pytest.raises(RuntimeError, match="out of memory"):
        env.step(np.zeros(LANES, np.int64))
    with pytest.raises(RuntimeError, match="all lanes"):
        env.reset(options={"reset_mask": np.array([True, False, False])})
    env.reset(options={"reset_mask": np.ones(LANES, np.bool_)})
    env.step(np.zeros(LANES, np.int64))


def test_an_illegal_action_of_the_learner_does_not_require_a_reset() -> None:
    env = edge_envs.seat_env("tic_tac_toe", opponents=Sighted(), seat=0)
    env.reset(seed=0)
    with pytest.raises(IllegalActionError):
        env.step(-1)
    env.step(int(env.action_masks().argmax()))


def test_actions_of_an_opponent_are_not_rounded() -> None:
    opponent = Fallible()
    env = edge_envs.seat_env("tic_tac_toe", opponents=opponent, seat=0)
    env.reset(seed=0)
    opponent.fault = lambda masks: masks.argmax(axis=1) + 0.9
    with pytest.raises(IllegalActionError, match=r"Fallible.*1 integer.*float64"):
        env.step(0)


def interrupt(call: Callable[[], Any]) -> None:
    """Call a function and raise KeyboardInterrupt shortly afterwards."""

    def stop(number: int, frame: Any) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    try:
        with pytest.raises(KeyboardInterrupt):
            call()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)


@needs_posix
@pytest.mark.parametrize("num_threads", [1, 2])
def test_an_interrupted_vector_env_requires_a_reset(num_threads: int) -> None:
    env = edge_envs.vector_env("tic_tac_toe", num_envs=4, num_threads=num_threads)
    env.reset(seed=0)
    words = np.arange(4, dtype=np.uint64)
    env.random_steps(words, 1)  # compile
    interrupt(lambda: env.random_steps(words, 3_000_000))
    calls: list[Callable[[], Any]] = [
        lambda: env.step([0] * 4), lambda: env.random_steps(words, 1), env.heuristic_actions, lambda: env.state(0)
    ]  # fmt: skip
    for call in calls:
        with pytest.raises(RuntimeError, match=r"reset.*KeyboardInterrupt"):
            call()
    batch = env.reset(seed=0)
    assert (batch.action_mask == 1).all()
    env.step([0, 1, 2, 3])


def test_an_interrupted_aec_env_requires_a_reset(monkeypatch: pytest.MonkeyPatch) -> None:
    """The game has changed but the rewards and the next agent have not, so stepping must be impossible."""
    env = edge_envs.aec_env("tic_tac_toe")
    with pytest.raises(RuntimeError, match="reset"):
        env.step(0)
    env.reset(seed=0)

    def stop(*_: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(env, "_assign_rewards", stop)
        with pytest.raises(KeyboardInterrupt):
            env.step(0)
    with pytest.raises(RuntimeError, match="reset"):
        env.step(1)
    env.reset(seed=0)
    env.step(0)
    env.step(1)


# Reading


def views(api: str, env: Any) -> dict[str, Callable[[], Any]]:
    """Return all methods that read an environment, by name."""
    if api in ("aec_env", "parallel_env"):
        aec: dict[str, Callable[[], Any]] = {
            "observe": lambda: env.observe("player_0"),
            "last": lambda: env.last(observe=True),
        }
        more = aec if api == "aec_env" else {}
        return {"state": env.state, "game_state": env.game_state, "render": env.render, **more}
    if api == "vector_env":
        return {
            "state": lambda: env.state(0),
            "heuristic_actions": env.heuristic_actions,
            "shown_states": lambda: env.shown_states(np.arange(1), np.arange(1, dtype=np.uint64)),
        }
    if api == "seat_env":
        return {
            "action_masks": env.action_masks,
            "game_state": env.game_state,
            "render": env.render,
            "seat": lambda: env.seat,
        }
    lanes = {"action_masks": env.action_masks, "game_state": lambda: env.game_state(0), "render": env.render}
    if api == "seat_vector_env":
        return lanes
    called = {
        f"env_method {name}": lambda name=name: env.env_method(name)
        for name in ("action_masks", "game_state", "render")
    }
    return {**lanes, **called}


MAKERS = ("aec_env", "parallel_env", "vector_env", *APIS)


def made(api: str, opponents: Any = "random") -> Any:
    arguments: dict[str, Any] = {"num_envs": LANES} if api in ("vector_env", *APIS[1:]) else {}
    arguments |= {"opponents": opponents, "seat": 0} if api in APIS else {}
    arguments |= {"render_mode": "ansi"} if api != "vector_env" else {}
    return getattr(edge_envs, api)("tic_tac_toe", **arguments)


@pytest.mark.parametrize("api", MAKERS)
def test_reading_requires_a_reset(api: str) -> None:
    for look in views(api, made(api)).values():
        with pytest.raises(RuntimeError, match="call reset"):
            look()


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize("fault", [RuntimeError("out of memory"), KeyboardInterrupt()], ids=repr)
def test_interrupted_step_cannot_be_read(api: str, fault: BaseException) -> None:
    """If `step` is impossible after an interruption, so is every method that reads the position."""
    opponent = Fallible()
    played = Api(api, opponent)
    played.env = made(api, opponent)
    played.reset()
    for look in views(api, played.env).values():
        look()
    opponent.fault = fault
    with pytest.raises(type(fault)):
        played.step()
    for look in views(api, played.env).values():
        with pytest.raises(RuntimeError, match=rf"call reset.*{type(fault).__name__}"):
            look()
    played.reset()
    for look in views(api, played.env).values():
        look()


@pytest.mark.parametrize("api", ["aec_env", "parallel_env"])
def test_interrupted_aec_step_cannot_be_read(api: str, monkeypatch: pytest.MonkeyPatch) -> None:
    env = made(api)
    env.reset(seed=0)

    def stop(*_: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(env if api == "aec_env" else env.aec, "_assign_rewards", stop)
        with pytest.raises(KeyboardInterrupt):
            env.step(0 if api == "aec_env" else {"player_0": 0})
    for look in views(api, env).values():
        with pytest.raises(RuntimeError, match=r"call reset.*KeyboardInterrupt"):
            look()


def test_opponent_can_render_while_it_decides() -> None:
    class Curious(Sighted):
        def act(self, *given: Any) -> Array:
            """Read the game first."""
            pictures.append(env.render())
            return super().act(*given)

    pictures: list[Any] = []
    env = made("seat_env", Curious())
    env.reset(seed=0)
    env.step(int(env.action_masks().argmax()))
    assert "X" in pictures[0] or "x" in pictures[0]


def test_an_opponent_that_closes_the_environment_leaves_it_closed() -> None:
    class Rude(Sighted):
        def act(self, *given: Any) -> Array:
            """Close the environment first."""
            env.close()
            return super().act(*given)

    env = made("seat_vector_env", Rude())
    env.reset(seed=0)
    actions = env.action_masks().argmax(axis=1)
    for use in (lambda: env.step(actions), env.action_masks, env.reset):
        with pytest.raises(RuntimeError, match="closed"):
            use()


# Closing


def closed_apis() -> dict[str, Any]:
    return {
        "aec_env": edge_envs.aec_env("tic_tac_toe"),
        "vector_env": edge_envs.vector_env("tic_tac_toe", num_envs=4),
        "two threads": edge_envs.vector_env("tic_tac_toe", num_envs=4, num_threads=2),
        "seat_env": edge_envs.seat_env("tic_tac_toe"),
        "seat_vector_env": edge_envs.seat_vector_env("tic_tac_toe", num_envs=4),
        "sb3_vec_env": edge_envs.sb3_vec_env("tic_tac_toe", num_envs=4),
    }


@pytest.mark.parametrize("api", closed_apis())
@pytest.mark.parametrize("begun", [True, False])
def test_closed_env_raises(api: str, begun: bool) -> None:
    env = closed_apis()[api]
    if begun:
        env.reset()
    env.close()
    env.close()
    actions: Any = 0 if api in ("aec_env", "seat_env") else [0] * 4
    with pytest.raises(RuntimeError, match="closed"):
        env.step(actions)
    with pytest.raises(RuntimeError, match="closed"):
        env.reset()
