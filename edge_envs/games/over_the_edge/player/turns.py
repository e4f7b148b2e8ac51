"""Action values of `over_the_edge`: search the rest of the turn and value the ships at its end."""

from __future__ import annotations

import numpy as np

from edge_envs.core.compiler.jit import inlined_kernel, kernel
from edge_envs.games.over_the_edge.actions import WAIT
from edge_envs.games.over_the_edge.pieces.cards import FAIR_WEATHER, FAVORABLE_WINDS, number_of
from edge_envs.games.over_the_edge.player.routes_home import num_layers
from edge_envs.games.over_the_edge.player.ships import value_of
from edge_envs.games.over_the_edge.rules import apply, current_player, first_other, is_at_sea, legal_action_mask
from edge_envs.games.over_the_edge.state import BOARD, DEPART, DISCARD, HOME, MAX_PLAYERS, STATE, TRIM

LEAST_VALUE = -1e6  # the least value of a legal action

MOST_DEPTH = 8  # the search depth in decisions: play, board, take, give, second step, sets
READY = 10  # steps in hand plus players at which a ship has little to wait for


@kernel
def _value_against_others(state, before, player, weights, costs, followings, known):
    """Return the value of a position for a player, minus the weighted gains of the other ships since `before`."""
    value = value_of(state, player, weights, costs, followings, known)
    players = np.int64(state.num_players)
    for other in range(players):
        changed = state.hands[other] != before.hands[other] or state.space[other] != before.space[other]
        if other != player and (changed or state.skip[other] != before.skip[other]):
            change = value_of(state, other, weights, costs, followings, known)
            change -= value_of(before, other, weights, costs, followings, known)
            value -= weights.rivals / (players - 1) * change
    return value


@kernel
def find_values(state, weights, values):
    """Fill `values` (A,) with the value of each action for the player to act, in turns; -inf for illegal actions.

    This is a depth-first search over the player's decisions in this turn.
    """
    player = np.int64(current_player(state))
    num_actions, nodes = values.shape[0], np.int64(state.num_spaces) * num_layers(state)
    costs, followings = np.empty((MAX_PLAYERS, nodes)), np.empty((MAX_PLAYERS, nodes), np.int64)
    known = np.zeros(MAX_PLAYERS, np.bool_)
    stack = np.empty(MOST_DEPTH, STATE)
    masks = np.empty((MOST_DEPTH, num_actions), np.int8)
    tried = np.zeros(MOST_DEPTH, np.int64)
    values[:] = -np.inf
    stack[0] = state
    legal_action_mask(stack[0], masks[0])
    level, root = 0, 0
    while level >= 0:
        action = tried[level]
        while action < num_actions and masks[level, action] == 0:
            action += 1
        if action == num_actions:
            level -= 1
            continue
        tried[level] = action + 1
        if level == 0:
            root = action
        ahead = level + 1
        stack[ahead] = stack[level]
        position = stack[ahead]
        apply(position, action)
        continues = position.turn == state.turn and current_player(position) == player
        if (position.phase == BOARD and level > 2) or state.phase == TRIM or state.phase == DISCARD:
            continues = False  # do not search a second boarding, nor beyond discards
        if continues and ahead < MOST_DEPTH - 1:
            legal_action_mask(position, masks[ahead])
            tried[ahead] = 0
            level = ahead
        else:
            known[player] = known[player] and state.phase != HOME  # the home depends on the action
            value = _value_against_others(position, state, player, weights, costs, followings, known)
            values[root] = max(values[root], value if value > LEAST_VALUE else LEAST_VALUE)
    if state.phase == DEPART and weights.ready != 0.0 and _is_ready(state, player):
        values[first_other(state) + WAIT] += weights.ready


@inlined_kernel
def _steps_in(hand):
    """Return how many steps the cards of a hand allow."""
    return number_of(hand, FAIR_WEATHER) + 2 * number_of(hand, FAVORABLE_WINDS)


@kernel
def _is_ready(state, player):
    """Return whether a ship in port has little to wait for: its hand carries it far, and no other in port farther.

    This makes one of several waiting ships leave at last, and the more ships there are, the earlier.
    """
    hand = state.hands[player]
    if _steps_in(hand) + state.num_players < READY:
        return False
    for other in range(state.num_players):
        is_in_port = state.space[other] >= 0 and not is_at_sea(state, other)
        if other != player and is_in_port and _steps_in(state.hands[other]) > _steps_in(hand):
            return False
    return True
