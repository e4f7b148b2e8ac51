"""Sentences of Ghost Ship for events that nobody decides, and for the end: one position, one move, one claim."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest

from tests.games.ghost_ship.scenes import (
    AWAY,
    FAR,
    NO_SEA_LEFT,
    RANDOM,
    at,
    filling,
    load,
    play,
    read,
    travel,
    whole_map,
)
from tests.games.ghost_ship.test_creation import NO_SEA, STUCK
from tests.reference import ghost_ship_setups as setups
from tests.reference.ghost_ship_setups import SET_OUT, position, tiles_of

CHITS = [{"chits": {1: 2}}, {"chits": {4: 1}}]


def narrated(state: Any, *texts: str, viewer: int | None = None) -> list[str]:
    """Return the sentences about the last of these actions and outcomes."""
    play(state, *texts)
    _, *sentences = state.history_strings(viewer)[-1].partition(": ")[2].split(". ")
    return [sentence if sentence[-1] in ".!" else f"{sentence}." for sentence in sentences]


def news(state: Any, *texts: str, viewer: int | None = None) -> str:
    """Return the same as one string."""
    return " ".join(narrated(state, *texts, viewer=viewer))


# The archipelago


def test_a_symbol_tile_that_leaves_the_game() -> None:
    state = read(setups.creation("symbol", NO_SEA, turn_player=1, decider=1))
    sentence = "The tile storm WWWW fits nowhere and leaves the game, so there is one chit less on the map."
    assert narrated(state, "symbol storm WWWW") == [sentence]


def test_random_symbol_tiles_that_are_turned_up_again() -> None:
    state = read(STUCK)
    sentence = "No square is left for LLLW: all symbol tiles are taken back and turned up again."
    assert narrated(state, "symbol LLLW") == [sentence]


def test_tiles_that_fit_nowhere() -> None:
    state = whole_map("fill", ["C1", "G9"], hand_tiles={"WWWW": 1, "LLLL": 1}, left={"LWLW": 1})
    assert narrated(state, "tile G9 WWWW") == ["No tile in hand fits any more: 1 tile is discarded."]


def test_a_full_board() -> None:
    state = whole_map("fill", ["G9"], hand_tiles={"WWWW": 3}, left={"LWLW": 1})
    assert narrated(state, "tile G9 WWWW") == [
        "The board is full: 2 tiles of the hand are discarded.",
        "The map is complete: there is a chit on each symbol tile, and gold on each hill with a 6.",
    ]


def test_stacks_that_are_empty() -> None:
    state = whole_map("fill", ["C1", "G9"], hand_tiles={"WWWW": 1})
    sentence = "All stacks are empty: chance completes the vacant squares from the remaining tiles."
    assert narrated(state, "tile G9 WWWW") == [sentence]


def test_a_hand_without_a_fitting_tile() -> None:
    state = whole_map("draw", ["C1"], to_draw=1, left={"LWLW": 3, "LLLL": 1})
    assert narrated(state, "draw LLLL") == [
        "No tile in hand fits any more: 1 tile is discarded.",
        "None of them could be placed: chance completes the vacant squares from the remaining tiles.",
    ]


def test_a_square_that_is_completed_from_outside_the_box() -> None:
    state = no_sea_left()
    square = state.action_to_string(state.legal_actions()[0]).split()[1]
    sentence = f"No remaining tile fits {square}, so a tile from outside the box completes it."
    assert narrated(state, state.action_to_string(state.legal_actions()[0]))[0] == sentence


def no_sea_left() -> Any:
    """Return a map to be completed, without a remaining tile for its first vacant square."""
    tiles = {square: tile for square, tile in tiles_of(NO_SEA_LEFT).items() if square not in SET_OUT}
    laid = {square: tile for square, tile in tiles.items() if square not in ("G4", "G5")}
    return filling("complete", laid)


def test_a_map_that_is_completed() -> None:
    sentence = "The map is complete: there is a chit on each symbol tile, and gold on each hill with a 6."
    assert narrated(whole_map("complete", ["G9"]), "complete G9 WWWW") == [sentence]


def test_the_tour_begins() -> None:
    assert narrated(whole_map("ghost"), "ghost D6") == ["The ghost is on D6, and the tour begins."]


# The ghost


def test_the_ghost_moves() -> None:
    assert narrated(at(["A1.S", FAR]), "travel", "spin 2 NE") == ["The ghost moves to E7."]


def test_the_ghost_leaves_the_board() -> None:
    state = at(["A1.S", FAR], ghost="A4")
    assert narrated(state, "travel", "spin 2 NW") == ["The ghost leaves the board, so player 0 puts it back."]


def test_the_ghost_takes_chits_whose_values_others_do_not_see() -> None:
    players = ["F5.S", f"F4.C0 {AWAY}", "F5.S"]
    own = [{"chits": {1: 1}}, {"chits": {2: 1}}, {"chits": {4: 1}}]
    state = at(players, own=own)
    assert narrated(state, "travel", "spin 2 W") == [
        "The ghost moves to F5.",
        "The ghost takes a chit of players 0 and 2.",
    ]
    play(state, "lose 1")
    seen = [state.history_strings(viewer)[-1] for viewer in (0, 1, 2, None)]
    assert seen[0] == seen[2] == "player 0: lose 1. Player 0 loses a chit of value 1 to the ghost."
    assert seen[1] == seen[3] == "player 0: lose ?. Player 0 loses a chit to the ghost."
    assert "player 2: lose 4. Player 2 loses a chit of value 4 to the ghost." in play(state, "lose 4").history_strings(
        0
    )


def test_a_pawn_that_comes_to_the_ghost() -> None:
    state = travel("F5.S", 4, own=[{"chits": {2: 1}}])
    assert narrated(state, "go F6.S") == ["The ghost takes a chit of player 0."]


# The spin


TRIPLES = {
    2: "The third 2 in a row: player 0 chooses the result.",
    3: "The third 3 in a row: player 0 may also move a chit over a land edge.",
    4: "The third 4 in a row: player 0 has one movement point.",
    5: "The third 5 in a row: player 2 decides the rest of the turn, and symbols do not restrict steps.",
}


@pytest.mark.parametrize("number", list(TRIPLES))
def test_a_triple(number: int) -> None:
    state = at(["A5.S", FAR, FAR], own=[{"triple": (number, 2)}], symbols={"C5": "ruins"})
    assert narrated(state, "travel", f"spin {number} W") == ["The ghost moves to F5.", TRIPLES[number]]


def test_the_neighbours_move_on_triple_fives() -> None:
    state = play(at(["A5.S", FAR], own=[{"triple": (5, 2)}], symbols={"C5": "ruins"}), "travel", "spin 5 W")
    assert narrated(state, "go A4.S") == ["Player 1 moves the boat of player 0 to A4.S."]
    state = at(["D5.H C5.C0", FAR], own=[{"triple": (5, 2)}], symbols={"C5": "ruins"})
    assert narrated(play(state, "travel", "spin 5 W"), "take gold") == ["The gold goes to player 0."]


def test_a_triple_that_is_counted_after_a_loss() -> None:
    state = at(["F5.S", FAR], own=[{"triple": (4, 2), "chits": {1: 1}}], symbols={"C5": "ruins"})
    assert news(state, "travel", "spin 4 W", "lose 1", viewer=0).endswith(TRIPLES[4])


def test_a_triple_on_another_turn() -> None:
    state = at(["C3.C0 C3.C0", FAR], own=[{"triple": (2, 2)}])
    sentence = "The third 2 in a row has no effect, because the turn is not a travel."
    assert sentence in narrated(state, "swim", "spin 2 W")


@pytest.mark.parametrize(
    ("saved", "sentence"),
    [
        (2, "Player 0 uses +2 saved points: the result is 5."),
        (-1, "Player 0 uses −1 saved point: the result is 2."),
    ],
)
def test_saved_points_that_are_used(saved: int, sentence: str) -> None:
    assert sentence in narrated(at(["A5.S", FAR], own=[{"saved": saved}]), "travel", "spin 3 W")


# Other acts


def test_a_swim() -> None:
    sentence = "Player 0 swims across the strait to C3.C1."
    assert sentence in narrated(at(["C3.C0 C3.C0", FAR]), "swim", "spin 4 N")
    sentence = "Player 0 fails to swim across the strait: the result is 3, not 4 or 5."
    assert sentence in narrated(at(["C3.C0 C3.C0", FAR]), "swim", "spin 3 N")


@pytest.mark.parametrize(
    ("symbol", "number", "sentences"),
    [
        ("friendly", 2, ["The search succeeds: the boat of player 0 comes to C5.C0."]),
        ("ruins", 4, ["The search succeeds: the boat of player 0 comes to C5.C0."]),
        ("ruins", 3, ["The search of player 0 fails: the result is 3, not 4 or 5."]),
        (None, 4, ["The search of player 0 fails: the result is 4, not 5."]),
        ("hostile", 3, ["The search of player 0 fails: the result is 3, not 4 or 5."]),
        (
            "hostile",
            2,
            [
                "The search of player 0 fails: the result is 2, not 4 or 5.",
                "The hostile natives hold up player 0, who will miss the next turn.",
            ],
        ),
    ],
)
def test_a_search(symbol: str | None, number: int, sentences: list[str]) -> None:
    state = at([f"C5.C0 {AWAY}", FAR], symbols={"C5": symbol} if symbol else {})
    assert narrated(state, "search", f"spin {number} N")[1:] == sentences


def test_a_theft() -> None:
    state = at(["C5.C0 A3.C0", "D5.H C5.C0"])
    assert narrated(state, "steal 1", "spin 3 N")[1:] == [
        "Player 0 steals the boat of player 1, who gets the one on A3.C0.",
        "Player 1 has a claim on player 0.",
    ]


CLAIM: dict[str, Any] = {"own": [{}, {"claim": 0}], "declared": "travel", "result": 5, "points": 5}


def test_boats_that_change_back() -> None:
    state = at(["C5.C0 C5.C0", "D5.H A3.C0"], "travel", turn_player=1, decider=1, **CLAIM)
    assert narrated(state, "go C5.C0") == [
        "Player 1 comes to the stolen boat: players 1 and 0 exchange their boats again.",
        "Players 0 and 1 meet on C5 and show each other their chits.",
    ]


def test_a_claim_that_lapses() -> None:
    state = at(["C5.C0 C5.C0", "D5.H A3.C0"], "travel", **CLAIM)
    assert narrated(state, "go C5.S") == ["The claim of player 1 on player 0 lapses."]


def test_a_claim_that_lapses_when_the_boat_is_stolen_again() -> None:
    claims = [{}, {}, {"claim": 1}]
    state = at(["C5.C0 A3.C0", "D5.H C5.C0", "D6.H B5.C0"], own=claims)
    assert "The claim of player 2 on player 1 lapses." in narrated(state, "steal 1", "spin 3 N")


# Drifting


@pytest.mark.parametrize(
    ("square", "way", "sentence"),
    [
        ("A5", "S", "The boat of player 0 drifts to B5.S."),
        ("A5", "NE", "The boat of player 0 drifts to B5."),
        ("A3", "S", "The boat of player 0 runs aground at A3.C0."),
        ("A4", "SW", "The boat of player 0 cannot go there: it spins again."),
    ],
)
def test_a_drift(square: str, way: str, sentence: str) -> None:
    state = at([f"{square}.S", FAR], symbols={square: "storm"})
    assert narrated(state, "drift", f"spin 3 {way}")[1:] == [sentence]


def test_a_drift_after_spinning_again() -> None:
    state = at(["A4.S", FAR], symbols={"A4": "storm"})
    assert narrated(state, "drift", "spin 3 SW", "drift SE") == ["The boat of player 0 drifts to B5.S."]


# Symbols


def test_a_storm_that_ends_movement() -> None:
    sentence = "The storm on A5 ends the movement of player 0."
    assert narrated(travel("A4.S", 2, symbols={"A5": "storm"}), "go A5.S") == [sentence]
    sentence = "The storm on A3 ends the movement of player 0."
    assert sentence in narrated(travel("A3.C0 A3.C0", 5, symbols={"A3": "storm"}), "go A3.S")


def test_a_symbol_that_is_revealed() -> None:
    state = travel("A4.S", 5, symbols={"A5": "?"}, **RANDOM)
    assert narrated(state, "go A5.S", "reveal chest") == ["The symbol on A5 is chest."]


def test_a_storm_that_is_revealed_ends_movement() -> None:
    state = travel("A4.S", 5, symbols={"A5": "?"}, **RANDOM)
    assert narrated(state, "go A5.S", "reveal storm")[:2] == [
        "The symbol on A5 is storm.",
        "The storm on A5 ends the movement of player 0.",
    ]


def test_a_skull_that_is_left() -> None:
    assert narrated(travel("A5.S", 5, symbols={"A5": "skull", "C7": "chest"}), "go A6.S") == [
        "The step out of the skull ends movement and taking for player 0.",
        "No other action is possible, so the turn of player 0 ends.",
    ]


# Players


def test_players_who_meet() -> None:
    state = travel("A4.S", 5, ["A5.S", "A5.S"], own=CHITS)
    assert narrated(state, "go A5.S") == ["Players 0, 1 and 2 meet on A5 and show each other their chits."]


def test_taking_a_chit_shows_its_value_to_those_who_see_it() -> None:
    state = travel("C5.C0 C5.C0", 4, [f"C5.K0 {AWAY}", FAR], symbols={"C5": "ruins", "B5": "skull"})
    play(state, "take chit", "value 3")
    seen = [state.history_strings(viewer)[-1] for viewer in (0, 1, 2, None)]
    assert (
        seen
        == ["player 0: value 3. Player 0 takes a chit of value 3 from C5."] * 2
        + ["player 0: value ?. Player 0 takes a chit from C5."] * 2
    )


# Turns


def test_a_turn_that_ends_automatically() -> None:
    state = travel("A4.S", 2, points=1, symbols={"C7": "chest"})
    assert narrated(state, "go A5.S") == ["No other action is possible, so the turn of player 0 ends."]


def test_a_turn_that_is_ended_by_an_action_has_no_event() -> None:
    assert narrated(travel("A4.S", 2), "end") == []
    assert narrated(at(["A5.S", FAR]), "save +") == []


def test_turns_that_are_missed() -> None:
    state = at(["A5.S", FAR, FAR], own=[{}, {"skip": 2}])
    assert narrated(state, "save +") == ["Player 1 misses a turn."]
    state = at(["A5.S", FAR], own=[{"skip": 0}, {"skip": 2}])
    assert narrated(state, "save +") == ["Player 1 misses a turn."]


def test_the_limit_on_turns() -> None:
    state = at(["A5.S", FAR], turn=9, params={"max_turns": 10}, own=[{}, {"skip": 1}])
    assert narrated(state, "save +") == ["Player 1 misses a turn.", "Turn 10 was the last one: the game is over."]


def test_the_last_treasure() -> None:
    gold = [{"gold": 5}]
    state = travel("D5.H C5.C0", 3, own=gold, gold=["D5"], symbols={}, chits={})
    assert narrated(state, "take gold") == ["The last treasure is taken: the game is over."]


# The end


def over(own: Sequence[Mapping[str, Any]], pawns: Sequence[str] = (), **entries: Any) -> str:
    """Return the result of a game."""
    d = position(pawns or ["A1.S"] * len(own), "over", own=own, turn=400, by_limit=True, **entries)
    return str(load(**d["params"]).state_from_dict(d).result())


LEFT = " Treasure is left on the map after turn 400, the last one."


def test_the_winner_and_the_scores() -> None:
    own = [{"chits": {1: 3, 4: 1}, "gold": 2}, {"chits": {2: 2}, "gold": 1}]
    assert over(own) == f"Player 0 wins, 13 to 5: chits 7 and 2 gold × 3; player 1 chits 4 and 1 gold × 1.{LEFT}"
    own = [{"chits": {1: 1}}, {"chits": {2: 2}}, {"chits": {3: 1}}]
    assert over(own) == f"Player 1 wins, 4 to 3 and 1: chits 4; player 2 chits 3; player 0 chits 1.{LEFT}"


def test_the_tie_break_by_the_ghost() -> None:
    own = [{"chits": {2: 1}}, {"chits": {2: 1}}]
    assert over(own, ["F4.S", "C6.S"]) == (
        f"Player 1 wins, 2 to 2, farther from the ghost (3 squares to 2): chits 2; player 0 chits 2.{LEFT}"
    )


def test_a_shared_win() -> None:
    own = [{"chits": {2: 1}}, {"chits": {2: 1}}, {}]
    assert over(own, ["A1.S", "B1.S", "C1.S"]) == (
        "Players 0 and 1 win together with 2 points, 5 squares from the ghost: "
        f"player 0 chits 2; player 1 chits 2; player 2 chits 0.{LEFT}"
    )


def test_with_score_reward_the_ghost_does_not_break_ties() -> None:
    own = [{"chits": {2: 1}}, {"chits": {2: 1}}]
    assert over(own, ["F4.S", "C6.S"], params={"score_reward": True}) == (
        f"A draw with 2 points: player 0 chits 2; player 1 chits 2.{LEFT}"
    )


def test_all_treasure_is_taken() -> None:
    state = travel("D5.H C5.C0", 3, own=[{"gold": 5}], gold=["D5"], symbols={}, chits={})
    result = play(state, "take gold").result()
    assert "Treasure" not in result
    assert f"over: {result}" in state.observation_string(0)


# Hidden information


@pytest.mark.parametrize("seed", range(3))
def test_events_do_not_depend_on_information_hidden_from_the_viewer(seed: int) -> None:
    """Positions that look the same to a player have the same sentences."""
    rng, draws = random.Random(seed), np.random.default_rng(seed)
    state = load(num_players=3, creation="random", max_turns=80).new_initial_state(seed=seed)
    checked = 0
    while not state.is_terminal():
        hides = state.to_dict()["phase"] in ("value", "lose")
        other, viewer = state.resample(0, draws), 0
        chance = state.is_chance_node()
        action = state.sample_chance() if chance else state.heuristic_action()
        action = rng.choice(state.legal_actions()) if not chance and rng.random() < 0.1 else action
        state.apply_action(action)
        if not hides:
            other.apply_action(action)
            if not state.is_terminal():
                assert state.history_strings(viewer)[-1] == other.history_strings(viewer)[-1]
                checked += 1
    assert checked > 100
