"""The configuration that all trainers share."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Self

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from agents.common.configuration import GameConfig, Section
from agents.common.devices import DeviceName, resolve
from agents.networks import Architecture, Perceptron
from agents.players.agent import make_agent
from agents.players.games import check_folder
from edge_envs import Game

Weight = Annotated[float, Field(ge=0, le=1e9)]

MOST = 1e30
"""The largest learning rate and the like; larger numbers exceed single precision."""


def _check_ends(ends: tuple[float, float]) -> tuple[float, float]:
    if min(ends) < 0:
        raise ValueError("must not be negative")
    if max(ends) > MOST:
        raise ValueError(f"must be at most {MOST:g}")
    return ends


def _pair(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(value)
    return (value, value) if isinstance(value, int | float) and not isinstance(value, bool) else value


CONSTANT = BeforeValidator(_pair)
"""Lets a single number stand for a constant schedule."""
Ends = Annotated[tuple[float, float], CONSTANT, AfterValidator(_check_ends)]
"""A linear schedule: its values at the first and at the last step."""


class EvaluationPlan(Section):
    """Evaluations during training: `games` against each opponent, at the start, every `every` steps and at the end.

    `record` more games against each opponent are saved as replays.
    """

    every: int = Field(default=1_000_000, gt=0)
    games: int = Field(default=1000, gt=0)
    against: list[str] = Field(default=["random", "heuristic"], min_length=1)
    record: int = Field(default=0, ge=0, le=1000)


class RunConfig(GameConfig):
    """The configuration of a training that learns in steps and is evaluated on the way.

    With `max_seconds`, it also ends after this processor time, evaluations not included, and
    schedules follow the processor time if that gets ahead of the steps. `keep_policies` policies are kept in the folder
    `policies`, evenly spread over the training, and the one at the start.
    """

    total_steps: int = Field(gt=0, le=10**12)
    max_seconds: float | None = Field(default=None, gt=0, le=1e9)
    keep_policies: int = Field(default=0, ge=0, le=1000)
    torch_threads: int = Field(default=1, gt=0, le=256)
    checkpoint_every: int = Field(default=500_000, gt=0)
    evaluation: EvaluationPlan = EvaluationPlan()

    def checked(self) -> Self:
        """Check the game and the evaluation opponents; a file named in `params` is replaced by its contents."""
        config, game = super().checked(), self.load_game()
        for name in self.evaluation.against:
            check_player(name, game)
        own = game.params_dict()
        return config.model_copy(update={"params": {name: own[name] for name in self.params}})


class TorchConfig(RunConfig):
    """The configuration of a training of a network in PyTorch, on a device.

    Keys in `MACHINE` describe the machine, so a resumed run may change them.
    """

    MACHINE: ClassVar[tuple[str, ...]] = ("device",)

    device: DeviceName = "auto"

    def check_machine(self) -> None:
        """Raise ValueError if the device does not exist."""
        super().check_machine()
        resolve(self.device)

    def with_machine_of(self, other: Self) -> Self:
        """Return a copy with the keys in `MACHINE` of `other`."""
        return self.model_copy(update={name: getattr(other, name) for name in self.MACHINE})


class OpponentWeights(Section):
    """The weights with which opponents are drawn for each game and seat.

    `agents` are further opponents by name. With `hardness`, hard opponents are drawn more often; see `OpponentPool`.
    """

    random: Weight = 0.0
    heuristic: Weight = 0.0
    perfect: Weight = 0.0
    snapshots: Weight = 0.0
    agents: dict[str, Weight] = Field(default_factory=dict)
    hardness: float = Field(default=0.0, ge=0, le=100)

    @model_validator(mode="after")
    def _some_weight(self) -> OpponentWeights:
        for name in ("random", "heuristic", "perfect"):
            if name in self.agents:
                raise ValueError(f"{name}: give its weight as the key {name}, not in agents")
        if sum(self.named().values()) + self.snapshots <= 0:
            raise ValueError("expected an opponent with a positive weight")
        return self

    def named(self) -> dict[str, float]:
        """Return the weights of all opponents except snapshots."""
        return {"random": self.random, "heuristic": self.heuristic, "perfect": self.perfect, **self.agents}


class SnapshotPlan(Section):
    """Earlier versions of the policy as opponents: `keep` of them, one replaced every `every` steps."""

    every: int = Field(default=500_000, gt=0)
    keep: int = Field(default=4, gt=0, le=32)


class NetworkConfig(TorchConfig):
    """The configuration of a training of a policy network. With `bf16`, it learns in mixed precision."""

    MACHINE: ClassVar[tuple[str, ...]] = (*TorchConfig.MACHINE, "feature_threads")

    network: Architecture = Perceptron()
    feature_threads: int = Field(default=1, gt=0, le=256)
    bf16: bool = False

    def checked(self) -> Self:
        """Check that the network fits the game."""
        config = super().checked()
        config.network.make_features(config.load_game())  # raises if they do not fit
        return config


class PolicyConfig(NetworkConfig):
    """The configuration of a training of a policy network in many parallel games, against opponents."""

    num_envs: int = Field(default=512, gt=0, le=65_536)
    opponents: OpponentWeights
    snapshots: SnapshotPlan = SnapshotPlan()

    @property
    def meets_opponents(self) -> bool:
        """Whether some games have opponents."""
        return True

    def checked(self) -> Self:
        """Check that the opponents can play the game."""
        config = super().checked()
        game = config.load_game()
        for name, weight in config.opponents.named().items():
            if weight > 0:
                check_player(name, game)
        return config


def check_player(name: str, game: Game) -> None:
    """Raise ValueError if the agent does not exist, or if it cannot play this game."""
    check_folder(name)
    if name == "perfect":  # making it solves the game, which takes long
        from edge_envs.players.perfect import solver_of

        solver_of(game)
    else:
        make_agent(name, game)
