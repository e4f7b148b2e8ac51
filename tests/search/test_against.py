"""Test tree search against a known agent: returns against fixed agents, and the observations of the agent."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

from agents.evaluation.matches import play_match
from agents.players.agent import make_agent
from edge_envs import Game, State, load_game
from edge_envs.core.opponent import OpponentCalls
from edge_envs.core.spec import Array
from edge_envs.search.against import AgainstAgent, AgainstSearcher
from edge_envs.search.budgets import Budget
from edge_envs.search.searcher import Searcher
from tests.agents.players import decisions
from tests.search.test_search import shown, some_records
from tests.toy.kuhn.actions import NUM_ACTIONS

PASS, BET = range(NUM_ACTIONS)
FEW = Budget(iterations=32)


class FixedAction:
    """Always play the same action if it is legal, else the first legal one."""

    name = "habit"
    needs_states = False

    def __init__(self, action: int) -> None:
        self.action = action

    def act(self, observations: Array, action_masks: Array, states: Any, players: Array, rng: Any) -> Array:
        return np.where(action_masks[:, self.action] != 0, self.action, action_masks.argmax(axis=1))


class Highest(FixedAction):
    """Play the legal action with the highest id."""

    def act(self, observations: Array, action_masks: Array, states: Any, players: Array, rng: Any) -> Array:
        return action_masks.shape[1] - 1 - action_masks[:, ::-1].argmax(axis=1)


def mean(game: Game, answer: Any, agent: Any, games: int = 60) -> float:
    return float(play_match(game, answer, agent, games, seed=1).returns.mean())


def test_an_agent_that_always_folds_loses_every_game() -> None:
    game, folding = load_game("kuhn"), FixedAction(PASS)
    searcher_agent = AgainstAgent(game, FEW, folding)
    assert mean(game, searcher_agent, folding) == 1.0
    assert mean(game, make_agent("search:32", game), folding) < 0.9


def test_an_agent_that_always_bets_is_exploited() -> None:
    game, betting = load_game("kuhn"), FixedAction(BET)
    searcher_agent = AgainstAgent(game, FEW, betting)
    returns = play_match(game, searcher_agent, betting, 60, seed=1).returns
    assert set(returns) == {-1.0, -2.0, 2.0}  # the lowest card folds, the highest wins, the middle one is a toss
    assert (returns == -1.0).sum() + (returns == 2.0).sum() > (returns == -2.0).sum()
    assert returns.mean() >= mean(game, make_agent("search:32", game), betting)


def most(state: State, player: int) -> float:
    """Return the value of a best response to an agent that plays the highest id."""
    if state.is_terminal():
        return state.returns()[player]
    legal, own = state.legal_actions(), state.current_player() == player
    return max(most(after(state, action), player) for action in (legal if own else legal[-1:]))


def after(state: State, action: int) -> State:
    following = state.clone()
    following.apply_action(action)
    return following


def test_the_best_response_to_a_fixed_agent_is_found() -> None:
    game = load_game("tic_tac_toe")
    states = list(decisions(game, 12))
    records, players = np.concatenate([shown(state) for state in states]), [state.current_player() for state in states]
    best = [most(state, player) for state, player in zip(states, players, strict=True)]

    def won(searcher: Searcher) -> list[float]:
        chosen = searcher(records).actions.tolist()
        return [most(after(*step), player) for *step, player in zip(states, chosen, players, strict=True)]

    budget = Budget(iterations=2000)
    assert won(AgainstSearcher(game, budget, Highest(0))) == best
    assert won(Searcher(game, budget)) != best


@pytest.mark.parametrize("players", [2, 3])
def test_the_agent_sees_only_its_own_card(players: int) -> None:
    game = load_game("kuhn", num_players=players)
    cards: list[tuple[int, ...]] = []

    class Recording(FixedAction):
        needs_states = True

        def act(self, observations: Array, action_masks: Array, states: Any, players: Array, rng: Any) -> Array:
            for state, player, seen in zip(states, players, observations, strict=True):
                view = np.empty_like(seen)
                game.compiled.loops.observe(state.reshape(1), player, view)
                assert (view == seen).all()
                assert player != searching
                cards.append((int(player), int(state.cards[player]), int(state.cards[searching])))
            return super().act(observations, action_masks, states, players, rng)

    (records,) = some_records(game, 1).reshape(-1, 1)[:1]
    searching = int(game.compiled.kernels.current_player(records[0]))
    own = int(records[0].cards[searching])
    AgainstSearcher(game, FEW, Recording(PASS))(records)
    others = {card for _, card, _ in cards}
    assert others == set(range(1, players + 2)) - {own}
    assert {mine for _, _, mine in cards} != {own}, "the hidden parts are drawn anew for the agent, too"


@pytest.mark.parametrize("name", ["falling_off", "kuhn", "tic_tac_toe"])
def test_searches_of_the_same_positions_are_reproducible(name: str) -> None:
    game = load_game(name)
    records = some_records(game, 6)
    searcher = AgainstSearcher(game, FEW, make_agent("heuristic", game))
    first, again = searcher(records), pickle.loads(pickle.dumps(searcher))(records)
    assert (first.actions == again.actions).all()
    assert (first.visits == again.visits).all()
    assert (first.visits.sum(axis=1) >= 16).all()
    assert (np.nan_to_num(first.values, nan=0.0) >= game.min_utility).all()
    assert (np.nan_to_num(first.values, nan=0.0) <= game.max_utility).all()


def test_the_actions_of_the_agent_are_its_own() -> None:
    game = load_game("tic_tac_toe")
    states = list(decisions(game, 6))
    actions = OpponentCalls(game, Highest(0))(
        np.concatenate([shown(state) for state in states]), np.random.default_rng(0)
    )
    assert actions.tolist() == [state.legal_actions()[-1] for state in states]


@pytest.mark.parametrize("iterations", [1, 2, 7])
def test_the_budget_is_spent_and_never_exceeded(iterations: int) -> None:
    game = load_game("tic_tac_toe")
    roots = AgainstSearcher(game, Budget(iterations), FixedAction(0))(some_records(game, 3))
    assert (iterations // 2 < roots.visits.sum(axis=1)).all()
    assert (roots.visits.sum(axis=1) <= iterations).all()


def test_a_budget_of_milliseconds() -> None:
    game = load_game("tic_tac_toe")
    records = some_records(game, 2)
    roots = AgainstSearcher(game, Budget(milliseconds=5), FixedAction(0))(records)
    assert (roots.visits.sum(axis=1) > 0).all()
