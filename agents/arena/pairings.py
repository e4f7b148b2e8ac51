"""Pairings: groups of agents, and their seat orders.

A seed determines chance, and the random opening of a game without chance, for all agents that play it. A *match* is one
seat order on `SEEDS_PER_MATCH` seeds in a row, whose games are played in parallel.
"""

from __future__ import annotations

import hashlib
import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from edge_envs.core.spec import Array

SEEDS_PER_MATCH = 16  # of a match
MAX_SEAT_ORDERS = 6  # a group with more plays a balanced part of them
MAX_GROUPS = 120  # if there are more, some are drawn for each round

Group = tuple[int, ...]  # numbers of agents, in order


@dataclass(frozen=True, order=True)
class MatchSpec:
    """A match: the names of the agents by seat, and the number of its first seed."""

    seats: tuple[str, ...]
    first: int

    @property
    def numbers(self) -> range:
        """The seed numbers of its games, counted from the first seed of the tournament."""
        return range(self.first, self.first + SEEDS_PER_MATCH)


def groups(agents: int, players: int) -> list[Group]:
    """Return all groups of agents that fill the seats, each in order.

    With fewer agents than seats, every group contains all agents, some in several seats, as evenly as possible.
    """
    whole, over = divmod(players, agents)
    several = list(range(agents)) * whole
    return [tuple(sorted([*several, *some])) for some in itertools.combinations(range(agents), over)]


def groups_of_round(
    agents: int, players: int, number: int, seed: int, pairs: Sequence[tuple[int, int]] | None = None
) -> list[Group]:
    """Return the groups that play in a round, each once.

    If there are more than `MAX_GROUPS`, groups are drawn so that all agents and pairs meet evenly; the given `pairs`
    meet about as often as in a round of all groups.

    Args:
        agents: the number of agents.
        players: the number of seats.
        number: the number of the round.
        seed: the seed for drawing groups.
        pairs: play only groups that contain one of these pairs; None for all groups.
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
    """Return the first members of the next group; none if all pairs have met often enough."""
    if pairs is None:
        return [_one_of_least(np.diag(met), rng)]
    often = np.array([met[pair] for pair in pairs])
    return list(pairs[_one_of_least(often, rng)]) if often.min() < enough else []


def _one_of_least(numbers: Array, rng: np.random.Generator) -> int:
    return int(rng.choice(np.flatnonzero(numbers == numbers.min())))


def seat_orders(group: Sequence[str], number: int, seed: int) -> list[tuple[str, ...]]:
    """Return the seat orders of a group in its matches with this number: all, or the rotations of a random order.

    Either way each agent has each seat equally often. The result does not depend on the order of `group`.
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
