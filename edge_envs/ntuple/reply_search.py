"""Search of two and three turns: the best turns by `turn_search`, evaluated again by the turns after them.

With `replies`, the best leaves of a turn are evaluated again by a search of the next player's turn, over all outcomes
of a chance event in between: a search of two turns. In a search of three turns the best of these replies are evaluated
in the same way, by a narrow search of the turn after them. There, replies that were best against earlier turns are
tried first (the killer heuristic; Akl & Newborn 1977). The search of two turns does without, so levels of the benchmark
play as they were measured. `alpha` and `beta` are the bounds of alpha-beta pruning (Knuth & Moore 1975) between two
players.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from edge_envs.core.compiler.jit import kernel_of, lean_kernel
from edge_envs.core.game import Game
from edge_envs.core.loops.complete_kernels import CompleteKernels
from edge_envs.core.nodes import CHANCE, TERMINAL
from edge_envs.ntuple.network import Network
from edge_envs.ntuple.turn_search import (
    FOUND,
    MAX_PATH,
    OWNER,
    TurnSearch,
    new_settings,
    new_turn_search,
    search_turn,
    shares_of_rewards,
    turn_kernel,
)

ANSWER_BEAM = 4
"""The beam of the third turn."""
MAX_KILLERS = 6
"""The number of killer moves of a search of three turns."""


class Answered(NamedTuple):
    """Memory of the second and third turn of a search of three turns.

    | field | content |
    |---|---|
    | `replies` | the search of the next player's turn, whose leaves are evaluated again |
    | `answers` | the search of the turn after that |
    | `settings` | (1,) the settings of that search |
    | `killers` | int32 (R, L) killer moves: the replies that were best against earlier turns, the latest first |
    | `killer_lengths` | (R,) their numbers of decisions; 0: none |
    """

    replies: TurnSearch
    answers: TurnSearch
    settings: Any
    killers: Any
    killer_lengths: Any


def new_answered(game: Game, network: Network, answers: int, depth: int) -> Answered:
    """Allocate the memory of a search that evaluates the best `answers` replies by the turn after them."""
    return Answered(
        replies=new_turn_search(game, network, answers),
        answers=new_turn_search(game, network),
        settings=new_settings(game, ANSWER_BEAM, depth, 0),
        killers=np.zeros((MAX_KILLERS, MAX_PATH), np.int32),
        killer_lengths=np.zeros(MAX_KILLERS, np.int64),
    )


def search_turns(kernels: CompleteKernels, folder: Path) -> Any:
    """Build the kernel `search(state, settings, memory, replies, network, weights)`: `search_turn` with replies.

    The best `settings.replies` leaves are evaluated again by `search_turn` for the next player, with the memory
    `replies`; all others are then left out.
    """
    search_one = search_turn(kernels, folder)
    return _search_with_replies(
        kernels, folder, search_one, _revalue_leaf(kernels, folder, _best_reply(kernels, folder, search_one))
    )


def search_three_turns(kernels: CompleteKernels, folder: Path) -> Any:
    """Build the kernel `search(state, settings, memory, answered, network, weights)`: `search_turns` with answers.

    Each of the best replies to a leaf is evaluated again by `search_turn` for the player after it. With two players and
    no chance event, the killer moves are tried first: a leaf that one of them refutes needs no search of the replies.
    """
    compiled = kernel_of(folder, also=Path(__file__).resolve().parent, lean=True)
    current_player, search_one = kernels.current_player, search_turn(kernels, folder)
    best_reply, copy_killer = _best_reply(kernels, folder, search_one), _copy_killer(kernels, folder)
    revalue_reply = _revalue_leaf(kernels, folder, best_reply)

    @compiled
    def best_answered_reply(state, weight, settings, values, answered, network, weights, beta):
        """Do what `best_reply` does, for the reply that is best after the answers to it."""
        replies = answered.replies
        if current_player(state) == TERMINAL:
            best_reply(state, weight, settings, values, replies, network, weights, beta)
            return
        player, best, most = current_player(state), np.int64(0), -np.inf
        for slot in range(MAX_KILLERS if beta < np.inf else 0):
            if copy_killer(state, slot, answered):
                replies.leaf_values[0, player] = -np.inf  # stays if chance events follow each other
                revalue_reply(0, state, answered.settings[0], replies, answered.answers, network, weights, beta)
                if replies.leaf_values[0, player] > beta:
                    add_killer(answered, 0)
                    for p in range(values.shape[0]):
                        values[p] += weight * replies.leaf_values[0, p]
                    return
        search_one(state, settings, replies, network, weights, np.inf)
        for k in range(replies.counts[FOUND]):
            if not replies.leaf_over[k]:
                revalue_reply(k, state, answered.settings[0], replies, answered.answers, network, weights, most)
            if replies.leaf_values[k, player] > most:
                best, most = np.int64(k), replies.leaf_values[k, player]
                if most >= beta:
                    break
        add_killer(answered, best)
        for p in range(values.shape[0]):
            values[p] += weight * replies.leaf_values[best, p]

    search_with_replies = _search_with_replies(
        kernels, folder, search_one, _revalue_leaf(kernels, folder, best_answered_reply)
    )

    @compiled
    def search(state, settings, memory, answered, network, weights):
        answered.killer_lengths[:] = 0
        search_with_replies(state, settings, memory, answered, network, weights)

    return search


def _copy_killer(kernels: CompleteKernels, folder: Path) -> Any:
    """Build the kernel `copy_killer(state, slot, answered)`.

    It makes a killer move the first leaf of the replies, and returns whether it is a legal turn.
    """
    compiled = kernel_of(folder, also=Path(__file__).resolve().parent, lean=True)
    current_player, turn_of, apply = kernels.current_player, turn_kernel(kernels), kernels.apply
    legal_action_mask = kernels.legal_action_mask

    @compiled
    def copy_killer(state, slot, answered):
        replies, length = answered.replies, answered.killer_lengths[slot]
        replies.states[0] = state
        ahead, mask, player, turn = replies.states[0], replies.tree.mask, current_player(state), turn_of(state)
        replies.counts[OWNER], replies.leaf_lengths[0] = player, length
        for step in range(length):
            action = answered.killers[slot, step]
            replies.leaf_paths[0, step] = action
            if current_player(ahead) != player or turn_of(ahead) != turn:
                return False
            legal_action_mask(ahead, mask)
            if mask[action] == 0:
                return False
            apply(ahead, action)
        return length > 0 and (current_player(ahead) != player or turn_of(ahead) != turn)

    return copy_killer


@lean_kernel
def add_killer(answered, leaf):
    """Make a leaf of the replies the first killer move, in the place of itself or of the last one."""
    killers, lengths, replies = answered.killers, answered.killer_lengths, answered.replies
    length, slot = replies.leaf_lengths[leaf], 0
    while slot < MAX_KILLERS - 1:
        same = lengths[slot] == length
        for step in range(length if same else 0):
            same = same and killers[slot, step] == replies.leaf_paths[leaf, step]
        if same:
            break
        slot += 1
    for at in range(slot, 0, -1):
        lengths[at] = lengths[at - 1]
        for step in range(lengths[at]):
            killers[at, step] = killers[at - 1, step]
    lengths[0] = length
    for step in range(length):
        killers[0, step] = replies.leaf_paths[leaf, step]


def _best_reply(kernels: CompleteKernels, folder: Path, search_one: Any) -> Any:
    """Build the kernel `best_reply(state, weight, settings, values, replies, network, weights, beta)`.

    It adds the shares of the win after the best reply to a position, times a weight, to `values` (P,). It may stop at a
    reply that is worth at least `beta` to its player.
    """
    compiled = kernel_of(folder, also=Path(__file__).resolve().parent, lean=True)
    current_player, rewards_of = kernels.current_player, kernels.rewards

    @compiled
    def best_reply(state, weight, settings, values, replies, network, weights, beta):
        if current_player(state) == TERMINAL:
            rewards_of(state, replies.rewards)
            shares_of_rewards(replies.rewards, settings, replies.values)
            for p in range(values.shape[0]):
                values[p] += weight * replies.values[p]
            return
        search_one(state, settings, replies, network, weights, beta)
        for p in range(values.shape[0]):
            values[p] += weight * replies.leaf_values[0, p]

    return best_reply


def _revalue_leaf(kernels: CompleteKernels, folder: Path, best_reply: Any) -> Any:
    """Build the kernel `revalue(k, state, settings, memory, replies, network, weights, alpha)`.

    It replaces the values of leaf `k` by those after the best reply, over all outcomes of a chance event before it. It
    may stop when the leaf is worth at most `alpha` to its owner.
    """
    compiled = kernel_of(folder, also=Path(__file__).resolve().parent, lean=True)
    current_player, turn_of, apply = kernels.current_player, turn_kernel(kernels), kernels.apply
    chance_probabilities = kernels.chance_probabilities

    @compiled
    def revalue(k, state, settings, memory, replies, network, weights, alpha):
        owner, turn = memory.counts[OWNER], turn_of(state)
        memory.states[1] = state
        ahead = memory.states[1]
        for step in range(memory.leaf_lengths[k]):
            if current_player(ahead) != owner or turn_of(ahead) != turn:
                break
            apply(ahead, memory.leaf_paths[k, step])
        ahead.rng = state.rng
        values = memory.values
        values[:] = 0.0
        if current_player(ahead) != CHANCE:
            beta = 1.0 - alpha if values.shape[0] == 2 else np.inf
            if current_player(ahead) == owner:
                beta = np.inf
            best_reply(ahead, 1.0, settings, values, replies, network, weights, beta)
        else:
            chance_probabilities(ahead, memory.probabilities)
            for outcome in range(memory.probabilities.shape[0]):
                if memory.probabilities[outcome] > 0.0:
                    memory.states[0] = ahead
                    after = memory.states[0]
                    apply(after, outcome)
                    after.rng = state.rng
                    if current_player(after) == CHANCE:
                        return
                    best_reply(
                        after, memory.probabilities[outcome], settings, values, replies, network, weights, np.inf
                    )
        for p in range(values.shape[0]):
            memory.leaf_values[k, p] = values[p]

    return revalue


def _search_with_replies(kernels: CompleteKernels, folder: Path, search_one: Any, revalue: Any) -> Any:
    """Build the kernel `search(state, settings, memory, replies, network, weights)` from its parts."""
    compiled = kernel_of(folder, also=Path(__file__).resolve().parent, lean=True)

    @compiled
    def search(state, settings, memory, replies, network, weights):
        search_one(state, settings, memory, network, weights, np.inf)
        if settings.replies == 0:
            return
        owner, best, alpha = memory.counts[OWNER], np.int64(0), -np.inf
        memory.first_values[:] = np.nan
        for k in range(memory.counts[FOUND]):
            if not memory.leaf_over[k]:
                bound = -np.inf if settings.exact else alpha
                revalue(k, state, settings, memory, replies, network, weights, bound)
            value = memory.leaf_values[k, owner]
            value_first_actions(memory, k, value)
            if value > alpha:
                best, alpha = np.int64(k), value
        make_first(memory, best)

    return search


@lean_kernel
def value_first_actions(memory, k, value):
    """Give all first decisions that lead to leaf `k`, or only that of its path, at least this value."""
    first_values, firsts = memory.first_values, memory.leaf_firsts
    if firsts.shape[1] == 0 and not first_values[memory.leaf_paths[k, 0]] >= value:
        first_values[memory.leaf_paths[k, 0]] = value
    for action in range(firsts.shape[1]):
        if firsts[k, action] != 0 and not first_values[action] >= value:
            first_values[action] = value


@lean_kernel
def make_first(memory, best):
    """Overwrite the first leaf by another one."""
    if best == 0:
        return
    for step in range(memory.leaf_lengths[best]):
        memory.leaf_paths[0, step] = memory.leaf_paths[best, step]
    memory.leaf_lengths[0], memory.leaf_keys[0] = memory.leaf_lengths[best], memory.leaf_keys[best]
    memory.leaf_over[0] = memory.leaf_over[best]
    for p in range(memory.values.shape[0]):
        memory.leaf_values[0, p] = memory.leaf_values[best, p]
