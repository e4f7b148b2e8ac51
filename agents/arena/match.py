"""Play games between agents in all seats, several in parallel and independent of each other."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from types import FrameType
from typing import Any

import numpy as np

from agents.common.running_time import running_time
from agents.evaluation.openings import random_opening
from agents.external.reasons import Late, reason_of
from agents.external.unavailable import UnavailableError
from edge_envs import Game
from edge_envs.core.kernels.rng import chance_words
from edge_envs.core.opponent import action_numbers
from edge_envs.core.spec import Array
from edge_envs.envs.entropy import agents_generator, shown_words
from edge_envs.players import Agent
from edge_envs.players.random import RandomAgent

LONGEST_WARM_UP = 120.0  # seconds of an agent's first decision, which may compile
LEEWAY = 1.0  # seconds that a program gets beyond the time limit, so that the limit ends a decision first


@dataclass
class Played:
    """A game: for each seat its return, number of decisions and seconds; and whether a seat forfeited."""

    seed: int
    returns: list[float]
    decisions: list[int]
    seconds: list[float]
    actions: list[int]
    forfeit: int | None = None  # the seat
    why: str = ""

    @classmethod
    def begun(cls, seed: int, players: int) -> Played:
        """Start a game without decisions."""
        return cls(seed, [0.0] * players, [0] * players, [0.0] * players, [])

    def lose(self, seat: int, why: str, least: float) -> None:
        """End the game by a forfeit: the seat gets `least`, and the others share its loss."""
        others = len(self.returns) - 1
        self.returns = [least if other == seat else -least / others for other in range(others + 1)]
        self.forfeit, self.why = seat, why


def play_games(
    game: Game,
    agents: Sequence[Agent],
    seeds: Sequence[int],
    limit: float | None = None,
    deciding: Callable[[int], None] = lambda seat: None,
    progress: Callable[[int], None] = lambda over: None,
) -> list[Played]:
    """Play one game for each seed. With deterministic agents, a game does not depend on the other seeds.

    An agent that fails, chooses an illegal action, or takes more than `limit` seconds for a decision forfeits that
    game.

    Args:
        game: the game with its parameters.
        agents: the agents by seat.
        seeds: the seeds of the games.
        limit: seconds per decision. With a limit, games are played one after another, otherwise in parallel.
        deciding: called with the seat that is about to decide, and with -1 afterwards.
        progress: called with the number of finished games.
    """
    played: list[Played] = []
    for some in [seeds] if limit is None else [[seed] for seed in seeds]:
        lanes = _Lanes(game, agents, some, limit, deciding)
        while lanes.lanes.size:
            lanes.decide()
            progress(len(played) + len(some) - lanes.lanes.size)
        played += lanes.played
    return played


def warm_up(game: Game, agents: Sequence[Agent], seed: int, deciding: Callable[[int], None]) -> None:
    """Let each agent make one untimed decision, because first decisions compile.

    Agents whose decisions cost money are replaced by random play.
    """
    those = [RandomAgent(game) if getattr(agent, "paid", False) else agent for agent in agents]
    lanes = _Lanes(game, those, [seed], LONGEST_WARM_UP, deciding)
    while lanes.lanes.size and not all(lanes.played[0].decisions):
        lanes.decide()


class _Lanes:
    """Lanes of running games; finished games are removed."""

    def __init__(
        self,
        game: Game,
        agents: Sequence[Agent],
        seeds: Sequence[int],
        limit: float | None,
        deciding: Callable[[int], None],
    ) -> None:
        count, players = len(seeds), game.num_players
        self.game, self.agents, self.limit, self.deciding = game, agents, limit, deciding
        self.rngs = [agents_generator([*seeds, seat]) for seat in range(players)]
        self.played = [Played.begun(seed, players) for seed in seeds]
        self.openings = [_opening(game, seed) for seed in seeds]
        self.lanes = np.arange(count)  # which game each lane plays
        self.states = game.new_records(count)
        game.compiled.loops.new_games(self.states)
        chance_words(np.array(seeds, np.uint64), self.states["rng"])
        self.words = shown_words(seeds)
        self.player = np.zeros(count, np.int64)
        self.observation = np.zeros((count, *game.observation_shape), game.observation_dtype)
        self.mask = np.zeros((count, game.num_distinct_actions), np.int8)
        game.compiled.loops.start(self.states, self.player, self.observation, self.mask)

    def decide(self) -> None:
        """Play one decision in each game."""
        actions = self._decisions()
        self._keep(actions >= 0)
        self._step(np.ascontiguousarray(actions[actions >= 0]))

    def _decisions(self) -> Array:
        """Return the actions of all lanes; -1 where a game was forfeited."""
        actions = np.full(self.lanes.size, -1)
        drawn = np.array([bool(self.openings[lane]) for lane in self.lanes])
        for lane in np.flatnonzero(drawn):
            legal = np.flatnonzero(self.mask[lane])
            actions[lane] = legal[int(self.openings[self.lanes[lane]].pop() * legal.size)]
        for seat, agent in enumerate(self.agents):
            lanes = np.flatnonzero((self.player == seat) & ~drawn)
            if lanes.size:
                self._ask(seat, agent, lanes, actions)
        return actions

    def _ask(self, seat: int, agent: Agent, lanes: Array, actions: Array) -> None:
        """Ask an agent for its actions in some lanes; if that fails for several lanes, ask for each separately."""
        chosen, why = self._answer(seat, agent, lanes)
        if chosen is None and lanes.size > 1:
            for lane in lanes:
                self._ask(seat, agent, np.array([lane]), actions)
            return
        for at, lane in enumerate(lanes):
            played = self.played[self.lanes[lane]]
            legal = chosen is not None and 0 <= chosen[at] < self.mask.shape[1] and self.mask[lane, chosen[at]]
            if chosen is not None and legal:
                actions[lane] = chosen[at]
                played.decisions[seat] += 1
            else:
                why = why if chosen is None else _reason(agent, at) or f"illegal action {chosen[at]}"
                played.lose(seat, why, self.game.min_utility)

    def _answer(self, seat: int, agent: Agent, lanes: Array) -> tuple[Array | None, str]:
        """Return an agent's actions, or None and the reason."""
        observations, masks, states, players = self._shown(lanes, bool(agent.needs_states))
        chosen, why = None, ""
        started = running_time()
        self.deciding(seat)
        try:
            self._get_ready(seat, agent)
            started = running_time()
            with _alarm(self.limit):
                answer = agent.act(observations, masks, states, players, self.rngs[seat])
            chosen = action_numbers(answer, lanes.size, f"actions of agent {agent.name}")
        except Late:
            pass
        except UnavailableError:
            raise
        except Exception as error:
            why = reason_of(error)
        self.deciding(-1)
        seconds = running_time() - started
        if self.limit is not None and seconds > self.limit and not why:
            chosen, why = None, f"more than {self.limit:g} s for a decision"
        for lane in lanes:
            self.played[self.lanes[lane]].seconds[seat] += seconds / lanes.size
        return chosen, why

    def _get_ready(self, seat: int, agent: Agent) -> None:
        """Let a program that was killed start again, outside the time limit of a decision, and tell it the limit."""
        if self.limit is not None and hasattr(agent, "get_ready"):
            with _alarm(LONGEST_WARM_UP):
                agent.get_ready(self.limit + LEEWAY)
            self.deciding(seat)

    def _shown(self, lanes: Array, with_states: bool) -> tuple[Any, ...]:
        """Return what the seats to act in some lanes may observe."""
        masks, players = self.mask[lanes], self.player[lanes]
        if not with_states:
            return self.observation[lanes], masks, None, players
        copies = self.game.new_records(lanes.size)
        observation = np.empty_like(self.observation[lanes])
        ask = self.game.compiled.seat_loops(heuristic=False).ask
        ask(self.states, self.words, lanes, players, observation, masks, copies)
        return observation, masks, copies.view(np.recarray), players

    def _step(self, actions: Array) -> None:
        """Apply decisions, and remove the lanes of finished games."""
        count, players = self.lanes.size, self.game.num_players
        for lane, action in zip(self.lanes, actions.tolist(), strict=True):
            self.played[lane].actions.append(action)
        rewards, terminated = np.zeros((count, players), np.float32), np.zeros(count, np.bool_)
        final = np.zeros((count, 0, *self.game.observation_shape), self.game.observation_dtype)
        arrays = (self.player, self.observation, self.mask, rewards, terminated, final)
        self.game.compiled.loops.step(1, self.states, actions, *arrays)
        for lane in np.flatnonzero(rewards.any(axis=1)):
            played = self.played[self.lanes[lane]]
            played.returns = [float(a + b) for a, b in zip(played.returns, rewards[lane], strict=True)]
        self._keep(~terminated)

    def _keep(self, which: Array) -> None:
        if not which.all():
            for name in ("lanes", "states", "words", "player", "observation", "mask"):
                setattr(self, name, np.ascontiguousarray(getattr(self, name)[which]))


def _reason(agent: Agent, at: int) -> str:
    """Return why an agent chose an illegal action in a position of its last call, if it reports reasons."""
    reasons: Sequence[str] = getattr(agent, "reasons", ())
    return reasons[at] if at < len(reasons) else ""


def _opening(game: Game, seed: int) -> list[float]:
    """Draw the random decisions at the start of a game, as numbers from 0 to 1 that select a legal action."""
    count = random_opening(game)
    drawn: list[float] = agents_generator([seed, game.num_players]).random(count).tolist() if count else []
    return drawn


@contextlib.contextmanager
def _alarm(limit: float | None) -> Iterator[None]:
    """Raise Late after some seconds; compiled code cannot be interrupted, so it is late when it returns."""
    if limit is None:
        yield
        return

    end = running_time() + limit

    def late(number: int, frame: FrameType | None) -> None:
        left = end - running_time()
        if left <= 0.0:
            raise Late
        signal.setitimer(signal.ITIMER_REAL, left)  # this process was suspended

    before = signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, limit)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)
