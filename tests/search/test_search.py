"""Test tree search: results in small games, and invariances."""

from __future__ import annotations

import importlib
import pickle
import threading
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import edge_envs
from edge_envs import Game, State
from edge_envs.core.spec import Records
from edge_envs.players import records_shown
from edge_envs.players.perfect import load_solution
from edge_envs.search.agent import SearchAgent
from edge_envs.search.budgets import Budget
from edge_envs.search.leaves import leaves
from edge_envs.search.searcher import Searcher, compares_turns
from edge_envs.search.tree import add_node, clear, new_edge, new_node, node_below, select
from edge_envs.search.tree_memory import EDGE, NODE, TREE, WALK, new_memory
from tests.contract.cases import case_name, plain_games
from tests.contract.play import decisions
from tests.search.twin import Twin

each_game = pytest.mark.parametrize("game", plain_games(), ids=case_name)


def search(game: Game, iterations: int) -> SearchAgent:
    return SearchAgent(game, Budget(iterations))


def shown(state: State, seed: int = 0) -> Records:
    return records_shown(state, np.random.default_rng(seed))


def some_records(game: Game, count: int) -> Records:
    """Return state records from all stages of the game, as the players to act may know them."""
    return np.concatenate([shown(state, seed) for seed, state in enumerate(decisions(game, count))])


# Results


def answers(game: Game, crosses: Any) -> Iterator[State]:
    """Yield all ends of tic-tac-toe if one side plays as `crosses` and the other every possible move."""
    waiting = [(game.new_initial_state(seed=0), side) for side in (0, 1)]
    while waiting:
        state, side = waiting.pop()
        if state.is_terminal():
            yield state
            assert state.returns()[side] >= 0.0, str(state)
            continue
        own = state.current_player() == side
        for action in [crosses(state)] if own else state.legal_actions():
            after = state.clone()
            after.apply_action(action)
            waiting.append((after, side))


def test_search_never_loses_at_tic_tac_toe() -> None:
    agent = search(edge_envs.load_game("tic_tac_toe"), 800)
    ends = list(answers(agent.searcher.game, lambda state: agent.root(state).best))
    assert len(ends) > 50
    assert any(max(end.returns()) > 0.0 for end in ends)


def kuhn(card: int, *betting: str) -> State:
    game = edge_envs.load_game("kuhn")
    other = 1 if card == 3 else 3
    cards = [card, other] if len(betting) % 2 == 0 else [other, card]
    return game.state_from_dict(
        {"game": "kuhn", "params": game.params_dict(), "cards": cards, "betting": list(betting)}
    )


@pytest.mark.parametrize(
    ("state", "best"),
    [
        (kuhn(3, "bet"), "call"), (kuhn(1, "bet"), "fold"), (kuhn(3, "check"), "bet"),
        (kuhn(3, "check", "bet"), "call"), (kuhn(1, "check", "bet"), "fold"),
    ],
)  # fmt: skip
def test_the_search_does_not_see_hidden_cards(state: State, best: str) -> None:
    for seed in range(5):
        root = search(state.game, 300).root(state, seed)
        assert state.action_to_string(root.best) == best


def test_results_do_not_depend_on_hidden_information() -> None:
    game = edge_envs.load_game("kuhn")
    roots = []
    for other in (1, 3):
        d = {"game": "kuhn", "params": game.params_dict(), "cards": [2, other], "betting": []}
        roots.append(search(game, 200).root(game.state_from_dict(d)))
    assert np.array_equal(roots[0].visits, roots[1].visits)
    assert np.array_equal(roots[0].values, roots[1].values)


def test_value_of_a_call_with_the_middle_card_against_a_uniform_opponent() -> None:
    state = kuhn(2, "bet")
    root = search(state.game, 2000).root(state)
    assert dict(zip(map(state.action_to_string, root.actions), root.values, strict=True)) == {
        "fold": pytest.approx(-1.0),
        "call": pytest.approx(0.0, abs=0.15),
    }


def test_values_approach_the_exact_values() -> None:
    game = edge_envs.load_game("falling_off")
    solution = load_solution(game)
    states = [state for state in decisions(game, 200) if len(state.legal_actions()) > 1]
    regrets: dict[int, list[float]] = {8: [], 2000: []}
    errors: list[float] = []
    for number, state in enumerate(states):
        values = np.empty((1, game.num_distinct_actions))
        records = shown(state, number)
        solution.decision_values(records, values)
        for iterations, found in regrets.items():
            roots = Searcher(game, Budget(iterations))(records)
            found.append(np.nanmax(values) - values[0, roots.actions[0]])
            if iterations == 2000:
                errors.append(roots.values[0, roots.actions[0]] - (2.0 * np.nanmax(values) - 1.0))
    assert np.mean(np.abs(errors)) < 0.2  # on a scale from -1 to 1, with fitted values
    assert np.mean(regrets[2000]) < 0.001
    assert np.mean(regrets[2000]) < 0.7 * np.mean(regrets[8])


# Steps of the search


@pytest.mark.parametrize("game", [game for game in plain_games() if not compares_turns(game.type)], ids=case_name)
def test_the_reference_implementation_agrees(game: Game) -> None:
    iterations = 40 if game.name in edge_envs.GAMES and game.num_distinct_actions < 100 else 12
    for records in some_records(game, 6).reshape(-1, 1):
        roots = Searcher(game, Budget(iterations))(records)
        best, visits = Twin(game).search(records, iterations)
        assert {a: int(roots.visits[0, a]) for a in np.flatnonzero(roots.visits[0])} == visits
        assert roots.actions[0] == best


@each_game
@pytest.mark.parametrize("iterations", [1, 2, 7, 40])
def test_the_budget_is_spent_and_never_exceeded(game: Game, iterations: int) -> None:
    records = some_records(game, 4)
    roots = Searcher(game, Budget(iterations))(records)
    for i, record in enumerate(records):
        holder = game.new_records(1)
        holder[0] = record
        state = State.of_records(game, holder)
        assert iterations // 2 < roots.visits[i].sum() <= iterations
        assert set(np.flatnonzero(roots.visits[i])) <= set(state.legal_actions())
        assert roots.actions[i] in state.legal_actions()
        assert (np.isfinite(roots.values[i]) == (roots.visits[i] > 0)).all()
        assert (roots.values[i][roots.visits[i] > 0] <= game.max_utility + 1e-9).all()
        assert (roots.values[i][roots.visits[i] > 0] >= game.min_utility - 1e-9).all()


@pytest.mark.parametrize("dtype", [TREE, NODE, EDGE, WALK])
def test_no_field_has_the_name_of_an_attribute_of_records(dtype: np.dtype[np.record]) -> None:
    assert not {*(dtype.names or ())} & {*dir(np.record)}  # without the compiler, it would hide the field


def test_actions_without_an_edge_get_the_prior_of_a_uniform_choice() -> None:
    memory = new_memory(edge_envs.load_game("two_boxes"), 4)
    clear(memory)
    root = new_node(memory, 0)
    for legal in ([1, 4], [1, 4, 6]):
        memory.mask[:] = 0
        memory.mask[legal] = 1
        assert select(memory, root, 0, True) == 0
    edges = memory.edges[: memory.tree[0].edges]
    assert edges["action"].tolist() == [1, 4, 6]
    assert edges["following"].tolist() == [1, 2, -1]
    assert edges["available"].tolist() == [2, 2, 1]
    assert edges["prior"].tolist() == pytest.approx([1 / 2, 1 / 2, 1 / 3])


@pytest.mark.parametrize("name", ["tic_tac_toe", "two_boxes"])
def test_a_playout_to_the_end_adds_up_the_rewards_and_keeps_those_of_the_path(name: str) -> None:
    game = edge_envs.load_game(name)
    memory, records = new_memory(game, 1), shown(game.new_initial_state(seed=0))
    memory.gains[:] = 5.0
    memory.returns[:] = 0.0
    leaves(game.compiled.kernels, game.type.folder)(records[0], memory)
    end = State.of_records(game, records)
    assert end.is_terminal()
    assert (memory.gains[:-1] == 5.0).all()
    assert memory.returns.sum() == 0.0
    assert memory.gains[-1].tolist() == end.rewards()


def test_a_playout_stops_after_some_turns_and_counts_the_value_of_the_position() -> None:
    game = edge_envs.load_game("tic_tac_toe")
    memory, records = new_memory(game, 1), shown(game.new_initial_state(seed=0))
    memory.tree["cut"] = 3
    memory.fit[:] = [[0.0, 0.0, 1.0], [0.0, 0.0, 0.0]]  # a constant score, 1 for the player to act
    memory.returns[:] = 0.0
    leaves(game.compiled.kernels, game.type.folder)(records[0], memory)
    assert records[0]["turns"] == 3
    assert memory.returns.tolist() == pytest.approx([-np.tanh(0.5), np.tanh(0.5)])


# Invariances


@each_game
def test_results_do_not_depend_on_the_batch(game: Game) -> None:
    records = some_records(game, 6)
    together = Searcher(game, Budget(20))(records)
    one = Searcher(game, Budget(20))
    for i in reversed(range(len(records))):
        alone = one(records[i : i + 1])
        assert np.array_equal(alone.visits[0], together.visits[i])
        assert np.array_equal(alone.values[0], together.values[i], equal_nan=True)
        assert alone.actions[0] == together.actions[i]


def test_results_do_not_depend_on_threads() -> None:
    game = edge_envs.load_game("falling_off")
    records, shared = some_records(game, 12), Searcher(game, Budget(500))
    expected = shared(records).visits
    found: dict[int, Any] = {}

    def work(i: int) -> None:
        found[i] = shared(records[i : i + 1]).visits[0]

    threads = [threading.Thread(target=work, args=(i,)) for i in range(len(records))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(np.array_equal(found[i], expected[i]) for i in range(len(records)))


@each_game
def test_the_record_is_not_changed(game: Game) -> None:
    records = some_records(game, 3)
    before = records.tobytes()
    Searcher(game, Budget(20))(records)
    assert records.tobytes() == before


def test_a_full_memory_adds_no_node_and_keeps_the_others() -> None:
    memory = new_memory(edge_envs.load_game("two_boxes"), 0)
    clear(memory)
    edge, empty = new_edge(memory, 3, 0.5), new_edge(memory, 4, 0.5)
    child = add_node(memory, edge, 0)
    while new_node(memory, 1) >= 0:
        pass
    before = memory.nodes.tobytes()
    assert add_node(memory, edge, 1) == -1
    assert memory.nodes.tobytes() == before
    assert node_below(memory, edge, 0) == child
    memory.nodes["sibling"][-1] = child  # of the last node, which is not below the other edge
    assert node_below(memory, empty, 0) == -1


def test_a_full_tree_stops_growing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("edge_envs.search.tree_memory.MAX_NODES", 10)
    monkeypatch.setattr("edge_envs.search.tree_memory.MAX_EDGES", 30)
    for game in plain_games():
        if game.num_distinct_actions > 30:
            continue
        roots = Searcher(game, Budget(300))(some_records(game, 3))
        assert (roots.visits.sum(axis=1) > 150).all()


def test_iterations_allocate_no_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    nrt = importlib.import_module("numba.core.runtime._nrt_python")
    game = edge_envs.load_game("kuhn", num_players=3)  # of its kernels, only `resample` allocates
    records = some_records(game, 1)
    few, many = Searcher(game, Budget(100)), Searcher(game, Budget(1100))
    few(records), many(records)
    nrt.memsys_enable_stats()
    counts = []
    for one in (few, many):
        before = nrt.memsys_get_stats_alloc()
        one(records)
        counts.append(nrt.memsys_get_stats_alloc() - before)
    nrt.memsys_disable_stats()
    assert counts[1] - counts[0] <= 1000  # one array of `resample` for each iteration


# Time budgets and pickling


def test_a_budget_of_milliseconds() -> None:
    game = edge_envs.load_game("falling_off")
    records = some_records(game, 1)
    timed = Searcher(game, Budget(milliseconds=60))
    timed(records)
    roots = timed(records)
    assert roots.visits.sum() > 1000
    assert roots.visits[0, roots.actions[0]] == roots.visits[0].max()


def test_a_search_in_time_halves_its_candidates_to_one() -> None:
    game = edge_envs.load_game("two_boxes")
    searcher = Searcher(game, Budget(milliseconds=1))
    searcher(some_records(game, 1))
    assert searcher._tree_memory.tree[0].candidates == 1


def test_a_pickled_searcher_gives_the_same_results() -> None:
    game = edge_envs.load_game("kuhn")
    agent = search(game, 30)
    other = pickle.loads(pickle.dumps(agent))
    records = some_records(game, 5)
    assert np.array_equal(agent.searcher(records).visits, other.searcher(records).visits)
