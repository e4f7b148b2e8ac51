"""What the heuristics of `beyond_maps` weigh by, and the numbers that they give about positions."""

from __future__ import annotations

from edge_envs.core.values import Feature, Values, Weight
from edge_envs.games.beyond_maps.player.land import WON

FEATURES = (
    Feature("value", "the lead in land, corrected by the weights; 1000 more or less once the game is settled"),
    Feature("land", "squares of own land"),
    Feature("nearly_enclosed", "squares won if all gaps of one square were closed; the other's land counts twice"),
    Feature("can_start", "1 if a land action has a place to start from"),
    Feature("ways_out", "sea squares beside the ship, 0 to 4"),
)

OF_POSITIONS = {
    "no_start": (10.0, "the player has nowhere to begin a land action"),
    "other_no_start": (10.0, "the other has nowhere to begin a land action"),
    "enclosed": (2.0, "a square that the player has nearly enclosed"),
    "other_enclosed": (2.0, "a square that the other has nearly enclosed"),
    "one_way_out": (20.0, "the ship has one way out"),
    "two_ways_out": (20.0, "the ship has two ways out"),
    "three_ways_out": (20.0, "the ship has three ways out"),
    "other_one_way_out": (20.0, "the other's ship has one way out"),
    "other_two_ways_out": (20.0, "the other's ship has two ways out"),
    "other_three_ways_out": (20.0, "the other's ship has three ways out"),
}
"""The weights of `player.land`: how much at most, up or down, and for what."""


def values_with(*others: Weight, **defaults: float) -> Values:
    """The values of a heuristic: weights of its own, and those of `player.land` with these defaults."""
    of_positions = (Weight(name, defaults[name], -most, most, text) for name, (most, text) in OF_POSITIONS.items())
    return Values(unit="squares", span=4.0, weights=(*others, *of_positions), features=FEATURES, decided=WON / 2)
