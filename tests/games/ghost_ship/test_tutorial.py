"""The tutorial of Ghost Ship."""

from __future__ import annotations

import pytest

import edge_envs
from edge_envs import State
from edge_envs.core.interactive.tutorials import played
from edge_envs.games.ghost_ship.phases.scoring import score


def at(title: str) -> State:
    """The position of a step."""
    return next(state.clone() for step, state in played(edge_envs.GAMES["ghost_ship"]) if step.title == title)


@pytest.mark.parametrize(("title", "own"), [("Late on the tour", 32), ("You have won!", 34)])
def test_the_scores_that_are_told_are_right(title: str, own: int) -> None:
    record = at(title)._record
    assert score(record, 0) == own > score(record, 1)


@pytest.mark.parametrize(
    ("title", "square"), [("Late on the tour", "D4"), ("Sail", "C3"), ("The ghost!", "B2"), ("Three alike", "C2")]
)
def test_the_ghost_is_where_the_spinner_sent_it(title: str, square: str) -> None:
    assert at(title).to_dict()["ghost"] == square


def test_the_point_that_was_saved_is_needed() -> None:
    turn = at("Over the land").to_dict()
    assert turn["players"][0]["triple"] == [3, 1]
    assert turn["result"] == 4
