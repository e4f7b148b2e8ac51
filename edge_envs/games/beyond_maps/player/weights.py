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


def values_with(*others: Weight, **defaults: float) -> Values:
    """The values of a heuristic: its own weights and those of `player.land`, with these defaults."""
    of_land = (
        Weight("no_start", defaults["no_start"], -10.0, 10.0, "the player has nowhere to begin a land action"),
        Weight(
            "other_no_start", defaults["other_no_start"], -10.0, 10.0, "the other has nowhere to begin a land action"
        ),
        Weight("enclosed", defaults["enclosed"], -2.0, 2.0, "a square that the player has nearly enclosed"),
        Weight("other_enclosed", defaults["other_enclosed"], -2.0, 2.0, "a square that the other has nearly enclosed"),
        *(
            Weight(name, defaults[name], -20.0, 20.0, f"{whose} ship has {many} out")
            for prefix, whose in (("", "the"), ("other_", "the other's"))
            for many in ("one way", "two ways", "three ways")
            for name in (f"{prefix}{many.replace(' ', '_')}_out",)
        ),
    )
    return Values(unit="squares", span=4.0, weights=(*others, *of_land), features=FEATURES, decided=WON / 2)
