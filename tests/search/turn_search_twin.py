"""Search over whole turns in plain Python, with the same random words."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from edge_envs.core.kernels.rng import mix
from tests.search.twin import GAMMA, MASK, Twin

MAX_MACRO_ACTIONS = 8
MAX_POSITIONS = 128
MIN_T_STATISTIC = 2.0


class TurnSearchTwin(Twin):
    """Run one search over whole turns."""

    def search(self, records: Any, iterations: int) -> tuple[int, dict[int, int]]:
        """Return the best action of a position, and the number of iterations that started with each action."""
        self.records = records
        self.player = self.rules.current_player(records[0])
        self.word = int(mix(records[0].rng))
        macros = self.macros(self.begin(0), min(self.candidates_for(iterations), MAX_MACRO_ACTIONS))
        returns: dict[tuple[int, ...], list[float]] = {macro: [] for macro in macros}
        rounds = max(math.ceil(math.log2(len(macros))), 1)
        own, best, left = macros[0], macros[0], iterations
        for done in range(rounds):
            each = max(left // ((rounds - done) * len(macros)), 1)
            left -= each * len(macros)
            for _ in range(each):
                number = len(returns[own]) + 1
                for macro in macros:
                    returns[macro].append(self.simulate(macro, number))
            if len(macros) == 2:
                gains = np.array(returns[macros[1]]) - np.array(returns[own])
                best = macros[1] if is_significant(gains) else own
            others = sorted(macros[1:], key=lambda macro: -sum(returns[macro]))
            macros = [own, *others][: (len(macros) + 1) // 2]
        visits: dict[int, int] = {}
        for macro, got in returns.items():
            visits[macro[0]] = visits.get(macro[0], 0) + len(got)
        return best[0], visits

    def begin(self, number: int) -> Any:
        """Return determinization `number` of the position, the same for all macro-actions."""
        records = self.records.copy()
        word = int(mix(np.uint64((self.word + number * GAMMA) & MASK))) if number else self.word
        self.rules.determinize(records[0], self.player, np.uint64(word))
        return records

    def macros(self, root: Any, most: int) -> list[tuple[int, ...]]:
        """Return the actions of the macro-actions with the lowest losses."""
        assert self.values is not None
        weights, turn = self.values.weights_with(), self.rules.turn_of(root[0])
        waiting: list[tuple[float, int, int, Any, tuple[int, ...]]] = [(0.0, 0, 0, root, ())]
        seen: set[bytes] = set()
        ends: list[tuple[int, ...]] = []
        order = 0
        while waiting and len(ends) < most and len(seen) < MAX_POSITIONS:
            loss, _, _, records, path = waiting.pop(waiting.index(min(waiting, key=lambda one: one[:3])))
            if path:
                records = records.copy()
                self.rules.apply(records[0], np.int32(path[-1]))
                records[0].rng = root[0].rng
            if fields_of(records) in seen:
                continue
            seen.add(fields_of(records))
            if self.rules.current_player(records[0]) != self.player or self.rules.turn_of(records[0]) != turn:
                ends.append(path)
                continue
            values = np.empty(self.game.num_distinct_actions)
            self.rules.action_values(records[0], weights[0], values)
            for action in np.argsort(-values, kind="stable")[:most].tolist():
                if values[action] > -np.inf:
                    order += 1
                    lost = loss + (values.max() - values[action])
                    waiting.append((lost, -len(path) - 1, order, records, (*path, action)))
        return ends

    def simulate(self, macro: tuple[int, ...], number: int) -> float:
        """Return the player's return from a macro-action and a playout after it."""
        records, returns = self.begin(number), self.zeros()
        for action in macro:
            possible = self.rules.current_player(records[0]) == self.player and action in self.legal(records[0])
            if not possible:
                break
            returns = [a + b for a, b in zip(returns, self.apply(records[0], action), strict=True)]
        return returns[self.player] + self.play_out(records[0])[self.player]


def fields_of(records: Any) -> bytes:
    """Return the bytes of a record's fields, without the padding between them."""
    return b"".join(records[0][name].tobytes() for name in records.dtype.names)


def is_significant(differences: Any) -> bool:
    """Return whether the mean of the differences is more than `MIN_T_STATISTIC` standard errors above 0."""
    count, mean = len(differences), np.mean(differences)
    return bool(count > 1 and mean > 0.0 and mean > MIN_T_STATISTIC * np.std(differences, ddof=1) / math.sqrt(count))
