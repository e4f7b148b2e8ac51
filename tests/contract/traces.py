"""Traces of games in a common form, to compare the APIs with each other.

All agents play `chosen`, which depends only on observation and mask. A game is a list of `Step`s.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

import edge_envs
from edge_envs import Batch, Game, GameAECEnv, GameVectorEnv, SeatEnv, SeatVectorEnv, State
from tests.contract.play import Array, chosen, settle

if TYPE_CHECKING:  # needs stable-baselines3, which is slow to import
    from edge_envs import SeatVecEnv


@dataclass(frozen=True)
class Step:
    """A decision: player, observation, mask and action, and the rewards until the next decision."""

    player: int
    observation: bytes
    mask: bytes
    action: int
    rewards: tuple[float, ...]
    ended: bool


def step_of(player: int, observation: Array, mask: Array, action: int, rewards: Any, ended: bool) -> Step:
    """Make a step; rewards are rounded to float32, the lowest precision of all APIs."""
    shown = tuple(np.asarray(rewards, np.float32).reshape(-1).tolist())
    return Step(player, observation.tobytes(), mask.tobytes(), action, shown, bool(ended))


def state_game(state: State) -> list[Step]:
    """Play a state to the end of its game."""
    steps = []
    settle(state)
    while not state.is_terminal():
        player, before = state.current_player(), np.array(state.returns())
        view = state.observation_tensor(player), state.legal_action_mask()
        action = chosen(*view)
        state.apply_action(action)
        settle(state)
        steps.append(step_of(player, *view, action, state.returns() - before, state.is_terminal()))
    return steps


def aec_game(env: GameAECEnv) -> list[Step]:
    """Play the game of an AEC environment that has just been reset."""
    steps = []
    while not any(env.terminations.values()):
        agent = env.agent_selection
        view = env.observe(agent)
        action = chosen(view["observation"], view["action_mask"])
        env.step(action)
        rewards = [env.rewards[name] for name in env.possible_agents]
        player = env.possible_agents.index(agent)
        steps.append(
            step_of(player, view["observation"], view["action_mask"], action, rewards, env.terminations[agent])
        )
    return steps


def aec_games(game: Game, seed: int) -> Iterator[list[Step]]:
    """Yield successive games of an AEC environment that is seeded once."""
    env = edge_envs.aec_env(game.name, **game.params)
    env.reset(seed=seed)
    while True:
        yield aec_game(env)
        env.reset()


def vector_games(env: GameVectorEnv, batch: Batch, count: int) -> list[list[list[Step]]]:
    """Return the first `count` games of each lane; `batch` is the result of `reset`."""
    lanes: list[list[list[Step]]] = [[[]] for _ in range(env.num_envs)]
    while min(map(len, lanes)) <= count:
        views = list(zip(batch.current_player.copy(), batch.observation.copy(), batch.action_mask.copy(), strict=True))
        actions = [chosen(observation, mask) for _, observation, mask in views]
        batch = env.step(np.array(actions))
        for lane, (view, action) in enumerate(zip(views, actions, strict=True)):
            player, observation, mask = view
            ended = bool(batch.terminated[lane])
            lanes[lane][-1].append(step_of(int(player), observation, mask, action, batch.rewards[lane], ended))
            if ended:
                lanes[lane].append([])
    return [games[:count] for games in lanes]


def seen_by(games: Iterator[list[Step]], seat: int) -> Iterator[list[Step]]:
    """Reduce games to the decisions of one seat, with rewards summed until its next decision.

    Games that end before its first decision are left out.
    """
    for steps in games:
        own: list[Step] = []
        reward = 0.0
        for step in [*steps, None]:
            if own and (step is None or step.player == seat):
                last = own.pop()
                own.append(
                    Step(seat, last.observation, last.mask, last.action, (float(np.float32(reward)),), step is None)
                )
            if step is not None and step.player == seat:
                own.append(step)
                reward = 0.0
            if step is not None:
                reward += step.rewards[seat]
        if own:
            yield own


def seat_game(env: SeatEnv, observation: Array) -> list[Step]:
    """Play the game of a seat environment that has just been reset; `observation` is the result of `reset`."""
    steps, ended = [], False
    while not ended:
        mask = env.action_masks()
        action = chosen(observation, mask)
        following, reward, ended, _, _ = env.step(action)
        steps.append(step_of(env.seat, observation, mask, action, reward, ended))
        observation = following
    return steps


def learners(env: SeatVectorEnv | SeatVecEnv) -> Array:
    """Return the learner's seat in each lane."""
    return np.array(env.lanes.learner)


def seat_vector_games(env: SeatVectorEnv | SeatVecEnv, observation: Any, count: int) -> list[list[list[Step]]]:
    """Return the first `count` games of each lane, with same-step autoreset."""
    lanes: list[list[list[Step]]] = [[[]] for _ in range(env.num_envs)]
    while min(map(len, lanes)) <= count:
        seats, masks = learners(env), env.action_masks()
        actions = [chosen(*view) for view in zip(observation, masks, strict=True)]
        following, rewards, ended, *_ = env.step(np.array(actions))
        for lane, action in enumerate(actions):
            steps = lanes[lane][-1]
            steps.append(step_of(int(seats[lane]), observation[lane], masks[lane], action, rewards[lane], ended[lane]))
            if ended[lane]:
                lanes[lane].append([])
        observation = following
    return [games[:count] for games in lanes]
