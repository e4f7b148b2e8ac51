"""The tree search in plain Python over `State`, with the same random words: slow, and written to be read.

It keeps a dictionary for each node in place of arrays. Positions are records, because a game's random word is part of
them; they are only changed by the game's kernels, one call each.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from edge_envs import CHANCE, TERMINAL, Game
from edge_envs.core.kernels.rng import draw, mix
from edge_envs.core.spec import Array
from edge_envs.search.fitted import Fit, read_fit
from edge_envs.search.guided import BLOCK, Guide, ValuingGuide

MASK = 2**64 - 1
GAMMA = 0x9E3779B97F4A7C15
MOST_CANDIDATES = 16
EXPLORATION = 0.6
TRUST = 1.0
DOUBT = 0.1


@dataclass
class Edge:
    """What was chosen at a node."""

    action: int
    prior: float
    sums: list[float]
    visits: int = 0
    available: int = 0
    children: dict[int, dict[int, Edge]] = field(default_factory=dict)  # by the player to act: edges by action


class Twin:
    """One search of a game, by the priors of a guide if there is one."""

    def __init__(self, game: Game, guide: Guide | None = None) -> None:
        self.game, self.values, self.guide = game, game.type.values, guide
        self.rules: Any = game.compiled.kernels
        self.fit: Fit | None = read_fit(game)
        fitted = Game(game.type, self.fit.params) if self.fit else game
        self.shares_losses = fitted.max_utility < -fitted.min_utility
        self.least, self.most = math.inf, -math.inf
        self.root: dict[int, Edge] = {}

    def search(self, records: Any, iterations: int) -> tuple[int, dict[int, int]]:
        """The best action of a position, and the iterations that began with each."""
        self.records = records
        self.player = self.rules.current_player(records[0])
        self.word = int(mix(records[0].rng))
        self.root = self.expand(records[0])
        ranked = [edge for edge in self.root.values() if edge.prior > 0.0]
        ranked.sort(key=lambda edge: (-np.float32(edge.prior), edge.action))
        candidates = ranked[: self.candidates_for(iterations)]
        rounds = math.ceil(math.log2(len(candidates)))
        left = iterations
        for done in range(rounds):
            each = max(left // ((rounds - done) * len(candidates)), 1)
            left -= each * len(candidates)
            self.grow(candidates, each)
            weight = TRUST / math.sqrt(sum(edge.visits for edge in candidates))
            candidates.sort(key=lambda edge: -self.worth(edge, weight))
            candidates = candidates[: (len(candidates) + 1) // 2]
        if not rounds:
            self.grow(candidates, iterations)
        return candidates[0].action, {action: edge.visits for action, edge in self.root.items() if edge.visits}

    @staticmethod
    def candidates_for(iterations: int) -> int:
        """The most candidates, a power of two, that get an iteration in each round."""
        sizes = [2**k for k in range(5) if k * 2**k <= iterations]
        return max(size for size in sizes if size <= MOST_CANDIDATES)

    def worth(self, edge: Edge, weight: float) -> float:
        """What a candidate is worth in a round of halving."""
        return edge.sums[self.player] / edge.visits * self.scale() + weight * math.log(np.float32(edge.prior))

    def scale(self) -> float:
        """What makes differences of means numbers from 0 to 1."""
        return 1.0 / (self.most - self.least) if self.most - self.least > 1e-9 else 0.0

    def grow(self, candidates: list[Edge], each: int) -> None:
        """So many iterations for each candidate; with a guide all set out before the first goes on."""
        for _ in range(each):
            waiting = []
            for edge in candidates:
                copies = self.records.copy()
                word = (self.word + edge.visits * GAMMA) & MASK
                self.rules.determinize(copies[0], self.player, np.uint64(mix(np.uint64(word))))
                walk = self.iterate(copies[0], edge)
                next(walk)
                if self.guide is None:
                    list(walk)
                else:
                    waiting.append(walk)
            while waiting:
                waiting = [walk for walk in waiting if next(walk, self) is not self]

    def iterate(self, state: Any, edge: Edge) -> Iterator[None]:
        """Down the tree, to a leaf, and back; stops at positions without edges, or else once, at the leaf."""
        stopped = told = False
        path: list[tuple[int, Edge, list[float]]] = []
        player = int(self.rules.current_player(state))
        going: Edge | None = edge
        while going is not None:
            path.append((player, going, self.apply(state, going.action)))
            player = int(self.rules.current_player(state))
            is_new = player not in going.children
            node = going.children.setdefault(player, {})
            if player == TERMINAL or (is_new and player != CHANCE and not isinstance(self.guide, ValuingGuide)):
                break
            if player == CHANCE:
                outcome = int(self.rules.sample_chance(state))
                going = node.setdefault(outcome, Edge(outcome, 1.0, self.nothing()))
            else:
                if not node:
                    stopped = True
                    yield
                    if self.tells(player):
                        told = True
                        node.update(self.expand(state))
                        break
                going = self.select(state, node, player)
        if not stopped:
            yield
        returns = self.told(state, player) if told else self.play_out(state)
        for mover, taken, gains in reversed(path):
            taken.visits += 1
            for p, gain in enumerate(gains):
                returns[p] += gain
                taken.sums[p] += returns[p]
            if mover >= 0:
                mean = taken.sums[mover] / taken.visits
                self.least, self.most = min(self.least, mean), max(self.most, mean)

    def select(self, state: Any, node: dict[int, Edge], player: int) -> Edge:
        """The edge that promises most among those that are legal now."""
        if not node:
            node.update(self.expand(state))
            legal = list(node)
        else:
            legal = self.legal(state)
        known = [edge for edge in node.values() if edge.action in legal]
        for action in legal:
            if action not in node:
                node[action] = Edge(action, 1.0 / len(legal), self.nothing())
        visits = sum(edge.visits for edge in known)
        average = sum(edge.sums[player] for edge in known) / visits if visits else 0.0
        best, highest = next(iter(node.values())), -math.inf
        for edge in node.values():
            if edge.action in legal:
                edge.available += 1
                mean = edge.sums[player] / edge.visits if edge.visits else average
                bonus = EXPLORATION * float(np.float32(edge.prior)) * math.sqrt(edge.available) / (1 + edge.visits)
                worth = mean * self.scale() + bonus - (1e12 if edge.prior == 0.0 else 0.0)
                if worth > highest:
                    best, highest = edge, worth
        return best

    def expand(self, state: Any) -> dict[int, Edge]:
        """The edges of a position that nobody has looked at."""
        legal = self.legal(state)
        if self.guide is not None:
            priors = {a: (1.0 - DOUBT) * p + DOUBT / len(legal) for a, p in self.likely(state, legal).items()}
            return {action: Edge(action, priors[action], self.nothing()) for action in legal}
        if self.values is None:
            return {action: Edge(action, 1.0 / len(legal), self.nothing()) for action in legal}
        values = np.empty(self.game.num_distinct_actions)
        self.rules.action_values(state, self.values.weights_with()[0], values)
        temperature = self.values.temperature or self.values.span / 4.0
        powers = {a: math.exp((values[a] - values.max()) / temperature) for a in legal if values[a] > -np.inf}
        total = sum(powers.values())
        priors = {a: (1.0 - DOUBT) * power / total + DOUBT / len(powers) for a, power in powers.items()}
        return {action: Edge(action, priors.get(action, 0.0), self.nothing()) for action in legal}

    def likely(self, state: Any, legal: list[int]) -> dict[int, float]:
        """What the guide says of the legal actions."""
        assert self.guide is not None
        answer = self.guide.probabilities(*self.question(state))[0]
        return {action: answer[action] / answer[legal].sum() for action in legal}

    def tells(self, player: int) -> bool:
        """Whether the guide says what a new position is worth where this player is to act."""
        return isinstance(self.guide, ValuingGuide) and (player == self.player or not self.guide.learned_alone)

    def told(self, state: Any, player: int) -> list[float]:
        """What the guide says that each player is to get."""
        assert isinstance(self.guide, ValuingGuide)
        worths = self.guide.answers(*self.question(state))[1][0]
        return [float(worths[(p - player) % len(worths)]) for p in range(len(worths))]

    def question(self, state: Any) -> tuple[Array, Array]:
        """What a guide is shown of a position, in every row of a block."""
        observation = np.empty(self.game.observation_shape, self.game.observation_dtype)
        self.rules.observe(state, self.rules.current_player(state), observation)
        mask = np.zeros(self.game.num_distinct_actions, np.int8)
        mask[self.legal(state)] = 1
        return np.repeat(observation[None], BLOCK, 0), np.repeat(mask[None], BLOCK, 0)

    def play_out(self, state: Any) -> list[float]:
        """What each player gets from here on."""
        returns, left = self.nothing(), self.fit.cut if self.fit else 10**9
        turn = self.rules.turn_of(state) if self.values else 0
        mask = np.zeros(self.game.num_distinct_actions, np.int8)
        while (player := int(self.rules.current_player(state))) != TERMINAL:
            if player == CHANCE:
                action = self.rules.sample_chance(state)
            elif self.values is None:
                action = self.rules.random_action(state, np.uint64(draw(state)), mask)
            else:
                if self.rules.turn_of(state) != turn:
                    turn, left = self.rules.turn_of(state), left - 1
                    if left <= 0:
                        return [a + b for a, b in zip(returns, self.value(state, player), strict=True)]
                action = self.rules.heuristic(state)
            returns = [a + b for a, b in zip(returns, self.apply(state, action), strict=True)]
        return returns

    def value(self, state: Any, mover: int) -> list[float]:
        """The fitted value of a position for each player."""
        assert self.fit is not None
        assert self.values is not None
        scores = []
        for p in range(self.game.num_players):
            features = np.empty(len(self.values.features))
            self.rules.position_features(state, p, self.player, self.values.weights_with()[0], features)
            row = self.fit.weights[min((p - mover) % self.game.num_players, len(self.fit.weights) - 1)]
            score = row[-1]
            for k in range(len(features)):
                score += row[k] * features[k]
            scores.append(score)
        powers = [math.exp(score - max(scores)) for score in scores]
        low, high = self.game.min_utility, self.game.max_utility
        alone = high if self.shares_losses else low
        total = self.game.utility_sum if self.game.utility_sum is not None else self.fit.utility_sum
        shared = total - self.game.num_players * alone
        return [alone + shared * power / sum(powers) for power in powers]

    def legal(self, state: Any) -> list[int]:
        """The legal actions of a record at a decision."""
        mask = np.zeros(self.game.num_distinct_actions, np.int8)
        self.rules.legal_action_mask(state, mask)
        return np.flatnonzero(mask).tolist()

    def apply(self, state: Any, action: int) -> list[float]:
        """Change a record; the rewards."""
        gains = np.empty(self.game.num_players)
        self.rules.apply(state, np.int32(action))
        self.rules.rewards(state, gains)
        return gains.tolist()

    def nothing(self) -> list[float]:
        """No return for anybody."""
        return [0.0] * self.game.num_players
