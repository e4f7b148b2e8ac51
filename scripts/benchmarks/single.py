"""Python loops over one game at a time, the same for `edge_envs` and its peers."""

from __future__ import annotations

from collections.abc import Callable
from random import random
from typing import Any

from edge_envs.envs.seat import SeatEnv
from scripts.benchmarks.measure import Run, Work
from scripts.benchmarks.random_choice import choose


def play_aec(env: Any, render: bool = False) -> Run:
    """Return a run over `agent_iter`, `last` and `step`: whole games or, with frames, an exact number of decisions."""

    def run(amount: int) -> Work:
        decisions = games = 0
        while decisions < amount:
            env.reset()
            for _ in env.agent_iter():
                observation, _, terminated, truncated, _ = env.last()
                if terminated or truncated:
                    env.step(None)
                else:
                    env.step(choose(observation["action_mask"]))
                    decisions += 1
                    if render:
                        env.render()
                        if decisions == amount:
                            return Work(decisions)
            games += 1
        return Work(decisions, None if render else games)

    return run


def play_states(game: Any, sample_chance: Callable[[Any], int], observe: bool = True) -> Run:
    """Return a run of whole games over OpenSpiel-like states, with an observation at each decision."""

    def run(amount: int) -> Work:
        decisions = games = 0
        while decisions < amount:
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    state.apply_action(sample_chance(state))
                    continue
                if observe:
                    state.observation_tensor(state.current_player())
                actions = state.legal_actions()
                state.apply_action(actions[int(random() * len(actions))])
                decisions += 1
            games += 1
        return Work(decisions, games)

    return run


def play_seat(env: SeatEnv) -> Run:
    """Return a run of whole games of a Gymnasium environment."""

    def run(amount: int) -> Work:
        decisions = 0
        while decisions < amount:
            env.reset()
            terminated = False
            while not terminated:
                _, _, terminated, _, _ = env.step(choose(env.action_masks()))
                decisions += 1
        return Work(decisions)

    return run
