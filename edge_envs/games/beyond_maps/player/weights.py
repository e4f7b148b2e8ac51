"""Weights and position features of the heuristics of `beyond_maps`."""

from __future__ import annotations

from edge_envs.core.values import Feature, Values, Weight
from edge_envs.games.beyond_maps.player.land import WON

FEATURES = (
    Feature("value", "the lead in land, corrected by the weights; plus or minus 1000 once the game is decided"),
    Feature("land", "squares of the player's land"),
    Feature("nearly_enclosed", "squares gained if all one-square gaps were closed; the opponent's land counts twice"),
    Feature("can_start", "1 if the player has a place to start a land action"),
    Feature("ways_out", "sea squares next to the ship, 0 to 4"),
)

OF_POSITIONS = {
    "no_start": (10.0, "the player has no place to start a land action"),
    "other_no_start": (10.0, "the opponent has no place to start a land action"),
    "enclosed": (2.0, "a square that the player has nearly enclosed"),
    "other_enclosed": (2.0, "a square that the opponent has nearly enclosed"),
    "one_way_out": (20.0, "the player's ship has one way out"),
    "two_ways_out": (20.0, "the player's ship has two ways out"),
    "three_ways_out": (20.0, "the player's ship has three ways out"),
    "other_one_way_out": (20.0, "the opponent's ship has one way out"),
    "other_two_ways_out": (20.0, "the opponent's ship has two ways out"),
    "other_three_ways_out": (20.0, "the opponent's ship has three ways out"),
}
"""The weights of `player.land` by name: the maximum absolute value and the description."""


def values_with(*others: Weight, **defaults: float) -> Values:
    """Return the `Values` of a heuristic: its own weights, and the weights of `player.land` with these defaults."""
    of_positions = (Weight(name, defaults[name], -most, most, text) for name, (most, text) in OF_POSITIONS.items())
    return Values(unit="squares", span=4.0, weights=(*others, *of_positions), features=FEATURES, decided=WON / 2)
