"""The memory of a search: arrays that are made once and used for every decision.

A tree is made of nodes and edges. A node is a position at which somebody decides or nature moves, whatever is hidden;
an edge is what was chosen there. No node keeps a record: each iteration plays from a copy of the root. With hidden
parts drawn anew each time, the same choices may lead to another player, so an edge has a list of nodes, one for each.

    node                                        edge
    player   who is to act, CHANCE or TERMINAL  action     the decision or outcome
    first    its first edge, or -1              following  the node's next edge, or -1
    sibling  the next node below the same edge  child      its first node, or -1
                                                visits     how often it was taken
                                                available  how often it could have been taken
                                                prior      how likely it is before any visit; 0: not to be considered

`sums[e, p]` adds up what player p got after edge e was taken.

An iteration is a walk from the root to a leaf. Where a network tells the priors, walks wait for it at a node that has
no edges yet, several at once in a tree; else there is one. If it tells values, too, that node is the leaf.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edge_envs.core.compiler.jit import kernel
from edge_envs.core.game import Game
from edge_envs.search.fitted import pool, read_fit
from edge_envs.search.perceptron import Perceptron, new_perceptron

MOST_DEPTH = 1024  # edges from the root to a leaf
MOST_CANDIDATES = 16  # actions of the root between which halving begins
MOST_ROUNDS = 4  # of halving
MOST_NODES, MOST_EDGES = 1 << 20, 1 << 22
TO_THE_END = 1 << 30  # turns
EXPLORATION, TRUST = 0.6, 1.0

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
                ("nodes", np.int64),  # how many there are
                ("edges", np.int64),
                ("candidates", np.int64),  # how many of the root's actions are still in question
                ("player", np.int64),  # who searches
                ("word", np.uint64),  # of the root: the words of all iterations follow from it
                ("least", np.float64),  # of the means of all edges so far
                ("most", np.float64),
                # What follows does not change.
                ("cut", np.int64),  # turns after which playing on gives way to a value
                ("temperature", np.float64),
                ("exploration", np.float64),
                ("trust", np.float64),  # in the logarithms of priors, beside means from 0 to 1, after one iteration
                ("lowest", np.float64),  # return of any player
                ("told", np.int64),  # at whose new nodes a value is told in place of playing on
                ("alone", np.float64),  # return of a player who has no share in what a fitted value shares out
                ("shared", np.float64),  # what there is to share, below 0 if it is a loss
            ],
            align=True,
        ),
    )
)


WALK = np.dtype((np.record, np.dtype([(name, np.int64) for name in ("depth", "node", "turn", "left")])))
"""How many edges a walk has taken, and the node whose edges it waits for, or `AT_LEAF`, or `OVER` when it is backed up.

Where others are asked while it is played on from there: the number of the turn, and of the turns before a value counts.
"""
AT_LEAF, OVER = -1, -2

NOBODYS, OWN, ALL = range(3)
"""Whose new nodes are leaves because who is asked about priors tells values, too: those of the searching player or of
all. At others the walk goes on."""


class Arena(NamedTuple):
    """A tree and a walk in it; A actions, P players, F features.

    | array | |
    |---|---|
    | `tree` | one record of `TREE` |
    | `nodes`, `edges`, `sums` | see above |
    | `candidates` | edges of the root still in question |
    | `rounds` | iterations that each of them gets in each round of halving, 0 behind the last |
    | `walk` | one record of `WALK` |
    | `path` | edges of the walk |
    | `movers` | who chose them |
    | `gains` | rewards (depth, P) that followed |
    | `copies` | one state record, which plays |
    | `returns` | (P,) at the leaf, then as it is backed up |
    | `mask`, `values` | (A,) for legal actions and what they are worth |
    | `weights` | one record of the built-in player's weights |
    | `fit` | (K, F + 1) the fitted weights of the player to move and of those behind, at the end of a row a constant |
    | `features` | (F,) |
    | `net` | a perceptron for values in place of the fit; without layers there is none |

    In several arenas together, see `new_arenas`, T trees have an axis before those of their arrays, and those of their
    W walks (`walk` to `copies`) have two; `part_of` is one of them. The rest is shared.
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


def new_arena(game: Game, iterations: int, net: Perceptron | None = None) -> Arena:
    """An arena for searches of so many iterations; where it is full, a search goes on without growing.

    Values are those of a perceptron, if there is one, else those that were fitted to games.
    """
    return _part_of(new_arenas(game, iterations, 1, 1, net), 0, 0)


def new_arenas(game: Game, iterations: int, trees: int, walks: int, net: Perceptron | None = None) -> Arena:
    """Arenas for so many searches at once, with so many walks in each."""
    actions, players = game.num_distinct_actions, game.num_players
    values, fit = game.type.values, read_fit(game)
    nodes, edges = _room(game, iterations)
    tree = np.zeros(trees, TREE)
    tree["cut"] = 1 if net else fit.cut if fit else TO_THE_END
    tree["temperature"] = 1.0 if values is None else values.temperature or values.span / 4.0
    tree["exploration"], tree["trust"] = EXPLORATION, TRUST
    tree["lowest"] = game.min_utility
    tree["alone"], tree["shared"] = pool(game, None if net else fit)
    features = len(values.features) if values else 0
    return Arena(
        tree=tree,
        nodes=np.empty((trees, nodes), NODE),
        edges=np.empty((trees, edges), EDGE),
        sums=np.empty((trees, edges, players)),
        candidates=np.empty((trees, actions), np.int64),
        rounds=np.zeros((trees, MOST_ROUNDS), np.int64),
        walk=np.zeros((trees, walks), WALK),
        path=np.empty((trees, walks, MOST_DEPTH), np.int64),
        movers=np.empty((trees, walks, MOST_DEPTH), np.int64),
        gains=np.empty((trees, walks, MOST_DEPTH, players)),
        copies=game.new_records(trees * walks).reshape(trees, walks),
        returns=np.empty(players),
        mask=np.zeros(actions, np.int8),
        values=np.empty(actions),
        weights=values.weights_with() if values else np.zeros(1),
        fit=fit.weights if fit else np.zeros((2, features + 1)),
        features=np.empty(features),
        net=new_perceptron(game) if net is None else net,
    )


def _part_of(arenas: Arena, t: int, w: int) -> Arena:
    """One walk in one of several trees."""
    return Arena(
        arenas.tree[t : t + 1],
        arenas.nodes[t],
        arenas.edges[t],
        arenas.sums[t],
        arenas.candidates[t],
        arenas.rounds[t],
        arenas.walk[t, w : w + 1],
        arenas.path[t, w],
        arenas.movers[t, w],
        arenas.gains[t, w],
        arenas.copies[t, w : w + 1],
        arenas.returns,
        arenas.mask,
        arenas.values,
        arenas.weights,
        arenas.fit,
        arenas.features,
        arenas.net,
    )


part_of = kernel(_part_of)
"""The same, for compiled code."""


def bytes_of_tree(game: Game, iterations: int) -> int:
    """How large the arrays of one tree are, about."""
    nodes, edges = _room(game, iterations)
    return nodes * NODE.itemsize + edges * (EDGE.itemsize + 8 * game.num_players)


def _room(game: Game, iterations: int) -> tuple[int, int]:
    """The nodes and edges for so many iterations."""
    actions = game.num_distinct_actions
    edges = 8 * iterations + (iterations + 1) * min(actions, 64) + actions
    return min(8 * iterations + 64, MOST_NODES), min(edges, MOST_EDGES)
