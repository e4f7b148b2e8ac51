"""The configuration of learning with n-tuple networks: a YAML file checked by pydantic."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from typing import Annotated, Any, Self

from pydantic import Field, model_validator

from agents.common.configuration import Section
from agents.players.games import check_folder
from agents.training.config import Ends, RunConfig, SnapshotPlan
from edge_envs import Game, load_game
from edge_envs.core.game import shared_utility
from edge_envs.core.spec import Array
from edge_envs.ntuple.agent import LEAD
from edge_envs.ntuple.network import Network, TupleSpec, layout_of, network_of
from edge_envs.ntuple.policy import read_tuples
from edge_envs.ntuple.self_play import lead_cell
from edge_envs.ntuple.turn_search import MAX_LEAVES, MAX_OPEN
from edge_envs.ntuple.updates import table_modes

Share = Annotated[float, Field(ge=0, le=1)]
Side = Annotated[int, Field(gt=0, le=8)]
Name = Annotated[str, Field(max_length=64)]
Cells = Annotated[list[Name], Field(max_length=32)]


class TupleGroup(Section):
    """Tuples of cells that share a table.

    `window`: the tuples are all windows of these rows and columns in the grid. `around`: one tuple, of the squares
    within this number of steps of a place. `cells`: further cells of each tuple, or all of them.
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

    `beam`: open positions of a layer that are searched further. `depth`: layers. `replies`: the number of the best own
    turns that are evaluated again, by a search of the next player's turn; 0 compares the values after the own turn.
    """

    beam: int = Field(default=64, gt=0, le=MAX_OPEN)
    depth: int = Field(default=8, gt=0, le=32)
    replies: int = Field(default=0, ge=0, le=MAX_LEAVES)


class TrainingPlan(TurnPlan):
    """The search during training; by default it is narrow."""

    beam: int = Field(default=12, gt=0, le=MAX_OPEN)


class PlayPlan(TurnPlan):
    """The search of the exported policy; by default it evaluates replies."""

    replies: int = Field(default=16, ge=0, le=MAX_LEAVES)


class Lesson(Section):
    """A board to learn before that of the run: parameters that differ from those of the run, and how many turns."""

    params: dict[str, Any] = Field(default_factory=dict)
    turns: int = Field(gt=0, le=10**12)


class TuplesConfig(RunConfig):
    """The configuration of a run. A pair [a, b] is a linear schedule from a to b.

    A step is a macro-action: the decisions of a player up to the end of the turn, a chance event or a decision of
    another player. `total_steps`, `most_turns` and the numbers of turns of lessons and snapshots count steps.

    | key | meaning |
    |---|---|
    | `tuples` | the tuples of the network |
    | `step_size` | the change of a position's score for an error of 1, of all its weights together |
    | `trace` | λ of TD(λ) |
    | `discount` | probability that a game continues after a step; if it does not, its value is that of its lead \
for `turns:K:score`. 1: games end by the rules only |
    | `recompute` | whether the value of a step is computed again, after the changes for later steps of the game, \
before weights change |
    | `from_score` | whether a tuple of the cell `lead` alone keeps the weights of `turns:K:score`, so that the other \
tuples learn what is to be added |
    | `linear` | cells whose tables are linear: the weights of a tuple of such a cell alone are in proportion to its \
value, up to a constant |
    | `random_moves` | ε: the probability that a step starts with a uniformly random decision |
    | `random_turns` | the largest number of uniformly random turns at the start of a game |
    | `averaging` | the last part of the run, over which weights are averaged |
    | `most_turns` | turns after which a game is truncated |
    | `games` | games between two updates of the progress bar |
    | `search` | the search during training |
    | `late_replies` | `search.replies` from `late_from` on, a fraction of the run |
    | `play` | the search of the exported policy |
    | `curriculum` | boards that are learned first, each with `params` and `turns`; their turns are the first of \
`total_steps`. A table is carried over to the next board if its cells mean the same there |
    | `snapshots` | `every`: turns between copies of the weights; `keep`: how many copies are kept |
    | `against_snapshots` | fraction of games in which one seat learns against a copy |
    | `against_heuristic` | fraction of games in which one seat learns against the game's heuristic |
    | `start` | the folder of a policy for the same board with the same tuples, whose weights are those at the start |
    | `threads` | games that are played at the same time with the same weights; results are reproducible with 1 |
    """

    tuples: Tuples
    step_size: Ends = (0.5, 0.05)
    trace: Share = 0.7
    discount: Annotated[float, Field(gt=0, le=1)] = 1.0
    recompute: bool = False
    from_score: bool = False
    linear: Cells = Field(default_factory=list)
    random_moves: Share = 0.05
    random_turns: int = Field(default=3, ge=0, le=1000)
    averaging: Share = 0.3
    most_turns: int = Field(default=1000, gt=0, le=100_000)
    games: int = Field(default=50, gt=0, le=100_000)
    search: TrainingPlan = TrainingPlan()
    late_from: Share = 1.0
    late_replies: int = Field(default=0, ge=0, le=MAX_LEAVES)
    play: PlayPlan = PlayPlan()
    curriculum: Annotated[list[Lesson], Field(max_length=1000)] = Field(default_factory=list)
    snapshots: SnapshotPlan = SnapshotPlan()
    against_snapshots: Share = 0.0
    against_heuristic: Share = 0.0
    start: str = ""
    threads: int = Field(default=1, gt=0, le=256)

    @model_validator(mode="after")
    def _check_late(self) -> Self:
        if self.late_from < 1.0 and self.late_replies == 0:
            raise ValueError("late_from needs late_replies")
        if self.from_score and all(group != TupleGroup(cells=[LEAD]) for group in self.tuples):
            raise ValueError(f"from_score needs a tuple of the cell {LEAD!r} alone")
        if self.against_snapshots + self.against_heuristic > 1.0:
            raise ValueError("against_snapshots and against_heuristic add up to more than 1")
        if sum(lesson.turns for lesson in self.curriculum) >= self.total_steps:
            raise ValueError("the curriculum has total_steps turns or more, so the board of the run is never learned")
        if self.start and self.curriculum:
            raise ValueError("start and curriculum exclude each other")
        return self

    def boards(self) -> Iterator[Game]:
        """Load the boards of the curriculum and that of the run.

        Raises:
            ValueError: if a parameter is invalid, or the number of players changes.
        """
        game = self.load_game()
        for k, lesson in enumerate(self.curriculum):
            try:
                board = load_game(self.game, **{**self.params, **lesson.params})
            except ValueError as error:
                raise ValueError(f"curriculum.{k}: {error}") from None
            if board.num_players != game.num_players:
                raise ValueError(f"curriculum.{k}: expected {game.num_players} players, not {board.num_players}")
            yield board
        yield game

    def weights_at_start(self, game: Game) -> Array:
        """Return the weights of the policy `start`, float32 (W,).

        Raises:
            ValueError: if the policy cannot be read, is for another board, or has other tuples.
        """
        try:
            policy = read_tuples(self.start, game)
        except ValueError as error:
            raise ValueError(f"start: {error}") from None
        if list(policy.specs) != [group.spec() for group in self.tuples]:
            raise ValueError(f"start: {self.start} has other tuples")
        return policy.weights

    def checked(self) -> Self:
        """Check that the tuples fit the boards."""
        config, lessons = super().checked(), []
        for lesson, game in zip_longest(config.curriculum, config.boards()):
            shared_utility(game)
            if config.discount < 1.0:
                lead_cell(game)
            table_modes(layout_of(game), make_network(game, config.tuples), config.linear)
            if lesson is not None:
                own = game.params_dict()
                lessons.append(Lesson(params={name: own[name] for name in lesson.params}, turns=lesson.turns))
        if config.start:
            check_folder(config.start)
            config.weights_at_start(config.load_game())
        return config.model_copy(update={"curriculum": lessons})


def make_network(game: Game, tuples: list[TupleGroup]) -> Network:
    """Make the network for a game; ValueError if a tuple does not fit its cells, or there are too many weights."""
    return network_of(game, [group.spec() for group in tuples])
