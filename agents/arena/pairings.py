"""Who sits where: groups of agents, and the seat_orders of each group.

A *deal* is what chance brings, and how a game without chance begins; deal d is the same for whoever plays it. A
*match* is one seat order on `SEEDS_PER_MATCH` seeds in a row, which are played side by side.
"""

from __future__ import annotations

import hashlib
import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from edge_envs.core.game import Array

SEEDS_PER_MATCH = 16  # of a match
MAX_SEAT_ORDERS = 6  # with more than these a group sits in a balanced part of them
MAX_GROUPS = 120  # with more than these a part of them is drawn for each round

Group = tuple[int, ...]  # numbers of agents, in order


@dataclass(frozen=True, order=True)
class MatchSpec:
    """The agents of all seats by name, and the number of the first deal."""

    seats: tuple[str, ...]
    first: int

    @property
    def numbers(self) -> range:
        """The seed numbers of its games, counted from the first seed of the tournament."""
        return range(self.first, self.first + SEEDS_PER_MATCH)


def groups(agents: int, players: int) -> list[Group]:
    """All groups of agents that fill a table, each in order; with fewer agents than seats some sit there several times.

    All agents are in every group then, as evenly as can be.
    """
    whole, over = divmod(players, agents)
    several = list(range(agents)) * whole
    return [tuple(sorted([*several, *some])) for some in itertools.combinations(range(agents), over)]


def groups_of_round(
    agents: int, players: int, number: int, seed: int, pairs: Sequence[tuple[int, int]] | None = None
) -> list[Group]:
    """The groups that play in a round, each once: those with one of some `pairs` in it; for None all.

    Where there are more than `MAX_GROUPS` they are drawn, so that all agents and pairs meet evenly; some `pairs`
    meet about as often as where all play.
    """
    if agents <= players or math.comb(agents, players) <= MAX_GROUPS:
        return [one for one in groups(agents, players) if pairs is None or any(set(pair) <= set(one) for pair in pairs)]
    rng = np.random.default_rng([seed, number])
    enough = MAX_GROUPS * math.comb(players, 2) / math.comb(agents, 2)
    met = np.zeros((agents, agents))
    drawn: list[Group] = []
    while len(drawn) < MAX_GROUPS and (group := _begun(met, pairs, enough, rng)):
        while len(group) < players:
            often = met[group].sum(axis=0) + 0.5 * np.diag(met)
            often[[tuple(sorted((*group, other))) in drawn for other in range(agents)]] += MAX_GROUPS * players
            often[group] = np.inf
            group.append(_one_of_least(often, rng))
        met[np.ix_(group, group)] += 1
        drawn.append(tuple(sorted(group)))
    return sorted(set(drawn))


def _begun(met: Array, pairs: Sequence[tuple[int, int]] | None, enough: float, rng: np.random.Generator) -> list[int]:
    """Who is in the next group before the others are drawn; nobody if all pairs have met often enough."""
    if pairs is None:
        return [_one_of_least(np.diag(met), rng)]
    often = np.array([met[pair] for pair in pairs])
    return list(pairs[_one_of_least(often, rng)]) if often.min() < enough else []


def _one_of_least(numbers: Array, rng: np.random.Generator) -> int:
    return int(rng.choice(np.flatnonzero(numbers == numbers.min())))


def seat_orders(group: Sequence[str], number: int, seed: int) -> list[tuple[str, ...]]:
    """The seat_orders of a group in its matches number `number`: all, or the turns of a drawn order.

    Either way each agent is in each seat equally often. It does not matter in which order the agents are named.
    """
    named = sorted(group)
    if _distinct(named) <= MAX_SEAT_ORDERS:
        return sorted(set(itertools.permutations(named)))
    who = hashlib.blake2b("\n".join(named).encode(), digest_size=8).digest()
    rng = np.random.default_rng([seed, number, int.from_bytes(who, "big")])
    order = [named[at] for at in rng.permutation(len(named))]
    return [tuple(order[(seat + turn) % len(order)] for seat in range(len(order))) for turn in range(len(order))]


def _distinct(group: Sequence[str]) -> int:
    counts = [group.count(agent) for agent in set(group)]
    return math.factorial(len(group)) // math.prod(math.factorial(count) for count in counts)
