"""Game-independent kernels of the tree search: nodes and edges, selection, backup and sequential halving."""

from __future__ import annotations

import numpy as np

from edge_envs.core.compiler.jit import kernel
from edge_envs.search.tree_memory import MAX_CANDIDATES

EXPLORATION_MIX = 0.1
"""Fraction of the prior probability that is distributed uniformly, so that every considered action is explored."""


@kernel
def clear(memory):
    """Remove all nodes and edges."""
    tree = memory.tree[0]
    tree.nodes = 0
    tree.edges = 0
    tree.candidates = 0
    tree.min_mean = np.inf
    tree.max_mean = -np.inf


@kernel
def new_node(memory, player):
    """Add a node and return its index, or -1 if the memory is full."""
    tree = memory.tree[0]
    node = tree.nodes
    if node == memory.nodes.shape[0]:
        return np.int64(-1)
    tree.nodes = node + 1
    memory.nodes[node].player = player
    memory.nodes[node].first = -1
    memory.nodes[node].sibling = -1
    return np.int64(node)


@kernel
def new_edge(memory, action, prior):
    """Add an edge without a child and return its index, or -1 if the memory is full."""
    tree = memory.tree[0]
    edge = tree.edges
    if edge == memory.edges.shape[0]:
        return np.int64(-1)
    tree.edges = edge + 1
    memory.edges[edge].action = action
    memory.edges[edge].following = -1
    memory.edges[edge].child = -1
    memory.edges[edge].visits = 0
    memory.edges[edge].available = 0
    memory.edges[edge].prior = prior
    for p in range(memory.sums.shape[1]):
        memory.sums[edge, p] = 0.0
    return np.int64(edge)


@kernel
def mix_priors(memory):
    """Turn the weights in `memory.values` into priors with uniform exploration; negative ones exclude actions."""
    values, total, considered = memory.values, 0.0, 0
    for action in range(values.shape[0]):
        total += max(values[action], 0.0)
        considered += values[action] >= 0.0
    for action in range(values.shape[0]):
        if values[action] < 0.0:
            values[action] = 0.0
        else:
            values[action] = (1.0 - EXPLORATION_MIX) * values[action] / total + EXPLORATION_MIX / considered


@kernel
def add_edges(memory):
    """Add edges for the legal actions (`memory.mask`) at the node of the walk, with priors from `memory.values`."""
    node, last = memory.walk[0].node, np.int64(-1)
    for action in range(memory.mask.shape[0]):
        if memory.mask[action] != 0:
            edge = new_edge(memory, action, memory.values[action])
            if edge < 0:
                return
            if last < 0:
                memory.nodes[node].first = edge
            else:
                memory.edges[last].following = edge
            last = edge


@kernel
def node_below(memory, edge, player):
    """Return the node of a player below an edge, or -1 if there is none."""
    node = np.int64(memory.edges[edge].child)
    while node >= 0 and memory.nodes[node].player != player:
        node = np.int64(memory.nodes[node].sibling)
    return node


@kernel
def add_node(memory, edge, player):
    """Add a node of a player below an edge and return its index, or -1 if the memory is full."""
    node = new_node(memory, player)
    if node >= 0:
        memory.nodes[node].sibling = memory.edges[edge].child
        memory.edges[edge].child = node
    return node


@kernel
def edge_of_outcome(memory, node, outcome):
    """Return the edge of an outcome, adding it if necessary, or -1 if the memory is full."""
    edge = np.int64(memory.nodes[node].first)
    while edge >= 0:
        if memory.edges[edge].action == outcome:
            return edge
        edge = np.int64(memory.edges[edge].following)
    edge = new_edge(memory, outcome, 1.0)
    if edge >= 0:
        memory.edges[edge].following = memory.nodes[node].first
        memory.nodes[node].first = edge
    return edge


@kernel
def select(memory, node, player, partly):
    """Select the edge of a node with the highest PUCT score for the player to act.

    Means are normalized by the smallest and largest mean in the tree. An unvisited edge counts with the mean of its
    siblings. If legality depends on hidden parts (`partly`), `memory.mask` gives the actions that are legal in this
    determinization: only they are selected, missing edges are added, and availability counts replace the visits of the
    node in the exploration term.
    """
    tree, edges = memory.tree[0], memory.edges
    visits, total, legal, last = 0, 0.0, 0, np.int64(-1)
    edge = np.int64(memory.nodes[node].first)
    while edge >= 0:
        if not partly or memory.mask[edges[edge].action] != 0:
            visits += edges[edge].visits
            total += memory.sums[edge, player]
            edges[edge].available += 1
            legal += 1
        last = edge
        edge = np.int64(edges[edge].following)
    if partly:
        _add_missing(memory, node, last)
    unvisited = total / visits if visits > 0 else 0.0
    scale = scale_of(tree)
    best, highest = np.int64(-1), -np.inf
    edge = np.int64(memory.nodes[node].first)
    while edge >= 0:
        if not partly or memory.mask[edges[edge].action] != 0:
            count, prior = edges[edge].visits, np.float64(edges[edge].prior)
            mean = memory.sums[edge, player] / count if count > 0 else unvisited
            score = mean * scale + tree.exploration * prior * np.sqrt(np.float64(edges[edge].available)) / (1 + count)
            if prior == 0.0:
                score -= 1e12
            if score > highest:
                best, highest = edge, score
        edge = np.int64(edges[edge].following)
    return best


@kernel
def _add_missing(memory, node, last):
    """Append edges for legal actions without one, each with the prior of a uniform choice."""
    edges, legal = memory.edges, 0
    for action in range(memory.mask.shape[0]):
        legal += memory.mask[action] != 0
    edge = np.int64(memory.nodes[node].first)
    while edge >= 0:
        if memory.mask[edges[edge].action] != 0:
            memory.mask[edges[edge].action] = 2
        edge = np.int64(edges[edge].following)
    for action in range(memory.mask.shape[0]):
        if memory.mask[action] == 1:
            edge = new_edge(memory, action, 1.0 / legal)
            if edge < 0:
                return
            edges[edge].available = 1
            if last < 0:
                memory.nodes[node].first = edge
            else:
                edges[last].following = edge
            last = edge


@kernel
def back_up(memory):
    """Back up the returns at the leaf, plus the rewards on the path, to the edges of the path."""
    tree, returns, players = memory.tree[0], memory.returns, memory.returns.shape[0]
    for d in range(memory.walk[0].depth - 1, -1, -1):
        edge = memory.path[d]
        memory.edges[edge].visits += 1
        for p in range(players):
            returns[p] += memory.gains[d, p]
            memory.sums[edge, p] += returns[p]
        if memory.movers[d] >= 0:
            mean = memory.sums[edge, memory.movers[d]] / memory.edges[edge].visits
            tree.min_mean = min(tree.min_mean, mean)
            tree.max_mean = max(tree.max_mean, mean)


@kernel
def choose_candidates(memory, most):
    """Choose the `most` root actions with the highest priors as candidates. Ties go to the lowest id."""
    tree, edges, candidates = memory.tree[0], memory.edges, memory.candidates
    count = 0
    edge = np.int64(memory.nodes[0].first)
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
def schedule_rounds(memory, count):
    """Divide `count` iterations equally among the rounds of sequential halving and return the number of rounds."""
    candidates, rounds, left = memory.tree[0].candidates, 0, count
    while (1 << rounds) < candidates:
        rounds += 1
    rounds = max(rounds, 1)
    memory.rounds[:] = 0
    for k in range(rounds):
        memory.rounds[k] = max(left // ((rounds - k) * candidates), 1)
        left -= memory.rounds[k] * candidates
        candidates = (candidates + 1) // 2
    return rounds


@kernel
def candidates_for(count):
    """Return the number of candidates for `count` iterations, so that each gets one in every round it takes part in."""
    candidates, rounds = 1, 0
    while 2 * candidates * (rounds + 1) <= count and candidates < MAX_CANDIDATES:
        candidates *= 2
        rounds += 1
    return candidates


@kernel
def read_root(memory, action, visits, means, policy):
    """Fill in the best candidate so far (1,), and visits (A,), means (A,) and improved policy (A,) of the root."""
    tree, edges = memory.tree[0], memory.edges
    action[0] = edges[memory.candidates[0]].action
    visits[:] = 0
    means[:] = np.nan
    policy[:] = 0.0
    edge = np.int64(memory.nodes[0].first)
    while edge >= 0:
        times = edges[edge].visits
        visits[edges[edge].action] = times
        if times > 0:
            means[edges[edge].action] = memory.sums[edge, tree.player] / times
        policy[edges[edge].action] = edges[edge].prior
        edge = np.int64(edges[edge].following)
    improve(policy, means, scale_of(tree) * np.sqrt(np.float64(visits.sum())) / tree.prior_weight)


@kernel
def improve(policy, means, weight):
    """Improve a policy (A,) in place: multiply priors by exp(mean * weight) and normalize.

    An unvisited action counts with the mean of the visited ones, weighted by their priors (completed Q-values,
    Danihelka et al. 2022).
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
def scale_of(tree):
    """Return the factor that scales differences of means to the range 0 to 1."""
    span = tree.max_mean - tree.min_mean
    return 1.0 / span if span > 1e-9 else 0.0


@kernel
def halve(memory):
    """Keep the better half of the candidates, best first."""
    tree, candidates = memory.tree[0], memory.candidates
    count, iterations = tree.candidates, 0
    for k in range(count):
        iterations += memory.edges[candidates[k]].visits
    scale = scale_of(tree)
    weight = tree.prior_weight / np.sqrt(np.float64(max(iterations, 1)))
    for k in range(1, count):
        edge, at = candidates[k], k
        while at > 0 and _candidate_score(memory, candidates[at - 1], scale, weight) < _candidate_score(
            memory, edge, scale, weight
        ):
            candidates[at] = candidates[at - 1]
            at -= 1
        candidates[at] = edge
    tree.candidates = (count + 1) // 2


@kernel
def _candidate_score(memory, edge, scale, weight):
    """Return the score of a candidate: its normalized mean plus its weighted log prior."""
    visits = memory.edges[edge].visits
    mean = memory.sums[edge, memory.tree[0].player] / visits if visits > 0 else -np.inf
    if visits == 0:
        return mean
    return mean * scale + weight * np.log(np.float64(memory.edges[edge].prior))
