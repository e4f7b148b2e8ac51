"""The narration of `over_the_edge`: each event in a position that causes it, and each kind of result.

The map and the notation of positions are those of `test_rules`.
"""

from __future__ import annotations

import html
from typing import Any

import pytest

from tests.games.over_the_edge.test_rules import FULL, at, play

LISBON, FAR = "A0 A0", "A5 A0"


def narrate(state: Any, *texts: str) -> str:
    """Return the last string of the history after these actions, without the name of the player."""
    return str(play(state, *texts).history_strings()[-1].partition(": ")[2])


def test_a_card_names_the_player_who_draws() -> None:
    assert play(at([FAR, LISBON], phase="draw"), "draw loyal_crew").history_strings() == ["player 0: draw loyal_crew"]


def test_a_step_has_no_event() -> None:
    assert narrate(at(["A1 A0", LISBON], [{"fair_weather": 1}]), "fair A2") == "fair A2"


@pytest.mark.parametrize("kind", ["scurvy", "stormy_seas", "severe_damage"])
def test_three_of_a_kind_drift(kind: str) -> None:
    state = at(["A1 A0", LISBON], [{kind: 2}], phase="draw")
    three = f"Three {kind} of player 0 take effect: the ship drifts to B1. Player 0's turn ends."
    assert narrate(state, f"draw {kind}") == f"draw {kind}. {three}"
    assert " ".join(state.latest_events()) == three
    assert three in html.unescape(state.svg())


def test_a_drift_into_a_port() -> None:
    state = at(["A2 A0", LISBON], [{"scurvy": 2}], phase="draw")
    assert "the ship drifts to B2, the port Malta." in narrate(state, "draw scurvy")


def test_a_drift_that_runs_aground_and_the_missed_turn() -> None:
    state = at(["A6 A0", LISBON], [{"scurvy": 2}], phase="draw")
    assert narrate(state, "draw scurvy") == (
        "draw scurvy. Three scurvy of player 0 take effect: the ship runs aground and will miss a turn. "
        "Player 0's turn ends."
    )
    state = at(["A6 A0 -2 1", LISBON], phase="depart", turn_player=1)
    assert narrate(state, "wait") == "wait. Player 0 ran aground and misses this turn."


def test_a_ship_that_is_lost_with_its_cards() -> None:
    state = at(["C1 A0", LISBON], [{"scurvy": 2, "loyal_crew": 2}], phase="draw")
    assert narrate(state, "draw scurvy") == (
        "draw scurvy. Three scurvy of player 0 take effect: the ship drifts over the edge and is lost. "
        "Its last 2 cards are discarded. Player 0's turn ends."
    )


def test_the_last_ship_that_is_lost_ends_the_game() -> None:
    state = at(["C1 A0", "- A0"], [{"scurvy": 2, "loyal_crew": 1}], phase="draw")
    assert narrate(state, "draw scurvy").endswith("drifts over the edge and is lost. Its last card is discarded.")
    assert state.result() == "Nobody wins: all ships have gone over the edge."
    assert str(state).splitlines()[-1] == f"over: {state.result()}"


def test_a_mutiny() -> None:
    state = at(["A2 A0", LISBON], [{"mutiny": 2}], phase="draw")
    assert narrate(state, "draw mutiny") == (
        "draw mutiny. Three mutiny of player 0 take effect: a mutiny! The ship is back home in Lisbon, with winding 0. "
        "Player 0's turn ends."
    )


def test_a_loyal_crew_prevents_a_mutiny() -> None:
    state = at(["A2 A0", LISBON], [{"mutiny": 2, "loyal_crew": 1}], phase="draw")
    assert narrate(state, "draw mutiny") == "draw mutiny"


def test_a_set_after_the_first_of_two_steps_costs_the_second() -> None:
    state = at(["A2 A0", LISBON], [{"favorable_winds": 1, "scurvy": 3}])
    assert narrate(state, "winds A3").endswith("Player 0's second step is lost.")


def test_a_set_that_its_owner_chooses() -> None:
    state = at([FAR, LISBON], [{"scurvy": 3, "stormy_seas": 2}], phase="draw")
    assert narrate(state, "draw stormy_seas") == "draw stormy_seas"
    assert narrate(state, "set scurvy").startswith(
        "set scurvy. Three scurvy of player 0 take effect: the ship drifts to B4."
    )


def test_a_set_of_another_ship_costs_the_turn_player_nothing() -> None:
    state = at(["A1 A0", FAR], [{"fair_weather": 1}, {"scurvy": 3}])
    assert narrate(state, "fair A2") == "fair A2. Three scurvy of player 1 take effect: the ship drifts to B4."


def test_calm_names_the_discarded_cards() -> None:
    state = at([FAR, LISBON], [{"dead_calm": 3, "stormy_seas": 1}])
    assert narrate(state, "calm") == "calm. Player 0 discards three dead_calm and one stormy_seas."


BOARDED: dict[str, Any] = {"phase": "give", "target": 1, "take": "mutiny"}


def test_cards_that_change_hands() -> None:
    state = at([FAR, FAR], [{"scurvy": 1}, {"mutiny": 1}], then="end", **BOARDED)
    assert (
        narrate(state, "give scurvy")
        == "give scurvy. Player 0 takes mutiny from player 1 and gives scurvy in exchange."
    )


def test_cards_that_change_hands_by_consent_or_do_not() -> None:
    for answer, event in (
        ("accept", "Player 0 takes mutiny from player 1 and gives scurvy in exchange."),
        ("refuse", "Player 1 refuses with three loyal_crew: no cards change hands."),
    ):
        state = at([FAR, FAR], [{"scurvy": 1}, {"mutiny": 1, "loyal_crew": 3}], then="end", **BOARDED)
        assert narrate(state, "give scurvy") == "give scurvy"
        assert narrate(state, answer) == f"{answer}. {event}"


def test_discards_that_become_the_deck() -> None:
    hand = {"fair_weather": 1}
    discards = {**FULL, "fair_weather": 15}
    state = at([FAR, FAR], [hand, {}], deck={}, discards=discards, phase="play")
    assert narrate(state, "wait") == "wait. The deck is empty: the 71 discards are shuffled and become the deck."


def test_no_card_to_draw() -> None:
    state = at([FAR, FAR], [{}, {}], deck={}, discards={}, check_cards=False, phase="play")
    assert narrate(state, "wait") == "wait. There is no card for player 1 to draw."


def test_a_ship_that_comes_home() -> None:
    state = at(["A7 A0 7", FAR], [{"fair_weather": 1}], turn=25)
    assert narrate(state, "fair A0") == "fair A0. Player 0 is home in Lisbon after sailing round the world!"
    assert state.result() == "Player 0 wins: home in Lisbon after sailing round the world, in turn 26 of 500."
    assert str(state).splitlines()[-1] == f"over: {state.result()}"


def test_coming_home_without_a_voyage_has_no_event() -> None:
    assert narrate(at(["A1 A0", FAR], [{"fair_weather": 1}]), "fair A0") == "fair A0"


def test_nobody_comes_home_in_time() -> None:
    state = at([FAR, FAR], turn=499)
    play(state, "wait")
    assert state.result() == "Nobody wins: no ship came home in 500 turns."
