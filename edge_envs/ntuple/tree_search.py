"""Search over whole turns, with the values of an n-tuple network.

A *macro-action* is a sequence of a player's decisions up to the end of the turn, a chance event or another player's
decision. The root of the tree gets the best macro-actions that `turn_search` finds, with a softmax of their values as
priors (learned turn values in the role of a policy), and sequential halving compares them (Karnin, Koren & Somekh
2013).

- If the game's heuristic values actions, its own turn is a further candidate. An iteration plays a macro-action, and
  then the heuristic for some turns. The network evaluates the position after each of these turns, and the result is
  their mean with the weights of TD(λ). This is the rollout algorithm (Tesauro & Galperin 1996) with truncated
  rollouts. If nothing is random or hidden, all playouts of a macro-action are the same, so each is played only
  once. The tree has no nodes below the root: a deeper one, over macro-actions that the network proposes, with the
  network's values, would find the errors of the network.
- Otherwise, an edge of the tree is a macro-action or a chance outcome, and a new node gets its best macro-actions. The
  value of the node is the network's value after the best of them. Selection is by PUCT (Rosin 2011; Silver et al.
  2017); an edge without visits counts with the network's value of its macro-action.

Hidden parts and chance are handled as in `edge_envs.search.loop`: each iteration plays on a determinization.
"""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from edge_envs.core.compiled import compiled_game
from edge_envs.core.compiler.jit import kernel, kernel_of
from edge_envs.core.game import Game
from edge_envs.core.game_type import GameType
from edge_envs.core.kernels.rng import GAMMA, mix
from edge_envs.core.loops.complete_kernels import CompleteKernels
from edge_envs.core.nodes import CHANCE, TERMINAL
from edge_envs.core.spec import Array, Records
from edge_envs.ntuple.network import Network
from edge_envs.ntuple.scores import set_root
from edge_envs.ntuple.turn_search import (
    FOUND,
    TurnSearch,
    cells_kernel,
    new_settings,
    new_turn_search,
    search_turn,
    shares_of_scores,
    turn_kernel,
)
from edge_envs.search.budgets import Budget
from edge_envs.search.loop import FULL, INIT_ROOT, ITERATE
from edge_envs.search.searcher import Roots, Searcher
from edge_envs.search.tree import (
    EXPLORATION_MIX,
    add_node,
    back_up,
    choose_candidates,
    clear,
    edge_of_outcome,
    halve,
    improve,
    new_edge,
    new_node,
    node_below,
    scale_of,
    schedule_rounds,
)
from edge_envs.search.tree_memory import MAX_CANDIDATES, MAX_NODES, TreeMemory, new_memory

WIDTH = 8
"""Macro-actions of a node below the root without playouts; the root has `MAX_CANDIDATES`."""
TEMPERATURE = 0.2
"""The temperature of the softmax over shares of the win, which gives the priors."""
OWN_PRIOR = 0.5
"""The prior of the heuristic's own turn."""
PRIOR_WEIGHT = 0.01
"""Weight of log priors against means from 0 to 1 at the root, after one iteration: they only break ties."""
PLAYOUT_TURNS = 8
DECAY = 0.8
MOST_NODES = 1 << 16
DECISIONS_PER_MACRO = 16
"""Average number of decisions for which there is room."""

HERE = Path(__file__).resolve().parent
FOLDERS = (HERE, HERE.parent / "search")

OPTIONS = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("used", np.int64),  # decisions in `steps`
                # The following fields are constant.
                ("width", np.int64),
                ("temperature", np.float64),
                ("playout_turns", np.int64),
                ("decay", np.float64),  # λ of playouts
                ("certain", np.int64),  # whether nothing is random or hidden
            ],
            align=True,
        ),
    )
)


class MacroTree(NamedTuple):
    """Memory of a search, for E edges and P players.

    | array | content |
    |---|---|
    | `tree_memory` | the tree and the walk in it; the action of an edge is the first decision of its macro-action |
    | `options` | one record of `OPTIONS` |
    | `steps` | int32 (S,) the decisions of all macro-actions |
    | `first`, `lengths` | (E,) where the macro-action of an edge begins in `steps`, and its number of decisions |
    | `estimates` | (E, P) returns after the macro-action by the network |
    | `turn_search` | memory for finding macro-actions |
    | `settings` | one record of `turn_search.SETTINGS` |
    | `network`, `weights` | |
    | `shares`, `scratch` | (P,) |
    """

    tree_memory: TreeMemory
    options: Any
    steps: Any
    first: Any
    lengths: Any
    estimates: Any
    turn_search: TurnSearch
    settings: Any
    network: Network
    weights: Any
    shares: Any
    scratch: Any


def new_macro_tree(
    game: Game, network: Network, weights: Array, iterations: int, *, beam: int, depth: int
) -> MacroTree:
    """Allocate the memory of a search.

    Args:
        game: The game.
        network: The tuples.
        weights: float32 (W,).
        iterations: Budget for which to allocate nodes and edges.
        beam: Open positions of a layer that are searched further.
        depth: Layers of the search.
    """
    tree_memory = new_memory(game, min(iterations, MOST_NODES))
    edges, players = len(tree_memory.edges), game.num_players
    options = np.zeros(1, OPTIONS)
    tree_memory.tree["prior_weight"] = PRIOR_WEIGHT
    width, turns = (0, PLAYOUT_TURNS) if game.type.values else (WIDTH, 0)
    options[0] = 0, width, TEMPERATURE, turns, DECAY, game.perfect_information and not game.max_chance_outcomes
    return MacroTree(
        tree_memory=tree_memory,
        options=options,
        steps=np.empty(DECISIONS_PER_MACRO * edges, np.int32),
        first=np.empty(edges, np.int64),
        lengths=np.empty(edges, np.int64),
        estimates=np.empty((edges, players)),
        turn_search=new_turn_search(game, network, MAX_CANDIDATES),
        settings=new_settings(game, beam, depth, 0),
        network=network,
        weights=weights,
        shares=np.zeros(players),
        scratch=np.zeros(players),
    )


class MacroSearcher(Searcher):
    """Search positions of a game with the values of an n-tuple network.

    Args:
        game: The game.
        budget: Iterations or milliseconds per position.
        network: The tuples.
        weights: float32 (W,).
        beam: Open positions of a layer that are searched further.
        depth: Layers of the search.
    """

    def __init__(self, game: Game, budget: Budget, network: Network, weights: Array, *, beam: int, depth: int) -> None:
        self._network, self._weights, self._beam, self._depth = network, weights, beam, depth
        super().__init__(game, budget)

    def _allocate(self) -> None:
        self._memory = new_macro_tree(
            self.game,
            self._network,
            self._weights,
            self.budget.iterations or MAX_NODES,
            beam=self._beam,
            depth=self._depth,
        )
        self._tree_memory = self._memory.tree_memory
        self._loop = loop_of(self.game.type)

    def _search_in_time(self, states: Records, roots: Roots) -> None:
        if _plays_once(self._memory.options[0]):
            self._step(states, FULL, MAX_CANDIDATES, roots)
        else:
            super()._search_in_time(states, roots)

    def __reduce__(self) -> tuple[Any, ...]:
        options: dict[str, Any] = {"beam": self._beam, "depth": self._depth}
        return functools.partial(type(self), **options), (self.game, self.budget, self._network, self._weights)


@functools.cache
def loop_of(game_type: GameType) -> Any:
    """Return the compiled loop of a game."""
    return macro_search_loop(compiled_game(game_type).kernels, game_type.folder)


def macro_search_loop(kernels: CompleteKernels, folder: Path) -> Any:
    """Build the loop `search(states, step, count, memory, actions, ...)`, with the steps of `edge_envs.search.loop`."""
    compiled = kernel_of(folder, also=FOLDERS)
    current_player, determinize = kernels.current_player, kernels.determinize
    add_macros, walk = _add_macros(kernels, folder), _walk(kernels, folder)

    @compiled
    def init_root(state, candidates, memory):
        """Start a new tree and choose the root's candidates."""
        tree_memory = memory.tree_memory
        tree = tree_memory.tree[0]
        clear(tree_memory)
        memory.options[0].used = 0
        tree.player, tree.word = current_player(state), mix(state.rng)
        tree_memory.copies[0] = state
        determinize(tree_memory.copies[0], tree.player, tree.word)
        add_macros(tree_memory.copies[0], new_node(tree_memory, tree.player), memory, MAX_CANDIDATES)
        choose_candidates(tree_memory, candidates)

    @compiled
    def iterate(state, each, memory):
        """Run `each` iterations for each candidate."""
        tree_memory = memory.tree_memory
        for _ in range(each):
            for k in range(tree_memory.tree[0].candidates):
                walk(state, tree_memory.candidates[k], memory)
                back_up(tree_memory)

    @compiled
    def search(states, step, count, memory, actions, visits, means, policy):
        tree_memory = memory.tree_memory
        for i in range(states.shape[0]):
            if step == FULL:
                once = plays_once(memory.options[0])
                init_root(states[i], min(max(count if once else count // 2, 1), MAX_CANDIDATES), memory)
                if once:
                    iterate(states[i], 1, memory)
                    halve(tree_memory)
                else:
                    for k in range(schedule_rounds(tree_memory, count)):
                        iterate(states[i], tree_memory.rounds[k], memory)
                        halve(tree_memory)
            elif step == INIT_ROOT:
                init_root(states[i], MAX_CANDIDATES, memory)
            elif step == ITERATE:
                iterate(states[i], count, memory)
            else:
                halve(tree_memory)
            read_results(memory, actions[i : i + 1], visits[i], means[i], policy[i])

    return search


def _value_here(kernels: CompleteKernels, folder: Path) -> Any:
    """Build the kernel `value_here(state, owner, memory)`: the network's shares after decisions of `owner`."""
    compiled, cells = kernel_of(folder, also=FOLDERS), cells_kernel(kernels, folder)

    @compiled
    def value_here(state, owner, memory):
        tree, levels = memory.turn_search.tree, memory.turn_search.levels
        base = tree.base
        for view in range(base.shape[0]):
            cells(state, owner if base.shape[0] == 1 else view, tree.cell_memory[0], base[view])
        set_root(memory.network, memory.weights, levels, base)
        shares_of_scores(levels.sums[0], owner, memory.shares)

    return value_here


def _add_macros(kernels: CompleteKernels, folder: Path) -> Any:
    compiled = kernel_of(folder, also=FOLDERS)
    current_player, find = kernels.current_player, search_turn(kernels, folder)
    add_own_macro = _add_own_macro(kernels, folder)

    @compiled
    def add_macros(state, node, memory, width):
        """Give a node macro-actions as edges, and fill the returns with the network's value after the best one.

        These are the heuristic's own turn, if there are playouts, and the best macro-actions by the network.
        """
        tree_memory, options, found = memory.tree_memory, memory.options[0], memory.turn_search
        settings, values, owner = memory.settings[0], found.leaf_values, current_player(state)
        find(state, settings, found, memory.network, memory.weights, np.inf)
        count, total, own = min(found.counts[FOUND], width), 0.0, np.int64(-1)
        for k in range(count):
            total += np.exp((values[k, owner] - values[0, owner]) / options.temperature)
        if options.playout_turns > 0:
            own = add_own_macro(state, node, memory, OWN_PRIOR)
        last, rest = own, 1.0 - OWN_PRIOR if own >= 0 else 1.0
        for k in range(count):
            length = found.leaf_lengths[k]
            if own >= 0 and is_macro(memory, own, found.leaf_paths[k], length):
                continue
            prior = np.exp((values[k, owner] - values[0, owner]) / options.temperature) / total
            prior = (1.0 - EXPLORATION_MIX) * prior + EXPLORATION_MIX / count
            edge = add_macro(memory, node, last, found.leaf_paths[k], length, rest * prior)
            if edge < 0:
                break
            for p in range(tree_memory.returns.shape[0]):
                memory.estimates[edge, p] = settings.lowest + settings.shared * values[k, p]
            last = edge
        for p in range(tree_memory.returns.shape[0]):
            tree_memory.returns[p] = settings.lowest + settings.shared * values[0, p]

    return add_macros


def _add_own_macro(kernels: CompleteKernels, folder: Path) -> Any:
    compiled = kernel_of(folder, also=FOLDERS)
    current_player, turn_of, heuristic = kernels.current_player, turn_kernel(kernels), kernels.heuristic
    apply, rewards_of, value_here = kernels.apply, kernels.rewards, _value_here(kernels, folder)

    @compiled
    def add_own_macro(state, node, memory, prior):
        """Add the heuristic's own turn as the first edge of a node; return the edge, or -1 if it is too long."""
        search, settings, owner, turn = memory.turn_search, memory.settings[0], current_player(state), turn_of(state)
        ahead, length = search.states[0], 0
        search.states[0] = state
        while current_player(ahead) == owner and turn_of(ahead) == turn:
            if length == search.stack.shape[0]:
                return np.int64(-1)
            search.stack[length] = heuristic(ahead)
            apply(ahead, search.stack[length])
            length += 1
        edge = add_macro(memory, node, np.int64(-1), search.stack, length, prior)
        if edge >= 0:
            is_over = current_player(ahead) == TERMINAL
            if is_over:
                rewards_of(ahead, memory.shares)
            else:
                value_here(ahead, owner, memory)
            for p in range(memory.shares.shape[0]):
                value = memory.shares[p] if is_over else settings.lowest + settings.shared * memory.shares[p]
                memory.estimates[edge, p] = value
        return edge

    return add_own_macro


@kernel
def add_macro(memory, node, last, path, length, prior):
    """Add a macro-action as an edge behind the edge `last` of a node, or as the first.

    Return the edge, or -1 if the memory is full.
    """
    tree_memory, options = memory.tree_memory, memory.options[0]
    if options.used + length > memory.steps.shape[0]:
        return np.int64(-1)
    edge = new_edge(tree_memory, path[0], prior)
    if edge < 0:
        return edge
    memory.first[edge], memory.lengths[edge] = options.used, length
    for step in range(length):
        memory.steps[options.used + step] = path[step]
    options.used += length
    if last < 0:
        tree_memory.nodes[node].first = edge
    else:
        tree_memory.edges[last].following = edge
    return edge


@kernel
def is_macro(memory, edge, path, length):
    """Return whether the macro-action of an edge consists of these decisions."""
    first, same = memory.first[edge], memory.lengths[edge] == length
    for step in range(length if same else 0):
        same = same and memory.steps[first + step] == path[step]
    return same


def _evaluate(kernels: CompleteKernels, folder: Path) -> Any:
    compiled = kernel_of(folder, also=FOLDERS)
    current_player, turn_of, heuristic = kernels.current_player, turn_kernel(kernels), kernels.heuristic
    apply, rewards_of, sample_chance = kernels.apply, kernels.rewards, kernels.sample_chance
    add_macros, value_here = _add_macros(kernels, folder), _value_here(kernels, folder)

    @compiled
    def play_out(state, memory):
        """Play some turns by the heuristic, and fill the returns with a weighted mean of the values after each.

        The weights are those of TD(λ): a share λ of the weight passes to the next turn.
        """
        options, settings, returns = memory.options[0], memory.settings[0], memory.tree_memory.returns
        owner, turn, left, rest = current_player(state), turn_of(state), options.playout_turns, 1.0
        returns[:] = 0.0
        while True:
            player = current_player(state)
            if player == TERMINAL:
                rewards_of(state, memory.shares)
                for p in range(returns.shape[0]):
                    returns[p] += rest * memory.shares[p]
                return
            if player == CHANCE:
                apply(state, sample_chance(state))
                continue
            if player != owner or turn_of(state) != turn:
                value_here(state, owner, memory)
                left -= 1
                weight = rest * (1.0 - options.decay) if left > 0 else rest
                for p in range(returns.shape[0]):
                    returns[p] += weight * (settings.lowest + settings.shared * memory.shares[p])
                rest -= weight
                if left == 0:
                    return
                owner, turn = player, turn_of(state)
            apply(state, heuristic(state))

    @compiled
    def evaluate(state, node, memory):
        """Expand a node, unless nodes have no macro-actions, and fill the returns with its value."""
        if memory.options[0].width > 0:
            add_macros(state, node, memory, memory.options[0].width)
        if memory.options[0].playout_turns > 0:
            play_out(state, memory)

    return evaluate


def _walk(kernels: CompleteKernels, folder: Path) -> Any:
    compiled = kernel_of(folder, also=FOLDERS)
    current_player, determinize, apply = kernels.current_player, kernels.determinize, kernels.apply
    rewards_of, sample_chance, legal_action_mask = kernels.rewards, kernels.sample_chance, kernels.legal_action_mask
    turn_of, hidden = turn_kernel(kernels), kernels.resample is not None
    evaluate, value_here = _evaluate(kernels, folder), _value_here(kernels, folder)

    @compiled
    def execute(state, edge, player, memory, gains):
        """Play a macro-action while it is the player's turn; hidden parts may rule out the rest."""
        mask, turn = memory.tree_memory.mask, turn_of(state)
        gains[:] = 0.0
        for step in range(memory.first[edge], memory.first[edge] + memory.lengths[edge]):
            if current_player(state) != player or turn_of(state) != turn:
                return
            if hidden:
                legal_action_mask(state, mask)
                if mask[memory.steps[step]] == 0:
                    return
            apply(state, memory.steps[step])
            rewards_of(state, memory.scratch)
            for p in range(gains.shape[0]):
                gains[p] += memory.scratch[p]

    @compiled
    def walk(state, edge, memory):
        """Walk from the root, through one of its edges, to a new node and evaluate it."""
        tree_memory, settings = memory.tree_memory, memory.settings[0]
        tree, ahead, returns = tree_memory.tree[0], tree_memory.copies[0], tree_memory.returns
        tree_memory.copies[0] = state
        determinize(ahead, tree.player, mix(tree.word + np.uint64(tree_memory.edges[edge].visits) * GAMMA))
        player, depth, deepest = tree.player, 0, tree_memory.path.shape[0] - 1
        owner = player
        returns[:] = 0.0
        while edge >= 0:
            tree_memory.path[depth], tree_memory.movers[depth] = edge, player
            if player == CHANCE:
                apply(ahead, tree_memory.edges[edge].action)
                rewards_of(ahead, tree_memory.gains[depth])
            else:
                owner = player
                execute(ahead, edge, player, memory, tree_memory.gains[depth])
            depth += 1
            tree_memory.walk[0].depth = depth
            player = current_player(ahead)
            if player == TERMINAL:
                return
            node = node_below(tree_memory, edge, player)
            if node < 0:
                node = add_node(tree_memory, edge, player)
            if node < 0 or depth == deepest:
                break
            if player == CHANCE:
                edge = edge_of_outcome(tree_memory, node, sample_chance(ahead))
            elif tree_memory.nodes[node].first >= 0:
                edge = select_macro(memory, node, player)
            else:
                evaluate(ahead, node, memory)
                return
        value_here(ahead, owner, memory)  # the memory is full
        for p in range(returns.shape[0]):
            returns[p] = settings.lowest + settings.shared * memory.shares[p]

    return walk


def _plays_once(options: Any) -> bool:
    """Return whether each macro-action needs one iteration only, because all its playouts are the same."""
    return options.certain != 0 and options.playout_turns > 0 and options.width == 0


plays_once = kernel(_plays_once)
"""Return whether each macro-action needs one iteration only, in compiled code."""


@kernel
def select_macro(memory, node, player):
    """Select the edge with the highest PUCT score; one without visits counts with its value by the network."""
    tree_memory = memory.tree_memory
    tree, edges, visits = tree_memory.tree[0], tree_memory.edges, 1
    edge = np.int64(tree_memory.nodes[node].first)
    while edge >= 0:
        visits += edges[edge].visits
        edge = np.int64(edges[edge].following)
    scale, spread = scale_of(tree), tree.exploration * np.sqrt(np.float64(visits))
    best, highest = np.int64(-1), -np.inf
    edge = np.int64(tree_memory.nodes[node].first)
    while edge >= 0:
        count, mean = edges[edge].visits, memory.estimates[edge, player]
        if count > 0:
            mean = tree_memory.sums[edge, player] / count
        score = mean * scale + spread * np.float64(edges[edge].prior) / (1 + count)
        if score > highest:
            best, highest = edge, score
        edge = np.int64(edges[edge].following)
    return best


@kernel
def read_results(memory, action, visits, means, policy):
    """Fill in the first decision of the best macro-action so far (1,), and results (A,) of the root by first decision.

    These are the visits, the mean of the macro-action with the most visits, and the improved policy.
    """
    tree_memory = memory.tree_memory
    tree, edges = tree_memory.tree[0], tree_memory.edges
    action[0] = edges[tree_memory.candidates[0]].action
    visits[:] = 0
    means[:] = np.nan
    policy[:] = 0.0
    edge = np.int64(tree_memory.nodes[0].first)
    while edge >= 0:
        first, times = edges[edge].action, edges[edge].visits
        visits[first] += times
        policy[first] += edges[edge].prior
        other, is_most = np.int64(tree_memory.nodes[0].first), times > 0
        while other >= 0 and is_most:
            if edges[other].action == first and edges[other].visits > times:
                is_most = False
            other = np.int64(edges[other].following)
        if is_most:
            mean = tree_memory.sums[edge, tree.player] / times
            if not means[first] >= mean:
                means[first] = mean
        edge = np.int64(edges[edge].following)
    improve(policy, means, scale_of(tree) * np.sqrt(np.float64(visits.sum())) / tree.prior_weight)
