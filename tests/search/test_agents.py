"""Test searches by name: as agents, opponents and judges."""

from __future__ import annotations

import copy
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import edge_envs
from agents.evaluation.matches import play_match
from agents.players.agent import check_agent, make_agent
from edge_envs import Game, OpponentMix, State
from edge_envs.core.trained import trained_policies
from edge_envs.play.appraisal import Adviser, PreferenceJudge, SearchJudge, judge_by, values_and_visits
from edge_envs.players import OFFERED, built_in_agent, check_built_in, is_built_in, offered, playing, records_shown
from edge_envs.search.agent import SearchAgent
from edge_envs.search.budgets import MOST_ITERATIONS, Budget
from tests.agents.players import untrained
from tests.contract.play import decisions


@pytest.fixture
def falling_off() -> Game:
    return edge_envs.load_game("falling_off")


@pytest.mark.parametrize("text", ["", "0", "x", "-3", "50 ms", "0ms", "5s", "1e3", str(MOST_ITERATIONS + 1), "9" * 40])
def test_an_invalid_budget_is_rejected_with_the_valid_range(text: str) -> None:
    with pytest.raises(
        ValueError, match=r"unknown agent 'search:.*invalid search budget .* iterations from 1 to 1000000, such as 200"
    ):
        check_agent(f"search:{text}")


def test_budget_string_round_trip() -> None:
    assert str(Budget.parse("200")) == "200"
    assert str(Budget.parse("50ms")) == "50ms"
    assert Budget.parse("50ms") == Budget(milliseconds=50)


def test_agent_names(falling_off: Game) -> None:
    assert make_agent("search:30", falling_off).name == "search:30"
    assert make_agent("search", falling_off).name == "search:200"
    assert make_agent("search:5ms", falling_off).name == "search:5ms"
    assert make_agent("turn", falling_off).name == "turn"
    assert is_built_in("search:anything")
    assert not is_built_in("searching")
    for name in OFFERED:
        check_built_in(name)
    with pytest.raises(ValueError, match="unknown agent 'random:3': random takes no argument after a colon"):
        built_in_agent("random:3", falling_off)
    with pytest.raises(ValueError, match=r"unknown agent 'searching:3' \(choose from random.*search"):
        built_in_agent("searching:3", falling_off)


def test_every_offered_agent_can_play() -> None:
    for name, game_type in edge_envs.GAMES.items():
        game, names = edge_envs.load_game(name), offered(game_type)
        for agent in [*OFFERED, "heuristic:v0"]:
            if agent == "perfect":
                assert (agent in names) == (game_type.solver is not None)
            elif agent == "trained" and agent not in playing(game):
                assert (agent in names) == bool(trained_policies(game_type))
                with pytest.raises(ValueError, match=f"{name}.* has no trained policy"):
                    built_in_agent(agent, game)
            elif agent in names:
                assert built_in_agent(agent, game).name == agent
            elif agent in ("turn", "one_turn"):
                with pytest.raises(ValueError, match=f"{agent} compares .*, but {name} has no"):
                    built_in_agent(agent, game)
            else:
                assert (agent, game_type.heuristics) == ("heuristic:v0", ("v0",))
    assert {"one_turn", "heuristic:v0"} <= {*offered(edge_envs.GAMES["beyond_maps"])}


def test_a_root_has_actions_visits_and_values(falling_off: Game) -> None:
    agent = SearchAgent(falling_off, Budget(64))
    state = next(state for state in decisions(falling_off) if len(state.legal_actions()) > 4)
    root = agent.root(state, seed=3)
    assert root.actions.tolist() == state.legal_actions()
    assert root.visits.shape == root.values.shape == root.actions.shape
    assert root.visits.sum() <= 64
    assert root.best in root.actions
    assert (np.isfinite(root.values) == (root.visits > 0)).all()
    assert np.array_equal(agent.root(state, seed=3).visits, root.visits)
    for seed in (1.9, "1", True, None, -1, 2**64, np.array([1])):
        with pytest.raises(ValueError, match=r"invalid seed=.*: expected an integer from 0 to 2\*\*64 - 1$"):
            agent.root(state, seed)  # type: ignore[arg-type]  # invalid on purpose
    while not state.is_chance_node() and not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    with pytest.raises(ValueError, match="a position in which an agent is to act"):
        agent.root(state)


@pytest.mark.parametrize("name", ["search:16", "turn"])
def test_a_seat_env_plays_against_a_search_by_its_name(falling_off: Game, name: str) -> None:
    returns = []
    for _ in range(2):
        env = edge_envs.seat_env("falling_off", opponents=name)
        env.reset(seed=5)
        copied = copy.deepcopy(env)
        for one in (env, copied):
            done, total, steps = False, 0.0, 0
            while not done:
                _, reward, done, _, _ = one.step(int(one.action_masks().argmax()))
                total, steps = total + float(reward), steps + 1
            returns.append((total, steps))
    assert len(set(returns)) == 1


def test_searches_can_be_mixed_with_other_opponents() -> None:
    mix = OpponentMix([("search:4", 1.0), ("random", 1.0)])
    env = edge_envs.seat_vector_env("kuhn", num_envs=8, opponents=["search:4", mix], num_players=3)
    env.reset(seed=0)
    for _ in range(20):
        env.step(env.action_masks().argmax(axis=1))


@pytest.mark.parametrize(
    ("name", "message"),
    [("search:x", "invalid search budget 'x'"), ("turn:3", "unknown agent"), ("sea", "search:1000, turn")],
)
def test_an_unknown_opponent_is_rejected(name: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        edge_envs.seat_env("falling_off", opponents=name)


def test_a_match_does_not_depend_on_how_many_games_run_side_by_side(
    falling_off: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    returns = []
    for lanes in (64, 3):
        monkeypatch.setattr("agents.evaluation.matches.LANES", lanes)
        agent, opponent = make_agent("search:20", falling_off), make_agent("heuristic", falling_off)
        returns.append(play_match(falling_off, agent, opponent, 12, seed=1).returns)
    assert np.array_equal(returns[0], returns[1])


def test_a_search_beats_uniform_play(falling_off: Game) -> None:
    won = play_match(falling_off, make_agent("search:50", falling_off), make_agent("random", falling_off), 60).returns
    assert won.mean() > 0.8


@pytest.mark.parametrize("name", ["one_turn", "flat_monte_carlo"])
def test_threads_that_share_an_agent_get_the_same_actions(name: str) -> None:
    game = edge_envs.load_game("beyond_maps", size=6)
    agent, states = make_agent(name, game), list(decisions(game))[:12]

    def chosen(state: State) -> int:
        records, rng = records_shown(state, np.random.default_rng(0)), np.random.default_rng(0)
        mask = state.legal_action_mask()[None]
        return int(agent.act(np.zeros((1, 0)), mask, records, np.array([state.current_player()]), rng)[0])

    expected = [chosen(state) for state in states]
    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(chosen, states * 5)) == expected * 5


def test_search_and_policy_judges(falling_off: Game) -> None:
    search, policy = judge_by(make_agent("search:100", falling_off)), judge_by(untrained(falling_off))
    assert isinstance(search, SearchJudge)
    assert isinstance(policy, PreferenceJudge)
    assert search.name == "The search search:100"
    state = next(state for state in decisions(falling_off) if len(state.legal_actions()) > 4)
    values = search.values(state)
    assert np.isfinite(values).any()
    assert np.array_equal(search.values(state), values, equal_nan=True)
    assert set(np.flatnonzero(np.isfinite(values))) <= set(state.legal_actions())
    visits = values_and_visits(search, state)[1]
    assert visits is not None
    assert 90 < visits.sum() <= 100  # halves are rounded
    best, worst = (int(find(values)) for find in (np.nanargmax, np.nanargmin))
    chosen = f"The search search:100 would choose {state.action_to_string(best)} ({visits[best]} iterations)."
    assert Adviser(search).hint(state).splitlines()[0] == chosen
    verdict = Adviser(search).judge(state, worst)
    assert verdict.startswith(f"{chosen} You give away ")
    assert verdict.endswith(" iterations)." if visits[worst] != 1 else " (1 iteration).")
    for judge in (policy, judge_by(make_agent("turn", falling_off))):
        assert values_and_visits(judge, state)[1] is None
        assert "iteration" not in Adviser(judge).hint(state)
    with pytest.raises(ValueError, match="random does not value actions"):
        judge_by(make_agent("random", falling_off))
