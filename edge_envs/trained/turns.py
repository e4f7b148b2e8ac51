"""Kernels with which n-tuple networks and learned values decide inside compiled loops."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from edge_envs import ntuple
from edge_envs import search as searches
from edge_envs.core.compiled import compiled_game
from edge_envs.core.compiler.jit import Decorator, kernel_of
from edge_envs.core.game_type import GameType
from edge_envs.core.kernels.record_words import hash_of, records_of
from edge_envs.core.loops.seat_loops import SeatDecider
from edge_envs.core.opponent import Generator, check_shown
from edge_envs.core.spec import Array, Records
from edge_envs.ntuple.agent import TurnsAgent
from edge_envs.ntuple.reply_search import search_turns
from edge_envs.ntuple.turn_search import MAX_PATH, new_settings, new_turn_search, turn_kernel
from edge_envs.search.graph import best_edge, grow_graph, new_graph, value_graph
from edge_envs.search.tree_memory import new_memory
from edge_envs.search.turn import MAX_GRAPH_EDGES, TurnAgent

MOST_PLANNED = 1 << 17
"""The number of decisions that an agent remembers, about 100 bytes each."""


class TurnsMemory(NamedTuple):
    """The memory of a search over whole turns, for N lanes, P players and L decisions.

    | array | content |
    |---|---|
    | `settings` to `weights` | see `edge_envs.ntuple.reply_search.search_turns` |
    | `follows` | (1,) whether plans are followed |
    | `words`, `states` | a state record as words, scratch |
    | `keys`, `actions`, `lengths` | (N, P, L), (N, P) the plan of each seat: positions, and the action in each |
    """

    settings: Any
    search: Any
    replies: Any
    network: Any
    weights: Any
    follows: Any
    words: Any
    states: Any
    keys: Any
    actions: Any
    lengths: Any


class ValuesMemory(NamedTuple):
    """The memory of a search over the rest of a turn; see `edge_envs.search.graph`."""

    graph: Any
    tree: Any


class TupleTurns(TurnsAgent):
    """The agent of an n-tuple network, which also plays inside compiled loops.

    In games of perfect information it searches at the first decision of a turn, and then follows its plan as long as
    the positions are those of the plan. It knows them by a hash of the position, on which alone its plan depends.
    """

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._kernels = _turns_kernels(self.game.type)
        self._turns_memory = self.new_memory(1)
        self._plans: dict[int, int] = {}

    def act(
        self, observations: Array, action_masks: Array, states: Records | None, players: Array, rng: Generator
    ) -> Array:
        """Return legal actions (k,) of the seats to act in the state records `states` (k,)."""
        if not self.game.perfect_information:
            return super().act(observations, action_masks, states, players, rng)
        states = check_shown(self.game, action_masks, states)
        memory, count = self._turns_memory, len(states)
        keys, actions, length = np.empty((count, MAX_PATH), np.uint64), np.empty((count, MAX_PATH), np.int32), 0
        forced = action_masks.sum(axis=1, dtype=np.int64) == 1
        actions[:, 0] = action_masks.argmax(axis=1)
        with self._lock:
            self._kernels.keys_of(states, memory, keys)
            for k, key in enumerate(keys[:, 0].tolist()):
                if forced[k]:
                    continue
                if key in self._plans:
                    actions[k, 0] = self._plans[key]
                    continue
                length = self._kernels.plan(states, k, memory, keys[k], actions[k])
                if len(self._plans) > MOST_PLANNED:
                    self._plans.clear()
                self._plans |= zip(keys[k, :length].tolist(), actions[k, :length].tolist(), strict=True)
        return actions[:, 0].astype(np.int64)

    def decider(self) -> SeatDecider:
        """Return the kernel that decides."""
        return self._kernels.decider

    def new_memory(self, lanes: int) -> TurnsMemory:
        """Allocate the memory of the kernel for an environment with this number of lanes."""
        game, network, plans = self.game, self.network, (lanes, self.game.num_players)
        words, states = records_of(game.type, 1)
        states[:] = game.new_records(1)
        return TurnsMemory(
            settings=new_settings(game, self.beam, self.depth, self.replies),
            search=new_turn_search(game, network, max(self.replies, 1)),
            replies=new_turn_search(game, network),
            network=network,
            weights=self.weights,
            follows=np.array([game.perfect_information]),
            words=words,
            states=states,
            keys=np.zeros((*plans, MAX_PATH), np.uint64),
            actions=np.zeros((*plans, MAX_PATH), np.int32),
            lengths=np.zeros(plans, np.int64),
        )


class ValueTurns(TurnAgent):
    """The agent of learned values, which also plays inside compiled loops."""

    def decider(self) -> SeatDecider:
        """Return the kernel that decides."""
        return _values_decider(self.game.type)

    def new_memory(self, lanes: int) -> ValuesMemory:
        """Allocate the memory of the kernel, which is the same for any number of lanes."""
        return ValuesMemory(new_graph(self.game, MAX_GRAPH_EDGES), new_memory(self.game, 1, self.net))


def decorator_of(game_type: GameType, *packages: Any, lean: bool = False) -> Decorator:
    """Return the decorator of the kernels of a policy, which call those of some packages."""
    here = Path(__file__).resolve().parent
    folders = here, *(Path(package.__file__).resolve().parent for package in packages)
    return kernel_of(game_type.folder, also=folders, lean=lean)


class TurnsKernels(NamedTuple):
    """The kernels of an agent that plans turns.

    `keys_of(states, memory, keys)` fills `keys` (N, L) in column 0 with the hashes of positions (N,).
    `plan(states, k, memory, keys, actions)` plans the turn in state k: it fills the hashes and actions of its decisions
    (L,), and returns their number.
    """

    keys_of: Any
    plan: Any
    decider: SeatDecider


@functools.cache
def _turns_kernels(game_type: GameType) -> TurnsKernels:
    kernels = compiled_game(game_type).kernels
    search, turn_of = search_turns(kernels, game_type.folder), turn_kernel(kernels)
    compiled = decorator_of(game_type, ntuple, lean=True)
    current_player, apply = kernels.current_player, kernels.apply

    @compiled
    def key_of(memory: Any) -> Any:
        """Return the hash of the position in `states`, without its random word."""
        memory.states[0].rng = np.uint64(0)
        return hash_of(memory.words, 0)

    @compiled
    def plan_turn(state: Any, memory: Any, keys: Any, actions: Any) -> Any:
        memory.states[0] = state
        memory.states[0].rng = np.uint64(0)  # it orders turns of equal value; plans are kept by position alone
        search(memory.states[0], memory.settings[0], memory.search, memory.replies, memory.network, memory.weights)
        path, length = memory.search.leaf_paths[0], memory.search.leaf_lengths[0]
        player, turn = current_player(state), turn_of(state)
        memory.states[0] = state
        for k in range(length):
            if k > 0 and (current_player(memory.states[0]) != player or turn_of(memory.states[0]) != turn):
                return k
            keys[k], actions[k] = key_of(memory), path[k]
            apply(memory.states[0], path[k])
        return length

    @compiled
    def keys_of(states: Any, memory: Any, keys: Any) -> None:
        for k in range(states.shape[0]):
            memory.states[0] = states[k]
            keys[k, 0] = key_of(memory)

    @compiled
    def plan(states: Any, k: Any, memory: Any, keys: Any, actions: Any) -> Any:
        return plan_turn(states[k], memory, keys, actions)

    @compiled
    def decide(state: Any, i: Any, memory: Any) -> Any:
        if memory.follows[0] == 0:
            search(state, memory.settings[0], memory.search, memory.replies, memory.network, memory.weights)
            return memory.search.leaf_paths[0, 0]
        player = current_player(state)
        keys, actions = memory.keys[i, player], memory.actions[i, player]
        memory.states[0] = state
        key = key_of(memory)
        for k in range(memory.lengths[i, player]):
            if keys[k] == key:
                return actions[k]
        memory.lengths[i, player] = plan_turn(state, memory, keys, actions)
        return actions[0]

    return TurnsKernels(keys_of, plan, SeatDecider(decide, decorator_of(game_type, ntuple)))


@functools.cache
def _values_decider(game_type: GameType) -> SeatDecider:
    kernels, folder = compiled_game(game_type).kernels, game_type.folder
    current_player, grow, value = kernels.current_player, grow_graph(kernels, folder), value_graph(kernels, folder)

    compiled = decorator_of(game_type, searches)

    @compiled
    def decide(state: Any, i: Any, memory: Any) -> Any:
        graph = memory.graph
        memory.tree.tree[0].player = current_player(state)
        grow(state, graph)
        value(graph, memory.tree)
        return graph.edges[best_edge(graph.nodes, graph.edges, graph.values, 0)].action

    return SeatDecider(decide, compiled)
