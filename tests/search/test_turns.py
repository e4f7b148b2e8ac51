"""Test the agents `turn` and `one_turn`."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import edge_envs
from edge_envs import CHANCE, Game, State
from edge_envs.core.spec import Records
from edge_envs.players import built_in_agent
from edge_envs.search import turn
from edge_envs.search.expectimax import LEVEL, Levels, expectimax_loop
from edge_envs.search.fitted import read_fit
from edge_envs.search.graph import COUNTS, EDGE, NODE, Graph, grow_graph, new_graph
from edge_envs.search.one_turn import _lead
from edge_envs.search.tree_memory import new_memory
from edge_envs.search.turn import TurnAgent
from tests.contract.cases import case_name, games
from tests.contract.play import decisions
from tests.search.test_search import shown, some_records

fitted = [game for game in games() if read_fit(game) is not None]
each_fitted = pytest.mark.parametrize("game", fitted, ids=case_name)


def state_of(game: Game, records: Records) -> State:
    return State.of_records(game, records)


def expectation(game: Game, state: State, player: int, turn: int) -> float:
    """Return a player's expected return by expectimax over a turn, in plain Python, with fitted values at its end."""
    rules = game.compiled.kernels
    if state.is_terminal():
        return 0.0
    records = state._records
    if rules.turn_of(records[0]) != turn:  # type: ignore[misc]
        return behind(game, records.copy(), player)
    if state.current_player() == CHANCE:
        return sum(p * after(game, state, outcome, player, turn) for outcome, p in state.chance_outcomes())
    assert state.current_player() == player
    return max(after(game, state, action, player, turn) for action in state.legal_actions())


def after(game: Game, state: State, action: int, player: int, turn: int) -> float:
    following = State.of_records(game, state._records)
    following.apply_action(action)
    return following.rewards()[player] + expectation(game, following, player, turn)


def behind(game: Game, records: Any, player: int) -> float:
    """Return the fitted value at the next decision."""
    rules, fit, values = game.compiled.kernels, read_fit(game), game.type.values
    assert fit is not None
    assert values is not None
    while (mover := int(rules.current_player(records[0]))) == CHANCE:
        rules.apply(records[0], rules.sample_chance(records[0]))
    scores = np.empty(game.num_players)
    for p in range(game.num_players):
        features = np.empty(len(values.features))
        rules.position_features(records[0], p, player, values.weights_with()[0], features)  # type: ignore[misc]
        row = fit.weights[0 if p == mover else 1]
        scores[p] = features @ row[:-1] + row[-1]
    powers = np.exp(scores - scores.max())
    low = game.min_utility
    assert game.utility_sum is not None
    assert game.max_utility == -low  # zero-sum
    return low + (game.utility_sum - game.num_players * low) * float(powers[player] / powers.sum())


def test_its_values_are_the_exact_expectations_of_a_turn() -> None:
    game = edge_envs.load_game("falling_off")
    agent, looked = TurnAgent(game), 0
    for number, state in enumerate(decisions(game, 12)):
        if len(state.legal_actions()) > 3 and number % 2:
            continue  # rerolls of many dice are slow in plain Python
        records = shown(state, number)
        values = agent.action_values(records)[0]
        player, turn = state.current_player(), int(game.compiled.kernels.turn_of(records[0]))  # type: ignore[misc]
        for action in state.legal_actions():
            assert values[action] == pytest.approx(after(game, state_of(game, records), action, player, turn))
            looked += 1
    assert looked > 10


@each_fitted
def test_it_values_the_legal_actions_and_chooses_the_best(game: Game) -> None:
    agent = TurnAgent(game)
    for number, state in enumerate(decisions(game, 3)):
        records = shown(state, number)
        before = records.tobytes()
        values = agent.action_values(records)[0]
        assert records.tobytes() == before
        assert np.flatnonzero(np.isfinite(values)).tolist() == state.legal_actions()
        masks, players = state.legal_action_mask()[None], np.array([state.current_player()])
        (action,) = agent.act(np.zeros(0), masks, records, players, np.random.default_rng(0))
        assert action == np.nanargmax(values)


def test_a_small_edge_limit_reduces_the_depth(monkeypatch: pytest.MonkeyPatch) -> None:
    game = edge_envs.load_game("beyond_maps", size=7, land_markers=5)
    records = some_records(game, 6)
    values = {}
    for most in (1, 300, 3000):
        monkeypatch.setattr(turn, "MAX_GRAPH_EDGES", most)
        values[most] = TurnAgent(game).action_values(records)
        assert (np.isfinite(values[most]) == np.isfinite(values[1])).all()
    assert not np.array_equal(values[1], values[3000], equal_nan=True)
    assert not np.array_equal(values[300], values[3000], equal_nan=True)


def test_a_graph_has_memory_for_a_tree_with_all_edges() -> None:
    graph = new_graph(edge_envs.load_game("tic_tac_toe"), 20)
    assert len(graph.edges) == 20 + 9  # those of one more node
    assert len(graph.nodes) == len(graph.edges) + 1


def test_values_do_not_depend_on_the_batch() -> None:
    game = edge_envs.load_game("over_the_edge", map="pond")
    records, agent = some_records(game, 6), TurnAgent(game)
    together = agent.action_values(records)
    for i in range(len(records)):
        assert np.array_equal(agent.action_values(records[i : i + 1])[0], together[i], equal_nan=True)


def test_a_game_without_fitted_values_is_rejected() -> None:
    for name in ("tic_tac_toe", "kuhn"):
        with pytest.raises(ValueError, match=f"turn compares position values, but {name} has none"):
            built_in_agent("turn", edge_envs.load_game(name))


def test_its_tree_memory_is_small() -> None:
    memory = new_memory(edge_envs.load_game("falling_off"), 1)
    assert sum(array.nbytes for array in memory) < 200_000


# The agent `one_turn`, with kernels in plain Python


PLACE = np.dtype((np.record, np.dtype([("rng", np.uint64), ("number", np.int64)])))
PLAYER = {0: 0, 1: CHANCE, 2: 1, 3: 0}  # who acts at the places of the first turn; all other places are in the next
AFTER = {0: {0: 1, 2: 2, 3: 3}, 1: {0: 10, 2: 11}, 2: {0: 12, 1: 13}, 3: {1: 14, 2: 15}}
PROBABILITIES = (0.25, 0.0, 0.75)
ANSWER = 1  # of the heuristic at place 2
REWARD = {3: 0.5, 13: -0.25}  # of player 0, on the step to a place
VALUE = {1: 0.0, 3: 0.0, 10: 4.0, 11: -8.0, 12: 9.0, 13: -4.0, 14: -3.0, 15: -2.0}  # for player 0


def apply(state: Any, action: int) -> None:
    state.number = AFTER[state.number][action]


def legal_action_mask(state: Any, out: Any) -> None:
    out[:] = [action in AFTER[state.number] for action in range(len(out))]


def chance_probabilities(state: Any, out: Any) -> None:
    out[:] = PROBABILITIES


def rewards(state: Any, out: Any) -> None:
    out[:] = REWARD.get(state.number, 0.0), 0.0


def values_of_tree(most: int) -> tuple[int, list[float]]:
    """Return the best action and the values of all actions at place 0, with at most `most` leaves."""
    rules: Any = SimpleNamespace(
        current_player=lambda state: PLAYER.get(state.number, 1),
        turn_of=lambda state: int(state.number not in PLAYER),
        heuristic=lambda state: ANSWER,
        apply=apply,
        legal_action_mask=legal_action_mask,
        chance_probabilities=chance_probabilities,
        rewards=rewards,
    )
    levels = Levels(
        levels=np.zeros(5, LEVEL),
        states=np.zeros(6, PLACE),
        masks=np.zeros((5, 4), np.int8),
        probabilities=np.zeros((5, 3)),
        found=np.zeros(4),
    )
    memory = SimpleNamespace(tree=[SimpleNamespace(player=-1)], gains=np.zeros((1, 2)))
    search = expectimax_loop(rules, lambda state, turn, memory: VALUE[state.number], lambda kernel: kernel)
    actions, values = np.zeros(1, np.int64), np.zeros((1, 4))
    search(np.zeros(1, PLACE), most, levels, memory, actions, values)
    return int(actions[0]), values[0].tolist()


@pytest.mark.parametrize("most", [8, 1000])
def test_expectimax_covers_the_turn_if_the_leaves_suffice(most: int) -> None:
    best, values = values_of_tree(most)
    assert best == 3
    assert values == [0.25 * 4.0 - 0.75 * 8.0, pytest.approx(np.nan, nan_ok=True), -4.25, 0.5 - 2.0]


def test_expectimax_with_too_few_leaves_returns_the_last_complete_pass() -> None:
    best, values = values_of_tree(7)  # three leaves at depth 1, five at depth 2
    assert best == 3
    assert values == [0.0, pytest.approx(np.nan, nan_ok=True), -4.25, 0.5]


@pytest.mark.parametrize(("player", "lead"), [(0, -0.5 * 2 / 3), (1, -0.5 * 5 / 6), (2, 0.5 * 2 / 3)])
def test_the_lead_is_over_the_best_other_player_and_less_than_a_win(player: int, lead: float) -> None:
    rules: Any = SimpleNamespace(score=lambda state, player: state[player])
    memory = SimpleNamespace(tree=[SimpleNamespace(player=player)], returns=np.zeros(3))
    assert _lead(rules, lambda kernel: kernel)((5, 2, 7), 0, memory) == pytest.approx(lead)


def test_a_graph_has_each_position_of_a_turn_once(monkeypatch: pytest.MonkeyPatch) -> None:
    after = {0: [1, 0, 2], 1: [2, 0]}  # from place 0 one may stay there, and return to it from 1; 2 is in the next turn

    def move(state: Any, action: int) -> None:
        state.number = after[state.number][action]

    def write_mask(state: Any, out: Any) -> None:
        out[:] = [action < len(after[state.number]) for action in range(len(out))]

    rules: Any = SimpleNamespace(
        current_player=lambda state: 0,
        turn_of=lambda state: int(state.number == 2),
        apply=move,
        legal_action_mask=write_mask,
        chance_probabilities=None,
    )
    words = np.zeros((10, PLACE.itemsize // 8), np.uint64)
    graph = Graph(
        counts=np.zeros(1, COUNTS),
        nodes=np.zeros(9, NODE),
        edges=np.zeros(9, EDGE),
        states=words.reshape(-1).view(PLACE),
        words=words,
        values=np.zeros((9, 2)),
        places=np.full(32, -1, np.int32),
        path=np.zeros(9, np.int64),
        mask=np.zeros(3, np.int8),
        probabilities=np.zeros(1),
        player=np.zeros(1, PLACE),
    )
    monkeypatch.setattr("edge_envs.search.graph.kernel_of", lambda *given, **options: lambda kernel: kernel)
    assert grow_graph(rules, Path())(np.zeros(1, PLACE)[0], graph)
    assert (graph.counts[0].nodes, graph.counts[0].edges) == (3, 5)
    assert graph.states["number"][:3].tolist() == [0, 1, 2]
    assert graph.nodes["first"][:2].tolist() == [0, 3]
    assert graph.nodes["count"][:3].tolist() == [3, 2, 0]
    assert graph.edges["child"][:5].tolist() == [1, 0, 2, 2, 0]
