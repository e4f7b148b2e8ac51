"""The likelihood of how games ended: Bradley-Terry and Plackett-Luce with draws, for two to six players at a table.

A game is a ranking, made from the top: of the players L that are left a set T is the next best with a probability in
proportion to delta(|T|, |L|) * exp(sum of the worths in T, each less the mean of those in L), where delta(1, |L|) = 1.
Without draws this is Plackett-Luce, for two players also called Bradley-Terry. With draws it is Davidson's model for
two. For more, Turner, van Etten, Firth and Kosmidis (2020) take the mean of the worths in T, and one delta for all L.
But where all but one win together, or all but one lose, such a delta has to be huge and small at once, and the worths
have to differ as many times more. With the sum, two players that change places change the odds by all that their worths
differ. A player's worth is that of its agent plus that of its seat. Each step is a multinomial logit, so the logarithm
of the likelihood is concave.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np
from scipy import sparse, special

from edge_envs.core.spec import Array


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

    @property
    def own(self) -> Array:
        """What share each seat has in the agent of each seat (G, P, P): 1 in its own, where no agent sits twice."""
        same = (self.seats[:, :, None] == self.seats[:, None, :]).astype(float)
        shares: Array = same / same.sum(axis=2, keepdims=True)
        return shares

    def distinct(self) -> tuple[Outcomes, Array]:
        """The games that differ, and for each of these games its number among those."""
        both = np.concatenate([self.seats, self.ranks], axis=1)
        rows, numbers = np.unique(both, axis=0, return_inverse=True)
        return Outcomes(rows[:, : self.players], rows[:, self.players :]), numbers.ravel()


class Likelihood:
    """How likely games are, by one vector of parameters: worths of agents, worths of seats, log delta of each draw.

    Of so many players that are left, only as many do best together as in some game. The fewest of these have a delta
    of 1; `draws` tells the others, and of how many players they are.
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
        self._possible = within & seen[self._sizes[:, None], self._sizes]  # the sets that may be the best of those left
        self._features = np.concatenate([members, self._sizes[:, None] == drawn[0]], axis=1)
        self._counts = np.concatenate([np.ones(members.shape), self._sizes[:, None] == drawn[1]], axis=1)
        self._means = np.zeros(self._features.shape)  # the parts of those that are left in what they are worth
        self._means[:, : self.players] = members / self._sizes[:, None]
        self._left = left
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
        local = (self._local @ parameters).reshape(-1, self._features.shape[1])[self._game]
        means = (local * self._means[self._left]).sum(axis=1, keepdims=True)
        scores = (local * self._counts[self._left]) @ self._features.T - means * self._sizes
        logs = np.where(self._possible[self._left], scores, -np.inf)
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
        more = (self._features[self._best] - probabilities @ self._features) * self._counts[self._left]
        larger = self._sizes[self._best] - probabilities @ self._sizes
        slopes: Array = self._step_of @ (more - larger[:, None] * self._means[self._left])
        return slopes

    def bends(self, parameters: Array) -> Array:
        """Minus the second derivatives (G, P + D, P + D) of the log-likelihood of each game, by the same."""
        _, probabilities = self._steps_told(parameters)
        features = np.concatenate([self._features, self._sizes[:, None]], axis=1)
        width = features.shape[1]
        means = probabilities @ features
        products = (features[:, :, None] * features[:, None, :]).reshape(len(features), -1)
        spreads = (probabilities @ products).reshape(-1, width, width) - means[:, :, None] * means[:, None, :]
        # What a step has of the parameters is linear in the features of a set and its size.
        own = np.zeros((len(self._sizes), width - 1, width))
        own[:, :, :-1] = self._counts[:, :, None] * np.eye(width - 1)
        own[:, :, -1] = -self._means
        linear = own[self._left]
        centred = linear @ spreads @ linear.transpose(0, 2, 1)
        bends: Array = (self._step_of @ centred.reshape(len(centred), -1)).reshape(-1, width - 1, width - 1)
        return bends

    def gradient(self, slopes: Array, weights: Array) -> Array:
        """The slope by all parameters, of games that count `weights` (G,) times."""
        gradient: Array = self._local.T @ (weights[:, None] * slopes).ravel()
        return gradient

    def along(self, slopes: Array, direction: Array) -> Array:
        """The slope of each game (G,) in a direction of the parameters."""
        local = (self._local @ direction).reshape(slopes.shape)
        along: Array = (slopes * local).sum(axis=1)
        return along

    def information(self, bends: Array, weights: Array) -> Array:
        """Minus the second derivatives by all parameters, of games that count `weights` (G,) times."""
        games, width = bends.shape[:2]
        blocks = (weights[:, None, None] * bends, np.arange(games), np.arange(games + 1))
        along = sparse.bsr_array(blocks, (games * width, games * width))
        information: Array = (self._local.T @ along @ self._local).toarray()
        return information

    def beats(self, parameters: Array) -> tuple[Array, Array]:
        """How often the agent of each seat does better than that of each other, expected, and the variance (G, P, P).

        A draw counts half. Of an agent in several seats it is the mean over these.
        """
        members, _ = _subsets(self.players)
        tables, games = np.unique(self.outcomes.seats, axis=0, return_inverse=True)
        first = np.zeros(len(tables), int)
        first[games.ravel()] = np.arange(len(self.outcomes.seats))
        local = (self._local @ parameters).reshape(-1, self._features.shape[1])[first]
        own = Outcomes(tables, tables).own
        mean, square = np.zeros((2, len(tables), len(members) + 1, self.players, self.players))
        for left in range(1, len(members) + 1):  # by number, so that what is left after a set comes before
            parts = np.flatnonzero(self._possible[left - 1])
            if not parts.size:  # one player, or as many as were never left
                parts = np.array([left - 1])
            means = local @ self._means[left - 1]
            scores = (local * self._counts[left - 1]) @ self._features[parts].T - means[:, None] * self._sizes[parts]
            chances = special.softmax(scores, axis=1)
            worse = members[left - 1] - 0.5 * members[parts]  # one half for those who are among the best as well
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
    """All sets of seats but the empty one, set k - 1 having the bits of k.

    Which seats (T, P) and which sets (T, T) lie in each.
    """
    masks = np.arange(1, 2**players)
    members = ((masks[:, None] >> np.arange(players)) & 1).astype(float)
    return members, (masks[:, None] | masks) == masks[:, None]


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
