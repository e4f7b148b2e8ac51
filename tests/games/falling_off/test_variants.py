"""Other numbers of pawns, dice, spaces and rerolls, and the landing rule: rules, exact values, and agents."""

from __future__ import annotations

import functools
from collections import Counter
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest

import edge_envs
from edge_envs import ParameterError, State
from edge_envs.games.falling_off.narration import events
from edge_envs.games.falling_off.solver.solution import Solution, load_solution, responds, solve, solves, unpack
from edge_envs.games.falling_off.solver.sweep import OTHER, Side, sweep
from edge_envs.games.falling_off.solver.tables import numbers_in_records, pawn_sets, throws_of
from edge_envs.players import built_in_agent
from edge_envs.players.perfect import responds as responds_in
from tests.contract.test_twin import COMPILED, play_both
from tests.docs.test_docs import page_of, section, tables
from tests.games.falling_off.test_solver import compiled  # noqa: F401  a fixture

START, OFF = 0, 14
Pawns = tuple[int, ...]
SMALL = [(1, 2, 4, 1), (1, 1, 2, 1), (2, 2, 3, 2), (2, 1, 2, 3), (1, 2, 8, 0), (1, 3, 3, 2)]
by_size = pytest.mark.parametrize("size", SMALL, ids=str)


def params_of(size: tuple[int, int, int, int]) -> dict[str, int]:
    return dict(zip(("pawns", "dice", "spaces", "rerolls"), size, strict=True))


class Slow:
    """The two-player game in plain Python: the probability that the player about to roll wins."""

    def __init__(self, pawns: int, dice: int, spaces: int, rerolls: int) -> None:
        self.dice, self.rerolls = dice, rerolls
        self.places = [START, *range(4, 4 + spaces), OFF]
        self.start = (START,) * pawns
        self.win, self.after_roll, self.after_dice = (
            functools.cache(function) for function in (self._win, self._after_roll, self._after_dice)
        )

    def throws(self, count: int) -> dict[Pawns, float]:
        """Return the probabilities of the sorted values of some dice."""
        ways = Counter(tuple(sorted(dice)) for dice in product(range(1, 7), repeat=count))
        return {dice: number / 6**count for dice, number in ways.items()}

    def moves_left(self, pawns: Pawns) -> int:
        return sum(len(self.places) - 1 - self.places.index(place) for place in pawns)

    def _win(self, mine: Pawns, theirs: Pawns, owed: int) -> float:
        if owed > self.moves_left(mine) + 2:  # more turns owed lose in any case
            return 0.0
        rolls = self.throws(self.dice)
        return sum(p * self.after_roll(mine, theirs, owed, dice, self.rerolls) for dice, p in rolls.items())

    def _after_roll(self, mine: Pawns, theirs: Pawns, owed: int, dice: Pawns, rerolls: int) -> float:
        options = [self.after_dice(mine, theirs, owed, dice)]
        for count in range(self.dice if rerolls else 0):
            for kept in set(combinations(dice, count)):
                thrown = self.throws(self.dice - count)
                then = {tuple(sorted(kept + some)): 0.0 for some in thrown}
                for some, p in thrown.items():
                    then[tuple(sorted(kept + some))] += p
                options.append(sum(p * self.after_roll(mine, theirs, owed, d, rerolls - 1) for d, p in then.items()))
        return max(options)

    def _after_dice(self, mine: Pawns, theirs: Pawns, owed: int, dice: Pawns) -> float:
        sums = {sum(some) for count in range(1, self.dice + 1) for some in combinations(dice, count)}
        targets = {total if total in self.places else OFF for total in sums if total >= 4}
        moves = [(i, target) for i, place in enumerate(mine) for target in targets if place < target]
        if not moves:
            return float(self.win(mine, theirs, owed + 1))
        values = []
        for i, target in moves:
            after = tuple(sorted((*mine[:i], *mine[i + 1 :], target)))
            if set(after) == {OFF}:
                values.append(0.0)
            elif owed > 1:
                values.append(self.win(after, theirs, owed - 1))
            else:
                values.append(1.0 - self.win(theirs, after, 1))
        return max(values)


@by_size
def test_values_match_a_slow_solver(compiled: None, size: tuple[int, int, int, int]) -> None:  # noqa: F811
    slow, solution = Slow(*size), solve(params=params_of(size))
    assert solution.first_player_win_probability == pytest.approx(slow.win(slow.start, slow.start, 1), abs=1e-13)
    assert solution.error_bound < 1e-11
    for key, (mine, theirs) in enumerate(product(sets_of(slow, size[0]), repeat=2)):
        if set(mine) != {OFF} != set(theirs) and key % 7 == 0:
            for owed in (1, 2, 5):
                expected = slow.win(mine, theirs, owed) if owed <= slow.moves_left(mine) else 0.0
                assert solution.value(mine, theirs, owed) == pytest.approx(expected, abs=1e-13)


def sets_of(slow: Slow, pawns: int) -> list[Pawns]:
    return [some for some in product(slow.places, repeat=pawns) if list(some) == sorted(some)]


def test_both_ways_to_solve_the_usual_dice_agree(compiled: None) -> None:  # noqa: F811
    sets = pawn_sets(1)
    (table,) = sweep(sets, [Side(OTHER, throws=throws_of())])
    np.testing.assert_allclose(unpack(table, sets), solve(pawns=1).values, rtol=0, atol=1e-14)


@by_size
def test_decision_values_agree_with_the_positions_they_lead_to(
    compiled: None,  # noqa: F811
    size: tuple[int, int, int, int],
) -> None:
    game = edge_envs.load_game("falling_off", **params_of(size))
    solution, rng = solve(params=game.params), np.random.default_rng(0)
    for seed in range(3):
        state = game.new_initial_state(seed=seed)
        while not state.is_terminal():
            if not state.is_chance_node():
                check_decision(solution, state)
            state.apply_action(int(rng.choice(state.legal_actions())))
            if state.to_dict()["turns_owed"] > 5:
                break


def check_decision(solution: Solution, state: State) -> None:
    """Compare the values of all actions with those after the next transitions."""
    out = np.empty((1, state.game.num_distinct_actions))
    solution.decision_values(state.game.records_from_dict(state.to_dict()), out)
    assert np.flatnonzero(~np.isnan(out[0])).tolist() == state.legal_actions()
    player = state.current_player()
    for action in state.legal_actions():
        after = state.clone()
        after.apply_action(action)
        assert out[0, action] == pytest.approx(win_of(solution, after, player), abs=1e-12)


def win_of(solution: Solution, state: State, player: int) -> float:
    """Return the probability that a player wins, from values of rolls and of the next decisions."""
    d = state.to_dict()
    if state.is_terminal():
        return float(state.returns()[player] > 0)
    if d["phase"] == "roll":
        own, other = d["pawns"][d["turn_player"]], d["pawns"][1 - d["turn_player"]]
        value = solution.value(own, other, d["turns_owed"])
        return value if d["turn_player"] == player else 1.0 - value
    if state.is_chance_node():
        return sum(p * win_of(solution, child(state, outcome), player) for outcome, p in state.chance_outcomes())
    out = np.empty((1, state.game.num_distinct_actions))
    solution.decision_values(state.game.records_from_dict(d), out)
    return float(np.nanmax(out))


def child(state: State, action: int) -> State:
    after = state.clone()
    after.apply_action(action)
    return after


def test_the_perfect_agent_plays_small_variants(compiled: None) -> None:  # noqa: F811
    game = edge_envs.load_game("falling_off_tiny")
    agent: Any = built_in_agent("perfect", game)
    states = game.new_records(50)
    game.compiled.loops.new_games(states)
    states["phase"], states["dice"], states["rerolls_left"] = 1, 7 + np.arange(50) % 21, 1
    masks = np.zeros((50, 74), np.int8)
    masks[:, 0] = 1
    rng = np.random.default_rng(0)
    actions = agent.act(np.zeros((50, 1)), masks, states, np.zeros(50, np.int64), rng)
    values = np.empty((50, 74))
    load_solution(params=game.params).decision_values(states, values)
    assert (values[np.arange(50), actions] == np.nanmax(values, axis=1)).all()


def test_the_page_lists_the_variants_and_their_exact_values(compiled: None) -> None:  # noqa: F811
    kind = edge_envs.GAMES["falling_off"]
    (rows,) = tables(section(page_of(kind), "Named variants"))
    listed = {name: value for names, _, value in rows for name in names.split(", ")}
    assert listed.keys() == kind.variants.keys() - {"falling_off"}
    solved = {name for name in listed if solves(edge_envs.load_game(name).params)}
    assert solved == {name for name, value in listed.items() if value}
    text = section(page_of(kind), "Exact solution")
    assert f"{load_solution(params={'pawns': 2}).first_player_win_probability:.6f} (two pawns)" in text
    for name in solved:
        value = load_solution(params=edge_envs.load_game(name).params).first_player_win_probability
        assert f"{value:.6f}" == listed[name]


def test_solved_parameters() -> None:
    for name, solved, answered in [
        ("falling_off", True, True), ("falling_off_tiny", True, False), ("falling_off_small", True, False),
        ("falling_off_landing", False, False), ("falling_off_4p", False, False),
    ]:  # fmt: skip
        game = edge_envs.load_game(name)
        assert (solves(game.params), responds(game.params)) == (solved, answered)
        assert responds_in(game) == answered


def test_pawn_sets_of_records_have_the_numbers_of_the_solution() -> None:
    game = edge_envs.load_game("falling_off", pawns=2, spaces=3)
    numbers = numbers_in_records(2, 3)
    state = game.new_initial_state(seed=0)
    pawns = [[4, 14], [0, 6]]
    records = game.records_from_dict({**state.to_dict(), "pawns": pawns})
    slow = Slow(2, 3, 3, 1)
    expected = [sets_of(slow, 2).index((row[0], row[1])) for row in pawns]
    assert numbers[records["pawns"][0, :2]].tolist() == expected


# Rules


@pytest.mark.parametrize("heuristic", [False, True])
@pytest.mark.parametrize(
    "params",
    [
        {"rerolls": 0},
        {"rerolls": 3, "dice": 1, "spaces": 2, "num_players": 3},
        {"rerolls": 0, "landing": "back_to_start", "num_players": 4, "play_on": True},
        {"rerolls": 2, "landing": "back_to_start", "dice": 2, "spaces": 8, "pawns": 3},
    ],
    ids=str,
)
def test_rules_match_the_reference_implementation(params: dict[str, Any], heuristic: bool) -> None:
    for seed in range(2):
        play_both(edge_envs.load_game("falling_off", **params), seed, heuristic, budget=150 if COMPILED else 4)


@pytest.mark.parametrize(("dice", "most"), [(1, 2), (2, 8)])
def test_the_highest_sum_must_be_over_the_edge(dice: int, most: int) -> None:
    edge_envs.load_game("falling_off", dice=dice, spaces=most)
    with pytest.raises(
        ParameterError,
        match=f"^falling_off: invalid spaces={most + 1}: expected an integer from 1 to {most} with dice={dice}$",
    ):
        edge_envs.load_game("falling_off", dice=dice, spaces=most + 1)


def play(name: str, *texts: str, position: dict[str, Any] | None = None, **params: Any) -> State:
    game = edge_envs.load_game(name, **params)
    state = game.new_initial_state(seed=0)
    if position is not None:
        state = game.state_from_dict({**state.to_dict(), **position})
    for text in texts:
        state.apply_action(state.string_to_action(text))
    return state


def test_a_pawn_that_is_landed_on_returns_to_the_start() -> None:
    pawns = {"pawns": [[0, 4, 6, 14], [6, 6, 9, 14]]}
    state = play("falling_off_landing", "roll 1 2 3", "keep", position=pawns)
    before = state.game.records_from_dict(state.to_dict())[0]
    state.apply_action(state.string_to_action("move 4 6"))
    assert state.to_dict()["pawns"] == [[0, 6, 6, 14], [0, 0, 9, 14]]
    after = state.game.records_from_dict(state.to_dict())[0]
    assert events(before, 0, after) == ["Two pawns of player 1 return to the start."]


def test_pawns_over_the_edge_and_pawns_of_the_same_player_stay() -> None:
    pawns = {"pawns": [[0, 13, 14, 14], [13, 14, 14, 14]]}
    state = play("falling_off_landing", "roll 4 5 6", "keep", "move 13 off", position=pawns)
    assert state.to_dict()["pawns"] == [[0, 14, 14, 14], [13, 14, 14, 14]]


def test_without_rerolls_a_roll_leads_to_the_move_or_a_storm() -> None:
    state = play("falling_off", "roll 1 2 4", rerolls=0)
    assert state.to_dict()["phase"] == "move"
    pawns = {"pawns": [[4, 5, 6, 7], [0, 0, 0, 0]]}
    state = play("falling_off", "roll 1 1 1", position=pawns, rerolls=0)
    assert (state.to_dict()["phase"], state.to_dict()["turns_owed"]) == ("roll", 2)
    assert "storm" in state.history_strings()[-1]


def test_a_second_reroll_follows_the_first() -> None:
    state = play("falling_off", "roll 1 2 4", "reroll 4", "rerolled 5", rerolls=2)
    assert (state.to_dict()["phase"], state.to_dict()["rerolls_left"]) == ("reroll", 1)
    assert state.action_to_string(0) == "keep"
    assert str(state).splitlines()[-1] == "player 0 owes 1 turn and rolled 1 2 5: keep, or reroll some, 1 reroll left"
    state.apply_action(state.string_to_action("reroll 1 2"))
    state.apply_action(state.string_to_action("rerolled 6 6"))
    assert (state.to_dict()["phase"], state.to_dict()["rerolls_left"]) == ("move", 0)


def test_sums_beyond_the_last_space_are_over_the_edge() -> None:
    state = play("falling_off", "roll 4 5", "keep", pawns=1, dice=2, spaces=4)
    assert [state.action_to_string(action) for action in state.legal_actions()] == [
        "move start 4", "move start 5", "move start off",
    ]  # fmt: skip
    assert str(state).splitlines()[0] == "place     start   4   5   6   7 off"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"pawns": [[0, 8], [0, 0]]}, r"pawns: \[0, 8\]: places are 0, 4..7 and 14"),
        ({"pawns": [[0, 0, 0], [0, 0]]}, "pawns: "),
        ({"phase": "reroll", "dice": [1, 2, 3], "rerolls_left": 1}, "dice: expected at most 2 dice"),
        ({"phase": "reroll", "dice": [1, 2], "rerolls_left": 0}, "rerolls_left: expected 1 to 2 in reroll, not 0"),
        ({"rerolls_left": 1}, "rerolls_left: expected 0 in roll, not 1"),
    ],
)
def test_impossible_positions_are_rejected(changes: dict[str, Any], message: str) -> None:
    game = edge_envs.load_game("falling_off", pawns=2, dice=2, spaces=4, rerolls=2)
    start = game.new_initial_state(seed=0).to_dict()
    with pytest.raises(edge_envs.InvalidPositionError, match=f"^{message}"):
        game.state_from_dict({**start, **changes})


def test_a_position_without_the_new_parameters_has_their_defaults() -> None:
    game = edge_envs.load_game("falling_off")
    position = game.new_initial_state(seed=0).to_dict()
    assert position["params"] == {"num_players": 2, "play_on": False}
    written = {**position, "params": {**position["params"], "pawns": 4, "landing": "share"}}
    assert game.state_from_dict(written).to_dict() == position
