"""The search among whole turns in plain Python, with the same random words."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from edge_envs.core.kernels.rng import mix
from tests.search.twin import GAMMA, MASK, Twin

MOST_PLANS = 8
MOST_POSITIONS = 128
SURE = 2.0


class RehearsalTwin(Twin):
    """One search of a game whose turns are compared as a whole."""

    def search(self, records: Any, iterations: int) -> tuple[int, dict[int, int]]:
        """The best action of a position, and the iterations that began with each."""
        self.records = records
        self.player = self.rules.current_player(records[0])
        self.word = int(mix(records[0].rng))
        plans = self.plans(self.begin(0), min(self.candidates_for(iterations), MOST_PLANS))
        returns: dict[tuple[int, ...], list[float]] = {plan: [] for plan in plans}
        rounds = max(math.ceil(math.log2(len(plans))), 1)
        own, best, left = plans[0], plans[0], iterations
        for done in range(rounds):
            each = max(left // ((rounds - done) * len(plans)), 1)
            left -= each * len(plans)
            for _ in range(each):
                number = len(returns[own]) + 1
                for plan in plans:
                    returns[plan].append(self.rehearse(plan, number))
            if len(plans) == 2:
                gains = np.array(returns[plans[1]]) - np.array(returns[own])
                best = plans[1] if is_sure(gains) else own
            others = sorted(plans[1:], key=lambda plan: -sum(returns[plan]))
            plans = [own, *others][: (len(plans) + 1) // 2]
        visits: dict[int, int] = {}
        for plan, got in returns.items():
            visits[plan[0]] = visits.get(plan[0], 0) + len(got)
        return best[0], visits

    def begin(self, number: int) -> Any:
        """The position with hidden parts and a random word drawn anew, the same for all plans."""
        records = self.records.copy()
        word = int(mix(np.uint64((self.word + number * GAMMA) & MASK))) if number else self.word
        self.rules.determinize(records[0], self.player, np.uint64(word))
        return records

    def plans(self, root: Any, most: int) -> list[tuple[int, ...]]:
        """The ways to the ends of the turn that lose least, as the actions of each."""
        assert self.values is not None
        weights, turn = self.values.weights_with(), self.rules.turn_of(root[0])
        waiting: list[tuple[float, int, int, Any, tuple[int, ...]]] = [(0.0, 0, 0, root, ())]
        seen: set[bytes] = set()
        ends: list[tuple[int, ...]] = []
        order = 0
        while waiting and len(ends) < most and len(seen) < MOST_POSITIONS:
            loss, _, _, records, way = waiting.pop(waiting.index(min(waiting, key=lambda one: one[:3])))
            if way:
                records = records.copy()
                self.rules.apply(records[0], np.int32(way[-1]))
                records[0].rng = root[0].rng
            if fields_of(records) in seen:
                continue
            seen.add(fields_of(records))
            if self.rules.current_player(records[0]) != self.player or self.rules.turn_of(records[0]) != turn:
                ends.append(way)
                continue
            values = np.empty(self.game.num_distinct_actions)
            self.rules.action_values(records[0], weights[0], values)
            for action in np.argsort(-values, kind="stable")[:most].tolist():
                if values[action] > -np.inf:
                    order += 1
                    lost = loss + (values.max() - values[action])
                    waiting.append((lost, -len(way) - 1, order, records, (*way, action)))
        return ends

    def rehearse(self, plan: tuple[int, ...], number: int) -> float:
        """What the player gets from a plan and what follows."""
        records, returns = self.begin(number), self.nothing()
        for action in plan:
            possible = self.rules.current_player(records[0]) == self.player and action in self.legal(records[0])
            if not possible:
                break
            returns = [a + b for a, b in zip(returns, self.apply(records[0], action), strict=True)]
        return returns[self.player] + self.play_out(records[0])[self.player]


def fields_of(records: Any) -> bytes:
    """What a record holds, without the bytes between its fields."""
    return b"".join(records[0][name].tobytes() for name in records.dtype.names)


def is_sure(differences: Any) -> bool:
    """Whether the mean of differences is so many times its standard error above 0."""
    count, mean = len(differences), np.mean(differences)
    return bool(count > 1 and mean > 0.0 and mean > SURE * np.std(differences, ddof=1) / math.sqrt(count))
