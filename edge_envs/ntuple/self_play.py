"""Self-play that learns the weights of an n-tuple network by TD(λ) over positions after decisions.

A *step* is the position after a decision (an *afterstate*) with its value: a share of the win for every player. The
expected value of the next step follows from a search of the next turn. Their difference is the temporal-difference
error; the target of a step is its value plus the errors from there on, weighted by powers of λ, up to a decision that
was not the best one (Watkins 1989) or the end of the game. Positions within a turn get the target of the end of the
turn. After each game, the weights of all tuples of each step move towards its target, and so do the weights of all
positions symmetric to it.
"""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from edge_envs.core.compiled import compiled_game
from edge_envs.core.compiler.jit import kernel_of
from edge_envs.core.game import Game
from edge_envs.core.game_type import GameType
from edge_envs.core.kernels.rng import below, draw_at, unit
from edge_envs.core.loops.complete_kernels import CompleteKernels
from edge_envs.core.nodes import CHANCE, TERMINAL
from edge_envs.core.spec import Array
from edge_envs.ntuple.network import Network, change_score
from edge_envs.ntuple.turn_graph import LEAF, TurnGraph, evaluate_node, new_settings, new_turn_graph, search_turns, views_of

LEARNING = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("step_size", np.float64),
                ("trace", np.float64),  # λ
                ("random_moves", np.float64),  # fraction of decisions drawn uniformly
                ("random_turns", np.int64),  # maximum number of uniformly random turns at the start of a game
                ("most_steps", np.int64),  # decisions after which a game is truncated
            ],
            align=True,
        ),
    )
)


class Steps(NamedTuple):
    """Buffer of the steps of one game: L steps, V views of C cells, and P players.

    | array | content |
    |---|---|
    | `cells` | int16 (L, V, C + 1) |
    | `owners` | (L,) the player who decided |
    | `values` | (L, P) values when the step was made |
    | `expected` | (L, P) the expected values of the next step |
    | `linked` | (L,) whether the next decision was the best one |
    | `within` | (L,) whether the turn continued |
    | `scratch` | int16 (C + 1,) |
    | `indices` | (T,) scratch |
    | `last` | int64 (W,) the number of the last change of each weight |
    | `number` | (1,) the number of changes |
    """

    cells: Any
    owners: Any
    values: Any
    expected: Any
    linked: Any
    within: Any
    scratch: Any
    indices: Any
    last: Any
    number: Any


def new_steps(game: Game, network: Network, most_steps: int) -> Steps:
    """Allocate the buffer."""
    cells, players = network.is_place.shape[0] + 1, game.num_players
    return Steps(
        cells=np.full((most_steps, views_of(players), cells), network.outside[0], np.int16),
        owners=np.zeros(most_steps, np.int64),
        values=np.zeros((most_steps, players)),
        expected=np.zeros((most_steps, players)),
        linked=np.zeros(most_steps, np.bool_),
        within=np.zeros(most_steps, np.bool_),
        scratch=np.full(cells, network.outside[0], np.int16),
        indices=np.zeros(network.all.shape[0], np.int64),
        last=np.zeros(network.size[0], np.int64),
        number=np.zeros(1, np.int64),
    )


class SelfPlay:
    """Play games of self-play and learn from them. The result depends only on the weights and on `word`.

    Args:
        game: The game.
        network: The network.
        word: uint64 (1,), the random generator; it advances.
        most_steps: The number of decisions after which a game is truncated.
    """

    def __init__(self, game: Game, network: Network, word: Array, most_steps: int) -> None:
        if game.type.cell_layout(game.params) is None:
            raise ValueError(f"{game.name} declares no cells, from which n-tuple networks learn")
        self.game, self.network, self.word = game, network, word
        self._state = game.new_records(1)
        self._graph, self._replies = new_turn_graph(game, network), new_turn_graph(game, network)
        self._steps = new_steps(game, network, most_steps)
        self._learning = np.zeros(1, LEARNING)
        self._learning["most_steps"] = most_steps
        self._loop = self_play_of(game.type)

    def learn(
        self,
        weights: Array,
        games: int,
        *,
        step_size: float,
        trace: float,
        random_moves: float,
        random_turns: int,
        beam: int,
        depth: int,
        leaves: int = 0,
    ) -> tuple[int, int]:
        """Play games and learn from each of them.

        Args:
            weights: float32 (W,), changed in place.
            games: The number of games.
            step_size: The change of a score for an error of 1.
            trace: λ, from 0 to 1.
            random_moves: The fraction of decisions drawn uniformly.
            random_turns: The maximum number of random turns at the start of a game.
            beam: See `edge_envs.ntuple.turn_graph`.
            depth: The same.
            leaves: The same.

        Returns:
            The numbers of turns and of positions that were evaluated.
        """
        learning = self._learning[0]
        learning.step_size, learning.trace = step_size, trace
        learning.random_moves, learning.random_turns = random_moves, random_turns
        settings, counts = new_settings(self.game, beam, depth, leaves), np.zeros(2, np.int64)
        self._loop(
            self._state, games, self.word, learning, settings[0], self._graph, self._replies, self._steps,
            self.network, weights, counts,
        )  # fmt: skip
        return int(counts[0]), int(counts[1])


@functools.cache
def self_play_of(game_type: GameType) -> Any:
    """Return the compiled loop of a game."""
    return self_play_loop(compiled_game(game_type).kernels, game_type.folder)


def self_play_loop(rules: CompleteKernels, folder: Path) -> Any:
    """Build the loop `play(states, games, word, learning, settings, graph, replies, steps, network, weights, counts)`."""
    compiled = kernel_of(folder, name=rules.earlier, also=Path(__file__).resolve().parents[1])
    current_player, apply, sample_chance = rules.current_player, rules.apply, rules.sample_chance
    new_game, random_action, turn_of, cells = rules.new_game, rules.random_action, rules.turn_of, rules.cells
    legal_action_mask, rewards_of = rules.legal_action_mask, rules.rewards
    search, evaluate = search_turns(rules, folder), evaluate_node(rules, folder)[1]
    learn = learn_game(rules, folder)

    @compiled
    def open_game(state, word, learning, graph):
        """Start a game with random turns."""
        new_game(state)
        state.rng = draw_at(word, 0)
        for _ in range(below(draw_at(word, 0), learning.random_turns + 1)):
            turn = turn_of(state)
            while current_player(state) != TERMINAL and turn_of(state) == turn:
                if current_player(state) == CHANCE:
                    apply(state, sample_chance(state))
                else:
                    apply(state, random_action(state, draw_at(word, 0), graph.mask))
            if current_player(state) == TERMINAL:
                new_game(state)

    @compiled
    def add_step(state, owner, expected, count, steps, graph, network, weights):
        """Store the position after a decision, with its value, and what is expected of the rest of the turn."""
        evaluate(state, owner, graph, network, weights, graph.scores)
        for view in range(steps.cells.shape[1]):
            cells(state, owner if steps.cells.shape[1] == 1 else view, steps.cells[count, view])
        steps.owners[count], steps.linked[count], steps.within[count] = owner, False, False
        for p in range(expected.shape[0]):
            steps.values[count, p] = graph.scores[p]
            steps.expected[count, p] = expected[p]

    @compiled
    def expect(count, steps, values):
        """Fill in what was expected after the last step."""
        if count > 0:
            for p in range(values.shape[0]):
                steps.expected[count - 1, p] = values[p]

    @compiled
    def play_turn(state, count, word, learning, settings, graph, replies, steps, network, weights):
        """Play the best decisions up to a leaf, or a random one; return the new number of steps."""
        owner, node = current_player(state), np.int64(0)
        search(state, settings, graph, replies, network, weights)
        expect(count, steps, graph.values[0])
        while graph.nodes[node].best >= 0 and graph.nodes[node].status != LEAF:
            edge = graph.edges[graph.nodes[node].best]
            action, is_best = np.int64(edge.action), True
            if learning.random_moves > 0.0 and unit(draw_at(word, 0)) < learning.random_moves:
                drawn = random_action(state, draw_at(word, 0), graph.mask)
                is_best = drawn == action
                action = drawn
            if count > 0 and is_best:
                steps.linked[count - 1] = True
            apply(state, action)
            if not is_best:
                if current_player(state) == TERMINAL:
                    return count
                add_step(state, owner, graph.scores, count, steps, graph, network, weights)
                return count + 1
            node = np.int64(edge.child)
            if current_player(state) == TERMINAL:
                return count
            add_step(state, owner, graph.values[node], count, steps, graph, network, weights)
            steps.within[count] = graph.nodes[node].status != LEAF
            count += 1
            if count == steps.owners.shape[0]:
                return count
        return count

    @compiled
    def play(states, games, word, learning, settings, graph, replies, steps, network, weights, counts):
        state = states[0]
        for _ in range(games):
            open_game(state, word, learning, graph)
            count = 0
            while count < steps.owners.shape[0]:
                player = current_player(state)
                if player == TERMINAL:
                    break
                if player == CHANCE:
                    apply(state, sample_chance(state))
                    if current_player(state) == TERMINAL and count > 0:
                        rewards_of(state, graph.rewards)
                        for p in range(graph.rewards.shape[0]):
                            graph.scores[p] = (graph.rewards[p] - settings.lowest) / settings.shared
                        expect(count, steps, graph.scores)
                    continue
                count = play_turn(
                    state, count, word, learning, settings, graph, replies, steps, network, weights
                )
                counts[0] += 1
                counts[1] += graph.counts[0]
            learn(count, learning, steps, network, weights)

    return play


def learn_game(rules: CompleteKernels, folder: Path) -> Any:
    """Build the kernel `learn(count, learning, steps, network, weights)`, which learns from the steps of a game."""
    compiled = kernel_of(folder, name=rules.earlier, also=Path(__file__).resolve().parents[1])

    @compiled
    def learn(count, learning, steps, network, weights):
        players, views = steps.values.shape[1], steps.cells.shape[1]
        values, targets = steps.values, steps.expected  # targets replace the expected values
        for step in range(count - 1, -1, -1):
            if steps.linked[step] and step + 1 < count:
                trace = 1.0 if steps.within[step] else learning.trace
                for p in range(players):
                    targets[step, p] += trace * (targets[step + 1, p] - targets[step, p])
            for view in range(views):
                p = steps.owners[step] if views == 1 else view
                error = targets[step, p] - values[step, p]
                steps.number[0] += 1
                change_score(
                    network,
                    weights,
                    steps.cells[step, view],
                    steps.scratch,
                    steps.indices,
                    steps.last,
                    steps.number[0],
                    learning.step_size * error,
                )

    return learn
