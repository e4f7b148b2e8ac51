"""What the sensible player of `ghost_ship` weighs by, tuned by self-play, and what its values mean.

Times, and values on the tour, are in ticks, of which a turn has `routes.TURN`. No weight is above `MOST_WEIGHT`: a step
takes less than the ring of a search (`routes.RING`) has room for.
"""

from __future__ import annotations

from edge_envs.core.values import Feature, Values, Weight

MOST_WEIGHT = 250.0

_WEIGHTS = {
    "sail": (4.0, "a step for 1 point"),
    "coast": (9.0, "a step for 2 points"),
    "overland": (16.0, "a step for 3 points, and along the rim"),
    "skull": (44.0, "what a skull adds to a step out of its circle"),
    "storm": (18.0, "what a storm adds at sea, before it is known where it leads"),
    "storm_turn": (10.0, "the drift in a storm"),
    "lost": (200.0, "where the drift may lead nothing is farther than that"),
    "storm_ashore": (18.0, "what a storm adds ashore"),
    "hostile": (14.0, "what the hostile add"),
    "ruins": (5.0, "what ruins add"),
    "friendly": (5.0, "what the friendly add"),
    "search": (56.0, "the search for the boat, where nobody helps"),
    "ask": (28.0, "the same among the hostile and in ruins"),
    "ask_friends": (14.0, "the same among the friendly"),
    "taking": (9.0, "taking a treasure"),
    "chest": (8.0, "more for a chit in a chest"),
    "point": (4.0, "what a point of the score counts"),
    "next": (0.8, "how much of the way from a treasure to the next one counts"),
    "later": (0.6, "and of the ways from there on, link by link"),
    "links": (3.0, "how many treasures after the next one are thought of; the fraction is dropped"),
    "longest": (140.0, "a way to a next treasure counts no more than that"),
    "second": (0.0, "how much of the second best way on counts in place of the best, which others may use up"),
    "ghost": (14.0, "what a point counts that the ghost may take"),
    "gold_ones": (0.5, "chits of value 1 still to come that count for gold"),
    "steal": (30.0, "what it counts besides that another has to search"),
    "easy": (2.4, "turns of trouble from which on a chit is better laid near the others"),
    "sea": (0.7, "against each land edge of a tile near the own corner"),
    "near_gold": (3.0, "for a tile there that takes gold"),
    "rivals_loss": (0.5, "what others lose to the ghost counts that much"),
}

VALUES = Values(
    unit="turns",
    span=4.0,
    whole_turns=True,
    weights=tuple(Weight(name, default, 0.0, MOST_WEIGHT, told) for name, (default, told) in _WEIGHTS.items()),
    features=(
        Feature("distance", "minus the turns to the treasure that is best, against having the best of all at hand"),
        Feature("outlook", "minus the turns to the treasure that is best, less what it is worth"),
        Feature("score", "the score; chits that the viewer has never seen count by their mean"),
        Feature("chits", "chits held"),
        Feature("gold", "pieces of gold held"),
        Feature("skip", "turns that will be skipped"),
        Feature("saved", "points saved for a later spin, or owed"),
    ),
)
WEIGHTS = VALUES.weights_with()
