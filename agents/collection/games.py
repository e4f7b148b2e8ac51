"""Play many games in parallel, and keep every decision with its observation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from agents.evaluation.openings import random_opening
from edge_envs import Game
from edge_envs.core.kernels.rng import chance_words
from edge_envs.core.opponent import action_numbers, refuse_illegal
from edge_envs.core.spec import Array
from edge_envs.envs.entropy import agents_generator, shown_words
from edge_envs.players import Agent
from edge_envs.players.random import RandomAgent


@dataclass(frozen=True)
class Collected:
    """G games of P players with D decisions, game after game, each in the order of play.

    `decisions` has arrays that begin with D, by their keys: `observation`, `action_mask`, `action`, `player`, `agent`,
    `drawn`, `game` from 0 on, `step`, and `returns`, what the player got from there to the end. With a `viewer` they
    are what the player in that seat has seen.
    """

    decisions: dict[str, Array]
    returns: Array  # (G, P)
    last: Array  # (G, P, *shape): what each player sees at the end; (G, 1, *shape) with a viewer
    actions: Array  # of all decisions, including those that the viewer did not observe
    viewer: int | None = None

    def seen_by(self, viewer: int) -> Collected:
        """Return only what one seat observed."""
        own = self.decisions["player"] == viewer
        decisions = {key: array[own] for key, array in self.decisions.items()}
        return replace(self, decisions=decisions, last=self.last[:, viewer : viewer + 1], viewer=viewer)

    def arrays(self, first: int) -> dict[str, Array]:
        """Return all arrays of a file whose first game has this number."""
        return {
            **self.decisions,
            "action": self.decisions["action"].astype(np.int32),
            "game": self.decisions["game"] + first,
            "game_number": np.arange(first, first + len(self.returns)),
            "game_returns": self.returns,
            "last_observation": self.last,
        }


def play(
    game: Game, agents: Sequence[Agent], seats: Array, seeds: Sequence[int], noise: float, shown: bool = True
) -> Collected:
    """One game for each seed; `seats` (G, P) says which agent has which seat.

    The share `noise` of all decisions is drawn uniformly, and so are the first ones where a game has no chance.
    Without `shown`, the answer has neither observations nor masks. IllegalActionError names an agent.
    """
    return _Lanes(game, agents, seats, seeds, noise, shown).play()


class _Lanes:
    """Lanes of running games; finished games are removed."""

    def __init__(
        self, game: Game, agents: Sequence[Agent], seats: Array, seeds: Sequence[int], noise: float, shown: bool
    ) -> None:
        count, players = seats.shape
        self._game, self._agents, self._seats, self._noise, self._shown = game, agents, seats, noise, shown
        self._rngs = [agents_generator([*seeds, number]) for number in range(len(agents))]
        self._noise_rng = agents_generator([*seeds, len(agents)])
        self._returns = np.zeros((count, players), np.float32)
        self._last = np.zeros((count, players if shown else 0, *game.observation_shape), game.observation_dtype)
        self._lanes = np.arange(count)  # which game each lane plays
        self._states = game.new_records(count)
        game.compiled.loops.new_games(self._states)
        chance_words(np.array(seeds, np.uint64), self._states["rng"])
        self._words = shown_words(seeds)
        self._player = np.zeros(count, np.int64)
        self._observation = np.zeros((count, *game.observation_shape), game.observation_dtype)
        self._mask = np.zeros((count, game.num_distinct_actions), np.int8)
        game.compiled.loops.start(self._states, self._player, self._observation, self._mask)

    def play(self) -> Collected:
        """Play all games to their ends."""
        steps: list[dict[str, Array]] = []
        while self._lanes.size:
            steps.append(self._decide(len(steps)))
            self._step(steps[-1]["action"])
        lengths = np.bincount(np.concatenate([step["game"] for step in steps]))
        begins = np.cumsum(lengths) - lengths
        decisions = {"step": np.concatenate([np.arange(length, dtype=np.int32) for length in lengths])}
        rows = [begins[step["game"]] + number for number, step in enumerate(steps)]
        for key, first in list(steps[0].items()):
            decisions[key] = np.empty((len(decisions["step"]), *first.shape[1:]), first.dtype)
            for where, step in zip(rows, steps, strict=True):
                decisions[key][where] = step.pop(key)  # one array after another, because they may be large
        decisions["returns"] = self._returns[decisions["game"], decisions["player"]] - decisions.pop("got")
        return Collected(decisions, self._returns, self._last, decisions["action"])

    def _decide(self, step: int) -> dict[str, Array]:
        """Play a decision in each lane."""
        count = self._lanes.size
        players = self._player.copy()
        drawn = np.full(count, True) if step < random_opening(self._game) else np.zeros(count, np.bool_)
        if self._noise:
            drawn |= self._noise_rng.random(count) < self._noise
        agent = self._seats[self._lanes, players]
        actions = np.zeros(count, np.int64)
        if drawn.any():
            uniform = RandomAgent().act(self._observation[drawn], self._mask[drawn], None, players, self._noise_rng)
            actions[drawn] = uniform
        for number in range(len(self._agents)):
            lanes = np.flatnonzero((agent == number) & ~drawn)
            if lanes.size:
                actions[lanes] = self._answer(number, lanes)
        seen = {"observation": self._observation.copy(), "action_mask": np.packbits(self._mask, axis=1)}
        return {
            **(seen if self._shown else {}),
            "action": actions,
            "player": players.astype(np.int8),
            "agent": agent.astype(np.int8),
            "drawn": drawn,
            "game": self._lanes.copy(),
            "got": self._returns[self._lanes, players],
        }

    def _answer(self, number: int, lanes: Array) -> Array:
        """Return the actions of an agent in some lanes; it receives only what the player to act may observe."""
        agent, masks, players = self._agents[number], self._mask[lanes], self._player[lanes]
        observations, states = self._observation[lanes], None
        if agent.needs_states:
            copies = self._game.new_records(lanes.size)
            ask = self._game.compiled.seat_loops(heuristic=False).ask
            ask(self._states, self._words, lanes, players, observations, masks, copies)
            states = copies.view(np.recarray)
        answer = agent.act(observations, masks, states, players, self._rngs[number])
        whose = f"of agent {agent.name}"
        chosen = action_numbers(answer, lanes.size, f"actions {whose}")
        refuse_illegal(self._mask[lanes], chosen, self._lanes[lanes], f"action {whose}")
        return chosen

    def _step(self, actions: Array) -> None:
        """Apply decisions, and remove the lanes of finished games."""
        count, players = self._lanes.size, self._game.num_players
        rewards, terminated = np.zeros((count, players), np.float32), np.zeros(count, np.bool_)
        final = np.zeros((count, *self._last.shape[1:]), self._last.dtype)
        arrays = (self._player, self._observation, self._mask, rewards, terminated, final)
        self._game.compiled.loops.step(1, self._states, actions, *arrays)
        self._returns[self._lanes] += rewards
        if terminated.any():
            self._last[self._lanes[terminated]] = final[terminated]
            for name in ("_lanes", "_states", "_words", "_player", "_observation", "_mask"):
                setattr(self, name, np.ascontiguousarray(getattr(self, name)[~terminated]))
