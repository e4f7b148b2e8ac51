"""Test action values by judges, and the adviser."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import edge_envs
from agents.players.agent import make_agent
from edge_envs import Game, State
from edge_envs.core.spec import Array
from edge_envs.play.appraisal import (
    MOST_PLAYOUTS,
    Adviser,
    BuiltInJudge,
    ExactJudge,
    Judge,
    PlayoutJudge,
    PreferenceJudge,
    Valuing,
    judge_by,
    judge_for,
    values_actions,
)
from edge_envs.players import built_in_agent
from tests.agents.players import decisions, untrained
from tests.contract.cases import case_name, games


@pytest.fixture
def falling_off() -> Game:
    return edge_envs.load_game("falling_off")


def legal(state: State) -> Array:
    return state.legal_action_mask() == 1


@pytest.mark.parametrize("game", games(), ids=case_name)
def test_playouts_and_policies_value_exactly_the_legal_actions(game: Game) -> None:
    preference = PreferenceJudge(untrained(game))
    for state in decisions(game, games=1)[:6]:
        for judge in (PlayoutJudge(game, playouts=len(state.legal_actions())), preference):
            assert (np.isfinite(judge.values(state)) == legal(state)).all()


def test_playouts_find_immediate_wins_and_losses() -> None:
    game = edge_envs.load_game("kuhn")
    best = game.state_from_dict({**position(game), "cards": [1, 3], "betting": ["bet"]})
    values = PlayoutJudge(game, playouts=100).values(best)
    texts = {best.action_to_string(action): values[action] for action in best.legal_actions()}
    assert texts == {"fold": -1.0, "call": 2.0}


def position(game: Game) -> dict[str, Any]:
    return {"game": game.name, "params": game.params_dict()}


def test_playouts_do_not_use_hidden_information() -> None:
    game = edge_envs.load_game("kuhn")
    worth = []
    for other in (1, 3):
        state = game.state_from_dict({**position(game), "cards": [2, other], "betting": []})
        worth.append(PlayoutJudge(game, playouts=4000).values(state))
    assert worth[0] == pytest.approx(worth[1], abs=0.15)
    assert abs(worth[0]).max() < 1.0


def test_playouts_are_spread_evenly_and_deterministic_by_seed(falling_off: Game) -> None:
    state = next(state for state in decisions(falling_off, games=1) if len(state.legal_actions()) > 2)
    few = PlayoutJudge(falling_off, playouts=2).values(state)
    assert np.isfinite(few).nonzero()[0].tolist() == state.legal_actions()[:2]
    once, again, other = (PlayoutJudge(falling_off, 300, seed).values(state) for seed in (1, 1, 2))
    assert np.array_equal(once, again, equal_nan=True)
    assert not np.array_equal(once, other, equal_nan=True)


def test_more_playouts_approach_the_exact_values(falling_off: Game) -> None:
    wide = [state for state in decisions(falling_off, games=3) if len(state.legal_actions()) > 2][::5]
    assert len(wide) > 3
    better = 0
    for state in wide:
        truth = ExactJudge(falling_off).values(state)
        chosen = int(np.nanargmax(PlayoutJudge(falling_off, 2000).values(state)))
        better += truth[chosen] >= np.nanmean(truth)
    assert better > 0.7 * len(wide)


@pytest.mark.parametrize("playouts", [0, -1, MOST_PLAYOUTS + 1])
def test_playouts_are_bounded(falling_off: Game, playouts: int) -> None:
    with pytest.raises(ValueError, match=f"expected 1 to {MOST_PLAYOUTS}"):
        PlayoutJudge(falling_off, playouts)


def test_preferences_are_probabilities_with_the_maximum_at_the_chosen_action(falling_off: Game) -> None:
    agent = untrained(falling_off)
    for state in decisions(falling_off, games=1)[:10]:
        values = PreferenceJudge(agent).values(state)
        assert np.nansum(values) == pytest.approx(1.0)
        observation, mask = state.observation_tensor(state.current_player())[None], state.legal_action_mask()[None]
        (chosen,) = agent.act(observation, mask, None, np.array([0]), np.random.default_rng(0))
        assert np.nanargmax(values) == chosen


@pytest.mark.parametrize("game", games(), ids=case_name)
def test_judges_do_not_receive_the_state_itself(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    judges: list[Judge] = [PlayoutJudge(game, 10), PreferenceJudge(untrained(game))]
    if game.type.values is not None:
        judges.append(BuiltInJudge(game))
    state = decisions(game, games=1)[0]
    shown = []

    def records_shown(state: State, rng: np.random.Generator) -> Any:
        shown.append(state)
        return show(state, rng)

    show = edge_envs.players.records_shown
    monkeypatch.setattr("edge_envs.play.appraisal.records_shown", records_shown)
    for judge in judges:
        judge.values(state)
    assert shown == [state] * len(judges)


@pytest.mark.parametrize(
    ("params", "judge"),
    [
        ({"size": 5}, BuiltInJudge),
        ({"size": 5, "max_turns": 4}, BuiltInJudge),
        ({"size": 5, "max_turns": 3}, ExactJudge),
        ({"size": 6, "max_turns": 2}, ExactJudge),
        ({"size": 6}, BuiltInJudge),
    ],
)
def test_perfect_play_is_the_best_judge_only_if_it_is_instant(params: dict[str, Any], judge: type) -> None:
    assert judge_for(edge_envs.load_game("beyond_maps", **params)) is judge


def test_perfect_play_judges_by_name() -> None:
    game = edge_envs.load_game("beyond_maps", size=5, max_turns=4, land_markers=1, sea_range=1)
    judge, state = judge_by(built_in_agent("perfect", game)), game.new_initial_state()
    assert isinstance(judge, ExactJudge)
    assert (np.isfinite(judge.values(state)) == legal(state)).all()
    assert Adviser(judge).hint(state).startswith("Perfect play would choose ")


def test_a_verdict_is_not_kept_and_an_adviser_continues_from_earlier_losses(falling_off: Game) -> None:
    state = decisions(falling_off, games=1)[0]
    adviser = Adviser(ExactJudge(falling_off), losses=[0.25])
    text, loss = adviser.verdict(state, state.legal_actions()[-1])
    assert adviser.decisions == 1
    assert adviser.judge(state, state.legal_actions()[-1]) == text
    assert adviser.decisions == 2
    assert adviser.given_away == pytest.approx(0.25 + loss)


@pytest.mark.parametrize(("folder", "expected"), [("values", True), ("ppo", False)])
def test_names_of_policies_tell_whether_they_value_actions(falling_off: Game, folder: str, expected: bool) -> None:
    name = f"policies/falling_off/{folder}"
    assert values_actions(name) is isinstance(make_agent(name, falling_off), Valuing) is expected
    search = f"search:2:{name}"
    assert values_actions(search) is isinstance(make_agent(search, falling_off), Valuing) is True


@pytest.mark.parametrize("name", ["falling_off", "beyond_maps_8x8"])
def test_trained_policies_of_the_package_judge_games(name: str) -> None:
    game = edge_envs.load_game(name)
    judge = judge_by(built_in_agent("trained", game))
    state = decisions(game, games=1)[0]
    values = judge.values(state)
    assert values_actions("trained")
    assert np.isnan(values[~legal(state)]).all()
    assert np.isfinite(values[legal(state)]).any()


@pytest.mark.parametrize("name", ["random", "heuristic", "policies/unknown", ""])
def test_other_names_do_not_value_actions(name: str) -> None:
    assert not values_actions(name)
