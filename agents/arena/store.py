"""The folder of a tournament: what was played, kept so that a killed tournament goes on where it was.

<folder>/rules.json    what all games have in common, what each agent is made of, and with language
                       models, whose answers are paid for, when it was begun
<folder>/games.jsonl   one game a line; the same games make the same lines
<folder>/times.jsonl   for each of these lines how many seconds each seat has thought
<folder>/records.jsonl each game as a record, where that was asked for
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from agents.agent import is_chat
from agents.arena.lines import GameLine, Reader
from agents.arena.seating import DEALS, Sitting
from agents.arena.table import Played
from agents.files import parse_json, read_json, whole_lines, write_whole


class Store:
    """What a folder holds. One process at a time may `open` it."""

    def __init__(self, folder: Path, reader: Reader) -> None:
        self.folder, self._reader = folder, reader
        self._files = {name: folder / f"{name}.jsonl" for name in ("games", "times", "records")}
        self.begun = ""
        """When a tournament with language models was begun: no two that are begun in this folder say the same."""
        self.lines: list[GameLine] = []
        self._known: dict[Sitting, list[GameLine]] = {}

    def open(self, rules: dict[str, Any], made_of: dict[str, str]) -> None:
        """Begin, or read what was played; ValueError if that was under other rules, or by agents that have changed.

        Where nothing was played the rules of before do not count.
        """
        path = self.folder / "rules.json"
        agents, begun = dict(made_of), ""
        if path.exists() and self._files["games"].exists():
            before = read_json(path)
            _check_same(path, before, rules, made_of)
            agents = before["agents"] | agents
            begun = str(before.get("begun", ""))
        elif path.exists():
            begun = _begun(path, rules, made_of)
        document: dict[str, Any] = {"rules": rules, "agents": agents}
        if any(map(is_chat, agents)):
            self.begun = document["begun"] = begun or f"{time.time_ns():x}"
        write_whole(path, json.dumps(document, indent=1) + "\n")
        self._read(("games", "times", *(["records"] if rules.get("record") else [])))

    def _read(self, names: Sequence[str]) -> None:
        """Take what is whole; what a kill has cut off is played again."""
        kept = {name: whole_lines(self._files[name]) for name in names}
        for name in names:
            if len(kept["games"]) >= DEALS and not self._files[name].exists():
                raise ValueError(f"{self._files[name]} is missing, which a kill cannot bring about")
        count = min(map(len, kept.values())) // DEALS * DEALS
        for number in range(count):
            places = {name: f"{self._files[name]}:{number + 1}" for name in ("games", "times")}
            told = [parse_json(kept[name][number], place) for name, place in places.items()]
            self.lines.append(self._reader.read(*told, *places.values()))
        for first in range(0, count, DEALS):
            lines = self.lines[first : first + DEALS]
            sitting = Sitting(lines[0].seats, lines[0].deal)
            if [(line.seats, line.deal) for line in lines] != [(sitting.seats, deal) for deal in sitting.deals]:
                raise ValueError(f"{self._files['games']}:{first + 1}: these are not {DEALS} deals of one seating")
            self._known[sitting] = lines
        for name, texts in kept.items():
            whole, path = "".join(text + "\n" for text in texts[:count]), self._files[name]
            if path.exists() and len(whole.encode()) != path.stat().st_size:
                write_whole(path, whole)

    def knows(self, sitting: Sitting) -> bool:
        """Whether a sitting was played."""
        return sitting in self._known

    def lines_of(self, sittings: Sequence[Sitting]) -> list[GameLine]:
        """The games of sittings that were played."""
        return [line for sitting in sittings for line in self._known[sitting]]

    def add(self, sitting: Sitting, played: Sequence[Played], records: Sequence[str] = ()) -> None:
        """Keep the games of a sitting."""
        lines = [GameLine.of(sitting.seats, deal, one) for deal, one in zip(sitting.deals, played, strict=True)]
        texts = {
            "records": records,
            "times": [json.dumps(line.seconds) for line in lines],
            "games": [json.dumps(line.game(), ensure_ascii=False) for line in lines],
        }
        for name, some in texts.items():
            if some:
                with self._files[name].open("a", encoding="utf-8") as file:
                    file.write("".join(text + "\n" for text in some))
        self.lines += lines
        self._known[sitting] = lines


def _begun(path: Path, rules: dict[str, Any], agents: dict[str, str]) -> str:
    """When this tournament was begun, if it is the one of the file, in which nothing was played to its end."""
    try:
        before = read_json(path)
        _check_same(path, before, rules, agents)
        return str(before["begun"])
    except (ValueError, KeyError):
        return ""


def _check_same(path: Path, before: Any, rules: dict[str, Any], agents: dict[str, str]) -> None:
    try:
        played, known = before["rules"], before["agents"]
        differing = [
            f"{key} was {json.dumps(played.get(key))} and is {json.dumps(rules[key])}"
            for key in rules
            if played.get(key) != rules[key]
        ]
        changed = [name for name in agents if known.get(name, agents[name]) != agents[name]]
    except (AttributeError, KeyError, TypeError):
        raise ValueError(f"{path}: these are no rules of a tournament") from None
    if differing:
        raise ValueError(
            f"{path}: there is another tournament here: {', '.join(differing)}; name another folder by --out"
        )
    if changed:
        raise ValueError(
            f"{changed[0]}: changed since its games in {path.parent} were played; name another folder by --out"
        )
