"""Memory of a tree search: arrays allocated once and reused for every decision.

A tree consists of nodes and edges. A node is a decision or chance event, identified by the choices that lead to it
(an information set tree, as in ISMCTS: Cowling, Powley & Whitehouse 2012); an edge is a decision or outcome. Nodes
store no state records: each iteration plays from a copy of the root. Because hidden parts are resampled in each
iteration, the same choices may lead to a different player, so an edge has a list of child nodes, one per player.

    node                                         edge
    player   seat to act, CHANCE or TERMINAL     action     decision or outcome
    first    first edge, or -1                   following  next edge of the same node, or -1
    sibling  next node below the same edge       child      first child node, or -1
                                                 visits     number of visits
                                                 available  number of visits to the node in which it was legal
                                                 prior      prior probability; 0 excludes the action

`sums[e, p]` is the sum of the returns of player p over the visits of edge e.

An iteration walks from the root to a leaf. If a network provides the priors, a walk waits for it at a node without
edges, and one tree has several walks at once; otherwise it has one. If the network also provides values, that node is
the leaf.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edge_envs.core.compiler.jit import kernel
from edge_envs.core.game import Game
from edge_envs.search.fitted import pool, read_fit
from edge_envs.search.perceptron import Perceptron, new_perceptron

MAX_DEPTH = 1024  # edges from the root to a leaf
MAX_CANDIDATES = 16  # root actions at the start of sequential halving
MAX_ROUNDS = 4  # rounds of sequential halving
MAX_NODES, MAX_EDGES = 1 << 20, 1 << 22
TO_THE_END = 1 << 30  # turns
EXPLORATION, PRIOR_WEIGHT = 0.6, 1.0

NODE = np.dtype((np.record, np.dtype([("player", np.int32), ("first", np.int32), ("sibling", np.int32)])))
EDGE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("action", np.int32),
                ("following", np.int32),
                ("child", np.int32),
                ("visits", np.int32),
                ("available", np.int32),
                ("prior", np.float32),
            ]
        ),
    )
)

TREE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("nodes", np.int64),  # number of nodes
                ("edges", np.int64),  # number of edges
                ("candidates", np.int64),  # number of remaining root candidates
                ("player", np.int64),  # searching player
                ("word", np.uint64),  # random word of the root, from which the words of all iterations derive
                ("min_mean", np.float64),  # smallest mean of any edge so far
                ("max_mean", np.float64),  # largest mean of any edge so far
                # The following fields are constant.
                ("cut", np.int64),  # length of a playout in turns, after which the position value counts
                ("temperature", np.float64),  # of the softmax of action values
                ("exploration", np.float64),  # PUCT constant
                ("prior_weight", np.float64),  # weight of log priors against means from 0 to 1, after one iteration
                ("min_utility", np.float64),  # lowest return of any player
                ("guide_leaves", np.int64),  # whose new nodes are leaves with values from the guide
                ("unshared", np.float64),  # return of a player with a share of 0, see `fitted.pool`
                ("shared", np.float64),  # amount that the players share, negative for a loss
            ],
            align=True,
        ),
    )
)


WALK = np.dtype((np.record, np.dtype([(name, np.int64) for name in ("depth", "node", "turn", "left")])))
"""State of a walk.

`depth` is the number of edges taken. `node` is the node whose edges it waits for, `AT_LEAF`, or `BACKED_UP`. During a
playout against a known agent, `turn` is the number of the current turn and `left` the number of turns until the
position value counts.
"""
AT_LEAF, BACKED_UP = -1, -2

NO_LEAVES, OWN_LEAVES, ALL_LEAVES = range(3)
"""Whose new nodes become leaves with values from the guide: nobody's, the searching player's, or everybody's. At all
other nodes the walk continues."""


class TreeMemory(NamedTuple):
    """Hold a tree and a walk in it, for A actions, P players and F features.

    | array | content |
    |---|---|
    | `tree` | one record of `TREE` |
    | `nodes`, `edges`, `sums` | see the module |
    | `candidates` | edges of the remaining root candidates |
    | `rounds` | iterations per candidate in each round of sequential halving, 0 after the last round |
    | `walk` | one record of `WALK` |
    | `path` | edges of the walk |
    | `movers` | players who chose them |
    | `gains` | rewards (depth, P) that followed them |
    | `copies` | one state record, on which the walk plays |
    | `returns` | (P,) returns at the leaf, updated during backup |
    | `mask`, `values` | (A,) legal actions and their values |
    | `weights` | one record of the heuristic's weights |
    | `fit` | (K, F + 1) fitted weights of the player to move and of those after it; the last column is a constant |
    | `features` | (F,) |
    | `net` | perceptron for values, in place of the fit; without layers the fit is used |

    In memories for several searches (see `new_memories`), the arrays of T trees have one leading axis, and those of
    their W walks (`walk` to `copies`) two. `part_of` selects one walk. The other arrays are shared.
    """

    tree: Any
    nodes: Any
    edges: Any
    sums: Any
    candidates: Any
    rounds: Any
    walk: Any
    path: Any
    movers: Any
    gains: Any
    copies: Any
    returns: Any
    mask: Any
    values: Any
    weights: Any
    fit: Any
    features: Any
    net: Perceptron


def new_memory(game: Game, iterations: int, net: Perceptron | None = None) -> TreeMemory:
    """Allocate the memory of one search with one walk; see `new_memories`."""
    return _part_of(new_memories(game, iterations, 1, 1, net), 0, 0)


def new_memories(game: Game, iterations: int, trees: int, walks: int, net: Perceptron | None = None) -> TreeMemory:
    """Allocate the memory of several simultaneous searches.

    Args:
        game: The game.
        iterations: Budget for which to allocate nodes and edges. A full tree stops growing while the search continues.
        trees: Number of searches, T.
        walks: Number of walks per tree, W.
        net: Perceptron for position values, whose weights are shared; None uses the values fitted to games.
    """
    actions, players = game.num_distinct_actions, game.num_players
    values, fit = game.type.values, read_fit(game)
    nodes, edges = _room(game, iterations)
    tree = np.zeros(trees, TREE)
    tree["cut"] = 1 if net else fit.cut if fit else TO_THE_END
    tree["temperature"] = 1.0 if values is None else values.temperature or values.span / 4.0
    tree["exploration"], tree["prior_weight"] = EXPLORATION, PRIOR_WEIGHT
    tree["min_utility"] = game.min_utility
    tree["unshared"], tree["shared"] = pool(game, None if net else fit)
    features = len(values.features) if values else 0
    return TreeMemory(
        tree=tree,
        nodes=np.empty((trees, nodes), NODE),
        edges=np.empty((trees, edges), EDGE),
        sums=np.empty((trees, edges, players)),
        candidates=np.empty((trees, max(actions, MAX_CANDIDATES + 1)), np.int64),
        rounds=np.zeros((trees, MAX_ROUNDS), np.int64),
        walk=np.zeros((trees, walks), WALK),
        path=np.empty((trees, walks, MAX_DEPTH), np.int64),
        movers=np.empty((trees, walks, MAX_DEPTH), np.int64),
        gains=np.empty((trees, walks, MAX_DEPTH, players)),
        copies=game.new_records(trees * walks).reshape(trees, walks),
        returns=np.empty(players),
        mask=np.zeros(actions, np.int8),
        values=np.empty(actions),
        weights=values.weights_with() if values else np.zeros(1),
        fit=fit.weights if fit else np.zeros((2, features + 1)),
        features=np.empty(features),
        net=new_perceptron(game) if net is None else net.with_own_scratch(),
    )


def _part_of(memories: TreeMemory, t: int, w: int) -> TreeMemory:
    """Select walk `w` of tree `t`."""
    return TreeMemory(
        memories.tree[t : t + 1],
        memories.nodes[t],
        memories.edges[t],
        memories.sums[t],
        memories.candidates[t],
        memories.rounds[t],
        memories.walk[t, w : w + 1],
        memories.path[t, w],
        memories.movers[t, w],
        memories.gains[t, w],
        memories.copies[t, w : w + 1],
        memories.returns,
        memories.mask,
        memories.values,
        memories.weights,
        memories.fit,
        memories.features,
        memories.net,
    )


part_of = kernel(_part_of)
"""Select walk `w` of tree `t`, in compiled code."""


def bytes_of_tree(game: Game, iterations: int) -> int:
    """Return the approximate size of the arrays of one tree."""
    nodes, edges = _room(game, iterations)
    return nodes * NODE.itemsize + edges * (EDGE.itemsize + 8 * game.num_players)


def _room(game: Game, iterations: int) -> tuple[int, int]:
    """Return the numbers of nodes and edges to allocate."""
    actions = game.num_distinct_actions
    edges = 8 * iterations + (iterations + 1) * min(actions, 64) + actions
    return min(8 * iterations + 64, MAX_NODES), min(edges, MAX_EDGES)
