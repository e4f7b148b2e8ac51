"""What actions are worth in `over_the_edge`: all ways through the rest of a turn, valued by the ships at its end."""

from __future__ import annotations

import numpy as np

from edge_envs.core.compiler.jit import inlined_kernel, kernel
from edge_envs.games.over_the_edge.actions import WAIT
from edge_envs.games.over_the_edge.pieces.cards import FAIR_WEATHER, FAVORABLE_WINDS, number_of
from edge_envs.games.over_the_edge.player.routes_home import num_layers
from edge_envs.games.over_the_edge.player.ships import value_of
from edge_envs.games.over_the_edge.rules import apply, current_player, first_other, is_at_sea, legal_action_mask
from edge_envs.games.over_the_edge.state import BOARD, DEPART, DISCARD, HOME, MAX_PLAYERS, STATE, TRIM

HOPELESS = -1e6  # no legal action has less

MOST_DEPTH = 8  # decisions of a turn that are looked into: play, board, take, give, second step, sets
READY = 10  # steps in hand and players together, with which a ship has little to wait for


@kernel
def _value_against_others(state, before, player, weights, costs, followings, known):
    """The value of a position to a player; of the others' ships, what has changed since `before`."""
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
    """Fill values (A,) with what each action is worth to the player to act, in turns; -inf for illegal ones."""
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
        goes_on = position.turn == state.turn and current_player(position) == player
        if (position.phase == BOARD and level > 2) or state.phase == TRIM or state.phase == DISCARD:
            goes_on = False  # a second boarding, and what comes after discards, is thought of in its time
        if goes_on and ahead < MOST_DEPTH - 1:
            legal_action_mask(position, masks[ahead])
            tried[ahead] = 0
            level = ahead
        else:
            known[player] = known[player] and state.phase != HOME  # where it lies with the action
            value = _value_against_others(position, state, player, weights, costs, followings, known)
            values[root] = max(values[root], value if value > HOPELESS else HOPELESS)
    if state.phase == DEPART and weights.ready != 0.0 and _is_ready(state, player):
        values[first_other(state) + WAIT] += weights.ready


@inlined_kernel
def _steps_in(hand):
    """How far a hand carries a ship."""
    return number_of(hand, FAIR_WEATHER) + 2 * number_of(hand, FAVORABLE_WINDS)


@kernel
def _is_ready(state, player):
    """Whether a ship in port has little to wait for: a hand that carries it far, and no other in port farther.

    So of ships that wait for each other one leaves at last, the sooner the more there are.
    """
    hand = state.hands[player]
    if _steps_in(hand) + state.num_players < READY:
        return False
    for other in range(state.num_players):
        is_in_port = state.space[other] >= 0 and not is_at_sea(state, other)
        if other != player and is_in_port and _steps_in(state.hands[other]) > _steps_in(hand):
            return False
    return True
