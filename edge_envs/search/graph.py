"""All ways through the rest of a turn as a graph, in which each position stands once however many ways lead to it.

It grows one decision or outcome at a time, until nothing of the turn is left out or its memory is full: then what was
begun last is dropped, so that all ways are equally long. Then values go from the ends back to the root: of outcomes
the mean by their probabilities, of decisions what is best for whoever decides. Where a turn is over stands the value of
the position; where the graph ends in mid-turn, the built-in player plays the turn to its end first.

    node                                                    edge
    player  who is to act, CHANCE, TERMINAL, or OVER: here  action       the decision or outcome
            the turn is over and the game is not            child        the node that it leads to
    first   its first edge                                  probability  of an outcome
    count   how many edges it has; 0: the graph ends here
    tried   how many of them have been followed; -1: none, and nobody has been here
    place   where its number stands in `places`
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from edge_envs.core.compiler.jit import Decorator, kernel, kernel_of
from edge_envs.core.game import Game
from edge_envs.core.kernels.rng import GAMMA
from edge_envs.core.loops.complete_kernels import CompleteKernels
from edge_envs.core.nodes import CHANCE, TERMINAL
from edge_envs.search.leaves import is_asked, position_value

OVER = -5
MOST_BYTES = 1 << 24  # of the records of a graph

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
    """The memory of a graph: N nodes, E edges; A actions, C outcomes, P players, W words of a record."""

    counts: Any  # (1,) of `COUNTS`: how many nodes and edges there are, and the number of the turn
    nodes: Any  # (N,) of `NODE`
    edges: Any  # (E,) of `EDGE`
    states: Any  # (N + 1,) records, all with the same random word
    words: Any  # (N + 1, W) the same memory as words of 64 bits
    values: Any  # (N, P) what each player gets on the step to a node, but for the root, and after it
    places: Any  # (2**k,) the numbers of nodes, by a hash of their records; -1 where there is none
    path: Any  # (N,) nodes
    mask: Any  # (A,)
    probabilities: Any  # (C,)
    player: Any  # (1,) record that plays on from where the graph ends


def new_graph(game: Game, ways: int) -> Graph:
    """The memory of a graph of some `ways`, which are edges; records larger than usual are fewer."""
    size = game.type.state_dtype.itemsize
    edges = ways + max(game.num_distinct_actions, game.max_chance_outcomes)
    nodes = min(edges, MOST_BYTES // size + edges - ways) + 1
    words, states = records_of(game, nodes + 1)
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


def records_of(game: Game, count: int) -> tuple[Any, Any]:
    """Records of a game as words (count, W) of 64 bits, and the same memory as records (count,).

    ValueError if a record is no whole number of words.
    """
    dtype = game.type.state_dtype
    if dtype.itemsize % 8:
        raise ValueError(f"a record of {game.name} has {dtype.itemsize} bytes, which is no multiple of 8")
    words = np.zeros((count, dtype.itemsize // 8), np.uint64)
    return words, words.reshape(-1).view(dtype)


def grow_graph(rules: CompleteKernels, folder: Path) -> Any:
    """A kernel `grow(state, graph)` that makes the graph of a turn from a position in it; whether it is all there."""
    compiled = kernel_of(folder, name=rules.earlier, also=Path(__file__).resolve().parent)
    current_player, turn_of, apply = rules.current_player, rules.turn_of, rules.apply
    legal_action_mask, chance_probabilities = rules.legal_action_mask, rules.chance_probabilities

    @compiled
    def grow(state, graph):
        # Arrays are taken out of the graph once: each time costs as much as a look-up.
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
                            player = np.int64(OVER)
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
    """Where in `places` the number of the node with the record `words[new]` stands, or would stand."""
    last = np.uint64(places.shape[0] - 1)
    key = np.uint64(0)
    for w in range(words.shape[1]):
        key = (key ^ words[new, w]) * GAMMA
        key ^= key >> np.uint64(32)
    place = key & last
    while places[place] >= 0:
        node, same = places[place], True
        for w in range(words.shape[1]):
            same = same and words[node, w] == words[new, w]
        if same:
            break
        place = (place + np.uint64(1)) & last
    return np.int64(place)


def value_graph(rules: CompleteKernels, folder: Path) -> Any:
    """A kernel `value(graph, arena)` that fills the values of all nodes of a graph that has just grown.

    A way that leads back to where it has been counts as the least that anybody can get.
    """
    compiled = kernel_of(folder, name=rules.earlier, also=Path(__file__).resolve().parent)
    rewards_of, finish = rules.rewards, _finish(rules, position_value(rules, folder), compiled)

    @compiled
    def value(graph, arena):
        nodes, edges, states, values, path = graph.nodes, graph.edges, graph.states, graph.values, graph.path
        returns, rewards, lowest = arena.returns, arena.gains[0], arena.tree[0].lowest
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
                finish(states[node], graph, arena)
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
    """The edge of a decision that is best for whoever decides; of several the one with the lowest id."""
    record = nodes[node]
    best, most = np.int64(record.first), values[edges[record.first].child, record.player]
    for e in range(record.first + 1, record.first + record.count):
        if values[edges[e].child, record.player] > most:
            best, most = np.int64(e), values[edges[e].child, record.player]
    return best


def _finish(rules: CompleteKernels, add_value: Any, compiled: Decorator) -> Any:
    current_player, apply, rewards_of = rules.current_player, rules.apply, rules.rewards
    heuristic, turn_of, sample_chance = rules.heuristic, rules.turn_of, rules.sample_chance

    @compiled
    def finish(state, graph, arena):
        """Play a turn to its end; add what all get in it, and the value where the next begins, to `arena.returns`."""
        graph.player[0] = state
        ahead, turn, returns, rewards = graph.player[0], graph.counts[0].turn, arena.returns, arena.gains[0]
        player = current_player(ahead)
        while player != TERMINAL:
            if turn_of(ahead) != turn and is_asked(player, arena):
                add_value(ahead, player, arena)
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
