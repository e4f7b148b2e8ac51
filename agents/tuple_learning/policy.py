"""The policy folder of an n-tuple network, with the architecture `tuples`, and the agent that plays it.

See `edge_envs.ntuple.policy` for the format.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict
from safetensors.numpy import save

from agents.players.policy_file import PolicyFile
from agents.tuple_learning.config import TupleGroup, Tuples, TurnPlan
from edge_envs import Game
from edge_envs.core.spec import Array
from edge_envs.ntuple.agent import TurnsAgent, in_numbers
from edge_envs.ntuple.network import Network
from edge_envs.ntuple.policy import read_tuples, sparse_arrays


class TupleTables(BaseModel):
    """The tuples of a network, and the search that plays with its values."""

    model_config = ConfigDict(extra="forbid")

    kind: Literal["tuples"] = "tuples"
    tuples: Tuples
    play: TurnPlan = TurnPlan()


class TuplesFile(PolicyFile):
    """The contents of `policy.json` of an n-tuple network."""

    model_config = ConfigDict(extra="forbid")

    architecture: TupleTables


class TuplesAgent(TurnsAgent):
    """Plays the best turn by the values of an n-tuple network.

    Args:
        game: the game to play.
        tables: the tuples and the search.
        network: the network with these tuples.
        weights: float32 (W,).
        name: the name of the agent.
        answers: the number of replies that are evaluated by the turn after them, see `TurnsAgent`.
    """

    def __init__(
        self,
        game: Game,
        tables: TupleTables,
        network: Network,
        weights: Array,
        name: str = "tuples",
        answers: int = 0,
    ) -> None:
        play: dict[str, int] = {"beam": tables.play.beam, "depth": tables.play.depth, "replies": tables.play.replies}
        super().__init__(game, network, weights, **play, answers=answers, name=name)
        self.tables = tables

    def save(self, folder: str | Path) -> None:
        """Write `policy.json` and `policy.safetensors`; the folder is made if necessary."""
        TuplesFile.of(self.game, self.tables).write(folder, save(sparse_arrays(self.weights)))

    @classmethod
    def load(cls, folder: str | Path, game: Game | None = None, replies: int | None = None, answers: int = 0) -> Self:
        """Load a policy folder.

        Args:
            folder: the folder.
            game: the game to play; None for the one that the policy was made for.
            replies: the number of the best own turns that are evaluated by the reply to them; None for that of the
                policy.
            answers: the number of replies that are evaluated by the turn after them, see `TurnsAgent`.

        Raises:
            ValueError: if the folder is invalid, or does not fit `game`.
        """
        policy, name = read_tuples(folder, game), Path(folder).as_posix()
        groups = [TupleGroup(window=s.window, around=s.around, cells=list(s.cells)) for s in policy.specs]
        if replies is not None:
            name = f"turns:{in_numbers(replies, answers)}:{name}"
        play = TurnPlan(beam=policy.beam, depth=policy.depth, replies=policy.replies if replies is None else replies)
        return cls(policy.game, TupleTables(tuples=groups, play=play), policy.network, policy.weights, name, answers)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.game, self.tables, self.network, self.weights, self.name, self.answers)
