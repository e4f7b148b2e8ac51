"""Optional rules and other decks: `calm_saves`, `hand_size` and `cards`."""

from __future__ import annotations

from typing import Any

import pytest

import edge_envs
from edge_envs import ParameterError
from tests.reference.over_the_edge import CARDS, position

STORM = {"stormy_seas": 3, "dead_calm": 3, "fair_weather": 1}


def state_at(ships: list[str], hands: list[dict[str, int]], phase: str = "draw", **entries: Any) -> Any:
    """Return a position of a game with `calm_saves`; `deck` holds the next card."""
    d = position(ships, hands, phase=phase, **entries)
    d["params"]["calm_saves"] = True
    return edge_envs.load_game("over_the_edge", **d["params"]).state_from_dict(d)


def texts(state: Any) -> list[str]:
    return [state.action_to_string(action) for action in state.legal_actions()]


def play(state: Any, *actions: str) -> Any:
    for text in actions:
        state.apply_action(state.string_to_action(text))
    return state


def drawn_third(**entries: Any) -> Any:
    """Return the position after player 0 has drawn the third stormy seas."""
    hands = [{**STORM, "stormy_seas": 2}, {}]
    return play(
        state_at(["B1 A0", "A3 A3"], hands, deck={"stormy_seas": 5, "mutiny": 1}, **entries), "draw stormy_seas"
    )


def test_the_owner_may_discard_instead_of_drifting() -> None:
    state = drawn_third()
    assert state.to_dict()["phase"] == "sets"
    assert texts(state) == ["calm", "set stormy_seas"]


def test_calm_saves_the_ship_and_ends_the_turn() -> None:
    state = play(drawn_third(), "calm")
    d = state.to_dict()
    assert d["ships"][0]["space"] == "B1"
    assert d["hands"][0] == {"fair_weather": 1, "stormy_seas": 2}
    assert d["discards"] == {"stormy_seas": 1, "dead_calm": 3}
    assert (d["turn_player"], d["turn"]) == (1, 11)
    assert "discards three dead_calm and one stormy_seas. The ship does not drift." in state.history_strings()[-1]


def test_the_owner_may_choose_to_drift() -> None:
    d = play(drawn_third(), "set stormy_seas").to_dict()
    assert d["ships"][0]["space"] != "B1"
    assert d["hands"][0] == {"fair_weather": 1, "dead_calm": 3}


def test_calm_for_another_ship_does_not_cost_a_turn() -> None:
    hands = [{"favorable_winds": 1, "stormy_seas": 1}, {**STORM, "stormy_seas": 2}]
    state = state_at(["B1 A0", "C1 A3"], hands, phase="play")
    state = play(state, "winds C1", "board 1", "take fair_weather", "give stormy_seas")
    assert (state.current_player(), texts(state)) == (1, ["calm", "set stormy_seas"])
    d = play(state, "calm").to_dict()
    assert (d["phase"], d["turn_player"]) == ("second_step", 0)
    assert d["hands"][1] == {"stormy_seas": 2}


def test_without_three_dead_calm_or_without_the_option_the_set_takes_effect() -> None:
    d = position(["B1 A0", "A3 A3"], [{**STORM, "stormy_seas": 2}, {}], phase="draw", deck={"stormy_seas": 5})
    plain = edge_envs.load_game("over_the_edge", **d["params"]).state_from_dict(d)
    assert play(plain, "draw stormy_seas").to_dict()["ships"][0]["space"] != "B1"
    few = state_at(["B1 A0", "A3 A3"], [{"stormy_seas": 2, "dead_calm": 2}, {}], deck={"stormy_seas": 5})
    assert play(few, "draw stormy_seas").to_dict()["ships"][0]["space"] != "B1"


def test_six_stormy_seas_are_still_a_set_after_calm() -> None:
    state = state_at(["A1 A0", "A3 A3"], [{"stormy_seas": 5, "dead_calm": 3}, {}], deck={"stormy_seas": 5})
    d = play(state, "draw stormy_seas", "calm").to_dict()
    assert d["hands"][0] == {"stormy_seas": 2}  # five were left, of which three took effect


@pytest.mark.parametrize("size", [1, 3, 10])
def test_hands_have_the_given_size(size: int) -> None:
    state = edge_envs.load_game("over_the_edge", map="pond", hand_size=size).new_initial_state(seed=0)
    play(state, "home Jetty", "home Reeds")
    while state.to_dict()["phase"] == "deal":
        state.apply_action(state.sample_chance())
    assert [sum(hand.values()) for hand in state.to_dict()["hands"]] == [size, size]
    state.apply_action(state.sample_chance())
    state.apply_action(state.legal_actions()[0])
    assert state.to_dict()["phase"] == "depart"


def test_the_deck_has_the_given_cards() -> None:
    game = edge_envs.load_game("over_the_edge", map="pond", cards={"mutiny": 0, "fair_weather": 30})
    assert game.params["cards"] == {**CARDS, "mutiny": 0, "fair_weather": 30}
    assert game.new_initial_state(seed=0).to_dict()["deck"] == {
        kind: count for kind, count in game.params["cards"].items() if count
    }
    assert "cards={'fair_weather':30,'mutiny':0}" in repr(game)


@pytest.mark.parametrize(
    "cards",
    [{"mutinies": 3}, {"mutiny": -1}, {"mutiny": 128}, {"mutiny": 1.5}, {"mutiny": True}, dict.fromkeys(CARDS, 0), 7],
)  # fmt: skip
def test_invalid_cards_are_rejected(cards: Any) -> None:
    with pytest.raises(ParameterError, match=r"over_the_edge: invalid cards=.*: expected a dict of counts, 0 to 127"):
        edge_envs.load_game("over_the_edge", cards=cards)


def test_defaults_are_left_out_of_positions() -> None:
    game = edge_envs.load_game("over_the_edge", map="pond", hand_size=5, cards={"mutiny": 8}, calm_saves=False)
    assert game == edge_envs.load_game("over_the_edge", map="pond")
    assert list(game.new_initial_state(seed=0).to_dict()["params"]) == ["num_players", "map", "boarding", "max_turns"]
    shown = edge_envs.load_game("over_the_edge", map="pond", calm_saves=True).params_dict()
    assert list(shown) == ["num_players", "map", "boarding", "max_turns", "calm_saves"]
