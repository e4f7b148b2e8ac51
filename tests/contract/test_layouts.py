"""Agents and positions of games with other sizes are rejected before compiled code reads them."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np
import pytest

import edge_envs
from agents.evaluation.report import evaluate_against
from edge_envs import Game, State
from edge_envs.core.opponent import OpponentCalls
from edge_envs.core.spec import Records
from edge_envs.play.match import Match
from edge_envs.players import Agent, built_in_agent, decide, offered, records_shown
from tests.contract.cases import games
from tests.contract.play import Sighted, settle

BOARDS = [
    (edge_envs.load_game("falling_off"), edge_envs.load_game("falling_off_6p")),
    (edge_envs.load_game("beyond_maps_8x8"), edge_envs.load_game("beyond_maps")),
    (edge_envs.load_game("over_the_edge_pond"), edge_envs.load_game("over_the_edge_3p")),
    (edge_envs.load_game("ghost_ship_tour"), edge_envs.load_game("ghost_ship_3p")),
]
"""Two boards of each game with other sizes."""
each_pair = pytest.mark.parametrize(("small", "large"), BOARDS, ids=lambda game: game.name)
READING = ["heuristic", "flat_monte_carlo", "search:2"]
"""Agents whose compiled code reads state records."""


MORE = [
    edge_envs.load_game("falling_off", rerolls=3),
    edge_envs.load_game("falling_off", pawns=1, dice=2, spaces=4),
    edge_envs.load_game("over_the_edge", map="random:0-1:rings=3:sectors=12:ports=4"),
    edge_envs.load_game("over_the_edge", map="random:0:rings=3:sectors=12:ports=4:land=0:large=0:barriers=0"),
    edge_envs.load_game("ghost_ship_small"),
    edge_envs.load_game("beyond_maps", size=8, height=6),
]
"""Games with other sizes than the cases of the contract tests."""


def sizes(game: Game) -> tuple[object, ...]:
    """Return everything on which the sizes of arrays depend, at decisions."""
    cells = game.type.cell_layout(game.params)
    return game.num_players, game.num_distinct_actions, game.observation_shape, cells and cells.values.tolist()


def records_where(is_found: Callable[[State], bool], game: Game) -> Records:
    """Return two records of the first position of a random game that has a property."""
    state = game.new_initial_state(1)
    rng = np.random.default_rng(0)
    while not is_found(state):
        state.apply_action(int(rng.choice(state.legal_actions())))
    return state._records.repeat(2)


def is_offered(name: str, game: Game) -> bool:
    return name.partition(":")[0] in {one.partition(":")[0] for one in offered(game.type)}


def state_at_decision(game: Game) -> State:
    state = game.new_initial_state(1)
    settle(state)
    return state


def test_records_belong_to_a_game_if_and_only_if_the_sizes_are_equal() -> None:
    for one, other in itertools.permutations([*games(), *MORE], 2):
        if one.name != other.name:
            continue
        records = other.new_records(3)
        if sizes(one) != sizes(other):
            with pytest.raises(ValueError, match=r"invalid state records: [\w ]+="):
                one.check_records(records)
        if not one.layout_difference(other):
            one.check_records(records)


def test_records_in_play_belong_to_their_game(game: Game) -> None:
    env = edge_envs.vector_env(game.name, num_envs=3, **game.params)
    env.reset(seed=1)
    env.random_steps(np.arange(3, dtype=np.uint64), 30)
    game.check_records(env.shown_states(np.arange(3), np.zeros(3, np.uint64)))


def test_arrays_for_chance_fit_all_parameters(game: Game) -> None:
    assert game.max_chance_outcomes <= game.type.most_chance_outcomes
    for other in games():
        if other.name == game.name and not game.layout_difference(other):
            state = State.of_records(game, other.new_initial_state(1)._records)
            if state.is_chance_node():
                assert sum(probability for _, probability in state.chance_outcomes()) == pytest.approx(1.0)


def test_agents_reject_records_without_a_decision(plain_game: Game) -> None:
    wrong = [records_where(State.is_terminal, plain_game)]
    if plain_game.max_chance_outcomes:
        wrong.append(records_where(State.is_chance_node, plain_game))
    masks = np.ones((2, plain_game.num_distinct_actions), np.int8)
    views = np.zeros((2, *plain_game.observation_shape), plain_game.observation_dtype)
    for records in wrong:
        for name in READING:
            if is_offered(name, plain_game):
                agent = built_in_agent(name, plain_game)
                with pytest.raises(ValueError, match="invalid state records: record 0 is not at a decision"):
                    agent.act(views, masks, records, np.zeros(2, np.int64), np.random.default_rng(0))
        with pytest.raises(ValueError, match="record 0 is not at a decision"):
            OpponentCalls(plain_game, Sighted())(records, np.random.default_rng(0))


@each_pair
def test_positions_of_other_sizes_are_rejected(small: Game, large: Game) -> None:
    state = state_at_decision(large)
    shown = records_shown(state, np.random.default_rng(0))
    with pytest.raises(ValueError, match="invalid state records: "):
        State.of_records(small, shown)
    with pytest.raises(ValueError, match="invalid state records: "):
        built_in_agent("search:2", small).action_values(shown)  # type: ignore[attr-defined]  # of searches


@each_pair
@pytest.mark.parametrize("name", READING)
def test_agents_of_other_sizes_are_rejected(small: Game, large: Game, name: str) -> None:
    agent, fits = built_in_agent(name, small), built_in_agent("random", large)
    with pytest.raises(ValueError, match="was made for"):
        decide(agent, state_at_decision(large), np.random.default_rng(0))
    with pytest.raises(ValueError, match="was made for"):
        evaluate_against(large, agent, fits, 2)
    with pytest.raises(ValueError, match="was made for"):
        evaluate_against(large, fits, agent, 2)
    seats: list[Agent | None] = [fits] * large.num_players
    match = Match(state_at_decision(large), seats)
    with pytest.raises(ValueError, match="was made for"):
        match.change(0, agent)
    with pytest.raises(ValueError, match="was made for"):
        Match(state_at_decision(large), [agent, *seats[1:]])


@each_pair
@pytest.mark.parametrize("name", READING)
def test_calls_with_wrong_arrays_are_rejected(small: Game, large: Game, name: str) -> None:
    agent, state, rng = built_in_agent(name, small), state_at_decision(small), np.random.default_rng(0)
    states, players = records_shown(state, rng), np.array([state.current_player()])
    views, masks = state.observation_tensor(int(players[0]))[None], state.legal_action_mask()[None]
    wrong = records_shown(state_at_decision(large), rng)
    twice = np.repeat(masks, 2, axis=0)
    for bad_masks, bad_states, message in [
        (twice, states, "states: 1 records for 2 lanes"),
        (masks, np.concatenate([states] * 9), "states: 9 records for 1 lanes"),
        (masks, None, "states: None, but this agent needs the state records"),
        (masks, wrong, "invalid state records: "),
        (masks, states[0], "invalid state records: "),
        (masks, np.zeros(1), "invalid state records: float64"),
    ]:
        with pytest.raises(ValueError, match=message):
            agent.act(views, bad_masks, bad_states, players, rng)
    assert masks[0, agent.act(views, masks, states, players, rng)[0]]
