"""What an evaluation says about an agent, for tables and for machines."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from agents.evaluation.matches import MatchResult, play_match, wilson
from agents.evaluation.regret import Estimate, RegretMeter, estimate
from edge_envs import Game
from edge_envs.agents import Agent
from edge_envs.agents.perfect import PerfectAgent


@dataclass(frozen=True)
class Evaluation:
    """An agent's games against one opponent, and against the perfect player the estimate from its regrets."""

    match: MatchResult
    estimate: Estimate | None

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON: rates with 95 % Wilson intervals, per seat and in all."""
        match = self.match
        answer = {
            "opponent": match.opponent,
            **rates(match.returns),
            "illegal": match.illegal,
            "decisions": match.decisions,
            "games_per_second": len(match.returns) / match.seconds,
            "seats": [{"seat": seat.seat, **rates(np.array(seat.returns))} for seat in match.seats],
        }
        if self.estimate is not None:
            answer |= self.estimate.to_dict()["mean"] | {"estimate_seats": self.estimate.to_dict()["seats"]}
        return answer


def rates(returns: Any) -> dict[str, Any]:
    """Games, wins (a positive return), draws (zero), losses, the win rate with its interval, the mean return with its.

    The half-width of the latter is that of a normal interval of 95 %, but at least 4 / games: games that all end alike
    prove no more.
    """
    games, wins, draws = len(returns), int((returns > 0).sum()), int((returns == 0).sum())
    low, high = wilson(wins, games) if games else (0.0, 1.0)
    return {
        "games": games,
        "wins": wins,
        "draws": draws,
        "losses": games - wins - draws,
        "win_rate": wins / games if games else 0.0,
        "low": low,
        "high": high,
        "mean_return": float(np.mean(returns)) if games else 0.0,
        "return_half_width": max(1.96 * float(np.std(returns)) / games**0.5, 4 / games) if games else 2.0,
    }


def evaluate_against(
    game: Game,
    agent: Agent,
    opponent: Agent,
    games: int,
    seed: int = 0,
    progress: Callable[[int], None] = lambda done: None,
) -> Evaluation:
    """Play a match; against the perfect player measure regrets on the way."""
    meter = RegretMeter(game) if isinstance(opponent, PerfectAgent) else None
    match = play_match(game, agent, opponent, games, seed, meter, progress)
    return Evaluation(match, estimate(meter, [seat.regrets for seat in match.seats]) if meter else None)
