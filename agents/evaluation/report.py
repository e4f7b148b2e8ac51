"""Statistics of a match."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from agents.evaluation.matches import MatchResult, mean_interval, play_match, wilson
from agents.evaluation.regret import Estimate, RegretMeter, estimate
from edge_envs import Game
from edge_envs.players import Agent
from edge_envs.players.perfect import PerfectAgent
from edge_envs.search.fitted import shares_losses


@dataclass(frozen=True)
class Evaluation:
    """An agent's games against one opponent, with the estimate from regrets if it is the perfect player."""

    match: MatchResult
    estimate: Estimate | None

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON object: rates and mean returns with 95 % intervals, by seat and in total."""
        match = self.match
        answer = {
            "opponent": match.opponent,
            **rates(match.returns, *match.utilities),
            "illegal": match.illegal,
            "opponent_forfeits": match.opponent_forfeits,
            "decisions": match.decisions,
            "games_per_second": len(match.returns) / match.seconds,
            "seats": [{"seat": seat.seat, **rates(np.array(seat.returns), *match.utilities)} for seat in match.seats],
        }
        if match.opponent_why:
            answer["opponent_why"] = match.opponent_why
        if self.estimate is not None:
            answer |= self.estimate.to_dict()["mean"] | {"estimate_seats": self.estimate.to_dict()["seats"]}
        return answer


def equal_share(game: Game) -> float:
    """Return the share of games that equal agents win: all win but one if its loss is greater than any win."""
    winners = game.num_players - 1 if shares_losses(game) else 1
    return winners / game.num_players


def rates(returns: Any, least: float = -1.0, greatest: float = 1.0) -> dict[str, Any]:
    """Return games, wins (positive returns), draws (zero), losses, and win rate and mean return with 95 % intervals.

    `least` and `greatest` are the bounds of returns. The mean return ± `return_half_width` contains `mean_interval`,
    which is not centred on the mean.
    """
    returns = np.asarray(returns, np.float64)
    games, wins, draws = len(returns), int((returns > 0).sum()), int((returns == 0).sum())
    low, high = wilson(wins, games) if games else (0.0, 1.0)
    mean = float(np.mean(returns)) if games else 0.0
    least_mean, greatest_mean = mean_interval(returns, least, greatest)
    return {
        "games": games,
        "wins": wins,
        "draws": draws,
        "losses": games - wins - draws,
        "win_rate": wins / games if games else 0.0,
        "low": low,
        "high": high,
        "mean_return": mean,
        "return_half_width": max(mean - least_mean, greatest_mean - mean) if games else greatest - least,
    }


def evaluate_against(
    game: Game,
    agent: Agent,
    opponent: Agent,
    games: int,
    seed: int = 0,
    progress: Callable[[int], None] = lambda done: None,
) -> Evaluation:
    """Play a match; against the perfect player, also measure regrets."""
    meter = RegretMeter(game) if isinstance(opponent, PerfectAgent) else None
    match = play_match(game, agent, opponent, games, seed, meter, progress)
    return Evaluation(match, estimate(meter, [seat.regrets for seat in match.seats]) if meter else None)
