"""Proofs by search: whether a player of a game of two, without chance, can get at least so much within so many turns.

The search goes depth first through a claim: the claimant needs one action that holds it, the other any that breaks it.
It remembers in a table what it has found of positions, tries first the actions that ended the search of others, or
those that the game's own player thinks best, and passes over what a game's `Hints` rule out.

A claim has a *horizon*, a number of turns. If the game would go on after them, the claim does not hold. So what is
proven holds with any greater horizon; what is refuted holds for this horizon, and for good where the limit on turns
lies within it. With a *width* the claimant tries no more than so many actions of a decision, but for the last turns:
such a claim that holds is proven all the same, and one that does not says nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from edge_envs.core.nodes import TERMINAL

if TYPE_CHECKING:
    from edge_envs.core.game import Array, GameType, Records

PROVEN, REFUTED, OPEN = 1, 0, -1
MOST_TURNS = 250
"""The greatest horizon."""
_THOUGHTFUL = 3  # from so many turns on, the game's own player is asked which actions are best
_WAYS = 4  # places of the table where a position may lie

_0, _BYTE = np.uint64(0), np.uint64(0xFF)
_16, _24, _32 = np.uint64(16), np.uint64(24), np.uint64(32)


@dataclass(frozen=True)
class Hints:
    """What a game without chance, of two players and paid at the end, tells so that claims about it can be proven.

    | field | promise |
    |---|---|
    | `position_key(state, key)` | fills `key` (2,) with what tells the position from all that are worth something else to the player to act, the turns left aside |
    | `turns_left(state)` | the turns that may still end, this one included |
    | `goes_on(state)` | whether it is certain that the game is not over after this turn, unless no turn is left |
    | `best_end(state)` | no less than what the player to act gets if the game is over after this turn |
    | `decisions(params)` | the most decisions of a turn |
    """  # noqa: E501  a table row is one line

    position_key: Callable[..., Any]
    turns_left: Callable[..., Any]
    goes_on: Callable[..., Any]
    best_end: Callable[..., Any]
    decisions: Callable[..., int]


class Table(NamedTuple):
    """What is known of positions: the key, and in a word the claim, its least proven and greatest refuted horizon."""

    keys: Array  # (n, 2) uint64
    notes: Array  # (n,) uint64: from the highest bit on 32 of the claim, 8 proven, 8 refuted, 16 of the work it took


class Desk(NamedTuple):
    """What a search writes on. The rows are positions on the way from the root."""

    states: Records
    keys: Array
    moves: Array  # (depth, actions): those not tried yet, then those that were, the last one first
    thoughts: Array  # (depth, actions)
    levels: Array  # (depth, 5): see below
    past: Array  # (horizon, 2, actions): how often an action ended the search of a position
    mask: Array
    rewards: Array
    values: Array
    tally: Array  # (1,): positions looked at


LEFT, TRIED, PLAYER, HORIZON, SINCE = range(5)  # of `levels`


def blank_table(slots: int) -> Table:
    """A table with so many places, a power of two."""
    return Table(np.zeros((slots, 2), np.uint64), np.zeros(slots, np.uint64))


def build_search(game_type: GameType, hints: Hints) -> Any:
    """The compiled search of one game.

    `search(desk, table, weights, player, least, horizon, width, nodes)` says whether a claim about `desk.states[0]`,
    where somebody is to act, is PROVEN or REFUTED, or OPEN after looking at so many positions. An action that settled
    it is then the last that was tried of the first level.
    """
    ruleset = game_type.ruleset
    compiled, kernels = ruleset.compiled, game_type.kernels
    current_player, apply = kernels.current_player, kernels.apply
    legal_action_mask, rewards_of, action_values = kernels.legal_action_mask, kernels.rewards, kernels.action_values
    position_key, turns_left = hints.position_key, hints.turns_left
    goes_on, best_end = hints.goes_on, hints.best_end

    @compiled
    def start_of(key, tag, places):
        mixed = key[0] * np.uint64(0x9E3779B97F4A7C15) ^ key[1] * np.uint64(0xC2B2AE3D27D4EB4F)
        mixed ^= tag * np.uint64(0x165667B19E3779F9)
        mixed = (mixed ^ mixed >> _32) * np.uint64(0xD6E8FEB86659FD93)
        return np.int64((mixed ^ mixed >> _32) & np.uint64(places - 1)) // _WAYS * _WAYS

    @compiled
    def place_of(table, key, tag):
        start = start_of(key, tag, table.notes.shape[0])
        for place in range(start, start + _WAYS):
            if table.notes[place] >> _32 == tag and table.keys[place, 0] == key[0] and table.keys[place, 1] == key[1]:
                return place
        return -1

    @compiled
    def recall(table, key, tag, horizon):
        place = place_of(table, key, tag)
        if place >= 0:
            note = table.notes[place]
            if np.int64(note >> _24 & _BYTE) <= horizon:
                return PROVEN
            if np.int64(note >> _16 & _BYTE) >= horizon:
                return REFUTED
        return OPEN

    @compiled
    def remember(table, key, tag, horizon, answer, work):
        place = place_of(table, key, tag)
        if place < 0:
            start = start_of(key, tag, table.notes.shape[0])
            place = start
            for other in range(start, start + _WAYS):
                if table.notes[other] & np.uint64(0xFFFF) < table.notes[place] & np.uint64(0xFFFF):
                    place = other
            table.keys[place, 0] = key[0]
            table.keys[place, 1] = key[1]
            table.notes[place] = _BYTE << _24
        proven, refuted = table.notes[place] >> _24 & _BYTE, table.notes[place] >> _16 & _BYTE
        if answer == PROVEN:
            proven = min(proven, np.uint64(horizon))
        else:
            refuted = max(refuted, np.uint64(horizon))
        table.notes[place] = tag << _32 | proven << _24 | refuted << _16 | np.uint64(min(work + 1, 0xFFFF))

    @compiled
    def tag_of(state, is_claimant, least, near, width):
        turns = turns_left(state) if near else 0
        bits = (turns << 9) | (width << 2) | (2 if least > 0.0 else 0) | (1 if is_claimant else 0)
        return np.uint64(bits) | np.uint64(1 << 31)

    @compiled
    def look(desk, table, weights, level, player, least, floor, width):
        """The answer at a level if it is plain to see; if it is OPEN the level is made ready for its actions."""
        state, levels = desk.states[level], desk.levels
        acting = current_player(state)
        if acting == TERMINAL:
            rewards_of(state, desk.rewards)
            return PROVEN if desk.rewards[player] >= least else REFUTED
        horizon = turns_left(state) - floor
        near = floor == 0
        if horizon <= 0:
            return REFUTED
        if horizon == 1:
            if not near and goes_on(state):
                return REFUTED
            most = best_end(state)
            if acting == player and most < least:
                return REFUTED
            if acting != player and near and -most >= least:
                return PROVEN
        position_key(state, desk.keys[level])
        if level > 0:
            answer = recall(table, desk.keys[level], tag_of(state, acting == player, least, near, width), horizon)
            if answer == OPEN and near and horizon > 1:  # a proof that does not need the limit on turns
                far = recall(table, desk.keys[level], tag_of(state, acting == player, least, False, width), horizon)
                answer = PROVEN if far == PROVEN else OPEN
            if answer != OPEN:
                return answer
        legal_action_mask(state, desk.mask)
        count = 0
        for action in range(desk.mask.shape[0]):
            if desk.mask[action]:
                desk.moves[level, count] = action
                count += 1
        if horizon >= _THOUGHTFUL:
            think(desk, level, weights)
        levels[level, LEFT] = count
        levels[level, TRIED] = 0
        levels[level, PLAYER] = acting
        levels[level, HORIZON] = horizon
        levels[level, SINCE] = desk.tally[0]
        return OPEN

    if action_values is None:

        @compiled
        def think(desk, level, weights):
            for action in range(desk.thoughts.shape[1]):
                desk.thoughts[level, action] = 0.0
    else:

        @compiled
        def think(desk, level, weights):
            action_values(desk.states[level], weights, desk.values)
            for action in range(desk.thoughts.shape[1]):
                desk.thoughts[level, action] = desk.values[action]

    @compiled
    def next_action(desk, level, side):
        """Take the action that promises most from those that are left."""
        levels, moves = desk.levels, desk.moves[level]
        horizon = levels[level, HORIZON]
        past, thoughts = desk.past[horizon, side], desk.thoughts[level]
        best = 0
        for k in range(1, levels[level, LEFT]):
            one, other = moves[k], moves[best]
            better = past[one] > past[other]
            if horizon >= _THOUGHTFUL and thoughts[one] != thoughts[other]:
                better = thoughts[one] > thoughts[other]
            if better:
                best = k
        last = levels[level, LEFT] - 1
        action = moves[best]
        moves[best] = moves[last]
        moves[last] = action
        levels[level, LEFT] = last
        levels[level, TRIED] += 1
        return np.int64(action)

    @compiled
    def settle_level(desk, table, level, player, least, floor, width, answer):
        """Remember the answer at a level, and the action that gave it."""
        levels = desk.levels
        acting, horizon = levels[level, PLAYER], levels[level, HORIZON]
        tag = tag_of(desk.states[level], acting == player, least, floor == 0, width)
        remember(table, desk.keys[level], tag, horizon, answer, desk.tally[0] - levels[level, SINCE])
        if (answer == PROVEN) == (acting == player):
            action = desk.moves[level, levels[level, LEFT]]
            desk.past[horizon, 0 if acting == player else 1, action] += 1

    @compiled
    def search(desk, table, weights, player, least, horizon, width, nodes):
        floor = max(0, turns_left(desk.states[0]) - horizon)
        desk.tally[0] = 0
        level = 0
        answer = look(desk, table, weights[0], 0, player, least, floor, width)
        while True:
            claims = desk.levels[level, PLAYER] == player
            narrow = claims and width > 0 and desk.levels[level, HORIZON] >= _THOUGHTFUL
            if answer != OPEN:
                if level == 0:
                    return answer
                level -= 1
                if (answer == PROVEN) == (desk.levels[level, PLAYER] == player):
                    settle_level(desk, table, level, player, least, floor, width, answer)
                else:
                    answer = OPEN
            elif desk.levels[level, LEFT] == 0 or (narrow and desk.levels[level, TRIED] >= width):
                answer = REFUTED if claims else PROVEN
                settle_level(desk, table, level, player, least, floor, width, answer)
            else:
                desk.tally[0] += 1
                if desk.tally[0] > nodes:
                    return OPEN
                action = next_action(desk, level, 0 if claims else 1)
                desk.states[level + 1] = desk.states[level]
                level += 1
                apply(desk.states[level], action)
                answer = look(desk, table, weights[0], level, player, least, floor, width)

    return search
