"""What the sensible player of `ghost_ship` weighs by: one record, tuned by self-play.

Times, and worths on the tour, are in ticks, of which a turn has `travel_times.TURN`. Learners may take other weights
for their hints, from 0 to `MOST_WEIGHT`: a step takes less than the ring of a search (`travel_times.RING`) has room
for.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

FIELDS = {
    "sail": 4.0,  # a step for 1 point
    "coast": 9.0,  # for 2 points
    "overland": 16.0,  # for 3 points, and along the rim
    "skull": 44.0,  # what a symbol adds to a step out of its circle
    "storm": 18.0,  # at sea, before it is known where that storm leads
    "storm_turn": 10.0,  # the drift
    "lost": 200.0,  # where the drift may lead nothing is farther than that
    "storm_ashore": 18.0,
    "hostile": 14.0,
    "ruins": 5.0,
    "friendly": 5.0,
    "search": 56.0,  # for the boat, where nobody helps
    "ask": 28.0,  # the same among the hostile and in ruins
    "ask_friends": 14.0,
    "taking": 9.0,
    "chest": 8.0,  # more for a chit there
    "point": 4.0,  # what a point of the score is worth
    "next": 0.8,  # how much of the way from a treasure to the next one counts
    "later": 0.6,  # and of the ways from there on, link by link
    "links": 3.0,  # how many treasures after the next one are thought of; the fraction is dropped
    "longest": 140.0,  # a way to a next treasure counts no more than that
    "second": 0.0,  # how much of the second best way on counts in place of the best, which others may use up
    "ghost": 14.0,  # what a point is worth that the ghost may take
    "gold_ones": 0.5,  # chits of value 1 still to come that count for gold
    "steal": 30.0,  # what it is worth besides that another has to search
    "easy": 2.4,  # turns of trouble from which on a chit is better laid near the others
    "sea": 0.7,  # against each land edge of a tile near the own corner
    "near_gold": 3.0,  # for a tile there that takes gold
    "rivals_loss": 0.5,  # what others lose to the ghost counts that much
}
MOST_WEIGHT = 250.0
_DTYPE = np.dtype((np.record, np.dtype([(name, np.float64) for name in FIELDS])))


def weights_with(changes: Mapping[str, float]) -> np.ndarray:
    """An array of one record of weights: the heuristic's but for some.

    ValueError names those that do not exist, or are not between 0 and `MOST_WEIGHT`.
    """
    weights = np.zeros(1, _DTYPE)
    for name, value in {**FIELDS, **changes}.items():
        if name not in FIELDS:
            raise ValueError(f"the heuristic of ghost_ship has no weight {name!r}; it has {', '.join(FIELDS)}")
        if not 0.0 <= value <= MOST_WEIGHT:
            raise ValueError(f"the weight {name!r} must be from 0 to {MOST_WEIGHT:g}, not {value:g}")
        weights[name] = value
    return weights


WEIGHTS = weights_with({})
