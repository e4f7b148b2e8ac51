"""Test games between agents: independence of parallel games, forfeits, time limits."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from agents.arena.match import play_games
from edge_envs import Game, load_game
from edge_envs.players import built_in_agent
from tests.agents.players import Stubborn
from tests.arena.external_agents import CallbackAgent

GAMES: list[tuple[str, dict[str, Any]]] = [
    ("falling_off", {"num_players": 3}), ("beyond_maps", {"size": 6}), ("over_the_edge", {"num_players": 4}),
    ("ghost_ship", {"creation": "random"}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "params"), GAMES)
def test_parallel_games_follow_the_rules(name: str, params: dict[str, Any]) -> None:
    game = load_game(name, **params)
    agents = [built_in_agent("heuristic", game)] * game.num_players
    for played in play_games(game, agents, [5, 6, 7]):
        state, actions = game.new_initial_state(played.seed), iter(played.actions)
        while not state.is_terminal():
            state.apply_action(state.sample_chance() if state.is_chance_node() else next(actions))
        assert next(actions, None) is None
        assert state.returns() == pytest.approx(played.returns)
        assert played.forfeit is None
        assert sum(played.decisions) <= len(played.actions)


def test_parallel_games_are_independent() -> None:
    game = load_game("over_the_edge", map="pond")
    agents = [built_in_agent(name, game) for name in ("search:8", "heuristic")]
    together = {played.seed: played.actions for played in play_games(game, agents, range(6))}
    alone = {seed: play_games(game, agents, [seed])[0].actions for seed in (2, 5)}
    timed = {played.seed: played.actions for played in play_games(game, agents, [2, 5], limit=60.0)}
    assert alone == timed == {seed: together[seed] for seed in (2, 5)}


def test_deterministic_games_have_random_openings_shared_by_all_agents() -> None:
    game = load_game("beyond_maps", size=6)
    first, heuristic = CallbackAgent(lambda masks: None), built_in_agent("heuristic", game)
    one = play_games(game, [first, first], range(8))
    other = play_games(game, [heuristic, first], range(8))
    assert [played.actions[:2] for played in one] == [played.actions[:2] for played in other]
    assert len({tuple(played.actions[:2]) for played in one}) > 1


@pytest.fixture(scope="module")
def four() -> Game:
    return load_game("falling_off", num_players=4)


def test_failing_agent_forfeits_and_the_others_share_the_win(four: Game) -> None:
    def fail(masks: Any) -> None:
        raise OSError("no\nluck")

    heuristic, failing = built_in_agent("heuristic", four), CallbackAgent(fail)
    for seat in range(4):
        agents = [heuristic] * 4
        agents[seat] = failing
        for played in play_games(four, agents, range(3)):
            assert (played.forfeit, played.why) == (seat, "OSError: no luck")
            assert played.returns == [-1.0 if other == seat else pytest.approx(1 / 3) for other in range(4)]


@pytest.mark.parametrize("action", [-1, 6, 10**6])
def test_illegal_actions_forfeit(four: Game, action: int) -> None:
    played, *_ = play_games(four, [Stubborn(action), *[built_in_agent("random", four)] * 3], [0])
    assert played.forfeit == 0
    assert played.why.startswith(f"illegal action {action}")


@pytest.mark.parametrize("answer", [None, [], [[1]], ["0"], [0.5], np.zeros(3), [10**400]])
def test_malformed_answers_forfeit(four: Game, answer: Any) -> None:
    wrong = CallbackAgent(lambda masks: "nothing" if answer is None else answer)
    played, *_ = play_games(four, [wrong, *[built_in_agent("random", four)] * 3], [0])
    assert played.forfeit == 0
    assert played.why


def test_failure_forfeits_only_its_own_game() -> None:
    game = load_game("beyond_maps", size=6)

    def fail_at_times(masks: Any) -> None:
        if (masks.sum(axis=1) % 8 == 0).any():
            raise ValueError("too many legal actions")

    agent = CallbackAgent(fail_at_times)
    agents: Any = [agent, built_in_agent("heuristic", game)]
    together = {played.seed: (played.forfeit, played.returns) for played in play_games(game, agents, range(12))}
    alone = {seed: play_games(game, agents, [seed])[0] for seed in range(12)}
    forfeits = {seed for seed, (forfeit, _) in together.items() if forfeit == 0}
    assert {seed for seed, played in alone.items() if played.forfeit == 0} == forfeits
    assert 0 < len(forfeits) < 12


def test_agent_that_exceeds_the_time_limit_is_interrupted() -> None:
    game = load_game("falling_off")

    def think(masks: Any) -> None:
        try:
            while True:
                pass
        except Exception:  # agents may catch all exceptions
            raise AssertionError from None

    slow = CallbackAgent(think)
    agents: Any = [built_in_agent("heuristic", game), slow]
    for played in play_games(game, agents, [1, 2], limit=0.2):
        assert (played.forfeit, played.why) == (1, "more than 0.2 s for a decision")
        assert 0.2 <= played.seconds[1] < 5.0
