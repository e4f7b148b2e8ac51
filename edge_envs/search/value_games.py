"""Self-play games for learning position values: every seat plays as `turn` with the perceptron being trained.

At the start of each turn, one expectimax graph gives both the expected return of every player, which is the target of
temporal-difference learning, and the best decision after every chance outcome. Each turn is therefore searched only
once.
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
from edge_envs.core.kernels.rng import below, chance_words, draw, unit
from edge_envs.core.loops.complete_kernels import CompleteKernels
from edge_envs.core.nodes import CHANCE, TERMINAL
from edge_envs.core.spec import Array, Records
from edge_envs.search.graph import best_edge, grow_graph, new_graph, value_graph
from edge_envs.search.leaves import position_value
from edge_envs.search.perceptron import Perceptron, fill_inputs, new_perceptron, read_position
from edge_envs.search.tree_memory import new_memory
from edge_envs.search.turn import MAX_GRAPH_EDGES

PLAY = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("random_moves", np.float64),  # fraction of decisions drawn uniformly
                ("random_starts", np.float64),  # fraction of games that start with uniformly random turns
                ("random_turns", np.int64),  # maximum number of these turns
                ("most_turns", np.int64),  # turns after which a game is truncated
            ],
            align=True,
        ),
    )
)


class Turns(NamedTuple):
    """Buffer of T turns in each of N games, for K inputs and P players."""

    inputs: Any  # (T, N, K) float32, inputs of the perceptron at the start of the turn
    viewers: Any  # (T, N) seats from which these positions are viewed
    values: Any  # (T, N, P) future returns of all players, by the perceptron
    expected: Any  # (T, N, P) the same by expectimax over the turn with the perceptron at its end
    linked: Any  # (T, N) whether the next row continues the same game, reached by best decisions only


def new_turns(turns: int, lanes: int, inputs: int, players: int) -> Turns:
    """Allocate a buffer of turns."""
    return Turns(
        inputs=np.zeros((turns, lanes, inputs), np.float32),
        viewers=np.zeros((turns, lanes), np.int64),
        values=np.zeros((turns, lanes, players)),
        expected=np.zeros((turns, lanes, players)),
        linked=np.zeros((turns, lanes), np.bool_),
    )


class ValueGames:
    """Play N games turn by turn.

    `states` and `turns_played` hold the complete state, so saving them is enough to resume. A game depends only on its
    own record, not on the number of games played side by side.

    Args:
        game: The game.
        net: The perceptron.
        states: State records (N,).
        turns_played: Turns played so far in each game, (N,); -1 starts a new game.
    """

    def __init__(self, game: Game, net: Perceptron, states: Records, turns_played: Array) -> None:
        self.game, self.states, self.turns_played = game, states, turns_played
        self._tree_memory, self._graph = new_memory(game, 1, net), new_graph(game, MAX_GRAPH_EDGES)
        self._loop = _loop(game.type)

    def play(self, turns: Turns, random_moves: float, random_starts: float, random_turns: int, most_turns: int) -> None:
        """Play as many turns of every game as the buffer holds.

        Args:
            turns: Buffer to fill.
            random_moves: Fraction of decisions drawn uniformly.
            random_starts: Fraction of new games that start with uniformly random turns.
            random_turns: Maximum number of these turns.
            most_turns: Number of turns after which a game is truncated.

        Raises:
            ValueError: if the graph of a turn exceeds `MAX_GRAPH_EDGES` edges.
        """
        play = np.zeros(1, PLAY)
        play[0] = random_moves, random_starts, random_turns, most_turns
        if not self._loop(self.states, self.turns_played, play, self._graph, self._tree_memory, turns):
            raise ValueError(
                f"cannot learn values of {self.game.name}: "
                f"a turn has more than {MAX_GRAPH_EDGES} decisions and outcomes; agents.tuples learns such games"
            )


def random_numbers(game: Game, seeds: Array, turns: int, *, cells: bool = False) -> Array:
    """Return the numbers of positions at the start of turns in games of uniformly random play.

    Args:
        game: The game.
        seeds: uint64 (G,), one seed per game.
        turns: Number of turns per game, T.
        cells: Whether the numbers are cells, in place of features; see `edge_envs.search.perceptron`.

    Returns:
        float32 (G * T, N).
    """
    net = new_perceptron(game, cells=cells)
    states, numbers = game.new_records(len(seeds)), np.zeros((len(seeds), turns, len(net.numbers)), np.float32)
    chance_words(seeds, states["rng"])
    _random_loop(game.type)(states, new_memory(game, 1, net), numbers)
    return numbers.reshape(-1, numbers.shape[2])


@functools.cache
def _random_loop(game_type: GameType) -> Any:
    return random_numbers_loop(compiled_game(game_type).kernels, game_type.folder)


@functools.cache
def _loop(game_type: GameType) -> Any:
    return value_games_loop(compiled_game(game_type).kernels, game_type.folder)


def value_games_loop(kernels: CompleteKernels, folder: Path) -> Any:
    """Build the loop `play(states, turns_played, play, graph, memory, turns)` over state records (N,).

    The records are at the start of turns. The loop fills `turns` and advances the records. It returns False if the
    graph of a turn did not fit into its memory.
    """
    compiled = kernel_of(folder, also=Path(__file__).resolve().parent)
    current_player, apply, sample_chance = kernels.current_player, kernels.apply, kernels.sample_chance
    grow, value = grow_graph(kernels, folder), value_graph(kernels, folder)
    read, add_value = read_position(kernels, folder), position_value(kernels, folder)
    new_game, random_turn = kernels.new_game, _random_turn(kernels, folder)

    @compiled
    def walk(state, random_moves, graph):
        """Play a turn by the best edges or random ones; return whether all of them were the best."""
        nodes, edges, node, is_best = graph.nodes, graph.edges, np.int64(0), True
        while nodes[node].count > 0:
            record = nodes[node]
            if record.player == CHANCE:
                edge = edge_of(nodes, edges, node, sample_chance(state))
            else:
                edge = best_edge(nodes, edges, graph.values, node)
                if random_moves > 0.0 and unit(draw(state)) < random_moves:
                    drawn = record.first + below(draw(state), record.count)
                    is_best = is_best and drawn == edge
                    edge = drawn
            apply(state, edges[edge].action)
            node = np.int64(edges[edge].child)
        return is_best

    @compiled
    def play_turns(states, turns_played, play, graph, memory, turns):
        settings, players = play[0], memory.returns.shape[0]
        for i in range(states.shape[0]):
            state = states[i]
            for t in range(turns.linked.shape[0]):
                if turns_played[i] < 0:
                    turns_played[i] = 0
                    new_game(state)
                    if unit(draw(state)) < settings.random_starts:
                        for _ in range(below(draw(state), settings.random_turns + 1)):
                            random_turn(state, memory.mask)
                viewer = read(state, players, memory.net, memory.weights[0])
                fill_inputs(memory.net)
                turns.viewers[t, i] = viewer
                turns.inputs[t, i, :] = memory.net.units[0, : memory.net.columns.shape[0]]
                memory.returns[:] = 0.0
                add_value(state, current_player(state), memory)
                turns.values[t, i, :] = memory.returns
                memory.tree[0].player = viewer
                if not grow(state, graph):
                    return False
                value(graph, memory)
                turns.expected[t, i, :] = graph.values[0]
                is_best = walk(state, settings.random_moves, graph)
                turns_played[i] += 1
                if current_player(state) == TERMINAL or turns_played[i] >= settings.most_turns:
                    turns_played[i] = -1
                turns.linked[t, i] = is_best and turns_played[i] >= 0
        return True

    return play_turns


@kernel
def edge_of(nodes, edges, node, outcome):
    """Return the edge of an outcome."""
    edge = np.int64(nodes[node].first)
    while edges[edge].action != outcome:
        edge += 1
    return edge


def _random_turn(kernels: CompleteKernels, folder: Path) -> Any:
    compiled = kernel_of(folder, also=Path(__file__).resolve().parent)
    current_player, apply, sample_chance = kernels.current_player, kernels.apply, kernels.sample_chance
    new_game, random_action, turn_of = kernels.new_game, kernels.random_action, kernels.turn_of

    @compiled
    def random_turn(state, mask):
        """Play a turn uniformly at random; if the game ends, start a new one."""
        turn = turn_of(state)
        while turn_of(state) == turn and current_player(state) != TERMINAL:
            if current_player(state) == CHANCE:
                apply(state, sample_chance(state))
            else:
                apply(state, random_action(state, draw(state), mask))
        if current_player(state) == TERMINAL:
            new_game(state)

    return random_turn


def random_numbers_loop(kernels: CompleteKernels, folder: Path) -> Any:
    """Build the loop `read_games(states, memory, numbers)` over new state records (N,); it fills numbers (N, T, C)."""
    compiled = kernel_of(folder, also=Path(__file__).resolve().parent)
    new_game, read, random_turn = kernels.new_game, read_position(kernels, folder), _random_turn(kernels, folder)

    @compiled
    def read_games(states, memory, numbers):
        for i in range(states.shape[0]):
            new_game(states[i])
            for t in range(numbers.shape[1]):
                read(states[i], memory.returns.shape[0], memory.net, memory.weights[0])
                numbers[i, t, :] = memory.net.numbers
                random_turn(states[i], memory.mask)

    return read_games
