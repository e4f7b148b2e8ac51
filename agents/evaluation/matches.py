"""Matches: an agent plays each seat in turn against an opponent in all others, with common random numbers.

Game k of each seat has the seed `seed` + k for all agents, so that two agents meet the same chance while they play
alike. A game that ends before the agent has a decision is replaced by the next.

In games without chance, the first decisions are random, or all games would be equal; game k of each seat has the same
opening.


Against external opponents, games are played as in tournaments (`agents.arena.match`): an opponent that fails forfeits
the game. These games have other random openings, and a game in which the agent has no decision counts.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from scipy import stats

from agents.arena.match import play_games
from agents.evaluation.openings import random_opening
from agents.evaluation.regret import RegretMeter
from agents.external.forfeits import ForfeitingAgent, is_external_agent
from edge_envs import Game
from edge_envs.core.checks.integers import integer_of
from edge_envs.core.checks.seeds import check_seed
from edge_envs.core.errors import in_short
from edge_envs.core.loops.seat_codes import STAY
from edge_envs.core.opponent import action_numbers, check_made_for
from edge_envs.core.spec import Array
from edge_envs.envs.entropy import agents_generator
from edge_envs.envs.opponents import BUILT_IN
from edge_envs.envs.seat_lanes import SeatLanes
from edge_envs.players import Agent
from edge_envs.players.heuristic import HeuristicAgent
from edge_envs.players.random import RandomAgent

LANES = 2048  # games played side by side


@dataclass
class SeatResult:
    """An agent's games from one seat: its returns, and its summed regrets if perfect play is known."""

    seat: int
    returns: list[float] = field(default_factory=list)
    regrets: list[float] = field(default_factory=list)


@dataclass
class MatchResult:
    """An agent's games against one opponent."""

    opponent: str
    seats: list[SeatResult]
    utilities: tuple[float, float] = (-1.0, 1.0)  # the lowest and the highest return of the game
    illegal: int = 0
    why: str = ""  # the reason of the first, if it is known
    opponent_forfeits: int = 0  # games
    opponent_why: str = ""  # the reason of the first
    decisions: int = 0
    seconds: float = 0.0

    @property
    def returns(self) -> Array:
        """The agent's returns in all games."""
        return np.concatenate([seat.returns for seat in self.seats])


def play_match(
    game: Game,
    agent: Agent,
    opponent: Agent,
    games: int,
    seed: int = 0,
    meter: RegretMeter | None = None,
    progress: Callable[[int], None] = lambda done: None,
) -> MatchResult:
    """Play a match.

    An illegal action of the agent forfeits the game and is counted. So does an error of an external agent, and one of
    an external opponent.

    Args:
        game: the game with its parameters.
        agent: the agent to measure.
        opponent: the agent in all other seats.
        games: the number of games, distributed over the seats.
        seed: the seed of the first game.
        meter: measures regrets, if perfect play is known.
        progress: called at times with the number of finished games.

    Raises:
        ValueError: if the number of games or the seed is invalid, or if an agent was made for a game with another
            layout.
    """
    seed, count = check_seed(seed, or_none=False), integer_of(games)
    if count is None or count < 1:
        raise ValueError(f"invalid games={in_short(games)}: expected an integer from 1")
    games = count
    for one in (agent, opponent):
        check_made_for(one, game)
    seats = [SeatResult(seat) for seat in range(game.num_players)]
    result = MatchResult(opponent.name, seats, (game.min_utility, game.max_utility))
    player = ForfeitingAgent(agent) if is_external_agent(agent) else agent
    by_table = is_external_agent(opponent)
    for one in (agent, opponent):
        if hasattr(one, "begin_match"):
            one.begin_match()
    if not by_table and player is agent:  # compile; external agents may need time or money for decisions
        _play_side_by_side(game, agent, opponent, 1, seed, SeatResult(0), MatchResult("", []), meter, progress)
    started, most = time.perf_counter(), 1 if remembers(agent) or remembers(opponent) else LANES
    for seat in seats:
        count = games // game.num_players + (seat.seat < games % game.num_players)
        for first in range(0, count, most):
            before, lanes = sum(len(s.returns) for s in seats), min(most, count - first)

            def show(done: int, before: int = before) -> None:
                progress(before + done)

            if by_table:
                _play_at_table(game, agent, opponent, range(seed + first, seed + first + lanes), seat, result, show)
            else:
                _play_side_by_side(game, player, opponent, lanes, seed + first, seat, result, meter, show)
    result.seconds = time.perf_counter() - started
    if isinstance(player, ForfeitingAgent):
        result.why = result.why or player.why
    return result


def remembers(agent: Agent) -> bool:
    """Return whether an agent decides faster if all positions of one game come before those of the next."""
    return bool(getattr(agent, "remembers", False))


def _play_at_table(
    game: Game,
    agent: Agent,
    opponent: Agent,
    seeds: Sequence[int],
    seat: SeatResult,
    result: MatchResult,
    progress: Callable[[int], None],
) -> None:
    """Play one game for each seed, in which all agents may fail, and add it to the results."""
    seated = [agent if at == seat.seat else opponent for at in range(game.num_players)]
    for played in play_games(game, seated, seeds, progress=progress):
        seat.returns.append(played.returns[seat.seat])
        result.decisions += played.decisions[seat.seat]
        if played.forfeit == seat.seat:
            result.illegal += 1
            result.decisions += 1
            result.why = result.why or played.why
        elif played.forfeit is not None:
            result.opponent_forfeits += 1
            result.opponent_why = result.opponent_why or played.why


def _play_side_by_side(
    game: Game,
    agent: Agent,
    opponent: Agent,
    lanes: int,
    seed: int,
    seat: SeatResult,
    result: MatchResult,
    meter: RegretMeter | None,
    progress: Callable[[int], None],
) -> None:
    """Play one game per lane and add it to the results."""
    opening = random_opening(game)
    table = SeatLanes(game, lanes, _built_in(opponent), seat.seat, "forfeit", STAY, opening)
    table.reset(seed)
    rng = agents_generator([seed, seat.seat])
    returns, regrets = np.zeros(lanes), np.zeros(lanes)
    actions, begun = np.zeros(lanes, np.int64), False
    while (playing := np.flatnonzero(~table.ended)).size:
        progress(lanes - playing.size)
        masks = table.action_mask[playing]
        states = table.shown_states(playing) if agent.needs_states or meter else None
        players = np.full(playing.size, seat.seat)
        shown = states if agent.needs_states else None
        answer = agent.act(table.observation[playing], masks.copy(), shown, players, rng)
        chosen = action_numbers(answer, playing.size, f"actions of agent {agent.name}")
        legal = _are_legal(masks, chosen)
        result.illegal += int((~legal).sum())
        result.decisions += playing.size
        if meter is not None:
            best, given_away = meter.judge(states, chosen, legal)
            if opening and not begun:
                regrets += meter.start(seat.seat) - best
            begun = True
            regrets[playing] += given_away
        actions[playing] = chosen
        table.step(actions)
        returns += table.reward
    seat.returns.extend(returns.tolist())
    if meter is not None:
        seat.regrets.extend(regrets.tolist())


def _are_legal(masks: Array, actions: Array) -> Array:
    legal = (actions >= 0) & (actions < masks.shape[1])
    legal[legal] = masks[legal, actions[legal]] != 0
    return legal


def _built_in(opponent: Agent) -> str | Agent:
    """Return the name of an opponent that compiled loops play, or the opponent itself."""
    own = isinstance(opponent, RandomAgent | HeuristicAgent) and opponent.name in BUILT_IN
    return opponent.name if own else opponent


def wilson(successes: int, trials: int, confidence: float = 0.95) -> tuple[float, float]:
    """Return the Wilson interval of a rate."""
    interval = stats.binomtest(successes, trials).proportion_ci(confidence, method="wilson")
    return float(interval.low), float(interval.high)


def mean_interval(values: Array, least: float, greatest: float) -> tuple[float, float]:
    """Return the 95 % interval of the mean of values (n,) between `least` and `greatest`.

    It is the normal interval after adding two values of each bound, as Agresti and Coull (1998) do for rates. It
    contains the mean of the values, and a few equal values do not give an interval of width zero.
    """
    more = np.concatenate([values, [least, least, greatest, greatest]])
    middle, half_width = float(np.mean(more)), 1.96 * float(np.std(more)) / len(more) ** 0.5
    return max(least, middle - half_width), min(greatest, middle + half_width)
