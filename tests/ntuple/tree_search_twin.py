"""The tree search over whole turns in plain Python, for games without chance and hidden information."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from edge_envs import State
from tests.ntuple.reference import SlowValues, turn_of

MAX_CANDIDATES, WIDTH = 16, 8
EXPLORATION, EXPLORATION_MIX, PRIOR_WEIGHT, TEMPERATURE = 0.6, 0.1, 0.01, 0.2


@dataclass
class Edge:
    """A macro-action, and the edges behind it."""

    path: list[int]
    prior: np.float32
    estimate: list[float]
    sums: list[float]
    visits: int = 0
    below: list[Edge] = field(default_factory=list)


@dataclass
class SlowPlanSearch:
    """One search.

    Args:
        values: The values of the network.
        playout_turns: The number of turns of a playout; 0 for none.
        width: The macro-actions of a node below the root.
        decay: λ of playouts.
    """

    values: SlowValues
    playout_turns: int = 0
    width: int = WIDTH
    decay: float = 0.8
    least: float = math.inf
    most: float = -math.inf

    def search(self, state: State, iterations: int) -> tuple[int, dict[int, int], dict[int, float]]:
        """Return the best action, and the visits and values of all first actions that have a macro-action."""
        self.player = state.current_player()
        edges = self.expand(state, MAX_CANDIDATES)[0]
        once = self.playout_turns > 0 and self.width == 0  # all playouts of a macro-action are the same
        count = min(max(iterations if once else iterations // 2, 1), MAX_CANDIDATES)
        candidates = sorted(edges, key=lambda edge: -edge.prior)[:count]
        rounds, left = 1 if once else max(math.ceil(math.log2(len(candidates))), 1), iterations
        for done in range(rounds):
            each = 1 if once else max(left // ((rounds - done) * len(candidates)), 1)
            left -= each * len(candidates)
            for _ in range(each):
                for edge in candidates:
                    self.iterate(state.clone(), edge)
            weight = PRIOR_WEIGHT / math.sqrt(sum(edge.visits for edge in candidates))
            candidates.sort(key=lambda edge: -self.score(edge, weight))
            candidates = candidates[: (len(candidates) + 1) // 2]
        visits = dict.fromkeys(state.legal_actions(), 0)
        means = dict.fromkeys(state.legal_actions(), math.nan)
        for edge in sorted(edges, key=lambda edge: edge.visits):
            visits[edge.path[0]] += edge.visits
            if edge.visits:
                means[edge.path[0]] = edge.sums[self.player] / edge.visits
        return candidates[0].path[0], visits, means

    def scale(self) -> float:
        """Return the factor that scales differences of means to the range 0 to 1."""
        return 1.0 / (self.most - self.least) if self.most - self.least > 1e-9 else 0.0

    def score(self, edge: Edge, weight: float) -> float:
        """Return the score of a candidate."""
        return edge.sums[self.player] / edge.visits * self.scale() + weight * math.log(edge.prior)

    def returns(self, shares: list[float]) -> list[float]:
        """Return shares of the win as returns."""
        game = self.values.game
        assert game.utility_sum is not None
        shared = game.utility_sum - game.num_players * game.min_utility
        return [game.min_utility + shared * share for share in shares]

    def expand(self, state: State, width: int) -> tuple[list[Edge], list[float]]:
        """Return the macro-actions of a position, and the returns after the best one by the network."""
        player = state.current_player()
        found = [(path, self.values.shares(end, player)) for path, end in self.values.turns(state)]
        found = sorted(found, key=lambda macro: -macro[1][player])[:width]
        powers = [math.exp((shares[player] - found[0][1][player]) / TEMPERATURE) for _, shares in found]
        edges, rest = [], 1.0
        if self.playout_turns:
            path, end = self.own_turn(state)
            edges.append(self.edge(path, 0.5, self.values.shares(end, player)))
            rest = 0.5
        for (path, shares), power in zip(found, powers, strict=True):
            prior = (1.0 - EXPLORATION_MIX) * power / sum(powers) + EXPLORATION_MIX / len(found)
            if not any(path == edge.path for edge in edges):
                edges.append(self.edge(path, rest * prior, shares))
        return edges, self.returns(found[0][1])

    def edge(self, path: list[int], prior: float, shares: list[float]) -> Edge:
        """Return a new edge."""
        return Edge(path, np.float32(prior), self.returns(shares), [0.0] * len(shares))

    def own_turn(self, state: State) -> tuple[list[int], State]:
        """Return the heuristic's decisions in this turn, and the position after them."""
        ahead, path = state.clone(), list[int]()
        while ahead.current_player() == state.current_player() and turn_of(ahead) == turn_of(state):
            path.append(ahead.heuristic_action())
            ahead.apply_action(path[-1])
        return path, ahead

    def play_out(self, state: State) -> list[float]:
        """Return the weighted mean of the values after each turn of the heuristic."""
        total, rest = np.zeros(state.game.num_players), 1.0
        for left in range(self.playout_turns - 1, -1, -1):
            player = state.current_player()
            state = self.own_turn(state)[1]
            weight = rest if state.is_terminal() or left == 0 else rest * (1.0 - self.decay)
            total += weight * np.array(self.returns(self.values.shares(state, player)))
            rest -= weight
            if state.is_terminal():
                break
        return total.tolist()

    def iterate(self, state: State, edge: Edge) -> None:
        """Walk to a new node, evaluate it, and back up its value."""
        walked = []
        while True:
            player = state.current_player()
            walked.append((player, edge))
            for action in edge.path:
                state.apply_action(action)
            if state.is_terminal():
                returns = self.returns(self.values.shares(state, player))
                break
            if not edge.below:
                if self.width:
                    edge.below, returns = self.expand(state, self.width)
                if self.playout_turns:
                    returns = self.play_out(state)
                break
            edge = self.select(edge.below, state.current_player())
        for player, one in reversed(walked):
            one.visits += 1
            one.sums = [total + value for total, value in zip(one.sums, returns, strict=True)]
            mean = one.sums[player] / one.visits
            self.least, self.most = min(self.least, mean), max(self.most, mean)

    def select(self, edges: list[Edge], player: int) -> Edge:
        """Return the edge with the highest PUCT score."""
        spread = EXPLORATION * math.sqrt(1 + sum(edge.visits for edge in edges))

        def score(edge: Edge) -> float:
            mean = edge.sums[player] / edge.visits if edge.visits else edge.estimate[player]
            return mean * self.scale() + spread * float(edge.prior) / (1 + edge.visits)

        return max(edges, key=score)
