"""The opponent pool of a training, including snapshots of the policy; hard opponents can be drawn more often."""

from __future__ import annotations

import copy
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from agents.common.configuration import Section, parse
from agents.common.devices import playing_device
from agents.common.files import read_json, write_whole
from agents.players.agent import make_agent
from agents.players.policy import PolicyAgent
from agents.training.checkpoint import Write
from agents.training.config import PolicyConfig
from edge_envs import Game, OpponentMix
from edge_envs.core.opponent import Generator
from edge_envs.core.spec import Array, Records
from edge_envs.envs.opponents import BUILT_IN
from edge_envs.envs.seat_lanes import SeatLanes
from edge_envs.players import Agent

LEAST = 0.05
"""A lower bound on the rate at which an opponent wins, so that every opponent is still drawn."""


class SnapshotAgent:
    """A slot of the pool: samples from a frozen policy, which can be replaced."""

    needs_states = False

    def __init__(self, slot: int, policy: PolicyAgent) -> None:
        self.name = f"snapshot {slot}"
        self.freeze(policy)

    def freeze(self, policy: PolicyAgent) -> None:
        """Play a copy of this policy from now on."""
        self.policy = PolicyAgent(copy.deepcopy(policy.network), policy.game, policy.architecture)
        self.policy.greedy = False

    def act(
        self, observations: Array, action_masks: Array, states: Records | None, players: Array, rng: Generator
    ) -> Array:
        """Return legal actions (k,) of the frozen policy."""
        return self.policy.act(observations, action_masks, states, players, rng)


@dataclass
class Member:
    """An opponent of the pool, with the learner's results against it.

    The score is the number of games that the learner won; draws count half. Both numbers are halved at each report, so
    that older games count less.
    """

    player: str | Agent  # the name of an opponent in compiled loops, or an object
    weight: float
    made: int | None = None  # the step at which a snapshot was made
    games: float = 0.0
    score: float = 0.0

    @property
    def name(self) -> str:
        """The name in tables."""
        if self.made is not None:
            return f"step {self.made:,}"
        return self.player if isinstance(self.player, str) else self.player.name

    @property
    def win_rate(self) -> float:
        """An estimate of the learner's win rate against it; one half without games."""
        return (self.score + 1.0) / (self.games + 2.0)


class _Kept(Section):
    """The content of `opponents.json` in a checkpoint."""

    members: list[tuple[int | None, float, float]]
    played: dict[str, tuple[float, float]]


class OpponentPool:
    """The opponents of a configuration, with snapshots of the learner if the configuration asks for them.

    An opponent is drawn in proportion to its weight times (1 − the learner's win rate against it)^`hardness`, as in
    prioritised fictitious self-play (Vinyals et al., 2019).
    """

    def __init__(self, config: PolicyConfig, game: Game) -> None:
        weights = config.opponents
        self._game, self._hardness = game, weights.hardness
        self.members = [
            Member(name if name in BUILT_IN else make_agent(name, game), weight)
            for name, weight in weights.named().items()
            if weight > 0 and config.meets_opponents
        ]
        self.snapshots: list[SnapshotAgent] = []
        if weights.snapshots > 0 and config.meets_opponents:
            network = config.network.make_network(game).to(playing_device())
            untrained = PolicyAgent(network, game, config.network)
            self.snapshots = [SnapshotAgent(slot, untrained) for slot in range(config.snapshots.keep)]
            share = weights.snapshots / len(self.snapshots)
            self.members += [Member(snapshot, share, made=0) for snapshot in self.snapshots]
        self._every = config.snapshots.every
        self._played: dict[str, list[float]] = {}  # games and score since the last report, by names
        self._exchanged_at = 0  # in periods of `every` steps

    @property
    def weights(self) -> Array:
        """The weights with which members are drawn."""
        return np.array([m.weight * max(1.0 - m.win_rate, LEAST) ** self._hardness for m in self.members])

    @property
    def mix(self) -> OpponentMix:
        """The members with their present weights, for environments with a learning seat."""
        return OpponentMix([(member.player, weight) for member, weight in zip(self.members, self.weights, strict=True)])

    def agents(self) -> list[Agent]:
        """Return the members as agents."""
        return [make_agent(m.player, self._game) if isinstance(m.player, str) else m.player for m in self.members]

    def note(self, members: Array, returns: Array) -> None:
        """Count games: the members (G, k) that played in each, −1 for none, and the learner's returns (G,)."""
        scores = np.where(returns > 0, 1.0, np.where(returns == 0, 0.5, 0.0))
        for number, member in enumerate(self.members):
            met = (members == number).any(axis=1)
            played = self._played.setdefault(member.name, [0, 0.0])
            games, score = int(met.sum()), float(scores[met].sum())
            member.games, member.score = member.games + games, member.score + score
            played[:] = played[0] + games, played[1] + score

    def report(self, step: int) -> list[dict[str, Any]]:
        """Return a row for each opponent: results since the last report, and how often it is drawn next."""
        weights = self.weights
        chances = dict.fromkeys(self._played, 0.0)  # also replaced snapshots
        for member, chance in zip(self.members, (weights / weights.sum()).tolist(), strict=True):
            chances[member.name] = chances.get(member.name, 0.0) + chance
            member.games, member.score = member.games / 2, member.score / 2
        played, self._played = self._played, {}
        return [
            {"step": step, "opponent": name, "games": games, "score": score, "chance": chances[name]}
            for name in chances
            for games, score in [played.get(name, [0, 0.0])]
        ]

    def is_due(self, step: int) -> bool:
        """Return whether `every` steps have passed since a snapshot was replaced."""
        return bool(self.snapshots) and step // self._every > self._exchanged_at

    def update(self, step: int, learner: PolicyAgent) -> None:
        """Replace the least likely snapshot, or the oldest of equals, with a copy of the learner."""
        self._exchanged_at = step // self._every
        slots = list(zip(self._snapshot_members(), self.weights[-len(self.snapshots) :].tolist(), strict=True))
        member, _ = min(slots, key=lambda slot: (slot[1], slot[0].made))
        member.made, member.games, member.score = step, 0.0, 0.0
        self.snapshots[self._snapshot_members().index(member)].freeze(learner)

    def copy(self) -> Write:
        """Copy the state of all members; the returned function writes it with the snapshots' policies."""
        known = {"members": [[m.made, m.games, m.score] for m in self.members], "played": self._played}
        text = json.dumps(known) + "\n"
        policies = [snapshot.policy for snapshot in self.snapshots]  # they are replaced as a whole

        def write(folder: Path) -> None:
            for slot, policy in enumerate(policies):
                policy.save(folder / f"snapshot-{slot}")
            write_whole(folder / "opponents.json", text)

        return write

    def load(self, folder: Path, step: int) -> None:
        """Restore the state at a step from a checkpoint."""
        known = parse(_Kept, read_json(folder / "opponents.json"), "opponents.json")
        self._exchanged_at = step // self._every
        self._played = {name: [int(games), score] for name, (games, score) in known.played.items()}
        for member, counts in zip(self.members, known.members, strict=True):
            member.made, member.games, member.score = counts
        for slot, snapshot in enumerate(self.snapshots):
            snapshot.freeze(PolicyAgent.load(folder / f"snapshot-{slot}"))

    def _snapshot_members(self) -> list[Member]:
        return self.members[len(self.members) - len(self.snapshots) :]


class GameScores:
    """Report the opponents and the learner's return of each finished game to the pool."""

    def __init__(self, lanes: SeatLanes, opponents: OpponentPool) -> None:
        self._lanes, self._opponents = lanes, opponents
        self._returns = np.zeros(lanes.num_envs)
        players = [member.player for member in opponents.members]
        numbers = [players.index(player) if player in players else -1 for player in lanes.opponents]
        self._numbers = np.array([-1, *numbers])  # member numbers by seat code

    def begin(self) -> None:
        """Remember the opponents of the first games."""
        self._seats = self._lanes.seats.copy()

    def count(self) -> None:
        """Count finished games; call this after each step."""
        self._returns += self._lanes.reward
        ended = np.flatnonzero(self._lanes.terminated)
        if ended.size:
            self._opponents.note(self._numbers[self._seats[ended]], self._returns[ended])
            self._returns[ended] = 0.0
            self._seats[ended] = self._lanes.seats[ended]
