"""The likelihood of how games ended: Bradley-Terry and Plackett-Luce with draws, for two to six players at a table.

A game is a ranking, made from the top: of the players that are left a set T is the next best with a probability in
proportion to delta(|T|) * exp(mean of the worths in T), where delta(1) = 1. Without draws this is Plackett-Luce, for
two players also called Bradley-Terry. With draws it is Davidson's model for two, and for more what Turner, van Etten,
Firth and Kosmidis (2020) made of it. A player's worth is that of its agent plus that of its seat. Each step is a
multinomial logit, so the logarithm of the likelihood is concave.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np
from scipy import sparse, special

from edge_envs.core.game import Array


@dataclass(frozen=True)
class Outcomes:
    """G games of P players: who sat where, and how it ended."""

    seats: Array  # (G, P) numbers of agents
    ranks: Array  # (G, P) how many did better

    @classmethod
    def of_returns(cls, seats: Array, returns: Array) -> Outcomes:
        """Games ranked by what the players got."""
        values = np.asarray(returns, float)
        return cls(np.asarray(seats, np.int64), (values[:, None, :] > values[:, :, None]).sum(axis=2))

    @property
    def players(self) -> int:
        """How many sit at a table."""
        return int(self.seats.shape[1])

    def distinct(self) -> tuple[Outcomes, Array]:
        """The games that differ, and for each of these games its number among those."""
        both = np.concatenate([self.seats, self.ranks], axis=1)
        rows, numbers = np.unique(both, axis=0, return_inverse=True)
        return Outcomes(rows[:, : self.players], rows[:, self.players :]), numbers.ravel()


class Likelihood:
    """How likely games are, by one vector of parameters: worths of agents, worths of seats, log delta of each draw.

    Draws of a size that no game had are impossible. `prior` (parameters,) are the precisions of normal distributions
    around 0.
    """

    def __init__(self, outcomes: Outcomes, agents: int) -> None:
        self.outcomes, self.agents, self.players = outcomes, agents, outcomes.players
        sizes, shares, within = _subsets(self.players)
        self._game, left, self._best = _steps(outcomes.ranks)
        self.draws = [size for size in range(2, self.players + 1) if (sizes[self._best] == size).any()]
        self._possible = within[left] & np.isin(sizes, [1, *self.draws])
        self._features = np.concatenate([shares, sizes[:, None] == np.array(self.draws, int)], axis=1)
        self.size = agents + self.players + len(self.draws)
        self._local = self._local_parameters()
        self._step_of = sparse.csr_array(
            (np.ones(len(self._game)), (self._game, np.arange(len(self._game)))),
            (len(outcomes.seats), len(self._game)),
        )

    def _local_parameters(self) -> sparse.csr_array:
        """The matrix that makes of the parameters those of each game: of its players, and of draws."""
        seats, (games, players) = self.outcomes.seats, self.outcomes.seats.shape
        width, draws = players + len(self.draws), np.arange(len(self.draws))
        rows = np.arange(games)[:, None] * width
        of_agents = (rows + np.arange(players), seats)
        of_seats = (rows + np.arange(players), np.broadcast_to(self.agents + np.arange(players), seats.shape))
        shape = (games, len(draws))
        of_draws = (rows + players + draws, np.broadcast_to(self.agents + players + draws, shape))
        row, column = (np.concatenate([part[k].ravel() for part in (of_agents, of_seats, of_draws)]) for k in (0, 1))
        return sparse.csr_array((np.ones(len(row)), (row, column)), (games * width, self.size))

    def _steps_told(self, parameters: Array) -> tuple[Array, Array]:
        """The probabilities of all sets at each step (S, T): their logarithms, -inf if impossible, and themselves."""
        scores = (self._local @ parameters).reshape(-1, self._features.shape[1]) @ self._features.T
        logs = np.where(self._possible, scores[self._game], -np.inf)
        logs -= special.logsumexp(logs, axis=1, keepdims=True)
        return logs, np.exp(logs)

    def logarithms(self, parameters: Array) -> Array:
        """The log-likelihood of each game (G,)."""
        logs, _ = self._steps_told(parameters)
        logarithms: Array = self._step_of @ logs[np.arange(len(logs)), self._best]
        return logarithms

    def slopes(self, parameters: Array) -> Array:
        """The slopes (G, P + D) of the log-likelihood of each game, by the worths of its players and by draws."""
        _, probabilities = self._steps_told(parameters)
        slopes: Array = self._step_of @ (self._features[self._best] - probabilities @ self._features)
        return slopes

    def bends(self, parameters: Array) -> Array:
        """Minus the second derivatives (G, P + D, P + D) of the log-likelihood of each game, by the same."""
        _, probabilities = self._steps_told(parameters)
        features, width = self._features, self._features.shape[1]
        means = probabilities @ features
        products = (features[:, :, None] * features[:, None, :]).reshape(len(features), -1)
        spreads = probabilities @ products - (means[:, :, None] * means[:, None, :]).reshape(len(means), -1)
        bends: Array = (self._step_of @ spreads).reshape(-1, width, width)
        return bends

    def gradient(self, slopes: Array, weights: Array) -> Array:
        """The slope by all parameters, of games that count `weights` (G,) times."""
        gradient: Array = self._local.T @ (weights[:, None] * slopes).ravel()
        return gradient

    def information(self, bends: Array, weights: Array) -> Array:
        """Minus the second derivatives by all parameters, of games that count `weights` (G,) times."""
        games, width = bends.shape[:2]
        blocks = (weights[:, None, None] * bends, np.arange(games), np.arange(games + 1))
        along = sparse.bsr_array(blocks, (games * width, games * width))
        information: Array = (self._local.T @ along @ self._local).toarray()
        return information

    def beats(self, parameters: Array) -> Array:
        """How probably each player of each game (G, P, P) does better than each other, half a draw counting."""
        sizes, _, within = _subsets(self.players)
        scores = (self._local @ parameters).reshape(-1, self._features.shape[1]) @ self._features.T
        sets, seats = len(sizes), np.arange(self.players)
        members = ((np.arange(1, sets + 1)[:, None] >> seats) & 1).astype(float)
        first = members[:, :, None] * (1.0 - members[:, None, :])
        decided = np.maximum(first, 0.5 * members[:, :, None] * members[:, None, :])
        undecided = (1.0 - members)[:, :, None] * (1.0 - members)[:, None, :]
        possible = np.isin(sizes, [1, *self.draws])
        better = np.zeros((len(scores), sets + 1, self.players, self.players))
        for left in range(1, sets + 1):  # by number, so that what is left after a set comes before
            parts = np.flatnonzero(within[left - 1] & possible)
            chances = special.softmax(scores[:, parts], axis=1)
            after = better[:, left - 1 - parts]
            better[:, left] = np.einsum("gt,gtij->gij", chances, decided[parts] + undecided[parts] * after)
        whole: Array = better[:, sets]
        return whole


@functools.cache
def _subsets(players: int) -> tuple[Array, Array, Array]:
    """All sets of seats but the empty one, set k - 1 having the bits of k.

    Their sizes (T,), each seat's share in them (T, P), and which of them (T, T) lie in which.
    """
    masks = np.arange(1, 2**players)
    members = (masks[:, None] >> np.arange(players)) & 1
    sizes = members.sum(axis=1)
    return sizes, members / sizes[:, None], (masks[:, None] | masks) == masks[:, None]


def _steps(ranks: Array) -> tuple[Array, Array, Array]:
    """How rankings are made from the top: for each step the game, the set that was left, and the best of it (S,).

    The last player is left without a choice; that is no step.
    """
    bits = 1 << np.arange(ranks.shape[1])
    found = []
    for rank in range(ranks.shape[1]):
        best, left = ((ranks == rank) @ bits, (ranks >= rank) @ bits)
        alone = np.isin(left, bits)
        games = np.flatnonzero((best > 0) & ~alone)
        found.append((games, left[games] - 1, best[games] - 1))
    game, left, best = (np.concatenate(part) for part in zip(*found, strict=True))
    return game, left, best
