"""The lines of a tournament's files, and the checks of lines that are read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import Field

from agents.arena.match import Played
from agents.common.configuration import Section, parse
from edge_envs import Game

ROUNDED = 6  # digits of returns and seconds

Count = Annotated[int, Field(ge=0)]


class _Forfeit(Section):
    """The seat that forfeited a game, and why."""

    seat: Count
    why: str


class _Game(Section):
    """A line of games.jsonl."""

    seats: list[str]
    deal: Count
    seed: Count
    returns: list[float]
    decisions: list[Count]
    length: Count
    forfeit: _Forfeit | None = None


class _Times(Section):
    """A line of times.jsonl, under a key."""

    seconds: list[Annotated[float, Field(ge=0)]]


@dataclass(frozen=True)
class GameLine:
    """A finished game."""

    seats: tuple[str, ...]
    deal: int
    seed: int
    returns: tuple[float, ...]
    decisions: tuple[int, ...]
    forfeit: int | None
    why: str
    seconds: tuple[float, ...]

    @classmethod
    def of(cls, seats: Sequence[str], deal: int, played: Played) -> GameLine:
        """Make the line of a game."""
        returns = tuple(round(value, ROUNDED) for value in played.returns)
        seconds = tuple(round(value, ROUNDED) for value in played.seconds)
        return cls(
            tuple(seats), deal, played.seed, returns, tuple(played.decisions), played.forfeit, played.why, seconds
        )

    def game(self) -> dict[str, Any]:
        """Return the part that is determined by the seed."""
        line = {"seats": self.seats, "deal": self.deal, "seed": self.seed, "returns": self.returns}
        game = {**line, "decisions": self.decisions, "length": sum(self.decisions)}
        return game if self.forfeit is None else {**game, "forfeit": {"seat": self.forfeit, "why": self.why}}


@dataclass(frozen=True)
class Reader:
    """Reads the games of a tournament; the game with number d (the key `deal`) has the seed `first_seed` + d."""

    game: Game
    first_seed: int

    def read(self, game: Any, seconds: Any, where: str, where_seconds: str) -> GameLine:
        """Read a line from plain data; ValueError begins with its location and names the problem."""
        line, times = parse(_Game, game, where), parse(_Times, {"seconds": seconds}, where_seconds)
        players, least, greatest = self.game.num_players, self.game.min_utility, self.game.max_utility
        for place, name, values in (
            (where, "seats", line.seats),
            (where, "returns", line.returns),
            (where, "decisions", line.decisions),
            (where_seconds, "seconds", times.seconds),
        ):
            if len(values) != players:
                raise ValueError(f"{place}: {name}: {len(values)} values for {players} players")
        if not all(least - 10**-ROUNDED <= value <= greatest + 10**-ROUNDED for value in line.returns):
            raise ValueError(f"{where}: returns: expected {least:.6g} to {greatest:.6g}")
        if line.seed != self.first_seed + line.deal:
            raise ValueError(f"{where}: seed: deal {line.deal} has the seed {self.first_seed + line.deal}")
        if line.length != sum(line.decisions):
            raise ValueError(f"{where}: length: these are {sum(line.decisions)} decisions")
        if line.forfeit and line.forfeit.seat >= players:
            raise ValueError(f"{where}: forfeit.seat: expected 0 to {players - 1}")
        return GameLine(
            tuple(line.seats),
            line.deal,
            line.seed,
            tuple(line.returns),
            tuple(line.decisions),
            line.forfeit.seat if line.forfeit else None,
            line.forfeit.why if line.forfeit else "",
            tuple(times.seconds),
        )
