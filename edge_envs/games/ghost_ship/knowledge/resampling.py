"""Resample what a player of `ghost_ship` does not know: chits of others, chits that they lost, and chits never taken.

Chits are drawn as individual pieces. All deals that agree with the player's information are equally likely. A chit that
another player showed is still held or has been lost since. Let s pieces have been shown, n be held and L lost in total.
The number of deals in which k of the shown pieces are lost is C(s, k) / ((n - s + k)! (L - k)!), times a factor that
does not depend on k. For each other player, k is drawn with these weights. Then the unseen pieces are dealt to the
rest.
"""

from __future__ import annotations

import math

import numpy as np

from edge_envs.core.compiler.jit import kernel
from edge_envs.core.kernels.rng import draw, unit
from edge_envs.games.ghost_ship.knowledge.meetings import are_together, show
from edge_envs.games.ghost_ship.pieces.draws import sample_index
from edge_envs.games.ghost_ship.state import GAINED, KNOWN, LOST, NUM_CHITS, NUM_VALUES, OVER

_FACTORIAL = np.array([float(math.factorial(n)) for n in range(NUM_CHITS + 1)])


@kernel
def resample(state, player):
    """Draw everything that `player` cannot know with the state's generator. The player's information does not change.

    When the game is over, everything is open and remains.
    """
    if state.phase == OVER:
        return
    _return_unknown_chits(state, player)
    for other in range(np.int64(state.num_players)):
        if other != player:
            _deal(state, player, other)
    for viewer in range(np.int64(state.num_players)):
        for other in range(np.int64(state.num_players)):
            if viewer != player and other != player and other != viewer:
                _update_showing(state, viewer, other)


@kernel
def _return_unknown_chits(state, player):
    """Put all chits into the pool except the player's own and lost chits, and those that others showed."""
    for k in range(NUM_VALUES):
        known = np.int64(state.own[player, k]) + np.int64(state.lost[player, k])
        for other in range(np.int64(state.num_players)):
            known += np.int64(state.shown[player, other, k])
        state.pool[k] = np.int64(state.full[k]) - known


@kernel
def _deal(state, viewer, player):
    """Deal a player chits and losses that agree with what `viewer` knows."""
    holds, loses, shows = np.int64(state.num_chits[player]), np.int64(0), np.int64(0)
    for k in range(NUM_VALUES):
        loses += np.int64(state.lost[player, k])
        shows += np.int64(state.shown[viewer, player, k])
        state.own[player, k] = state.shown[viewer, player, k]
        state.lost[player, k] = 0
    gone = 0
    if state.shown[viewer, player, KNOWN]:
        gone = _sample_lost_shown(state, viewer, player, holds, loses, shows)
    for _ in range(gone):
        k = sample_index(state.own[player], NUM_VALUES, draw(state))
        state.own[player, k] -= 1
        state.lost[player, k] += 1
    for _ in range(holds - shows + gone):
        state.own[player, _from_pool(state)] += 1
    for _ in range(loses - gone):
        state.lost[player, _from_pool(state)] += 1


@kernel
def _count_deals(holds, loses, shows, gone):
    """Return the number of deals, up to a common factor, in which this many of the shown chits are lost."""
    chosen = _FACTORIAL[shows] / (_FACTORIAL[gone] * _FACTORIAL[shows - gone])
    return chosen / (_FACTORIAL[holds - shows + gone] * _FACTORIAL[loses - gone])


@kernel
def _sample_lost_shown(state, viewer, player, holds, loses, shows):
    """Draw how many of the shown chits are lost."""
    gained, lost = np.int64(state.shown[viewer, player, GAINED]), np.int64(state.shown[viewer, player, LOST])
    least, most = max(0, lost - gained), min(lost, shows)
    total = 0.0
    for gone in range(least, most + 1):
        total += _count_deals(holds, loses, shows, gone)
    left = unit(draw(state)) * total
    for gone in range(least, most):
        left -= _count_deals(holds, loses, shows, gone)
        if left < 0.0:
            return gone
    return most


@kernel
def _from_pool(state):
    """Draw a uniformly random chit from the pool."""
    k = sample_index(state.pool, NUM_VALUES, draw(state))
    state.pool[k] -= 1
    return k


@kernel
def _update_showing(state, viewer, player):
    """Forget showings that are out of date. Players who are together see the present chits."""
    if are_together(state, viewer, player):
        show(state, viewer, player)
        return
    for k in range(state.shown.shape[2]):
        state.shown[viewer, player, k] = 0
