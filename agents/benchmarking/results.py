"""The results of an agent as a JSON object: rates against each opponent, regrets, and normalized scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from agents.arena.anchored import AnchoredScale, outcomes_of
from agents.benchmarking.play import PERFECT
from agents.benchmarking.protocol import Cell
from agents.benchmarking.references import References
from agents.benchmarking.regrets import regret_of
from agents.benchmarking.scores import BoardGames, Side, aggregate
from agents.benchmarking.store import BenchmarkGame, GameFile
from agents.evaluation.report import rates
from edge_envs.players import plain_name
from edge_envs.players.perfect import is_solved

Key = tuple[int, tuple[float, ...]]
"""An outcome of a cell: the seat of the agent, and the returns by seat."""


def board_results(cells: Sequence[Cell], file: GameFile, references: References | None) -> dict[str, Any] | None:
    """Return the results on one board; None if no game was finished there.

    Without references, the board has no rating and no score.
    """
    games = {cell.opponent: file.games_of(cell) for cell in cells}
    game, played = cells[0].game, [one for some in games.values() for one in some]
    if not played:
        return None
    lines = [(one.line, one.seat) for one in played]
    paces = [line.seconds[seat] / line.decisions[seat] for line, seat in lines if line.decisions[seat]]
    document: dict[str, Any] = {
        "version": game.type.version,
        "params": game.params_dict(),
        "games": len(played),
        "planned_games": sum(cell.total for cell in cells),
        "forfeits": sum(line.forfeit == seat for line, seat in lines),
        "decisions": sum(line.decisions[seat] for line, seat in lines),
        "ms_per_decision": round(1000 * float(np.median(paces)) if paces else 0.0, 4),
        "score": None,
    }
    why = next((line.why for line, seat in lines if line.forfeit == seat), "")
    document |= {"why": why} if why else {}
    tallies = {opponent: _tally(some) for opponent, some in games.items()}
    rows = [_opponent_row(cell, games[cell.opponent], tallies[cell.opponent]) for cell in cells]
    if references is not None:
        document |= _score(references, rows, tallies, game.num_players)
    if is_solved(game) and games.get(PERFECT):
        document["regret"] = regret_of(game, games[PERFECT])
    return {**document, "opponents": rows}


def _tally(games: Sequence[BenchmarkGame]) -> dict[Key, int]:
    """Count the outcomes of the games of a cell."""
    counts: dict[Key, int] = {}
    for one in games:
        key = (one.seat, one.line.returns)
        counts[key] = counts.get(key, 0) + 1
    return dict(sorted(counts.items()))


def _opponent_row(cell: Cell, games: Sequence[BenchmarkGame], tally: Mapping[Key, int]) -> dict[str, Any]:
    """Return the rates against an opponent."""
    returns = np.array([one.line.returns[one.seat] for one in games])
    behind = plain_name(cell.opponent, cell.game)
    return {
        "opponent": cell.opponent,
        **({"agent": behind} if behind != cell.opponent else {}),
        **rates(returns, cell.game.min_utility, cell.game.max_utility),
        "forfeits": sum(one.line.forfeit == one.seat for one in games),
        "outcomes": [{"seat": seat, "returns": list(each), "games": count} for (seat, each), count in tally.items()],
    }


def _score(
    references: References, rows: Sequence[dict[str, Any]], tallies: Mapping[str, Mapping[Key, int]], players: int
) -> dict[str, Any]:
    """Return the rating and the score, and add the derivatives of each outcome to the rows of the opponents."""
    number = len(references.agents)
    keys = [(opponent, key, count) for opponent, tally in tallies.items() for key, count in tally.items()]
    seats = [_seats(number, references.agents.index(opponent), seat, players) for opponent, (seat, _), _ in keys]
    possible = outcomes_of(seats, [each for _, (_, each), _ in keys], players)
    counts = np.array([count for *_, count in keys], float)
    scale = AnchoredScale(references.tally, number, references.anchor, possible)
    strength = scale.place(counts)
    slopes, bends = scale.derivatives(strength)
    derivatives = iter(zip(slopes.tolist(), bends.tolist(), strict=True))
    for row in rows:
        for outcome, (slope, bend) in zip(row["outcomes"], derivatives, strict=False):
            outcome |= {"slope": slope, "bend": bend}
    zero, unit = float(scale.strengths[0]), float(scale.strengths[-1] - scale.strengths[0])
    low, high = scale.interval(strength, counts)
    points, low_points, high_points = (round(float(scale.points(one)), 1) for one in (strength, low, high))
    score, low_score, high_score = (100.0 * (one - zero) / unit for one in (strength, low, high))
    return {
        "rating": {"points": points, "low": low_points, "high": high_points},
        "score": score,
        "score_low": low_score,
        "score_high": high_score,
        "scale": {"strength": strength, "prior": scale.prior, "zero": zero, "unit": unit},
    }


def _seats(own: int, other: int, seat: int, players: int) -> list[int]:
    return [own if at == seat else other for at in range(players)]


def summary(boards: Mapping[str, dict[str, Any]]) -> dict[str, Any] | None:
    """Return the interquartile mean of the scores with its interval; None if no board has a score."""
    scored = [BoardGames.of(name, board) for name, board in boards.items() if board["score"] is not None]
    if not scored:
        return None
    mean, low, high = aggregate(Side([[board] for board in scored]))
    return {"boards": len(scored), "interquartile_mean": mean, "low": low, "high": high}
