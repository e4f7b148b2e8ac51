"""Proof-number search for deterministic two-player games: whether a player can force a return of at least v.

The search is df-pn (Nagai, 2002), the depth-first form of proof-number search (Allis, van der Meulen and van den Herik,
1994), with a transposition table. A position's *proof number* estimates the work left to prove a claim about it, its
*disproof number* the work left to refute it; the search descends to the most proving position. Three variations:

* At a position where every action must be dealt with, the number is the maximum over the actions plus one for each
  further open action, as in weak proof-number search (Ueda, Hashimoto, Hashimoto and Iida, 2008): the subtrees of a
  board game overlap, and the usual sum counts them many times.
* A child is left only when its number exceeds the second best by a quarter, the 1+ε trick of Pawlewicz and Lew (2007).
* A new position starts with 1 and the number of its legal actions (mobility) instead of 1 and 1.

A claim may be *limited*: then it is about the game with its limit on turns, and the table tells positions apart by the
turns left. Otherwise it says that the player forces the return before the limit matters, and a position is the same
whatever number of turns is left. On the way to an unlimited claim a position may repeat, or a game may last to the
limit. Neither ever counts as a proof, so a proof is always sound, whatever the path (the graph-history interaction
problem). A refutation is sound if it did without both, which its number records. Both come with the number of turns in
which they are carried out.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from edge_envs.core.compiled import compiled_game
from edge_envs.core.compiler.jit import kernel
from edge_envs.core.game import Game
from edge_envs.core.game_type import GameType
from edge_envs.core.loops.complete_kernels import CompleteKernels
from edge_envs.core.nodes import TERMINAL
from edge_envs.core.solving.proof_table import disproof_of, find_row, packed, proof_of, put
from edge_envs.core.spec import Array, Records
from edge_envs.moved import moved_names

_SETTLED = 1 << 30
"""The number of a settled claim, standing for infinity. Twice the turns it takes are added, and 1 if it is stuck."""


@dataclass(frozen=True)
class ProofKernels:
    """The kernels that a game declares for proofs.

    The game is deterministic, has two players, and pays at the end.

    | field | promise |
    |---|---|
    | `position_key(state, key)` | fills `key` (2,) uint64 with what tells the position, turns left aside, from all that have another value for the player to act |
    | `turns_left(state)` | the number of turns that may still end, this one included; 1 or less at an end that the limit has made |
    | `decisions(params)` | the maximal number of decisions in a turn |
    """  # noqa: E501  a table row is one line

    position_key: Callable[..., Any]
    turns_left: Callable[..., Any]
    decisions: Callable[..., int]


class Workspace(NamedTuple):
    """The arrays that a search writes to. Row i is the position at depth i on the path from the root."""

    states: Records
    keys: Array  # (depth, 2) uint64
    levels: Array  # (depth, 6) int64: see the indices below
    moves: Array  # (depth, actions, 6) int64: the actions of a position, see below
    move_keys: Array  # (depth, actions, 2) uint64: the keys of the positions after them
    legal: Array  # (actions,) int8
    mask: Array  # (actions,) int8
    rewards: Array  # (players,)
    visited: Array  # (1,) int64: the number of positions visited
    result: Array  # (3,) int64: the root's proof and disproof numbers, and the action that settled it or -1


COUNT, OR_NODE, PROOF_LIMIT, DISPROOF_LIMIT, SINCE, TURNS = range(6)
"""Indices of `levels`: number of actions, whether the claimant acts, the two thresholds, positions visited before,
turns left."""

PROOF, DISPROOF, FIXED, TO_OR_NODE, PASSED, ACTION = range(6)
"""Indices of `moves`: the two numbers, whether they are final, whether the claimant acts next, the number of turns that
end, the action."""


def workspace(game: Game, depth: int) -> Workspace:
    """Allocate the arrays for a search down to `depth`."""
    actions = game.num_distinct_actions
    return Workspace(
        game.new_records(depth),
        np.zeros((depth, 2), np.uint64),
        np.zeros((depth, 6), np.int64),
        np.zeros((depth, actions, 6), np.int64),
        np.zeros((depth, actions, 2), np.uint64),
        np.zeros(actions, np.int8),
        np.zeros(actions, np.int8),
        np.zeros(game.num_players),
        np.zeros(1, np.int64),
        np.zeros(3, np.int64),
    )


def turns_of(number: int) -> int:
    """Return the turns in which a settled claim is carried out, from the larger of its numbers."""
    return (number - _SETTLED) // 2


@functools.cache
def search_of(game_type: GameType, declared: ProofKernels) -> Any:
    """Build the compiled search of a game.

    Returns:
        A function `search(work, table, player, least, limited, nodes)`, see `_search`.
    """
    kernels = compiled_game(game_type).kernels
    return _search(kernels, declared, _open_level(kernels, declared, _add_move(kernels, declared)), _go_down(kernels))


@kernel
def _tag_of(or_node, turns, least, limited):
    """Return the tag of a claim in the table, 30 bits and never 0."""
    bits = (turns << 2 if limited else 0) | (2 if least > 0.0 else 0) | (1 if or_node else 0)
    return np.uint64(bits) | np.uint64(1 << 30) | np.uint64(1 << 29 if limited else 0)


@kernel
def _settled_by(turns, stuck):
    return _SETTLED + 2 * turns + stuck


def _add_move(kernels: CompleteKernels, declared: ProofKernels) -> Any:
    apply, current_player, rewards_of = kernels.apply, kernels.current_player, kernels.rewards
    legal_action_mask, position_key, turns_left = kernels.legal_action_mask, declared.position_key, declared.turns_left

    @kernels.compiled
    def add_move(work, level, count, action, player, least, limited):
        """Write the row of an action; return whether it settles the claim for the player to act."""
        work.states[level + 1] = work.states[level]
        state, move, or_node = work.states[level + 1], work.moves[level, count], work.levels[level, OR_NODE]
        apply(state, action)
        acting = current_player(state)
        work.visited[0] += 1
        move[ACTION] = action
        move[PASSED] = work.levels[level, TURNS] - turns_left(state)
        move[FIXED] = acting == TERMINAL
        if acting == TERMINAL:
            rewards_of(state, work.rewards)
            stuck = not limited and turns_left(state) <= 1
            good = work.rewards[player] >= least and not stuck
            number = _settled_by(1, 1 if stuck else 0)
            move[PROOF] = 0 if good else number
            move[DISPROOF] = number if good else 0
            return good == (or_node == 1) and not stuck
        position_key(state, work.move_keys[level, count])
        move[TO_OR_NODE] = 1 if acting == player else 0
        legal_action_mask(state, work.mask)
        mobility = 0
        for other in range(work.mask.shape[0]):
            mobility += work.mask[other]
        move[PROOF] = 1 if acting == player else mobility
        move[DISPROOF] = mobility if acting == player else 1
        return False

    return add_move


@kernel
def _is_new(work, level, count):
    """Return whether no earlier action leads to the same position as action number `count`."""
    moves, keys = work.moves[level], work.move_keys[level]
    for other in range(count):
        same = keys[other, 0] == keys[count, 0] and keys[other, 1] == keys[count, 1]
        if same and not moves[other, FIXED] and moves[other, TO_OR_NODE] == moves[count, TO_OR_NODE]:
            return moves[other, PASSED] != moves[count, PASSED]
    return True


def _open_level(kernels: CompleteKernels, declared: ProofKernels, add_move: Any) -> Any:
    current_player, legal_action_mask = kernels.current_player, kernels.legal_action_mask
    turns_left = declared.turns_left

    @kernels.compiled
    def open_level(work, level, player, least, limited):
        """Expand the position at a level: write its actions, or only the one that settles the claim."""
        levels, moves = work.levels[level], work.moves[level]
        legal_action_mask(work.states[level], work.legal)
        levels[OR_NODE] = current_player(work.states[level]) == player
        levels[TURNS] = turns_left(work.states[level])
        levels[SINCE] = work.visited[0]
        count = 0
        for action in range(work.legal.shape[0]):
            if work.legal[action]:
                if add_move(work, level, count, action, player, least, limited):
                    moves[0] = moves[count]
                    count = 1
                    break
                if moves[count, FIXED] or _is_new(work, level, count):
                    count += 1
        levels[COUNT] = count

    return open_level


@kernel
def _recall(work, table, level, least, limited):
    """Read the numbers of the positions after the actions from the table, where it has them."""
    moves, keys, turns = work.moves[level], work.move_keys[level], work.levels[level, TURNS]
    for k in range(work.levels[level, COUNT]):
        move = moves[k]
        if not move[FIXED]:
            tag = _tag_of(move[TO_OR_NODE] == 1, turns - move[PASSED], least, limited)
            place = find_row(table, keys[k, 0], keys[k, 1], tag)
            if place >= 0:
                move[PROOF] = proof_of(table, place)
                move[DISPROOF] = disproof_of(table, place)


@kernel
def _back_up(work, level):
    """Combine the numbers of the actions at a level.

    Returns:
        The work left until the player to act gets what it needs, the work left until the other player does, the best
        action's index (-1 if all are settled against the player to act), the second smallest number, and the number of
        open actions.
    """
    moves, or_node = work.moves[level], work.levels[level, OR_NODE] == 1
    mine, theirs = (PROOF, DISPROOF) if or_node else (DISPROOF, PROOF)
    best, second, most, open_ones, longest, stuck, won = -1, _SETTLED, 0, 0, 0, 0, False
    for k in range(work.levels[level, COUNT]):
        own, other = moves[k, mine], moves[k, theirs]
        turns = (max(own, other) - _SETTLED) // 2 + moves[k, PASSED]
        if own == 0:
            # take the shortest win: a longer one may go in circles
            number = _settled_by(turns, (other - _SETTLED) & 1)
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
        return _settled_by(longest, stuck), 0, -1, 0, 0
    return moves[best, mine], min(most + open_ones - 1, _SETTLED - 1), best, second, open_ones


@kernel
def _repeats(work, level, move, limited):
    """Return whether the position after an action is already on the path, or the path is too long."""
    keys = work.move_keys[level, move]
    for above in range(0 if limited else level + 1):
        same = work.keys[above, 0] == keys[0] and work.keys[above, 1] == keys[1]
        if same and work.levels[above, OR_NODE] == work.moves[level, move, TO_OR_NODE]:
            return True
    return level + 2 >= work.levels.shape[0]


def _go_down(kernels: CompleteKernels) -> Any:
    apply = kernels.apply

    @kernels.compiled
    def go_down(work, level, move, second, open_ones):
        """Set up the next level for the position after an action, with the thresholds at which to return."""
        levels, following = work.levels[level], work.levels[level + 1]
        mine, theirs = (PROOF_LIMIT, DISPROOF_LIMIT) if levels[OR_NODE] else (DISPROOF_LIMIT, PROOF_LIMIT)
        following[mine] = min(levels[mine], second + second // 4 + 1)
        following[theirs] = levels[theirs] - (open_ones - 1)
        work.keys[level + 1] = work.move_keys[level, move]
        work.states[level + 1] = work.states[level]
        apply(work.states[level + 1], work.moves[level, move, ACTION])

    return go_down


def _search(kernels: CompleteKernels, declared: ProofKernels, open_level: Any, go_down: Any) -> Any:
    position_key = declared.position_key

    @kernels.compiled
    def search(work, table, player, least, limited, nodes):
        """Search for a proof that `player` gets at least `least` from `work.states[0]`, a decision.

        Stops when the claim is settled, or after `nodes` positions. Fills `work.result` and `work.visited`.
        """
        work.visited[0] = 0
        levels = work.levels
        level = 0
        position_key(work.states[0], work.keys[0])
        levels[0, PROOF_LIMIT] = _SETTLED
        levels[0, DISPROOF_LIMIT] = _SETTLED
        open_level(work, 0, player, least, limited)
        while True:
            _recall(work, table, level, least, limited)
            mine, theirs, best, second, open_ones = _back_up(work, level)
            or_node = levels[level, OR_NODE] == 1
            proof, disproof = (mine, theirs) if or_node else (theirs, mine)
            enough = proof >= levels[level, PROOF_LIMIT] or disproof >= levels[level, DISPROOF_LIMIT]
            if enough or open_ones == 0 or work.visited[0] >= nodes:
                tag = _tag_of(or_node, levels[level, TURNS], least, limited)
                spent = np.uint64(work.visited[0] - levels[level, SINCE])
                put(table, work.keys[level, 0], work.keys[level, 1], tag, packed(proof, disproof), spent)
                if level == 0:
                    work.result[0] = proof
                    work.result[1] = disproof
                    work.result[2] = work.moves[0, best, ACTION] if mine == 0 else -1
                    return
                level -= 1
            elif _repeats(work, level, best, limited):
                work.moves[level, best, PROOF] = _settled_by(0, 1)
                work.moves[level, best, DISPROOF] = 0
                work.moves[level, best, FIXED] = 1
            else:
                go_down(work, level, best, second, open_ones)
                level += 1
                open_level(work, level, player, least, limited)

    return search


__getattr__ = moved_names(
    __name__,
    {
        "Hints": "edge_envs.core.solving.df_pn.ProofKernels",
        "slots_of": "edge_envs.core.solving.proof_table.slots_of",
        "memory_for": "edge_envs.core.solving.proof_table.memory_for",
    },
)
