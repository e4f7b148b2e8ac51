"""What a player of `ghost_ship` does not know, drawn anew: the chits of others, those they lost, those never taken.

Chits are drawn as pieces, each way to deal them that agrees with what the player sees being as likely as any other.
What another showed is still held or was lost since. Of s pieces shown, n held and L lost in all, k of those shown are
lost in C(s, k) / ((n - s + k)! (L - k)!) ways, times a number that is the same for every k. By these weights k is drawn
for each other player, and the unseen pieces are dealt to the rest.
"""

from __future__ import annotations

import math

import numpy as np

from edge_envs.core.compiler.jit import kernel
from edge_envs.core.kernels.rng import draw, unit
from edge_envs.games.ghost_ship.knowledge.meetings import are_together, show
from edge_envs.games.ghost_ship.pieces.draws import pick
from edge_envs.games.ghost_ship.state import GAINED, KNOWN, LOST, NUM_CHITS, NUM_VALUES, OVER

_FACTORIAL = np.array([float(math.factorial(n)) for n in range(NUM_CHITS + 1)])


@kernel
def resample(state, player):
    """Draw with the state's word what `player` cannot know; what that player sees stays to the letter.

    When the game is over, everything is open and stays.
    """
    if state.phase == OVER:
        return
    _take_back(state, player)
    for other in range(np.int64(state.num_players)):
        if other != player:
            _deal(state, player, other)
    for viewer in range(np.int64(state.num_players)):
        for other in range(np.int64(state.num_players)):
            if viewer != player and other != player and other != viewer:
                _forget(state, viewer, other)


@kernel
def _take_back(state, player):
    """Put everything into the pool but the player's own chits and losses, and what others showed."""
    for k in range(NUM_VALUES):
        known = np.int64(state.own[player, k]) + np.int64(state.lost[player, k])
        for other in range(np.int64(state.num_players)):
            known += np.int64(state.shown[player, other, k])
        state.pool[k] = np.int64(state.full[k]) - known


@kernel
def _deal(state, viewer, player):
    """Deal a player chits and losses as `viewer` may think of them."""
    holds, loses, shows = np.int64(state.num_chits[player]), np.int64(0), np.int64(0)
    for k in range(NUM_VALUES):
        loses += np.int64(state.lost[player, k])
        shows += np.int64(state.shown[viewer, player, k])
        state.own[player, k] = state.shown[viewer, player, k]
        state.lost[player, k] = 0
    gone = 0
    if state.shown[viewer, player, KNOWN]:
        gone = _shown_and_gone(state, viewer, player, holds, loses, shows)
    for _ in range(gone):
        k = pick(state.own[player], NUM_VALUES, draw(state))
        state.own[player, k] -= 1
        state.lost[player, k] += 1
    for _ in range(holds - shows + gone):
        state.own[player, _from_pool(state)] += 1
    for _ in range(loses - gone):
        state.lost[player, _from_pool(state)] += 1


@kernel
def _ways(holds, loses, shows, gone):
    """Return in how many ways, up to a common factor, so many of the chits shown are lost."""
    chosen = _FACTORIAL[shows] / (_FACTORIAL[gone] * _FACTORIAL[shows - gone])
    return chosen / (_FACTORIAL[holds - shows + gone] * _FACTORIAL[loses - gone])


@kernel
def _shown_and_gone(state, viewer, player, holds, loses, shows):
    """Draw how many of the chits that were shown are lost."""
    gained, lost = np.int64(state.shown[viewer, player, GAINED]), np.int64(state.shown[viewer, player, LOST])
    least, most = max(0, lost - gained), min(lost, shows)
    total = 0.0
    for gone in range(least, most + 1):
        total += _ways(holds, loses, shows, gone)
    left = unit(draw(state)) * total
    for gone in range(least, most):
        left -= _ways(holds, loses, shows, gone)
        if left < 0.0:
            return gone
    return most


@kernel
def _from_pool(state):
    """Draw a uniform piece out of the pool."""
    k = pick(state.pool, NUM_VALUES, draw(state))
    state.pool[k] -= 1
    return k


@kernel
def _forget(state, viewer, player):
    """Forget older showings; those who are together see what there is."""
    if are_together(state, viewer, player):
        show(state, viewer, player)
        return
    for k in range(state.shown.shape[2]):
        state.shown[viewer, player, k] = 0
