"""The configuration of learning with n-tuple networks: a YAML file checked by pydantic."""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import Field, model_validator

from agents.common.configuration import Section
from agents.training.config import Ends, RunConfig
from edge_envs import Game
from edge_envs.ntuple.network import Network, TupleSpec, network_of
from edge_envs.ntuple.turn_search import MAX_LEAVES, MAX_OPEN

Share = Annotated[float, Field(ge=0, le=1)]
Side = Annotated[int, Field(gt=0, le=8)]
Name = Annotated[str, Field(max_length=64)]
Cells = Annotated[list[Name], Field(max_length=32)]


class TupleGroup(Section):
    """Tuples of cells that share a table.

    `window`: the tuples are all windows of these rows and columns in the grid. `around`: one tuple, of the squares
    within so many steps of a place. `cells`: further cells of each tuple, or all of them.
    """

    window: tuple[Side, Side] | None = None
    around: tuple[Name, Side] | None = None
    cells: Cells = Field(default_factory=list)

    def spec(self) -> TupleSpec:
        """Return the specification of the tuples."""
        return TupleSpec(self.window, self.around, tuple(self.cells))


Tuples = Annotated[list[TupleGroup], Field(min_length=1, max_length=256)]


class TurnPlan(Section):
    """The search of whole turns: see `edge_envs.ntuple.turn_search`.

    `beam`: open positions of a layer that are searched further. `depth`: layers. `replies`: turns that are evaluated
    against every reply of the next player; 0 compares the values after the own turn.
    """

    beam: int = Field(default=64, gt=0, le=MAX_OPEN)
    depth: int = Field(default=8, gt=0, le=32)
    replies: int = Field(default=0, ge=0, le=MAX_LEAVES)


class TuplesConfig(RunConfig):
    """The configuration of a run. A step is a turn; a pair [a, b] is a linear schedule from a to b.

    | key | meaning |
    |---|---|
    | `tuples` | the tuples of the network |
    | `step_size` | the change of a position's score for an error of 1, of all its weights together |
    | `trace` | λ of TD(λ) |
    | `random_moves` | fraction of decisions drawn uniformly |
    | `random_turns` | the largest number of uniformly random turns at the start of a game |
    | `averaging` | the last part of the run, over which weights are averaged |
    | `most_turns` | turns after which a game is truncated |
    | `games` | games between two looks at progress |
    | `search` | the search during training |
    | `late_replies` | `search.replies` from `late_from` on, a fraction of the run |
    | `play` | the search of the exported policy |
    """

    tuples: Tuples
    step_size: Ends = (0.5, 0.05)
    trace: Share = 0.7
    random_moves: Share = 0.05
    random_turns: int = Field(default=3, ge=0, le=1000)
    averaging: Share = 0.3
    most_turns: int = Field(default=1000, gt=0, le=100_000)
    games: int = Field(default=50, gt=0, le=100_000)
    search: TurnPlan = TurnPlan(beam=12)
    late_from: Share = 1.0
    late_replies: int = Field(default=0, ge=0, le=MAX_LEAVES)
    play: TurnPlan = TurnPlan(replies=16)

    @model_validator(mode="after")
    def _check_late(self) -> Self:
        if self.late_from < 1.0 and self.late_replies == 0:
            raise ValueError("late_from needs late_replies")
        return self

    def checked(self) -> Self:
        """Check that the tuples fit the game."""
        config = super().checked()
        check_game(config.load_game())
        make_network(config.load_game(), config.tuples)
        return config


def make_network(game: Game, tuples: list[TupleGroup]) -> Network:
    """Make the network for a game; ValueError if a tuple does not fit its cells, or there are too many weights."""
    return network_of(game, [group.spec() for group in tuples])


def check_game(game: Game) -> None:
    """Raise ValueError unless values of a game can be learned as shares of a fixed sum."""
    if game.utility_sum is None:
        raise ValueError(f"{game.name} has no fixed sum of returns, so values cannot be learned as shares of it")
