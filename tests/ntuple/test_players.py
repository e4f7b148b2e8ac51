"""Learning, turns and replies with three and four players, against the slow reference."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from edge_envs import Game, State, load_game
from edge_envs.core.kernels.rng import below, draw_at
from edge_envs.ntuple import reply_search, self_play
from edge_envs.ntuple.agent import SCORE_WEIGHT, TurnsAgent
from edge_envs.ntuple.network import TupleSpec, network_of
from edge_envs.ntuple.self_play import SelfPlay
from edge_envs.ntuple.turn_search import MAX_LEAVES
from tests.contract.play import playthrough
from tests.ntuple.reference import Cells, SlowNetwork, SlowSelfPlay, SlowValues
from tests.ntuple.test_turn_search import network_with_weights, share, values_of
from tests.toy import kuhn
from tests.toy.kuhn.state import BET

KUHN = Game(kuhn.GAME, {"num_players": 3})
DEALT_LAST = Game(kuhn.GAME, {"num_players": 3, "deal": "last"})
"""The cards are dealt after the betting, so a chance event ends the game."""
PAWNS_3 = load_game("falling_off", num_players=3, pawns=2, dice=2, spaces=6)
PAWNS_4 = load_game("falling_off", num_players=4, pawns=1, dice=2, spaces=6, play_on=True)
"""Players who are out have no further turns."""
FEW_PAWNS = load_game("falling_off", num_players=3, pawns=1, dice=1, spaces=2)
SHIPS_3 = load_game("over_the_edge", num_players=3, map="pond", max_turns=10)
SHIPS_4 = load_game("over_the_edge", num_players=4, map="pond", max_turns=10)
NO_BAD_CARDS = dict.fromkeys(("mutiny", "scurvy", "stormy_seas", "severe_damage", "dead_calm", "loyal_crew"), 0)
RACE: dict[str, Any] = {
    "num_players": 4,
    "map": "random:0:sectors=6:ports=3:land=0:large=0:barriers=0",
    "boarding": False,
    "cards": NO_BAD_CARDS | {"fair_weather": 40, "scurvy": 6},
}
"""A short race, with few continuations of a turn and few chance outcomes."""
SHIPS_IN_A_RACE = load_game("over_the_edge", **RACE)
FEW_SHIPS = load_game("over_the_edge", **RACE, max_turns=9)
WIDE: dict[str, Any] = {"beam": 1000, "depth": 16}
"""A search that leaves nothing out."""


def name_of(game: Game) -> str:
    """Return the name of a case."""
    return f"{game.name} {game.num_players}" + (" dealt last" if game is DEALT_LAST else "")


def each_cell(game: Game) -> list[TupleSpec]:
    """Return a tuple for each field of at most four cells, with the cell that tells whose turn it is.

    Without this cell, a field that all viewers see alike would change all scores alike, and no share of the win.
    """
    layout = game.type.cell_layout(game.params)
    assert layout is not None
    turn = next(field.name for field in layout.fields if field.name.startswith("turn"))
    names = [field.name for field in layout.fields if field.count <= 4 and field.name != turn]
    return [TupleSpec(cells=(name, turn)) for name in names]


def compare_learning(
    game: Game, *, games: int = 3, moves: float = 0.0, against: str = "", lead: Any = None, **options: Any
) -> set[int]:
    """Learn from games, each with new random weights, and compare the weights with those of the reference.

    Args:
        game: The game.
        games: The number of games.
        moves: The fraction of random decisions.
        against: "earlier" or "heuristic" if one seat learns against earlier weights or the heuristic.
        lead: `SlowSelfPlay.lead_score`.
        options: Other options of `SelfPlay.learn` and `SlowSelfPlay`.

    Returns:
        The seats that learned alone.
    """
    specs, layout = each_cell(game), game.type.cell_layout(game.params)
    assert layout is not None
    network, word = network_of(game, specs), np.zeros(1, np.uint64)
    play, rng, learners = SelfPlay(game, network, word, 1000), np.random.default_rng(4), set()
    scale = 2.0 / np.sqrt(len(specs))  # scores that neither tie nor decide every game
    most = 0.0
    for _ in range(games):
        start, other = (rng.normal(0.0, scale, int(network.size[0])).astype(np.float32) for _ in range(2))
        fast, same_word = start.copy(), word.copy()
        opponents: dict[str, Any] = {"earlier": other} if against == "earlier" else {"heuristic": bool(against)}
        play.learn(fast, 1, random_moves=moves, random_turns=0, **opponents, **WIDE, **options)

        state = game.new_initial_state()
        state._records["rng"] = draw_at(same_word, 0)
        draw_at(same_word, 0)  # the number of random turns
        slow, others = (SlowValues(game, SlowNetwork(layout, specs), w) for w in (start.copy(), other))
        one = SlowSelfPlay(slow, lead_score=lead, random_moves=moves, word=same_word, **options)
        if against:
            one.learner = int(below(np.uint64(draw_at(same_word, 0)), game.num_players))
            one.earlier, one.heuristic = others, against == "heuristic"
            learners.add(one.learner)
        one.play(state)
        assert word == same_word
        np.testing.assert_allclose(fast, slow.weights, atol=1e-5)
        most = max(most, float(np.abs(start - fast).max()))
    assert most > 1e-3
    return learners


@pytest.mark.parametrize("trace", [0.0, 0.7, 1.0])
@pytest.mark.parametrize("game", [KUHN, DEALT_LAST], ids=name_of)
def test_games_of_three_change_weights_by_td_lambda(game: Game, trace: float) -> None:
    compare_learning(game, step_size=0.8, trace=trace)


@pytest.mark.parametrize("game", [KUHN, DEALT_LAST], ids=name_of)
def test_the_trace_of_games_of_three_ends_at_random_decisions(game: Game) -> None:
    compare_learning(game, games=12, moves=0.4, step_size=0.8, trace=0.9)


@pytest.mark.parametrize("against", ["earlier", "heuristic"])
def test_one_of_three_seats_learns_in_games_against(against: str) -> None:
    learners = compare_learning(KUHN, games=12, against=against, moves=0.2, step_size=0.8, trace=0.9)
    assert learners == {0, 1, 2}


@pytest.mark.parametrize("game", [KUHN, DEALT_LAST], ids=name_of)
def test_turns_of_games_of_three_are_compared_by_replies(game: Game) -> None:
    compare_learning(game, replies=MAX_LEAVES, step_size=0.8, trace=0.7)


@pytest.mark.parametrize("recompute", [False, True])
def test_discounted_values_of_three_players_move_towards_those_of_the_leads(
    monkeypatch: pytest.MonkeyPatch, recompute: bool
) -> None:
    monkeypatch.setattr(self_play, "LEAD", "turn")
    layout = KUHN.type.cell_layout(KUHN.params)
    assert layout is not None
    cell, middle = layout.start("turn"), layout.field("turn").values // 2

    def lead(cells: Cells) -> float:
        return SCORE_WEIGHT * (cells[cell] - middle)

    compare_learning(KUHN, lead=lead, recompute=recompute, discount=0.8, step_size=0.8, trace=0.7)


@pytest.mark.parametrize("game", [PAWNS_3, PAWNS_4, SHIPS_3, SHIPS_4], ids=name_of)
def test_real_games_of_three_and_four_change_weights_by_td_lambda(game: Game) -> None:
    compare_learning(game, games=2, step_size=0.3, trace=0.9)
    compare_learning(game, games=3, moves=0.3, against="earlier", step_size=0.3, trace=0.9)


@pytest.mark.parametrize("game", [FEW_PAWNS, FEW_SHIPS], ids=name_of)
def test_turns_of_real_games_of_three_and_four_are_compared_by_replies(game: Game) -> None:
    compare_learning(game, games=1, replies=MAX_LEAVES, step_size=0.3, trace=0.9)


def some_decisions(game: Game, count: int) -> Iterator[State]:
    """Yield decisions, evenly spread over some random games."""
    found = [state.clone() for seed in range(3) for state in playthrough(game, seed) if state.current_player() >= 0]
    yield from found[:: -(-len(found) // count)]


@pytest.mark.parametrize("game", [KUHN, DEALT_LAST, PAWNS_3, PAWNS_4, SHIPS_3, SHIPS_4], ids=name_of)
def test_actions_are_worth_the_best_turn_they_start(game: Game) -> None:
    network, weights, slow = network_with_weights(game, each_cell(game))
    agent = TurnsAgent(game, network, weights, **WIDE)
    for state in some_decisions(game, 10):
        player, found = state.current_player(), values_of(agent, state)
        best: dict[int, float] = {}
        for path, end in slow.turns(state):
            best[path[0]] = max(best.get(path[0], 0.0), slow.shares(end, player)[player])
        assert np.flatnonzero(~np.isnan(found)).tolist() == sorted(best)
        for action, value in best.items():
            assert share(game, found[action]) == pytest.approx(value, abs=1e-5)


@pytest.mark.parametrize("answers", [0, 2])
@pytest.mark.parametrize("game", [KUHN, DEALT_LAST, FEW_PAWNS, FEW_SHIPS], ids=name_of)
def test_turns_are_worth_what_the_best_replies_leave(game: Game, answers: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reply_search, "ANSWER_BEAM", WIDE["beam"])
    network, weights, slow = network_with_weights(game, each_cell(game))
    agent = TurnsAgent(game, network, weights, replies=MAX_LEAVES, answers=answers, **WIDE)
    for state in some_decisions(game, 3 if answers else 6):
        player, found = state.current_player(), values_of(agent, state)
        best: dict[int, float] = {}
        for path, end in slow.turns(state):
            best[path[0]] = max(best.get(path[0], 0.0), slow.after_reply(end, player, answers)[player])
        for action, value in best.items():
            assert share(game, found[action]) == pytest.approx(value, abs=1e-5)


def kuhn_with_highest_card() -> State:
    """Return a game of Kuhn poker in which player 0 has bet with the highest card, and player 1 has the lowest."""
    state = KUHN.new_initial_state()
    for action in (3, 0, 1, BET):
        state.apply_action(action)
    return state


def pawn_on_the_start() -> State:
    """Return a game in which the pawn of player 0 is on the start, and those of the others are near the edge."""
    return PAWNS_4.state_from_dict(PAWNS_4.new_initial_state().to_dict() | {"pawns": [[0], [8], [9], [9]]})


def ship_before_its_home() -> State:
    """Return a game in which the ship of player 0 needs one step to win, and the others have just left home."""
    state = SHIPS_IN_A_RACE.new_initial_state(seed=0)
    while state.to_dict()["phase"] != "draw":
        state.apply_action(state.sample_chance() if state.is_chance_node() else state.legal_actions()[0])
    ships = [{"space": "B2", "home": "A2", "winding": winding, "skip": 0} for winding in (6, 0, 0, 0)]
    hands = [{"fair_weather": 2}] * 4
    cards = {"deck": {"fair_weather": 32, "favorable_winds": 8, "scurvy": 6}, "discards": {}}
    return SHIPS_IN_A_RACE.state_from_dict(state.to_dict() | {"ships": ships, "hands": hands, **cards})


@pytest.mark.parametrize(
    ("position", "cells"),
    [
        (kuhn_with_highest_card, [("cards",), ("chips", "folded", "bettor")]),
        (pawn_on_the_start, [("set_0", "fallen"), ("turns_owed", "turn_player")]),
        (ship_before_its_home, [("steps_0", "turn_0"), ("drifts_0", "turn_0")]),
    ],
    ids=["kuhn", "falling_off", "over_the_edge"],
)
def test_some_games_of_self_play_teach_who_is_ahead(
    position: Callable[[], State], cells: list[tuple[str, ...]]
) -> None:
    state, specs = position(), [TupleSpec(cells=one) for one in cells]
    game = state.game
    network, layout = network_of(game, specs), game.type.cell_layout(game.params)
    assert layout is not None
    weights = np.zeros(int(network.size[0]), np.float32)
    play = SelfPlay(game, network, np.array([7], np.uint64), 1000)
    for _ in range(3):
        play.learn(weights, 100, step_size=0.5, trace=0.8, random_moves=0.1, random_turns=1, beam=100, depth=4)
    assert np.isfinite(weights).all()
    ahead, *others = SlowValues(game, SlowNetwork(layout, specs), weights).shares(state, 0)
    assert ahead > 1.5 * max(others)
