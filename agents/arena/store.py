"""The folder of a tournament, from which a killed tournament continues.

<folder>/rules.json    the rules that all games share, the hash of each agent, and an id of the tournament
                       if language models play, whose answers cost money
<folder>/games.jsonl   one game per line; the same games give the same lines
<folder>/times.jsonl   for each of these lines, the seconds of thinking time of each seat
<folder>/records.jsonl each game as a record, if requested
<folder>/early.jsonl   finished matches that wait for matches whose lines come first
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from agents.arena.lines import GameLine, Reader
from agents.arena.match import Played
from agents.arena.pairings import SEEDS_PER_MATCH, MatchSpec
from agents.common.configuration import Section, parse
from agents.common.files import append_lines, parse_json, read_json, whole_lines, write_whole
from agents.common.runs import check_free
from agents.players.agent import is_chat

FILES = (
    "games.jsonl", "times.jsonl", "records.jsonl", "early.jsonl", "standings.json", "standings.md", "ratings.*",
    "matrix.*",
)  # fmt: skip
"""Patterns of the files of a tournament besides its rules."""


class _Texts(Section):
    """The lines of a match in each file, and a line of early.jsonl."""

    records: list[str]
    times: list[str]
    games: list[str]


class Store:
    """The contents of a tournament folder. One process at a time may `open` it."""

    def __init__(self, folder: Path, reader: Reader) -> None:
        self.folder, self._reader = folder, reader
        self._files = {name: folder / f"{name}.jsonl" for name in ("games", "times", "records")}
        self.begun = ""
        """The id of a tournament with language models, different for every tournament in this folder."""
        self.lines: list[GameLine] = []
        self._known: dict[MatchSpec, list[GameLine]] = {}
        self._early: dict[MatchSpec, tuple[_Texts, list[GameLine]]] = {}

    @property
    def _early_file(self) -> Path:
        return self.folder / "early.jsonl"

    def open(self, rules: dict[str, Any], made_of: dict[str, str]) -> None:
        """Start a tournament, or read its games; ValueError if the rules or agents have changed.

        If no games were played, earlier rules do not matter.
        """
        path = self.folder / "rules.json"
        check_free(self.folder, path.name, *FILES)
        agents, begun = dict(made_of), ""
        if path.exists():
            before = _read_rules(path)
            other = _difference(path, before, rules, made_of)
            has_games = self._files["games"].exists() or self._early_file.exists()
            if other and has_games:
                raise ValueError(other)
            agents = before["agents"] | agents if has_games else agents
            begun = "" if other else str(before.get("begun", ""))
        document: dict[str, Any] = {"rules": rules, "agents": agents}
        if any(map(is_chat, agents)):
            self.begun = document["begun"] = begun or f"{time.time_ns():x}"
        write_whole(path, json.dumps(document, indent=1) + "\n")
        names = ("games", "times", *(["records"] if rules.get("record") else []))
        self._read(names)
        self._read_early(names)

    def _read(self, names: Sequence[str]) -> None:
        """Read complete matches; incomplete ones are played again."""
        kept = {name: whole_lines(self._files[name]) for name in names}
        for name in names:
            if len(kept["games"]) >= SEEDS_PER_MATCH and not self._files[name].exists():
                raise ValueError(f"{self._files[name]}: missing file; it was removed from outside")
        count = min(map(len, kept.values())) // SEEDS_PER_MATCH * SEEDS_PER_MATCH
        for number in range(count):
            places = {name: f"{self._files[name]}:{number + 1}" for name in ("games", "times")}
            told = [parse_json(kept[name][number], place) for name, place in places.items()]
            self.lines.append(self._reader.read(*told, *places.values()))
        for first in range(0, count, SEEDS_PER_MATCH):
            lines = self.lines[first : first + SEEDS_PER_MATCH]
            self._known[_match_of(lines, f"{self._files['games']}:{first + 1}")] = lines
        for name, texts in kept.items():
            whole, path = "".join(text + "\n" for text in texts[:count]), self._files[name]
            if path.exists() and len(whole.encode()) != path.stat().st_size:
                write_whole(path, whole)

    def _read_early(self, names: Sequence[str]) -> None:
        """Read complete matches that are not among the others."""
        if not self._early_file.exists():
            return
        for number, text in enumerate(whole_lines(self._early_file), start=1):
            place = f"{self._early_file}:{number}"
            texts = parse(_Texts, parse_json(text, place), place)
            if any(len(getattr(texts, name)) != SEEDS_PER_MATCH for name in names):
                raise ValueError(f"{place}: these are not {', '.join(names)} of {SEEDS_PER_MATCH} games")
            told = [[parse_json(line, place) for line in some] for some in (texts.games, texts.times)]
            lines = [self._reader.read(game, seconds, place, place) for game, seconds in zip(*told, strict=True)]
            if not self.knows(match := _match_of(lines, place)):
                self._early[match] = texts, lines
        if self._early:
            write_whole(self._early_file, "".join(f"{texts.model_dump_json()}\n" for texts, _ in self._early.values()))
        else:
            self._early_file.unlink()

    def knows(self, match: MatchSpec) -> bool:
        """Return whether a match was played and written in order."""
        return match in self._known

    def holds(self, match: MatchSpec) -> bool:
        """Return whether a match was played and waits for its turn."""
        return match in self._early

    def lines_of(self, matches: Sequence[MatchSpec]) -> list[GameLine]:
        """Return the games of matches."""
        return [line for match in matches for line in self._known[match]]

    def add(self, match: MatchSpec, played: Sequence[Played], records: Sequence[str] = ()) -> None:
        """Write the games of a match whose turn it is."""
        self._add(match, *_written(match, played, records))

    def hold(self, match: MatchSpec, played: Sequence[Played], records: Sequence[str] = ()) -> None:
        """Write the games of a match before its turn, so that a kill does not lose them."""
        self._early[match] = texts, _ = _written(match, played, records)
        _append(self._early_file, [texts.model_dump_json()])

    def release(self, match: MatchSpec) -> None:
        """Write the games of a waiting match whose turn has come."""
        self._add(match, *self._early.pop(match))
        if not self._early:
            self._early_file.unlink()

    def _add(self, match: MatchSpec, texts: _Texts, lines: list[GameLine]) -> None:
        for name in _Texts.model_fields:  # the games last, so that the other files are complete
            _append(self._files[name], getattr(texts, name))
        self.lines += lines
        self._known[match] = lines


def _written(match: MatchSpec, played: Sequence[Played], records: Sequence[str]) -> tuple[_Texts, list[GameLine]]:
    lines = [GameLine.of(match.seats, deal, one) for deal, one in zip(match.numbers, played, strict=True)]
    times = [json.dumps(line.seconds) for line in lines]
    games = [json.dumps(line.game(), ensure_ascii=False) for line in lines]
    return _Texts(records=list(records), times=times, games=games), lines


def _append(path: Path, lines: Sequence[str]) -> None:
    if lines:
        append_lines(path, lines)


def _match_of(lines: Sequence[GameLine], place: str) -> MatchSpec:
    """Return the match whose games these are; ValueError if they are not one match."""
    match = MatchSpec(lines[0].seats, lines[0].deal)
    if [(line.seats, line.deal) for line in lines] != [(match.seats, deal) for deal in match.numbers]:
        raise ValueError(f"{place}: these are not {SEEDS_PER_MATCH} games of one match")
    return match


def _read_rules(path: Path) -> dict[str, Any]:
    document = read_json(path)
    if not isinstance(document, dict) or not all(isinstance(document.get(key), dict) for key in ("rules", "agents")):
        raise ValueError(f"{path}: not the rules of a tournament")
    return document


def _difference(path: Path, before: dict[str, Any], rules: dict[str, Any], agents: dict[str, str]) -> str:
    """Say how rules or agents differ from those of the games in a folder; "" if they do not."""
    played, known = before["rules"], before["agents"]
    differing = [
        f"{key} was {json.dumps(played.get(key))} and is {json.dumps(rules[key])}"
        for key in rules
        if played.get(key) != rules[key]
    ]
    if differing:
        return f"{path}: this folder has another tournament: {', '.join(differing)}; name another folder with --out"
    changed = next((name for name in agents if known.get(name, agents[name]) != agents[name]), None)
    if changed is not None:
        return f"{changed}: changed since its games in {path.parent} were played; name another folder with --out"
    return ""
