"""Analysis of finished games: win probability over time, costly decisions, and the accuracy of each player.

The judge is the best one available: the exact solution, a search, or random playouts where a search is slow. Judges
see only what the player to act knew.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from edge_envs import Game, State
from edge_envs.play.appraisal import ExactJudge, Judge, PlayoutJudge, judge_by
from edge_envs.players import built_in_agent
from edge_envs.players.perfect import is_instant
from edge_envs.records import start_of

MOST_DECISIONS = 400
"""The number of decisions that are judged; of longer games, decisions at equal distances."""
_SEARCH = "search:200"
_SLOW = 0.5  # seconds: a search that takes longer for one position is not used
_SMALLEST_LOSS = 0.03  # smaller losses of win probability are not listed as costly
_MOST_COSTLY = 8


@dataclass(frozen=True)
class JudgedDecision:
    """A decision with the win probability of its player, as estimated by a judge.

    | field | meaning |
    |---|---|
    | `at` | the number of transitions before the decision |
    | `player` | the player who decided |
    | `chosen`, `best` | the strings of the chosen and of the best action |
    | `probability` | the win probability with the best action; a draw counts as half a win |
    | `loss` | how much less it is with the chosen action |
    | `worst` | how much less it is with the worst action |
    """

    at: int
    player: int
    chosen: str
    best: str
    probability: float
    loss: float
    worst: float


def best_judge(game: Game, state: State) -> Judge:
    """Return the best judge of win probabilities for a game; `state` is a decision, with which a search is timed."""
    if is_instant(game):
        return ExactJudge(game)
    judge = judge_by(built_in_agent(_SEARCH, game))
    judge.values(state)  # the first call compiles
    started = time.perf_counter()
    judge.values(state)
    return judge if time.perf_counter() - started < _SLOW else PlayoutJudge(game)


def number_of_decisions(record: Mapping[str, Any]) -> int:
    """Return how many decisions of a record are judged."""
    return len(_chosen_decisions(record))


def judged_decisions(
    record: Mapping[str, Any], judge_of: Callable[[Game, State], Judge] = best_judge
) -> Iterator[tuple[Judge, JudgedDecision]]:
    """Judge the decisions of a record one by one.

    Yields:
        The judge, which is the same each time, and a decision.

    Raises:
        ValueError: if the record is not valid.
    """
    state, judge, wanted = start_of(record), None, _chosen_decisions(record)
    for at, (player, action) in enumerate(record["history"]):
        if at in wanted:
            judge = judge or judge_of(state.game, state)
            yield judge, _judged(judge, state, at, player, action)
        state.apply_action(action)


def _chosen_decisions(record: Mapping[str, Any]) -> set[int]:
    """Return the numbers of transitions before the decisions to judge."""
    decisions = [at for at, (player, _) in enumerate(record["history"]) if player >= 0]
    return set(decisions[:: 1 + (len(decisions) - 1) // MOST_DECISIONS])


def _judged(judge: Judge, state: State, at: int, player: int, action: int) -> JudgedDecision:
    values = judge.values(state)
    known = np.isfinite(values)
    if not known.any():
        values, known = np.zeros_like(values), np.arange(len(values)) == action
    best = int(np.nanargmax(np.where(known, values, np.nan)))
    high, low = _probability(judge, state.game, values[best]), _probability(judge, state.game, np.nanmin(values[known]))
    chosen = _probability(judge, state.game, values[action]) if known[action] else high
    chosen_text, best_text = state.action_to_string(action), state.action_to_string(best)
    return JudgedDecision(at, player, chosen_text, best_text, high, high - chosen, high - low)


def _probability(judge: Judge, game: Game, value: float) -> float:
    """Convert a judge's value to a win probability: returns are 1 for a win, and sum to 0."""
    if isinstance(judge, ExactJudge):
        return float(value)
    lowest = -1.0 / max(1, game.num_players - 1)
    return float(np.clip((value - lowest) / (1.0 - lowest), 0.0, 1.0))


def summary(decisions: list[JudgedDecision], num_players: int) -> dict[str, Any]:
    """Return the costly decisions, the worst first, and the accuracy of each player, for JSON.

    The accuracy is the share of the win probability at stake that the decisions kept: 1 for the best decision each
    time, 0 for the worst; None without a decision that mattered.
    """
    costly = sorted((one for one in decisions if one.loss >= _SMALLEST_LOSS), key=lambda one: -one.loss)
    return {
        "costly": [vars(one) for one in costly[:_MOST_COSTLY]],
        "accuracy": [_accuracy([one for one in decisions if one.player == player]) for player in range(num_players)],
    }


def _accuracy(decisions: list[JudgedDecision]) -> float | None:
    stake = sum(one.worst for one in decisions)
    return None if stake < 1e-9 else 1.0 - sum(one.loss for one in decisions) / stake
