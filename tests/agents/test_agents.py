"""Test agents by name; each plays legally in every game, as `agents.players.agent.Agent` requires."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest

import edge_envs
from agents.players.agent import make_agent, make_opponents
from edge_envs import Game, IllegalActionError, State
from edge_envs.core.loops.seat_codes import STAY
from edge_envs.envs.seat_lanes import SeatLanes
from edge_envs.players import Agent, decide, records_shown
from edge_envs.players.flat_monte_carlo import FlatMonteCarloAgent
from edge_envs.players.perfect import is_solved
from edge_envs.players.random import RandomAgent
from tests.agents.players import Stubborn, untrained
from tests.contract.cases import case_name, games

LANES = 3
RANDOM_DECISIONS = 12
"""Random decisions at the start in place of the perfect agent, which may need half a minute there."""


def agents_of(game: Game) -> list[Agent]:
    """Return every agent that can play a game, including a policy network."""
    names = ["random", "heuristic", *(["perfect"] if is_solved(game) else [])]
    greedy, sampling = untrained(game), untrained(game)
    sampling.greedy = False
    return [*(make_agent(name, game) for name in names), FlatMonteCarloAgent(game, playouts=2), greedy, sampling]


@pytest.mark.parametrize("game", games(), ids=case_name)
def test_agents_play_legal_actions_to_the_end(game: Game) -> None:
    rng = np.random.default_rng(0)
    for agent in agents_of(game):
        random_decisions = RANDOM_DECISIONS if agent.name == "perfect" else 0
        table = SeatLanes(game, LANES, "random", 0, "raise", STAY)
        table.reset(1)
        for number in itertools.count():
            playing = np.flatnonzero(~table.ended)
            if not playing.size:
                break
            masks, states = table.action_mask[playing], table.shown_states(playing)
            player = RandomAgent() if number < random_decisions else agent
            chosen = player.act(
                table.observation[playing], masks, states if player.needs_states else None,
                np.zeros(playing.size, np.int64), rng,
            )  # fmt: skip
            assert chosen.shape == playing.shape
            assert masks[np.arange(playing.size), chosen].all(), agent.name
            actions = np.zeros(LANES, np.int64)
            actions[playing] = chosen
            table.step(actions)


def test_random_agent_chooses_uniformly_among_legal_actions() -> None:
    masks = (np.random.default_rng(0).random((3000, 70)) < 0.1).astype(np.int8)
    masks[:, [0, 69]] = [[1, 0], [0, 1], [1, 1]] * 1000
    chosen = RandomAgent().act(masks, masks, None, np.zeros(3000, np.int64), np.random.default_rng(1))
    numbers = np.random.default_rng(1).integers(0, masks.sum(axis=1))
    assert chosen.tolist() == [mask.nonzero()[0][number] for mask, number in zip(masks, numbers, strict=True)]


def test_flat_monte_carlo_finds_an_immediate_win() -> None:
    game = edge_envs.load_game("tic_tac_toe")
    agent = make_agent("flat_monte_carlo", game)
    state = game.new_initial_state()
    for square in ("a1", "b1", "a2", "b2"):
        state.apply_action(state.string_to_action(square))
    chosen = {state.action_to_string(decide(agent, state, np.random.default_rng(seed))) for seed in range(20)}
    assert chosen == {"a3"}


def test_flat_monte_carlo_depends_only_on_the_generator() -> None:
    game = edge_envs.load_game("beyond_maps", size=5)
    agent, state = make_agent("flat_monte_carlo", game), game.new_initial_state(seed=0)
    first, second, *others = (decide(agent, state, np.random.default_rng(seed)) for seed in (0, 0, 1, 2, 3, 4))
    assert first == second
    assert set(others) != {first}


@pytest.mark.parametrize("game", games(), ids=case_name)
def test_agents_decide_single_positions(game: Game) -> None:
    rng = np.random.default_rng(0)
    for agent in agents_of(game):
        state = game.new_initial_state(seed=2)
        for _ in range(30):
            if state.is_terminal():
                break
            before = state.to_dict()
            player = RandomAgent() if agent.name == "perfect" and len(state.history()) < RANDOM_DECISIONS else agent
            action = state.sample_chance() if state.is_chance_node() else decide(player, state, rng)
            assert state.to_dict() == before
            state.apply_action(action)


def test_decide_returns_the_heuristic_action() -> None:
    game = edge_envs.load_game("falling_off", num_players=3)
    state = game.new_initial_state(seed=0)
    rng, agent = np.random.default_rng(0), make_agent("heuristic", game)
    for _ in range(200):
        if state.is_terminal():
            break
        action = state.sample_chance() if state.is_chance_node() else decide(agent, state, rng)
        assert state.is_chance_node() or action == state.heuristic_action()
        state.apply_action(action)


def test_agents_do_not_see_hidden_information() -> None:
    game = edge_envs.load_game("kuhn")
    state = game.new_initial_state(seed=0)
    while state.is_chance_node():
        state.apply_action(state.sample_chance())
    rng, player = np.random.default_rng(0), state.current_player()
    shown = [records_shown(state, rng) for _ in range(60)]
    assert len({record.tobytes() for record in shown}) > 1
    views = {State.of_records(game, record).observation_tensor(player).tobytes() for record in shown}
    assert views == {state.observation_tensor(player).tobytes()}


@pytest.mark.parametrize("action", [-1, 8, 74])
def test_decide_rejects_illegal_actions(falling_off: Game, action: int) -> None:
    state = falling_off.new_initial_state(seed=0)
    state.apply_action(0)
    with pytest.raises(IllegalActionError, match=f"stubborn chose {action}; choose from"):
        decide(Stubborn(action), state, np.random.default_rng(0))


def test_unknown_agent_error_lists_the_choices(falling_off: Game) -> None:
    with pytest.raises(ValueError, match=r"unknown agent 'godlike'.*perfect, flat_monte_carlo.*FOLDER"):
        make_agent("godlike", falling_off)


def test_perfect_agent_exists_only_for_solved_games(falling_off: Game) -> None:
    assert is_solved(falling_off)
    for game in (edge_envs.load_game("falling_off", num_players=3), edge_envs.load_game("kuhn")):
        assert not is_solved(game)
        with pytest.raises(ValueError, match=r"no perfect player of load_game.*solved: .*falling_off for two"):
            make_agent("perfect", game)


def test_policy_folder_is_an_agent_name(falling_off: Game, policy_folder: Path) -> None:
    assert make_agent(str(policy_folder), falling_off).name == policy_folder.as_posix()


def test_opponents_are_seated_in_turn_order_after_the_seat() -> None:
    game = edge_envs.load_game("falling_off", num_players=4)
    everywhere = make_opponents(["random"], 1, game)
    assert list(everywhere) == [2, 3, 0]
    assert len({id(agent) for agent in everywhere.values()}) == 1
    each = make_opponents(["random", "heuristic", "random"], 2, game)
    assert [(seat, agent.name) for seat, agent in each.items()] == [(3, "random"), (0, "heuristic"), (1, "random")]


def test_invalid_number_of_opponents_or_seat_is_rejected() -> None:
    game = edge_envs.load_game("falling_off", num_players=4)
    with pytest.raises(ValueError, match=r"2 agents were given for 3 other seats"):
        make_opponents(["random", "random"], 0, game)
    with pytest.raises(ValueError, match="invalid seat 4: expected 0 to 3"):
        make_opponents(["random"], 4, game)
