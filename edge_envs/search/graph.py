"""Expectimax over the rest of a turn, on a graph in which each position appears once (a transposition table).

The graph grows breadth first, until it covers the turn or its memory is full; then the incomplete layer is dropped, so
that all paths have the same depth. Values propagate from the leaves to the root (expectimax, Michie 1966): a chance
node has the probability-weighted mean, a decision node the value that is best for the player to act. A leaf where the
turn is over has the value of its position. If the graph ends within the turn, the heuristic first plays the turn
to its end.

    node                                                     edge
    player  seat to act, CHANCE, TERMINAL, or TURN_OVER if   action       decision or outcome
            the turn is over and the game is not             child        node that it leads to
    first   first edge                                       probability  of an outcome
    count   number of edges; 0: leaf
    tried   number of edges followed so far; -1: unvisited
    place   index of its number in `places`
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from edge_envs.core.compiler.jit import Decorator, kernel, kernel_of
from edge_envs.core.game import Game
from edge_envs.core.kernels.record_words import hash_of, records_of
from edge_envs.core.loops.complete_kernels import CompleteKernels
from edge_envs.core.nodes import CHANCE, TERMINAL
from edge_envs.search.leaves import has_value, position_value

TURN_OVER = -5
MAX_BYTES = 1 << 24  # of the records of a graph

NODE = np.dtype(
    (
        np.record,
        np.dtype([(name, np.int32) for name in ("player", "first", "count", "tried", "place")]),
    )
)
EDGE = np.dtype(
    (np.record, np.dtype([("probability", np.float64), ("action", np.int32), ("child", np.int32)], align=True))
)
COUNTS = np.dtype((np.record, np.dtype([("nodes", np.int64), ("edges", np.int64), ("turn", np.int64)])))


class Graph(NamedTuple):
    """Memory of a graph, for N nodes, E edges, A actions, C outcomes, P players and W words per record."""

    counts: Any  # (1,) of `COUNTS`: numbers of nodes and edges, and the number of the turn
    nodes: Any  # (N,) of `NODE`
    edges: Any  # (E,) of `EDGE`
    states: Any  # (N + 1,) records, all with the same random word
    words: Any  # (N + 1, W) the same memory as 64-bit words
    values: Any  # (N, P) returns from a node on, including the rewards of the step to it (except at the root)
    places: Any  # (2**k,) hash table from records to numbers of nodes; -1: empty
    path: Any  # (N,) nodes
    mask: Any  # (A,)
    probabilities: Any  # (C,)
    player: Any  # (1,) record for playouts from leaves within the turn


def new_graph(game: Game, max_edges: int) -> Graph:
    """Allocate the memory of a graph of up to `max_edges` edges; `MAX_BYTES` limits the nodes if records are large.

    Raises:
        ValueError: if the size of a state record is not a multiple of 8 bytes.
    """
    size = game.type.state_dtype.itemsize
    edges = max_edges + max(game.num_distinct_actions, game.max_chance_outcomes)
    nodes = min(edges, MAX_BYTES // size + edges - max_edges) + 1
    words, states = records_of(game.type, nodes + 1)
    return Graph(
        counts=np.zeros(1, COUNTS),
        nodes=np.zeros(nodes, NODE),
        edges=np.zeros(edges, EDGE),
        states=states,
        words=words,
        values=np.zeros((nodes, game.num_players)),
        places=np.full(1 << (2 * nodes).bit_length(), -1, np.int32),
        path=np.zeros(nodes, np.int64),
        mask=np.zeros(game.num_distinct_actions, np.int8),
        probabilities=np.zeros(max(game.max_chance_outcomes, 1)),
        player=game.new_records(1),
    )


def grow_graph(kernels: CompleteKernels, folder: Path) -> Any:
    """Build the kernel `grow(state, graph)`, which builds the graph of the rest of a turn.

    The kernel returns whether the graph covers the whole turn.
    """
    compiled = kernel_of(folder, also=Path(__file__).resolve().parent)
    current_player, turn_of, apply = kernels.current_player, kernels.turn_of, kernels.apply
    legal_action_mask, chance_probabilities = kernels.legal_action_mask, kernels.chance_probabilities

    @compiled
    def grow(state, graph):
        # Read the arrays of the graph once: each access to a field costs as much as an array lookup.
        counts, nodes, edges, states = graph.counts[0], graph.nodes, graph.edges, graph.states
        words, places, mask, probabilities = graph.words, graph.places, graph.mask, graph.probabilities
        for node in range(counts.nodes):
            places[nodes[node].place] = -1
        states[0] = state
        turn, used, linked, first = turn_of(state), 1, 0, 0
        nodes[0].player, nodes[0].count, nodes[0].tried = current_player(state), 0, -1
        nodes[0].place = place_of(words, places, 0)
        places[nodes[0].place] = 0
        is_whole = True
        while first < used and is_whole:
            end = used
            for node in range(first, end):
                record = nodes[node]
                if record.player < CHANCE:
                    continue
                if record.player == CHANCE:
                    chance_probabilities(states[node], probabilities)
                else:
                    legal_action_mask(states[node], mask)
                record.first = linked
                for action in range(probabilities.shape[0] if record.player == CHANCE else mask.shape[0]):
                    likely = probabilities[action] if record.player == CHANCE else np.float64(mask[action])
                    if likely == 0.0:
                        continue
                    if linked == edges.shape[0] or used == nodes.shape[0]:
                        is_whole = False
                        break
                    states[used] = states[node]
                    ahead = states[used]
                    apply(ahead, action)
                    ahead.rng = state.rng
                    place = place_of(words, places, used)
                    if places[place] < 0:
                        player = current_player(ahead)
                        if player != TERMINAL and turn_of(ahead) != turn:
                            player = np.int64(TURN_OVER)
                        new = nodes[used]
                        new.player, new.count, new.tried, new.place = player, 0, -1, place
                        places[place] = used
                        used += 1
                    edge = edges[linked]
                    edge.action, edge.probability, edge.child = action, likely, places[place]
                    linked += 1
                if not is_whole:
                    for other in range(first, node + 1):
                        nodes[other].count = 0
                    break
                record.count = linked - record.first
            first = end
        counts.nodes, counts.edges, counts.turn = used, linked, turn
        return is_whole

    return grow


@kernel
def place_of(words, places, new):
    """Return the index in the hash table `places` of the record `words[new]`, or of the empty place for it."""
    last = np.uint64(places.shape[0] - 1)
    place = hash_of(words, new) & last
    while places[place] >= 0:
        node, same = places[place], True
        for w in range(words.shape[1]):
            same = same and words[node, w] == words[new, w]
        if same:
            break
        place = (place + np.uint64(1)) & last
    return np.int64(place)


def value_graph(kernels: CompleteKernels, folder: Path) -> Any:
    """Build the kernel `value(graph, memory)`, which fills in the values of all nodes of a new graph.

    An edge back to a position on the current path (a cycle) counts as the lowest utility.
    """
    compiled = kernel_of(folder, also=Path(__file__).resolve().parent)
    rewards_of, finish = kernels.rewards, _finish(kernels, position_value(kernels, folder), compiled)

    @compiled
    def value(graph, memory):
        nodes, edges, states, values, path = graph.nodes, graph.edges, graph.states, graph.values, graph.path
        returns, rewards, lowest = memory.returns, memory.gains[0], memory.tree[0].min_utility
        players = returns.shape[0]
        path[0], depth = 0, 0
        nodes[0].tried = 0
        for p in range(players):
            values[0, p] = lowest
        while depth >= 0:
            node = path[depth]
            record = nodes[node]
            if record.tried < record.count:
                child = edges[record.first + record.tried].child
                record.tried += 1
                if nodes[child].tried < 0:
                    nodes[child].tried = 0
                    for p in range(players):
                        values[child, p] = lowest
                    depth += 1
                    path[depth] = child
                continue
            depth -= 1
            for p in range(players):
                returns[p] = 0.0
            if record.count == 0:
                finish(states[node], graph, memory)
            elif record.player == CHANCE:
                for e in range(record.first, record.first + record.count):
                    for p in range(players):
                        returns[p] += edges[e].probability * values[edges[e].child, p]
            else:
                best = edges[best_edge(nodes, edges, values, node)].child
                for p in range(players):
                    returns[p] = values[best, p]
            for p in range(players):
                rewards[p] = 0.0
            if node > 0:
                rewards_of(states[node], rewards)
            for p in range(players):
                values[node, p] = returns[p] + rewards[p]

    return value


@kernel
def best_edge(nodes, edges, values, node):
    """Return the edge of a decision with the highest value for the player to act. Ties go to the lowest id."""
    record = nodes[node]
    best, most = np.int64(record.first), values[edges[record.first].child, record.player]
    for e in range(record.first + 1, record.first + record.count):
        if values[edges[e].child, record.player] > most:
            best, most = np.int64(e), values[edges[e].child, record.player]
    return best


def _finish(kernels: CompleteKernels, add_value: Any, compiled: Decorator) -> Any:
    current_player, apply, rewards_of = kernels.current_player, kernels.apply, kernels.rewards
    heuristic, turn_of, sample_chance = kernels.heuristic, kernels.turn_of, kernels.sample_chance

    @compiled
    def finish(state, graph, memory):
        """Play a turn to its end; add its rewards and the value of the position behind it to `memory.returns`."""
        graph.player[0] = state
        ahead, turn, returns, rewards = graph.player[0], graph.counts[0].turn, memory.returns, memory.gains[0]
        player = current_player(ahead)
        while player != TERMINAL:
            if turn_of(ahead) != turn and has_value(player, memory):
                add_value(ahead, player, memory)
                break
            if player == CHANCE:
                apply(ahead, sample_chance(ahead))
            else:
                apply(ahead, heuristic(ahead))
            rewards_of(ahead, rewards)
            for p in range(returns.shape[0]):
                returns[p] += rewards[p]
            player = current_player(ahead)

    return finish
