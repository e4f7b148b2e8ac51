"""Test matches between human players and agents."""

from __future__ import annotations

import importlib
import json
import threading
from typing import Any

import pytest

import edge_envs
from agents.players.agent import make_agent
from edge_envs import Game, IllegalActionError, record_of, replay
from edge_envs.core.spec import Array
from edge_envs.play.match import Match, RefusedError, StaleError, Turn
from edge_envs.players import Agent
from tests.agents.players import Stubborn
from tests.contract.cases import case_name, games

SOON = 20.0  # seconds; longer waits mean a failure


class WaitingAgent:
    """An agent that waits for an event and then chooses the first legal action."""

    name = "waiting"
    needs_states = False

    def __init__(self) -> None:
        self.started, self.released = threading.Event(), threading.Event()

    def act(self, observations: Array, action_masks: Array, states: Any, players: Array, rng: Any) -> Array:
        self.started.set()
        assert self.released.wait(SOON)
        return action_masks.argmax(axis=1)


@pytest.fixture
def falling_off() -> Game:
    return edge_envs.load_game("falling_off")


def new_match(game: Game, *names: str | None, seed: int = 3, together: bool = False) -> Match:
    agents = [None if name is None else make_agent(name, game) for name in names]
    return Match(game.new_initial_state(seed), agents, seed, together)


def run(match: Match) -> Turn:
    """Advance until a human player is to act, the match halts, or it is over."""
    while match.turn.is_automatic:
        match.advance()
    return match.turn


def seat_to_act(match: Match) -> int:
    return match.look(lambda state: state.current_player())


def first(match: Match) -> int:
    return match.look(lambda state: state.legal_actions()[0])


def history(match: Match) -> list[tuple[int, int]]:
    return match.look(lambda state: state.history())


def play_on(match: Match, decisions: int = 10_000) -> Turn:
    """Let human players choose the first action up to `decisions` times."""
    turn = run(match)
    for _ in range(decisions):
        if turn is not Turn.HUMAN:
            break
        match.play(seat_to_act(match), first(match), match.revision)
        turn = run(match)
    return turn


@pytest.mark.parametrize("game", games(), ids=case_name)
def test_every_game_is_played_to_its_end_between_a_human_and_agents(game: Game) -> None:
    match = new_match(game, None, *["heuristic"] * (game.num_players - 1))
    assert play_on(match) is Turn.OVER
    record = match.look(record_of)
    assert replay(record).returns() == match.look(lambda state: state.returns())
    assert match.advance() is Turn.OVER


def test_advance_makes_one_transition_and_returns_the_turn(falling_off: Game) -> None:
    match = new_match(falling_off, None, "random")
    turn = match.turn
    while turn is Turn.CHANCE:
        before, revision = history(match), match.revision
        turn = match.advance()
        assert len(history(match)) == len(before) + 1
        assert match.revision > revision
    assert turn.value == match.turn.value == Turn.HUMAN.value
    assert match.advance() is Turn.HUMAN


def test_a_human_decides_only_in_turn_and_only_for_the_current_revision(falling_off: Game) -> None:
    match = new_match(falling_off, None, "heuristic")
    run(match)
    revision, before = match.revision, history(match)
    for old in (revision - 1, revision + 1):
        with pytest.raises(StaleError, match=str(revision)):
            match.play(0, first(match), old)
    for seat in (1, -1, 7):
        with pytest.raises(RefusedError, match=f"it is not the turn of player {seat}"):
            match.play(seat, first(match), revision)
    for action in (-1, 10**9, True):
        with pytest.raises(IllegalActionError):
            match.play(0, action, revision)
    assert (match.revision, history(match)) == (revision, before)
    match.play(0, first(match), revision)
    assert match.revision == revision + 1


def test_nobody_decides_for_chance(falling_off: Game) -> None:
    match = new_match(falling_off, "random", None)  # seat -1 of a list would be the human player's
    with pytest.raises(RefusedError, match="it is not the turn of player -1"):
        match.play(-1, 0, match.revision)
    match.advance()
    assert not match.can_take_back(-1)
    with pytest.raises(RefusedError, match="player -1 has no decision to take back"):
        match.take_back(-1)
    assert len(history(match)) == 1


@pytest.mark.parametrize("seat", [-1, 2, "0", 1.0, True, None])
def test_seats_are_integers_from_zero(falling_off: Game, seat: Any) -> None:
    with pytest.raises(ValueError, match=r"invalid seat=.*: expected 0 to 1"):
        new_match(falling_off, "random", None).change(seat, None)


def test_human_players_cannot_act_for_an_agent(falling_off: Game) -> None:
    match = new_match(falling_off, "heuristic", "heuristic")
    while match.turn is Turn.CHANCE:
        match.advance()
    with pytest.raises(RefusedError):
        match.play(0, first(match), match.revision)


def test_a_match_may_be_used_while_an_agent_thinks_and_a_late_choice_is_dropped(falling_off: Game) -> None:
    waiting = WaitingAgent()
    agents: list[Agent | None] = [None, waiting]
    match = Match(falling_off.new_initial_state(3), agents, seed=3)
    turn = match.turn
    while turn is not Turn.AGENT:
        match.play(0, first(match), match.revision) if turn is Turn.HUMAN else match.advance()
        turn = match.turn
    thread = threading.Thread(target=match.advance)
    thread.start()
    assert waiting.started.wait(SOON)
    number = match.take_back(0)
    after = history(match)
    assert len(after) == number
    waiting.released.set()
    thread.join(SOON)
    assert history(match) == after
    assert match.turn is Turn.HUMAN


@pytest.mark.parametrize("other", ["heuristic", "random", "flat_monte_carlo"])
def test_repeating_a_decision_after_taking_it_back_has_the_same_outcomes(falling_off: Game, other: str) -> None:
    match = new_match(falling_off, None, other)
    assert play_on(match, 4) is Turn.HUMAN
    before = history(match)
    number = match.take_back(0)
    assert history(match) == before[:number]
    assert seat_to_act(match) == 0
    assert play_on(match, 1) is Turn.HUMAN
    assert history(match) == before


def test_all_decisions_of_a_match_can_be_taken_back_but_none_from_before(falling_off: Game) -> None:
    state = new_match(falling_off, None, "heuristic")
    play_on(state, 2)
    copied, _ = state.copy()
    match = Match(copied, [None, make_agent("heuristic", falling_off)], seed=1)
    begun, revisions = len(history(match)), set()
    play_on(match, 3)
    for _ in range(3):
        assert match.can_take_back(0)
        match.take_back(0)
        revisions.add(match.revision)
    assert len(history(match)) == begun
    assert len(revisions) == 3
    assert not match.can_take_back(0)
    with pytest.raises(RefusedError, match="no decision to take back"):
        match.take_back(0)


def test_with_hidden_information_decisions_are_taken_back_only_against_agents() -> None:
    game = edge_envs.load_game("kuhn")
    for names, together, possible in (
        ((None, "random"), False, True),
        ((None, None), True, True),
        ((None, None), False, False),
    ):
        match = new_match(game, *names, together=together)
        run(match)
        match.play(0, 0, match.revision)
        assert match.can_take_back(0) == possible
        if possible:
            match.take_back(0)
        else:
            with pytest.raises(RefusedError, match="hide something"):
                match.take_back(0)


def test_players_of_seats_can_change_at_any_time(falling_off: Game) -> None:
    match = new_match(falling_off, None, "heuristic")
    run(match)
    revision = match.revision
    match.change(0, make_agent("heuristic", falling_off))
    assert match.revision > revision
    assert run(match) is Turn.OVER
    with pytest.raises(ValueError, match="invalid seat=2: expected 0 to 1"):
        match.change(2, None)
    with pytest.raises(ValueError, match="3 seats were given"):
        Match(falling_off.new_initial_state(0), [None] * 3)


def test_humans_cannot_take_over_seats_with_hidden_information() -> None:
    game = edge_envs.load_game("kuhn", num_players=3)
    match = new_match(game, None, None, "random")
    with pytest.raises(RefusedError, match="cannot take over"):
        match.change(2, None)
    assert match.human_seats() == [0, 1]
    match.change(1, make_agent("random", game))
    with pytest.raises(RefusedError, match="cannot take over"):
        match.change(1, None)  # may be the other human player, who must not see this seat
    match.change(2, None)
    assert match.human_seats() == [0, 2]


def test_an_agent_that_fails_halts_the_match_until_it_is_changed(falling_off: Game) -> None:
    match = Match(falling_off.new_initial_state(3), [Stubborn(-5), Stubborn(-5)], seed=0)
    assert run(match) is Turn.HALTED
    assert match.error.startswith("stubborn has failed: agent stubborn chose -5")
    assert match.advance() is Turn.HALTED
    match.retry()
    assert match.turn is Turn.AGENT
    assert run(match) is Turn.HALTED
    for seat in (0, 1):
        match.change(seat, make_agent("heuristic", falling_off))
    assert match.error == ""
    assert run(match) is Turn.OVER


def test_the_error_of_an_agent_does_not_reveal_hidden_information() -> None:
    game = edge_envs.load_game("kuhn")
    match = Match(game.new_initial_state(3), [Stubborn(-5), None], seed=0)
    assert run(match) is Turn.HALTED
    assert match.error == "stubborn has failed"


def test_the_same_seeds_give_the_same_game(falling_off: Game) -> None:
    once, again, other = (new_match(falling_off, "random", "random", seed=seed) for seed in (1, 1, 2))
    assert {run(one) for one in (once, again, other)} == {Turn.OVER}
    assert history(once) == history(again) != history(other)


def test_many_threads_make_every_transition_once(falling_off: Game) -> None:
    match = new_match(falling_off, "heuristic", "heuristic")
    threads = [threading.Thread(target=run, args=(match,)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(SOON)
    alone = new_match(falling_off, "heuristic", "heuristic")
    run(alone)
    assert history(match) == history(alone)
    assert match.look(record_of) == alone.look(record_of)


def test_old_names_warn() -> None:
    with pytest.warns(DeprecationWarning, match="edge_envs.play.sitting is now edge_envs.play.match"):
        old = importlib.import_module("edge_envs.play.sitting")
    with pytest.warns(DeprecationWarning, match="Sitting is now Match"):
        assert old.Sitting is Match
    with pytest.warns(DeprecationWarning, match=r"Turn\.goes_on is now Turn\.is_automatic"):
        assert Turn.AGENT.goes_on


@pytest.mark.parametrize(
    ("old", "new"),
    [("one_plays_all", "one_human_plays_all"), ("is_between_persons", "needs_curtain"), ("persons", "human_seats")],
)
def test_old_names_of_a_match_warn(old: str, new: str, falling_off: Game) -> None:
    match = new_match(falling_off, None, None)
    with pytest.warns(DeprecationWarning, match=rf"Match\.{old} is now Match\.{new}"):
        value = getattr(match, old)() if old == "persons" else getattr(match, old)
    expected = getattr(match, new)
    assert value == (expected() if old == "persons" else expected)


def test_a_stopped_agent_does_not_act_and_another_one_can_take_over_at_once(falling_off: Game) -> None:
    waiting = WaitingAgent()
    match = Match(falling_off.new_initial_state(3), [None, waiting], seed=3)
    turn = match.turn
    while turn is not Turn.AGENT:
        match.play(0, first(match), match.revision) if turn is Turn.HUMAN else match.advance()
        turn = match.turn
    thread = threading.Thread(target=match.advance)
    thread.start()
    assert waiting.started.wait(SOON)
    before = history(match)
    match.stop("stopped after 3 s")
    assert (match.turn, match.error) == (Turn.HALTED, "stopped after 3 s")
    match.change(1, make_agent("heuristic", falling_off))
    assert match.turn is Turn.AGENT
    match.advance()  # although the first agent is still thinking
    after = history(match)
    assert len(after) == len(before) + 1
    waiting.released.set()
    thread.join(SOON)
    assert history(match) == after


@pytest.mark.parametrize("decisions", [0, 3])
def test_a_saved_match_continues_with_the_same_outcomes(falling_off: Game, decisions: int) -> None:
    match = new_match(falling_off, None, "flat_monte_carlo")
    play_on(match, decisions)
    saved = json.loads(json.dumps(match.to_dict()))
    again = Match.from_dict(saved, lambda game: [None, make_agent("flat_monte_carlo", game)])
    assert (history(again), again.revision, again.human_seats()) == (history(match), match.revision, [0])
    for one in (match, again):
        play_on(one, 3)
    assert history(again) == history(match)
    if decisions:
        again.take_back(0)
        match.take_back(0)
        assert history(again) == history(match)


@pytest.mark.parametrize("seed", [-1, 2**64, "1", None])
def test_a_saved_match_with_an_invalid_seed_is_rejected(falling_off: Game, seed: Any) -> None:
    saved = Match(falling_off.new_initial_state(seed=1), [None, None], seed=3).to_dict()
    with pytest.raises(ValueError, match="seed"):
        Match.from_dict({**saved, "seed": seed}, lambda game: [None, None])
