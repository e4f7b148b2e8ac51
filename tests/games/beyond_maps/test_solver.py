"""Exact solutions of small games: against brute force, by certificates, and for consistency."""

from __future__ import annotations

import copy
import functools
import json
import pickle
import random
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import edge_envs
from agents.evaluation.report import evaluate_against
from agents.players.agent import make_agent
from edge_envs import Game, State
from edge_envs.core.solving import prover as provers
from edge_envs.core.solving import resumable as resumable_search
from edge_envs.core.solving.certificates import Certificate, certify, position_number, read_certificate
from edge_envs.core.solving.proof_table import memory_for, slots_of
from edge_envs.core.solving.prover import OPEN, PROVEN, REFUTED, SHORT, STUCK, Claim, ProvenSolution, Prover
from edge_envs.games.beyond_maps.map.bitboard import format_of
from edge_envs.games.beyond_maps.solver.keys import NUM_TURNS, NUMBER, SQUARE, position_key
from edge_envs.games.beyond_maps.solver.solution import PROOF_KERNELS
from edge_envs.games.beyond_maps.state import square_name
from edge_envs.players.perfect import (
    PerfectAgent,
    has_resumable_search,
    is_instant,
    is_solved,
    load_solution,
    resumable_search_of,
)
from tests.reference.beyond_maps import CHANCE, TERMINAL, BeyondMaps

SMALL: dict[str, Any] = {"size": 5, "sea_range": 1, "land_markers": 1}


def game_of(**params: Any) -> Game:
    return edge_envs.load_game("beyond_maps", **params)


def later(rng: random.Random) -> State:
    """Return a position from a random small game with two to four turns left."""
    kind = {
        "size": rng.choice([5, 6]),
        "sea_range": rng.choice([1, 2, 3]),
        "land_markers": rng.choice([1, 2, 3]),
        "stop_early": rng.random() < 0.5,
        "height": rng.choice([0, 0, 5, 6]),
    }
    while True:
        state = game_of(**kind).new_initial_state()
        for _ in range(rng.randrange(8, 30)):
            if not state.is_terminal():
                state.apply_action(rng.choice(state.legal_actions()))
        if not state.is_terminal():
            d = state.to_dict()
            room = sum(row.count(".") for row in d["board"])
            left = 2 if room > 14 else 3 if room > 8 else 4
            d["params"]["max_turns"] = d["turn"] + left
            return game_of(**d["params"]).state_from_dict(d)


def brute_force(state: State, known: dict[str, float]) -> float:
    """Return player 0's return with best play on both sides, by full enumeration."""
    if state.is_terminal():
        return state.returns()[0]
    position = json.dumps(state.to_dict())
    if position not in known:
        values = [brute_force(after(state, action), known) for action in state.legal_actions()]
        known[position] = max(values) if state.current_player() == 0 else min(values)
    return known[position]


def after(state: State, action: int) -> State:
    following = state.clone()
    following.apply_action(action)
    return following


def record_of(state: State) -> Any:
    return state.game.records_from_dict(state.to_dict())[0]


# Brute force


@pytest.mark.parametrize("turns", [2, 3, 4])
@pytest.mark.parametrize("stop_early", [False, True])
def test_the_value_of_the_start_agrees_with_brute_force(turns: int, stop_early: bool) -> None:
    game = game_of(**{**SMALL, "land_markers": 2}, stop_early=stop_early, max_turns=turns)
    solution = load_solution(game)
    assert isinstance(solution, ProvenSolution)
    assert solution.start_value == brute_force(game.new_initial_state(), {})
    assert solution.first_player_win_probability == (1 + solution.start_value) / 2


@pytest.mark.parametrize("short", [SHORT, 0])
@pytest.mark.parametrize("seed", range(12))
def test_values_of_later_positions_agree_with_brute_force(
    seed: int, short: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(provers, "SHORT", short)  # with 0 the limit is used only as a last resort
    state = later(random.Random(seed))
    known: dict[str, float] = {}
    prover = Prover(state.game, PROOF_KERNELS, slots=1 << 10)
    assert prover.value(record_of(state)) == brute_force(state, known)
    values = np.empty(state.game.num_distinct_actions)
    prover.action_values(record_of(state), values)
    sign = 1 if state.current_player() == 0 else -1
    for action in state.legal_actions():
        assert values[action] == sign * brute_force(after(state, action), known)
    assert np.isnan(np.delete(values, state.legal_actions())).all()


def test_proofs_without_the_limit_on_turns_hold_with_it() -> None:
    rng = random.Random(0)
    counts = {PROVEN: 0, REFUTED: 0}
    for _ in range(60):
        state = later(rng)
        d = state.to_dict()
        left = state.game.params["max_turns"] - d["turn"]
        prover = Prover(state.game, PROOF_KERNELS, slots=1 << 12)
        value = Prover(state.game, PROOF_KERNELS, slots=1 << 12).value(record_of(state))
        for player, least in CLAIMS:
            answer = prover.settle(record_of(state), Claim(player, least, False))
            holds = (value if player == 0 else -value) >= least
            if answer.status in counts:
                counts[answer.status] += 1
                assert answer.turns <= left
                assert holds == (answer.status == PROVEN)
    assert min(counts.values()) > 20


# Repeated positions


def stalling(rng: random.Random) -> State:
    """Return a position with little sea left, far from the limit on turns."""
    game = game_of(size=5, sea_range=rng.choice([1, 2, 6]), land_markers=rng.choice([1, 2]), max_turns=240)
    while True:
        state = game.new_initial_state()
        for _ in range(rng.randrange(12, 60)):
            if not state.is_terminal():
                state.apply_action(rng.choice(state.legal_actions()))
        room = sum(row.count(".") for row in state.to_dict()["board"])
        if not state.is_terminal() and room <= 6:
            return state


def without_turn(state: State) -> str:
    return json.dumps({**state.to_dict(), "turn": None})


CLAIMS = [(0, 1.0), (1, 1.0), (0, 0.0), (1, 0.0)]


def forced(state: State) -> list[bool]:
    """Return which of `CLAIMS` can be forced regardless of repetitions, from all reachable positions.

    Computed as a fixed point: a position is added to the winning ones if one action of the player, or every action of
    the opponent, leads to a winning position.
    """
    states = {without_turn(state): state}
    following: dict[str, list[str]] = {}
    waiting = [state]
    while waiting:
        now = waiting.pop()
        actions = [] if now.is_terminal() else now.legal_actions()
        then = [after(now, action) for action in actions]
        following[without_turn(now)] = [without_turn(each) for each in then]
        for each in then:
            if without_turn(each) not in states:
                states[without_turn(each)] = each
                waiting.append(each)
    answers = []
    for player, least in CLAIMS:
        won = {key for key, each in states.items() if each.is_terminal() and each.returns()[player] >= least}
        before = -1
        while before < len(won):
            before = len(won)
            for key, keys in following.items():
                some = states[key].current_player() == player
                if keys and (any if some else all)(each in won for each in keys):
                    won.add(key)
        answers.append(without_turn(state) in won)
    return answers


@pytest.mark.parametrize("seed", range(10))
def test_proven_claims_are_those_that_can_be_forced_regardless_of_repetitions(seed: int) -> None:
    state = stalling(random.Random(seed))
    answers = forced(state)
    prover = Prover(state.game, PROOF_KERNELS, slots=1 << 12)
    for (player, least), holds in zip(CLAIMS, answers, strict=True):
        answer = prover.settle(record_of(state), Claim(player, least, False))
        other = answers[CLAIMS.index((1 - player, 1.0 - least))]
        assert answer.status in ((PROVEN,) if holds else (REFUTED, STUCK) if other else (STUCK,))
        if answer.status == REFUTED:
            assert other


@pytest.mark.parametrize(("turns", "value"), [(1, 1.0), (2, -1.0), (3, 1.0)])
def test_rectangles_have_the_values_of_the_page_in_both_directions(turns: int, value: float) -> None:
    for size, height in ((5, 6), (6, 5), (5, 7), (7, 5)):
        solution = load_solution(game_of(size=size, height=height, max_turns=turns))
        assert isinstance(solution, ProvenSolution)
        assert solution.start_value == value


# Position keys


def turned(d: dict[str, Any], turn: int, swapped: bool) -> dict[str, Any]:
    """Return a position rotated or reflected, optionally with the players exchanged."""
    width, height = len(d["board"][0]), len(d["board"])
    to = SQUARE[NUMBER[format_of(width, height)], turn, : width * height].astype(int)
    board = [""] * (width * height)
    for square, cell in enumerate("".join(d["board"])):
        board[to[square]] = {"0": "1", "1": "0"}.get(cell, cell) if swapped else cell

    def name(square: str | None) -> str | None:
        if square is None:
            return None
        return square_name(int(to[(int(square[1:]) - 1) * width + ord(square[0]) - ord("a")]), width)

    ships = [name(ship) for ship in d["ships"]]
    return {
        **d,
        "board": ["".join(board[row : row + width]) for row in range(0, width * height, width)],
        "ships": ships[::-1] if swapped else ships,
        "turn_player": 1 - d["turn_player"] if swapped else d["turn_player"],
        "last_marker": name(d["last_marker"]),
    }


def key_of(game: Game, d: dict[str, Any]) -> tuple[int, int]:
    key = np.zeros(2, np.uint64)
    position_key(game.records_from_dict(d)[0], key)
    return int(key[0]), int(key[1])


def test_positions_have_the_same_key_exactly_if_they_are_symmetric() -> None:
    rng = random.Random(1)
    owners: dict[tuple[Any, ...], str] = {}
    for _ in range(40):
        state = later(rng)
        while not state.is_terminal():
            d = state.to_dict()
            images = [turned(d, turn, swapped) for turn in range(NUM_TURNS) for swapped in (False, True)]
            (key,) = {key_of(state.game, image) for image in images}
            apart = (*state.game.params.values(), d["turn"])
            least = min(json.dumps({k: v for k, v in image.items() if k != "turn"}) for image in images)
            assert owners.setdefault((apart, key), least) == least
            state.apply_action(rng.choice(state.legal_actions()))
    assert len(owners) > 100


# Certificates


@functools.cache
def certificate_of(turns: int, land_markers: int) -> Certificate:
    solution = load_solution(game_of(**{**SMALL, "land_markers": land_markers}, max_turns=turns))
    assert isinstance(solution, ProvenSolution)
    return certify(solution.start)


def slow_line(certificate: Certificate, which: int, rng: random.Random) -> float:
    """Return the result of the strategy's player against random actions, by the reference implementation."""
    strategy = certificate.strategies[which]
    twin = BeyondMaps(**certificate.game.params)
    while twin.current_player() not in (TERMINAL, CHANCE):
        actions = twin.legal_actions()
        if twin.current_player() == strategy.player:
            actions = [strategy.action(position_number(twin.to_dict()))]
        twin.apply(rng.choice(actions))
    return float(twin.rewards()[strategy.player])


@pytest.mark.parametrize(("turns", "land_markers"), [(2, 2), (3, 2), (4, 1)])
def test_certificates_hold_by_the_rules_and_by_the_reference_implementation(
    turns: int, land_markers: int, tmp_path: Path
) -> None:
    certificate_of(turns, land_markers).save(tmp_path / "proof.npz")
    certificate = read_certificate(tmp_path / "proof.npz")
    assert certificate.check() > 0
    rng = random.Random(turns)
    for which, strategy in enumerate(certificate.strategies):
        for _ in range(60):
            assert slow_line(certificate, which, rng) >= strategy.least


def test_a_wrong_certificate_does_not_hold() -> None:
    good = certificate_of(3, 2)
    (strategy, *_) = good.strategies
    greedy = type(strategy)(strategy.player, strategy.least + 1, strategy.positions, strategy.actions)
    short = type(strategy)(strategy.player, strategy.least, strategy.positions[1:], strategy.actions[1:])
    illegal = type(strategy)(strategy.player, strategy.least, strategy.positions, strategy.actions * 0 + 150)
    for broken, words in ((greedy, "a line ends"), (short, "no action"), (illegal, "illegal action")):
        with pytest.raises(ValueError, match=words):
            Certificate(good.game, (broken,)).check()


@pytest.mark.parametrize("damage", ["cut", "flipped", "empty", "other"])
def test_a_damaged_certificate_is_rejected(damage: str, tmp_path: Path) -> None:
    path = tmp_path / "proof.npz"
    certificate_of(2, 2).save(path)
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 255
    path.write_bytes({"cut": bytes(content[:-20]), "flipped": bytes(content), "empty": b"", "other": b"moves"}[damage])
    with pytest.raises(ValueError, match="not a certificate, or it is damaged"):
        read_certificate(path)


def wrong(change: str, about: dict[str, Any], arrays: dict[str, Any]) -> None:
    """Change one part of the content of a certificate."""
    claim, positions, actions = about["claims"][0], arrays["positions_0"], arrays["actions_0"]
    changes: dict[str, Callable[[], object]] = {
        "no claims": lambda: about.update(claims=[]),
        "the same claim twice": lambda: about.update(claims=[claim, claim]),
        "no number": lambda: claim.update(least=float("nan")),
        "no end": lambda: claim.update(least=float("-inf")),
        "nothing": lambda: claim.update(least=-1),
        "no player": lambda: claim.update(player=5),
        "no seat": lambda: claim.update(player=-1),
        "a truth value": lambda: claim.update(player=True),
        "fewer actions": lambda: arrays.update(actions_0=actions[:-1]),
        "a table": lambda: arrays.update(positions_0=positions[None], actions_0=actions[None]),
        "infinite actions": lambda: arrays.update(actions_0=np.full(len(actions), np.inf)),
        "signed positions": lambda: arrays.update(positions_0=positions.astype(np.int64)),
        "falling positions": lambda: arrays.update(positions_0=positions[::-1]),
        "no version": lambda: about.pop("version"),
        "another version": lambda: about.update(version=about["version"] + 1),
        "hidden cards": lambda: about.update(game="kuhn", params={}, version=edge_envs.GAMES["kuhn"].version),
    }
    changes[change]()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("no claims", "invalid claims: expected one or two"),
        ("the same claim twice", "at most one per player"),
        ("no number", "invalid least=nan: expected"),
        ("no end", "invalid least=-inf: expected"),
        ("nothing", "invalid least=-1: expected"),
        ("no player", "invalid player=5: expected an integer from 0 to 1"),
        ("no seat", "invalid player=-1: expected"),
        ("a truth value", "invalid player=True: expected"),
        ("fewer actions", "one-dimensional and of equal length"),
        ("a table", "one-dimensional and of equal length"),
        ("infinite actions", "of type uint64, and actions of type int16"),
        ("signed positions", "of type uint64, and actions of type int16"),
        ("falling positions", "positions must be increasing"),
        ("no version", "damaged: 'version'"),
        ("another version", "expected version"),
        ("hidden cards", "does not have perfect information"),
    ],
)
def test_an_invalid_certificate_is_rejected(change: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "proof.npz"
    certificate_of(3, 2).save(path)
    with np.load(path) as saved:
        arrays: dict[str, Any] = dict(saved)
    about = json.loads(arrays["about"].tobytes())
    wrong(change, about, arrays)
    arrays["about"] = np.frombuffer(json.dumps(about).encode(), np.uint8)
    np.savez(path, **arrays)
    with pytest.raises(ValueError, match=message):
        read_certificate(path)


# The whole game


def test_player_1_wins_on_the_smallest_board_by_the_reference_implementation() -> None:
    game = game_of(size=5)
    solution = load_solution(game)
    assert isinstance(solution, ProvenSolution)
    assert solution.first_player_win_probability == 0.0
    ((player, least, claim),) = solution.start.proofs()
    assert (player, least, claim.limited) == (1, 1.0, False)
    rng = random.Random(0)
    for _ in range(30):
        twin = BeyondMaps(**game.params)
        while twin.current_player() != TERMINAL:
            actions = twin.legal_actions()
            if twin.current_player() == player:
                record = game.records_from_dict({"game": game.name, "params": game.params_dict(), **twin.to_dict()})[0]
                answer = solution.prover.settle(record, claim)
                assert answer.status == PROVEN
                actions = [answer.action]
            twin.apply(rng.choice(actions))
        assert twin.rewards()[player] == 1.0


# Resumable search

SEARCHABLE: dict[str, Any] = {"size": 6, "sea_range": 1, "land_markers": 1, "max_turns": 5}


@pytest.fixture
def search_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(resumable_search, "cache_folder", lambda *names: tmp_path)
    return tmp_path


def new_search() -> resumable_search.ResumableSearch:
    return resumable_search_of(game_of(**SEARCHABLE), 1 << 18)


def test_a_resumable_search_finds_the_value_and_resumes_after_an_interruption(search_cache: Path) -> None:
    first = new_search()
    assert not first.resume()
    first.start.effort = 1000
    first.search(1e-9)
    (search_cache / f"{first.path and first.path.stem}.tmp").write_bytes(b"half of a file that a killed run has left")
    second = new_search()
    assert second.resume()
    assert second.to_dict() == first.to_dict()
    assert second.summary() == first.summary()
    assert (second.start.low, second.start.high) == (-1.0, 1.0)
    assert np.array_equal(np.sort(second.prover.table, axis=0), np.sort(first.prover.table, axis=0))
    second.search(600.0)
    assert second.start.value == Prover(second.game, PROOF_KERNELS, slots=1 << 18).value(second.start.record)
    assert certify(second.start).check() > 0
    assert second.seconds > first.seconds
    assert second.to_dict()["open"] == {}


def test_the_positions_that_took_the_most_work_are_saved() -> None:
    found = new_search()
    found.prover.settle(found.start.record, found.start.claim(0), 20_000)
    rows = found.prover.rows(500)
    assert 100 < len(rows) <= 500
    work, all_work = (each[:, 3].astype(np.uint32) for each in (rows, found.prover.rows(1 << 18)))
    assert sorted(work) == sorted(all_work)[-len(work) :]


@pytest.mark.usefixtures("search_cache")
def test_a_damaged_search_file_is_left_unchanged(search_cache: Path) -> None:
    new_search().search(1e-9)
    (path,) = search_cache.glob("*.npz")
    path.write_bytes(path.read_bytes()[:-100])
    assert not new_search().resume()


@pytest.mark.parametrize("lacks", ["seconds", "effort"])
def test_an_incomplete_search_file_counts_as_damaged(lacks: str, search_cache: Path) -> None:
    new_search().search(1e-9)
    (path,) = search_cache.glob("*.npz")
    with np.load(path) as saved:
        arrays: dict[str, Any] = dict(saved)
    story = json.loads(arrays["story"].tobytes())
    del story[lacks]
    arrays["story"] = np.frombuffer(json.dumps(story).encode(), np.uint8)
    np.savez(path, **arrays)
    found = new_search()
    assert not found.resume()
    assert not found.prover.table.any()


def test_nothing_is_saved_without_a_search(search_cache: Path) -> None:
    new_search().search(0.0)
    assert not list(search_cache.iterdir())
    new_search().search(1e-9)
    (path,) = search_cache.glob("*.npz")
    before = path.read_bytes()
    new_search().search(0.0)
    assert path.read_bytes() == before


def test_a_table_too_small_for_the_saved_positions_is_rejected(search_cache: Path) -> None:
    new_search().search(1e-9)
    (path,) = search_cache.glob("*.npz")
    before = path.read_bytes()
    small = resumable_search_of(game_of(**SEARCHABLE), 1 << 8)
    with pytest.raises(ValueError, match=r"has [\d,]+ positions, more than .*at least 0\.001 gigabytes"):
        small.resume()
    assert path.read_bytes() == before
    assert slots_of(memory_for(8_000_000)) == 1 << 23
    assert resumable_search_of(game_of(**SEARCHABLE), slots_of(0.001)).resume()


def test_one_process_at_a_time_searches_and_cleans_up_after_a_dead_one(search_cache: Path) -> None:
    first = new_search()
    assert first.path is not None
    left = search_cache / f"{first.path.stem}abc.tmp"
    left.write_bytes(b"half of a file")
    with first.lock():
        assert not left.exists()
        with pytest.raises(ValueError, match="another process is working"), new_search().lock():
            pass
    with new_search().lock():
        pass


@pytest.mark.parametrize("gigabytes", [float("inf"), float("nan"), 0.0, -1.0, 1e300])
def test_an_invalid_amount_of_memory_is_rejected(gigabytes: float) -> None:
    with pytest.raises(ValueError, match=r"invalid table size of .* gigabytes: expected 0\.001 to"):
        slots_of(gigabytes)


def test_an_unknown_value_raises_an_error() -> None:
    found = new_search()
    assert (found.start.low, found.start.high) == (-1.0, 1.0)
    with pytest.raises(ValueError, match="not known yet"):
        certify(found.start)


def test_a_search_limited_to_few_positions_leaves_a_claim_open_and_resumes() -> None:
    game = game_of(size=5, max_turns=4)
    record = record_of(game.new_initial_state())
    prover, claim = Prover(game, PROOF_KERNELS, slots=1 << 18), Claim(1, 1.0, True)
    answers = [prover.settle(record, claim, 1000)]
    assert answers[0].status == OPEN
    assert min(answers[0].proof, answers[0].disproof) > 0
    while answers[-1].status == OPEN:
        answers.append(prover.settle(record, claim, 1000))
    at_once = Prover(game, PROOF_KERNELS, slots=1 << 18).settle(record, claim)
    assert answers[-1].status == at_once.status == PROVEN
    assert sum(answer.positions for answer in answers) < 3 * at_once.positions


# Threads and copies


def test_threads_that_share_a_solution_find_the_same_values_as_one_thread() -> None:
    game = game_of(size=5, max_turns=4)
    start = record_of(game.new_initial_state())
    shared, found = Prover(game, PROOF_KERNELS, slots=1 << 20), []

    def work() -> None:
        values = np.empty(game.num_distinct_actions)
        shared.action_values(start, values)
        found.append(values)

    threads = [threading.Thread(target=work, daemon=True) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120.0)  # without a lock they would run forever
    expected = np.empty(game.num_distinct_actions)
    Prover(game, PROOF_KERNELS, slots=1 << 20).action_values(start, expected)
    assert len(found) == 2
    assert all(np.array_equal(values, expected, equal_nan=True) for values in found)


def test_threads_that_load_a_solution_concurrently_get_the_same_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("edge_envs.games.beyond_maps.solver.solution._solutions", {})
    game, found = game_of(**SMALL, max_turns=3), []
    threads = [threading.Thread(target=lambda: found.append(load_solution(game))) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == found[:1] * 3


def test_a_copied_perfect_agent_shares_its_solution_and_a_copied_prover_starts_empty() -> None:
    agent = PerfectAgent(game_of(**SMALL, max_turns=3))
    solution = agent.solution
    assert isinstance(solution, ProvenSolution)
    prover = copy.deepcopy(solution.prover)
    assert prover.table.shape == solution.prover.table.shape
    assert not prover.table.any()
    assert prover.value(solution.start.record) == solution.start_value
    for other in (copy.deepcopy(agent), pickle.loads(pickle.dumps(agent))):
        assert other.solution is solution


# Perfect play


def test_solved_and_searchable_games() -> None:
    assert is_solved(game_of(size=5))
    for params in ({"size": 5, "sea_range": 1}, {"size": 6, "max_turns": 30}):
        assert not is_solved(game_of(**params))
        assert has_resumable_search(game_of(**params))
    for params in ({"size": 7, "max_turns": 2}, {"size": 5, "max_turns": 2, "dice": True}):
        assert not is_solved(game_of(**params))
        assert not has_resumable_search(game_of(**params))


def test_instant_games() -> None:
    for params in ({"size": 5, "max_turns": 3}, {"size": 6, "max_turns": 2, "land_markers": 1}):
        assert is_instant(game_of(**params))
    for params in ({"size": 5}, {"size": 6, "max_turns": 3}, {"size": 7, "max_turns": 2}):
        assert not is_instant(game_of(**params))
    assert not is_instant(game_of(size=5, max_turns=3, dice=True))


def test_the_estimate_against_the_perfect_player_agrees_with_the_games() -> None:
    game = game_of(**{**SMALL, "land_markers": 2}, max_turns=4)
    perfect = make_agent("perfect", game)
    evaluation = evaluate_against(game, make_agent("random", game), perfect, 300)
    returns = evaluation.match.returns
    assert evaluation.estimate is not None
    value, half_width = evaluation.estimate.mean
    assert abs(value - (1 + returns.mean()) / 2) < 2 * half_width + 0.1
    alike = evaluate_against(game, perfect, perfect, 60)
    assert alike.estimate is not None
    assert alike.estimate.mean[0] == pytest.approx((1 + alike.match.returns.mean()) / 2)
