"""Agent `turn`: expectimax over the rest of the turn, with a fitted or learned value at its end."""

from __future__ import annotations

import functools
import threading
from pathlib import Path
from typing import Any

import numpy as np

from edge_envs.core.compiled import compiled_game
from edge_envs.core.compiler.jit import kernel_of
from edge_envs.core.game import Game
from edge_envs.core.game_type import GameType
from edge_envs.core.loops.complete_kernels import CompleteKernels
from edge_envs.core.opponent import check_shown
from edge_envs.core.spec import Array, Records
from edge_envs.search.fitted import read_fit
from edge_envs.search.graph import best_edge, grow_graph, new_graph, value_graph
from edge_envs.search.perceptron import Perceptron
from edge_envs.search.tree_memory import new_memory

MAX_GRAPH_EDGES = 5000
"""Maximum number of edges (decisions and outcomes) in the graph of one turn."""


class TurnAgent:
    """Choose the action with the highest expected value at the end of the turn; see `edge_envs.search.graph`.

    The same state record always gives the same action. Threads may share an agent; a lock serializes their calls.

    Args:
        game: The game to play.
        net: Perceptron for position values; None uses the values fitted to games.
        name: Name of the agent.

    Raises:
        ValueError: if the game has no position values.
    """

    needs_states = True

    def __init__(self, game: Game, net: Perceptron | None = None, name: str = "turn") -> None:
        if net is None and read_fit(game) is None:
            raise ValueError(
                f"turn compares position values, but {game.name} has none; fit them with python -m agents.fit"
            )
        self.game, self.name, self.net = game, name, net
        self._tree_memory, self._graph = new_memory(game, 1, net), new_graph(game, MAX_GRAPH_EDGES)
        self._loop = _loop(game.type)
        self._lock = threading.Lock()

    def act(
        self,
        observations: Array,
        action_masks: Array,
        states: Records | None,
        players: Array,
        rng: np.random.Generator,
    ) -> Array:
        """Choose legal actions (k,) for the seats to act in the state records `states` (k,)."""
        return self._search(check_shown(self.game, action_masks, states))[0]

    def action_values(self, states: Records) -> Array:
        """Return the expected return after each action for the seats to act.

        Args:
            states: State records (k,) at decisions.

        Returns:
            float64 (k, num_distinct_actions), NaN for illegal actions.
        """
        self.game.check_decisions(states)
        return self._search(states)[1]

    def _search(self, states: Records) -> tuple[Array, Array]:
        actions, values = np.empty(len(states), np.int64), np.empty((len(states), self.game.num_distinct_actions))
        with self._lock:
            self._loop(states, self._graph, self._tree_memory, actions, values)
        return actions, values

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.game, self.net, self.name)


@functools.cache
def _loop(game_type: GameType) -> Any:
    return turn_loop(compiled_game(game_type).kernels, game_type.folder)


def turn_loop(kernels: CompleteKernels, folder: Path) -> Any:
    """Build the loop `choose(states, graph, memory, actions, values)` over state records (N,) at decisions.

    It fills `values` (N, A) with the expected return of the player to act after each action, NaN for illegal actions,
    and `actions` (N,) with the best action. Ties go to the lowest id.
    """
    compiled = kernel_of(folder, also=Path(__file__).resolve().parent)
    current_player, grow, value = kernels.current_player, grow_graph(kernels, folder), value_graph(kernels, folder)

    @compiled
    def choose(states, graph, memory, actions, values):
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

    return choose
