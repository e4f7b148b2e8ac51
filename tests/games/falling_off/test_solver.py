"""The exact solution of two-player Falling off the Edge of the World, against brute force and against itself."""

from __future__ import annotations

import functools
import os
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations_with_replacement, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import edge_envs
from edge_envs.core.compiler.jit import kernel_of
from edge_envs.core.interactive.tutorials import played
from edge_envs.core.solving import tables as cache
from edge_envs.games.falling_off import rules
from edge_envs.games.falling_off.pieces.sets import PAWN_SETS, PLACES
from edge_envs.games.falling_off.solver.policies import TablePolicy, policy_value, tables_of, uniform_tables
from edge_envs.games.falling_off.solver.solution import Solution, decision_values, load_solution, solve, solves
from edge_envs.games.falling_off.state import MOVE, OVER, REROLL

START = (0, 0, 0, 0)
Pawns = tuple[int, ...]


@pytest.fixture(scope="session")
def compiled() -> None:
    if os.environ.get("NUMBA_DISABLE_JIT", "0") != "0":
        pytest.skip("more than one pawn takes minutes without the compiler")


@pytest.fixture(scope="session")
def solution(compiled: None) -> Solution:
    return load_solution()


@pytest.fixture(scope="session")
def one_pawn() -> Solution:
    return solve(pawns=1)


@pytest.fixture(scope="session")
def two_pawns(compiled: None) -> Solution:
    return solve(pawns=2)


# Brute force: the rules of a turn in plain Python, written from the rules text. Pawns are places 0, 4..13, 14.

ROLLS = list(combinations_with_replacement(range(1, 7), 3))
WAYS = Counter(tuple(sorted(throw)) for throw in product(range(1, 7), repeat=3))
SUBSETS = range(8)


def kept_dice(roll: tuple[int, ...], subset: int) -> tuple[int, ...]:
    return tuple(die for i, die in enumerate(roll) if not subset >> i & 1)


def legal_subsets(roll: tuple[int, ...]) -> list[int]:
    """Return the legal reroll subsets: dice have no identity, so only the lowest of those that keep the same dice."""
    kept = [kept_dice(roll, subset) for subset in SUBSETS]
    return [subset for subset in SUBSETS if kept[subset] not in kept[:subset]]


def final_rolls(roll: tuple[int, ...], subset: int) -> np.ndarray[Any, Any]:
    """Return the probabilities of the 56 rolls after a reroll."""
    kept = kept_dice(roll, subset)
    thrown = [tuple(sorted(kept + throw)) for throw in product(range(1, 7), repeat=3 - len(kept))]
    return np.array([thrown.count(final) / len(thrown) for final in ROLLS])


LEGAL = np.array([[subset in legal_subsets(roll) for subset in SUBSETS] for roll in ROLLS])
FINAL = np.array([[final_rolls(roll, subset) for subset in SUBSETS] for roll in ROLLS])  # (56, 8, 56)
CHANCE = np.array([WAYS[roll] for roll in ROLLS]) / 216


@functools.cache
def moves(pawns: Pawns, roll: tuple[int, ...]) -> list[Pawns]:
    """Return the pawns after each move, ordered by from, then by to."""
    a, b, c = roll
    targets = {min(total, 14) for total in (a, b, c, a + b, a + c, b + c, a + b + c) if total >= 4}
    after = []
    for source in sorted(set(pawns)):
        for target in sorted(target for target in targets if target > source):
            rest = list(pawns)
            rest.remove(source)
            after.append(tuple(sorted([*rest, target])))
    return after


Choose = Callable[[Any, Any], Any]  # (estimated values of the options, true values) -> true value of the turn


def take_best(estimated: Any, true: Any) -> Any:
    return np.max(true)


def take_any(estimated: Any, true: Any) -> Any:
    return np.mean(true)


def take_estimated(estimated: Any, true: Any) -> Any:
    return true[int(np.argmax(estimated))]


class Brute:
    """Winning probabilities by recursion: `choose` is the policy of each side; `guide` gives the estimates."""

    def __init__(self, choose: tuple[Choose, Choose], most_owed: int, guide: Brute | None = None) -> None:
        self.choose = choose
        self.most_owed = most_owed
        self.guide = guide
        self.win = functools.cache(self._win)

    def _win(self, side: int, mine: Pawns, theirs: Pawns, owed: int) -> float:
        """Return the probability that `side`, about to roll, wins; owing more than `most_owed` turns loses."""
        if owed > self.most_owed:
            return 0.0
        estimated, true = np.zeros(len(ROLLS)), np.zeros(len(ROLLS))
        for i, roll in enumerate(ROLLS):
            options = moves(mine, roll)
            values = self._values(side, mine, theirs, owed, options)
            estimates = self.guide._values(side, mine, theirs, owed, options) if self.guide else values
            estimated[i] = max(estimates)
            true[i] = self.choose[side](estimates, values)
        estimated_of_kept, true_of_kept = FINAL @ estimated, FINAL @ true  # (56, 8)
        turn = [self.choose[side](estimated_of_kept[i, LEGAL[i]], true_of_kept[i, LEGAL[i]]) for i in range(len(ROLLS))]
        return float(CHANCE @ turn)

    def _values(self, side: int, mine: Pawns, theirs: Pawns, owed: int, options: list[Pawns]) -> np.ndarray[Any, Any]:
        if not options:  # a storm
            return np.array([self.win(side, mine, theirs, owed + 1)])
        return np.array([self.after(side, pawns, theirs, owed - 1) for pawns in options])

    def after(self, side: int, mine: Pawns, theirs: Pawns, owed: int) -> float:
        if min(mine) == 14:
            return 0.0
        return self.win(side, mine, theirs, owed) if owed else 1.0 - self.win(1 - side, theirs, mine, 1)


@pytest.mark.parametrize(
    ("mine", "theirs", "owed"),
    [
        ((13, 14, 14, 14), (13, 14, 14, 14), 1),
        ((11, 12, 14, 14), (12, 13, 13, 14), 1),
        ((11, 12, 14, 14), (12, 13, 13, 14), 3),
        ((12, 13, 13, 13), (9, 14, 14, 14), 2),
        ((8, 14, 14, 14), (12, 12, 14, 14), 4),
    ],
)
def test_late_positions_agree_with_brute_force(solution: Solution, mine: Pawns, theirs: Pawns, owed: int) -> None:
    brute = Brute((take_best, take_best), most_owed=10)
    assert solution.value(mine, theirs, owed) == pytest.approx(brute.win(0, mine, theirs, owed), abs=1e-12)


def test_the_one_pawn_game_agrees_with_brute_force(one_pawn: Solution) -> None:
    brute = Brute((take_best, take_best), most_owed=14)
    for place, other, owed in product(PLACES[:-1], PLACES[:-1], range(1, 13)):
        value = brute.win(0, (place,), (other,), owed)
        assert one_pawn.value([place], [other], owed) == pytest.approx(value, abs=1e-12)


def test_with_three_pawns_off_the_values_are_those_of_the_one_pawn_game(solution: Solution, one_pawn: Solution) -> None:
    for place, other, owed in product(PLACES[:-1], PLACES[:-1], (1, 2, 5, 8, 9)):
        value = solution.value([place, 14, 14, 14], [other, 14, 14, 14], owed)
        assert value == pytest.approx(one_pawn.value([place], [other], owed), abs=1e-14)


def test_one_pawn_policies_agree_with_brute_force(one_pawn: Solution) -> None:
    best = Brute((take_best, take_best), most_owed=8)
    contests = {
        ("random", "best_response"): Brute((take_any, take_best), most_owed=12),
        ("perfect", "random"): Brute((take_estimated, take_any), most_owed=12, guide=best),
    }
    for names, brute in contests.items():
        first, second = (uniform_tables(pawns=1) if name == "random" else name for name in names)
        moving_first, moving_second = policy_value(first, second, one_pawn, pawns=1)  # type: ignore[arg-type]
        assert moving_first == pytest.approx(brute.win(0, (0,), (0,), 1), abs=1e-12)
        assert moving_second == pytest.approx(1.0 - brute.win(1, (0,), (0,), 1), abs=1e-12)


# The solution as a whole


def test_the_first_player_wins_42_percent(solution: Solution) -> None:
    assert solution.first_player_win_probability == pytest.approx(0.422028149587, abs=1e-12)
    assert solution.first_player_win_probability == solution.value(START, START)
    assert solution.positions == 39_100_424
    assert solution.error_bound < 1e-9


@pytest.mark.parametrize("out", [np.zeros((1, 5)), np.zeros((2, 74)), np.zeros((1, 74), np.float32), [[0.0] * 74]])
def test_decision_values_need_an_array_of_their_shape(solution: Solution, out: Any) -> None:
    state = edge_envs.load_game("falling_off").new_initial_state(1)
    state.apply_action(state.sample_chance())
    with pytest.raises(
        ValueError, match=r"invalid out of shape .*: expected a writable float64 array of shape \(1, 74\)"
    ):
        solution.decision_values(state._records, out)


def test_records_of_more_players_have_no_decision_values(solution: Solution) -> None:
    records = edge_envs.load_game("falling_off_6p").new_records(1)
    with pytest.raises(ValueError, match="only games of two players are solved"):
        solution.decision_values(records, np.zeros((1, 74)))


def test_only_two_player_games_are_solved() -> None:
    assert solves(edge_envs.load_game("falling_off").params)
    assert not solves(edge_envs.load_game("falling_off", num_players=3).params)


def test_a_cut_at_more_turns_owed_is_more_accurate(solution: Solution) -> None:
    exact = solution.first_player_win_probability
    fractions: list[float] = []
    six, eight = solve(cut=6, progress=fractions.append), solve(cut=8)
    errors = [abs(cut.first_player_win_probability - exact) for cut in (six, eight)]
    assert 1e-8 < errors[0] < 5e-8
    assert 1e-12 < errors[1] < 5e-11
    assert six.error_bound == 1.0
    assert fractions == sorted(fractions)
    assert fractions[-1] == 1.0


def test_values_are_probabilities_and_another_turn_owed_never_helps(solution: Solution) -> None:
    assert solution.values.min() == 0.0
    assert solution.values.max() == 1.0
    assert all((solution.values[:-1, t] <= solution.values[:-1, t - 1]).all() for t in range(1, 8))


def test_a_player_who_owes_as_many_turns_as_moves_remain_loses(solution: Solution) -> None:
    assert solution.value([12, 13, 14, 14], START, 2) > 0.0
    assert solution.value([12, 13, 14, 14], START, 3) == 0.0
    assert solution.value(START, START, 43) > 0.0
    assert solution.value(START, START, 44) == 0.0


def test_values_beyond_the_table_are_computed_from_it(solution: Solution) -> None:
    deep = Solution(solution.values[:, :5], solution.pawns, solution.cut)
    for mine, theirs, owed in [(START, START, 6), ((9, 9, 10, 11), (0, 5, 12, 13), 7), ((0, 0, 4, 13), (8,) * 4, 8)]:
        assert deep.value(mine, theirs, owed) == solution.value(mine, theirs, owed)


def test_invalid_positions_are_rejected(solution: Solution) -> None:
    with pytest.raises(ValueError, match="expected 4 places"):
        solution.value([0, 0, 0], START)
    with pytest.raises(ValueError, match="expected 4 places"):
        solution.value([0, 0, 0, 3], START)
    with pytest.raises(ValueError, match="turns_owed"):
        solution.value(START, START, 0)


# Decisions


def position(mine: Pawns, theirs: Pawns, owed: int, dice: tuple[int, ...], phase: str = "reroll") -> edge_envs.State:
    fields = {"phase": phase, "dice": list(dice), "turn_player": 0, "turns_owed": owed, "fallen": []}
    header = {"game": "falling_off", "params": {"num_players": 2, "play_on": False}}
    return edge_envs.load_game("falling_off").state_from_dict({**header, **fields, "pawns": [list(mine), list(theirs)]})


def expected_win(solution: Solution, state: edge_envs.State) -> float:
    """Return the winning probability of player 0, with chance and decisions of the turn expanded."""
    if state.is_terminal():
        return 1.0 if state.returns()[0] > 0 else 0.0
    d = state.to_dict()
    if d["phase"] == "roll":
        player = d["turn_player"]
        value = solution.value(d["pawns"][player], d["pawns"][1 - player], d["turns_owed"])
        return value if player == 0 else 1.0 - value
    if state.is_chance_node():
        return sum(p * expected_win(solution, child(state, outcome)) for outcome, p in state.chance_outcomes())
    return max(expected_win(solution, child(state, action)) for action in state.legal_actions())


def child(state: edge_envs.State, action: int) -> edge_envs.State:
    after = state.clone()
    after.apply_action(action)
    return after


def values_of(solution: Solution, state: edge_envs.State) -> dict[int, float]:
    """Return the values of the legal actions, computed by the kernel for arrays of states."""
    out = np.empty((1, 74))
    solution.decision_values(state.game.records_from_dict(state.to_dict()), out)
    return {int(action): float(out[0, action]) for action in np.flatnonzero(~np.isnan(out[0]))}


@pytest.mark.parametrize(
    ("mine", "theirs", "owed", "dice"),
    [
        (START, START, 1, (1, 2, 4)),
        ((0, 5, 13, 14), (4, 4, 9, 12), 1, (2, 2, 5)),
        ((9, 10, 12, 13), (8, 8, 8, 14), 1, (1, 1, 1)),
        ((9, 10, 12, 13), (8, 8, 8, 14), 3, (3, 6, 6)),
        ((13, 13, 13, 14), (7, 14, 14, 14), 2, (1, 2, 2)),
        ((12, 14, 14, 14), (13, 14, 14, 14), 1, (4, 4, 6)),
    ],
)
def test_decision_values_agree_with_the_positions_they_lead_to(
    solution: Solution, mine: Pawns, theirs: Pawns, owed: int, dice: tuple[int, ...]
) -> None:
    for phase in ("reroll", "move") if moves(mine, dice) else ("reroll",):
        state = position(mine, theirs, owed, dice, phase)
        values = values_of(solution, state)
        assert list(values) == state.legal_actions()
        for action, value in values.items():
            assert value == pytest.approx(expected_win(solution, child(state, action)), abs=1e-12)


def test_the_mean_best_decision_value_over_all_rolls_is_the_value_of_the_position(solution: Solution) -> None:
    rng = np.random.default_rng(0)
    out = np.empty(74)
    for owed in (1, 1, 1, 2, 3, 4, 5, 6, 7):
        mine, theirs = rng.integers(0, len(PAWN_SETS) - 1, 2)
        total = 0.0
        for roll, chance in enumerate(CHANCE):
            decision_values(solution.values, mine, theirs, owed, REROLL, 28 + roll, out)
            total += chance * np.nanmax(out)
        assert total == pytest.approx(solution.values[mine, owed - 1, theirs], abs=1e-14)


def test_the_advice_of_the_tutorial_is_best(solution: Solution) -> None:
    for step, state in played(edge_envs.GAMES["falling_off"]):
        if step.action:
            values = values_of(solution, state)
            assert values[state.string_to_action(step.action)] == pytest.approx(max(values.values())), step.title


def test_more_turns_owed_than_in_the_table_count_as_lost(solution: Solution) -> None:
    out = np.empty(74)
    decision_values(solution.values, 0, 0, 10, REROLL, 28, out)
    assert set(out[~np.isnan(out)]) == {0.0}
    decision_values(solution.values, 0, 0, 9, MOVE, 83, out)
    assert np.nanmax(out) > 0.0


@kernel_of(Path(rules.__file__).parent)
def play_perfectly(states: Any, values: Any, games: int) -> int:
    """Return how many of the games between two perfect players the first player wins."""
    state = states[0]
    out = np.empty(74)
    wins = 0
    for _ in range(games):
        rules.new_game(state)
        while state.phase != OVER:
            if rules.current_player(state) < 0:
                rules.apply(state, rules.sample_chance(state))
                continue
            player = state.turn_player
            mine, theirs = state.pawns[player], state.pawns[1 - player]
            decision_values(values, mine, theirs, state.turns_owed, state.phase, state.dice, out)
            best = -1
            for action in range(74):
                if not np.isnan(out[action]) and (best < 0 or out[action] > out[best]):
                    best = action
            rules.apply(state, best)
        wins += state.fallen[0] == 1
    return wins


def test_games_between_perfect_players_agree_with_the_value(solution: Solution) -> None:
    games = 20_000
    states = edge_envs.load_game("falling_off").new_records(1)
    wins = play_perfectly(states, solution.values, games)
    value = solution.first_player_win_probability
    assert abs(wins / games - value) < 4 * (value * (1 - value) / games) ** 0.5


# Policies against each other


def shortest_move(pawns: Pawns, dice: tuple[int, ...], phase: int) -> int:
    """Play as a policy that keeps its dice and then moves a pawn as little as possible."""
    if phase == REROLL:
        return 0
    state = position((*pawns, *[14] * (4 - len(pawns))), START, 1, dice, "move")
    texts = {action: state.action_to_string(action).split()[1:] for action in state.legal_actions()}
    number = {"start": 0, "off": 11, **{str(place): place - 3 for place in range(4, 14)}}
    return min(texts, key=lambda action: number[texts[action][1]] - number[texts[action][0]])


@pytest.fixture(scope="session")
def shortest(compiled: None) -> TablePolicy:
    return tables_of(shortest_move, pawns=2)


def test_perfect_players_achieve_the_value_of_the_game(two_pawns: Solution) -> None:
    value = two_pawns.first_player_win_probability
    for contest in (("perfect", "perfect"), ("best_response", "perfect"), ("best_response", "best_response")):
        moving_first, moving_second = policy_value(*contest, solution=two_pawns, pawns=2)  # type: ignore[arg-type]
        assert moving_first == pytest.approx(value, abs=1e-12)
        assert moving_second == pytest.approx(1.0 - value, abs=1e-12)


def test_a_best_response_beats_the_perfect_player_that_beats_the_others(
    two_pawns: Solution, shortest: TablePolicy
) -> None:
    random = uniform_tables(pawns=2)
    value = two_pawns.first_player_win_probability
    for opponent in (random, shortest):
        results = [
            np.array(policy_value(policy, opponent, two_pawns, pawns=2))
            for policy in ("best_response", "perfect")  # type: ignore[arg-type]
        ]
        assert (results[0] >= results[1]).all()
        assert (results[1] > np.array([value, 1.0 - value])).all()
    assert (np.array(policy_value(shortest, random, pawns=2)) > np.array(policy_value(random, random, pawns=2))).all()


def test_results_do_not_depend_on_the_order_of_the_policies(two_pawns: Solution, shortest: TablePolicy) -> None:
    random = uniform_tables(pawns=2)
    for a, b in [(random, shortest), (shortest, "perfect"), ("best_response", random)]:
        forward = policy_value(a, b, two_pawns, pawns=2)  # type: ignore[arg-type]
        backward = policy_value(b, a, two_pawns, pawns=2)  # type: ignore[arg-type]
        assert forward == pytest.approx((1.0 - backward[1], 1.0 - backward[0]), abs=1e-12)


@pytest.mark.usefixtures("compiled")
def test_the_first_of_two_random_players_wins_45_percent() -> None:
    random = uniform_tables()
    assert policy_value(random, random) == pytest.approx((0.445481180525, 0.554518819475), abs=1e-11)


def test_tables_of_a_policy_are_checked() -> None:
    random = uniform_tables(pawns=1)
    with pytest.raises(ValueError, match="shape"):
        policy_value(random, random)
    with pytest.raises(ValueError, match="sum to 1"):
        policy_value(random._replace(move=random.move / 2), random, pawns=1)
    with pytest.raises(ValueError, match="illegal"):
        policy_value(random._replace(reroll=np.full_like(random.reroll, 1 / 8)), random, pawns=1)
    with pytest.raises(ValueError, match="'prefect'"):
        policy_value("prefect", random, pawns=1)  # type: ignore[arg-type]


# The cached table


class Builder:
    """Builds a small table and counts how often."""

    def __init__(self) -> None:
        self.built = 0
        self.seconds = 0.0

    def __call__(self) -> cache.Arrays:
        self.built += 1
        time.sleep(self.seconds)
        return {"numbers": np.arange(10_000.0)}

    def load(self) -> cache.Arrays:
        return cache.load_or_build("toy", Path("somewhere"), {"numbers": (10_000,)}, self)


@pytest.fixture
def builder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Builder:
    (tmp_path / "tables").mkdir()
    monkeypatch.setattr(cache, "cache_folder", tmp_path.joinpath)
    monkeypatch.setattr(cache, "source_hash", lambda folder: "1234")
    return Builder()


def table_file(tmp_path: Path) -> Path:
    (path,) = tmp_path.glob("tables/*.npz")
    return path


def test_a_table_is_built_once(builder: Builder) -> None:
    for _ in range(3):
        assert np.array_equal(builder.load()["numbers"], np.arange(10_000.0))
    assert builder.built == 1


def test_concurrent_callers_build_a_table_once(builder: Builder) -> None:
    builder.seconds = 0.2
    with ThreadPoolExecutor(4) as pool:
        tables = list(pool.map(lambda _: builder.load(), range(4)))
    assert builder.built == 1
    assert all(np.array_equal(table["numbers"], np.arange(10_000.0)) for table in tables)


def test_a_damaged_table_is_rebuilt(builder: Builder, tmp_path: Path) -> None:
    builder.load()
    good = table_file(tmp_path).read_bytes()
    flipped = bytearray(good)
    flipped[len(good) // 2] ^= 1
    damages = [b"", good[: len(good) // 2], good[:-10], bytes(flipped), b"x" * len(good)]
    for times, damaged in enumerate(damages, start=2):
        table_file(tmp_path).write_bytes(damaged)
        assert np.array_equal(builder.load()["numbers"], np.arange(10_000.0))
        assert builder.built == times
        assert table_file(tmp_path).read_bytes() == good
    np.savez(table_file(tmp_path), numbers=np.arange(3))
    assert len(builder.load()["numbers"]) == 10_000


def test_a_table_of_other_sources_is_rebuilt_and_the_old_one_deleted(
    builder: Builder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    builder.load()
    monkeypatch.setattr(cache, "source_hash", lambda folder: "5678")
    builder.load()
    assert builder.built == 2
    assert table_file(tmp_path).stem == "toy-5678"


def test_a_table_in_a_read_only_cache_is_not_rebuilt(
    builder: Builder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    builder.load()
    monkeypatch.setattr(cache, "cache_folder", lambda *names: None)
    monkeypatch.setattr(cache, "filled_folders", lambda *names: (tmp_path / "empty", tmp_path.joinpath(*names)))
    assert np.array_equal(builder.load()["numbers"], np.arange(10_000.0))
    assert builder.built == 1


def test_a_table_has_the_read_permissions_of_its_folder(builder: Builder, tmp_path: Path) -> None:
    for folder, file in ((0o755, 0o644), (0o700, 0o600)):
        (tmp_path / "tables").chmod(folder)
        builder.load()
        assert table_file(tmp_path).stat().st_mode & 0o777 == file
        table_file(tmp_path).unlink()


def test_a_table_whose_sources_are_missing_is_not_cached(
    builder: Builder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "source_hash", lambda folder: None)
    assert len(builder.load()["numbers"]) == 10_000
    assert list((tmp_path / "tables").iterdir()) == []


@pytest.mark.parametrize("place", [None, Path("/dev/null/tables")])
def test_a_table_that_cannot_be_cached_is_still_built(
    builder: Builder, monkeypatch: pytest.MonkeyPatch, place: Path | None
) -> None:
    monkeypatch.setattr(cache, "cache_folder", lambda *names: place)
    for times in (1, 2):
        assert len(builder.load()["numbers"]) == 10_000
        assert builder.built == times


def test_a_failed_write_leaves_no_file(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="Object arrays cannot be saved"):
        cache.write_arrays(tmp_path / "table.npz", {"objects": np.array([None])})
    assert list(tmp_path.iterdir()) == []


def test_a_table_on_a_full_disk_is_still_built_and_leaves_no_file(builder: Builder, tmp_path: Path) -> None:
    resource = pytest.importorskip("resource")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1_000, limits[1]))  # no file can be longer
    try:
        assert len(builder.load()["numbers"]) == 10_000
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert [path.suffix for path in (tmp_path / "tables").iterdir()] in ([], [".lock"])
