"""Proofs by search: whether a player of a game of two, without chance, can get at least so much.

The search is df-pn, depth first by proof numbers. A position's *proof number* says how much there is still to do to
prove a claim about it, its *disproof number* how much to refute it; the search goes where there is least to do. Where
the player to move needs one good action, the number is the least of those after its actions; where all have to be dealt
with, it is the greatest, and one more for each further action, since what follows from them is much the same. A table
keeps the numbers of positions, so a search that was broken off goes on from where it was.

A claim may be *limited*: then it is about the game as it is, and the table tells positions apart by the turns that are
left. Else it says that the player gets so much before the limit on turns matters, and a position is one however many
turns are left. On the way to such a claim a position may come back, or a game may last to the limit. Neither ever
helps to prove it, so what is proven is true. What is refuted is true where the note says so: where the refutation did
without them. Both come with a number of turns within which they are carried out.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from edge_envs.core.nodes import TERMINAL

if TYPE_CHECKING:
    from edge_envs.core.game import Array, GameType, Records

PROVEN, REFUTED, OPEN, STUCK = 1, 0, -1, -2
"""`STUCK`: not proven, but only for positions that come back or the limit on turns."""

LEAST_MEMORY, MOST_MEMORY = 0.001, 100_000.0
"""Of a table, in gigabytes."""

_WAYS = 4  # places of the table where a position may lie
_SETTLED = 1 << 30  # a number that stands for no end of work; more is twice the turns it takes, and 1 if it is stuck
_0, _1, _32 = np.uint64(0), np.uint64(1), np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)


@dataclass(frozen=True)
class Hints:
    """What a game without chance, of two players and paid at the end, tells so that claims about it can be proven.

    | field | promise |
    |---|---|
    | `position_key(state, key)` | fills `key` (2,) with what tells the position from all that are worth something else to the player to act, the turns left aside |
    | `turns_left(state)` | the turns that may still end, this one included; 1 or less at an end that the limit has made |
    | `decisions(params)` | the most decisions of a turn |
    """  # noqa: E501  a table row is one line

    position_key: Callable[..., Any]
    turns_left: Callable[..., Any]
    decisions: Callable[..., int]


class Desk(NamedTuple):
    """What a search writes on. The rows are positions on the way from the root."""

    states: Records
    keys: Array  # (depth, 2)
    levels: Array  # (depth, 6): see below
    moves: Array  # (depth, actions, 6): the actions of a position, see below
    move_keys: Array  # (depth, actions, 2): of the positions after them
    legal: Array
    mask: Array
    rewards: Array
    tally: Array  # (1,): positions looked at
    answer: Array  # (3,): the numbers of the root, and the action that settled it or -1


class Search(NamedTuple):
    """The compiled functions of one game."""

    search: Any
    put_all: Any


COUNT, CLAIMS, MOST_PROOF, MOST_DISPROOF, SINCE, TURNS = range(6)
"""Of `levels`: actions, whether the claimant acts, numbers at which to return, the tally before, the turns left."""

PROOF, DISPROOF, FIXED, THEIRS, PASSED, ACTION = range(6)
"""Of `moves`: the numbers, whether they are final, whether the claimant acts then, turns that end, the action."""


def blank_table(slots: int) -> Array:
    """A table with so many places, a power of two.

    A row (4,) of uint64 holds the two words of a key, the proof and disproof numbers, and the claim with the work done.
    """
    return np.zeros((slots, 4), np.uint64)


def slots_of(gigabytes: float) -> int:
    """The places of the largest table that takes no more memory than this; ValueError if that cannot be."""
    if not LEAST_MEMORY <= gigabytes <= MOST_MEMORY:  # NaN included
        raise ValueError(
            f"a table of {gigabytes:g} gigabytes is not possible; possible are {LEAST_MEMORY:g} to {MOST_MEMORY:,.0f}"
        )
    return 1 << int(gigabytes * 2**30 / 32).bit_length() - 1


def memory_for(rows: int) -> float:
    """The gigabytes of memory, rounded up, that suffice for a table with places for so many positions."""
    return max(LEAST_MEMORY, math.ceil(1000 * (1 << (rows - 1).bit_length()) * 32 / 2**30) / 1000)


def turns_of(number: int) -> int:
    """The turns within which a claim is carried out, from the greater of its numbers."""
    return (number - _SETTLED) // 2


def build_search(game_type: GameType, hints: Hints) -> Search:
    """The compiled search of one game."""
    ruleset = game_type.ruleset
    compiled, kernels = ruleset.compiled, game_type.kernels
    current_player, apply = kernels.current_player, kernels.apply
    legal_action_mask, rewards_of = kernels.legal_action_mask, kernels.rewards
    position_key, turns_left = hints.position_key, hints.turns_left

    @compiled
    def start_of(first, second, tag, places):
        mixed = first * np.uint64(0x9E3779B97F4A7C15) ^ second * np.uint64(0xC2B2AE3D27D4EB4F)
        mixed ^= tag * np.uint64(0x165667B19E3779F9)
        mixed = (mixed ^ mixed >> _32) * np.uint64(0xD6E8FEB86659FD93)
        return np.int64((mixed ^ mixed >> _32) & np.uint64(places - 1)) // _WAYS * _WAYS

    @compiled
    def place_of(table, first, second, tag):
        start = start_of(first, second, tag, table.shape[0])
        for place in range(start, start + _WAYS):
            if table[place, 0] == first and table[place, 1] == second and table[place, 3] >> _32 == tag:
                return place
        return -1

    @compiled
    def put(table, first, second, tag, numbers, work):
        """Write what is known of a position, in the place of what took least work if there is none free."""
        place = place_of(table, first, second, tag)
        if place < 0:
            start = start_of(first, second, tag, table.shape[0])
            place = start
            for other in range(start, start + _WAYS):
                if table[other, 3] & _LOW < table[place, 3] & _LOW:
                    place = other
            table[place, 0] = first
            table[place, 1] = second
            table[place, 3] = _0
        done = min((table[place, 3] & _LOW) + work, _LOW)
        table[place, 2] = numbers
        table[place, 3] = tag << _32 | done

    @compiled
    def put_all(table, rows):
        """Write the rows of another table."""
        for k in range(rows.shape[0]):
            put(table, rows[k, 0], rows[k, 1], rows[k, 3] >> _32, rows[k, 2], rows[k, 3] & _LOW)

    @compiled
    def tag_of(claims, turns, least, limited):
        bits = (turns << 2 if limited else 0) | (2 if least > 0.0 else 0) | (1 if claims else 0)
        return np.uint64(bits) | np.uint64(1 << 30) | np.uint64(1 << 29 if limited else 0)

    @compiled
    def settled_by(turns, stuck):
        return _SETTLED + 2 * turns + stuck

    @compiled
    def look_at_move(desk, level, count, action, player, least, limited):
        """Write down an action, and say whether it settles the claim."""
        desk.states[level + 1] = desk.states[level]
        state, move, claims = desk.states[level + 1], desk.moves[level, count], desk.levels[level, CLAIMS]
        apply(state, action)
        acting = current_player(state)
        desk.tally[0] += 1
        move[ACTION] = action
        move[PASSED] = desk.levels[level, TURNS] - turns_left(state)
        move[FIXED] = acting == TERMINAL
        if acting == TERMINAL:
            rewards_of(state, desk.rewards)
            stuck = not limited and turns_left(state) <= 1
            good = desk.rewards[player] >= least and not stuck
            number = settled_by(1, 1 if stuck else 0)
            move[PROOF] = 0 if good else number
            move[DISPROOF] = number if good else 0
            return good == (claims == 1) and not stuck
        position_key(state, desk.move_keys[level, count])
        move[THEIRS] = 1 if acting == player else 0
        legal_action_mask(state, desk.mask)
        choices = 0
        for other in range(desk.mask.shape[0]):
            choices += desk.mask[other]
        move[PROOF] = 1 if acting == player else choices
        move[DISPROOF] = choices if acting == player else 1
        return False

    @compiled
    def is_new(desk, level, count):
        """Whether no action before leads to the same position."""
        moves, keys = desk.moves[level], desk.move_keys[level]
        for other in range(count):
            same = keys[other, 0] == keys[count, 0] and keys[other, 1] == keys[count, 1]
            if same and not moves[other, FIXED] and moves[other, THEIRS] == moves[count, THEIRS]:
                return moves[other, PASSED] != moves[count, PASSED]
        return True

    @compiled
    def open_level(desk, level, player, least, limited):
        """Write down the actions of the position at a level, or one alone that settles the claim."""
        levels, moves = desk.levels[level], desk.moves[level]
        legal_action_mask(desk.states[level], desk.legal)
        levels[CLAIMS] = current_player(desk.states[level]) == player
        levels[TURNS] = turns_left(desk.states[level])
        levels[SINCE] = desk.tally[0]
        count = 0
        for action in range(desk.legal.shape[0]):
            if desk.legal[action]:
                if look_at_move(desk, level, count, action, player, least, limited):
                    moves[0] = moves[count]
                    count = 1
                    break
                if moves[count, FIXED] or is_new(desk, level, count):
                    count += 1
        levels[COUNT] = count

    @compiled
    def recall(desk, table, level, least, limited):
        """Take the numbers after the actions from the table, as far as they are there."""
        moves, keys, turns = desk.moves[level], desk.move_keys[level], desk.levels[level, TURNS]
        for k in range(desk.levels[level, COUNT]):
            move = moves[k]
            if not move[FIXED]:
                tag = tag_of(move[THEIRS] == 1, turns - move[PASSED], least, limited)
                place = place_of(table, keys[k, 0], keys[k, 1], tag)
                if place >= 0:
                    move[PROOF] = np.int64(table[place, 2] >> _32)
                    move[DISPROOF] = np.int64(table[place, 2] & _LOW)

    @compiled
    def sum_up(desk, level):
        """What is known of a level: its numbers for the player to act, the best action, and the second best number.

        The first number is what is left to do until that player has what it wants, the second until the other has.
        """
        moves, claims = desk.moves[level], desk.levels[level, CLAIMS] == 1
        mine, theirs = (PROOF, DISPROOF) if claims else (DISPROOF, PROOF)
        best, second, most, open_ones, longest, stuck, won = -1, _SETTLED, 0, 0, 0, 0, False
        for k in range(desk.levels[level, COUNT]):
            own, other = moves[k, mine], moves[k, theirs]
            turns = (max(own, other) - _SETTLED) // 2 + moves[k, PASSED]
            if own == 0:
                # the shortest way is the best: others may go in circles
                number = settled_by(turns, (other - _SETTLED) & 1)
                if not won or (number & 1, number) < (second & 1, second):
                    won, best, second = True, k, number
            elif won:
                continue
            elif other == 0:
                longest = max(longest, turns)
                stuck |= (own - _SETTLED) & 1
            else:
                open_ones += 1
                most = max(most, other)
                if best < 0 or own < moves[best, mine] or (own == moves[best, mine] and other > moves[best, theirs]):
                    if best >= 0:
                        second = moves[best, mine]
                    best = k
                else:
                    second = min(second, own)
        if won:
            return 0, second, best, 0, 0
        if open_ones == 0:
            return settled_by(longest, stuck), 0, -1, 0, 0
        return moves[best, mine], min(most + open_ones - 1, _SETTLED - 1), best, second, open_ones

    @compiled
    def comes_back(desk, level, move, limited):
        """Whether the position after an action is one on the way to it, or the way is too long."""
        keys = desk.move_keys[level, move]
        for above in range(0 if limited else level + 1):
            same = desk.keys[above, 0] == keys[0] and desk.keys[above, 1] == keys[1]
            if same and desk.levels[above, CLAIMS] == desk.moves[level, move, THEIRS]:
                return True
        return level + 2 >= desk.levels.shape[0]

    @compiled
    def go_down(desk, level, move, second, open_ones):
        """Make the next level ready for the position after an action, to be left when another gets better."""
        levels, following = desk.levels[level], desk.levels[level + 1]
        mine, theirs = (MOST_PROOF, MOST_DISPROOF) if levels[CLAIMS] else (MOST_DISPROOF, MOST_PROOF)
        following[mine] = min(levels[mine], second + second // 4 + 1)
        following[theirs] = levels[theirs] - (open_ones - 1)
        desk.keys[level + 1] = desk.move_keys[level, move]
        desk.states[level + 1] = desk.states[level]
        apply(desk.states[level + 1], desk.moves[level, move, ACTION])

    @compiled
    def search(desk, table, player, least, limited, nodes):
        """Search for a proof of a claim about `desk.states[0]`, where somebody is to act; fill `desk.answer`.

        It ends when the claim is settled, or when so many positions have been looked at.
        """
        desk.tally[0] = 0
        levels = desk.levels
        level = 0
        position_key(desk.states[0], desk.keys[0])
        levels[0, MOST_PROOF] = _SETTLED
        levels[0, MOST_DISPROOF] = _SETTLED
        open_level(desk, 0, player, least, limited)
        while True:
            recall(desk, table, level, least, limited)
            mine, theirs, best, second, open_ones = sum_up(desk, level)
            claims = levels[level, CLAIMS] == 1
            proof, disproof = (mine, theirs) if claims else (theirs, mine)
            enough = proof >= levels[level, MOST_PROOF] or disproof >= levels[level, MOST_DISPROOF]
            if enough or open_ones == 0 or desk.tally[0] >= nodes:
                tag = tag_of(claims, levels[level, TURNS], least, limited)
                numbers = np.uint64(proof) << _32 | np.uint64(disproof)
                work = np.uint64(desk.tally[0] - levels[level, SINCE])
                put(table, desk.keys[level, 0], desk.keys[level, 1], tag, numbers, work)
                if level == 0:
                    desk.answer[0] = proof
                    desk.answer[1] = disproof
                    desk.answer[2] = desk.moves[0, best, ACTION] if mine == 0 else -1
                    return
                level -= 1
            elif comes_back(desk, level, best, limited):
                desk.moves[level, best, PROOF] = settled_by(0, 1)
                desk.moves[level, best, DISPROOF] = 0
                desk.moves[level, best, FIXED] = 1
            else:
                go_down(desk, level, best, second, open_ones)
                level += 1
                open_level(desk, level, player, least, limited)

    return Search(search, put_all)
