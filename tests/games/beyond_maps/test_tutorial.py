"""Tutorial of Beyond The Edges of The Maps."""

from __future__ import annotations

import edge_envs
from edge_envs import State
from edge_envs.core.interactive.tutorials import played


def at(title: str) -> State:
    """Return the position of the step with a title."""
    return next(state.clone() for step, state in played(edge_envs.GAMES["beyond_maps"]) if step.title == title)


def places_of_land(state: State) -> set[str]:
    texts = [state.action_to_string(action) for action in state.legal_actions()]
    return {text.removeprefix("land ") for text in texts if text.startswith("land ")}


def test_land_that_would_separate_the_ships_is_not_offered() -> None:
    assert "d3" not in places_of_land(at("Ships must be able to meet"))


def test_a_third_marker_could_follow() -> None:
    assert places_of_land(at("Enough")) == {"a3", "b2"}


def test_surrounded_squares_become_own_land() -> None:
    assert at("Surround").to_dict()["board"][2] == ".01.0"
    assert at("All inside is yours").to_dict()["board"][2] == ".0000"


def test_land_ahead_of_the_ship_changes_sides() -> None:
    assert at("Take land by sea").to_dict()["board"][1] == "....1"
