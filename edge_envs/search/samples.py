"""Play games of the heuristic as data for fitted values: positions at the start of turns, and their returns."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from edge_envs.core.compiled import compiled_game
from edge_envs.core.compiler.jit import kernel_of
from edge_envs.core.game import Game
from edge_envs.core.game_type import GameType
from edge_envs.core.kernels.rng import below, chance_words, draw_at, unit
from edge_envs.core.loops.complete_kernels import CompleteKernels
from edge_envs.core.nodes import CHANCE, TERMINAL
from edge_envs.core.spec import Array

RANDOM_MOVES = 0.1  # fraction of decisions drawn uniformly, so that games without chance differ
POSITIONS = 8  # positions kept per game


@dataclass(frozen=True)
class Samples:
    """Hold M positions at the start of turns, for P players and F features.

    | field | shape | content |
    |---|---|---|
    | `features` | (M, P, F) | position features, players in turn order from the one to move |
    | `returns` | (M, P) | returns from the position to the end of the game, in the same order |
    """

    features: Array
    returns: Array

    def __add__(self, other: Samples) -> Samples:
        features, returns = (np.concatenate(pair) for pair in zip(self.arrays(), other.arrays(), strict=True))
        return Samples(features, returns)

    def __len__(self) -> int:
        return len(self.features)

    def arrays(self) -> tuple[Array, Array]:
        """Return both arrays."""
        return self.features, self.returns


def no_samples(game: Game) -> Samples:
    """Return empty samples.

    Raises:
        ValueError: if the game declares no `VALUES`.
    """
    if game.type.values is None:
        raise ValueError(f"{game.name} declares no VALUES, so there is nothing to fit")
    players = game.num_players
    return Samples(np.empty((0, players, len(game.type.values.features))), np.empty((0, players)))


def play_samples(game: Game, seed: int, games: int) -> Samples:
    """Play games and return their samples.

    Args:
        game: The game.
        seed: Seed of the first game; game k has the seed `seed` + k.
        games: Number of games.

    Raises:
        ValueError: if the game declares no `VALUES`.
    """
    features, returns = no_samples(game).arrays()
    features = np.empty((games, POSITIONS, *features.shape[1:]))
    returns = np.empty((games, POSITIONS, game.num_players))
    counts, states, words = np.zeros(games, np.int64), game.new_records(games), np.empty((2, games), np.uint64)
    seeds = np.arange(seed, seed + games, dtype=np.uint64)
    chance_words(seeds, words[0])
    chance_words(seeds + np.uint64(2**62), words[1])
    game.compiled.loops.new_games(states)
    states["rng"] = words[0]
    mask, rewards = np.zeros(game.num_distinct_actions, np.int8), np.empty((2, game.num_players))
    assert game.type.values is not None
    weights = game.type.values.weights_with()
    _loop(game.type)(states, words[1], RANDOM_MOVES, weights, mask, rewards, features, returns, counts)
    kept = np.arange(POSITIONS) < counts[:, None]
    return Samples(features[kept], returns[kept])


@functools.cache
def _loop(game_type: GameType) -> Any:
    return samples_loop(compiled_game(game_type).kernels, game_type.folder)


def samples_loop(kernels: CompleteKernels, folder: Path) -> Any:
    """Build the loop that plays games from new state records (N,).

    It fills features (N, K, P, F), returns (N, K, P) and counts (N,). From each game it keeps K positions, drawn
    uniformly from all starts of turns by reservoir sampling (Vitter 1985). A fraction `share` of the decisions is drawn
    uniformly from the legal actions.
    """
    compiled = kernel_of(folder, also=Path(__file__).resolve().parent)
    current_player, turn_of, apply, rewards_of = kernels.current_player, kernels.turn_of, kernels.apply, kernels.rewards
    heuristic, random_action, sample_chance = kernels.heuristic, kernels.random_action, kernels.sample_chance
    position_features = kernels.position_features

    @compiled
    def play(states, words, share, weights, mask, rewards, features, returns, counts):
        players, most = rewards.shape[1], features.shape[1]
        movers = np.empty(most, np.int64)
        for i in range(states.shape[0]):
            state = states[i]
            rewards[0, :] = 0.0
            turn, met = np.int64(0), 0
            player = current_player(state)
            while player != TERMINAL:
                if player == CHANCE:
                    apply(state, sample_chance(state))
                else:
                    if met == 0 or turn_of(state) != turn:
                        turn = turn_of(state)
                        met += 1
                        at = met - 1 if met <= most else below(draw_at(words, i), met)
                        if at < most:
                            movers[at] = player
                            for k in range(players):
                                p = (player + k) % players
                                position_features(state, p, player, weights[0], features[i, at, k])
                                returns[i, at, k] = -rewards[0, p]
                    if unit(draw_at(words, i)) < share:
                        apply(state, random_action(state, draw_at(words, i), mask))
                    else:
                        apply(state, heuristic(state))
                rewards_of(state, rewards[1])
                for p in range(players):
                    rewards[0, p] += rewards[1, p]
                player = current_player(state)
            counts[i] = min(met, most)
            for at in range(counts[i]):
                for k in range(players):
                    returns[i, at, k] += rewards[0, (movers[at] + k) % players]

    return play
