"""Proof-number search, with tic-tac-toe; `tests/games/beyond_maps/test_solver.py` tests a larger game."""

from __future__ import annotations

import dataclasses
import functools
import itertools
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from edge_envs import Game
from edge_envs.core.compiler.jit import kernel
from edge_envs.core.solving import df_pn, resumable
from edge_envs.core.solving.certificates import certify, read_certificate
from edge_envs.core.solving.df_pn import (
    TO_OR_NODE,
    ProofKernels,
    _add_move,
    _go_down,
    _is_new,
    _open_level,
    _search,
    turns_of,
    workspace,
)
from edge_envs.core.solving.proof_table import (
    blank_table,
    disproof_of,
    find_row,
    memory_for,
    packed,
    proof_of,
    put,
    slots_of,
)
from edge_envs.core.solving.prover import PROVEN, REFUTED, STUCK, Claim, ProvenSolution, Prover, ValueSearch, start_of
from edge_envs.core.state import State
from tests.toy.tic_tac_toe import GAME


@kernel
def position_key(state: Any, key: Any) -> Any:
    """Write the board as a key, with the stones of the player to act as 1."""
    code = np.int64(0)
    for square in range(9):
        stone = np.int64(state.board[square])
        code = 3 * code + (stone if stone == 0 or state.turns % 2 == 0 else 3 - stone)
    key[0] = code
    key[1] = 0


@kernel
def turns_left(state: Any) -> Any:
    """Return the number of turns left; each stone is a turn."""
    return np.int64(state.max_turns) - np.int64(state.turns)


PROOF_KERNELS = ProofKernels(position_key, turns_left, lambda params: 1)


def minimax(state: State, known: dict[str, float]) -> float:
    """Return the minimax value for player 0 by brute force."""
    if state.is_terminal():
        return state.returns()[0]
    position = str(state.to_dict())
    if position not in known:
        values = []
        for action in state.legal_actions():
            following = state.clone()
            following.apply_action(action)
            values.append(minimax(following, known))
        known[position] = max(values) if state.current_player() == 0 else min(values)
    return known[position]


@functools.cache
def game_of(turns: int) -> Game:
    return Game(GAME, {"max_turns": turns})


@pytest.mark.parametrize("turns", [5, 7, 9])
@pytest.mark.parametrize("slots", [4, 1 << 12])
def test_values_match_brute_force_for_any_table_size(turns: int, slots: int) -> None:
    game = game_of(turns)
    prover, known = Prover(game, PROOF_KERNELS, slots), dict[str, float]()
    rng = np.random.default_rng(turns)
    for _ in range(12):
        state = game.new_initial_state()
        while not state.is_terminal():
            (record,) = game.records_from_dict(state.to_dict())
            assert prover.value(record) == minimax(state, known)
            state.apply_action(int(rng.choice(state.legal_actions())))
        assert prover.value(game.records_from_dict(state.to_dict())[0]) == state.returns()[0]


def test_claim_without_the_turn_limit_does_not_rely_on_it() -> None:
    record = start_of(game_of(5))[0]  # neither player can force a win within five stones
    prover = Prover(game_of(5), PROOF_KERNELS, 1 << 12)
    assert prover.settle(record, Claim(1, 0.0, True)).status == PROVEN
    assert prover.settle(record, Claim(0, 1.0, True)).status == REFUTED
    assert prover.settle(record, Claim(1, 0.0, False)).status == STUCK
    assert prover.settle(record, Claim(0, 1.0, False)).status == STUCK


@pytest.mark.parametrize(
    ("keys", "turns", "positions"),
    [
        ([0, 1, 2, 3, 2], 3, 8 + 7 + 6),  # from the second stone on, positions after four stones repeat those after two
        ([0, 1, 1, 1], 2, 8 + 7),  # the root repeats; a position of the other player to act is another one
    ],
)
def test_repeated_position_refutes_a_claim_but_leaves_it_stuck(
    keys: list[int], turns: int, positions: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def position_key(state: Any, key: Any) -> None:
        key[:] = keys[state.turns], 0

    def put_words(table: Any, first: Any, second: Any, tag: int, numbers: int, work: Any) -> None:
        put(table, first, second, np.uint64(tag), np.uint64(numbers), work)  # compiled kernels return Python's integers

    monkeypatch.setattr(df_pn, "put", put_words)
    state = game_of(9).new_initial_state()
    state.apply_action(0)
    kernels, cyclic = game_of(9).compiled.kernels, ProofKernels(position_key, turns_left, lambda params: 1)
    kernels = dataclasses.replace(kernels, compiled=lambda function: function)  # in plain Python
    search = _search(kernels, cyclic, _open_level(kernels, cyclic, _add_move(kernels, cyclic)), _go_down(kernels))
    work = workspace(game_of(9), 12)
    (work.states[0],) = game_of(9).records_from_dict(state.to_dict())
    search(work, blank_table(64), 1, 1.0, False, 1000)
    proof, disproof, action = work.result.tolist()
    assert (turns_of(proof), proof & 1, disproof, action) == (turns, 1, 0, -1)
    assert work.visited[0] == positions


def test_actions_that_lead_to_the_same_position_count_once() -> None:
    work = workspace(game_of(9), 1)
    work.move_keys[0, :3] = [(1, 2), (1, 2), (1, 1)]
    assert [_is_new(work, 0, action) for action in range(3)] == [True, False, True]
    work.moves[0, 0, TO_OR_NODE] = 1  # another player acts
    assert _is_new(work, 0, 1)


def test_first_winning_action_settles_a_claim_at_once() -> None:
    state = game_of(9).new_initial_state()
    for square in (0, 4, 1, 5, 3, 8):  # player 0 completes a line with 2 or 6
        state.apply_action(square)
    (record,) = game_of(9).records_from_dict(state.to_dict())
    result = Prover(game_of(9), PROOF_KERNELS, 1 << 12).settle(record, Claim(0, 1.0, True))
    assert (result.status, result.action, result.positions) == (PROVEN, 2, 1)


def test_table_spreads_positions_and_claims_over_its_rows() -> None:
    table = blank_table(1 << 10)
    keys = np.random.default_rng(0).integers(1 << 63, size=(32, 2)).astype(np.uint64)
    rows = [(first, second, np.uint64(tag)) for first, second in keys for tag in range(1, 9)]
    for row in rows:
        put(table, *row, packed(3, 5), np.uint64(1))
    places = {find_row(table, *row) for row in rows}
    assert len(places - {-1}) >= len(rows) - 10
    assert all((proof_of(table, place), disproof_of(table, place)) == (3, 5) for place in places - {-1})


def test_draw_has_a_certificate_for_both_players() -> None:
    solution = ProvenSolution(game_of(9), PROOF_KERNELS)
    assert (solution.start_value, solution.first_player_win_probability) == (0.0, 0.5)
    certificate = certify(solution.start)
    assert [(one.player, one.least) for one in certificate.strategies] == [(0, 0.0), (1, 0.0)]
    assert certificate.check() > 100


def test_certificate_is_read_from_a_file_of_the_same_version_only(tmp_path: Path) -> None:
    path, certificate = tmp_path / "draw.npz", certify(ProvenSolution(game_of(5), PROOF_KERNELS).start)
    certificate.save(path)
    copy = read_certificate(path)
    assert copy.game.params == certificate.game.params
    for one, other in zip(copy.strategies, certificate.strategies, strict=True):
        assert (one.player, one.least) == (other.player, other.least)
        assert np.array_equal(one.positions, other.positions)
        assert np.array_equal(one.actions, other.actions)
    with np.load(path) as arrays:
        saved = dict(arrays)
    about = json.loads(saved["about"].tobytes())
    for version in (GAME.version - 1, GAME.version + 1):
        saved["about"] = np.frombuffer(json.dumps({**about, "version": version}).encode(), np.uint8)
        np.savez(path, **saved)
        with pytest.raises(ValueError, match=f"for version {version} of tic_tac_toe, expected version {GAME.version}"):
            read_certificate(path)


@pytest.mark.parametrize(
    ("first", "second", "low", "high"),
    [
        (None, None, -1.0, 1.0), (True, None, 1.0, 1.0), (None, True, -1.0, -1.0),
        (False, None, -1.0, 0.0), (None, False, 0.0, 1.0), (False, False, 0.0, 0.0),
    ],
)  # fmt: skip
def test_bounds_follow_from_who_is_known_to_win_or_not(
    first: bool | None, second: bool | None, low: float, high: float
) -> None:
    search = ValueSearch(Prover(game_of(9), PROOF_KERNELS, 64), start_of(game_of(9))[0])
    search.wins = [first, second]
    assert (search.low, search.high) == (low, high)


def test_value_search_narrows_its_bounds_to_the_value() -> None:
    search = ValueSearch(Prover(game_of(9), PROOF_KERNELS, 1 << 12), start_of(game_of(9))[0])
    search.effort = 20
    seen = [(search.low, search.high)]
    for _ in search.steps():
        seen.append((search.low, search.high))
    lows, highs = zip(*seen, strict=True)
    assert (seen[0], seen[-1]) == ((-1.0, 1.0), (0.0, 0.0))
    assert list(lows) == sorted(lows)
    assert list(highs) == sorted(highs, reverse=True)
    assert len(seen) > 3


def test_effort_of_a_value_search_grows_with_each_step() -> None:
    search = ValueSearch(Prover(game_of(9), PROOF_KERNELS, 1 << 12), start_of(game_of(9))[0])
    search.effort = 20
    efforts = [search.effort for _ in itertools.islice(search.steps(), 10)]
    assert len(efforts) > 2
    assert efforts[0] == 20
    assert all(after > before for before, after in itertools.pairwise(efforts))


@pytest.mark.parametrize(("interval", "is_long"), [(1e9, True), (-1.0, False)])
def test_search_saves_at_intervals_and_at_the_end(
    interval: float, is_long: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps, saves = list[str](), list[float]()
    monkeypatch.setattr(resumable, "_SAVE_EVERY", interval)
    monkeypatch.setattr(resumable.ResumableSearch, "save", lambda search: saves.append(search.seconds))
    search = resumable.ResumableSearch(game_of(5), PROOF_KERNELS, 1 << 12)
    search.start.effort = 20
    search.search(60.0, steps.append)
    assert len(steps) > 2
    assert len(saves) == (1 if is_long else len(steps))


def test_table_size_respects_the_memory_limit() -> None:
    assert slots_of(1.0) == 1 << 25
    assert slots_of(0.99) == 1 << 24
    assert slots_of(memory_for(1000)) >= 1000
    assert slots_of(memory_for(1 << 25)) == 1 << 25
    assert slots_of(memory_for((1 << 25) + 1)) == 1 << 26
