"""Exact results of policies of two-player `falling_off` against each other."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from edge_envs.core.game import Game
from edge_envs.core.solver import Contest
from edge_envs.games.falling_off import GAME
from edge_envs.games.falling_off.pieces.sets import DICE_SET_NUMBER, NUM_DICE, PAWN_SET_NUMBER, PLACES, ROLLS
from edge_envs.games.falling_off.solver.policies import Policy, TablePolicy, policy_value, tables_of, uniform_tables
from edge_envs.games.falling_off.state import MOVE, REROLL

CONTESTS = (
    ("random", "random"),
    ("heuristic", "heuristic"),
    ("heuristic", "random"),
    ("random", "perfect"),
    ("heuristic", "perfect"),
    ("best_response", "random"),
    ("best_response", "heuristic"),
)


def value_contests(progress: Callable[[str, str], None]) -> list[Contest]:
    """Compute the exact results of all `CONTESTS`, within a minute or two.

    `progress` is called with the names of both policies before each contest.
    """
    policies: dict[str, Policy] = {
        "random": uniform_tables(),
        "heuristic": heuristic_tables(),
        "perfect": "perfect",
        "best_response": "best_response",
    }
    results = []
    for policy, opponent in CONTESTS:
        progress(policy, opponent)
        results.append(Contest(policy, opponent, *policy_value(policies[policy], policies[opponent])))
    return results


def heuristic_tables() -> TablePolicy:
    """Return the heuristic as tables; its decisions depend only on its own pawns and the dice."""
    game = Game(GAME, {})
    decisions = [
        (pawns, dice, phase) for pawns in PAWN_SET_NUMBER for dice in ROLLS[NUM_DICE] for phase in (REROLL, MOVE)
    ]
    records = game.new_records(len(decisions))
    game.compiled.loops.new_games(records)
    for record, (pawns, dice, phase) in zip(records, decisions, strict=True):
        record.pawns[0], record.dice, record.phase = PAWN_SET_NUMBER[pawns], DICE_SET_NUMBER[dice], phase
    actions = np.empty(len(decisions), np.int64)
    game.compiled.loops.heuristic_actions(records, actions)
    by_decision = dict(zip(decisions, actions.tolist(), strict=True))

    def act(pawns: tuple[int, ...], dice: tuple[int, ...], phase: int) -> int:
        return by_decision[tuple(PLACES.index(place) for place in pawns), dice, phase]

    return tables_of(act)
