"""The parameter `map`: its stored value, its short form, and which maps are equal."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

import edge_envs
from edge_envs import Game, InvalidPositionError
from edge_envs.games.over_the_edge import GAME
from edge_envs.games.over_the_edge.map import charts
from edge_envs.games.over_the_edge.map.charts import load_map, read_source

BAY_FILE = Path(__file__).parent / "bay.json"
BAY = json.loads(BAY_FILE.read_text(encoding="utf-8"))
MAP = GAME.parameters["map"]


def sailing(value: Any) -> Game:
    """Return the game on a map."""
    return edge_envs.load_game("over_the_edge", map=value)


def backwards(value: Any) -> Any:
    """Return the same value with the keys of all dicts in reverse order."""
    if isinstance(value, dict):
        return {key: backwards(value[key]) for key in reversed(value)}
    return [backwards(entry) for entry in value] if isinstance(value, list) else value


def test_the_name_of_a_shipped_map_is_kept_and_any_other_map_is_a_dict() -> None:
    assert sailing("pond").params["map"] == "pond"
    assert sailing(BAY).params["map"] == sailing(str(BAY_FILE)).params["map"] == BAY


def test_a_dict_is_formatted_as_the_name_of_the_map() -> None:
    assert MAP.format_value(BAY) == "<map 'bay'>"
    assert MAP.format_value({"no": "map"}) == "<map None>"
    assert MAP.format_value("pond") == "'pond'"


def test_the_repr_of_a_game_leaves_out_its_map() -> None:
    text = "load_game('over_the_edge', num_players=2, map=<map 'bay'>, boarding=True, max_turns=500)"
    assert repr(sailing(BAY)) == text


def test_a_position_on_another_map_is_rejected_with_a_short_message() -> None:
    position = sailing(BAY).new_initial_state(seed=0).to_dict()
    with pytest.raises(InvalidPositionError) as refused:
        sailing("pond").state_from_dict(position)
    assert str(refused.value) == "params: map=<map 'bay'> instead of this game's map='pond'"


def test_games_do_not_depend_on_the_order_of_keys() -> None:
    one, other = sailing(BAY), sailing(backwards(BAY))
    assert list(one.params["map"]) != list(other.params["map"])
    assert one == other
    assert hash(one) == hash(other)


def test_a_map_by_its_name_is_the_same_as_its_dict() -> None:
    assert MAP.same("pond", read_source("pond"))
    assert MAP.same(BAY, backwards(BAY))
    assert not MAP.same("pond", "flat_earth")
    assert not MAP.same(BAY, {**BAY, "barriers": []})


def test_only_the_map_gives_meaning_to_ids() -> None:
    assert [name for name, parameter in GAME.parameters.items() if parameter.gives_meaning] == ["map"]


def test_a_game_computes_the_geometry_of_its_map_once(monkeypatch: pytest.MonkeyPatch) -> None:
    measure = Mock(wraps=charts._measure)
    monkeypatch.setattr(charts, "_measure", measure)
    source = {**BAY, "name": "a bay of this test alone"}
    assert sailing(source).params["map"] == source
    assert load_map(source).name == source["name"]
    assert measure.call_count == 1
