"""The teacher: a search that plays every seat of many games."""

from __future__ import annotations

import numpy as np
import torch

from agents.policy import PolicyAgent
from agents.teaching.config import TeachingConfig
from agents.teaching.lessons import Lessons
from agents.training.actor_critic import ActorCritic
from edge_envs import Game, GameVectorEnv
from edge_envs.core.game import Array
from edge_envs.search.budgets import Budget
from edge_envs.search.guided import Guide, GuidedSearcher
from edge_envs.search.searcher import Searcher

LOOK = 512  # observations that are made into a view at once


class Teacher:
    """Plays rounds of games and tells what it thought. In the first it asks nobody, later perhaps its pupil."""

    def __init__(self, config: TeachingConfig, game: Game, pupil: ActorCritic) -> None:
        self._config, self._game, self._pupil = config, game, pupil
        budget = Budget(config.search)
        guides: dict[str, Guide] = {
            "priors": PolicyAgent(pupil.actor, game, config.network),
            "values": pupil.policy,
        }
        self._alone = Searcher(game, budget)
        self._asking = GuidedSearcher(game, budget, guides[config.asks]) if config.asks in guides else self._alone

    def teach(self, before: int) -> Lessons:
        """The lessons of a round of games, which `before` others came before.

        What happens in it follows from that number and the pupil's weights. ValueError if there is nothing to decide.
        """
        config, notes = self._config, _Notes()
        rng = np.random.default_rng([config.seed, before])
        env = GameVectorEnv(self._game, config.games)
        batch, words = env.reset(config.seed + before), rng.integers(2**64, size=config.games, dtype=np.uint64)
        playing, got = np.ones(config.games, np.bool_), np.zeros((config.games, self._game.num_players), np.float32)
        searcher, step = self._asking if before else self._alone, 0
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
        if not notes:
            raise ValueError(f"after random_opening {config.random_opening} there is nothing to decide in these games")
        return notes.lessons(self._pupil, got)


class _Notes:
    """What is kept of decisions until their games are over."""

    def __init__(self) -> None:
        self._taken: list[tuple[Array, ...]] = []

    def __bool__(self) -> bool:
        return any(len(lanes) for lanes, *_ in self._taken)

    def take(self, *notes: Array) -> None:
        """Of k decisions: lanes, observations, masks, players, how likely their legal actions are, and what all players
        had got.
        """
        self._taken.append(notes)

    def lessons(self, pupil: ActorCritic, got: Array) -> Lessons:
        """Together with what the players have got in the end (lanes, P)."""
        lanes, observations, masks, players, likely, before = (
            np.concatenate(c) for c in zip(*self._taken, strict=True)
        )
        view = pupil.look_in_pieces(observations, masks, LOOK)
        policy = torch.zeros(view.legal.shape)
        policy[view.legal >= 0] = torch.from_numpy(likely.astype(np.float32))
        order = (players[:, None] + np.arange(got.shape[1])) % got.shape[1]
        returns = np.take_along_axis(got[lanes] - before, order, axis=1)
        return Lessons(view, policy, torch.from_numpy(returns)[:, : pupil.outputs])


def _drawn(weights: Array, rng: np.random.Generator) -> Array:
    """A column for each row of weights (k, A)."""
    sums = weights.cumsum(axis=1, dtype=np.float64)
    chosen: Array = (sums > rng.random((len(sums), 1)) * sums[:, -1:]).argmax(axis=1)
    return chosen
