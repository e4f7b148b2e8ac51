"""Test matches: seats, common random numbers, forfeits; and intervals of rates."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import edge_envs
from agents.evaluation import matches, report
from agents.evaluation.matches import MatchResult, mean_interval, play_match, wilson
from agents.evaluation.regret import RegretMeter
from agents.evaluation.report import rates
from agents.players.agent import make_agent
from edge_envs import Game, IllegalActionError
from edge_envs.core.loops.seat_codes import STAY
from edge_envs.core.spec import Array
from edge_envs.envs.seat_lanes import SeatLanes
from edge_envs.players import Agent
from tests.agents.players import Stubborn


class Recording:
    """An agent that records its queries: observations and players."""

    def __init__(self, agent: Agent) -> None:
        self.agent = agent
        self.name, self.remembers = "recording", False
        self.needs_states = agent.needs_states
        self.queries: list[tuple[Array, Array]] = []

    def act(
        self, observations: Array, action_masks: Array, states: Any, players: Array, rng: np.random.Generator
    ) -> Array:
        self.queries.append((observations.copy(), players.copy()))
        return self.agent.act(observations, action_masks, states, players, rng)


def returns(result: MatchResult) -> list[list[float]]:
    return [seat.returns for seat in result.seats]


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [
        (0, 10, 0.0, 0.2775),
        (8, 10, 0.4902, 0.9433),
        (10, 20, 0.2993, 0.7007),
        (10, 10, 0.7225, 1.0),
        (81, 263, 0.2553, 0.3662),
    ],
)
def test_wilson_intervals_have_known_values(successes: int, trials: int, low: float, high: float) -> None:
    assert wilson(successes, trials) == pytest.approx((low, high), abs=5e-5)


def test_lower_confidence_gives_a_narrower_interval() -> None:
    low, high = wilson(30, 100)
    narrow = wilson(30, 100, confidence=0.5)
    assert low < narrow[0] < 0.3 < narrow[1] < high


def test_rates_count_wins_draws_and_losses() -> None:
    row = rates(np.array([1.0, 0.5, 0.0, -1.0, -1.0]))
    assert [row[key] for key in ("games", "wins", "draws", "losses")] == [5, 2, 1, 2]
    assert (row["win_rate"], row["mean_return"]) == (0.4, pytest.approx(-0.1))
    assert (row["low"], row["high"]) == wilson(2, 5)
    nothing = rates(np.array([]))
    assert (nothing["games"], nothing["mean_return"], nothing["return_half_width"]) == (0, 0.0, 2.0)


def test_identical_results_still_have_an_interval() -> None:
    row = rates(np.ones(22))
    assert (row["mean_return"], row["return_half_width"]) == (1.0, pytest.approx(0.358, abs=1e-3))
    shared = rates(np.full(22, 1 / 3), -1.0, 1 / 3)
    assert shared["return_half_width"] == pytest.approx(row["return_half_width"] * 2 / 3)


@pytest.mark.parametrize("games", [1, 2, 22, 400])
def test_interval_contains_the_sample_mean(games: int) -> None:
    rng = np.random.default_rng(games)
    for share in (0.0, 0.01, 0.3, 0.5, 1.0):
        values = np.where(rng.random(games) < share, -1.0, 0.5)
        low, high = mean_interval(values, -1.0, 0.5)
        assert -1.0 <= low <= values.mean() <= high <= 0.5
        row = rates(values, -1.0, 0.5)
        assert row["mean_return"] - row["return_half_width"] <= low + 1e-12
        assert row["mean_return"] + row["return_half_width"] >= high - 1e-12


@pytest.mark.parametrize("games", [22, 54, 200, 2000])
def test_intervals_of_mean_returns_cover_the_true_mean(games: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Even if losses and draws are rare, at least 93 % of the intervals cover the mean, and few start above it."""
    monkeypatch.setattr(report, "wilson", lambda *arguments: (0.0, 1.0))  # takes the most time
    rng, made = np.random.default_rng(games), 2000
    for losses, draws in itertools.product((0.001, 0.005, 0.015, 0.05, 0.16, 0.3, 0.5), (0.0, 0.6)):
        shares = [losses, (1 - losses) * draws, (1 - losses) * (1 - draws)]
        truth, within, above = shares[2] - shares[0], 0, 0
        for counts, times in zip(
            *np.unique(rng.multinomial(games, shares, made), axis=0, return_counts=True), strict=True
        ):
            row = rates(np.repeat([-1.0, 0.0, 1.0], counts))
            low, high = (row["mean_return"] + side * row["return_half_width"] for side in (-1, 1))
            within += times * (low <= truth <= high)
            above += times * (low > truth)
        assert within >= 0.93 * made, (losses, draws)
        assert above <= 0.04 * made, (losses, draws)


@pytest.mark.parametrize(("players", "games", "shares"), [(2, 21, [11, 10]), (3, 20, [7, 7, 6]), (3, 2, [1, 1, 0])])
def test_agent_plays_in_each_seat(players: int, games: int, shares: list[int]) -> None:
    game = edge_envs.load_game("falling_off", num_players=players)
    agent, opponent = Recording(make_agent("heuristic", game)), Recording(make_agent("random", game))
    result = play_match(game, agent, opponent, games)
    assert [len(seat.returns) for seat in result.seats] == shares
    seats = [int(players[0]) for _, players in agent.queries]
    assert all((players == players[0]).all() for _, players in agent.queries)
    assert set(seats[: seats.index(1)]) == {0}
    assert set(np.concatenate([players for _, players in opponent.queries])) == set(range(players))
    assert result.decisions > games


@pytest.mark.parametrize("names", [("random", "random"), ("heuristic", "perfect"), ("perfect", "heuristic")])
def test_match_is_reproducible(falling_off: Game, names: tuple[str, str]) -> None:
    results = []
    for seed in (0, 0, 500):
        agent, opponent = (make_agent(name, falling_off) for name in names)
        results.append(play_match(falling_off, agent, opponent, 60, seed))
    assert returns(results[0]) == returns(results[1])
    assert results[0].decisions == results[1].decisions
    assert returns(results[0]) != returns(results[2])


@pytest.mark.parametrize("is_opponent", [False, True])
def test_an_agent_that_remembers_gets_one_game_after_another(falling_off: Game, is_opponent: bool) -> None:
    names, results, most = ("heuristic", "perfect"), [], []
    for remembers in (False, True):
        agents = [Recording(make_agent(name, falling_off)) for name in names]
        agents[is_opponent].remembers = remembers
        results.append(returns(play_match(falling_off, agents[0], agents[1], 20)))
        most.append(max(len(players) for _, players in agents[is_opponent].queries))
    assert results[0] == results[1]
    assert most[0] > 1
    assert most[1] == 1


def test_dice_of_a_game_do_not_depend_on_the_agents(falling_off: Game) -> None:
    first_views = []
    for name in ("random", "heuristic", "perfect"):
        agent = Recording(make_agent(name, falling_off))
        play_match(falling_off, agent, make_agent("random", falling_off), 40)
        first_views.append(next(view for view, _ in agent.queries if len(view) == 20))
    assert all(np.array_equal(view, first_views[0]) for view in first_views)


def test_games_do_not_depend_on_the_number_of_lanes(falling_off: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    agent = make_agent("heuristic", falling_off)
    at_once = returns(play_match(falling_off, agent, agent, 40))
    assert returns(play_match(falling_off, agent, agent, 20)) == [seat[:10] for seat in at_once]
    monkeypatch.setattr(matches, "LANES", 7)
    assert returns(play_match(falling_off, agent, agent, 40)) == at_once


@pytest.mark.parametrize("name", ["heuristic", "perfect"])
def test_an_agent_against_itself_wins_exactly_half(falling_off: Game, name: str) -> None:
    result = play_match(falling_off, make_agent(name, falling_off), make_agent(name, falling_off), 200)
    first, second = returns(result)
    assert first == [-value for value in second]
    assert (result.returns > 0).mean() == 0.5


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("action", [-1, 0, 10_000])
def test_an_illegal_action_forfeits_the_game_and_is_counted(players: int, action: int) -> None:
    game = edge_envs.load_game("falling_off", num_players=players)
    result = play_match(game, Stubborn(action), make_agent("random", game), 30)
    assert result.illegal == 30
    assert set(result.returns) == {game.min_utility}


def test_agent_must_return_an_action_per_lane(falling_off: Game) -> None:
    class Silent(Stubborn):
        def act(self, *arguments: Any, **options: Any) -> Array:
            return np.zeros(0, np.int64)

    with pytest.raises(IllegalActionError, match="actions of agent stubborn must be 1 integer, one per lane"):
        play_match(falling_off, Silent(0), make_agent("random", falling_off), 10)


def test_opponent_with_a_built_in_name_is_queried_itself(falling_off: Game) -> None:
    opponent = Stubborn(-1)
    opponent.name = "random"
    with pytest.raises(IllegalActionError, match=r"opponent .*Stubborn.*'s action -1 is illegal"):
        play_match(falling_off, make_agent("random", falling_off), opponent, 10)


def test_progress_is_the_number_of_finished_games(falling_off: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matches, "LANES", 10)
    agent, finished = make_agent("heuristic", falling_off), [0]
    play_match(falling_off, agent, agent, 60, progress=finished.append)
    assert finished == sorted(finished)
    assert 50 <= finished[-1] <= 60


@pytest.mark.parametrize("name", ["kuhn", "tic_tac_toe"])
def test_matches_support_other_games(name: str) -> None:
    game = edge_envs.load_game(name)
    result = play_match(game, make_agent("heuristic", game), make_agent("random", game), 100)
    assert result.illegal == 0
    assert len(result.returns) == 100


def test_regret_of_an_illegal_action_is_the_remaining_value(falling_off: Game) -> None:
    meter, games, seed = RegretMeter(falling_off), 20, 11
    result = play_match(falling_off, Stubborn(-1), make_agent("random", falling_off), games, seed, meter)
    assert result.illegal == games
    for seat in result.seats:
        table = SeatLanes(falling_off, games // 2, "random", seat.seat, "forfeit", STAY)
        table.reset(seed)
        left = np.nanmax(meter.values(table.shown_states(np.arange(games // 2))), axis=1)
        assert seat.regrets == pytest.approx(left.tolist())
        assert 0.0 < min(seat.regrets) < max(seat.regrets) < 1.0
        assert seat.returns == [-1.0] * (games // 2)


def test_illegal_action_forfeits_only_its_own_game(falling_off: Game) -> None:
    """Play perfectly, except for one illegal action in one lane."""
    meter, perfect = RegretMeter(falling_off), make_agent("perfect", falling_off)

    class SlipsOnce(Recording):
        def act(
            self, observations: Array, action_masks: Array, states: Any, players: Array, rng: np.random.Generator
        ) -> Array:
            actions = super().act(observations, action_masks, states, players, rng)
            if len(actions) == 6 and sum(len(seats) == 6 for _, seats in self.queries) == 4:
                actions[2] = 1000
            return actions

    result = play_match(falling_off, SlipsOnce(perfect), perfect, 12, 0, meter)
    assert result.illegal == 1
    (slip,) = np.flatnonzero(result.seats[0].regrets)
    assert slip == 2
    assert result.seats[0].returns[slip] == -1.0
    assert result.seats[1].regrets == [0.0] * 6


def test_agents_cannot_read_the_seed_of_their_game(falling_off: Game) -> None:
    """The seed would reveal all dice and hidden information. Nor can agents change the legal actions."""
    seen: list[Any] = []

    class Curious(Stubborn):
        def act(self, *arguments: Any, **options: Any) -> Array:
            seen.append(arguments[-1].bit_generator.seed_seq.entropy)
            arguments[1][:] = 1
            return super().act(*arguments, **options)

    result = play_match(falling_off, Curious(7), make_agent("random", falling_off), 2, seed=5)
    assert result.illegal == 2
    assert seen
    assert all(isinstance(entropy, int) and entropy > 2**64 for entropy in seen)
