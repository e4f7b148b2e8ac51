"""Test perceptrons inside the kernels, and the agents that use them."""

from __future__ import annotations

import itertools
import pickle
from typing import Any

import numpy as np
import pytest

import edge_envs
from edge_envs import CHANCE, TERMINAL, Game, State
from edge_envs.core.spec import Array
from edge_envs.search import value_games
from edge_envs.search.agent import SearchAgent
from edge_envs.search.budgets import Budget
from edge_envs.search.perceptron import Perceptron, Ramps, cells_of, count_numbers, new_perceptron
from edge_envs.search.turn import TurnAgent
from edge_envs.search.value_games import ValueGames, new_turns, random_numbers
from tests.contract.play import decisions
from tests.search.test_search import shown
from tests.search.twin import Twin

GAMES = [
    edge_envs.load_game("falling_off"),
    edge_envs.load_game("falling_off", num_players=4, play_on=True),
    edge_envs.load_game("tic_tac_toe"),
]
each = pytest.mark.parametrize("game", GAMES, ids=lambda game: f"{game.name}-{game.num_players}")


def some_perceptron(game: Game, seed: int = 0, *, cells: bool = False) -> Perceptron:
    """Return a perceptron with random ramps and weights."""
    rng = np.random.default_rng(seed)
    columns = rng.integers(count_numbers(game, cells=cells), size=30)
    ramps = Ramps(columns, rng.integers(-1, 3, size=30), rng.uniform(0.1, 1, 30))
    net = new_perceptron(game, ramps, [7, 5], cells=cells)
    net.weights[:] = rng.normal(size=len(net.weights)) * 0.6
    return net


def numbers_of(game: Game, records: Any, *, cells: bool = False) -> tuple[Array, int]:
    """Return the numbers of a position, and the player who decides next."""
    ahead, values = records.copy(), game.type.values
    assert values is not None
    viewer = max(int(game.compiled.loops.begin(ahead)), 0)
    if cells:
        seen = np.zeros(count_numbers(game, cells=True), np.int16)
        game.compiled.kernels.cells(records[0], viewer, seen)  # type: ignore[misc]
        return seen.astype(np.float64), viewer
    state = State.of_records(game, records)
    numbers = [state.observation_tensor(viewer).ravel().astype(np.float64)]
    for k in range(game.num_players):
        features = np.empty(len(values.features))
        player = (viewer + k) % game.num_players
        game.compiled.kernels.position_features(records[0], player, viewer, values.weights_with()[0], features)  # type: ignore[misc]
        numbers.append(features)
    return np.concatenate(numbers), viewer


def twin(game: Game, net: Perceptron, records: Any) -> Array:
    """Return the value of a position for each player, in plain NumPy."""
    numbers, viewer = numbers_of(game, records, cells=len(net.cells) > 0)
    units = np.clip((numbers[net.columns] - net.lows) * net.slopes, 0.0, 1.0)
    at = 0
    for layer, (inputs, outputs) in enumerate(itertools.pairwise(net.widths)):
        weights = net.weights[at : at + inputs * outputs].reshape(inputs, outputs)
        at += (inputs + 1) * outputs
        units = units @ weights + net.weights[at - outputs : at]
        if layer + 2 < len(net.widths):
            units = np.maximum(units, 0.0)
    shares = np.exp(units) / np.exp(units).sum()
    assert game.utility_sum is not None
    lowest = game.min_utility
    returns = lowest + (game.utility_sum - game.num_players * lowest) * shares
    return np.roll(returns, viewer)


def expected(game: Game, net: Perceptron, state: State, turn: int) -> Array:
    """Return all players' expected returns by expectimax over a turn, with the NumPy values at its end."""
    rules, records = game.compiled.kernels, state._records
    if state.is_terminal():
        return np.zeros(game.num_players)
    if rules.turn_of(records[0]) != turn:  # type: ignore[misc]
        return twin(game, net, records)
    if state.current_player() == CHANCE:
        outcomes = [p * after(game, net, state, outcome, turn) for outcome, p in state.chance_outcomes()]
        return np.sum(outcomes, axis=0)
    ways = [after(game, net, state, action, turn) for action in state.legal_actions()]
    return max(ways, key=lambda way: float(way[state.current_player()]))


def after(game: Game, net: Perceptron, state: State, action: int, turn: int) -> Array:
    following = State.of_records(game, state._records)
    following.apply_action(action)
    return np.array(following.rewards()) + expected(game, net, following, turn)


@each
@pytest.mark.parametrize("cells", [False, True])
def test_turn_uses_the_perceptron_at_starts_of_turns(game: Game, cells: bool) -> None:
    net, compared = some_perceptron(game, cells=cells), 0
    agent = TurnAgent(game, net)
    for number, state in enumerate(decisions(game, 30)):
        if len(state.legal_actions()) > 3 and number % 5:
            continue  # rerolls of many dice are slow in plain Python
        records = shown(state, number)
        player, turn = state.current_player(), int(game.compiled.kernels.turn_of(records[0]))  # type: ignore[misc]
        values = agent.action_values(records)[0]
        for action in state.legal_actions():
            expectation = after(game, net, State.of_records(game, records), action, turn)[player]
            assert values[action] == pytest.approx(expectation, abs=1e-5)
            compared += 1
    assert compared > 20


def test_an_agent_with_a_perceptron_can_be_copied() -> None:
    game = GAMES[0]
    agent = TurnAgent(game, some_perceptron(game), "some")
    copy = pickle.loads(pickle.dumps(agent))
    records = np.concatenate([shown(state) for state in decisions(game, 5)])
    assert copy.name == "some"
    assert np.array_equal(copy.action_values(records), agent.action_values(records), equal_nan=True)


def games_of(game: Game, net: Perceptron, seeds: list[int]) -> ValueGames:
    states = game.new_records(len(seeds))
    states["rng"] = np.array(seeds, np.uint64) << np.uint64(20)
    return ValueGames(game, net, states, np.full(len(seeds), -1))


@each
def test_the_buffer_describes_the_turns(game: Game) -> None:
    net = some_perceptron(game)
    games, turns = games_of(game, net, [1, 2]), new_turns(1, 2, 30, game.num_players)
    ends = 0
    for _ in range(40):
        before = games.states.copy()
        games.play(turns, 0.5, 0.0, 0, 1000)
        for i in range(2):
            if games.turns_played[i] == 1:
                continue  # a new game, whose start is unknown
            records = before[i : i + 1]
            assert turns.values[0, i] == pytest.approx(twin(game, net, records), abs=1e-5)
            numbers, viewer = numbers_of(game, records)
            assert turns.viewers[0, i] == viewer
            ramps = np.clip((numbers[net.columns] - net.lows) * net.slopes, 0.0, 1.0)
            assert turns.inputs[0, i] == pytest.approx(ramps, abs=1e-6)
            is_over = State.of_records(game, games.states[i : i + 1]).is_terminal()
            assert is_over == (games.turns_played[i] < 0)
            assert not (is_over and turns.linked[0, i])
            ends += is_over
    assert ends > 0 or game.name == "falling_off"


def test_expected_values_are_expectimax_values() -> None:
    game = GAMES[2]
    net = some_perceptron(game)
    games, turns = games_of(game, net, [5]), new_turns(1, 1, 30, game.num_players)
    compared = 0
    for _ in range(30):
        before = games.states.copy()
        games.play(turns, 1.0, 0.0, 0, 1000)
        if games.turns_played[0] != 1:
            state, turn = State.of_records(game, before), int(game.compiled.kernels.turn_of(before[0]))  # type: ignore[misc]
            assert turns.expected[0, 0] == pytest.approx(expected(game, net, state, turn), abs=1e-5)
            compared += 1
    assert compared > 10


def test_best_moves_link_turns_and_random_ones_rarely() -> None:
    game = GAMES[0]
    net, turns = some_perceptron(game), new_turns(30, 4, 30, 2)
    games_of(game, net, [1, 2, 3, 4]).play(turns, 0.0, 0.0, 0, 1000)
    assert turns.linked.mean() > 0.95
    games_of(game, net, [1, 2, 3, 4]).play(turns, 1.0, 0.0, 0, 1000)
    assert turns.linked.mean() < 0.5
    games_of(game, net, [1, 2, 3, 4]).play(turns, 0.0, 0.0, 0, 1)
    assert not turns.linked.any()  # every game is truncated after a turn


@each
def test_games_do_not_depend_on_the_number_of_games(game: Game) -> None:
    net, together, alone = some_perceptron(game), *(new_turns(20, n, 30, game.num_players) for n in (3, 1))
    games = games_of(game, net, [7, 8, 9])
    games.play(together, 0.2, 0.5, 3, 100)
    for lane, seed in enumerate((7, 8, 9)):
        games_of(game, net, [seed]).play(alone, 0.2, 0.5, 3, 100)
        for both, one in zip(together, alone, strict=True):
            assert np.array_equal(both[:, lane], one[:, 0])


def test_numbers_of_random_play_are_from_starts_of_turns() -> None:
    game = GAMES[0]
    numbers = random_numbers(game, np.arange(8, dtype=np.uint64), 40)
    assert numbers.shape == (320, count_numbers(game))
    phase = game.observation_slices()["phase"]
    assert (numbers[:, phase][:, 0] == 1.0).all()  # to roll
    assert (numbers[:, game.observation_slices()["turns_owed"]] > 1).any()


def test_numbers_of_random_play_can_be_cells() -> None:
    game = GAMES[0]
    layout = cells_of(game)
    numbers = random_numbers(game, np.arange(8, dtype=np.uint64), 40, cells=True)
    assert numbers.shape == (320, layout.size)
    assert (numbers == np.round(numbers)).all()
    assert (numbers[:, layout.start("phase")] == 0.0).all()  # to roll
    assert (numbers[:, layout.start("turn_player")] == 0.0).all()  # the viewer decides next
    assert (numbers[:, layout.start("pawns_0")] < 4.0).any()


def test_games_of_random_play_depend_on_their_own_seeds_only() -> None:
    game = GAMES[2]
    numbers = random_numbers(game, np.arange(4, dtype=np.uint64), 3).reshape(4, 3, -1)
    for seed in range(4):
        assert np.array_equal(random_numbers(game, np.array([seed], np.uint64), 3), numbers[seed])
    assert len({one.tobytes() for one in numbers}) > 1


def test_a_turn_with_too_many_edges_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(value_games, "MAX_GRAPH_EDGES", 100)
    game = GAMES[0]
    games = games_of(game, some_perceptron(game), [1])
    with pytest.raises(ValueError, match="falling_off: a turn has more than 100 decisions and outcomes"):
        games.play(new_turns(30, 1, 30, 2), 0.0, 0.0, 0, 1000)


class PerceptronTwin(Twin):
    """Run the tree search in plain Python, with the values of a perceptron."""

    def __init__(self, game: Game, net: Perceptron) -> None:
        super().__init__(game)
        self.net = net

    def play_out(self, state: Any) -> list[float]:
        """Play as the heuristic until the turn is over."""
        returns, turn = np.zeros(self.game.num_players), self.rules.turn_of(state)
        while (player := int(self.rules.current_player(state))) != TERMINAL:
            if self.rules.turn_of(state) != turn:
                records = self.game.new_records(1)
                records[0] = state
                return (returns + twin(self.game, self.net, records)).tolist()
            action = self.rules.sample_chance(state) if player == CHANCE else self.rules.heuristic(state)
            returns += self.apply(state, action)
        return returns.tolist()


@each
def test_a_search_uses_the_perceptron(game: Game) -> None:
    net = some_perceptron(game)
    agent = SearchAgent(game, Budget(iterations=64), TurnAgent(game, net, "values"))
    assert agent.name == "search:64:values"
    for number, state in enumerate(decisions(game, 6)):
        records = shown(state, number)
        best, visits = PerceptronTwin(game, net).search(records, 64)
        found = agent.searcher(records)
        assert int(found.actions[0]) == best
        assert {int(a): int(found.visits[0, a]) for a in np.flatnonzero(found.visits[0])} == visits
