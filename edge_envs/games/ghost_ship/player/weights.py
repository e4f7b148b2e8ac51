"""Declare the weights of the heuristic of `ghost_ship`, which were tuned by self-play, and its features of positions.

Times, and values on the tour, are in ticks; a turn has `travel_times.TURN` ticks. No weight is above `MOST_WEIGHT`, so
that a step takes less time than the circular bucket queue of the search (`travel_times.RING`) can hold.
"""

from __future__ import annotations

from edge_envs.core.values import Feature, Values, Weight

MOST_WEIGHT = 250.0

_WEIGHTS = {
    "sail": (4.0, "cost of a step for 1 point"),
    "coast": (9.0, "cost of a step for 2 points"),
    "overland": (16.0, "cost of a step for 3 points, and along the rim"),
    "skull": (44.0, "extra cost of a step out of the circle of a skull"),
    "storm": (18.0, "extra cost of a storm at sea, before the search knows where it leads"),
    "storm_turn": (10.0, "cost of the drift in a storm"),
    "lost": (200.0, "longest time counted from a place where the drift may lead"),
    "storm_ashore": (18.0, "extra cost of a step out of a storm ashore"),
    "hostile": (14.0, "extra cost of a step out of a hostile tile"),
    "ruins": (5.0, "extra cost of a step out of ruins"),
    "friendly": (5.0, "extra cost of a step out of a friendly tile"),
    "search": (56.0, "cost of searching for the boat on a tile without a symbol"),
    "ask": (28.0, "cost of searching for the boat on a hostile tile or in ruins"),
    "ask_friends": (14.0, "cost of searching for the boat on a friendly tile"),
    "taking": (9.0, "cost of taking a treasure"),
    "chest": (8.0, "extra cost of taking a chit on a chest"),
    "point": (4.0, "value of a point of the score"),
    "next": (0.8, "share that counts of the way from a treasure to the next one"),
    "later": (0.6, "discount for each further way"),
    "links": (3.0, "number of treasures considered after the next one; the fraction is dropped"),
    "longest": (140.0, "longest time counted for a way to a next treasure"),
    "second": (0.0, "weight of the second best way on instead of the best, which others may use up"),
    "ghost": (14.0, "cost of a point lost to the ghost"),
    "gold_ones": (0.5, "share of the chits of value 1 still to come that counts for gold"),
    "steal": (30.0, "value of stealing a boat, in addition to the victim's search"),
    "easy": (2.4, "extra turns for a chit above which it is better placed near the others"),
    "sea": (0.7, "penalty for each land edge of a tile near the player's own corner"),
    "near_gold": (3.0, "bonus for a tile near the player's own corner that receives gold"),
    "rivals_loss": (0.5, "weight of what others lose to the ghost"),
}

VALUES = Values(
    unit="turns",
    span=4.0,
    whole_turns=True,
    weights=tuple(Weight(name, default, 0.0, MOST_WEIGHT, text) for name, (default, text) in _WEIGHTS.items()),
    features=(
        Feature("distance", "minus the turns to the best treasure, relative to having the best of all at hand"),
        Feature("outlook", "minus the turns to the best treasure, plus its value"),
        Feature("score", "the score; chits that the viewer has not seen count as their mean"),
        Feature("chits", "chits held"),
        Feature("gold", "pieces of gold held"),
        Feature("skip", "turns that the player will miss"),
        Feature("saved", "points saved for a later spin, with their sign"),
    ),
)
WEIGHTS = VALUES.weights_with()
