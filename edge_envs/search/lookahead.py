"""Compiled loop of the agent `turn`: expectimax over the rest of the turn, see `edge_envs.search.graph`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from edge_envs.core.compiler.jit import kernel_of
from edge_envs.core.loops.complete_kernels import CompleteKernels
from edge_envs.search.graph import best_edge, grow_graph, value_graph


def lookahead_loop(kernels: CompleteKernels, folder: Path) -> Any:
    """Build the loop `lookahead(states, graph, memory, actions, values)` over state records (N,) at decisions.

    It fills `values` (N, A) with the expected return of the player to act after each action, NaN for illegal actions,
    and `actions` (N,) with the best action. Ties go to the lowest id.
    """
    compiled = kernel_of(folder, also=Path(__file__).resolve().parent)
    current_player, grow, value = kernels.current_player, grow_graph(kernels, folder), value_graph(kernels, folder)

    @compiled
    def lookahead(states, graph, memory, actions, values):
        for i in range(states.shape[0]):
            player = current_player(states[i])
            memory.tree[0].player = player
            grow(states[i], graph)
            value(graph, memory)
            values[i, :] = np.nan
            root = graph.nodes[0]
            for e in range(root.first, root.first + root.count):
                values[i, graph.edges[e].action] = graph.values[graph.edges[e].child, player]
            actions[i] = graph.edges[best_edge(graph.nodes, graph.edges, graph.values, 0)].action

    return lookahead
