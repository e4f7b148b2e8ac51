"""Loops over one game at a time from Python, the same for `edge_envs` and its peers."""

from __future__ import annotations

from collections.abc import Callable
from random import random
from typing import Any

from edge_envs.envs.seat import SeatEnv
from scripts.benchmarks.measure import Run, Work
from scripts.benchmarks.picks import pick


def play_aec(env: Any, render: bool = False) -> Run:
    """Through `agent_iter`, `last` and `step` until so many decisions are made: whole games, or with frames so many."""

    def run(amount: int) -> Work:
        decisions = games = 0
        while decisions < amount:
            env.reset()
            for _ in env.agent_iter():
                observation, _, terminated, truncated, _ = env.last()
                if terminated or truncated:
                    env.step(None)
                else:
                    env.step(pick(observation["action_mask"]))
                    decisions += 1
                    if render:
                        env.render()
                        if decisions == amount:
                            return Work(decisions)
            games += 1
        return Work(decisions, None if render else games)

    return run


def play_states(game: Any, sample_chance: Callable[[Any], int], observe: bool = True) -> Run:
    """Whole games over states like OpenSpiel's until so many decisions are made, each with its observation."""

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
    """Whole games of a Gymnasium environment until so many decisions are made."""

    def run(amount: int) -> Work:
        decisions = 0
        while decisions < amount:
            env.reset()
            terminated = False
            while not terminated:
                _, _, terminated, _, _ = env.step(pick(env.action_masks()))
                decisions += 1
        return Work(decisions)

    return run
