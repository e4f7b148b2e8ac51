"""Whole turns of Beyond the Edges of the Maps, checked by enumeration in plain Python: wins and largest leads.

The positions are random, or come from games in which every third decision is random.
"""

from __future__ import annotations

import functools
import itertools
import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import edge_envs
from agents.players.agent import make_agent
from edge_envs.core.errors import InvalidPositionError
from edge_envs.core.spec import Record
from edge_envs.core.state import State
from edge_envs.games.beyond_maps.heuristic import WEIGHTS
from edge_envs.games.beyond_maps.player.chains import DEEPEST
from edge_envs.games.beyond_maps.player.scene import SCENE, read_scene
from edge_envs.games.beyond_maps.player.turns import DEPTH, find_answers, find_turns
from edge_envs.games.beyond_maps.player.wins import NOWHERE, SCRATCH, winning_action
from edge_envs.games.beyond_maps.rules import apply, legal_action_mask, score
from edge_envs.games.beyond_maps.state import LAND, squares_of
from edge_envs.players import decide
from tests.games.beyond_maps.test_rules import at
from tests.games.beyond_maps.test_twin import some_position

GAMES = [
    {"size": 5}, {"size": 5, "land_markers": 1, "sea_range": 2}, {"size": 6, "stop_early": False},
    {"size": 6, "dice": True}, {"size": 5, "land_markers": 5}, {"size": 6, "max_turns": 6}, {"size": 7},
]  # fmt: skip
each_game = pytest.mark.parametrize("params", GAMES, ids=str)


def ends_of_turn(state: Any) -> Iterator[tuple[int, Record]]:
    """Yield the first action of each way to complete the turn, and the record at the end of the turn."""
    mask = np.zeros(state.game.num_distinct_actions, np.int8)

    def go_on(record: Record) -> Iterator[tuple[int, Record]]:
        legal_action_mask(record, mask)
        for action in np.flatnonzero(mask).tolist():
            following = record.copy()
            apply(following, action)
            if not following.over and following.turn == record.turn:
                yield from ((action, end) for _, end in go_on(following))
            else:
                yield action, following

    return go_on(state._records.copy()[0])


def lead(record: Record, player: int) -> int:
    """Return a player's lead in land."""
    return int(score(record, player) - score(record, 1 - player))


def as_text(record: Record, sides: list[int]) -> str:
    """Return the land and ships of a state or scene as text, in the order of `sides`."""
    return " ".join(f"{squares_of(record.land[side])} {record.ships[side]}" for side in sides)


def lead_of_boards(own: Any, other: Any) -> int:
    """Return by how many squares the first of two boards is larger."""
    return len(squares_of(own)) - len(squares_of(other))


def has_won(record: Record, player: int) -> bool:
    """Return whether the game is over and won by a player."""
    return bool(record.over) and lead(record, player) > 0


@functools.cache
def wins(state: State) -> bool:
    """Return whether the player to act can win in this turn."""
    player = state.current_player()
    return any(has_won(end, player) for _, end in ends_of_turn(state))


def turn_of_the_heuristic(state: Any) -> Any:
    """Return the position after the rest of the turn, played by the heuristic."""
    player, turn, state = state.current_player(), state.to_dict()["turn"], state.clone()
    while state.current_player() == player and state.to_dict()["turn"] == turn:
        state.apply_action(state.heuristic_action())
    return state


def from_games(params: dict[str, Any], count: int) -> Iterator[State]:
    """Yield the first decisions of games with these parameters; tests share them and must not modify them."""
    known, more = _played.setdefault(str(params), ([], decisions_of_games(params)))
    known += itertools.islice(more, max(count - len(known), 0))
    return itertools.islice(known, count)


_played: dict[
    str, tuple[list[State], Iterator[State]]
] = {}  # by parameters: the decisions so far, and an iterator of further ones


def decisions_of_games(params: dict[str, Any]) -> Iterator[State]:
    """Yield the decisions of games in which the heuristic plays both sides and every third decision is random."""
    rng = random.Random(0)
    for seed in itertools.count():
        state = edge_envs.load_game("beyond_maps", **params).new_initial_state(seed)
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(state.sample_chance())
                continue
            yield state.clone()
            drawn = rng.random() < 1 / 3
            state.apply_action(rng.choice(state.legal_actions()) if drawn else state.heuristic_action())


def random_decisions(count: int) -> Iterator[Any]:
    """Yield random decisions on small boards with few markers."""
    rng = random.Random(0)
    while count:
        d = some_position(rng)
        if d["params"]["size"] > 6 or d["params"]["land_markers"] > 3:
            continue
        try:
            state = edge_envs.load_game("beyond_maps", **d["params"]).state_from_dict(d)
        except InvalidPositionError:
            continue
        if state.current_player() >= 0:
            count -= 1
            yield state


def can_win(record: Record) -> bool:
    """Return whether the search for a win finds one."""
    stack = np.zeros(DEEPEST, SCENE)
    read_scene(record, stack[0])
    is_last = bool(record.turn + 1 == record.max_turns)
    return bool(winning_action(stack, np.zeros(SCRATCH, np.uint64), is_last) != NOWHERE)


def finds_a_win(state: Any) -> bool:
    """Return whether the search finds a win in a state."""
    return can_win(state._records.copy()[0])


@each_game
def test_a_win_in_one_turn_is_found_exactly_if_it_exists(params: dict[str, Any]) -> None:
    found = [finds_a_win(state) == wins(state) for state in from_games(params, 250)]
    assert all(found)


def test_a_win_is_found_in_random_positions() -> None:
    states = list(random_decisions(1000))
    found = [finds_a_win(state) for state in states]
    assert found == [wins(state) for state in states]
    assert sum(found) in range(100, 900)


@each_game
def test_the_heuristic_takes_a_win_in_one_turn(params: dict[str, Any]) -> None:
    won = 0
    for state in from_games(params, 250):
        if wins(state):
            won += 1
            assert turn_of_the_heuristic(state).rewards()[state.current_player()] == 1
    assert won


@pytest.mark.parametrize("size", [5, 6])
def test_the_heuristic_lets_the_opponent_win_at_once_only_if_it_must(size: int) -> None:
    lost = 0
    for state in from_games({"size": size}, 300):
        player, end = state.current_player(), turn_of_the_heuristic(state)
        if end.rewards()[player] == -1 or (not end.is_terminal() and finds_a_win(end)):
            lost += 1
            for _, other in ends_of_turn(state):
                assert has_won(other, 1 - player) or (not other.over and can_win(other))
    assert lost


def test_it_plays_land_before_sea_if_only_that_wins() -> None:
    states = [state for state in random_decisions(3000) if not state._records["sea_done"][0] and finds_a_win(state)]
    chosen = {state.action_to_string(state.heuristic_action()).split()[0] for state in states}
    assert chosen == {"sea", "land", "stop"}


@each_game
def test_all_turns_with_sea_before_land_are_enumerated(params: dict[str, Any]) -> None:
    params = {**params, "land_markers": min(params.get("land_markers", DEPTH), DEPTH), "dice": False}
    stack, scratch, turns = np.zeros(DEEPEST, SCENE), np.zeros(SCRATCH, np.uint64), np.zeros(20_000, SCENE)
    for state in from_games(params, 60):
        record, values = state._records.copy()[0], np.full(state.game.num_distinct_actions, -np.inf)
        sides, cells = [int(record.turn_player), 1 - int(record.turn_player)], int(record.width) * int(record.height)
        count = find_turns(record, WEIGHTS[0], True, stack, scratch, turns, values)
        found = {(int(turn.action), as_text(turn, [0, 1])) for turn in turns[:count]}
        sea_first = not record.sea_done and not record.markers_placed
        ends = ((action, as_text(end, sides)) for action, end in ends_of_turn(state))
        expected = {(action, end) for action, end in ends if not sea_first or action < LAND * cells}
        assert found == expected
        assert set(np.flatnonzero(values > -np.inf)) == {action for action, _ in expected}
        assert all(turn.lead == lead_of_boards(*turn.land) for turn in turns[:count])


@each_game
def test_only_the_best_sea_actions_of_answers_are_continued(params: dict[str, Any]) -> None:
    params = {**params, "land_markers": min(params.get("land_markers", DEPTH), DEPTH), "dice": False}
    stack, scratch, turns = np.zeros(DEEPEST, SCENE), np.zeros(SCRATCH, np.uint64), np.zeros(20_000, SCENE)
    begun = (state for state in decisions_of_games(params) if begins_a_turn(state._records[0]))
    for state in itertools.islice(begun, 20):
        record, values = state._records.copy()[0], np.full(state.game.num_distinct_actions, -np.inf)
        read_scene(record, stack[0])
        count = find_answers(WEIGHTS[0], stack, scratch, turns, values)
        sides = [int(record.turn_player), 1 - int(record.turn_player)]
        found = {(int(turn.action), as_text(turn, [0, 1])) for turn in turns[:count]}
        assert found
        assert found <= {(action, as_text(end, sides)) for action, end in ends_of_turn(state)}
        followed = {action for action, _ in found}
        assert min(values[sorted(followed)]) >= max(np.delete(values, sorted(followed)), default=-np.inf) - 1e-9


def begins_a_turn(record: Record) -> bool:
    """Return whether the turn is about to begin."""
    return not (record.sea_done or record.land_done or record.markers_placed)


def test_the_value_of_a_turn_is_the_value_after_its_best_answer() -> None:
    weights, exact, seen = {"breadth": 32.0, "answers": 32.0}, 0, 0
    states = decisions_of_games({"size": 5, "land_markers": 1, "sea_range": 1, "max_turns": 60})
    for state in itertools.islice((state for state in states if state._records["sea_done"][0]), 60):
        player, values = state.current_player(), state.action_values(weights)
        for action in state.legal_actions():
            after, value = state.clone(), values[action]
            after.apply_action(action)
            if after.is_terminal() or finds_a_win(after):
                continue
            ends = (State.of_records(state.game, end.reshape(1)) for _, end in ends_of_turn(after))
            left = [-end.position_features(1 - player)[0, 0] for end in ends]
            assert value >= min(left) - 1e-9
            assert min(abs(value - one) for one in left) < 1e-9
            exact, seen = exact + (value < min(left) + 1e-9), seen + 1
    assert seen > 100
    assert exact > 0.9 * seen


@each_game
def test_one_turn_begins_a_turn_that_wins_or_has_the_largest_lead(params: dict[str, Any]) -> None:
    rng, agent = np.random.default_rng(0), None
    for state in from_games(params, 80):
        agent = agent or make_agent("one_turn", state.game)
        player = state.current_player()
        leads = ((action, end.over, lead(end, player)) for action, end in ends_of_turn(state))
        values = [(action, ahead + 1e6 * bool(over) * np.sign(ahead)) for action, over, ahead in leads]
        best = max(value for _, value in values)
        assert decide(agent, state, rng) in {action for action, value in values if value == best}


def test_one_turn_chooses_randomly_among_equal_turns() -> None:
    state = at("A.... ..... ..... ..... ....B", land_markers=1)
    agent = make_agent("one_turn", state.game)
    assert len({decide(agent, state, np.random.default_rng(seed)) for seed in range(20)}) > 5


def test_one_turn_can_be_named_as_an_opponent() -> None:
    env = edge_envs.seat_env("beyond_maps", opponents="one_turn", size=5)
    returns = []
    for seed in (1, 1, 2):
        env.reset(seed=seed)
        done, total = False, 0.0
        while not done:
            _, reward, done, *_ = env.step(int(env.action_masks().argmax()))
            total += float(reward)
        returns.append(total)
    assert returns == [-1.0, -1.0, -1.0]


def test_one_turn_is_for_games_with_a_score() -> None:
    with pytest.raises(ValueError, match="one_turn compares scores, but falling_off has no kernel `score`"):
        make_agent("one_turn", edge_envs.load_game("falling_off"))
