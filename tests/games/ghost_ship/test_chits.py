"""The parameter `chits`: accepted values, the stored form, and rejected values."""

from __future__ import annotations

import json
import pickle
from collections import Counter
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest
import yaml

import edge_envs
from edge_envs import Game
from edge_envs.games.ghost_ship import GAME
from edge_envs.games.ghost_ship.pieces.chits import IN_ALL, VALUES
from edge_envs.games.ghost_ship.state import NUM_CHITS, NUM_VALUES

CHITS = GAME.parameters["chits"]
EVEN = {"1": 5, "2": 5, "3": 5, "4": 5}


def game(chits: Any) -> Game:
    """Return the game with these chits."""
    return edge_envs.load_game("ghost_ship", chits=chits)


def check(value: Any) -> Any:
    """Return the stored form of a value."""
    return CHITS.check("ghost_ship", value)


@pytest.mark.parametrize(
    "value",
    [
        {1: 5, 2: 5, 3: 5, 4: 5},
        {"1": 5, "2": 5, "3": 5, "4": 5},
        {4: 5, "3": 5, 2: 5, "1": 5},
        {np.int8(1): np.int64(5), np.str_("2"): np.uint8(5), np.uint16(3): 5, 4: 5},
        Counter({1: 5, 2: 5, 3: 5, 4: 5}),
        MappingProxyType(EVEN),
    ],
)
def test_values_may_be_integers_or_strings_and_become_strings(value: Any) -> None:
    kept = check(value)
    assert list(kept.items()) == list(EVEN.items())
    assert {type(key) for key in kept} == {str}
    assert {type(count) for count in kept.values()} == {int}
    assert type(kept) is dict


@pytest.mark.parametrize("value", [{3: 20}, {"3": 20, "1": 0}, {1: 0, 2: 0, 3: 20, 4: 0}])
def test_a_missing_value_counts_0(value: Any) -> None:
    assert check(value) == {"1": 0, "2": 0, "3": 20, "4": 0}


def test_the_default_has_the_stored_form() -> None:
    assert list(check(CHITS.default).items()) == list(CHITS.default.items())


def test_the_stored_form_is_valid_again_even_through_json() -> None:
    assert check(json.loads(json.dumps(check(EVEN)))) == EVEN


@pytest.mark.parametrize(
    "value",
    [
        *(None, 20, "20", [8, 6, 4, 2], [("1", 20)], {20}, {}),  # no dict of counts
        *({1: 19}, {1: 21}, {1: 8, 2: 6, 3: 4}, {1: 0}),  # not twenty
        *({1: -1, 2: 21}, {1: 20.0}, {1: "20"}, {1: None}, {1: [20]}, {1: 20, 2: True, 3: -1}),  # no counts
        *({0: 20}, {5: 20}, {-1: 20}, {"0": 20}, {"5": 20}, {1: 20, 5: 0}),  # other values
        *({"01": 20}, {" 1": 20}, {"one": 20}, {"": 20}, {"None": 20}, {b"1": 20}, {1.0: 20}, {"1.0": 20}),  # no values
        *({True: 20}, {None: 20}, {(1,): 20}, {frozenset([1]): 20}, {1 + 0j: 20}, {1: 20, None: 0}),
        *({1: 20, "1": 0}, {"1": 10, 1: 10}, {2: 0, 1: 20, "2": 0}),  # a value twice
    ],
)
def test_anything_else_is_rejected_with_the_expected_form(value: Any) -> None:
    with pytest.raises(ValueError, match=r"^ghost_ship: invalid chits=") as caught:
        check(value)
    assert str(caught.value) == f"ghost_ship: invalid chits={value!r}: expected {CHITS.possible}"


def test_a_count_that_is_true_is_rejected() -> None:
    for count in (True, np.True_):
        with pytest.raises(ValueError, match="chits="):
            check({1: 19, 2: count})


def test_the_expected_form_is_described() -> None:
    assert CHITS.possible == "a dict of counts by the values 1 to 4, 20 in all"


def test_equal_chits_in_different_forms_are_the_same() -> None:
    assert CHITS.same({1: 20}, {"2": 0, "1": 20})
    assert not CHITS.same({1: 20}, {2: 20})


def test_chits_do_not_change_the_meaning_of_ids() -> None:
    assert not CHITS.gives_meaning


def test_the_record_has_room_for_all_values() -> None:
    assert (len(VALUES), IN_ALL) == (NUM_VALUES, NUM_CHITS)


# The game


def test_games_with_equal_chits_are_equal() -> None:
    one, other = game({4: 5, 3: 5, 2: 5, 1: 5}), game(EVEN)
    assert one == other
    assert hash(one) == hash(other)
    assert one != game({1: 20})


def test_the_repr_of_a_game_contains_its_chits() -> None:
    assert "chits={1:0,2:20,3:0,4:0}" in repr(game({2: 20}))


def test_the_given_dict_is_copied() -> None:
    given = dict(EVEN)
    there = game(given)
    given["1"] = 7
    assert there.params["chits"] == EVEN


def test_the_default_is_copied() -> None:
    before = dict(CHITS.default)
    edge_envs.load_game("ghost_ship").params["chits"]["1"] = 7
    assert CHITS.default == before
    assert edge_envs.load_game("ghost_ship").params["chits"] == before


def test_changing_the_dict_of_a_game_does_not_change_its_rules() -> None:
    there = game(EVEN)
    there.params["chits"]["1"] = 7
    assert there.params_dict()["chits"] == EVEN
    assert there.new_initial_state(seed=0).to_dict()["pool"] == EVEN
    assert pickle.loads(pickle.dumps(there)) == game(EVEN)


def test_copies_of_the_parameters_are_independent() -> None:
    there = game(EVEN)
    there.params_dict()["chits"]["1"] = 7
    assert there.params_dict()["chits"] == EVEN


def test_a_game_survives_pickling() -> None:
    there = game({2: 20})
    assert pickle.loads(pickle.dumps(there)) == there


@pytest.mark.parametrize(
    "text", ["{1: 8, 2: 6, 3: 4, 4: 2}", '{"1": 8, "2": 6, "3": 4, "4": 2}', "1: 8\n2: 6\n3: 4\n4: 2"]
)
def test_a_configuration_may_give_chits(text: str) -> None:
    assert game(yaml.safe_load(text)) == edge_envs.load_game("ghost_ship")
