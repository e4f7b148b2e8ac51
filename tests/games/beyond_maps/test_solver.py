"""The exact solution of small games: against brute force, by certificates, and against itself."""

from __future__ import annotations

import functools
import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import edge_envs
from agents.agent import make_agent
from agents.evaluation.report import evaluate_against
from edge_envs import Game, State
from edge_envs.agents.perfect import is_pursued, is_solved, load_solution, pursuit_of
from edge_envs.core import pursuit as pursuits
from edge_envs.core.certificates import Certificate, certify, position_number, read_certificate
from edge_envs.core.proofs import OPEN, PROVEN, REFUTED
from edge_envs.core.prover import Claim, ProvenSolution, Prover
from edge_envs.games.beyond_maps.solver.bounds import best_end, goes_on
from edge_envs.games.beyond_maps.solver.keys import NUM_TURNS, SQUARE, position_key
from edge_envs.games.beyond_maps.solver.solution import HINTS
from edge_envs.games.beyond_maps.state import square_name
from tests.reference.beyond_maps import CHANCE, TERMINAL, BeyondMaps

SMALL: dict[str, Any] = {"size": 5, "sea_range": 1, "land_markers": 1}


def game_of(**params: Any) -> Game:
    return edge_envs.load_game("beyond_maps", **params)


def later(rng: random.Random) -> State:
    """A position some way into a game of any small kind, with two to four turns left."""
    kind = {
        "size": rng.choice([5, 6]),
        "sea_range": rng.choice([1, 2, 3]),
        "land_markers": rng.choice([1, 2, 3]),
        "stop_early": rng.random() < 0.5,
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
    """The return of player 0 with best play on both sides, by all actions of all positions."""
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
def test_the_start_is_worth_what_brute_force_finds(turns: int, stop_early: bool) -> None:
    game = game_of(**{**SMALL, "land_markers": 2}, stop_early=stop_early, max_turns=turns)
    solution = load_solution(game)
    assert isinstance(solution, ProvenSolution)
    assert solution.start_value == brute_force(game.new_initial_state(), {})
    assert solution.first_player_win_probability == (1 + solution.start_value) / 2


@pytest.mark.parametrize("seed", range(12))
def test_later_positions_are_worth_what_brute_force_finds(seed: int) -> None:
    state = later(random.Random(seed))
    known: dict[str, float] = {}
    prover = Prover(state.game, HINTS, slots=1 << 10)
    assert prover.value(record_of(state)) == brute_force(state, known)
    values = np.empty(state.game.num_distinct_actions)
    prover.action_values(record_of(state), values)
    sign = 1 if state.current_player() == 0 else -1
    for action in state.legal_actions():
        assert values[action] == sign * brute_force(after(state, action), known)
    assert np.isnan(np.delete(values, state.legal_actions())).all()


def test_what_is_proven_without_the_limit_on_turns_holds_with_it() -> None:
    rng = random.Random(0)
    proven = 0
    for _ in range(60):
        state = later(rng)
        d = state.to_dict()
        left = state.game.params["max_turns"] - d["turn"]
        longer = {**d, "params": {**d["params"], "max_turns": d["turn"] + 40}}
        prover = Prover(game_of(**longer["params"]), HINTS, slots=1 << 12)
        value = Prover(state.game, HINTS, slots=1 << 12).value(record_of(state))
        for player in (0, 1):
            record = prover.game.records_from_dict(longer)[0]
            answer = prover.settle(record, Claim(player, 1.0, left), nodes=200_000)
            narrow = prover.settle(record, Claim(player, 1.0, left, width=2), nodes=200_000)
            if answer.status == PROVEN:
                proven += 1
                assert value == (1.0 if player == 0 else -1.0)
            elif answer.status == REFUTED:
                assert narrow.status != PROVEN
    assert proven > 5


# What the search is told


def turned(d: dict[str, Any], turn: int, swapped: bool) -> dict[str, Any]:
    """A position turned, and with the players exchanged."""
    size = len(d["board"])
    to = SQUARE[size, turn, : size * size].astype(int)
    board = [""] * (size * size)
    for square, cell in enumerate("".join(d["board"])):
        board[to[square]] = {"0": "1", "1": "0"}.get(cell, cell) if swapped else cell

    def name(square: str | None) -> str | None:
        if square is None:
            return None
        return square_name(int(to[(int(square[1:]) - 1) * size + ord(square[0]) - ord("a")]), size)

    ships = [name(ship) for ship in d["ships"]]
    return {
        **d,
        "board": ["".join(board[row : row + size]) for row in range(0, size * size, size)],
        "ships": ships[::-1] if swapped else ships,
        "turn_player": 1 - d["turn_player"] if swapped else d["turn_player"],
        "last_marker": name(d["last_marker"]),
    }


def key_of(game: Game, d: dict[str, Any]) -> tuple[int, int]:
    key = np.zeros(2, np.uint64)
    position_key(game.records_from_dict(d)[0], key)
    return int(key[0]), int(key[1])


def test_a_position_and_its_images_have_one_key_and_others_have_another() -> None:
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


def test_no_turn_ends_or_wins_more_than_it_is_told_to() -> None:
    rng = random.Random(2)
    told = {"goes on": 0, "wins": 0}
    for _ in range(150):
        state = later(rng)
        d = state.to_dict()
        longer = game_of(**{**d["params"], "max_turns": 400})
        state = longer.state_from_dict({**d, "params": dict(longer.params)})
        record, player, turn = record_of(state), state.current_player(), d["turn"]
        on, most = bool(goes_on(record)), float(best_end(record))
        told["goes on"] += on
        told["wins"] += most < 1.0
        waiting, seen = [state], set()
        while waiting:
            for action in (now := waiting.pop()).legal_actions():
                then = after(now, action)
                d = then.to_dict()
                if then.is_terminal():
                    assert not on
                    assert then.returns()[player] <= most
                elif d["turn"] == turn:
                    if (position := json.dumps(d)) not in seen:
                        seen.add(position)
                        waiting.append(then)
                else:
                    counts = [sum(row.count(mark) for row in d["board"]) for mark in "01"]
                    lead = counts[player] - counts[1 - player]
                    assert float(np.sign(lead)) <= most
    assert min(told.values()) > 10


# Certificates


@functools.cache
def certificate_of(turns: int, land_markers: int) -> Certificate:
    solution = load_solution(game_of(**{**SMALL, "land_markers": land_markers}, max_turns=turns))
    assert isinstance(solution, ProvenSolution)
    return certify(solution.prover, solution.claims)


def slow_line(certificate: Certificate, which: int, rng: random.Random) -> float:
    """The return of the strategy's player in a game by the slow twin, the other drawing its actions."""
    strategy = certificate.strategies[which]
    twin = BeyondMaps(**certificate.game.params)
    while twin.current_player() not in (TERMINAL, CHANCE):
        actions = twin.legal_actions()
        if twin.current_player() == strategy.player:
            actions = [strategy.action(position_number(twin.to_dict()))]
        twin.apply(rng.choice(actions))
    return float(twin.rewards()[strategy.player])


@pytest.mark.parametrize(("turns", "land_markers"), [(2, 2), (3, 2), (4, 1)])
def test_certificates_hold_by_the_rules_and_by_their_slow_twin(turns: int, land_markers: int, tmp_path: Path) -> None:
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
def test_a_damaged_certificate_is_refused(damage: str, tmp_path: Path) -> None:
    path = tmp_path / "proof.npz"
    certificate_of(2, 2).save(path)
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 255
    path.write_bytes({"cut": bytes(content[:-20]), "flipped": bytes(content), "empty": b"", "other": b"moves"}[damage])
    with pytest.raises(ValueError, match="not a certificate, or it is damaged"):
        read_certificate(path)


# Pursuit


@pytest.fixture
def kept_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(pursuits, "cache_folder", lambda *names: tmp_path)
    return tmp_path


@pytest.mark.usefixtures("kept_in")
def test_a_pursuit_ends_with_the_value_and_goes_on_where_it_was_cut_short() -> None:
    game = game_of(**SMALL, max_turns=6)
    value = Prover(game, HINTS, slots=1 << 16).value(record_of(game.new_initial_state()))
    first = pursuit_of(game)
    assert not first.resume()
    first.go_on(0.0)
    first._try(next(first._open_claims()))
    first.save()
    second = pursuit_of(game)
    assert second.resume()
    assert second.to_dict() == first.to_dict()
    second.go_on(600.0)
    assert second.low == second.high == second.start_value == value
    assert certify(second.prover, second.claims).check() > 0
    assert second.seconds > first.seconds


def test_a_damaged_file_of_a_pursuit_is_left_alone(kept_in: Path) -> None:
    pursuit = pursuit_of(game_of(size=5))
    pursuit.go_on(0.0)
    (path,) = kept_in.glob("*.npz")
    path.write_bytes(path.read_bytes()[:-100])
    assert not pursuit_of(game_of(size=5)).resume()


def test_a_value_that_is_not_known_is_not_told() -> None:
    pursuit = pursuit_of(game_of(size=5))
    assert (pursuit.low, pursuit.high) == (-1.0, 1.0)
    with pytest.raises(ValueError, match="not known yet"):
        _ = pursuit.start_value


def test_a_search_that_may_look_at_few_positions_leaves_a_claim_open() -> None:
    game = game_of(size=5)
    answer = Prover(game, HINTS).settle(record_of(game.new_initial_state()), Claim(1, 1.0, 6), nodes=1000)
    assert answer.status == OPEN


# Perfect play


def test_what_is_solved_and_what_is_pursued() -> None:
    assert is_solved(game_of(size=5, max_turns=4))
    for params in ({"size": 5}, {"size": 6, "max_turns": 30}):
        assert not is_solved(game_of(**params))
        assert is_pursued(game_of(**params))
    for params in ({"size": 7, "max_turns": 2}, {"size": 5, "max_turns": 2, "dice": True}):
        assert not is_solved(game_of(**params))
        assert not is_pursued(game_of(**params))


def test_the_estimate_against_the_perfect_player_is_what_drawn_games_come_to() -> None:
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
