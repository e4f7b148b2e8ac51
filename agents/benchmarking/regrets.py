"""The exact regret of an agent in a solved game, from its games against perfect play."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from agents.benchmarking.store import BenchmarkGame
from agents.evaluation.openings import random_opening
from agents.evaluation.regret import RegretMeter, estimate
from edge_envs import Game
from edge_envs.core.spec import Records
from edge_envs.players import records_shown


def regret_of(game: Game, games: Sequence[BenchmarkGame]) -> dict[str, Any]:
    """Return the mean regret of a game with its 95 % half-width, and the probability of winning against perfect play.

    The regret of a decision is the winning probability that it loses, and that of a game is their sum. A forfeit loses
    all of it. In games without chance the random opening counts, see `agents.evaluation.regret`.
    """
    meter = RegretMeter(game)
    regrets: list[list[float]] = [[] for _ in range(game.num_players)]
    for one in sorted(games, key=lambda one: one.line.deal):
        regrets[one.seat].append(_regret(game, meter, one))
    found = estimate(meter, regrets)
    start = float(np.mean([meter.start(seat) for seat in range(game.num_players)]))
    return {
        "per_game": start - found.mean[0],
        "half_width": found.mean[1],
        "win_probability_against_perfect": found.mean[0],
        "games": len(games),
    }


def _regret(game: Game, meter: RegretMeter, played: BenchmarkGame) -> float:
    """Return the sum of the regrets of the agent's decisions in a game."""
    positions, actions, legal = _decisions(game, played)
    if not positions:
        return 0.0
    best, given_away = meter.judge(np.concatenate(positions), np.array(actions), np.array(legal))
    opening = float(meter.start(played.seat) - best[0]) if random_opening(game) else 0.0
    return opening + float(given_away.sum())


def _decisions(game: Game, played: BenchmarkGame) -> tuple[list[Records], list[int], list[bool]]:
    """Replay a game; return the positions in which the agent decided, its actions, and whether they were legal."""
    state, rng = game.new_initial_state(played.line.seed), np.random.default_rng(played.line.seed)
    positions: list[Records] = []
    actions: list[int] = []
    legal: list[bool] = []
    opening = random_opening(game)
    for number, action in enumerate([*played.actions, None]):
        while state.is_chance_node():
            state.apply_action(state.sample_chance())
        if state.is_terminal():
            break
        if state.current_player() == played.seat and number >= opening:
            if action is None and played.line.forfeit != played.seat:  # the opponent forfeited
                break
            positions.append(records_shown(state, rng).copy())
            actions.append(-1 if action is None else action)
            legal.append(action is not None)
        if action is not None:
            state.apply_action(action)
    return positions, actions, legal
