"""How a tree grows: kernels that know no game."""

from __future__ import annotations

import numpy as np

from edge_envs.core.compiler.jit import kernel
from edge_envs.search.arena import MOST_CANDIDATES

DOUBT = 0.1
"""The part of all priors that is shared evenly, however sure the player is whose they are."""


@kernel
def clear(arena):
    """Forget the tree; no node is left."""
    tree = arena.tree[0]
    tree.nodes = 0
    tree.edges = 0
    tree.candidates = 0
    tree.least = np.inf
    tree.most = -np.inf


@kernel
def new_node(arena, player):
    """A new node, or -1 if there is no room."""
    tree = arena.tree[0]
    node = tree.nodes
    if node == arena.nodes.shape[0]:
        return np.int64(-1)
    tree.nodes = node + 1
    arena.nodes[node].player = player
    arena.nodes[node].first = -1
    arena.nodes[node].sibling = -1
    return np.int64(node)


@kernel
def new_edge(arena, action, prior):
    """A new edge without a node, or -1 if there is no room."""
    tree = arena.tree[0]
    edge = tree.edges
    if edge == arena.edges.shape[0]:
        return np.int64(-1)
    tree.edges = edge + 1
    arena.edges[edge].action = action
    arena.edges[edge].following = -1
    arena.edges[edge].child = -1
    arena.edges[edge].visits = 0
    arena.edges[edge].available = 0
    arena.edges[edge].prior = prior
    for p in range(arena.sums.shape[1]):
        arena.sums[edge, p] = 0.0
    return np.int64(edge)


@kernel
def doubt(arena):
    """Make priors of the weights in `arena.values`, with some doubt of them; below 0: an action not considered."""
    values, total, considered = arena.values, 0.0, 0
    for action in range(values.shape[0]):
        total += max(values[action], 0.0)
        considered += values[action] >= 0.0
    for action in range(values.shape[0]):
        if values[action] < 0.0:
            values[action] = 0.0
        else:
            values[action] = (1.0 - DOUBT) * values[action] / total + DOUBT / considered


@kernel
def add_edges(arena):
    """Edges for the legal actions (`arena.mask`) at the node of the walk, with their priors from `arena.values`."""
    node, last = arena.walk[0].node, np.int64(-1)
    for action in range(arena.mask.shape[0]):
        if arena.mask[action] != 0:
            edge = new_edge(arena, action, arena.values[action])
            if edge < 0:
                return
            if last < 0:
                arena.nodes[node].first = edge
            else:
                arena.edges[last].following = edge
            last = edge


@kernel
def node_below(arena, edge, player):
    """The node of a player below an edge, or -1 if there is none."""
    node = np.int64(arena.edges[edge].child)
    while node >= 0 and arena.nodes[node].player != player:
        node = np.int64(arena.nodes[node].sibling)
    return node


@kernel
def add_node(arena, edge, player):
    """A new node of a player below an edge, or -1 if there is no room."""
    node = new_node(arena, player)
    if node >= 0:
        arena.nodes[node].sibling = arena.edges[edge].child
        arena.edges[edge].child = node
    return node


@kernel
def edge_of_outcome(arena, node, outcome):
    """The edge of an outcome, a new one if there is none; -1 if there is no room."""
    edge = np.int64(arena.nodes[node].first)
    while edge >= 0:
        if arena.edges[edge].action == outcome:
            return edge
        edge = np.int64(arena.edges[edge].following)
    edge = new_edge(arena, outcome, 1.0)
    if edge >= 0:
        arena.edges[edge].following = arena.nodes[node].first
        arena.nodes[node].first = edge
    return edge


@kernel
def select(arena, node, player, partly):
    """The edge of a node that promises most to the player to act: its mean, and its prior where visits are few.

    If actions are legal in part of the cases (`partly`), `arena.mask` says which are now: no others are taken, and
    those that no edge has yet get one.
    """
    tree, edges = arena.tree[0], arena.edges
    visits, total, legal, last = 0, 0.0, 0, np.int64(-1)
    edge = np.int64(arena.nodes[node].first)
    while edge >= 0:
        if not partly or arena.mask[edges[edge].action] != 0:
            visits += edges[edge].visits
            total += arena.sums[edge, player]
            edges[edge].available += 1
            legal += 1
        last = edge
        edge = np.int64(edges[edge].following)
    if partly:
        _add_missing(arena, node, last)
    unvisited = total / visits if visits > 0 else 0.0
    scale = _scale(tree)
    best, highest = np.int64(-1), -np.inf
    edge = np.int64(arena.nodes[node].first)
    while edge >= 0:
        if not partly or arena.mask[edges[edge].action] != 0:
            count, prior = edges[edge].visits, np.float64(edges[edge].prior)
            mean = arena.sums[edge, player] / count if count > 0 else unvisited
            worth = mean * scale + tree.exploration * prior * np.sqrt(np.float64(edges[edge].available)) / (1 + count)
            if prior == 0.0:
                worth -= 1e12
            if worth > highest:
                best, highest = edge, worth
        edge = np.int64(edges[edge].following)
    return best


@kernel
def _add_missing(arena, node, last):
    """Edges for the legal actions that a node lacks, behind the last one it has; all as likely as an even choice."""
    edges, legal = arena.edges, 0
    for action in range(arena.mask.shape[0]):
        legal += arena.mask[action] != 0
    edge = np.int64(arena.nodes[node].first)
    while edge >= 0:
        if arena.mask[edges[edge].action] != 0:
            arena.mask[edges[edge].action] = 2
        edge = np.int64(edges[edge].following)
    for action in range(arena.mask.shape[0]):
        if arena.mask[action] == 1:
            edge = new_edge(arena, action, 1.0 / legal)
            if edge < 0:
                return
            edges[edge].available = 1
            if last < 0:
                arena.nodes[node].first = edge
            else:
                edges[last].following = edge
            last = edge


@kernel
def back_up(arena):
    """Add what every player got at the leaf, and on the way there, to the edges of the path."""
    tree, returns, players = arena.tree[0], arena.returns, arena.returns.shape[0]
    for d in range(arena.walk[0].depth - 1, -1, -1):
        edge = arena.path[d]
        arena.edges[edge].visits += 1
        for p in range(players):
            returns[p] += arena.gains[d, p]
            arena.sums[edge, p] += returns[p]
        if arena.movers[d] >= 0:
            mean = arena.sums[edge, arena.movers[d]] / arena.edges[edge].visits
            tree.least = min(tree.least, mean)
            tree.most = max(tree.most, mean)


@kernel
def name_candidates(arena, most):
    """Put the likeliest actions of the root in question, `most` of them at most; of equal ones the lowest ids."""
    tree, edges, candidates = arena.tree[0], arena.edges, arena.candidates
    count = 0
    edge = np.int64(arena.nodes[0].first)
    while edge >= 0:
        if edges[edge].prior > 0.0:
            at = count
            while at > 0 and edges[candidates[at - 1]].prior < edges[edge].prior:
                candidates[at] = candidates[at - 1]
                at -= 1
            candidates[at] = edge
            count += 1
        edge = np.int64(edges[edge].following)
    tree.candidates = min(count, most)


@kernel
def plan_rounds(arena, count):
    """Share `count` iterations among rounds of halving, evenly; returns how many rounds there are."""
    candidates, rounds, left = arena.tree[0].candidates, 0, count
    while (1 << rounds) < candidates:
        rounds += 1
    rounds = max(rounds, 1)
    arena.rounds[:] = 0
    for k in range(rounds):
        arena.rounds[k] = max(left // ((rounds - k) * candidates), 1)
        left -= arena.rounds[k] * candidates
        candidates = (candidates + 1) // 2
    return rounds


@kernel
def candidates_for(count):
    """How many candidates so few iterations can tell apart: each gets one in every round."""
    candidates, rounds = 1, 0
    while 2 * candidates * (rounds + 1) <= count and candidates < MOST_CANDIDATES:
        candidates *= 2
        rounds += 1
    return candidates


@kernel
def read_root(arena, action, visits, means, policy):
    """Fill in the best candidate so far (1,), and for each action of the root the visits (A,), the mean (A,) and how
    likely it is now (A,).
    """
    tree, edges = arena.tree[0], arena.edges
    action[0] = edges[arena.candidates[0]].action
    visits[:] = 0
    means[:] = np.nan
    policy[:] = 0.0
    edge = np.int64(arena.nodes[0].first)
    while edge >= 0:
        times = edges[edge].visits
        visits[edges[edge].action] = times
        if times > 0:
            means[edges[edge].action] = arena.sums[edge, tree.player] / times
        policy[edges[edge].action] = edges[edge].prior
        edge = np.int64(edges[edge].following)
    _improve(policy, means, _scale(tree) * np.sqrt(np.float64(visits.sum())) / tree.trust)


@kernel
def _improve(policy, means, weight):
    """Weigh priors (A,) by what actions brought on average: by the exponential of means by `weight`.

    An action that was not tried counts as the average of the others, the likelier ones more.
    """
    tried, total, most = 0.0, 0.0, -np.inf
    for action in range(policy.shape[0]):
        if means[action] == means[action]:
            tried += policy[action]
            total += policy[action] * means[action]
            most = max(most, means[action])
    average = total / tried if tried > 0.0 else most
    total = 0.0
    for action in range(policy.shape[0]):
        if tried > 0.0 and policy[action] > 0.0:
            mean = means[action] if means[action] == means[action] else average
            policy[action] *= np.exp((mean - most) * weight)
        total += policy[action]
    for action in range(policy.shape[0]):
        policy[action] /= total


@kernel
def _scale(tree):
    """What makes differences of means numbers from 0 to 1."""
    span = tree.most - tree.least
    return 1.0 / span if span > 1e-9 else 0.0


@kernel
def halve(arena):
    """Leave the better half of the candidates in question, the best first."""
    tree, candidates = arena.tree[0], arena.candidates
    count, iterations = tree.candidates, 0
    for k in range(count):
        iterations += arena.edges[candidates[k]].visits
    scale = _scale(tree)
    weight = tree.trust / np.sqrt(np.float64(max(iterations, 1)))
    for k in range(1, count):
        edge, at = candidates[k], k
        while at > 0 and _worth(arena, candidates[at - 1], scale, weight) < _worth(arena, edge, scale, weight):
            candidates[at] = candidates[at - 1]
            at -= 1
        candidates[at] = edge
    tree.candidates = (count + 1) // 2


@kernel
def _worth(arena, edge, scale, weight):
    """What a candidate is worth: its mean and, the less the more iterations there were, its prior."""
    visits = arena.edges[edge].visits
    mean = arena.sums[edge, arena.tree[0].player] / visits if visits > 0 else -np.inf
    if visits == 0:
        return mean
    return mean * scale + weight * np.log(np.float64(arena.edges[edge].prior))
