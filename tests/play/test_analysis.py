"""Test the analysis of finished games."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import edge_envs
from edge_envs import Game, State, record_of
from edge_envs.play.analysis import (
    MOST_DECISIONS,
    JudgedDecision,
    best_judge,
    judged_decisions,
    number_of_decisions,
    summary,
)
from edge_envs.play.appraisal import ExactJudge, Judge, PlayoutJudge, SearchJudge
from edge_envs.players import built_in_agent, decide
from tests.contract.play import playthrough


def played(game: Game, *names: str, seed: int = 0) -> dict[str, Any]:
    """Return the record of a game between agents."""
    agents = [built_in_agent(name, game) for name in names]
    state, rng = game.new_initial_state(seed), np.random.default_rng(seed)
    while not state.is_terminal():
        player = state.current_player()
        state.apply_action(state.sample_chance() if player < 0 else decide(agents[player], state, rng))
    return record_of(state)


def test_perfect_play_is_perfectly_accurate_and_random_play_is_not() -> None:
    game = edge_envs.load_game("falling_off")
    record = played(game, "perfect", "random", seed=4)
    found = list(judged_decisions(record))
    assert {judge.name for judge, _ in found} == {"Perfect play"}
    decisions = [decision for _, decision in found]
    assert len(decisions) == number_of_decisions(record)
    assert all(0.0 <= one.loss <= one.worst + 1e-9 <= 1.0 + 1e-9 for one in decisions)
    assert all(one.chosen == one.best for one in decisions if one.loss == 0.0 and one.worst > 0.0 and one.player == 0)
    total = summary(decisions, 2)
    assert total["accuracy"][0] == pytest.approx(1.0)
    assert total["accuracy"][1] < 0.9
    losses = [one["loss"] for one in total["costly"]]
    assert losses == sorted(losses, reverse=True)
    assert all(one["player"] == 1 for one in total["costly"])


def test_probabilities_are_those_of_the_exact_solution() -> None:
    game = edge_envs.load_game("falling_off")
    record = played(game, "heuristic", "heuristic", seed=1)
    judge, (_, first) = ExactJudge(game), next(iter(judged_decisions(record)))
    state = game.new_initial_state(1)
    for _, action in record["history"][: first.at]:
        state.apply_action(action)
    values = judge.values(state)
    assert first.probability == pytest.approx(np.nanmax(values))
    assert first.loss == pytest.approx(np.nanmax(values) - values[record["history"][first.at][1]])


def test_games_without_a_solution_are_judged_by_a_search_or_by_playouts_if_it_is_slow(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = edge_envs.load_game("kuhn")
    state = list(playthrough(game, 0))[-1]
    record = record_of(state)
    decision = game.new_initial_state(0)
    while decision.is_chance_node():
        decision.apply_action(decision.sample_chance())
    assert isinstance(best_judge(game, decision), SearchJudge)
    assert all(0.0 <= one.probability <= 1.0 for _, one in judged_decisions(record))
    monkeypatch.setattr("edge_envs.play.analysis._SLOW", 0.0)
    assert isinstance(best_judge(game, decision), PlayoutJudge)


class Undecided:
    """A judge without an opinion."""

    name, unit, digits, decided = "nobody", "of return", 2, np.inf

    def values(self, state: State) -> Any:
        return np.full(state.game.num_distinct_actions, np.nan)


def test_a_judge_without_an_opinion_finds_no_loss() -> None:
    record = record_of(list(playthrough(edge_envs.load_game("tic_tac_toe"), 0))[-1])

    def undecided(game: Game, state: State) -> Judge:
        return Undecided()

    decisions = [one for _, one in judged_decisions(record, undecided)]
    assert all(one.loss == one.worst == 0.0 for one in decisions)
    assert summary(decisions, 2) == {"costly": [], "accuracy": [None, None]}


def test_decisions_of_long_games_are_judged_at_equal_distances() -> None:
    for length in (1, MOST_DECISIONS, MOST_DECISIONS + 1, 5 * MOST_DECISIONS):
        number = number_of_decisions({"history": [[0, 1]] * length})
        assert min(length, MOST_DECISIONS) / 2 <= number <= MOST_DECISIONS


def test_accuracy_is_the_share_of_the_stake_that_was_kept() -> None:
    decisions = [JudgedDecision(0, 0, "a", "b", 0.9, 0.1, 0.4), JudgedDecision(1, 0, "a", "a", 0.5, 0.0, 0.1)]
    assert summary(decisions, 2)["accuracy"] == [pytest.approx(0.8), None]
