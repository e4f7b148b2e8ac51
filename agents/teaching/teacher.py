"""The teacher: a tree search that plays every seat of many games. Several workers can share a round."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch

from agents.common.devices import playing_device
from agents.players.policy import PolicyAgent
from agents.teaching.config import TeachingConfig
from agents.teaching.lessons import Lessons
from agents.training.actor_critic import ActorCritic
from agents.workers.task import Heartbeat, Task
from agents.workers.workers import Workers
from edge_envs import Game, GameVectorEnv
from edge_envs.core.spec import Array
from edge_envs.ntuple.agent import TurnsAgent
from edge_envs.search.budgets import Budget
from edge_envs.search.guided import Guide, GuidedSearcher
from edge_envs.search.searcher import Searcher

LOOK = 512  # observations that are preprocessed at a time


def teach(config: TeachingConfig, pupil: ActorCritic, before: int, workers: Workers) -> Lessons:
    """Play a round of games and return its lessons.

    The round depends only on `before`, the number of earlier games, and on the pupil's weights. ValueError if the games
    have no decisions.
    """
    size = config.games // config.parts
    parts = [(before, before + part * size) for part in range(config.parts)]
    thoughts = list(workers.in_order(Round(config, pupil.weights()), parts))
    all_thoughts = Thoughts(*(np.concatenate(arrays) for arrays in zip(*thoughts, strict=True)))
    if not len(all_thoughts.players):
        raise ValueError(f"after random_opening {config.random_opening} there is nothing to decide in these games")
    return all_thoughts.lessons(pupil)


class Thoughts(NamedTuple):
    """The search policies of k decisions, and the returns."""

    observations: Array
    masks: Array
    players: Array
    likely: Array  # the probabilities of the legal actions, decision after decision
    returns: Array  # (k, P) the returns from there on, in turn order from the player who decided

    def lessons(self, pupil: ActorCritic) -> Lessons:
        """Preprocess the decisions for the pupil."""
        view = pupil.preprocess_in_chunks(self.observations, self.masks, LOOK)
        legal = view.legal.cpu()
        policy = torch.zeros(legal.shape)
        policy[legal >= 0] = torch.from_numpy(self.likely.astype(np.float32))
        return Lessons(view, policy, torch.from_numpy(self.returns)[:, : pupil.outputs]).on(pupil.device)


@dataclass(frozen=True)
class Round(Task):
    """A round of games. A job is the number of games before the round, and before its part of the round."""

    config: TeachingConfig
    weights: Mapping[str, Array]  # of the pupil

    def prepare(self, heartbeat: Heartbeat) -> Callable[[tuple[int, int]], Thoughts]:
        """Return a function that plays parts."""
        torch.set_num_threads(self.config.torch_threads)
        game = self.config.load_game()
        with torch.random.fork_rng(devices=[]):  # the initial weights are replaced
            pupil = ActorCritic(self.config.network, game, learning_rate=0.0, all_players=True, device=playing_device())
        pupil.take_weights(self.weights)
        player = _Player(self.config, game, pupil)
        return lambda job: player.play(*job)


class _Player:
    """Plays parts of rounds. The search of the first round uses no network; later ones may use the pupil.

    The tree search of a teacher with an n-tuple network is the same in all rounds.
    """

    def __init__(self, config: TeachingConfig, game: Game, pupil: ActorCritic) -> None:
        self._config, self._game = config, game
        self._alone: Searcher
        self._asking: Searcher
        budget = Budget(config.search)
        guides: dict[str, Guide] = {
            "priors": PolicyAgent(pupil.actor, game, config.network),
            "values": pupil.policy,
        }
        if config.teacher:
            self._alone = self._asking = TurnsAgent.load(config.teacher, game).searcher(budget)
        else:
            self._alone = Searcher(game, budget)
            self._asking = GuidedSearcher(game, budget, guides[config.asks]) if config.asks in guides else self._alone

    def play(self, before_round: int, before: int) -> Thoughts:
        """Play a part of a round."""
        config, notes, games = self._config, _Notes(self._game), self._config.games // self._config.parts
        rng = np.random.default_rng([config.seed, before])
        env = GameVectorEnv(self._game, games)
        batch, words = env.reset(config.seed + before), rng.integers(2**64, size=games, dtype=np.uint64)
        playing, got = np.ones(games, np.bool_), np.zeros((games, self._game.num_players), np.float32)
        searcher, step = self._asking if before_round else self._alone, 0
        while playing.any():
            masks = batch.action_mask
            if step < config.random_opening:
                actions = _drawn(masks, rng)
            else:
                actions = masks.argmax(axis=1)
                asked = np.flatnonzero(playing & (masks.sum(axis=1, dtype=np.int64) > 1))
                roots = searcher(env.shown_states(asked, words))
                draws = rng.random(asked.size) < config.drawn
                actions[asked] = np.where(draws, _drawn(roots.policy, rng), roots.actions)
                notes.take(
                    asked, batch.observation[asked], masks[asked], batch.current_player[asked],
                    roots.policy[masks[asked] != 0], got[asked],
                )  # fmt: skip
            batch = env.step(actions)
            got[playing] += batch.rewards[playing]
            playing &= ~batch.terminated
            step += 1
        return notes.thoughts(got)


class _Notes:
    """Decisions whose games are not over."""

    def __init__(self, game: Game) -> None:
        observations = np.empty((0, *game.observation_shape), game.observation_dtype)
        masks, players = np.empty((0, game.num_distinct_actions), np.int8), np.empty(0, np.int64)
        before = np.empty((0, game.num_players), np.float32)
        self._taken: list[tuple[Array, ...]] = [(players, observations, masks, players, np.empty(0), before)]

    def take(self, *notes: Array) -> None:
        """Keep k decisions: lanes, observations, masks, players, probabilities of legal actions, and returns so far."""
        self._taken.append(notes)

    def thoughts(self, got: Array) -> Thoughts:
        """Combine the decisions with the final returns (lanes, P)."""
        lanes, observations, masks, players, likely, before = (
            np.concatenate(c) for c in zip(*self._taken, strict=True)
        )
        order = (players[:, None] + np.arange(got.shape[1])) % got.shape[1]
        returns = np.take_along_axis(got[lanes] - before, order, axis=1)
        return Thoughts(observations, masks, players, likely, returns)


def _drawn(weights: Array, rng: np.random.Generator) -> Array:
    """Sample a column for each row of weights (k, A)."""
    sums = weights.cumsum(axis=1, dtype=np.float64)
    chosen: Array = (sums > rng.random((len(sums), 1)) * sums[:, -1:]).argmax(axis=1)
    return chosen
