"""The agents `trained` and `trained:NAME`: trained policies of the package, and exported policy folders."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from edge_envs.core.checks.files import read_object
from edge_envs.core.errors import did_you_mean, in_short
from edge_envs.core.game import Game
from edge_envs.core.opponent import Generator
from edge_envs.core.spec import Array, Records
from edge_envs.core.trained import TrainedPolicy, fitting, trained_policies
from edge_envs.ntuple import policy as tuples
from edge_envs.trained import network, values

if TYPE_CHECKING:
    from edge_envs.core.loops.seat_loops import SeatDecider
    from edge_envs.trained.network import NetworkAgent
    from edge_envs.trained.turns import TupleTurns, ValueTurns

NAME = "trained"


def load_trained(folder: str | Path, game: Game | None = None) -> TupleTurns | ValueTurns | NetworkAgent:
    """Load a policy folder as an agent that needs no PyTorch and plays inside compiled loops.

    Args:
        folder: The policy folder: an n-tuple network, learned values, or a perceptron without hints.
        game: The game to play; None for the one that the policy was made for.

    Raises:
        ValueError: if the folder cannot be read, does not fit `game`, or holds another kind of policy.
    """
    from edge_envs.trained.turns import TupleTurns, ValueTurns

    path = Path(folder) / "policy.json"
    architecture = read_object(path).get("architecture")
    kind = architecture.get("kind") if isinstance(architecture, dict) else None
    name = Path(folder).as_posix()
    if kind == tuples.KIND:
        read = tuples.read_tuples(folder, game)
        plan: dict[str, Any] = {"beam": read.beam, "depth": read.depth, "replies": read.replies, "name": name}
        return TupleTurns(read.game, read.network, read.weights, **plan)
    if kind == values.KIND:
        return ValueTurns(*values.read_values(folder, game), name)
    if kind == network.KIND:
        return network.NetworkAgent.load(folder, game)
    known = ", ".join((tuples.KIND, values.KIND, network.KIND))
    raise ValueError(f"{path}: architecture.kind: without PyTorch only {known} can be played, not {in_short(kind)}")


class TrainedAgent:
    """Play a trained policy of the package.

    Agents of n-tuple networks and of learned values also have `action_values`, so they can judge games.

    Args:
        game: The game to play.
        name: The name of the policy; "" for the one that was made for this board. Of several, levels come first.

    Raises:
        ValueError: if the policy does not exist, or cannot play this game.
    """

    def __init__(self, game: Game, name: str = "") -> None:
        policy = _named(game, name) if name else _own(game)
        self.game, self._text, self.policy = game, name, policy
        self._agent = load_trained(policy.folder, game)
        self.name = f"{NAME}:{name}" if name else NAME
        self.needs_states = self._agent.needs_states
        if not isinstance(self._agent, network.NetworkAgent):  # perceptrons do not value actions
            self.action_values = self._agent.action_values

    @classmethod
    def from_text(cls, text: str, game: Game) -> TrainedAgent:
        """Create the agent from the name behind the colon."""
        return cls(game, text)

    @staticmethod
    def check_text(text: str) -> None:
        """Raise ValueError unless a string has the form of a name."""
        if not re.fullmatch(r"[A-Za-z0-9_.-]{1,64}", text):
            raise ValueError(f"invalid name {in_short(text)} of a trained policy")

    def act(
        self, observations: Array, action_masks: Array, states: Records | None, players: Array, rng: Generator
    ) -> Array:
        """Return legal actions (k,) of the seats to act."""
        return self._agent.act(observations, action_masks, states, players, rng)

    def decider(self) -> SeatDecider:
        """Return the kernel that decides inside compiled loops."""
        return self._agent.decider()

    def new_memory(self, lanes: int) -> Any:
        """Allocate the memory of the kernel for an environment with this number of lanes."""
        return self._agent.new_memory(lanes)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.game, self._text)


def _own(game: Game) -> TrainedPolicy:
    found = fitting(game.type, game.params)
    if not found:
        boards = ", ".join(f"{NAME}:{policy.name} for {_board(game, policy)}" for policy in trained_policies(game.type))
        raise ValueError(f"{game!r} has no trained policy{f' (there is {boards})' if boards else ''}")
    return found[0]


def _board(game: Game, policy: TrainedPolicy) -> str:
    """Return the parameters of a policy that are not the defaults."""
    known = game.type.parameters
    changed = {key: value for key, value in policy.params.items() if key in known and value != known[key].default}
    return ", ".join(game.type.format_params(changed)) or "the default parameters"


def _named(game: Game, name: str) -> TrainedPolicy:
    policies = {policy.name: policy for policy in trained_policies(game.type)}
    if name not in policies:
        known = f"choose from {', '.join(policies)}" if policies else "there are none"
        raise ValueError(f"unknown trained policy {name!r} of {game.name} ({known}){did_you_mean(name, policies)}")
    return policies[name]
