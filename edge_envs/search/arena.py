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
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edge_envs.core.game import Game
from edge_envs.search.fitted import Fit, read_fit
from edge_envs.search.perceptron import Perceptron, new_perceptron

MOST_DEPTH = 1024  # edges from the root to a leaf
MOST_CANDIDATES = 16  # actions of the root between which halving begins
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
                ("depth", np.int64),  # edges of the present iteration
                ("least", np.float64),  # of the means of all edges so far
                ("most", np.float64),
                # What follows does not change.
                ("cut", np.int64),  # turns after which playing on gives way to a value
                ("temperature", np.float64),
                ("exploration", np.float64),
                ("trust", np.float64),  # in the logarithms of priors, beside means from 0 to 1, after one iteration
                ("lowest", np.float64),  # return of any player
                ("shared", np.float64),  # what the returns of all players exceed their lowest by, together
            ],
            align=True,
        ),
    )
)


class Arena(NamedTuple):
    """Trees of one game; A actions, P players, F features.

    | array | |
    |---|---|
    | `tree` | one record of `TREE` |
    | `nodes`, `edges`, `sums` | see above |
    | `path` | edges of the present iteration |
    | `movers` | who chose them |
    | `gains` | rewards (depth, P) that followed |
    | `returns` | (P,) at the leaf, then as it is backed up |
    | `candidates` | edges of the root still in question |
    | `copies` | one state record, which plays |
    | `mask`, `values` | (A,) for legal actions and what they are worth |
    | `weights` | one record of the built-in player's weights |
    | `fit` | (2, F + 1) the fitted weights of the player to move and of others, and at the end of a row a constant |
    | `features` | (F,) |
    | `net` | a perceptron for values in place of the fit; without layers there is none |
    """

    tree: Any
    nodes: Any
    edges: Any
    sums: Any
    path: Any
    movers: Any
    gains: Any
    returns: Any
    candidates: Any
    copies: Any
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
    actions, players = game.num_distinct_actions, game.num_players
    values, fit = game.type.values, read_fit(game)
    nodes = min(8 * iterations + 64, MOST_NODES)
    edges = min(8 * iterations + (iterations + 1) * min(actions, 64) + actions, MOST_EDGES)
    tree = np.zeros(1, TREE)
    tree["cut"] = 1 if net else fit.cut if fit else TO_THE_END
    tree["temperature"] = 1.0 if values is None else values.temperature or values.span / 4.0
    tree["exploration"], tree["trust"] = EXPLORATION, TRUST
    tree["lowest"] = game.min_utility
    tree["shared"] = _shared(game, fit)
    features = len(values.features) if values else 0
    return Arena(
        tree=tree,
        nodes=np.empty(nodes, NODE),
        edges=np.empty(edges, EDGE),
        sums=np.empty((edges, players)),
        path=np.empty(MOST_DEPTH, np.int64),
        movers=np.empty(MOST_DEPTH, np.int64),
        gains=np.empty((MOST_DEPTH, players)),
        returns=np.empty(players),
        candidates=np.empty(actions, np.int64),
        copies=game.new_records(1),
        mask=np.zeros(actions, np.int8),
        values=np.empty(actions),
        weights=values.weights_with() if values else np.zeros(1),
        fit=fit.weights if fit else np.zeros((2, features + 1)),
        features=np.empty(features),
        net=new_perceptron(game) if net is None else net,
    )


def _shared(game: Game, fit: Fit | None) -> float:
    total = game.utility_sum if game.utility_sum is not None else fit.utility_sum if fit else 0.0
    return total - game.num_players * game.min_utility
