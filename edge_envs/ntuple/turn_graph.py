"""Search the own decisions up to the end of a turn, breadth first with a beam, and evaluate the positions there.

A *leaf* is a position after which the player has no further decision for now: the turn is over, a chance event follows,
another player decides, or the game is over. Its value is a share of the win for every player, from an n-tuple network.
Positions within the turn have such values as well; they rank the positions of a layer, of which the best `beam` are
searched further. Each position appears once in the graph, whatever path leads to it first.

With `replies`, the best leaves are evaluated again by a search of the next player's turn, over all outcomes of a chance
event in between: a search of two turns.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from edge_envs.core.compiler.jit import kernel, kernel_of
from edge_envs.core.game import Game
from edge_envs.core.loops.complete_kernels import CompleteKernels
from edge_envs.core.nodes import CHANCE, TERMINAL
from edge_envs.ntuple.network import Evaluation, Network, new_evaluation, score_near, set_base, share_of
from edge_envs.search.graph import place_of, records_of

MAX_BYTES = 1 << 24
"""Of the state records of a graph."""
MAX_NODES = 1 << 14
MAX_DEPTH = 32

LEAF, OPEN, EXPANDED, PRUNED, COMPARED = range(5)
"""States of a node: at the end of the turn; within it; searched further; left out; among the nodes that `prune` compares."""

NODE = np.dtype(
    (
        np.record,
        np.dtype([(name, np.int32) for name in ("player", "status", "first", "count", "best", "place")]),
    )
)
EDGE = np.dtype((np.record, np.dtype([("action", np.int32), ("child", np.int32)])))
SETTINGS = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("beam", np.int64),  # positions of a layer that are searched further
                ("depth", np.int64),  # own decisions that are searched ahead
                ("leaves", np.int64),  # leaves that are evaluated by a search of the replies; 0: none
                ("lowest", np.float64),  # the minimum utility
                ("shared", np.float64),  # the utility to share, above the minimum of every player
            ],
            align=True,
        ),
    )
)


class TurnGraph(NamedTuple):
    """Memory of a graph, for N nodes, E edges, A actions and P players.

    | array | content |
    |---|---|
    | `counts` | (3,) the numbers of nodes and edges, and the owner of the turn |
    | `nodes`, `edges` | (N,), (E,) of `NODE` and `EDGE` |
    | `states`, `words` | (N + 1,) records with the same random word; the same memory as 64-bit words |
    | `places` | hash table from records to nodes; -1: empty |
    | `values` | (N, P) shares of the win |
    | `mask`, `probabilities`, `rewards`, `scores` | scratch |
    | `evaluation` | memory of the network |
    """

    counts: Any
    nodes: Any
    edges: Any
    states: Any
    words: Any
    places: Any
    values: Any
    mask: Any
    probabilities: Any
    rewards: Any
    scores: Any
    evaluation: Evaluation


def new_turn_graph(game: Game, network: Network) -> TurnGraph:
    """Allocate the memory of a graph.

    Raises:
        ValueError: if the size of a state record is not a multiple of 8 bytes.
    """
    nodes = min(MAX_NODES, MAX_BYTES // game.type.state_dtype.itemsize)
    words, states = records_of(game, nodes + 1)
    players = game.num_players
    return TurnGraph(
        counts=np.zeros(3, np.int64),
        nodes=np.zeros(nodes, NODE),
        edges=np.zeros(4 * nodes, EDGE),
        states=states,
        words=words,
        places=np.full(1 << (2 * nodes).bit_length(), -1, np.int32),
        values=np.zeros((nodes, players)),
        mask=np.zeros(game.num_distinct_actions, np.int8),
        probabilities=np.zeros(max(game.max_chance_outcomes, 1)),
        rewards=np.zeros(players),
        scores=np.zeros(players),
        evaluation=new_evaluation(network, views_of(players)),
    )


def new_settings(game: Game, beam: int, depth: int, leaves: int) -> Any:
    """Return settings (1,) of a search.

    Raises:
        ValueError: if the game has no fixed sum of returns.
    """
    if game.utility_sum is None:
        raise ValueError(f"{game.name} has no fixed sum of returns, so values cannot be learned as shares of it")
    settings = np.zeros(1, SETTINGS)
    shared = game.utility_sum - game.num_players * game.min_utility
    settings[0] = beam, depth, leaves, game.min_utility, shared
    return settings


def views_of(players: int) -> int:
    """Return from how many players' views a position is evaluated: one player's if there are two."""
    return 1 if players == 2 else players  # noqa: PLR2004


def evaluate_node(rules: CompleteKernels, folder: Path) -> Any:
    """Build the kernels `base(state, owner, graph, network, weights)` and `evaluate(state, owner, ..., values)`.

    The first makes a position the base position of all views; the second fills `values` (P,) with shares of the win.
    """
    compiled = kernel_of(folder, name=rules.earlier, also=Path(__file__).resolve().parents[1])
    cells = rules.cells

    @compiled
    def base(state, owner, graph, network, weights):
        evaluation, views = graph.evaluation, graph.evaluation.cells.shape[0]
        for view in range(views):
            cells(state, owner if views == 1 else view, evaluation.cells[view])
            set_base(network, weights, evaluation, view)

    @compiled
    def evaluate(state, owner, graph, network, weights, values):
        evaluation, views = graph.evaluation, graph.evaluation.cells.shape[0]
        if views == 1:
            cells(state, owner, evaluation.cells[0])
            share = share_of(score_near(network, weights, evaluation, 0))
            values[owner], values[1 - owner] = share, 1.0 - share
            return
        most, total = -np.inf, 0.0
        for view in range(views):
            cells(state, view, evaluation.cells[view])
            values[view] = score_near(network, weights, evaluation, view)
            most = max(most, values[view])
        for view in range(views):
            values[view] = np.exp(values[view] - most)
            total += values[view]
        for view in range(views):
            values[view] /= total

    return base, evaluate


def grow_turn(rules: CompleteKernels, folder: Path) -> Any:
    """Build the kernel `grow(state, settings, graph, network, weights)`, which searches the turn of the player to act.

    It fills in the values of all nodes. `best` of an expanded node is its best edge for the owner of the turn.
    """
    compiled = kernel_of(folder, name=rules.earlier, also=Path(__file__).resolve().parents[1])
    current_player, turn_of, apply = rules.current_player, rules.turn_of, rules.apply
    legal_action_mask, rewards_of = rules.legal_action_mask, rules.rewards
    base, evaluate = evaluate_node(rules, folder)

    @compiled
    def expand(node, turn, settings, graph, network, weights):
        """Add the children of a node."""
        counts, nodes, edges, states, words = graph.counts, graph.nodes, graph.edges, graph.states, graph.words
        owner, parent = counts[2], states[node]
        legal_action_mask(parent, graph.mask)
        base(parent, owner, graph, network, weights)
        record = nodes[node]
        record.first, record.count = counts[1], 0
        for action in range(graph.mask.shape[0]):
            new = counts[0]
            if graph.mask[action] == 0 or counts[1] == edges.shape[0] or new == nodes.shape[0]:
                continue
            states[new] = parent
            ahead = states[new]
            apply(ahead, action)
            ahead.rng = parent.rng
            place = place_of(words, graph.places, new)
            child = np.int64(graph.places[place])
            if child < 0:
                child = new
                graph.places[place] = new
                add_node(graph, new, place, current_player(ahead))
                if nodes[new].player == TERMINAL:
                    rewards_of(ahead, graph.rewards)
                    for p in range(graph.rewards.shape[0]):
                        graph.values[new, p] = (graph.rewards[p] - settings.lowest) / settings.shared
                else:
                    if nodes[new].player == owner and turn_of(ahead) == turn:
                        nodes[new].status = OPEN
                    evaluate(ahead, owner, graph, network, weights, graph.values[new])
            elif nodes[child].status != LEAF and child <= node:
                continue  # a way back
            edges[counts[1]].action, edges[counts[1]].child = action, child
            counts[1] += 1
            record.count += 1
        if record.count == 0:
            record.status = PRUNED  # every edge leads back

    @compiled
    def grow(state, settings, graph, network, weights):
        counts, nodes = graph.counts, graph.nodes
        clear(graph)
        graph.states[0] = state
        counts[2] = current_player(state)
        turn = turn_of(state)
        place = place_of(graph.words, graph.places, 0)
        graph.places[place] = 0
        add_node(graph, 0, place, counts[2])
        nodes[0].status = OPEN
        first, end = 0, 1
        for _ in range(settings.depth):
            prune(graph, first, end, settings.beam)
            for node in range(first, end):
                if nodes[node].status == OPEN:
                    expand(node, turn, settings, graph, network, weights)
            first, end = end, counts[0]
            if first == end:
                break
        back_up(graph)

    return grow


@kernel
def clear(graph):
    """Remove all nodes and edges."""
    for node in range(graph.counts[0]):
        graph.places[graph.nodes[node].place] = -1
    graph.counts[0], graph.counts[1] = 0, 0


@kernel
def add_node(graph, node, place, player):
    """Add a leaf."""
    record = graph.nodes[node]
    record.player, record.status, record.first, record.count, record.best = player, LEAF, 0, 0, -1
    record.place = place
    graph.counts[0] += 1


@kernel
def prune(graph, first, end, beam):
    """Leave out all but the best `beam` open nodes from `first` to `end`."""
    nodes, values, owner, count = graph.nodes, graph.values, graph.counts[2], 0
    for node in range(first, end):
        if nodes[node].status == OPEN:
            count += 1
            nodes[node].status = COMPARED
    for _ in range(min(beam, count)):
        best, most = first, -np.inf
        for node in range(first, end):
            if nodes[node].status == COMPARED and values[node, owner] > most:
                best, most = node, values[node, owner]
        nodes[best].status = OPEN
    for node in range(first, end):
        if nodes[node].status == COMPARED:
            nodes[node].status = PRUNED


@kernel
def back_up(graph):
    """Fill in the values of expanded nodes: those of the child that is best for the owner of the turn.

    A child that was left out counts only where there are no others, and its parent is then left out as well.
    """
    nodes, edges, values, owner = graph.nodes, graph.edges, graph.values, graph.counts[2]
    for node in range(graph.counts[0] - 1, -1, -1):
        record = nodes[node]
        if record.count == 0:
            continue
        record.best, record.status = -1, EXPANDED
        is_pruned, most = True, -np.inf
        for e in range(record.first, record.first + record.count):
            child = edges[e].child
            pruned = nodes[child].status == PRUNED
            if (is_pruned and not pruned) or (is_pruned == pruned and values[child, owner] > most):
                record.best, most, is_pruned = e, values[child, owner], pruned
        if is_pruned:
            record.status = PRUNED
        for p in range(values.shape[1]):
            values[node, p] = values[edges[record.best].child, p]


def search_turns(rules: CompleteKernels, folder: Path) -> Any:
    """Build the kernel `search(state, settings, graph, replies, network, weights)`: `grow` with a search of replies.

    The `settings.leaves` best leaves are evaluated again by `grow` for the next player, with the memory `replies`; all
    others are then left out.
    """
    compiled = kernel_of(folder, name=rules.earlier, also=Path(__file__).resolve().parents[1])
    current_player, apply, chance_probabilities = rules.current_player, rules.apply, rules.chance_probabilities
    rewards_of, grow = rules.rewards, grow_turn(rules, folder)

    @compiled
    def reply(state, weight, settings, values, replies, network, weights):
        """Add the shares of the win after the best reply to a position, times a weight, to `values` (P,)."""
        if current_player(state) == TERMINAL:
            rewards_of(state, replies.rewards)
            for p in range(values.shape[0]):
                values[p] += weight * (replies.rewards[p] - settings.lowest) / settings.shared
            return
        grow(state, settings, replies, network, weights)
        for p in range(values.shape[0]):
            values[p] += weight * replies.values[0, p]

    @compiled
    def look_again(node, settings, graph, replies, network, weights):
        """Replace the values of a leaf by those after the replies; return whether that was possible."""
        state, values, scratch = graph.states[node], graph.scores, graph.states.shape[0] - 1
        values[:] = 0.0
        if graph.nodes[node].player != CHANCE:
            reply(state, 1.0, settings, values, replies, network, weights)
        else:
            chance_probabilities(state, graph.probabilities)
            for outcome in range(graph.probabilities.shape[0]):
                if graph.probabilities[outcome] > 0.0:
                    graph.states[scratch] = state
                    ahead = graph.states[scratch]
                    apply(ahead, outcome)
                    ahead.rng = state.rng
                    if current_player(ahead) == CHANCE:
                        return False
                    reply(ahead, graph.probabilities[outcome], settings, values, replies, network, weights)
        for p in range(values.shape[0]):
            graph.values[node, p] = values[p]
        return True

    @compiled
    def search(state, settings, graph, replies, network, weights):
        grow(state, settings, graph, network, weights)
        if settings.leaves == 0:
            return
        nodes = graph.nodes
        for node in range(graph.counts[0]):
            if nodes[node].status == LEAF and nodes[node].player != TERMINAL:
                nodes[node].status = OPEN
        prune(graph, 0, graph.counts[0], settings.leaves)
        for node in range(graph.counts[0]):
            if nodes[node].status == OPEN:
                nodes[node].status = LEAF
                look_again(node, settings, graph, replies, network, weights)
        back_up(graph)

    return search
