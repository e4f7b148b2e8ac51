"""Test tree search with priors from a guide, such as a policy."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import edge_envs
from agents.evaluation.matches import play_match
from agents.networks import Convolutional, Perceptron
from agents.players.agent import check_agent, folder_of, make_agent
from agents.players.games import game_for
from agents.players.policy import PolicyAgent
from agents.players.roster import PolicyRoster
from edge_envs import Game
from edge_envs.core.spec import Array
from edge_envs.play.appraisal import SearchJudge, judge_by
from edge_envs.search.agent import SearchAgent
from edge_envs.search.budgets import Budget
from edge_envs.search.guided import BLOCK, GuidedSearcher
from edge_envs.search.tree_memory import MAX_NODES, new_memory
from tests.agents.players import decisions, observed, untrained, untrained_with_values
from tests.contract.cases import case_name, plain_games
from tests.search.test_search import some_records
from tests.search.twin import Twin

each_game = pytest.mark.parametrize("game", plain_games(), ids=case_name)


class PriorGuide:
    """Return random priors that depend only on the position."""

    name = "opinionated"

    def __init__(self, favour: int | None = None) -> None:
        self.favour = favour

    def probabilities(self, observations: Array, action_masks: Array) -> Array:
        """Return priors between uniform and very uneven."""
        assert observations.shape[0] == action_masks.shape[0] == BLOCK
        weights = np.zeros(action_masks.shape)
        for i, observation in enumerate(observations):
            rng = np.random.default_rng(int(observation.astype(np.int64).sum()) % 1000)
            weights[i] = rng.random(action_masks.shape[1]) ** 3
            if self.favour is not None and action_masks[i, self.favour]:
                weights[i, self.favour] = 1e6
        weights *= action_masks
        return weights / weights.sum(axis=1, keepdims=True)


class FixedGuide:
    """Return the result of a function of the masks."""

    name = "fixed"

    def __init__(self, answer: Callable[[Array], Array]) -> None:
        self.answer = answer

    def probabilities(self, observations: Array, action_masks: Array) -> Array:
        """Return the result."""
        return self.answer(action_masks)


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (lambda masks: np.zeros(masks.shape), "the guide fixed: a legal action needs a positive one"),
        (lambda masks: -1.0 * masks, "a legal action needs a positive one"),
        (lambda masks: np.full(masks.shape, np.nan), "expected finite numbers"),
        (lambda masks: masks[:1] / 1.0, r"expected shape \(16, 74\), not \(1, 74\)"),
        (lambda masks: masks[:, :5] / 1.0, r"expected shape \(16, 74\), not \(16, 5\)"),
    ],
)
def test_invalid_answers_of_a_guide_are_rejected(answer: Callable[[Array], Array], message: str) -> None:
    game = edge_envs.load_game("falling_off")
    state = game.new_initial_state(1)
    state.apply_action(state.sample_chance())
    with pytest.raises(ValueError, match=message):
        SearchAgent(game, Budget(20), FixedGuide(answer)).root(state)


class ValueGuide(PriorGuide):
    """Return values as well."""

    name = "judging"

    def __init__(self, players: int, learned_alone: bool) -> None:
        super().__init__()
        self.players, self.learned_alone = players, learned_alone

    def answers(self, observations: Array, action_masks: Array) -> tuple[Array, Array]:
        """Return a different value for each player."""
        sums = observations.reshape(BLOCK, -1).astype(np.float64).sum(axis=1)
        return self.probabilities(observations, action_masks), np.sin(sums[:, None] + np.arange(self.players))


def guides(game: Game) -> tuple[PriorGuide, ValueGuide, ValueGuide]:
    return PriorGuide(), ValueGuide(game.num_players, False), ValueGuide(game.num_players, True)


each_guide = pytest.mark.parametrize("guide", [0, 1, 2], ids=["priors", "values", "own_values"])


@each_game
@each_guide
def test_the_reference_implementation_agrees(game: Game, guide: int) -> None:
    iterations = 40 if game.num_distinct_actions < 100 else 12
    for records in some_records(game, 2).reshape(-1, 1):
        roots = GuidedSearcher(game, Budget(iterations), guides(game)[guide])(records)
        best, visits = Twin(game, guides(game)[guide]).search(records, iterations)
        assert {a: int(roots.visits[0, a]) for a in np.flatnonzero(roots.visits[0])} == visits
        assert roots.actions[0] == best


@each_game
@each_guide
@pytest.mark.parametrize("trees", [1, 4])
def test_results_do_not_depend_on_the_batch(
    game: Game, guide: int, trees: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    records = some_records(game, 6)
    together = GuidedSearcher(game, Budget(20), guides(game)[guide])(records)
    monkeypatch.setattr("edge_envs.search.guided.MAX_TREES", trees)
    searcher = GuidedSearcher(game, Budget(20), guides(game)[guide])
    backwards = searcher(records[::-1].copy())
    assert np.array_equal(backwards.visits[::-1], together.visits)
    assert np.array_equal(backwards.values[::-1], together.values, equal_nan=True)
    assert np.array_equal(backwards.actions[::-1], together.actions)
    assert np.array_equal(backwards.policy[::-1], together.policy)
    assert (together.visits.sum(axis=1) <= 20).all()


def test_memory_is_allocated_for_the_iterations_or_else_as_much_as_possible() -> None:
    game = edge_envs.load_game("kuhn")
    timed = GuidedSearcher(game, Budget(milliseconds=10), PriorGuide())
    assert timed._memories.nodes.shape == (1, MAX_NODES)
    counted = GuidedSearcher(game, Budget(8), PriorGuide())
    assert counted._memories.nodes.shape[1:] == new_memory(game, 8).nodes.shape


def test_actions_with_high_priors_are_searched_first() -> None:
    game = edge_envs.load_game("tic_tac_toe")
    records = game.new_records(1)
    game.compiled.loops.new_games(records)
    for square in range(9):
        roots = GuidedSearcher(game, Budget(1), PriorGuide(square))(records)
        assert roots.actions[0] == square
        assert roots.visits[0].tolist() == [action == square for action in range(9)]


@pytest.mark.parametrize(
    "architecture",
    [Perceptron(hidden=[64, 64]), Convolutional(channels=16, blocks=2), Perceptron(hidden=[32], hint_weight=3.0)],
    ids=["perceptron", "convolutional", "with_hints"],
)
def test_the_output_of_a_network_for_a_row_does_not_depend_on_other_rows(architecture: Any) -> None:
    game = edge_envs.load_game("beyond_maps", size=6)
    policy, states = untrained(game, architecture), decisions(game, 2)
    rows, masks = observed(states), np.stack([state.legal_action_mask() for state in states])
    expected = {i: policy.probabilities(rows[[i] * BLOCK], masks[[i] * BLOCK])[0] for i in range(len(rows))}
    rng = np.random.default_rng(0)
    for _ in range(20):
        drawn = rng.integers(len(rows), size=BLOCK)
        found = policy.probabilities(rows[drawn], masks[drawn])
        for i, answer in zip(drawn, found, strict=True):
            assert np.array_equal(answer, expected[i])


@pytest.fixture
def folder(tmp_path: Path) -> str:
    untrained(edge_envs.load_game("falling_off")).save(tmp_path / "falling_off" / "mine")
    return (tmp_path / "falling_off" / "mine").as_posix()


def test_a_search_uses_the_policy_in_its_name(folder: str) -> None:
    name = f"search:30:{folder}"
    check_agent(name)
    assert (folder_of(name), folder_of(folder), folder_of("search:30"), folder_of("turn")) == (folder, folder, "", "")
    game = game_for([name, "heuristic"])
    assert game.name == "falling_off"
    agent = make_agent(name, game)
    assert agent.name == name
    assert isinstance(agent, SearchAgent)
    assert isinstance(judge_by(agent), SearchJudge)
    records = some_records(game, 3)
    other = pickle.loads(pickle.dumps(agent))
    assert np.array_equal(agent.searcher(records).visits, other.searcher(records).visits)
    timed = make_agent(f"search:20ms:{folder}", game)
    assert isinstance(timed, SearchAgent)
    timed.searcher(records)
    assert (timed.searcher(records).visits.sum(axis=1) > 10).all()


@pytest.mark.parametrize("players", [2, 3, 6])
def test_a_search_uses_the_values_of_a_policy(players: int, tmp_path: Path) -> None:
    game = edge_envs.load_game("falling_off", num_players=players)
    policy = untrained_with_values(game)
    policy.save(tmp_path / "with")
    PolicyAgent(policy.network, game, policy.architecture).save(tmp_path / "without")
    records = some_records(game, 8)
    roots = {}
    for name in ("with", "without"):
        agent = make_agent(f"search:30:{tmp_path / name}", game)
        assert isinstance(agent, SearchAgent)
        roots[name] = agent.searcher(records)
        assert play_match(game, agent, make_agent("random", game), 4).illegal == 0
    assert not np.array_equal(roots["with"].values, roots["without"].values, equal_nan=True)


def test_the_improved_policy_prefers_higher_values() -> None:
    game = edge_envs.load_game("tic_tac_toe")
    roots = GuidedSearcher(game, Budget(200), ValueGuide(2, False))(some_records(game, 6))
    for policy, values, visits in zip(roots.policy, roots.values, roots.visits, strict=True):
        assert policy.sum() == pytest.approx(1.0)
        assert ((policy > 0) == (visits > 0)).all()
        assert policy[np.nanargmax(values)] > policy[np.nanargmin(values)] or np.nanmax(values) == np.nanmin(values)


def test_an_unvisited_action_counts_as_the_mean_of_the_others() -> None:
    game = edge_envs.load_game("tic_tac_toe")
    records = game.new_records(1)
    game.compiled.loops.new_games(records)
    for guide in guides(game):
        roots = GuidedSearcher(game, Budget(2), guide)(records)
        tried = roots.visits[0] > 0
        assert tried.sum() < 9
        assert (roots.policy[0] > 0).all()
        priors = GuidedSearcher(game, Budget(1), guide)(records).policy[0]  # one tried action: nothing to compare
        ratios = roots.policy[0] / priors
        assert np.ptp(ratios[~tried]) < 1e-9


def test_games_do_not_depend_on_the_number_of_lanes(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    returns, game = [], edge_envs.load_game("falling_off")
    for lanes in (64, 3):
        monkeypatch.setattr("agents.evaluation.matches.LANES", lanes)
        agent, opponent = make_agent(f"search:20:{folder}", game), make_agent("heuristic", game)
        returns.append(play_match(game, agent, opponent, 12, seed=1).returns)
    assert np.array_equal(returns[0], returns[1])


def test_an_unknown_policy_is_rejected(folder: str) -> None:
    with pytest.raises(ValueError, match=r"unknown agent 'search:0': invalid search budget '0'"):
        check_agent(f"search:0:{folder}")
    with pytest.raises(ValueError, match="unknown agent 'search:30:nowhere': nowhere is not a policy folder"):
        check_agent("search:30:nowhere")
    with pytest.raises(ValueError, match=r"^\./nothing: no such folder$"):
        game_for(["search:30:./nothing"], "falling_off")
    with pytest.raises(ValueError, match=r"unknown agent 'search:30:'.*invalid search budget '30:'"):
        check_agent("search:30:")
    with pytest.raises(ValueError, match=r"unknown agent 'turn:3:x'"):
        check_agent("turn:3:x")
    with pytest.raises(ValueError, match="made for the game 'falling_off'; it cannot play 'kuhn'"):
        make_agent(f"search:30:{folder}", edge_envs.load_game("kuhn"))


def test_the_web_page_offers_a_search_for_each_policy(folder: str) -> None:
    roster = PolicyRoster(Path(folder).parents[1], ["heuristic", "search:50", f"search:7:{folder}"])
    assert list(roster.agents_of("falling_off")) == [folder, f"search:200:{folder}", f"search:7:{folder}"]
    assert roster.make(f"search:7:{folder}", edge_envs.load_game("falling_off")).name == f"search:7:{folder}"
