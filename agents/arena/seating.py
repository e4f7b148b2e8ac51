"""Who sits where: groups of agents, and the seatings of each group.

A *deal* is what chance brings, and how a game without chance begins; deal d is the same for whoever plays it. A
*sitting* is a seating with `DEALS` deals in a row, which are played side by side.
"""

from __future__ import annotations

import hashlib
import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from edge_envs.core.game import Array

DEALS = 16  # of a sitting
ALL_SEATINGS = 6  # with more than these a group sits in a balanced part of them
ALL_GROUPS = 120  # with more than these a part of them is drawn for each round

Group = tuple[int, ...]  # numbers of agents, in order


@dataclass(frozen=True, order=True)
class Sitting:
    """The agents of all seats by name, and the number of the first deal."""

    seats: tuple[str, ...]
    first: int

    @property
    def deals(self) -> range:
        """The numbers of its deals."""
        return range(self.first, self.first + DEALS)


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

    Where there are more than `ALL_GROUPS` they are drawn, so that all agents and pairs meet evenly; for each of some
    `pairs` as many as it has on average where all play.
    """
    if agents <= players or math.comb(agents, players) <= ALL_GROUPS:
        return [one for one in groups(agents, players) if pairs is None or any(set(pair) <= set(one) for pair in pairs)]
    rng = np.random.default_rng([seed, number])
    met = np.zeros((agents, agents))
    chosen: set[Group] = set()
    for begun in _begun(agents, players, pairs):
        group = begun or [_one_of_least(np.diag(met), rng)]
        while len(group) < players:
            often = met[group].sum(axis=0) + 0.5 * np.diag(met)
            often[group] = np.inf
            often[[tuple(sorted((*group, other))) in chosen for other in range(agents)]] = np.inf
            if np.isinf(often).all():
                break
            group.append(_one_of_least(often, rng))
        else:
            met[np.ix_(group, group)] += 1
            chosen.add(tuple(sorted(group)))
    return sorted(chosen)


def _begun(agents: int, players: int, pairs: Sequence[tuple[int, int]] | None) -> list[list[int]]:
    """Who is in the groups of a round before the others are drawn."""
    if pairs is None:
        return [[] for _ in range(ALL_GROUPS)]
    each = math.ceil(ALL_GROUPS * math.comb(players, 2) / math.comb(agents, 2))
    return [list(pair) for pair in pairs for _ in range(each)]


def _one_of_least(numbers: Array, rng: np.random.Generator) -> int:
    return int(rng.choice(np.flatnonzero(numbers == numbers.min())))


def seatings(group: Sequence[str], number: int, seed: int) -> list[tuple[str, ...]]:
    """The seatings of a group in its sittings number `number`: all, or the turns of a drawn order.

    Either way each agent is in each seat equally often. It does not matter in which order the agents are named.
    """
    named = sorted(group)
    if _distinct(named) <= ALL_SEATINGS:
        return sorted(set(itertools.permutations(named)))
    who = hashlib.blake2b("\n".join(named).encode(), digest_size=8).digest()
    rng = np.random.default_rng([seed, number, int.from_bytes(who, "big")])
    order = [named[at] for at in rng.permutation(len(named))]
    return [tuple(order[(seat + turn) % len(order)] for seat in range(len(order))) for turn in range(len(order))]


def _distinct(group: Sequence[str]) -> int:
    counts = [group.count(agent) for agent in set(group)]
    return math.factorial(len(group)) // math.prod(math.factorial(count) for count in counts)
