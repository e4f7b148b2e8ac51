"""Games from which values of positions are learned: every seat plays by `turn` with the perceptron that learns.

At the beginning of each turn the graph of all ways through it tells two things at once: what every player can expect,
dice and decisions included, and the best decision wherever the dice may lead. So a turn is looked at once.
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
from edge_envs.search.arena import new_arena
from edge_envs.search.graph import best_edge, grow_graph, new_graph, value_graph
from edge_envs.search.leaves import position_value
from edge_envs.search.perceptron import Perceptron, count_numbers, fill_inputs, new_perceptron, read_position
from edge_envs.search.turns import MOST_WAYS

PLAY = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("random_moves", np.float64),  # the part of decisions that are drawn
                ("random_starts", np.float64),  # the part of games that begin with drawn turns
                ("random_turns", np.int64),  # at most so many
                ("most_turns", np.int64),  # after which a game is broken off
            ],
            align=True,
        ),
    )
)


class Turns(NamedTuple):
    """What is noted of T turns in each of N games; K inputs, P players."""

    inputs: Any  # (T, N, K) float32 of the position where the turn begins
    viewers: Any  # (T, N) from whose seats it is seen
    values: Any  # (T, N, P) what each player gets from there on, by the perceptron
    expected: Any  # (T, N, P) the same by all ways through the turn and the perceptron behind them
    linked: Any  # (T, N) whether the next turn of the same game follows, by best decisions


def new_turns(turns: int, lanes: int, inputs: int, players: int) -> Turns:
    """Room for turns."""
    return Turns(
        inputs=np.zeros((turns, lanes, inputs), np.float32),
        viewers=np.zeros((turns, lanes), np.int64),
        values=np.zeros((turns, lanes, players)),
        expected=np.zeros((turns, lanes, players)),
        linked=np.zeros((turns, lanes), np.bool_),
    )


class ValueGames:
    """N games that go on turn by turn; `states` and `met`, their turns so far, are all that there is to be kept.

    What happens in a game depends on its record alone, not on how many are played side by side.
    """

    def __init__(self, game: Game, net: Perceptron, states: Records, met: Array) -> None:
        self.game, self.states, self.met = game, states, met
        self._arena, self._graph = new_arena(game, 1, net), new_graph(game, MOST_WAYS)
        self._loop = _loop(game.type)

    def play(self, turns: Turns, random_moves: float, random_starts: float, random_turns: int, most_turns: int) -> None:
        """Play as many turns of every game as there is room for.

        A part `random_starts` of new games begins with up to `random_turns` turns of uniform play; after `most_turns`
        a game is broken off. ValueError if a turn has too many ways.
        """
        play = np.zeros(1, PLAY)
        play[0] = random_moves, random_starts, random_turns, most_turns
        if not self._loop(self.states, self.met, play, self._graph, self._arena, turns):
            raise ValueError(
                f"values are learned where a turn has few ways, at most {MOST_WAYS}; one of {self.game.name} has more"
            )


def random_numbers(game: Game, seeds: Array, turns: int) -> Array:
    """The numbers (games * turns, C) of positions where turns begin, in games of uniform play, one for each seed."""
    states, numbers = game.new_records(len(seeds)), np.zeros((len(seeds), turns, count_numbers(game)), np.float32)
    chance_words(seeds, states["rng"])
    _random_loop(game.type)(states, new_arena(game, 1, new_perceptron(game)), numbers)
    return numbers.reshape(-1, numbers.shape[2])


@functools.cache
def _random_loop(game_type: GameType) -> Any:
    return random_numbers_loop(compiled_game(game_type).kernels, game_type.folder)


@functools.cache
def _loop(game_type: GameType) -> Any:
    return value_games_loop(compiled_game(game_type).kernels, game_type.folder)


def value_games_loop(rules: CompleteKernels, folder: Path) -> Any:
    """The loop `play(states, met, play, graph, arena, turns)` over positions (N,) where turns begin.

    It fills `turns` and moves the positions on; False if the ways of a turn did not fit.
    """
    compiled = kernel_of(folder, name=rules.earlier, also=Path(__file__).resolve().parent)
    current_player, apply, sample_chance = rules.current_player, rules.apply, rules.sample_chance
    grow, value = grow_graph(rules, folder), value_graph(rules, folder)
    read, add_value = read_position(rules, folder), position_value(rules, folder)
    new_game, random_turn = rules.new_game, _random_turn(rules, folder)

    @compiled
    def walk(state, random_moves, graph):
        """Play a turn, by the best edges or drawn ones; whether all were as good as the best."""
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
    def play_turns(states, met, play, graph, arena, turns):
        plan, players = play[0], arena.returns.shape[0]
        for i in range(states.shape[0]):
            state = states[i]
            for t in range(turns.linked.shape[0]):
                if met[i] < 0:
                    met[i] = 0
                    new_game(state)
                    if unit(draw(state)) < plan.random_starts:
                        for _ in range(below(draw(state), plan.random_turns + 1)):
                            random_turn(state, arena.mask)
                viewer = read(state, players, arena.net, arena.weights[0])
                fill_inputs(arena.net)
                turns.viewers[t, i] = viewer
                turns.inputs[t, i, :] = arena.net.units[0, : arena.net.columns.shape[0]]
                arena.returns[:] = 0.0
                add_value(state, current_player(state), arena)
                turns.values[t, i, :] = arena.returns
                arena.tree[0].player = viewer
                if not grow(state, graph):
                    return False
                value(graph, arena)
                turns.expected[t, i, :] = graph.values[0]
                is_best = walk(state, plan.random_moves, graph)
                met[i] += 1
                if current_player(state) == TERMINAL or met[i] >= plan.most_turns:
                    met[i] = -1
                turns.linked[t, i] = is_best and met[i] >= 0
        return True

    return play_turns


@kernel
def edge_of(nodes, edges, node, outcome):
    """The edge of an outcome."""
    edge = np.int64(nodes[node].first)
    while edges[edge].action != outcome:
        edge += 1
    return edge


def _random_turn(rules: CompleteKernels, folder: Path) -> Any:
    compiled = kernel_of(folder, name=rules.earlier, also=Path(__file__).resolve().parent)
    current_player, apply, sample_chance = rules.current_player, rules.apply, rules.sample_chance
    new_game, random_action, turn_of = rules.new_game, rules.random_action, rules.turn_of

    @compiled
    def random_turn(state, mask):
        """Play a turn uniformly; a game that ends in it gives way to a new one."""
        turn = turn_of(state)
        while turn_of(state) == turn and current_player(state) != TERMINAL:
            if current_player(state) == CHANCE:
                apply(state, sample_chance(state))
            else:
                apply(state, random_action(state, draw(state), mask))
        if current_player(state) == TERMINAL:
            new_game(state)

    return random_turn


def random_numbers_loop(rules: CompleteKernels, folder: Path) -> Any:
    """The loop `look(states, arena, numbers)` over games from fresh records (N,): fills the numbers (N, T, C)."""
    compiled = kernel_of(folder, name=rules.earlier, also=Path(__file__).resolve().parent)
    new_game, read, random_turn = rules.new_game, read_position(rules, folder), _random_turn(rules, folder)

    @compiled
    def look(states, arena, numbers):
        for i in range(states.shape[0]):
            new_game(states[i])
            for t in range(numbers.shape[1]):
                read(states[i], arena.returns.shape[0], arena.net, arena.weights[0])
                numbers[i, t, :] = arena.net.numbers
                random_turn(states[i], arena.mask)

    return look
