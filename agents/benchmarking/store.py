"""The folder of a benchmark, from which an interrupted run continues.

<folder>/rules.json      the protocol, the agent, a hash of what each agent is made of, and an id of the run if a
                         language model plays, whose answers cost money
<folder>/BOARD.jsonl     one game per line, in order of completion
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import Field

from agents.arena.lines import Count, GameLine, Reader
from agents.arena.match import Played
from agents.benchmarking.protocol import Block, Cell
from agents.common.configuration import Section, parse
from agents.common.files import append_lines, parse_json, read_json, whole_lines, write_whole
from agents.common.runs import check_free
from agents.players.agent import is_chat
from agents.players.digests import made_of
from edge_envs import Game


class _More(Section):
    """The keys of a line that lines of tournaments do not have."""

    opponent: str
    seat: Count
    seconds: list[float]
    actions: list[Count] = Field(default_factory=list)


@dataclass(frozen=True)
class BenchmarkGame:
    """A finished game: its cell and seat, its result, and its decisions if they were kept."""

    agent: str
    opponent: str
    seat: int
    line: GameLine
    actions: tuple[int, ...] = ()

    @property
    def key(self) -> tuple[str, str, int, int]:
        """Identifies the game on its board."""
        return self.agent, self.opponent, self.seat, self.line.deal


class GameFile:
    """The games of one board."""

    def __init__(self, path: Path, game: Game, first_seed: int, agents: Sequence[str]) -> None:
        """Read the file; a last line that a kill left incomplete is removed.

        Raises:
            ValueError: if a line is not a game of these agents.
        """
        self._path, self._game, self._agents = path, game, agents
        self._reader = Reader(game, first_seed)
        self._games: dict[tuple[str, str, int, int], BenchmarkGame] = {}
        lines = whole_lines(path)
        for number, text in enumerate(lines, start=1):
            found = self._read(text, f"{path}:{number}")
            self._games[found.key] = found
        whole = "".join(f"{line}\n" for line in lines).encode()
        if path.exists() and path.stat().st_size > len(whole):
            write_whole(path, whole)

    def _read(self, text: str, where: str) -> BenchmarkGame:
        data = parse_json(text, where)
        if not isinstance(data, dict):
            raise ValueError(f"{where}: not a game")
        keys = [key for key in _More.model_fields if key in data]
        more = parse(_More, {key: data.pop(key) for key in keys}, where)
        line = self._reader.read(data, more.seconds, where, where)
        if more.seat >= self._game.num_players:
            raise ValueError(f"{where}: seat: expected 0 to {self._game.num_players - 1}")
        others = {name for seat, name in enumerate(line.seats) if seat != more.seat}
        if others != {more.opponent} or line.seats[more.seat] not in self._agents:
            raise ValueError(f"{where}: seats: these are not games of {', '.join(self._agents)}")
        return BenchmarkGame(line.seats[more.seat], more.opponent, more.seat, line, tuple(more.actions))

    def knows(self, block: Block) -> bool:
        """Return whether all games of a block were played."""
        return all(key in self._games for key in _keys(block))

    def count(self, blocks: Sequence[Block]) -> int:
        """Return the number of games of these blocks that were played."""
        return sum(key in self._games for block in blocks for key in _keys(block))

    def games_of(self, cell: Cell) -> list[BenchmarkGame]:
        """Return the finished games of a cell, in the order of seats and numbers, however they were played."""
        keys = [key for block in cell.blocks() for key in _keys(block)]
        return [self._games[key] for key in sorted(keys, key=lambda key: key[2:]) if key in self._games]

    def add(self, block: Block, played: Sequence[Played], with_actions: bool) -> None:
        """Append the games of a block."""
        cell, texts = block.cell, []
        for number, one in zip(block.numbers, played, strict=True):
            line = GameLine.of(block.seats, number, one)
            actions = tuple(one.actions) if with_actions else ()
            found = BenchmarkGame(cell.agent, cell.opponent, block.seat, line, actions)
            more = {"opponent": cell.opponent, "seat": block.seat, "seconds": line.seconds}
            texts.append(
                json.dumps({**line.game(), **more, **({"actions": actions} if actions else {})}, ensure_ascii=False)
            )
            self._games[found.key] = found
        append_lines(self._path, texts)


def _keys(block: Block) -> list[tuple[str, str, int, int]]:
    return [(block.cell.agent, block.cell.opponent, block.seat, number) for number in block.numbers]


class BenchmarkFolder:
    """The folder of a benchmark. One process at a time may use it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.begun = ""
        """The id of a run with a language model; "" for other agents."""

    def open(self, rules: Mapping[str, Any], cells: Mapping[str, Sequence[Cell]]) -> None:
        """Start a benchmark, or continue one.

        Args:
            rules: what all games share: the protocol, the mode and the agent.
            cells: the cells of each board.

        Raises:
            ValueError: if the folder belongs to another benchmark, or if an agent has changed since its games.
        """
        path = self.folder / "rules.json"
        check_free(self.folder, path.name, *(f"{board}.jsonl" for board in cells), "results.*", "scores.*")
        before = _read_rules(path) if path.exists() else {}
        begun = before.get("begun", "") if before.get("rules") == dict(rules) else ""
        if not any(self.folder.glob("*.jsonl")):  # without games, earlier rules do not matter
            before = {}
        if before and before["rules"] != dict(rules):
            changed = [
                f"{key} was {_short(before['rules'].get(key))} and is {_short(value)}"
                for key, value in rules.items()
                if before["rules"].get(key) != value
            ]
            raise ValueError(
                f"{path}: this folder has another benchmark: {', '.join(changed)}; name another folder with --out"
            )
        known = dict(before.get("boards", {}))
        for board, some in cells.items():
            now = _made_of(some)
            played = board in known and (self.folder / f"{board}.jsonl").exists()
            if played and (name := _first_difference(known[board], now)):
                raise ValueError(
                    f"{name}: changed since the games in {self.folder / board}.jsonl were played; name another "
                    "folder with --out"
                )
            known[board] = now
        document: dict[str, Any] = {"rules": dict(rules), "boards": known}
        if any(is_chat(cell.agent) for some in cells.values() for cell in some):
            self.begun = document["begun"] = str(begun or f"{time.time_ns():x}")
        write_whole(path, json.dumps(document, indent=1, ensure_ascii=False) + "\n")

    def file(self, board: str, game: Game, first_seed: int, agents: Sequence[str]) -> GameFile:
        """Read the games of a board."""
        return GameFile(self.folder / f"{board}.jsonl", game, first_seed, agents)


def _made_of(cells: Sequence[Cell]) -> dict[str, str]:
    """Return the version of the game, and a hash of what each agent is made of."""
    game = cells[0].game
    names = dict.fromkeys(name for cell in cells for name in (cell.agent, cell.opponent))
    return {game.name: str(game.type.version), **{name: made_of(name, game) for name in names}}


def _first_difference(before: Any, now: Mapping[str, str]) -> str:
    """Return the first name whose content has changed; "" if none has."""
    known = before if isinstance(before, dict) else {}
    return next((name for name, made in now.items() if known.get(name) != made), "")


def _read_rules(path: Path) -> dict[str, Any]:
    document = read_json(path)
    valid = isinstance(document, dict) and all(isinstance(document.get(key), dict) for key in ("rules", "boards"))
    if not valid:
        raise ValueError(f"{path}: not the rules of a benchmark")
    return document


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else f"{text[:57]}..."


Show = Callable[[str, int, int], None]
"""Shows progress: a description, the finished games and all games."""
