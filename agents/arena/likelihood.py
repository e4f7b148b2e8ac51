"""The likelihood of game results: Bradley-Terry and Plackett-Luce models with draws, for two to six players.

A game is a ranking, built from the top. A set T of the remaining players L comes next with a probability proportional
to delta(|T|, |L|) * exp(sum of the strengths in T, each minus the mean strength in L), where delta(1, |L|) = 1.

Without draws this is the Plackett-Luce model, for two players the Bradley-Terry model. For two players with draws it is
Davidson's model (1970). For more players, Turner, van Etten, Firth and Kosmidis (2020) use the mean of the strengths in
T and one delta for all L. But if all players but one win together, or all but one lose, that delta would have to be
huge and small at once, and strengths would have to differ by a multiple. With the sum, two players that swap ranks
change the odds by the full difference of their strengths. The strength of a player is that of its agent plus that of
its seat. Each step is a multinomial logit, so the log-likelihood is concave.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np
from scipy import sparse, special

from edge_envs.core.spec import Array


@dataclass(frozen=True)
class Outcomes:
    """G games of P players: the agents by seat, and the ranks."""

    seats: Array  # (G, P) numbers of agents
    ranks: Array  # (G, P) the number of players that did better

    @classmethod
    def of_returns(cls, seats: Array, returns: Array) -> Outcomes:
        """Rank games by their returns."""
        values = np.asarray(returns, float)
        return cls(np.asarray(seats, np.int64), (values[:, None, :] > values[:, :, None]).sum(axis=2))

    @property
    def players(self) -> int:
        """The number of players."""
        return int(self.seats.shape[1])

    @property
    def own(self) -> Array:
        """The share of each seat in the agent of each seat (G, P, P): the identity if no agent has several seats."""
        same = (self.seats[:, :, None] == self.seats[:, None, :]).astype(float)
        shares: Array = same / same.sum(axis=2, keepdims=True)
        return shares

    def distinct(self) -> tuple[Outcomes, Array]:
        """Return the distinct games, and the index of each game among them."""
        both = np.concatenate([self.seats, self.ranks], axis=1)
        rows, numbers = np.unique(both, axis=0, return_inverse=True)
        return Outcomes(rows[:, : self.players], rows[:, self.players :]), numbers.ravel()


class Likelihood:
    """The likelihood of games as a function of one vector: strengths of agents, strengths of seats, log delta of draws.

    For each number of remaining players, only sizes of the best set that occur in some game are possible. The smallest
    has a delta of 1; `draws` lists the others as (size, remaining players).
    """

    def __init__(self, outcomes: Outcomes, agents: int) -> None:
        self.outcomes, self.agents, self.players = outcomes, agents, outcomes.players
        members, within = _subsets(self.players)
        self._sizes = members.sum(axis=1).astype(int)
        self._game, left, self._best = _steps(outcomes.ranks)
        seen = np.zeros((self.players + 1, self.players + 1), bool)
        seen[self._sizes[left], self._sizes[self._best]] = True
        self.draws = [
            (size, count) for count in range(2, self.players + 1) for size in np.flatnonzero(seen[count])[1:].tolist()
        ]
        drawn = np.array(self.draws, int).reshape(-1, 2).T
        self._possible = within & seen[self._sizes[:, None], self._sizes]  # the sets that can come next
        self._features = np.concatenate([members, self._sizes[:, None] == drawn[0]], axis=1)
        self._counts = np.concatenate([np.ones(members.shape), self._sizes[:, None] == drawn[1]], axis=1)
        self._means = np.zeros(self._features.shape)  # the weights of the mean strength
        self._means[:, : self.players] = members / self._sizes[:, None]
        self._left = left
        self.size = agents + self.players + len(self.draws)
        self._local = self._local_parameters()
        self._step_of = sparse.csr_array(
            (np.ones(len(self._game)), (self._game, np.arange(len(self._game)))),
            (len(outcomes.seats), len(self._game)),
        )

    def _local_parameters(self) -> sparse.csr_array:
        """Return the matrix that maps all parameters to those of each game: of its players, and of draws."""
        seats, (games, players) = self.outcomes.seats, self.outcomes.seats.shape
        width, draws = players + len(self.draws), np.arange(len(self.draws))
        rows = np.arange(games)[:, None] * width
        of_agents = (rows + np.arange(players), seats)
        of_seats = (rows + np.arange(players), np.broadcast_to(self.agents + np.arange(players), seats.shape))
        shape = (games, len(draws))
        of_draws = (rows + players + draws, np.broadcast_to(self.agents + players + draws, shape))
        row, column = (np.concatenate([part[k].ravel() for part in (of_agents, of_seats, of_draws)]) for k in (0, 1))
        return sparse.csr_array((np.ones(len(row)), (row, column)), (games * width, self.size))

    def _step_probabilities(self, parameters: Array) -> tuple[Array, Array]:
        """Return the log-probabilities of all sets at each step (S, T), -inf if impossible, and the probabilities."""
        local = (self._local @ parameters).reshape(-1, self._features.shape[1])[self._game]
        means = (local * self._means[self._left]).sum(axis=1, keepdims=True)
        scores = (local * self._counts[self._left]) @ self._features.T - means * self._sizes
        logs = np.where(self._possible[self._left], scores, -np.inf)
        logs -= special.logsumexp(logs, axis=1, keepdims=True)
        return logs, np.exp(logs)

    def logarithms(self, parameters: Array) -> Array:
        """Return the log-likelihood of each game (G,)."""
        logs, _ = self._step_probabilities(parameters)
        logarithms: Array = self._step_of @ logs[np.arange(len(logs)), self._best]
        return logarithms

    def slopes(self, parameters: Array) -> Array:
        """Return the gradient (G, P + D) of each game's log-likelihood, by strengths of players and by draws."""
        _, probabilities = self._step_probabilities(parameters)
        more = (self._features[self._best] - probabilities @ self._features) * self._counts[self._left]
        larger = self._sizes[self._best] - probabilities @ self._sizes
        slopes: Array = self._step_of @ (more - larger[:, None] * self._means[self._left])
        return slopes

    def bends(self, parameters: Array) -> Array:
        """Return the negative Hessian (G, P + D, P + D) of each game's log-likelihood, by the same parameters."""
        _, probabilities = self._step_probabilities(parameters)
        features = np.concatenate([self._features, self._sizes[:, None]], axis=1)
        width = features.shape[1]
        means = probabilities @ features
        products = (features[:, :, None] * features[:, None, :]).reshape(len(features), -1)
        spreads = (probabilities @ products).reshape(-1, width, width) - means[:, :, None] * means[:, None, :]
        # The score of a set is linear in its features and its size.
        own = np.zeros((len(self._sizes), width - 1, width))
        own[:, :, :-1] = self._counts[:, :, None] * np.eye(width - 1)
        own[:, :, -1] = -self._means
        linear = own[self._left]
        centred = linear @ spreads @ linear.transpose(0, 2, 1)
        bends: Array = (self._step_of @ centred.reshape(len(centred), -1)).reshape(-1, width - 1, width - 1)
        return bends

    def gradient(self, slopes: Array, weights: Array) -> Array:
        """Return the gradient by all parameters, for games that count `weights` (G,) times."""
        gradient: Array = self._local.T @ (weights[:, None] * slopes).ravel()
        return gradient

    def along(self, slopes: Array, direction: Array) -> Array:
        """Return the directional derivative of each game (G,)."""
        local = (self._local @ direction).reshape(slopes.shape)
        along: Array = (slopes * local).sum(axis=1)
        return along

    def bend_along(self, bends: Array, direction: Array) -> Array:
        """Return minus the second directional derivative of each game (G,)."""
        local = (self._local @ direction).reshape(bends.shape[:2])
        along: Array = np.einsum("gi,gij,gj->g", local, bends, local)
        return along

    def information(self, bends: Array, weights: Array) -> Array:
        """Return the information matrix of all parameters, for games that count `weights` (G,) times."""
        games, width = bends.shape[:2]
        blocks = (weights[:, None, None] * bends, np.arange(games), np.arange(games + 1))
        along = sparse.bsr_array(blocks, (games * width, games * width))
        information: Array = (self._local.T @ along @ self._local).toarray()
        return information

    def beats(self, parameters: Array) -> tuple[Array, Array]:
        """Return the expected score of the agent of each seat against that of each other, and its variance (G, P, P).

        A draw counts half. For an agent in several seats it is the mean over these.
        """
        members, _ = _subsets(self.players)
        tables, games = np.unique(self.outcomes.seats, axis=0, return_inverse=True)
        first = np.zeros(len(tables), int)
        first[games.ravel()] = np.arange(len(self.outcomes.seats))
        local = (self._local @ parameters).reshape(-1, self._features.shape[1])[first]
        own = Outcomes(tables, tables).own
        mean, square = np.zeros((2, len(tables), len(members) + 1, self.players, self.players))
        for left in range(1, len(members) + 1):  # in order, so that the players left after a set come earlier
            parts = np.flatnonzero(self._possible[left - 1])
            if not parts.size:  # one player, or a number that never remained
                parts = np.array([left - 1])
            means = local @ self._means[left - 1]
            scores = (local * self._counts[left - 1]) @ self._features[parts].T - means[:, None] * self._sizes[parts]
            chances = special.softmax(scores, axis=1)
            worse = members[left - 1] - 0.5 * members[parts]  # one half for players that are also in the best set
            decided = (
                own[:, None] @ (members[parts][:, :, None] * worse[:, None, :]) @ own[:, None].transpose(0, 1, 3, 2)
            )
            after = left - 1 - parts
            mean[:, left] = np.einsum("gt,gtij->gij", chances, decided + mean[:, after])
            both = decided**2 + 2.0 * decided * mean[:, after] + square[:, after]
            square[:, left] = np.einsum("gt,gtij->gij", chances, both)
        expected, numbers = mean[:, -1], games.ravel()
        return expected[numbers], np.maximum(square[:, -1] - expected**2, 0.0)[numbers]


@functools.cache
def _subsets(players: int) -> tuple[Array, Array]:
    """Return all non-empty sets of seats; set k - 1 has the bits of k.

    Returns:
        The members of each set (T, P), and which sets are subsets of each (T, T).
    """
    masks = np.arange(1, 2**players)
    members = ((masks[:, None] >> np.arange(players)) & 1).astype(float)
    return members, (masks[:, None] | masks) == masks[:, None]


def _steps(ranks: Array) -> tuple[Array, Array, Array]:
    """Split rankings into steps: for each, the game, the set of remaining players, and the best set (S,).

    A last single player is not a step.
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
