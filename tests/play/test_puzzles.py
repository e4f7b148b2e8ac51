"""Test the daily puzzles: the date determines them, and one choice is the best."""

from __future__ import annotations

import datetime

import numpy as np
import pytest

from edge_envs.play import puzzles
from edge_envs.play.appraisal import ExactJudge
from edge_envs.play.puzzles import CLEAR, FEWEST_CHOICES, SOURCES, puzzle_of, source_of

FIRST = datetime.date(2026, 11, 26)
DAYS = [FIRST + datetime.timedelta(count) for count in range(0, 12, 2)]
"""Days whose puzzles come from the exact solution of falling_off."""


def test_sources_take_turns() -> None:
    days = [FIRST + datetime.timedelta(count) for count in range(2 * len(SOURCES))]
    found = [source_of(day) for day in days]
    assert sorted(map(str, found[: len(SOURCES)])) == sorted(map(str, SOURCES))
    assert found[len(SOURCES) :] == found[: len(SOURCES)]
    assert {source.judge.partition(":")[0] for source in SOURCES} == {"perfect", "search"}
    assert {source.game for source in SOURCES if source.judge == "perfect"} == {"falling_off", "beyond_maps"}


@pytest.mark.parametrize("day", DAYS, ids=str)
def test_the_values_of_a_solved_puzzle_are_exact_and_its_choice_is_clear(day: datetime.date) -> None:
    puzzle = puzzle_of(day)
    assert puzzle.is_exact
    exact = ExactJudge(puzzle.state.game).values(puzzle.state)
    assert np.array_equal(puzzle.values, exact, equal_nan=True)
    ranked = np.sort(exact[np.isfinite(exact)])[::-1]
    assert len(ranked) >= FEWEST_CHOICES
    assert ranked[0] - ranked[1] >= CLEAR
    assert puzzle.task == f"Find the move that keeps {100 * ranked[0]:.0f}\u00a0%."
    assert [action for action in puzzle.state.legal_actions() if puzzle.is_right(action)] == [int(np.nanargmax(exact))]


def test_the_date_determines_the_puzzle() -> None:
    one, same, other = puzzle_of(DAYS[1]), puzzle_of(DAYS[1]), puzzle_of(DAYS[2])
    assert one.state.to_dict() == same.state.to_dict()
    assert np.array_equal(one.values, same.values, equal_nan=True)
    assert one.state.to_dict() != other.state.to_dict()


def test_puzzles_stay_the_same() -> None:
    """A puzzle that people have solved must not change."""
    puzzle = puzzle_of(datetime.date(2026, 11, 28))
    best = puzzle.state.action_to_string(int(np.nanargmax(puzzle.values)))
    assert (puzzle.task, best) == ("Find the move that keeps 70\u00a0%.", "move 5 6")
    assert puzzle.state.to_dict()["pawns"] == [[4, 4, 5, 9], [0, 4, 7, 10]]


def test_a_search_gives_estimates(monkeypatch: pytest.MonkeyPatch) -> None:
    source = puzzles.Source("falling_off", "search:50", 2, 20)
    monkeypatch.setattr(puzzles, "SOURCES", (source,))
    one, same = puzzle_of(FIRST), puzzle_of(FIRST)
    assert not one.is_exact
    assert one.task.startswith("Find the move that keeps about ")
    assert np.array_equal(one.values, same.values, equal_nan=True)
    known = one.values[np.isfinite(one.values)]
    assert np.all((known >= 0.0) & (known <= 1.0))


def test_a_sure_win_has_its_own_question() -> None:
    puzzle = puzzle_of(DAYS[0])
    values = np.where(np.isfinite(puzzle.values), 0.5, np.nan)
    values[puzzle.state.legal_actions()[0]] = 1.0
    won = puzzles.Puzzle(puzzle.day, puzzle.source, puzzle.state, values, puzzle.judge)
    assert won.task == "Find the move that wins."
    assert won.is_right(puzzle.state.legal_actions()[0])
    assert not won.is_right(puzzle.state.legal_actions()[1])
