"""What a viewer of `ghost_ship` knows about chits: expected values, expected scores, and the gain of another chit."""

from __future__ import annotations

import numpy as np

from edge_envs.core.compiler.jit import kernel
from edge_envs.games.ghost_ship.state import GAINED, KNOWN, NUM_VALUES, VALUE

MOST_CHIT_POINTS, MOST_GOLD_POINTS = 7, 7


@kernel
def count_unseen(state, viewer, unseen):
    """Fill `unseen` (values,) with the chits whose value the viewer has never seen; return their number."""
    count = 0
    for k in range(NUM_VALUES):
        left = np.int64(state.full[k]) - np.int64(state.own[viewer, k]) - np.int64(state.lost[viewer, k])
        for other in range(np.int64(state.num_players)):
            if other != viewer and state.shown[viewer, other, KNOWN]:
                left -= np.int64(state.shown[viewer, other, k])
        unseen[k] = max(left, 0)
        count += unseen[k]
    return count


@kernel
def mean_of_unseen(state, viewer):
    """Return the mean value of chits that the viewer has never seen, and the share of the value 1 among them."""
    unseen = np.empty(NUM_VALUES, np.int64)
    count = max(count_unseen(state, viewer, unseen), 1)
    total = np.int64(0)
    for k in range(NUM_VALUES):
        total += (k + 1) * unseen[k]
    return total / count, unseen[0] / count


@kernel
def chits_held(state, player):
    """Return the number of a player's chits, with one that is being taken and without one that is being lost."""
    chits = np.int64(state.num_chits[player])
    if state.phase == VALUE and player == state.turn_player:
        chits += 1
    elif (np.int64(state.losers) >> player) & 1 and chits > 0:
        chits -= 1
    return chits


@kernel
def known_chits(state, player, viewer, mean, ones):
    """Return the expected value of a player's chits and the expected number of value 1, as far as the viewer knows.

    Each of the shown chits, and of those gained since, is equally likely to be among those lost since. A chit that is
    being taken or lost counts as taken or lost.
    """
    held, own_ones, count = 0.0, 0.0, np.float64(state.num_chits[player])
    if player == viewer:
        for k in range(NUM_VALUES):
            held += np.int64(state.own[player, k]) * (k + 1)
        own_ones = np.float64(state.own[player, 0])
    else:
        gained, shown = count, 0.0
        if state.shown[viewer, player, KNOWN]:
            gained = np.float64(state.shown[viewer, player, GAINED])
            for k in range(NUM_VALUES):
                seen = np.float64(state.shown[viewer, player, k])
                shown += seen
                held += seen * (k + 1)
            own_ones = np.float64(state.shown[viewer, player, 0])
        kept = count / max(shown + gained, 1.0)
        held, own_ones = kept * (held + gained * mean), kept * (own_ones + gained * ones)
    now = np.float64(chits_held(state, player))
    if now > count:
        return held + mean, own_ones + ones
    if now < count:
        return held * now / count, own_ones * now / count
    return held, own_ones


@kernel
def more_points(state, player, mean, ones, own_ones):
    """Return what one more chit, and what more gold, adds to a player's expected score, rounded, at least 1.

    Args:
        state: The position.
        player: The player.
        mean: The mean value of unseen chits.
        ones: The share of the value 1 among them.
        own_ones: The expected number of the player's chits of value 1.
    """
    gold = max(1.0, own_ones)
    chit = np.rint(mean + np.float64(state.num_gold[player]) * (max(1.0, own_ones + ones) - gold))
    return (
        np.int64(min(max(chit, 1.0), np.float64(MOST_CHIT_POINTS))),
        np.int64(min(np.rint(gold), np.float64(MOST_GOLD_POINTS))),
    )
