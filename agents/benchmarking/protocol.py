"""The definition of a benchmark protocol, and the cells and blocks of games that it consists of.

A *cell* is a board with one opponent. The measured agent plays each seat in turn, and copies of the opponent play all
other seats. Game k of each seat of a cell has the same seed for all agents. Different cells have different seeds, so
that their games are independent. A *block* is a part of the games of one seat, which are played in parallel.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Self

from pydantic import Field, field_validator

from agents.common.boards import find_board
from agents.common.configuration import Section, read_mapping
from agents.players.agent import check_agent
from agents.players.kinds import parse_agent
from edge_envs import Game, load_game
from edge_envs.games import plain_name
from edge_envs.players import plain_name as agent_behind

CELL_SEEDS = 100_000  # seeds that belong to one cell
LARGEST_BLOCK = 100  # games
SLOW_BLOCK = 4  # games, of agents whose decisions take long or cost money, so that an interruption loses little


class BenchmarkBoard(Section):
    """A board, with its opponents in addition to those of `everywhere`, and its games per cell.

    `games_against` has the opponents that are slow, with fewer games.
    """

    opponents: list[str] = Field(default_factory=list)
    games: int | None = Field(default=None, gt=0)
    games_against: dict[str, Annotated[int, Field(gt=0)]] = Field(default_factory=dict)


class ReferenceGames(Section):
    """The games of the references against each other, and the file with their results."""

    file: Path
    seed: int = Field(ge=0, lt=2**31)
    games: int = Field(gt=0)


class Protocol(Section):
    """A benchmark protocol."""

    name: str = Field(min_length=1)
    version: int = Field(ge=1)
    seed: int = Field(ge=0, lt=2**31)
    games: int = Field(gt=0)
    quick_games: int = Field(gt=0)
    references: ReferenceGames
    everywhere: list[str] = Field(min_length=2)
    anchor: str
    boards: dict[str, BenchmarkBoard] = Field(min_length=1)

    @field_validator("boards", mode="after")
    @classmethod
    def _by_plain_names(cls, boards: dict[str, BenchmarkBoard]) -> dict[str, BenchmarkBoard]:
        return {plain_name(name): board for name, board in boards.items()}

    def checked(self) -> Self:
        """Check that the opponents exist on every board, and that there are enough seeds."""
        if self.anchor not in self.everywhere:
            raise ValueError(f"anchor: {self.anchor!r} is not in everywhere")
        for name, board in self.boards.items():
            opponents = self.opponents(name)
            if len(set(opponents)) < len(opponents):
                raise ValueError(f"boards.{name}: duplicate opponent")
            for unknown in board.games_against.keys() - set(opponents):
                raise ValueError(f"boards.{name}.games_against: {unknown!r} is not an opponent there")
            for opponent in opponents:
                check_agent(opponent)
                agent_behind(opponent, load_game(name))
            for games in (board.games or self.games, self.quick_games, self.references.games):
                if games > CELL_SEEDS:
                    raise ValueError(f"boards.{name}: {games:,} games in a cell: at most {CELL_SEEDS:,} are possible")
        return self

    @property
    def title(self) -> str:
        """The name with the version, such as `edge-bench v1`."""
        return f"{self.name} v{self.version}"

    def within(self, folder: Path) -> Self:
        """Return the protocol with a file of references whose path is relative to a folder."""
        references = self.references.model_copy(update={"file": folder / self.references.file})
        return self.model_copy(update={"references": references})

    def opponents(self, board: str) -> list[str]:
        """Return the opponents on a board, in rising strength."""
        return [*self.everywhere, *self.boards[board].opponents]

    def cells(self, board: str, agent: str, quick: bool) -> list[Cell]:
        """Return the cells of a board for an agent; ValueError if the protocol does not have the board."""
        board = find_board(board, self.boards)
        games = self.quick_games if quick else self.boards[board].games or self.games
        return [
            Cell(board, load_game(board), agent, opponent, number * CELL_SEEDS, self.at_most(board, games, opponent))
            for number, opponent in enumerate(self.opponents(board))
        ]

    def at_most(self, board: str, games: int, *agents: str) -> int:
        """Return a number of games, or less if one of these agents is slow on a board."""
        fewer = self.boards[board].games_against
        return min(games, *(fewer.get(agent, games) for agent in agents))


def read_protocol(path: str | Path) -> Protocol:
    """Read the file of a protocol; ConfigError names the problem in one line."""
    from agents.programs.table import parse_config

    return parse_config(Protocol, read_mapping(path), str(path))


@dataclass(frozen=True)
class Block:
    """Some games of one seat of a cell. `seats` has the names of the agents by seat."""

    cell: Cell
    seat: int
    first: int  # the number of the first game, counted from the first seed of the protocol
    count: int

    @property
    def seats(self) -> tuple[str, ...]:
        """The names of the agents by seat."""
        cell = self.cell
        return tuple(cell.agent if seat == self.seat else cell.opponent for seat in range(cell.game.num_players))

    @property
    def numbers(self) -> range:
        """The numbers of the games."""
        return range(self.first, self.first + self.count)


@dataclass(frozen=True)
class Cell:
    """The games of an agent against one opponent on one board.

    Attributes:
        board: the name of the board.
        game: the game with its parameters.
        agent: the name of the measured agent, or of a reference.
        opponent: the name of the opponent, which plays all other seats.
        first: the number of the first game of each seat, counted from the first seed of the protocol.
        games: the number of games, rounded up so that each seat has equally many.
    """

    board: str
    game: Game
    agent: str
    opponent: str
    first: int
    games: int

    @property
    def per_seat(self) -> int:
        """The number of games of each seat."""
        return -(-self.games // self.game.num_players)

    @property
    def total(self) -> int:
        """The number of games of all seats."""
        return self.per_seat * self.game.num_players

    def blocks(self) -> Iterator[Block]:
        """Yield the blocks, so that seats take turns: after an interruption all seats have about equally many games."""
        size = SLOW_BLOCK if parse_agent(self.agent).kind.slow else LARGEST_BLOCK
        for start in range(0, self.per_seat, size):
            for seat in range(self.game.num_players):
                yield Block(self, seat, self.first + start, min(size, self.per_seat - start))


def blocks_of(cells: Sequence[Cell]) -> list[Block]:
    """Return the blocks of all cells, so that opponents take turns."""
    rounds: dict[int, list[Block]] = {}
    for cell in cells:
        for block in cell.blocks():
            rounds.setdefault(block.first - cell.first, []).append(block)
    return [block for start in sorted(rounds) for block in rounds[start]]
